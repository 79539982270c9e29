//! What each seat scores: all distributions as rows over one shared axis.
//!
//! Every row uses the same bins and the same vertical scale, so areas can be compared. Knows
//! exact histograms of whole scores, not where they come from.

use super::axes::{self, RowLabels, Scale};
use super::canvas::{Anchor, Canvas};
use super::score_bins::{Bins, DRAWN, Distribution, FEW, ceiling};
use super::theme::{self, DETAIL, LABEL, LEADING, Paper, RULE, WHITE};
use super::{Chart, ChartError, check_finite};
use crate::figure::{StackedBar, StackedBars};
use crate::numbers::{number, percent};

/// The score distributions of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoresChart {
    pub title: String,
    /// What a score counts, in the plural: "rubies".
    pub unit: String,
    /// One row each, drawn from top to bottom.
    pub seats: Vec<SeatScores>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SeatScores {
    /// The name of the bot, wrapped or shortened where it is long.
    pub label: String,
    /// The number of games that ended with each score, from 0 up.
    pub histogram: Vec<u64>,
    pub mean: f64,
}

impl Chart for ScoresChart {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for seat in &self.seats {
            check_finite(&format!("mean of `{}`", seat.label), [&seat.mean])?;
        }
        let histograms = self.seats.iter().map(|seat| &seat.histogram);
        let known: Vec<_> = histograms.map(|of| Distribution::of(of)).collect();
        let Some(bins) = Bins::for_all(&known) else {
            return Ok(None);
        };
        if bins.count() <= FEW && bins.width == 1 {
            return self.few(&bins, &known).canvas(played, paper);
        }
        let row = if paper.is_narrow() {
            84.0
        } else {
            (400.0 / self.seats.len() as f64).clamp(66.0, 130.0)
        };
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let style = LABEL.bold();
        let names = self.seats.iter().map(|seat| &seat.label);
        let labels = RowLabels::of(names, 2, (24.0, VALUE_WIDTH), paper);
        let right = if paper.is_narrow() {
            paper.across().1 - 6.0
        } else {
            paper.across().1 - VALUE_WIDTH - 18.0
        };
        // A bin of scores a..=b is drawn from a - 1/2 to b + 1/2.
        let ends = (bins.edges[0] as f64 - 0.5, bins.last() as f64 + 0.5);
        let scale = Scale::linear(ends, (labels.left, right));
        let heights: Vec<f64> = (self.seats.iter())
            .map(|seat| row + labels.above(&seat.label))
            .collect();
        let bottom = top + 4.0 + heights.iter().sum::<f64>();
        let title = format!("{} at the end of a game", self.unit);
        let ticks = scale.whole_ticks();
        let end = axes::x_axis(&mut canvas, &scale, &ticks, (top + 4.0, bottom), &title);
        let shares: Vec<_> = (known.iter())
            .map(|seat| bins.shares(seat.as_ref()))
            .collect();
        let ceiling = ceiling(&shares);
        let mut upper = top + 4.0;
        for (i, (seat, known)) in self.seats.iter().zip(&known).enumerate() {
            let ridge = Ridge {
                seat: i,
                bins: &bins,
                scale: &scale,
                base: upper + heights[i] - STRIP,
                rise: (row - STRIP - HEAD) / ceiling,
                ceiling,
            };
            ridge.draw(&mut canvas, &shares[i]);
            if let Some(known) = known {
                ridge.draw_strip(&mut canvas, known, seat.mean);
            }
            let name = style.in_ink(theme::seat_ink(i));
            labels.draw(&mut canvas, &seat.label, (upper, ridge.base - 6.0), name);
            let values = if paper.is_narrow() {
                upper + 13.0
            } else {
                ridge.base - LEADING
            };
            self.write_values(&mut canvas, (seat, known.as_ref()), values, ridge.base);
            let told = self.told(seat, known.as_ref());
            canvas.tell(
                (labels.left, ridge.base - row + STRIP),
                (right, ridge.base + STRIP),
                told,
            );
            upper += heights[i];
        }
        let remarks = self.remarks(&bins, &known);
        theme::end(&mut canvas, end, &remarks.each_ref().map(String::as_str));
        Ok(Some(canvas))
    }
}

/// Room below each shape for the percentile marks, and above the highest for a remark.
const STRIP: f64 = 20.0;
const HEAD: f64 = 18.0;
/// Room for the printed values at the right of a row.
const VALUE_WIDTH: f64 = 104.0;

