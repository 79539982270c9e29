//! How figures differ between two sides: one row per figure with its 95 % interval around zero.
//!
//! Knows numbers and labels, not what was compared or how an interval was computed.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::wrap;
use super::numbers::{decimals_for, number, within};
use super::theme::{self, GREY, GRID, LABEL, LABEL_WIDTH, LEADING, MARGIN, RULE, WIDTH};
use super::{Chart, ChartError, check_column};

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
    pub rows: Vec<DifferenceRow>,
}

/// How one figure differs.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceRow {
    /// The name of the figure, wrapped or shortened where it is long.
    pub label: String,
    /// The difference.
    pub value: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
}

/// Room for the printed value at the right of a row.
const VALUE_WIDTH: f64 = 132.0;
/// Radius of the markers.
const MARKER: f64 = 5.0;

impl Chart for Differences {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for row in &self.rows {
            let column = format!("difference of `{}`", row.label);
            check_column(&column, &[row.value, row.low, row.high], 3)?;
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
        let (steps, step) = axes::round_steps(scale.values.0, scale.values.1, 6);
        let decimals = decimals_for(step);
        let tick = |value: f64| (value, number(value, decimals));
        let ticks: Vec<_> = steps.into_iter().map(tick).collect();
        axes::x_axis(&mut canvas, &scale, &ticks, span, &self.axis);
        let zero = scale.place(0.0);
        canvas.stroke(&[(zero, span.0 - 4.0), (zero, span.1)], 1.5, RULE);
        for (index, entry) in self.rows.iter().enumerate() {
            draw_row(
                &mut canvas,
                &scale,
                entry,
                span.0 + (index as f64 + 0.5) * row,
            );
        }
        Ok(canvas)
    }
}

impl Differences {
    fn scale(&self) -> Scale {
        let ends = || self.rows.iter().flat_map(|row| [row.low, row.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        // Identical sides leave no width at all.
        let room = if high > low { 0.06 * (high - low) } else { 1.0 };
        let widest = (self.rows.iter())
            .flat_map(|row| wrap(&row.label, &LABEL, LABEL_WIDTH, 2))
            .map(|line| LABEL.width(&line))
            .fold(60.0, f64::max);
        let left = MARGIN + widest + 20.0;
        let right = WIDTH - MARGIN - VALUE_WIDTH - 14.0;
        Scale::linear((low - room, high + room), (left, right))
    }
}

fn draw_row(canvas: &mut Canvas, scale: &Scale, row: &DifferenceRow, y: f64) {
    let lines = wrap(&row.label, &LABEL, LABEL_WIDTH, 2);
    for (index, line) in lines.iter().enumerate() {
        let shift = (index as f64 - (lines.len() - 1) as f64 / 2.0) * LEADING;
        let at = (scale.places.0 - 16.0, y + shift);
        canvas.text_mid(line, at, LABEL.held_at(Anchor::End));
    }
    let told = row.low > 0.0 || row.high < 0.0;
    let ink = if told { theme::seat_ink(0) } else { GREY };
    canvas.stroke(&[(scale.places.0, y), (scale.places.1, y)], 1.0, GRID);
    let (low, high) = (scale.place(row.low), scale.place(row.high));
    canvas.stroke(&[(low, y), (high, y)], 3.0, ink);
    for end in [low, high] {
        canvas.stroke(&[(end, y - 7.0), (end, y + 7.0)], 2.0, ink);
    }
    canvas.disc((scale.place(row.value), y), MARKER, ink);
    let half = (row.high - row.low) / 2.0;
    let text = signed(within(row.value, half), row.value);
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
    use crate::charts::tests::{assert_sound, label};

    fn chart(values: &[f64], half: f64) -> Differences {
        let row = |(index, &value): (usize, &f64)| DifferenceRow {
            label: label(index),
            value,
            low: value - half,
            high: value + half,
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
