//! The look that all charts share: colours, markers, text styles, margins, header and notes.
//!
//! The eight seat colours follow the palette of Okabe and Ito, which stays apart under the common
//! kinds of colour blindness; yellow is replaced and the light ones are darkened so that they can
//! be read on white. Colour never stands alone: each seat has its own marker too.

use super::ChartError;
use super::canvas::{Anchor, Canvas, Ink, Spot, Style};
use super::font::Weight;
use super::labels::{shorten, wrap};

/// Width of every chart in logical pixels.
pub const WIDTH: f64 = 960.0;
/// Free space around everything.
pub const MARGIN: f64 = 28.0;
/// Where content begins at the left and ends at the right.
pub const ACROSS: (f64, f64) = (MARGIN, WIDTH - MARGIN);
/// Widest label of a seat in logical pixels; longer ones are wrapped or shortened.
pub const LABEL_WIDTH: f64 = 230.0;

/// Titles and values.
pub const BLACK: Ink = Ink::solid(0x22, 0x26, 0x2B);
/// Subtitles, ticks and notes.
pub const GREY: Ink = Ink::solid(0x5F, 0x66, 0x6E);
/// Grid lines.
pub const GRID: Ink = Ink::solid(0xE4, 0xE7, 0xEA);
/// Base lines, leaders and reference lines.
pub const RULE: Ink = Ink::solid(0x9A, 0xA1, 0xA9);
/// The page.
pub const WHITE: Ink = Ink::solid(0xFF, 0xFF, 0xFF);

/// The headline.
pub const TITLE: Style = style(21.0, Weight::Bold, BLACK);
/// The line below the headline.
pub const SUBTITLE: Style = style(14.0, Weight::Regular, GREY);
/// The heading of one panel of several.
pub const PANEL: Style = style(14.0, Weight::Bold, BLACK);
/// Names of seats and printed values.
pub const LABEL: Style = style(14.0, Weight::Regular, BLACK);
/// Second lines of labels.
pub const DETAIL: Style = style(12.0, Weight::Regular, GREY);
/// Axis ticks and axis titles.
pub const TICK: Style = style(12.5, Weight::Regular, GREY);
/// Remarks at the foot.
pub const NOTE: Style = style(12.0, Weight::Regular, GREY);

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
    match part < 0.0 {
        true => LOW.pale(0.04 - 0.96 * part.max(-1.0)),
        false => shade(part),
    }
}

/// Black or white, whichever is easier to read on `ink`.
pub fn text_on(ink: Ink) -> Ink {
    let (red, green, blue) = ink.rgb;
    let light = 0.30 * f64::from(red) + 0.59 * f64::from(green) + 0.11 * f64::from(blue);
    if light < 135.0 { WHITE } else { BLACK }
}

/// Width of a [`colour_bar`].
pub const BAR_WIDTH: f64 = 260.0;
/// Height of a [`colour_bar`].
pub const BAR_HEIGHT: f64 = 12.0;

/// Draws the colours of a scale from its lowest value at the left margin to its highest, where
/// `ink` gives the colour of the value `part` of the way up (0..=1).
pub fn colour_bar(canvas: &mut Canvas, top: f64, ink: impl Fn(f64) -> Ink) {
    const SHADES: usize = 64;
    let place = |step: usize| MARGIN + BAR_WIDTH * step as f64 / SHADES as f64;
    for step in 0..SHADES {
        let (from, to) = (place(step), place(step + 1));
        let part = (step as f64 + 0.5) / SHADES as f64;
        canvas.block((from, top), (to, top + BAR_HEIGHT), ink(part));
    }
}

/// Writes a text beside a [`colour_bar`], its middle so far below the top.
pub fn beside_bar(canvas: &mut Canvas, text: &str, (indent, y): Spot, style: Style) {
    let left = MARGIN + BAR_WIDTH + 18.0 + indent;
    let text = shorten(text, &style, WIDTH - MARGIN - left);
    canvas.text_mid(&text, (left, y), style);
}

/// Draws the colours of shades from nothing to `high`, and what they show.
pub fn shade_key(canvas: &mut Canvas, top: f64, (low, high): (&str, &str), unit: &str) {
    colour_bar(canvas, top, shade);
    canvas.text(low, (MARGIN, top + 28.0), TICK);
    let right = (MARGIN + BAR_WIDTH, top + 28.0);
    canvas.text(high, right, TICK.held_at(Anchor::End));
    beside_bar(canvas, unit, (0.0, top + 6.0), TICK);
}

/// Draws the marker of a seat around `at`; about `2 × radius` wide.
///
/// Disc, square, triangle and diamond, then the same four hollow.
pub fn marker(canvas: &mut Canvas, seat: usize, at: Spot, radius: f64) {
    let seat = seat % SEATS.len();
    solid_marker(canvas, seat % 4, at, radius + 1.5, WHITE);
    solid_marker(canvas, seat % 4, at, radius, seat_ink(seat));
    if seat >= 4 {
        solid_marker(canvas, seat % 4, at, radius * 0.5, WHITE);
    }
}

/// Width of the column of seat labels at the right of a chart.
pub const SEAT_LABELS: f64 = 236.0;
/// Height of one of them.
pub const SEAT_LABEL_HEIGHT: f64 = 36.0;

