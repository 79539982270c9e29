//! The cells of a heat map with the labels of its rows and columns.
//!
//! Decides how large cells are, whether values are printed in them and which way labels run.

use super::axes;
use super::canvas::{Anchor, Canvas, Ink, Spot, Style};
use super::grid::describe_place;
use super::grid_key::{GridKey, cross, frame, star};
use super::labels::{shorten, widest, wrap};
use super::theme::{self, BLACK, GRID, LABEL, LEADING, TICK};
use carat_core::figure::{BestOf, Grid, GridCell, GridLayer, Mark};

/// Widest label of a row in pixels, and as a part of the room.
const ROW_WIDTH: f64 = 200.0;
const ROW_PART: f64 = 0.3;
const CELL_WIDTH: f64 = 180.0;
/// Lowest and highest cell.
const CELL_HEIGHT: (f64, f64) = (16.0, 46.0);
/// Longest label of a column that runs upwards.
const UPWARD: f64 = 180.0;
const GAP: f64 = 8.0;
/// How far a column's label may reach beyond its cell at each side.
const OVERHANG: f64 = 16.0;
/// How far before its value the star of the best cell is.
const STAR: f64 = 9.0;
/// Lowest cell with room for a value.
const VALUE_HEIGHT: f64 = 18.0;

const TITLE: Style = TICK.bold().in_ink(BLACK);
const HEAD: Style = TICK.in_ink(BLACK);
/// Values where cells are narrow.
const SMALL: Style = Style { size: 11.0, ..TICK };

/// The cells of a map, and their layout.
pub(super) struct GridCells<'a> {
    map: &'a Grid,
    layer: &'a GridLayer,
    /// Left edge of the cells.
    left: f64,
    /// The right end of the room for cells.
    right: f64,
    /// Width and height of a cell.
    cell: Spot,
    /// Height of titles and column labels.
    head: f64,
    rows: Vec<Vec<String>>,
    row_style: Style,
    row_title: Vec<String>,
    columns: Heads,
}

/// The labels of the columns: their lines, empty for an omitted label.
struct Heads {
    lines: Vec<Vec<String>>,
    upward: bool,
    height: f64,
}

impl<'a> GridCells<'a> {
    /// The cells of a layer between these edges, with about `height` for all rows.
    pub(super) fn within(
        map: &'a Grid,
        layer: &'a GridLayer,
        from: f64,
        right: f64,
        height: f64,
    ) -> GridCells<'a> {
        let high = height / map.rows.len().max(1) as f64;
        let high = high.floor().clamp(CELL_HEIGHT.0, CELL_HEIGHT.1);
        let row_style = if high < 22.0 { HEAD } else { LABEL };
        let most = if high < 2.0 * LEADING { 1 } else { 2 };
        let widest_label = ROW_WIDTH.min(ROW_PART * (right - from));
        let label = |text: &String| wrap(text, &row_style, widest_label, most);
        let rows: Vec<_> = map.rows.iter().map(label).collect();
        let lines = rows.iter().map(Vec::len).max().unwrap_or(1);
        let labels = widest(rows.iter().flatten(), &row_style);
        let title_width = labels.max(widest_label.min(110.0));
        let row_title = wrap(&map.row_axis, &TITLE, title_width, 3);
        let beside = labels.max(widest(&row_title, &TITLE) + OVERHANG);
        let left = (from + beside + GAP).ceil();
        let wide = (right - left) / map.columns.len().max(1) as f64;
        let wide = if wide < 4.0 { wide } else { wide.floor() }.min(CELL_WIDTH);
        let columns = Heads::of(&map.columns, wide);
        let titles = LEADING * row_title.len() as f64;
        // Not much higher than wide, but at least as high as the labels of rows.
        let least = wide.max(CELL_HEIGHT.0).max(LEADING * lines as f64 + 1.0);
        GridCells {
            map,
            layer,
            left,
            right,
            cell: (wide, high.min(least)),
            head: 22.0 + columns.height.max(titles) + GAP,
            rows,
            row_style,
            row_title,
            columns,
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.cell.0
    }

