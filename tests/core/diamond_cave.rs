//! Diamond Cave from outside: random rules and formulas, stable values, no allocations.

use crate::figures::column;
use crate::fixtures::{assert_same, both, level, play, table};
use crate::tables::{bots, numbers, seats};
use carat_core::catalog;
use carat_core::game::practice::Offer;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Counted, Game, Record, Seating, Table, WIN};
use carat_core::overrides;
use carat_core::strategy::{Seat, Strategy};
use fearless_simd::Level;
use proptest::prelude::*;
use proptest::strategy::Strategy as Draw;

fn game() -> &'static Game {
    catalog::find("diamond_cave").expect("in the catalog")
}

fn edition() -> &'static str {
    game().editions[0].text
}

fn shipped(seats: &[&str]) -> Box<dyn Table> {
    table(game(), edition(), seats).expect("the bots can play")
}

/// A rules file whose numbers of cards fit.
fn rules_files() -> impl Draw<Value = String> {
    let board = (
        prop::sample::select(vec![5usize, 7, 9]),
        0..13usize,
        0..5usize,
        1..22usize,
    );
    let play = (any::<[bool; 4]>(), 1..40u32);
    // Shares of torches and dark cards, in percent.
    let cards = (0..50usize, 0..50usize, prop::array::uniform6(0..3u8));
    (board, play, cards).prop_map(|(board, (switches, turns), (torches, dark, pairs))| {
        let (size, deck, planned, diamonds) = board;
        let [forgets, excludes, finishes, may_pass] = switches;
        let [a, b, c, d, e, f] = pairs;
        let a = a.max(1);
        let cards = size * size + deck + planned;
        let (torches, dark) = (cards * torches / 100, cards * dark / 100);
        let standard = cards - torches - dark;
        let memory = if forgets { "none" } else { "perfect" };
        format!(
            "game = 'diamond_cave'\ntitle = 'mix'\nsize = {size}\ndeck = {deck}\nplanned = {planned}\n\
             diamonds = {diamonds}\nmemory = '{memory}'\nhidden_diamond_excludes_standard = {excludes}\n\
             finish_turn = {finishes}\nlone_may_pass = {may_pass}\nturns_max = {turns}\n\
             [cards]\ntorch = {torches}\nstandard = {standard}\ndark = {dark}\n\
             [pairs]\nnorth-south = {a}\neast-west = {b}\nnorth-east = {c}\neast-south = {d}\n\
             south-west = {e}\nnorth-west = {f}\n[players]\nmin = 2\nmax = 4\n\
             [minutes]\nset_up = 0\ncard = 0\ndecision = 0\nturn = 0\n"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::fixtures::cases(24), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kernel_plays_the_referees_game_under_any_rules(
        file in rules_files(),
        bots in bots(numbers("diamond_cave"), 2..=4),
        seating in prop::sample::select(vec![Seating::EveryOrder, Seating::Neighbours, Seating::Fixed]),
        seed in any::<u64>(),
    ) {
        let rules = game().rules("mix", &file);
        let rules = rules.unwrap_or_else(|fault| panic!("{fault}"));
        let table = rules.table(&seats("diamond_cave", &bots), seating).unwrap();
        let both = both(table.as_ref(), level(seed), seed, 5, 12);
        assert_same(table.as_ref(), &format!("{file} {bots:?}"), &both);
    }
}

/// A planned card laid on a known one changes what lies at a spot, and nothing else that is seen.
#[test]
fn planned_cards_on_known_ones_change_what_lies_ahead() {
    planned_cards_change_what_lies_ahead(200);
}

#[test]
#[ignore = "full set"]
fn planned_cards_of_many_games_change_what_lies_ahead() {
    planned_cards_change_what_lies_ahead(1_000);
}

fn planned_cards_change_what_lies_ahead(games: usize) {
    let sets = [
        "size=5",
        "deck=0",
        "planned=4",
        "diamonds=9",
        "turns_max=40",
        "finish_turn=true",
        "cards.torch=3",
        "cards.dark=3",
        "cards.standard=\"rest\"",
    ];
    let sets = sets.map(str::to_string);
    let rules = overrides::apply("rules", edition(), &sets).expect("keys exist");
    for score in [
        "2 * plan * noise - dead_end",
        "2 * plan * noise - dead_end_soon",
        "8 * plan * noise + points_soon",
    ] {
        let text = format!("score = \"{score}\"\n");
        let bot = Strategy::from_toml("planner", "planner.toml", &text, game().vocabulary);
        let seat =
            Seat::new(bot.unwrap_or_else(|fault| panic!("{fault}")), &[]).expect("no parameters");
        let rules = game()
            .rules("rules", &rules)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let table = rules
            .table(&vec![seat; 2], Seating::EveryOrder)
            .expect("seats");
        let both = both(table.as_ref(), level(1), 1, 0, games);
        assert_same(table.as_ref(), score, &both);
    }
}

/// What a dig is known to add: a dark card ends the turn, and its edges are known.
#[test]
fn next_digs_add_known_points() {
    let table = shipped(&["4*surveyor"]);
    let features = game().vocabulary;
    let at = |name: &str| features.find(name).expect(name);
    let width = features.features.len();
    let names = [
        "start",
        "exit",
        "plan",
        "front_known",
        "front_dark",
        "front_diamond",
        "front_blocked",
        "tail_diamond",
        "tail_points",
        "points_soon",
    ];
    let (mut dark, mut ahead) = (0, 0);
    let mut pick = |offer: &Offer| {
        for row in offer.features.chunks(width) {
            let value = names.map(|name| row[at(name)]);
            let [start, exit, plan, known, is_dark, diamond, ..] = value;
            let [.., blocked, hides, tail, points] = value;
            if start + exit + plan > 0.0 {
                continue;
            }
            if known * is_dark > 0.0 {
                assert_eq!(points, 3.0 * diamond + 4.0 * hides - tail);
                dark += 1;
            } else if blocked > 0.0 {
                assert_eq!(points, 0.0);
            } else if points > 5.0 {
                ahead += 1;
            }
        }
        None
    };
    let mut record = Record::new(table.layout(), 50);
    record.clear(50);
    table.practise(Level::new(), (3, 0), &mut pick, &mut record);
    assert!(dark > 20 && ahead > 20, "{dark} {ahead}");
}

#[test]
fn places_are_fair() {
    let table = shipped(&["4*wanderer"]);
    let tally = play(table.as_ref(), 1, 4_000);
    let wins = |seat| tally.columns[table.layout().seat_column(seat, WIN)].sum;
    let four: Vec<i64> = (0..4).map(|seat| wins(seat) as i64).collect();
    for wins in &four {
        let share = *wins as f64 / (4_000.0 * 840.0);
        assert!((share - 0.25).abs() < 0.035, "{four:?}");
    }
}

#[test]
fn a_replay_is_plain_when_asked() {
    let table = shipped(&["prospector", "gambler", "hoarder", "saboteur"]);
    let plain = table.replay(1, 3, StoryStyle::PLAIN);
    assert!(plain.is_ascii());
    let drawn = table.replay(1, 3, StoryStyle::default());
    assert!(drawn.contains('◆') && drawn.contains('│'));
    let words = |story: &str| -> Vec<String> {
        let turns = story.lines().filter(|line| line.starts_with("Turn"));
        turns.map(str::to_string).collect()
    };
    assert_eq!(words(&plain), words(&drawn));
    let end = plain.lines().last().unwrap_or_default();
    assert!(
        end.contains(" wins") || end.contains(" share the win"),
        "{end}"
    );
}

#[test]
fn the_games_own_tables_add_up() {
    let seats = ["prospector", "gambler", "hoarder"];
    let table = shipped(&seats);
    let games = 300;
    let mut record = Record::new(table.layout(), games);
    table.play(Level::new(), 6, 0, &mut record);
    let sum = |seat, outcome| -> f64 {
        let column = record.column(table.layout().seat_column(seat, outcome));
        column.iter().map(|&value| f64::from(value)).sum()
    };
    let counted = Counted {
        layout: table.layout(),
        counts: &record.counts,
        games: games as u64,
    };
    let sheets = table.sheets(&counted);
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let expected = [
        "score_parts",
        "gained_where",
        "tunnel_length",
        "turn_digs",
        "playing_order",
        "game_turns",
        "cards",
    ];
    assert_eq!(names, expected);
    let column = |sheet: &str, name: &str| {
        let sheet = sheets.iter().find(|found| found.name == sheet);
        column(sheet.expect("a sheet"), name)
    };
    for seat in 0..seats.len() {
        let part = |part: &str| column("score_parts", &format!("{part}_points"))[seat];
        let points = [
            "gained_diamonds",
            "hidden_diamonds",
            "torches",
            "standard_cards",
        ];
        assert_eq!(points.map(part).iter().sum::<f64>(), sum(seat, 1), "score");
        let gained = column("gained_where", &format!("gained_seat_{}", seat + 1));
        assert_eq!(
            (gained.len(), gained.iter().sum()),
            (49, sum(seat, 2)),
            "diamonds"
        );
        let turns = column("turn_digs", &format!("turns_seat_{}", seat + 1));
        assert_eq!(turns.iter().sum::<f64>(), sum(seat, 4), "turns");
    }
    let played = column("game_turns", "games");
    assert_eq!(played.iter().sum::<f64>(), games as f64);
    assert_eq!(table.figures(&counted).len(), 5);
}

#[test]
fn short_game_matches_golden_story() {
    let rules = edition()
        .replace("size = 7", "size = 5")
        .replace("standard = 33", "standard = 9")
        .replace("turns_max = 500", "turns_max = 3");
    let table = table(game(), &rules, &["wanderer", "wanderer"]).unwrap();
    expect_test::expect_file!["golden/diamond_cave.txt"].assert_eq(&table.replay(
        2,
        3,
        StoryStyle::default(),
    ));
}
