//! What bots earned in the line-ups they played, as shares of the wins with their errors.
//!
//! Every figure is a weighted sum of what seats won in entries. Entries share no luck, so their
//! errors add up; within an entry the fortunes of the seats hang together, and that is counted.

use super::LineUps;
use crate::game::{CAPPED_RATE, MetricRef, SCORE, Table, WIN, WIN_UNITS};
use crate::simulation::Sums;
use crate::statistics::Estimate;

/// The wins of all seats in all entries.
pub struct Payoffs {
    /// Who met whom.
    pub line_ups: LineUps,
    entries: Vec<Wins>,
    /// By seat: the columns of its win and of its score.
    columns: Vec<[usize; 2]>,
    /// The column of games that a cap ended, where the game has one.
    capped: Option<usize>,
    /// For each bot the weights of its rating.
    ratings: Vec<Weights>,
}

/// What the seats of an entry won.
#[derive(Clone)]
struct Wins {
    games: u64,
    /// Games that a cap ended.
    capped: i128,
    /// By seat: Σ wins, in units of 1/840.
    wins: Vec<i128>,
    /// By seat: Σ scores.
    scores: Vec<i128>,
    /// By pair of seats, one row a seat: Σ of the product of their wins.
    products: Vec<i128>,
}

/// Weights of seats: (entry, seat, weight).
pub(super) type Weights = Vec<(usize, usize, f64)>;

impl Payoffs {
    /// No games of these entries.
    pub(super) fn new(line_ups: &LineUps, tables: &[&dyn Table]) -> Self {
        let seats = line_ups.players;
        let none = Wins {
            games: 0,
            capped: 0,
            wins: vec![0; seats],
            scores: vec![0; seats],
            products: vec![0; seats * seats],
        };
        let layout = tables[0].layout();
        let column = |seat| [WIN, SCORE].map(|outcome| layout.seat_column(seat, outcome));
        let mut payoffs = Payoffs {
            line_ups: line_ups.clone(),
            entries: vec![none; tables.len()],
            columns: (0..seats).map(column).collect(),
            capped: layout
                .fraction(MetricRef::of_table(CAPPED_RATE))
                .map(|fraction| fraction.of),
            ratings: Vec::new(),
        };
        payoffs.ratings = (0..line_ups.bots)
            .map(|bot| payoffs.rating_weights(bot))
            .collect();
        payoffs
    }

    /// Adds games of some entries; the products are the pairs of seats a < b, b after b.
    pub(super) fn add(&mut self, batch: &[usize], sums: &Sums) {
        let seats = self.columns.len();
        let mut products = sums.products.iter();
        for (tally, &entry) in sums.tables.iter().zip(batch) {
            let own = &mut self.entries[entry];
            own.games += tally.games;
            own.capped += self.capped.map_or(0, |column| tally.columns[column].sum);
            for (b, [win, score]) in self.columns.iter().enumerate() {
                own.wins[b] += tally.columns[*win].sum;
                own.scores[b] += tally.columns[*score].sum;
                own.products[b * seats + b] += tally.columns[*win].squares;
                for (a, product) in (0..b).zip(&mut products) {
                    own.products[b * seats + a] += product;
                    own.products[a * seats + b] += product;
                }
            }
        }
    }

    /// Games that were played in an entry.
    pub fn games(&self, entry: usize) -> u64 {
        self.entries[entry].games
    }

    /// Games that were played in all entries together.
    pub fn all_games(&self) -> u64 {
        self.entries.iter().map(|entry| entry.games).sum()
    }

    /// Share of the games of an entry that a cap ended; none where the game has no cap.
    pub fn capped(&self, entry: usize) -> Option<f64> {
        self.capped?;
        let Wins { games, capped, .. } = self.entries[entry];
        Some(capped as f64 / games as f64)
    }

    /// Share of the wins that `bot` earns a seat in an entry.
    pub fn payoff(&self, entry: usize, bot: usize) -> Estimate {
        let games = self.games(entry);
        self.estimate(&self.weights(entry, bot, 1.0))
            .wilson(games, games)
    }

    /// Mean score of `bot` a seat in an entry.
    pub fn score(&self, entry: usize, bot: usize) -> f64 {
        let weights = self.weights(entry, bot, 1.0);
        let score = |&(entry, seat, weight): &(usize, usize, f64)| {
            let own: &Wins = &self.entries[entry];
            weight * own.scores[seat] as f64 / own.games as f64
        };
        weights.iter().map(score).sum()
    }

    /// What `bot` earns on average when every other seat is drawn by lot from the whole field.
    pub fn rating(&self, bot: usize) -> Estimate {
        let games = self.all_games();
        self.of_ratings(&self.ratings[bot]).wilson(games, games)
    }

    /// How much more `bot` earns than `other`, by their ratings.
    pub fn rating_difference(&self, bot: usize, other: usize) -> Estimate {
        let mut weights = self.ratings[bot].clone();
        weights.extend(
            self.ratings[other]
                .iter()
                .map(|&(e, s, weight)| (e, s, -weight)),
        );
        self.of_ratings(&weights)
    }

    /// The bot with the highest rating of those that are still in; of equal ones the first.
    pub(super) fn leader(&self, still_in: &[bool]) -> usize {
        let value = |bot: &usize| self.value(&self.ratings[*bot]);
        let bots = (0..self.line_ups.bots).filter(|&bot| still_in[bot]);
        bots.reduce(|best, bot| {
            if value(&bot) > value(&best) {
                bot
            } else {
                best
            }
        })
        .unwrap_or(0)
    }

