//! The chart of an adaptation.

use super::{estimate, named};
use crate::figure::{Figure, Row, Rows};
use crate::results::NamedChart;
use crate::sheet::Sheet;

/// What one seat gains beside the population; `gains` is the table of that name.
pub fn adapt(subtitle: &str, gains: &Sheet) -> Vec<NamedChart> {
    let bots = gains.column("bot");
    let mut rows = Vec::new();
    for row in 0..gains.height() {
        let bot = bots.map(|bots| bots.shown(row)).unwrap_or_default();
        rows.extend(estimate(gains, "gain", row).map(|gain| Row::one(bot, gain)));
    }
    let title = "What one seat gains beside the population";
    let axis = "share of the wins above the fair share, percentage points";
    let chart = Figure::Rows(Rows::differences(title, axis, rows));
    vec![named("gains", subtitle, chart)]
}
