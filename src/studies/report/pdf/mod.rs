//! Pages to print (PDF), with tags for screen readers: sentences in large letters, tables that can
//! be read across a table, positions as pictures, and figures small at the foot.

mod file;

use super::contents::Contents;
use super::page::FailedChart;
use super::text::{Cells, View};
use carat_charts::Chart;
use carat_charts::canvas::{Canvas, Spot, Style};
use carat_charts::labels::{widest, wrap};
use carat_charts::theme::{DETAIL, GRID, LABEL, Paper, RULE};
use carat_core::figure::board::Board;
use pdf_writer::types::{StructRole, TableHeaderScope};
use std::collections::BTreeSet;

/// As wide as A4 and as high as Letter, so that it prints on both as it is; and its margin. In
/// points of a 72nd of an inch, as all lengths here.
const PAGE: Spot = (595.28, 792.0);
const MARGIN: f64 = 44.0;
const INNER: f64 = PAGE.0 - 2.0 * MARGIN;
const LOWER: f64 = PAGE.1 - MARGIN;
/// Sizes of letters at the scale 1; the last two are the same at each scale.
const TITLE: f64 = 26.0;
const SENTENCES: f64 = 16.0;
const TABLE: f64 = 26.0;
const TERMS: f64 = 11.0;
const EXAMPLES: f64 = 9.5;
const FIGURES: f64 = 9.0;
/// Height of a table at the scale 1, at most, and of its lines in sizes of its letters.
const TABLE_HEIGHT: f64 = 330.0;
const LINE: f64 = 1.5;
const STORY: f64 = 8.0;
/// Room between two columns, at most in tables.
const GAP: f64 = 16.0;
const WIDEST_GAP: f64 = 90.0;
/// Points of a logical pixel of a picture.
const PIXEL: f64 = 0.55;
/// Views of a page of an older report: its headline, sentences and figures.
const OF_OLDER: usize = 3;
/// Scales that are tried, the largest at which examples are left out, and the smallest with any.
const SCALES: [f64; 7] = [1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6];
const FEWER_EXAMPLES: f64 = 0.8;
const LAST_EXAMPLES: f64 = 0.7;
/// What stands on one line.
const TOGETHER: [(&str, &str); 3] = [
    (" ± ", "\u{a0}±\u{a0}"),
    (" %", "\u{a0}%"),
    (" points", "\u{a0}points"),
];

/// A part of a page as screen readers know it: what is drawn of it, and the parts in it. Without a
/// tag it is decoration.
struct Part {
    tag: Option<StructRole>,
    /// What is shown, in words, if that is a picture.
    alt: String,
    /// What a heading of a table is for.
    scope: Option<TableHeaderScope>,
    drawn: Canvas,
    /// Where the canvas has its upper left corner, and how long its pixels are.
    corner: Spot,
    pixel: f64,
    parts: Vec<Part>,
}

/// How large letters are, how many examples there are in how many columns, and whether they show
/// whole boards or only [what is in question](in_question).
struct Plan {
    scale: f64,
    shown: usize,
    columns: usize,
    is_whole: bool,
}

/// An example: its heading, its words and its picture; instead of a cropped one without a grid, the
/// position in words.
struct Example<'a> {
    heading: &'a str,
    words: &'a str,
    picture: Result<Canvas, &'a str>,
    width: f64,
}

/// Pages, filled from the top.
struct Pages {
    full: Vec<Vec<Part>>,
    page: Vec<Part>,
    /// The upper end of what is free.
    y: f64,
    /// The left end and the width of what is written.
    across: (f64, f64),
    scale: f64,
}

impl Part {
    fn new(tag: Option<StructRole>) -> Part {
        Part {
            tag,
            alt: String::new(),
            scope: None,
            drawn: Canvas::new(PAGE.0, PAGE.1),
            corner: (0.0, 0.0),
            pixel: 1.0,
            parts: Vec::new(),
        }
    }
}

fn sized(style: Style, size: f64) -> Style {
    Style { size, ..style }
}

