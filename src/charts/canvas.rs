//! A page to draw on: a list of strokes, areas, discs and texts in logical pixels.
//!
//! Charts add shapes and `render` paints them, so no chart depends on a drawing library, and a test
//! can check every text of a chart. Coordinates grow to the right and downwards from the top left
//! corner.

use super::font::{self, CAP_HEIGHT, Weight};
use super::theme::{Paper, Reach};

/// A place on the page: x and y in logical pixels.
pub type Spot = (f64, f64);

/// A colour with its opacity (0 invisible ..= 1 solid).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    pub rgb: (u8, u8, u8),
    pub alpha: f64,
}

impl Ink {
    pub const fn solid(red: u8, green: u8, blue: u8) -> Ink {
        Ink {
            rgb: (red, green, blue),
            alpha: 1.0,
        }
    }

    /// The solid colour that looks like `part` (0..=1) of this one on white.
    pub fn pale(self, part: f64) -> Ink {
        let mix = |channel: u8| (255.0 - part * (255.0 - f64::from(channel))).round() as u8;
        let (red, green, blue) = self.rgb;
        Ink::solid(mix(red), mix(green), mix(blue))
    }

    pub const fn faded(self, alpha: f64) -> Ink {
        Ink {
            rgb: self.rgb,
            alpha,
        }
    }
}

/// Which end of a text stays at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Em size in logical pixels.
    pub size: f64,
    pub weight: Weight,
    pub ink: Ink,
    pub anchor: Anchor,
}

impl Style {
    pub const fn in_ink(self, ink: Ink) -> Style {
        Style { ink, ..self }
    }

    pub const fn held_at(self, anchor: Anchor) -> Style {
        Style { anchor, ..self }
    }

    pub const fn bold(self) -> Style {
        Style {
            weight: Weight::Bold,
            ..self
        }
    }

    /// Width of `text` in this style, in logical pixels.
    pub fn width(&self, text: &str) -> f64 {
        font::width(text, self.size, self.weight)
    }

    /// Where each character of `text` ends in this style, in logical pixels.
    pub fn ends(&self, text: &str) -> impl Iterator<Item = f64> {
        font::ends(text, self.size, self.weight)
    }

    /// How far below a middle line the baseline lies so that capitals are centred on that line.
    pub fn drop(&self) -> f64 {
        self.size * CAP_HEIGHT / 2.0
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub text: String,
    /// The anchor of its baseline.
    pub at: Spot,
    pub style: Style,
    /// Whether it runs upwards instead of to the right, turned about `at`.
    pub upward: bool,
}

impl Text {
    /// Left end of the text in logical pixels, before it is turned.
    pub fn left(&self) -> f64 {
        let width = self.style.width(&self.text);
        match self.style.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - width / 2.0,
            Anchor::End => self.at.0 - width,
        }
    }
}

/// Something drawn; later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum PageShape {
    /// An open line through two or more points; solid ink only.
    Stroke {
        points: Vec<Spot>,
        width: f64,
        ink: Ink,
    },
    /// A filled polygon that does not cross itself.
    Area {
        points: Vec<Spot>,
        ink: Ink,
    },
    Disc {
        at: Spot,
        radius: f64,
        ink: Ink,
    },
    Text(Text),
    /// The description of a part of the page: a name, a value, its interval. Not drawn; browsers
    /// show it under the pointer, and screen readers read it.
    Tooltip {
        /// The upper left corner of the part.
        from: Spot,
        /// Its lower right corner.
        to: Spot,
        text: String,
        /// Of a board, the name of the cell and the options that touch it.
        cell: Option<[String; 2]>,
    },
}

/// Most parts of a page in its description.
const READ_OUT_MAX: usize = 40;

/// A white page of a fixed width and the shapes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<PageShape>,
    /// The title and the subtitle.
    heading: (String, String),
    /// The ends of the axes, where there are any.
    pub reach: Reach,
}

