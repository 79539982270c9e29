//! The tables of what seats and tables did, which several kinds of study share.
//!
//! Columns are part of carat's interface; `carat show columns` lists them with their meanings.

use super::text::View;
use crate::study::Expectation;
use carat_core::adaptation::FamilyTable;
use carat_core::game::notation::LimitGrid;
use carat_core::game::{Copies, Layout, Metric, MetricRef, SCORE_MEAN, Seating, WIN_SHARE, copies};
use carat_core::sheet::{self, Column, Columns, Sheet, Values};
use carat_core::simulation::Tally;
use carat_core::statistics::{Estimate, Unit, quantile};
use carat_core::strategy::{Seat, table_labels};
use carat_core::{columns, heads};

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

/// A seat, or several with the same bot.
pub struct PlayedSeat<'a> {
    layout: &'a Layout,
    seats: &'a [Seat],
    tally: &'a Tally,
    of: Copies,
}

/// Rows of seats; of copies one row, unless `seating` is fixed.
pub fn seat_rows<'a>(
    layout: &'a Layout,
    seats: &'a [Seat],
    tally: &'a Tally,
    seating: Seating,
) -> impl Iterator<Item = PlayedSeat<'a>> {
    copies(seats, seating)
        .into_iter()
        .map(move |of| PlayedSeat {
            layout,
            seats,
            tally,
            of,
        })
}

columns! {
    /// The results of seats with the same bot together; `of` has the metrics.
    pub Bots<'a>(of: &'a Layout, row: PlayedSeat<'a>)
    "bots", "one row per bot, where several seats have the same; values are means over these seats";
    BOT: text("bot", BOT) => row.own().strategy.name;
    LABEL: maybe("label", LABEL) => row.own().person.as_ref();
    PARAMS: text("params", "parameters of the bot") => row.own().params_text();
    SEATS: whole("seats", "number of seats with the bot") => row.of.seats.len() as u64;
    WIN_SHARE: estimates("win_share", "win share of each of them; the interval is never too narrow")
        => row.estimate(WIN_SHARE);
    SCORE_MEAN: estimates("score_mean", "mean score; the interval is never too narrow")
        => row.estimate(SCORE_MEAN);
    P05: whole("score_p05", "5 % quantile of the score") => row.score_at(0.05);
    MEDIAN: whole("score_median", "50 % quantile of the score") => row.score_at(0.5);
    P95: whole("score_p95", "95 % quantile of the score") => row.score_at(0.95);
    METRICS: measure("METRIC", "metric of the game"), for metric in own_metrics(of)
        => row.measure(metric);
    NAME: label("name", "") => row.of.name;
}

/// The mean of estimates that are alike. Its interval is as wide as theirs, whatever their
/// dependence.
pub fn mean_of(all: impl IntoIterator<Item = Estimate>) -> Option<Estimate> {
    let all = Vec::from_iter(all);
    let mean = |of: fn(&Estimate) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    let [value, se] = [mean(|of| of.value), mean(|of| of.se)];
    let mean_of = Estimate {
        value,
        se,
        ..*all.first()?
    };
    Some(mean_of.within(mean(|of| of.low), mean(|of| of.high)))
}

/// Games of copies of a bot by score.
pub fn scores_of(tally: &Tally, of: &Copies) -> Vec<u64> {
    let all = of.seats.iter().map(|seat| &tally.scores[*seat]);
    let mut sums = vec![0; tally.scores[of.seats[0]].len()];
    for (sum, games) in all.flat_map(|own| own.iter().enumerate()) {
        sums[sum] += games;
    }
    sums
}

/// Metrics of the table in words: `cards per game 36.7 ± 0.1; comebacks 24 ± 1 %`.
pub fn told<'a>(
    layout: &Layout,
    tally: &Tally,
    metrics: impl Iterator<Item = &'a Metric>,
) -> String {
    let told = metrics.filter_map(|metric| {
        let value = tally.estimate(layout, MetricRef::of_table(metric.name))?;
        Some(format!("{} {value}", metric.short()))
    });
    Vec::from_iter(told).join("; ")
}

/// What short names of metrics mean, line by line; of some that differ in a number, the first.
pub fn meanings<'a>(metrics: impl Iterator<Item = &'a Metric>) -> Option<View> {
    let mut lines = Vec::from_iter(metrics.map(|metric| metric.meaning));
    lines.retain(|meaning| meaning.contains(": "));
    lines.dedup_by_key(|meaning| meaning.replace(char::is_numeric, ""));
    (!lines.is_empty()).then(|| View::text(lines.join("\n")))
}

columns! {
    pub Expected<'a>(of: (), row: &'a Expectation) "expected", "one row per expectation and table";
    METRIC: text("metric", "the metric") => row.metric;
    AT: text("at", "the side, table or cell; empty where there is one") => row.at;
    RANGE: text("range", "the range that the metric is expected in") => row.range;
    FOUND: estimates("found", "the metric, with the interval that the verdict rests on; all verdicts \
        together are right with 95 %") => row.found;
    VERDICT: text("verdict", "met, missed or undecided") => row.verdict.name();
}

