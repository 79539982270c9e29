//! The report of an adaptation: the population, its parameters, and the gains against it.

use super::pictures::rows_of;
use super::report::{Contents, NamedChart};
use super::text::View;
use crate::study::adapt::Played;
use crate::study::table::headline;
use carat_core::figure::{Figure, Rows};
use carat_core::numbers;
use carat_core::sheet::Columns;
use carat_core::statistics::Estimate;
use carat_core::{columns, heads};

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
    let adapted = &played.adapted;
    let gains = gains(played);
    let sheets = vec![
        Gains::sheet(&(), gains.clone()),
        Parameters::sheet(played, 0..table.axes.len()),
        Members::sheet(played, 0..adapted.population.len()),
        Rounds::sheet(played, 0..adapted.rounds.len()),
    ];
    let views = vec![
        View::text(headline.clone()),
        View::text("Gain of each bot over the fair share, against the adapted population:"),
        View::print(heads![Gains: BOT, GAIN]),
        View::text("Parameters of the adapted players:"),
        View::print(heads![Parameters: PARAMETER, P05 "5 %", MEDIAN, P95 "95 %"]),
        View::text(summary.clone()),
    ];
    Contents {
        charts: charts(&headline, gains),
        files: vec![("adapted.toml".to_string(), played.file())],
        summary,
        sheets,
        views,
        ..Contents::default()
    }
}

columns! {
    pub Gains<'a>(of: (), row: (String, Estimate))
    "gains", "one row per bot that plays against the population";
    BOT: text("bot", "the bot") => row.0;
    GAIN: estimates("gain", "its win share minus the fair share, in fresh games") => row.1;
}

fn gains(played: &Played) -> Vec<(String, Estimate)> {
    let best = "best response in the family".to_string();
    let mut rows = vec![(best, played.adapted.gain.in_points())];
    let others = played.beside.iter();
    rows.extend(others.map(|(seat, gain)| (seat.label(), *gain)));
    rows
}

columns! {
    pub Parameters<'a>(of: Played, axis: usize) "values", "one row per parameter of the family";
    PARAMETER: text("parameter", "the parameter") => of.resolved.table.axes[*axis].0;
    P05: number("p05", "5 % quantile of the value in the population") => quantile(of, *axis, 0.05);
    MEDIAN: number("median", "50 % quantile of the value in the population") => quantile(of, *axis, 0.5);
    P95: number("p95", "95 % quantile of the value in the population") => quantile(of, *axis, 0.95);
}

columns! {
    pub Members<'a>(of: Played, at: usize) "members", "one row per member of the population";
    BOT: text("bot", "the bot") => {
        let member = &of.adapted.population[*at];
        of.resolved.table.seat(&member.point, member.spread).label()
    };
    WEIGHT: number("weight", "weight of the member; all weights add up to 1") => of.adapted.population[*at].weight;
}

columns! {
    pub Rounds<'a>(of: Played, at: usize) "rounds", "one row per round of the adaptation";
    ROUND: numbered("round", "number of the round, from 1") => *at;
    RESPONSE: text("response", "best response found in the round")
        => of.resolved.table.seat(&of.adapted.rounds[*at].response, 0.0).label();
    GAIN: estimates("gain", "its win share minus the fair share, in fresh games")
        => of.adapted.rounds[*at].gain.in_points();
    GAMES: whole("games", "games played by the end of the round") => of.adapted.rounds[*at].games;
}

/// Values evenly spread around one, each with its part of a weight.
fn scattered(value: f32, spread: f32, weight: f64) -> Vec<(f64, f64)> {
    let points = if spread == 0.0 { 1 } else { 20 };
    let lot = |point: usize| (point as f64 + 0.5) / points as f64;
    let own = |point| f64::from(value) + f64::from(spread) * (2.0 * lot(point) - 1.0);
    let part = weight / points as f64;
    (0..points).map(|point| (own(point), part)).collect()
}

/// The weighted quantile of a parameter over the population, the spread of the first included.
fn quantile(played: &Played, axis: usize, share: f64) -> f64 {
    let table = &played.resolved.table;
    let mut known = Vec::new();
    for member in &played.adapted.population {
        let spread = match axis {
            0 => table.spread_of(member.spread),
            _ => 0.0,
        };
        let value = table.axes[axis].1[member.point[axis]];
        known.extend(scattered(value, spread, member.weight));
    }
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    for (value, weight) in &known {
        sum += weight;
        if sum >= share - 1e-9 {
            return *value;
        }
    }
    f64::NAN
}

fn charts(subtitle: &str, gains: Vec<(String, Estimate)>) -> Vec<NamedChart> {
    let title = "Gain against the adapted population";
    let axis = "win share above the fair share, percentage points";
    let chart = Figure::Rows(Rows::differences(title, axis, rows_of(gains)));
    vec![NamedChart::new("gains", subtitle, chart)]
}
