//! The report as one page: everything that a study leaves behind in a file that any browser opens,
//! without a network. Whatever comes from outside is escaped.

use super::report::Report;
use super::text::Block;
use crate::numbers;
use crate::sheet::{Column, Sheet, Values};
use crate::study::library::Source;
use crate::study::{Setting, Simulate};
use std::borrow::Cow;
use std::fmt::Write;

/// Name of the page's file.
pub const PAGE: &str = "report.html";

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Most rows of a table that the page shows.
const ROWS: usize = 1000;
/// Words of so many letters stay on one line.
const BRIEF: usize = 20;

/// The page of a report with these charts, SVG by name; `command` is what plays the study again.
pub fn page(report: &Report, charts: &[(&str, String)], command: &str) -> String {
    let study = &report.manifest.study;
    let table = study.table();
    let title = match &table.title {
        Some(title) => title.clone(),
        None => format!("{}: {}", report.game.title, study.kind()),
    };
    let mut page = String::new();
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        escaped(&title),
        escaped(&title)
    );
    let _ = writeln!(
        page,
        "<p class=\"soft\">{}</p>",
        escaped(study.of_kind().question())
    );
    for paragraph in table.description.iter().flat_map(|text| text.split("\n\n")) {
        let _ = writeln!(page, "<p>{}</p>", escaped(paragraph));
    }
    beware(&mut page, report);
    contents(&mut page, charts);
    page.push_str("<h2 id=\"result\">What came out</h2>\n");
    report.text.iter().for_each(|block| told(&mut page, block));
    page.push_str(
        "<p class=\"soft\">What stands after ± is a 95 % interval: repeated with other luck, it would \
         hold the true value 95 times in 100.</p>\n",
    );
    if !charts.is_empty() {
        page.push_str("<h2 id=\"charts\">Charts</h2>\n");
    }
    for (name, svg) in charts {
        let label = format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(name));
        let svg = svg.replacen("<svg ", &label, 1);
        let _ = writeln!(
            page,
            "<figure class=\"chart wide\">\n{}</figure>",
            svg.trim_start()
        );
    }
    asked(&mut page, report);
    again(&mut page, report, command);
    page.push_str(
        "<h2 id=\"tables\">Tables</h2>\n<p class=\"soft\">A click on the head of a column sorts by \
         it. All digits are in the files beside this one.</p>\n",
    );
    report
        .sheets
        .iter()
        .for_each(|sheet| sheet_of(&mut page, sheet));
    let _ = write!(
        page,
        "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    page
}

/// What keeps the result from being all that was asked for.
fn beware(page: &mut String, report: &Report) {
    let mut say = |text: &str| {
        let _ = writeln!(page, "<p class=\"beware\">{text}</p>");
    };
    if report.manifest.partial {
        say("The study was interrupted: these are the games until then.");
    }
    if let Some(missed) = &report.manifest.precision_missed {
        let reached = match missed.reached {
            Some(reached) => format!("the widest interval has ±{}", short(reached)),
            None => "a figure has no value".to_string(),
        };
        say(&format!(
            "The precision of ±{} that was asked for was not reached: {reached}.",
            short(missed.asked)
        ));
    }
}

fn contents(page: &mut String, charts: &[(&str, String)]) {
    page.push_str("<nav>");
    for (place, name) in [
        ("result", "What came out"),
        ("charts", "Charts"),
        ("asked", "What was asked"),
        ("again", "Do it again"),
        ("tables", "Tables"),
    ] {
        if place != "charts" || !charts.is_empty() {
            let _ = write!(page, "<a href=\"#{place}\">{name}</a>");
        }
    }
    page.push_str("</nav>\n");
}