    /// From the titles to the lower edge of the cells.
    pub(super) fn height(&self) -> f64 {
        self.head + self.cell.1 * self.rows.len() as f64
    }

    /// The upper left and lower right corner of a cell.
    fn corners(&self, upper: f64, row: usize, column: usize) -> (Spot, Spot) {
        let (wide, high) = self.cell;
        let (x, y) = (self.left + wide * column as f64, upper + high * row as f64);
        ((x, y), (x + wide, y + high))
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, key: &GridKey, top: f64) {
        self.draw_columns(canvas, top);
        self.draw_rows(canvas, top);
        self.draw_cells(canvas, key, top + self.head);
    }

    fn draw_columns(&self, canvas: &mut Canvas, top: f64) {
        let title = shorten(&self.map.column_axis, &TITLE, self.right - self.left);
        canvas.text(&title, (self.left, top + 10.0), TITLE);
        let bottom = top + self.head - GAP;
        for (column, lines) in self.columns.lines.iter().enumerate() {
            let ((x, _), (end, _)) = self.corners(0.0, 0, column);
            let middle = (x + end) / 2.0;
            for (i, line) in lines.iter().enumerate() {
                let after = LEADING * (lines.len() - 1 - i) as f64;
                if self.columns.upward {
                    let shift = LEADING * (lines.len() - 1) as f64 / 2.0 - after;
                    let at = (middle + shift + HEAD.drop(), bottom);
                    canvas.text_upward(line, at, HEAD);
                } else {
                    let at = (middle, bottom - 3.0 - after);
                    canvas.text(line, at, HEAD.held_at(Anchor::Middle));
                }
            }
        }
    }

    fn draw_rows(&self, canvas: &mut Canvas, top: f64) {
        let bottom = top + self.head - GAP;
        let right = self.left - GAP;
        for (i, line) in self.row_title.iter().rev().enumerate() {
            let at = (right - OVERHANG, bottom - 3.0 - LEADING * i as f64);
            canvas.text(line, at, TITLE.held_at(Anchor::End));
        }
        for (row, lines) in self.rows.iter().enumerate() {
            let ((_, y), (_, end)) = self.corners(top + self.head, row, 0);
            let style = self.row_style.held_at(Anchor::End);
            axes::lines_mid(canvas, lines, (right, (y + end) / 2.0), style);
        }
    }

    fn draw_cells(&self, canvas: &mut Canvas, key: &GridKey, upper: f64) {
        let look = self.value_look(key);
        let line = if self.cell.0 < 30.0 { 0.25 } else { 0.5 };
        let columns = self.map.columns.len();
        let corners = |at: usize| self.corners(upper, at / columns, at % columns);
        for (at, cell) in self.layer.cells.iter().enumerate() {
            let (from, to) = corners(at);
            canvas.block(from, to, GRID);
            match cell {
                Some(cell) => canvas.inset((from, to), line, self.ink(key, at, cell)),
                None => cross(canvas, (from, to), line),
            }
        }
        for (at, cell) in self.layer.cells.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let (ink, is_best) = (self.ink(key, at, cell), cell.mark == Mark::Best);
            let (from, to) = corners(at);
            frame(canvas, (from, to), cell.mark, ink);
            let ink = theme::text_on(ink);
            let (mut x, mut y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
            if let Some((style, decimals)) = look {
                let text = key.number(cell, decimals);
                if let Some(half) = key.half_width(cell).filter(|_| self.has_room_for_errors()) {
                    let style = SMALL.in_ink(ink).held_at(Anchor::Middle);
                    canvas.text_mid(&format!("± {half}"), (x, y + 9.0), style);
                    y -= 8.0;
                }
                let style = if is_best { style.bold() } else { style };
                let style = style.in_ink(ink).held_at(Anchor::Middle);
                canvas.text_mid(&text, (x, y), style);
                x = x - style.width(&text) / 2.0 - STAR;
            }
            if is_best && x > from.0 + 6.0 {
                let radius = (0.34 * self.cell.0.min(self.cell.1)).min(5.5);
                star(canvas, (x, y), radius, ink);
            }
            canvas.tooltip(from, to, self.describe(key, at, cell));
        }
    }

