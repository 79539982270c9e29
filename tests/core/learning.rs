//! Play that is learnt: exact optima, threads, stops, and what is kept.

use crate::fixtures::{edition, game, games, short};
use carat_core::game::Game;
use carat_core::learning::attack::inherited;
use carat_core::learning::policy::{LearntPolicy, Policy};
use carat_core::learning::scored::{LearntScored, Scored};
use carat_core::learning::training::Training;
use carat_core::learning::{Objective, whole_batches};
use carat_core::library::Library;
use carat_core::overrides;
use carat_core::simulation::{
    FinishedParts, Listener, NotKept, Player, Precision, Stopped, Sums, Threads, alone,
};
use carat_core::strategy::{Axis, Grid, GridSection, Seat};
use fearless_simd::Level;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Bots that ship, by what a user types for them.
fn bots(game: &Game, seats: &[&str]) -> Vec<Seat> {
    let library = Library::default();
    let bots = |seat: &&str| library.seats(game, &seat.parse().expect("a bot"));
    let bots = seats
        .iter()
        .map(|seat| bots(seat).expect("a bot that ships"));
    bots.flatten().collect()
}

/// A training under these rules with values set as by `--set`.
fn training(game: &Game, rules: &str, sets: &[&str], others: &[&str], players: usize) -> Training {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    let rules = overrides::apply("rules", rules, &sets).expect("keys exist");
    let others = bots(game, others);
    Training {
        rules: game.rules("rules", &rules).expect("rules"),
        vocabulary: game.vocabulary,
        learners: players - others.len(),
        others,
        objective: Objective::WinShare,
        from: None,
        standing: Vec::new(),
        deal: games(1),
        games: None,
        minutes: None,
        until: None,
        headline: game.title.to_string(),
    }
}

/// A training of Diamant with one expedition of the deck of 2005.
fn one_expedition(sets: &[&str], others: &[&str], players: usize, games: u64) -> Training {
    let sets = [sets, &["rounds=1"]].concat();
    let rules = edition("schmidt-2005");
    Training {
        games: Some(whole_batches(games)),
        ..training(game("diamant"), &rules, &sets, others, players)
    }
}

const TINY: [&str; 2] = ["treasures=[2,3,5,9]", "traps={a=2,b=2}"];

/// The usual axes of a policy.
fn grid(training: &Training) -> Grid {
    let school = training
        .rules
        .school(training.players())
        .expect("Diamant can be learnt");
    school.grid(training.players(), training.wins(), training.learners == 1)
}

fn policy(training: &Training) -> Policy {
    let school = training
        .rules
        .school(training.players())
        .expect("Diamant can be learnt");
    let finer = school.finer(training.players(), training.wins());
    let grid = match training.learners {
        1 => grid(training).finer(&finer),
        _ => grid(training),
    };
    Policy {
        finer: grid.finer(&finer),
        grid,
        start: None,
    }
}

fn scored(game: &Game) -> Scored {
    let how = game.training.expect("bots that score options");
    let first = bots(game, &[how.first]).remove(0);
    Scored::new(game, how, first).expect("a bot that can be added to")
}

/// Trains on this number of threads.
fn train<T>(threads: usize, train: impl FnOnce(&mut Player) -> Result<T, Stopped>) -> T {
    let threads = Threads::start(threads).expect("threads");
    alone(&threads, Level::new(), train).unwrap_or_else(|_| panic!("nothing stops it"))
}

/// Values of an independent expectimax over treasures gone, kinds seen, who is inside and what
/// everyone holds, for one expedition with the deck of 2005.
#[test]
#[ignore = "full set"]
fn best_responses_reach_exact_values() {
    let cautious = "threshold:target=8";
    for (others, objective, exact) in [
        (&[][..], Objective::ScoreMean, 17.339_875_36),
        (&[cautious], Objective::WinShare, 0.665_855_79),
        (&[cautious], Objective::ScoreMean, 11.092_130_59),
        (
            &[cautious, "depth:cards=6"],
            Objective::WinShare,
            0.453_299_57,
        ),
    ] {
        let mut training = one_expedition(&[], others, others.len() + 1, 6_000_000);
        training.objective = objective;
        let (found, se) = response(&training);
        assert!(
            found + 4.0 * se >= 0.99 * exact && found - 4.0 * se <= exact,
            "{others:?} {objective:?}: {found} ± {se}, and {exact} is possible"
        );
    }
}

