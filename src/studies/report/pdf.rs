//! Pages to print (PDF): views as selectable text in the typeface of the charts; stories, which may
//! hold boards, in Courier.

use super::contents::Contents;
use super::text::{Cells, View};
use carat_charts::canvas::Style;
use carat_charts::font::{self, Weight};
use carat_charts::labels::{widest, wrap};
use carat_charts::theme::LABEL;
use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::types::FontFlags;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeSet;
use std::io::Write;

/// As wide as A4 and as high as Letter, so that it prints on both as it is; and its margin. In points of a
/// 72nd of an inch.
const PAGE: [f32; 2] = [595.28, 792.0];
const MARGIN: f32 = 48.0;
/// Sizes of the headline, of the sentences to play by, and of the line of figures after them, in points.
const HEADLINE: f64 = 13.0;
const SENTENCES: f64 = 17.0;
const FIGURES: f64 = 10.0;
/// Views of a page of an older report: its headline, sentences and figures.
const OF_OLDER: usize = 3;
const TABLE: f64 = 9.5;
const STORY: f32 = 8.0;
const STORY_COLUMNS: usize = 103;
/// Room between two columns, in points.
const GAP: f64 = 14.0;
const REGULAR: Name = Name(b"R");
const BOLD: Name = Name(b"B");
const FIXED: Name = Name(b"F");

/// Pages, filled from the top.
struct Sheets {
    full: Vec<Content>,
    page: Content,
    /// The height of the last baseline above the bottom, in points.
    y: f32,
    /// Characters that are shown as question marks.
    missing: BTreeSet<char>,
}

impl Sheets {
    /// Begins a new page if this one has less room.
    fn room(&mut self, height: f32) {
        if self.y - height < MARGIN {
            let full = std::mem::replace(&mut self.page, Content::new());
            self.full.push(full);
            self.y = PAGE[1] - MARGIN;
        }
    }

    fn down(&mut self, by: f32) {
        self.room(by);
        self.y -= by;
    }

    fn write(&mut self, text: &str, left: f64, font: Name, size: f32) {
        let bytes: Vec<u8> = text.chars().map(win_ansi).collect();
        let is_missing = |c: &char| *c != '?' && win_ansi(*c) == b'?';
        self.missing.extend(text.chars().filter(is_missing));
        self.page.begin_text().set_font(font, size);
        self.page.next_line(MARGIN + left as f32, self.y);
        self.page.show(Str(&bytes)).end_text();
    }

    fn table(&mut self, cells: &Cells) {
        let mut style = Style {
            size: TABLE,
            ..LABEL.bold()
        };
        let rows: Vec<&Vec<String>> = std::iter::once(&cells.header).chain(&cells.rows).collect();
        let column = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        let columns = (0..cells.width()).map(column);
        let widths = Vec::from_iter(columns.map(|cells| widest(cells, &style)));
        let all = widths.iter().sum::<f64>() + GAP * widths.len().saturating_sub(1) as f64;
        let shrunk = (f64::from(PAGE[0] - 2.0 * MARGIN) / all).min(1.0);
        style.size *= shrunk;
        for (index, row) in rows.iter().enumerate() {
            let (font, weight) = font_of(index);
            style.weight = weight;
            self.down(1.45 * style.size as f32);
            let mut left = 0.0;
            for (column, (width, cell)) in widths.iter().zip(row.iter()).enumerate() {
                let width = width * shrunk;
                let room = if cells.is_right(column) {
                    width - style.width(cell)
                } else {
                    0.0
                };
                self.write(cell, left + room, font, style.size as f32);
                left += width + GAP * shrunk;
            }
        }
    }
}

/// Writes lines; the first of several is bold.
fn font_of(index: usize) -> (Name<'static>, Weight) {
    match index {
        0 => (BOLD, Weight::Bold),
        _ => (REGULAR, Weight::Regular),
    }
}

