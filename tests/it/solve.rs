//! Play that is learnt: exact optima, threads, and what is refused.

use crate::fixtures::{carat, contents, project, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Learns in `folder` with these arguments, and tells the manifest and tables.
fn solve(folder: &Path, args: &[&str]) -> Value {
    let out = folder.display().to_string();
    let common = [
        "solve",
        "diamant",
        "--json",
        "--no-charts",
        "--out",
        out.as_str(),
    ];
    let all = [&common[..], args].concat();
    let output = carat(&project(), &all);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// A figure of the first seat.
fn first(solved: &Value, column: &str) -> f64 {
    let found = &solved["tables"]["seats"][0][column];
    found.as_f64().expect("a number")
}

const ONE_EXPEDITION: [&str; 4] = ["--rules", "schmidt-2005", "--set", "rounds=1"];

/// Values of an independent expectimax over treasures gone, kinds seen, who is inside and what
/// everyone holds, for one expedition with the deck of 2005.
#[test]
fn best_responses_reach_exact_values() {
    let cautious = "threshold:target=8";
    let both = [cautious, "depth:cards=6"];
    let cases: [(&[&str], &str, f64); 4] = [
        (&[], "score_mean", 17.339_875_36),
        (&[cautious], "win_share", 0.665_855_79),
        (&[cautious], "score_mean", 11.092_130_59),
        (&both, "win_share", 0.453_299_57),
    ];
    for (against, objective, exact) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let mut args = vec!["--games", "6M", "--objective", objective];
        args.extend(ONE_EXPEDITION);
        for bot in against {
            args.extend(["--against", *bot]);
        }
        if against.is_empty() {
            args.extend(["--players", "1"]);
        }
        let solved = solve(folder.path(), &args);
        let (found, se) = (
            first(&solved, objective),
            first(&solved, &format!("{objective}_se")),
        );
        assert!(
            found + 4.0 * se >= 0.99 * exact && found - 4.0 * se <= exact,
            "{against:?} {objective}: {found} ± {se}, and {exact} is possible"
        );
    }
}

/// Two explorers, one expedition with a deck of eight cards: the second leaves once it holds 3.
struct Tiny {
    treasures: Vec<i32>,
    target: i32,
}

#[derive(Clone, Copy)]
struct Position {
    /// Treasures drawn, a set.
    drawn: usize,
    /// Kinds of trap seen, a set of two.
    seen: usize,
    /// What each holds, and whether it is inside.
    held: [i32; 2],
    inside: [bool; 2],
    leftover: i32,
    home: [i32; 2],
}

impl Tiny {
    /// The share of the wins of the first when it plays as well as can be.
    fn next_card(&self, at: Position) -> f64 {
        let [me, other] = at.inside;
        if !me && !other {
            let [mine, others] = at.home;
            return match mine.cmp(&others) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
        let among = i32::from(me) + i32::from(other);
        let treasures = (0..self.treasures.len()).filter(|card| at.drawn >> card & 1 == 0);
        let (mut sum, mut cards) = (0.0, 0.0);
        for card in treasures {
            let value = self.treasures[card];
            let share = |seat: usize| at.held[seat] + i32::from(at.inside[seat]) * (value / among);
            sum += self.decide(Position {
                drawn: at.drawn | 1 << card,
                held: [share(0), share(1)],
                leftover: at.leftover + value % among,
                ..at
            });
            cards += 1.0;
        }
        for kind in 0..2 {
            let known = at.seen >> kind & 1 == 1;
            let (copies, value) = match known {
                true => (
                    1.0,
                    self.next_card(Position {
                        inside: [false; 2],
                        ..at
                    }),
                ),
                false => (
                    2.0,
                    self.decide(Position {
                        seen: at.seen | 1 << kind,
                        ..at
                    }),
                ),
            };
            sum += copies * value;
            cards += copies;
        }
        sum / cards
    }

    fn decide(&self, at: Position) -> f64 {
        let other = at.inside[1] && at.held[1] >= self.target;
        let after = |me: bool| {
            let mut next = at;
            let leavers = i32::from(me) + i32::from(other);
            for (seat, leaves) in [me, other].into_iter().enumerate() {
                if leaves {
                    next.inside[seat] = false;
                    next.home[seat] = at.held[seat] + at.leftover / leavers;
                }
            }
            if leavers > 0 {
                next.leftover = at.leftover % leavers;
            }
            self.next_card(next)
        };
        match at.inside[0] {
            true => after(true).max(after(false)),
            false => after(false),
        }
    }
}

#[test]
fn learning_finds_the_optimum_of_a_tiny_deck() {
    let tiny = Tiny {
        treasures: vec![2, 3, 5, 9],
        target: 3,
    };
    let start = Position {
        drawn: 0,
        seen: 0,
        held: [0; 2],
        inside: [true; 2],
        leftover: 0,
        home: [0; 2],
    };
    let exact = tiny.next_card(start);
    let folder = tempfile::tempdir().expect("a folder");
    let mut args = vec!["--against", "threshold:target=3", "--games", "2M"];
    args.extend(ONE_EXPEDITION);
    for set in ["treasures=[2,3,5,9]", "traps={a=2,b=2}"] {
        args.extend(["--set", set]);
    }
    let solved = solve(folder.path(), &args);
    let (found, se) = (first(&solved, "win_share"), first(&solved, "win_share_se"));
    assert!(
        (found - exact).abs() <= 4.0 * se,
        "{found} ± {se}, and {exact} is possible"
    );
}

#[test]
fn what_is_learnt_does_not_depend_on_threads() {
    let learnt = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().expect("a folder");
        let threads = threads.to_string();
        let args = ["--players", "3", "--games", "400k", "--threads", &threads];
        let solved = solve(folder.path(), &args);
        let bot = fs::read(folder.path().join("solved.toml")).expect("the bot");
        assert!(folder.path().join("gain.csv").exists());
        (solved, bot)
    });
    assert!(
        learnt[0] == learnt[1],
        "not the same with another number of threads"
    );
    let again = tempfile::tempdir().expect("a folder");
    fs::write(again.path().join("solved.toml"), &learnt[0].1).expect("a bot is written");
    let seats = [
        "simulate",
        "diamant",
        "--seat",
        "2*./solved.toml",
        "--seat",
        "threshold",
    ];
    let output = carat(again.path(), &[&seats[..], &["--games", "1000"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));

    // The same file with a few cells fewer.
    let whole = text(&learnt[0].1);
    let (axes, cells) = whole.split_once("packed = \"").expect("packed cells");
    let fewer = format!("{axes}packed = \"{}", &cells[4..]);
    fs::write(again.path().join("solved.toml"), fewer).expect("a bot is written");
    let output = carat(again.path(), &seats);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("its axes ask for") && said.contains("cells packed"),
        "{said}"
    );
}

