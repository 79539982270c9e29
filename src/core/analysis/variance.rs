//! The share of luck at a table: the part of the variance of results that play does not explain.
//!
//! A result is the sum of the seat's expectation and the contributions of cards, others and own
//! play. The share of a part is its covariance with the result divided by the variance of the
//! results, so all shares add up to one. Playouts have other luck than the games: their noise has
//! no covariance with a result and needs no correction, and products of two playout values come
//! from different games. Expectations also vary with the set-up, which is luck: a seat's skill is
//! the part that is the same in different games. Random choices of a bot that plays on as itself
//! are luck, not play.

use super::{AnalysedGame, Of, Walk};
use crate::statistics::Estimate;

/// Fewest games for an estimate of the shares.
pub const VARIANCE_GAMES: usize = 10;

/// The sources of the results, as shares of their variance.
#[derive(Debug, Clone, PartialEq)]
pub struct VarianceShares {
    /// Play, with all its parts: seats' skill, own play and others' play.
    pub play: Estimate,
    pub luck: Estimate,
    /// The share of each part of play (who is in the seat, own play, others' play), and of luck
    /// (cards, and bots' random choices).
    pub parts: [Estimate; 5],
}

/// The values of a seat in a game, less an equal share if several play.
#[derive(Clone, Copy, Default)]
struct Had {
    start: f64,
    /// The contributions of own play, of others, and of bots' random choices.
    given: [f64; 3],
    result: f64,
}

impl Had {
    fn expected(&self) -> f64 {
        self.start + self.given[0] + self.given[1]
    }
}

/// Sums over games of one seat's values.
#[derive(Clone, Copy, Default)]
struct Sums {
    start: f64,
    expected: f64,
    both: f64,
    result: f64,
    squares: f64,
    /// For each contribution: the sum, and the sum of products with results.
    given: [(f64, f64); 3],
}

impl Sums {
    fn add(&mut self, had: &Had, times: f64) {
        self.start += times * had.start;
        self.expected += times * had.expected();
        self.both += times * had.start * had.expected();
        self.result += times * had.result;
        self.squares += times * had.result * had.result;
        for ((sum, product), given) in self.given.iter_mut().zip(had.given) {
            *sum += times * given;
            *product += times * given * had.result;
        }
    }
}

/// The shares of all parts; `None` if all results are equal.
fn shares(seats: &[Sums], games: f64) -> Option<[f64; 5]> {
    // A lone player is compared with the mean of the games, others with the equal share.
    let alone = f64::from(u8::from(seats.len() == 1));
    let degrees = games - alone;
    let [mut sitting, mut variance] = [0.0; 2];
    let mut given = [0.0; 3];
    for of in seats {
        let mean = alone * of.result / games;
        variance += (of.squares - mean * of.result) / degrees;
        // The two factors come from different games, so a set-up is not used twice.
        sitting += (of.start * of.expected - of.both) / (games * (games - 1.0));
        for (given, (sum, product)) in given.iter_mut().zip(of.given) {
            *given += (product - mean * sum) / degrees;
        }
    }
    let [own, others, chance] = given.map(|given| given / variance);
    let sitting = sitting / variance;
    let cards = 1.0 - sitting - own - others - chance;
    (variance > 0.0).then_some([sitting, own, others, cards, chance])
}

/// The sources of results; `games` has the values of each seat in each game.
fn estimated(games: &[Vec<Had>]) -> Option<VarianceShares> {
    let n = games.len() as f64;
    let mut all = vec![Sums::default(); games.first()?.len()];
    for game in games {
        let seats = all.iter_mut().zip(game);
        seats.for_each(|(sums, had)| sums.add(had, 1.0));
    }
    let values = shares(&all, n)?;
    // The jackknife over games (Tukey 1958): seats of one game are not independent.
    let mut without = Vec::with_capacity(games.len());
    for game in games {
        let mut rest = all.clone();
        let seats = rest.iter_mut().zip(game);
        seats.for_each(|(sums, had)| sums.add(had, -1.0));
        without.push(shares(&rest, n - 1.0)?);
    }
    let estimate = |of: &dyn Fn(&[f64; 5]) -> f64| {
        let mean = without.iter().map(of).sum::<f64>() / n;
        let squares = without.iter().map(|shares| (of(shares) - mean).powi(2));
        let se = ((n - 1.0) / n * squares.sum::<f64>()).sqrt();
        Estimate::normal(of(&values), se)
    };
    let play = estimate(&|shares| shares[..3].iter().sum());
    Some(VarianceShares {
        play,
        luck: play.scaled(-1.0).minus(-1.0),
        parts: std::array::from_fn(|part| estimate(&|shares| shares[part])),
    })
}

/// The values of each seat in a game, from walks in this `unit`. `plays` marks the seats whose own
/// decisions count as play.
fn had_in(walks: &[Walk], unit: f64, plays: &[bool]) -> Vec<Had> {
    let seats = walks.len() as f64;
    let mean = walks.iter().map(|walk| walk.start as f64).sum::<f64>() / seats / unit;
    // The wins of all seats add up to one.
    let result = if walks.len() == 1 { 0.0 } else { 1.0 / seats };
    let mut all = Vec::new();
    for (seat, walk) in walks.iter().enumerate() {
        let [own, others] = [Of::Own, Of::Others].map(|of| walk.sum(of) as f64 / unit);
        let rivals = || (0..walks.len()).filter(|rival| *rival != seat);
        // Others' contributions are play only in sum, not one by one.
        let played = if rivals().all(|rival| plays[rival]) {
            others
        } else {
            let by = rivals().filter(|rival| plays[*rival]);
            by.map(|rival| walk.by[rival] as f64).sum::<f64>() / unit
        };
        let own_play = if plays[seat] { own } else { 0.0 };
        all.push(Had {
            start: walk.start as f64 / unit - mean,
            given: [own_play, played, own + others - own_play - played],
            result: walk.here() as f64 / unit - result,
        });
    }
    all
}

/// The sources of the results of all seats, given enough finished games; `plays` has by seat
/// whether its decisions are play: those of a bot that plays on as itself are luck.
pub fn variance_shares(
    games: &[AnalysedGame],
    unit: f64,
    plays: &[bool],
) -> Option<VarianceShares> {
    let games = games.iter().filter(|game| !game.course.wins.is_empty());
    let games = Vec::from_iter(games.map(|game| had_in(&game.walks, unit, plays)));
    if games.len() < VARIANCE_GAMES {
        return None;
    }
    estimated(&games)
}

#[cfg(test)]
#[path = "../../../tests/unit/core/analysis/variance.rs"]
mod tests;
