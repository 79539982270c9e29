//! The charts of an analysis: expected results over a game, luck and play, and mistakes.

use crate::report::NamedChart;
use crate::report::analyse::Analysed;
use crate::report::pictures::{all, drawn};
use crate::study::analyse::Of;
use carat_core::figure::{
    Figure, Figures, Line, LineShape, Lines, Panel, PointRemark, Row, RowLine, Rows, Ticks,
};
use carat_core::sheet::format_measure;
use carat_core::statistics::{Estimate, Unit};

/// Most decisions marked in the chart of a game.
const MARKED: usize = 5;

pub fn charts(subtitle: &str, of: &Analysed) -> Vec<NamedChart> {
    let unit = if of.wins {
        "percentage points of the win share"
    } else {
        "points of the score"
    };
    let mut figures = Vec::new();
    let is_one = of.played.games.len() == 1;
    figures.push(("luck", Figure::Rows(luck(of, unit, is_one))));
    if is_one {
        figures.push(("course", Figure::Lines(course(of))));
    }
    // One game shows little of a bot.
    if !is_one && let Some((property, values)) = of.kinds().first() {
        let chart = losses(of, property, values, unit);
        figures.push(("mistakes", Figure::Rows(chart)));
    }
    all(subtitle, figures)
}

/// The expected result of each seat, moment by moment.
fn course(of: &Analysed) -> Lines {
    let game = &of.played.games[0];
    let end = game.course.moments.len() + 1;
    let mut lines = Vec::new();
    for seat in of.seats() {
        let walk = &game.walks[seat];
        let mut points = vec![(0.0, Estimate::UNKNOWN); end + 1];
        for step in 0..=walk.steps.len() {
            let after = step.checked_sub(1).map(|step| walk.steps[step].moment + 1);
            let hope = drawn(of.value(walk, step)).unwrap_or(Estimate::UNKNOWN);
            for (x, point) in points.iter_mut().enumerate().skip(after.unwrap_or(0)) {
                *point = (x as f64, within(hope, of.wins));
            }
        }
        lines.push(Line {
            label: of.names[seat].clone(),
            detail: ends(of, seat),
            seat,
            shape: LineShape::Steps,
            points,
        });
    }
    let player = match lines.as_slice() {
        [only] => only.label.clone(),
        _ => "each player".to_string(),
    };
    let what = if of.wins { "Win share" } else { "Mean score" };
    let (x_title, sections) = sections(game.course.moments.iter().map(|moment| &*moment.at));
    Lines {
        title: format!("Expected result of {player} in game {}", game.number),
        x_title,
        x_ticks: Ticks::At(sections),
        remarks: blunders(of, &lines),
        panels: vec![Panel {
            heading: format!("{what}, with 95 % interval"),
            share: of.wins,
            include: vec![0.0],
            lines,
            ..Panel::default()
        }],
        note: "course.csv lists each step and its cause.".to_string(),
    }
}

/// An expected result with its interval clipped to the possible range.
fn within(hope: Estimate, is_share: bool) -> Estimate {
    let most = if is_share { 1.0 } else { f64::MAX };
    let low = hope.low.max(0.0).min(hope.value);
    let high = hope.high.min(most).max(hope.value);
    Estimate { low, high, ..hope }
}

fn ends(of: &Analysed, seat: usize) -> String {
    let unit = if of.wins { Unit::Share } else { Unit::Amount };
    let [first, last] = of.ends(seat).map(|end| format_measure(end, Some(&unit)));
    format!("expected {first}, result {last}")
}

