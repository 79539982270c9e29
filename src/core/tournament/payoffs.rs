//! The payoffs of bots in the line-ups played, as win rates with their errors.
//!
//! Every figure is a weighted sum of the wins of seats in entries. Entries share no luck, so their
//! errors add up; within an entry, errors include the correlation of seats.

use super::{Entry, LineUps};
use crate::game::{CAPPED_RATE, Layout, MetricRef, Play, SCORE, WIN, WIN_UNITS};
use crate::simulation::{Product, Sums};
use crate::statistics::{Estimate, without_rounding};
use std::ops::Range;
use std::sync::Arc;

/// The wins of all seats in all entries, seen from one side.
#[derive(Clone)]
pub struct Payoffs {
    pub line_ups: Arc<LineUps>,
    /// The side that payoffs are taken of.
    side: usize,
    entries: Arc<Vec<Wins>>,
    /// By seat: the columns of its win and of its score.
    columns: Vec<[usize; 2]>,
    /// The column of games that a cap ended, where the game has one.
    capped: Option<usize>,
    /// The places of passes among all counts, and how many there are on all sides.
    passes_at: Range<usize>,
    pub passes: u64,
    /// The weights of each rating, by side and bot.
    ratings: Arc<Vec<Weights>>,
}

/// The wins of the seats of an entry. On every side an entry plays the same games at a table of its
/// own; places are all their seats, those of the first side first.
#[derive(Clone)]
struct Wins {
    games: u64,
    /// By side: games that a cap ended.
    capped: Vec<i128>,
    /// By place: Σ wins, in units of 1/840.
    wins: Vec<i128>,
    scores: Vec<i128>,
    /// By pair of places, one row per place: Σ of the product of their wins.
    products: Vec<i128>,
    /// By population, where they take turns: its games, and its wins by place.
    populations: Vec<(u64, Vec<i128>)>,
}

/// Weights of places: (entry, place, weight).
pub(super) type Weights = Vec<(usize, usize, f64)>;

impl Payoffs {
    /// Empty payoffs of these entries on `sides` sides, seen from the first; all tables have the
    /// layout `layout`.
    pub(super) fn new(line_ups: &LineUps, sides: usize, layout: &Layout) -> Self {
        let places = sides * line_ups.players;
        let none = Wins {
            games: 0,
            capped: vec![0; sides],
            wins: vec![0; places],
            scores: vec![0; places],
            products: vec![0; places * places],
            populations: vec![(0, vec![0; places]); layout.populations],
        };
        let capped = layout.fraction(MetricRef::of_table(CAPPED_RATE));
        let column = |seat| [WIN, SCORE].map(|outcome| layout.seat_column(seat, outcome));
        let mut payoffs = Payoffs {
            line_ups: Arc::new(line_ups.clone()),
            side: 0,
            entries: Arc::new(vec![none; line_ups.entries.len()]),
            columns: (0..line_ups.players).map(column).collect(),
            capped: capped.map(|fraction| fraction.of[0]),
            passes_at: layout.passes(),
            passes: 0,
            ratings: Arc::default(),
        };
        let mut ratings = Vec::new();
        for side in 0..sides {
            let side = payoffs.on(side);
            ratings.extend((0..line_ups.bots).map(|bot| side.rating_weights(bot)));
        }
        payoffs.ratings = Arc::new(ratings);
        payoffs
    }

    pub fn on(&self, side: usize) -> Payoffs {
        Payoffs {
            side,
            ..self.clone()
        }
    }

