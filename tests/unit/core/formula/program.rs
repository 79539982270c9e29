use super::super::tests::{parsed, table};
use super::super::{Cell, Cells, Kind};
use super::*;
use crate::testing::TEST_VOCABULARY;

const SCORES: Vocabulary = Vocabulary {
    question: "score",
    answer: Kind::Number,
    ..TEST_VOCABULARY
};

fn bound(vocabulary: &Vocabulary, text: &str) -> Formula {
    let formula = Formula::parse(text, &[], vocabulary);
    let formula = formula.unwrap_or_else(|fault| panic!("{fault}: {text}"));
    formula.bind(&[])
}

fn compiled(vocabulary: &Vocabulary, texts: &[&str]) -> Program {
    let formulas: Vec<Formula> = texts.iter().map(|text| bound(vocabulary, text)).collect();
    Program::compile(vocabulary, &formulas, &[]).unwrap()
}

#[test]
fn seats_share_what_they_have_in_common() {
    let alike = compiled(&TEST_VOCABULARY, &["held + traps_seen * 2 > 12"; 3]);
    assert_eq!(alike.output(0), alike.output(1));
    assert_eq!(alike.output(0), alike.output(2));
    let own = compiled(&TEST_VOCABULARY, &["chest > 1", "chest > 1"]);
    assert_ne!(own.output(0), own.output(1));
}

#[test]
fn seats_share_tables_with_the_same_numbers() {
    let bound = |text: &str, axes: usize, param: f32| {
        let cells = Cells::written(vec![Cell::Param(0); 3usize.pow(axes as u32)]);
        let card = table("card", &vec![&[1.0, 2.0][..]; axes], cells);
        let formula = parsed(text, &[card]);
        assert!(formula.uses_param(0) && formula.uses_table(0));
        formula.bind(&[param])
    };
    let two = |param| bound("held > card[held, chest]", 2, param);
    let compiled = |formulas: &[Formula]| Program::compile(&TEST_VOCABULARY, formulas, &[]);
    let program = compiled(&[two(1.0), two(2.0), two(1.0)]).unwrap();
    let of_both = &program.lookups;
    assert_eq!((of_both.functions.len(), of_both.grids.len()), (2, 2));
    // Seats see the same of `held`, each its own chest: 1 + 3 step functions, and a cell and an
    // answer for each seat.
    assert_eq!(program.steps.len(), 4 + 3 * 2);
    let one = |param| bound("held > card[traps_seen]", 1, param);
    let program = compiled(&[one(1.0), one(2.0), one(1.0)]).unwrap();
    let sizes = (program.lookups.functions.len(), program.steps.len());
    assert_eq!(sizes, (2, 4));
}

#[test]
fn the_features_that_matter_are_known_by_seat() {
    let texts = [
        "held > 1 and chest > 1",
        "true or chest > 1",
        "held > random",
    ];
    let program = compiled(&TEST_VOCABULARY, &texts);
    assert!(program.uses(0) && program.uses(1) && !program.uses(2) && program.uses(3));
    let seats = (0..8).filter(|&seat| program.uses_for_seat(1, seat));
    assert_eq!(seats.collect::<Vec<_>>(), [0]);
    assert!(program.uses_for_seat(0, 2) && !program.uses_for_seat(0, 1));
}

#[test]
fn answers_may_be_constants_or_features() {
    let program = compiled(&TEST_VOCABULARY, &["1 < 2", "false"]);
    let file = program.register_file();
    let [yes, no] = [0, 1].map(|seat| program.output(seat));
    let mut words = file.truths.iter();
    assert!(words.all(|word| (word[yes], word[no]) == (u64::MAX, 0)));
    let program = compiled(&SCORES, &["held", "chest", "0.5"]);
    assert_eq!(program.output(0), 0);
    assert_eq!(program.output(1), SCORES.register(1, 1));
    let constant = program.register_file().numbers[program.output(2)];
    assert_eq!(constant, Column::splat(0.5));
}

#[test]
fn programs_that_need_too_many_registers_are_refused() {
    let formulas: Vec<Formula> = (0..FORMULAS_MAX)
        .map(|seat| {
            let terms: Vec<String> = (0..170).map(|n| format!("{seat}{n}.5 * held")).collect();
            bound(&SCORES, &terms.join(" + "))
        })
        .collect();
    let refused = Program::compile(&SCORES, &formulas, &[]).unwrap_err();
    assert!(refused.to_string().contains("2048"));
    Program::compile(&SCORES, &formulas[..4], &[]).unwrap();
}
