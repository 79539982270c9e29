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
mod tests {
    use super::*;

    #[test]
    fn figures_of_populations_have_students_interval() {
        let of_games = Estimate::normal(3.0, 0.1);
        let each = [1.0, 2.0, 3.0, 4.0, 5.0].map(Some);
        let over = of_games.over(&each);
        // The standard error is √(2.5 / 5), and Student's number for four degrees of freedom 2.776.
        assert!(
            (over.half_width() - 2.776_445 * 0.5f64.sqrt()).abs() < 1e-4,
            "{over:?}"
        );
        assert!(over.is_of_populations() && over.value == 3.0);
        assert_eq!(of_games.over(&[]), of_games);
        let alike = of_games.over(&[Some(3.0); 5]);
        assert_eq!((alike.low, alike.high), (of_games.low, of_games.high));
        assert!(!alike.is_of_populations());
        // Wilson's interval of a rare event reaches further up than a symmetric one.
        let rare = Estimate::share(20_000, 2, 1);
        let wide = rare.over(&[0.0, 2.5e-4, 0.0, 2.5e-4, 0.0].map(Some));
        assert!(wide.se > rare.se && wide.low == 0.0 && wide.high >= rare.high);
        let narrow = rare.over(&[5e-5, 1e-4, 1.5e-4, 1e-4, 1e-4].map(Some));
        assert!(narrow.low <= rare.low && narrow.high == rare.high);
        assert!(of_games.over(&[Some(3.0), None]).se.is_infinite());
        assert_eq!(z_over(2.5, 0), 2.5);
        assert!((z_over(Z95, 5) - Z95).abs() < 1e-6);
        assert!(z_over(3.09, 5) > 4.9);
    }
}
