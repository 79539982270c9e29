//! Reads and writes studies, in study files and manifests.
//!
//! All keys are at the top level, shared ones before those of the kind. Up to carat 0.3 the shared
//! ones were under `[table]`, except in simulations; such files are still read.

use super::{Head, RunSpec, Study, TableSpec};
use carat_core::diagnostic::{Diagnostic, Fault, did_you_mean, no_such, with_others};
use carat_core::format::{self, Format};
use serde::de::{DeserializeOwned, Error, Visitor, value};
use serde::{Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The key of the kind, and the table of shared keys in older files.
const KIND: &str = "study";
const TABLE: &str = "table";

/// Shared keys in the order of a file, before those of a kind.
const ORDER: &str = "title description game rules set players seats others people games precision expect \
                     max_games metric seed seating measures";

/// Default values of keys that older files have and a kind no longer uses.
const IMPLIED: [(&str, &str); 2] = [("seating", "every-order"), ("metric", "win_share")];

/// The key of a tuning's tables, and its former name.
const TABLES: &str = "tables";
const OLDER_TABLES: &str = "fields";

impl Study {
    /// Reads a study file; errors show the name `file`.
    pub fn from_toml(file: &str, text: &str) -> Result<Study, Box<Diagnostic>> {
        let faulty = |error| Box::new(Diagnostic::from_toml(file, text, &error));
        let fault = |span: Range<usize>, message: String, label: String, help: Option<String>| {
            let fault = Fault::new(span, message, label).with_help(help);
            Box::new(fault.in_file(file, text))
        };
        let mut keys = DeTable::parse(text).map_err(faulty)?;
        Format::of(keys.get_ref()).map_err(|fault| Box::new(fault.in_file(file, text)))?;
        keys.get_mut().remove(format::KEY);
        let Some(kind) = keys.get_mut().remove(KIND) else {
            let help = "`carat show study` prints one; name bots and rules files in a study, and \
                        see `carat check` for the kind of a file";
            let message = "not a study: the key `study` is missing".to_string();
            let mut names = keys.get_ref().keys();
            let near = names.find_map(|key| did_you_mean(key.get_ref(), [KIND]));
            let help = near.unwrap_or(help.to_string());
            return Err(fault(0..0, message, String::new(), Some(help)));
        };
        let name = match kind.get_ref() {
            DeValue::String(name) if Study::KINDS.contains(&name.as_ref()) => name.to_string(),
            wrong => {
                let message = match wrong {
                    DeValue::String(name) => format!("no kind of study called `{name}`"),
                    _ => "the kind of study is a word in quotes".to_string(),
                };
                let label = format!("should be one of {}", Study::KINDS.join(", "));
                let help = wrong
                    .as_str()
                    .and_then(|name| did_you_mean(name, Study::KINDS.to_vec()));
                return Err(fault(kind.span(), message, label, help));
            }
        };
        let known = Study::keys(&name);
        at_the_top(keys.get_mut());
        let mut unknown = Vec::from_iter(keys.get_ref());
        unknown.retain(|(key, value)| {
            let key = key.get_ref().as_ref();
            !known.contains(&key) && !is_implied(key, value.get_ref().as_str())
        });
        let unknown = Vec::from_iter(unknown.iter().map(|(key, _)| key.get_ref().as_ref()));
        for key in keys.get_ref().keys() {
            let span = key.span();
            let key = key.get_ref().as_ref();
            if let Some(remedy) = removed(&name, key) {
                let (message, help) = (format!("`{key}` was removed in carat 0.4"), remedy);
                return Err(fault(span, message, String::new(), Some(help.to_string())));
            }
            if unknown.contains(&key) {
                let message = no_such("key", key, &known);
                let mut kinds = Study::KINDS.to_vec();
                kinds.retain(|kind| Study::keys(kind).contains(&key));
                let there = format!("`{key}` is a key of {}", kinds.join(" and "));
                let help = Some(there).filter(|_| !kinds.is_empty());
                let help = help.or_else(|| did_you_mean(key, known.iter().copied()));
                let help = with_others(help, &unknown[1..]);
                return Err(fault(span, message, String::new(), help));
            }
        }
        let from = |wanted: &[&str]| {
            let some = keys.get_ref().clone().into_iter();
            let some = some.filter(|(key, _)| wanted.contains(&key.get_ref().as_ref()));
            toml::de::Deserializer::from(Spanned::new(keys.span(), some.collect()))
        };
        Study::read(&name, from).map_err(faulty)
    }

    /// The keys of a kind, in the order of a file.
    pub fn keys(kind: &str) -> Vec<&'static str> {
        let unused = Study::unused(kind);
        let mut keys = [
            keys_of::<Head>(),
            keys_of::<TableSpec>(),
            keys_of::<RunSpec>(),
            Study::own_keys(kind),
        ]
        .concat();
        keys.retain(|key| !unused.contains(key));
        keys.sort_by_key(|key| place(key));
        keys
    }

    /// Reads the study of a manifest.
    pub fn from_json(mut value: Value) -> Result<Study, serde_json::Error> {
        let Some(keys) = value.as_object_mut() else {
            return Err(serde_json::Error::custom("a study is a table of keys"));
        };
        let kind = keys.shift_remove(KIND);
        let kind = kind.as_ref().and_then(Value::as_str);
        let kind = kind.unwrap_or(Study::KINDS[0]);
        if let Some(Value::Object(older)) = keys.shift_remove(TABLE) {
            for (key, value) in older.into_iter().filter(|(key, _)| key != KIND) {
                keys.entry(key).or_insert(value);
            }
        }
        if let Some(tables) = keys.shift_remove(OLDER_TABLES) {
            keys.insert(TABLES.to_string(), tables);
        }
        keys.retain(|_, value| !value.is_null());
        if let Some((key, remedy)) = (keys.keys()).find_map(|key| Some((key, removed(kind, key)?)))
        {
            let message = format!("`{key}` was removed in carat 0.4: {remedy}");
            return Err(serde_json::Error::custom(message));
        }
        let known = [Study::keys(kind), Study::unused(kind)].concat();
        let is_known =
            |key: &str, value: &Value| known.contains(&key) || is_implied(key, value.as_str());
        if let Some((key, _)) = keys.iter().find(|(key, value)| !is_known(key, value)) {
            let message = format!("unknown key `{key}`");
            return Err(serde_json::Error::custom(message));
        }
        Study::read(kind, |wanted| {
            let mut some = keys.clone();
            some.retain(|key, _| wanted.contains(&key.as_str()));
            Value::Object(some)
        })
    }
}

