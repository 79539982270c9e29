//! Studies as they are written: in a study file, and in a manifest.
//!
//! All keys stand at the top, those that all kinds share before those of the kind. Until carat 0.3
//! the shared ones stood under `[table]`, but for simulations; that is read as well.

use super::{Simulate, Study};
use crate::diagnostic::{Diagnostic, Fault, nearest};
use crate::format::{self, Format};
use serde::de::{DeserializeOwned, Error, Visitor, value};
use serde::{Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::{Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The key of the kind, and the one under which values are read that all kinds share.
const KIND: &str = "study";
const TABLE: &str = "table";

impl Study {
    /// Reads a study file; `file` is the name that errors show.
    ///
    /// # Errors
    ///
    /// A [`Diagnostic`] that shows the faulty place.
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
            let help = "`carat show study` prints one; a bot or a rules file is named in a study, and \
                 `carat check` tells which a file is";
            let message = "this is not a study: it has no key `study`".to_string();
            return Err(fault(0..0, message, String::new(), Some(help.to_string())));
        };
        let DeValue::String(name) = kind.get_ref() else {
            let message = "the kind of study is a word in quotes".to_string();
            return Err(fault(kind.span(), message, one_of_kinds(), None));
        };
        if !Study::KINDS.contains(&name.as_ref()) {
            let message = format!("there is no kind of study called `{name}`");
            return Err(fault(kind.span(), message, one_of_kinds(), None));
        }
        let all = || Study::keys(name);
        let known = |key: &str| key == TABLE || all().any(|known| known == key);
        let mut names = keys.get_ref().keys();
        if let Some(unknown) = names.find(|key| !known(key.get_ref())) {
            let help = nearest(unknown.get_ref(), all());
            return Err(fault(
                unknown.span(),
                format!(
                    "unknown field `{}`, expected one of `{}`",
                    unknown.get_ref(),
                    Vec::from_iter(all()).join("`, `")
                ),
                "not a known name".to_string(),
                help.map(|near| format!("did you mean `{near}`?")),
            ));
        }
        let name = name.to_string();
        let keys = match name.as_str() {
            "simulate" => keys,
            _ => under_table(keys),
        };
        Study::read(&name, toml::de::Deserializer::from(keys)).map_err(faulty)
    }

    pub fn keys(kind: &str) -> impl Iterator<Item = &'static str> {
        let all = known_keys::<Simulate>().iter().chain(own_keys(kind));
        all.copied().filter(|key| *key != TABLE)
    }

    /// Reads the study of a manifest.
    ///
    /// # Errors
    ///
    /// An error that names the faulty key.
    pub fn from_json(mut value: Value) -> Result<Study, serde_json::Error> {
        let keys = value.as_object_mut();
        let kind = keys.and_then(|keys| keys.shift_remove(KIND));
        let kind = kind
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or(Study::KINDS[0]);
        if let Value::Object(keys) = &mut value
            && kind != "simulate"
        {
            let shared = known_keys::<Simulate>();
            let old = keys.shift_remove(TABLE);
            let mut table: Map<_, _> = match old {
                Some(Value::Object(table)) => table,
                _ => Map::new(),
            };
            table.shift_remove(KIND);
            let (own, more): (Map<_, _>, Map<_, _>) = std::mem::take(keys)
                .into_iter()
                .partition(|(key, _)| !shared.contains(&key.as_str()));
            *keys = own;
            table.extend(more);
            keys.insert(TABLE.to_string(), Value::Object(table));
        }
        Study::read(kind, value)
    }
}

/// The keys that all kinds share moved into the table of a kind.
fn under_table(keys: Spanned<DeTable>) -> Spanned<DeTable> {
    let shared = known_keys::<Simulate>();
    let span = keys.span();
    let (mut own, mut table) = (DeTable::new(), DeTable::new());
    let mut at = span.clone();
    for (key, value) in keys.into_inner() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            (TABLE, DeValue::Table(_)) => {
                at = value.span();
                let DeValue::Table(old) = value.into_inner() else {
                    continue;
                };
                let old = old.into_iter().filter(|(key, _)| key.get_ref() != KIND);
                // What stands at the top counts.
                for (key, value) in old {
                    if !table.contains_key(key.get_ref().as_ref()) {
                        table.insert(key, value);
                    }
                }
            }
            (name, _) if shared.contains(&name) => _ = table.insert(key, value),
            _ => _ = own.insert(key, value),
        }
    }
    let name = Spanned::new(at.clone(), TABLE.into());
    own.insert(name, Spanned::new(at, DeValue::Table(table)));
    Spanned::new(span, own)
}

