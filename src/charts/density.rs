//! Distributions of whole numbers as rows over one axis: a shape each, with percentiles below it.
//!
//! All rows have the same bins and the same vertical scale, so areas can be compared.

use super::axes::{RowLabels, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, DETAIL, LABEL, LEADING, Paper, RULE, WHITE};
use super::{Chart, ChartError};
use carat_core::figure::{Bar, Bars, Density, DensityRow};
use carat_core::numbers::{decimals_for, number, percent};
use carat_core::statistics::quantile;

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
        let Some(bins) = Bins::for_all(&self.rows) else {
            return Ok(None);
        };
        if bins.count() <= FEW && bins.width == 1 {
            return bars_of_few(self, &bins).canvas(played, paper);
        }
        let (least, most) = ROW_HEIGHT;
        let right = paper.across().1 - paper.pick(6.0, VALUE_WIDTH + 18.0);
        let height = match self.rows.len() {
            1 => 2.0 * most,
            rows => paper.pick(84.0, (HEIGHT / rows as f64).clamp(least, most)),
        };
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let names = self.rows.iter().map(|row| &row.label);
        let labels = RowLabels::of(names, 2, 24.0, VALUE_WIDTH, paper);
        let mut upper = top + 4.0;
        let above = self.rows.iter().map(|row| labels.above(&row.label));
        let bottom = upper + height * self.rows.len() as f64 + above.sum::<f64>();
        // A bin of numbers a..=b is drawn from a - 1/2 to b + 1/2.
        let ends = [bins.edges[0] as f64 - 0.5, bins.last() as f64 + 0.5];
        let ends = (self.value(ends[0]), self.value(ends[1]));
        let scale = Scale::linear(ends, (labels.left, right)).reaching(paper.reach[0]);
        canvas.reach[0] = Some(scale.values);
        let ticks = match self.scale {
            None => scale.whole_ticks(),
            Some(_) => scale.ticks(false),
        };
        let end = scale.draw(&mut canvas, &ticks, (upper, bottom), &self.axis);
        let shares = self.rows.iter().map(|row| bins.shares(&row.games));
        let shares: Vec<Vec<f64>> = shares.collect();
        let ceiling = ceiling(&shares);
        for (seat, row) in self.rows.iter().enumerate() {
            let shape = Shape {
                chart: self,
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
            if has_games(row) {
                shape.draw_strip(&mut canvas, &row.games);
            }
            write_values(&mut canvas, self, row, upper, shape.base);
            let corner = (labels.left, shape.base - height + STRIP);
            let text = describe_row(self, row);
            canvas.tooltip(corner, (right, shape.base + STRIP), text);
            upper = shape.base + STRIP;
        }
        let remark = remark_on(self, &bins);
        theme::end(&mut canvas, end, &[KEY, &remark, &self.note]);
        Ok(Some(canvas))
    }
}

/// Bars with a part for each number, which show a few numbers better than shapes.
fn bars_of_few(chart: &Density, bins: &Bins) -> Bars {
    let rows = chart.rows.iter().map(|row| Bar {
        label: format!(
            "{} · mean {}",
            row.label,
            number(chart.value(mean(&row.games)), 2)
        ),
        parts: (bins.shares(&row.games).into_iter())
            .map(|share| 100.0 * share)
            .collect(),
    });
    let mut unit = format!("percent of games, by {}", chart.axis);
    if is_cut(chart, bins) {
        let most = text_of(chart, bins.last() as f64);
        unit += &format!("; more than {most} are very rare");
    }
    let numbers = bins.edges[..bins.count()].iter();
    let mut parts: Vec<String> = numbers.map(|at| text_of(chart, *at as f64)).collect();
    if parts[0] == "0" {
        parts[0] = format!("0 {}", chart.unit);
    }
    Bars {
        title: chart.title.clone(),
        unit,
        parts,
        ordered: true,
        rows: rows.collect(),
        decimals: 1,
    }
}

