//! The look that all charts share: colours, markers, text styles, margins, header and notes.
//!
//! The eight seat colours follow the palette of Okabe and Ito, which stays apart under the common
//! kinds of colour blindness; yellow is replaced and the light ones are darkened so that they can
//! be read on white. Colour never stands alone: each seat has its own marker too.

use super::canvas::{Anchor, Canvas, Ink, Spot, Style};
use super::font::Weight;
use super::labels::wrap;
use carat_core::diagnostic::counted;

/// The values at the ends of the level axis, and of the upright ones of the upper two panels.
pub type Reach = [Option<(f64, f64)>; 3];

/// The width of a drawing. A chart has a separate layout for each width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// Width in logical pixels.
    pub width: f64,
    /// What the axes span at least, so that drawings after each other share them.
    pub reach: Reach,
    /// Rows and small charts end before this height, and the rest is left out.
    pub height: f64,
}

impl Paper {
    /// For a screen or a printed page.
    pub const WIDE: Paper = Paper::of(960.0, 1280.0);
    pub const NARROW: Paper = Paper::of(360.0, 2560.0);
    /// For the first screen of a page.
    pub const BRIEF: Paper = Paper::of(360.0, 480.0);

    pub const fn of(width: f64, height: f64) -> Paper {
        let reach = [None; 3];
        Paper {
            width,
            height,
            reach,
        }
    }

    /// Whether labels go above what they name, instead of beside it.
    pub fn is_narrow(self) -> bool {
        self.width < 600.0
    }

    /// Free space around everything.
    pub fn margin(self) -> f64 {
        self.pick(10.0, 28.0)
    }

    /// The first value on narrow paper, the second on wide.
    pub fn pick<T>(self, narrow: T, wide: T) -> T {
        if self.is_narrow() { narrow } else { wide }
    }

    /// The left and right ends of the content.
    pub fn across(self) -> (f64, f64) {
        (self.margin(), self.width - self.margin())
    }

    /// The width of the content.
    pub fn inner(self) -> f64 {
        self.width - 2.0 * self.margin()
    }
}

/// Widest label of a seat in logical pixels; longer ones are wrapped or shortened.
pub const LABEL_WIDTH: f64 = 230.0;

pub const BLACK: Ink = Ink::solid(0x22, 0x26, 0x2B);
/// Subtitles, ticks and notes.
pub const GREY: Ink = Ink::solid(0x5F, 0x66, 0x6E);
pub const GRID: Ink = Ink::solid(0xE4, 0xE7, 0xEA);
/// Base lines, leaders and reference lines.
pub const RULE: Ink = Ink::solid(0x9A, 0xA1, 0xA9);
/// Behind values: a wanted range.
pub const WANTED: Ink = Ink::solid(0xF3, 0xE3, 0xB5);
pub const WHITE: Ink = Ink::solid(0xFF, 0xFF, 0xFF);

pub const TITLE: Style = style(21.0, Weight::Bold, BLACK);
/// The line below the headline.
pub const SUBTITLE: Style = style(14.0, Weight::Regular, GREY);
/// The heading of one panel of several.
pub const PANEL: Style = style(14.0, Weight::Bold, BLACK);
/// Names of seats and printed values.
pub const LABEL: Style = style(14.0, Weight::Regular, BLACK);
/// Second lines of labels, and remarks at the foot.
pub const DETAIL: Style = style(12.0, Weight::Regular, GREY);
/// Axis ticks and axis titles.
pub const TICK: Style = style(12.5, Weight::Regular, GREY);

/// Distance between the baselines of two lines of text of one label.
pub const LEADING: f64 = 16.0;

const SEATS: [Ink; 8] = [
    Ink::solid(0x00, 0x72, 0xB2), // blue
    Ink::solid(0xD5, 0x5E, 0x00), // vermilion
    Ink::solid(0x00, 0x8F, 0x68), // green
    Ink::solid(0xB8, 0x50, 0x8F), // purple
    Ink::solid(0xB8, 0x80, 0x00), // ochre
    Ink::solid(0x3A, 0x93, 0xCF), // sky
    Ink::solid(0x4A, 0x4A, 0x4A), // grey
    Ink::solid(0x7A, 0x1F, 0x3D), // wine
];

/// The colour of a seat; seats beyond the eighth begin again.
pub const fn seat_ink(seat: usize) -> Ink {
    SEATS[seat % SEATS.len()]
}

/// The colour of a value `part` of the way up its scale (0..=1): from nearly white to a deep
/// blue, evenly darker.
pub fn shade(part: f64) -> Ink {
    const DEEP: Ink = Ink::solid(0x08, 0x3D, 0x69);
    DEEP.pale(0.04 + 0.96 * part.clamp(0.0, 1.0))
}

/// The colour of a value below (-1..0) or above (0..=1) a middle: orange, nearly white, blue.
///
/// The orange stays lighter than the blue, so that the two ends differ in grey too.
pub fn shade_around(part: f64) -> Ink {
    const LOW: Ink = Ink::solid(0xE0, 0x8A, 0x1E);
    if part < 0.0 {
        LOW.pale(0.04 - 0.96 * part.max(-1.0))
    } else {
        shade(part)
    }
}

