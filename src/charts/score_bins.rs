//! Exact histograms of scores made ready to draw: percentiles, equal bins, a common height.
//!
//! Arithmetic on counts; nothing is drawn here.

use crate::statistics::quantile;

/// A histogram with games in it.
pub struct Distribution<'a> {
    /// The games that ended with each score, from 0 up.
    pub histogram: &'a [u64],
    /// The lowest and the highest score of any game.
    pub ends: (i64, i64),
}

impl Distribution<'_> {
    /// Finds the ends of a histogram; nothing without games.
    pub fn of(histogram: &[u64]) -> Option<Distribution<'_>> {
        let lowest = histogram.iter().position(|games| *games > 0)?;
        let highest = histogram.iter().rposition(|games| *games > 0)?;
        Some(Distribution {
            histogram,
            ends: (lowest as i64, highest as i64),
        })
    }

    /// The lowest score that at least `part` of the games do not exceed.
    pub fn quantile(&self, part: f64) -> i64 {
        quantile(self.histogram, part) as i64
    }
}

/// About as many bins are made.
const BINS: i64 = 70;
/// So few bins are seen beside any peak.
const FEW: usize = 6;
/// The share of each seat's games that the bins hold at least; the thin rest is not drawn.
pub const DRAWN: f64 = 0.995;

/// Equal bins: `count` of them, each of `width` scores, the first beginning at `low`.
pub struct Bins {
    /// The lowest score of the first bin.
    pub low: i64,
    /// Scores per bin, at least 1.
    pub width: i64,
    /// Number of bins.
    pub count: i64,
}

impl Bins {
    /// From the lowest score of all until [`DRAWN`] of the games of every seat are in; nothing
    /// without games.
    pub fn for_all(seats: &[Option<Distribution>]) -> Option<Bins> {
        let played = || seats.iter().flatten();
        let low = played().map(|seat| seat.ends.0).min()?;
        let high = played().map(|seat| seat.quantile(DRAWN)).max()?;
        let width = ((high - low + BINS) / BINS).max(1);
        Some(Bins {
            low,
            width,
            count: (high - low) / width + 1,
        })
    }

    /// The share of games in each bin; all zero for a seat without games.
    pub fn shares(&self, seat: Option<&Distribution>) -> Vec<f64> {
        let mut shares = vec![0.0; self.count as usize];
        let histogram = seat.map_or(&[][..], |seat| seat.histogram);
        let all: u64 = histogram.iter().sum();
        let scores = histogram.iter().enumerate();
        for (score, &games) in scores.filter(|(_, games)| **games > 0) {
            let bin = (score as i64 - self.low) / self.width;
            if let Some(share) = shares.get_mut(bin as usize) {
                *share += games as f64 / all as f64;
            }
        }
        shares
    }
}

/// The share at which shapes are cut: a single bin of one seat (often the score zero) would
/// otherwise press all shapes flat.
pub fn ceiling(rows: &[Vec<f64>]) -> f64 {
    let (mut highest, mut typical) = (0.0_f64, 0.0_f64);
    for row in rows {
        let mut sorted = row.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        highest = highest.max(sorted[0]);
        typical = typical.max(*sorted.get(1).unwrap_or(&0.0));
    }
    let few = rows.iter().all(|row| row.len() <= FEW);
    if typical > 0.0 && !few {
        highest.min(1.2 * typical)
    } else {
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_all_but_the_thin_tail() {
        let mut histogram = [0; 501];
        (histogram[0], histogram[139], histogram[500]) = (5_000, 4_960, 40);
        let seats = [Distribution::of(&histogram)];
        let bins = Bins::for_all(&seats).unwrap();
        assert_eq!((bins.low, bins.width, bins.count), (0, 2, 70));
        let total: f64 = bins.shares(seats[0].as_ref()).iter().sum();
        assert!((total - 0.996).abs() < 1e-9);
    }

    #[test]
    fn no_bin_is_made_beyond_the_scores() {
        let bins = Bins::for_all(&[Distribution::of(&[0, 0, 10])]).unwrap();
        assert_eq!((bins.low, bins.width, bins.count), (2, 1, 1));
        assert!(Bins::for_all(&[Distribution::of(&[0, 0])]).is_none());
    }

    #[test]
    fn a_lone_peak_does_not_flatten_the_rest() {
        let row = |shares: [f64; 3]| [&shares[..], &[0.0; 9]].concat();
        let cut = ceiling(&[row([0.9, 0.05, 0.05]), row([0.0, 0.5, 0.5])]);
        assert!((cut - 0.6).abs() < 1e-9);
        // Where there are few bins, they are wide enough to be seen beside any peak.
        assert_eq!(ceiling(&[vec![0.9, 0.05, 0.05]]), 0.9);
        assert_eq!(ceiling(&[vec![1.0]]), 1.0);
    }
}
