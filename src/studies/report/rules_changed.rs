//! How rules differ from others, value by value: a side's changes, and a rules file's changes to
//! the closest edition.

use super::manifest::Manifest;
use crate::study::{Path, values_of};
use carat_core::game::Game;
use carat_core::overrides::apply;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const NO_RULES: [&str; 3] = ["format", "title", "game"];

/// Rules that differ from others, with a line for each value: `traps.snake: 4 instead of 3`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RulesChanged {
    /// The side that plays by them, or a heading; empty if the study has one set of rules.
    pub of: String,
    /// The name of the rules that they differ from; empty for those of all sides.
    pub from: String,
    pub lines: Vec<String>,
}

/// The changes of a study's table to the closest edition, and each side's changes to that table;
/// empty if all rules are as printed.
pub fn rules_changed(manifest: &Manifest, game: &Game) -> Vec<RulesChanged> {
    let study = &manifest.study;
    let table = &study.table;
    let edition = game.editions[0].name;
    let name = table.rules.as_deref().unwrap_or(edition);
    let rules = |name: &str, set: &[String]| {
        let kept = manifest.rules.iter().find(|source| source.name == name);
        let shipped = || game.editions.iter().find(|known| known.name == name);
        let text = kept.map(|source| &*source.text);
        let text = text.or_else(|| Some(shipped()?.text))?;
        values(&apply(name, text, set).ok()?)
    };
    let base = rules(name, &table.set);
    let own = base.as_ref().and_then(|base| against_editions(base, game));
    let mut all = Vec::from_iter(own);
    for (side, written) in study.sides().into_iter().flatten() {
        let (mut own, mut set, mut lines) = (name.to_string(), table.set.clone(), Vec::new());
        for change in written {
            let read = change.split_once('=');
            let read = read.map(|(path, value)| (path.parse::<Path>(), value.trim()));
            match read {
                Some((Ok(Path::Rules), named)) => own = named.to_string(),
                Some((Ok(Path::RulesKey(_)), _)) => set.push(change.clone()),
                _ => lines.push(change.clone()),
            }
        }
        if let (Some(base), Some(rules)) = (&base, rules(&own, &set)) {
            lines.splice(0..0, differences(base, &rules));
        }
        if !lines.is_empty() {
            all.push(RulesChanged {
                of: side.clone(),
                from: String::new(),
                lines,
            });
        }
    }
    all
}

/// The changes that a search made to the rules file `given`, called `from`; `None` if there are
/// none.
pub fn rules_found(from: String, given: &str, found: &str) -> Option<RulesChanged> {
    let lines = differences(&values(given)?, &values(found)?);
    (!lines.is_empty()).then(|| RulesChanged {
        of: "Rules found".to_string(),
        from,
        lines,
    })
}

fn against_editions(rules: &Rules, game: &Game) -> Option<RulesChanged> {
    let all = game.editions.iter().filter_map(|edition| {
        let lines = differences(&values(edition.text)?, rules);
        Some((edition.name, lines))
    });
    // Of equally close editions, the first is the game's default.
    let (from, lines) = all.min_by_key(|(_, lines)| lines.len())?;
    (!lines.is_empty()).then(|| RulesChanged {
        of: String::new(),
        from: from.to_string(),
        lines,
    })
}

type Rules = BTreeMap<String, Value>;

fn values(text: &str) -> Option<Rules> {
    let mut table: Table = text.parse().ok()?;
    NO_RULES.iter().for_each(|key| drop(table.remove(*key)));
    Some(values_of("", table).into_iter().collect())
}

fn differences(from: &Rules, to: &Rules) -> Vec<String> {
    let paths: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let line = |path: &String| {
        // The copies of a number in a list are part of the line of the list.
        let list = path.rsplit_once('.').map(|(list, _)| list);
        if list.is_some_and(|list| from.contains_key(list) || to.contains_key(list)) {
            return None;
        }
        let (before, after) = (from.get(path), to.get(path));
        if let (Some(Value::Array(before)), Some(Value::Array(after))) = (before, after)
            && let Some(copies) = only_copies_changed(before, after)
        {
            return Some(format!("{path}{copies}"));
        }
        let change = match (before, after) {
            _ if before == after => return None,
            (Some(before), Some(after)) => format!("{} instead of {}", shown(after), shown(before)),
            (None, after) => format!("new: {}", after.map(shown).unwrap_or_default()),
            (Some(before), None) => format!("left out, was {}", shown(before)),
        };
        Some(format!("{path}: {change}"))
    };
    paths.into_iter().filter_map(line).collect()
}

/// The copies of the only number in which two lists differ, such as `.17: 2 instead of 1`.
fn only_copies_changed(before: &[Value], after: &[Value]) -> Option<String> {
    let copies = |list: &[Value], of: &Value| list.iter().filter(|own| *own == of).count();
    let differs = |of: &&Value| copies(before, of) != copies(after, of);
    let number = after.iter().chain(before).find(differs)?;
    let others = |list: &[Value]| {
        let others = list.iter().filter(|own| *own != number);
        Vec::from_iter(others.cloned())
    };
    let (from, to) = (copies(before, number), copies(after, number));
    let is_only = number.is_integer() && others(before) == others(after);
    is_only.then(|| format!(".{number}: {to} instead of {from}"))
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            format!("[{}]", Vec::from_iter(values.iter().map(shown)).join(", "))
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/report/rules_changed.rs"]
mod tests;