impl Pages {
    /// Draws what stays together on this page, or else on the next; at its foot if asked.
    fn block(&mut self, at_foot: bool, draw: &dyn Fn(&mut Pages)) {
        let (top, count) = (self.y, self.page.len());
        draw(self);
        let height = self.y - top;
        self.page.truncate(count);
        self.y = top;
        if top + height > LOWER && count > 0 {
            self.full.push(std::mem::take(&mut self.page));
            self.y = MARGIN;
        }
        if at_foot {
            self.y = self.y.max(LOWER - height);
        }
        draw(self);
    }

    /// Writes the lines of a text as paragraphs. The number of a numbered one stands before it.
    fn paragraphs(&mut self, tag: StructRole, text: &str, style: Style) {
        for text in text.lines() {
            let mut part = Part::new(Some(tag));
            let number = text
                .find(". ")
                .filter(|end| text[..*end].parse::<u32>().is_ok());
            let (number, text) = text.split_at(number.map_or(0, |end| end + 2));
            part.drawn
                .text(number, (self.across.0, self.y + style.size), style.bold());
            let indent = style.bold().width(number);
            // A number, its margin and its unit stay on one line, and the last word is not alone.
            let mut text = text.to_string();
            if let Some(last) = text.rfind(' ') {
                text.replace_range(last..=last, "\u{a0}");
            }
            for (apart, together) in TOGETHER {
                text = text.replace(apart, together);
            }
            let lines = wrap(&text, &style, self.across.1 - indent, usize::MAX);
            for (at, line) in lines.iter().enumerate() {
                // Readers take the words of two lines apart by it.
                let end = [" ", ""][usize::from(at + 1 == lines.len() || line.ends_with('-'))];
                let at = (self.across.0 + indent, self.y + style.size);
                let line = line.replace('\u{a0}', " ");
                part.drawn.text(&format!("{line}{end}"), at, style);
                self.y += 1.35 * style.size;
            }
            self.page.push(part);
            self.y += 0.25 * style.size;
        }
    }

    /// Writes the headline, or what it says below it.
    fn sentences(&mut self, is_title: bool, words: &str) {
        if is_title {
            let (title, rest) = words.split_once(" · ").unwrap_or((words, ""));
            let style = sized(LABEL.bold(), self.scale * TITLE);
            self.paragraphs(StructRole::H1, title, style);
            self.paragraphs(StructRole::P, rest, DETAIL);
        } else {
            let style = sized(LABEL, self.scale * SENTENCES);
            self.paragraphs(StructRole::P, words, style);
        }
        self.y += GAP / 2.0;
    }

    /// Writes a table across the page, in letters as large as they may be.
    fn table(&mut self, caption: &str, cells: &Cells) {
        self.paragraphs(StructRole::P, caption, sized(LABEL.bold(), 12.0));
        let heads = usize::from(!cells.header.is_empty());
        let header = std::iter::once(&cells.header).filter(|header| !header.is_empty());
        let rows = Vec::from_iter(header.chain(&cells.rows));
        let largest = (TABLE_HEIGHT / LINE / rows.len() as f64).min(TABLE);
        let mut style = sized(LABEL, self.scale * largest);
        let column = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        let columns = (0..cells.width()).map(column);
        let mut widths = Vec::from_iter(columns.map(|column| widest(column, &style.bold())));
        let gaps = widths.len().saturating_sub(1).max(1) as f64;
        let all = widths.iter().sum::<f64>();
        let shrunk = (INNER / (all + GAP * gaps)).min(1.0);
        style.size *= shrunk;
        widths.iter_mut().for_each(|width| *width *= shrunk);
        let gap = ((INNER - shrunk * all) / gaps).min(WIDEST_GAP);
        let end = MARGIN + shrunk * all + gap * (widths.len() - 1) as f64;
        let mut table = Part::new(Some(StructRole::Table));
        for (index, row) in rows.iter().enumerate() {
            let (top, lower) = (self.y, self.y + LINE * style.size);
            let mut behind = Part::new(None);
            let corners = ((MARGIN - 4.0, top), (end + 4.0, lower));
            if index < heads {
                behind.drawn.level((corners.0.0, corners.1.0), lower, RULE);
            } else if index % 2 == 0 {
                behind.drawn.inset(corners, 0.0, GRID.pale(0.6));
            }
            self.page.push(behind);
            let mut line = Part::new(Some(StructRole::TR));
            let mut left = MARGIN;
            for (column, (width, cell)) in widths.iter().zip(row.iter()).enumerate() {
                let (scope, style) = match (index < heads, column) {
                    (true, _) => (Some(TableHeaderScope::Column), style.bold()),
                    (_, 0) => (Some(TableHeaderScope::Row), style),
                    _ => (None, style),
                };
                let tag = scope.map_or(StructRole::TD, |_| StructRole::TH);
                let mut part = Part::new(Some(tag));
                part.scope = scope;
                let room = if cells.is_right(column) {
                    width - style.width(cell)
                } else {
                    0.0
                };
                let at = (left + room, top + LINE / 2.0 * style.size + style.drop());
                part.drawn.text(cell, at, style);
                line.parts.push(part);
                left += width + gap;
            }
            table.parts.push(line);
            self.y = lower;
        }
        self.page.push(table);
        self.y += GAP;
    }

