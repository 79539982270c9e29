//! The report of a simulation: the results of the seats, the metrics of the table, and the winner.

use super::contents::{Contents, NamedChart};
use super::manifest::Manifest;
use super::pictures::{self, all, drawn, of_shares, rows, rows_of, run, running};
use super::tables::{
    self, BOT, Bots, LABEL, MetricRow, SEAT, Seats, mean_of, meanings, metric_rows, scores_of,
    seat_rows, told,
};
use super::text::View;
use crate::study::Study;
use crate::study::simulate::{Checkpoint, Played};
use carat_charts::labels::capitalized;
use carat_core::figure::{Density, DensityRow, Figure, Figures, Lines, RowLine, Rows};
use carat_core::game::{
    Copies, Metric, MetricRef, SCORE_MEAN, Seating, WIN_SHARE, WIN_SHARE_SPREAD, copies,
};
use carat_core::numbers;
use carat_core::sheet::Columns;
use carat_core::statistics::quantile;
use carat_core::{columns, heads};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let metrics = metric_rows(layout, tally);
    let mut own = resolved.table.sheets(&tally.counted(layout));
    for sheet in &mut own {
        tables::add_labels(sheet, &resolved.seats);
    }
    let seats = seat_rows(layout, &resolved.seats, tally, Seating::Fixed);
    let mut sheets = vec![
        Seats::sheet(&layout, seats),
        OfTable::sheet(&(), metrics.iter().copied()),
        Scores::sheet(played, score_rows(played)),
        Convergence::sheet(played, convergence_rows(played)),
    ];
    let measures = distributions(played);
    if !measures.is_empty() {
        let bins = measures.iter().flat_map(Distribution::bins);
        sheets.push(Histograms::sheet(&(), bins));
        sheets.push(Quantiles::sheet(&(), measures));
    }
    sheets.extend(own);
    // The manifest has the number of games played, so that it repeats the same bytes and the same
    // shortfall of precision.
    let mut study = resolved.study.clone();
    study.run.populations = manifest.study.run.populations;
    if played.outcome.missed.is_none() {
        study.run.fix_games(tally.games);
        study.metric = None;
    }
    manifest.study = Study::Simulate(study);
    let summary = summary(played);
    if played.copies().len() < resolved.seats.len() {
        let rows = seat_rows(layout, &resolved.seats, tally, resolved.spec.seating);
        sheets.push(Bots::sheet(&layout, rows));
    }
    Contents {
        views: views(played, metrics.len()),
        summary,
        charts: charts(played),
        sheets,
        state: played.state.clone(),
        ..Contents::default()
    }
}

columns! {
    pub OfTable<'a>(of: (), row: MetricRow<'a>) "table", "one row per metric of the whole table";
    METRIC: text("metric", "the metric") => row.0;
    VALUE: estimates("value", "estimate of the metric") => row.1;
    SHORT: label("short", "") => row.2;
}

columns! {
    /// The exact histogram of every seat's score; scores that never occurred are left out.
    pub Scores<'a>(of: Played, row: (usize, u64, u64)) "scores", "one row per seat and score that occurred";
    SEAT: numbered("seat", SEAT) => row.0;
    BOT: text("bot", BOT) => of.resolved.seats[row.0].strategy.name;
    LABEL: maybe("label", LABEL) => of.resolved.seats[row.0].person.as_ref();
    SCORE: whole("score", "the score") => row.1;
    GAMES: whole("games", "games in which the seat had this score") => row.2;
}

fn score_rows(played: &Played) -> Vec<(usize, u64, u64)> {
    let mut rows = Vec::new();
    for (seat, histogram) in played.tally.scores.iter().enumerate() {
        let occurred = (0..).zip(histogram).filter(|(_, games)| **games > 0);
        rows.extend(occurred.map(|(score, games)| (seat, score, *games)));
    }
    rows
}

