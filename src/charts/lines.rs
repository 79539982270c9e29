//! Curves over one axis: lines with bands, steps or dots, in panels below each other, with their
//! names beside or above the first panel.

use super::axes::{self, Plane, Scale, Tick};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::{before, shorten, spread, value_within};
use super::theme::{self, DETAIL, LABEL, LEADING, PANEL, Paper, WHITE};
use super::{Chart, ChartError, check_finite, check_length, ends};
use carat_core::figure::{Line, LineShape, Lines, Panel, Ticks};
use carat_core::numbers::{count, count_short, number, percent};

/// Height of all panels together, and of each at least and at most.
const HEIGHT: f64 = 420.0;
const PANEL_HEIGHT: (f64, f64) = (146.0, 320.0);
/// Width of the column of names, and its distance from the panel.
const NAMES: f64 = 236.0;
const NAMES_GAP: f64 = 34.0;
/// Height of a name without and with a remark below it.
const NAME_HEIGHT: (f64, f64) = (21.0, 36.0);
/// Least distance between two markers of a line.
const MARKERS_APART: f64 = 46.0;
/// More dots than this are small.
const DOTS: usize = 30;
/// Most points of a line that are described under the pointer.
const TOOLTIPS_MAX: usize = 12;
/// Height of the letters above a panel, radius of a letter, and the least distance of two.
const LETTERS: f64 = 34.0;
const LETTER: f64 = 9.0;
const LETTERS_APART: f64 = 22.0;

impl Chart for Lines {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        check_columns(self)?;
        let Some(x) = x_scale(self, paper) else {
            return Ok(None);
        };
        let (mut canvas, mut top) = theme::page(&self.title, played, paper);
        let (least, most) = PANEL_HEIGHT;
        let height = (HEIGHT / self.panels.len() as f64).clamp(least, most);
        canvas.reach[0] = Some(x.values);
        let mut names_end = 0.0;
        for (index, panel) in self.panels.iter().enumerate() {
            top = theme::paragraph(&mut canvas, top + 12.0, &panel.heading, PANEL) - 6.0;
            if index == 0 && paper.is_narrow() {
                top = list_names(&mut canvas, panel, top);
            }
            if index == 0 && !self.remarks.is_empty() {
                top += LETTERS;
            }
            let mut y = y_scale(panel, (top + height, top));
            if let Some(ends) = canvas.reach.get_mut(index + 1) {
                y = y.reaching(paper.reach[index + 1]);
                *ends = Some(y.values);
            }
            let plane = Plane { x, y };
            // Behind everything else.
            if panel.wanted != [[None; 2]; 2] {
                let (x, y) = (x.span(panel.wanted[0]), y.span(panel.wanted[1]));
                canvas.block((x.0, y.1), (x.1, y.0), theme::WANTED);
            }
            for line in &panel.lines {
                draw_band(line, &mut canvas, &plane);
            }
            let is_last = index + 1 == self.panels.len();
            let title = match self.x_ticks {
                _ if !is_last => String::new(),
                Ticks::Logarithmic => format!("{} (logarithmic scale)", self.x_title),
                _ => self.x_title.clone(),
            };
            let ticks = (x_ticks(self, &x), plane.y.ticks(panel.share));
            let end = plane.draw_axes(&mut canvas, &ticks.0, &ticks.1, &title);
            for level in &panel.levels {
                let (y, (left, right)) = (plane.y.place(*level), x.places);
                canvas.dashes((left, y), (right, y), (5.0, 4.0), 1.5, theme::RULE);
            }
            for (at, line) in panel.lines.iter().enumerate() {
                draw_line(
                    line,
                    &mut canvas,
                    &plane,
                    at as f64 / panel.lines.len() as f64,
                );
            }
            for line in &panel.lines {
                describe_points(self, &mut canvas, &plane, panel, line);
            }
            if index == 0 {
                draw_remarks(self, &mut canvas, panel, &plane);
                if has_names(self) && !paper.is_narrow() {
                    names_end = draw_names(&mut canvas, panel, &plane);
                }
            }
            top = end + if is_last { 0.0 } else { 10.0 };
        }
        let end = list_remarks(self, &mut canvas, top.max(names_end));
        theme::end(&mut canvas, end, &[&self.note]);
        Ok(Some(canvas))
    }
}

