//! The report of a simulation: the results of the seats, the metrics of the table, and the winner.

use super::contents::{Contents, NamedChart};
use super::manifest::Manifest;
use super::pictures::{self, all, drawn, of_shares, rows, run, running};
use super::tables::{self, BOT, LABEL, MetricRow, SEAT, Seats, metric_rows, seat_rows};
use super::text::View;
use crate::study::Study;
use crate::study::simulate::{Checkpoint, Played};
use carat_core::figure::{Density, DensityRow, Figure, Lines, RowLine, Rows};
use carat_core::game::{SCORE_MEAN, Seating, WIN_SHARE};
use carat_core::numbers;
use carat_core::sheet::Columns;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, bots_with_seats, seat_names};
use carat_core::{columns, heads};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let metrics = metric_rows(layout, tally);
    let mut own = resolved.table.sheets(&tally.counted(layout));
    for sheet in &mut own {
        tables::add_labels(sheet, &resolved.seats);
    }
    let mut sheets = vec![
        Seats::sheet(&layout, seat_rows(layout, &resolved.seats, tally)),
        OfTable::sheet(&(), metrics.iter().copied()),
        Scores::sheet(played, score_rows(played)),
        Convergence::sheet(played, convergence_rows(played)),
    ];
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
    MEANING: label("meaning", "") => row.2;
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
    let own = resolved.table.layout().own_seat_metrics();
    let unit = resolved.game.score_unit;
    let mut columns = heads![Seats: SEAT, NAME "bot", WIN_SHARE "wins", SCORE_MEAN unit,
        P05 "5 %", MEDIAN "median", P95 "95 %"];
    for metric in own {
        columns.push(Seats::METRICS.head_of(metric.name, metric.name.replace('_', " ")));
    }
    let mut views = vec![View::text(headline), View::print(columns)];
    // Skips the number of games, which is in the headline.
    let rows = (1..metrics).collect();
    let columns = heads![OfTable: MEANING "", VALUE ""];
    views.extend(View::print_rows(columns, rows));
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
    let names = bots_with_seats(&resolved.seats).into_iter();
    let seats = resolved.seats.iter().map(Seat::label).zip(names);
    let mut ranked = Vec::from_iter(tally.seats(layout, WIN_SHARE).into_iter().zip(seats));
    ranked.sort_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
    let (mut best, (bot, mut name)) = ranked[0].clone();
    if ranked.iter().all(|(share, _)| share.value == best.value) {
        return "All seats win equally often.".to_string();
    }
    let (copies, others): (Vec<_>, Vec<_>) = ranked.iter().partition(|(_, seat)| seat.0 == bot);
    // Copies that change places in every order win equally often, so only others can be behind.
    if copies.len() > 1 && resolved.spec.seating == Seating::EveryOrder {
        if others.is_empty() {
            return format!("All seats play {bot}, so differences between them are chance.");
        }
        let mean = |of: fn(&Estimate) -> f64| {
            let sum: f64 = copies.iter().map(|(share, _)| of(share)).sum();
            sum / copies.len() as f64
        };
        best.value = mean(|share| share.value);
        best = best.within(mean(|share| share.low), mean(|share| share.high));
        name = format!("{bot} (each of {} seats)", copies.len());
        ranked = others.into_iter().cloned().collect();
    } else {
        ranked.remove(0);
    }
    let mut close = Vec::new();
    for (share, (_, name)) in &ranked {
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

fn charts(played: &Played) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let mut figures = Vec::new();
    if resolved.seats.len() > 1 {
        figures.push(("win_shares", Figure::Rows(win_shares(played))));
    }
    figures.push(("scores", Figure::Density(scores(played))));
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

fn win_shares(played: &Played) -> Rows {
    let (seats, layout) = (&played.resolved.seats, played.resolved.table.layout());
    let shares = played.tally.seats(layout, WIN_SHARE).into_iter();
    let lines = shares.zip(seat_names(seats)).enumerate();
    let mut rows = rows(
        lines.filter_map(|(seat, (share, name))| Some((name, RowLine::of(seat, drawn(share)?)))),
    );
    rows.sort_by(|a, b| pictures::size(b).total_cmp(&pictures::size(a)));
    of_shares("Win share by bot", "share of games won", seats.len(), rows)
}

fn scores(played: &Played) -> Density {
    let unit = played.resolved.game.score_unit;
    let names = seat_names(&played.resolved.seats).into_iter();
    let rows = names.zip(played.tally.scores.iter().cloned());
    let rows = rows.map(|(label, games)| DensityRow { label, games });
    Density {
        title: format!("Final {unit} by bot"),
        axis: format!("{unit} at the end of a game"),
        unit: unit.to_string(),
        rows: rows.collect(),
        ..Density::default()
    }
}

/// The running estimate of the win shares, or of the score of a lone player.
fn running_estimates(played: &Played) -> Lines {
    let seats = &played.resolved.seats;
    let unit = played.resolved.game.score_unit;
    let is_alone = seats.len() == 1;
    let (of, heading) = if is_alone {
        ("mean score", format!("Mean {unit} so far"))
    } else {
        ("win shares", "Win share so far".to_string())
    };
    let mut lines = Vec::new();
    for (seat, name) in seat_names(seats).iter().enumerate() {
        let points = played.checkpoints.iter().map(|at| {
            let known = if is_alone { &at.scores } else { &at.win_shares };
            (at.games, known[seat])
        });
        lines.push(run(name, seat, points));
    }
    let title = format!("Convergence of the {of}");
    running(&title, &heading, "games played", !is_alone, lines)
}