/// What the best response found gets, and the standard error of it.
fn response(training: &Training) -> (f64, f64) {
    let learnt = train(0, |player| policy(training).train(training, player));
    let (tally, table) = learnt.own.expect("one seat learns");
    let found = tally.seat(table.layout(), training.metric(), 0);
    (found.value, found.se)
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
    let training = one_expedition(&TINY, &["threshold:target=3"], 2, 2_000_000);
    let (found, se) = response(&training);
    assert!(
        (found - exact).abs() <= 4.0 * se,
        "{found} ± {se}, and {exact} is possible"
    );
}

/// What came of a training: the text of the bot, and all figures.
fn figures_of_policy(learnt: &LearntPolicy) -> String {
    let attacks = learnt.attacks.iter();
    let attacks: Vec<_> = attacks
        .map(|attack| (attack.games, attack.share, attack.fresh))
        .collect();
    let text = &learnt.bot.strategy.text;
    format!(
        "{} {text} {attacks:?} {:?}",
        learnt.games, learnt.milestones
    )
}

fn figures_of_scored(learnt: &LearntScored) -> String {
    let thoughts = learnt.thoughts.iter().map(|thought| thought.share);
    let thoughts: Vec<_> = thoughts.collect();
    let without = learnt.without.iter().map(|one| (one.feature, one.share));
    let without: Vec<_> = without.collect();
    let text = &learnt.bot.strategy.text;
    format!("{text} {thoughts:?} {without:?} {:?}", learnt.rounds)
}

#[test]
fn learning_does_not_depend_on_threads() {
    learns_the_same_on_threads(&one_expedition(&TINY, &[], 3, 100_000));
}

#[test]
#[ignore = "full set"]
fn learning_in_whole_games_does_not_depend_on_threads() {
    let game = game("diamant");
    let mut training = training(game, game.editions[0].text, &[], &[], 3);
    training.games = Some(whole_batches(100_000));
    learns_the_same_on_threads(&training);
}

fn learns_the_same_on_threads(training: &Training) {
    let learnt = [1, 3].map(|threads| {
        let learnt = train(threads, |player| policy(training).train(training, player));
        assert_eq!(learnt.attacks.len(), 4);
        figures_of_policy(&learnt)
    });
    assert!(learnt[0] == learnt[1], "not the same on other threads");
}

#[test]
fn learning_starts_from_the_bot_that_ships() {
    starts_from_the_bot_that_ships(2, 100_000, "rounds=1");
}

#[test]
#[ignore = "full set"]
fn learning_in_long_games_starts_from_the_bot_that_ships() {
    starts_from_the_bot_that_ships(3, 200_000, "rounds=7");
}

/// Under other rules too, what is learnt is no worse than the bot that ships.
fn starts_from_the_bot_that_ships(players: usize, games: u64, set: &str) {
    let game = game("diamant");
    let edition = game.editions[0].text;
    let ships = bots(game, &[&format!("solved-{players}")]);
    let printed = grid(&training(game, edition, &[], &[], players));
    let start = printed
        .policy(&ships[0].strategy.text)
        .expect("axes that fit");
    let mut training = training(game, edition, &[set], &[], players);
    let mut policy = policy(&training);
    policy.start = Some(inherited(&policy.grid, &printed, &start));
    training.games = Some(whole_batches(games));
    training.from = Some(ships[0].clone());
    training.standing = ships;
    let learnt = train(0, |player| policy.train(&training, player));
    let beside = learnt.standings[0].learnt_beside;
    assert!(
        beside.value > training.fair() - 4.0 * beside.se,
        "{beside:?}"
    );
}

/// What is kept of a training.
#[derive(Default)]
struct Kept {
    parts: HashMap<String, Sums>,
    states: HashMap<String, Vec<u8>>,
}

impl FinishedParts for Kept {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.parts.get(part).cloned()
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        let before = self.parts.insert(part.to_string(), sums.clone());
        assert!(before.is_none(), "{part} is played twice");
        Ok(())
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        self.states.get(of).cloned()
    }

    fn keep_state(&mut self, of: &str, state: &[u8]) -> Result<(), NotKept> {
        self.states.insert(of.to_string(), state.to_vec());
        Ok(())
    }
}

/// Stops a run after some batches and parts.
struct Stops<'a>(&'a AtomicBool, usize);

impl Listener for Stops<'_> {
    fn checkpoint(&mut self, _: Option<Precision>) {
        self.1 = self.1.saturating_sub(1);
        self.0.store(self.1 == 0, Ordering::Relaxed);
    }
}