/// Draws the label of a seat in the column at the right, around the height `middle`: its marker
/// and its name, and a line of detail below.
pub fn seat_label(
    canvas: &mut Canvas,
    seat: usize,
    middle: f64,
    name: &str,
    detail: (String, Ink),
) {
    let left = WIDTH - MARGIN - SEAT_LABELS;
    marker(canvas, seat, (left + 6.0, middle - 3.0), 4.5);
    let (left, room) = (left + 18.0, SEAT_LABELS - 18.0);
    let style = LABEL.bold().in_ink(seat_ink(seat));
    canvas.text(&shorten(name, &style, room), (left, middle + 1.0), style);
    let (text, style) = (shorten(&detail.0, &DETAIL, room), DETAIL.in_ink(detail.1));
    canvas.text(&text, (left, middle + 15.0), style);
}

/// Starts a page of `height` logical pixels below its header.
///
/// Writes title and subtitle (two lines each at most) and returns the page with the y where the
/// content begins; `height` does not include the header.
pub fn page(title: &str, subtitle: &str, height: f64) -> (Canvas, f64) {
    let width = WIDTH - 2.0 * MARGIN;
    let title_lines = wrap(title, &TITLE, width, 2);
    let subtitle_lines = wrap(subtitle, &SUBTITLE, width, 2);
    let subtitle_top = MARGIN + 16.0 + 27.0 * (title_lines.len() - 1) as f64;
    let top = subtitle_top + 23.0 + 19.0 * (subtitle_lines.len() - 1) as f64 + 17.0;
    let mut canvas = Canvas::new(WIDTH, top + height);
    for (i, line) in title_lines.iter().enumerate() {
        canvas.text(line, (MARGIN, MARGIN + 16.0 + 27.0 * i as f64), TITLE);
    }
    for (i, line) in subtitle_lines.iter().enumerate() {
        let baseline = subtitle_top + 23.0 + 19.0 * i as f64;
        canvas.text(line, (MARGIN, baseline), SUBTITLE);
    }
    (canvas, top)
}

/// A page that says why there is nothing to see on it.
pub fn blank(title: &str, subtitle: &str, height: f64, why: &str) -> Result<Canvas, ChartError> {
    let (mut canvas, top) = page(title, subtitle, height);
    placeholder(&mut canvas, top, why);
    Ok(canvas)
}

/// Says in the middle of the content, `top` pixels from the page's upper edge, why there is
/// nothing to see.
pub fn placeholder(canvas: &mut Canvas, top: f64, text: &str) {
    let at = (canvas.width() / 2.0, (top + canvas.height()) / 2.0);
    canvas.text_mid(text, at, SUBTITLE.held_at(Anchor::Middle));
}

/// Writes a text in the middle of `at`, or as near to it as leaves `from..=to`.
pub fn centred(canvas: &mut Canvas, text: &str, (x, y): Spot, (from, to): Spot, style: Style) {
    let half = style.width(text) / 2.0;
    let at = (x.clamp(from + half, (to - half).max(from + half)), y);
    canvas.text(text, at, style.held_at(Anchor::Middle));
}

/// Writes remarks at the foot of the page, one line each (shortened if need be), the last one
/// lowest.
pub fn notes(canvas: &mut Canvas, notes: &[String]) {
    let lowest = canvas.height() - 16.0;
    for (i, note) in notes.iter().rev().enumerate() {
        let line = shorten(note, &NOTE, WIDTH - 2.0 * MARGIN);
        canvas.text(&line, (MARGIN, lowest - LEADING * i as f64), NOTE);
    }
}

/// Writes one remark at the foot, if there is one.
pub fn note(canvas: &mut Canvas, note: &str) {
    if !note.is_empty() {
        notes(canvas, &[note.to_string()]);
    }
}

const fn style(size: f64, weight: Weight, ink: Ink) -> Style {
    Style {
        size,
        weight,
        ink,
        anchor: Anchor::Start,
    }
}

fn solid_marker(canvas: &mut Canvas, shape: usize, (x, y): Spot, radius: f64, ink: Ink) {
    let r = radius;
    match shape {
        0 => canvas.disc((x, y), r, ink),
        1 => canvas.block((x - 0.9 * r, y - 0.9 * r), (x + 0.9 * r, y + 0.9 * r), ink),
        2 => canvas.area(
            vec![
                (x, y - 1.2 * r),
                (x + 1.15 * r, y + 0.85 * r),
                (x - 1.15 * r, y + 0.85 * r),
            ],
            ink,
        ),
        _ => canvas.area(
            vec![
                (x, y - 1.3 * r),
                (x + 1.3 * r, y),
                (x, y + 1.3 * r),
                (x - 1.3 * r, y),
            ],
            ink,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance after WCAG 2.
    fn luminance(ink: Ink) -> f64 {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let (red, green, blue) = ink.rgb;
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    #[test]
    fn colours_stand_out_from_the_page() {
        let contrast = |ink| 1.05 / (luminance(ink) + 0.05);
        for seat in 0..8 {
            assert!(contrast(seat_ink(seat)) >= 3.0, "seat {seat}");
        }
        assert!(contrast(GREY) >= 4.5 && contrast(BLACK) >= 7.0);
    }

    #[test]
    fn shades_darken_away_from_the_pale_end() {
        assert!(luminance(shade(0.0)) > luminance(shade(0.4)));
        assert!(luminance(shade(0.4)) > luminance(shade(1.0)));
        assert!(luminance(shade_around(0.0)) > luminance(shade_around(-1.0)));
        assert!(luminance(shade_around(-1.0)) > 2.0 * luminance(shade_around(1.0)));
    }

    #[test]
    fn long_titles_make_the_header_taller() {
        let (_, short) = page("Title", "sub", 100.0);
        let (canvas, long) = page(&"Long title ".repeat(12), &"sub ".repeat(300), 100.0);
        assert!(long > short);
        assert_eq!(canvas.height(), (long + 100.0).round());
        canvas.assert_readable();
    }
}
