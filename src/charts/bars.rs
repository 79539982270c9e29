//! The parts of sums: one bar of coloured parts per row, all on one scale.
//!
//! Each part has its own colour and name; the names are above the bars, in the order of the parts.

use super::axes::{RowLabels, Scale};
use super::canvas::{Anchor, Canvas, Ink};
use super::labels::shorten;
use super::theme::{self, BLACK, LABEL, Paper, TICK, WHITE};
use super::{Chart, ChartError, check_finite, check_length};
use carat_core::figure::{Bar, Bars};
use carat_core::numbers::number;

/// Room for the printed sum at the right of a row.
const VALUE_WIDTH: f64 = 62.0;
const KEY_LINE: f64 = 22.0;

/// The parts' colours, from dark to light, which differ in lightness too; the last ones appear only
/// in stacks of many parts.
const PARTS: [Ink; 8] = [
    Ink::solid(0x0B, 0x4F, 0x7D),
    Ink::solid(0x5B, 0xA3, 0xCF),
    Ink::solid(0xD5, 0x8A, 0x00),
    Ink::solid(0xE9, 0xC9, 0x6A),
    Ink::solid(0x7A, 0x4B, 0x8C),
    Ink::solid(0xC9, 0xA6, 0xD6),
    Ink::solid(0x4A, 0x4A, 0x4A),
    Ink::solid(0xB5, 0xBA, 0xBF),
];

impl Chart for Bars {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for row in &self.rows {
            let column = format!("parts of `{}`", row.label);
            check_length(&column, row.parts.len(), self.parts.len())?;
            check_finite(&column, row.parts.iter().copied())?;
        }
        let sums = self.rows.iter().map(|row| row.parts.iter().sum());
        let highest = sums.fold(0.0, f64::max);
        if highest <= 0.0 {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let top = draw_key(self, &mut canvas, top) + 10.0;
        let labels = RowLabels::of(self.rows.iter().map(|row| &row.label), 2, 20.0, 0.0, paper);
        let right = paper.across().1 - if !self.ordered { VALUE_WIDTH } else { 8.0 };
        let scale = Scale::linear((0.0, highest), (labels.left, right));
        let row = paper.pick(44.0, (300.0 / self.rows.len() as f64).clamp(42.0, 64.0));
        let above = self.rows.iter().map(|row| labels.above(&row.label));
        let heights: Vec<f64> = above.map(|above| above + row).collect();
        let bottom = top + heights.iter().sum::<f64>();
        let ticks = scale.ticks(false);
        let end = scale.draw(&mut canvas, &ticks, (top, bottom), &self.unit);
        let mut upper = top;
        for (bar, height) in self.rows.iter().zip(heights) {
            let y = upper + height - row / 2.0;
            labels.draw(&mut canvas, &bar.label, upper, y, LABEL);
            draw_bar(self, &mut canvas, &scale, bar, y, 0.34 * row);
            upper += height;
        }
        theme::end(&mut canvas, end, &[]);
        Ok(Some(canvas))
    }
}

fn part_ink(chart: &Bars, part: usize) -> Ink {
    let last = chart.parts.len().saturating_sub(1).max(1);
    if chart.ordered {
        theme::shade(0.08 + 0.92 * part as f64 / last as f64)
    } else {
        PARTS[part % PARTS.len()]
    }
}

/// Draws the legend; returns its lower end.
fn draw_key(chart: &Bars, canvas: &mut Canvas, top: f64) -> f64 {
    let (from, to) = canvas.paper().across();
    let (mut y, mut left) = (top + 0.4 * KEY_LINE, from);
    for (part, name) in chart.parts.iter().enumerate() {
        let width = 20.0 + TICK.width(name);
        if left > from && left + width > to {
            (y, left) = (y + KEY_LINE, from);
        }
        canvas.block(
            (left, y - 6.0),
            (left + 12.0, y + 6.0),
            part_ink(chart, part),
        );
        let name = shorten(name, &TICK, to - left - 20.0);
        canvas.text_mid(&name, (left + 20.0, y), TICK.in_ink(BLACK));
        left += width + 24.0;
    }
    y + 0.6 * KEY_LINE
}

fn draw_bar(chart: &Bars, canvas: &mut Canvas, scale: &Scale, row: &Bar, y: f64, half: f64) {
    let mut sum = 0.0;
    for (part, length) in row.parts.iter().enumerate() {
        let (from, to) = (scale.place(sum), scale.place(sum + length));
        sum += length;
        if *length <= 0.0 {
            continue;
        }
        let ink = part_ink(chart, part);
        canvas.block((from, y - half), (to, y + half), ink);
        let value = number(*length, chart.decimals);
        let text = format!("{}, {}: {value}", row.label, chart.parts[part]);
        canvas.tooltip((from, y - half), (to, y + half), text);
        if to - from > 4.0 {
            // A fine gap separates neighbours without relying on colour.
            canvas.block((to - 1.0, y - half), (to, y + half), WHITE);
        }
        if TICK.width(&value) + 8.0 < to - from {
            let style = TICK.in_ink(theme::text_on(ink)).held_at(Anchor::Middle);
            canvas.text_mid(&value, ((from + to) / 2.0, y), style);
        }
    }
    if !chart.ordered {
        let text = number(sum, chart.decimals);
        canvas.text_mid(&text, (scale.place(sum) + 8.0, y), LABEL.bold());
    }
}
