//! Distributions of whole numbers as rows over one axis: a shape each, with percentiles below it.
//!
//! All rows have the same bins and the same vertical scale, so areas can be compared.

use super::axes::{self, RowLabels, Scale};
use super::canvas::{Anchor, Canvas};
use super::density_bins::{Bins, DRAWN, Distribution, FEW, ceiling};
use super::theme::{self, DETAIL, LABEL, LEADING, Paper, RULE, WHITE};
use super::{Chart, ChartError};
use crate::figure::{Bar, Bars, Density, DensityRow};
use crate::numbers::{number, percent};

/// Height of the percentile marks below a shape, and of a remark above the highest.
const STRIP: f64 = 20.0;
const HEAD: f64 = 18.0;
/// Width of the printed values at the right of a row.
const VALUE_WIDTH: f64 = 104.0;
/// Height of all rows together, and of each at least and at most.
const HEIGHT: f64 = 400.0;
const ROW_HEIGHT: (f64, f64) = (66.0, 130.0);
const KEY: &str = "Below each shape: thin line 5 to 95 % of games, thick line 25 to 75 %, gap the \
                   median, open dot the mean.";

impl Chart for Density {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let known: Vec<Option<Distribution>> = (self.rows.iter())
            .map(|row| Distribution::of(&row.games))
            .collect();
        let Some(bins) = Bins::for_all(&known) else {
            return Ok(None);
        };
        if bins.count() <= FEW && bins.width == 1 {
            return self.few(&bins, &known).canvas(played, paper);
        }
        let (least, most) = ROW_HEIGHT;
        let (mut height, mut right) = (
            (HEIGHT / self.rows.len() as f64).clamp(least, most),
            paper.across().1 - VALUE_WIDTH - 18.0,
        );
        if paper.is_narrow() {
            (height, right) = (84.0, paper.across().1 - 6.0);
        }
        if self.rows.len() == 1 {
            height = 2.0 * most;
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let names = self.rows.iter().map(|row| &row.label);
        let labels = RowLabels::of(names, 2, 24.0, VALUE_WIDTH, paper);
        let mut upper = top + 4.0;
        let above = self.rows.iter().map(|row| labels.above(&row.label));
        let bottom = upper + height * self.rows.len() as f64 + above.sum::<f64>();
        // A bin of numbers a..=b is drawn from a - 1/2 to b + 1/2.
        let ends = (bins.edges[0] as f64 - 0.5, bins.last() as f64 + 0.5);
        let scale = Scale::linear(ends, (labels.left, right));
        let ticks = scale.whole_ticks();
        let end = axes::x_axis(&mut canvas, &scale, &ticks, (upper, bottom), &self.axis);
        let shares: Vec<Vec<f64>> = known.iter().map(|row| bins.shares(row.as_ref())).collect();
        let ceiling = ceiling(&shares);
        for (seat, row) in self.rows.iter().enumerate() {
            let shape = Shape {
                seat,
                bins: &bins,
                scale: &scale,
                base: upper + labels.above(&row.label) + height - STRIP,
                rise: (height - STRIP - HEAD) / ceiling,
                ceiling,
            };
            shape.draw(&mut canvas, &shares[seat]);
            let style = LABEL.bold().in_ink(theme::seat_ink(seat));
            labels.draw(&mut canvas, &row.label, upper, shape.base - 6.0, style);
            if let Some(known) = &known[seat] {
                shape.draw_strip(&mut canvas, known);
            }
            write_values(&mut canvas, known[seat].as_ref(), upper, shape.base);
            let corner = (labels.left, shape.base - height + STRIP);
            let text = self.described(row, known[seat].as_ref());
            canvas.tell(corner, (right, shape.base + STRIP), text);
            upper = shape.base + STRIP;
        }
        theme::end(
            &mut canvas,
            end,
            &[KEY, &self.remark(&bins, &known), &self.note],
        );
        Ok(Some(canvas))
    }
}

impl Density {
    /// Bars with a part for each number, which show a few numbers better than shapes.
    fn few(&self, bins: &Bins, known: &[Option<Distribution>]) -> Bars {
        let mut rows = Vec::new();
        for (row, known) in self.rows.iter().zip(known) {
            let mean = known.as_ref().map_or(0.0, Distribution::mean);
            let shares = bins.shares(known.as_ref());
            rows.push(Bar {
                label: format!("{} · mean {}", row.label, number(mean, 2)),
                parts: shares.iter().map(|share| 100.0 * share).collect(),
            });
        }
        let mut unit = format!("percent of games, by {}", self.axis);
        if is_cut(bins, known) {
            unit += &format!("; more than {} are very rare", bins.last());
        }
        let mut parts: Vec<String> = (bins.edges[..bins.count()].iter())
            .map(|number| number.to_string())
            .collect();
        if parts[0] == "0" {
            parts[0] = format!("0 {}", self.unit);
        }
        Bars {
            title: self.title.clone(),
            unit,
            parts,
            ordered: true,
            rows,
            decimals: 1,
        }
    }

