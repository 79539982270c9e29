//! Random rules and random bots: the kernel still plays the referee's game.

use crate::fixtures::{assert_same, both, game, levels};
use crate::tables::{random_tables, seat};
use carat::game::Seating;
use carat::strategy::Seat;
use proptest::prelude::*;

/// A rules file of Diamant with a deck of 1 to 64 cards.
fn rules() -> impl Strategy<Value = String> {
    let treasures = prop::collection::vec(1u8..=255, 0..40);
    let traps = prop::collection::vec(0usize..5, 0..=8);
    let relics = prop::collection::vec(1u8..=255, 0..24);
    let switches = prop::collection::vec(any::<bool>(), 6);
    (treasures, traps, relics, switches, 1u32..=20).prop_filter_map(
        "a deck holds 1 to 64 cards",
        |(treasures, traps, relics, switches, rounds)| {
            let cards = treasures.len() + relics.len() + traps.iter().sum::<usize>();
            let pick = |index: usize, yes: &'static str, no: &'static str| {
                if switches[index] { yes } else { no }
            };
            let kinds = traps
                .iter()
                .enumerate()
                .map(|(kind, copies)| format!("k{kind} = {copies}"));
            (1..=64).contains(&cards).then(|| {
                format!(
                    "game = \"diamant\"\ntitle = \"random\"\nrounds = {rounds}\n\
                     treasures = {treasures:?}\nleavers = \"{}\"\nremove_trap = {}\n\
                     tiebreak = \"{}\"\nchests = \"open\"\n[players]\nmin = 1\nmax = 8\n\
                     [traps]\n{}\n[relics]\nvalues = {relics:?}\nworth = \"{}\"\n\
                     schedule = \"{}\"\nunclaimed = \"{}\"\n",
                    pick(0, "before-reveal", "after-reveal"),
                    switches[1],
                    pick(2, "shared", "relics"),
                    kinds.collect::<Vec<_>>().join("\n"),
                    pick(3, "claim-order", "printed"),
                    pick(4, "all", "one-per-expedition"),
                    pick(5, "leave-game", "reshuffled"),
                )
            })
        },
    )
}

/// A formula over all features of Diamant, and over tables, that answers with a truth value.
fn formula() -> impl Strategy<Value = String> {
    let names: Vec<&str> = game("diamant")
        .vocabulary
        .features
        .iter()
        .map(|feature| feature.name)
        .collect();
    let leaf = prop_oneof![
        4 => prop::sample::select(names).prop_map(str::to_string),
        1 => (0u32..60).prop_map(|number| format!("{number}")),
        1 => (0u32..100).prop_map(|number| format!("{}", f64::from(number) / 100.0)),
    ];
    let number = leaf.prop_recursive(3, 12, 2, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "/"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min({a}, {b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("(if {a} > {b} then {c} else {a})")),
            inner.clone().prop_map(|a| format!("floor(abs({a}))")),
            inner.clone().prop_map(|a| format!("one[{a}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("two[{a}, {b}]")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("three[{a}, {b}, {c}]")),
        ]
    });
    let comparison = (
        number.clone(),
        prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]),
        number,
    )
        .prop_map(|(a, comparison, b)| format!("{a} {comparison} {b}"));
    comparison.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_rules_and_bots(
        rules in rules(),
        bots in prop::collection::vec((formula(), random_tables()), 1..=8),
        seed in any::<u64>(),
    ) {
        let checked = game("diamant").rules("random", &rules).unwrap_or_else(|fault| panic!("{fault}"));
        let seats = bots.iter().map(|(formula, tables)| seat("diamant", formula, tables));
        let seats: Vec<Seat> = seats.collect();
        let table = checked.table(&seats, Seating::EveryOrder).expect("any bots can play open chests");
        let levels = levels();
        let level = levels[seed as usize % levels.len()];
        let both = both(table.as_ref(), level, seed, seed, 140);
        assert_same(table.as_ref(), &format!("{rules}\n{bots:#?}"), &both);
    }
}