/// A piece of what the terminal shows.
fn told(page: &mut String, block: &Block) {
    match block {
        Block::Text(text) => {
            for line in text.lines() {
                let _ = writeln!(page, "<p>{}</p>", escaped(line.trim()));
            }
        }
        Block::Story(story) => {
            let _ = writeln!(page, "<pre>{}</pre>", escaped(story));
        }
        Block::Table { header, rows } => {
            let class = |at: usize| match () {
                () if Block::is_numeric(rows, at) => " class=\"num\"",
                () if rows.iter().all(|row| row[at].chars().count() <= BRIEF) => " class=\"brief\"",
                () => "",
            };
            let _ = writeln!(page, "<div class=\"wide{}\"><table>", tall(rows.len()));
            if !header.is_empty() {
                page.push_str("<thead><tr>");
                for (at, head) in header.iter().enumerate() {
                    let class = class(at);
                    let _ = match head.is_empty() {
                        true => write!(page, "<th{class}></th>"),
                        false => {
                            write!(page, "<th{class}><button>{}</button></th>", escaped(head))
                        }
                    };
                }
                page.push_str("</tr></thead>\n");
            }
            page.push_str("<tbody>\n");
            for row in rows {
                page.push_str("<tr>");
                for (at, cell) in row.iter().enumerate() {
                    let _ = write!(page, "<td{}>{}</td>", class(at), escaped(cell));
                }
                page.push_str("</tr>\n");
            }
            page.push_str("</tbody></table></div>\n");
        }
    }
}

fn sheet_of(page: &mut String, sheet: &Sheet) {
    let rows = sheet.height();
    let _ = write!(
        page,
        "<h3>{}</h3>\n<p class=\"soft\">{}</p>\n<div class=\"wide{}\"><table class=\"sheet{}\">\n\
         <thead><tr>",
        escaped(&sheet.name),
        escaped(&sheet.rows),
        tall(rows),
        match sheet.columns.len() {
            0..=14 => "",
            15..=22 => " broad",
            _ => " broader",
        }
    );
    for column in &sheet.columns {
        let _ = write!(
            page,
            "<th{} title=\"{}\"><button>{}</button></th>",
            class(column),
            escaped(&column.meaning),
            escaped(&column.name)
        );
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in 0..rows.min(ROWS) {
        page.push_str("<tr>");
        for column in &sheet.columns {
            let _ = write!(page, "<td{}>{}</td>", class(column), value(column, row));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
    if rows > ROWS {
        let _ = writeln!(
            page,
            "<p class=\"soft\">The first {} of {} rows; the file {} has all.</p>",
            numbers::count(ROWS as u64),
            numbers::count(rows as u64),
            escaped(&sheet.name)
        );
    }
    page.push_str("<details><summary>What the columns mean</summary>\n<dl>\n");
    for column in &sheet.columns {
        let _ = writeln!(
            page,
            "<dt>{}</dt><dd>{}</dd>",
            escaped(&column.name),
            escaped(&column.meaning)
        );
    }
    page.push_str("</dl></details>\n");
}

/// Tables of many rows have a window of their own; of those of very many, the first are printed.
fn tall(rows: usize) -> &'static str {
    match rows {
        0..=20 => "",
        21..=60 => " tall",
        _ => " tall long",
    }
}

fn class(column: &Column) -> &'static str {
    match column.values {
        Values::Whole(_) | Values::Number(_) => " class=\"num\"",
        Values::Text(_) | Values::Truth(_) => "",
    }
}

fn value(column: &Column, row: usize) -> Cow<'_, str> {
    match &column.values {
        Values::Whole(values) => values[row].map_or(Cow::Borrowed(""), |n| n.to_string().into()),
        Values::Number(values) => values[row].map_or(Cow::Borrowed(""), |x| short(x).into()),
        Values::Text(values) => values[row].as_deref().map_or(Cow::Borrowed(""), escaped),
        Values::Truth(values) => Cow::Borrowed(if values[row] { "yes" } else { "no" }),
    }
}

/// A number in at most six digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-4..1e15).contains(&size) {
        let whole = size.max(1e-9).log10().floor() as i32 + 1;
        let decimals = (6 - whole).clamp(0, 8) as usize;
        let text = format!("{number:.decimals$}");
        return match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        };
    }
    format!("{number:.3e}")
}