columns! {
    /// The results of seats; `of` has the metrics.
    pub Seats<'a>(of: &'a Layout, row: PlayedSeat<'a>) "seats", "one row per seat, in the order given";
    SEAT: numbered("seat", SEAT) => row.of.seats[0];
    BOT: text("bot", BOT) => row.own().strategy.name;
    LABEL: maybe("label", LABEL) => row.own().person.as_ref();
    PARAMS: text("params", "parameters of the bot") => row.own().params_text();
    GAMES: whole("games", "games played") => row.tally.games;
    PASSES: whole("passes", "with on_failure = \"pass\": decisions that the program failed to take"),
        if of.passes.is_some()
        => row.tally.counts[row.layout.passes()][row.of.seats[0]];
    WIN_SHARE: estimates(WIN_SHARE, "win share; a win shared by t players counts as 1/t for each")
        => row.estimate(WIN_SHARE);
    SOLE_WINS: number("sole_win_rate", "share of games won alone")
        => row.tally.sole_wins[row.of.seats[0]] as f64 / row.tally.games as f64;
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
    NAME: label("name", "") => table_labels(row.seats)[row.of.seats[0]];
}

/// A column for each of the game's own metrics of seats.
fn own_metrics(layout: &Layout) -> impl Iterator<Item = (&Metric, String, String)> {
    let metrics = layout.own_seat_metrics().iter();
    metrics.map(|metric| (metric, metric.name.to_string(), metric.meaning.to_string()))
}

/// A table of seats or of bots without rows, with the columns of a game.
pub fn declared_with_metrics<T: Columns>(layout: &Layout) -> Sheet {
    let mut sheet = T::declared();
    let own = own_metrics(layout);
    let own = own.map(|(_, name, meaning)| Column::new(name, meaning, Values::Number(Vec::new())));
    let family = sheet.columns.len() - 1;
    sheet.columns.splice(family.., own);
    sheet
}

impl<'a> PlayedSeat<'a> {
    fn own(&self) -> &'a Seat {
        &self.seats[self.of.seats[0]]
    }

    fn estimate(&self, name: &'static str) -> Option<Estimate> {
        let seats = self.of.seats.iter();
        let refs = seats.map(|seat| MetricRef::of_seat(name, *seat));
        mean_of(refs.filter_map(|of| self.tally.estimate(self.layout, of)))
    }

    /// The mean score with the error of the games alone.
    fn score_of_games(&self) -> Option<Estimate> {
        let metric = MetricRef::of_seat(SCORE_MEAN, self.of.seats[0]);
        self.tally.estimate_games(self.layout, metric)
    }

    fn score_at(&self, share: f64) -> u64 {
        quantile(&scores_of(self.tally, &self.of), share) as u64
    }

    fn measure(&self, metric: &Metric) -> (f64, Option<Unit>) {
        let value = self
            .estimate(metric.name)
            .map_or(f64::NAN, |known| known.value);
        (value, metric.proportion.then_some(Unit::Share))
    }
}

/// A metric of the table: its name, its estimate, and its short name.
pub type MetricRow<'a> = (&'a str, Option<Estimate>, &'a str);

pub fn metric_rows<'a>(layout: &'a Layout, tally: &Tally) -> Vec<MetricRow<'a>> {
    let games = Some(Estimate::normal(tally.games as f64, 0.0));
    let mut rows = vec![("games", games, "")];
    for metric in &layout.table_metrics {
        let estimate = tally.estimate(layout, MetricRef::of_table(metric.name));
        rows.push((metric.name, estimate, metric.short()));
    }
    rows
}

columns! {
    /// Only shown: when bots say yes.
    pub Limits<'a>(of: LimitGrid, row: &'a Vec<String>) "limits", "one row per row of the grid";
    ROW: label("row", "") => row[0];
    AT: numeral("AT", ""), for at in headed(of) => row[at];
}

fn headed(grid: &LimitGrid) -> impl Iterator<Item = (usize, String, String)> {
    let heads = grid.header.iter().enumerate().skip(1);
    heads.map(|(at, head)| (at, head.clone(), String::new()))
}

/// When bots say yes, as a table and the views of it; nothing if no grid holds it.
pub fn limits(table: &FamilyTable, bots: &[Seat]) -> Option<(Sheet, [View; 2])> {
    let grid = (table.game.advice?.limits)(bots, table.players)?;
    let mut columns = heads![Limits: ROW grid.header[0].clone()];
    columns.extend(headed(&grid).map(|(_, name, _)| Limits::AT.head_of(name.clone(), name)));
    let views = [View::text(grid.title.clone()), View::print(columns)];
    Some((Limits::sheet(&grid, &grid.rows), views))
}
