//! The figure that tells how long games last, in bars of equal width.

use crate::figure::Histogram;

/// The first bar begins where so large a share of the games has ended.
const RARE: f64 = 0.001;

fn median(ended: &[u64]) -> usize {
    let all: u64 = ended.iter().sum();
    let mut seen = 0;
    let reached = |games: &u64| {
        seen += games;
        2 * seen >= all
    };
    ended.iter().position(reached).unwrap_or(0)
}

pub struct Lengths<'a> {
    pub ended: &'a [u64],
    /// The length that the first entry of `ended` stands for.
    pub first: usize,
    pub games: u64,
    /// The share of the games, the shortest, for which bars are drawn.
    pub drawn: f64,
    /// Most bars; when there are more lengths, several share a bar.
    pub bars: usize,
    /// Whether the last bar holds all longer games, or they are left out.
    pub last_holds_all: bool,
}

impl Lengths<'_> {
    /// The figure, and the games that are longer than it shows. `x_title` says what lengths are.
    pub fn histogram(&self, x_title: &str) -> (Histogram, u64) {
        let ended = self.ended;
        // So few games are shorter than the first bar that it holds them, too.
        let mut few = 0;
        let common = |games: &u64| {
            few += games;
            few as f64 > RARE * self.games as f64
        };
        let start = ended.iter().position(common).unwrap_or(0);
        let shorter: u64 = ended[..start].iter().sum();
        let (mut end, mut seen) = (start, shorter);
        while end < ended.len() && (seen as f64) < self.drawn * self.games as f64 {
            seen += ended[end];
            end += 1;
        }
        let width = (end - start).div_ceil(self.bars).max(1);
        let middle = median(ended);
        let (mut labels, mut shares, mut marked) = (Vec::new(), Vec::new(), None);
        let mut shown = start;
        while shown < end {
            let low = shown + self.first;
            let last = shown + width >= end && self.last_holds_all;
            let until = if last {
                ended.len()
            } else {
                (shown + width).min(ended.len())
            };
            let first = shown == start && shorter > 0;
            labels.push(match width {
                _ if first => format!("≤{}", until + self.first - 1),
                _ if last => format!("{low}+"),
                1 => format!("{low}"),
                _ => format!("{low}–{}", until + self.first - 1),
            });
            let from = if first { 0 } else { shown };
            let games: u64 = ended[from..until].iter().sum();
            if marked.is_none() && middle < until {
                marked = Some((shares.len(), format!("median {}", middle + self.first)));
            }
            shares.push(games as f64 / self.games.max(1) as f64);
            shown = until;
        }
        let figure = Histogram {
            title: "How long games last".to_string(),
            x_title: x_title.to_string(),
            y_title: "Share of games".to_string(),
            labels,
            shares,
            median: marked,
            note: String::new(),
        };
        (figure, ended[shown..].iter().sum())
    }
}
