//! Estimates of figures that a few populations share.

use super::{Estimate, Z95, standard_error};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The same number of standard errors where these are those of [`Estimate::over`].
pub fn z_over(z: f64, populations: usize) -> f64 {
    match populations {
        0 | 1 => z,
        few => student(Normal::standard().cdf(z), few) / student(STUDENTS, few) * Z95,
    }
}

/// A standard error of games that is at most this part of the whole hardly matters.
const SMALL_PART: f64 = 0.25;
/// The share of all numbers that lie below the upper end of a 95 % interval.
const STUDENTS: f64 = 0.975;

/// Student's number for the mean of `figures` figures that this share of all lie below.
fn student(share: f64, figures: usize) -> f64 {
    let freedom = (figures - 1) as f64;
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |of| of.inverse_cdf(share))
}

impl Estimate {
    /// The same value with an interval that also holds the one that the figures of several
    /// populations give it: what their games and what they themselves differ by. They are few, so
    /// that one is Student's, as is the standard error when it is used as a normal one.
    pub fn over(self, populations: &[Option<f64>]) -> Estimate {
        if populations.is_empty() {
            return self;
        }
        let known: Vec<f64> = populations.iter().copied().flatten().collect();
        let wider = student(STUDENTS, known.len().max(2)) / Z95;
        let se = match known.len() {
            0 | 1 => f64::INFINITY,
            _ => standard_error(&known) * wider,
        };
        let over = Estimate { se: 0.0, ..self }.with_error(se);
        Estimate {
            se: se.max(self.se),
            of_games: Some(Z95 * self.se * wider),
            ..over.within(over.low.min(self.low), over.high.max(self.high))
        }
    }

    /// Whether more games would hardly narrow the interval: it is the noise of populations.
    pub fn is_of_populations(&self) -> bool {
        let is_small = |games| games < SMALL_PART * self.half_width();
        self.se.is_finite() && self.of_games.is_some_and(is_small)
    }

    /// The mean of a figure of several populations.
    pub fn mean_over(each: &[Estimate]) -> Estimate {
        let mean = Estimate::mean_of(each);
        match each {
            [_] => mean,
            _ => mean.over(&Vec::from_iter(each.iter().map(|of| Some(of.value)))),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/statistics/populations.rs"]
mod tests;
