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

    pub fn mean(&self) -> f64 {
        let games: u64 = self.histogram.iter().sum();
        let sum: u64 = (0..).zip(self.histogram).map(|(score, n)| score * n).sum();
        sum as f64 / games as f64
    }

    /// The lowest score that at least `part` of the games do not exceed.
    pub fn quantile(&self, part: f64) -> i64 {
        quantile(self.histogram, part) as i64
    }
}

/// About as many bins are made.
const BINS: i64 = 70;
/// So few bins are seen beside any peak.
pub const FEW: usize = 6;
/// The share of each seat's games that the bins hold at least; the thin rest is not drawn.
pub const DRAWN: f64 = 0.995;

/// Bins of scores, one after the other. Where a bin holds several scores, 0 has one of its own: to
/// come home with nothing is something else than to come home with little.
pub struct Bins {
    /// The lowest score of each bin, and the one after the highest.
    pub edges: Vec<i64>,
    /// Scores per bin, at least 1.
    pub width: i64,
}

impl Bins {
    /// From the lowest score of all until [`DRAWN`] of the games of every seat are in; nothing
    /// without games.
    pub fn for_all(seats: &[Option<Distribution>]) -> Option<Bins> {
        let played = || seats.iter().flatten();
        let low = played().map(|seat| seat.ends.0).min()?;
        let high = played().map(|seat| seat.quantile(DRAWN)).max()?;
        let width = ((high - low + BINS) / BINS).max(1);
        let mut edges = vec![low];
        if low == 0 && width > 1 {
            edges.push(1);
        }
        while edges.last().is_some_and(|last| *last <= high) {
            edges.extend(edges.last().map(|last| last + width));
        }
        Some(Bins { edges, width })
    }

    pub fn count(&self) -> usize {
        self.edges.len() - 1
    }

    /// The highest score in a bin.
    pub fn last(&self) -> i64 {
        self.edges[self.count()] - 1
    }

    /// The share of games in each bin; all zero for a seat without games.
    pub fn shares(&self, seat: Option<&Distribution>) -> Vec<f64> {
        let histogram = seat.map_or(&[][..], |seat| seat.histogram);
        let all = histogram.iter().sum::<u64>().max(1);
        let bin = |ends: &[i64]| {
            let scores = (ends[0]..ends[1]).filter_map(|score| histogram.get(score as usize));
            scores.sum::<u64>() as f64 / all as f64
        };
        self.edges.windows(2).map(bin).collect()
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
    if typical > 0.0 {
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
        assert_eq!((bins.width, bins.count(), bins.last()), (2, 71, 140));
        let shares = bins.shares(seats[0].as_ref());
        assert!((shares.iter().sum::<f64>() - 0.996).abs() < 1e-9);
        // Nothing stands alone, and is not seen as little.
        assert_eq!((bins.edges[1], shares[0]), (1, 0.5));
    }

    #[test]
    fn no_bin_is_made_beyond_the_scores() {
        let bins = Bins::for_all(&[Distribution::of(&[0, 0, 10])]).unwrap();
        assert_eq!((bins.edges, bins.width), (vec![2, 3], 1));
        assert!(Bins::for_all(&[Distribution::of(&[0, 0])]).is_none());
    }

    #[test]
    fn a_lone_peak_does_not_flatten_the_rest() {
        let row = |shares: [f64; 3]| [&shares[..], &[0.0; 9]].concat();
        let cut = ceiling(&[row([0.9, 0.05, 0.05]), row([0.0, 0.5, 0.5])]);
        assert!((cut - 0.6).abs() < 1e-9);
        assert_eq!(ceiling(&[vec![1.0]]), 1.0);
    }
}
