//! The report of a comparison: the difference of every metric of a side to the first side's.

mod agreement;
mod charts;

use self::charts::{SIDES_MAX, charts, charts_of_each};
use super::contents::Contents;
use super::manifest::Manifest;
use super::pictures::{self, Step};
use super::rules_changed::rules_changed;
use super::tables::{LABEL, meanings};
use super::text::View;
use super::words::{describe_changes, holds_for, seated};
use crate::study::compare::{ArmDifference, Played};
use crate::study::{Arm, Expectation, NumberStep, Study};
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::game::{Metric, MetricRef, SCORE_MEAN, WIN_SHARE, copies};
use carat_core::numbers;
use carat_core::sheet::{Columns, format_measure};
use carat_core::simulation::TargetVerdict;
use carat_core::simulation::verdict::Verdict;
use carat_core::statistics::{Estimate, Unit};
use carat_core::strategy::{Seat, table_labels};
use carat_core::{columns, heads};
use std::collections::{BTreeMap, BTreeSet};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let resolved = &played.resolved;
    let mut study = resolved.study.clone();
    study.run.populations = manifest.study.run.populations;
    let ends_again = study.decide.is_some() && played.outcome.interrupted.is_none();
    if played.outcome.missed.is_none() && !ends_again {
        study.fix_games(played.games);
    }
    manifest.study = Study::Compare(study);
    let ranks = ranks(played);
    let of = Comparison { played, ranks };
    let (views, charts, summary) = match resolved.ranked_by() {
        Some(metric) => {
            let order = of.ranked(metric);
            (
                of.steps(metric, order.clone()),
                charts_of_each(&of, metric),
                of.most("One step", &order) + &holds_for(&of.players()),
            )
        }
        None => (of.views(manifest), charts(&of), of.summary()),
    };
    Contents {
        charts,
        views,
        summary,
        sheets: vec![Differences::sheet(&of, 0..played.differences.len())],
        state: played.state.clone(),
        ..Contents::default()
    }
}

/// A played comparison with the rank of each difference; rows are differences.
pub struct Comparison<'a> {
    played: &'a Played,
    ranks: Vec<Option<u64>>,
}

columns! {
    pub Differences<'a>(of: Comparison<'a>, row: usize)
    "differences", "one row per side (except the first), metric and seat";
    SIDE: text("side", "name of the side") => of.side(*row).name;
    TABLE: text("table", "table at which the side plays"), if of.played.resolved.tables.len() > 1
        => of.table(*row);
    METRIC: text("metric", "the metric") => of.row(*row).metric.name;
    SEAT: whole("seat", "seat of the metric, from 1; empty for metrics of the table")
        => of.row(*row).metric.seat()? as u64 + 1;
    BOT: maybe("bot", "bot at that seat on this side") => Some(of.seat(*row)?.label());
    LABEL: maybe("label", LABEL) => of.seat(*row)?.person.as_ref();
    VALUE_A: measure("value_a", "value of the metric on the first side")
        => (of.row(*row).difference.a, Some(of.unit(*row)));
    VALUE: measure("value", "value of the metric on this side")
        => (of.row(*row).difference.b, Some(of.unit(*row)));
    DIFFERENCE: estimates("difference", "value minus value_a, from the same games")
        => of.difference(*row);
    DECIDED: maybe("decided", "with `decide`: more, less or within the margin; the error is 5 % for all \
        decided differences together"), if of.decides()
        => Some(of.played.decided(of.row(*row))?.1?.name());
    ANY_LOW: number("anytime_low", "with `decide`: lower end of an interval that holds after any number of \
        games"), if of.decides() => of.played.decided(of.row(*row))?.0.low;
    ANY_HIGH: number("anytime_high", "with `decide`: upper end of that interval"), if of.decides()
        => of.played.decided(of.row(*row))?.0.high;
    ANY_TIME: figures("any_time", ""), if of.decides()
        => Some(of.played.decided(of.row(*row))?.0);
    WHAT: label("what", "") => of.what(*row);
    OF: label("of", "") => of.of(*row);
    RELATIVE: numeral("relative", "") => of.relative(*row);
    VERDICT: label("verdict", "") => of.verdict(*row);
    PATH: maybe("path", "with `each`: path of the number"),
        if of.is_each() => Some(&of.step(*row)?.what);
    FROM: maybe("from", "with `each`: the number on the first side"), if of.is_each()
        => Some(&of.step(*row)?.from);
    TO: maybe("to", "with `each`: the number on this side"), if of.is_each()
        => Some(&of.step(*row)?.to);
    RANK: whole("rank", "with `each`: 1 plus the count of numbers that change the metric \
        significantly more"), if of.is_each() => of.ranks[*row];
}

