//! What a table records, by the name of the metric that follows from it.

use carat_core::game::{Layout, MetricRef};

/// The column that a metric of the table is the mean of.
pub fn column(layout: &Layout, metric: &str) -> usize {
    let metric = MetricRef::find(layout, metric).expect("a metric of the game");
    layout.fraction(metric).expect("a metric of the table").of[0]
}
