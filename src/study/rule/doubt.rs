//! The error of figures beside people whom `carat fit` knows from a few games.

use super::{FIGURE_PART, OF_FIGURES, Resolved};
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, table_labels};

impl Resolved {
    /// The names of opponents whom `carat fit` knows.
    pub fn fitted(&self) -> Vec<String> {
        let company = &self.companies[0].1;
        let named = table_labels(company).into_iter().zip(company);
        let fitted = named.filter(|(_, seat)| !seat.draws().is_empty());
        fitted.map(|(name, _)| name).collect()
    }

    /// The win shares of bots at the first seats beside the first company, each at several tables
    /// at which a fitted person is one of its draws; none if nobody is fitted.
    pub(super) fn by_draw(
        &self,
        bots: &[Vec<Seat>],
        name: &str,
        player: &mut Player,
    ) -> Result<Vec<Vec<f64>>, Stopped> {
        let company = &self.companies[0].1;
        let draws = Vec::from_iter(company.iter().map(Seat::draws));
        let count = draws.iter().map(Vec::len).max().unwrap_or(0);
        if count < 2 {
            return Ok(Vec::new());
        }
        let mut tables = Vec::new();
        for first in bots {
            for at in 0..count {
                let drawn = company.iter().zip(&draws).map(|(seat, draws)| {
                    let draw = draws.get(at % draws.len().max(1));
                    draw.unwrap_or(seat).clone()
                });
                tables.push(self.beside(first, &Vec::from_iter(drawn))?);
            }
        }
        let games = self.games(FIGURE_PART) / count as u64;
        let found = self.shares(&tables, name, OF_FIGURES, games, player)?;
        let found = Vec::from_iter(found.into_iter().map(|found| found.value));
        Ok(found.chunks(count).map(<[f64]>::to_vec).collect())
    }

    /// Adds to win shares of bots at the first seats the error of what is not known of the others.
    pub(super) fn add_doubt(
        &self,
        bots: &[Vec<Seat>],
        shares: &mut [Estimate],
        name: &str,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let found = self.by_draw(bots, name, player)?;
        for (share, values) in shares.iter_mut().zip(found) {
            *share = share.with_error(doubt(&values));
        }
        Ok(())
    }
}

/// The standard error of a figure that has these values, a value for each draw: the people are one
/// more draw than their mean is of.
pub fn doubt(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / (count - 1.0) * (1.0 + 1.0 / count)).sqrt()
}
