use super::*;
use crate::games::diamant::rules::EDITIONS;
use crate::testing::assert_rules_refused;

fn rules(bonus: &str) -> DiamantRules {
    let text = EDITIONS[0].text;
    let text = text.replace("leave_bonus = 0", &format!("leave_bonus = {bonus}"));
    DiamantRules::from_toml("rules", &text).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn formulas_are_rounded_down_and_cut_to_the_range() {
    let at = Snapshot {
        revealed: 3,
        explorers: vec![Default::default(); 4],
        ..Snapshot::default()
    };
    for (text, paid) in [
        ("0", 0),
        ("7", 7),
        ("'if leavers == 1 then 3 else 0'", 3),
        ("'cards_revealed / 2'", 1),
        ("'held * cards_revealed'", 15),
        ("'cards_revealed - 4'", 0),
        ("'cards_revealed * 200'", 255),
        ("'players + round - explorers'", 5),
        (
            "'1e38 * 10 * cards_revealed - 1e38 * 10 * cards_revealed'",
            0,
        ),
    ] {
        let rules = rules(text);
        assert_eq!(bonus(&rules, &at, 1, 5), paid, "{text}");
        assert_eq!(rules.pays_bonus(), text != "0", "{text}");
    }
}

#[test]
fn faulty_bonuses_are_refused() {
    let faults = r#"
        leave_bonus = 0 | leave_bonus = -1 | leave_bonus is -1 | a whole number from 0 to 255, or a formula
        leave_bonus = 0 | leave_bonus = 1.5 | leave_bonus is 1.5
        leave_bonus = 0 | leave_bonus = "256" | leave_bonus is 256
        leave_bonus = 0 | leave_bonus = "leavers == 1" | `leave_bonus` must be a number
        leave_bonus = 0 | leave_bonus = "2 * leaver" | leaver | did you mean `leavers`?
        leave_bonus = 0 | leave_bonus = [1] | leave_bonus
    "#;
    assert_rules_refused(EDITIONS[0].text, DiamantRules::from_toml, faults);
}
