//! What each seat scores: all distributions as rows over one shared axis.
//!
//! Every row uses the same bins and the same vertical scale, so areas can be compared. Knows
//! exact histograms of whole scores, not where they come from.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::wrap;
use super::score_bins::{Bins, DRAWN, Distribution, ceiling};
use super::theme::{
    self, BLACK, DETAIL, LABEL, LABEL_WIDTH, LEADING, MARGIN, RULE, TICK, WHITE, WIDTH,
};
use super::{Chart, ChartError, check_finite};
use crate::numbers::{number, percent};

/// The score distributions of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoresChart {
    /// The headline.
    pub title: String,
    /// What a score counts, in the plural: "rubies".
    pub unit: String,
    /// One row each, drawn from top to bottom.
    pub seats: Vec<SeatScores>,
}

/// The scores of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatScores {
    /// The name of the bot, wrapped or shortened where it is long.
    pub label: String,
    /// The number of games that ended with each score, from 0 up.
    pub histogram: Vec<u64>,
    /// The mean score.
    pub mean: f64,
}

impl Chart for ScoresChart {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for seat in &self.seats {
            check_finite(&format!("mean of `{}`", seat.label), [&seat.mean])?;
        }
        let rows = self.seats.len().max(1) as f64;
        let row = (400.0 / rows).clamp(66.0, 130.0);
        let height = row * rows + 4.0 + 100.0;
        let histograms = self.seats.iter().map(|seat| &seat.histogram);
        let known: Vec<_> = histograms.map(|of| Distribution::of(of)).collect();
        let Some(bins) = Bins::for_all(&known) else {
            return theme::blank(&self.title, played, height, "no games to show");
        };
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let scale = self.scale(&bins);
        let span = (top + 4.0, top + 4.0 + row * rows);
        axes::x_axis(&mut canvas, &scale, &scale.whole_ticks(8), span, "");
        // The axis may be shorter than its title.
        let title = format!("{} at the end of a game", self.unit);
        canvas.text(&title, (scale.places.0, span.1 + 36.0), TICK);
        let heights: Vec<_> = (known.iter())
            .map(|seat| bins.shares(seat.as_ref()))
            .collect();
        let ceiling = ceiling(&heights);
        for (i, (seat, known)) in self.seats.iter().zip(&known).enumerate() {
            let ridge = Ridge {
                seat: i,
                bins: &bins,
                scale: &scale,
                base: span.0 + (i + 1) as f64 * row - STRIP,
                rise: (row - STRIP - 8.0) / ceiling,
                ceiling,
            };
            ridge.draw(&mut canvas, &heights[i]);
            if let Some(known) = known {
                ridge.draw_strip(&mut canvas, known, seat.mean);
            }
            ridge.draw_texts(&mut canvas, seat, known.as_ref());
        }
        theme::notes(&mut canvas, &self.remarks(&bins, &known));
        Ok(canvas)
    }
}

/// Room below each shape for the percentile marks.
const STRIP: f64 = 20.0;
/// Room for the printed values at the right of a row.
const VALUE_WIDTH: f64 = 104.0;
/// Widest bin.
const WIDEST: f64 = 220.0;
/// Bins at least so wide have their share written in them.
const ROOMY: f64 = 52.0;

impl ScoresChart {
    fn scale(&self, bins: &Bins) -> Scale {
        let left = axes::rows_left(self.seats.iter().map(|seat| &seat.label), 24.0);
        let right = WIDTH - MARGIN - VALUE_WIDTH - 18.0;
        let places = (left, right.min(left + WIDEST * bins.count as f64));
        let end = bins.low + bins.width * bins.count;
        // A bin of scores a..=b is drawn from a - 1/2 to b + 1/2.
        Scale::linear((bins.low as f64 - 0.5, end as f64 - 0.5), places)
    }

    fn remarks(&self, bins: &Bins, played: &[Option<Distribution>]) -> Vec<String> {
        let key = "Below each shape: thin line 5 to 95 % of games, thick line 25 to 75 %, \
                   gap the median, open dot the mean.";
        let mut shapes = match bins.width {
            1 => "Height: share of games with each score, on one scale for all rows.".to_string(),
            width => format!(
                "Height: share of games in steps of {width} {}, on one scale for all rows.",
                self.unit
            ),
        };
        let last = bins.low + bins.width * bins.count - 1;
        if played.iter().flatten().any(|seat| seat.ends.1 > last) {
            let limit = number(last as f64, 0);
            shapes.push_str(&format!(
                " Scores above {limit} (at most {} of games) are not drawn.",
                percent(1.0 - DRAWN, 1)
            ));
        }
        vec![key.to_string(), shapes]
    }
}

/// The place and size of one shape.
struct Ridge<'a> {
    seat: usize,
    bins: &'a Bins,
    scale: &'a Scale,
    base: f64,
    /// Logical pixels per share of one.
    rise: f64,
    ceiling: f64,
}

