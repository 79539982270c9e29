//! Histograms of whole numbers of any range: exact in bins, which grow with the range.

use serde::{Deserialize, Serialize};

/// Most bins; a bin holds 1, 2, 4, … numbers, as few as this allows.
const BINS: i64 = 1024;

/// Games by number. It is the same in whatever order games are added and histograms merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// A bin holds 2 to the power of this numbers.
    shift: u32,
    /// The first bin: its numbers, by those of a bin.
    first: i64,
    pub games: Vec<u64>,
}

impl Histogram {
    /// The least number of the first bin, and the numbers in a bin.
    pub fn scale(&self) -> (i64, i64) {
        (self.first << self.shift, 1 << self.shift)
    }

    pub fn add(&mut self, numbers: &[i32]) {
        let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else {
            return;
        };
        self.reach(least.into(), most.into());
        for &number in numbers {
            self.games[((i64::from(number) >> self.shift) - self.first) as usize] += 1;
        }
    }

    pub fn merge(&mut self, other: &Histogram) {
        if other.games.is_empty() {
            return;
        }
        let (least, width) = other.scale();
        while self.shift < other.shift {
            self.coarsen();
        }
        self.reach(least, least + width * (other.games.len() as i64 - 1));
        for (at, games) in (0..).zip(&other.games) {
            let bin = ((least + at * width) >> self.shift) - self.first;
            self.games[bin as usize] += games;
        }
    }

    /// Makes room for these numbers.
    fn reach(&mut self, least: i64, most: i64) {
        loop {
            let (mut from, mut to) = (least >> self.shift, most >> self.shift);
            if !self.games.is_empty() {
                from = from.min(self.first);
                to = to.max(self.first + self.games.len() as i64 - 1);
            }
            if to - from < BINS {
                let before = if self.games.is_empty() {
                    0
                } else {
                    self.first - from
                };
                self.games.splice(..0, vec![0; before as usize]);
                self.games.resize((to - from + 1) as usize, 0);
                self.first = from;
                return;
            }
            self.coarsen();
        }
    }

    /// Makes bins twice as wide.
    fn coarsen(&mut self) {
        let fine = std::mem::take(&mut self.games);
        for (bin, games) in (self.first..).zip(fine) {
            let at = ((bin >> 1) - (self.first >> 1)) as usize;
            self.games.resize(at + 1, 0);
            self.games[at] += games;
        }
        self.first >>= 1;
        self.shift += 1;
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/simulation/histogram.rs"]
mod tests;