fn check_columns(chart: &Lines) -> Result<(), ChartError> {
    for panel in &chart.panels {
        check_finite("levels", panel.levels.iter().chain(&panel.include).copied())?;
        for line in &panel.lines {
            let column = format!("values of `{}`", line.label);
            check_finite(&column, line.points.iter().map(|(x, _)| *x))?;
            check_finite(&column, ends(line.points.iter().map(|(_, value)| value)))?;
        }
    }
    let known = chart.remarks.iter().filter(|remark| {
        let line = first_lines(chart).get(remark.line);
        line.is_some_and(|line| remark.point < line.points.len())
    });
    check_length("remarks", known.count(), chart.remarks.len())
}

fn first_lines(chart: &Lines) -> &[Line] {
    chart.panels.first().map_or(&[], |panel| &panel.lines)
}

fn has_names(chart: &Lines) -> bool {
    let mut lines = first_lines(chart).iter();
    lines.any(|line| !line.label.is_empty())
}

/// The horizontal axis; none if there are no points.
fn x_scale(chart: &Lines, paper: Paper) -> Option<Scale> {
    let lines = chart.panels.iter().flat_map(|panel| &panel.lines);
    let points = lines.flat_map(|line| line.points.iter().map(|at| at.0));
    let wanted = chart.panels.iter().flat_map(|panel| panel.wanted[0]);
    let (low, high) = axes::bounds(points.chain(wanted.flatten()));
    if low > high {
        return None;
    }
    let (left, right) = paper.across();
    let names = has_names(chart).then_some(NAMES + NAMES_GAP);
    let beside = paper.pick(8.0, names.unwrap_or(10.0));
    let places = (left + paper.pick(46.0, 58.0), right - beside);
    if chart.x_ticks != Ticks::Logarithmic {
        let air = if high > low { 0.02 * (high - low) } else { 0.5 };
        let scale = Scale::linear((low - air, high + air), places);
        return Some(scale.reaching(paper.reach[0]));
    }
    let (mut low, mut high) = (low.max(1.0), high.max(1.0));
    if low == high {
        (low, high) = (low / 3.2, high * 3.2);
    }
    let mut scale = Scale::linear((low, high), places);
    scale.logarithmic = true;
    Some(scale)
}

fn x_ticks(chart: &Lines, x: &Scale) -> Vec<Tick> {
    match &chart.x_ticks {
        Ticks::Whole => x.whole_ticks(),
        Ticks::Values(share) => x.ticks(*share),
        Ticks::At(ticks) => x.thinned(ticks),
        Ticks::Logarithmic => {
            let steps = axes::log_steps(x.values.0, x.values.1).into_iter();
            Vec::from_iter(steps.map(|at| (at, count_short(at.round() as u64))))
        }
    }
}

/// A place on the horizontal axis in words.
fn describe_x(chart: &Lines, x: f64) -> String {
    match &chart.x_ticks {
        Ticks::Whole => number(x, 0),
        Ticks::Values(true) => percent(x, 1),
        Ticks::Values(false) => number(x, 2),
        Ticks::Logarithmic => count(x as u64),
        Ticks::At(ticks) => {
            let before = ticks.iter().rev().find(|(at, _)| *at <= x);
            before.map_or(String::new(), |(_, name)| name.clone())
        }
    }
}

/// Describes some points of a line for those who point at them.
fn describe_points(chart: &Lines, canvas: &mut Canvas, plane: &Plane, panel: &Panel, line: &Line) {
    let every = line.points.len().div_ceil(TOOLTIPS_MAX).max(1);
    let heading = panel.heading.split(", with ").next().unwrap_or_default();
    let name = before(heading, ", ") + &before(&line.label, ", ");
    for (x, value) in line.points.iter().rev().step_by(every) {
        let text = value_within(value, panel.share);
        let text = format!("{name}{} {}: {text}", chart.x_title, describe_x(chart, *x));
        let (x, y) = plane.place(*x, value.value);
        canvas.tooltip((x - 8.0, y - 8.0), (x + 8.0, y + 8.0), text);
    }
}

