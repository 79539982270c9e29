//! Helpers to read all parts of a bot's file.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, did_you_mean, with_others};
use crate::format::{self, Format};
use crate::formula::{Fault, Vocabulary, is_name};

/// The message for an invalid name.
pub(super) const NO_NAME: &str =
    "needs letters, digits and `_`, and must not be a word of the language";

/// A key and its place.
pub(super) type Key<'i> = Spanned<Cow<'i, str>>;

/// The string under `key` and the place of its literal, quotes included.
pub(super) fn string<'i>(
    table: &DeTable<'i>,
    key: &str,
) -> Result<(Cow<'i, str>, Range<usize>), Fault> {
    let value = table.get(key).ok_or_else(|| {
        let fault = Fault::new(0..0, format!("`{key}` is missing"), "in this file");
        fault.with_help(format!("add a line `{key} = \"…\"` at the top"))
    })?;
    match value.get_ref() {
        DeValue::String(text) => Ok((text.clone(), value.span())),
        _ => Err(wrong_type(value, &format!("`{key}`"), "text in quotes")),
    }
}

/// A finite number; errors call it `what`.
pub(super) fn number(value: &Spanned<DeValue>, what: &str) -> Result<f32, Fault> {
    let number = match value.get_ref() {
        DeValue::Float(float) => float.as_str().parse().unwrap_or(f32::NAN),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(f32::NAN, |integer| integer as f32),
        _ => return Err(wrong_type(value, what, "a number")),
    };
    if number.is_finite() {
        Ok(number)
    } else {
        let message = format!("{what} must be a finite number");
        Err(Fault::new(value.span(), message, "out of range"))
    }
}

/// Fails at the first key of `table` that is none of `keys`, and names all, the keys of `scope`.
pub(super) fn check_keys(table: &DeTable, keys: &[&str], scope: &str) -> Result<(), Fault> {
    let all = table.keys().map(|key| (key.get_ref().as_ref(), key.span()));
    let mut unknown = all.filter(|(name, _)| !keys.contains(name));
    let Some((name, span)) = unknown.next() else {
        return Ok(());
    };
    let label = format!("the keys of {scope} are `{}`", keys.join("`, `"));
    let fault = Fault::new(span, format!("unknown key `{name}`"), label);
    let others = Vec::from_iter(unknown.map(|(name, _)| name));
    let help = did_you_mean(name, keys.iter().copied());
    Err(fault.with_help(with_others(help, &others)))
}

/// [`check_keys`] for a whole file, which may state its format; fails for a later one.
pub(super) fn check_file(document: &DeTable, keys: &[&str], scope: &str) -> Result<(), Fault> {
    Format::of(document)?;
    check_keys(document, &[keys, &[format::KEY]].concat(), scope)
}

/// The file of a bot, parsed but not yet read.
pub struct BotFile<'a> {
    /// Its name in errors.
    file: &'a str,
    pub(super) text: &'a str,
    keys: Spanned<DeTable<'a>>,
}

impl<'a> BotFile<'a> {
    pub fn parse(file: &'a str, text: &'a str) -> Result<BotFile<'a>, Diagnostic> {
        let keys = DeTable::parse(text);
        let keys = keys.map_err(|error| Diagnostic::from_toml(file, text, &error))?;
        Ok(BotFile { file, text, keys })
    }

    /// What `read` finds in it.
    pub(super) fn read<T>(
        &self,
        read: impl Fn(&DeTable) -> Result<T, Fault>,
    ) -> Result<T, Diagnostic> {
        read(self.keys.get_ref()).map_err(|fault| fault.in_file(self.file, self.text))
    }

    /// The same if it has this key, otherwise `None`.
    pub(super) fn read_if<T>(
        &self,
        key: &str,
        read: impl Fn(&DeTable) -> Result<T, Fault>,
    ) -> Result<Option<T>, Diagnostic> {
        if !self.keys.get_ref().contains_key(key) {
            return Ok(None);
        }
        self.read(read).map(Some)
    }
}

/// The values that a parameter may take: from `low` on in steps, up to `high`.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamRange {
    pub low: f32,
    pub high: f32,
    pub step: f32,
    /// Fewest players for which the parameter can change a decision.
    pub players: usize,
    /// What players call its value.
    pub called: Option<String>,
}

