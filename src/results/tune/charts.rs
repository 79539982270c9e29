//! The charts of a tuning: how much each value matters, and for targets where the candidates lie.

use super::{at_table, title};
use crate::results::NamedChart;
use crate::results::pictures::{all, estimate, of_steps, steps as stepped};
use crate::study::tune::Played;
use carat_charts::labels::capitalized;
use carat_core::figure::{Figure, Figures, Line, Lines, Multiples, Panel, Row, Rows, Ticks};
use carat_core::sheet::{Sheet, Values};
use carat_core::statistics::Estimate;
use carat_core::tuning::Edge;

/// Most compromises that are shown.
pub const COMPROMISES: usize = 8;

pub fn charts(subtitle: &str, played: &Played, sheets: &[Sheet]) -> Vec<NamedChart> {
    let of = |name: &str| sheets.iter().find(|sheet| sheet.name == name);
    let mut figures = Vec::new();
    figures.extend(of("neighbours").and_then(|sheet| steps(played, sheet)));
    if let (Some(candidates), Some(targets)) = (of("candidates"), of("targets")) {
        let chart = match played.resolved.tables.len() {
            1 => wanted(played, candidates, targets),
            _ => at_tables(played, targets),
        };
        figures.push(("targets", Figure::Lines(chart)));
    }
    if let Some(sheet) = of("front").filter(|sheet| sheet.height() > 2) {
        figures.push(("front", Figure::Multiples(front(played, sheet))));
    }
    all(subtitle, figures)
}

/// What each compromise costs: all that is sought, a small chart each.
fn front(played: &Played, sheet: &Sheet) -> Multiples {
    let mut charts = Vec::new();
    for sought in played.sought() {
        let layout = played.table_with(sought.metric).table.layout();
        let mut rows = Vec::new();
        let name = at_table(played, &sought, sought.metric);
        for at in 0..sheet.height().min(COMPROMISES) {
            let known = sheet.estimate(&name, at);
            rows.extend(known.map(|known| Row::of(sheet.shown("values", at), 0, known)));
        }
        let title = capitalized(&title(played, &sought));
        charts.push(Rows {
            figures: Figures::of(layout.is_share(sought.metric)),
            ..Rows::differences(title, "in the games of the search", rows)
        });
    }
    Multiples {
        title: "Compromises and their costs".to_string(),
        charts,
    }
}

fn steps(played: &Played, sheet: &Sheet) -> Option<(&'static str, Figure)> {
    let sought = played.sought();
    let first = sought.first()?;
    let layout = played.table_with(first.metric).table.layout();
    let is_step = |row: &usize| !sheet.shown("path", *row).is_empty();
    let rows = (0..sheet.height()).step_by(sought.len());
    let order: Vec<usize> = rows.filter(is_step).collect();
    let (rows, idle) = stepped(sheet, &order, "number", ("best", "best"));
    let note = match idle.as_slice() {
        [] => String::new(),
        idle => format!("Steps without any effect: {}.", idle.join(", ")),
    };
    let is_share = layout.is_share(first.metric);
    let title = title(played, first);
    let chart = of_steps(&title, "at the best", is_share, rows, note);
    Some(("steps", chart))
}

/// The candidates in the order of the search, and the range of each target.
fn wanted(played: &Played, candidates: &Sheet, targets: &Sheet) -> Lines {
    let layout = played.resolved.first().table.layout();
    let mut panels = Vec::new();
    for (at, target) in played.resolved.aim.targets.iter().enumerate() {
        let mut heading = capitalized(&played.title(target.metric));
        let mut levels = Vec::new();
        for (name, mark) in [("start", "; dashed:"), ("best", ",")] {
            if let Some(level) = estimate(targets, name, at) {
                heading += &format!("{mark} {name} {}", targets.shown(name, at));
                levels.push(level.value);
            }
        }
        let start = estimate(targets, "start", at);
        panels.push(Panel {
            heading,
            share: layout.is_share(target.metric),
            levels,
            range: Some((level(target.low, start), level(target.high, start))),
            lines: dots(candidates, &target.metric.to_string()),
            ..Panel::default()
        });
    }
    let note =
        "Each dot is a candidate, measured in the games of its heat. Green: the wanted range.";
    Lines {
        title: "Candidates and targets".to_string(),
        x_title: "candidate, in order of evaluation".to_string(),
        panels,
        note: note.to_string(),
        ..Lines::default()
    }
}

/// Each target at each table, before and after the search, and its range.
fn at_tables(played: &Played, targets: &Sheet) -> Lines {
    let (mut panels, mut ticks): (Vec<Panel>, Vec<(f64, String)>) = Default::default();
    let mut row = 0;
    for target in &played.resolved.aim.targets {
        let layout = played.resolved.tables[target.tables[0]].table.layout();
        let heading = format!(
            "{}, wanted: {}",
            capitalized(&played.title(target.metric)),
            targets.shown("wanted", row)
        );
        if panels.last().is_none_or(|panel| panel.heading != heading) {
            panels.push(Panel {
                heading,
                share: layout.is_share(target.metric),
                lines: vec![Line::dots("start", 6), Line::dots("best", 0)],
                ..Panel::default()
            });
        }
        for &table in &target.tables {
            let place = table as f64 + 1.0;
            let sides = ["start", "best"].map(|side| estimate(targets, side, row));
            if let Some(panel) = panels.last_mut() {
                panel.range = Some((level(target.low, sides[0]), level(target.high, sides[0])));
                for (line, estimate) in panel.lines.iter_mut().zip(sides) {
                    let point = estimate.map(|estimate| (place, estimate));
                    line.points.extend(point);
                }
            }
            ticks.push((place, targets.shown("table", row).replace(" players", "")));
            row += 1;
        }
    }
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks.dedup();
    Lines {
        title: "Targets at each table, before and after".to_string(),
        x_title: "table (number of players)".to_string(),
        x_ticks: Ticks::At(ticks),
        panels,
        note: "Green: the wanted range.".to_string(),
        ..Lines::default()
    }
}

/// The value of an end of a range.
fn level(edge: Edge, start: Option<Estimate>) -> Option<f64> {
    match edge {
        Edge::Open => None,
        Edge::At(value) => Some(value),
        Edge::FromStart(shift) => Some(start?.value + shift),
    }
}

/// The candidates that dropped out, and those that finished their heat.
fn dots(candidates: &Sheet, metric: &str) -> Vec<Line> {
    let mut lines = [
        Line::dots("dropped out", 6),
        Line::dots("survived its heat", 0),
    ];
    let survived = candidates.column("survived").map(|column| &column.values);
    for row in 0..candidates.height() {
        let known = candidates.estimate(metric, row);
        if let (Some(known), Some(Values::Truth(survived))) = (known, survived)
            && known.value.is_finite()
        {
            let point = (row as f64 + 1.0, Estimate::normal(known.value, 0.0));
            lines[usize::from(survived[row])].points.push(point);
        }
    }
    let lines = lines.into_iter();
    lines.filter(|line| !line.points.is_empty()).collect()
}
