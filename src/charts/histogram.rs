//! Exact histograms made ready to draw: percentiles, equal bins, a common height.
//!
//! Arithmetic on counts; nothing is drawn here.

/// A sorted histogram and its percentiles.
pub struct Summary {
    /// Pairs of a score and its games, by rising score, none without games.
    pub scores: Vec<(i64, u64)>,
    /// All games together.
    pub games: u64,
    /// Scores at 5, 25, 50, 75 and 95 % of games; nothing without games.
    pub marks: Option<[i64; 5]>,
}

impl Summary {
    /// Sorts and counts pairs of a score and its games.
    pub fn of(histogram: &[(i64, u64)]) -> Summary {
        let mut scores: Vec<_> = (histogram.iter().copied())
            .filter(|(_, games)| *games > 0)
            .collect();
        scores.sort_unstable();
        let games = scores.iter().map(|(_, games)| games).sum();
        let mut summary = Summary {
            scores,
            games,
            marks: None,
        };
        if games > 0 {
            summary.marks = Some([0.05, 0.25, 0.5, 0.75, 0.95].map(|part| summary.quantile(part)));
        }
        summary
    }

    /// The lowest score that at least `part` of the games do not exceed; 0 without games.
    pub fn quantile(&self, part: f64) -> i64 {
        let wanted = part * self.games as f64;
        let mut seen = 0;
        for &(score, games) in &self.scores {
            seen += games;
            if seen as f64 >= wanted {
                return score;
            }
        }
        self.highest()
    }

    /// The highest score; 0 without games.
    pub fn highest(&self) -> i64 {
        self.scores.last().map_or(0, |(score, _)| *score)
    }
}

/// About as many bins are made.
const BINS: i64 = 70;
/// No fewer bins are drawn, so that a single score does not fill the row.
const FEWEST: i64 = 6;

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
    /// From the lowest score of all to the highest of the seats' 99.9 % quantiles; nothing
    /// without games.
    pub fn for_all(summaries: &[Summary]) -> Option<Bins> {
        let played = || summaries.iter().filter(|summary| summary.games > 0);
        let low = played().map(|summary| summary.scores[0].0).min()?;
        let high = played().map(|summary| summary.quantile(0.999)).max()?;
        let width = (high - low + 1).div_euclid(BINS) + i64::from((high - low + 1) % BINS != 0);
        let width = width.max(1);
        let mut bins = Bins {
            low,
            width,
            count: (high - low).div_euclid(width) + 1,
        };
        if bins.count < FEWEST {
            // Few scores: room around them, but none for debts that nobody can have.
            let before = (FEWEST - bins.count) / 2;
            bins.low -= if low >= 0 { before.min(low) } else { before };
            bins.count = FEWEST;
        }
        Some(bins)
    }

    /// The share of games in each bin; all zero for a seat without games.
    pub fn shares(&self, summary: &Summary) -> Vec<f64> {
        let mut shares = vec![0.0; self.count as usize];
        for &(score, games) in &summary.scores {
            let bin = (score - self.low).div_euclid(self.width);
            if bin < self.count {
                shares[bin as usize] += games as f64 / summary.games as f64;
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
    let few = rows.iter().all(|row| row.len() <= FEWEST as usize);
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
    fn quantiles_are_exact() {
        let histogram: Vec<_> = (1..=100).rev().map(|score| (score, 3)).collect();
        assert_eq!(Summary::of(&histogram).marks, Some([5, 25, 50, 75, 95]));
    }

    #[test]
    fn bins_cover_all_but_the_thin_tail() {
        let summary = Summary::of(&[(0, 5_000), (139, 4_996), (500, 4)]);
        let bins = Bins::for_all(std::slice::from_ref(&summary)).unwrap();
        assert_eq!((bins.low, bins.width, bins.count), (0, 2, 70));
        let total: f64 = bins.shares(&summary).iter().sum();
        assert!((total - 0.9996).abs() < 1e-9);
    }

    #[test]
    fn few_scores_get_room_but_no_debts() {
        let bins = Bins::for_all(&[Summary::of(&[(2, 10)])]).unwrap();
        assert_eq!((bins.low, bins.width, bins.count), (0, 1, 6));
        assert!(Bins::for_all(&[Summary::of(&[])]).is_none());
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
