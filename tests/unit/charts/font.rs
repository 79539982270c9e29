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
        // What is missing is drawn as a box.
        let glyph = missing.with_scale(100.0);
        assert!(face(weight).outline_glyph(glyph).is_some());
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
