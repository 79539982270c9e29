//! What decisions are worth: sums that are exact, intervals that hold, and what is refused.

use crate::fixtures::{project, short_table};
use crate::process::{folder, holds, short};
use carat_core::catalog::GAMES;
use carat_core::game::moments::Course;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Table, WIN_UNITS};
use carat_core::library::Library;
use carat_core::simulation::{Discard, Going, Listener, Player, Threads};
use carat_studies::study::Study;
use fearless_simd::Level;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Analyses, and tells the manifest and the tables.
fn analyse(how: &str) -> Value {
    folder().json(&format!("analyse {how} --json --no-charts"))
}

/// What an analysis says at each look, and how much it played in the end.
struct Said<'a>(&'a AtomicU64, Vec<u64>);

impl Listener for Said<'_> {
    fn remaining(&mut self, games: u64, _: Option<Going>, _: &str) {
        self.1.push(self.0.load(Ordering::Relaxed) + games);
    }
}

#[test]
fn analysis_reports_its_size_from_the_start() {
    reports_its_size("games = 3\nplayouts = 128\n");
}

#[test]
#[ignore = "full set"]
fn long_analysis_reports_its_size_from_the_start() {
    reports_its_size("games = 12\nplayouts = 640\n");
}

fn reports_its_size(size: &str) {
    let text = &format!("study = 'analyse'\ngame = 'diamant'\n{size}");
    let study = Study::from_toml("a", text).expect("a study");
    let ready = study.resolve(&Library::default()).expect("names");
    let played = AtomicU64::new(0);
    let mut said = Said(&played, Vec::new());
    let over = ready.play(&mut Player {
        threads: &Threads::start(1).expect("threads"),
        level: Level::new(),
        stop: &AtomicBool::new(false),
        played: &played,
        listener: &mut said,
        finished: &mut Discard,
        sharing: None,
        each: None,
    });
    assert!(over.is_ok_and(|played| played.is_some()));
    let all = played.load(Ordering::Relaxed);
    for games in said.1 {
        assert!((all / 2..all * 2).contains(&games), "{games} of {all}");
    }
}

/// What everybody did comes first; all options are printed where they are asked for. A player who never
/// leaves and has nothing is not praised.
#[test]
fn summaries_judge_each_person() {
    let here = folder();
    here.write(
        "a.txt",
        "players Anna Ben\n1: 5 / Anna leaves / spider 7 spider\n",
    );
    let how = "analyse diamant a.txt --set rounds=1 --playouts 200 --no-charts";
    let output = here.run(&format!("{how} --out o"));
    crate::process::holds(
        &output,
        "Anna left in 1 of … Ben left in 0 of … Ben scored 0. … expected",
    );
    assert!(
        !output.contains("treasure 5") && !output.contains("Anna scored"),
        "{output}"
    );
    let all = here.run(&format!("{how} --details --out o2"));
    crate::process::holds(&all, "Ben scored 0 … treasure 5 … leave");
    assert_eq!(
        here.read("o/transcript.txt"),
        here.read("o2/transcript.txt")
    );
}

fn number(row: &Value, column: &str) -> f64 {
    let value = &row[column];
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{column}: {value}"))
}

fn rows<'v>(analysed: &'v Value, table: &str) -> &'v [Value] {
    analysed["tables"][table].as_array().expect("a table")
}

const SHORT: StoryStyle = StoryStyle {
    short: true,
    ..StoryStyle::PLAIN
};

fn course(table: &dyn Table, seed: u64, number: u64) -> Course {
    table.course(seed, number, SHORT)
}

/// The names of all games.
fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name)
}

#[test]
fn luck_and_skill_add_up_to_every_result() {
    for name in games() {
        let more = match name {
            "diamant" => "rounds=2",
            "diamond_cave" => "turns_max=500",
            _ => "rounds=4",
        };
        let (games, sets) = (1, format!("{} --set {more}", short(name)));
        let analysed = analyse(&format!(
            "{name} {sets} --games {games} --playouts 64 --seed 3"
        ));
        let table = short_table(name, &[more]);
        let luck = rows(&analysed, "luck");
        let courses: Vec<Course> = (0..games)
            .map(|number| course(table.as_ref(), 3, number))
            .collect();
        assert_eq!(luck.len(), courses.len() * courses[0].wins.len(), "{name}");
        for (row, won) in luck
            .iter()
            .zip(courses.iter().flat_map(|course| &course.wins))
        {
            let parts = ["start", "luck_cards", "luck_others", "own_play"];
            let sum: f64 = parts.iter().map(|part| number(row, part)).sum();
            let result = number(row, "result");
            // Fractions of whole numbers of 64 playouts.
            assert!((sum - result).abs() < 1e-12, "{name}: {row}");
            assert_eq!(result, f64::from(*won) / f64::from(WIN_UNITS), "{name}");
        }
    }
}

