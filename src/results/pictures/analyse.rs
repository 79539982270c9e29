//! The charts of games that were taken apart: hopes over a game, luck and play, and mistakes.

use super::named;
use crate::figure::{
    Figures, Line, LineShape, Lines, Panel, PointRemark, Row, RowLine, Rows, Ticks,
};
use crate::numbers::{number, percent};
use crate::results::NamedChart;
use crate::results::analyse::{Analysed, Verdict};
use crate::statistics::Estimate;
use crate::study::analyse::{Judged, Of};

/// Most decisions that are marked in the course of a game.
const MARKED: usize = 5;

/// The charts; `subtitle` says what was played.
pub fn analyse(subtitle: &str, of: &Analysed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    if of.played.games.len() == 1 {
        charts.push(named("course", subtitle, course(of)));
    }
    charts.push(named("luck", subtitle, luck(of)));
    // A single game tells little of a bot.
    if of.played.games.len() > 1
        && let Some(chart) = mistakes(of)
    {
        charts.push(named("mistakes", subtitle, chart));
    }
    charts
}

fn scale(of: &Analysed) -> f64 {
    if of.wins { 100.0 } else { 1.0 }
}

/// What each seat could hope for, moment by moment.
fn course(of: &Analysed) -> Lines {
    let game = &of.played.games[0];
    let moments = &game.course.moments;
    let seats: Vec<usize> = of.seats().collect();
    let mut lines = Vec::new();
    for &seat in &seats {
        let points = hopes(of, seat);
        let ends = [points.first(), points.last()];
        let [first, last] = ends.map(|end| match (end, of.wins) {
            (None, _) => String::new(),
            (Some((_, end)), true) => percent(end.value, 0),
            (Some((_, end)), false) => number(end.value, 1),
        });
        lines.push(Line {
            label: of.names[seat].clone(),
            detail: format!("{first} at first, {last} in the end"),
            seat,
            shape: LineShape::Steps,
            points,
        });
    }
    let player = match seats.as_slice() {
        [only] => &of.names[*only],
        _ => "each player",
    };
    let what = if of.wins { "Win share" } else { "Mean score" };
    let (x_title, sections) = sections(moments.iter().map(|moment| moment.at.as_str()));
    Lines {
        title: format!("What {player} could hope for in game {}", game.number),
        x_title,
        x_ticks: Ticks::At(sections),
        panels: vec![Panel {
            heading: format!("{what}, with 95 % interval"),
            share: of.wins,
            include: vec![0.0],
            lines,
            ..Panel::default()
        }],
        remarks: blunders(of, &seats),
        note: "course.csv lists each step, and what it is attributed to.".to_string(),
    }
}

/// What a seat could hope for before the first moment and after each.
fn hopes(of: &Analysed, seat: usize) -> Vec<(f64, Estimate)> {
    let game = &of.played.games[0];
    let walk = &game.walks[seat];
    // No share is beyond its ends.
    let most = if of.wins { 1.0 } else { f64::MAX };
    let value = |sum: i128, se: f32| {
        let hope = Estimate::normal(sum as f64 / of.played.unit(), f64::from(se));
        let low = hope.low.max(0.0).min(hope.value);
        let high = hope.high.min(most).max(hope.value);
        Estimate { low, high, ..hope }
    };
    let mut steps = walk.steps.iter().peekable();
    let mut here = value(walk.start, walk.start_se);
    let mut hopes = vec![(0.0, here)];
    for moment in 0..=game.course.moments.len() {
        while let Some(step) = steps.next_if(|step| step.moment == moment) {
            here = value(step.to, step.se);
        }
        hopes.push((moment as f64 + 1.0, here));
    }
    hopes
}