impl Canvas {
    /// An empty page; the size is rounded to whole logical pixels.
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas {
            width: width.round(),
            height: height.round(),
            shapes: Vec::new(),
            heading: Default::default(),
            reach: Reach::default(),
        }
    }

    /// Sets the title and the subtitle.
    pub fn name(&mut self, title: &str, played: &str) {
        self.heading = (drawable(title), drawable(played));
    }

    /// The width in logical pixels.
    pub fn paper(&self) -> Paper {
        Paper::of(self.width, self.height)
    }

    /// Describes the area between two corners.
    pub fn tooltip(&mut self, from: Spot, to: Spot, text: impl AsRef<str>) {
        let (text, cell) = (drawable(text.as_ref()), None);
        (self.shapes).push(PageShape::Tooltip {
            from,
            to,
            text,
            cell,
        });
    }

    /// Describes a cell of a board between two corners, with its name and the options that touch
    /// it.
    pub fn cell_tooltip(&mut self, corners: (Spot, Spot), text: &str, cell: [String; 2]) {
        let ((from, to), text) = (corners, drawable(text));
        let cell = Some(cell.map(|part| drawable(&part)));
        (self.shapes).push(PageShape::Tooltip {
            from,
            to,
            text,
            cell,
        });
    }

    /// The description of the page: title, subtitle and descriptions of its parts.
    pub fn in_words(&self) -> String {
        let mut texts = Vec::new();
        for shape in &self.shapes {
            if let PageShape::Tooltip { text, .. } = shape {
                texts.push(text.as_str());
            }
        }
        let more = texts.len().saturating_sub(READ_OUT_MAX);
        texts.truncate(READ_OUT_MAX);
        let (title, played) = &self.heading;
        let mut words = format!("{title}. {played}. {}", texts.join("; "));
        if more > 0 {
            words += &format!("; and {more} more, in the tables");
        }
        words
    }

    /// Draws what is on another page, its upper left corner at `corner`.
    pub fn place(&mut self, page: &Canvas, corner: Spot) {
        let (right, down) = corner;
        for shape in &page.shapes {
            let mut shape = shape.clone();
            let spots = match &mut shape {
                PageShape::Stroke { points, .. } | PageShape::Area { points, .. } => {
                    points.iter_mut().collect()
                }
                PageShape::Disc { at, .. } => vec![at],
                PageShape::Text(text) => vec![&mut text.at],
                PageShape::Tooltip { from, to, .. } => vec![from, to],
            };
            for spot in spots {
                *spot = (spot.0 + right, spot.1 + down);
            }
            self.shapes.push(shape);
        }
    }

    /// Draws a line through `points`; fewer than two points draw nothing.
    pub fn stroke(&mut self, points: &[Spot], width: f64, ink: Ink) {
        let points = points.to_vec();
        if points.len() > 1 {
            self.shapes.push(PageShape::Stroke { points, width, ink });
        }
    }

    /// Draws a thin level line from left to right.
    pub fn level(&mut self, across: (f64, f64), y: f64, ink: Ink) {
        self.stroke(&[(across.0, y), (across.1, y)], 1.0, ink);
    }

    /// Draws a straight line with gaps; `pattern` is how many pixels are drawn and left out.
    pub fn dashes(&mut self, from: Spot, to: Spot, pattern: (f64, f64), width: f64, ink: Ink) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        let mut start = 0.0;
        while start < length {
            let end = (start + pattern.0).min(length);
            let point = |along: f64| (from.0 + dx * along / length, from.1 + dy * along / length);
            self.stroke(&[point(start), point(end)], width, ink);
            start += pattern.0 + pattern.1;
        }
    }

    /// Fills a polygon; fewer than three points draw nothing.
    pub fn area(&mut self, points: Vec<Spot>, ink: Ink) {
        if points.len() > 2 {
            self.shapes.push(PageShape::Area { points, ink });
        }
    }

    /// Fills the upright rectangle between two opposite corners.
    pub fn block(&mut self, from: Spot, to: Spot, ink: Ink) {
        self.area(vec![from, (to.0, from.1), to, (from.0, to.1)], ink);
    }

    /// Fills the upright rectangle between two corners, less `inset` at each side.
    pub fn inset(&mut self, corners: (Spot, Spot), by: f64, ink: Ink) {
        let (from, to) = corners;
        self.block((from.0 + by, from.1 + by), (to.0 - by, to.1 - by), ink);
    }

    pub fn disc(&mut self, at: Spot, radius: f64, ink: Ink) {
        self.shapes.push(PageShape::Disc { at, radius, ink });
    }

    /// Writes one line of text with its baseline at `at`.
    pub fn text(&mut self, text: &str, at: Spot, style: Style) {
        self.write(text, at, style, false);
    }

    /// Writes one line of text that runs upwards, its baseline at the right and held at `at`.
    pub fn text_upward(&mut self, text: &str, at: Spot, style: Style) {
        self.write(text, at, style, true);
    }

    fn write(&mut self, text: &str, at: Spot, style: Style, upward: bool) {
        self.shapes.push(PageShape::Text(Text {
            text: drawable(text),
            at,
            style,
            upward,
        }));
    }

    /// Writes one line of text with its capitals centred on the height of `at`.
    pub fn text_mid(&mut self, text: &str, at: Spot, style: Style) {
        self.text(text, (at.0, at.1 + style.drop()), style);
    }
}

/// Replaces characters that an SVG file may not hold, or that control a terminal, by blanks.
fn drawable(text: &str) -> String {
    let shown = |c: char| match c {
        '\u{fffe}' | '\u{ffff}' => ' ',
        // Characters that change the direction of writing.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/charts/canvas.rs"]
mod tests;