/// Bots that go on as themselves play by luck alone; the shares of all parts are in the table, from ten
/// games on.
#[test]
fn results_of_equal_bots_are_luck() {
    let sets = "diamant --set rounds=1 --playouts 64";
    for equal in ["--seat 5*random", "--seat 5*solved-5 --as solved-5"] {
        let analysed = analyse(&format!("{sets} --games 16 {equal}"));
        let rows = rows(&analysed, "variance");
        let of = |part: &str| {
            let row = rows.iter().find(|row| row["part"] == part);
            let row = row.unwrap_or_else(|| panic!("{part}: {rows:?}"));
            number(row, "variance_share")
        };
        assert!(of("play").abs() < 0.01, "{equal}: {rows:?}");
        assert!((of("play") + of("luck") - 1.0).abs() < 1e-9, "{rows:?}");
        let parts = ["who is in the seat", "own play", "others' play"].map(of);
        assert!((parts.iter().sum::<f64>() - of("play")).abs() < 1e-9);
    }
    let few = analyse(&format!("{sets} --games 9"));
    assert!(rows(&few, "variance").is_empty());
}

/// Only a seat with another bot than the strong one has a gain by it.
#[test]
fn weak_bots_have_a_gain_of_a_strong_bot() {
    let seats = "diamant --seat random --seat 4*solved-5";
    let analysed = analyse(&format!("{seats} --games 10 --playouts 64"));
    let bots = rows(&analysed, "bots");
    assert!(bots[1..].iter().all(|row| row["stronger_gain"].is_null()));
    assert!(number(&bots[0], "stronger_gain_low") > 0.1, "{}", bots[0]);
}

#[test]
fn an_analysis_is_the_same_on_any_number_of_threads() {
    let here = folder();
    let run = |line: &str, out: &str| {
        here.run(&format!("{line} --quiet --no-charts --out {out}"));
        // The manifest tells of vectors.
        let mut files = here.files(out);
        files.retain(|(name, _)| name.ends_with(".csv") || name.ends_with(".txt"));
        assert!(files.len() >= 6);
        files
    };
    let sets = short("diamond_cave");
    let analyse = format!("analyse diamond_cave {sets} --players 2 --playouts 64 --threads");
    let one = run(&format!("{analyse} 1"), "one");
    assert!(run(&format!("{analyse} 7 --simd sse2"), "seven") == one);
    assert!(run("run one/manifest.json", "again") == one);
    crate::process::holds(&here.read("one/transcript.txt"), "wins, score");
}

#[test]
fn me_and_as_select_seat_and_bot() {
    let asked = format!(
        "diamond_cave {} --players 2 --playouts 64",
        short("diamond_cave")
    );
    let analysed = analyse(&format!("{asked} --me 2"));
    let decisions = rows(&analysed, "decisions");
    assert!(decisions.iter().all(|row| number(row, "seat") == 2.0));
    for table in ["bots", "luck", "course", "mistakes"] {
        let own = rows(&analysed, table).iter();
        assert!(own.clone().count() > 0, "{table}");
        assert!(
            own.into_iter().all(|row| number(row, "seat") == 2.0),
            "{table}"
        );
    }
    let other = analyse(&format!("{asked} --as hoarder"));
    let of_others = rows(&other, "luck").iter();
    let of_others = of_others.map(|row| number(row, "luck_others").abs());
    // Bots that play otherwise than hoarders surprise whoever takes them for hoarders.
    assert!(of_others.sum::<f64>() > 0.01);
}

/// Named opponents play on in a recorded game, in every seat.
#[test]
fn others_play_on_in_a_recorded_game() {
    let here = folder();
    let record = project().join("tests/released/0.4.0/record-diamant.txt");
    let line = format!("analyse diamant {} --playouts 64", record.display());
    holds(
        &here.run(&line),
        "judged as if solved-3 made all later decisions; `as people` judges with ordinary players instead",
    );
    let others = here.run(&format!("{line} --others people --out o"));
    holds(
        &others,
        "judged as if people made all later decisions · up to",
    );
    here.inner("evening");
    here.refused(
        "analyse diamant evening",
        "evening: a folder; name a file in it",
    );
}

#[test]
fn invalid_analyses_are_refused() {
    let here = folder();
    here.refuses_as("analyse");
    let study =
        "study = 'analyse'\nas = 'hoarder'\n[table]\ngame = 'diamond_cave'\nprecision = 0.1\n";
    here.write("a.toml", study);
    here.refused("run a.toml", "unknown key `precision`; allowed: `title`");
}
