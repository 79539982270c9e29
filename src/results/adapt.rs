//! The report of an adaptation: the population, its parameters, and the gains against it.

use super::pictures::{alone, rows};
use super::report::{Contents, NamedChart};
use super::text::View;
use crate::study::adapt::Played;
use crate::study::table::headline;
use carat_core::figure::{self, Figure};
use carat_core::numbers;
use carat_core::sheet::{Rows, Sheet};

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let table = &resolved.table;
    let head = headline(table.game, &resolved.study.table, table.players);
    let headline = format!("{head} · {}", numbers::games(played.adapted.games));
    let summary = format!(
        "The best response in the family `{}` gains {} against the adapted population; other bots may \
         gain more.",
        table.family.name,
        played.adapted.gain.in_points()
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
    Contents {
        charts: charts(&headline, &sheets[0]),
        files: vec![("adapted.toml".to_string(), played.file())],
        summary,
        sheets,
        views,
        ..Contents::default()
    }
}

fn gains(played: &Played) -> Sheet {
    let best = "best response in the family".to_string();
    let mut rows = vec![(best, played.adapted.gain.in_points())];
    let others = played.beside.iter();
    rows.extend(others.map(|(seat, gain)| (seat.label(), *gain)));
    let one = "one row per bot that plays against the population";
    let mut sheet = Rows::new("gains", one, rows);
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
            let spread = match axis {
                0 => table.spread_of(member.spread),
                _ => 0.0,
            };
            let value = table.axes[axis].1[member.point[axis]];
            known.extend(scattered(value, spread, member.weight));
        }
        rows.push((axis, known));
    }
    let mut sheet = Rows::new("values", "one row per parameter of the family", rows);
    let name = |row: &(usize, _)| table.axes[row.0].0.clone();
    sheet.text("parameter", "the parameter", name);
    for (name, share) in [("p05", 0.05), ("median", 0.5), ("p95", 0.95)] {
        let percent = share * 100.0;
        let meaning = format!("{percent} % quantile of the value in the population");
        sheet.number(name, &meaning, move |row| quantile(&row.1, share));
    }
    sheet.sheet()
}

/// Values evenly spread around one, each with its part of a weight.
fn scattered(value: f32, spread: f32, weight: f64) -> Vec<(f64, f64)> {
    let points = if spread == 0.0 { 1 } else { 20 };
    let lot = |point: usize| (point as f64 + 0.5) / points as f64;
    let own = |point| f64::from(value) + f64::from(spread) * (2.0 * lot(point) - 1.0);
    let part = weight / points as f64;
    (0..points).map(|point| (own(point), part)).collect()
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
    let table = &played.resolved.table;
    let rows = &played.adapted.population;
    let mut sheet = Rows::new("members", "one row per member of the population", rows);
    sheet.text("bot", "the bot", |row| {
        table.seat(&row.point, row.spread).label()
    });
    let meaning = "weight of the member; all weights add up to 1";
    sheet.number("weight", meaning, |row| row.weight);
    sheet.sheet()
}

fn rounds(played: &Played) -> Sheet {
    let table = &played.resolved.table;
    let rows = (1..).zip(&played.adapted.rounds);
    let mut sheet = Rows::new("rounds", "one row per round of the adaptation", rows);
    sheet.whole("round", "number of the round, from 1", |row| row.0);
    sheet.text("response", "best response found in the round", |row| {
        table.seat(&row.1.response, 0.0).label()
    });
    let meaning = "its win share minus the fair share, in fresh games";
    sheet.estimates("gain", meaning, |row| row.1.gain.in_points());
    let meaning = "games played by the end of the round";
    sheet.whole("games", meaning, |row| row.1.games);
    sheet.sheet()
}

fn charts(subtitle: &str, gains: &Sheet) -> Vec<NamedChart> {
    let rows = rows(gains, 0..gains.height(), "bot", "gain", alone);
    let title = "Gain against the adapted population";
    let axis = "win share above the fair share, percentage points";
    let chart = Figure::Rows(figure::Rows::differences(title, axis, rows));
    vec![NamedChart::new("gains", subtitle, chart)]
}
