//! How a figure responds to a value that varies: a curve with its band, the best value marked and
//! the values that cannot be told from it.
//!
//! Knows numbers and labels, not what varies or how an interval was computed.

use super::axes::{self, Plane, Scale};
use super::canvas::{Canvas, Spot};
use super::labels::{capitalized, every, value_within};
use super::theme::{self, GREY, LABEL, Paper, TICK};
use super::{Chart, ChartError, check_estimates, check_finite};
use crate::statistics::Estimate;

/// One figure over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
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
    pub estimate: Estimate,
    /// Whether it cannot be told from the best.
    pub tied: bool,
}

/// Height of the panel.
const HEIGHT: f64 = 300.0;

impl Chart for Response {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for point in &self.points {
            let column = format!("point at `{}`", point.label);
            check_finite(&column, [&point.at])?;
            check_estimates(&column, [&point.estimate])?;
        }
        if self.points.is_empty() {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let heading = format!("{}, with 95 % band", capitalized(&self.unit));
        let mut top = theme::paragraph(&mut canvas, top + 12.0, &heading, TICK);
        if let Some((_, text)) = self.near_level() {
            top = axes::level_key(&mut canvas, top + 3.0, text);
        }
        let top = self.write_best(&mut canvas, top + 4.0) + 8.0;
        let panel = self.panel(paper, (top + HEIGHT, top));
        let end = self.draw_axes(&mut canvas, &panel);
        self.draw_curve(&mut canvas, &panel);
        theme::end(&mut canvas, end, &[]);
        Ok(Some(canvas))
    }
}

impl Response {
    /// The lowest and the highest end of an interval.
    fn bounds(&self) -> (f64, f64) {
        let estimates = self.points.iter().map(|point| &point.estimate);
        axes::bounds(estimates.flat_map(|e| [e.low, e.high]))
    }

    /// The level, where it is near the curve.
    fn near_level(&self) -> Option<&(f64, String)> {
        let (low, high) = self.bounds();
        let near = low - (high - low)..=high + (high - low);
        self.level
            .as_ref()
            .filter(|(level, _)| near.contains(level))
    }

    fn panel(&self, paper: Paper, height: (f64, f64)) -> Plane {
        let values = axes::bounds(self.points.iter().map(|point| point.at));
        let (low, high) = self.bounds();
        let level = self.near_level().map(|(level, _)| *level);
        let (low, high) = axes::bounds([low, high].into_iter().chain(level));
        let air = if high > low {
            0.12 * (high - low)
        } else {
            0.05 + 0.1 * high.abs()
        };
        Plane {
            x: Scale::airy(values, (0.03, 0.5), axes::panel_across(paper)),
            y: Scale::linear((low - 0.5 * air, high + 0.5 * air), height),
        }
    }

    /// Tells where the axes end.
    fn draw_axes(&self, canvas: &mut Canvas, panel: &Plane) -> f64 {
        let Plane { x, y } = panel;
        // Few values stand for themselves; of many the round ones.
        let labels: Vec<String> = self
            .points
            .iter()
            .map(|point| point.label.clone())
            .collect();
        let places = self.points.windows(2);
        let step = places.map(|pair| (x.place(pair[1].at) - x.place(pair[0].at)).abs());
        let step = step.fold(f64::MAX, f64::min);
        let ticks = if self.points.len() > 8 || every(&labels, &TICK, 10.0, step) > 1 {
            x.ticks(false)
        } else {
            let points = self.points.iter();
            points.map(|p| (p.at, p.label.clone())).collect()
        };
        let end = panel.draw_axes(canvas, &ticks, &y.ticks(self.share), &self.axis);
        if let Some((level, _)) = self.near_level() {
            axes::draw_level(canvas, y, x.places, *level);
        }
        end
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
        let best = self.best.and_then(|best| self.points.get(best));
        if let Some(best) = best {
            let (x, y) = panel.place(best.at, best.estimate.value);
            canvas.dashes((x, panel.span().1), (x, y), (4.0, 4.0), 1.5, GREY);
        }
        for (point, at) in self.points.iter().zip(line) {
            let is_best = best == Some(point);
            draw_point(canvas, at, point.tied || is_best, is_best);
            let value = value_within(&point.estimate, self.share);
            canvas.tell_at(at, format!("{} {}: {value}", self.axis, point.label));
        }
    }

    /// Says which is the best, and which cannot be told from it; tells where that ends.
    fn write_best(&self, canvas: &mut Canvas, y: f64) -> f64 {
        let Some(best) = self.best.and_then(|best| self.points.get(best)) else {
            return y;
        };
        let value = value_within(&best.estimate, self.share);
        let others = self.points.iter().filter(|point| point.tied).count() - usize::from(best.tied);
        let tied = match others {
            0 => String::new(),
            1 => "; 1 other cannot be told from it".to_string(),
            others => format!("; {others} others cannot be told from it"),
        };
        let left = canvas.paper().margin();
        draw_point(canvas, (left + 13.0, y - 5.0), true, true);
        let text = format!("best: {} ({value}){tied}", best.label);
        let style = LABEL.bold().in_ink(theme::seat_ink(1));
        theme::paragraph_at(canvas, (left + 34.0, y), &text, style)
    }
}

/// A dot; those that may be the best are larger, and the best has a ring.
fn draw_point(canvas: &mut Canvas, at: Spot, tied: bool, best: bool) {
    let ink = theme::seat_ink(usize::from(tied));
    if best {
        canvas.disc(at, 8.0, ink);
        canvas.disc(at, 6.5, theme::WHITE);
    }
    canvas.disc(at, if tied { 5.0 } else { 3.5 }, ink);
}
