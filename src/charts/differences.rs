//! How figures differ: one row per figure with its 95 % interval around zero; where several sides
//! differ from one, they stand side by side.
//!
//! Knows numbers and labels, not what was compared or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::shorten;
use super::theme::{self, GREY, GRID, LABEL, MARGIN, PANEL, RULE, TICK, WIDTH};
use super::{Chart, ChartError, check_column, check_estimate};
use crate::numbers::within;
use crate::statistics::Estimate;

/// Differences of several figures on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    /// The headline.
    pub title: String,
    /// What was compared.
    pub subtitle: String,
    /// What the axis shows, with its unit.
    pub axis: String,
    /// What stands side by side; empty where that is one thing alone.
    pub columns: Vec<String>,
    /// One row each, drawn from top to bottom.
    pub rows: Vec<Difference>,
}

/// How one figure differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the figure, wrapped or shortened where it is long.
    pub label: String,
    /// By how much, column by column; none where that is not known.
    pub estimates: Vec<Option<Estimate>>,
}

impl Difference {
    /// How a figure differs where there is one column.
    pub fn one(label: impl Into<String>, estimate: Estimate) -> Difference {
        Difference {
            label: label.into(),
            estimates: vec![Some(estimate)],
        }
    }
}

/// Room for the printed values at the right of a column, of one and of several.
const VALUE_WIDTH: (f64, f64) = (132.0, 100.0);
/// Space between two columns.
const GAP: f64 = 22.0;
/// More rows than this are drawn closer to each other.
const MANY: usize = 12;
/// Radius of the markers.
const MARKER: f64 = 5.0;

impl Chart for Differences {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        let columns = self.columns.len().max(1);
        for row in &self.rows {
            let column = format!("difference of `{}`", row.label);
            check_column(&column, &vec![0.0; row.estimates.len()], columns)?;
            for estimate in row.estimates.iter().flatten() {
                check_estimate(&column, estimate)?;
            }
        }
        let row = if self.rows.len() > MANY { 34.0 } else { 44.0 };
        let head = if self.columns.is_empty() { 16.0 } else { 40.0 };
        let height = head + row * self.rows.len().max(1) as f64 + 60.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        if self.rows.is_empty() {
            theme::placeholder(&mut canvas, top, "nothing to compare");
            return Ok(canvas);
        }
        let span = (top + head, top + head + row * self.rows.len() as f64);
        for (index, entry) in self.rows.iter().enumerate() {
            let y = span.0 + (index as f64 + 0.5) * row;
            axes::row_label(&mut canvas, &entry.label, (self.left() - 16.0, y));
        }
        for column in 0..columns {
            let (scale, right) = self.scale(column);
            let wanted = if columns == 1 { 6 } else { 4 };
            let ticks = axes::ticks(scale.values.0, scale.values.1, wanted, false);
            axes::x_axis(&mut canvas, &scale, &ticks, span, "");
            let zero = scale.place(0.0);
            canvas.stroke(&[(zero, span.0 - 4.0), (zero, span.1)], 1.5, RULE);
            if let Some(name) = self.columns.get(column) {
                let name = shorten(name, &PANEL, right - scale.places.0);
                canvas.text(&name, (scale.places.0, span.0 - 14.0), PANEL);
            }
            for (index, entry) in self.rows.iter().enumerate() {
                if let Some(estimate) = &entry.estimates[column] {
                    let y = span.0 + (index as f64 + 0.5) * row;
                    draw(&mut canvas, (&scale, right), estimate, y);
                }
            }
        }
        let axis = shorten(&self.axis, &TICK, WIDTH - MARGIN - self.left());
        canvas.text(&axis, (self.left(), span.1 + 36.0), TICK);
        Ok(canvas)
    }
}

impl Differences {
    /// Where the first column begins.
    fn left(&self) -> f64 {
        let widest = axes::row_labels_width(self.rows.iter().map(|row| &row.label));
        MARGIN + widest + 20.0
    }

