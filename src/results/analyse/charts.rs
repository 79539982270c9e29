//! The charts of an analysis: expected results over a game, luck and play, and mistakes.

use crate::results::NamedChart;
use crate::results::analyse::Analysed;
use crate::results::pictures::{all, estimate};
use crate::study::analyse::Of;
use carat_core::figure::{
    Figure, Figures, Line, LineShape, Lines, Panel, PointRemark, Row, RowLine, Rows, Ticks,
};
use carat_core::sheet::Sheet;
use carat_core::statistics::Estimate;

/// Most decisions marked in the chart of a game.
const MARKED: usize = 5;

pub fn charts(subtitle: &str, of: &Analysed, sheets: &[Sheet]) -> Vec<NamedChart> {
    let [decisions, bots, mistakes, _, steps, ..] = sheets else {
        return Vec::new();
    };
    let unit = if of.wins {
        "percentage points of the win share"
    } else {
        "points of the score"
    };
    let mut figures = Vec::new();
    let is_one = of.played.games.len() == 1;
    if is_one {
        figures.push(("course", Figure::Lines(course(of, bots, steps, decisions))));
    }
    figures.push(("luck", Figure::Rows(luck(bots, unit, is_one))));
    // One game shows little of a bot.
    if !is_one && mistakes.height() > 0 {
        figures.push(("mistakes", Figure::Rows(losses(mistakes, unit))));
    }
    all(subtitle, figures)
}

/// The expected result of each seat, moment by moment.
fn course(of: &Analysed, bots: &Sheet, steps: &Sheet, decisions: &Sheet) -> Lines {
    let game = &of.played.games[0];
    let end = game.course.moments.len() + 1;
    let mut lines = Vec::new();
    for bot in 0..bots.height() {
        let mut points = vec![(0.0, Estimate::UNKNOWN); end + 1];
        let own = |step: &usize| steps.count("seat", *step) == bots.count("seat", bot);
        for step in (0..steps.height()).filter(own) {
            let after = steps.count("moment", step).unwrap_or(0) as usize;
            let hope = estimate(steps, "value", step).unwrap_or(Estimate::UNKNOWN);
            for (x, point) in points.iter_mut().enumerate().skip(after) {
                *point = (x as f64, within(hope, of.wins));
            }
        }
        lines.push(Line {
            label: bots.shown("name", bot),
            detail: ends(bots, bot),
            seat: of.seats().nth(bot).unwrap_or(0),
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
        remarks: blunders(of, decisions, &lines),
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

fn ends(bots: &Sheet, row: usize) -> String {
    let [first, last] = ["start", "end"].map(|end| bots.shown(end, row));
    format!("expected {first}, result {last}")
}

/// The worst decisions, in the order of the game.
fn blunders(of: &Analysed, decisions: &Sheet, lines: &[Line]) -> Vec<PointRemark> {
    let mut worst = Vec::new();
    for row in of.worst(MARKED) {
        let columns = ["name", "at", "option", "better", "loss", "verdict"];
        let [name, at, option, better, loss, verdict] =
            columns.map(|column| decisions.shown(column, row));
        let seat = decisions.count("seat", row).unwrap_or(1) as usize - 1;
        let line = lines.iter().position(|line| line.seat == seat);
        if let (Some(line), false) = (line, verdict.is_empty()) {
            worst.push(PointRemark {
                line,
                point: decisions.count("moment", row).unwrap_or(0) as usize,
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
fn luck(bots: &Sheet, unit: &str, is_one: bool) -> Rows {
    let given = |part: &Of, row: usize| estimate(bots, part.name(), row);
    let (parts, still): (Vec<Of>, Vec<Of>) = Of::ALL.into_iter().partition(|part| {
        let mut own = (0..bots.height()).filter_map(|row| given(part, row));
        own.any(|it| it.value.abs() > 0.05 || it.high > it.low)
    });
    let mut rows = Vec::new();
    for row in 0..bots.height() {
        let lines = parts.iter().enumerate();
        let lines = lines.filter_map(|(line, part)| Some(RowLine::of(line, given(part, row)?)));
        rows.push(Row {
            label: bots.shown("name", row),
            detail: ends(bots, row),
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
fn losses(mistakes: &Sheet, unit: &str) -> Rows {
    let property = mistakes.shown("property", 0);
    let mut drawn = Vec::new();
    for row in 0..mistakes.height() {
        if mistakes.shown("property", row) != property {
            continue;
        }
        let mut label = mistakes.shown("value", row);
        if let Ok(number) = label.parse::<u64>() {
            label = format!("{property} {number}");
        }
        let loss = estimate(mistakes, "loss_per_decision", row);
        drawn.extend(loss.filter(|loss| loss.high > loss.low).map(|loss| Row {
            group: mistakes.shown("name", row),
            ..Row::of(label, 0, loss)
        }));
    }
    Rows {
        figures: Figures::Changes,
        ..Rows::differences(
            "Where each bot loses",
            format!("{unit} lost per decision, by {property}, with 95 % interval"),
            drawn,
        )
    }
}
