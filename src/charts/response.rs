//! How a figure responds to a value that varies: a curve with its band, the best value marked and
//! the values that cannot be told from it.
//!
//! Knows numbers and labels, not what varies or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Point};
use super::labels::capitalized;
use super::theme::{self, GREY, LABEL, MARGIN, WIDTH};
use super::{Chart, ChartError, check_column, check_estimate};
use crate::numbers::{percent_within, within};
use crate::statistics::Estimate;

/// One figure over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
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
const PANEL: f64 = 330.0;

impl Chart for Response {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for point in &self.points {
            let column = format!("point at `{}`", point.label);
            check_column(&column, &[point.at], 1)?;
            check_estimate(&column, &point.estimate)?;
        }
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, PANEL + 112.0);
        if self.points.is_empty() {
            theme::placeholder(&mut canvas, top, "no values to show");
            return Ok(canvas);
        }
        let span = (top + 50.0, top + 50.0 + PANEL);
        let (x, y) = self.scales(span);
        canvas.text(
            &format!("{}, with 95 % band", capitalized(&self.unit)),
            (MARGIN, top + 10.0),
            theme::TICK,
        );
        self.draw_axes(&mut canvas, &x, &y, span);
        self.draw_curve(&mut canvas, &x, &y);
        self.draw_best(&mut canvas, &x, &y, span);
        Ok(canvas)
    }
}

impl Response {
    fn scales(&self, span: (f64, f64)) -> (Scale, Scale) {
        let ends = |of: fn(&ResponsePoint) -> f64| self.points.iter().map(of);
        let (left, right) = (
            ends(|p| p.at).fold(f64::MAX, f64::min),
            ends(|p| p.at).fold(f64::MIN, f64::max),
        );
        let room = if right > left {
            0.03 * (right - left)
        } else {
            0.5
        };
        let (low, high) = (
            ends(|p| p.estimate.low).fold(f64::MAX, f64::min),
            ends(|p| p.estimate.high).fold(f64::MIN, f64::max),
        );
        let near = |level: &f64| (low - (high - low)..=high + (high - low)).contains(level);
        let level = self.level.as_ref().map(|(level, _)| *level).filter(near);
        let (low, high) = match level {
            Some(level) => (low.min(level), high.max(level)),
            None => (low, high),
        };
        let air = if high > low {
            0.12 * (high - low)
        } else {
            0.05 + 0.1 * high.abs()
        };
        let x = Scale::linear(
            (left - room, right + room),
            (MARGIN + 58.0, WIDTH - MARGIN - 10.0),
        );
        (
            x,
            Scale::linear((low - 0.5 * air, high + air), (span.1, span.0)),
        )
    }

    fn draw_axes(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, span: (f64, f64)) {
        let ticks = axes::ticks(y.values.0, y.values.1, 6, self.share);
        axes::y_axis(canvas, y, &ticks, x.places);
        // Few values stand for themselves; of many the round ones.
        let ticks: Vec<axes::Tick> = match self.points.len() > 8 {
            true => axes::ticks(x.values.0, x.values.1, 12, false),
            false => {
                let points = self.points.iter();
                points
                    .map(|point| (point.at, point.label.clone()))
                    .collect()
            }
        };
        axes::x_axis(canvas, x, &ticks, span, &self.axis);
        if let Some((level, text)) = &self.level
            && (y.values.0..=y.values.1).contains(level)
        {
            let at = y.place(*level);
            canvas.dashes(
                (x.places.0, at),
                (x.places.1, at),
                (5.0, 4.0),
                1.5,
                theme::RULE,
            );
            // At the end where the curve is farther away.
            let away = |point: Option<&ResponsePoint>| {
                point.map_or(0.0, |point| (point.estimate.value - level).abs())
            };
            let (anchor, end) = match away(self.points.first()) > away(self.points.last()) {
                true => (Anchor::Start, x.places.0 + 4.0),
                false => (Anchor::End, x.places.1),
            };
            canvas.text(text, (end, at - 5.0), theme::TICK.held_at(anchor));
        }
    }

    fn draw_curve(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let ink = theme::seat_ink(0);
        let line = |of: fn(&Estimate) -> f64| -> Vec<Point> {
            let place = |p: &ResponsePoint| (x.place(p.at), y.place(of(&p.estimate)));
            self.points.iter().map(place).collect()
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

    fn draw_best(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, span: (f64, f64)) {
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
        let place = x.place(best.at);
        canvas.dashes(
            (place, span.0),
            (place, y.place(best.estimate.high)),
            (4.0, 4.0),
            1.5,
            GREY,
        );
        let half_text = LABEL.bold().width(&text) / 2.0;
        let middle = place.clamp(MARGIN + half_text, WIDTH - MARGIN - half_text);
        let style = LABEL
            .bold()
            .in_ink(theme::seat_ink(1))
            .held_at(Anchor::Middle);
        canvas.text(&text, (middle, span.0 - 8.0), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound, estimate};

    fn chart(values: &[f64], share: bool) -> Response {
        let best = values
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))
            .map(|(i, _)| i);
        Response {
            title: "How it responds".into(),
            subtitle: "Diamant · iello-2016 · 5 players · 1,000,000 games".into(),
            axis: "seats.1.target".into(),
            unit: "win share of 1 threshold".into(),
            share,
            points: values
                .iter()
                .enumerate()
                .map(|(index, &value)| ResponsePoint {
                    label: (index + 4).to_string(),
                    at: index as f64 + 4.0,
                    estimate: estimate(value, 0.01),
                    tied: best.is_some_and(|best| (values[best] - value).abs() < 0.02),
                })
                .collect(),
            best,
            level: Some((0.2, "equal share 20 %".into())),
        }
    }

    #[test]
    fn any_response_is_drawn() {
        assert_sound(&chart(&[], true));
        assert_sound(&chart(&[0.2], true));
        assert_sound(&chart(&[0.2, 0.25, 0.3, 0.29, 0.2], true));
        assert_sound(&chart(&[0.5; 40], false));
        assert_sound(&Response {
            best: None,
            ..chart(&[12.0, 13.0], false)
        });
    }

    #[test]
    fn a_response_looks_as_its_golden() {
        let values = [(0.2, false), (0.3, true), (0.31, true)];
        let points = (4..).zip(values).map(|(at, (value, tied))| ResponsePoint {
            label: at.to_string(),
            at: f64::from(at),
            estimate: estimate(value, 0.02),
            tied,
        });
        let chart = Response {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "seats.1.target".into(),
            unit: "win share".into(),
            share: true,
            points: points.collect(),
            best: Some(2),
            level: Some((0.25, "equal share 25 %".into())),
        };
        assert_golden("response", &chart);
    }
}
