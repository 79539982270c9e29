//! The differences between two studies, in words.

use carat_core::format;
use carat_core::overrides::completed;
use carat_studies::report::Manifest;
use serde_json::Value;

/// Earlier versions that play the same games and sum the same outcomes: this one continues their
/// progress, and adds games to their results.
const CONTINUED: [&str; 2] = ["0.3.0", "0.4.0"];
const LISTED_MAX: usize = 6;
/// Characters of a value before it is cut.
const LENGTH: usize = 200;

pub fn changes(begun: &Manifest, now: &Manifest) -> Vec<String> {
    let mut changes = Vec::new();
    if begun.carat != now.carat && !CONTINUED.contains(&begun.carat.as_str()) {
        let (was, is) = (&begun.carat, &now.carat);
        changes.push(format!("carat {was} → {is}"));
    }
    if begun.shard != now.shard {
        changes.push("another shard".to_string());
    }
    let value = |manifest: &Manifest| serde_json::to_value(&manifest.study).unwrap_or_default();
    compare("", &value(begun), &value(now), &mut changes);
    let older = now.study.table.game().map_or("", |game| game.older_rules);
    for (kind, old, new, older) in [
        ("rules", &begun.rules, &now.rules, older),
        ("bot", &begun.strategies, &now.strategies, ""),
    ] {
        for source in old {
            // Several tables have an `adapted` of their own.
            let named = new.iter();
            let mut named = named.filter(|other| other.name == source.name).peekable();
            let is_named = named.peek().is_some();
            if is_named && !named.any(|other| has_same_values(&other.text, &source.text, older)) {
                changes.push(format!("the text of {kind} `{}`", source.name));
            }
        }
    }
    let more = changes.len().saturating_sub(LISTED_MAX);
    if more > 0 {
        changes.truncate(LISTED_MAX);
        changes.push(format!("{more} more"));
    }
    changes
}

/// Whether two rules files or bots differ at most in comments, in layout, and in keys that `older`
/// rules files lack.
fn has_same_values(one: &str, other: &str, older: &str) -> bool {
    one == other || values(one, older).is_some_and(|one| Some(one) == values(other, older))
}

fn values(text: &str, older: &str) -> Option<toml::Table> {
    let completed = completed(text, older);
    let text = completed.as_ref().map_or(text, |(text, _)| text);
    let mut values: toml::Table = text.parse().ok()?;
    values.remove(format::KEY);
    Some(values)
}

/// Lists the values in which two studies differ, by their path.
fn compare(path: &str, begun: &Value, now: &Value, changes: &mut Vec<String>) {
    use Value::{Null, Object};
    if let (Object(old), Object(new)) = (begun, now) {
        let mut keys: Vec<&String> = old.keys().collect();
        keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
        for key in keys {
            let inner = match path {
                "" => key.clone(),
                _ => format!("{path}.{key}"),
            };
            let value = |of: &serde_json::Map<_, _>| of.get(key).cloned().unwrap_or(Null);
            compare(&inner, &value(old), &value(new), changes);
        }
    } else if begun != now {
        let [was, is] = [begun, now].map(shown);
        changes.push(format!("{path} {was} → {is}"));
    }
}

fn shown(value: &Value) -> String {
    if value.is_null() {
        return "none".to_string();
    }
    let text = value.to_string();
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}
