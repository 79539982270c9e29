//! Scales, ticks and grids: from a value to a place on the page.
//!
//! Uses the theme's colours, and no knowledge of the data.

use super::canvas::{Anchor, Canvas, Spot, Style};
use super::labels::{widest, wrap};
use super::theme::{
    GRID, LABEL, LABEL_WIDTH, LEADING, Paper, RULE, TICK, WHITE, centred, paragraph_at,
};
use carat_core::numbers::{decimals_for, number};

/// A straight or logarithmic mapping of values to places on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The values at both ends.
    pub values: (f64, f64),
    /// The places of these ends in logical pixels; a vertical axis starts with the lower end.
    pub places: (f64, f64),
    /// Whether equal distances are equal ratios; values must then be above zero.
    pub logarithmic: bool,
}

impl Scale {
    pub fn linear(values: (f64, f64), places: (f64, f64)) -> Scale {
        Scale {
            values,
            places,
            logarithmic: false,
        }
    }

    /// The same places for values that span at least these, too.
    pub fn reaching(mut self, least: Option<(f64, f64)>) -> Scale {
        if let Some((from, to)) = least {
            self.values = bounds([self.values.0, self.values.1, from, to]);
        }
        self
    }

    /// The place of `value`, extrapolated beyond the ends.
    pub fn place(&self, value: f64) -> f64 {
        let grade = |x: f64| if self.logarithmic { x.ln() } else { x };
        let (from, to) = (grade(self.values.0), grade(self.values.1));
        let part = part_of(grade(value), (from, to));
        self.places.0 + part * (self.places.1 - self.places.0)
    }

    /// The places of the ends of a range; an end without a value is that of the scale.
    pub fn span(&self, range: [Option<f64>; 2]) -> (f64, f64) {
        let [low, high] = range.map(|end| end.map(|end| self.place(end)));
        (low.unwrap_or(self.places.0), high.unwrap_or(self.places.1))
    }

    /// Ticks at round numbers, as many as there is room for; shares are written in percent.
    pub fn ticks(&self, share: bool) -> Vec<Tick> {
        let (unit, sign) = if share { (100.0, " %") } else { (1.0, "") };
        self.roomy(|wanted| {
            let (steps, step) = round_steps(self.values.0, self.values.1, wanted);
            let text = |value: f64| number(unit * value, decimals_for(unit * step)) + sign;
            steps.into_iter().map(|at| (at, text(at))).collect()
        })
    }

    /// Ticks at round whole numbers, as many as there is room for.
    pub fn whole_ticks(&self) -> Vec<Tick> {
        let (from, to) = self.values;
        self.roomy(|wanted| {
            let (mut steps, step) = round_steps(from, to, wanted);
            if step < 1.0 {
                let whole = from.ceil() as i64..=to.floor() as i64;
                steps = whole.map(|value| value as f64).collect();
            }
            let tick = |value| (value, number(value, 0));
            steps.into_iter().map(tick).collect()
        })
    }

    /// The ticks with texts that do not overlap those before.
    pub fn thinned(&self, ticks: &[Tick]) -> Vec<Tick> {
        let mut free = f64::MIN;
        let mut kept = Vec::new();
        for (value, text) in ticks {
            let (at, half) = (self.place(*value), TICK.width(text) / 2.0);
            if at - half >= free {
                free = at + half + 10.0;
                kept.push((*value, text.clone()));
            }
        }
        kept
    }

    /// The most ticks without overlapping texts.
    fn roomy(&self, ticks: impl Fn(usize) -> Vec<Tick>) -> Vec<Tick> {
        let length = (self.places.1 - self.places.0).abs();
        let across = self.places.0 < self.places.1;
        let apart = if across { 72.0 } else { 46.0 };
        let most = (length / apart).round().clamp(2.0, 10.0) as usize;
        let fits = |ticks: &Vec<Tick>| {
            ticks.windows(2).all(|pair| {
                let between = (self.place(pair[1].0) - self.place(pair[0].0)).abs();
                let width = (TICK.width(&pair[0].1) + TICK.width(&pair[1].1)) / 2.0;
                between >= if across { width + 14.0 } else { 22.0 }
            })
        };
        // In little room, four tight ticks are better than one or two.
        let mut tried = (1..=most.max(4)).rev().map(ticks);
        tried.find(fits).unwrap_or_default()
    }

