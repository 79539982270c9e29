use super::*;
use crate::testing::assert_rules_refused;

#[test]
fn editions_have_their_printed_cards() {
    // Of each edition: expeditions, cards, relics, rubies on treasures, the highest score, and
    // the number of relics that join the deck, one before each expedition.
    for (name, printed) in [
        ("iello-2016", (5, 35, 5, 124, 655, 0)),
        ("schmidt-2005", (5, 30, 0, 124, 620, 0)),
        ("schmidt-2005-alt", (5, 30, 0, 124, 620, 0)),
        ("incan-gold-2006", (5, 35, 5, 124, 655, 5)),
        ("incan-gold-2020", (5, 35, 5, 124, 662, 5)),
        ("bga-modern", (5, 34, 5, 107, 577, 5)),
        ("bga-classic", (5, 34, 5, 107, 570, 5)),
    ] {
        let edition = EDITIONS.iter().find(|edition| edition.name == name);
        let rules = DiamantRules::from_toml(name, edition.expect("an edition").text).unwrap();
        let (cards, relics) = (rules.cards.len(), rules.relics.len());
        let joining = [0, 1, 2, 3, 4, 5].map(|round| rules.joining(round).count_ones());
        let joined = joining.iter().sum();
        let one_each = joining.iter().all(|cards| *cards <= 1);
        assert!(joining[5] == 0 && one_each, "{name}");
        let first = rules.first_deck().count_ones();
        assert_eq!(first + joined, cards as u32, "{name}");
        let (rubies, most) = (rules.rubies(), rules.score_max());
        let found = (rules.rounds, cards, relics, rubies, most, joined);
        assert_eq!(found, printed, "{name}");
    }
}

/// Part to replace, its replacement, and parts of the error message.
const FAULTS: &str = r#"
        snake = 3 | "a.b" = 3 | a trap cannot be called `a.b` | its name must not have . = , ; or quotes
        snake = 3 | "a=b" = 3 | a trap cannot be called `a=b`
        snake = 3 | "" = 3 | a trap cannot be called ``
        tiebreak = "shared" | tiebreak = "relic" | relic
        traps_to_end = 2 | traps_to_end = 5 | traps_to_end is 5 | 1 to 4
        [traps_from] | [traps_from]\nsnake = 0 | traps_from.snake is 0 | 1 to 20
        [traps_from] | [traps_from]\nsnake = 6 | traps_from.snake is 6, but rounds is 5 | 1 to 5
        [traps_from] | [traps_from]\nbats = 2 | traps_from.bats: no such trap
    "#;

#[test]
fn wrong_numbers_are_named_with_what_is_allowed() {
    assert_rules_refused(EDITIONS[0].text, DiamantRules::from_toml, FAULTS);
}

#[test]
fn relics_that_never_join_are_named() {
    let warning = |text: &str| {
        DiamantRules::from_toml("rules", text)
            .unwrap()
            .never_joins()
    };
    let text = EDITIONS[3].text.replace("rounds = 5", "rounds = 4");
    assert!(warning(&text).is_some_and(|said| said.starts_with("relics.values: 1 of 5 ")));
    assert!(
        EDITIONS
            .iter()
            .all(|edition| warning(edition.text).is_none())
    );
}

#[test]
fn a_first_expedition_without_cards_is_refused() {
    // All traps join later.
    let joining = "[traps_from]\nspider = 2\nsnake = 3\nlava = 2\nboulder = 2\nram = 2\n";
    let text = EDITIONS[0].text.replace("[5, 5, 5, 10, 10]", "[]");
    let text = text.replace("[traps_from]\n", joining);
    let treasures = "[1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]";
    let faults = format!("{treasures} | [] | the first expedition has no card");
    assert_rules_refused(&text, DiamantRules::from_toml, &faults);
}
