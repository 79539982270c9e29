//! The report of a tuning: the best values, their gain, and how much each value matters.

mod charts;
pub mod sheets;
mod words;

use super::contents::Contents;
use super::rules_changed::{RulesChanged, rules_found};
use super::text::View;
use crate::study::table::headline_of;
use crate::study::tune::Played;
use crate::study::{Remark, rules_file};
use carat_core::diagnostic::counted;
use carat_core::game::{Game, explained};
use carat_core::simulation::TargetVerdict;
use carat_core::strategy::with_changes;
use carat_core::tuning::{Deviation, Edge, MetricTarget, Sought, Tried};
use std::cmp::Ordering;
use std::fmt::Display;

pub fn content(played: &Played) -> Contents {
    let headline = headline(played);
    let first = played.resolved.first();
    let mut files = played.files();
    let mut names = files.iter_mut();
    let mut found = None;
    if let Some((_, text)) = names.find(|(name, _)| name == "best-rules.toml") {
        let given = rules_file(first).unwrap_or_default();
        found = rules_found(
            with_changes(&first.rules.name, &first.spec.set),
            &given,
            text,
        );
        if let Some(found) = &found {
            *text = noted(std::mem::take(text), found, first.game);
        }
    }
    let summary = words::summary(played);
    let charts = charts::charts(&headline, played);
    let mut views = words::views(headline, played);
    let flaws = &played.flaws;
    views.extend((!flaws.is_empty()).then(|| View::Remark(Remark::Broken(flaws.clone()))));
    Contents {
        charts,
        sheets: sheets::sheets(played),
        files,
        found,
        views,
        summary,
        ..Contents::default()
    }
}

/// Most values that a title names; it counts more.
const NAMED: usize = 3;

/// A rules file with the meaning of each key, a title and a note that list the changes.
fn noted(text: String, changed: &RulesChanged, game: &Game) -> String {
    let with = match changed.lines.len() {
        0..=NAMED => changed.lines.join("; "),
        many => format!("{many} values changed"),
    };
    let mut noted = format!(
        "# Found by carat tune. It differs from {} in:\n",
        changed.from
    );
    for line in &changed.lines {
        noted.push_str(&format!("# - {}\n", line.replace('\n', " ")));
    }
    let plain = text.parse().ok().and_then(|mut values: toml::Table| {
        let title = values.get("title").and_then(toml::Value::as_str);
        let title = format!("{}, tuned: {with}", title.unwrap_or_default());
        values.insert("title".to_string(), title.into());
        toml::to_string(&values).ok()
    });
    let file = plain.and_then(|plain| explained(game.rules_keys, &plain));
    noted + "\n" + &file.unwrap_or(text)
}

fn headline(played: &Played) -> String {
    let resolved = &played.resolved;
    let tables = match resolved.tables.len() {
        1 => String::new(),
        tables => format!(" · {tables} tables"),
    };
    let rounds = played.found.tried.last().map_or(0, |tried| tried.round);
    format!(
        "{}{tables} · {} in {}",
        headline_of(&Vec::from_iter(&resolved.tables)),
        counted(played.found.tried.len(), "evaluation"),
        counted(rounds, "heat"),
    )
}

/// The best, even if another one dominates it in the games of the search; then candidates that no
/// other dominates, where there are wishes only those that may meet all that must be met, in the
/// order of the first wish, or else of what is sought first.
fn front(played: &Played) -> Vec<&Tried> {
    let aim = &played.resolved.aim;
    let mut front = played.found.front();
    let mut first = 0;
    if let Some(wish) = aim.targets.iter().find(|target| target.is_wish) {
        let mut sought = played.sought().into_iter();
        let is_wish = |of: Sought| of.metric == wish.metric && of.tables.contains(&wish.tables[0]);
        first = sought.position(is_wish).unwrap_or(0);
        front.retain(|tried| aim.in_order(&tried.criteria)[0].better <= 0.0);
    }
    let is_best = |tried: &&Tried| tried.point == played.found.best;
    front.retain(|tried| !is_best(tried));
    let value = |tried: &Tried| tried.estimates[first].map_or(f64::MAX, |it| it.value);
    front.sort_by(|a, b| value(a).total_cmp(&value(b)));
    let best = played.found.tried.iter().rev().find(is_best);
    best.into_iter().chain(front).collect()
}

/// How a point compares to the best, in a few words.
fn judged(deviation: &Deviation) -> &'static str {
    match deviation.against_best {
        Ordering::Less => "worse",
        Ordering::Greater if deviation.is_better() => "better",
        Ordering::Greater if deviation.verdict() == TargetVerdict::Undecided => {
            "better, but a target is undecided"
        }
        Ordering::Greater => "better, but misses a target",
        Ordering::Equal => "statistically tied",
    }
}

/// The name of what is sought, with its table where there are several.
fn title(played: &Played, sought: &Sought) -> String {
    let title = played.title(sought.metric);
    match sought.tables.len() {
        1 => at_table(played, sought, title),
        _ => format!("{title}, mean of all tables"),
    }
}

/// The name with the table of what is sought, which is `all` for the mean of several.
fn at_table(played: &Played, sought: &Sought, name: impl Display) -> String {
    let tables = played.resolved.tables.len();
    if sought.tables.len() == tables {
        return match tables {
            1 => name.to_string(),
            _ => format!("{name} at all"),
        };
    }
    format!("{name} at {}", table_name(played, sought.tables.start))
}

fn table_name(played: &Played, table: usize) -> String {
    played.resolved.name_of(table)
}

fn range(target: &MetricTarget, share: bool) -> String {
    let shown = |value: f64, unit: &str| {
        if share {
            format!("{} {unit}", plain(100.0 * value))
        } else {
            plain(value)
        }
    };
    let end = |edge: Edge| match edge {
        Edge::Open => String::new(),
        Edge::At(value) => shown(value, "%"),
        Edge::FromStart(0.0) => "start".to_string(),
        Edge::FromStart(shift) if shift < 0.0 => format!("start − {}", shown(-shift, "points")),
        Edge::FromStart(shift) => format!("start + {}", shown(shift, "points")),
    };
    format!("{}..{}", end(target.low), end(target.high))
}

/// The weight of a target, unless it is 1.
fn weight(target: &MetricTarget) -> String {
    match target.weight {
        1.0 => String::new(),
        weight => format!(" weight {weight}"),
    }
}

/// A number with as few digits as it needs, without errors of binary fractions.
fn plain(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    rounded.to_string()
}
