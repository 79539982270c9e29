//! What came of many attempts, one after the other: a dot each, those that lasted in colour.
//!
//! Knows numbers and labels, not what was attempted.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, GREY, MARGIN, RULE, TICK, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::numbers::number;

/// Attempts in the order in which they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
    /// What the horizontal axis shows.
    pub axis: String,
    /// What the vertical axis shows.
    pub unit: String,
    /// Whether values are shares, shown in percent.
    pub share: bool,
    /// One each, from left to right.
    pub dots: Vec<Dot>,
    /// A level to compare with, and its name.
    pub level: Option<(f64, String)>,
}

/// An attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Its place on the axis.
    pub at: f64,
    /// What came of it.
    pub value: f64,
    /// Whether it lasted.
    pub lasted: bool,
}

/// Height of the panel.
const PANEL: f64 = 330.0;

impl Chart for Scatter {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for dot in &self.dots {
            check_column("dots", &[dot.at, dot.value], 2)?;
        }
        if let Some((level, name)) = &self.level {
            check_column(&format!("level of {name}"), &[*level], 1)?;
        }
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, PANEL + 110.0);
        if self.dots.is_empty() {
            theme::placeholder(&mut canvas, top, "nothing was tried");
            return Ok(canvas);
        }
        let span = (top + 44.0, top + 44.0 + PANEL);
        let (x, y) = self.scales(span);
        canvas.text_mid(&self.unit, (MARGIN, top + 10.0), TICK);
        self.key(&mut canvas, top + 10.0);
        let ticks = axes::ticks(y.values.0, y.values.1, 6, self.share);
        axes::y_axis(&mut canvas, &y, &ticks, x.places);
        let (steps, _) = axes::round_steps(x.values.0.max(0.0), x.values.1, 10);
        let whole = steps.into_iter().filter(|at| at.fract() == 0.0);
        let ticks: Vec<_> = whole.map(|at| (at, number(at, 0))).collect();
        axes::x_axis(&mut canvas, &x, &ticks, span, &self.axis);
        if let Some((level, name)) = &self.level {
            let at = y.place(*level);
            let ends = ((x.places.0, at), (x.places.1, at));
            canvas.dashes(ends.0, ends.1, (5.0, 4.0), 1.5, RULE);
            let style = TICK.held_at(Anchor::End);
            canvas.text_mid(name, (x.places.1 - 4.0, at - 10.0), style);
        }
        // Those that lasted lie on top.
        for lasted in [false, true] {
            for dot in self.dots.iter().filter(|dot| dot.lasted == lasted) {
                let at = (x.place(dot.at), y.place(dot.value));
                match lasted {
                    true => canvas.disc(at, 3.5, theme::seat_ink(0)),
                    false => canvas.disc(at, 2.5, GREY.pale(0.5)),
                }
            }
        }
        Ok(canvas)
    }
}

impl Scatter {
    fn scales(&self, span: (f64, f64)) -> (Scale, Scale) {
        let dots = || self.dots.iter();
        let levels = || self.level.iter().map(|(level, _)| *level);
        let low = dots()
            .map(|dot| dot.value)
            .chain(levels())
            .fold(f64::MAX, f64::min);
        let high = dots()
            .map(|dot| dot.value)
            .chain(levels())
            .fold(f64::MIN, f64::max);
        let air = match high > low {
            true => 0.08 * (high - low),
            false => 0.05 + 0.1 * high.abs(),
        };
        let first = dots().map(|dot| dot.at).fold(f64::MAX, f64::min);
        let last = dots().map(|dot| dot.at).fold(f64::MIN, f64::max);
        let room = (0.02 * (last - first)).max(0.05);
        let across = (MARGIN + 58.0, WIDTH - MARGIN - 10.0);
        (
            Scale::linear((first - room, last + room), across),
            Scale::linear((low - air, high + air), (span.1, span.0)),
        )
    }

    fn key(&self, canvas: &mut Canvas, y: f64) {
        let style = TICK.held_at(Anchor::End);
        let right = WIDTH - MARGIN - 10.0;
        let left = right - style.width("lasted to the end of its heat");
        canvas.text_mid("lasted to the end of its heat", (right, y), style);
        canvas.disc((left - 12.0, y), 3.5, theme::seat_ink(0));
        let end = left - 34.0;
        canvas.text_mid("dropped out", (end, y), style);
        let place = end - style.width("dropped out") - 12.0;
        canvas.disc((place, y), 2.5, GREY.pale(0.5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound};

    fn chart(values: &[f64]) -> Scatter {
        let dot = |(index, &value): (usize, &f64)| Dot {
            at: 1.0 + (index / 3) as f64,
            value,
            lasted: index % 3 == 0,
        };
        Scatter {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "heat".into(),
            unit: "share of the wins".into(),
            share: true,
            dots: values.iter().enumerate().map(dot).collect(),
            level: Some((0.2, "at the start".into())),
        }
    }

    #[test]
    fn any_search_is_drawn() {
        assert_sound(&chart(&[]));
        assert_sound(&chart(&[0.2]));
        assert_sound(&chart(&[0.2; 40]));
        let rising: Vec<f64> = (0..900).map(|i| f64::from(i) / 900.0).collect();
        assert_sound(&chart(&rising));
    }

    #[test]
    fn a_search_looks_as_its_golden() {
        let values = [0.21, 0.12, 0.05, 0.3, 0.25, 0.28, 0.34, 0.33, 0.2, 0.36];
        assert_golden("scatter", &chart(&values));
    }
}