/// The worst decisions, in the order of the game.
fn blunders(of: &Analysed, seats: &[usize]) -> Vec<PointRemark> {
    let worst = of.mistakes().into_iter();
    let worst = worst.filter(|(game, judged)| of.verdict(*game, judged).is_some());
    let mut worst: Vec<_> = worst.take(MARKED).collect();
    worst.sort_by_key(|(_, judged)| judged.moment);
    let mark = |(game, judged): (usize, &Judged)| {
        let options = of.options(game, judged);
        let verdict = of.verdict(game, judged).map_or("", Verdict::name);
        Some(PointRemark {
            line: seats.iter().position(|seat| *seat == options.seat)?,
            // The first value is that before all moments.
            point: judged.moment + 1,
            text: format!(
                "{}, {}: {}; better: {} (costs {}, {verdict})",
                of.names[options.seat],
                of.at(game, judged),
                options.names[options.chosen],
                options.names[judged.best],
                of.said(&judged.loss),
            ),
        })
    };
    worst.into_iter().filter_map(mark).collect()
}

/// The sections of a game, from where its moments are: what all are called, and where each begins.
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

/// What gave and took: one line for each of cards, others and own play that did so at all.
fn luck(of: &Analysed) -> Rows {
    let unit = if of.wins { " %" } else { "" };
    let given = |seat: usize, part| of.given(seat, part).scaled(scale(of));
    let moved = |part: &Of| {
        of.seats().any(|seat| {
            let given = given(seat, *part);
            given.value.abs() > 0.05 || given.high > given.low
        })
    };
    let parts: Vec<Of> = Of::ALL.into_iter().filter(moved).collect();
    let row = |seat: usize| {
        let [first, last] = of.ends(seat).map(|value| number(value * scale(of), 1));
        let lines = parts.iter().zip(0..);
        let lines = lines.map(|(part, line)| RowLine::of(line, given(seat, *part)));
        Row {
            label: of.names[seat].clone(),
            detail: format!("{first}{unit} at first, {last}{unit} in the end"),
            lines: lines.collect(),
            ..Row::default()
        }
    };
    let what = if of.wins {
        "percentage points of the win share"
    } else {
        "points of the score"
    };
    let games = if of.played.games.len() == 1 {
        "in the game"
    } else {
        "a game"
    };
    let axis = format!("{what} gained (right) or lost (left) {games}, with 95 % interval");
    let key = |part: &Of| {
        let key = match part {
            Of::Cards => "Cards: luck",
            Of::Others => "Others: what they decided otherwise than was foreseen",
            Of::Own => "Own play: the chosen options less what the bot that goes on would have got",
        };
        key.to_string()
    };
    let still = Of::ALL.iter().filter(|part| !parts.contains(part));
    let still: Vec<&str> = still.map(|part| part.name()).collect();
    let note = match still.as_slice() {
        [] => String::new(),
        still => format!(
            "Not drawn: {}, which gave and took nothing, as all did what was foreseen.",
            still.join(" and ")
        ),
    };
    Rows {
        key: parts.iter().map(key).collect(),
        note,
        ..Rows::differences("Luck and play", axis, of.seats().map(row).collect())
    }
}

/// Where each bot loses.
fn mistakes(of: &Analysed) -> Option<Rows> {
    let (property, values) = of.kinds().into_iter().next()?;
    let row = |(seat, value): (usize, &str)| {
        let losses = of.losses(seat, Some((property, value)));
        let estimate = losses.mean()?.scaled(scale(of));
        let known = estimate.se.is_finite() && estimate.high > estimate.low;
        let label = match value.parse::<u64>() {
            Ok(number) => format!("{property} {number}"),
            Err(_) => value.to_string(),
        };
        known.then(|| Row {
            group: of.names[seat].clone(),
            ..Row::one(label, estimate)
        })
    };
    let kinds = of
        .seats()
        .flat_map(|seat| values.iter().map(move |value| (seat, *value)));
    let what = if of.wins {
        "percentage points of the win share"
    } else {
        "points of the score"
    };
    Some(Rows {
        title: "Where each bot loses".to_string(),
        axis: format!("{what} lost a decision, by {property}, with 95 % interval"),
        figures: Figures::Changes,
        rows: kinds.filter_map(row).collect(),
        ..Rows::default()
    })
}
