//! Mixes of bots: drawn for each game and seat, and played as one seat.

use crate::fixtures::{assert_same, both, estimate, game, play};
use carat_core::catalog::GAMES;
use carat_core::game::{Game, Seating, Table, WIN_SHARE};
use carat_core::library::{Library, SourceText};
use carat_core::statistics::Estimate;
use carat_core::strategy::{ParamRange, Seat, SeatSpec};
use carat_core::streams::game_key;
use fearless_simd::Level;

/// A library with these bots besides those that ship.
fn library(bots: &[(&str, &str)]) -> Library {
    let source = |(name, text): &(&str, &str)| SourceText::new(name, *text);
    let mut library = Library::default();
    library.strategies = bots.iter().map(source).collect();
    library
}

fn seats(game: &Game, library: &Library, specs: &[&str]) -> Vec<Seat> {
    let specs = specs
        .iter()
        .map(|spec| spec.parse::<SeatSpec>().expect("a bot"));
    specs
        .flat_map(|spec| {
            library
                .seats(game, &spec)
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

fn table(game: &Game, library: &Library, specs: &[&str]) -> Box<dyn Table> {
    let rules = game
        .rules("rules", game.editions[0].text)
        .expect("editions load");
    let table = rules.table(&seats(game, library, specs), Seating::EveryOrder);
    table.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn crowds_play_the_referees_games() {
    crowds_play(12);
    crowds_of_a_family_play(12);
}

#[test]
#[ignore = "full set"]
fn crowds_play_many_of_the_referees_games() {
    crowds_play(60);
    crowds_of_a_family_play(60);
}

fn crowds_play(games: usize) {
    for game in GAMES {
        let field = game.field[0];
        let specs = ["2*people", field];
        let table = table(game, &Library::default(), &specs);
        let both = both(table.as_ref(), Level::new(), 4, 9, games);
        assert_same(table.as_ref(), game.name, &both);
    }
}

/// Members of one family are one program that looks their parameters up; another bot is between.
fn crowds_of_a_family_play(games: usize) {
    for game in GAMES {
        let name = game.family.expect("every game has a family");
        let family = Library::default().strategy(game, name).expect("it ships");
        let member = |n: usize| {
            let value = |(axis, (param, range)): (usize, &(String, ParamRange))| {
                let share = ((7 * n + 3 * axis) % 11) as f32 / 10.0;
                format!("{param}={}", range.low + share * (range.high - range.low))
            };
            let values: Vec<String> = family.ranges.iter().enumerate().map(value).collect();
            format!("\"{name}:{}\" = {}", values.join(","), n % 3 + 1)
        };
        let mut parts: Vec<String> = (0..60).map(member).collect();
        parts.sort();
        parts.dedup_by_key(|part| part.split(" = ").next().map(str::to_string));
        parts.insert(parts.len() / 2, format!("{} = 4", game.field[0]));
        let mix = format!("mix = {{ {} }}", parts.join(", "));
        let library = library(&[("mix", &mix)]);
        let table = table(game, &library, &["2*mix", game.field[0]]);
        let both = both(table.as_ref(), Level::new(), 4, 9, games);
        assert_same(table.as_ref(), game.name, &both);
    }
}

#[test]
fn a_mix_wins_what_its_bots_win_by_their_shares() {
    let game = game("diamant");
    let mix = "mix = { random = 3, depth = 1 }";
    let library = library(&[("mix", mix)]);
    let win = |bot: &str, seed: u64| -> Estimate {
        let table = table(game, &library, &[bot, "traps", "risk", "relic-hunter"]);
        let tally = play(table.as_ref(), seed, 400_000);
        estimate(&tally, table.layout(), &format!("{WIN_SHARE}@1"))
    };
    let [mixed, random, deep] =
        [("mix", 1), ("random", 2), ("depth", 3)].map(|(bot, seed)| win(bot, seed));
    let expected = 0.75 * random.value + 0.25 * deep.value;
    assert!(
        (random.value - deep.value).abs() > 0.03,
        "{random:?} {deep:?}"
    );
    assert!(
        (mixed.value - expected).abs() < 4.0 * mixed.se,
        "{mixed:?} {expected}"
    );
}

#[test]
fn mixes_in_mixes_stand_for_their_bots() {
    let game = game("diamant");
    let inner = "mix = { depth = 1, \"card-5\" = 1, \"solved-5\" = 2 }";
    let outer = "mix = { inner = 1, \"threshold:target=6\" = 1 }";
    let library = library(&[("inner", inner), ("outer", outer)]);
    let seat = seats(game, &library, &["outer"]).remove(0);
    let parts = seat.strategy.parts.iter();
    let parts: Vec<(String, f64)> = parts
        .map(|part| (part.spec.to_string(), part.share))
        .collect();
    let expected = [
        ("depth", 0.125),
        ("card-5", 0.125),
        ("solved-5", 0.25),
        ("threshold:target=6", 0.5),
    ];
    assert_eq!(
        parts,
        expected.map(|(name, share)| (name.to_string(), share))
    );
    let made_of = seat.strategy.made_of.iter().map(|(name, _)| name.as_str());
    let names = ["inner", "depth", "card-5", "solved-5", "threshold"];
    assert_eq!(made_of.collect::<Vec<_>>(), names);
    for at in 0..2 {
        let drawn = |game: u64| {
            seat.drawn(game_key(1, game), at)
                .expect("a mix")
                .to_string()
        };
        let threshold = (0..4000).filter(|&game| drawn(game) == "threshold:target=6");
        let count = threshold.count();
        assert!((1860..2140).contains(&count), "{count}");
    }
    let table = table(game, &library, &["2*outer", "inner", "people", "depth"]);
    let both = both(table.as_ref(), Level::new(), 8, 3, 300);
    assert_same(table.as_ref(), "mixes", &both);
}

#[test]
fn mixes_that_cannot_be_are_refused() {
    let game = game("diamant");
    let many = |count: usize, bot: fn(usize) -> String| {
        let parts: Vec<String> = (0..count).map(bot).collect();
        format!("mix = {{ {} }}", parts.join(", "))
    };
    let alike = |n: usize| format!("\"depth:cards={n}\" = 1");
    let other = |n: usize| format!("\"{}={n}\" = 1", ["depth:cards", "threshold:target"][n % 2]);
    for (text, expected) in [
        (&*many(257, alike), "a mix of 257 bots: at most 32"),
        (&*many(33, other), "a mix of 33 bots: at most 32"),
        ("mix = {}", "the mix is empty"),
        ("mix = { depth = 0 }", "must be above 0"),
        (
            "mix = { depth = 1 }\nleave = \"held > 1\"",
            "unknown key `leave`",
        ),
        ("mix = { \"2*depth\" = 1 }", "does not name a bot"),
        ("mix = { nothing = 1 }", "no bot called `nothing`"),
        ("mix = { thinker = 1 }", "`thinker` thinks"),
        (
            "mix = { \"depth:playouts=8\" = 1 }",
            "thinks: name only bots that do not think",
        ),
        ("mix = { mix = 1 }", "refers to itself"),
        ("mix = { other = 1 }", "refers to itself"),
    ] {
        let library = library(&[("mix", text), ("other", "mix = { mix = 1, depth = 1 }")]);
        let error = library.strategy(game, "mix").expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// Each draw of a fitted person sits once, those of whoever has fewer in turn; others stay.
#[test]
fn draws_of_fitted_people_are_seated() {
    let fitted = |mix: &str| format!("made_for = {{ by = \"carat fit\" }}\nmix = {{ {mix} }}\n");
    let anna = fitted("\"depth:cards=2\" = 1, \"depth:cards=3\" = 1, \"depth:cards=4\" = 1");
    let ben = fitted("\"depth:cards=5\" = 1, \"depth:cards=6\" = 1");
    let mix = "mix = { people = 1, bold = 1 }\n";
    let library = library(&[("anna", &anna), ("ben", &ben), ("mix", mix)]);
    let game = game("diamant");
    let all = seats(game, &library, &["ben", "mix", "anna"]);
    let [bens, mixed, annas] = [0, 1, 2].map(|seat| all[seat].draws());
    assert_eq!([bens.len(), mixed.len(), annas.len()], [2, 0, 3]);
    let drawn = Seat::each_draw(&all);
    assert_eq!(drawn.len(), 3);
    for (at, seats) in drawn.iter().enumerate() {
        let expected = [&bens[at % 2], &all[1], &annas[at]];
        assert!(seats.iter().zip(expected).all(|(own, other)| own == other));
    }
    assert!(Seat::each_draw(&all[1..2]).is_empty());
}
