//! Scales, ticks and grids: from a value to a place on the page.
//!
//! Knows the theme's colours and nothing of the data behind a value.

use super::canvas::{Anchor, Canvas, Point};
use super::labels::{shorten, wrap};
use super::theme::{GRID, LABEL, LABEL_WIDTH, LEADING, RULE, TICK};
use crate::numbers::{decimals_for, number, percent};

/// A straight or logarithmic mapping of values to places on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The values at both ends.
    pub values: (f64, f64),
    /// Where these ends lie in logical pixels; for a vertical axis the first is the lower end.
    pub places: (f64, f64),
    /// Whether equal distances are equal ratios; values must then be above zero.
    pub logarithmic: bool,
}

impl Scale {
    /// A straight scale.
    pub fn linear(values: (f64, f64), places: (f64, f64)) -> Scale {
        Scale {
            values,
            places,
            logarithmic: false,
        }
    }

    /// A logarithmic scale.
    pub fn logarithmic(values: (f64, f64), places: (f64, f64)) -> Scale {
        Scale {
            values,
            places,
            logarithmic: true,
        }
    }

    /// The place of `value`; beyond the ends it goes on in the same way.
    pub fn place(&self, value: f64) -> f64 {
        let grade = |x: f64| if self.logarithmic { x.ln() } else { x };
        let (from, to) = (grade(self.values.0), grade(self.values.1));
        let part = if from == to {
            0.5
        } else {
            (grade(value) - from) / (to - from)
        };
        self.places.0 + part * (self.places.1 - self.places.0)
    }
}

/// A value on an axis and what is written there.
pub type Tick = (f64, String);

/// About `wanted` round numbers (1, 2 or 5 times a power of ten apart) in `from..=to`, with the
/// distance between them.
pub fn round_steps(from: f64, to: f64, wanted: usize) -> (Vec<f64>, f64) {
    let rough = (to - from) / wanted.max(1) as f64;
    if rough <= 0.0 || !rough.is_finite() {
        return (vec![from], 1.0);
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = (step.into_iter().find(|step| *step >= 0.999 * rough)).unwrap_or(10.0 * power);
    let first = (from / step - 1e-9).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    ((first..=last).map(|i| i as f64 * step).collect(), step)
}

/// About `wanted` ticks at round numbers in `from..=to`; shares are written in percent.
pub fn ticks(from: f64, to: f64, wanted: usize, share: bool) -> Vec<Tick> {
    let (steps, step) = round_steps(from, to, wanted);
    let decimals = decimals_for(if share { 100.0 * step } else { step });
    let text = |value| match share {
        true => percent(value, decimals),
        false => number(value, decimals),
    };
    let tick = |value| (value, text(value));
    steps.into_iter().map(tick).collect()
}

/// Powers of ten in `from..=to`; where these are fewer than three, also 2 and 5 times them.
pub fn log_steps(from: f64, to: f64) -> Vec<f64> {
    let digits: &[f64] = if to / from >= 100.0 {
        &[1.0]
    } else {
        &[1.0, 2.0, 5.0]
    };
    let (low, high) = (from.log10().floor() as i32, to.log10().ceil() as i32);
    (low..=high)
        .flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
        .filter(|value| (from * 0.999..=to * 1.001).contains(value))
        .collect()
}

/// Draws an upright grid line per tick from `top` to `bottom`, with its text below, and the title
/// of the axis under them at the left. Takes 40 pixels below `bottom`.
pub fn x_axis(canvas: &mut Canvas, scale: &Scale, ticks: &[Tick], span: (f64, f64), title: &str) {
    let (top, bottom) = span;
    for (value, text) in ticks {
        let x = scale.place(*value);
        canvas.stroke(&[(x, top), (x, bottom)], 1.0, GRID);
        canvas.text(text, (x, bottom + 17.0), TICK.held_at(Anchor::Middle));
    }
    let (left, right) = scale.places;
    let line = shorten(title, &TICK, right - left);
    canvas.text(&line, (left, bottom + 36.0), TICK);
}

/// Draws a level grid line per tick from `left` to `right`, with its text before it; the tick at
/// zero is drawn stronger.
pub fn y_axis(canvas: &mut Canvas, scale: &Scale, ticks: &[Tick], (left, right): (f64, f64)) {
    for (value, text) in ticks {
        let y = scale.place(*value);
        let ink = if *value == 0.0 { RULE } else { GRID };
        canvas.stroke(&[(left, y), (right, y)], 1.0, ink);
        canvas.text_mid(text, (left - 8.0, y), TICK.held_at(Anchor::End));
    }
}

/// The room that the labels of rows need, each in at most two lines.
pub fn row_labels_width<'a>(labels: impl Iterator<Item = &'a String>) -> f64 {
    let lines = labels.flat_map(|label| wrap(label, &LABEL, LABEL_WIDTH, 2));
    lines.map(|line| LABEL.width(&line)).fold(60.0, f64::max)
}

