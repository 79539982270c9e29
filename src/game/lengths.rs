//! The figure that tells how long games last, in bars of equal width.

use crate::figure::Histogram;

/// How many games ended at each length, and how that is drawn.
pub struct Lengths<'a> {
    /// Games by length.
    pub ended: &'a [u64],
    /// The length that the first entry of `ended` stands for.
    pub first: usize,
    /// Number of games.
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
        let start = ended.iter().position(|games| *games > 0).unwrap_or(0);
        let (mut end, mut seen) = (start, 0);
        while end < ended.len() && (seen as f64) < self.drawn * self.games as f64 {
            seen += ended[end];
            end += 1;
        }
        let width = (end - start).div_ceil(self.bars).max(1);
        let (mut labels, mut shares) = (Vec::new(), Vec::new());
        let mut shown = start;
        while shown < end {
            let low = shown + self.first;
            let last = shown + width >= end && self.last_holds_all;
            let until = match last {
                true => ended.len(),
                false => (shown + width).min(ended.len()),
            };
            labels.push(match width {
                _ if last => format!("{low}+"),
                1 => format!("{low}"),
                _ => format!("{low}–{}", until + self.first - 1),
            });
            let games: u64 = ended[shown..until].iter().sum();
            shares.push(games as f64 / self.games.max(1) as f64);
            shown = until;
        }
        let figure = Histogram {
            title: "How long games last".to_string(),
            subtitle: String::new(),
            x_title: x_title.to_string(),
            y_title: "share of games".to_string(),
            labels,
            shares,
            reference: None,
            note: String::new(),
        };
        (figure, ended[shown..].iter().sum())
    }
}
