//! Play that is learnt: exact optima, threads, and what is refused.

use crate::process::{Folder, folder};
use serde_json::Value;

/// Learns in a folder, and tells the manifest and tables.
fn solve(here: &Folder, how: &str) -> Value {
    here.json(&format!("solve diamant --json --no-charts --out o {how}"))
}

/// A figure of the first seat.
fn first(solved: &Value, column: &str) -> f64 {
    let found = &solved["tables"]["seats"][0][column];
    found.as_f64().expect("a number")
}

const ONE_EXPEDITION: &str = "--rules schmidt-2005 --set rounds=1";

/// Values of an independent expectimax over treasures gone, kinds seen, who is inside and what
/// everyone holds, for one expedition with the deck of 2005.
#[test]
#[ignore = "full set"]
fn best_responses_reach_exact_values() {
    let cautious = "--against threshold:target=8";
    let both = format!("{cautious} --against depth:cards=6");
    for (against, objective, exact) in [
        ("--players 1", "score_mean", 17.339_875_36),
        (cautious, "win_share", 0.665_855_79),
        (cautious, "score_mean", 11.092_130_59),
        (&both, "win_share", 0.453_299_57),
    ] {
        let how = format!("--games 6M --objective {objective} {ONE_EXPEDITION} {against}");
        let solved = solve(&folder(), &how);
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
            let (copies, value) = if known {
                (
                    1.0,
                    self.next_card(Position {
                        inside: [false; 2],
                        ..at
                    }),
                )
            } else {
                (
                    2.0,
                    self.decide(Position {
                        seen: at.seen | 1 << kind,
                        ..at
                    }),
                )
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
        if at.inside[0] {
            after(true).max(after(false))
        } else {
            after(false)
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
    let deck = "--set treasures=[2,3,5,9] --set traps={a=2,b=2}";
    let how = format!("--against threshold:target=3 --games 2M {ONE_EXPEDITION} {deck}");
    let solved = solve(&folder(), &how);
    let (found, se) = (first(&solved, "win_share"), first(&solved, "win_share_se"));
    assert!(
        (found - exact).abs() <= 4.0 * se,
        "{found} ± {se}, and {exact} is possible"
    );
}

#[test]
fn learning_does_not_depend_on_threads() {
    let deck = "--set treasures=[2,3,5,9] --set 'traps={a=2,b=2}' --set rounds=1";
    learns_the_same_on_threads(deck);
}

#[test]
#[ignore = "full set"]
fn learning_in_whole_games_does_not_depend_on_threads() {
    learns_the_same_on_threads("");
}

fn learns_the_same_on_threads(sets: &str) {
    let learnt = [1, 3].map(|threads| {
        let here = folder();
        let how = format!("--players 3 --games 100k {sets} --from nothing --threads {threads}");
        let solved = solve(&here, &how);
        assert!(here.has("o/gain.csv"));
        (solved, here.read("o/solved.toml"))
    });
    assert!(learnt[0] == learnt[1], "not the same on other threads");
    let (here, whole) = (folder(), &learnt[0].1);
    here.write("solved.toml", whole);
    let simulate = "simulate diamant --seat 2*./solved.toml --seat threshold";
    here.run(&format!("{simulate} --games 1000 --out o"));

    // The same file with a few bytes fewer.
    let (axes, cells) = whole.split_once("zlib = \"").expect("compressed cells");
    let fewer = format!("{axes}zlib = \"{}", &cells[4..]);
    here.write("solved.toml", fewer);
    here.refused(
        simulate,
        "its values are not compressed by zlib, or are damaged",
    );
}

#[test]
fn learning_starts_from_the_bot_that_ships() {
    starts_from_the_bot_that_ships(2, "--games 100k --set rounds=1");
}

#[test]
#[ignore = "full set"]
fn learning_in_long_games_starts_from_the_bot_that_ships() {
    starts_from_the_bot_that_ships(3, "--games 200k --set rounds=7");
}

/// Under other rules too, what is learnt is no worse than the bot that ships.
fn starts_from_the_bot_that_ships(players: u32, how: &str) {
    let solved = solve(&folder(), &format!("--players {players} {how}"));
    let ships = format!("solved-{players}");
    assert_eq!(solved["manifest"]["study"]["from"], ships);
    let shipped = &solved["tables"]["standings"][0];
    assert_eq!(shipped["bot"], ships);
    let [share, se] = ["learnt_beside", "learnt_beside_se"]
        .map(|column| shipped[column].as_f64().expect("a number"));
    let fair = 1.0 / f64::from(players);
    assert!(share > fair - 4.0 * se, "{share} ± {se}");
}

#[test]
fn invalid_training_is_refused() {
    let here = folder();
    here.refuses_as("solve");
    for (axes, said) in [
        ("", "no section is given"),
        (
            "{ name = 'go', axes = [] }",
            "1 to 8 axes are possible, 0 given",
        ),
        (
            "{ name = 'go', axes = [{ of = 'held', edges = [3, 2] }] }",
            "edges must be finite and rise",
        ),
        (
            "{ name = 'go', axes = [{ of = 'helt', edges = [3] }] }",
            "unknown name `helt` … axes.1.axes.1.of:1:1",
        ),
        (
            "{ name = 'a b', axes = [{ of = 'held', edges = [3] }] }",
            "`a b` cannot name a section … axes.1.name:1:1",
        ),
    ] {
        let study = format!("study = 'solve'\naxes = [{axes}]\n[table]\ngame = 'diamant'\n");
        here.write("faulty.toml", study);
        here.refused("run faulty.toml", said);
    }
}
