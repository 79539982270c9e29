//! The embedded typeface: how wide a text is, and which pixels it covers.
//!
//! Roboto, cut down to the characters charts use, travels inside the program, so that a machine
//! without any font draws the same picture. What it lacks is drawn as a box, or with typefaces that
//! are added. This module knows nothing of colours or charts.

use std::sync::{LazyLock, OnceLock};

use ab_glyph::{Font, FontRef, GlyphId, PxScale, point};

/// Added typefaces.
pub static MORE: OnceLock<Vec<FontRef>> = OnceLock::new();

/// The family list an SVG names: the embedded face first, then what most machines have.
pub const FAMILY: &str = "Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Height of a capital letter as a share of the em size.
pub const CAP_HEIGHT: f64 = 0.711;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

pub fn has(font: &FontRef, character: char) -> bool {
    font.glyph_id(character).0 != 0
}

/// Width of `text` in pixels at an em size of `size` pixels.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    ends(text, size, weight).last().unwrap_or(0.0)
}

/// Where each character of `text` ends, in pixels from its beginning.
pub fn ends(text: &str, size: f64, weight: Weight) -> impl Iterator<Item = f64> {
    steps(text, size, weight).map(|step| step.end)
}

/// Calls `paint(x, y, coverage)` for each pixel that `text` touches, coverage in 0..=1.
///
/// `origin` is the left end of the baseline in pixels; fractions of a pixel are honoured.
pub fn rasterize(
    text: &str,
    size: f64,
    weight: Weight,
    origin: (f64, f64),
    mut paint: impl FnMut(i32, i32, f32),
) {
    for step in steps(text, size, weight) {
        let font = step.font;
        // ab_glyph scales by line height, callers think in em.
        let scale = (f64::from(font.height_unscaled()) * per_unit(size, font)) as f32;
        let position = point((origin.0 + step.start) as f32, origin.1 as f32);
        let glyph = (step.glyph).with_scale_and_position(PxScale::from(scale), position);
        let Some(outline) = font.outline_glyph(glyph) else {
            continue; // a space has no outline
        };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, coverage| {
            if coverage > 0.0 {
                let (x, y) = (x as i32 + corner.x as i32, y as i32 + corner.y as i32);
                paint(x, y, coverage.min(1.0));
            }
        });
    }
}

pub fn file(weight: Weight) -> &'static [u8] {
    match weight {
        Weight::Regular => include_bytes!("../../assets/Roboto-Regular.ttf"),
        Weight::Bold => include_bytes!("../../assets/Roboto-Bold.ttf"),
    }
}

pub fn face(weight: Weight) -> &'static FontRef<'static> {
    static FACES: LazyLock<[FontRef; 2]> = LazyLock::new(|| {
        [Weight::Regular, Weight::Bold].map(|weight| {
            FontRef::try_from_slice(file(weight)).expect("the embedded font is a TrueType file")
        })
    });
    &FACES[weight as usize]
}

/// Pixels in a unit of a font at an em size of `size` pixels.
fn per_unit(size: f64, font: &FontRef) -> f64 {
    size / f64::from(font.units_per_em().unwrap_or(2048.0))
}

/// A glyph on a baseline: where it stands, and where the next may.
pub struct GlyphStep {
    font: &'static FontRef<'static>,
    pub glyph: GlyphId,
    pub start: f64,
    pub end: f64,
}

/// The glyphs of `text` one after the other, from the place 0 on.
pub fn steps(text: &str, size: f64, weight: Weight) -> impl Iterator<Item = GlyphStep> {
    let (own, more) = (face(weight), MORE.get().into_iter().flatten());
    let mut end = 0.0;
    let mut before = None;
    text.chars().map(move |character| {
        let mut fonts = std::iter::once(own).chain(more.clone());
        let font = fonts.find(|font| has(font, character)).unwrap_or(own);
        let (glyph, per_unit) = (font.glyph_id(character), per_unit(size, font));
        if let Some((_, before)) = before
            .replace((font, glyph))
            .filter(|it| std::ptr::eq(it.0, font))
        {
            end += f64::from(font.kern_unscaled(before, glyph)) * per_unit;
        }
        let start = end;
        end += f64::from(font.h_advance_unscaled(glyph)) * per_unit;
        GlyphStep {
            font,
            glyph,
            start,
            end,
        }
    })
}

#[cfg(test)]
#[path = "../../tests/unit/charts/font.rs"]
mod tests;
