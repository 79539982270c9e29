//! The charts of games that were taken apart: hopes over a game, luck and skill, and mistakes.

use super::named;
use crate::charts::rows::{Figures, Row, Rows};
use crate::figure::{Lines, Panel};
use crate::results::NamedChart;
use crate::results::analyse::Analysed;
use crate::study::analyse::Of;

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
    let moments = game.course.moments.len();
    let unit = of.played.unit() / scale(of);
    let line = |seat: usize| {
        let walk = &game.walks[seat];
        let mut steps = walk.steps.iter().peekable();
        let mut here = walk.start;
        let mut line = vec![here as f64 / unit];
        for moment in 0..=moments {
            while let Some(step) = steps.next_if(|step| step.moment == moment) {
                here = step.to;
            }
            line.push(here as f64 / unit);
        }
        line
    };
    Lines {
        title: format!("What all could hope for in game {}", game.number),
        x_title: "events and decisions of the game".to_string(),
        x: (0..=moments + 1).map(|at| at as f64).collect(),
        labels: of.names.clone(),
        panels: vec![Panel {
            heading: match of.wins {
                true => "Win share, percent".to_string(),
                false => "Mean score".to_string(),
            },
            lines: (0..of.names.len()).map(line).collect(),
        }],
        note: "course.csv tells each step, and what it is given to.".to_string(),
    }
}

/// What gave and took the win share.
fn luck(of: &Analysed) -> Rows {
    let mut rows = Vec::new();
    for (seat, name) in of.names.iter().enumerate() {
        for (part, called) in [
            (Of::Cards, "cards"),
            (Of::Others, "others"),
            (Of::Chance, "chances"),
            (Of::Skill, "own decisions"),
        ] {
            let given = of.given(seat, part).scaled(scale(of));
            rows.push(Row::one(format!("{name}: {called}"), given));
        }
    }
    let what = match of.wins {
        true => "percentage points of the win share",
        false => "points of the score",
    };
    let axis = match of.played.games.len() {
        1 => format!("{what} gained (right) or lost (left) in the game"),
        _ => format!("{what} gained (right) or lost (left) a game, with 95 % interval"),
    };
    Rows::differences("Luck and skill", axis, rows)
}

/// Where each bot loses.
fn mistakes(of: &Analysed) -> Option<Rows> {
    let (property, values) = of.kinds().into_iter().next()?;
    let row = |(seat, value): (usize, &str)| {
        let losses = of.losses(seat, Some((property, value)));
        let estimate = losses.a_game().scaled(scale(of));
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
    let seats = 0..of.names.len();
    let kinds = seats.flat_map(|seat| values.iter().map(move |value| (seat, *value)));
    let what = match of.wins {
        true => "percentage points of the win share",
        false => "points of the score",
    };
    Some(Rows {
        title: "Where each bot loses".to_string(),
        axis: format!("{what} lost a game, by {property}, with 95 % interval"),
        figures: Figures::Changes,
        rows: kinds.filter_map(row).collect(),
        ..Rows::default()
    })
}
