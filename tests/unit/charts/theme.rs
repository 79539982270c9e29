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
    for paper in [Paper::WIDE, Paper::NARROW] {
        let (_, short) = page("Title", "sub", paper);
        let (mut canvas, long) = page(&"Long title ".repeat(12), &"sub ".repeat(300), paper);
        assert!(long > short);
        end(&mut canvas, long, &[]);
        assert_eq!(canvas.faults(), [""; 0]);
    }
}
