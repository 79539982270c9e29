//! What decisions are worth: sums that are exact, intervals that hold, and what is refused.

use crate::fixtures::{self, game};
use crate::process::{folder, short};
use carat::catalog::GAMES;
use carat::game::moments::{Course, What};
use carat::game::story::StoryStyle;
use carat::game::{Record, SCORE, Table, WIN, WIN_UNITS};
use carat::simulation::{Discard, Going, Listener, Player, Threads};
use carat::study::{Study, library::Library};
use fearless_simd::Level;
use serde_json::Value;
use std::sync::Arc;
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
    let text = "study = 'analyse'\ngame = 'diamant'\ngames = 12\nplayouts = 640\n";
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

fn default_table(name: &str) -> Arc<dyn Table> {
    fixtures::default_table(game(name))
}

/// The mean of numbers, and its variance.
fn mean<T: Copy + Into<f64>>(values: &[T]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().map(|&x| x.into()).sum::<f64>() / n;
    let square = values.iter().map(|&x| x.into().powi(2)).sum::<f64>();
    (mean, (square - n * mean * mean) / (n - 1.0) / n)
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
        let games = if name == "diamant" { 2 } else { 1 };
        let sets = short(name);
        let analysed = analyse(&format!(
            "{name} {sets} --games {games} --playouts 64 --seed 3"
        ));
        let table = fixtures::short_table(name);
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

/// Five bots that leave nothing to chance.
const WITHOUT_LOTS: &str = "--seat threshold --seat traps --seat depth --seat risk --seat veteran";

/// A seat whose bot goes on leaves nothing to its own play but chance; another bot's play is what
/// its options are worth less than what that bot would have got.
#[test]
fn own_play_is_compared_with_the_playout_bot() {
    let own = |how: &str| {
        let analysed = analyse(&format!("diamant --games 3 --playouts 256 {how}"));
        let luck = rows(&analysed, "luck").to_vec();
        luck.iter().map(|row| number(row, "own_play")).collect()
    };
    let foreseen: Vec<f64> = own(WITHOUT_LOTS);
    assert!(foreseen.iter().all(|own| *own == 0.0), "{foreseen:?}");
    // A bot that stays whatever comes gives away what the careful one would have taken.
    let bold: Vec<f64> = own("--seat depth:cards=30 --seat 4*depth:cards=5 --as depth:cards=5");
    let (bold, careful): (Vec<_>, Vec<_>) =
        bold.iter().enumerate().partition(|(at, _)| at % 5 == 0);
    assert!(
        bold.iter().map(|(_, own)| **own).sum::<f64>() < -0.1,
        "{bold:?}"
    );
    assert!(careful.iter().all(|(_, own)| **own == 0.0), "{careful:?}");
}

/// Among equal bots all is luck, also where they leave much to chance and playouts are few and noisy;
/// beside them one who plays at random makes play count.
#[test]
fn share_of_play_matches_known_tables() {
    let shares = |how: &str| {
        let analysed = analyse(&format!("diamant --games 16 --playouts 64 {how}"));
        let rows = rows(&analysed, "variance");
        let of = |part: &str| {
            let row = rows.iter().find(|row| row["part"] == part);
            let row = row.unwrap_or_else(|| panic!("{part}: {rows:?}"));
            ["", "_low", "_high"].map(|end| number(row, &format!("variance_share{end}")))
        };
        let ([play, low, high], [luck, ..]) = (of("play"), of("luck"));
        assert!((play + luck - 1.0).abs() < 1e-9, "{how}: {play} {luck}");
        let parts = ["who is in the seat", "own play", "others' play"].map(|part| of(part)[0]);
        assert!(
            (parts.iter().sum::<f64>() - play).abs() < 1e-9,
            "{how}: {parts:?}"
        );
        (play, low, high)
    };
    for equal in ["--seat 5*random", "--seat 5*solved-5 --as solved-5"] {
        let (play, low, high) = shares(equal);
        assert!(
            play.abs() < 0.01 && low <= 0.0 && high >= 0.0,
            "{equal}: {play}"
        );
    }
    let (play, low, _) = shares("--seat random --seat 4*solved-5");
    assert!(play > 0.02 && low > 0.01, "{play} from {low}");
    // All five play otherwise than the learnt bot that goes on.
    let (play, low, _) = shares(&format!("{WITHOUT_LOTS} --as solved-5"));
    assert!(play > 0.1 && low > 0.0, "{play} from {low}");
    // Too few games tell nothing of it.
    let few = analyse("diamant --games 9 --playouts 64");
    assert!(rows(&few, "variance").is_empty());
}

/// What a strong bot would gain in a seat is what a comparison with it finds in other games.
#[test]
fn the_gain_of_a_strong_bot_agrees_with_a_comparison() {
    let analysed = analyse("diamant --seat random --seat 4*solved-5 --games 10 --playouts 64");
    let bots = rows(&analysed, "bots");
    assert!(bots[1..].iter().all(|row| row["stronger_gain"].is_null()));
    let gain =
        |row: &Value| ["_low", "_high"].map(|end| number(row, &format!("stronger_gain{end}")));
    let here = folder();
    here.run(
        "compare diamant --seat random --seat 4*solved-5 --b seats.1=solved-5 --games 100000 \
         --no-charts --out o",
    );
    let differences = here.table("o/differences.csv");
    assert_eq!(differences.column("metric")[0], "win_share");
    let difference: f64 = differences.column("difference")[0]
        .parse()
        .expect("a number");
    let [low, high] = gain(&bots[0]);
    let slack = high - low;
    assert!(difference > 0.1, "{difference}");
    assert!(
        (low - slack..high + slack).contains(&difference),
        "{difference} in {low} {high}"
    );
}

#[test]
fn moments_join_to_the_story() {
    for name in games() {
        let table = default_table(name);
        for number in 0..3 {
            let course = course(table.as_ref(), 5, number);
            let mut record = Record::new(table.layout(), 1);
            table.guided(5, number, &mut (), &mut record);
            for seat in 0..course.wins.len() {
                let of = |outcome| record.column(table.layout().seat_column(seat, outcome))[0];
                assert_eq!(
                    [of(WIN), of(SCORE)],
                    [course.wins[seat], course.scores[seat]]
                );
            }
            for moment in &course.moments {
                if let What::Decision(options) = &moment.what {
                    let mut names = options.names.clone();
                    assert!(names.len() > 1 && options.chosen < names.len(), "{names:?}");
                    names.sort();
                    names.dedup();
                    assert_eq!(names.len(), options.names.len(), "{names:?}");
                }
            }
            assert!(course.moments.len() > 10, "{name}");
            assert_eq!(course.story(), table.replay(5, number, SHORT), "{name}");
        }
    }
}

/// A playout is the same whatever chunk, level and option before it: only then do options share
/// their luck.
#[test]
fn playouts_are_the_same_in_any_chunk() {
    for name in games() {
        let table = default_table(name);
        let course = course(table.as_ref(), 2, 1);
        let bare = table.layout().bare();
        for moment in course.moments.iter().step_by(course.moments.len() / 5) {
            let play = |first, games, level| {
                let mut record = Record::new(&bare, games);
                table.play_on(level, (&moment.position, None), (9, first), &mut record);
                record
            };
            let whole = play(40, 200, Level::new());
            for (first, games) in [(0, 1), (3, 60), (63, 137), (150, 50)] {
                for level in crate::fixtures::levels() {
                    let part = play(40 + first as u64, games, level);
                    for column in 0..bare.columns() {
                        let expected = &whole.column(column)[first..][..games];
                        assert_eq!(part.column(column), expected, "{name}, {}", moment.at);
                    }
                }
            }
        }
    }
}

/// From the first moment of many games, which nothing came before but the set-up, bots win as they
/// do in whole games.
#[test]
fn playouts_from_the_start_are_games() {
    for name in games() {
        let table = fixtures::short_table(name);
        let layout = table.layout();
        let bare = layout.bare();
        // The referee takes longer for a game of Diamond Miner than for any other.
        let starts = if name == "diamond_miner" { 60 } else { 150 };
        let mut record = Record::new(&bare, 8);
        let mut games = Record::new(layout, 8 * starts);
        table.play(Level::new(), 4, 0, &mut games);
        // By seat and outcome, the mean of each start.
        let mut means = vec![[Vec::new(), Vec::new()]; layout.seats];
        for number in 0..starts as u64 {
            let course = course(table.as_ref(), 4, number);
            let position = &course.moments[0].position;
            table.play_on(Level::new(), (position, None), (7, 8 * number), &mut record);
            for (seat, means) in means.iter_mut().enumerate() {
                for outcome in [WIN, SCORE] {
                    let column = record.column(bare.seat_column(seat, outcome));
                    means[outcome].push(mean(column).0);
                }
            }
        }
        for (seat, means) in means.iter().enumerate() {
            for outcome in [WIN, SCORE] {
                let whole = mean(games.column(layout.seat_column(seat, outcome)));
                let started = mean(&means[outcome]);
                let apart = (started.0 - whole.0) / (started.1 + whole.1).sqrt();
                assert!(apart.abs() < 4.5, "{name}, seat {seat}, {outcome}: {apart}");
            }
        }
    }
}

/// Of 300 intervals of 64 playouts each, 95 % hold what very many playouts say.
#[test]
fn intervals_of_playouts_hold() {
    for name in games() {
        let table = default_table(name);
        let bare = table.layout().bare();
        let course = course(table.as_ref(), 6, 0);
        let decision = course.moments.iter().skip(course.moments.len() / 2);
        let moment = decision
            .into_iter()
            .find(|moment| matches!(moment.what, What::Decision(_)));
        let moment = moment.expect("a decision in the second half");
        const SAMPLES: usize = 300;
        const EACH: usize = 64;
        let mut record = Record::new(&bare, EACH);
        let mut values = vec![Vec::new(); bare.columns()];
        for sample in 0..SAMPLES as u64 {
            let first = sample * EACH as u64;
            table.play_on(
                Level::new(),
                (&moment.position, Some(0)),
                (1, first),
                &mut record,
            );
            for (column, values) in values.iter_mut().enumerate() {
                values.push(mean(record.column(column)));
            }
        }
        let (mut held, mut all) = (0, 0);
        for values in &values {
            let truth = values.iter().map(|(mean, _)| mean).sum::<f64>() / SAMPLES as f64;
            let varies = values
                .iter()
                .filter(|(_, variance)| *variance > 0.0)
                .count();
            // Where nearly all playouts end alike, a normal interval of so few means little.
            if varies < SAMPLES {
                continue;
            }
            all += SAMPLES;
            held += (values.iter())
                .filter(|(mean, variance)| (mean - truth).abs() <= 1.96 * variance.sqrt())
                .count();
        }
        let share = held as f64 / all as f64;
        assert!(all >= SAMPLES, "{name}: nothing varies");
        assert!((0.92..0.98).contains(&share), "{name}: {share} of {all}");
    }
}

/// A lone explorer in one expedition: what staying is worth after the first card is known exactly, and
/// 95 % of the intervals hold it. Leaving is certain.
#[test]
fn intervals_of_options_hold_exact_values() {
    let alone = "--players 1 --rules schmidt-2005 --set rounds=1 --seat depth:cards=6";
    let analysed = analyse(&format!("diamant {alone} --games 300 --playouts 256"));
    let first = rows(&analysed, "decisions").chunks(2);
    let first = first.filter(|options| options[0]["at"] == "expedition 1, card 1");
    let (mut held, mut all) = (0, 0);
    for options in first {
        let [stay, leave] = options else {
            panic!("two options: {options:?}");
        };
        let treasure = number(leave, "score_mean");
        assert_eq!(number(leave, "score_mean_se"), 0.0, "{leave}");
        assert_eq!(number(stay, "playouts"), 256.0, "it was chosen");
        let exact = crate::exact::after_first_card(6, treasure as u32);
        let interval = number(stay, "score_mean_low")..=number(stay, "score_mean_high");
        held += usize::from(interval.contains(&exact));
        all += 1;
    }
    assert_eq!(all, 300);
    assert!((273..=297).contains(&held), "{held} of {all}");
}

/// The move that wins is worth a win, exactly: nothing can happen any more.
#[test]
fn certain_values_are_exact() {
    let table = default_table("diamond_miner");
    let bare = table.layout().bare();
    let mut record = Record::new(&bare, 32);
    for number in 0..10 {
        let course = course(table.as_ref(), 1, number);
        let Some(What::Decision(options)) = course.moments.last().map(|moment| &moment.what) else {
            panic!("the last moment of a game that is won is a decision");
        };
        if course.wins[options.seat] != WIN_UNITS || course.scores[options.seat] < 2 {
            continue;
        }
        let position = &course.moments[course.moments.len() - 1].position;
        table.play_on(
            Level::new(),
            (position, Some(options.chosen)),
            (3, 0),
            &mut record,
        );
        for seat in 0..bare.seats {
            let wins = record.column(bare.seat_column(seat, WIN));
            assert!(
                wins.iter().all(|won| *won == course.wins[seat]),
                "game {number}"
            );
        }
    }
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
    let analyse = format!("analyse diamond_cave {sets} --players 2 --playouts 128 --threads");
    let one = run(&format!("{analyse} 1"), "one");
    assert!(run(&format!("{analyse} 7 --simd sse2"), "seven") == one);
    assert!(run("run one/manifest.json", "again") == one);
    crate::process::holds(&here.read("one/transcript.txt"), "wins, score");
}

#[test]
fn me_and_as_select_seat_and_bot() {
    let asked = "diamond_cave --players 2 --playouts 64";
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

#[test]
fn invalid_analyses_are_refused() {
    let here = folder();
    here.refuses(
        "analyse",
        "analyse diamond_cave",
        &[
            "--games 200k",
            "--playouts 3",
            "--seat-number 5",
            "--as 2*hoarder",
            "--as nobody",
        ],
    );
    let study =
        "study = 'analyse'\nas = 'hoarder'\n[table]\ngame = 'diamond_cave'\nprecision = 0.1\n";
    here.write("a.toml", study);
    here.refused(
        "run a.toml",
        "unknown field `precision`, expected one of `title`",
    );
}