/// What a number stands for, as text: its bins are one apart unless the chart has a scale.
fn text_of(chart: &Density, at: f64) -> String {
    let decimals = chart.scale.map_or(0, |(_, step)| decimals_for(step).min(2));
    number(chart.value(at), decimals)
}

/// What the height of the shapes shows, and what is left out.
fn remark_on(chart: &Density, bins: &Bins) -> String {
    let mut remark = "Height: share of games".to_string();
    if bins.width > 1 {
        let step = match chart.scale {
            None => bins.width.to_string(),
            Some((_, step)) => number(step * bins.width as f64, decimals_for(step).min(2)),
        };
        remark += &format!(" in steps of {step} {}", chart.unit);
    }
    if chart.rows.len() > 1 {
        remark += ", on one scale for all rows";
    }
    if bins.width > 1 && bins.edges[0] == 0 {
        remark += "; 0 has its own bar";
    }
    if is_cut(chart, bins) {
        let (unit, limit) = (&chart.unit, text_of(chart, bins.last() as f64));
        let rows = chart.rows.iter();
        let beyond = rows.map(|row| 1.0 - bins.shares(&row.games).iter().sum::<f64>());
        let most = percent(beyond.fold(0.0, f64::max), 1);
        let at_most = if chart.rows.len() > 1 { "at most " } else { "" };
        remark += &format!("; {unit} above {limit} ({at_most}{most} of games) are not drawn");
    }
    remark + "."
}

fn describe_row(chart: &Density, row: &DensityRow) -> String {
    if !has_games(row) {
        return format!("{}: no games", row.label);
    }
    let [low, median, high] = [0.05, 0.5, 0.95].map(|part| {
        let at = quantile(&row.games, part) as f64;
        text_of(chart, at)
    });
    let mean = number(chart.value(mean(&row.games)), 1);
    let ends = format!("5 to 95 % of games {low} to {high} {}", chart.unit);
    format!("{}: mean {mean}, median {median}, {ends}", row.label)
}

/// Whether some numbers are beyond the last bin.
fn is_cut(chart: &Density, bins: &Bins) -> bool {
    let mut games = chart.rows.iter().flat_map(|row| (0..).zip(&row.games));
    games.any(|(score, games)| score > bins.last() && *games > 0)
}

/// Writes mean and median beside a row that begins at `top` and stands on `base`; on narrow paper
/// the mean alone, above it.
fn write_values(canvas: &mut Canvas, chart: &Density, row: &DensityRow, top: f64, base: f64) {
    let paper = canvas.paper();
    let (right, end) = (paper.across().1, Anchor::End);
    let y = paper.pick(top + 13.0, base - LEADING);
    if !has_games(row) {
        return canvas.text("no games", (right, y), DETAIL.held_at(end));
    }
    let mean = format!("mean {}", number(chart.value(mean(&row.games)), 1));
    let median = text_of(chart, quantile(&row.games, 0.5) as f64);
    let median = format!("median {median}");
    canvas.text(&mean, (right, y), LABEL.bold().held_at(end));
    if !paper.is_narrow() {
        canvas.text(&median, (right, base), DETAIL.held_at(end));
    }
}

