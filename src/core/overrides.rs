//! Changing single values of a rules file, `PATH=VALUE` each.

use crate::catalog;
use crate::diagnostic::{Diagnostic, Fault, nearest, related};
use crate::format::{self, Format};
use crate::game::{AT, Allowed, ByPlayers, Game, RULES_PAGE, Rules, RulesKey};
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, TomlError, Value};

/// Most copies of a number in a list; rules limit the cards of all lists together.
const COPIES_MAX: i64 = 255;
/// How the message about a key that there is not begins.
const UNKNOWN: &str = "unknown key";
/// The hint for changes that may mean a value of a bot.
const BOTS: &str = "to change a bot, write seats.N.PARAM or all.BOT.PARAM";

/// The `text` of rules file `file` with each of `sets` applied; keeps comments. Only existing keys
/// can be set, the copies of a number in a list (`treasures.17`), or new keys in the game's open
/// tables unless they resemble another, so that a typo never makes a new trap.
pub fn apply(file: &str, text: &str, sets: &[String]) -> Result<String, String> {
    if sets.is_empty() {
        return Ok(text.to_string());
    }
    let not_toml = |error: TomlError| format!("{file}: {error}");
    let mut document: DocumentMut = text.parse().map_err(not_toml)?;
    let game = document.get("game").and_then(Item::as_str);
    let declared = game
        .and_then(catalog::find)
        .map_or(&[][..], |game| game.rules_keys);
    for set in sets {
        let faulty = |why: String| format!("{set}: {why}");
        let wanted = || faulty("write PATH=VALUE, such as traps.snake=4".to_string());
        let parts = set.split_once('=');
        let (path, value) = parts
            .filter(|of| !of.0.trim().is_empty())
            .ok_or_else(wanted)?;
        // A bare word is a string, so that the shell needs no escaped quotes.
        let value = value.trim();
        let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
        let keys: Vec<&str> = key_path(path).split('.').map(str::trim).collect();
        let done = match keys[..] {
            [AT, _, ref own @ ..] if !own.is_empty() => {
                // It must be a change that the rules allow.
                set_value(
                    document.clone().as_table_mut(),
                    own,
                    value.clone(),
                    declared,
                )
                .and_then(|()| set_at(document.as_table_mut(), &keys, value))
            }
            [AT, ..] => Err("name the number of players, such as at.6.rounds=4".to_string()),
            _ => set_value(document.as_table_mut(), &keys, value, declared),
        };
        done.map_err(|why| match why.strip_prefix(UNKNOWN) {
            Some(help) => format!("{}: {UNKNOWN} in the rules {file}{help}", path.trim()),
            None => faulty(why),
        })?;
    }
    Ok(document.to_string())
}

/// The names that these changes add to tables of the rules, each with the names that are there.
pub fn added(text: &str, sets: &[String]) -> Vec<(String, String)> {
    let rules: toml::Table = text.parse().unwrap_or_default();
    let has = |name: &str| {
        let mut tables = rules.values().filter_map(toml::Value::as_table);
        tables.any(|table| table.contains_key(name))
    };
    let mut added = Vec::new();
    for set in sets {
        let path = key_path(set.split('=').next().unwrap_or_default()).trim_end();
        let mut keys = path.split('.');
        if let (Some(outer), Some(name), None) = (keys.next(), keys.next(), keys.next())
            && let Some(toml::Value::Table(table)) = rules.get(outer)
            && !has(name)
            && outer != AT
            && !table.is_empty()
        {
            let names = Vec::from_iter(table.keys().map(String::as_str));
            added.push((path.to_string(), names.join(", ")));
        }
    }
    added
}

/// Sets a change for a number of players, in tables that may be new.
fn set_at(mut table: &mut dyn TableLike, keys: &[&str], value: Value) -> Result<(), String> {
    let (last, outer) = keys.split_last().expect("a path of several keys");
    for key in outer {
        let inner = table.entry(key);
        let inner = inner.or_insert(Item::Value(InlineTable::new().into()));
        let inner = inner.as_table_like_mut();
        table = inner.ok_or_else(|| format!("`{key}` is a single value"))?;
    }
    table.insert(last, Item::Value(value));
    Ok(())
}