/// The worst decisions, in the order of the game.
fn blunders(of: &Analysed, lines: &[Line]) -> Vec<PointRemark> {
    let mut worst = Vec::new();
    for (game, judged) in of.mistakes().into_iter().take(MARKED) {
        let options = of.options(game, judged);
        let line = lines.iter().position(|line| line.seat == options.seat);
        if let (Some(line), Some(verdict)) = (line, of.verdict(game, judged)) {
            let (name, at) = (&of.names[options.seat], of.at(game, judged));
            let [option, better] = [options.chosen, judged.best].map(|at| &options.names[at]);
            let loss = of.said(&judged.loss);
            worst.push(PointRemark {
                line,
                point: judged.moment + 1,
                text: format!("{name}, {at}: {option}; better: {better} (costs {loss}, {verdict})"),
            });
        }
    }
    worst.sort_by_key(|remark| remark.point);
    worst
}

/// The sections of a game by the places of its moments: their common name, and the start of each.
fn sections<'m>(moments: impl Iterator<Item = &'m str>) -> (String, Vec<(f64, String)>) {
    let mut kind = String::new();
    let mut sections: Vec<(f64, String)> = Vec::new();
    let mut last = "";
    for (moment, at) in moments.enumerate() {
        let section = at.split(',').next().unwrap_or(at);
        if section == last {
            continue;
        }
        last = section;
        let name = match section.rsplit_once(' ') {
            Some((what, number)) if number.parse::<u64>().is_ok() => {
                kind = what.to_string();
                number
            }
            _ => section,
        };
        sections.push((moment as f64, name.to_string()));
    }
    (kind, sections)
}

/// Gains and losses: a line for each of cards, others and own play that is not zero everywhere.
fn luck(of: &Analysed, unit: &str, is_one: bool) -> Rows {
    let given = |part: &Of, seat: usize| drawn(of.in_points(of.given(seat, *part)));
    let (parts, still): (Vec<Of>, Vec<Of>) = Of::ALL.into_iter().partition(|part| {
        let mut own = of.seats().filter_map(|seat| given(part, seat));
        own.any(|it| it.value.abs() > 0.05 || it.high > it.low)
    });
    let mut rows = Vec::new();
    for seat in of.seats() {
        let lines = parts.iter().enumerate();
        let lines = lines.filter_map(|(line, part)| Some(RowLine::of(line, given(part, seat)?)));
        rows.push(Row {
            label: of.names[seat].clone(),
            detail: ends(of, seat),
            lines: lines.collect(),
            ..Row::default()
        });
    }
    let games = if is_one { "in the game" } else { "per game" };
    let axis = format!("{unit} gained (right) or lost (left) {games}, with 95 % interval");
    let key = parts.iter().map(|part| match part {
        Of::Cards => "Cards: luck",
        Of::Others => "Others: decisions compared with those of their playout bots",
        Of::Own => "Own play: choices compared with those of the playout bot",
    });
    Rows {
        key: key.map(str::to_string).collect(),
        note: match still.as_slice() {
            [] => String::new(),
            still => format!(
                "Not shown, because all decisions equal those of their playout bots: {}.",
                Vec::from_iter(still.iter().map(|part| part.name())).join(", ")
            ),
        },
        ..Rows::differences("Luck and play", axis, rows)
    }
}

/// The losses of each bot, by the first property of decisions.
fn losses(of: &Analysed, property: &str, values: &[&str], unit: &str) -> Rows {
    let mut drawn_rows = Vec::new();
    for seat in of.seats() {
        for value in values {
            let label = match value.parse::<u64>() {
                Ok(number) => format!("{property} {number}"),
                Err(_) => value.to_string(),
            };
            let loss = of.losses(seat, Some((property, value))).1;
            let loss = loss.and_then(|loss| drawn(of.in_points(loss)));
            drawn_rows.extend(loss.filter(|loss| loss.high > loss.low).map(|loss| Row {
                group: of.names[seat].clone(),
                ..Row::of(label, 0, loss)
            }));
        }
    }
    Rows {
        figures: Figures::Changes,
        ..Rows::differences(
            "Where each bot loses",
            format!("{unit} lost per decision, by {property}, with 95 % interval"),
            drawn_rows,
        )
    }
}