/// The games by value of a measure: the value of the first, and the step to each next one.
pub struct Distribution<'a> {
    metric: &'a Metric,
    first: f64,
    step: f64,
    games: &'a [u64],
}

impl Distribution<'_> {
    fn at(&self, share: f64) -> f64 {
        self.first + self.step * quantile(self.games, share) as f64
    }

    fn bins(&self) -> impl Iterator<Item = (&'static str, f64, u64)> {
        let bins = (0..).zip(self.games).filter(|(_, games)| **games > 0);
        bins.map(|(at, games)| {
            let value = self.first + self.step * f64::from(at);
            (self.metric.name, value, *games)
        })
    }
}

/// Of each measure that is a number. Sums of an earlier version lack them.
fn distributions(played: &Played) -> Vec<Distribution<'_>> {
    let measures = played.resolved.table.layout().numeric_measures();
    let known = measures.filter_map(|(at, metric, units)| {
        let of = played.tally.measures.get(at)?;
        let (least, width) = of.scale();
        let is_whole = of.games.iter().sum::<u64>() == played.tally.games;
        is_whole.then(|| Distribution {
            metric,
            // The middle of the numbers in a bin.
            first: (least as f64 + (width - 1) as f64 / 2.0) / units,
            step: width as f64 / units,
            games: &of.games,
        })
    });
    known.collect()
}

columns! {
    pub Quantiles<'a>(of: (), row: Distribution<'a>)
    "quantiles", "one row per measure that is a number; exact to a thousandth of its range";
    MEASURE: text("measure", "the measure") => row.metric.name;
    P05: number("p05", "5 % quantile over games") => row.at(0.05);
    P25: number("p25", "25 % quantile over games") => row.at(0.25);
    MEDIAN: number("median", "50 % quantile over games") => row.at(0.5);
    P75: number("p75", "75 % quantile over games") => row.at(0.75);
    P95: number("p95", "95 % quantile over games") => row.at(0.95);
    SHORT: label("short", "") => row.metric.short();
}

columns! {
    /// Where a measure has too many values, neighbours are one.
    pub Histograms<'a>(of: (), row: (&'a str, f64, u64))
    "histograms", "one row per measure that is a number, and value that occurred, in up to 1,024 equal steps";
    MEASURE: text("measure", "the measure") => row.0;
    VALUE: number("value", "its value, in the middle of its step") => row.1;
    GAMES: whole("games", "games with this value") => row.2;
}

columns! {
    /// The running estimates by seat.
    pub Convergence<'a>(of: Played, row: (&'a Checkpoint, usize)) "convergence", "one row per seat and checkpoint";
    GAMES: whole("games", "games played so far") => row.0.games;
    SEAT: numbered("seat", SEAT) => row.1;
    BOT: text("bot", BOT) => of.resolved.seats[row.1].strategy.name;
    LABEL: maybe("label", LABEL) => of.resolved.seats[row.1].person.as_ref();
    WIN_SHARE: estimates(WIN_SHARE, "win share so far") => row.0.win_shares[row.1];
    SCORE_MEAN: estimates(SCORE_MEAN, "mean score so far") => row.0.scores[row.1];
}

fn convergence_rows(played: &Played) -> impl Iterator<Item = (&Checkpoint, usize)> {
    let checkpoints = played.checkpoints.iter();
    checkpoints.flat_map(|at| (0..played.resolved.seats.len()).map(move |seat| (at, seat)))
}

