//! What one step down and one step up on each of several axes changes: a row an axis.
//!
//! Knows numbers and labels, not what was stepped or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::{difference_within, shorten, wrap};
use super::theme::{self, GRID, LEADING, MARGIN, NOTE, TICK, WIDTH};
use super::{Chart, ChartError, check_estimates};
use crate::statistics::Estimate;

/// Axes and what a step on each changes.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsChart {
    /// The headline.
    pub title: String,
    /// What the horizontal axis shows, with its unit.
    pub axis: String,
    /// From top to bottom.
    pub rows: Vec<StepRow>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

/// The steps on one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// The name of the axis.
    pub label: String,
    /// Where each step leads and what it changes; the first ones lead down.
    pub steps: Vec<AxisStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisStep {
    /// Where it leads.
    pub to: String,
    /// Whether it leads down.
    pub down: bool,
    /// What it changes.
    pub change: Estimate,
}

/// Height of a step's line, and the air between rows.
const LINE: f64 = 22.0;
const AIR: f64 = 12.0;
/// Room for where a step leads, at the right.
const TO: f64 = 200.0;

impl Chart for StepsChart {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            let changes = row.steps.iter().map(|step| &step.change);
            check_estimates(&format!("step of `{}`", row.label), changes)?;
        }
        let lines: usize = self.rows.iter().map(|row| row.steps.len().max(1)).sum();
        let body = LINE * lines as f64 + AIR * self.rows.len() as f64;
        let note = match self.note.as_str() {
            "" => vec![],
            note => wrap(note, &NOTE, WIDTH - 2.0 * MARGIN, 3),
        };
        let (head, foot) = (16.0, 60.0 + LEADING * note.len() as f64);
        let (mut canvas, top) = theme::page(&self.title, played, head + body + foot);
        theme::notes(&mut canvas, &note);
        if lines == 0 {
            theme::placeholder(&mut canvas, top, "no steps to show");
            return Ok(canvas);
        }
        let span = (top + head, top + head + body);
        let changes = (self.rows.iter()).flat_map(|row| row.steps.iter().map(|step| &step.change));
        let ends = changes.flat_map(|change| [change.low, change.high]);
        let left = axes::rows_left(self.rows.iter().map(|row| &row.label), 20.0);
        let places = (left, WIDTH - MARGIN - TO);
        let scale = Scale::airy(axes::bounds(ends.chain([0.0])), (0.06, 1.0), places);
        axes::x_axis(
            &mut canvas,
            &scale,
            &scale.ticks(6, false),
            span,
            &self.axis,
        );
        axes::zero_line(&mut canvas, &scale, span);
        let mut y = span.0 + AIR / 2.0;
        for row in &self.rows {
            let height = LINE * row.steps.len().max(1) as f64;
            axes::row_label(&mut canvas, &row.label, (left, y + height / 2.0));
            for (index, step) in row.steps.iter().enumerate() {
                draw(&mut canvas, &scale, step, y + LINE * (index as f64 + 0.5));
            }
            y += height + AIR;
            canvas.level(theme::ACROSS, y - AIR / 2.0, GRID);
        }
        Ok(canvas)
    }
}

/// Steps down and up have colours of their own; what cannot be told from nothing is pale.
fn draw(canvas: &mut Canvas, scale: &Scale, step: &AxisStep, y: f64) {
    let Estimate {
        value, low, high, ..
    } = step.change;
    let told = low > 0.0 || high < 0.0;
    let own = theme::seat_ink(if step.down { 1 } else { 0 });
    let ink = if told { own } else { own.pale(0.45) };
    let (zero, at) = (scale.place(0.0), scale.place(value));
    canvas.stroke(&[(zero, y), (at, y)], 6.0, ink.pale(0.35));
    canvas.stroke(&[(scale.place(low), y), (scale.place(high), y)], 2.5, ink);
    canvas.disc((at, y), 4.5, ink);
    let arrow = if step.down { "down to" } else { "up to" };
    let text = format!("{arrow} {}: {}", step.to, difference_within(&step.change));
    let text = shorten(&text, &TICK, TO - 8.0);
    canvas.text_mid(&text, (WIDTH - MARGIN, y), TICK.held_at(Anchor::End));
}
