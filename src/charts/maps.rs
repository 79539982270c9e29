//! Shares over two axes: small maps of cells that are coloured from 0 to 100 %, on one pair of axes,
//! and a line on top of each. Maps that belong together stand below one heading.
//!
//! Knows labels and numbers, not what a cell is.

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::labels::{every, shorten};
use super::theme::{self, BAR_WIDTH, BLACK, GRID, MARGIN, PANEL, TICK, WIDTH, shade};
use super::{Chart, ChartError, check_column};
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
    fn canvas(&self) -> Result<Canvas, ChartError> {
        let (rows, columns) = (self.rows.len(), self.columns.len() + 1);
        for map in self.groups.iter().flat_map(|group| &group.maps) {
            let known = map.shares.iter().map(|share| share.unwrap_or(0.0));
            let known: Vec<f64> = known.collect();
            check_column(
                &format!("shares of `{}`", map.label),
                &known,
                rows * columns,
            )?;
            if !map.line.is_empty() {
                check_column(&format!("line of `{}`", map.label), &map.line, rows)?;
            }
        }
        let most = self.groups.iter().map(|group| group.maps.len()).max();
        let across = self.across.min(most.unwrap_or(0)).max(1);
        let line = NAME + ROW * rows as f64 + FOOT;
        let head = |group: &MapGroup| if group.label.is_empty() { 0.0 } else { HEADING };
        let height =
            |group: &MapGroup| head(group) + line * group.maps.len().div_ceil(across) as f64;
        let all: f64 = self.groups.iter().map(height).sum();
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, all.max(120.0) + 70.0);
        if all == 0.0 || rows == 0 {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        }
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
    fn draw(&self, canvas: &mut Canvas, map: &ShareMap, at: Point, cell: f64, first: bool) {
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
                None => canvas.stroke(
                    &[(x + 2.0, y + ROW / 2.0), (x + cell - 2.0, y + ROW / 2.0)],
                    1.0,
                    GRID,
                ),
            }
        }
        let lower = upper + ROW * self.rows.len() as f64;
        let frame = [
            (left, upper),
            (right, upper),
            (right, lower),
            (left, lower),
            (left, upper),
        ];
        canvas.stroke(&frame, 1.0, GRID);
        if empty {
            let middle = ((left + right) / 2.0, (upper + lower) / 2.0);
            canvas.text_mid("nothing to show", middle, TICK.held_at(Anchor::Middle));
        }
        let mut corners: Vec<Point> = Vec::new();
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
        theme::colour_bar(canvas, top, shade);
        let y = top + 28.0;
        canvas.text("0 %", (MARGIN, y), TICK);
        canvas.text("100 %", (MARGIN + BAR_WIDTH, y), TICK.held_at(Anchor::End));
        let left = MARGIN + BAR_WIDTH + 18.0;
        let unit = shorten(&self.unit, &TICK, WIDTH - MARGIN - left);
        canvas.text_mid(&unit, (left, top + 6.0), TICK);
        if !self.line.is_empty() {
            canvas.stroke(&[(left, top + 25.0), (left + 24.0, top + 25.0)], 2.5, LINE);
            let text = shorten(&self.line, &TICK, WIDTH - MARGIN - left - 32.0);
            canvas.text_mid(&text, (left + 32.0, top + 25.0), TICK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(maps: usize, rows: usize, columns: usize) -> Maps {
        let share = |cell: usize| (cell % 7 != 3).then_some((cell % 11) as f64 / 10.0);
        let map = |index: usize| ShareMap {
            label: label(index),
            shares: (0..rows * columns)
                .map(|cell| share(cell + index))
                .collect(),
            line: (0..rows).map(|row| (row % (columns + 1)) as f64).collect(),
        };
        let group = |label: String| MapGroup {
            label,
            maps: (0..maps).map(map).collect(),
        };
        Maps {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            x_title: "held: rubies that a trap would take".into(),
            y_title: "bust risk".into(),
            columns: (1..columns).map(|edge| (3 * edge).to_string()).collect(),
            rows: (0..rows).map(|row| format!("from {row} %")).collect(),
            unit: "how often they leave".into(),
            line: "leave right of this line: held >= 12".into(),
            across: 3,
            groups: vec![group(String::new()), group(label(3))],
        }
    }

    #[test]
    fn any_maps_are_drawn() {
        for (maps, rows, columns) in [(0, 3, 3), (1, 1, 1), (3, 10, 12), (8, 12, 14), (5, 30, 40)] {
            assert_sound(&chart(maps, rows, columns));
        }
        let mut without_line = chart(2, 4, 5);
        without_line.line.clear();
        without_line.groups[0].maps[0].line.clear();
        assert_sound(&without_line);
    }

    #[test]
    fn maps_look_as_their_golden() {
        let mut chart = chart(4, 3, 5);
        chart.groups[1].maps[2].shares.fill(None);
        assert_golden("maps", &chart);
    }

    #[test]
    fn maps_that_do_not_fit_are_refused() {
        let mut short = chart(2, 3, 3);
        short.groups[0].maps[1].shares.pop();
        assert!(short.canvas().is_err());
    }
}
