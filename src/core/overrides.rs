//! Changing single values of a rules file, `PATH=VALUE` each.

use crate::catalog;
use crate::diagnostic::nearest;
use crate::format::{self, Format};
use crate::game::{Allowed, Game};
use toml_edit::{DocumentMut, Item, TableLike, TomlError, Value};

/// The hint for changes without a key.
const RULES: &str = "see `carat help rules` for what rules files can express";
/// The hint for changes that may mean a value of a bot.
const BOTS: &str = "to change a bot, write seats.N.PARAM or all.BOT.PARAM";

/// The `text` of rules file `file` with each of `sets` applied; keeps comments. Only existing keys
/// can be set, or new ones in the game's open tables unless they resemble another, so that a typo
/// never makes a new trap.
pub fn apply(file: &str, text: &str, sets: &[String]) -> Result<String, String> {
    if sets.is_empty() {
        return Ok(text.to_string());
    }
    let not_toml = |error: TomlError| format!("{file}: {error}");
    let mut document: DocumentMut = text.parse().map_err(not_toml)?;
    let game = document.get("game").and_then(Item::as_str);
    let game = game.and_then(catalog::find);
    let open = game.map_or(Vec::new(), open_tables);
    for set in sets {
        let faulty = |why: String| format!("set {set}: {why}");
        let wanted = || faulty("write PATH=VALUE, such as traps.snake=4".to_string());
        let (path, value) = set.split_once('=').ok_or_else(wanted)?;
        // A bare word is a string, so that the shell needs no escaped quotes.
        let value = value.trim();
        let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
        let keys: Vec<&str> = key_path(path).split('.').map(str::trim).collect();
        let done = set_value(document.as_table_mut(), &keys, value, &open);
        done.map_err(|why| faulty(format!("the rules file {file} has {why}")))?;
    }
    Ok(document.to_string())
}

/// Adds the keys that an older rules file lacks, with the values that keep its meaning, and returns
/// their names too; `older` has them by version of the file format. `None` if no key is missing.
pub fn completed(text: &str, older: &str) -> Option<(String, String)> {
    let mut document: DocumentMut = text.parse().ok()?;
    let older: DocumentMut = older.parse().ok()?;
    let format = document.get(format::KEY).and_then(Item::as_integer);
    let mut lacked = Vec::new();
    for (since, keys) in older.iter() {
        let is_older = since.parse::<i64>().ok()? > format.unwrap_or(0);
        for (key, value) in keys.as_table().into_iter().flatten().filter(|_| is_older) {
            let named = |name: &str, value: &Item| format!("{name} = {}", value.to_string().trim());
            let Some(table) = document.get_mut(key) else {
                document.insert(key, value.clone());
                lacked.push(named(key, value));
                continue;
            };
            let Some((table, inner)) = table.as_table_like_mut().zip(value.as_table_like()) else {
                continue;
            };
            for (inner, value) in inner.iter() {
                if !table.contains_key(inner) {
                    table.insert(inner, value.clone());
                    lacked.push(named(&format!("{key}.{inner}"), value));
                }
            }
        }
    }
    (!lacked.is_empty()).then(|| (Format::with_line(&document.to_string()), lacked.join(", ")))
}

/// The tables of a game's rules files that accept keys of any name.
fn open_tables(game: &Game) -> Vec<&'static str> {
    let keys = game.rules_keys.iter();
    let open = keys.filter(|key| matches!(key.allowed, Allowed::Named(..)));
    open.map(|key| key.path).collect()
}

/// The keys of a path into a rules file, with or without `rules.` in front.
pub fn key_path(path: &str) -> &str {
    let path = path.trim();
    match path.split_once('.') {
        Some((first, keys)) if first.trim() == "rules" => keys,
        _ => path,
    }
}

/// Sets a value of a table, or of its tables; an error says what the table has or lacks. Tables
/// of the names in `open` take new keys.
fn set_value(
    mut table: &mut dyn TableLike,
    keys: &[&str],
    mut value: Value,
    open: &[&str],
) -> Result<(), String> {
    for (depth, key) in keys.iter().enumerate() {
        let last = depth + 1 == keys.len();
        let known: Vec<String> = table.iter().map(|(key, _)| key.to_string()).collect();
        let near = nearest(key, known.iter().map(String::as_str));
        let is_open = depth == 1 && open.contains(&keys[0]);
        // A number of a list, as `sweep --each` names it.
        let list = key.split_once(" of ").and_then(|(list, _)| {
            let item = table.get(list).filter(|item| item.is_array())?;
            let path = [&keys[..depth], &[list]].concat().join(".");
            Some(format!(
                "; write the whole list: {path}={}",
                item.to_string().trim()
            ))
        });
        if near.is_none() && last && !key.is_empty() && is_open {
            table.insert(key, Item::Value(value));
            return Ok(());
        }
        match table.get_mut(key) {
            Some(Item::Table(old)) if last && value.is_inline_table() => {
                if let Some(new) = value.as_inline_table() {
                    let decor = old.decor().clone();
                    *old = new.clone().into_table();
                    *old.decor_mut() = decor;
                }
                return Ok(());
            }
            Some(item) if last && item.is_array() && !value.is_array() => {
                let (path, list) = (keys.join("."), item.to_string());
                return Err(format!("a list here: write {path}={}", list.trim()));
            }
            Some(item) if last && !item.is_table() => {
                if let Some(old) = item.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *item = Item::Value(value);
                return Ok(());
            }
            Some(item) if !last && item.is_table_like() => {
                table = item.as_table_like_mut().expect("it is table-like");
            }
            _ => {
                let all = known.join(", ");
                let help = match near {
                    _ if list.is_some() => list.unwrap_or_default(),
                    Some(near) if near == *key && last => {
                        "; it has several values: name one".to_string()
                    }
                    Some(near) if near == *key => "; it is a single value".to_string(),
                    Some(near) => format!("; did you mean `{near}`?"),
                    _ if depth > 0 => format!("; it has {all}; {RULES}"),
                    _ => format!("; it has {all}; {BOTS}; {RULES}"),
                };
                return Err(format!("no value `{}`{help}", keys[..=depth].join(".")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# mix\nrounds = 5 # five\n\n[traps]\nsnake = 3\n";

    fn set(sets: &[&str]) -> Result<String, String> {
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        apply("mix.toml", TEXT, &sets)
    }

    #[test]
    fn values_change_and_comments_stay() {
        let text = set(&["rounds=6", "traps.snake = 4"]).unwrap();
        assert_eq!(text, "# mix\nrounds = 6 # five\n\n[traps]\nsnake = 4\n");
        assert_eq!(set(&["rules.rounds=6"]), set(&["rounds=6"]));
        for (change, said) in [
            ("rounds=[1, 2]", "rounds = [1, 2] # five"),
            ("rounds=word", "rounds = \"word\""),
            ("traps=4", "has several values"),
            ("traps.bats=4", "no value `traps.bats`"),
            ("rounds.x=4", "a single value"),
            ("rounds", "PATH=VALUE"),
            ("=4", "no value"),
        ] {
            let text = set(&[change]).unwrap_or_else(|error| error);
            assert!(text.contains(said), "{change}: {text}");
        }
    }
}
