//! Pictures of the figures of [`crate::figure`], drawn to PNG or SVG.
//!
//! A chart lays itself out on a [`canvas::Canvas`]; `render` turns a canvas into bytes. Nothing here
//! knows a game, a bot or a file, and the same data always give the same bytes.
//!
//! Charts are built from `theme` (colours, text sizes, header), `axes` (scales, ticks, labels of
//! rows) and `labels` (text that must fit).

mod axes;
mod bars;
pub mod canvas;
mod card;
mod density;
mod density_bins;
#[cfg(test)]
mod examples;
pub mod font;
mod grid;
mod grid_cells;
mod grid_key;
pub mod labels;
mod lines;
mod render;
mod rows;
pub mod theme;

use crate::figure::Figure;
use crate::statistics::Estimate;
use canvas::Canvas;
use serde::{Deserialize, Serialize};
use theme::Paper;

/// A picture that can be laid out, and so be written as PNG or SVG.
pub trait Chart {
    /// Lays the chart out on this paper; the height suits the content. `played` is the line below its
    /// title. None where there is nothing to show.
    ///
    /// # Errors
    /// [`ChartError::Length`] and [`ChartError::NotFinite`] when the columns do not fit together.
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError>;
}

impl Chart for Figure {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        match self {
            Figure::Rows(chart) => chart.canvas(played, paper),
            Figure::Grid(chart) => chart.canvas(played, paper),
            Figure::Lines(chart) => chart.canvas(played, paper),
            Figure::Bars(chart) => chart.canvas(played, paper),
            Figure::Density(chart) => chart.canvas(played, paper),
            Figure::Card(chart) => chart.canvas(played, paper),
        }
    }
}

/// A chart as it is laid out on each paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaidOut {
    /// On [`Paper::WIDE`].
    pub wide: Canvas,
    /// On [`Paper::NARROW`].
    pub narrow: Canvas,
}

impl LaidOut {
    /// Lays a chart out; none where there is nothing to show.
    ///
    /// # Errors
    /// As [`Chart::canvas`].
    pub fn of(chart: &dyn Chart, played: &str) -> Result<Option<LaidOut>, ChartError> {
        let wide = chart.canvas(played, Paper::WIDE)?;
        let narrow = chart.canvas(played, Paper::NARROW)?;
        Ok(wide
            .zip(narrow)
            .map(|(wide, narrow)| LaidOut { wide, narrow }))
    }
}

/// A chart that is laid out already.
impl Chart for LaidOut {
    fn canvas(&self, _: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let canvas = if paper.is_narrow() {
            &self.narrow
        } else {
            &self.wide
        };
        Ok(Some(canvas.clone()))
    }
}

/// Why a chart could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Two columns that belong together differ in length.
    #[error("column `{column}` has {found} entries, {wanted} are needed")]
    Length {
        /// The offending column, with its seat where it has one.
        column: String,
        found: usize,
        /// The length of the column it belongs to.
        wanted: usize,
    },
    /// A column holds a NaN or an infinity.
    #[error("column `{column}` holds {value}; finite numbers are needed")]
    NotFinite {
        /// The offending column, with its seat where it has one.
        column: String,
        value: f64,
    },
    /// The drawing back-end gave up.
    #[error("drawing failed: {0}")]
    Draw(String),
    /// The PNG encoder gave up.
    #[error("PNG encoding failed")]
    Png(#[from] png::EncodingError),
}

/// Checks that a column has as many entries as the one it belongs to.
fn check_length(column: &str, found: usize, wanted: usize) -> Result<(), ChartError> {
    let column = column.to_string();
    if found == wanted {
        Ok(())
    } else {
        Err(ChartError::Length {
            column,
            found,
            wanted,
        })
    }
}

/// Checks that all values are finite; `column` names them in the error.
fn check_finite<'a>(
    column: &str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<(), ChartError> {
    match values.into_iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(ChartError::NotFinite {
            column: column.to_string(),
            value,
        }),
    }
}

/// Checks that `values` has `wanted` entries, all finite; `column` names it in the error.
fn check_column(column: &str, values: &[f64], wanted: usize) -> Result<(), ChartError> {
    check_length(column, values.len(), wanted)?;
    check_finite(column, values)
}

/// Checks that estimates and their intervals are finite; `column` names them in the error.
fn check_estimates<'a>(
    column: &str,
    estimates: impl IntoIterator<Item = &'a Estimate>,
) -> Result<(), ChartError> {
    let ends = |e: &'a Estimate| [&e.value, &e.low, &e.high];
    check_finite(column, estimates.into_iter().flat_map(ends))
}
