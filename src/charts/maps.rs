//! Shares over two axes: small maps of cells that are coloured from 0 to 100 %, on one pair of axes,
//! and a line on top of each. Maps that belong together stand below one heading.
//!
//! Knows labels and numbers, not what a cell is.

use super::canvas::{Anchor, Canvas, Ink, Spot};
use super::labels::{every, shorten};
use super::theme::{self, BAR_WIDTH, BLACK, GRID, MARGIN, PANEL, TICK, WIDTH, shade};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{MapGroup, Maps, ShareMap};

/// Space between two maps.
const GAP: f64 = 20.0;
/// Room for the labels of rows.
const ROWS: f64 = 62.0;
/// Height of a row.
const ROW: f64 = 17.0;
/// Room for the name of a map, above it.
const NAME: f64 = 26.0;
/// Room for the labels of its columns, below it.
const FOOT: f64 = 40.0;
/// Height of the heading of a group, with the space above it.
const HEADING: f64 = 36.0;
/// The line on top.
const LINE: Ink = Ink::solid(0xC8, 0x3E, 0x0C);

impl Chart for Maps {
    fn canvas(&self, played: &str) -> Result<Canvas, ChartError> {
        let (rows, columns) = (self.rows.len(), self.columns.len() + 1);
        for ShareMap {
            label,
            shares,
            line,
        } in self.groups.iter().flat_map(|group| &group.maps)
        {
            let column = format!("shares of `{label}`");
            check_length(&column, shares.len(), rows * columns)?;
            check_finite(&column, shares.iter().flatten())?;
            if !line.is_empty() {
                check_column(&format!("line of `{label}`"), line, rows)?;
            }
        }
        let most = self.groups.iter().map(|group| group.maps.len()).max();
        let across = self.across.min(most.unwrap_or(0)).max(1);
        let line = NAME + ROW * rows as f64 + FOOT;
        let head = |group: &MapGroup| if group.label.is_empty() { 0.0 } else { HEADING };
        let height =
            |group: &MapGroup| head(group) + line * group.maps.len().div_ceil(across) as f64;
        let all: f64 = self.groups.iter().map(height).sum();
        let page_height = all.max(120.0) + 70.0;
        if all == 0.0 || rows == 0 {
            return theme::blank(&self.title, played, page_height, "nothing to show");
        }
        let (mut canvas, top) = theme::page(&self.title, played, page_height);
        let width = WIDTH - 2.0 * MARGIN - ROWS - GAP * (across - 1) as f64;
        let cell = (width / across as f64 / columns as f64).min(60.0);
        let mut upper = top;
        for group in &self.groups {
            if !group.label.is_empty() {
                let label = shorten(&group.label, &PANEL, WIDTH - 2.0 * MARGIN);
                canvas.text(&label, (MARGIN, upper + HEADING - 12.0), PANEL);
            }
            let below = upper + head(group);
            for (index, map) in group.maps.iter().enumerate() {
                let left = MARGIN + ROWS + (cell * columns as f64 + GAP) * (index % across) as f64;
                let at = (left, below + line * (index / across) as f64);
                self.draw(&mut canvas, map, at, cell, index % across == 0);
            }
            upper += height(group);
        }
        self.draw_key(&mut canvas, upper + 4.0);
        Ok(canvas)
    }
}

impl Maps {
    fn draw(&self, canvas: &mut Canvas, map: &ShareMap, at: Spot, cell: f64, first: bool) {
        let (left, upper) = (at.0, at.1 + NAME);
        let columns = self.columns.len() + 1;
        let right = left + cell * columns as f64;
        let style = TICK.bold().in_ink(BLACK);
        let label = shorten(&map.label, &style, right - left);
        canvas.text(&label, (left, upper - 8.0), style);
        let empty = map.shares.iter().all(Option::is_none);
        for (index, share) in map.shares.iter().enumerate() {
            let x = left + cell * (index % columns) as f64;
            let y = upper + ROW * (index / columns) as f64;
            match share {
                Some(share) => canvas.block((x, y), (x + cell, y + ROW), shade(*share)),
                None if empty => {}
                None => canvas.level((x + 2.0, x + cell - 2.0), y + ROW / 2.0, GRID),
            }
        }
        let lower = upper + ROW * self.rows.len() as f64;
        canvas.frame((left, upper), (right, lower), GRID);
        if empty {
            let middle = ((left + right) / 2.0, (upper + lower) / 2.0);
            canvas.text_mid("nothing to show", middle, TICK.held_at(Anchor::Middle));
        }
        let mut corners: Vec<Spot> = Vec::new();
        for (row, place) in map.line.iter().enumerate() {
            let x = left + cell * place;
            corners.push((x, upper + ROW * row as f64));
            corners.push((x, upper + ROW * (row + 1) as f64));
        }
        canvas.stroke(&corners, 2.5, LINE);
        if first {
            for (row, label) in self.rows.iter().enumerate() {
                let y = upper + ROW * (row as f64 + 0.5);
                canvas.text_mid(label, (left - 8.0, y), TICK.held_at(Anchor::End));
            }
            let title = shorten(&self.y_title, &TICK, left - MARGIN - 4.0);
            canvas.text(&title, (MARGIN, upper - 8.0), TICK);
        }
        let step = every(&self.columns, &TICK, 8.0, cell);
        for (index, label) in self.columns.iter().enumerate().step_by(step.max(1)) {
            let x = left + cell * (index + 1) as f64;
            canvas.stroke(&[(x, lower), (x, lower + 4.0)], 1.0, GRID);
            canvas.text(label, (x, lower + 17.0), TICK.held_at(Anchor::Middle));
        }
        let title = shorten(&self.x_title, &TICK, right - left);
        canvas.text(&title, (left, lower + 33.0), TICK);
    }

    fn draw_key(&self, canvas: &mut Canvas, top: f64) {
        theme::shade_key(canvas, top, ("0 %", "100 %"), &self.unit);
        if !self.line.is_empty() {
            let (left, y) = (MARGIN + BAR_WIDTH + 18.0, top + 25.0);
            canvas.stroke(&[(left, y), (left + 24.0, y)], 2.5, LINE);
            theme::beside_bar(canvas, &self.line, (32.0, y), TICK);
        }
    }
}
