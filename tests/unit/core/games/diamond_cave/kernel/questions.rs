use super::*;

#[test]
fn only_what_a_question_leaves_open_is_read() {
    let text = "if stop > 0 then 0 else if go_on > 0 then length - players else gain * plan";
    let formula = Formula::parse(text, &[], &f::VOCABULARY).unwrap();
    let read = |program: &Program| {
        let features = 0..f::VOCABULARY.features.len();
        features.filter(|&feature| program.uses(feature)).collect()
    };
    let programs = programs(&formula, 4).unwrap();
    let reads: Vec<Vec<usize>> = programs.iter().map(read).collect();
    let act = vec![f::PLAN, f::GAIN];
    let [none, gain, length] = [vec![], vec![f::GAIN], vec![f::LENGTH]];
    assert_eq!(reads, [none.clone(), act, gain, none.clone(), none, length]);
}
