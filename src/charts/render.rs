//! From a canvas to SVG text, and to any of plotters' back-ends.
//!
//! Back-ends take whole numbers, so a logical pixel is drawn as [`ZOOM`] × [`ZOOM`] units: an SVG
//! keeps them as its inner grid, a PNG (`png`) is averaged down.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle,
};

use super::ChartError;
use super::canvas::{Anchor, Canvas, Ink, PageShape, Spot};
use super::font::{self, Weight};

/// Drawn units per logical pixel.
pub const ZOOM: f64 = 4.0;

impl Canvas {
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
        let PageShape::Tooltip {
            from,
            to,
            text,
            cell,
        } = shape
        else {
            continue;
        };
        let ((x, y), (right, lower)) = (unit(*from), unit(*to));
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let text = escaped(text);
        let data = cell.as_ref().map_or(String::new(), |[name, options]| {
            let name = escaped(name).replace('"', "&quot;");
            format!(" data-cell=\"{name}\" data-options=\"{options}\"")
        });
        let (wide, high) = ((right - x).max(0), (lower - y).max(0));
        written.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill-opacity=\"0\"{data}>\
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

pub fn units(canvas: &Canvas) -> (u32, u32) {
    let [width, height] = [canvas.width, canvas.height].map(|size| (size * ZOOM) as u32);
    (width, height)
}

pub fn unit(at: Spot) -> (i32, i32) {
    ((at.0 * ZOOM).round() as i32, (at.1 * ZOOM).round() as i32)
}

pub fn draw_error(error: impl std::fmt::Display) -> ChartError {
    ChartError::Draw(error.to_string())
}

pub fn style(ink: Ink, width: f64) -> ShapeStyle {
    let (red, green, blue) = ink.rgb;
    ShapeStyle {
        color: RGBAColor(red, green, blue, ink.alpha),
        filled: true,
        stroke_width: (width * ZOOM).round().max(1.0) as u32,
    }
}

/// Hands a shape to a back-end as it is.
pub fn paint<B: DrawingBackend>(backend: &mut B, shape: &PageShape) -> Result<(), ChartError> {
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

#[cfg(test)]
#[path = "../../tests/unit/charts/render.rs"]
mod tests;
