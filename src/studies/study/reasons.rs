//! Why an option is better than another, from what happens in playouts of both.

use super::advise::{Adviser, CASE_PLAYOUTS, Case};
use carat_core::game::moments::Fork;
use carat_core::game::{Record, SCORE, Sign, WIN, WIN_UNITS};
use carat_core::numbers::{number, percent};
use carat_core::statistics::{best_set_z, standard_error};
use carat_core::strategy::seat_names;
use carat_core::thinking::Judge;
use fearless_simd::Level;
use std::slice;
use std::sync::atomic::Ordering;

/// A smaller difference in a sign, or in who wins soon, is no reason.
const LEAST: f64 = 0.05;
const LEAST_OF_WINS: f64 = 0.1;

impl Adviser<'_> {
    /// Why the first option of a pair is better than the second, which is called `other`: the event
    /// that follows one most often and not the other, the principle, and what follows most often;
    /// or facts of the position. `None` where none favours it.
    pub fn reason(
        &self,
        fork: Fork,
        cases: &[Case],
        pair: [usize; 2],
        other: &str,
    ) -> Option<String> {
        let signs = self.table.game.signs;
        if signs.is_empty() {
            return self.fact(fork.1, cases, pair[0]);
        }
        let (seat, round) = (fork.1.seat, self.table.seats.len() as u32);
        let whole = pair.map(|option| self.play_turns(fork, option, u32::MAX));
        let ends = |at: usize, turns| Ends::new(self.play_turns(fork, pair[at], turns), &whole[at]);
        let [soon, next] = [round + 1, 2 * round + 1].map(|turns| [0, 1].map(|at| ends(at, turns)));
        let mut said = Vec::new();
        let [soon, next] = [&soon, &next].map(|ends| ends.each_ref());
        let win = |ends| clearest(self.events(WINS, ends, seat), LEAST_OF_WINS);
        let mut event = win(soon).map(|event| ("your next turn", event, soon));
        if event.is_none() {
            event = win(next).map(|event| ("your turn after the next", event, next));
        }
        if event.is_none() {
            let mut events = self.events(signs, soon, seat);
            events.extend(self.events(LEADS, soon, seat));
            event = clearest(events, LEAST).map(|event| ("your next turn", event, soon));
        }
        let is_soon = event.is_some();
        if let Some((when, event, ends)) = event {
            let [best, less] = event.means().map(|share| percent(share, 0));
            said.push(format!(
                "By the end of {when}, {} in {best} of the playouts after the best move, and in \
                 {less} after {other}.",
                event.happens
            ));
            said.extend(self.company(&event, self.events(signs, ends, seat)));
        }
        let comes = |comes: fn(&[f32]) -> _| pair.map(|at| comes(&fork.1.features[at]));
        if let Some([best, less]) = self.table.game.comes.map(comes)
            && best != less
        {
            said.push(format!(
                "Next in front: {best} after the best move, {less} after {other}."
            ));
        }
        said.extend(self.principle(fork.1, pair));
        if is_soon {
            let turns = Vec::from_iter((1..=round + 1).map(|turns| ends(0, turns)));
            said.extend(self.line(&turns, seat));
        }
        let more = clearest(self.counts(signs, &whole, seat), LEAST)
            .or_else(|| clearest(self.counts(SCORES, &whole, seat), LEAST));
        if let Some(count) = more.filter(|_| !is_soon) {
            let [best, less] = count.means().map(|mean| number(mean, 1));
            said.push(format!(
                "In the rest of the game, {}: {best} on average after the best move, {less} after \
                 {other}.",
                count.happens
            ));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// The outcomes of the seats in playouts of an option, to the end of the seat's turn or of so
    /// many later turns; those of other options have the same luck.
    fn play_turns(&self, fork: Fork, option: usize, turns: u32) -> Record {
        let playouts = self.judge.playouts.max(CASE_PLAYOUTS as u64);
        let first = Judge::first_playout(slice::from_ref(fork.0), 2);
        let table = self.judge.table;
        let mut record = Record::new(&table.layout().of_seats(), playouts as usize);
        if !self.judge.stop.load(Ordering::Relaxed) {
            let (from, luck) = ((fork.0, Some(option)), (self.judge.seed, first));
            table.play_turns(Level::new(), (from, turns), luck, &mut record);
        }
        record
    }

    /// How often each sign happens to the seat, or to each of the others.
    fn events(&self, signs: &[Sign], ends: [&Ends; 2], seat: usize) -> Vec<Event> {
        let layout = self.table.table.layout();
        let mut events = Vec::new();
        for sign in signs {
            for (own, name) in seat_names(&self.table.seats).iter().enumerate() {
                if (own == seat) == sign.of_others {
                    continue;
                }
                let column = layout.seat_column(own, sign.outcome);
                events.push(Event {
                    seat: own,
                    happens: if own == seat {
                        sign.happens.to_string()
                    } else {
                        format!("{name} {}", sign.happens)
                    },
                    is_good: sign.is_good,
                    values: ends.map(|ends| {
                        let happens = |game: usize| match sign.counted {
                            LEAD => ends.record.column(column)[game] == WIN_UNITS,
                            WON => ends.is_over[game] && ends.record.column(column)[game] > 0,
                            _ => ends.record.column(column)[game] > 0,
                        };
                        let games = 0..ends.record.games();
                        games
                            .map(|game| f64::from(u8::from(happens(game))))
                            .collect()
                    }),
                });
            }
        }
        events
    }

    /// The number of each sign, of the seat or of the others together.
    fn counts(&self, signs: &[Sign], whole: &[Record; 2], seat: usize) -> Vec<Event> {
        let layout = self.table.table.layout();
        let count = |sign: &Sign| Event {
            seat,
            happens: sign.counted.to_string(),
            is_good: sign.is_good,
            values: whole.each_ref().map(|record| {
                let seats = (0..layout.seats).filter(|own| (*own == seat) != sign.of_others);
                let mut sums = vec![0.0; record.games()];
                for own in seats {
                    let column = record.column(layout.seat_column(own, sign.outcome));
                    for (sum, value) in sums.iter_mut().zip(column) {
                        *sum += f64::from(*value);
                    }
                }
                sums
            }),
        };
        signs.iter().map(count).collect()
    }

    /// What others do where a bad event happens, and hardly elsewhere.
    fn company(&self, event: &Event, others: Vec<Event>) -> Option<String> {
        let [_, happens] = &event.values;
        let times: f64 = happens.iter().sum();
        let mut with = Vec::new();
        for other in others {
            let [_, values] = &other.values;
            let both: f64 = happens.iter().zip(values).map(|(a, b)| a * b).sum();
            let (there, all) = (both / times, values.iter().sum::<f64>());
            let elsewhere = (all - both) / (happens.len() as f64 - times).max(1.0);
            if !other.is_good && there - elsewhere > OFTEN_THERE && other.happens != event.happens {
                with.push((there, other.happens));
            }
        }
        with.sort_by(|a, b| b.0.total_cmp(&a.0));
        with.truncate(2);
        let named = with
            .iter()
            .map(|(share, what)| format!("{what} in {} of them", percent(*share, 0)));
        let named = Vec::from_iter(named);
        let is_said = !event.is_good && !named.is_empty();
        is_said.then(|| format!("In playouts where that happens, {}.", named.join(", and ")))
    }

    /// What happens in most playouts, turn by turn; these end each a turn later than the one
    /// before.
    fn line(&self, ends: &[Ends], seat: usize) -> Option<String> {
        let mut steps = Vec::new();
        let mut before = Vec::new();
        for (turn, ends) in ends.iter().enumerate() {
            let mut now = self.events(self.table.game.signs, [ends; 2], seat);
            now.extend(self.events(WINS, [ends; 2], seat));
            let shares = Vec::from_iter(now.iter().map(|event| event.means()[0]));
            // In the first turn, which is the seat's own, others have only what they had.
            let is_new = |at: &usize| turn > 0 || now[*at].seat == seat;
            let gains = (0..now.len()).filter(is_new).map(|at| {
                let gain = shares[at] - before.get(at).copied().unwrap_or(0.0);
                (gain, at)
            });
            let most = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            if let Some((gain, at)) = most.filter(|(gain, _)| *gain > 0.5) {
                steps.push(format!("{} ({})", now[at].happens, percent(gain, 0)));
            }
            before = shares;
        }
        (!steps.is_empty()).then(|| {
            format!(
                "After the best move, what usually happens: {}.",
                steps.join(", then ")
            )
        })
    }
}

/// Where playouts of an option end, and whether the game is over there.
struct Ends {
    record: Record,
    is_over: Vec<bool>,
}

impl Ends {
    /// Of games that are cut short; those that are over end as the whole ones do.
    fn new(record: Record, whole: &Record) -> Ends {
        let is_over = (0..record.games()).map(|game| record.ends_as(whole, game));
        Ends {
            is_over: is_over.collect(),
            record,
        }
    }
}

/// What happens in playouts of two options: whether, or how often, in each of them.
struct Event {
    seat: usize,
    happens: String,
    is_good: bool,
    values: [Vec<f64>; 2],
}

impl Event {
    fn means(&self) -> [f64; 2] {
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        self.values.each_ref().map(mean)
    }
}

/// The event that favours the first option most: the difference of its means in standard
/// deviations, among those that are significant (Bonferroni) and larger than `least`.
fn clearest(events: Vec<Event>, least: f64) -> Option<Event> {
    let clear = best_set_z(events.len() + 1, 2);
    let mut most: Option<(f64, Event)> = None;
    for event in events {
        let [best, less] = &event.values;
        let better = if event.is_good { 1.0 } else { -1.0 };
        let ahead = best
            .iter()
            .zip(less)
            .map(|(best, less)| better * (best - less));
        let ahead = Vec::from_iter(ahead);
        let by = ahead.iter().sum::<f64>() / ahead.len() as f64;
        let size = by / standard_error(best).hypot(standard_error(less));
        let is_clear = by > least && by > clear * standard_error(&ahead);
        if is_clear && most.as_ref().is_none_or(|most| size > most.0) {
            most = Some((size, event));
        }
    }
    most.map(|(_, event)| event)
}

/// How much more often something happens where a bad event does than elsewhere, to be said of it.
const OFTEN_THERE: f64 = 0.3;

const WON: &str = "won";
const LEAD: &str = "lead";

/// The game is over, and who has won.
#[rustfmt::skip] // A table, one sign a line.
const WINS: &[Sign] = &[
    Sign { outcome: WIN, of_others: false, is_good: true, happens: "you win", counted: WON },
    Sign { outcome: WIN, of_others: true, is_good: false, happens: "wins", counted: WON },
];

/// Who would win alone if the game were over, or has.
#[rustfmt::skip] // A table, one sign a line.
const LEADS: &[Sign] = &[
    Sign { outcome: WIN, of_others: false, is_good: true, happens: "you lead", counted: LEAD },
    Sign { outcome: WIN, of_others: true, is_good: false, happens: "leads", counted: LEAD },
];

/// Reasons where the game has no better ones.
#[rustfmt::skip] // A table, one sign a line.
const SCORES: &[Sign] = &[
    Sign { outcome: SCORE, of_others: false, is_good: true, happens: "", counted: "your final score" },
    Sign { outcome: SCORE, of_others: true, is_good: false, happens: "", counted: "the final scores of the others together" },
];