/// Draws the marker of each explained point, with its letter above the panel.
fn draw_remarks(chart: &Lines, canvas: &mut Canvas, panel: &Panel, plane: &Plane) {
    let mut spots: Vec<(usize, Spot)> = Vec::new();
    for remark in &chart.remarks {
        let line = &panel.lines[remark.line];
        let (x, value) = &line.points[remark.point];
        spots.push((line.seat, plane.place(*x, value.value)));
    }
    let wanted: Vec<f64> = spots.iter().map(|(_, spot)| spot.0).collect();
    let (left, right) = plane.x.places;
    let places = spread(&wanted, LETTERS_APART, left, right);
    let top = plane.span().0;
    let level = top - LETTERS + LETTER + 4.0;
    for (place, (_, spot)) in places.iter().zip(&spots) {
        let knee = (*place, level + LETTER + 4.0);
        let bent = [(*place, level), knee, (spot.0, top), *spot];
        canvas.stroke(&bent, 1.0, theme::RULE);
    }
    for (letter, (place, (seat, spot))) in ('A'..='Z').zip(places.iter().zip(&spots)) {
        theme::marker(canvas, *seat, *spot, 5.0);
        draw_letter(canvas, letter, *seat, (*place, level));
    }
}

/// Writes the remarks below each other; returns their end.
fn list_remarks(chart: &Lines, canvas: &mut Canvas, mut y: f64) -> f64 {
    let left = canvas.paper().margin();
    for (letter, remark) in ('A'..='Z').zip(&chart.remarks) {
        let seat = chart.panels[0].lines[remark.line].seat;
        draw_letter(canvas, letter, seat, (left + LETTER, y + 18.0));
        let at = (left + 2.0 * LETTER + 8.0, y + 23.0);
        y = theme::paragraph_at(canvas, at, &remark.text, LABEL) - LEADING - 1.0;
    }
    y
}

/// The vertical axis, with a margin around values but not around `include`.
fn y_scale(panel: &Panel, places: (f64, f64)) -> Scale {
    let mut values: Vec<f64> = [&panel.levels[..], &panel.include].concat();
    let points = panel.lines.iter().flat_map(|line| &line.points);
    values.extend(ends(points.map(|(_, value)| value)));
    values.extend(panel.wanted[1].into_iter().flatten());
    let (low, high) = match axes::bounds(values) {
        (low, high) if low > high => (0.0, 1.0),
        ends => ends,
    };
    let air = if high > low {
        0.05 * (high - low)
    } else {
        0.05 + 0.1 * high.abs()
    };
    let (keeps_low, keeps_high) = (panel.include.contains(&low), panel.include.contains(&high));
    let mut from = if keeps_low { low } else { low - air };
    let mut to = high + if keeps_high && high > low { 0.0 } else { air };
    if panel.share {
        from = from.max(low.min(0.0));
        to = to.min(high.max(1.0));
    }
    Scale::linear((from, to), places)
}

/// The path of one end of the values.
fn line_path(
    line: &Line,
    plane: &Plane,
    end: fn(&carat_core::statistics::Estimate) -> f64,
) -> Vec<Spot> {
    let mut path: Vec<Spot> = Vec::new();
    for (x, value) in &line.points {
        let spot = plane.place(*x, end(value));
        if let (LineShape::Steps, Some(before)) = (line.shape, path.last()) {
            path.push((spot.0, before.1));
        }
        path.push(spot);
    }
    path
}

fn draw_band(line: &Line, canvas: &mut Canvas, plane: &Plane) {
    let exact = line.points.iter().all(|(_, value)| value.high <= value.low);
    if exact || line.shape == LineShape::Dots {
        return;
    }
    let ink = theme::seat_ink(line.seat);
    let low = line_path(line, plane, |value| value.low);
    let mut band = line_path(line, plane, |value| value.high);
    if let ([low], [high]) = (&low[..], &band[..]) {
        canvas.block((low.0 - 3.0, high.1), (low.0 + 3.0, low.1), ink.faded(0.25));
        return;
    }
    band.extend(low.into_iter().rev());
    canvas.area(band, ink.faded(0.15));
}

