//! From a canvas to PNG pixels, through plotters' back-end for bitmaps: two pixels for each logical
//! pixel, averaged from more, which smooths every edge.

use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::Color;

use super::ChartError;
use super::canvas::{Canvas, Ink, PageShape, Spot, Text};
use super::font;
use super::render::{ZOOM, draw_error, paint, style, unit, units};

/// Drawn units averaged into one PNG pixel, along each axis.
const SAMPLES: usize = 2;

impl Canvas {
    /// The page as an RGB PNG file, two pixels per logical pixel.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        let (width, height) = units(self);
        let mut pixels = vec![u8::MAX; 3 * width as usize * height as usize];
        {
            let mut backend = BitMapBackend::with_buffer(&mut pixels, (width, height));
            for shape in &self.shapes {
                match shape {
                    PageShape::Stroke { points, width, ink } => {
                        stroke_as_areas(&mut backend, points, *width, *ink)?;
                    }
                    PageShape::Text(text) => paint_glyphs(&mut backend, text)?,
                    other => paint(&mut backend, other)?,
                }
            }
            backend.present().map_err(draw_error)?;
        }
        let small = average(&pixels, width as usize, height as usize);
        let side = SAMPLES as u32;
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, width / side, height / side);
        encoder.set_color(::png::ColorType::Rgb);
        encoder.set_depth(::png::BitDepth::Eight);
        encoder.set_compression(::png::Compression::Default);
        encoder.set_filter(::png::FilterType::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&small)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// Draws a line as one quadrangle per segment with discs as joints.
///
/// The bitmap back-end makes one polygon of a thick path, which tears at sharp corners.
fn stroke_as_areas<B: DrawingBackend>(
    backend: &mut B,
    points: &[Spot],
    width: f64,
    ink: Ink,
) -> Result<(), ChartError> {
    let half = width / 2.0;
    for (&from, &to) in points.iter().zip(&points[1..]) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length == 0.0 {
            continue;
        }
        let (nx, ny) = (-dy / length * half, dx / length * half);
        let corners = [
            (from.0 + nx, from.1 + ny),
            (to.0 + nx, to.1 + ny),
            (to.0 - nx, to.1 - ny),
            (from.0 - nx, from.1 - ny),
        ];
        (backend.fill_polygon(corners.map(unit), &style(ink, 0.0))).map_err(draw_error)?;
    }
    let joints = points.get(1..points.len() - 1).unwrap_or_default();
    for &joint in joints.iter().filter(|_| half * ZOOM > 1.5) {
        let radius = (half * ZOOM).round() as u32;
        (backend.draw_circle(unit(joint), radius, &style(ink, 0.0), true)).map_err(draw_error)?;
    }
    Ok(())
}

/// Draws a text pixel by pixel with the embedded font.
fn paint_glyphs<B: DrawingBackend>(backend: &mut B, text: &Text) -> Result<(), ChartError> {
    let color = style(text.style.ink, 0.0).color.to_backend_color();
    let (x, y) = (text.at.0 * ZOOM, text.at.1 * ZOOM);
    let start = (text.left() - text.at.0) * ZOOM;
    // An upward text is drawn about the origin, then turned pixel by pixel.
    let (right, down) = (x.round() as i32, y.round() as i32);
    let (mut origin, mut outcome) = ((x + start, y), Ok(()));
    if text.upward {
        origin = (start, 0.0);
    }
    let (size, weight) = (text.style.size * ZOOM, text.style.weight);
    font::rasterize(&text.text, size, weight, origin, |x, y, coverage| {
        let turned = (right + y, down - 1 - x);
        let at = if text.upward { turned } else { (x, y) };
        if let Err(error) = backend.draw_pixel(at, color.mix(f64::from(coverage))) {
            outcome = Err(draw_error(error));
        }
    });
    outcome
}

/// Averages squares of [`SAMPLES`] × [`SAMPLES`] RGB pixels.
pub fn average(pixels: &[u8], width: usize, height: usize) -> Vec<u8> {
    let (columns, rows) = (width / SAMPLES, height / SAMPLES);
    let mut small = Vec::with_capacity(3 * columns * rows);
    let mut sums = vec![0u16; 3 * width];
    for lines in pixels.chunks_exact(3 * width * SAMPLES).take(rows) {
        sums.fill(0);
        for line in lines.chunks_exact(3 * width) {
            for (sum, channel) in sums.iter_mut().zip(line) {
                *sum += u16::from(*channel);
            }
        }
        for square in sums.as_chunks::<{ 3 * SAMPLES }>().0 {
            let count = (SAMPLES * SAMPLES) as u16;
            for channel in 0..3 {
                let mut sum = count / 2;
                for sample in 0..SAMPLES {
                    sum += square[3 * sample + channel];
                }
                small.push((sum / count) as u8);
            }
        }
    }
    small
}