    /// Adds games of some entries: for each its tables, one per side. The products are those of
    /// [`products`].
    pub(super) fn add(&mut self, batch: &[usize], sums: &Sums) {
        let seats = self.columns.len();
        let entries = Arc::make_mut(&mut self.entries);
        let sides = entries[0].capped.len();
        let mut products = sums.products.iter();
        for (tallies, &entry) in sums.tables.chunks(sides).zip(batch) {
            let own = &mut entries[entry];
            let places = own.wins.len();
            own.games += tallies[0].games;
            for ((games, _), more) in own.populations.iter_mut().zip(&tallies[0].populations) {
                *games += more.games;
            }
            for (side, tally) in tallies.iter().enumerate() {
                self.passes += tally.counts[self.passes_at.clone()].iter().sum::<u64>();
                own.capped[side] += self.capped.map_or(0, |column| tally.columns[column].sum);
                for (seat, [win, score]) in self.columns.iter().enumerate() {
                    let b = side * seats + seat;
                    own.wins[b] += tally.columns[*win].sum;
                    own.scores[b] += tally.columns[*score].sum;
                    for ((_, wins), more) in own.populations.iter_mut().zip(&tally.populations) {
                        wins[b] += more.columns[*win].sum;
                    }
                    own.products[b * places + b] += tally.columns[*win].squares;
                    for (a, product) in (0..b).zip(&mut products) {
                        own.products[b * places + a] += product;
                        own.products[a * places + b] += product;
                    }
                }
            }
        }
    }

    /// Games played in an entry, on each side.
    pub fn games(&self, entry: usize) -> u64 {
        self.entries[entry].games
    }

    /// Games played in all entries together, on each side.
    pub fn all_games(&self) -> u64 {
        self.entries.iter().map(|entry| entry.games).sum()
    }

    /// Share of the games of an entry that a cap ended; `None` if the game has no cap.
    pub fn capped(&self, entry: usize) -> Option<f64> {
        self.capped?;
        let own = &self.entries[entry];
        Some(own.capped[self.side] as f64 / own.games as f64)
    }

    /// Win rate of `bot` per seat in an entry.
    pub fn payoff(&self, entry: usize, bot: usize) -> Estimate {
        self.share(&self.weights(entry, bot, 1.0), self.games(entry))
    }

    /// Mean score of `bot` per seat in an entry.
    pub fn score(&self, entry: usize, bot: usize) -> f64 {
        let weights = self.weights(entry, bot, 1.0);
        let score = |&(entry, place, weight): &(usize, usize, f64)| {
            let own: &Wins = &self.entries[entry];
            weight * own.scores[place] as f64 / own.games as f64
        };
        weights.iter().map(score).sum()
    }

    /// The mean payoff of `bot` when every other seat is drawn by lot from the whole field.
    pub fn rating(&self, bot: usize) -> Estimate {
        let (games, weights) = (self.all_games(), self.weights_of_rating(self.side, bot));
        let rating = self.of_ratings(weights).wilson(games, games);
        rating.over(&self.of_populations(weights))
    }

    pub fn rating_difference(&self, bot: usize, other: usize) -> Estimate {
        let of = |bot| self.weights_of_rating(self.side, bot);
        self.less(of(bot), of(other))
    }

    /// The rating of `bot` on this side minus that on another.
    pub fn shift(&self, bot: usize, from: usize) -> Estimate {
        let of = |side| self.weights_of_rating(side, bot);
        self.less(of(self.side), of(from))
    }

    /// The range of strength: the highest rating minus the lowest.
    pub fn spread(&self) -> Estimate {
        let bots = self.line_ups.bots;
        let best = self.leader(&vec![true; bots]);
        let value = |bot: &usize| self.value(self.weights_of_rating(self.side, *bot));
        let worst = (0..bots).min_by(|a, b| value(a).total_cmp(&value(b)));
        let worst = worst.unwrap_or(best);
        let highest = (0..bots).filter(|&bot| self.rating_difference(best, bot).is_near_0());
        let lowest = (0..bots).filter(|&bot| self.rating_difference(bot, worst).is_near_0());
        let spread = self.rating_difference(best, worst);
        spread.picked_from(highest.count(), lowest.count(), bots)
    }

    fn weights_of_rating(&self, side: usize, bot: usize) -> &Weights {
        &self.ratings[side * self.line_ups.bots + bot]
    }

    fn less(&self, one: &Weights, other: &Weights) -> Estimate {
        let mut weights = one.clone();
        weights.extend(scaled(other, -1.0));
        let of_games = self.of_ratings(&weights).in_points();
        of_games.over(&self.of_populations(&weights))
    }

