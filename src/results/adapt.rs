//! The report of an adaptation: the population, its parameters, and the gains against it.

use super::manifest::Manifest;
use super::pictures::{alone, rows};
use super::report::{NamedChart, Report};
use super::text::View;
use crate::figure::{self, Figure};
use crate::numbers;
use crate::sheet::{Rows, Sheet};
use crate::statistics::Estimate;
use crate::study::adapt::{FamilyTable, Played};

pub fn report(played: &Played, manifest: Manifest) -> Report {
    let resolved = &played.resolved;
    let headline = format!(
        "{} · {} · {} · {}",
        resolved.table.game.title,
        rules(played),
        crate::diagnostic::counted(resolved.table.players, "player"),
        numbers::games(played.adapted.games)
    );
    let summary = format!(
        "The best response in the family `{}` gains {} against the adapted population; other bots may \
         gain more.",
        resolved.table.family.name,
        gain(played)
    );
    let sheets = vec![
        gains(played),
        values(played),
        members(played),
        rounds(played),
    ];
    let views = vec![
        View::text(headline.clone()),
        View::text("Gain of each bot over the fair share, against the adapted population:"),
        View::print("gains", "bot | gain"),
        View::text("Parameters of the adapted players:"),
        View::print("values", "parameter | p05: 5 % | median | p95: 95 %"),
        View::text(summary.clone()),
    ];
    Report {
        charts: charts(&headline, &sheets[0]),
        files: (played.file().into_iter())
            .map(|text| ("adapted.toml".to_string(), text))
            .collect(),
        summary,
        sheets,
        views,
        game: resolved.table.game,
        manifest,
    }
}

fn rules(played: &Played) -> String {
    let spec = &played.resolved.study.table;
    let name = spec.rules.clone().unwrap_or_default();
    match spec.set.as_slice() {
        [] => name,
        sets => format!("{name} with {}", sets.join(", ")),
    }
}

/// The summary: the gain of the family's best response.
fn gain(played: &Played) -> Estimate {
    played.adapted.gain.in_points()
}

fn gains(played: &Played) -> Sheet {
    let mut rows = vec![("best response in the family".to_string(), gain(played))];
    rows.extend(
        played
            .beside
            .iter()
            .map(|(seat, gain)| (seat.label(), *gain)),
    );
    let mut sheet = Rows::new(
        "gains",
        "one row per bot that plays against the population",
        rows,
    );
    sheet.text("bot", "the bot", |row| row.0.clone());
    let meaning = "its win share minus the fair share, in fresh games";
    sheet.estimates("gain", meaning, |row| row.1);
    sheet.sheet()
}

/// Weighted quantiles of each parameter over the population, the spread of the first included.
fn values(played: &Played) -> Sheet {
    let table = &played.resolved.table;
    let mut rows = Vec::new();
    for axis in 0..table.axes.len() {
        let mut known = Vec::new();
        for member in &played.adapted.population {
            let spread = if axis == 0 {
                table.spread_of(member.spread)
            } else {
                0.0
            };
            let value = table.axes[axis].1[member.point[axis]];
            known.extend(scattered(value, spread, member.weight));
        }
        rows.push((axis, known));
    }
    let mut sheet = Rows::new("values", "one row per parameter of the family", rows);
    sheet.text("parameter", "the parameter", |row| {
        table.axes[row.0].0.clone()
    });
    for (name, share) in [("p05", 0.05), ("median", 0.5), ("p95", 0.95)] {
        let meaning = format!(
            "{} % quantile of the value in the population",
            share * 100.0
        );
        sheet.number(name, &meaning, move |row| quantile(&row.1, share));
    }
    sheet.sheet()
}

/// Values evenly spread around one, each with its part of a weight.
fn scattered(value: f32, spread: f32, weight: f64) -> Vec<(f64, f64)> {
    const POINTS: usize = 20;
    if spread == 0.0 {
        return vec![(f64::from(value), weight)];
    }
    let mut points = Vec::new();
    for point in 0..POINTS {
        let lot = (point as f64 + 0.5) / POINTS as f64;
        let own = f64::from(value) + f64::from(spread) * (2.0 * lot - 1.0);
        points.push((own, weight / POINTS as f64));
    }
    points
}

fn quantile(known: &[(f64, f64)], share: f64) -> f64 {
    let mut sorted = known.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    for (value, weight) in &sorted {
        sum += weight;
        if sum >= share - 1e-9 {
            return *value;
        }
    }
    f64::NAN
}

fn members(played: &Played) -> Sheet {
    let table: &FamilyTable = &played.resolved.table;
    let rows = &played.adapted.population;
    let mut sheet = Rows::new("members", "one row per member of the population", rows);
    sheet.text("bot", "the bot", |row| {
        table.seat(&row.point, row.spread).map(|seat| seat.label())
    });
    sheet.number(
        "weight",
        "weight of the member; all weights add up to 1",
        |row| row.weight,
    );
    sheet.sheet()
}

fn rounds(played: &Played) -> Sheet {
    let table = &played.resolved.table;
    let rows = played.adapted.rounds.iter().enumerate();
    let mut sheet = Rows::new("rounds", "one row per round of the adaptation", rows);
    sheet.whole("round", "number of the round, from 1", |row| {
        row.0 as u64 + 1
    });
    sheet.text("response", "best response found in the round", |row| {
        table.seat(&row.1.response, 0.0).map(|seat| seat.label())
    });
    let meaning = "its win share minus the fair share, in fresh games";
    sheet.estimates("gain", meaning, |row| row.1.gain.in_points());
    sheet.whole("games", "games played by the end of the round", |row| {
        row.1.games
    });
    sheet.sheet()
}

/// The chart of one seat's gains beside the population, from the table `gains`.
fn charts(subtitle: &str, gains: &Sheet) -> Vec<NamedChart> {
    let rows = rows(gains, 0..gains.height(), "bot", "gain", alone);
    let title = "Gain against the adapted population";
    let axis = "win share above the fair share, percentage points";
    let chart = Figure::Rows(figure::Rows::differences(title, axis, rows));
    vec![NamedChart::new("gains", subtitle, chart)]
}
