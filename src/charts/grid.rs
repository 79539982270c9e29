//! Values over two axes: a grid of coloured cells, the best one marked, with a bar as its key; over
//! three axes, a grid for each value of the third.
//!
//! Serves a sweep over parameters and a matrix of bots against bots.
//!
//! `grid_cells` lays out the cells, `grid_key` explains them.

use super::canvas::Canvas;
use super::grid_cells::GridCells;
use super::grid_key::GridKey;
use super::labels::{before, shorten};
use super::theme::{self, PANEL, Paper};
use super::{Chart, ChartError, check_finite, check_length};
use carat_core::figure::{BestOf, Grid, GridLayer};

/// Most maps side by side, and the space between two of them.
const ACROSS: usize = 3;
const GAP: f64 = 28.0;
/// Narrowest cells with room for their values.
const CELL: f64 = 40.0;

impl Chart for Grid {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for layer in &self.layers {
            let wanted = self.rows.len() * self.columns.len();
            check_length("cells", layer.cells.len(), wanted)?;
            check_finite("cells", layer.known().map(|cell| cell.value))?;
        }
        check_finite("middle", self.middle)?;
        if paper.is_narrow() && self.columns.len() > self.rows.len() {
            draw_map(&transpose(self), played, paper)
        } else {
            draw_map(self, played, paper)
        }
    }
}

/// The row and column of a cell, in words.
pub(super) fn describe_place(map: &Grid, layer: &GridLayer, at: usize) -> String {
    let all = map.columns.len();
    let (row, column) = (&map.rows[at / all], &map.columns[at % all]);
    let place = format!("{} {row}, {} {column}", map.row_axis, map.column_axis);
    before(&layer.name, ", ") + &place
}

fn transpose(map: &Grid) -> Grid {
    let wide = map.columns.len();
    let turned = |layer: &GridLayer| {
        let column = |column| layer.cells.iter().skip(column).step_by(wide).copied();
        GridLayer {
            name: layer.name.clone(),
            cells: (0..wide).flat_map(column).collect(),
        }
    };
    Grid {
        row_axis: map.column_axis.clone(),
        column_axis: map.row_axis.clone(),
        rows: map.columns.clone(),
        columns: map.rows.clone(),
        layers: map.layers.iter().map(turned).collect(),
        best_of: match map.best_of {
            BestOf::Rows => BestOf::Columns,
            BestOf::Columns => BestOf::Rows,
            best_of => best_of,
        },
        ..map.clone()
    }
}

fn draw_map(map: &Grid, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
    let Some(common) = GridKey::of(map, &map.layers) else {
        return Ok(None);
    };
    let alone = map.axis.is_empty();
    // The height of a map's name, and of all rows where the limits of cells allow it.
    let (name_height, height) = if alone { (0.0, 560.0) } else { (28.0, 280.0) };
    let width = |across: usize| (paper.inner() - GAP * (across - 1) as f64) / across as f64;
    // As many maps side by side as keep their values readable.
    let mut numbers = (1..=ACROSS.min(map.layers.len())).rev();
    let first = &map.layers[0];
    let cell = |across| GridCells::within(map, first, 0.0, width(across), height).width();
    let across = numbers.find(|&across| cell(across) >= CELL).unwrap_or(1);
    let width = width(across);
    let (mut canvas, mut upper) = theme::page(&map.title, played, paper);
    for (at, layer) in map.layers.iter().enumerate() {
        let left = paper.margin() + (width + GAP) * (at % across) as f64;
        let cells = GridCells::within(map, layer, left, left + width, height);
        if !alone {
            let name = shorten(&layer.name, &PANEL, width);
            canvas.text(&name, (left, upper + 14.0), PANEL);
        }
        let own = match map.best_of {
            BestOf::All => None,
            _ => GridKey::of(map, std::slice::from_ref(layer)),
        };
        let key = own.as_ref().unwrap_or(&common);
        cells.draw(&mut canvas, key, upper + name_height);
        if (at + 1) % across == 0 || at + 1 == map.layers.len() {
            upper += name_height + cells.height() + 20.0;
        }
    }
    let end = common.draw(&mut canvas, upper);
    let end = common.draw_legend(&mut canvas, end);
    theme::end(&mut canvas, end, &[&common.errors(), &map.note]);
    Ok(Some(canvas))
}
