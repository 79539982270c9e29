//! Diamond Cave from outside: random rules and formulas, stable values, no allocations.

use crate::fixtures::{assert_same, both, play, table};
use carat::catalog;
use carat::game::story::Telling;
use carat::game::{Game, Record, Rules, Seating, SeatingError, Table, WIN};
use carat::sheet::Values;
use carat::strategy::{Seat, Strategy};
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
#[derive(Debug, Clone)]
struct Mix {
    size: usize,
    deck: usize,
    planned: usize,
    diamonds: usize,
    forgets: bool,
    excludes: bool,
    finishes: bool,
    may_pass: bool,
    turns_max: u32,
    /// Shares of torches and dark cards, in percent.
    torches: usize,
    dark: usize,
    pairs: [u8; 6],
}

impl Mix {
    fn text(&self) -> String {
        let cards = self.size * self.size + self.deck + self.planned;
        let torches = cards * self.torches / 100;
        let dark = cards * self.dark / 100;
        let memory = if self.forgets { "none" } else { "perfect" };
        let [a, b, c, d, e, f] = self.pairs;
        format!(
            "game = 'diamond_cave'\ntitle = 'mix'\nsize = {}\ndeck = {}\nplanned = {}\n\
             diamonds = {}\nmemory = '{memory}'\nhidden_diamond_excludes_standard = {}\n\
             finish_turn = {}\nlone_may_pass = {}\n\
             turns_max = {}\n[cards]\ntorch = {torches}\nstandard = {}\ndark = {dark}\n\
             [pairs]\nnorth-south = {a}\neast-west = {b}\nnorth-east = {c}\neast-south = {d}\n\
             south-west = {e}\nnorth-west = {f}\n[players]\nmin = 2\nmax = 4\n",
            self.size,
            self.deck,
            self.planned,
            self.diamonds,
            self.excludes,
            self.finishes,
            self.may_pass,
            self.turns_max,
            cards - torches - dark,
        )
    }
}

fn mixes() -> impl Draw<Value = Mix> {
    let board = (
        prop::sample::select(vec![5usize, 7, 9]),
        0..13usize,
        0..5usize,
        1..22usize,
    );
    let play = (any::<[bool; 4]>(), 1..40u32);
    let cards = (0..50usize, 0..50usize, prop::array::uniform6(0..3u8));
    (board, play, cards).prop_map(|(board, play, (torches, dark, mut pairs))| {
        pairs[0] = pairs[0].max(1);
        Mix {
            size: board.0,
            deck: board.1,
            planned: board.2,
            diamonds: board.3,
            forgets: play.0[0],
            excludes: play.0[1],
            finishes: play.0[2],
            may_pass: play.0[3],
            turns_max: play.1,
            torches,
            dark,
            pairs,
        }
    })
}

/// A formula over a few features, with sums, products, comparisons and conditions.
fn formulas() -> impl Draw<Value = String> {
    let features = game().vocabulary.features.len();
    let term = (0..features, 0..features, -4..5i32, 0..5u8);
    prop::collection::vec(term, 1..7).prop_map(|terms| {
        let name = |feature: usize| game().vocabulary.features[feature].name;
        let words = terms.iter().map(|&(a, b, times, form)| match form {
            0 => format!("{times} * {}", name(a)),
            1 => format!("{} * {}", name(a), name(b)),
            2 => format!("(if {} > {times} then {} else 1)", name(a), name(b)),
            3 => format!("{} / ({} - {times})", name(a), name(b)),
            _ => format!("max({}, {times}) - floor({} * 3)", name(a), name(b)),
        });
        words.collect::<Vec<_>>().join(" + ")
    })
}