/// Moves the keys of an older file's `[table]` to the top level, which has precedence, and renames
/// its tables.
fn at_the_top(keys: &mut DeTable) {
    let name = |name: &'static str| Spanned::new(0..0, name.into());
    match keys.remove(TABLE).map(Spanned::into_inner) {
        Some(DeValue::Table(older)) => {
            for (key, value) in older {
                if key.get_ref() != KIND && !keys.contains_key(key.get_ref().as_ref()) {
                    keys.insert(key, value);
                }
            }
        }
        Some(other) => _ = keys.insert(name(TABLE), Spanned::new(0..0, other)),
        None => {}
    }
    if let Some(tables) = keys.remove(OLDER_TABLES) {
        keys.insert(name(TABLES), tables);
    }
}

/// Whether a key has the value that is used without it.
fn is_implied(key: &str, value: Option<&str>) -> bool {
    value.is_some_and(|value| IMPLIED.contains(&(key, value)))
}

/// What to do instead of a removed key.
fn removed(kind: &str, key: &str) -> Option<&'static str> {
    let remedy = "remove the key; `carat adapt` adapts a population to the rules found";
    ((kind, key) == ("tune", "readapt")).then_some(remedy)
}

/// All keys at the top level, without empty ones.
impl Serialize for Study {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut keys = Map::new();
        for values in [
            serde_json::to_value(&self.head),
            serde_json::to_value(&self.table),
            serde_json::to_value(&self.run),
            self.own(),
        ] {
            if let Value::Object(values) = values.map_err(serde::ser::Error::custom)? {
                keys.extend(values);
            }
        }
        keys.retain(|_, value| !is_empty(value));
        let mut keys: Vec<(String, Value)> = keys.into_iter().collect();
        keys.sort_by_key(|(key, _)| place(key));
        keys.insert(0, (KIND.to_string(), self.kind().into()));
        Map::from_iter(keys).serialize(to)
    }
}

/// The position of a key in a file: shared keys in their order, then the others.
fn place(key: &str) -> usize {
    let shared = ORDER.split(' ').position(|shared| shared == key);
    shared.unwrap_or(ORDER.len())
}

/// Whether a value is empty, so that a file leaves its key out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        _ => false,
    }
}

/// Reads one part of a study from the keys of that part.
pub fn read<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    from: impl Fn(&[&str]) -> D,
) -> Result<T, D::Error> {
    T::deserialize(from(keys_of::<T>()))
}

pub fn keys_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &[&str] = &[];
    let _ = T::deserialize(Keys(&mut keys));
    keys
}

/// A deserializer that reads no values and records the names of keys.
struct Keys<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Keys<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("the value is empty"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = keys;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/file.rs"]
mod tests;