    /// Draws an upright grid line per tick between the heights of `span`, with its text below, and
    /// the title of the axis under them. Returns the lower end of all.
    pub fn draw(&self, canvas: &mut Canvas, ticks: &[Tick], span: (f64, f64), title: &str) -> f64 {
        let (top, bottom) = span;
        for (value, text) in ticks {
            let x = self.place(*value);
            canvas.stroke(&[(x, top), (x, bottom)], 1.0, GRID);
            let page = (2.0, canvas.width - 2.0);
            centred(canvas, text, (x, bottom + 17.0), page, TICK);
        }
        let y = bottom + 36.0;
        let left = canvas.paper().pick(canvas.paper().margin(), self.places.0);
        paragraph_at(canvas, (left, y), title, TICK) - LEADING
    }
}

/// The position of a value between two ends, from 0 to 1; one half if the ends are equal.
pub fn part_of(value: f64, ends: (f64, f64)) -> f64 {
    let (from, to) = ends;
    if from == to {
        0.5
    } else {
        (value - from) / (to - from)
    }
}

/// A panel with a vertical axis from bottom to top.
pub struct Plane {
    pub x: Scale,
    pub y: Scale,
}

impl Plane {
    pub fn place(&self, x: f64, y: f64) -> Spot {
        (self.x.place(x), self.y.place(y))
    }

    /// The upper and the lower edge.
    pub fn span(&self) -> (f64, f64) {
        (self.y.places.1, self.y.places.0)
    }

    /// Draws both axes, with a `title` for the lower one; returns their lower end. The level grid
    /// line at zero is drawn stronger.
    pub fn draw_axes(&self, canvas: &mut Canvas, x: &[Tick], y: &[Tick], title: &str) -> f64 {
        let across = self.x.places;
        for (value, text) in y {
            let y = self.y.place(*value);
            let ink = if *value == 0.0 { RULE } else { GRID };
            canvas.level(across, y, ink);
            canvas.text_mid(text, (across.0 - 8.0, y), TICK.held_at(Anchor::End));
        }
        self.x.draw(canvas, x, self.span(), title)
    }
}

/// The lowest and the highest of some values.
pub fn bounds(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = |(low, high): (f64, f64), value| (low.min(value), high.max(value));
    values.into_iter().fold((f64::MAX, f64::MIN), ends)
}

/// A value on an axis, with its text.
pub type Tick = (f64, String);

/// About `wanted` round numbers (1, 2 or 5 times a power of ten apart) in `from..=to`, a few more
/// rather than too few, with the distance between them.
pub fn round_steps(from: f64, to: f64, wanted: usize) -> (Vec<f64>, f64) {
    let rough = (to - from) / wanted.max(1) as f64;
    if rough <= 0.0 || !rough.is_finite() {
        return (vec![from], 1.0);
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = (step.into_iter().find(|step| *step >= 0.7 * rough)).unwrap_or(10.0 * power);
    let first = (from / step - 1e-9).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    ((first..=last).map(|i| i as f64 * step).collect(), step)
}

/// Powers of ten in `from..=to`; where these are fewer than three, also 2 and 5 times them, and
/// then other digits.
pub fn log_steps(from: f64, to: f64) -> Vec<f64> {
    let (low, high) = (from.log10().floor() as i32, to.log10().ceil() as i32);
    let steps = |digits: &[f64]| -> Vec<f64> {
        (low..=high)
            .flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
            .filter(|value| (from * 0.999..=to * 1.001).contains(value))
            .collect()
    };
    let mut coarse = [steps(&[1.0]), steps(&[1.0, 2.0, 5.0])].into_iter();
    let enough = coarse.find(|steps| steps.len() >= 3);
    enough.unwrap_or_else(|| steps(&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]))
}

