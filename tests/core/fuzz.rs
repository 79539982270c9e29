//! Random rules and random bots: the kernel still plays the referee's game.

use crate::fixtures::{assert_same, both, game, level, levels, table};
use crate::tables::{WITHOUT_TABLES, bots, numbers, numbers_of, seats};
use carat_core::game::{Record, SCORE, Seating, Table};
use fearless_simd::Level;
use proptest::prelude::*;

/// What no edition has printed.
#[derive(Debug)]
struct House {
    /// Bits: relics used up when lost, in a shuffled order, decisions at the entrance, leftovers card
    /// by card, and relics for the last player inside.
    switches: usize,
    traps_to_end: u32,
    traps_end_from: u32,
    leave_bonus: String,
    /// By kind of trap, its first expedition.
    from: Vec<u32>,
}

impl House {
    const PRINTED: House = House {
        switches: 0,
        traps_to_end: 2,
        traps_end_from: 1,
        leave_bonus: String::new(),
        from: Vec::new(),
    };
}

/// A rules file of Diamant.
fn file(
    treasures: &[u8],
    traps: &[usize],
    relics: &[u8],
    switches: usize,
    rounds: u32,
    house: &House,
) -> String {
    let pick = |index: usize, yes: &'static str, no: &'static str| {
        if switches >> index & 1 == 1 { yes } else { no }
    };
    let kinds = traps.iter().enumerate();
    let kinds = kinds.map(|(kind, copies)| format!("k{kind} = {copies}"));
    let joining = house.from.iter().enumerate().take(traps.len());
    let joining = joining.map(|(kind, from)| format!("k{kind} = {}", from.min(&rounds)));
    let joining: Vec<String> = joining.collect();
    let worth = match switches >> 3 & 1 {
        1 => "claim-order",
        _ if house.switches & 1 == 1 => "exit-order",
        _ => "printed",
    };
    let own = |index: usize, yes: &'static str, no: &'static str| {
        if house.switches >> index & 1 == 1 {
            yes
        } else {
            no
        }
    };
    let order = own(1, "shuffled", "listed");
    let taken_by = own(4, "last-inside", "lone-leaver");
    let bonus = match house.leave_bonus.as_str() {
        "" => "0".to_string(),
        formula => format!("\"{formula}\""),
    };
    let house = format!(
        "treasure_order = \"{}\"\nfirst_card = \"{}\"\nleftovers = \"{}\"\ntraps_to_end = {}\n\
         traps_end_from = {}\nleave_bonus = {bonus}",
        pick(5, "sorted", "listed"),
        own(2, "after-decision", "before-decision"),
        own(3, "per-card", "pooled"),
        house.traps_to_end,
        house.traps_end_from
    );
    format!(
        "game = \"diamant\"\ntitle = \"random\"\nrounds = {rounds}\n\
         treasures = {treasures:?}\nleavers = \"{}\"\nremove_trap = {}\n\
         tiebreak = \"{}\"\nchests = \"open\"\n{house}\n[players]\nmin = 1\nmax = 8\n\
         [traps]\n{}\n[traps_from]\n{}\n[relics]\nvalues = {relics:?}\nworth = \"{worth}\"\n\
         schedule = \"{}\"\norder = \"{order}\"\ntaken_by = \"{taken_by}\"\nunclaimed = \"{}\"\n\
         [minutes]\nset_up = 0\ncard = 0\ndecision = 0\nexpedition = 0\n",
        pick(0, "before-reveal", "after-reveal"),
        pick(1, "true", "false"),
        pick(2, "shared", "relics"),
        kinds.collect::<Vec<_>>().join("\n"),
        joining.join("\n"),
        pick(4, "all", "one-per-expedition"),
        pick(5, "leave-game", "reshuffled"),
    )
}

fn house() -> impl Strategy<Value = House> {
    let from = prop::collection::vec(1u32..=6, 0..=8);
    let names = vec![
        "leavers",
        "explorers",
        "players",
        "held",
        "leftover",
        "relics_on_path",
        "traps_seen",
        "cards_revealed",
        "round",
    ];
    let leave_bonus = prop_oneof![
        Just(String::new()),
        Just("3".to_string()),
        // Never a constant, which might be out of range.
        numbers_of(names, WITHOUT_TABLES).prop_map(|of| format!("min(explorers * 99, {of})")),
    ];
    let end_from = prop_oneof![3 => Just(1u32), 3 => 2u32..=8, 1 => 9u32..=64];
    let traps = (1u32..=4, end_from);
    (0..32usize, traps, leave_bonus, from).prop_map(
        |(switches, (traps_to_end, traps_end_from), leave_bonus, from)| House {
            switches,
            traps_to_end,
            traps_end_from,
            leave_bonus,
            from,
        },
    )
}

