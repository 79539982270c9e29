//! How something grows: panels over one axis, in each a line for every bot.
//!
//! Knows values by place on the axis, not what they count.

use super::axes::{self, Scale};
use super::canvas::{Canvas, Point};
use super::labels::shorten;
use super::theme::{self, LABEL, MARGIN, PANEL, WIDTH};
use super::{Chart, ChartError, check_column};
use crate::figure::{Lines, Panel};
use crate::numbers::number;

/// Height of one panel with its heading.
const PANEL_HEIGHT: f64 = 204.0;
/// Width of the column of labels at the right.
const LABELS: f64 = 180.0;
/// About as many markers lie on a line.
const MARKERS: usize = 4;

impl Chart for Lines {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        self.check()?;
        let height = PANEL_HEIGHT * self.panels.len() as f64 + 46.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height.max(200.0));
        let (Some(first), Some(last)) = (self.x.first(), self.x.last()) else {
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        };
        // One line has no name to be told apart by.
        let legend = if self.labels.len() > 1 { LABELS } else { 0.0 };
        let (left, right) = (MARGIN + 44.0, WIDTH - MARGIN - legend - 34.0);
        let x = Scale::linear((*first, *last), (left, right));
        for (index, panel) in self.panels.iter().enumerate() {
            let top = top + PANEL_HEIGHT * index as f64;
            self.draw(&mut canvas, panel, &x, top, index + 1 == self.panels.len());
            if index == 0 && legend > 0.0 {
                self.draw_legend(&mut canvas, panel, top);
            }
        }
        if !self.note.is_empty() {
            theme::notes(&mut canvas, std::slice::from_ref(&self.note));
        }
        Ok(canvas)
    }
}

impl Lines {
    fn check(&self) -> Result<(), ChartError> {
        check_column("x", &self.x, self.x.len())?;
        for panel in &self.panels {
            if panel.lines.len() != self.labels.len() {
                return Err(ChartError::Length {
                    column: format!("lines of `{}`", panel.heading),
                    found: panel.lines.len(),
                    wanted: self.labels.len(),
                });
            }
            for (label, line) in self.labels.iter().zip(&panel.lines) {
                check_column(
                    &format!("{} of `{label}`", panel.heading),
                    line,
                    self.x.len(),
                )?;
            }
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas, panel: &Panel, x: &Scale, top: f64, is_last: bool) {
        canvas.text(&panel.heading, (MARGIN, top + 12.0), PANEL);
        let (upper, lower) = (top + 28.0, top + PANEL_HEIGHT - 30.0);
        let highest = panel
            .lines
            .iter()
            .flatten()
            .fold(0.0_f64, |high, value| high.max(*value));
        let highest = if highest > 0.0 { 1.05 * highest } else { 1.0 };
        let y = Scale::linear((0.0, highest), (lower, upper));
        let ticks = axes::ticks(0.0, highest, 4, false);
        axes::y_axis(canvas, &y, &ticks, x.places);
        let (from, to) = x.values;
        let (steps, step) = axes::round_steps(from, to, 10);
        let whole = step < 1.0;
        let ticks: Vec<_> = (steps.into_iter())
            .filter(|value| !whole || value.fract() == 0.0)
            .map(|value| (value, number(value, 0)))
            .collect();
        let title = if is_last { self.x_title.as_str() } else { "" };
        axes::x_axis(canvas, x, &ticks, (upper, lower), title);

        for (seat, line) in panel.lines.iter().enumerate() {
            let points: Vec<Point> = (self.x.iter().zip(line))
                .map(|(at, value)| (x.place(*at), y.place(*value)))
                .collect();
            canvas.stroke(&points, 2.0, theme::seat_ink(seat));
            let every = points.len().div_ceil(MARKERS).max(1);
            // Markers of different lines keep off each other where lines meet.
            let first = every / 2 + seat * every / (2 * panel.lines.len());
            for point in points.iter().skip(first).step_by(every) {
                theme::marker(canvas, seat, *point, 3.5);
            }
        }
    }

    /// The names beside the first panel, which hold for all: the line that ends highest first.
    fn draw_legend(&self, canvas: &mut Canvas, panel: &Panel, top: f64) {
        let end = |seat: &usize| panel.lines[*seat].last().copied().unwrap_or(0.0);
        let mut seats: Vec<usize> = (0..self.labels.len()).collect();
        seats.sort_by(|a, b| end(b).total_cmp(&end(a)));
        let left = WIDTH - MARGIN - LABELS;
        for (row, seat) in seats.into_iter().enumerate() {
            let y = top + 36.0 + 20.0 * row as f64;
            let style = LABEL.bold().in_ink(theme::seat_ink(seat));
            theme::marker(canvas, seat, (left + 6.0, y), 4.5);
            let text = left + 18.0;
            let name = shorten(&self.labels[seat], &style, WIDTH - MARGIN - text);
            canvas.text_mid(&name, (text, y), style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(seats: usize, places: usize, level: f64) -> Lines {
        let line = |seat: usize| {
            let grow = |at| level * (seat + 1) as f64 * (1.0 - (-(at as f64) / 9.0).exp());
            (0..places).map(grow).collect()
        };
        let panel = |heading: &str| Panel {
            heading: heading.to_string(),
            lines: (0..seats).map(line).collect(),
        };
        Lines {
            title: "How production and tools grow".into(),
            subtitle: "Diamond Miner · standard · 4 players · 20,000 games".into(),
            x_title: "round".into(),
            x: (1..=places).map(|round| round as f64).collect(),
            labels: (0..seats).map(label).collect(),
            panels: vec![panel("What is produced"), panel("Tools")],
            note: "Means at the start of a turn.".into(),
        }
    }

    #[test]
    fn any_lines_are_drawn() {
        assert_sound(&chart(4, 40, 2.0));
        assert_sound(&chart(8, 3, 0.01));
        assert_sound(&chart(6, 200, 4000.0));
        assert_sound(&chart(2, 1, 1.0));
        assert_sound(&chart(3, 5, 0.0));
        assert_sound(&chart(2, 0, 1.0));
        assert_sound(&chart(0, 5, 1.0));
    }

    #[test]
    fn lines_look_as_their_golden() {
        let chart = Lines {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            x_title: "round".into(),
            x: vec![1.0, 2.0, 3.0],
            labels: BOTS.map(str::to_string).to_vec(),
            panels: vec![Panel {
                heading: "shovels".into(),
                lines: vec![vec![0.0, 1.0, 2.0], vec![0.5, 0.6, 0.4]],
            }],
            note: "A remark.".into(),
        };
        assert_golden("lines", &chart);
    }

    #[test]
    fn lines_that_do_not_fit_are_refused() {
        let mut short = chart(3, 5, 1.0);
        short.panels[1].lines[2].pop();
        assert!(short.canvas().is_err());
        let mut few = chart(3, 5, 1.0);
        few.panels[0].lines.pop();
        assert!(few.canvas().is_err());
    }
}