/// Writes the label of a row in at most two lines that end at `right`, around the height `y`.
pub fn row_label(canvas: &mut Canvas, label: &str, (right, y): Point) {
    let lines = wrap(label, &LABEL, LABEL_WIDTH, 2);
    for (i, line) in lines.iter().enumerate() {
        let shift = (i as f64 - (lines.len() - 1) as f64 / 2.0) * LEADING;
        canvas.text_mid(line, (right, y + shift), LABEL.held_at(Anchor::End));
    }
}

/// Draws a bent leader from each point of the chart to the label that belongs to it: level up to
/// `bend` pixels before the label, then straight to it.
///
/// Points of nearly the same height share the level part of the longest.
pub fn leaders(canvas: &mut Canvas, ends: &[(Point, Point)], bend: f64) {
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
mod tests {
    use super::*;
    use crate::charts::canvas::Shape;

    #[test]
    fn scales_map_their_ends() {
        let scale = Scale::linear((0.0, 0.5), (100.0, 200.0));
        assert_eq!(
            (scale.place(0.0), scale.place(0.25), scale.place(0.5)),
            (100.0, 150.0, 200.0)
        );
        let scale = Scale::logarithmic((10.0, 1000.0), (0.0, 200.0));
        assert!((scale.place(100.0) - 100.0).abs() < 1e-9);
        assert_eq!(Scale::linear((3.0, 3.0), (0.0, 10.0)).place(3.0), 5.0);
    }

    #[test]
    fn steps_are_round_and_inside() {
        let (steps, step) = round_steps(0.0, 0.47, 5);
        assert_eq!(step, 0.1);
        assert_eq!(steps.len(), 5);
        assert_eq!(round_steps(-3.0, 7.0, 5).0, [-2.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(round_steps(2.0, 2.0, 5).0, [2.0]);
    }

    #[test]
    fn logarithmic_steps_are_powers_of_ten_or_finer() {
        assert_eq!(log_steps(100.0, 1e6), [1e2, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(log_steps(1000.0, 5000.0), [1000.0, 2000.0, 5000.0]);
    }

    #[test]
    fn leaders_of_one_height_share_their_level_part() {
        let level_parts = |second: f64| {
            let mut canvas = Canvas::new(200.0, 100.0);
            let ends = [((10.0, 20.0), (90.0, 20.0)), ((10.0, second), (90.0, 60.0))];
            leaders(&mut canvas, &ends, 20.0);
            let mut heights: Vec<f64> = (canvas.shapes().iter())
                .filter_map(|shape| match shape {
                    Shape::Stroke { points, .. } if points[1].0 <= 70.0 => Some(points[0].1),
                    _ => None,
                })
                .collect();
            heights.dedup();
            heights
        };
        assert_eq!(level_parts(60.0), [20.0, 60.0]);
        assert_eq!(level_parts(21.0), [20.0]);
    }
}
