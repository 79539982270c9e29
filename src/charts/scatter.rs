//! What came of many attempts, one after the other: a dot each, those that lasted in colour.
//!
//! Knows numbers and labels, not what was attempted.

use super::axes::{self, Plane, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::theme::{self, GREY, MARGIN, TICK};
use super::{Chart, ChartError, check_finite};

/// Attempts in the order in which they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The headline.
    pub title: String,
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
const HEIGHT: f64 = 330.0;

impl Chart for Scatter {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        check_finite(
            "dots",
            self.dots.iter().flat_map(|dot| [&dot.at, &dot.value]),
        )?;
        if let Some((level, name)) = &self.level {
            check_finite(&format!("level of {name}"), [level])?;
        }
        let height = HEIGHT + 110.0;
        if self.dots.is_empty() {
            return theme::blank(&self.title, played, height, "nothing was tried");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        let panel = self.panel((top + 44.0 + HEIGHT, top + 44.0));
        let Plane { x, y } = panel;
        canvas.text_mid(&self.unit, (MARGIN, top + 10.0), TICK);
        key(&mut canvas, top + 10.0);
        let from_zero = Scale {
            values: (x.values.0.max(0.0), x.values.1),
            ..x
        };
        let ticks = from_zero.whole_ticks(10);
        panel.draw_axes(&mut canvas, &ticks, &y.ticks(6, self.share), &self.axis);
        if let Some((level, name)) = &self.level {
            let at = (
                x.places.1 - 4.0,
                axes::draw_level(&mut canvas, &y, x.places, *level) - 10.0,
            );
            canvas.text_mid(name, at, TICK.held_at(Anchor::End));
        }
        // Those that lasted lie on top.
        for lasted in [false, true] {
            for dot in self.dots.iter().filter(|dot| dot.lasted == lasted) {
                draw_dot(&mut canvas, panel.place(dot.at, dot.value), lasted);
            }
        }
        Ok(canvas)
    }
}

impl Scatter {
    fn panel(&self, height: (f64, f64)) -> Plane {
        let levels = self.level.iter().map(|(level, _)| *level);
        let (low, high) = axes::bounds(self.dots.iter().map(|dot| dot.value).chain(levels));
        let (first, last) = axes::bounds(self.dots.iter().map(|dot| dot.at));
        let room = (0.02 * (last - first)).max(0.05);
        let alone = 0.05 + 0.1 * high.abs();
        Plane {
            x: Scale::linear((first - room, last + room), axes::PANEL_ACROSS),
            y: Scale::airy((low, high), (0.08, alone), height),
        }
    }
}

fn draw_dot(canvas: &mut Canvas, at: Spot, lasted: bool) {
    match lasted {
        true => canvas.disc(at, 3.5, theme::seat_ink(0)),
        false => canvas.disc(at, 2.5, GREY.pale(0.5)),
    }
}

/// Explains the dots, from the right end leftwards.
fn key(canvas: &mut Canvas, y: f64) {
    let mut right = axes::PANEL_ACROSS.1;
    for (lasted, text) in [
        (true, "lasted to the end of its heat"),
        (false, "dropped out"),
    ] {
        canvas.text_mid(text, (right, y), TICK.held_at(Anchor::End));
        let left = right - TICK.width(text);
        draw_dot(canvas, (left - 12.0, y), lasted);
        right = left - 34.0;
    }
}
