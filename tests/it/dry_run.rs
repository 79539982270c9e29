//! What `--dry-run` announces is what is played.

use crate::fixtures::{game, short};
use crate::process::{folder, holds};
use carat_core::library::{Library, SourceText};
use carat_core::simulation::{Discard, Going, Listener, Player, Threads};
use carat_studies::study::Study;
use fearless_simd::Level;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The games of a study as announced, from time to time, and the games played by then.
struct Announced<'a> {
    played: &'a AtomicU64,
    planned: u64,
    all: Vec<(u64, u64)>,
}

impl Listener for Announced<'_> {
    fn planned(&mut self, games: u64) {
        self.planned = self.planned.max(games);
    }

    fn remaining(&mut self, games: u64, _going: Option<Going>, _status: &str) {
        let played = self.played.load(Ordering::Relaxed);
        let games = played.saturating_add(games);
        self.all.push((played, games.max(self.planned)));
    }
}

/// A family with one number.
const ONE: &str = "leave = \"held >= enough\"\n[params]\n\
                   enough = { value = 10, range = [6, 14], step = 2 }\n";

/// A small study of a kind: its own keys, and those of its table. Searches may take their default number
/// of games.
fn small(kind: &str, name: &str, whole: bool) -> String {
    let field = game(name).field;
    let keys = match kind {
        "compare" => "sides = { a = [], b = ['players=2'] }".to_string(),
        "sweep" => "vary = { players = '2..3' }".to_string(),
        "tournament" => format!("bots = {:?}", &field[..2]),
        "tune" => "vary = { players = '2..4' }\nminimize = 'decisions_per_game'".to_string(),
        "adapt" | "rule" => "family = 'one'".to_string(),
        _ => String::new(),
    };
    let run = match kind {
        "tune" if whole => "max_games = 40000",
        "tune" => "max_games = 4000",
        "solve" if whole => "games = 1000000",
        "solve" => "games = 100000\nseats = ['2*depth']",
        "analyse" => "games = 3",
        "adapt" | "rule" if whole => "",
        "adapt" => "games = 5000\npopulations = 1",
        "rule" => "games = 1000",
        _ => "games = 3000",
    };
    let set: Vec<&str> = match name {
        "diamant" => vec!["rounds=1"],
        name => short(name).to_vec(),
    };
    let players = match kind {
        "sweep" => "",
        // Players who adapt must be there before.
        "describe" => "players = 1",
        _ => "players = 3",
    };
    format!("study = '{kind}'\n{keys}\n[table]\ngame = '{name}'\nset = {set:?}\n{players}\n{run}\n")
}

#[test]
fn all_kinds_play_the_games_that_they_announce() {
    announced_are_played(false);
}

#[test]
#[ignore = "full set"]
fn whole_searches_play_the_games_that_they_announce() {
    announced_are_played(true);
}

/// Within a factor of two from the beginning, or else at most so many, and said to be.
fn announced_are_played(whole: bool) {
    let threads = Threads::start(2).expect("threads");
    let mut wrong = Vec::new();
    for name in ["diamant", "diamond_cave", "diamond_miner"] {
        // Some kinds play many games, which are fast in Diamant alone.
        let long = ["solve", "analyse", "adapt", "rule", "describe"];
        let kinds = Study::KINDS.iter();
        for kind in kinds.filter(|kind| name == "diamant" || !long.contains(kind)) {
            let text = small(kind, name, whole);
            let mut library = Library::default();
            library.strategies = vec![SourceText::new("one", ONE)];
            let study = Study::from_toml("study.toml", &text);
            let study = study.unwrap_or_else(|fault| panic!("{kind} {name}: {fault}"));
            let ready = study.resolve(&library);
            let ready = ready.unwrap_or_else(|fault| panic!("{kind} {name}: {fault}"));
            let played = AtomicU64::new(0);
            let mut listener = Announced {
                played: &played,
                planned: 0,
                all: Vec::new(),
            };
            let ended = ready.play(&mut Player {
                threads: &threads,
                level: Level::new(),
                stop: &AtomicBool::new(false),
                played: &played,
                listener: &mut listener,
                finished: &mut Discard,
                sharing: None,
                each: None,
            });
            assert!(ended.is_ok_and(|played| played.is_some()), "{kind} {name}");
            let all = played.load(Ordering::Relaxed);
            let mut early = listener.all.iter().rev();
            let early = early.find(|(at, _)| 10 * at <= all);
            let (_, announced) = *early.expect("it is announced at the beginning");
            let least = if ["tune", "adapt", "rule"].contains(kind) {
                0
            } else {
                announced / 2
            };
            if !(least..=2 * announced).contains(&all) || least == 0 && all > announced {
                wrong.push(format!("{kind} {name}: {all}, not {announced}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn precision_and_rows_are_estimated() {
    estimates_hold("0.0015", ["30k", "10"]);
}

#[test]
#[ignore = "full set"]
fn precision_and_rows_of_many_games_are_estimated() {
    estimates_hold("0.0005", ["300k", "300"]);
}

/// With a precision the number of games follows from that of the first ones, and rows take space.
fn estimates_hold(precision: &str, rows: [&str; 2]) {
    let here = folder();
    let dry_run = |line: &str| here.json(&format!("{line} --dry-run --json"))["dry_run"].clone();
    let line = format!("simulate diamant --precision {precision} --threads 1");
    let announced = dry_run(&line);
    assert_eq!(announced["at_most"], false);
    let found = here.json(&format!("{line} --json"));
    let games = found["manifest"]["study"]["games"].as_f64().expect("games");
    let ratio = announced["games"].as_f64().expect("games") / games;
    assert!((0.5..2.0).contains(&ratio), "{announced}: {games}");

    let tune =
        "tune diamant --vary seats.1.enough=10..30 --maximize win_share@1 --precision 0.00002";
    assert_eq!(dry_run(tune)["at_most"], true);
    holds(
        &here.run(&format!("{tune} --dry-run")),
        "at most 100,000,000 games",
    );

    let studies = [
        ("diamant --raw", "games.parquet"),
        ("diamond_cave --raw decisions", "decisions.parquet"),
    ];
    for ((study, file), games) in studies.into_iter().zip(rows) {
        let line = format!("simulate {study} --games {games} --no-charts --quiet --out o");
        let bytes = dry_run(&line)["bytes"].as_f64().expect("a size");
        here.run(&line);
        let ratio = bytes / here.bytes(&format!("o/{file}")).len() as f64;
        assert!((0.5..2.0).contains(&ratio), "{line}: {bytes}");
        here.remove(&format!("o/{file}"));
    }
    let plain = dry_run("simulate diamant --games 300k --out p");
    assert!(plain["bytes"].is_null() && !here.has("p"));
}
