//! Figures with their 95 % intervals, row by row on one scale: how much each of several has, or by
//! how much figures differ. A row may hold several lines, such as one for each side of a
//! comparison.
//!
//! Draws numbers and labels of any kind.

use super::axes::{self, RowLabels, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::{before, capitalized, difference_within, shorten, value_within, widest, wrap};
use super::theme::{self, DETAIL, GREY, GRID, LABEL, LEADING, PANEL, Paper, RULE, TICK, WHITE};
use super::{Chart, ChartError, check_finite, ends};
use carat_core::figure::{Figures, Row, RowLine, Rows};
use carat_core::statistics::Estimate;

/// Height of a line, and of a row of one line.
const LINE: f64 = 22.0;
const ALONE: (f64, f64) = (38.0, 30.0);
/// Most rows at full distance.
const MANY: usize = 14;
/// Space between rows of several lines.
const AIR: f64 = 14.0;
/// Height of the name of a group, with the space above it.
const GROUP: f64 = 34.0;
/// Radius of the markers, and half the height of an interval's ends.
const MARKER: f64 = 4.5;
const END: f64 = 8.0;
/// Height of the axis and the remarks below it.
const FOOT: f64 = 90.0;
const LABEL_LINES: usize = 3;
/// The largest width and height of a row's detail.
const DETAIL_WIDTH: f64 = 300.0;
const DETAIL_LINES: usize = 3;
const PALE: &str = "Pale: not significant (the interval includes 0).";

impl Chart for Rows {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for row in &self.rows {
            let estimates = row.lines.iter().map(|line| &line.estimate);
            check_finite(&format!("figure of `{}`", row.label), ends(estimates))?;
        }
        if let Some((level, name)) = &self.level {
            check_finite(&format!("level of {name}"), [*level])?;
        }
        if self.rows.iter().all(|row| row.lines.is_empty()) {
            return Ok(None);
        }
        let (mut canvas, mut y) = theme::page(&self.title, played, paper);
        y = draw_key(self, &mut canvas, y);
        let top = y + if self.level.is_some() { 26.0 } else { 6.0 };
        let heights = lay_out(self, paper).heights;
        let drawn = theme::fitting(top + FOOT, heights.iter().copied(), paper);
        if drawn < self.rows.len() {
            let mut some = self.clone();
            some.rows.truncate(drawn);
            let rest = theme::left_out(self.rows.len() - drawn, "row", &self.table);
            some.note = format!("{} {rest}", self.note).trim().to_string();
            return some.canvas(played, paper);
        }
        let layout = lay_out(self, paper);
        let bottom = top + layout.heights.iter().sum::<f64>();
        let ticks = layout.scale.ticks(self.figures == Figures::Shares);
        let mut title = self.axis.clone();
        let has_interval = |known: &Estimate| known.high > known.low;
        if estimates_of(self).any(has_interval) && !title.contains("interval") {
            title += ", with 95 % interval";
        }
        let end = layout
            .scale
            .draw(&mut canvas, &ticks, (top, bottom), &title);
        // Figures need their unit.
        canvas.name(&self.title, &format!("{played}. {}", capitalized(&title)));
        canvas.reach[0] = Some(layout.scale.values);
        let zero = layout.scale.place(0.0);
        canvas.stroke(&[(zero, top - 4.0), (zero, bottom)], 1.5, RULE);
        if let Some((level, text)) = &self.level {
            let x = layout.scale.place(*level);
            canvas.dashes((x, top - 4.0), (x, bottom), (5.0, 4.0), 1.5, RULE);
            theme::centred(&mut canvas, text, (x, top - 10.0), paper.across(), TICK);
        }
        let mut upper = top;
        for (index, height) in layout.heights.iter().enumerate() {
            layout.draw(&mut canvas, index, upper, *height);
            upper += height;
        }
        let is_open = |line: &RowLine| is_open(self, line, &layout.scale);
        let pale = self.rows.iter().flat_map(|row| &row.lines).any(is_open);
        let pale = if pale { PALE } else { "" };
        theme::end(&mut canvas, end, &[pale, &self.note]);
        Ok(Some(canvas))
    }
}

struct RowLayout<'a> {
    chart: &'a Rows,
    labels: RowLabels,
    scale: Scale,
    heights: Vec<f64>,
    /// Whether values have a column at the right, instead of a place beside labels above their
    /// rows.
    column: bool,
}

fn estimates_of(chart: &Rows) -> impl Iterator<Item = &Estimate> {
    let lines = chart.rows.iter().flat_map(|row| &row.lines);
    lines.map(|line| &line.estimate)
}

