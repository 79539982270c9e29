//! The chart of an adaptation.

use super::{alone, rows};
use crate::figure::{Figure, Rows};
use crate::results::NamedChart;
use crate::sheet::Sheet;

/// What one seat gains beside the population; `gains` is the table of that name.
pub fn adapt(subtitle: &str, gains: &Sheet) -> Vec<NamedChart> {
    let rows = rows(gains, 0..gains.height(), "bot", "gain", alone);
    let title = "What one seat gains beside the population";
    let axis = "share of the wins above the fair share, percentage points";
    let chart = Figure::Rows(Rows::differences(title, axis, rows));
    vec![NamedChart::new("gains", subtitle, chart)]
}
