//! Shares over two axes: small maps of cells that are coloured from 0 to 100 %, on one pair of axes,
//! and a line on top of each. Maps that belong together stand below one heading.
//!
//! Knows labels and numbers, not what a cell is.

use super::canvas::{Anchor, Canvas, Ink, Spot};
use super::labels::{every, shorten, wrap};
use super::theme::{self, BLACK, GRID, LEADING, PANEL, Paper, TICK, shade, shade_around};
use super::{Chart, ChartError, check_column, check_finite, check_length};
use crate::figure::{MapGroup, Maps, ShareMap};
use crate::numbers::{number, percent};

/// Space between two maps.
const GAP: f64 = 20.0;
/// Room for the labels of rows.
const ROWS: f64 = 62.0;
/// Height of a row, and least width of a cell where maps stand side by side.
const ROW: f64 = 17.0;
const CELL_MIN: f64 = 14.0;
/// Room for the name of a map, above it.
const NAME: f64 = 26.0;
/// Room for the labels of its columns, below it.
const FOOT: f64 = 40.0;
/// Height of the heading of a group, with the space above it.
const HEADING: f64 = 36.0;
/// The line on top.
const LINE: Ink = Ink::solid(0xC8, 0x3E, 0x0C);

impl Chart for Maps {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let (rows, columns) = (self.rows.len(), self.columns.len() + 1);
        for ShareMap {
            label,
            shares,
            few: _,
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
        // A map of nothing is not drawn, and so what is left moves up.
        let known = |group: &MapGroup| -> Vec<ShareMap> {
            let maps = group
                .maps
                .iter()
                .filter(|map| map.shares.iter().any(Option::is_some));
            maps.cloned().collect()
        };
        let groups = self
            .groups
            .iter()
            .map(|group| (group.label.as_str(), known(group)));
        let groups: Vec<_> = groups.filter(|(_, maps)| !maps.is_empty()).collect();
        let Some(most) = groups.iter().map(|(_, maps)| maps.len()).max() else {
            return Ok(None);
        };
        let (mut canvas, mut upper) = theme::page(&self.title, played, paper);
        let cell = |across: usize| {
            let width = paper.inner() - ROWS - GAP * (across - 1) as f64;
            (width / across as f64 / columns as f64).min(60.0)
        };
        let roomy = |across: &usize| cell(*across) >= CELL_MIN;
        let across = (1..=self.across.min(most)).rev().find(roomy).unwrap_or(1);
        let cell = cell(across);
        let line = NAME + ROW * rows as f64 + FOOT;
        for (label, maps) in &groups {
            if !label.is_empty() {
                upper += HEADING - 12.0;
                for line in wrap(label, &PANEL, paper.inner(), 3) {
                    canvas.text(&line, (paper.margin(), upper), PANEL);
                    upper += LEADING;
                }
                upper += 12.0 - LEADING;
            }
            for (index, map) in maps.iter().enumerate() {
                let place = (index % across) as f64;
                let left = paper.margin() + ROWS + (cell * columns as f64 + GAP) * place;
                let at = (left, upper + line * (index / across) as f64);
                self.draw(&mut canvas, (label, map), at, cell, index % across == 0);
            }
            upper += line * maps.len().div_ceil(across) as f64;
        }
        let end = self.draw_key(&mut canvas, upper + 4.0);
        theme::end(&mut canvas, end, &[]);
        Ok(Some(canvas))
    }
}

/// A difference with its sign.
fn signed(value: f64, decimals: usize) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    format!("{sign}{}", number(value, decimals))
}

impl Maps {
    fn ink(&self, value: f64) -> Ink {
        match self.most {
            None => shade(value),
            Some(most) => shade_around(value / most),
        }
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        (group, map): (&str, &ShareMap),
        at: Spot,
        cell: f64,
        first: bool,
    ) {
        let (left, upper) = (at.0, at.1 + NAME);
        let columns = self.columns.len() + 1;
        let right = left + cell * columns as f64;
        let style = TICK.bold().in_ink(BLACK);
        let label = shorten(&map.label, &style, right - left);
        canvas.text(&label, (left, upper - 8.0), style);
        for (index, share) in map.shares.iter().enumerate() {
            let x = left + cell * (index % columns) as f64;
            let y = upper + ROW * (index / columns) as f64;
            let few = map.few.get(index).is_some_and(|few| *few);
            match share {
                // What is known of a few cases only is a small square: it is no firm figure.
                Some(share) if few => {
                    let middle = (x + cell / 2.0, y + ROW / 2.0);
                    let (from, to) = (
                        (middle.0 - 3.5, middle.1 - 3.5),
                        (middle.0 + 3.5, middle.1 + 3.5),
                    );
                    canvas.block(from, to, self.ink(*share));
                    canvas.frame(from, to, GRID);
                }
                Some(share) => canvas.block((x, y), (x + cell, y + ROW), self.ink(*share)),
                None => canvas.level((x + 2.0, x + cell - 2.0), y + ROW / 2.0, GRID),
            }
            if let Some(share) = share {
                let seldom = if few { " (seldom seen)" } else { "" };
                let row = &self.rows[index / columns];
                let column = self.column(index % columns);
                let (across, down) = (&self.x_title, &self.y_title);
                let group = if group.is_empty() {
                    String::new()
                } else {
                    format!("{group}, ")
                };
                let told = format!(
                    "{group}{}, {across} {column}, {down} {row}: {}{seldom}",
                    map.label,
                    match self.most {
                        None => percent(*share, 0),
                        Some(_) => signed(*share, 1),
                    }
                );
                canvas.tell((x, y), (x + cell, y + ROW), told);
            }
        }
        let lower = upper + ROW * self.rows.len() as f64;
        canvas.frame((left, upper), (right, lower), GRID);
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
            let margin = canvas.paper().margin();
            let title = shorten(&self.y_title, &TICK, left - margin - 4.0);
            canvas.text(&title, (margin, upper - 8.0), TICK);
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

    /// What lies in a column.
    fn column(&self, index: usize) -> String {
        match (
            index.checked_sub(1).map(|before| &self.columns[before]),
            self.columns.get(index),
        ) {
            (None, Some(to)) => format!("below {to}"),
            (Some(from), Some(to)) => format!("from {from}, below {to}"),
            (Some(from), None) => format!("from {from}"),
            (None, None) => "any".to_string(),
        }
    }

    /// Explains the colours and the line; tells where that ends.
    fn draw_key(&self, canvas: &mut Canvas, top: f64) -> f64 {
        let ends = match self.most {
            None => ["0 %".to_string(), "100 %".to_string()],
            Some(most) => [-most, most].map(|end| signed(end, 0)),
        };
        let scale = |part: f64| match self.most {
            None => shade(part),
            Some(_) => shade_around(2.0 * part - 1.0),
        };
        let end = theme::scale_key(canvas, top, (&ends[0], &ends[1]), &self.unit, scale);
        if self.line.is_empty() {
            return end;
        }
        let (left, y) = (canvas.paper().margin(), end + 14.0);
        canvas.stroke(&[(left, y - 4.0), (left + 24.0, y - 4.0)], 2.5, LINE);
        theme::paragraph_at(canvas, (left + 34.0, y), &self.line, TICK) - 12.0
    }
}
