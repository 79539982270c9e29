//! Values over a grid: one panel a bot, cells shaded on one scale, with a bar as its key.
//!
//! Knows grids and labels, not what a cell is.

use super::canvas::{Anchor, Canvas, Point};
use super::labels::shorten;
use super::theme::{self, BAR_WIDTH, BLACK, GRID, LABEL, MARGIN, TICK, WHITE, WIDTH, shade};
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
/// Most panels side by side; more go to a further line.
const ACROSS: usize = 4;

impl Chart for Boards {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        let wanted = self.panels.first().map_or(0, |panel| panel.values.len());
        for panel in &self.panels {
            check_column(
                &format!("values of `{}`", panel.label),
                &panel.values,
                wanted,
            )?;
        }
        let across = self.panels.len().clamp(1, ACROSS);
        let lines = self.panels.len().div_ceil(ACROSS).max(1);
        let columns = self.columns.max(1);
        let width = (WIDTH - 2.0 * MARGIN - GAP * (across - 1) as f64) / across as f64 - NUMBERS;
        let cell = (width / columns as f64).floor().clamp(4.0, CELL_MAX);
        let rows = wanted.div_ceil(columns).max(1);
        let line = NAMES + cell * rows as f64 + GAP;
        let height = line * lines as f64 + 66.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        let all = || self.panels.iter().flat_map(|panel| &panel.values);
        let highest = all().fold(0.0_f64, |highest, value| highest.max(*value));
        if highest <= 0.0 {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        }
        let grid = Grid {
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
            let left = MARGIN + NUMBERS + pitch * (i % ACROSS) as f64;
            let upper = top + line * (i / ACROSS) as f64;
            grid.draw(&mut canvas, i, panel, (left, upper));
        }
        grid.draw_key(&mut canvas, top + line * lines as f64 + 8.0, &self.unit);
        Ok(canvas)
    }
}

/// What all panels share.
struct Grid {
    columns: usize,
    cell: f64,
    highest: f64,
    decimals: usize,
}

impl Grid {
    fn draw(&self, canvas: &mut Canvas, index: usize, panel: &Board, (left, top): Point) {
        let width = self.cell * self.columns as f64;
        let style = LABEL.bold().in_ink(theme::seat_ink(index));
        let name = shorten(&panel.label, &style, width);
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
            let y = upper + self.cell * (row as f64 + 0.5);
            let at = (left - 5.0, y);
            canvas.text_mid(&(row + 1).to_string(), at, style.held_at(Anchor::End));
        }
        for (i, value) in panel.values.iter().enumerate() {
            let x = left + self.cell * (i % self.columns) as f64;
            let y = upper + self.cell * (i / self.columns) as f64;
            let part = value / self.highest;
            canvas.block((x, y), (x + self.cell, y + self.cell), GRID);
            canvas.block(
                (x + 0.5, y + 0.5),
                (x + self.cell - 0.5, y + self.cell - 0.5),
                shade(part),
            );
            let text = number(*value, self.decimals);
            let style = TICK.held_at(Anchor::Middle);
            if style.width(&text) + 6.0 < self.cell && style.size + 4.0 < self.cell {
                let ink = if part > 0.52 { WHITE } else { BLACK };
                let middle = (x + self.cell / 2.0, y + self.cell / 2.0);
                canvas.text_mid(&text, middle, style.in_ink(ink));
            }
        }
    }

    fn draw_key(&self, canvas: &mut Canvas, top: f64, unit: &str) {
        theme::colour_bar(canvas, top, shade);
        let y = top + 28.0;
        canvas.text("0", (MARGIN, y), TICK);
        let most = number(self.highest, self.decimals);
        canvas.text(&most, (MARGIN + BAR_WIDTH, y), TICK.held_at(Anchor::End));
        let left = MARGIN + BAR_WIDTH + 18.0;
        let unit = shorten(unit, &TICK, WIDTH - MARGIN - left);
        canvas.text_mid(&unit, (left, top + 6.0), TICK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(panels: usize, side: usize, scale: f64) -> Boards {
        let panel = |i| Board {
            label: label(i),
            values: (0..side * side)
                .map(|cell| scale * (cell + i) as f64)
                .collect(),
        };
        Boards {
            title: "Where on the board diamonds are gained".into(),
            subtitle: "Some game · 4 players · 1,000 games".into(),
            unit: "diamonds gained on a cell in 100 games".into(),
            columns: side,
            panels: (0..panels).map(panel).collect(),
        }
    }

    #[test]
    fn charts_are_sound() {
        for (panels, side, scale) in [
            (1, 7, 0.3),
            (2, 9, 100.0),
            (4, 7, 0.01),
            (4, 9, 1e6),
            (5, 5, 1.0),
            (0, 7, 1.0),
            (3, 7, 0.0),
        ] {
            assert_sound(&chart(panels, side, scale));
        }
    }

    #[test]
    fn boards_look_as_their_golden() {
        let panels = BOTS.map(|label| Board {
            label: label.into(),
            values: (0..9).map(f64::from).collect(),
        });
        let chart = Boards {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            unit: "diamonds a game".into(),
            columns: 3,
            panels: panels.to_vec(),
        };
        assert_golden("boards", &chart);
    }

    #[test]
    fn panels_must_agree_and_be_finite() {
        let mut uneven = chart(2, 5, 1.0);
        uneven.panels[1].values.pop();
        assert!(
            uneven
                .canvas()
                .unwrap_err()
                .to_string()
                .contains("values of")
        );
        assert!(chart(1, 5, f64::NAN).canvas().is_err());
    }
}
