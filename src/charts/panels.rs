//! Shares over two axes: panels of cells that are coloured from 0 to 100 %, on one pair of axes, and
//! a line on top of each.
//!
//! Knows labels and numbers, not what a cell is.

use super::canvas::{Anchor, Canvas, Ink, Point};
use super::labels::{every, shorten};
use super::theme::{self, BAR_WIDTH, BLACK, GRID, MARGIN, PANEL, TICK, WIDTH, shade};
use super::{Chart, ChartError, check_column};

/// Panels side by side.
const ACROSS: usize = 3;
/// Space between two panels.
const GAP: f64 = 20.0;
/// Room for the labels of rows.
const ROWS: f64 = 62.0;
/// Height of a row.
const ROW: f64 = 17.0;
/// The line on top.
const LINE: Ink = Ink::solid(0xC8, 0x3E, 0x0C);

/// Shares over two axes, panel by panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
    /// What the columns are.
    pub x_title: String,
    /// What the rows are.
    pub y_title: String,
    /// What lies between two columns, from left to right: one fewer than columns.
    pub columns: Vec<String>,
    /// The labels of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// What the colours show.
    pub unit: String,
    /// What the line is; empty where there is none.
    pub line: String,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it is about.
    pub label: String,
    /// Row after row a share (0..=1); none where nothing is known.
    pub shares: Vec<Option<f64>>,
    /// For each row, how many columns lie left of the line; none where there is no line.
    pub line: Vec<f64>,
}

impl Chart for Panels {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        let (rows, columns) = (self.rows.len(), self.columns.len() + 1);
        for panel in &self.panels {
            let known: Vec<f64> = panel
                .shares
                .iter()
                .map(|share| share.unwrap_or(0.0))
                .collect();
            check_column(
                &format!("shares of `{}`", panel.label),
                &known,
                rows * columns,
            )?;
            if !panel.line.is_empty() {
                check_column(&format!("line of `{}`", panel.label), &panel.line, rows)?;
            }
        }
        let lines = self.panels.len().div_ceil(ACROSS);
        let line = 26.0 + ROW * rows as f64 + 40.0;
        let height = line * lines.max(1) as f64 + 70.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        if self.panels.is_empty() || rows == 0 {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        }
        let across = ACROSS.min(self.panels.len());
        let width = WIDTH - 2.0 * MARGIN - ROWS - GAP * (ACROSS - 1) as f64;
        let cell = (width / ACROSS as f64 / columns as f64).min(60.0);
        for (index, panel) in self.panels.iter().enumerate() {
            let left = MARGIN + ROWS + (cell * columns as f64 + GAP) * (index % across) as f64;
            let upper = top + line * (index / across) as f64;
            self.draw(&mut canvas, panel, (left, upper), cell, index % across == 0);
        }
        let below = top + line * lines as f64 + 4.0;
        self.draw_key(&mut canvas, below);
        Ok(canvas)
    }
}

impl Panels {
    fn draw(&self, canvas: &mut Canvas, panel: &Panel, at: Point, cell: f64, first: bool) {
        let (left, upper) = (at.0, at.1 + 26.0);
        let columns = self.columns.len() + 1;
        let right = left + cell * columns as f64;
        let label = shorten(&panel.label, &PANEL, right - left);
        canvas.text(&label, (left, upper - 8.0), PANEL);
        for (index, share) in panel.shares.iter().enumerate() {
            let x = left + cell * (index % columns) as f64;
            let y = upper + ROW * (index / columns) as f64;
            match share {
                Some(share) => canvas.block((x, y), (x + cell, y + ROW), shade(*share)),
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
        let mut corners: Vec<Point> = Vec::new();
        for (row, place) in panel.line.iter().enumerate() {
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
            let title = shorten(&self.y_title, &TICK.bold(), ROWS + 20.0);
            canvas.text(
                &title,
                (MARGIN, upper - 8.0),
                TICK.bold().in_ink(BLACK).held_at(Anchor::Start),
            );
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

    fn chart(panels: usize, rows: usize, columns: usize) -> Panels {
        let share = |cell: usize| (cell % 7 != 3).then_some((cell % 11) as f64 / 10.0);
        let panel = |index: usize| Panel {
            label: label(index),
            shares: (0..rows * columns)
                .map(|cell| share(cell + index))
                .collect(),
            line: (0..rows).map(|row| (row % (columns + 1)) as f64).collect(),
        };
        Panels {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            x_title: "held: rubies that a trap would take".into(),
            y_title: "bust risk".into(),
            columns: (1..columns).map(|edge| (3 * edge).to_string()).collect(),
            rows: (0..rows).map(|row| format!("from {row} %")).collect(),
            unit: "how often they leave".into(),
            line: "leave right of this line: held >= 12".into(),
            panels: (0..panels).map(panel).collect(),
        }
    }

    #[test]
    fn any_panels_are_drawn() {
        for (panels, rows, columns) in [(0, 3, 3), (1, 1, 1), (3, 10, 12), (8, 12, 14), (5, 30, 40)]
        {
            assert_sound(&chart(panels, rows, columns));
        }
        let mut without_line = chart(2, 4, 5);
        without_line.line.clear();
        without_line.panels[0].line.clear();
        assert_sound(&without_line);
    }

    #[test]
    fn panels_look_as_their_golden() {
        assert_golden("panels", &chart(4, 3, 5));
    }

    #[test]
    fn panels_that_do_not_fit_are_refused() {
        let mut short = chart(2, 3, 3);
        short.panels[1].shares.pop();
        assert!(short.canvas().is_err());
    }
}
