//! The report of a simulation: the results of the seats, the metrics of the table, and the winner.

use super::pictures::{self, all, of_shares, rows, run, running};
use super::report::{Contents, NamedChart};
use super::store::Manifest;
use super::tables;
use super::text::View;
use crate::study::Study;
use crate::study::simulate::Played;
use carat_core::figure::{Density, DensityRow, Figure, Lines, RowLine, Rows};
use carat_core::game::{SCORE_MEAN, Seating, WIN_SHARE};
use carat_core::numbers;
use carat_core::sheet::Sheet;
use carat_core::strategy::{Seat, bots_with_seats, seat_names};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let layout = resolved.table.layout();
    let mut sheets = vec![
        tables::seats(layout, &resolved.seats, tally),
        tables::table(layout, tally),
        tables::scores(&resolved.seats, tally),
        tables::convergence(played),
    ];
    sheets.extend(resolved.table.sheets(&tally.counted(layout)));
    for sheet in &mut sheets[1..] {
        tables::add_labels(sheet, &resolved.seats);
    }
    // The manifest has the number of games played, so that it repeats the same bytes and the same
    // shortfall of precision.
    let mut study = resolved.study.clone();
    if played.outcome.missed.is_none() {
        study.run.fix_games(tally.games);
        study.metric = None;
    }
    manifest.study = Study::Simulate(study);
    let summary = summary(played);
    Contents {
        views: views(played, &summary, sheets[1].height()),
        summary,
        charts: charts(played, &sheets[0], &sheets[3]),
        sheets,
        state: played.state.clone(),
        ..Contents::default()
    }
}

/// The terminal's report; `metrics` is the number of rows of the table sheet.
fn views(played: &Played, summary: &str, metrics: usize) -> Vec<View> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let headline = format!(
        "{} · {} · seed {}",
        resolved.headline(),
        numbers::games(tally.games),
        resolved.study.run.seed
    );
    let own = resolved.table.layout().own_seat_metrics();
    let unit = resolved.game.score_unit;
    let mut columns = format!(
        "seat | name: bot | win_share: wins | score_mean: {unit} | score_p05: 5 % | \
         score_median: median | score_p95: 95 %"
    );
    for metric in own {
        columns += &format!(" | {}: {}", metric.name, metric.name.replace('_', " "));
    }
    let mut views = vec![View::text(headline), View::print("seats", &columns)];
    // Skips the number of games, which is in the headline.
    let rows = (1..metrics).collect();
    views.extend(View::print_rows("table", "meaning:  | value: ", rows));
    if resolved.seats.len() > 1 {
        views.push(View::text(summary));
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
        let sum: f64 = copies.iter().map(|(share, _)| share.value).sum();
        best = best.minus(best.value - sum / copies.len() as f64);
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

fn charts(played: &Played, seats: &Sheet, convergence: &Sheet) -> Vec<NamedChart> {
    let (resolved, tally) = (&played.resolved, &played.tally);
    let subtitle = format!("{} · {}", resolved.headline(), numbers::games(tally.games));
    let mut figures = Vec::new();
    if seats.height() > 1 {
        figures.push(("win_shares", Figure::Rows(win_shares(seats))));
    }
    figures.push(("scores", Figure::Density(scores(played))));
    let running = running_estimates(resolved.game.score_unit, seats.height(), convergence);
    figures.push(("convergence", Figure::Lines(running)));
    let table = &resolved.table;
    figures.extend(table.figures(&tally.counted(table.layout())));
    all(&subtitle, figures)
}

fn win_shares(seats: &Sheet) -> Rows {
    let mut rows = rows(
        seats,
        0..seats.height(),
        "seat_name",
        WIN_SHARE,
        RowLine::of,
    );
    rows.sort_by(|a, b| pictures::size(b).total_cmp(&pictures::size(a)));
    of_shares(
        "Win share by bot",
        "share of games won",
        seats.height(),
        rows,
    )
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
fn running_estimates(unit: &str, seats: usize, sheet: &Sheet) -> Lines {
    let (of, heading, value) = match seats {
        1 => ("mean score", &*format!("Mean {unit} so far"), SCORE_MEAN),
        _ => ("win shares", "Win share so far", WIN_SHARE),
    };
    let mut lines = Vec::new();
    for seat in 0..seats.min(sheet.height()) {
        let own = (seat..sheet.height()).step_by(seats);
        lines.push(run(sheet, own, &sheet.shown("name", seat), seat, value));
    }
    let title = format!("Convergence of the {of}");
    running(&title, heading, "games played", seats > 1, lines)
}
