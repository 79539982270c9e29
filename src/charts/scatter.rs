//! What came of many attempts, one after the other: a dot each, those that lasted in colour, and a
//! line through the best of each group.
//!
//! Knows numbers and labels, not what was attempted.

use super::axes::{self, Plane, Scale};
use super::canvas::{Canvas, Spot};
use super::theme::{self, BLACK, GREY, Paper, TICK};
use super::{Chart, ChartError, check_finite};
use crate::numbers::{number, percent};

/// Attempts in groups, in the order in which they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    pub title: String,
    /// What the horizontal axis shows.
    pub axis: String,
    /// What the vertical axis shows.
    pub unit: String,
    /// Whether values are shares, shown in percent.
    pub share: bool,
    /// The attempts of each group, from left to right.
    pub groups: Vec<Vec<Dot>>,
    /// Whether the lowest value is the best, not the highest.
    pub least: bool,
    /// A level to compare with, and its name.
    pub level: Option<(f64, String)>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// What was tried, in words.
    pub name: String,
    /// What came of it.
    pub value: f64,
    pub lasted: bool,
}

/// Height of the panel.
const HEIGHT: f64 = 320.0;
/// What dots of a group take of the distance between groups.
const SPREAD: f64 = 0.8;

impl Chart for Scatter {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        check_finite("dots", self.dots().map(|dot| &dot.value))?;
        if let Some((level, name)) = &self.level {
            check_finite(&format!("level of {name}"), [level])?;
        }
        if self.dots().next().is_none() {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let top = theme::paragraph(&mut canvas, top + 12.0, &self.unit, TICK);
        let top = self.draw_key(&mut canvas, top + 2.0) + 10.0;
        let levels = self.level.iter().map(|(level, _)| *level);
        let (low, high) = axes::bounds(self.dots().map(|dot| dot.value).chain(levels));
        let alone = 0.05 + 0.1 * high.abs();
        let groups = (0.5, self.groups.len() as f64 + 0.5);
        let panel = Plane {
            x: Scale::linear(groups, axes::panel_across(paper)),
            y: Scale::airy((low, high), (0.06, alone), (top + HEIGHT, top)),
        };
        let Plane { x, y } = panel;
        let end = panel.draw_axes(
            &mut canvas,
            &x.whole_ticks(),
            &y.ticks(self.share),
            &self.axis,
        );
        if let Some((level, _)) = &self.level {
            axes::draw_level(&mut canvas, &y, x.places, *level);
        }
        self.draw_groups(&mut canvas, &panel);
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl Scatter {
    fn dots(&self) -> impl Iterator<Item = &Dot> {
        self.groups.iter().flatten()
    }

    fn text(&self, value: f64) -> String {
        if self.share {
            percent(value, 1)
        } else {
            number(value, 2)
        }
    }

    /// The best of those of a group that lasted.
    fn best(&self, group: &[Dot]) -> Option<f64> {
        let lasted = group.iter().filter(|dot| dot.lasted).map(|dot| dot.value);
        if self.least {
            lasted.min_by(f64::total_cmp)
        } else {
            lasted.max_by(f64::total_cmp)
        }
    }

    fn draw_groups(&self, canvas: &mut Canvas, panel: &Plane) {
        let mut best: Vec<Spot> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let at = |place: usize| {
                let part = (place as f64 + 0.5) / group.len() as f64;
                index as f64 + 1.0 + SPREAD * (part - 0.5)
            };
            let ends = [at(0), at(group.len().saturating_sub(1))];
            best.extend(
                self.best(group)
                    .into_iter()
                    .flat_map(|value| ends.map(|at| panel.place(at, value))),
            );
            // Those that lasted lie on top.
            for lasted in [false, true] {
                for (place, dot) in group
                    .iter()
                    .enumerate()
                    .filter(|(_, dot)| dot.lasted == lasted)
                {
                    let spot = panel.place(at(place), dot.value);
                    draw_dot(canvas, spot, lasted);
                    canvas.tell_at(spot, format!("{}: {}", dot.name, self.text(dot.value)));
                }
            }
        }
        canvas.stroke(&best, 2.0, theme::seat_ink(1));
    }

    /// Explains dots and lines, below each other where there is no room; tells where that ends.
    fn draw_key(&self, canvas: &mut Canvas, mut y: f64) -> f64 {
        let (from, to) = canvas.paper().across();
        let mut left = from;
        let level = self
            .level
            .iter()
            .map(|(level, name)| format!("{name}: {}", self.text(*level)));
        let texts = [
            "lasted to the end of its heat",
            "dropped out",
            "the best that lasted",
        ];
        let texts = texts.map(str::to_string).into_iter().chain(level);
        for (index, text) in texts.enumerate() {
            let wide = 34.0 + TICK.width(&text);
            if left > from && left + wide > to {
                (left, y) = (from, y + 20.0);
            }
            let ends = [(left, y - 4.0), (left + 26.0, y - 4.0)];
            match index {
                0 | 1 => draw_dot(canvas, (left + 13.0, y - 4.0), index == 0),
                2 => canvas.stroke(&ends, 2.0, theme::seat_ink(1)),
                _ => canvas.dashes(ends[0], ends[1], (5.0, 4.0), 1.5, theme::RULE),
            }
            canvas.text(&text, (left + 34.0, y), TICK.in_ink(BLACK));
            left += wide + 22.0;
        }
        y + 8.0
    }
}

fn draw_dot(canvas: &mut Canvas, at: Spot, lasted: bool) {
    if lasted {
        canvas.disc(at, 3.5, theme::seat_ink(0))
    } else {
        canvas.disc(at, 2.5, GREY.pale(0.5))
    }
}