/// The labels of rows: beside their rows, or above where there is no room.
pub struct RowLabels {
    above: bool,
    pub left: f64,
    room: f64,
    lines: usize,
}

impl RowLabels {
    /// For these labels, each in at most `lines` lines, `gap` pixels before the rows. A label above
    /// its row leaves `taken` pixels free at the right.
    pub fn of<'a>(
        labels: impl Iterator<Item = &'a String>,
        lines: usize,
        gap: f64,
        taken: f64,
        paper: Paper,
    ) -> RowLabels {
        let all = labels.flat_map(|label| wrap(label, &LABEL, LABEL_WIDTH, lines));
        let wide = widest(all, &LABEL).max(60.0);
        RowLabels {
            above: paper.is_narrow(),
            left: paper.margin() + paper.pick(4.0, wide + gap),
            room: paper.pick(paper.inner() - taken, LABEL_WIDTH),
            lines,
        }
    }

    /// How many lines a label has.
    pub fn count(&self, label: &str) -> usize {
        wrap(label, &LABEL, self.room, self.lines).len()
    }

    /// How much higher a row is with its label above it.
    pub fn above(&self, label: &str) -> f64 {
        if self.above {
            4.0 + LEADING * self.count(label) as f64
        } else {
            0.0
        }
    }

    /// Writes a label around the height `middle`, or from `top` on if labels are above rows.
    pub fn draw(&self, canvas: &mut Canvas, label: &str, top: f64, middle: f64, style: Style) {
        let lines = wrap(label, &style, self.room, self.lines);
        if !self.above {
            let at = (self.left - 16.0, middle);
            return lines_mid(canvas, &lines, at, style.held_at(Anchor::End));
        }
        for (index, line) in lines.iter().enumerate() {
            let y = top + 13.0 + LEADING * index as f64;
            text_on_white(canvas, line, y, style);
        }
    }
}

/// Writes a line at the left margin, so that no upright line runs through the words.
pub fn text_on_white(canvas: &mut Canvas, line: &str, y: f64, style: Style) {
    let left = canvas.paper().margin();
    let corner = (left + style.width(line) + 3.0, y + 4.0);
    canvas.block((left - 2.0, y - 12.0), corner, WHITE);
    canvas.text(line, (left, y), style);
}

/// Writes lines below each other around the height of `at`.
pub fn lines_mid(canvas: &mut Canvas, lines: &[String], at: Spot, style: Style) {
    for (i, line) in lines.iter().enumerate() {
        let shift = (i as f64 - (lines.len() - 1) as f64 / 2.0) * LEADING;
        canvas.text_mid(line, (at.0, at.1 + shift), style);
    }
}

/// Draws a bent leader from each point of the chart to the label that belongs to it: level up to
/// `bend` pixels before the label, then straight to it.
///
/// Points of nearly the same height share the level part of the longest.
pub fn draw_leaders(canvas: &mut Canvas, ends: &[(Spot, Spot)], bend: f64) {
    let mut longest_first: Vec<_> = ends.iter().collect();
    longest_first.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let mut drawn: Vec<f64> = Vec::new();
    for (from, to) in longest_first {
        let knee = (to.0 - bend, from.1);
        let shared = drawn.iter().any(|y| (y - from.1).abs() < 3.0);
        if knee.0 > from.0 && !shared {
            canvas.dashes(*from, knee, (2.0, 3.0), 1.0, RULE);
            drawn.push(from.1);
        }
        canvas.stroke(&[knee, *to], 1.0, RULE);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/charts/axes.rs"]
mod tests;
