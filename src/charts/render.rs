//! From a canvas to bytes: PNG pixels and SVG text, both through plotters' back-ends.
//!
//! The only module that knows plotters and the PNG encoder. Back-ends take whole numbers, so a
//! logical pixel is drawn as [`ZOOM`] × [`ZOOM`] units: an SVG keeps them as its inner grid, a
//! PNG is averaged down to two pixels per logical pixel, which smooths every edge.

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle,
};

use super::ChartError;
use super::canvas::{Anchor, Canvas, Ink, PageShape, Spot, Text};
use super::font::{self, Weight};

/// Drawn units per logical pixel.
const ZOOM: f64 = 4.0;

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
        let mut encoder = png::Encoder::new(&mut bytes, width / side, height / side);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Default);
        encoder.set_filter(png::FilterType::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&small)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// The page as an SVG document of its size.
    pub fn svg(&self) -> Result<String, ChartError> {
        let (width, height) = units(self);
        let mut document = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut document, (width, height));
            let white = style(Ink::solid(255, 255, 255), 0.0);
            let corner = (width as i32, height as i32);
            (backend.draw_rect((0, 0), corner, &white, true)).map_err(draw_error)?;
            for shape in &self.shapes {
                paint(&mut backend, shape)?;
            }
            backend.present().map_err(draw_error)?;
        }
        if let Some(end) = document.rfind("</svg>") {
            document.insert_str(end, &tooltips(self));
        }
        // The back-end makes one unit one pixel on the page; the view box alone holds the fine
        // grid.
        let start = |wide: f64, high: f64| format!("<svg width=\"{wide}\" height=\"{high}\"");
        let fine = start(width.into(), height.into());
        let logical = start(self.width, self.height);
        Ok(fix_widths(&document.replacen(&fine, &logical, 1), self))
    }
}

/// What the parts of a page say, as areas that are not seen and their titles.
fn tooltips(canvas: &Canvas) -> String {
    let mut written = String::new();
    for shape in &canvas.shapes {
        let PageShape::Tooltip { from, to, text } = shape else {
            continue;
        };
        let ((x, y), (right, lower)) = (unit(*from), unit(*to));
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let (wide, high) = ((right - x).max(0), (lower - y).max(0));
        written.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill-opacity=\"0\">\
             <title>{text}</title></rect>\n"
        ));
    }
    if written.is_empty() {
        written
    } else {
        format!("<g class=\"told\">\n{written}</g>\n")
    }
}

/// States the width of every text, so that a viewer with another font still fits it in.
fn fix_widths(document: &str, canvas: &Canvas) -> String {
    let mut widths = canvas.shapes.iter().filter_map(|shape| match shape {
        PageShape::Text(text) => Some(ZOOM * text.style.width(&text.text)),
        _ => None,
    });
    let mut parts = document.split("<text ");
    let mut fixed = parts.next().unwrap_or_default().to_string();
    for part in parts {
        fixed.push_str("<text ");
        if let Some(width) = widths.next().filter(|width| *width > 0.0) {
            let attributes = "lengthAdjust=\"spacingAndGlyphs\"";
            fixed.push_str(&format!("textLength=\"{width:.0}\" {attributes} "));
        }
        fixed.push_str(part);
    }
    fixed
}

fn units(canvas: &Canvas) -> (u32, u32) {
    let [width, height] = [canvas.width, canvas.height].map(|size| (size * ZOOM) as u32);
    (width, height)
}

fn unit(at: Spot) -> (i32, i32) {
    ((at.0 * ZOOM).round() as i32, (at.1 * ZOOM).round() as i32)
}

fn draw_error(error: impl std::fmt::Display) -> ChartError {
    ChartError::Draw(error.to_string())
}

fn style(ink: Ink, width: f64) -> ShapeStyle {
    let (red, green, blue) = ink.rgb;
    ShapeStyle {
        color: RGBAColor(red, green, blue, ink.alpha),
        filled: true,
        stroke_width: (width * ZOOM).round().max(1.0) as u32,
    }
}

/// Hands a shape to a back-end as it is.
fn paint<B: DrawingBackend>(backend: &mut B, shape: &PageShape) -> Result<(), ChartError> {
    match shape {
        PageShape::Stroke { points, width, ink } => {
            backend.draw_path(points.iter().copied().map(unit), &style(*ink, *width))
        }
        PageShape::Area { points, ink } => {
            backend.fill_polygon(points.iter().copied().map(unit), &style(*ink, 0.0))
        }
        PageShape::Disc { at, radius, ink } => {
            let radius = (radius * ZOOM).round() as u32;
            backend.draw_circle(unit(*at), radius, &style(*ink, 0.0), true)
        }
        PageShape::Text(text) => {
            // plotters names sizes by 1.24 em, and hangs a text "at the top" 0.76 em above its
            // baseline when it writes SVG.
            let em = text.style.size;
            let family = FontFamily::Name(font::FAMILY);
            let face = match text.style.weight {
                Weight::Regular => FontStyle::Normal,
                Weight::Bold => FontStyle::Bold,
            };
            let side = match text.style.anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let font = FontDesc::new(family, em * ZOOM * 1.24, face);
            let (turn, right, down) = if text.upward {
                (FontTransform::Rotate270, -0.76 * em, 0.0)
            } else {
                (FontTransform::None, 0.0, -0.76 * em)
            };
            let look = TextStyle {
                font: font.transform(turn),
                color: style(text.style.ink, 0.0).color.to_backend_color(),
                pos: Pos::new(side, VPos::Top),
            };
            let at = unit((text.at.0 + right, text.at.1 + down));
            backend.draw_text(&text.text, &look, at)
        }
        PageShape::Tooltip { .. } => Ok(()),
    }
    .map_err(draw_error)
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
fn average(pixels: &[u8], width: usize, height: usize) -> Vec<u8> {
    let (columns, rows) = (width / SAMPLES, height / SAMPLES);
    let mut small = Vec::with_capacity(3 * columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..3 {
                let mut sum = 0;
                for y in row * SAMPLES..(row + 1) * SAMPLES {
                    for x in column * SAMPLES..(column + 1) * SAMPLES {
                        sum += usize::from(pixels[3 * (y * width + x) + channel]);
                    }
                }
                let count = SAMPLES * SAMPLES;
                small.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    small
}

#[cfg(test)]
#[path = "../../tests/unit/charts/render.rs"]
mod tests;