/// Black or white, whichever is easier to read on `ink`.
pub fn text_on(ink: Ink) -> Ink {
    let (red, green, blue) = ink.rgb;
    let light = 0.30 * f64::from(red) + 0.59 * f64::from(green) + 0.11 * f64::from(blue);
    if light < 135.0 { WHITE } else { BLACK }
}

/// Draws the marker of a seat around `at`; about `2 × radius` wide.
///
/// Disc, square, triangle and diamond, then the same four hollow.
pub fn marker(canvas: &mut Canvas, seat: usize, at: Spot, radius: f64) {
    marker_in(seat_ink(seat), canvas, seat, at, radius);
}

/// The same in another colour.
pub fn marker_in(ink: Ink, canvas: &mut Canvas, seat: usize, at: Spot, radius: f64) {
    let seat = seat % SEATS.len();
    solid_marker(canvas, seat % 4, at, radius + 1.5, WHITE);
    solid_marker(canvas, seat % 4, at, radius, ink);
    if seat >= 4 {
        solid_marker(canvas, seat % 4, at, radius * 0.5, WHITE);
    }
}

/// How many of some rows with these heights have room from `top` on; at least one.
pub fn fitting(top: f64, heights: impl IntoIterator<Item = f64>, paper: Paper) -> usize {
    let mut bottom = top;
    let fit = heights.into_iter().take_while(|height| {
        bottom += height;
        bottom <= paper.height
    });
    fit.count().max(1)
}

/// A remark on rows or charts that were left out, and on the table that has them.
pub fn left_out(number: usize, what: &str, table: &str) -> String {
    let what = counted(number, what);
    match (number, table) {
        (0, _) => String::new(),
        (_, "") => format!("{what} not drawn; the tables of the study have all values."),
        _ => format!("{what} not drawn; the table `{table}` has all values."),
    }
}

/// Starts a page below its header.
///
/// Writes title and subtitle; returns the page and the top of its content. [`end`] sets the end of
/// the page.
pub fn page(title: &str, subtitle: &str, paper: Paper) -> (Canvas, f64) {
    let (left, width) = (paper.margin(), paper.inner());
    let size = paper.pick(17.0, TITLE.size);
    let style = Style { size, ..TITLE };
    let (leading, lines) = paper.pick((22.0, 4), (27.0, 2));
    let mut canvas = Canvas::new(paper.width, 0.0);
    canvas.name(title, subtitle);
    let mut y = left + 16.0;
    for line in wrap(title, &style, width, lines) {
        canvas.text(&line, (left, y), style);
        y += leading;
    }
    y -= leading - 23.0;
    let lines = wrap(subtitle, &SUBTITLE, width, lines);
    for line in lines.iter().filter(|line| !line.is_empty()) {
        canvas.text(line, (left, y), SUBTITLE);
        y += 19.0;
    }
    (canvas, y - 2.0)
}

/// Writes a wrapped text with its first baseline at `y`; returns the next baseline.
pub fn paragraph(canvas: &mut Canvas, y: f64, text: &str, style: Style) -> f64 {
    let paper = canvas.paper();
    paragraph_at(canvas, (paper.margin(), y), text, style)
}

/// Writes a wrapped text between `at` and the right margin.
pub fn paragraph_at(canvas: &mut Canvas, at: Spot, text: &str, style: Style) -> f64 {
    let (x, mut y) = at;
    if text.is_empty() {
        return y;
    }
    for line in wrap(text, &style, canvas.paper().across().1 - x, 6) {
        canvas.text(&line, (x, y), style);
        y += LEADING + 1.0;
    }
    y
}

/// Ends the page below `bottom`, with remarks at its foot.
pub fn end(canvas: &mut Canvas, bottom: f64, notes: &[&str]) {
    let mut y = bottom + 10.0;
    for note in notes.iter().filter(|note| !note.is_empty()) {
        y = paragraph(canvas, y + 8.0, note, DETAIL) - 8.0;
    }
    canvas.height = (y + 10.0).round();
}

/// Writes a text centred at `at`, or as near to it as `room` allows.
pub fn centred(canvas: &mut Canvas, text: &str, at: Spot, room: (f64, f64), style: Style) {
    let half = style.width(text) / 2.0;
    let left = room.0 + half;
    let x = at.0.clamp(left, (room.1 - half).max(left));
    canvas.text(text, (x, at.1), style.held_at(Anchor::Middle));
}

const fn style(size: f64, weight: Weight, ink: Ink) -> Style {
    Style {
        size,
        weight,
        ink,
        anchor: Anchor::Start,
    }
}

fn solid_marker(canvas: &mut Canvas, shape: usize, at: Spot, radius: f64, ink: Ink) {
    // The corners around the middle, in radii.
    let corners: &[Spot] = match shape {
        0 => return canvas.disc(at, radius, ink),
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
        _ => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    };
    let corners = corners.iter();
    let corners = corners.map(|(x, y)| (at.0 + x * radius, at.1 + y * radius));
    canvas.area(corners.collect(), ink);
}

#[cfg(test)]
#[path = "../../tests/unit/charts/theme.rs"]
mod tests;
