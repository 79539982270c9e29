//! What one step down and one step up on each of several axes changes: a row an axis.
//!
//! Knows numbers and labels, not what was stepped or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Ink};
use super::differences::signed;
use super::labels::{shorten, wrap};
use super::theme::{self, GREY, GRID, LEADING, MARGIN, NOTE, RULE, TICK, WIDTH};
use super::{Chart, ChartError, check_estimate};
use crate::numbers::within;
use crate::statistics::Estimate;

/// Axes and what a step on each changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
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
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
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

impl Chart for Steps {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            for step in &row.steps {
                check_estimate(&format!("step of `{}`", row.label), &step.change)?;
            }
        }
        let lines: usize = self.rows.iter().map(|row| row.steps.len().max(1)).sum();
        let body = LINE * lines as f64 + AIR * self.rows.len() as f64;
        let note = match self.note.as_str() {
            "" => vec![],
            note => wrap(note, &NOTE, WIDTH - 2.0 * MARGIN, 3),
        };
        let (head, foot) = (16.0, 60.0 + LEADING * note.len() as f64);
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, head + body + foot);
        theme::notes(&mut canvas, &note);
        if lines == 0 {
            theme::placeholder(&mut canvas, top, "no steps to show");
            return Ok(canvas);
        }
        let span = (top + head, top + head + body);
        let scale = self.scale();
        let ticks = axes::ticks(scale.values.0, scale.values.1, 6, false);
        axes::x_axis(&mut canvas, &scale, &ticks, span, &self.axis);
        let zero = scale.place(0.0);
        canvas.stroke(&[(zero, span.0 - 4.0), (zero, span.1)], 1.5, RULE);
        let mut y = span.0 + AIR / 2.0;
        for row in &self.rows {
            let height = LINE * row.steps.len().max(1) as f64;
            let middle = y + height / 2.0;
            axes::row_label(&mut canvas, &row.label, (scale.places.0 - 16.0, middle));
            for (index, step) in row.steps.iter().enumerate() {
                draw(&mut canvas, &scale, step, y + LINE * (index as f64 + 0.5));
            }
            y += height + AIR;
            canvas.stroke(
                &[(MARGIN, y - AIR / 2.0), (WIDTH - MARGIN, y - AIR / 2.0)],
                1.0,
                GRID,
            );
        }
        Ok(canvas)
    }
}

impl Steps {
    fn scale(&self) -> Scale {
        let steps = || self.rows.iter().flat_map(|row| &row.steps);
        let low = steps().map(|step| step.change.low).fold(0.0, f64::min);
        let high = steps().map(|step| step.change.high).fold(0.0, f64::max);
        let room = if high > low { 0.06 * (high - low) } else { 1.0 };
        let widest = axes::row_labels_width(self.rows.iter().map(|row| &row.label));
        let left = MARGIN + widest + 20.0;
        Scale::linear((low - room, high + room), (left, WIDTH - MARGIN - TO))
    }
}

/// Steps down and up have colours of their own; what cannot be told from nothing is pale.
fn draw(canvas: &mut Canvas, scale: &Scale, step: &Step, y: f64) {
    let Estimate {
        value, low, high, ..
    } = step.change;
    let told = low > 0.0 || high < 0.0;
    let own: Ink = theme::seat_ink(if step.down { 1 } else { 0 });
    let ink = if told { own } else { own.pale(0.45) };
    let (zero, at) = (scale.place(0.0), scale.place(value));
    canvas.stroke(&[(zero, y), (at, y)], 6.0, ink.pale(0.35));
    canvas.stroke(&[(scale.place(low), y), (scale.place(high), y)], 2.5, ink);
    canvas.disc((at, y), 4.5, ink);
    let style = TICK.in_ink(GREY).held_at(Anchor::End);
    let arrow = if step.down { "down to" } else { "up to" };
    let amount = signed(within(value, step.change.half_width()), value);
    let text = shorten(&format!("{arrow} {}: {amount}", step.to), &style, TO - 8.0);
    canvas.text_mid(&text, (WIDTH - MARGIN, y), style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label};

    fn chart(values: &[(f64, f64)], half: f64) -> Steps {
        let step = |value: f64, down: bool| Step {
            to: if down { "11".into() } else { "13".into() },
            down,
            change: estimate(value, half),
        };
        let row = |(index, &(down, up)): (usize, &(f64, f64))| StepRow {
            label: label(index),
            steps: vec![step(down, true), step(up, false)],
        };
        Steps {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "percentage points".into(),
            rows: values.iter().enumerate().map(row).collect(),
            note: "No step of this changes anything: reach.".into(),
        }
    }

    #[test]
    fn any_steps_are_drawn() {
        assert_sound(&chart(&[], 0.0));
        assert_sound(&chart(&[(0.0, 0.0)], 0.0));
        assert_sound(&chart(&[(-1.5, 0.4), (-0.2, -9000.0)], 0.1));
        assert_sound(&chart(&[(-0.001, 0.002); 20], 0.000_4));
        let none = StepRow {
            label: "alone".into(),
            steps: vec![],
        };
        let rows = vec![none];
        assert_sound(&Steps {
            rows,
            ..chart(&[], 0.0)
        });
    }

    #[test]
    fn steps_look_as_their_golden() {
        assert_golden("steps", &chart(&[(-1.3, -0.4), (0.05, -2.1)], 0.2));
    }
}
