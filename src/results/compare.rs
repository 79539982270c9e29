//! The report of a comparison: the difference of every metric of a side to the first side's.

use super::pictures::{self, all, rows};
use super::report::{Contents, NamedChart};
use super::rules_changed::rules_changed;
use super::store::Manifest;
use super::tables;
use super::text::View;
use super::words::{describe_changes, more_or_less};
use crate::study::Study;
use crate::study::compare::{ArmDifference, Played};
use carat_charts::labels::capitalized;
use carat_core::diagnostic::counted;
use carat_core::figure::{Figure, Figures, Multiples, RowLine, Rows};
use carat_core::game::{MetricRef, SCORE_MEAN, WIN_SHARE};
use carat_core::numbers;
use carat_core::sheet::{Sheet, Values};
use carat_core::statistics::Estimate;
use carat_core::strategy::table_labels;
use std::collections::{HashMap, HashSet};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let resolved = &played.resolved;
    let mut sheet = tables::differences(played);
    if resolved.ranked_by().is_some() {
        let meaning = "with `each`: 1 plus the count of numbers that change the metric \
                       significantly more";
        sheet.add("rank", meaning, Values::Whole(ranks(played)));
    }
    let mut study = resolved.study.clone();
    if played.outcome.missed.is_none() {
        study.run.fix_games(played.games);
    }
    manifest.study = Study::Compare(study);
    let of = Comparison {
        played,
        sheet: &sheet,
    };
    let (views, charts, summary) = match resolved.ranked_by() {
        Some(metric) => {
            let order = of.ranked(metric);
            (
                of.steps(metric, order.clone()),
                charts_of_each(&of, metric),
                of.most("One step", &order),
            )
        }
        None => (of.views(manifest), charts(&of), of.summary()),
    };
    Contents {
        charts,
        views,
        summary,
        sheets: vec![sheet],
        state: played.state.clone(),
        ..Contents::default()
    }
}

