//! The report of an adaptation: the population, its parameters, and the gains against it.

use super::pictures::rows_of;
use super::report::{Contents, NamedChart};
use super::text::View;
use crate::study::adapt::Played;
use crate::study::table::headline;
use carat_core::adaptation::SLOTS;
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
    let mut summary = format!(
        "The best response in the family `{}` gains {} against the adapted population; other bots may \
         gain more.",
        table.family.name,
        played.adapted.gain.in_points()
    );
    if !played.adapted.is_settled() {
        summary += " The population has not settled: the gain is above 4 points.";
    }
    let gains = gains(played);
    let sheets = vec![
        Gains::sheet(&(), gains.clone()),
        Parameters::sheet(played, 0..table.axes.len()),
        Members::sheet(&(), played.members()),
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
    pub Members<'a>(of: (), row: (String, usize)) "members", "one row per member of the population";
    BOT: text("bot", "the bot") => row.0;
    WEIGHT: number("weight", "weight of the member; all weights add up to 1") => row.1 as f64 / SLOTS as f64;
}

/// The quantile of a parameter over the population.
fn quantile(played: &Played, axis: usize, share: f64) -> f64 {
    let population = played.adapted.population.iter();
    let mut places: Vec<usize> = population.map(|point| point[axis]).collect();
    places.sort_unstable();
    let place = places[(share * SLOTS as f64) as usize];
    f64::from(played.resolved.table.axes[axis].1[place])
}

fn charts(subtitle: &str, gains: Vec<(String, Estimate)>) -> Vec<NamedChart> {
    let title = "Gain against the adapted population";
    let axis = "win share above the fair share, percentage points";
    let chart = Figure::Rows(Rows::differences(title, axis, rows_of(gains)));
    vec![NamedChart::new("gains", subtitle, chart)]
}