/// What was played: the study in words, and the texts of rules and bots.
fn asked(page: &mut String, report: &Report) {
    let study = &report.manifest.study;
    let table = study.table();
    page.push_str("<h2 id=\"asked\">What was asked</h2>\n<dl>\n");
    let mut say = |what: &str, text: &str| {
        let _ = writeln!(page, "<dt>{what}</dt><dd>{}</dd>", escaped(text));
    };
    say(
        "game",
        &format!("{}: {}", report.game.title, report.game.summary),
    );
    say(
        "rules",
        table
            .rules
            .as_deref()
            .unwrap_or(report.game.editions[0].name),
    );
    if !table.set.is_empty() {
        say("changed", &table.set.join(", "));
    }
    if let Some(players) = table.players {
        say("players", &players.to_string());
    }
    let seats: Vec<String> = table.seats.iter().map(ToString::to_string).collect();
    if !seats.is_empty() {
        say("seats", &seats.join(", "));
    }
    for (name, changes) in study.of_kind().sides().into_iter().flatten() {
        let changes = match changes.as_slice() {
            [] => "as it is".to_string(),
            changes => changes.join(", "),
        };
        say("side", &format!("{name}: {changes}"));
    }
    for Setting { what, told, .. } in study.of_kind().settings() {
        if !what.is_empty() {
            say(what, &told);
        }
    }
    say("games", &games(table));
    say("seed", &table.seed.to_string());
    say("carat", &report.manifest.carat);
    page.push_str("</dl>\n");
    texts(page, "Rules", &report.manifest.rules);
    texts(page, "Bot", &report.manifest.strategies);
}

/// How many games, or how sure.
fn games(table: &Simulate) -> String {
    match (table.precision, table.games) {
        (Some(precision), _) => {
            let most = table.max_games.map(numbers::count).unwrap_or_default();
            format!("until known to ±{precision}, at most {most} each")
        }
        (None, Some(games)) => format!("{} each", numbers::count(games)),
        (None, None) if table.max_games.is_some() => {
            let most = table.max_games.map(numbers::count).unwrap_or_default();
            format!("at most {most}, all tables together")
        }
        (None, None) => "as many as the game has by default".to_string(),
    }
}

fn texts(page: &mut String, what: &str, sources: &[Source]) {
    for source in sources {
        let _ = writeln!(
            page,
            "<details><summary>{what} {}</summary>\n<pre>{}</pre></details>",
            escaped(&source.name),
            escaped(source.text.trim_end())
        );
    }
}

/// How to play it again.
fn again(page: &mut String, report: &Report, command: &str) {
    let _ = writeln!(
        page,
        "<h2 id=\"again\">Do it again</h2>\n<p>With carat {} the same study gives the same games and \
         the same figures on any machine:</p>\n<pre>{}</pre>",
        escaped(&report.manifest.carat),
        escaped(command)
    );
    // A seed beyond what TOML can write leaves the command and the manifest.
    if let Ok(file) = toml::to_string(&report.manifest.study) {
        let _ = writeln!(
            page,
            "<p>Or save this as <code>study.toml</code>, and bots and rules of your own under the \
             names that it gives them:</p>\n<pre>carat run study.toml</pre>\n<pre>{}</pre>",
            escaped(file.trim_end())
        );
    }
    page.push_str(
        "<p class=\"soft\">The file manifest.json beside this one holds the study with the texts of \
         all its bots and rules: <code>carat run manifest.json</code> needs nothing else.</p>\n",
    );
}

/// A text as a browser shows it and never runs it; what cannot be seen is shown as a mark.
fn escaped(text: &str) -> Cow<'_, str> {
    let special = |c: char| {
        matches!(c, '&' | '<' | '>' | '"' | '\'' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || (c.is_control() && c != '\n' && c != '\t')
    };
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\r' => {}
            c if special(c) => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_stays_text() {
        let hostile = "<script>alert('a & b')</script>\"\u{202e}\u{7}\r\n";
        let expected =
            "&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;&quot;\u{fffd}\u{fffd}\n";
        assert_eq!(escaped(hostile), expected);
        assert!(matches!(escaped("plain é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn numbers_are_short() {
        let found = [0.0, 0.25, 1.0 / 3.0, -1234.56789, 1e-7, 123456789.0, 2e20].map(short);
        let expected = [
            "0",
            "0.25",
            "0.333333",
            "-1234.57",
            "1.000e-7",
            "123456789",
            "2.000e20",
        ];
        assert_eq!(found, expected);
    }
}
