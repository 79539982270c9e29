//! The report as one HTML file that any browser opens without a network. `page.html` lays it out;
//! all text from outside is escaped.

use super::contents::{NamedChart, Report};
use super::rules_changed::rules_changed;
use super::text::{Cells, View};
use super::words::split_sentence;
use carat_charts::canvas::Canvas;
use carat_charts::theme::Paper;
use carat_charts::{Chart, ChartError};
use carat_core::diagnostic::counted;
use carat_core::library::{ADAPTED, SourceText};
use carat_core::numbers;
use carat_core::sheet::{Column, Sheet, Values};
use carat_core::strategy::MadeFor;
use minijinja::{Environment, Value, context};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

pub const PAGE: &str = "report.html";

const LAYOUT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Most rows and columns of the table on the first screen.
const FIRST_ROWS: usize = 8;
const FIRST_COLUMNS: usize = 6;
/// Most rows of a table that the page shows.
const ROWS: usize = 1000;
/// Words of up to this many letters are never broken.
const BRIEF: usize = 20;
/// Tables with more columns than this are printed in a small font.
const NARROW: usize = 14;

#[derive(Debug, thiserror::Error)]
#[error("cannot draw {name}: {source}")]
pub struct FailedChart {
    pub name: String,
    pub source: ChartError,
}

impl NamedChart {
    /// The chart on this paper, as `form` writes it; `None` if it shows nothing.
    pub fn draw<T>(
        &self,
        paper: Paper,
        form: fn(&Canvas) -> Result<T, ChartError>,
    ) -> Result<Option<T>, FailedChart> {
        let canvas = self.figure.canvas(&self.played, paper);
        let drawn = canvas.and_then(|canvas| canvas.as_ref().map(form).transpose());
        let name = self.name.clone();
        drawn.map_err(|source| FailedChart { name, source })
    }
}

/// The page of a report, with its charts if `with_charts`.
pub fn page(report: &Report, with_charts: bool) -> Result<String, FailedChart> {
    let manifest = &report.manifest;
    let study = &manifest.study;
    let question = study.question();
    let (mut first, mut charts) = (None, Vec::new());
    for chart in report.charts.iter().filter(|_| with_charts) {
        let narrow = chart.draw(Paper::NARROW, svg_of)?;
        if first.is_none() {
            first = chart.draw(Paper::BRIEF, svg_of)?;
            if first == narrow {
                continue;
            }
        }
        let wide = chart.draw(Paper::WIDE, svg_of)?;
        let both = wide.zip(narrow);
        charts.extend(both.map(|(wide, narrow)| context! { wide, narrow }));
    }
    let (answer, rest) = answer(report);
    let mut changed = rules_changed(manifest, report.game());
    if let Some(found) = &report.found {
        for start in &mut changed {
            start.of = "Rules at the start".to_string();
        }
        changed.insert(0, found.clone());
    }
    let rules = manifest.rules.iter().map(|of| format!("Rules {}", of.name));
    let names = rules.chain(bot_names(&manifest.strategies));
    let texts = manifest.rules.iter().chain(&manifest.strategies);
    let sources = names.zip(texts.map(|of| of.text.trim_end()));
    let mut layout = Environment::new();
    layout.set_formatter(|out, _, value| {
        match value.as_str().filter(|_| !value.is_safe()) {
            Some(text) => out.write_str(&escaped(text))?,
            None => write!(out, "{value}")?,
        }
        Ok(())
    });
    let page = layout.render_named_str(
        PAGE,
        LAYOUT,
        context! {
            title => study.head.title.as_deref().unwrap_or(question),
            question => study.head.title.is_some().then_some(question),
            style => STYLE,
            script => SCRIPT,
            played => played(report),
            answer,
            rest,
            first_chart => first,
            first_table => first_table(report),
            changed,
            notes => study.head.description.as_deref().map(markdown),
            beware => beware(report),
            closing => closing(report),
            blocks => Vec::from_iter(report.views.iter().map(|view| shown_view(view, report))),
            charts,
            sources => Vec::from_iter(sources),
            version => manifest.carat,
            study => toml::to_string(study).ok().map(|text| text.trim_end().to_string()),
            sheets => Vec::from_iter(report.tables().map(sheet_of)),
        },
    );
    Ok(page.expect("the layout fits what it is given"))
}

