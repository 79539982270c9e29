//! The file of pages: what is drawn, the typefaces, and the tree of tags for screen readers.

use super::{PAGE, Part};
use carat_charts::canvas::{Ink, PageShape, Spot, Text};
use carat_charts::font::{self, CAP_HEIGHT, Weight};
use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::types::{CidFontType, FontFlags, StructRole, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

const FACES: [(Weight, Name); 2] = [
    (Weight::Regular, Name(b"Roboto-Regular")),
    (Weight::Bold, Name(b"Roboto-Bold")),
];
const GLYPHS: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};
/// Thousandths of an em.
const UNITS: f64 = 1000.0;
/// Where the handles of a quarter of a circle are, in radii.
const ROUND: f64 = 0.5523;

struct Book {
    pdf: Pdf,
    free: Ref,
    page: Ref,
    content: Content,
    /// The elements of the tree that the marks of this page belong to.
    marks: Vec<Ref>,
    /// The glyphs of each typeface that are used, with their characters and widths in em.
    used: [BTreeMap<u16, (char, f64)>; 2],
    missing: BTreeSet<char>,
}

/// Pages as a file, and the characters that it shows as question marks.
pub fn write(pages: &[Vec<Part>], title: &str) -> (Vec<u8>, BTreeSet<char>) {
    let mut free = Ref::new(1);
    let [catalog, tree, info, root, document] = [(); 5].map(|()| free.bump());
    let mut book = Book {
        pdf: Pdf::new(),
        page: free,
        free,
        content: Content::new(),
        marks: Vec::new(),
        used: Default::default(),
        missing: BTreeSet::new(),
    };
    let faces = FACES.map(|_| book.free.bump());
    let (mut ids, mut marked, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for (number, parts) in (0..).zip(pages) {
        let [page, content, marks] = [(); 3].map(|()| book.free.bump());
        book.page = page;
        for part in parts {
            read.extend(book.draw(part, document));
        }
        let mut sheet = book.pdf.page(page);
        sheet.parent(tree).contents(content).struct_parents(number);
        sheet.media_box(Rect::new(0.0, 0.0, PAGE.0 as f32, PAGE.1 as f32));
        let mut resources = sheet.resources();
        let names = FACES.iter().map(|(_, name)| *name);
        resources.fonts().pairs(names.zip(faces));
        resources.finish();
        sheet.finish();
        let drawn = std::mem::replace(&mut book.content, Content::new()).finish();
        book.pdf.stream(content, &drawn);
        let own = std::mem::take(&mut book.marks);
        book.pdf.indirect(marks).array().items(own);
        ids.push(page);
        marked.push((number, marks));
    }
    for (at, id) in faces.into_iter().enumerate() {
        book.embed(at, id);
    }
    let pdf = &mut book.pdf;
    let mut whole = pdf.struct_element(document);
    whole.kind(StructRole::Document).parent(root);
    let mut children = whole.children();
    read.into_iter()
        .for_each(|id| _ = children.struct_element(id));
    children.finish();
    whole.finish();
    let mut tags = pdf.indirect(root).dict();
    tags.pair(Name(b"Type"), Name(b"StructTreeRoot"));
    tags.pair(Name(b"K"), document);
    let mut parents = tags.insert(Name(b"ParentTree")).dict();
    let mut numbers = parents.insert(Name(b"Nums")).array();
    for (number, marks) in marked {
        numbers.item(number).item(marks);
    }
    numbers.finish();
    parents.finish();
    tags.finish();
    pdf.pages(tree).count(ids.len() as i32).kids(ids);
    pdf.document_info(info)
        .title(TextStr(title))
        .creator(TextStr("carat"));
    let mut start = pdf.catalog(catalog);
    start.pages(tree).lang(TextStr("en"));
    start.mark_info().marked(true);
    start.pair(Name(b"StructTreeRoot"), root);
    // Readers show the title in place of the name of the file.
    start.viewer_preferences().display_doc_title(true);
    start.finish();
    (book.pdf.finish(), book.missing)
}

impl Book {
    /// Draws a part; returns its element of the tree of tags, unless it is decoration.
    fn draw(&mut self, part: &Part, parent: Ref) -> Option<Ref> {
        let (id, mut mark) = (self.free.bump(), None);
        if !part.drawn.shapes.is_empty() {
            match part.tag {
                Some(tag) => {
                    let number = self.marks.len() as i32;
                    let mut marked = self
                        .content
                        .begin_marked_content_with_properties(tag.to_name());
                    marked.properties().identify(number);
                    self.marks.push(id);
                    mark = Some(number);
                }
                None => _ = self.content.begin_marked_content(Name(b"Artifact")),
            }
            for shape in &part.drawn.shapes {
                self.shape(part, shape);
            }
            self.content.end_marked_content();
        }
        let inner = part.parts.iter().filter_map(|part| self.draw(part, id));
        let inner = Vec::from_iter(inner);
        let tag = part.tag?;
        let mut element = self.pdf.struct_element(id);
        element.kind(tag).parent(parent).page(self.page);
        if !part.alt.is_empty() {
            element.alt(TextStr(&part.alt));
            let (left, upper) = part.point((0.0, 0.0));
            let (right, lower) = part.point((part.drawn.width, part.drawn.height));
            let bounds = Rect::new(left, lower, right, upper);
            element.attributes().push().layout().bbox(bounds);
        }
        if let Some(scope) = part.scope {
            element.attributes().push().table().scope(scope);
        }
        let mut children = element.children();
        mark.into_iter()
            .for_each(|mark| _ = children.marked_content_id(mark));
        inner
            .into_iter()
            .for_each(|id| _ = children.struct_element(id));
        Some(id)
    }

    fn shape(&mut self, part: &Part, shape: &PageShape) {
        match shape {
            PageShape::Stroke { points, width, ink } => {
                let [red, green, blue] = colour(*ink);
                self.content.set_stroke_rgb(red, green, blue);
                self.content.set_line_width((part.pixel * width) as f32);
                self.line(part, points);
                self.content.stroke();
            }
            PageShape::Area { points, ink } => {
                let [red, green, blue] = colour(*ink);
                self.content.set_fill_rgb(red, green, blue);
                self.line(part, points);
                self.content.fill_nonzero();
            }
            PageShape::Disc { at, radius, ink } => {
                let [red, green, blue] = colour(*ink);
                self.content.set_fill_rgb(red, green, blue);
                let spot = |x: f64, y: f64| part.point((at.0 + radius * x, at.1 + radius * y));
                let (x, y) = spot(1.0, 0.0);
                self.content.move_to(x, y);
                for (x, y) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
                    let from = spot(x - ROUND * y, y + ROUND * x);
                    let to = spot(ROUND * x - y, ROUND * y + x);
                    let end = spot(-y, x);
                    (self.content).cubic_to(from.0, from.1, to.0, to.1, end.0, end.1);
                }
                self.content.fill_nonzero();
            }
            PageShape::Text(text) => self.text(part, text),
            PageShape::Tooltip { .. } => {}
        }
    }

    fn line(&mut self, part: &Part, points: &[Spot]) {
        for (at, point) in points.iter().enumerate() {
            let (x, y) = part.point(*point);
            match at {
                0 => self.content.move_to(x, y),
                _ => self.content.line_to(x, y),
            };
        }
    }

    /// Writes a text to the right.
    fn text(&mut self, part: &Part, text: &Text) {
        if text.text.is_empty() {
            return;
        }
        let weight = text.style.weight;
        let mut shown = String::new();
        for letter in text.text.chars() {
            let is_known = font::has(font::face(weight), letter);
            shown.push(if is_known { letter } else { '?' });
            self.missing.extend((!is_known).then_some(letter));
        }
        let [red, green, blue] = colour(text.style.ink);
        let (x, y) = part.point((text.left(), text.at.1));
        self.content.begin_text().set_fill_rgb(red, green, blue);
        let size = (part.pixel * text.style.size) as f32;
        self.content
            .set_font(FACES[weight as usize].1, size)
            .next_line(x, y);
        let mut positioned = self.content.show_positioned();
        let mut items = positioned.items();
        let (mut run, mut end) = (Vec::new(), 0.0);
        for (letter, step) in shown.chars().zip(font::steps(&shown, 1.0, weight)) {
            if step.start != end {
                items
                    .show(Str(&run))
                    .adjust((UNITS * (end - step.start)) as f32);
                run.clear();
            }
            run.extend(step.glyph.0.to_be_bytes());
            self.used[weight as usize].insert(step.glyph.0, (letter, step.end - step.start));
            end = step.end;
        }
        items.show(Str(&run));
        items.finish();
        positioned.finish();
        self.content.end_text();
    }

    /// Adds a typeface, what it is like, and its file.
    fn embed(&mut self, at: usize, id: Ref) {
        let [glyphs, descriptor, letters, embedded] = [(); 4].map(|()| self.free.bump());
        let (pdf, (weight, name)) = (&mut self.pdf, FACES[at]);
        let mut face = pdf.type0_font(id);
        face.base_font(name)
            .encoding_predefined(Name(b"Identity-H"));
        face.descendant_font(glyphs).to_unicode(letters);
        face.finish();
        let mut face = pdf.cid_font(glyphs);
        face.subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(GLYPHS);
        face.font_descriptor(descriptor)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = face.widths();
        let mut read = UnicodeCmap::new(Name(b"Letters"), GLYPHS);
        for (glyph, (letter, width)) in &self.used[at] {
            widths.consecutive(*glyph, [(UNITS * width) as f32]);
            read.pair(*glyph, *letter);
        }
        widths.finish();
        face.finish();
        pdf.cmap(letters, &read.finish());
        let mut about = pdf.font_descriptor(descriptor);
        about.name(name).flags(FontFlags::NON_SYMBOLIC);
        about.bbox(Rect::new(-200.0, -300.0, 1200.0, 1100.0));
        about.italic_angle(0.0).ascent(928.0).descent(-244.0);
        about.cap_height((UNITS * CAP_HEIGHT) as f32).stem_v(80.0);
        about.font_file2(embedded);
        about.finish();
        let bytes = font::file(weight);
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to memory cannot fail.
        if packed.write_all(bytes).is_ok()
            && let Ok(packed) = packed.finish()
        {
            let mut stream = pdf.stream(embedded, &packed);
            stream.filter(Filter::FlateDecode);
            stream.pair(Name(b"Length1"), bytes.len() as i32);
        }
    }
}

impl Part {
    /// A spot of its canvas on the page, from the lower left corner.
    fn point(&self, at: Spot) -> (f32, f32) {
        let x = self.corner.0 + self.pixel * at.0;
        let y = PAGE.1 - self.corner.1 - self.pixel * at.1;
        (x as f32, y as f32)
    }
}

fn colour(ink: Ink) -> [f32; 3] {
    let (red, green, blue) = ink.rgb;
    [red, green, blue].map(|part| f32::from(part) / 255.0)
}
