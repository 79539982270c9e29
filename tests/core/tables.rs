//! Look-up tables: they allocate nothing, and are checked, shown, changed and swept from the command
//! line. Random ones are read where random bots play.

use crate::fixtures::{assert_same, both, game, levels};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carat_core::game::{Record, Seating};
use carat_core::strategy::{Seat, Strategy as Bot};
use fearless_simd::Level;
use proptest::prelude::*;
use std::ops::RangeInclusive;

/// The names that [`random_tables`] gives to tables of one, two and three axes.
const NAMES: [&str; 3] = ["one", "two", "three"];

/// Tables at random as parts of a bot's file: edges, values, and whether they are packed.
fn random_tables() -> impl Strategy<Value = [String; 3]> {
    let edges = (
        prop::collection::btree_set(-10i32..60, 1..7),
        prop::sample::select(vec![1.0, 4.0, 50.0]),
    );
    let axes = edges.prop_map(|(edges, divisor)| {
        let edges = edges.into_iter().map(|edge| f64::from(edge) / divisor);
        edges.collect::<Vec<_>>()
    });
    let form = (any::<u64>(), 0..3);
    prop::collection::vec((prop::collection::vec(axes, 3), form), 3).prop_map(|tables| {
        let table = |number: usize| {
            let (axes, (seed, form)) = &tables[number];
            table(NAMES[number], &axes[..=number], *seed, *form)
        };
        std::array::from_fn(table)
    })
}

/// A table as text: packed, of whole numbers, or of any numbers.
fn table(name: &str, axes: &[Vec<f64>], seed: u64, form: i32) -> String {
    let mut state = seed;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) % n
    };
    let sizes: Vec<usize> = axes.iter().map(|edges| edges.len() + 1).collect();
    let values = if form == 0 {
        let cells = sizes.iter().product();
        let bytes: Vec<u8> = (0..cells).map(|_| below(256) as u8).collect();
        let packed = STANDARD.encode(bytes);
        format!("{{ packed = \"{packed}\", scale = [-1.5, 30] }}")
    } else {
        let mut value = || match form {
            1 => format!("{}", below(60) as i64 - 20),
            _ => format!("{}", below(400) as f64 / 16.0 - 5.0),
        };
        nested(&sizes, &mut value)
    };
    format!("[tables.{name}]\naxes = {axes:?}\nvalues = {values}\n")
}

fn nested(sizes: &[usize], value: &mut impl FnMut() -> String) -> String {
    let Some((size, inner)) = sizes.split_first() else {
        return value();
    };
    let values: Vec<String> = (0..*size).map(|_| nested(inner, value)).collect();
    format!("[{}]", values.join(", "))
}

/// A bot of `game` that answers with `formula`, with those of the tables that it looks up.
pub fn seat(game_name: &str, formula: &str, tables: &[String; 3]) -> Seat {
    let vocabulary = game(game_name).vocabulary;
    let mut text = format!("{} = \"{formula}\"\n", vocabulary.question);
    for (name, table) in NAMES.iter().zip(tables) {
        if formula.contains(&format!("{name}[")) {
            text += table;
        }
    }
    let bot = Bot::from_toml("random", "random.toml", &text, vocabulary);
    Seat::new(bot.unwrap_or_else(|fault| panic!("{fault}")), &[]).expect("no parameters")
}

/// Bots of the formulas that `answers` makes, with tables at random.
pub fn bots(
    answers: impl Strategy<Value = String>,
    seats: RangeInclusive<usize>,
) -> impl Strategy<Value = Vec<(String, [String; 3])>> {
    prop::collection::vec((answers, random_tables()), seats)
}

/// These bots at a table, of whom the last is a mix of all.
pub fn seats(game_name: &str, bots: &[(String, [String; 3])]) -> Vec<Seat> {
    let mut seats: Vec<Seat> = bots
        .iter()
        .map(|(formula, tables)| seat(game_name, formula, tables))
        .collect();
    let weights = (1..=seats.len()).map(|weight| weight as f64);
    let parts: Vec<(Seat, f64)> = seats.iter().cloned().zip(weights).collect();
    let mix = Bot::mix("mix", "", &parts, game(game_name).vocabulary).expect("few parts");
    seats.pop();
    seats.push(Seat::new(mix, &[]).expect("no parameters"));
    seats
}

