//! How figures differ between two sides: one row per figure with its 95 % interval around zero.
//!
//! Knows numbers and labels, not what was compared or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::theme::{self, GREY, GRID, LABEL, MARGIN, RULE, WIDTH};
use super::{Chart, ChartError, check_estimate};
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
    /// One row each, drawn from top to bottom.
    pub rows: Vec<Difference>,
}

/// How one figure differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the figure, wrapped or shortened where it is long.
    pub label: String,
    /// By how much.
    pub estimate: Estimate,
}

/// Room for the printed value at the right of a row.
const VALUE_WIDTH: f64 = 132.0;
/// Radius of the markers.
const MARKER: f64 = 5.0;

impl Chart for Differences {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            let column = format!("difference of `{}`", row.label);
            check_estimate(&column, &row.estimate)?;
        }
        let row = 44.0;
        let (head, foot) = (16.0, 60.0);
        let height = head + row * self.rows.len().max(1) as f64 + foot;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        if self.rows.is_empty() {
            theme::placeholder(&mut canvas, top, "nothing to compare");
            return Ok(canvas);
        }
        let span = (top + head, top + head + row * self.rows.len() as f64);
        let scale = self.scale();
        let ticks = axes::ticks(scale.values.0, scale.values.1, 6, false);
        axes::x_axis(&mut canvas, &scale, &ticks, span, &self.axis);
        let zero = scale.place(0.0);
        canvas.stroke(&[(zero, span.0 - 4.0), (zero, span.1)], 1.5, RULE);
        for (index, entry) in self.rows.iter().enumerate() {
            let y = span.0 + (index as f64 + 0.5) * row;
            draw_row(&mut canvas, &scale, entry, y);
        }
        Ok(canvas)
    }
}

impl Differences {
    fn scale(&self) -> Scale {
        let estimates = || self.rows.iter().map(|row| row.estimate);
        let ends = || estimates().flat_map(|estimate| [estimate.low, estimate.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        // Identical sides leave no width at all.
        let room = if high > low { 0.06 * (high - low) } else { 1.0 };
        let widest = axes::row_labels_width(self.rows.iter().map(|row| &row.label));
        let left = MARGIN + widest + 20.0;
        let right = WIDTH - MARGIN - VALUE_WIDTH - 14.0;
        Scale::linear((low - room, high + room), (left, right))
    }
}

fn draw_row(canvas: &mut Canvas, scale: &Scale, row: &Difference, y: f64) {
    axes::row_label(canvas, &row.label, (scale.places.0 - 16.0, y));
    let estimate = &row.estimate;
    let told = estimate.low > 0.0 || estimate.high < 0.0;
    let ink = if told { theme::seat_ink(0) } else { GREY };
    canvas.stroke(&[(scale.places.0, y), (scale.places.1, y)], 1.0, GRID);
    let (low, high) = (scale.place(estimate.low), scale.place(estimate.high));
    canvas.stroke(&[(low, y), (high, y)], 3.0, ink);
    for end in [low, high] {
        canvas.stroke(&[(end, y - 7.0), (end, y + 7.0)], 2.0, ink);
    }
    canvas.disc((scale.place(estimate.value), y), MARKER, ink);
    let text = within(estimate.value, estimate.half_width());
    let text = signed(text, estimate.value);
    let style = if told {
        LABEL.bold()
    } else {
        LABEL.in_ink(GREY)
    };
    canvas.text_mid(&text, (WIDTH - MARGIN, y), style.held_at(Anchor::End));
}

/// `text`, which begins with the digits of `value`, with a plus sign if they are more than zero.
fn signed(text: String, value: f64) -> String {
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
        let row = |(index, &value): (usize, &f64)| Difference {
            label: label(index),
            estimate: estimate(value, half),
        };
        Differences {
            title: "What changes".into(),
            subtitle: "b against a".into(),
            axis: "percentage points".into(),
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
    }

    #[test]
    fn differences_look_as_their_golden() {
        let rows = [(1.3, BOTS[0]), (-0.1, BOTS[1])].map(|(value, label)| Difference {
            label: label.into(),
            estimate: estimate(value, 0.2),
        });
        let chart = Differences {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "percentage points".into(),
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