fn format_value(chart: &Rows, line: &RowLine) -> String {
    let value = match chart.figures {
        Figures::Shares => value_within(&line.estimate, true),
        Figures::Values => value_within(&line.estimate, false),
        Figures::Differences | Figures::Changes => difference_within(&line.estimate),
        Figures::Percents => difference_within(&line.estimate) + " %",
    };
    before(&line.name, ": ") + &value
}

/// Draws the legend, a line per colour; returns the top of the rows.
fn draw_key(chart: &Rows, canvas: &mut Canvas, mut y: f64) -> f64 {
    let paper = canvas.paper();
    let labels = chart.key.iter().enumerate();
    for (seat, text) in labels.filter(|(_, text)| !text.is_empty()) {
        theme::marker(canvas, seat, (paper.margin() + 6.0, y + 4.0), MARKER);
        let left = paper.margin() + 20.0;
        y = theme::paragraph_at(canvas, (left, y + 8.0), text, LABEL) - 4.0;
    }
    if chart.key.is_empty() { y } else { y + 6.0 }
}

fn lay_out(chart: &Rows, paper: Paper) -> RowLayout<'_> {
    let alone = chart.rows.iter().all(|row| row.lines.len() <= 1);
    let column = !paper.is_narrow() || !alone;
    let lines = chart.rows.iter().flat_map(|row| &row.lines);
    let values = widest(lines.map(|line| format_value(chart, line)), &LABEL.bold());
    let values = values.min(paper.pick(190.0, 260.0)) + 14.0;
    let taken = if column { 0.0 } else { values };
    let names = chart.rows.iter().map(|row| &row.label);
    let mut labels = RowLabels::of(names, LABEL_LINES, 20.0, taken, paper);
    if !paper.is_narrow() {
        let details = chart.rows.iter().flat_map(|row| details_of(row, paper));
        let details = widest(details, &DETAIL);
        labels.left = labels.left.max(paper.margin() + details + 20.0);
    }
    let level = chart.level.iter().map(|(level, _)| *level);
    let ranges = chart.rows.iter().filter_map(|row| row.range);
    let ranges = ranges.flat_map(|(low, high)| [low, high]).flatten();
    let ends = ends(estimates_of(chart)).chain(level).chain(ranges);
    let (low, high) = axes::bounds(ends.chain([0.0]));
    // All differences are 0.
    let air = if high > low { 0.06 * (high - low) } else { 1.0 };
    let (mut from, mut to) = (0.0, high + air);
    if low < 0.0 || is_of_differences(chart) {
        from = low - air;
    }
    if chart.figures == Figures::Shares {
        to = to.min(1.0);
    }
    let right = paper.across().1 - if column { values } else { 6.0 };
    let roomy = if chart.rows.len() > MANY {
        ALONE.1
    } else {
        ALONE.0
    };
    let heights = chart.rows.iter().enumerate().map(|(index, row)| {
        let lines = LINE * row.lines.len().max(1) as f64 + AIR;
        let own = match (alone, paper.is_narrow()) {
            (true, true) => LINE + 4.0,
            (true, false) => roomy,
            (false, true) => lines,
            (false, false) => lines.max(38.0),
        };
        let detail = details_of(row, paper).len() as f64 * LEADING;
        let group = if begins_group(chart, index) {
            GROUP
        } else {
            0.0
        };
        if paper.is_narrow() {
            group + labels.above(&row.label) + detail + own
        } else {
            let lines = labels.count(&row.label).max(2) as f64;
            group + own.max(detail + lines * LEADING)
        }
    });
    RowLayout {
        chart,
        heights: heights.collect(),
        scale: Scale::linear((from, to), (labels.left, right)).reaching(paper.reach[0]),
        labels,
        column,
    }
}

fn is_of_differences(chart: &Rows) -> bool {
    !matches!(chart.figures, Figures::Shares | Figures::Values)
}

/// Whether the interval of a difference includes 0, apart from rounding.
fn is_open(chart: &Rows, line: &RowLine, scale: &Scale) -> bool {
    let noise = 1e-9 * (scale.values.1 - scale.values.0);
    let Estimate { low, high, .. } = line.estimate;
    is_of_differences(chart) && low <= noise && high >= -noise
}

fn details_of(row: &Row, paper: Paper) -> Vec<String> {
    if row.detail.is_empty() {
        return vec![];
    }
    let width = paper.pick(paper.inner(), DETAIL_WIDTH);
    wrap(&row.detail, &DETAIL, width, DETAIL_LINES)
}

