//! Values over two axes: a grid of coloured cells, the best one marked, with a bar as its key; over
//! three axes, a grid for each value of the third.
//!
//! Serves a sweep over parameters and a matrix of bots against bots. Knows numbers and labels, not
//! what varies or how cells were compared.
//!
//! `grid_cells` lays out the cells, `grid_key` explains them.

use super::canvas::Canvas;
use super::grid_cells::GridCells;
use super::grid_key::{self, GridKey};
use super::labels::shorten;
use super::theme::{self, PANEL, Paper};
use super::{Chart, ChartError, check_finite, check_length};
use crate::figure::{BestOf, Grid, GridLayer};

/// Most maps side by side, and the space between two of them.
const ACROSS: usize = 3;
const GAP: f64 = 28.0;
/// Cells at least so wide have room for their values.
const CELL: f64 = 40.0;

impl Chart for Grid {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for layer in &self.layers {
            let wanted = self.rows.len() * self.columns.len();
            check_length("cells", layer.cells.len(), wanted)?;
            check_finite("cells", layer.known().map(|cell| &cell.value))?;
        }
        check_finite("middle", &self.middle)?;
        if paper.is_narrow() && self.columns.len() > self.rows.len() {
            self.transposed().drawn(played, paper)
        } else {
            self.drawn(played, paper)
        }
    }
}

impl Grid {
    /// The same with rows for columns: on narrow paper there is more room below than beside.
    fn transposed(&self) -> Grid {
        let wide = self.columns.len();
        let turned = |layer: &GridLayer| GridLayer {
            name: layer.name.clone(),
            cells: (0..wide)
                .flat_map(|column| layer.cells.iter().skip(column).step_by(wide).copied())
                .collect(),
        };
        Grid {
            row_axis: self.column_axis.clone(),
            column_axis: self.row_axis.clone(),
            rows: self.columns.clone(),
            columns: self.rows.clone(),
            layers: self.layers.iter().map(turned).collect(),
            best_of: match self.best_of {
                BestOf::Rows => BestOf::Columns,
                BestOf::Columns => BestOf::Rows,
                best_of => best_of,
            },
            ..self.clone()
        }
    }

    fn drawn(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let Some(common) = GridKey::of(self, &self.layers) else {
            return Ok(None);
        };
        // The height of a map's name, that below a line of maps, and what the rows of a map take
        // together, where the limits of cells allow.
        let alone = self.axis.is_empty();
        let (name_height, below, rows) = if alone {
            (0.0, 18.0, 560.0)
        } else {
            (28.0, 22.0, 280.0)
        };
        let wide = |across: usize| (paper.inner() - GAP * (across - 1) as f64) / across as f64;
        let left = |across, at| paper.margin() + (wide(across) + GAP) * (at % across) as f64;
        let grids = |across: usize| -> Vec<GridCells> {
            let of = |(at, layer)| {
                let left = left(across, at);
                GridCells::within(self, layer, (left, left + wide(across)), rows)
            };
            self.layers.iter().enumerate().map(of).collect()
        };
        // As many side by side as leave the values readable.
        let roomy = |across: &usize| {
            let most = self.layers.len();
            *across <= most && grids(*across).iter().all(|cells| cells.width() >= CELL)
        };
        let across = (2..=ACROSS).rev().find(roomy).unwrap_or(1);
        let grids = grids(across);
        let line = |line: &[GridCells]| {
            name_height + line.iter().map(GridCells::height).fold(0.0, f64::max) + below
        };
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let mut upper = top;
        for (at, (layer, cells)) in self.layers.iter().zip(&grids).enumerate() {
            if !alone {
                let name = shorten(&layer.name, &PANEL, wide(across));
                canvas.text(&name, (left(across, at), upper + 14.0), PANEL);
            }
            let own = match self.best_of {
                BestOf::All => None,
                _ => GridKey::of(self, std::slice::from_ref(layer)),
            };
            let key = own.as_ref().unwrap_or(&common);
            cells.draw(&mut canvas, key, upper + name_height);
            if (at + 1) % across == 0 || at + 1 == grids.len() {
                upper += line(&grids[at / across * across..=at]);
            }
        }
        let end = common.draw(&mut canvas, upper, &self.unit, self.best_of);
        let end = grid_key::draw_legend(&mut canvas, self, &common, end);
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}
