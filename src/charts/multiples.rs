//! Small charts on one page: two beside each other on wide paper, one on narrow.

use super::canvas::Canvas;
use super::theme::{self, Paper};
use super::{Chart, ChartError};
use carat_core::figure::Multiples;

impl Chart for Multiples {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let columns = paper.pick(1, 2);
        // The small charts begin where the title does.
        let left = paper.margin() - Paper::NARROW.margin();
        let small = Paper::of_width((paper.width - 2.0 * left) / columns as f64);
        let mut drawn = Vec::new();
        for chart in &self.charts {
            drawn.extend(chart.canvas("", small)?);
        }
        if drawn.is_empty() {
            return Ok(None);
        }
        let (mut canvas, mut top) = theme::page(&self.title, played, paper);
        for row in drawn.chunks(columns) {
            for (column, chart) in row.iter().enumerate() {
                canvas.place(chart, (left + column as f64 * small.width, top));
            }
            top += row.iter().map(|chart| chart.height).fold(0.0, f64::max);
        }
        canvas.height = top.round();
        Ok(Some(canvas))
    }
}