/// Whether a row is the first of its group.
fn begins_group(chart: &Rows, index: usize) -> bool {
    let own = &chart.rows[index].group;
    !own.is_empty() && (index == 0 || chart.rows[index - 1].group != *own)
}

impl RowLayout<'_> {
    fn draw(&self, canvas: &mut Canvas, index: usize, mut top: f64, mut height: f64) {
        let (chart, labels) = (self.chart, &self.labels);
        let row = &chart.rows[index];
        let paper = canvas.paper();
        if begins_group(chart, index) {
            let name = shorten(&row.group, &PANEL, paper.inner());
            // Upright lines do not run through the name.
            let corner = (paper.across().1, top + GROUP - 6.0);
            canvas.block((paper.margin(), top + 8.0), corner, WHITE);
            canvas.text(&name, (paper.margin(), top + GROUP - 11.0), PANEL);
            (top, height) = (top + GROUP, height - GROUP);
        }
        let details = details_of(row, paper);
        let mut middle = top + height / 2.0;
        let label_at = middle - LEADING / 2.0 * details.len() as f64;
        labels.draw(canvas, &row.label, top, label_at, LABEL);
        if paper.is_narrow() {
            let mut y = top + labels.above(&row.label) + 8.0;
            for line in &details {
                axes::text_on_white(canvas, line, y, DETAIL);
                y += LEADING;
            }
            middle = (y - 14.0 + top + height) / 2.0;
        } else {
            let lines = labels.count(&row.label) as f64;
            let below = middle + LEADING / 2.0 * lines;
            let at = (labels.left - 16.0, below);
            axes::lines_mid(canvas, &details, at, DETAIL.held_at(Anchor::End));
        }
        if let Some((low, high)) = row.range {
            let (from, to) = self.scale.span([low, high]);
            let half = LINE * row.lines.len() as f64 / 2.0;
            let corners = ((from, middle - half), (to.max(from + 2.0), middle + half));
            canvas.block(corners.0, corners.1, theme::WANTED);
        }
        for (line, drawn) in row.lines.iter().enumerate() {
            let shift = (line as f64 - (row.lines.len() - 1) as f64 / 2.0) * LINE;
            let y = middle + shift;
            let value_at = if self.column { y } else { top + 8.0 };
            self.draw_line(canvas, row, drawn, y, value_at);
        }
        if row.lines.len() > 1 && index + 1 < chart.rows.len() && !begins_group(chart, index + 1) {
            canvas.level(paper.across(), top + height, GRID);
        }
    }

    /// Draws a line at a height, and writes its value at another.
    fn draw_line(&self, canvas: &mut Canvas, row: &Row, line: &RowLine, y: f64, value_at: f64) {
        let (chart, scale) = (self.chart, &self.scale);
        let known = line.estimate;
        let open = is_open(chart, line, scale);
        let own = theme::seat_ink(line.seat);
        let (ink, style) = if open {
            (own.pale(0.5), LABEL.in_ink(GREY))
        } else {
            (own, LABEL.bold())
        };
        let values = [0.0, known.value, known.low, known.high];
        let [zero, at, from, to] = values.map(|value| scale.place(value));
        canvas.level(scale.places, y, GRID);
        if !matches!(chart.figures, Figures::Differences | Figures::Percents) {
            canvas.stroke(&[(zero, y), (at, y)], 7.0, ink.pale(0.35));
        }
        canvas.stroke(&[(from, y), (to, y)], 2.5, ink);
        theme::marker_in(ink, canvas, line.seat, (at, y), MARKER);
        // Drawn over the marker, which is lower, so that every interval is visible.
        for end in [from, to].iter().filter(|_| known.high > known.low) {
            canvas.stroke(&[(*end, y - END), (*end, y + END)], 1.5, ink);
        }
        let text = format_value(chart, line);
        let right = canvas.paper().across().1;
        let room = right - if self.column { scale.places.1 } else { 0.0 };
        let shown = shorten(&text, &style, room);
        // No upright line runs through the value.
        let corner = (right - style.width(&shown) - 4.0, value_at - 9.0);
        canvas.block(corner, (right, value_at + 9.0), WHITE);
        canvas.text_mid(&shown, (right, value_at), style.held_at(Anchor::End));
        let side = match chart.key.get(line.seat).filter(|_| chart.key.len() > 1) {
            Some(side) => format!(", {}", side.split(": ").next().unwrap_or(side)),
            None => String::new(),
        };
        let group = before(&row.group, ", ");
        let [from, to] = [(scale.places.0, y - LINE / 2.0), (right, y + LINE / 2.0)];
        canvas.tooltip(from, to, format!("{group}{}{side}: {text}", row.label));
    }
}