/// Draws the line with its markers, shifted by a `part` (0..1) of their distance to avoid
/// overlap.
fn draw_line(line: &Line, canvas: &mut Canvas, plane: &Plane, part: f64) {
    let ink = theme::seat_ink(line.seat);
    if line.shape == LineShape::Dots {
        let radius = if line.points.len() > DOTS { 3.0 } else { 5.0 };
        for (x, value) in &line.points {
            theme::marker(canvas, line.seat, plane.place(*x, value.value), radius);
        }
        return;
    }
    canvas.stroke(&line_path(line, plane, |value| value.value), 2.0, ink);
    let (mut free_until, mut gap) = (f64::MAX, (1.0 + part) * MARKERS_APART);
    for (at, (x, value)) in line.points.iter().enumerate().rev() {
        // A step without height needs no marker.
        let earlier = at.checked_sub(1).map(|at| line.points[at].1.value);
        let flat = line.shape == LineShape::Steps && earlier == Some(value.value);
        let spot = plane.place(*x, value.value);
        if !flat && spot.0 <= free_until {
            theme::marker(canvas, line.seat, spot, 4.0);
            free_until = spot.0 - gap;
            gap = MARKERS_APART;
        }
    }
}

/// Writes its name and the remark below it between `left` and the right margin.
fn draw_name(line: &Line, canvas: &mut Canvas, left: f64, middle: f64) {
    let room = canvas.paper().across().1 - left - 18.0;
    let style = LABEL.bold().in_ink(theme::seat_ink(line.seat));
    let name = shorten(&line.label, &style, room);
    let remark = shorten(&line.detail, &DETAIL, room);
    if remark.is_empty() {
        theme::marker(canvas, line.seat, (left + 6.0, middle), 4.5);
        canvas.text_mid(&name, (left + 18.0, middle), style);
        return;
    }
    theme::marker(canvas, line.seat, (left + 6.0, middle - 3.0), 4.5);
    canvas.text(&name, (left + 18.0, middle + 1.0), style);
    canvas.text(&remark, (left + 18.0, middle + 15.0), DETAIL);
}

/// The lines with names, and the height of a name.
fn named(panel: &Panel) -> (Vec<&Line>, f64) {
    let lines = panel.lines.iter().filter(|line| !line.label.is_empty());
    let lines: Vec<&Line> = lines.collect();
    let bare = lines.iter().all(|line| line.detail.is_empty());
    (lines, if bare { NAME_HEIGHT.0 } else { NAME_HEIGHT.1 })
}

/// Writes the names in a column beside a panel, each led to from the end of its line; returns the
/// end of the column.
fn draw_names(canvas: &mut Canvas, panel: &Panel, plane: &Plane) -> f64 {
    let (lines, height) = named(panel);
    let left = canvas.paper().across().1 - NAMES;
    let (top, bottom) = plane.span();
    let end = |line: &&Line| match line.points.last() {
        Some((x, value)) => plane.place(*x, value.value),
        None => (left, top),
    };
    let wanted: Vec<f64> = lines.iter().map(|line| end(line).1).collect();
    let places = spread(&wanted, height, top + 10.0, bottom - 6.0);
    let mut leaders: Vec<(Spot, Spot)> = Vec::new();
    for (line, place) in lines.iter().zip(&places) {
        if line.shape != LineShape::Dots {
            let (x, y) = end(line);
            leaders.push(((x + 7.0, y), (left - 6.0, *place)));
        }
    }
    axes::draw_leaders(canvas, &leaders, 20.0);
    for (line, place) in lines.iter().zip(&places) {
        draw_name(line, canvas, left, *place);
    }
    places.iter().copied().fold(0.0, f64::max) + height
}

/// Writes the names below each other from `top` on, the line that ends highest first; returns their
/// end.
fn list_names(canvas: &mut Canvas, panel: &Panel, top: f64) -> f64 {
    let (mut lines, height) = named(panel);
    let end = |line: &Line| line.points.last().map_or(f64::MIN, |(_, last)| last.value);
    lines.sort_by(|a, b| end(b).total_cmp(&end(a)));
    for (row, line) in lines.iter().enumerate() {
        let middle = top + height * (row as f64 + 0.5);
        draw_name(line, canvas, canvas.paper().margin(), middle);
    }
    top + height * lines.len() as f64 + if lines.is_empty() { 0.0 } else { 8.0 }
}

fn draw_letter(canvas: &mut Canvas, letter: char, seat: usize, at: Spot) {
    canvas.disc(at, LETTER, theme::seat_ink(seat));
    let style = DETAIL.bold().in_ink(WHITE).held_at(Anchor::Middle);
    canvas.text_mid(&letter.to_string(), at, style);
}