    /// Draws examples beside each other.
    fn examples(&mut self, beside: &[Example]) {
        let (top, mut low, whole) = (self.y, self.y, self.across);
        for (at, example) in beside.iter().enumerate() {
            self.across = (MARGIN + at as f64 * (example.width + GAP), example.width);
            self.y = top;
            let style = sized(LABEL, EXAMPLES);
            self.paragraphs(StructRole::P, example.heading, style.bold());
            match &example.picture {
                Err(standing) => self.paragraphs(StructRole::P, standing, style),
                Ok(picture) => {
                    let mut part = Part::new(Some(StructRole::Figure));
                    (part.drawn, part.alt) = (picture.clone(), picture.in_words());
                    (part.pixel, part.corner) = (PIXEL, (self.across.0, self.y));
                    self.page.push(part);
                    self.y += PIXEL * picture.height;
                }
            }
            self.paragraphs(StructRole::P, example.words, style);
            low = low.max(self.y);
        }
        (self.across, self.y) = (whole, low + GAP / 2.0);
    }

    /// Writes preformatted lines, letter by letter.
    fn story(&mut self, story: &str) {
        for line in story.lines() {
            let mut part = Part::new(Some(StructRole::P));
            for (column, letter) in line.chars().enumerate() {
                let at = (MARGIN + 0.6 * STORY * column as f64, self.y + STORY);
                part.drawn
                    .text(&letter.to_string(), at, sized(LABEL, STORY));
            }
            self.page.push(part);
            self.y += 1.15 * STORY;
        }
        self.y += GAP;
    }
}

/// A report without charts, as pages to print, and the characters that they show as question marks.
/// One page if that is possible: in smaller letters, and then with fewer examples.
pub fn pdf(content: &Contents) -> Result<(Vec<u8>, BTreeSet<char>), FailedChart> {
    let is_example = |view: &&View| matches!(view, View::Example { .. });
    let views = content.views[..printed(content)].iter();
    let examples = views.filter(is_example).count();
    let title = content
        .views
        .first()
        .map(|view| view.words(&content.summary));
    let title = title.unwrap_or_default();
    let title = title.lines().next().unwrap_or_default();
    let mut tries = Vec::new();
    for scale in SCALES {
        let least = if scale > FEWER_EXAMPLES { examples } else { 1 };
        tries.extend((least.max(1)..=examples).rev().map(|shown| (scale, shown)));
    }
    tries.retain(|(scale, _)| *scale >= LAST_EXAMPLES);
    tries.extend(SCALES.map(|scale| (scale, 0)));
    let mut pages = Vec::new();
    for (scale, shown) in tries {
        for (columns, is_whole) in [(2, true), (3, true), (2, false), (3, false)] {
            let plan = Plan {
                scale,
                shown,
                columns,
                is_whole,
            };
            pages = lay_out(content, &plan)?;
            if pages.len() == 1 {
                return Ok(file::write(&pages, title));
            }
        }
    }
    Ok(file::write(&pages, title))
}

/// How many views a page has.
fn printed(content: &Contents) -> usize {
    content.printed.unwrap_or(OF_OLDER).min(content.views.len())
}