fn one_of_kinds() -> String {
    format!("should be one of {}", Study::KINDS.join(", "))
}

/// All keys at the top, but for those that say nothing.
impl Serialize for Study {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut keys = Map::from_iter([(KIND.to_string(), self.kind().into())]);
        for values in [serde_json::to_value(self.table()), self.own()] {
            if let Value::Object(values) = values.map_err(serde::ser::Error::custom)? {
                keys.extend(values);
            }
        }
        keys.retain(|_, value| !is_empty(value));
        keys.serialize(to)
    }
}

/// Whether a value says nothing, so that its key is left out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        _ => false,
    }
}

/// The keys of a kind besides those that all share.
fn own_keys(kind: &str) -> &'static [&'static str] {
    let mut keys: &[&str] = &[];
    let _ = Study::read(kind, Keys(&mut keys));
    keys
}

fn known_keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &[&str] = &[];
    let _ = T::deserialize(Keys(&mut keys));
    keys
}

/// Reads nothing, but remembers which keys were asked for.
struct Keys<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Keys<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("there is nothing to read"))
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
mod tests {
    use super::*;

    const SWEEP: &str = "study = \"sweep\"\ntitle = \"T\"\ngame = \"diamant\"\nseats = [\"depth\"]\n\
                         games = 7\nvary = { players = \"2..3\", \"seats.1.cards\" = [4, 5] }\n";

    #[test]
    fn all_keys_stand_at_the_top() {
        let study = Study::from_toml("a", SWEEP).unwrap();
        let written = toml::to_string(&study).unwrap();
        assert!(
            written.starts_with("study = \"sweep\"\ntitle = \"T\"\ngame"),
            "{written}"
        );
        assert!(!written.contains("[table]"), "{written}");
        assert_eq!(Study::from_toml("a", &written).unwrap(), study);
        let json = serde_json::to_value(&study).unwrap();
        assert_eq!(Study::from_json(json).unwrap(), study);
    }

    #[test]
    fn any_seed_is_written_and_read() {
        for seed in [0, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
            let mut study = Study::from_toml("a", SWEEP).unwrap();
            let Study::Sweep(sweep) = &mut study else {
                panic!("another kind");
            };
            sweep.table.seed = seed;
            let written = toml::to_string(&study).unwrap();
            assert_eq!(Study::from_toml("a", &written).unwrap(), study, "{written}");
            let json = serde_json::to_value(&study).unwrap();
            assert_eq!(Study::from_json(json).unwrap(), study);
        }
        for seed in ["-1", "'-1'", "1.5", "'x'"] {
            let text = SWEEP.replace("games = 7", &format!("seed = {seed}"));
            assert!(Study::from_toml("a", &text).is_err(), "{seed}");
        }
    }

    #[test]
    fn older_files_say_the_same() {
        let old = "study = \"sweep\"\ntitle = \"T\"\n[table]\ngame = \"diamant\"\ntitle = \"t\"\n\
                   seats = [\"depth\"]\ngames = 7\n\
                   [vary]\nplayers = \"2..3\"\n\"seats.1.cards\" = [4, 5]\n";
        let study = Study::from_toml("a", SWEEP).unwrap();
        assert_eq!(Study::from_toml("a", old).unwrap(), study);
        let old: toml::Table = toml::from_str(old).unwrap();
        let old = serde_json::to_value(old).unwrap();
        assert_eq!(Study::from_json(old).unwrap().table().games, Some(7));
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        for (from, to, span, message) in [
            (
                "games = 7",
                "gmaes = 7",
                "gmaes",
                "unknown field `gmaes`, expected one of `title`",
            ),
            ("games = 7", "games = true", "true", "a number of games"),
            (
                "\"sweep\"",
                "\"sweeep\"",
                "\"sweeep\"",
                "no kind of study called `sweeep`",
            ),
            ("\"sweep\"", "1", "1", "a word in quotes"),
            ("vary", "sides", "sides", "unknown field `sides`"),
        ] {
            let text = SWEEP.replacen(from, to, 1);
            let fault = Study::from_toml("a", &text).unwrap_err();
            assert!(fault.message.contains(message), "{fault}");
            assert_eq!(&text[fault.span.clone()], span, "{fault}");
        }
    }
}