/// The headings of the files of bots, with the table each was made for and the number of a
/// population.
fn bot_names(bots: &[SourceText]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for bot in bots {
        let file: Option<toml::Table> = bot.text.parse().ok();
        let made_for = file.and_then(|mut it| it.remove("made_for")?.try_into::<MadeFor>().ok());
        let mut name = format!("Bot {}", bot.name);
        name.extend(made_for.map(|made_for| format!(" for {made_for}")));
        let earlier = names.iter().filter(|other| other.starts_with(&name));
        let number = format!(", population {}", 1 + earlier.count());
        name.extend((bot.name == ADAPTED).then_some(number));
        names.push(name);
    }
    names
}

/// The answer in two sentences at most, and the rest of the summary. Each of several lines is about
/// something else, so the answer has the first sentence of two of them, and the rest whole lines.
fn answer(report: &Report) -> (String, Vec<&str>) {
    let (mut answer, mut rest) = (Vec::new(), Vec::new());
    let lines = Vec::from_iter(report.summary.lines());
    if !report.answer.is_empty() {
        return (report.answer.clone(), lines);
    }
    let most = if lines.len() > 1 { 1 } else { 2 };
    for whole in lines {
        let mut line = whole;
        for _ in 0..most {
            if answer.len() < 2 && !line.is_empty() {
                let (first, others) = split_sentence(line);
                answer.push(first);
                line = others;
            }
        }
        rest.extend((!line.is_empty()).then_some(if most == 1 { whole } else { line }));
    }
    (answer.join(" "), rest)
}

/// The first rows and columns of the first printed table.
fn first_table(report: &Report) -> Option<Value> {
    let mut prints = report.views.iter().filter_map(|view| match view {
        View::Print(print) => Some(print.cells(&report.sheets)),
        _ => None,
    });
    let cells = prints.find(|cells| !cells.rows.is_empty())?;
    let mut first = cells.first_columns(FIRST_COLUMNS);
    first.rows.truncate(FIRST_ROWS);
    let is_cut = first.width() < cells.width() || first.rows.len() < cells.rows.len();
    Some(context! { table => table_of(&first), is_cut })
}

/// A drawing as part of a page, with a text for screen readers.
pub fn svg_of(canvas: &Canvas) -> Result<String, ChartError> {
    let words = escaped(&canvas.in_words());
    let label = format!("<svg role=\"img\" aria-label=\"{words}\" ");
    let svg = canvas.svg()?.replacen("<svg ", &label, 1);
    Ok(svg.trim_start().to_string())
}

fn played(report: &Report) -> String {
    let table = &report.manifest.study.table;
    let game = report.game();
    let rules = table.rules.as_deref().unwrap_or(game.editions[0].name);
    let mut parts = vec![game.title.to_string(), rules.to_string()];
    parts.extend(table.players.map(|players| counted(players, "player")));
    parts.join(" · ")
}

/// Markdown as HTML. HTML in it is shown as text, links may only lead to the web, and a picture is
/// replaced by its description.
fn markdown(text: &str) -> String {
    let safe = ["http://", "https://", "mailto:"];
    let is_safe = |url: &str| safe.iter().any(|start| url.starts_with(start));
    let mut dropped = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::HtmlBlock) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => Some(Event::End(TagEnd::Paragraph)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            dropped.push(!is_safe(dest_url));
            is_safe(dest_url).then_some(event)
        }
        Event::End(TagEnd::Link) => (!dropped.pop().unwrap_or(false)).then_some(event),
        // Headings are demoted below the page's own title and sections.
        Event::Start(Tag::Heading { .. }) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::Heading(_)) => Some(Event::End(TagEnd::Paragraph)),
        Event::Text(text) => Some(Event::Text(shown(&text).into())),
        event => Some(event),
    });
    let mut written = String::new();
    push_html(&mut written, events);
    written
}

/// Notes on an interrupted study and on a precision that was not reached.
fn beware(report: &Report) -> Vec<String> {
    let mut warnings = Vec::new();
    if report.manifest.partial {
        warnings.push(
            "The study was interrupted; these results cover the games played so far.".to_string(),
        );
    }
    if let Some(missed) = &report.manifest.precision_missed {
        let reached = match missed.reached {
            Some(reached) => format!("the widest interval is ±{}", short(reached)),
            None => "an estimate has no value".to_string(),
        };
        let asked = short(missed.asked);
        warnings.push(if report.manifest.study.decides() {
            format!("The difference is not decided: {reached}.")
        } else {
            format!("The requested precision of ±{asked} was not reached: {reached}.")
        });
    }
    warnings
}