/// Trains, stops after `steps` batches and parts, and goes on, until all is done; returns how often
/// it was stopped.
fn train_with_stops<T>(
    steps: usize,
    train: impl Fn(&mut Player) -> Result<T, Stopped>,
) -> (T, usize) {
    let threads = Threads::start(2).expect("threads");
    let mut kept = Kept::default();
    for stops in 0.. {
        let stop = AtomicBool::new(false);
        let result = train(&mut Player {
            threads: &threads,
            level: Level::new(),
            stop: &stop,
            played: &AtomicU64::new(0),
            listener: &mut Stops(&stop, steps),
            finished: &mut kept,
            sharing: None,
            each: None,
        });
        match result {
            Ok(learnt) => return (learnt, stops),
            Err(Stopped::Early) => assert!(stops < 1000, "it never ends"),
            Err(Stopped::NotKept(error)) => panic!("{error}"),
        }
    }
    unreachable!("it ends")
}

#[test]
fn a_policy_that_was_stopped_is_learnt_the_same() {
    for (others, games, milestones) in
        [(&["threshold:target=3"][..], 500_000, 1), (&[], 300_000, 0)]
    {
        let training = one_expedition(&TINY, others, 2, games);
        let grid = Grid {
            sections: vec![GridSection {
                name: "cells".to_string(),
                when: None,
                axes: vec![Axis::new("held", &[1.0, 2.0, 3.0, 5.0])],
            }],
        };
        let policy = Policy {
            finer: grid.finer(&[Axis::new("leftover", &[1.0])]),
            grid,
            start: None,
        };
        let whole = train(1, |player| policy.train(&training, player));
        let (broken, stops) = train_with_stops(1, |player| policy.train(&training, player));
        assert!(stops > 3, "{stops}");
        assert_eq!(whole.milestones.len(), milestones);
        assert_eq!(figures_of_policy(&whole), figures_of_policy(&broken));
    }
}

/// A game of Diamond Miner that ends with its first diamond.
fn short_miner(others: &[&str], games: u64) -> Training {
    let game = game("diamond_miner");
    let rules = game.editions[0].text;
    let mut training = training(game, rules, short(game.name), others, 2);
    training.deal.chunk = game.chunk;
    training.games = Some(games);
    training
}

/// Stops come before, within and after rounds, also where one has begun by replacing tables.
#[test]
fn scores_that_were_stopped_are_learnt_the_same() {
    let training = short_miner(&["rusher"], 3000);
    let scored = scored(game("diamond_miner"));
    let whole = train(1, |player| scored.train(&training, player));
    let rounds: Vec<u64> = whole.rounds.iter().map(|round| round.games).collect();
    assert_eq!(rounds, [2000, 3000]);
    let (broken, stops) = train_with_stops(2, |player| scored.train(&training, player));
    assert!(stops > 4, "{stops}");
    assert_eq!(figures_of_scored(&whole), figures_of_scored(&broken));
}

/// What is learnt in a few seconds is clearly better than the bot that learning begins from.
#[test]
#[ignore = "full set"]
fn learning_helps() {
    let game = game("diamond_miner");
    let rules = game.editions[0].text;
    let mut training = training(game, rules, &[], &["3*appraiser"], 4);
    training.deal.chunk = game.chunk;
    training.games = Some(2000);
    let learnt = train(0, |player| scored(game).train(&training, player));
    let beside = learnt.rounds[0].beside_first;
    assert!(beside.low > 0.3, "{beside:?}");
}

/// A short game of Diamond Cave.
fn short_cave(players: usize) -> Training {
    let game = game("diamond_cave");
    let rules = game.editions[0].text;
    let mut training = training(game, rules, short(game.name), &[], players);
    training.deal.chunk = game.chunk;
    training
}

/// Where time runs out in the first round, something is learnt; so many games learn the same.
#[test]
fn minutes_are_learnt_again_as_games() {
    let mut training = short_cave(2);
    training.minutes = Some(1e-6);
    let scored = scored(game("diamond_cave"));
    let timed = train(2, |player| scored.train(&training, player));
    assert!(timed.games > 0 && timed.rounds.len() == 1);
    training.minutes = None;
    training.games = Some(timed.games);
    let again = train(1, |player| scored.train(&training, player));
    assert_eq!(figures_of_scored(&timed), figures_of_scored(&again));
}

/// Learning goes on from the learnt bot that ships, and keeps it where nothing better is found.
#[test]
fn scores_start_from_the_bot_that_ships() {
    let game = game("diamond_cave");
    let mut scored = scored(game);
    let ships = bots(game, &["solved-4"]).remove(0);
    scored.start = scored.sum_of(&ships);
    assert!(scored.start.is_some() && scored.sum_of(&scored.first).is_none());
    let mut training = short_cave(4);
    training.games = Some(200);
    training.from = Some(ships.clone());
    let learnt = train(0, |player| scored.train(&training, player));
    let shares = learnt.rounds.iter().map(|round| round.beside_first.value);
    assert!(shares.clone().all(|share| share > 0.3));
    assert_eq!(learnt.bot.strategy.text, ships.strategy.text);
}
