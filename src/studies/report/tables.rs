//! The tables of what seats and tables did, which several kinds of study share.
//!
//! Columns are part of carat's interface; `carat show columns` lists them with their meanings.

use carat_core::columns;
use carat_core::game::{Layout, Metric, MetricRef, SCORE_MEAN, WIN_SHARE};
use carat_core::sheet::{self, Column, Columns, Sheet, Values};
use carat_core::simulation::Tally;
use carat_core::statistics::{Estimate, Unit, quantile};
use carat_core::strategy::{Seat, table_labels};

/// The meanings of columns that several sheets share.
pub const BOT: &str = "the bot";
pub const SEAT: &str = "number of the seat, from 1";
pub const LABEL: &str = "label of the seat, or name of the person there; empty if there is none";
pub const IN_BEST_SET: &str =
    "whether it is in the set that holds the true best with 95 % probability";

/// Adds the label of each seat, or its person's name, to a game's own sheet with a column of seats.
pub fn add_labels(sheet: &mut Sheet, seats: &[Seat]) {
    let place = |name: &str| sheet.columns.iter().position(|column| column.name == name);
    let Some(at) = place(sheet::SEAT) else { return };
    let after = place(sheet::BOT).unwrap_or(at);
    let Values::Whole(numbers) = &sheet.columns[at].values else {
        return;
    };
    let of_seat = |number: &Option<u64>| seats.get((*number)? as usize - 1)?.person.clone();
    let labels = Values::Text(numbers.iter().map(of_seat).collect());
    let labels = Column::new("label", LABEL, labels);
    sheet.columns.insert(after + 1, labels);
}

#[derive(Clone, Copy)]
pub struct PlayedSeat<'a> {
    layout: &'a Layout,
    seats: &'a [Seat],
    tally: &'a Tally,
    seat: usize,
}

pub fn seat_rows<'a>(
    layout: &'a Layout,
    seats: &'a [Seat],
    tally: &'a Tally,
) -> impl Iterator<Item = PlayedSeat<'a>> {
    (0..layout.seats).map(move |seat| PlayedSeat {
        layout,
        seats,
        tally,
        seat,
    })
}

columns! {
    /// The results of seats; `of` has the metrics.
    pub Seats<'a>(of: &'a Layout, row: PlayedSeat<'a>) "seats", "one row per seat, in the order given";
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.own().strategy.name;
    LABEL: maybe("label", LABEL) => row.own().person.as_ref();
    PARAMS: text("params", "parameters of the bot") => row.own().params_text();
    GAMES: whole("games", "games played") => row.tally.games;
    PASSES: whole("passes", "with on_failure = \"pass\": decisions that the program failed to take"),
        if of.passes.is_some()
        => row.tally.counts[row.layout.passes()][row.seat];
    WIN_SHARE: estimates(WIN_SHARE, "win share; a win shared by t players counts as 1/t for each")
        => row.estimate(WIN_SHARE);
    SOLE_WINS: number("sole_win_rate", "share of games won alone")
        => row.tally.sole_wins[row.seat] as f64 / row.tally.games as f64;
    SCORE_MEAN: estimates(SCORE_MEAN, "mean score") => row.estimate(SCORE_MEAN);
    SCORE_SD: number("score_sd", "standard deviation of the score in a game")
        => row.score_of_games()?.se * (row.tally.games as f64).sqrt();
    P05: whole("score_p05", "5 % quantile of the score") => row.score_at(0.05);
    P25: whole("score_p25", "25 % quantile of the score") => row.score_at(0.25);
    MEDIAN: whole("score_median", "50 % quantile of the score") => row.score_at(0.5);
    P75: whole("score_p75", "75 % quantile of the score") => row.score_at(0.75);
    P95: whole("score_p95", "95 % quantile of the score") => row.score_at(0.95);
    METRICS: measure("METRIC", "metric of the game"), for metric in own_metrics(of)
        => row.measure(metric);
    NAME: label("name", "") => table_labels(row.seats)[row.seat];
}

/// A column for each of the game's own metrics of seats.
fn own_metrics(layout: &Layout) -> impl Iterator<Item = (&Metric, String, String)> {
    let metrics = layout.own_seat_metrics().iter();
    metrics.map(|metric| (metric, metric.name.to_string(), metric.meaning.to_string()))
}

/// The table of seats without rows, with the columns of a game.
pub fn declared_seats(layout: &Layout) -> Sheet {
    let mut sheet = Seats::declared();
    let own = own_metrics(layout);
    let own = own.map(|(_, name, meaning)| Column::new(name, meaning, Values::Number(Vec::new())));
    let family = sheet.columns.len() - 1;
    sheet.columns.splice(family.., own);
    sheet
}

impl<'a> PlayedSeat<'a> {
    fn own(&self) -> &'a Seat {
        &self.seats[self.seat]
    }

    fn estimate(&self, name: &'static str) -> Option<Estimate> {
        let metric = MetricRef::of_seat(name, self.seat);
        self.tally.estimate(self.layout, metric)
    }

    /// The mean score with the error of the games alone.
    fn score_of_games(&self) -> Option<Estimate> {
        let metric = MetricRef::of_seat(SCORE_MEAN, self.seat);
        self.tally.estimate_games(self.layout, metric)
    }

    fn score_at(&self, share: f64) -> u64 {
        quantile(&self.tally.scores[self.seat], share) as u64
    }

    fn measure(&self, metric: &Metric) -> (f64, Option<Unit>) {
        let value = self
            .estimate(metric.name)
            .map_or(f64::NAN, |known| known.value);
        (value, metric.proportion.then_some(Unit::Share))
    }
}

/// A metric of the table: its name, its estimate, and its meaning.
pub type MetricRow<'a> = (&'a str, Option<Estimate>, &'a str);

pub fn metric_rows<'a>(layout: &'a Layout, tally: &Tally) -> Vec<MetricRow<'a>> {
    let games = Some(Estimate::normal(tally.games as f64, 0.0));
    let mut rows = vec![("games", games, "")];
    for metric in &layout.table_metrics {
        let estimate = tally.estimate(layout, MetricRef::of_table(metric.name));
        rows.push((metric.name, estimate, metric.meaning));
    }
    rows
}
