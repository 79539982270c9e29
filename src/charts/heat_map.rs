//! Values over two axes: a grid of coloured cells, the best one marked, with a bar as its key; over
//! three axes, a grid for each value of the third.
//!
//! Serves a sweep over parameters and a matrix of bots against bots. Knows numbers and labels, not
//! what varies or how cells were compared.
//!
//! `heat_map_grid` lays out the cells, `heat_map_key` what explains them.

use super::canvas::Canvas;
use super::heat_map_grid::HeatGrid;
use super::heat_map_key::{HeatKey, Legend};
use super::labels::shorten;
use super::theme::{self, PANEL, Paper};
use super::{Chart, ChartError, check_finite, check_length};

/// One figure over two axes, or three.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    pub title: String,
    pub row_axis: String,
    pub column_axis: String,
    /// The labels of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// What a cell shows.
    pub unit: String,
    /// Whether the values are shares, shown in percent.
    pub share: bool,
    /// What tells the maps apart; empty where there is one alone.
    pub axis: String,
    /// The maps, on the same rows and columns.
    pub layers: Vec<HeatLayer>,
    /// The value that the colours part at; without it they go from low to high.
    pub middle: Option<f64>,
    /// What the marks are about.
    pub best_of: BestOf,
    /// A remark at the foot; may be empty.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct HeatLayer {
    /// What is written above it; empty where there is one alone.
    pub name: String,
    /// Row after row; none where nothing is known.
    pub cells: Vec<Option<HeatCell>>,
}

/// Among which cells the best was sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestOf {
    /// All of them, of all maps where there are several.
    All,
    /// Those of each map, where there are several.
    Map,
    /// Those of each row.
    Rows,
    /// Those of each column.
    Columns,
}

/// The figure at one row and column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    pub value: f64,
    /// Half the width of its interval, where that is known.
    pub within: Option<f64>,
    /// How it stands among the others.
    pub mark: Mark,
}

/// How a cell stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    None,
    /// Cannot be told from the best.
    Tied,
    Best,
}

impl Mark {
    /// The mark of a cell that is the best, or one of those that may be.
    pub fn of(best: bool, in_best_set: bool) -> Mark {
        match (best, in_best_set) {
            (true, _) => Mark::Best,
            (_, true) => Mark::Tied,
            _ => Mark::None,
        }
    }
}

/// Most maps side by side, and the space between two of them.
const ACROSS: usize = 3;
const GAP: f64 = 28.0;
/// Cells at least so wide have room for their values.
const CELL: f64 = 40.0;

impl Chart for HeatMap {
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

impl HeatMap {
    /// The same with rows for columns: on narrow paper there is more room below than beside.
    fn transposed(&self) -> HeatMap {
        let wide = self.columns.len();
        let turned = |layer: &HeatLayer| HeatLayer {
            name: layer.name.clone(),
            cells: (0..wide)
                .flat_map(|column| layer.cells.iter().skip(column).step_by(wide).copied())
                .collect(),
        };
        HeatMap {
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
        let Some(common) = HeatKey::of(self, &self.layers) else {
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
        let grids = |across: usize| -> Vec<HeatGrid> {
            let of = |(at, layer)| {
                let left = left(across, at);
                HeatGrid::within(self, layer, (left, left + wide(across)), rows)
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
        let line = |line: &[HeatGrid]| {
            name_height + line.iter().map(HeatGrid::height).fold(0.0, f64::max) + below
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
                _ => HeatKey::of(self, std::slice::from_ref(layer)),
            };
            let key = own.as_ref().unwrap_or(&common);
            cells.draw(&mut canvas, key, upper + name_height);
            if (at + 1) % across == 0 || at + 1 == grids.len() {
                upper += line(&grids[at / across * across..=at]);
            }
        }
        let end = common.draw(&mut canvas, upper, &self.unit, self.best_of);
        let end = Legend::of(self, &common, paper).draw(&mut canvas, end);
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl HeatLayer {
    /// The layers of one map alone.
    pub fn alone(cells: Vec<Option<HeatCell>>) -> Vec<HeatLayer> {
        let name = String::new();
        vec![HeatLayer { name, cells }]
    }

    pub(super) fn known(&self) -> impl Iterator<Item = &HeatCell> {
        self.cells.iter().flatten()
    }
}