impl ScoresChart {
    /// Where there are few scores, a bar each that is parted by them says more than a shape.
    fn few(&self, bins: &Bins, known: &[Option<Distribution>]) -> StackedBars {
        let row = |(seat, known): (&SeatScores, &Option<Distribution>)| StackedBar {
            label: format!("{} · mean {}", seat.label, number(seat.mean, 2)),
            parts: (bins.shares(known.as_ref()).iter())
                .map(|share| 100.0 * share)
                .collect(),
        };
        let more = known.iter().flatten().any(|seat| seat.ends.1 > bins.last());
        let left_out = if more {
            format!("; more than {} are very rare", bins.last())
        } else {
            String::new()
        };
        StackedBars {
            title: self.title.clone(),
            unit: format!(
                "percent of games with so many {} at the end{left_out}",
                self.unit
            ),
            parts: (bins.edges[..bins.count()].iter())
                .map(|score| match score {
                    0 => format!("0 {}", self.unit),
                    score => score.to_string(),
                })
                .collect(),
            ordered: true,
            rows: self.seats.iter().zip(known).map(row).collect(),
            decimals: 1,
            sums: false,
        }
    }

    fn remarks(&self, bins: &Bins, played: &[Option<Distribution>]) -> [String; 2] {
        let key = "Below each shape: thin line 5 to 95 % of games, thick line 25 to 75 %, \
                   gap the median, open dot the mean.";
        let mut shapes = match bins.width {
            1 => "Height: share of games with each score, on one scale for all rows.".to_string(),
            width => format!(
                "Height: share of games in steps of {width} {}, on one scale for all rows{}.",
                self.unit,
                if bins.edges[0] == 0 {
                    "; 0 stands alone"
                } else {
                    ""
                }
            ),
        };
        if played
            .iter()
            .flatten()
            .any(|seat| seat.ends.1 > bins.last())
        {
            let limit = number(bins.last() as f64, 0);
            shapes.push_str(&format!(
                " Scores above {limit} (at most {} of games) are not drawn.",
                percent(1.0 - DRAWN, 1)
            ));
        }
        [key.to_string(), shapes]
    }

    /// What a row says in words.
    fn told(&self, seat: &SeatScores, played: Option<&Distribution>) -> String {
        let Some(played) = played else {
            return format!("{}: no games", seat.label);
        };
        let [low, median, high] = [0.05, 0.5, 0.95].map(|part| played.quantile(part));
        format!(
            "{}: mean {}, median {median}, 5 to 95 % of games {low} to {high} {}",
            seat.label,
            number(seat.mean, 1),
            self.unit
        )
    }

    /// Writes mean and median: below each other beside a row, or on one line above it.
    fn write_values(
        &self,
        canvas: &mut Canvas,
        (seat, played): (&SeatScores, Option<&Distribution>),
        y: f64,
        base: f64,
    ) {
        let paper = canvas.paper();
        let (right, end) = (paper.across().1, Anchor::End);
        let Some(played) = played else {
            return canvas.text("no games", (right, y), DETAIL.held_at(end));
        };
        let mean = format!("mean {}", number(seat.mean, 1));
        canvas.text(&mean, (right, y), LABEL.bold().held_at(end));
        if !paper.is_narrow() {
            let median = format!("median {}", number(played.quantile(0.5) as f64, 0));
            canvas.text(&median, (right, base), DETAIL.held_at(end));
        }
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
        let edges = &self.bins.edges;
        let edge = |bin: usize| self.scale.place(edges[bin] as f64 - 0.5);
        let high = |bin: usize| self.rise * shares[bin].min(self.ceiling);
        let mut outline = vec![(edge(0), base)];
        for bin in 0..shares.len() {
            outline.extend([edge(bin), edge(bin + 1)].map(|x| (x, base - high(bin))));
        }
        outline.push((edge(shares.len()), base));
        for bin in (0..shares.len()).filter(|bin| shares[*bin] > 0.0) {
            let from = (edge(bin), base - high(bin));
            canvas.block(from, (edge(bin + 1), base), ink.pale(0.35));
        }
        canvas.stroke(&outline, 1.5, ink);
        canvas.level(self.scale.places, base, RULE);
        let cut = (0..shares.len()).find(|&bin| shares[bin] > 1.001 * self.ceiling);
        let Some(bin) = cut else { return };
        let (from, to) = (edge(bin), edge(bin + 1));
        let y = base - self.rise * self.ceiling;
        // A gap near the top shows that the bar goes on; how far is written on top of it.
        canvas.stroke(&[(from - 3.0, y + 11.0), (to + 3.0, y + 6.0)], 3.0, WHITE);
        let [score, last] = [edges[bin], edges[bin + 1] - 1].map(|at| number(at as f64, 0));
        let scores = if score == last {
            format!("at {score}")
        } else {
            format!("at {score} to {last}")
        };
        let text = format!("{} {scores}", percent(shares[bin], 0));
        let from = from.min(canvas.paper().across().1 - DETAIL.width(&text));
        canvas.block(
            (from - 2.0, y - 14.0),
            (from + DETAIL.width(&text) + 2.0, y - 2.0),
            WHITE,
        );
        canvas.text(&text, (from, y - 4.0), DETAIL);
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
}