    /// The scale of a column, and where its values end.
    fn scale(&self, column: usize) -> (Scale, f64) {
        let estimates = || {
            self.rows
                .iter()
                .flat_map(|row| row.estimates.iter().flatten())
        };
        let ends = || estimates().flat_map(|estimate| [estimate.low, estimate.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        // Identical sides leave no width at all.
        let room = if high > low { 0.06 * (high - low) } else { 1.0 };
        let columns = self.columns.len().max(1);
        let wide = WIDTH - MARGIN - self.left() - GAP * (columns - 1) as f64;
        let wide = wide / columns as f64;
        let left = self.left() + (wide + GAP) * column as f64;
        let values = if columns == 1 {
            VALUE_WIDTH.0
        } else {
            VALUE_WIDTH.1
        };
        let places = (left, left + wide - values - 14.0);
        (
            Scale::linear((low - room, high + room), places),
            left + wide,
        )
    }
}

/// Draws an interval, and its value so that it ends at `right`.
fn draw(canvas: &mut Canvas, (scale, right): (&Scale, f64), estimate: &Estimate, y: f64) {
    // What is 0 but for rounding is 0.
    let noise = 1e-9 * (scale.values.1 - scale.values.0);
    let told = estimate.low > noise || estimate.high < -noise;
    let ink = if told { theme::seat_ink(0) } else { GREY };
    canvas.stroke(&[(scale.places.0, y), (scale.places.1, y)], 1.0, GRID);
    let (low, high) = (scale.place(estimate.low), scale.place(estimate.high));
    // An interval that the marker covers is left to the printed value.
    if high - low > 2.5 * MARKER {
        canvas.stroke(&[(low, y), (high, y)], 3.0, ink);
        for end in [low, high] {
            canvas.stroke(&[(end, y - 7.0), (end, y + 7.0)], 2.0, ink);
        }
    }
    canvas.disc((scale.place(estimate.value), y), MARKER, ink);
    let text = within(estimate.value, estimate.half_width());
    let text = signed(text, estimate.value);
    let style = if told {
        LABEL.bold()
    } else {
        LABEL.in_ink(GREY)
    };
    canvas.text_mid(&text, (right, y), style.held_at(Anchor::End));
}

/// `text`, which begins with the digits of `value`, with a plus sign if they are more than zero.
pub(super) fn signed(text: String, value: f64) -> String {
    let mut digits = text.chars().take_while(|c| *c != ' ');
    match value > 0.0 && digits.any(|c| matches!(c, '1'..='9')) {
        true => format!("+{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{
        BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, estimate, label,
    };

    fn chart(values: &[f64], half: f64) -> Differences {
        let row =
            |(index, &value): (usize, &f64)| Difference::one(label(index), estimate(value, half));
        Differences {
            title: "What changes".into(),
            subtitle: "b against a".into(),
            axis: "percentage points".into(),
            columns: vec![],
            rows: values.iter().enumerate().map(row).collect(),
        }
    }

    #[test]
    fn any_difference_is_drawn() {
        assert_sound(&chart(&[], 0.0));
        assert_sound(&chart(&[0.0], 0.0));
        assert_sound(&chart(&[1.5, -0.2, 0.01], 0.1));
        assert_sound(&chart(&[12_345.0, -0.5], 3.0));
        assert_sound(&chart(&[0.001; 12], 0.000_4));
        assert_sound(&chart(&[-2.0; 30], 0.1));
        assert_sound(&side_by_side());
    }

    fn side_by_side() -> Differences {
        let mut chart = chart(&[1.5, -0.2, 12.0], 0.1);
        for row in &mut chart.rows {
            let known = row.estimates[0];
            row.estimates.extend([None, known.map(|e| e.scaled(-0.5))]);
        }
        let names = [
            "b: traps.snake=4",
            "c: players=3",
            "d: a long name, and longer still",
        ];
        chart.columns = names.map(str::to_string).to_vec();
        chart
    }

    #[test]
    fn each_row_has_all_columns() {
        let mut short = side_by_side();
        short.rows[1].estimates.pop();
        assert!(short.canvas().is_err());
    }

    #[test]
    fn differences_look_as_their_golden() {
        let rows = [(1.3, BOTS[0]), (-0.1, BOTS[1])]
            .map(|(value, label)| Difference::one(label, estimate(value, 0.2)));
        let chart = Differences {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "percentage points".into(),
            columns: vec![],
            rows: rows.to_vec(),
        };
        assert_golden("differences", &chart);
    }

    #[test]
    fn values_are_printed_with_their_sign() {
        let canvas = chart(&[1.3, -0.7, 0.01], 0.1).canvas().unwrap();
        let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
        assert!(
            texts.contains(&"+1.3 ± 0.1") && texts.contains(&"−0.7 ± 0.1"),
            "{texts:?}"
        );
        assert!(texts.contains(&"0.0 ± 0.1"), "{texts:?}");
    }
}