const JOINTLY: &str = "All sides play the same games. Each interval has 95 % coverage on its own, \
                       not jointly.";
/// Differences that a summary names of a side.
const NAMED: usize = 5;

/// For each step's difference, the rank of its number by the larger step: 1 plus how many numbers
/// change its metric significantly more.
fn ranks(played: &Played) -> Vec<Option<u64>> {
    let what = |row: &ArmDifference| Some(&played.resolved.arms[row.arm].step.as_ref()?.what);
    let size = |row: &ArmDifference| {
        let found = row.difference.difference;
        [-1.0, 1.0].map(|end| found.value.abs() + end * found.half_width())
    };
    let rank = |own: &ArmDifference| {
        let of_metric = played.differences.iter();
        let of_metric = of_metric.filter(|row| row.metric == own.metric);
        let same = of_metric.clone().filter(|row| what(row) == what(own));
        let high = same.map(|row| size(row)[1]).fold(0.0, f64::max);
        let above = of_metric.filter(|row| size(row)[0] > high);
        let above: BTreeSet<&String> = above.filter_map(what).collect();
        what(own).map(|_| 1 + above.len() as u64)
    };
    played.differences.iter().map(rank).collect()
}

/// Bots at a table, each with the number of its copies.
fn counted_labels(labels: &[String]) -> String {
    let bots = labels.chunk_by(|a, b| a == b).map(|same| match same {
        [one] => one.clone(),
        _ => format!("{}*{}", same.len(), same[0]),
    });
    Vec::from_iter(bots).join(", ")
}

