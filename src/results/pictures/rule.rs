//! The chart of a rule for the table.

use super::{alone, rows};
use crate::figure::{Figure, Figures, Rows};
use crate::results::NamedChart;
use crate::results::words::equal_share;
use crate::sheet::Sheet;

/// What each rule wins beside the first company; `prices` is the table of rules.
pub fn rule(subtitle: &str, players: usize, prices: &Sheet) -> Vec<NamedChart> {
    let chart = Rows {
        title: "The price of simplicity".to_string(),
        axis: "share of the wins of one seat".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(players)),
        rows: rows(prices, 0..prices.height(), "rule", "beside_1", alone),
        ..Rows::default()
    };
    vec![NamedChart::new("price", subtitle, Figure::Rows(chart))]
}