fn seat(number: usize, formula: &str) -> Seat {
    let text = format!("description = ''\nscore = '{formula}'\n");
    let vocabulary = game().vocabulary;
    let bot = Strategy::from_toml(&format!("bot-{number}"), "bot.toml", &text, vocabulary);
    Seat::new(bot.unwrap_or_else(|fault| panic!("{fault}")), &[]).expect("no parameters")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kernel_plays_the_referees_game_under_any_rules(
        mix in mixes(),
        formulas in prop::collection::vec(formulas(), 2..5),
        seating in prop::sample::select(vec![Seating::EveryOrder, Seating::Neighbours, Seating::Fixed]),
        seed in any::<u64>(),
    ) {
        let rules = game().rules("mix", &mix.text());
        let rules = rules.unwrap_or_else(|fault| panic!("{fault}"));
        let seats: Vec<Seat> = formulas.iter().enumerate().map(|(i, f)| seat(i, f)).collect();
        let table = rules.table(&seats, seating).unwrap();
        let both = both(table.as_ref(), Level::new(), seed, 5, 12);
        assert_same(table.as_ref(), &format!("{mix:?} {formulas:?}"), &both);
    }
}

#[test]
fn places_are_fair_and_wins_add_up() {
    let table = shipped(&["4*wanderer"]);
    let tally = play(table.as_ref(), 1, 4_000);
    let wins = |seat| tally.columns[table.layout().seat_column(seat, WIN)].sum;
    let four: Vec<i64> = (0..4).map(|seat| wins(seat) as i64).collect();
    let all: i64 = four.iter().sum();
    assert!((4_000 * 837..=4_000 * 840).contains(&all), "{four:?}");
    for wins in &four {
        let share = *wins as f64 / (4_000.0 * 840.0);
        assert!((share - 0.25).abs() < 0.035, "{four:?}");
    }
}

#[test]
fn a_replay_is_plain_when_asked() {
    let table = shipped(&["prospector", "gambler", "hoarder", "saboteur"]);
    let plain = table.replay(1, 3, Telling::PLAIN);
    assert!(plain.is_ascii());
    let drawn = table.replay(1, 3, Telling::default());
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
    let sum = |seat, outcome| -> u64 {
        let column = record.column(table.layout().seat_column(seat, outcome));
        column.iter().map(|&value| value as u64).sum()
    };
    let sheets = table.sheets(games as u64, &record.counts);
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let expected = [
        "score_parts",
        "gained_where",
        "tunnel_length",
        "turn_digs",
        "playing_order",
        "game_turns",
    ];
    assert_eq!(names, expected);
    let column = |sheet: &str, column: &str| -> Vec<u64> {
        let sheet = sheets.iter().find(|found| found.name == sheet).unwrap();
        let found = sheet
            .columns
            .iter()
            .find(|known| known.name == column)
            .unwrap();
        match &found.values {
            Values::Whole(values) => values
                .iter()
                .map(|value| value.unwrap())
                .collect::<Vec<_>>(),
            _ => panic!("{column} holds no whole numbers"),
        }
    };
    for seat in 0..seats.len() {
        let part = |part: &str| column("score_parts", &format!("{part}_points"))[seat];
        let points = [
            "gained_diamonds",
            "hidden_diamonds",
            "torches",
            "standard_cards",
        ];
        assert_eq!(points.map(part).iter().sum::<u64>(), sum(seat, 1), "score");
        let gained = column("gained_where", &format!("gained_seat_{}", seat + 1));
        assert_eq!(
            (gained.len(), gained.iter().sum()),
            (49, sum(seat, 2)),
            "diamonds"
        );
        let turns = column("turn_digs", &format!("turns_seat_{}", seat + 1));
        assert_eq!(turns.iter().sum::<u64>(), sum(seat, 4), "turns");
    }
    let played = column("playing_order", "games");
    assert_eq!(played.iter().sum::<u64>(), (games * seats.len()) as u64);
    assert_eq!(
        column("game_turns", "games").iter().sum::<u64>(),
        games as u64
    );
    assert_eq!(
        table.figures(Some(0), games as u64, &record.counts).len(),
        6
    );
}

#[test]
fn a_short_game_is_told_as_before() {
    let rules = edition()
        .replace("size = 7", "size = 5")
        .replace("standard = 33", "standard = 9")
        .replace("turns_max = 500", "turns_max = 3");
    let table = table(game(), &rules, &["wanderer", "wanderer"]).unwrap();
    expect_test::expect_file!["golden/diamond_cave.txt"].assert_eq(&table.replay(
        2,
        3,
        Telling::default(),
    ));
}
