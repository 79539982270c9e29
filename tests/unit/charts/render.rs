use super::*;
use crate::theme;

fn sample() -> Canvas {
    let mut canvas = Canvas::new(40.0, 20.0);
    canvas.block((10.0, 5.0), (30.0, 15.0), Ink::solid(0, 0, 0));
    canvas.text("<5 %", (2.0, 18.0), theme::LABEL);
    canvas
}

/// Width, height, and the channels of all pixels.
fn pixels(canvas: &Canvas) -> (u32, u32, Vec<u8>) {
    let bytes = std::io::Cursor::new(canvas.png().unwrap());
    let mut reader = png::Decoder::new(bytes).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    (frame.width, frame.height, pixels)
}

#[test]
fn a_png_has_two_pixels_per_logical_pixel() {
    let (width, height, pixels) = pixels(&sample());
    assert_eq!((width, height), (80, 40));
    let at = |x: usize, y: usize| pixels[3 * (y * 80 + x)];
    assert_eq!((at(40, 20), at(0, 0), at(70, 20)), (0, 255, 255));
}

#[test]
fn an_upward_text_is_the_same_text_turned() {
    let (mut across, mut upward) = (Canvas::new(40.0, 40.0), Canvas::new(40.0, 40.0));
    across.text("Fog", (10.0, 20.0), theme::LABEL);
    upward.text_upward("Fog", (20.0, 30.0), theme::LABEL);
    let document = upward.svg().unwrap();
    assert!(document.contains("rotate(270"));
    let [across, upward] = [across, upward].map(|canvas| pixels(&canvas).2);
    assert!(across.contains(&0x22), "something is written");
    for x in 0..60 {
        for y in 0..80 {
            assert_eq!(
                across[3 * (80 * y + 20 + x)],
                upward[3 * (80 * (59 - x) + y)],
                "{x} {y}"
            );
        }
    }
}

#[test]
fn an_svg_escapes_text() {
    assert!(sample().svg().unwrap().contains("&lt;5 %"));
}

#[test]
fn pixels_are_averaged_by_squares() {
    let pixels = [0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255];
    assert_eq!(crate::png::average(&pixels, 2, 2), [128, 128, 128]);
}
