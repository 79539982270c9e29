//! How a figure responds to a value that varies: a curve with its band, the best value marked and
//! the values that cannot be told from it.
//!
//! Knows numbers and labels, not what varies or how an interval was computed.

use super::axes::{self, Plane, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::capitalized;
use super::theme::{self, GREY, LABEL, MARGIN, TICK};
use super::{Chart, ChartError, check_estimates, check_finite};
use crate::numbers::{percent_within, within};
use crate::statistics::Estimate;

/// One figure over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The headline.
    pub title: String,
    /// What the horizontal axis shows.
    pub axis: String,
    /// What the vertical axis shows.
    pub unit: String,
    /// Whether the figure is a share, shown in percent.
    pub share: bool,
    /// The values of the axis, from left to right.
    pub points: Vec<ResponsePoint>,
    /// Index of the best point; none where no direction is better.
    pub best: Option<usize>,
    /// A level to compare with, and what it is; drawn where it is near the curve.
    pub level: Option<(f64, String)>,
}

/// The figure at one value.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsePoint {
    /// The value, as printed below the axis.
    pub label: String,
    /// Its place on the axis.
    pub at: f64,
    /// The figure.
    pub estimate: Estimate,
    /// Whether it cannot be told from the best.
    pub tied: bool,
}

/// Height of the panel.
const HEIGHT: f64 = 330.0;

impl Chart for Response {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for point in &self.points {
            let column = format!("point at `{}`", point.label);
            check_finite(&column, [&point.at])?;
            check_estimates(&column, [&point.estimate])?;
        }
        let height = HEIGHT + 112.0;
        if self.points.is_empty() {
            return theme::blank(&self.title, played, height, "no values to show");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let panel = self.panel((top + 50.0 + HEIGHT, top + 50.0));
        let heading = format!("{}, with 95 % band", capitalized(&self.unit));
        canvas.text(&heading, (MARGIN, top + 10.0), TICK);
        self.draw_axes(&mut canvas, &panel);
        self.draw_curve(&mut canvas, &panel);
        self.draw_best(&mut canvas, &panel);
        Ok(canvas)
    }
}

impl Response {
    fn panel(&self, height: (f64, f64)) -> Plane {
        let values = axes::bounds(self.points.iter().map(|point| point.at));
        let estimates = self.points.iter().map(|point| &point.estimate);
        let (low, high) = axes::bounds(estimates.flat_map(|e| [e.low, e.high]));
        let near = |level: &f64| (low - (high - low)..=high + (high - low)).contains(level);
        let level = self.level.as_ref().map(|(level, _)| *level).filter(near);
        let (low, high) = axes::bounds([low, high].into_iter().chain(level));
        let air = match high > low {
            true => 0.12 * (high - low),
            false => 0.05 + 0.1 * high.abs(),
        };
        Plane {
            x: Scale::airy(values, (0.03, 0.5), axes::PANEL_ACROSS),
            y: Scale::linear((low - 0.5 * air, high + air), height),
        }
    }

    fn draw_axes(&self, canvas: &mut Canvas, panel: &Plane) {
        let Plane { x, y } = panel;
        // Few values stand for themselves; of many the round ones.
        let ticks = match self.points.len() > 8 {
            true => x.ticks(12, false),
            false => {
                let points = self.points.iter();
                points.map(|p| (p.at, p.label.clone())).collect()
            }
        };
        panel.draw_axes(canvas, &ticks, &y.ticks(6, self.share), &self.axis);
        if let Some((level, text)) = &self.level
            && (y.values.0..=y.values.1).contains(level)
        {
            let at = axes::draw_level(canvas, y, x.places, *level);
            // At the end where the curve is farther away.
            let away = |point: Option<&ResponsePoint>| {
                point.map_or(0.0, |point| (point.estimate.value - level).abs())
            };
            let (anchor, end) = match away(self.points.first()) > away(self.points.last()) {
                true => (Anchor::Start, x.places.0 + 4.0),
                false => (Anchor::End, x.places.1),
            };
            canvas.text(text, (end, at - 5.0), TICK.held_at(anchor));
        }
    }

    fn draw_curve(&self, canvas: &mut Canvas, panel: &Plane) {
        let ink = theme::seat_ink(0);
        let line = |of: fn(&Estimate) -> f64| -> Vec<Spot> {
            let points = self.points.iter();
            points.map(|p| panel.place(p.at, of(&p.estimate))).collect()
        };
        let (upper, lower) = (line(|e| e.high), line(|e| e.low));
        let band = upper.into_iter().chain(lower.into_iter().rev());
        canvas.area(band.collect(), ink.pale(0.25));
        let line = line(|e| e.value);
        canvas.stroke(&line, 2.0, ink);
        for (point, at) in self.points.iter().zip(line) {
            let ink = if point.tied { theme::seat_ink(1) } else { ink };
            canvas.disc(at, if point.tied { 5.0 } else { 3.5 }, ink);
        }
    }

    fn draw_best(&self, canvas: &mut Canvas, panel: &Plane) {
        let Some(best) = self.best.and_then(|best| self.points.get(best)) else {
            return;
        };
        let (value, half) = (best.estimate.value, best.estimate.half_width());
        let value = match self.share {
            true => percent_within(value, half),
            false => within(value, half),
        };
        let others = self.points.iter().filter(|point| point.tied).count() - usize::from(best.tied);
        let tied = match others {
            0 => String::new(),
            1 => ", 1 other cannot be told from it".to_string(),
            others => format!(", {others} others cannot be told from it"),
        };
        let text = format!("best: {} ({value}){tied}", best.label);
        let (x, y) = panel.place(best.at, best.estimate.high);
        let top = panel.span().0;
        canvas.dashes((x, top), (x, y), (4.0, 4.0), 1.5, GREY);
        let style = LABEL.bold().in_ink(theme::seat_ink(1));
        theme::centred(canvas, &text, (x, top - 8.0), theme::ACROSS, style);
    }
}