impl Ridge<'_> {
    fn draw(&self, canvas: &mut Canvas, shares: &[f64]) {
        let (ink, base) = (theme::seat_ink(self.seat), self.base);
        let first = |bin: usize| self.bins.low + self.bins.width * bin as i64;
        let edge = |bin: usize| self.scale.place(first(bin) as f64 - 0.5);
        let high = |bin: usize| self.rise * shares[bin].min(self.ceiling);
        let filled = || (0..shares.len()).filter(|bin| shares[*bin] > 0.0);
        let mut outline = vec![(edge(0), base)];
        for bin in 0..shares.len() {
            outline.extend([edge(bin), edge(bin + 1)].map(|x| (x, base - high(bin))));
        }
        outline.push((edge(shares.len()), base));
        for bin in filled() {
            let from = (edge(bin), base - high(bin));
            canvas.block(from, (edge(bin + 1), base), ink.pale(0.35));
        }
        canvas.stroke(&outline, 1.5, ink);
        canvas.level(self.scale.places, base, RULE);
        let roomy = edge(1) - edge(0) >= ROOMY;
        for bin in filled().filter(|_| roomy) {
            let high = high(bin);
            let lift = if high > 24.0 { high - 15.0 } else { high + 5.0 };
            let at = ((edge(bin) + edge(bin + 1)) / 2.0, base - lift);
            let style = DETAIL.in_ink(BLACK).held_at(Anchor::Middle);
            canvas.text(&percent(shares[bin], 1), at, style);
        }
        let cut = (0..shares.len()).find(|&bin| shares[bin] > 1.001 * self.ceiling);
        let Some(bin) = cut else { return };
        let (from, to) = (edge(bin), edge(bin + 1));
        let y = base - self.rise * self.ceiling;
        // A gap near the top shows that the bar goes on.
        canvas.stroke(&[(from - 3.0, y + 11.0), (to + 3.0, y + 6.0)], 3.0, WHITE);
        if roomy {
            return;
        }
        let [score, last] = [first(bin), first(bin + 1) - 1].map(|at| number(at as f64, 0));
        let scores = match self.bins.width {
            1 => format!("at {score}"),
            _ => format!("at {score} to {last}"),
        };
        let text = format!("{} {scores}", percent(shares[bin], 0));
        // Beside the bar, or farther on, where no other bar is in the way.
        let room = DETAIL.width(&text) + 8.0;
        let free = |start: &usize| {
            let mut below = (*start..shares.len()).take_while(|at| edge(*at) < edge(*start) + room);
            below.all(|at| self.rise * shares[at] < base - y - 14.0)
        };
        let start = (bin + 1..shares.len()).find(free).unwrap_or(bin + 1);
        canvas.text(&text, (edge(start) + 6.0, y + 9.0), DETAIL);
    }

    /// Draws the percentiles and the mean below the base line.
    fn draw_strip(&self, canvas: &mut Canvas, seat: &Distribution, mean: f64) {
        let (ink, y) = (theme::seat_ink(self.seat), self.base + 8.0);
        let (left, right) = self.scale.places;
        let place = |score: f64| self.scale.place(score).clamp(left, right);
        let marks = [0.05, 0.25, 0.5, 0.75, 0.95];
        let [p5, p25, p50, p75, p95] = marks.map(|part| place(seat.quantile(part) as f64));
        canvas.block((p5 - 1.0, y - 1.0), (p95 + 1.0, y + 1.0), ink);
        canvas.block((p25 - 2.0, y - 4.0), (p75 + 2.0, y + 4.0), ink);
        canvas.block((p50 - 1.25, y - 4.0), (p50 + 1.25, y + 4.0), WHITE);
        canvas.disc((place(mean), y), 4.75, ink);
        canvas.disc((place(mean), y), 3.25, WHITE);
    }

    /// Writes the name at the left, mean and median at the right.
    fn draw_texts(&self, canvas: &mut Canvas, seat: &SeatScores, played: Option<&Distribution>) {
        let (left, right) = (self.scale.places.0 - 14.0, WIDTH - MARGIN);
        let style = LABEL.bold().held_at(Anchor::End);
        let name = style.in_ink(theme::seat_ink(self.seat));
        let lines = wrap(&seat.label, &name, LABEL_WIDTH, 2);
        for (i, line) in lines.iter().rev().enumerate() {
            canvas.text(line, (left, self.base - LEADING * i as f64), name);
        }
        let detail = match played {
            None => "no games".to_string(),
            Some(played) => {
                let mean = format!("mean {}", number(seat.mean, 1));
                canvas.text(&mean, (right, self.base - LEADING), style);
                format!("median {}", number(played.quantile(0.5) as f64, 0))
            }
        };
        let style = DETAIL.held_at(Anchor::End);
        canvas.text(&detail, (right, self.base), style);
    }
}