    /// The bot with the highest rating among those still in; the first of equals.
    pub(super) fn leader(&self, still_in: &[bool]) -> usize {
        let value = |bot: &usize| self.value(self.weights_of_rating(self.side, *bot));
        let bots = (0..self.line_ups.bots).filter(|&bot| still_in[bot]);
        let better = |best, bot| {
            if value(&bot) > value(&best) {
                bot
            } else {
                best
            }
        };
        bots.reduce(better).unwrap_or(0)
    }

    /// Divides `weight` among the seats of `bot` in an entry.
    pub(super) fn weights(&self, entry: usize, bot: usize, weight: f64) -> Weights {
        let seats = &self.line_ups.entries[entry].seats;
        let each = weight / self.line_ups.entries[entry].copies(bot) as f64;
        let own = (0..seats.len()).filter(|&seat| seats[seat] == bot);
        let place = |seat| (entry, self.side * seats.len() + seat, each);
        own.map(place).collect()
    }

    fn rating_weights(&self, bot: usize) -> Weights {
        let line_ups = self.line_ups.as_ref();
        let entries = || line_ups.entries.iter().enumerate();
        if line_ups.complete {
            let all = (line_ups.bots as f64).powi(line_ups.players as i32 - 1);
            let met = entries().filter(|(_, entry)| entry.copies(bot) > 0);
            let likely = |entry: &Entry| arrangements(&entry.field(bot)) / all;
            let weights = met.map(|(at, entry)| self.weights(at, bot, likely(entry)));
            return weights.flatten().collect();
        }
        let drawn = || entries().filter(|(_, entry)| entry.drawn);
        let total: usize = drawn().map(|(_, entry)| entry.copies(bot)).sum();
        let each = 1.0 / total as f64;
        let place = |seat| self.side * line_ups.players + seat;
        let seats = drawn().flat_map(|(at, entry)| {
            let seats = (0..line_ups.players).filter(|&seat| entry.seats[seat] == bot);
            seats.map(move |seat| (at, place(seat), each))
        });
        seats.collect()
    }

    fn mean(&self, entry: usize, seat: usize) -> f64 {
        let own = &self.entries[entry];
        own.wins[seat] as f64 / own.games as f64 / f64::from(WIN_UNITS)
    }

    fn value(&self, weights: &Weights) -> f64 {
        let term = |&(entry, place, weight): &(usize, usize, f64)| weight * self.mean(entry, place);
        weights.iter().map(term).sum()
    }

    /// A weighted sum of the wins of seats in given entries.
    pub(super) fn estimate(&self, weights: &Weights) -> Estimate {
        (self.estimate_games(weights)).over(&self.of_populations(weights))
    }

    /// The same where it is a win rate in this many games.
    pub(super) fn share(&self, weights: &Weights, games: u64) -> Estimate {
        let of_games = self.estimate_games(weights).wilson(games, games);
        of_games.over(&self.of_populations(weights))
    }

    /// The sum with the error of the games alone.
    fn estimate_games(&self, weights: &Weights) -> Estimate {
        let mut sorted = weights.clone();
        sorted.sort_by_key(|&(entry, place, _)| (entry, place));
        let of_entries = sorted.chunk_by(|a, b| a.0 == b.0);
        let variance: f64 = of_entries.map(|places| self.variance(places)).sum();
        Estimate::normal(self.value(weights), variance.sqrt())
    }

    /// The same sum in the games of each population; `None` if it has not played in all line-ups.
    fn of_populations(&self, weights: &Weights) -> Vec<Option<f64>> {
        let sum = |population: usize| {
            let term = |&(entry, place, weight): &(usize, usize, f64)| {
                let (games, wins) = &self.entries[entry].populations[population];
                let units = *games as f64 * f64::from(WIN_UNITS);
                (*games > 0).then(|| weight * wins[place] as f64 / units)
            };
            weights.iter().map(term).sum()
        };
        (0..self.entries[0].populations.len()).map(sum).collect()
    }

