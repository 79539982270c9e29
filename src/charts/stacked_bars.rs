//! What sums are made of: one bar of coloured parts a row, all on one scale.
//!
//! Knows parts and labels, not what they count. Parts have colours and names of their own; the
//! names stand in the order of the parts above the bars.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas, Ink};
use super::labels::shorten;
use super::theme::{self, BLACK, LABEL, MARGIN, TICK, WHITE, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::figure::{StackedBar, StackedBars};
use crate::numbers::number;

/// Room for the printed sum at the right of a row.
const VALUE_WIDTH: f64 = 62.0;
/// Height of a line of the key.
const KEY_LINE: f64 = 22.0;

/// The parts' colours, dark to light and apart in lightness too, so that they can be told apart
/// without colour; the last ones are used only by stacks of many parts.
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

impl Chart for StackedBars {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            let column = format!("parts of `{}`", row.label);
            check_column(&column, &row.parts, self.parts.len())?;
        }
        let rows = self.rows.len().max(1) as f64;
        let row = (300.0 / rows).clamp(42.0, 64.0);
        let key = self.key();
        let head = KEY_LINE * key.last().map_or(0.0, |(line, _)| *line as f64 + 1.0) + 12.0;
        let height = head + row * rows + 60.0;
        let sums = self.rows.iter().map(|row| row.parts.iter().sum());
        let highest = sums.fold(0.0, f64::max);
        if highest <= 0.0 {
            return theme::blank(&self.title, played, height, "nothing to show");
        }
        let (mut canvas, top) = theme::page(&self.title, played, height);
        self.draw_key(&mut canvas, &key, top);
        let span = (top + head, top + head + row * rows);
        let left = axes::rows_left(self.rows.iter().map(|row| &row.label), 20.0);
        let scale = Scale::linear((0.0, highest), (left, WIDTH - MARGIN - VALUE_WIDTH));
        axes::x_axis(
            &mut canvas,
            &scale,
            &scale.ticks(8, false),
            span,
            &self.unit,
        );
        for (i, bar) in self.rows.iter().enumerate() {
            let y = span.0 + (i as f64 + 0.5) * row;
            self.draw_bar(&mut canvas, &scale, bar, (y, 0.34 * row));
        }
        Ok(canvas)
    }
}

impl StackedBars {
    /// The colour of a part.
    fn ink(&self, part: usize) -> Ink {
        let last = self.parts.len().saturating_sub(1).max(1);
        match self.ordered {
            true => theme::shade(0.08 + 0.92 * part as f64 / last as f64),
            false => PARTS[part % PARTS.len()],
        }
    }

    /// Line and left end of the name of each part.
    fn key(&self) -> Vec<(usize, f64)> {
        let (mut line, mut left) = (0, MARGIN);
        let place = |name: &String| {
            let width = 20.0 + TICK.width(name);
            if left > MARGIN && left + width > WIDTH - MARGIN {
                (line, left) = (line + 1, MARGIN);
            }
            let at = (line, left);
            left += width + 24.0;
            at
        };
        self.parts.iter().map(place).collect()
    }

    fn draw_key(&self, canvas: &mut Canvas, key: &[(usize, f64)], top: f64) {
        for (part, (name, (line, left))) in self.parts.iter().zip(key).enumerate() {
            let y = top + KEY_LINE * (*line as f64 + 0.4);
            canvas.block((*left, y - 6.0), (left + 12.0, y + 6.0), self.ink(part));
            let room = WIDTH - MARGIN - left - 20.0;
            let name = shorten(name, &TICK, room);
            canvas.text_mid(&name, (left + 20.0, y), TICK.in_ink(BLACK));
        }
    }

    fn draw_bar(
        &self,
        canvas: &mut Canvas,
        scale: &Scale,
        row: &StackedBar,
        (y, half): (f64, f64),
    ) {
        axes::row_label(canvas, &row.label, (scale.places.0, y));
        let mut sum = 0.0;
        for (part, length) in row.parts.iter().enumerate() {
            let (from, to) = (scale.place(sum), scale.place(sum + length));
            sum += length;
            if *length <= 0.0 {
                continue;
            }
            let ink = self.ink(part);
            canvas.block((from, y - half), (to, y + half), ink);
            if to - from > 4.0 {
                // A fine gap keeps neighbours apart for those who do not see their colours.
                canvas.block((to - 1.0, y - half), (to, y + half), WHITE);
            }
            let text = number(*length, self.decimals);
            if TICK.width(&text) + 8.0 < to - from {
                let style = TICK.in_ink(theme::text_on(ink)).held_at(Anchor::Middle);
                canvas.text_mid(&text, ((from + to) / 2.0, y), style);
            }
        }
        if self.sums {
            let text = number(sum, self.decimals);
            canvas.text_mid(&text, (scale.place(sum) + 8.0, y), LABEL.bold());
        }
    }
}
