//! Typefaces that are added to the embedded one: those of a file, or of this machine.

use super::font::{MORE, Weight, face, has};
use ab_glyph::FontRef;
use fontdb::{Stretch, Style};
use std::collections::BTreeSet;

pub type Fonts = fontdb::Database;

/// The typefaces of a file, or of this machine for `system`.
pub fn open(source: &str) -> Result<Fonts, String> {
    let mut fonts = Fonts::new();
    if source == "system" {
        fonts.load_system_fonts();
    } else if let Err(error) = fonts.load_font_file(source) {
        return Err(error.to_string());
    }
    let none = fonts.is_empty().then(|| Err("no font found".to_string()));
    none.unwrap_or(Ok(fonts))
}

/// Adds the plainest fonts for those characters of some texts that the embedded typeface lacks;
/// returns what they lack too. Only the first call of a program counts.
pub fn add(fonts: &Fonts, texts: &str) -> BTreeSet<char> {
    let is_missing = |character: &char| !has(face(Weight::Regular), *character);
    let mut missing = BTreeSet::from_iter(texts.chars().filter(is_missing));
    let mut faces: Vec<_> = fonts.faces().collect();
    faces.sort_by_key(|face| {
        let is_sans = face.families.iter().any(|(name, _)| name.contains("Sans"));
        let is_plain = face.style == Style::Normal && face.stretch == Stretch::Normal;
        (!is_plain, !is_sans, face.weight.0.abs_diff(400))
    });
    let mut more = Vec::new();
    for face in faces {
        let read = |data: &[u8], index| {
            let font = FontRef::try_from_slice_and_index(data, index).ok()?;
            let is_wanted = missing.iter().any(|character| has(&font, *character));
            // Kept until the program ends.
            is_wanted
                .then(|| FontRef::try_from_slice_and_index(data.to_vec().leak(), index).ok())?
        };
        if let Some(Some(font)) = fonts.with_face_data(face.id, read) {
            missing.retain(|character| !has(&font, *character));
            more.push(font);
        }
    }
    MORE.get_or_init(|| more);
    missing
}