/// The terminal's report; `metrics` is the number of rows of the table sheet.
fn views(played: &Played, metrics: usize) -> Vec<View> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let headline = format!(
        "{} · {} · seed {}",
        resolved.headline(),
        numbers::games(tally.games),
        resolved.study.run.seed
    );
    let layout = resolved.table.layout();
    let own = layout.own_seat_metrics();
    let unit = resolved.game.score_unit;
    let mut columns = heads![Seats: SEAT, NAME "bot", WIN_SHARE "wins", SCORE_MEAN unit,
        P05 "5 %", MEDIAN "median", P95 "95 %"];
    columns.retain(|head| !played.is_about_the_game() || head.column != Seats::WIN_SHARE.name);
    let names = own.iter();
    columns.extend(names.map(|metric| Seats::METRICS.head_of(metric.name, metric.short())));
    let mut bots = View::print(columns);
    // The table of bots has the same columns but for the number of the seat.
    if let View::Print(print) = &mut bots
        && played.copies().len() < resolved.seats.len()
    {
        print.of = <Bots as Columns>::NAME.to_string();
    }
    let mut views = vec![View::text(headline), bots];
    // Skips the number of games, which is in the headline.
    let mut rows = Vec::from_iter(1..metrics);
    rows.sort_by_key(|row| !layout.table_metrics[row - 1].is_key);
    let columns = heads![OfTable: SHORT "", VALUE ""];
    views.extend(View::print_rows(columns, rows));
    if played.is_about_the_game() {
        views.swap(1, 2);
    }
    if !distributions(played).is_empty() {
        views.push(View::print(
            heads![Quantiles: SHORT "share of games", P05 "5 %", P25 "25 %",
            MEDIAN "50 %", P75 "75 %", P95 "95 %"],
        ));
    }
    views.extend(meanings(own.iter().chain(&layout.table_metrics)));
    if resolved.seats.len() > 1 {
        views.push(View::Summary(Vec::new()));
    }
    views
}

/// The seat with the highest win rate and whether its lead is significant; for one seat, its score.
fn summary(played: &Played) -> String {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    if layout.seats == 1 {
        return format!(
            "{} ends with {} {} on average.",
            resolved.seats[0].called(),
            tally.seat(layout, SCORE_MEAN, 0),
            resolved.game.score_unit
        );
    }
    if played.is_about_the_game() {
        let metrics = layout.table_metrics.iter().filter(|metric| metric.is_key);
        let told = told(layout, tally, metrics);
        let bot = resolved.seats[0].called();
        return format!("All {} seats are played by {bot}: {told}.", layout.seats);
    }
    let shares = tally.seats(layout, WIN_SHARE);
    let mut ranked = Vec::new();
    for of in played.copies() {
        let (bot, seats) = (resolved.seats[of.seats[0]].called(), of.seats.len());
        let share = mean_of(of.seats.iter().map(|seat| shares[*seat]));
        let each = format!("{bot} (each of {seats} seats)");
        ranked.extend(share.zip(Some(if seats > 1 { each } else { of.name })));
    }
    ranked.sort_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
    let (best, name) = ranked.remove(0);
    if ranked.iter().all(|(share, _)| share.value == best.value) {
        return "All seats win equally often.".to_string();
    }
    let mut close = Vec::new();
    for (share, name) in &ranked {
        close.extend((share.high >= best.low).then_some(name.as_str()));
    }
    if close.is_empty() {
        return format!("{name} wins most often: {best} of the games.");
    }
    format!(
        "{name} leads with {best}, but its lead over {} is not significant yet; play more games.",
        close.join(", ")
    )
}

impl Played {
    fn copies(&self) -> Vec<Copies> {
        copies(&self.resolved.seats, self.resolved.spec.seating)
    }

    /// Whether all seats have the same bot, so that who wins is no question.
    fn is_about_the_game(&self) -> bool {
        self.resolved.seats.len() > 1 && self.copies().len() == 1
    }
}

fn charts(played: &Played) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let mut figures = Vec::new();
    if played.is_about_the_game() {
        figures.push(("shares", Figure::Rows(shares(played))));
    } else if resolved.seats.len() > 1 {
        figures.push(("win_shares", Figure::Rows(win_shares(played))));
    }
    figures.push(("scores", Figure::Density(scores(played))));
    let measures = distributions(played);
    let names = Vec::from_iter(
        measures
            .iter()
            .map(|of| format!("measure_{}", of.metric.name)),
    );
    for (name, of) in names.iter().zip(&measures) {
        figures.push((name, Figure::Density(values(of))));
    }
    // A single point shows no course.
    if played.checkpoints.len() > 1 {
        figures.push(("convergence", Figure::Lines(running_estimates(played))));
    }
    let table = &resolved.table;
    let mut charts = all(&subtitle, figures);
    let own = table.figures(&tally.counted(table.layout()));
    let intervals = match table.layout().populations {
        0 | 1 => "",
        _ => " · intervals of the games alone",
    };
    charts.extend(all(&format!("{subtitle}{intervals}"), own));
    charts
}