impl Comparison<'_> {
    fn decides(&self) -> bool {
        let resolved = &self.played.resolved;
        resolved.study.decide.is_some() && self.played.outcome.interrupted.is_none()
    }

    fn is_each(&self) -> bool {
        self.played.resolved.ranked_by().is_some()
    }

    fn row(&self, row: usize) -> &ArmDifference {
        &self.played.differences[row]
    }

    fn side(&self, row: usize) -> &Arm {
        &self.played.resolved.arms[self.row(row).arm]
    }

    fn step(&self, row: usize) -> Option<&NumberStep> {
        self.side(row).step.as_ref()
    }

    /// The seat of the metric on its side.
    fn seat(&self, row: usize) -> Option<&Seat> {
        let seat = self.row(row).metric.seat()?;
        self.side(row).seated.seats.get(seat)
    }

    fn table(&self, row: usize) -> &str {
        let resolved = &self.played.resolved;
        &resolved.tables[resolved.design.groups[self.row(row).arm]]
    }

    fn metric(&self, row: usize) -> Option<&Metric> {
        let layout = self.side(row).layout();
        layout.metric(self.row(row).metric)
    }

    fn unit(&self, row: usize) -> Unit {
        match self.metric(row) {
            Some(metric) if metric.proportion => Unit::Share,
            _ => Unit::Amount,
        }
    }

    /// The metric in words; of scores with their unit.
    fn what(&self, row: usize) -> String {
        let what = self.metric(row).map_or("", Metric::short);
        match self.row(row).metric.name {
            SCORE_MEAN => format!("{what} ({})", self.side(row).seated.game.score_unit),
            _ => what.to_string(),
        }
    }

    /// The change of an amount in percent of the first side.
    fn relative(&self, row: usize) -> String {
        let first = self.row(row).difference.a;
        if self.unit(row) == Unit::Share || first == 0.0 {
            return String::new();
        }
        let change = 100.0 * self.difference(row).value / first;
        format!(
            "{} %",
            numbers::number(change, usize::from(change.abs() < 10.0))
        )
    }

    /// Whether a difference is significant, and if not, how large it may still be.
    fn verdict(&self, row: usize) -> String {
        if let Some((_, verdict)) = self.played.decided(self.row(row)) {
            return verdict.map_or("not decided".to_string(), |it| {
                format!("decided: {}", it.name())
            });
        }
        let found = self.difference(row);
        if let Some(verdict) = Verdict::of(&found, None) {
            return verdict.name().to_string();
        }
        let most = found.low.abs().max(found.high.abs());
        if most == 0.0 || !most.is_finite() {
            return "not significant".to_string();
        }
        let (scale, unit) = match self.unit(row) {
            Unit::Share => (100.0, " points"),
            _ => (1.0, ""),
        };
        format!(
            "not significant; any change is at most {}{unit}",
            numbers::rounded(scale * most)
        )
    }

    /// What a metric is of: the table, or a seat with the bot that it has on all sides.
    fn of(&self, row: usize) -> String {
        let resolved = &self.played.resolved;
        let Some(seat) = self.row(row).metric.seat() else {
            return "table".to_string();
        };
        let called = |side: usize| Some(resolved.arms[side].seated.seats.get(seat)?.called());
        let own = called(self.row(row).arm);
        let first = resolved.design.reference(self.row(row).arm);
        let mut others = first..first + resolved.arms_each();
        match own {
            Some(bot) if others.all(|side| called(side).as_ref() == Some(&bot)) => {
                match self.copies(self.row(row).arm, seat) {
                    1 => format!("{bot} (seat {})", seat + 1),
                    copies => format!("{bot}, one of {copies} seats"),
                }
            }
            _ => format!("seat {}", seat + 1),
        }
    }

    /// Whether the tables of the terminal have a metric of a side: metrics of the table, win shares
    /// and mean scores. Of copies of a bot they have the first, and none where tables differ.
    fn is_shown(&self, side: usize, metric: MetricRef) -> bool {
        let Some(seat) = metric.seat() else {
            return true;
        };
        let resolved = &self.played.resolved;
        let seats = &resolved.arms[side].seated.seats;
        let is_copy = if resolved.tables.len() > 1 {
            seats.iter().filter(|other| **other == seats[seat]).count() > 1
        } else {
            // Shows only the first of several seats if they have the same bot on every side.
            let arms = &resolved.arms;
            (0..seat).any(|first| {
                let mut seated = arms.iter().map(|arm| &arm.seated.seats);
                seated.all(|seats| seats.get(first) == seats.get(seat))
            })
        };
        let first = resolved.design.reference(side);
        let is_equal = metric.name == WIN_SHARE
            && [first, side].map(|side| self.copies(side, seat)) == [seats.len(); 2];
        [WIN_SHARE, SCORE_MEAN].contains(&metric.name) && !is_copy && !is_equal
    }

    /// The number of seats with the same bot as this one; their results differ only by chance.
    fn copies(&self, side: usize, seat: usize) -> usize {
        let seated = &self.played.resolved.arms[side].seated;
        let all = copies(&seated.seats, seated.spec.seating);
        let own = all.iter().find(|of| of.seats.contains(&seat));
        own.map_or(1, |of| of.seats.len())
    }

    /// The bots that no side changes, or the tables.
    fn players(&self) -> String {
        let resolved = &self.played.resolved;
        if resolved.tables.len() > 1 {
            return resolved.tables.join(", ");
        }
        let first = &resolved.arms[0].seated;
        let is_kept = |seat: &Seat| {
            resolved
                .arms
                .iter()
                .all(|arm| arm.seated.seats.contains(seat))
        };
        seated(&first.seats, first.spec.seating, is_kept)
    }

    /// The differences of the metric that the study names.
    fn asked(&self) -> Vec<usize> {
        let study = &self.played.resolved.study;
        let asked = self.played.resolved.design.metric;
        let is_named = study.metric.is_some() || study.decide.is_some();
        self.rows(|side, metric| {
            let of_copy = asked != metric
                && [WIN_SHARE, SCORE_MEAN].contains(&metric.name)
                && !self.is_shown(side, metric);
            is_named && asked.covers(metric) && !of_copy
        })
    }

    /// The differences of measures, which are shown beside all others.
    fn measured(&self) -> Vec<usize> {
        let measures = &self.played.resolved.study.table.measures;
        self.rows(|_, metric| measures.iter().any(|(name, _)| name == metric.name))
    }

    fn rows(&self, wanted: impl Fn(usize, MetricRef) -> bool) -> Vec<usize> {
        let found = self.played.differences.iter().enumerate();
        let found = found.filter(|(_, found)| wanted(found.arm, found.metric));
        found.map(|(row, _)| row).collect()
    }

    /// The rows of a metric, starting with the steps of the most important number.
    fn ranked(&self, metric: MetricRef) -> Vec<usize> {
        let resolved = &self.played.resolved;
        let mut rows = self.rows(|arm, of| of == metric && resolved.arms[arm].step.is_some());
        let number = |row: usize| self.step(row).map(|step| &step.what);
        let mut sizes: BTreeMap<_, f64> = BTreeMap::new();
        for &row in &rows {
            let most = sizes.entry(number(row)).or_default();
            *most = most.max(self.difference(row).value.abs());
        }
        rows.sort_by(|a, b| sizes[&number(*b)].total_cmp(&sizes[&number(*a)]));
        rows.sort_by_key(|row| self.ranks[*row]);
        rows
    }

    /// The value on the first side of the metric of these rows.
    fn now(&self, rows: &[usize]) -> String {
        let first = rows.first();
        first.map_or(String::new(), |row| self.value_a(*row))
    }

    fn value_a(&self, row: usize) -> String {
        format_measure(self.row(row).difference.a, Some(&self.unit(row)))
    }

    /// How sure the surest change of this row's metric is, of all tables and sides.
    fn clearest(&self, row: usize) -> f64 {
        let metric = self.row(row).metric;
        let same = self.rows(|_, other| other == metric).into_iter();
        same.map(|row| self.sureness(row)).fold(0.0, f64::max)
    }

    fn views(&self, manifest: &Manifest) -> Vec<View> {
        let resolved = &self.played.resolved;
        let sides = &resolved.arms;
        let games = numbers::games(self.played.games);
        let first = &sides[0].name;
        let each = resolved.arms_each();
        let mut head = vec![resolved.headline(), format!("{games} on each side")];
        if resolved.tables.len() > 1 {
            head = vec![format!("{} · {games} each", resolved.first().game.title)];
            for (name, line_up) in resolved.tables.iter().zip(sides.iter().step_by(each)) {
                let seats = table_labels(&line_up.seated.seats);
                head.push(format!("  {name}: {}", counted_labels(&seats)));
            }
        }
        let changed = rules_changed(manifest, resolved.first().game);
        for name in resolved.study.sides.0.keys() {
            let own = changed.iter().find(|changed| changed.of == *name);
            let own = own.map_or("unchanged".to_string(), |changed| changed.lines.join("; "));
            head.push(format!("  {name}: {own}"));
        }
        let mut views = vec![View::text(head.join("\n"))];
        let mut rows = self.rows(|of, metric| self.is_shown(of, metric));
        let (all, asked) = (rows.len(), self.asked());
        if !asked.is_empty() {
            rows = asked;
        } else if each > SIDES_MAX {
            let first = resolved.first().table.layout().table_metrics[0].name;
            rows.retain(|row| self.row(*row).metric == MetricRef::of_table(first));
        }
        // What changed most comes first.
        rows.sort_by(|&a, &b| self.clearest(b).total_cmp(&self.clearest(a)));
        let measured = self.measured();
        rows.retain(|row| !measured.contains(row));
        rows.extend(measured);
        let is_short = rows.len() < all;
        let mut columns = heads![Differences: WHAT "metric", OF, TABLE, SIDE, VALUE_A first, VALUE
            if each > 2 { "value" } else { &sides[1].name }, DIFFERENCE "change", RELATIVE "in %",
            ANY_TIME "at any time", VERDICT];
        let has_percent = rows.iter().any(|row| !self.relative(*row).is_empty());
        columns.retain(|head| each > 2 || head.column != Differences::SIDE.name);
        columns.retain(|head| has_percent || head.column != Differences::RELATIVE.name);
        // What one metric does at each table and on each side stands together.
        let place = |row: &usize| (self.row(*row).metric, self.table(*row));
        let order: Vec<_> = rows.iter().map(place).collect();
        let metric = |row: &usize| order.iter().position(|(known, _)| *known == place(row).0);
        let at_table = |row: &usize| order.iter().position(|known| *known == place(row));
        rows.sort_by_key(|row| (metric(row), at_table(row)));
        views.push(View::text(format!("Changes are against {first}.")));
        let known = BTreeSet::from_iter(rows.iter().map(|row| self.row(*row).metric.name));
        let layout = resolved.first().table.layout();
        let metrics = layout.table_metrics.iter();
        let meanings = meanings(metrics.filter(|metric| known.contains(metric.name)));
        views.extend(View::print_rows(columns, rows));
        views.extend(meanings);
        if self.decides() {
            views.push(View::text(format!(
                "The intervals in the column `at any time` hold at any number of games, so the run \
                 could stop after {games} by what it saw; all verdicts together are wrong with a \
                 probability of at most 5 %. The other intervals do not allow for that."
            )));
        }
        if each <= SIDES_MAX {
            views.extend((1..each).filter_map(|side| self.agreement(side).map(View::text)));
            views.push(View::Summary(Vec::new()));
        }
        let mut note = JOINTLY.to_string();
        if is_short {
            note += " The other metrics are in differences.csv.";
        }
        views.push(View::text(note));
        views
    }

    /// Each number with the effect of one step down and one step up on a metric.
    fn steps(&self, metric: MetricRef, mut order: Vec<usize>) -> Vec<View> {
        let resolved = &self.played.resolved;
        let games = numbers::games(self.played.games);
        let columns = heads![Differences: RANK, PATH "number", FROM "now", TO "step to", DIFFERENCE,
            VERDICT ""];
        let now = self.now(&order);
        let title = capitalized(&resolved.first().table.layout().title(metric));
        let steps = counted(order.len(), "step");
        let head = format!("{} · {steps} · {games} each", resolved.headline());
        let mut views = vec![View::text(format!("{head}\n{title}: {now}"))];
        let (_, idle) = pictures::steps(&self.steps_of(&order));
        order.retain(|row| (self.step(*row)).is_none_or(|step| !idle.contains(&step.what)));
        views.extend(View::print_rows(columns, order));
        views.push(View::text(format!(
            "{JOINTLY}\nRank: 1 plus the count of numbers with a significantly larger effect. \
             Numbers of equal rank are in no particular order. Numbers without any effect are only in \
             differences.csv."
        )));
        views
    }

    /// The summary: the clearest differences of each side.
    fn summary(&self) -> String {
        let resolved = &self.played.resolved;
        let mut lines = Vec::new();
        for (number, side) in resolved.arms.iter().enumerate() {
            if resolved.design.reference(number) == number {
                continue;
            }
            let mut rows = self.rows(|of, metric| of == number && self.is_shown(of, metric));
            let changes = resolved.study.sides.0.get(&side.name);
            let changes = changes.map_or(String::new(), |changes| describe_changes(changes));
            let name = match side.name.chars().count() {
                1 => format!("{changes} (side {})", side.name),
                _ => side.name.clone(),
            };
            let name = match resolved.tables[resolved.design.groups[number]].as_str() {
                "" => name,
                table => format!("{name}, {table}"),
            };
            rows.sort_by(|&a, &b| self.sureness(b).total_cmp(&self.sureness(a)));
            lines.push(self.most(&name, &rows));
        }
        lines.join("\n") + &holds_for(&self.players())
    }

    fn difference(&self, row: usize) -> Estimate {
        self.played.differences[row].difference.difference
    }

    fn steps_of(&self, rows: &[usize]) -> Vec<Step> {
        let step = |&row: &usize| {
            let step = self.step(row)?;
            let rank = self.ranks[row].map_or(String::new(), |rank| format!(" · rank {rank}"));
            Some(Step {
                number: step.what.clone(),
                detail: format!("now {}{rank}", step.from),
                is_down: step.down,
                to: step.to.clone(),
                difference: Some(self.difference(row)),
            })
        };
        rows.iter().filter_map(step).collect()
    }

    /// The distance of a difference from 0, in standard errors.
    fn sureness(&self, row: usize) -> f64 {
        let found = self.difference(row);
        found.value.abs() / found.se.max(f64::MIN_POSITIVE)
    }

    /// The number of significant differences, and the clearest of them.
    fn most(&self, name: &str, rows: &[usize]) -> String {
        let mut clear = rows.to_vec();
        clear.retain(|row| self.difference(*row).low > 0.0 || self.difference(*row).high < 0.0);
        let (count, all) = (clear.len(), rows.len());
        let of = format!("{name}: {count} of {all} differences are significant");
        let mut named = Vec::new();
        let tables = self.played.resolved.tables.len();
        for &row in clear.iter().take(NAMED.div_ceil(tables)) {
            let what = match (self.step(row), self.row(row).metric.seat()) {
                (Some(step), _) => format!("{} to {}", step.what, step.to),
                (None, Some(_)) => format!("{} of {}", self.what(row), self.of(row)),
                (None, None) => self.what(row),
            };
            let (change, from) = (self.difference(row), self.value_a(row));
            named.push(format!("{what}: {change:+}, from {from}"));
        }
        if named.is_empty() {
            return format!("{of}.");
        }
        format!("{of}. The clearest: {}.", named.join("; "))
    }
}

/// What a study that decides says about each side: met where it has more of the metric, or differs
/// by at most the margin.
pub fn expectations(played: &Played) -> Vec<Expectation> {
    let mut all = played.outcome.expectations.clone();
    for row in &played.differences {
        let Some((found, verdict)) = played.decided(row) else {
            continue;
        };
        let margin = played
            .resolved
            .study
            .decide
            .as_ref()
            .and_then(|it| it.margin);
        all.push(Expectation {
            metric: format!("change of {}", row.metric),
            at: played.resolved.arms[row.arm].at.join(", "),
            range: margin.map_or("0..".to_string(), |margin| format!("-{margin}..")),
            verdict: match verdict {
                None => TargetVerdict::Undecided,
                Some(Verdict::Less) => TargetVerdict::Missed,
                Some(Verdict::More | Verdict::Within) => TargetVerdict::Met,
            },
            found: Some(found),
        });
    }
    all
}