/// A played comparison with its sheet: one row per difference, in the same order.
pub struct Comparison<'a> {
    pub played: &'a Played,
    pub sheet: &'a Sheet,
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
        let above: HashSet<&String> = above.filter_map(what).collect();
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
            seats[..seat].contains(&seats[seat])
        };
        [WIN_SHARE, SCORE_MEAN].contains(&metric.name) && !is_copy
    }

    /// Whether the study asks for this difference: its metric is that of `--metric`, or a measure.
    fn is_chosen(&self, row: usize) -> bool {
        let metric = self.played.differences[row].metric;
        let study = &self.played.resolved.study;
        let mut measures = study.table.measures.iter();
        let asked = study.metric.is_some() && self.played.resolved.design.metric.covers(metric);
        asked || measures.any(|(name, _)| name == metric.name)
    }

    pub fn rows(&self, wanted: impl Fn(usize, MetricRef) -> bool) -> Vec<usize> {
        let found = self.played.differences.iter().enumerate();
        let found = found.filter(|(_, found)| wanted(found.arm, found.metric));
        found.map(|(row, _)| row).collect()
    }

    /// The rows of a metric, starting with the steps of the most important number.
    pub fn ranked(&self, metric: MetricRef) -> Vec<usize> {
        let resolved = &self.played.resolved;
        let mut rows = self.rows(|arm, of| of == metric && resolved.arms[arm].step.is_some());
        let mut sizes: HashMap<String, f64> = HashMap::new();
        for &row in &rows {
            let most = sizes.entry(self.sheet.shown("path", row)).or_default();
            *most = most.max(self.difference(row).value.abs());
        }
        let size = |row: &usize| sizes[&self.sheet.shown("path", *row)];
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
        rows.sort_by_key(|row| self.sheet.count("rank", *row));
        rows
    }

    /// The value on the first side of the metric of these rows.
    fn now(&self, rows: &[usize]) -> String {
        let first = rows.first();
        first.map_or(String::new(), |row| self.sheet.shown("value_a", *row))
    }

    fn views(&self, manifest: &Manifest) -> Vec<View> {
        let resolved = &self.played.resolved;
        let sides = &resolved.arms;
        let games = numbers::games(self.played.games);
        let first = &sides[0].name;
        let each = resolved.arms_each();
        if each > SIDES_MAX {
            return self.overview(&games);
        }
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
        let mut is_short = false;
        for (number, side) in sides[..each].iter().enumerate().skip(1) {
            let mut rows = self.rows(|of, metric| of % each == number && self.is_shown(of, metric));
            let all = rows.len();
            if rows.iter().any(|row| self.is_chosen(*row)) {
                rows.retain(|row| self.is_chosen(*row));
                is_short |= rows.len() < all;
            }
            let columns = format!(
                "what: metric | of | table | value_a: {first} | value: {} | difference: change | \
                 verdict",
                side.name
            );
            // What one metric does at each table stands together.
            let metric = |row: &usize| self.played.differences[*row].metric;
            let order: Vec<MetricRef> = rows.iter().map(metric).collect();
            rows.sort_by_key(|row| order.iter().position(|known| *known == metric(row)));
            views.push(View::text(format!("{} against {first}", side.name)));
            views.extend(View::print_rows("differences", &columns, rows));
        }
        views.push(View::text(self.summary()));
        let mut note = JOINTLY.to_string();
        if is_short {
            note += " The other metrics are in differences.csv.";
        }
        views.push(View::text(note));
        views
    }

    /// One metric of many sides, side by side.
    fn overview(&self, games: &str) -> Vec<View> {
        let resolved = &self.played.resolved;
        let layout = resolved.first().table.layout();
        let metric = match resolved.study.metric {
            Some(_) => resolved.design.metric,
            None => MetricRef::of_table(layout.table_metrics[0].name),
        };
        let sides = &resolved.arms;
        let columns = format!(
            "side | table | of | difference | verdict:  | value_a: {} | value: this side",
            sides[0].name
        );
        let rows = self.rows(|_, of| metric.covers(of));
        let head = resolved.headline();
        let name = metric.to_string().replace('_', " ");
        let mut views = vec![
            View::text(format!("{head} · {} sides · {games} each", sides.len())),
            View::text(format!("{name}: {}", layout.title(metric))),
        ];
        views.extend(View::print_rows("differences", &columns, rows));
        views.push(View::text(JOINTLY));
        views
    }

    /// Each number with the effect of one step down and one step up on a metric.
    fn steps(&self, metric: MetricRef, order: Vec<usize>) -> Vec<View> {
        let resolved = &self.played.resolved;
        let games = numbers::games(self.played.games);
        let columns = "rank | path: number | from: now | to: step to | difference | verdict: ";
        let now = self.now(&order);
        let title = capitalized(&resolved.first().table.layout().title(metric));
        let steps = counted(order.len(), "step");
        let head = format!("{} · {steps} · {games} each", resolved.headline());
        let mut views = vec![View::text(format!("{head}\n{title}: {now}"))];
        views.extend(View::print_rows("differences", columns, order));
        views.push(View::text(format!(
            "{JOINTLY}\nRank: 1 plus the count of numbers with a significantly larger effect. \
             Numbers of equal rank are in no particular order."
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
        lines.join("\n")
    }

    fn difference(&self, row: usize) -> Estimate {
        self.played.differences[row].difference.difference
    }

    /// The distance of a difference from 0, in standard errors.
    fn sureness(&self, row: usize) -> f64 {
        let found = self.difference(row);
        found.value.abs() / found.se.max(f64::MIN_POSITIVE)
    }

    /// The number of significant differences, and the clearest of them.
    fn most(&self, name: &str, rows: &[usize]) -> String {
        let shown = |column: &str, row: usize| self.sheet.shown(column, row);
        let mut clear = rows.to_vec();
        clear.retain(|row| self.difference(*row).low > 0.0 || self.difference(*row).high < 0.0);
        let (count, all) = (clear.len(), rows.len());
        let of = format!("{name}: {count} of {all} differences are significant");
        let mut named = Vec::new();
        let tables = self.played.resolved.tables.len();
        for &row in clear.iter().take(NAMED.div_ceil(tables)) {
            let what = match shown("path", row).as_str() {
                "" if shown("of", row) == "table" => shown("what", row),
                "" => format!("{} of {}", shown("what", row), shown("of", row)),
                number => format!("{number} to {}", shown("to", row)),
            };
            let (change, from) = (self.difference(row), shown("value_a", row));
            named.push(format!("{what} {change:+}, from {from}"));
        }
        if named.is_empty() {
            return format!("{of}.");
        }
        format!("{of}. The clearest: {}.", named.join("; "))
    }
}

/// Most sides on one chart.
const SIDES_MAX: usize = 4;
/// Most numbers on a chart of steps.
const NUMBERS_MAX: usize = 25;
/// The same of a small one.
const SMALL_MAX: usize = 4;

const POINTS: &str = "percentage points";
const PERCENT: &str = "percent";

/// The charts of differences: those of one metric in its unit; those of several together in
/// percentage points, or relative to the first side.
fn charts(of: &Comparison) -> Vec<NamedChart> {
    let resolved = &of.played.resolved;
    let first = resolved.first();
    let games = numbers::games(of.played.games);
    let played = format!("{} · {games} on each side", resolved.headline());
    let layout = first.table.layout();
    let than = match &resolved.arms[0].name {
        letter if letter.chars().count() == 1 => format!("side {letter}"),
        name => name.to_string(),
    };
    let mut figures = Vec::new();
    let tables = resolved.tables.len();
    if resolved.arms_each() > SIDES_MAX || tables > 1 && resolved.arms_each() > 2 {
        let label = if tables > 1 { "side_at" } else { "side" };
        for metric in &layout.table_metrics {
            let order = of.rows(|_, of| of == MetricRef::of_table(metric.name));
            let Some(&row) = order.first() else { continue };
            let than = format!("{than}, where it is {}", of.now(&order));
            let unit = if metric.proportion { POINTS } else { "" };
            let title = capitalized(&of.sheet.shown("what", row));
            let chart = differences(of, &title, label, more_or_less(unit, &than), order);
            figures.push((metric.name, chart));
        }
        return all(&played, figures);
    }
    // A name longer than a letter needs no description.
    let head = |(name, changes): (&String, &Vec<String>)| match name.chars().count() {
        1 => format!("{name}: {}", describe_changes(changes)),
        _ => name.to_string(),
    };
    let mut heads: Vec<String> = resolved.study.sides.0.iter().map(head).collect();
    let key = if tables > 1 {
        resolved.tables.clone()
    } else {
        heads.split_off(if heads.len() == 2 { 2 } else { 1 })
    };
    let score = first.game.score_unit;
    let kinds = [
        ("win_share_differences", "Change in win shares", POINTS),
        ("score_differences", "Change in mean scores", score),
        ("table_differences", "Change in the game", PERCENT),
        ("table_shares", "Change in shares of the game", POINTS),
    ];
    for (name, title, unit) in kinds {
        let is_of_table = name.starts_with("table");
        let label = if is_of_table { "what" } else { "of" };
        let order = of.rows(|_, metric| match name {
            // Seats of tables of several line-ups have little in common.
            "win_share_differences" => metric.name == WIN_SHARE && tables == 1,
            "score_differences" => metric.name == SCORE_MEAN && tables == 1,
            _ => metric.seat().is_none() && layout.is_share(metric) == (unit == POINTS),
        });
        let mut chart = differences(of, title, label, more_or_less(unit, &than), order);
        if let Figure::Rows(rows) = &mut chart {
            rows.key = key.clone();
        }
        figures.push((name, chart));
    }
    all(&format!("{played} · {}", heads.join(" · ")), figures)
}

/// Rows of differences with a line for each side, in percent for a relative axis.
fn differences(
    of: &Comparison,
    title: &str,
    label: &str,
    axis: String,
    order: Vec<usize>,
) -> Figure {
    let is_relative = axis.starts_with(&format!("{PERCENT} "));
    let base = |row: usize| of.played.differences[row].difference.a.abs();
    let order = order.into_iter();
    let order = order.filter(|row| !is_relative || base(*row) > 0.0);
    let rows = rows(of.sheet, order, label, "difference", |row, estimate| {
        let scale = if is_relative { 100.0 / base(row) } else { 1.0 };
        let side = of.played.differences[row].arm;
        let line = match of.played.resolved.tables.len() {
            _ if label.starts_with("side") => 0,
            1 => side - 1,
            _ => of.played.resolved.design.groups[side],
        };
        RowLine::of(line, estimate.scaled(scale))
    });
    let mut chart = Rows::differences(title, axis, rows);
    if is_relative {
        chart.figures = Figures::Percents;
    }
    Figure::Rows(chart)
}

/// A chart of the metric by which steps are ranked, and a page of small ones for all others of the
/// table.
fn charts_of_each(of: &Comparison, ranked_by: MetricRef) -> Vec<NamedChart> {
    let resolved = &of.played.resolved;
    let metrics = resolved.first().table.layout().table_metrics.iter();
    let others = metrics.map(|metric| MetricRef::of_table(metric.name));
    let others = others.filter(|other| *other != ranked_by);
    let games = numbers::games(of.played.games);
    let played = format!(
        "{} · {games} each · the {SMALL_MAX} numbers with the largest effect",
        resolved.headline()
    );
    let page = Multiples {
        title: "Effect of one step on other metrics".to_string(),
        charts: others.map(|other| small_steps(of, other)).collect(),
    };
    let page = NamedChart::new("other_metrics", &played, Figure::Multiples(page));
    vec![steps(of, ranked_by), page]
}

/// What one step of the numbers that matter most to a metric changes, without their values now.
fn small_steps(of: &Comparison, metric: MetricRef) -> Rows {
    let layout = of.played.resolved.first().table.layout();
    let order = of.ranked(metric);
    let (mut rows, _) = pictures::steps(of.sheet, &order, "path", ("from", "now"));
    rows.truncate(SMALL_MAX);
    for row in &mut rows {
        row.detail.clear();
    }
    let axis = format!("more (right) or less (left) than {}", of.now(&order));
    Rows {
        figures: Figures::Changes,
        ..Rows::differences(capitalized(&layout.title(metric)), axis, rows)
    }
}

/// The chart of the effects of one step down and one step up of each number.
fn steps(of: &Comparison, metric: MetricRef) -> NamedChart {
    let resolved = &of.played.resolved;
    let layout = resolved.first().table.layout();
    let order = of.ranked(metric);
    let (mut rows, idle) = pictures::steps(of.sheet, &order, "path", ("from", "now"));
    let all = rows.len() + idle.len();
    rows.truncate(NUMBERS_MAX);
    let left_out = match rows.len() {
        shown if shown == all => String::new(),
        shown => format!(" · the {shown} numbers (of {all}) with the largest effect"),
    };
    let games = numbers::count(of.played.games);
    let played = format!("{} · {games} games each{left_out}", resolved.headline());
    let (now, is_share) = (of.now(&order), layout.is_share(metric));
    let chart = pictures::of_steps(&layout.title(metric), &now, is_share, rows, String::new());
    NamedChart::new("steps", &played, chart)
}