    /// What the height of the shapes shows, and what is left out.
    fn remark(&self, bins: &Bins, known: &[Option<Distribution>]) -> String {
        let mut remark = "Height: share of games".to_string();
        if bins.width > 1 {
            remark += &format!(" in steps of {} {}", bins.width, self.unit);
        }
        if self.rows.len() > 1 {
            remark += ", on one scale for all rows";
        }
        if bins.width > 1 && bins.edges[0] == 0 {
            remark += "; 0 has a bar of its own";
        }
        if is_cut(bins, known) {
            let limit = number(bins.last() as f64, 0);
            let most = percent(1.0 - DRAWN, 1);
            remark += &format!(
                "; {} above {limit} (at most {most} of games) are not drawn",
                self.unit
            );
        }
        remark + "."
    }

    fn described(&self, row: &DensityRow, known: Option<&Distribution>) -> String {
        let Some(known) = known else {
            return format!("{}: no games", row.label);
        };
        let [low, median, high] = [0.05, 0.5, 0.95].map(|part| known.quantile(part));
        let mean = number(known.mean(), 1);
        let ends = format!("5 to 95 % of games {low} to {high} {}", self.unit);
        format!("{}: mean {mean}, median {median}, {ends}", row.label)
    }
}

/// Writes mean and median beside a row that begins at `top` and stands on `base`; on narrow paper
/// the mean alone, above it.
fn write_values(canvas: &mut Canvas, known: Option<&Distribution>, top: f64, base: f64) {
    let paper = canvas.paper();
    let (right, end) = (paper.across().1, Anchor::End);
    let y = if paper.is_narrow() {
        top + 13.0
    } else {
        base - LEADING
    };
    let Some(known) = known else {
        return canvas.text("no games", (right, y), DETAIL.held_at(end));
    };
    let mean = format!("mean {}", number(known.mean(), 1));
    let median = format!("median {}", number(known.quantile(0.5) as f64, 0));
    canvas.text(&mean, (right, y), LABEL.bold().held_at(end));
    if !paper.is_narrow() {
        canvas.text(&median, (right, base), DETAIL.held_at(end));
    }
}

/// Whether some numbers are beyond the last bin.
fn is_cut(bins: &Bins, known: &[Option<Distribution>]) -> bool {
    known.iter().flatten().any(|row| row.ends.1 > bins.last())
}

/// The place and size of one shape.
struct Shape<'a> {
    seat: usize,
    bins: &'a Bins,
    scale: &'a Scale,
    /// Height of its base line on the page.
    base: f64,
    /// Logical pixels per share of one.
    rise: f64,
    /// The share at which it is cut off.
    ceiling: f64,
}

impl Shape<'_> {
    fn draw(&self, canvas: &mut Canvas, shares: &[f64]) {
        let (ink, base) = (theme::seat_ink(self.seat), self.base);
        let mut outline = vec![(self.edge(0), base)];
        for (bin, share) in shares.iter().enumerate() {
            let (from, to) = (self.edge(bin), self.edge(bin + 1));
            let top = base - self.rise * share.min(self.ceiling);
            outline.extend([(from, top), (to, top)]);
            if *share > 0.0 {
                canvas.block((from, top), (to, base), ink.pale(0.35));
            }
        }
        outline.push((self.edge(shares.len()), base));
        canvas.stroke(&outline, 1.5, ink);
        canvas.level(self.scale.places, base, RULE);
        let cut = shares
            .iter()
            .position(|share| *share > 1.001 * self.ceiling);
        if let Some(bin) = cut {
            self.mark_cut(canvas, bin, shares[bin]);
        }
    }

    /// The left edge of a bin.
    fn edge(&self, bin: usize) -> f64 {
        self.scale.place(self.bins.edges[bin] as f64 - 0.5)
    }

    /// A gap near the top of a bin that is cut off, with its share above it.
    fn mark_cut(&self, canvas: &mut Canvas, bin: usize, share: f64) {
        let (from, to) = (self.edge(bin), self.edge(bin + 1));
        let y = self.base - self.rise * self.ceiling;
        canvas.stroke(&[(from - 3.0, y + 11.0), (to + 3.0, y + 6.0)], 3.0, WHITE);
        let (first, last) = (self.bins.edges[bin], self.bins.edges[bin + 1] - 1);
        let mut text = format!("{} at {}", percent(share, 0), number(first as f64, 0));
        if last > first {
            text += &format!(" to {}", number(last as f64, 0));
        }
        let width = DETAIL.width(&text);
        let from = from.min(canvas.paper().across().1 - width);
        canvas.block((from - 2.0, y - 14.0), (from + width + 2.0, y - 2.0), WHITE);
        canvas.text(&text, (from, y - 4.0), DETAIL);
    }

    /// Draws the percentiles and the mean below the base line.
    fn draw_strip(&self, canvas: &mut Canvas, row: &Distribution) {
        let (ink, y) = (theme::seat_ink(self.seat), self.base + 8.0);
        let (left, right) = self.scale.places;
        let place = |number: f64| self.scale.place(number).clamp(left, right);
        let marks = [0.05, 0.25, 0.5, 0.75, 0.95];
        let [p5, p25, p50, p75, p95] = marks.map(|part| place(row.quantile(part) as f64));
        canvas.block((p5 - 1.0, y - 1.0), (p95 + 1.0, y + 1.0), ink);
        canvas.block((p25 - 2.0, y - 4.0), (p75 + 2.0, y + 4.0), ink);
        canvas.block((p50 - 1.25, y - 4.0), (p50 + 1.25, y + 4.0), WHITE);
        canvas.disc((place(row.mean()), y), 4.75, ink);
        canvas.disc((place(row.mean()), y), 3.25, WHITE);
    }
}