/// By number of players, as written, the changes of `[at.N]`.
fn changes_at(text: &str) -> Vec<(String, Vec<String>)> {
    fn add(path: &str, item: &Item, changes: &mut Vec<String>) {
        let Some(table) = item.as_table_like() else {
            let mut value = item.as_value().cloned().unwrap_or_else(|| "".into());
            value.decor_mut().clear();
            return changes.push(format!("{path}={value}"));
        };
        for (key, item) in table.iter() {
            let dot = if path.is_empty() { "" } else { "." };
            add(&format!("{path}{dot}{key}"), item, changes);
        }
    }
    let document: DocumentMut = text.parse().unwrap_or_default();
    let tables = document.get(AT).and_then(Item::as_table_like);
    let tables = tables.into_iter().flat_map(TableLike::iter);
    let changes = tables.map(|(players, item)| {
        let mut changes = Vec::new();
        add("", item, &mut changes);
        (players.to_string(), changes)
    });
    changes.collect()
}

/// The rules file for a number of players, with the changes of its table `[at.N]`.
pub fn at_players(file: &str, text: &str, players: usize) -> Result<String, String> {
    let players = players.to_string();
    let own = changes_at(text)
        .into_iter()
        .find(|(own, _)| *own == players);
    own.map_or(Ok(text.to_string()), |(_, changes)| {
        apply(file, text, &changes)
    })
}