    fn describe(&self, key: &GridKey, at: usize, cell: &GridCell) -> String {
        let mark = match cell.mark {
            Mark::None => "",
            Mark::Tied => ", statistically tied with the best",
            Mark::Best => ", the best",
        };
        let value = match cell.within {
            Some(half) => key.within(cell.value, half),
            None => key.text(cell.value),
        };
        format!(
            "{}: {value}{mark}",
            describe_place(self.map, self.layer, at)
        )
    }

    /// The colour of a cell. If each row or column has its own best, each has its own scale from
    /// the lightest to the darkest.
    fn ink(&self, key: &GridKey, at: usize, cell: &GridCell) -> Ink {
        let wide = self.map.columns.len();
        let rival = |other: &usize| match self.map.best_of {
            BestOf::Rows => other / wide == at / wide,
            _ => other % wide == at % wide,
        };
        if key.is_common() {
            return key.ink(cell.value);
        }
        let rivals = (0..self.layer.cells.len()).filter(rival);
        let rivals = rivals.filter_map(|other| self.layer.cells[other]);
        let ends = axes::bounds(rivals.map(|cell| cell.value));
        theme::shade(axes::part_of(cell.value, ends))
    }

    fn has_room_for_errors(&self) -> bool {
        self.cell.0 >= 56.0 && self.cell.1 >= 36.0
    }

    /// The style and decimals of the printed values; none where there is no room for them.
    fn value_look(&self, key: &GridKey) -> Option<(Style, usize)> {
        let (wide, high) = self.cell;
        for (part, style) in [(0.01, TICK), (0.01, SMALL), (0.05, TICK), (0.05, SMALL)] {
            let decimals = key.decimals(part);
            let values = self.layer.known();
            let values = values.map(|cell| key.number(cell, decimals));
            if widest(values, &style.bold()) + GAP <= wide && high >= VALUE_HEIGHT {
                return Some((style, decimals));
            }
        }
        None
    }
}

impl Heads {
    /// Horizontal labels if all fit, else every few numbers, else upward labels.
    fn of(labels: &[String], wide: f64) -> Heads {
        let numbers = labels.iter().all(|label| label.parse::<f64>().is_ok());
        let lines = if numbers { 1 } else { 3 };
        let across = |label: &String| wrap(label, &HEAD, wide - 6.0, lines);
        let across: Vec<_> = labels.iter().map(across).collect();
        let bare = |text: &str| text.replace(' ', "");
        let mut pairs = across.iter().zip(labels);
        let fit = pairs.all(|(lines, label)| bare(&lines.concat()) == bare(label));
        let upward = !fit && !numbers;
        // The room of a label between its neighbours, in cells.
        let (mut lines, mut room) = (across, 0.0);
        if upward {
            let most = (((wide - 2.0) / LEADING) as usize).clamp(1, 3);
            let wrapped = labels.iter().map(|label| wrap(label, &HEAD, UPWARD, most));
            (lines, room) = (wrapped.collect(), LEADING / wide);
        } else if !fit {
            let most = wide + 2.0 * OVERHANG;
            let short = labels.iter().map(|label| vec![shorten(label, &HEAD, most)]);
            lines = short.collect();
            room = (widest(lines.iter().flatten(), &HEAD) + GAP) / wide;
        }
        keep_every(room, &mut lines);
        let height = if upward {
            widest(lines.iter().flatten(), &HEAD).ceil()
        } else {
            LEADING * lines.iter().map(Vec::len).max().unwrap_or(0) as f64
        };
        Heads {
            lines,
            upward,
            height,
        }
    }
}

/// Empties labels that need `cells` cells of room which a neighbour takes.
fn keep_every(cells: f64, labels: &mut [Vec<String>]) {
    let every = cells.ceil().max(1.0) as usize;
    for (i, label) in labels.iter_mut().enumerate() {
        if !i.is_multiple_of(every) {
            label.clear();
        }
    }
}