/// Learning that is interrupted, wherever that is, goes on to the bytes of learning that was not.
#[cfg(unix)]
#[test]
fn learning_goes_on_where_it_was_interrupted() {
    let here = tempfile::tempdir().expect("a folder");
    let args = |out: &'static str| {
        let table = ["solve", "diamant", "--players", "2", "--games", "600k"];
        [&table[..], &["--no-charts", "--quiet", "--out", out]].concat()
    };
    let (mut wait, mut times) = (Duration::from_millis(300), 0);
    loop {
        let resume: &[&str] = if times > 0 { &["--resume"] } else { &[] };
        let mut run = Command::new(env!("CARGO_BIN_EXE_carat"));
        run.args([&args("o"), resume].concat());
        let mut run = run.current_dir(here.path()).spawn().expect("carat starts");
        std::thread::sleep(wait);
        let pid = run.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        sent.expect("kill");
        let ended = run.wait().expect("carat ends");
        if ended.success() {
            break;
        }
        assert_eq!(ended.code(), Some(130));
        times += 1;
        wait = wait * 3 / 2;
    }
    assert!(times > 1, "it was not interrupted");
    let unbroken = carat(here.path(), &args("unbroken"));
    assert!(unbroken.status.success(), "{}", text(&unbroken.stderr));
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("o"), of("unbroken"));
}

#[test]
fn what_cannot_be_learnt_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |args: &[&str], message: &str| {
        let output = carat(folder.path(), args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    };
    refused(&["solve", "diamond_miner"], "only Diamant can");
    refused(
        &["solve", "diamant", "--players", "1"],
        "one who is alone always wins",
    );
    let bots = ["solve", "diamant", "--players", "2", "--against", "2*depth"];
    refused(&bots, "nobody is left to learn");
    refused(
        &["solve", "diamant", "--games", "5"],
        "learning takes at least",
    );
    for (axes, message) in [
        ("[]", "no section is given"),
        (
            "[{ name = 'go', axes = [] }]",
            "1 to 8 axes are possible, 0 given",
        ),
        (
            "[{ name = 'go', axes = [{ of = 'held', edges = [3, 2] }] }]",
            "edges must be finite and rise",
        ),
        (
            "[{ name = 'go', axes = [{ of = 'helt', edges = [3] }] }]",
            "unknown name `helt`",
        ),
    ] {
        let study = format!("study = 'solve'\naxes = {axes}\n[table]\ngame = 'diamant'\n");
        let file = folder.path().join("faulty.toml");
        fs::write(&file, study).expect("a study is written");
        refused(&["run", &file.display().to_string()], message);
    }
}
