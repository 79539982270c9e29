//! The report of an adaptation: the population, its parameters, and the gains against it.

use super::contents::{Contents, NamedChart};
use super::pictures::rows_of;
use super::tables::limits;
use super::text::View;
use crate::study::adapt::Played;
use crate::study::table::headline;
use carat_core::adaptation::{Adapted, SLOTS};
use carat_core::diagnostic::counted;
use carat_core::figure::{Figure, Rows};
use carat_core::numbers;
use carat_core::sheet::Columns;
use carat_core::statistics::{Estimate, Unit};
use carat_core::{columns, heads};

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let table = &resolved.table;
    let head = headline(table.game, &resolved.study.table, vec![table.players]);
    let each = counted(played.populations.len(), "population");
    let headline = format!("{head} · {each} · {}", numbers::games(played.games()));
    let mut summary = format!(
        "The best response in the family `{}` gains {} against an adapted population; other bots may \
         gain more.",
        table.family.name,
        played.gain()
    );
    if !played.is_settled() {
        summary += " A population has not settled: the gain is above 4 points.";
    }
    let gains = gains(played);
    let mut sheets = vec![
        Gains::sheet(&(), gains.clone()),
        Parameters::sheet(played, 0..table.axes.len()),
        Members::sheet(&(), members(played)),
    ];
    let mut parameters = heads![Parameters: PARAMETER, P05 "5 %", MEDIAN, P95 "95 %"];
    if !played.standard.is_empty() {
        parameters.extend(heads![Parameters: STANDARD "under the standard rules", CHANGE]);
    }
    let mut views = vec![
        View::text(headline.clone()),
        View::text("Gain of each bot over the fair share, against the adapted populations:"),
        View::print(heads![Gains: BOT, GAIN, LEAST, MOST]),
        View::text("Parameters of the adapted players:"),
        View::print(parameters),
        View::Summary(Vec::new()),
    ];
    if let Some((limits, shown)) = limits(table, &played.players()) {
        sheets.push(limits);
        views.extend(shown);
    }
    Contents {
        charts: charts(&headline, gains),
        files: played.files(),
        summary,
        sheets,
        views,
        ..Contents::default()
    }
}

columns! {
    pub Gains<'a>(of: (), row: (String, Vec<Estimate>))
    "gains", "one row per bot that plays against the populations";
    BOT: text("bot", "the bot") => row.0;
    GAIN: estimates("gain", "its win share minus the fair share, in fresh games")
        => Estimate::mean_over(&row.1);
    LEAST: measure("least", "the gain against the population where it is smallest")
        => (end_of(&row.1, f64::min), Some(Unit::Points));
    MOST: measure("most", "the gain against the population where it is largest")
        => (end_of(&row.1, f64::max), Some(Unit::Points));
}

fn end_of(gains: &[Estimate], end: fn(f64, f64) -> f64) -> f64 {
    gains
        .iter()
        .map(|gain| gain.value)
        .reduce(end)
        .unwrap_or_default()
}

fn gains(played: &Played) -> Vec<(String, Vec<Estimate>)> {
    let best = "best response in the family".to_string();
    let populations = played.populations.iter();
    let own = populations.map(|adapted| adapted.gain.in_points());
    let mut rows = vec![(best, own.collect())];
    let others = played.beside.iter();
    rows.extend(others.map(|(seat, gains)| (seat.label(), gains.clone())));
    rows
}

columns! {
    pub Parameters<'a>(of: Played, axis: usize) "values", "one row per parameter of the family";
    PARAMETER: text("parameter", "the parameter") => of.resolved.table.axes[*axis].0;
    P05: number("p05", "5 % quantile of the value in the populations")
        => quantile(of, &of.populations, *axis, 0.05).value;
    MEDIAN: number("median", "50 % quantile of the value in the populations")
        => quantile(of, &of.populations, *axis, 0.5).value;
    P95: number("p95", "95 % quantile of the value in the populations")
        => quantile(of, &of.populations, *axis, 0.95).value;
    STANDARD: number("standard_median", "median under the standard rules of the game"),
        if !of.standard.is_empty() => quantile(of, &of.standard, *axis, 0.5).value;
    CHANGE: estimates("change", "median minus standard_median"), if !of.standard.is_empty()
        => change(of, *axis);
}

columns! {
    pub Members<'a>(of: (), row: (usize, String, usize))
    "members", "one row per population and member of it";
    POPULATION: whole("population", "the population, from 1") => row.0 as u64;
    BOT: text("bot", "the bot") => row.1;
    WEIGHT: number("weight", "weight of the member; all weights of a population add up to 1")
        => row.2 as f64 / SLOTS as f64;
}

fn members(played: &Played) -> Vec<(usize, String, usize)> {
    let mut rows = Vec::new();
    for (number, adapted) in (1..).zip(&played.populations) {
        for (bot, slots) in played.members(adapted) {
            rows.push((number, bot, slots));
        }
    }
    rows
}

/// The quantile of a parameter in each population; the mean over them.
fn quantile(played: &Played, populations: &[Adapted], axis: usize, share: f64) -> Estimate {
    let of_one = |adapted: &Adapted| {
        let mut places: Vec<usize> = adapted.population.iter().map(|point| point[axis]).collect();
        places.sort_unstable();
        let place = places[(share * SLOTS as f64) as usize];
        Estimate::normal(f64::from(played.resolved.table.axes[axis].1[place]), 0.0)
    };
    Estimate::mean_over(&Vec::from_iter(populations.iter().map(of_one)))
}

/// How the median of a parameter differs from that under the standard rules.
fn change(played: &Played, axis: usize) -> Estimate {
    let [now, usual] = [&played.populations, &played.standard]
        .map(|populations| quantile(played, populations, axis, 0.5));
    Estimate::normal(now.value - usual.value, now.se.hypot(usual.se))
}

fn charts(subtitle: &str, gains: Vec<(String, Vec<Estimate>)>) -> Vec<NamedChart> {
    let title = "Gain against the adapted populations";
    let gains = gains.into_iter();
    let gains = gains.map(|(bot, each)| (bot, Estimate::mean_over(&each)));
    let axis = "win share above the fair share, percentage points";
    let chart = Figure::Rows(Rows::differences(title, axis, rows_of(gains)));
    vec![NamedChart::new("gains", subtitle, chart)]
}
