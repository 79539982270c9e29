//! Where many points lie on several scales, one strip each, with the range that is wanted.
//!
//! Knows numbers and labels, not what is wanted or why.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::spread;
use super::theme::{self, GREY, Paper, RULE, TICK};
use super::{Chart, ChartError, check_finite};

/// Scales below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Strips {
    pub title: String,
    /// One each, from top to bottom.
    pub strips: Vec<Strip>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    pub label: String,
    /// Whether values are shares, shown in percent.
    pub share: bool,
    /// The range that is wanted; none where an end is open.
    pub wanted: (Option<f64>, Option<f64>),
    pub points: Vec<f64>,
    /// Points with names, drawn above the others.
    pub named: Vec<(String, f64)>,
}

/// Height of the band.
const BAND: f64 = 30.0;

impl Chart for Strips {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for strip in &self.strips {
            let named = strip.named.iter().map(|(_, value)| value);
            let column = format!("points of `{}`", strip.label);
            check_finite(&column, strip.points.iter().chain(named))?;
        }
        if self.strips.is_empty() {
            return Ok(None);
        }
        let (mut canvas, mut top) = theme::page(&self.title, played, paper);
        for strip in &self.strips {
            top = strip.draw(&mut canvas, top);
        }
        theme::end(&mut canvas, top, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl Strip {
    /// Writes the names side by side above the band, each as near to its point as there is room.
    fn name(&self, canvas: &mut Canvas, scale: &Scale, y: f64) {
        let wide = self.named.iter().map(|(name, _)| TICK.width(name));
        let gap = wide.fold(0.0, f64::max) + 14.0;
        let wanted = self.named.iter().map(|(_, value)| scale.place(*value));
        let wanted: Vec<f64> = wanted.collect();
        let (low, high) = (scale.places.0 + gap / 2.0, scale.places.1 - gap / 2.0);
        for (index, at) in spread(&wanted, gap, low, high).into_iter().enumerate() {
            let style = TICK.in_ink(theme::seat_ink(index % 2));
            canvas.text_mid(&self.named[index].0, (at, y), style.held_at(Anchor::Middle));
        }
    }

    /// Draws the strip from `top` on; tells where the next may begin.
    fn draw(&self, canvas: &mut Canvas, top: f64) -> f64 {
        let ends = [self.wanted.0, self.wanted.1].into_iter().flatten();
        let named = self.named.iter().map(|(_, value)| *value);
        let all = self.points.iter().copied().chain(ends).chain(named);
        let (low, high) = axes::bounds(all);
        let values = if low <= high { (low, high) } else { (0.0, 1.0) };
        let (left, right) = canvas.paper().across();
        let across = (left + 10.0, right - 10.0);
        let scale = Scale::airy(values, (0.06, 0.5), across);
        let head = theme::paragraph(canvas, top + 20.0, &self.label, TICK.bold());
        let band = (head + 17.0, head + 17.0 + BAND);
        let from = self.wanted.0.map_or(across.0, |low| scale.place(low));
        let to = self.wanted.1.map_or(across.1, |high| scale.place(high));
        let to = to.max(from + 1.0);
        for (from, to, ink) in [
            (across.0, across.1, GREY.pale(0.12)),
            (from, to, theme::seat_ink(2).pale(0.35)),
        ] {
            canvas.block((from, band.0), (to, band.1), ink);
        }
        let middle = (band.0 + band.1) / 2.0;
        for (index, point) in self.points.iter().enumerate() {
            // Dots that would lie on each other are set apart a little.
            let off = ((index * 7) % 11) as f64 - 5.0;
            canvas.disc((scale.place(*point), middle + off), 2.0, GREY.pale(0.8));
        }
        for (index, (_, value)) in self.named.iter().enumerate() {
            let at = scale.place(*value);
            let ink = theme::seat_ink(index % 2);
            canvas.stroke(&[(at, band.0 - 3.0), (at, band.1 + 3.0)], 2.5, ink);
        }
        self.name(canvas, &scale, band.0 - 12.0);
        let names = self.named.iter().map(|(name, _)| name.as_str());
        let told = format!("{}: {}", self.label, names.collect::<Vec<_>>().join(", "));
        canvas.tell((across.0, band.0), (across.1, band.1), told);
        for (value, label) in scale.ticks(self.share) {
            let at = scale.place(value);
            canvas.stroke(&[(at, band.1), (at, band.1 + 4.0)], 1.0, RULE);
            canvas.text_mid(&label, (at, band.1 + 14.0), TICK.held_at(Anchor::Middle));
        }
        band.1 + 26.0
    }
}
