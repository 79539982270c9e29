//! Small charts on one page: two beside each other on wide paper, one on narrow.

use super::canvas::Canvas;
use super::theme::{self, Paper};
use super::{Chart, ChartError};
use carat_core::figure::Multiples;

impl Chart for Multiples {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let columns = self.charts.len().clamp(1, paper.pick(1, 2));
        // The small charts begin where the title does.
        let left = paper.margin() - Paper::NARROW.margin();
        let small = Paper::of((paper.width - 2.0 * left) / columns as f64, paper.height);
        let mut drawn = Vec::new();
        for chart in &self.charts {
            drawn.extend(chart.canvas("", small)?);
        }
        if drawn.is_empty() {
            return Ok(None);
        }
        let (mut canvas, mut top) = theme::page(&self.title, played, paper);
        let height = |row: &[Canvas]| row.iter().map(|chart| chart.height).fold(0.0, f64::max);
        let shown = theme::fitting(top + 40.0, drawn.chunks(columns).map(height), paper);
        let rest = drawn.len().saturating_sub(shown * columns);
        for row in drawn.chunks(columns).take(shown) {
            for (column, chart) in row.iter().enumerate() {
                canvas.place(chart, (left + column as f64 * small.width, top));
            }
            top += height(row);
        }
        let rest = theme::left_out(rest, "small chart", &self.table);
        theme::end(&mut canvas, top - 10.0, &[&self.note, &rest]);
        Ok(Some(canvas))
    }
}