/// A report without charts, as pages to print, and the characters that they show as question marks.
pub fn pdf(content: &Contents) -> (Vec<u8>, BTreeSet<char>) {
    let mut pages = Sheets {
        full: Vec::new(),
        page: Content::new(),
        y: PAGE[1] - MARGIN,
        missing: BTreeSet::new(),
    };
    let inner = f64::from(PAGE[0] - 2.0 * MARGIN);
    let (page, report) = (content.views).split_at(content.printed.unwrap_or(OF_OLDER));
    let is_remark = |view: &&View| matches!(view, View::Remark(_));
    let is_text = |view: &View| matches!(view, View::Text(_));
    let figures = page.iter().rposition(is_text);
    let views = page.iter().chain(report.iter().filter(is_remark));
    for (index, view) in views.enumerate() {
        let (font, weight) = font_of(index);
        let size = match index {
            0 => HEADLINE,
            _ if Some(index) < figures => SENTENCES,
            _ => FIGURES,
        };
        let style = Style {
            size,
            weight,
            ..LABEL
        };
        match view {
            View::Story(story) => {
                let lines: Vec<&str> = story.lines().flat_map(broken).collect();
                pages.room(1.15 * STORY * lines.len() as f32);
                for line in lines {
                    pages.down(1.15 * STORY);
                    pages.write(line, 0.0, FIXED, STORY);
                }
            }
            View::Print(print) => pages.table(&print.cells(&content.sheets)),
            lines => {
                let words = lines.words(&content.summary);
                for line in words.lines().flat_map(|line| wrap(line, &style, inner, 99)) {
                    pages.down(1.35 * size as f32);
                    pages.write(&line, 0.0, font, size as f32);
                }
            }
        }
        pages.y -= 9.0;
    }
    pages.full.push(pages.page);
    let title = content
        .views
        .first()
        .map(|view| view.words(&content.summary).to_string());
    let title = title.unwrap_or_default();
    (
        file(pages.full, title.lines().next().unwrap_or_default()),
        pages.missing,
    )
}

/// A line of a story, broken between words where it is wider than the page.
fn broken(mut line: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    while let Some((end, _)) = line.char_indices().nth(STORY_COLUMNS) {
        let end = line[..end].rfind(' ').unwrap_or(end);
        lines.push(&line[..end]);
        line = line[end..].trim_start();
    }
    lines.push(line);
    lines
}

fn file(pages: Vec<Content>, title: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut free = Ref::new(1);
    let [catalog, tree, regular, bold, fixed, info] = [(); 6].map(|()| free.bump());
    let mut root = pdf.catalog(catalog);
    root.pages(tree).lang(TextStr("en"));
    // Readers show the title in place of the name of the file.
    root.viewer_preferences().display_doc_title(true);
    root.finish();
    pdf.document_info(info)
        .title(TextStr(title))
        .creator(TextStr("carat"));
    for (id, weight, name) in [
        (regular, Weight::Regular, Name(b"Roboto-Regular")),
        (bold, Weight::Bold, Name(b"Roboto-Bold")),
    ] {
        let [descriptor, embedded] = [(); 2].map(|()| free.bump());
        embed(&mut pdf, weight, name, [id, descriptor, embedded]);
    }
    let mut courier = pdf.type1_font(fixed);
    courier.base_font(Name(b"Courier"));
    courier.encoding_predefined(Name(b"WinAnsiEncoding"));
    courier.finish();
    let mut ids = Vec::new();
    for page in pages {
        let [id, content] = [(); 2].map(|()| free.bump());
        ids.push(id);
        let mut sheet = pdf.page(id);
        sheet.parent(tree).contents(content);
        sheet.media_box(Rect::new(0.0, 0.0, PAGE[0], PAGE[1]));
        let mut resources = sheet.resources();
        let mut fonts = resources.fonts();
        fonts.pairs([(REGULAR, regular), (BOLD, bold), (FIXED, fixed)]);
        fonts.finish();
        resources.finish();
        sheet.finish();
        pdf.stream(content, &page.finish());
    }
    pdf.pages(tree).count(ids.len() as i32).kids(ids);
    pdf.finish()
}

/// Adds a typeface, its descriptor and its file.
fn embed(pdf: &mut Pdf, weight: Weight, name: Name, [id, descriptor, embedded]: [Ref; 3]) {
    let em = |text: &str| font::width(text, 1000.0, weight) as f32;
    let mut face = pdf.indirect(id).dict();
    face.pair(Name(b"Type"), Name(b"Font"));
    face.pair(Name(b"Subtype"), Name(b"TrueType"));
    face.pair(Name(b"BaseFont"), name);
    face.pair(Name(b"FirstChar"), 0);
    face.pair(Name(b"LastChar"), 255);
    let mut widths = face.insert(Name(b"Widths")).array();
    for byte in 0..=255 {
        let shown = (' '..='\u{2212}').find(|&c| byte >= b' ' && win_ansi(c) == byte);
        widths.item(shown.map_or(0.0, |c| em(&c.to_string())));
    }
    widths.finish();
    face.pair(Name(b"FontDescriptor"), descriptor);
    face.pair(Name(b"Encoding"), Name(b"WinAnsiEncoding"));
    face.finish();
    let mut about = pdf.font_descriptor(descriptor);
    about.name(name).flags(FontFlags::NON_SYMBOLIC);
    about.bbox(Rect::new(-200.0, -300.0, 1200.0, 1100.0));
    about.italic_angle(0.0).ascent(928.0).descent(-244.0);
    about
        .cap_height(1000.0 * font::CAP_HEIGHT as f32)
        .stem_v(80.0);
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

/// A character in the encoding of the page, or a question mark if it has none.
fn win_ansi(c: char) -> u8 {
    match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => c as u8,
        '…' => 0x85,
        '–' | '−' => 0x96,
        _ => b'?',
    }
}