    fn variance(&self, weights: &[(usize, usize, f64)]) -> f64 {
        let own = &self.entries[weights[0].0];
        if own.games < 2 {
            return f64::INFINITY;
        }
        let n = i128::from(own.games);
        let places = own.wins.len();
        let (mut variance, mut parts) = (0.0, 0.0);
        for &(_, a, of_a) in weights {
            for &(_, b, of_b) in weights {
                let spread = n * own.products[a * places + b] - own.wins[a] * own.wins[b];
                let part = of_a * of_b * spread as f64;
                variance += part;
                parts += part.abs();
            }
        }
        let variance = without_rounding(variance, parts)
            / (n * n * (n - 1)) as f64
            / f64::from(WIN_UNITS).powi(2);
        variance + self.unseen(weights)
    }

    /// Extra variance of places that always or never won: as if they had two more wins and two more
    /// losses (Agresti and Coull, 1998), which chance may have hidden.
    fn unseen(&self, weights: &[(usize, usize, f64)]) -> f64 {
        let own = &self.entries[weights[0].0];
        let all = i128::from(own.games) * i128::from(WIN_UNITS);
        let (mut never, mut always) = (0.0, 0.0);
        for &(_, place, weight) in weights {
            never += if own.wins[place] == 0 { weight } else { 0.0 };
            always += if own.wins[place] == all { weight } else { 0.0 };
        }
        let n = own.games as f64;
        let share = 2.0 / (n + 4.0);
        (never * never + always * always) * share * (1.0 - share) / n
    }

    /// A weighted sum of ratings with the error of the games. If line-ups were drawn by lot, the
    /// lot adds to the error: it is that of the mean over line-ups, each of which deviates from its
    /// bots' average payoff.
    fn of_ratings(&self, weights: &Weights) -> Estimate {
        if self.line_ups.complete {
            return self.estimate_games(weights);
        }
        let ratings = self.ratings.iter().map(|weights| self.value(weights));
        let ratings: Vec<f64> = ratings.collect();
        let mut strays = vec![0.0; self.entries.len()];
        for &(entry, place, weight) in weights {
            let LineUps { bots, players, .. } = *self.line_ups;
            let bot = self.line_ups.entries[entry].seats[place % players];
            let rating = ratings[place / players * bots + bot];
            strays[entry] += weight * (self.mean(entry, place) - rating);
        }
        let drawn = self.line_ups.entries.iter().filter(|entry| entry.drawn);
        let drawn = drawn.count() as f64;
        let squares: f64 = strays.iter().map(|stray| stray * stray).sum();
        let squares = without_rounding(squares, 1e-13);
        let se = if drawn > 1.0 {
            (squares * drawn / (drawn - 1.0)).sqrt()
        } else {
            f64::INFINITY
        };
        Estimate::normal(self.value(weights), se)
    }
}

/// Products of the wins of each pair of places (a < b, b after b), for the covariance of their
/// payoffs; the tables of an entry follow one another.
pub(super) fn products(tables: &[&dyn Play], sides: usize) -> Vec<Product> {
    let mut products = Vec::new();
    for first in (0..tables.len()).step_by(sides) {
        let wins = (first..first + sides).flat_map(|table| {
            let layout = tables[table].layout();
            (0..layout.seats).map(move |seat| (table, layout.seat_column(seat, WIN)))
        });
        let wins: Vec<(usize, usize)> = wins.collect();
        for (at, &b) in wins.iter().enumerate() {
            products.extend(wins[..at].iter().map(|&a| Product { a, b }));
        }
    }
    products
}

pub(super) fn scaled(weights: &Weights, by: f64) -> impl Iterator<Item = (usize, usize, f64)> {
    let scaled = move |&(entry, place, weight): &(usize, usize, f64)| (entry, place, by * weight);
    weights.iter().map(scaled)
}

/// Number of ways to seat the bots of a sorted field.
pub(super) fn arrangements(field: &[usize]) -> f64 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let alike = field.chunk_by(|a, b| a == b);
    factorial(field.len()) / alike.map(|copies| factorial(copies.len())).product::<f64>()
}