/// The lines at the end of the terminal's report, without the summary.
fn closing(report: &Report) -> Vec<String> {
    let views = report.views.iter();
    let is_summary = |view: &View| matches!(view, View::Summary(_));
    let last = views.clone().rposition(is_summary);
    let first = last.unwrap_or(report.views.len().saturating_sub(1));
    let mut closing = Vec::new();
    for view in views.skip(first) {
        match view {
            View::Summary(more) => closing.extend(lines(&more.join("\n"))),
            View::Text(_) | View::Remark(_) => closing.extend(lines(&view.words(""))),
            _ => {}
        }
    }
    closing
}

fn lines(words: &str) -> Vec<String> {
    words.lines().map(|line| line.trim().to_string()).collect()
}

const NUMERIC: &str = "num";

fn shown_view(view: &View, report: &Report) -> Value {
    let cells = match view {
        View::Story(story) | View::Example { story, .. } => return context! { story },
        View::Print(print) => print.cells(&report.sheets),
        view => return context! { lines => lines(&view.words(&report.summary)) },
    };
    context! { table => table_of(&cells) }
}

fn table_of(cells: &Cells) -> Value {
    let Cells { header, rows, .. } = cells;
    let is_brief = |at: usize| rows.iter().all(|row| row[at].chars().count() <= BRIEF);
    let class = |at: usize| match () {
        () if cells.is_right(at) => NUMERIC,
        () if is_brief(at) => "brief",
        () => "",
    };
    let heads = header.iter().enumerate();
    let heads = heads.map(|(at, name)| context! { name, class => class(at) });
    context! {
        tall => tall(rows.len()),
        heads => Vec::from_iter(heads),
        classes => Vec::from_iter((0..cells.width()).map(class)),
        rows,
    }
}

/// A sheet with its notes, each estimate with its interval in one cell.
fn sheet_of(sheet: &Sheet) -> Value {
    let rows = sheet.height();
    let columns = Vec::from_iter(sheet.columns.iter().filter(|column| !column.is_label));
    let class = |column: &Column| if column.is_numeric() { NUMERIC } else { "" };
    let heads = columns.iter().map(|column| {
        context! { name => column.name, title => column.meaning, class => class(column) }
    });
    let shown = |row: usize| Vec::from_iter(columns.iter().map(|column| value(column, row)));
    let more = (rows > ROWS).then(|| {
        let [first, all] = [ROWS, rows].map(|rows| numbers::count(rows as u64));
        let name = &sheet.name;
        format!("The first {first} of {all} rows; the full table `{name}` is in the output folder.")
    });
    let table = context! {
        class => if columns.len() > NARROW { "sheet broad" } else { "sheet" },
        tall => tall(rows),
        heads => Vec::from_iter(heads),
        classes => Vec::from_iter(columns.iter().map(|column| class(column))),
        rows => Vec::from_iter((0..rows.min(ROWS)).map(shown)),
    };
    context! { name => sheet.name, about => sheet.rows, more, table }
}

/// A table; a long one scrolls in its own frame, and a very long one is cut.
fn tall(rows: usize) -> &'static str {
    match rows {
        0..=20 => "",
        21..=60 => " tall",
        _ => " tall long",
    }
}

/// A value; plain numbers have more digits than on the terminal.
fn value(column: &Column, row: usize) -> String {
    if let (Values::Number(values), []) = (&column.values, column.units.as_slice()) {
        return values[row].map_or(String::new(), short);
    }
    column.shown(row)
}

/// A number in at most six digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-4..1e15).contains(&size) {
        let whole = size.max(1e-9).log10().floor() as i32 + 1;
        let decimals = (6 - whole).clamp(0, 8) as usize;
        let text = format!("{number:.decimals$}");
        if !text.contains('.') {
            return text;
        }
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    format!("{number:.3e}")
}

/// Replaces invisible characters, and those that change the direction of writing, by a mark.
fn shown(text: &str) -> String {
    let is_hidden = |c: char| {
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || (c.is_control() && c != '\n' && c != '\t')
    };
    text.replace('\r', "").replace(is_hidden, "\u{fffd}")
}

pub fn escaped(text: &str) -> String {
    let mut safe = shown(text);
    for (special, written) in [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&quot;"),
        ('\'', "&#39;"),
    ] {
        safe = safe.replace(special, written);
    }
    safe
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/report/page.rs"]
mod tests;
