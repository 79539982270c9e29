//! Values over a grid: one panel a bot, cells shaded on one scale, with a bar as its key.
//!
//! Knows grids and labels, not what a cell is.

use super::canvas::{Anchor, Canvas, Spot};
use super::labels::shorten;
use super::theme::{self, BLACK, GRID, LABEL, Paper, TICK, WHITE, shade};
use super::{Chart, ChartError, check_column};
use crate::figure::{Board, Boards};
use crate::numbers::number;

/// Space between two panels.
const GAP: f64 = 22.0;
/// Largest side of a cell.
const CELL_MAX: f64 = 46.0;
/// Height of the line of names above the panels, with the letters of the columns below them.
const NAMES: f64 = 42.0;
/// Room for the numbers of the rows, left of each panel.
const NUMBERS: f64 = 18.0;
/// Most panels side by side, of cells so large; more go to a further line.
const ACROSS: usize = 4;
const CELL_MIN: f64 = 24.0;

impl Chart for Boards {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let wanted = self.panels.first().map_or(0, |panel| panel.values.len());
        for Board { label, values } in &self.panels {
            check_column(&format!("values of `{label}`"), values, wanted)?;
        }
        let columns = self.columns.max(1);
        let all = self.panels.iter().flat_map(|panel| &panel.values);
        let highest = all.copied().fold(0.0, f64::max);
        if highest <= 0.0 {
            return Ok(None);
        }
        let cell = |across: usize| {
            let width = (paper.inner() - GAP * (across - 1) as f64) / across as f64 - NUMBERS;
            (width / columns as f64).floor().clamp(4.0, CELL_MAX)
        };
        let most = self.panels.len().clamp(1, ACROSS);
        let roomy = (1..=most).rev().find(|across| cell(*across) >= CELL_MIN);
        let across = roomy.unwrap_or(1);
        let cell = cell(across);
        let line = NAMES + cell * wanted.div_ceil(columns).max(1) as f64 + GAP;
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let cells = BoardCells {
            columns,
            cell,
            highest,
            decimals: match highest {
                100.0.. => 0,
                1.0.. => 1,
                _ => 2,
            },
        };
        for (i, panel) in self.panels.iter().enumerate() {
            let pitch = NUMBERS + cell * columns as f64 + GAP;
            let left = paper.margin() + NUMBERS + pitch * (i % across) as f64;
            let upper = top + line * (i / across) as f64;
            cells.draw(&mut canvas, i, panel, (left, upper));
        }
        let most = number(highest, cells.decimals);
        let below = top + line * self.panels.len().div_ceil(across) as f64 + 8.0;
        let end = theme::shade_key(&mut canvas, below, ("0", &most), &self.unit);
        theme::end(&mut canvas, end, &[]);
        Ok(Some(canvas))
    }
}

/// What all panels share.
struct BoardCells {
    columns: usize,
    cell: f64,
    highest: f64,
    decimals: usize,
}

impl BoardCells {
    fn draw(&self, canvas: &mut Canvas, index: usize, panel: &Board, (left, top): Spot) {
        let style = LABEL.bold().in_ink(theme::seat_ink(index));
        let name = shorten(&panel.label, &style, self.cell * self.columns as f64);
        canvas.text(&name, (left, top + 16.0), style);
        let upper = top + NAMES;
        let rows = panel.values.len().div_ceil(self.columns);
        let style = TICK.held_at(Anchor::Middle);
        let step = (18.0 / self.cell).ceil() as usize;
        for column in (0..self.columns.min(26)).step_by(step) {
            let letter = char::from(b'A' + column as u8).to_string();
            let x = left + self.cell * (column as f64 + 0.5);
            canvas.text(&letter, (x, upper - 5.0), style);
        }
        for row in (0..rows).step_by(step) {
            let at = (left - 5.0, upper + self.cell * (row as f64 + 0.5));
            canvas.text_mid(&(row + 1).to_string(), at, style.held_at(Anchor::End));
        }
        for (i, value) in panel.values.iter().enumerate() {
            let x = left + self.cell * (i % self.columns) as f64;
            let y = upper + self.cell * (i / self.columns) as f64;
            let part = value / self.highest;
            let corners = ((x, y), (x + self.cell, y + self.cell));
            canvas.block(corners.0, corners.1, GRID);
            canvas.inset(corners, 0.5, shade(part));
            let text = number(*value, self.decimals);
            let letter = char::from(b'A' + (i % self.columns % 26) as u8);
            let place = format!("{letter}{}", i / self.columns + 1);
            canvas.tell(
                corners.0,
                corners.1,
                format!("{}, {place}: {text}", panel.label),
            );
            if style.width(&text) + 6.0 < self.cell && style.size + 4.0 < self.cell {
                let ink = if part > 0.52 { WHITE } else { BLACK };
                let middle = (x + self.cell / 2.0, y + self.cell / 2.0);
                canvas.text_mid(&text, middle, style.in_ink(ink));
            }
        }
    }
}