/// Formulas of numbers, over all features of a game, and over tables.
pub fn numbers(game_name: &str) -> BoxedStrategy<String> {
    let names = game(game_name).vocabulary.features.iter();
    numbers_of(names.map(|feature| feature.name).collect(), FORMS)
}

/// Of these, the first have no look-ups.
pub const FORMS: &[&str] = &[
    "(A + B)",
    "(A - B)",
    "(A * B)",
    "(A / B)",
    "min(A, B)",
    "max(A, B)",
    "(if A > B then C else A)",
    "floor(abs(A))",
    "one[A]",
    "two[A, B]",
    "three[A, B, C]",
];
pub const WITHOUT_TABLES: &[&str] = FORMS.split_at(8).0;

/// Formulas of numbers over these names and `forms`.
pub fn numbers_of(
    names: Vec<&'static str>,
    forms: &'static [&'static str],
) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(names).prop_map(str::to_string),
        1 => (0u32..60).prop_map(|number| format!("{number}")),
        1 => (0u32..100).prop_map(|number| format!("{}", f64::from(number) / 100.0)),
    ];
    let numbers = leaf.prop_recursive(3, 12, 2, move |inner| {
        let form = prop::sample::select(forms);
        (form, inner.clone(), inner.clone(), inner).prop_map(|(form, a, b, c)| {
            let letter = |letter: char| match letter {
                'A' => a.clone(),
                'B' => b.clone(),
                'C' => c.clone(),
                other => other.to_string(),
            };
            form.chars().map(letter).collect::<String>()
        })
    });
    numbers.boxed()
}

/// A bot of 2²⁰ cells.
fn large() -> String {
    let edges = |count: usize| (1..count).map(|edge| edge as f64).collect::<Vec<_>>();
    let axes = [edges(16), edges(32), edges(8), edges(256)];
    format!(
        "leave = \"random < stay[explorers, held, traps_seen, leftover]\"\n{}",
        table("stay", &axes, 7, 0).replace("[-1.5, 30]", "[0, 1]")
    )
}

#[test]
fn large_tables_play_and_allocate_nothing_more_for_more_games() {
    let diamant = game("diamant");
    let bot = Bot::from_toml("large", "large.toml", &large(), diamant.vocabulary);
    let bot = bot.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(bot.tables, [("stay".to_string(), 1 << 20)]);
    let seat = Seat::new(bot, &[]).expect("no parameters");
    let rules = diamant.rules("rules", diamant.editions[0].text);
    let rules = rules.unwrap_or_else(|fault| panic!("{fault}"));
    let table = rules
        .table(&vec![seat; 5], Seating::EveryOrder)
        .expect("seats");
    for level in levels() {
        assert_same(
            table.as_ref(),
            "large",
            &both(table.as_ref(), level, 3, 0, 300),
        );
    }
    let mut record = Record::new(table.layout(), 2048);
    let mut allocated = |games| {
        record.clear(games);
        let measured = allocation_counter::measure(|| table.play(Level::new(), 1, 0, &mut record));
        (measured.count_total, measured.bytes_total)
    };
    let few = allocated(128);
    assert_eq!(allocated(2048), few);
    assert!(few.0 < 100 && few.1 < 1 << 20, "{few:?}");
}

/// A fault in a long file shows a line that can be read.
#[test]
fn faults_of_packed_tables_are_short() {
    let broken = large().replace("\", scale", "AA==\", scale");
    let vocabulary = game("diamant").vocabulary;
    let fault = Bot::from_toml("broken", "broken.toml", &broken, vocabulary);
    let error = fault.expect_err("it has too many cells").to_string();
    assert!(
        error.contains("table `stay`") && error.contains("broken.toml:4:"),
        "{error}"
    );
    assert!(error.len() < 2000, "{} bytes", error.len());
}
