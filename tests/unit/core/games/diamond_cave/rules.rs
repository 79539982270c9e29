use super::*;
use crate::testing::assert_rules_refused;

#[test]
fn the_edition_loads_with_its_facts() {
    let rules = DiamondCaveRules::from_toml("r", EDITIONS[0].text).unwrap();
    assert_eq!((rules.cards.len(), rules.cells()), (63, 49));
    for kind in [Kind::Torch, Kind::Standard, Kind::Dark] {
        let of = |edges| {
            let matching = |card: &&Card| card.kind == kind && card.edges == edges;
            rules.cards.iter().filter(matching).count()
        };
        let counts = [5, 10, 3, 6, 12, 9].map(of);
        let spread = counts.iter().max().unwrap() - counts.iter().min().unwrap();
        assert!(spread <= 1, "dealt evenly: {counts:?}");
    }
    assert_eq!(rules.score_max(), 4 * 12 + 2 * 15 + 33);
    assert_eq!(rules.worth(Kind::Standard, true), [3, 0, 1]);
    assert_eq!(rules.worth(Kind::Torch, true), [3, 0, 0]);
    assert_eq!(rules.worth(Kind::Torch, false), [0, 2, 0]);
    assert_eq!(rules.worth(Kind::Dark, false), [0, 0, 0]);
}

#[test]
fn one_kind_makes_up_for_the_others() {
    let text = EDITIONS[0]
        .text
        .replace("standard = 33", "standard = \"rest\"");
    for torches in [0, 13, 15, 48] {
        let text = text.replace("torch = 15", &format!("torch = {torches}"));
        let rules = DiamondCaveRules::from_toml("r", &text).unwrap();
        let of = |kind| rules.cards.iter().filter(|card| card.kind == kind).count();
        let found = [Kind::Torch, Kind::Standard, Kind::Dark].map(of);
        assert_eq!(found, [torches, 48 - torches, 15]);
    }
}

/// Part to replace, its replacement, and two parts of the error message.
const FAULTS: &str = r#"
        "diamond_cave" | "diamant" | `diamant`, not of diamond_cave | mix.toml:4
        size = 7 | size = 8 | size is 8 | odd: 5, 7 or 9
        size = 7 | size = 11 | size is 11 | 5 to 9
        size = 7 | size = 5 | 63 cards in all, 39 are needed | 5 × 5 + 12 + 2
        torch = 15 | torch = 16 | 64 cards in all, 63 are needed | standard = "rest" takes as many
        standard = 33 | standard = 34 | 64 cards in all
        torch = 15 | torch = "all" | a whole number, or "rest" | ^
        33\ndark = 15 | "rest"\ndark = "rest" | cards.dark is "rest", too
        33\ndark = 15 | "rest"\ndark = 49 | 64 cards in all, 63 are needed
        torch = 15 | torch = -1 | cards.torch is -1 | 0 to 127
        diamonds = 12 | diamonds = 46 | diamonds is 46 | 1 to 45
        diamonds = 12 | diamonds = 0 | diamonds is 0 | 1 to 45
        planned = 2 | planned = 7 | planned is 7 | 0 to 6
        deck = 12 | deck = 41 | deck is 41 | 0 to 40
        turns_max = 500 | turns_max = 0 | turns_max is 0 | 1 to 10000
        = 1\n | = 0\n | no pair of edges | not be 0
        north-south = 1 | north-south = 21 | pairs.north-south is 21 | 0 to 20
        max = 4 | max = 5 | players.max is 5 | 2 to 4
        "perfect"\n | "some"\n | some | ^
        memory =  | memori =  | memori | did you mean `memory`
        deck = 12\n | \n | missing key `deck` | mix.toml
    "#;

#[test]
fn wrong_values_are_named_with_what_is_allowed() {
    assert_rules_refused(EDITIONS[0].text, DiamondCaveRules::from_toml, FAULTS);
}
