//! Pictures of the figures of [`carat_core::figure`], drawn to PNG or SVG.
//!
//! A chart lays itself out on a [`canvas::Canvas`]; `render` turns a canvas into bytes. Nothing
//! here knows a game, a bot or a file, and the same data always give the same bytes.
//!
//! Charts are built from `theme` (colours, text sizes, header), `axes` (scales, ticks, labels of
//! rows) and `labels` (text that must fit).

pub mod axes;
mod bars;
mod board;
pub mod canvas;
mod density;
#[cfg(test)]
#[path = "../../tests/unit/charts/examples/mod.rs"]
mod examples;
pub mod font;
mod grid;
mod grid_cells;
mod grid_key;
pub mod labels;
mod lines;
mod multiples;
#[cfg(feature = "png")]
mod png;
mod render;
mod rows;
pub mod theme;
#[cfg(feature = "png")]
pub mod typefaces;

use canvas::Canvas;
use carat_core::figure::Figure;
use carat_core::statistics::Estimate;
use theme::Paper;

/// A picture that can be laid out, and so be written as PNG or SVG.
pub trait Chart {
    /// Lays the chart out on this paper; the height suits the content. `played` is the line below
    /// its title. None where there is nothing to show. Fails when the columns do not fit together.
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
            Figure::Multiples(chart) => chart.canvas(played, paper),
        }
    }
}

/// Why a chart could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// A column differs in length from what it belongs to, or holds a NaN or an infinity.
    #[error("column {0}")]
    Data(String),
    #[error("drawing failed: {0}")]
    Draw(String),
    #[cfg(feature = "png")]
    #[error("PNG encoding failed")]
    Png(#[from] ::png::EncodingError),
}

/// Checks that a column has as many entries as the one it belongs to.
fn check_length(column: &str, found: usize, wanted: usize) -> Result<(), ChartError> {
    if found == wanted {
        return Ok(());
    }
    let fault = format!("`{column}` has {found} entries, {wanted} are needed");
    Err(ChartError::Data(fault))
}

/// Checks that all values are finite; `column` names them in the error.
fn check_finite(column: &str, values: impl IntoIterator<Item = f64>) -> Result<(), ChartError> {
    let fault = |value| format!("`{column}` holds {value}; finite numbers are needed");
    let broken = values.into_iter().find(|value| !value.is_finite());
    broken.map_or(Ok(()), |value| Err(ChartError::Data(fault(value))))
}

/// The values that estimates and their intervals have.
fn ends<'a>(estimates: impl IntoIterator<Item = &'a Estimate>) -> impl Iterator<Item = f64> {
    let estimates = estimates.into_iter();
    estimates.flat_map(|estimate| [estimate.value, estimate.low, estimate.high])
}