/// Reads a rules file with its changes for numbers of players.
pub fn read_rules(game: &Game, file: &str, text: &str) -> Result<Box<dyn Rules>, Diagnostic> {
    let usual = game.rules(file, text)?;
    let mut at = Vec::new();
    for (name, changes) in changes_at(text) {
        let faulty = |why: String| {
            let start = text.find("[at.").unwrap_or(0);
            let label = "changes for numbers of players";
            Fault::new(start..start + 3, why, label).in_file(file, text)
        };
        let of_box = |change: &&String| {
            let key = change.split(['.', '=']).next();
            ["", "game", "players", format::KEY].contains(&key.unwrap_or_default())
        };
        let (least, most) = (game.seats.start(), game.seats.end());
        let mut allowed = game.seats.clone();
        let players = allowed.find(|players| players.to_string() == name);
        let Some(players) = players else {
            return Err(faulty(format!(
                "at.{name}: write [at.{least}] to [at.{most}]"
            )));
        };
        if let Some(change) = changes.iter().find(of_box) {
            return Err(faulty(format!(
                "at.{name}.{change} cannot depend on the players"
            )));
        }
        let changed =
            apply(file, text, &changes).map_err(|why| faulty(format!("at.{name}.{why}")))?;
        at.push((
            players,
            game.rules(&format!("{file}, [at.{name}]"), &changed)?,
        ));
    }
    Ok(if at.is_empty() {
        usual
    } else {
        Box::new(ByPlayers { usual, at })
    })
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
                // Of these with keys of its own, an older file may lack only one with a heading.
                if let Some(whole) = value.as_table() {
                    let whole = Item::Value(whole.clone().into_inline_table().into());
                    lacked.push(named(key, &whole));
                    document.insert(key, whole);
                } else if value.as_table_like().is_none_or(TableLike::is_empty) {
                    document.insert(key, value.clone());
                    lacked.push(named(key, value));
                }
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

/// The numbers of a list in the order of their first copies, each with the number of its copies;
/// none unless all values are whole numbers.
pub fn copies_in(list: &[toml::Value]) -> Vec<(i64, i64)> {
    let mut copies: Vec<(i64, i64)> = Vec::new();
    for value in list {
        let Some(number) = value.as_integer() else {
            return Vec::new();
        };
        match copies.iter_mut().find(|(known, _)| *known == number) {
            Some((_, copies)) => *copies += 1,
            None => copies.push((number, 1)),
        }
    }
    copies
}

/// Adds copies of a number after its last one, at the end if there is none, or removes its last
/// ones; false if it is no number. Refuses what is no number of copies.
fn set_copies(list: &mut Array, number: &str, copies: &Value) -> Result<bool, String> {
    let whole = number
        .parse()
        .ok()
        .filter(|n: &i64| n.to_string() == number);
    let Some(number) = whole else {
        return Ok(false);
    };
    let wanted = copies.as_integer().filter(|n| (0..=COPIES_MAX).contains(n));
    let wanted = wanted.ok_or_else(|| {
        format!("expected copies of {number}, a whole number from 0 to {COPIES_MAX}")
    })?;
    let is_it =
        |list: &Array, at: &usize| list.get(*at).and_then(Value::as_integer) == Some(number);
    let mut copies: Vec<usize> = (0..list.len()).filter(|at| is_it(list, at)).collect();
    while copies.len() > wanted as usize {
        copies.pop().map(|last| list.remove(last));
    }
    while copies.len() < wanted as usize {
        let at = copies.last().map_or(list.len(), |last| last + 1);
        list.insert(at, number);
        copies.push(at);
    }
    Ok(true)
}

/// The keys of a path into a rules file, with or without `rules.` in front.
pub fn key_path(path: &str) -> &str {
    let path = path.trim();
    match path.split_once('.') {
        Some((first, keys)) if first.trim() == "rules" => keys,
        _ => path,
    }
}

/// Refuses a value of a kind that the key never has; its range depends on the other rules.
fn check_kind(key: Option<&RulesKey>, value: &Value) -> Result<(), String> {
    match key.map(|key| &key.allowed) {
        Some(Allowed::Words(words)) if !words.iter().any(|word| value.as_str() == Some(word)) => {
            Err(format!("expected one of these words: {}", words.join(", ")))
        }
        Some(Allowed::Switch) if !value.is_bool() => Err("expected true or false".to_string()),
        Some(Allowed::Number(least, most)) if !value.is_integer() => {
            Err(format!("expected a whole number from {least} to {most}"))
        }
        _ => Ok(()),
    }
}

/// That a path leads to no value at its key number `depth`; `known` are the keys of its table, and
/// `near` one of them or the first key of another path.
fn no_value(path: &[&str], depth: usize, known: &[String], near: Option<&str>) -> String {
    let (above, key) = (&path[..depth], &path[depth]);
    let all = known.join(", ");
    let beside = |near: &str| [above, &[near], &path[depth + 1..]].concat().join(".");
    let has = |what: &str| format!("`{}` {what}", path[..=depth].join("."));
    let related = related(key, known.iter().map(String::as_str));
    let help = match (near, related) {
        (Some(near), _) if near == *key && depth + 1 == path.len() => {
            return has("has several values: name one");
        }
        (Some(near), _) if near == *key => return has("is a single value"),
        (_, Some(near)) => format!("the nearest is `{}`; {RULES_PAGE}", beside(near)),
        (Some(near), None) => format!("did you mean `{}`?", beside(near)),
        (None, None) if !above.is_empty() => format!("the keys there are {all}; {RULES_PAGE}"),
        (None, None) => format!("the keys are {all}; {RULES_PAGE}; {BOTS}"),
    };
    format!("{UNKNOWN}; {help}")
}

/// Sets a value of a table, or of its tables; an error says what the table has or lacks.
fn set_value(
    mut table: &mut dyn TableLike,
    keys: &[&str],
    mut value: Value,
    declared: &[RulesKey],
) -> Result<(), String> {
    for (depth, key) in keys.iter().enumerate() {
        let last = depth + 1 == keys.len();
        let known: Vec<String> = table.iter().map(|(key, _)| key.to_string()).collect();
        let roots = ["rules", "seats", "all"].into_iter();
        let roots = roots.filter(|root| depth == 0 && !last && root != key);
        let near = nearest(key, known.iter().map(String::as_str).chain(roots));
        let path = keys[..=depth].join(".");
        let mut of_game = declared.iter();
        let is_open = depth == 1
            && of_game.any(|own| own.path == keys[0] && matches!(own.allowed, Allowed::Named(..)));
        let list = table.get_mut(key).and_then(Item::as_array_mut);
        if let Some(list) = list
            && (!last || !value.is_array())
        {
            let mut of_game = declared.iter();
            let counts =
                of_game.any(|own| own.path == path && matches!(own.allowed, Allowed::Numbers(..)));
            if counts && depth + 2 == keys.len() && set_copies(list, keys[depth + 1], &value)? {
                return Ok(());
            }
            let first = list.get(0).map_or(String::new(), |first| first.to_string());
            let number = first.trim();
            let copies = if counts && !number.is_empty() {
                format!(", or {path}.{number}=2 for 2 copies of {number} (0 to {COPIES_MAX})")
            } else {
                String::new()
            };
            let list = list.to_string();
            return Err(format!(
                "expected a list: write {path}={}{copies}",
                list.trim()
            ));
        }
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
            Some(item) if last && !item.is_table() => {
                check_kind(declared.iter().find(|own| own.path == path), &value)?;
                if let Some(old) = item.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *item = Item::Value(value);
                return Ok(());
            }
            Some(item) if !last && item.is_table_like() => {
                table = item.as_table_like_mut().expect("it is table-like");
            }
            _ => return Err(no_value(keys, depth, &known, near)),
        }
    }
    Ok(())
}
