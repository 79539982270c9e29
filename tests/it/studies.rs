//! Comparisons, sweeps and tournaments: what users ask, and what they can trust of the answer.

use crate::fixtures::{carat, contents, diamant, folder, ok, play, text};
use carat::game::{MetricRef, Play, WIN_SHARE};
use carat::simulation::grid::{self, Grid};
use carat::simulation::{Ending, Goal, Round, Setting, Sums, Threads};
use carat::study::{Study, library::Library};
use carat::tournament::{self, Field, LineUps, MetaGame, against};
use fearless_simd::Level;
use std::convert::Infallible;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Plays the rounds of a study.
fn rounds(
    threads: &Threads,
    seed: u64,
) -> impl FnMut(&Round, &mut (dyn FnMut(usize, Sums) + Send)) -> Result<Ending, Infallible> {
    move |round: &Round, done: &mut (dyn FnMut(usize, Sums) + Send)| {
        let (played, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let setting = Setting {
            level: Level::new(),
            seed,
            chunk: 2048,
            played: &played,
            stop: &stop,
            each: None,
        };
        let parts: Vec<_> = round.parts.iter().collect();
        threads.play(&parts, setting, &mut |part, sums| {
            done(part, sums);
            ControlFlow::Continue(())
        });
        Ok(Ending::Complete)
    }
}

#[test]
fn comparing_a_thing_with_itself_finds_nothing() {
    let here = folder();
    let args = [
        "compare",
        "diamant",
        "--a",
        "rules=iello-2016",
        "--b",
        "rules=iello-2016",
    ];
    let shown = ok(
        here.path(),
        &[&args[..], &["--games", "5000", "--out", "o"]].concat(),
    );
    assert!(
        shown.contains("no difference seen") && !shown.contains(" more"),
        "{shown}"
    );
    let csv = fs::read_to_string(here.path().join("o/differences.csv")).expect("differences");
    let head = "side,metric,seat,strategy,value_a,value,difference,se,low,high";
    assert_eq!(csv.lines().next(), Some(head));
    for line in csv.lines().skip(1) {
        assert!(line.ends_with(",0.0,0.0,0.0,0.0"), "{line}");
    }
    ok(
        here.path(),
        &["run", "o/manifest.json", "--quiet", "--out", "again"],
    );
    assert_eq!(
        contents(&here.path().join("o")),
        contents(&here.path().join("again"))
    );
}

#[test]
fn sides_differ_in_rules_bots_and_parameters() {
    let here = folder();
    let sides = [
        "--a",
        "seats.1=threshold:target=9",
        "--b",
        "seats.1.target=20",
    ];
    let more = [
        "--b",
        "rules.traps.snake=6",
        "--c",
        "all.depth.cards=4",
        "--games",
        "20000",
    ];
    let args = [&["compare", "diamant"], &sides[..], &more, &["--no-charts"]].concat();
    let shown = ok(here.path(), &args);
    assert!(
        shown.contains("b against a") && shown.contains("c against a"),
        "{shown}"
    );
    assert!(
        shown.contains("traps.snake=6") && shown.contains("1 threshold:target=20"),
        "{shown}"
    );
}

#[test]
fn rules_and_bots_of_every_game_can_be_swept() {
    let here = folder();
    let sweep = |game: &str, vary: &str, out: &str| {
        let args = [
            "sweep",
            game,
            "--vary",
            vary,
            "--games",
            "200",
            "--no-charts",
            "--out",
            out,
        ];
        ok(here.path(), &args)
    };
    let shown = sweep("diamant", "rules.traps.snake=2..4", "a");
    assert!(shown.contains("3 cells"), "{shown}");
    sweep("diamond_cave", "rules.memory=perfect,none", "b");
    sweep("diamond_miner", "players=2,3", "c");
    let cells = fs::read_to_string(here.path().join("a/cells.csv")).expect("cells");
    assert!(
        cells.starts_with("rules.traps.snake,seat,strategy,"),
        "{cells}"
    );
    assert_eq!(cells.lines().count(), 1 + 3 * 5);
    let table = fs::read_to_string(here.path().join("b/cells_table.csv")).expect("cells");
    assert!(
        table.starts_with("rules.memory,metric,value,se,low,high"),
        "{table}"
    );
    ok(
        here.path(),
        &[
            "run",
            "a/manifest.json",
            "--no-charts",
            "--quiet",
            "--out",
            "again",
        ],
    );
    assert_eq!(
        contents(&here.path().join("a")),
        contents(&here.path().join("again"))
    );
}

/// Alone in the cave, one expedition under the classic rules: leaving after 6 cards is best.
#[test]
fn a_sweep_finds_the_known_optimum() {
    let here = folder();
    let table = [
        "sweep",
        "diamant",
        "--rules",
        "schmidt-2005",
        "--set",
        "rounds=1",
    ];
    let more = [
        "--seat",
        "depth",
        "--vary",
        "seats.1.cards=3..9",
        "--games",
        "400k",
    ];
    let shown = ok(here.path(), &[&table[..], &more].concat());
    let best = shown
        .lines()
        .find(|line| line.ends_with("best"))
        .expect("a best value");
    assert!(best.trim_start().starts_with("6 "), "{shown}");
}

/// The cells that are kept hold the true best at least 95 times in 100, though bad ones are
/// dropped early and the run ends when the rest is precise enough.
#[test]
fn the_best_set_keeps_its_promise() {
    let targets = [10, 12, 13, 14, 15, 16, 17, 18, 20, 24];
    let table = |target: i32| {
        let own = format!("threshold:target={target}");
        diamant("iello-2016", &[], &[&own, "depth:cards=5", "depth:cards=8"])
    };
    let cells = targets.map(table);
    let tables: Vec<&dyn Play> = cells.iter().map(|table| table.as_ref() as _).collect();
    let layout = tables[0].layout();
    let share = |table: &&dyn Play| {
        play(*table, 1 << 40, 4_000_000)
            .seat(layout, WIN_SHARE, 0)
            .value
    };
    let truth: Vec<f64> = tables.iter().map(share).collect();
    let best = (0..truth.len()).max_by(|&a, &b| truth[a].total_cmp(&truth[b]));
    let best = best.expect("cells");
    let grid = Grid {
        tables: &tables,
        families: &[0; 10],
        metric: MetricRef::of_seat(WIN_SHARE, 0),
        goal: Goal::Precision {
            half_width: 0.008,
            most: 100_000,
        },
        part: 8192,
    };
    let runs = 400;
    let threads = Threads::start(1).expect("a thread");
    let (mut kept, mut sizes, mut games) = (0, 0, 0);
    for seed in 0..runs {
        let Ok(Some(played)) = grid::play(&grid, &mut rounds(&threads, seed)) else {
            panic!("nobody stops this run");
        };
        assert!((0..10).all(|cell| played.in_best_set[cell] || !played.best[cell]));
        kept += u64::from(played.in_best_set[best]);
        sizes += played.in_best_set.iter().filter(|kept| **kept).count();
        games += played.tallies.iter().map(|tally| tally.games).sum::<u64>();
    }
    println!(
        "the true best kept in {kept} of {runs} runs; {:.1} cells kept, {} games",
        sizes as f64 / runs as f64,
        games / runs
    );
    assert!(kept as f64 >= 0.95 * runs as f64, "{kept} of {runs}");
    assert!(
        sizes < 6 * runs as usize,
        "what is clearly worse is dropped"
    );
}

#[test]
fn the_best_is_sought_among_choices_under_each_condition() {
    let here = folder();
    let vary = ["--vary", "players=3,5", "--vary", "seats.1.target=4,14,40"];
    let field = [
        "--seat",
        "threshold",
        "--seat",
        "2*depth:cards=5",
        "--seat",
        "2*traps",
    ];
    let more = ["--precision", "0.004", "--max-games", "200k", "--out", "o"];
    let args = [&["sweep", "diamant"], &vary[..], &field, &more].concat();
    let shown = ok(here.path(), &args);
    let best: Vec<&str> = shown
        .lines()
        .filter(|line| line.ends_with("best"))
        .collect();
    assert_eq!(best.len(), 2, "{shown}");
    assert!(shown.contains("for each value of players"), "{shown}");
    assert!(here.path().join("o/heat_map.png").exists());
    let three = ["--vary", "rules.rounds=4,5", "--games", "500", "--out", "p"];
    let args = [&["sweep", "diamant"], &vary[..], &field, &three].concat();
    ok(here.path(), &args);
    assert!(here.path().join("p/heat_maps.png").exists());
}

/// Starts a study and interrupts it as soon as one part of it is done.
#[cfg(unix)]
pub fn interrupted(folder: &Path, args: &[&str]) {
    let mut child: Child = Command::new(env!("CARGO_BIN_EXE_carat"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carat starts");
    let journal = folder.join("o/unfinished.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 2 {
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended too soon"
        );
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill").success());
    let output = child.wait_with_output().expect("carat ends");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("--resume goes on"), "{message}");
    let left = contents(&folder.join("o"));
    assert_eq!(left.len(), 1, "nothing but the parts that are done");
}

/// A study that is interrupted and goes on gives the bytes of one that is not.
#[cfg(unix)]
#[test]
fn resumed_studies_are_those_that_were_never_interrupted() {
    let sweep = [
        "sweep",
        "diamant",
        "--vary",
        "seats.1.target=10..13",
        "--games",
        "2M",
    ];
    let bots = ["--bots", "threshold", "traps", "depth", "--players", "3"];
    let tournament = [&["tournament", "diamant", "--games", "2M"], &bots[..]].concat();
    for study in [&sweep[..], &tournament] {
        let here = folder();
        let with = |more: &[&'static str]| [study, more].concat();
        interrupted(here.path(), &with(&["--out", "o"]));

        let mut changed = with(&["--out", "o", "--resume"]);
        let games = changed.iter().position(|arg| *arg == "2M").expect("games");
        changed[games] = "1M";
        let refused = carat(here.path(), &changed);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(
            message.contains("table.games was 2000000, and is 1000000"),
            "{message}"
        );

        let resumed = carat(here.path(), &with(&["--out", "o", "--resume"]));
        let message = text(&resumed.stderr);
        assert!(resumed.status.success(), "{message}");
        assert!(message.contains("going on: "), "{message}");
        assert!(!here.path().join("o/unfinished.jsonl").exists());
        ok(here.path(), &with(&["--out", "unbroken", "--quiet"]));
        let of = |name: &str| contents(&here.path().join(name));
        assert_eq!(of("o"), of("unbroken"));
    }
}

/// One game tells nothing of its error: the tables say so, and the charts leave it out.
#[test]
fn single_games_are_reported_without_their_errors() {
    let here = folder();
    for study in [
        [
            "tournament",
            "diamant",
            "--bots",
            "threshold",
            "depth",
            "--players",
            "2",
        ],
        [
            "tournament",
            "diamond_miner",
            "--bots",
            "builder",
            "thief",
            "--players",
            "2",
        ],
        [
            "compare",
            "diamant",
            "--b",
            "seats.1.target=5",
            "--rules",
            "iello-2016",
            "--svg",
        ],
    ] {
        ok(
            here.path(),
            &[&study[..], &["--games", "1", "--out", "o"]].concat(),
        );
        assert!(here.path().join("o/manifest.json").exists());
    }
}

#[test]
fn what_never_happened_is_not_taken_for_impossible() {
    let here = folder();
    let field = [
        "--bots",
        "random",
        "guardian",
        "--players",
        "4",
        "--games",
        "40",
    ];
    ok(
        here.path(),
        &[
            &["tournament", "diamond_miner"],
            &field[..],
            &["--out", "o"],
        ]
        .concat(),
    );
    let matrix = fs::read_to_string(here.path().join("o/matrix.csv")).expect("a matrix");
    let line = matrix
        .lines()
        .find(|line| line.starts_with("random,guardian,0.0,"));
    let high = line
        .and_then(|line| line.rsplit(',').next())
        .expect("no win in 40 games");
    let high: f64 = high.parse().expect("a number");
    assert!((0.02..0.2).contains(&high), "{high}");
}

#[test]
fn a_precision_that_is_missed_is_told() {
    let here = folder();
    let goal = [
        "--precision",
        "0.0001",
        "--max-games",
        "500",
        "--no-charts",
        "--out",
        "o",
    ];
    for study in [
        &["simulate", "diamant"][..],
        &["compare", "diamant", "--b", "seats.1.target=5"],
        &["sweep", "diamant", "--vary", "seats.1.target=4,5"],
        &["tournament", "diamant", "--bots", "threshold", "depth"],
    ] {
        let output = carat(here.path(), &[study, &goal].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(here.path().join("o/manifest.json").exists());
        assert!(
            message.contains("was not reached: after 500 games"),
            "{message}"
        );
    }
}

#[test]
fn bots_of_every_game_can_meet() {
    for (name, bots, games) in [
        ("diamant", ["threshold", "traps:nerve=2"], "3000"),
        ("diamond_cave", ["prospector", "saboteur"], "60"),
        ("diamond_miner", ["builder", "thief"], "60"),
    ] {
        let here = folder();
        let start = ["tournament", name, "--players", "3", "--games", games];
        let args = [&start[..], &["--bots"], &bots, &["--out", "o"]].concat();
        let shown = ok(here.path(), &args);
        assert!(shown.contains("all 4 line-ups"), "{shown}");
        for chart in ["ratings.png", "matrix.png", "equilibrium.png"] {
            assert!(
                here.path().join("o").join(chart).exists(),
                "{name}: {chart}"
            );
        }
        let payoffs = fs::read_to_string(here.path().join("o/payoffs.csv")).expect("payoffs");
        // Two bots against three fields of two each.
        assert_eq!(payoffs.lines().count(), 1 + 6, "{payoffs}");
        let again = [
            "run",
            "o/manifest.json",
            "--quiet",
            "--threads",
            "1",
            "--out",
            "again",
        ];
        ok(here.path(), &again);
        let of = |name: &str| contents(&here.path().join(name));
        assert_eq!(of("o"), of("again"));
    }
}

/// Plays a tournament of Diamant and looks at the result.
fn tournament_of<T>(text: &str, look: impl FnOnce(&tournament::PlayedField) -> T) -> T {
    let Ok(Study::Tournament(study)) = Study::from_toml("a.toml", text) else {
        panic!("not a tournament");
    };
    let resolved = study.resolve(&Library::default()).expect("bots exist");
    let tables: Vec<&dyn Play> = resolved
        .tables
        .iter()
        .map(|table| table.as_ref() as _)
        .collect();
    let field = Field {
        line_ups: &resolved.line_ups,
        tables: &tables,
        goal: resolved.goal,
        part: 8192,
    };
    let seed = resolved.study.table.seed;
    let threads = Threads::start(1).expect("a thread");
    let Ok(Some(played)) = tournament::play(&field, &mut rounds(&threads, seed)) else {
        panic!("nobody stops this run");
    };
    look(&played[0])
}

#[test]
fn what_is_won_in_a_line_up_is_shared_among_its_bots() {
    let text = "study = \"tournament\"\nbots = [\"threshold\", \"traps\", \"depth\", \"risk\"]\n\
                [table]\ngame = \"diamant\"\nplayers = 3\ngames = 4000\n";
    tournament_of(text, |played| {
        let payoffs = &played.payoffs;
        for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
            let bots = (0..4).filter(|&bot| entry.copies(bot) > 0);
            let won = bots.map(|bot| entry.copies(bot) as f64 * payoffs.payoff(at, bot).value);
            assert!((won.sum::<f64>() - 1.0).abs() < 1e-12);
            assert_eq!(payoffs.games(at), 4000);
        }
        // Among its own copies nobody earns more than the fair share, and that is certain.
        let alone = against(payoffs, 0, 0).expect("met");
        assert!(
            (alone.value - 1.0 / 3.0).abs() < 1e-12 && alone.se < 1e-9,
            "{alone:?}"
        );
        let ratings: Vec<f64> = (0..4).map(|bot| payoffs.rating(bot).value).collect();
        assert!((ratings.iter().sum::<f64>() / 4.0 - 1.0 / 3.0).abs() < 1e-12);

        let meta_game = MetaGame::of(payoffs);
        let mix: Vec<f64> = meta_game.standings.iter().map(|bot| bot.mix).collect();
        assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{mix:?}");
        assert!(
            meta_game.exploitability < 1e-6,
            "{}",
            meta_game.exploitability
        );
        // A bot that earns least when all play it does not last.
        assert!(meta_game.standings.iter().all(|bot| !bot.lasts_alone));
        for standing in &meta_game.standings {
            assert!(
                standing.regret.value > -1e-6,
                "nobody gains by leaving the mix"
            );
            assert!(standing.mix == 0.0 || standing.regret.value < 1e-6);
        }
    });
}

/// A sample of line-ups rates as all of them do, within its errors.
#[test]
fn a_sample_agrees_with_all_line_ups() {
    let text = |line_ups: usize| {
        format!(
            "study = \"tournament\"\nline_ups = {line_ups}\n\
             bots = [\"threshold\", \"traps\", \"depth\", \"risk\", \"first-out\", \"chaser\"]\n\
             [table]\ngame = \"diamant\"\nplayers = 5\ngames = 1000\n"
        )
    };
    let all: Vec<_> = tournament_of(&text(2000), |played| {
        assert!(played.payoffs.line_ups.complete);
        (0..6).map(|bot| played.payoffs.rating(bot)).collect()
    });
    tournament_of(&text(200), |played| {
        assert_eq!(played.payoffs.line_ups.len(), 200);
        for (bot, all) in all.iter().enumerate() {
            let sampled = played.payoffs.rating(bot);
            let apart = (sampled.value - all.value) / sampled.se.hypot(all.se);
            assert!(apart.abs() < 4.0, "{bot}: {sampled:?} and {all:?}");
            assert!(sampled.se > all.se);
        }
        let meta_game = MetaGame::of(&played.payoffs);
        assert!(meta_game.exploitability < 1e-6);
    });
    assert_eq!(LineUps::number(6, 5), 252);
}

/// The stated intervals of ratings and regrets hold the truth.
#[test]
fn ratings_keep_their_coverage() {
    let text = |games: u64, seed: u64| {
        format!(
            "study = \"tournament\"\nbots = [\"threshold\", \"traps\", \"depth\"]\n\
             [table]\ngame = \"diamant\"\nplayers = 3\ngames = {games}\nseed = {seed}\n"
        )
    };
    let ratings = |games: u64, seed: u64| {
        tournament_of(&text(games, seed), |played| {
            [0, 1, 2].map(|bot| played.payoffs.rating(bot))
        })
    };
    let truth = ratings(1_000_000, 1 << 40).map(|rating| rating.value);
    let runs = 1500;
    let mut covered = [0; 3];
    for seed in 0..runs {
        for (bot, rating) in ratings(200, seed).iter().enumerate() {
            covered[bot] += u64::from((rating.low..=rating.high).contains(&truth[bot]));
        }
    }
    for (bot, covered) in covered.iter().enumerate() {
        let coverage = *covered as f64 / runs as f64;
        println!("bot {bot}: coverage of the rating {coverage:.4}");
        // Four standard errors of the measured coverage.
        assert!((0.925..=0.975).contains(&coverage), "bot {bot}: {coverage}");
    }
}
