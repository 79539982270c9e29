//! The embedded typeface: how wide a text is, and which pixels it covers.
//!
//! Roboto, cut down to the characters charts use, travels inside the program, so that a machine
//! without any font draws the same picture. This module knows nothing of colours or charts.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, point};

/// The family list an SVG names: the embedded face first, then what most machines have.
pub const FAMILY: &str = "Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Height of a capital letter as a share of the em size.
pub const CAP_HEIGHT: f64 = 0.711;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
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
    let font = face(weight);
    // ab_glyph scales by line height, callers think in em.
    let scale = PxScale::from((f64::from(font.height_unscaled()) * per_unit(size, weight)) as f32);
    for step in steps(text, size, weight) {
        let position = point((origin.0 + step.start) as f32, origin.1 as f32);
        let glyph = step.glyph.with_scale_and_position(scale, position);
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

/// The TrueType file of a weight.
pub fn file(weight: Weight) -> &'static [u8] {
    match weight {
        Weight::Regular => include_bytes!("../../assets/Roboto-Regular.ttf"),
        Weight::Bold => include_bytes!("../../assets/Roboto-Bold.ttf"),
    }
}

fn face(weight: Weight) -> &'static FontRef<'static> {
    static FACES: LazyLock<[FontRef; 2]> = LazyLock::new(|| {
        [Weight::Regular, Weight::Bold].map(|weight| {
            FontRef::try_from_slice(file(weight)).expect("the embedded font is a TrueType file")
        })
    });
    &FACES[weight as usize]
}

/// Pixels in a unit of the font at an em size of `size` pixels.
fn per_unit(size: f64, weight: Weight) -> f64 {
    size / f64::from(face(weight).units_per_em().unwrap_or(2048.0))
}

/// A glyph on a baseline: where it stands, and where the next may.
struct GlyphStep {
    glyph: GlyphId,
    start: f64,
    end: f64,
}

/// The glyphs of `text` one after the other, from the place 0 on.
fn steps(text: &str, size: f64, weight: Weight) -> impl Iterator<Item = GlyphStep> {
    let (font, per_unit) = (face(weight), per_unit(size, weight));
    let mut end = 0.0;
    let mut before = None;
    text.chars().map(move |character| {
        let glyph = font.glyph_id(character);
        if let Some(before) = before.replace(glyph) {
            end += f64::from(font.kern_unscaled(before, glyph)) * per_unit;
        }
        let start = end;
        end += f64::from(font.h_advance_unscaled(glyph)) * per_unit;
        GlyphStep { glyph, start, end }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_with_text_size_and_weight() {
        let plain = width("equal share", 13.0, Weight::Regular);
        assert!(plain > 50.0 && plain < 90.0, "{plain}");
        assert!((width("equal share", 26.0, Weight::Regular) - 2.0 * plain).abs() < 1e-9);
        assert!(width("equal share", 13.0, Weight::Bold) > plain);
        assert_eq!(width("", 13.0, Weight::Bold), 0.0);
    }

    #[test]
    fn the_characters_charts_use_are_embedded() {
        for weight in [Weight::Regular, Weight::Bold] {
            let missing = face(weight).glyph_id('\u{10FFFF}');
            for character in "0123456789 –−×≥≤±%·→…’“”äéßŁ".chars() {
                assert_ne!(face(weight).glyph_id(character), missing, "{character}");
            }
        }
    }

    #[test]
    fn a_capital_stands_on_the_baseline_and_has_the_stated_height() {
        let (mut top, mut bottom) = (i32::MAX, i32::MIN);
        rasterize("H", 100.0, Weight::Regular, (0.0, 100.0), |_, y, _| {
            top = top.min(y);
            bottom = bottom.max(y);
        });
        assert_eq!(bottom, 99);
        assert!((f64::from(100 - top) - 100.0 * CAP_HEIGHT).abs() <= 1.0);
    }
}