/// Parameters with their values, and the ranges and sentences of some of them.
#[derive(Default)]
pub(super) struct Params<'i> {
    pub read: Vec<(Key<'i>, f32)>,
    pub ranges: Vec<(String, ParamRange)>,
    pub sentences: Vec<(String, String)>,
}

/// The parameters in the order of the file, with their names' places.
pub(super) fn params_of<'i>(
    params: &Spanned<DeValue<'i>>,
    vocabulary: &Vocabulary,
) -> Result<Params<'i>, Fault> {
    let mut found = Params::default();
    for (key, value) in table_of("params", params)? {
        let name = key.get_ref();
        let taken = vocabulary.find(name).is_some();
        if taken || !is_name(name) {
            let label = if taken {
                "the name of a feature"
            } else {
                NO_NAME
            };
            let message = format!("`{name}` cannot name a parameter");
            return Err(Fault::new(key.span(), message, label));
        }
        let what = format!("parameter `{name}`");
        let default = if let DeValue::Table(varied) = value.get_ref() {
            let (default, range) = varied_of(&what, value, varied)?;
            let (range, says) = (range.into_iter(), text_of(varied, "says")?.into_iter());
            found
                .ranges
                .extend(range.map(|range| (name.to_string(), range)));
            found
                .sentences
                .extend(says.map(|says| (name.to_string(), says)));
            default
        } else {
            number(value, &what)?
        };
        found.read.push((key.clone(), default));
    }
    Ok(found)
}

/// The value of a parameter, called `what`, that is written as a table, and its range; it may lack
/// one if it has a sentence.
fn varied_of(
    what: &str,
    value: &Spanned<DeValue>,
    varied: &DeTable,
) -> Result<(f32, Option<ParamRange>), Fault> {
    let keys = ["value", "range", "step", "players", "says", "called"];
    check_keys(varied, &keys, "a parameter")?;
    let shape = "{ value = 19, range = [4, 40], step = 1 }";
    let fields = ["value", "range", "step"].map(|key| varied.get(key));
    if let [Some(only), None, None] = fields
        && varied.contains_key("says")
    {
        return Ok((number(only, "`value`")?, None));
    }
    let [Some(default), Some(range), Some(step)] = fields else {
        return Err(wrong_type(value, what, &format!("a number or `{shape}`")));
    };
    let ends = match range.get_ref() {
        DeValue::Array(ends) if ends.len() == 2 => ends,
        _ => return Err(wrong_type(range, "`range`", "a list of two numbers")),
    };
    let range = ParamRange {
        low: number(&ends[0], "the low end")?,
        high: number(&ends[1], "the high end")?,
        step: number(step, "`step`")?,
        players: match varied.get("players") {
            Some(players) => number(players, "`players`")?.max(1.0) as usize,
            None => 1,
        },
        called: text_of(varied, "called")?,
    };
    let default = number(default, "`value`")?;
    if range.step <= 0.0 || !(range.low..=range.high).contains(&default) {
        let message = format!("{what} must lie in its range, which needs a step above 0");
        return Err(Fault::new(value.span(), message, "out of range"));
    }
    Ok((default, Some(range)))
}

/// The text under `key`, if present.
pub(super) fn text_of(table: &DeTable, key: &str) -> Result<Option<String>, Fault> {
    let text = table.get(key).map(|_| string(table, key));
    Ok(text.transpose()?.map(|(text, _)| text.into_owned()))
}

/// The table in `value`, which stands under `key`.
pub(super) fn table_of<'a, 'i>(
    key: &str,
    value: &'a Spanned<DeValue<'i>>,
) -> Result<&'a DeTable<'i>, Fault> {
    let fault = || wrong_type(value, &format!("`{key}`"), "a table");
    value.get_ref().as_table().ok_or_else(fault)
}

pub(super) fn wrong_type(found: &Spanned<DeValue>, what: &str, wanted: &str) -> Fault {
    let label = format!("this is of type {}", found.get_ref().type_str());
    Fault::new(found.span(), format!("{what} must be {wanted}"), label)
}

/// A formula's fault, moved to its place in the file where the string literal at `place` holds the
/// formula as it stands, and to the whole literal where escapes are in the way.
pub(super) fn in_file(fault: Fault, text: &str, place: Range<usize>, formula: &str) -> Fault {
    let span = match text[place.clone()].find(formula) {
        Some(opening) if !formula.is_empty() => {
            let start = place.start + opening;
            start + fault.span.start..start + fault.span.end
        }
        _ => place,
    };
    Fault { span, ..fault }
}