/// The pages of a plan.
fn lay_out(content: &Contents, plan: &Plan) -> Result<Vec<Vec<Part>>, FailedChart> {
    let (printed, report) = content.views.split_at(printed(content));
    let mut pages = Pages {
        full: Vec::new(),
        page: Vec::new(),
        y: MARGIN,
        across: (MARGIN, INNER),
        scale: plan.scale,
    };
    let (large, more) = printed.split_at(content.large.max(2).min(printed.len()));
    for (index, view) in large.iter().enumerate() {
        let words = view.words(&content.summary);
        pages.block(false, &|pages| pages.sentences(index == 0, &words));
    }
    let (mut caption, mut foot) = ("", Vec::new());
    let is_caption = |at: usize| matches!(more.get(at + 1), Some(View::Print(_)));
    let is_text = |at: &usize| matches!(more[*at], View::Text(_)) && !is_caption(*at);
    let figures = (0..more.len()).rfind(is_text);
    for (at, view) in more.iter().enumerate() {
        match view {
            View::Text(text) if is_caption(at) => caption = text,
            View::Print(print) => {
                let cells = print.cells(&content.sheets);
                pages.block(false, &|pages| pages.table(caption, &cells));
            }
            View::Story(story) => pages.block(false, &|pages| pages.story(story)),
            View::Example { .. } => {}
            // Terms come before the figures.
            View::Text(text) if Some(at) < figures => {
                let style = sized(LABEL, plan.scale * TERMS);
                pages.block(false, &|pages| pages.paragraphs(StructRole::P, text, style));
                pages.y += GAP / 2.0;
            }
            other => foot.push(other),
        }
    }
    let examples = examples(more, plan)?;
    for beside in examples.chunks(plan.columns) {
        pages.block(false, &|pages| pages.examples(beside));
    }
    let is_remark = |view: &&View| matches!(view, View::Remark(_));
    foot.extend(report.iter().filter(is_remark));
    pages.block(true, &|pages| {
        for view in &foot {
            let words = view.words(&content.summary);
            pages.paragraphs(StructRole::P, &words, sized(DETAIL, FIGURES));
        }
    });
    pages.full.push(pages.page);
    Ok(pages.full)
}

/// The examples that a plan shows.
fn examples<'a>(views: &'a [View], plan: &Plan) -> Result<Vec<Example<'a>>, FailedChart> {
    let width = (INNER + GAP) / plan.columns as f64 - GAP;
    let paper = Paper::of((width / PIXEL).floor(), f64::MAX);
    let mut examples = Vec::new();
    for view in views {
        let View::Example {
            heading,
            standing,
            words,
            board,
            ..
        } = view
        else {
            continue;
        };
        let has_grid = board.areas.iter().any(|area| area.columns > 0);
        let picture = match plan.is_whole {
            true => board.canvas("", paper),
            false if has_grid => in_question(board).canvas("", paper),
            false => Ok(None),
        };
        let name = heading.clone();
        let picture = picture.map_err(|source| FailedChart { name, source })?;
        examples.push(Example {
            heading,
            words,
            picture: picture.ok_or(standing),
            width,
        });
    }
    examples.truncate(plan.shown);
    Ok(examples)
}

/// The grid of a board, and the areas that an option touches; of what lies nowhere only what it
/// touches.
fn in_question(board: &Board) -> Board {
    let (mut kept, mut places, mut first) = (Board::new(&board.title), Vec::new(), 0);
    let is_touched = |cell: usize| board.options.iter().flatten().any(|own| *own == cell);
    for area in &board.areas {
        let cells = first..first + area.cells.len();
        let all = area.columns > 0;
        if all || cells.clone().any(is_touched) {
            let mut own = area.clone();
            own.cells.clear();
            for (place, cell) in cells.clone().zip(&area.cells) {
                if all || is_touched(place) || !cell.pieces.is_empty() {
                    places.push(place);
                    own.cells.push(cell.clone());
                }
            }
            kept.areas.push(own);
        }
        first = cells.end;
    }
    let place = |cell: &usize| places.iter().position(|own| own == cell);
    for cells in &board.options {
        kept.options.push(cells.iter().filter_map(place).collect());
    }
    for [from, to] in &board.links {
        let link = place(from).zip(place(to));
        kept.links.extend(link.map(|(from, to)| [from, to]));
    }
    kept
}
