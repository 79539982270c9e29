//! Pictures of results: one struct per chart, drawn to PNG or SVG.
//!
//! A chart is filled with plain columns and lays itself out on a [`canvas::Canvas`]; `render`
//! turns a canvas into bytes. Nothing here knows a game, a bot, a data frame or a file, and the
//! same columns always give the same bytes.
//!
//! To add a chart: a file here with a struct, its [`Chart`] implementation and its tests, one of
//! them with a golden file; and the place that fills it, in `results::pictures`. It is built from
//! `theme` (colours, text sizes, header), `axes` (scales, ticks, grids) and `labels` (text that
//! must fit). The structs of charts that games fill are in [`crate::figure`].

pub mod axes;
pub mod boards;
pub mod canvas;
pub mod convergence;
pub mod differences;
pub mod font;
pub mod heat_map;
mod heat_map_grid;
mod heat_map_key;
pub mod heat_maps;
pub mod histogram;
pub mod labels;
pub mod leaving;
pub mod lines;
pub mod maps;
pub mod ranking;
mod render;
pub mod response;
pub mod scatter;
mod score_bins;
pub mod scores;
pub mod shares;
pub mod stacked_bars;
pub mod steps;
pub mod strips;
pub mod theme;

use crate::figure::Figure;
use crate::statistics::Estimate;
use canvas::Canvas;

/// A picture that can be laid out, and so be written as PNG or SVG.
pub trait Chart {
    /// Lays the chart out in logical pixels (960 wide; the height suits the content).
    ///
    /// # Errors
    /// [`ChartError::Length`] and [`ChartError::NotFinite`] when the columns do not fit together.
    fn canvas(&self) -> Result<Canvas, ChartError>;

    /// The chart as a PNG file with two pixels per logical pixel (1920 wide).
    ///
    /// # Errors
    /// Those of [`Chart::canvas`], and failures of the drawing or encoding back-ends.
    fn png(&self) -> Result<Vec<u8>, ChartError> {
        render::png(&self.canvas()?)
    }

    /// The chart as an SVG document, 960 units wide on the page.
    ///
    /// # Errors
    /// Those of [`Chart::canvas`], and failures of the drawing back-end.
    fn svg(&self) -> Result<String, ChartError> {
        render::svg(&self.canvas()?)
    }
}

/// A chart that is laid out already.
impl Chart for Canvas {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        Ok(self.clone())
    }
}

impl Chart for Figure {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        match self {
            Figure::Boards(chart) => chart.canvas(),
            Figure::Histogram(chart) => chart.canvas(),
            Figure::Maps(chart) => chart.canvas(),
            Figure::Shares(chart) => chart.canvas(),
            Figure::Leaving(chart) => chart.canvas(),
            Figure::Lines(chart) => chart.canvas(),
            Figure::StackedBars(chart) => chart.canvas(),
        }
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
        /// Its length.
        found: usize,
        /// The length of the column it belongs to.
        wanted: usize,
    },
    /// A column holds a NaN or an infinity.
    #[error("column `{column}` holds {value}; finite numbers are needed")]
    NotFinite {
        /// The offending column, with its seat where it has one.
        column: String,
        /// The number found.
        value: f64,
    },
    /// The drawing back-end gave up.
    #[error("drawing failed: {0}")]
    Draw(String),
    /// The PNG encoder gave up.
    #[error("PNG encoding failed")]
    Png(#[from] png::EncodingError),
}

/// Checks that `values` has `wanted` entries, all finite; `column` names it in the error.
fn check_column(column: &str, values: &[f64], wanted: usize) -> Result<(), ChartError> {
    if values.len() != wanted {
        return Err(ChartError::Length {
            column: column.to_string(),
            found: values.len(),
            wanted,
        });
    }
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(ChartError::NotFinite {
            column: column.to_string(),
            value,
        }),
        None => Ok(()),
    }
}

/// Checks that an estimate and its interval are finite; `column` names it in the error.
fn check_estimate(column: &str, estimate: &Estimate) -> Result<(), ChartError> {
    let Estimate {
        value, low, high, ..
    } = *estimate;
    check_column(column, &[value, low, high], 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    pub(super) const TITLE: &str = "A title";
    pub(super) const SUBTITLE: &str = "Diamant · iello-2016 · 2 players · 1,000 games";
    /// Two bots at a table.
    pub(super) const BOTS: [&str; 2] = ["1 threshold:target=8", "2 last-out"];

    /// Asserts that a chart looks as it did, stroke by stroke: as `chart-NAME.svg` among the
    /// golden files. `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; look at the
    /// difference.
    pub(super) fn assert_golden(name: &str, chart: &dyn Chart) {
        let file = format!("../../tests/it/golden/chart-{name}.svg");
        expect_file![&file].assert_eq(&chart.svg().expect("the columns fit together"));
    }

    /// An estimate with half the width of its interval.
    pub(super) fn estimate(value: f64, half: f64) -> Estimate {
        Estimate {
            value,
            se: half / crate::statistics::Z95,
            low: value - half,
            high: value + half,
        }
    }

    /// Bot names from short to longer than any column.
    pub(super) fn label(seat: usize) -> String {
        let names = [
            "cautious",
            "threshold:target=12,nerve=4",
            "odds",
            "a-very-long-bot-name:with=1.2345,many=6,parameters=7.891,yes=1",
            "greedy",
            "threshold:target=15,nerve=2",
            "wait_for_it",
            "Ärger & Söhne <no spaces, just trouble and more of that, sorry>",
        ];
        names[seat % names.len()].to_string()
    }

    /// Asserts what every chart promises: both formats come out, the same twice, in the right
    /// size, with no text cut off or printed over another.
    pub(super) fn assert_sound(chart: &dyn Chart) {
        let canvas = chart.canvas().expect("a valid chart");
        canvas.assert_readable();
        let bytes = chart.png().expect("a PNG");
        assert_eq!(bytes, chart.png().expect("a PNG"), "the same bytes twice");
        let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        let info = decoder.read_info().expect("a readable PNG");
        assert_eq!(info.info().width, 1920);
        assert_eq!(f64::from(info.info().height), 2.0 * canvas.height());
        let svg = chart.svg().expect("an SVG");
        assert!(svg.starts_with("<svg width=\"960\"") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg, chart.svg().expect("an SVG"));
    }

    #[test]
    fn columns_are_checked_by_name() {
        let short = check_column("share of `odds`", &[0.5], 2).unwrap_err();
        assert!(short.to_string().contains("share of `odds`"));
        let broken = check_column("risk", &[0.5, f64::NAN], 2).unwrap_err();
        assert!(broken.to_string().contains("NaN"));
        assert!(check_column("risk", &[0.5, 1.0], 2).is_ok());
    }
}
