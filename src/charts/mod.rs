//! Pictures of results: one struct per chart, drawn to PNG or SVG.
//!
//! A chart is filled with plain columns and lays itself out on a [`canvas::Canvas`]; `render`
//! turns a canvas into bytes. Nothing here knows a game, a bot, a data frame or a file, and the
//! same columns always give the same bytes.
//!
//! To add a chart: a file with a struct, its [`Chart`] implementation and its tests, built from
//! `theme` (colours, text sizes, header), `axes` (scales, ticks, grids) and `labels` (text that
//! must fit).

pub mod axes;
pub mod canvas;
pub mod convergence;
pub mod differences;
pub mod font;
pub mod heat_map;
pub mod histogram;
pub mod histogram_bars;
pub mod labels;
pub mod leaving;
pub mod lines;
pub mod matrix;
mod matrix_key;
mod matrix_table;
pub mod numbers;
mod render;
pub mod response;
pub mod scores;
pub mod stack;
pub mod theme;
pub mod win_shares;

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

#[cfg(test)]
mod tests {
    use super::*;

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