/// The metrics of the table that are shares.
fn shares(played: &Played) -> Rows {
    let layout = played.resolved.table.layout();
    let mut metrics = Vec::from_iter(&layout.table_metrics);
    metrics.retain(|metric| metric.proportion && metric.name != WIN_SHARE_SPREAD);
    metrics.sort_by_key(|metric| !metric.is_key);
    // One outcome may have two names.
    let mut known = Vec::new();
    metrics.retain(|metric| {
        let is_new = !known.contains(&(metric.of, metric.per));
        known.push((metric.of, metric.per));
        is_new
    });
    let rows = rows_of(metrics.into_iter().filter_map(|metric| {
        let of = MetricRef::of_table(metric.name);
        let share = played.tally.estimate(layout, of)?;
        Some((metric.short().to_string(), share))
    }));
    Rows {
        figures: Figures::Shares,
        table: "table".to_string(),
        ..Rows::differences("The game in shares", "share", rows)
    }
}

fn win_shares(played: &Played) -> Rows {
    let (seats, layout) = (&played.resolved.seats, played.resolved.table.layout());
    let shares = played.tally.seats(layout, WIN_SHARE);
    let mut rows = rows(played.copies().into_iter().filter_map(|of| {
        let share = mean_of(of.seats.iter().map(|seat| shares[*seat]));
        Some((of.name, RowLine::of(of.seats[0], drawn(share?)?)))
    }));
    rows.sort_by(|a, b| pictures::size(b).total_cmp(&pictures::size(a)));
    of_shares("Win share by bot", "share of games won", seats.len(), rows)
}

fn scores(played: &Played) -> Density {
    let unit = played.resolved.game.score_unit;
    let rows = played.copies().into_iter().map(|of| DensityRow {
        games: scores_of(&played.tally, &of),
        label: of.name,
    });
    Density {
        title: format!("Final {unit} by bot"),
        axis: format!("{unit} at the end of a game"),
        unit: unit.to_string(),
        rows: rows.collect(),
        ..Density::default()
    }
}

/// The games by value of a measure.
fn values(of: &Distribution) -> Density {
    let label = "all games".to_string();
    let short = of.metric.short().to_string();
    Density {
        title: capitalized(&short),
        axis: format!("{short}, in a game"),
        unit: short.split(" (").next().unwrap_or(&short).to_string(),
        rows: vec![DensityRow {
            label,
            // The number 0 stands for nothing, not for its first value.
            games: [&[0], of.games].concat(),
        }],
        scale: Some((of.first - of.step, of.step)),
        ..Density::default()
    }
}

/// The running estimate of the win shares, or of the score at a table of one bot.
fn running_estimates(played: &Played) -> Lines {
    let unit = played.resolved.game.score_unit;
    let copies = played.copies();
    let is_alone = copies.len() == 1;
    let (of, heading) = if is_alone {
        ("mean score", format!("Mean {unit} so far"))
    } else {
        ("win shares", "Win share so far".to_string())
    };
    let mut lines = Vec::new();
    for of in copies {
        let points = played.checkpoints.iter().map(|at| {
            let known = if is_alone { &at.scores } else { &at.win_shares };
            (at.games, mean_of(of.seats.iter().map(|seat| known[*seat])))
        });
        lines.push(run(&of.name, of.seats[0], points));
    }
    let title = format!("Convergence of the {of}");
    running(&title, &heading, "games played", !is_alone, lines)
}