/// The place and size of one shape.
struct Shape<'a> {
    chart: &'a Density,
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
        let is_cut = |share: &f64| *share > 1.001 * self.ceiling;
        if let Some(bin) = shares.iter().position(is_cut) {
            self.mark_cut(canvas, bin, shares[bin]);
        }
    }

    fn edge(&self, bin: usize) -> f64 {
        let edge = self.bins.edges[bin] as f64 - 0.5;
        self.scale.place(self.chart.value(edge))
    }

    /// A gap near the top of a bin that is cut off, with its share above it.
    fn mark_cut(&self, canvas: &mut Canvas, bin: usize, share: f64) {
        let (from, to) = (self.edge(bin), self.edge(bin + 1));
        let y = self.base - self.rise * self.ceiling;
        canvas.stroke(&[(from - 3.0, y + 11.0), (to + 3.0, y + 6.0)], 3.0, WHITE);
        let (first, last) = (self.bins.edges[bin], self.bins.edges[bin + 1] - 1);
        let at = |number: i64| text_of(self.chart, number as f64);
        let mut text = format!("{} at {}", percent(share, 0), at(first));
        if last > first {
            text += &format!(" to {}", at(last));
        }
        let width = DETAIL.width(&text);
        let from = from.min(canvas.paper().across().1 - width);
        canvas.block((from - 2.0, y - 14.0), (from + width + 2.0, y - 2.0), WHITE);
        canvas.text(&text, (from, y - 4.0), DETAIL);
    }

    /// Draws the percentiles and the mean below the base line.
    fn draw_strip(&self, canvas: &mut Canvas, row: &[u64]) {
        let (ink, y) = (theme::seat_ink(self.seat), self.base + 8.0);
        let (left, right) = self.scale.places;
        let place = |number: f64| {
            self.scale
                .place(self.chart.value(number))
                .clamp(left, right)
        };
        let marks = [0.05, 0.25, 0.5, 0.75, 0.95];
        let [p5, p25, p50, p75, p95] = marks.map(|part| place(quantile(row, part) as f64));
        canvas.block((p5 - 1.0, y - 1.0), (p95 + 1.0, y + 1.0), ink);
        canvas.block((p25 - 2.0, y - 4.0), (p75 + 2.0, y + 4.0), ink);
        canvas.block((p50 - 1.25, y - 4.0), (p50 + 1.25, y + 4.0), WHITE);
        canvas.disc((place(mean(row)), y), 4.75, ink);
        canvas.disc((place(mean(row)), y), 3.25, WHITE);
    }
}

fn has_games(row: &DensityRow) -> bool {
    row.games.iter().any(|games| *games > 0)
}

/// The mean number of a histogram; 0 without games.
fn mean(histogram: &[u64]) -> f64 {
    let games: u64 = histogram.iter().sum();
    let sum: u64 = (0..).zip(histogram).map(|(score, n)| score * n).sum();
    sum as f64 / games.max(1) as f64
}

/// About as many bins are made.
const BINS: i64 = 70;
/// So few bins are seen beside any peak.
const FEW: usize = 6;
/// The share of each seat's games that the bins hold; the thin rest is not drawn.
const DRAWN: f64 = 0.995;
/// Less than that where it halves the axis.
const THIN: [f64; 3] = [0.98, 0.95, 0.9];

/// Bins of scores, one after the other. Where a bin holds several scores, 0 has one of its own: to
/// come home with nothing is something else than to come home with little.
struct Bins {
    /// The lowest score of each bin, and the one after the highest.
    edges: Vec<i64>,
    /// Scores per bin, at least 1.
    width: i64,
}

impl Bins {
    /// From the lowest score of all until [`DRAWN`] of the games of every seat are in, or fewer
    /// where the rest lies far away; nothing without games.
    fn for_all(rows: &[DensityRow]) -> Option<Bins> {
        let games = || rows.iter().map(|row| &row.games);
        let lows = games().filter_map(|games| games.iter().position(|games| *games > 0));
        let low = lows.min()? as i64;
        let end = |part| games().map(|games| quantile(games, part)).max();
        let mut high = end(DRAWN)? as i64;
        // A few very large numbers would leave little room for all others.
        for part in THIN {
            let ends = end(part)? as i64;
            if 2 * (ends - low) < high - low {
                high = ends;
            }
        }
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

    fn count(&self) -> usize {
        self.edges.len() - 1
    }

    /// The highest score in a bin.
    fn last(&self) -> i64 {
        self.edges[self.count()] - 1
    }

    /// The share of games in each bin; all zero for a seat without games.
    fn shares(&self, histogram: &[u64]) -> Vec<f64> {
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
fn ceiling(rows: &[Vec<f64>]) -> f64 {
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
#[path = "../../tests/unit/charts/density.rs"]
mod tests;