    /// `weight` shared out among the seats of `bot` in an entry.
    pub(super) fn weights(&self, entry: usize, bot: usize, weight: f64) -> Weights {
        let seats = &self.line_ups.entries[entry].seats;
        let own: Vec<usize> = (0..seats.len())
            .filter(|&seat| seats[seat] == bot)
            .collect();
        let each = weight / own.len() as f64;
        own.into_iter().map(|seat| (entry, seat, each)).collect()
    }

    fn rating_weights(&self, bot: usize) -> Weights {
        let LineUps {
            bots,
            players,
            complete,
            entries,
        } = &self.line_ups;
        let mut weights = Weights::new();
        if *complete {
            let all = (*bots as f64).powi(*players as i32 - 1);
            for (at, entry) in entries.iter().enumerate() {
                if entry.copies(bot) > 0 {
                    let likely = arrangements(&entry.field(bot)) / all;
                    weights.extend(self.weights(at, bot, likely));
                }
            }
            return weights;
        }
        let drawn = || entries.iter().enumerate().filter(|(_, entry)| entry.drawn);
        let total: usize = drawn().map(|(_, entry)| entry.copies(bot)).sum();
        for (at, entry) in drawn() {
            let seats = (0..*players).filter(|&seat| entry.seats[seat] == bot);
            weights.extend(seats.map(|seat| (at, seat, 1.0 / total as f64)));
        }
        weights
    }

    fn mean(&self, entry: usize, seat: usize) -> f64 {
        let own = &self.entries[entry];
        own.wins[seat] as f64 / own.games as f64 / f64::from(WIN_UNITS)
    }

    fn value(&self, weights: &Weights) -> f64 {
        let terms = weights
            .iter()
            .map(|&(entry, seat, weight)| weight * self.mean(entry, seat));
        terms.sum()
    }

    /// A weighted sum of what seats won in given entries.
    pub(super) fn estimate(&self, weights: &Weights) -> Estimate {
        let mut sorted = weights.clone();
        sorted.sort_by_key(|&(entry, seat, _)| (entry, seat));
        let of_entries = sorted.chunk_by(|a, b| a.0 == b.0);
        let variance: f64 = of_entries.map(|seats| self.variance(seats)).sum();
        Estimate::normal(self.value(weights), variance.max(0.0).sqrt())
    }

    /// Variance of a weighted sum within one entry.
    fn variance(&self, weights: &[(usize, usize, f64)]) -> f64 {
        let own = &self.entries[weights[0].0];
        if own.games < 2 {
            return f64::INFINITY;
        }
        let n = i128::from(own.games);
        let seats = self.columns.len();
        let mut variance = 0.0;
        for &(_, a, of_a) in weights {
            for &(_, b, of_b) in weights {
                let spread = n * own.products[a * seats + b] - own.wins[a] * own.wins[b];
                variance += of_a * of_b * spread as f64;
            }
        }
        let variance = variance / (n * n * (n - 1)) as f64 / f64::from(WIN_UNITS).powi(2);
        variance + self.unseen(weights)
    }

    /// What the seats of an entry that always won or never did add to the variance: as if they had
    /// had two wins and two losses more (Agresti and Coull, 1998), as chance may have hidden them.
    fn unseen(&self, weights: &[(usize, usize, f64)]) -> f64 {
        let own = &self.entries[weights[0].0];
        let all = i128::from(own.games) * i128::from(WIN_UNITS);
        let (mut never, mut always) = (0.0, 0.0);
        for &(_, seat, weight) in weights {
            never += if own.wins[seat] == 0 { weight } else { 0.0 };
            always += if own.wins[seat] == all { weight } else { 0.0 };
        }
        let n = own.games as f64;
        let share = 2.0 / (n + 4.0);
        (never * never + always * always) * share * (1.0 - share) / n
    }

    /// A weighted sum of ratings. Where line-ups were drawn by lot, the lot adds to the error: it
    /// is that of the mean over line-ups, each of which strays from what its bots earn on average.
    fn of_ratings(&self, weights: &Weights) -> Estimate {
        if self.line_ups.complete {
            return self.estimate(weights);
        }
        let ratings: Vec<f64> = self
            .ratings
            .iter()
            .map(|weights| self.value(weights))
            .collect();
        let mut strays = vec![0.0; self.entries.len()];
        for &(entry, seat, weight) in weights {
            let bot = self.line_ups.entries[entry].seats[seat];
            strays[entry] += weight * (self.mean(entry, seat) - ratings[bot]);
        }
        let drawn = self
            .line_ups
            .entries
            .iter()
            .filter(|entry| entry.drawn)
            .count() as f64;
        let squares: f64 = strays.iter().map(|stray| stray * stray).sum();
        let se = match drawn > 1.0 {
            true => (squares * drawn / (drawn - 1.0)).sqrt(),
            false => f64::INFINITY,
        };
        Estimate::normal(self.value(weights), se)
    }
}

/// In how many ways the bots of a sorted field can take its seats.
pub(super) fn arrangements(field: &[usize]) -> f64 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let alike = field
        .chunk_by(|a, b| a == b)
        .map(|copies| factorial(copies.len()));
    factorial(field.len()) / alike.product::<f64>()
}