/// Rules with a deck of 1 to 64 cards.
fn rules() -> impl Strategy<Value = String> {
    let treasures = prop::collection::vec(0u8..=255, 0..40);
    let traps = prop::collection::vec(0usize..5, 0..=8);
    let relics = prop::collection::vec(1u8..=255, 0..24);
    let switches = (0..64usize, 1u32..=20, house());
    (treasures, traps, relics, switches).prop_filter_map(
        "a deck holds 1 to 64 cards, the first one too",
        |(treasures, traps, relics, (switches, rounds, house))| {
            let cards = treasures.len() + relics.len() + traps.iter().sum::<usize>();
            let from = |kind: usize| house.from.get(kind).copied().unwrap_or(1).min(rounds);
            let mut kinds = traps.iter().enumerate();
            let may_begin = house.traps_to_end > 1 || house.traps_end_from == 1;
            let first = kinds.any(|(kind, copies)| *copies > 0 && from(kind) == 1) && may_begin
                || !(treasures.is_empty() && relics.is_empty());
            let fits = first && cards <= 64;
            fits.then(|| file(&treasures, &traps, &relics, switches, rounds, &house))
        },
    )
}

/// A formula over all features of Diamant, and over tables, that answers with a truth value.
fn formula() -> impl Strategy<Value = String> {
    let number = numbers("diamant");
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
    #![proptest_config(ProptestConfig { cases: crate::fixtures::cases(50), failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_rules_and_bots(
        rules in rules(),
        bots in bots(formula(), 1..=8),
        seed in any::<u64>(),
    ) {
        let checked = game("diamant").rules("random", &rules).unwrap_or_else(|fault| panic!("{fault}"));
        let seats = seats("diamant", &bots);
        let table = checked.table(&seats, Seating::EveryOrder).expect("any bots can play open chests");
        let both = both(table.as_ref(), level(seed), seed, seed, 140);
        assert_same(table.as_ref(), &format!("{rules}\n{bots:#?}"), &both);
        assert_written(table.as_ref(), &rules, seed, &both[0]);
    }
}

/// The first game of a record, written down and read again, has the same scores.
fn assert_written(table: &dyn Table, rules: &str, seed: u64, played: &Record) {
    let notation = table.notation().expect("games of Diamant are written down");
    let text = notation.write(seed, seed, &mut ());
    let course = notation.recorded("random", &text);
    let course = course.unwrap_or_else(|fault| panic!("{rules}\n{}", fault.in_file("text", &text)));
    for (seat, score) in course.scores.iter().enumerate() {
        let column = table.layout().seat_column(seat, SCORE);
        assert_eq!(played.column(column)[0], *score, "{rules}\n{text}");
    }
}

/// The only card, a relic, is taken in the first expedition; the second still has its bonus.
#[test]
fn expeditions_without_cards_are_written_down() {
    let leave_bonus = "leavers".to_string();
    let house = House {
        leave_bonus,
        ..House::PRINTED
    };
    let rules = file(&[], &[], &[1], 0, 2, &house);
    let table = table(game("diamant"), &rules, &["depth"]).expect("a table");
    let [played, _] = both(table.as_ref(), level(0), 1, 1, 1);
    assert_written(table.as_ref(), &rules, 1, &played);
}

/// Decks that run out, of 64 cards, of relics alone, and of the largest treasures.
#[test]
fn odd_decks() {
    play_odd_decks(|seed| vec![level(seed)]);
}

#[test]
#[ignore = "full set"]
fn odd_decks_at_every_level() {
    play_odd_decks(|_| levels());
}

fn play_odd_decks(levels: fn(u64) -> Vec<Level>) {
    let mut number = 0;
    let usual = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17];
    let five = [5, 5, 5, 10, 10];
    for (treasures, copies, relics, rounds) in [
        (&[255; 54][..], 1, &five[..], 5),
        (&[7; 44], 1, &five, 5),
        (&[255, 254], 2, &five, 5),
        (&[255, 254], 2, &[], 5),
        (&usual, 2, &five, 20),
        (&[3], 1, &[], 5),
        (&[], 0, &[1, 2, 3], 5),
    ] {
        // Any two switches are set in all four ways.
        for switches in [0b000000, 0b000111, 0b101011, 0b110101, 0b011010, 0b111100] {
            let text = file(
                treasures,
                &[copies; 5],
                relics,
                switches,
                rounds,
                &House::PRINTED,
            );
            for seats in [
                &["threshold:target=200"][..],
                &["last-out", "relic-hunter", "risk", "depth:cards=50"],
                &[
                    "random",
                    "chaser",
                    "last-out",
                    "threshold:target=900",
                    "first-out",
                ],
                &["depth:cards=60"; 8],
            ] {
                let table = table(game("diamant"), &text, seats).expect("open chests");
                number += 1;
                for level in levels(number) {
                    let both = both(table.as_ref(), level, 3, 70, 60);
                    assert_same(
                        table.as_ref(),
                        &format!("{text} {seats:?} {level:?}"),
                        &both,
                    );
                }
            }
        }
    }
}
