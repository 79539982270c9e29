//! What all parts of a bot's file are read with.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::nearest;
use crate::formula::{Fault, Vocabulary, is_name};

/// A key and its place.
pub(super) type Key<'i> = Spanned<Cow<'i, str>>;

/// The entries of `table` in the order of the file, which the table itself does not keep.
pub(super) fn in_file_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Key<'i>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The string under `key` and the place of its literal, quotes included.
pub(super) fn string<'i>(
    table: &DeTable<'i>,
    key: &str,
) -> Result<(Cow<'i, str>, Range<usize>), Fault> {
    let value = table.get(key).ok_or_else(|| Fault {
        span: 0..0,
        message: format!("`{key}` is missing"),
        label: "in this file".to_owned(),
        help: Some(format!("add a line `{key} = \"…\"` at the top")),
    })?;
    match value.get_ref() {
        DeValue::String(text) => Ok((text.clone(), value.span())),
        other => Err(wrong_type(value.span(), key, "text in quotes", other)),
    }
}

/// The finite number that `what` is.
pub(super) fn number(value: &Spanned<DeValue>, what: &str) -> Result<f32, Fault> {
    let number = match value.get_ref() {
        DeValue::Float(float) => float.as_str().parse().unwrap_or(f32::NAN),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(f32::NAN, |integer| integer as f32),
        other => {
            let label = format!("this is of type {}", other.type_str());
            return Err(Fault::new(
                value.span(),
                format!("{what} must be a number"),
                label,
            ));
        }
    };
    match number.is_finite() {
        true => Ok(number),
        false => {
            let message = format!("{what} must be a finite number");
            Err(Fault::new(value.span(), message, "out of range"))
        }
    }
}

/// The fault for a key that is none of `keys`, the keys of `whose`.
pub(super) fn unknown_key(key: &Key, keys: &[&str], whose: &str) -> Result<(), Fault> {
    let name = key.get_ref().as_ref();
    if keys.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, keys.iter().copied());
    Err(Fault {
        span: key.span(),
        message: format!("unknown key `{name}`"),
        label: format!("the keys of {whose} are `{}`", keys.join("`, `")),
        help: near.map(|near| format!("did you mean `{near}`?")),
    })
}

/// The parameters in the order of the file, with their names' places.
pub(super) fn params_of<'i>(
    params: &Spanned<DeValue<'i>>,
    vocabulary: &Vocabulary,
) -> Result<Vec<(Key<'i>, f32)>, Fault> {
    let DeValue::Table(table) = params.get_ref() else {
        return Err(wrong_type(
            params.span(),
            "params",
            "a table",
            params.get_ref(),
        ));
    };
    let mut read = Vec::new();
    for (key, value) in in_file_order(table) {
        let name = key.get_ref();
        let taken = vocabulary.find(name).is_some();
        if taken || !is_name(name) {
            let label = match taken {
                true => "the name of a feature",
                false => "needs letters, digits and `_`, and must not be a word of the language",
            };
            return Err(Fault {
                span: key.span(),
                message: format!("`{name}` cannot name a parameter"),
                label: label.to_owned(),
                help: None,
            });
        }
        read.push((key.clone(), number(value, &format!("parameter `{name}`"))?));
    }
    Ok(read)
}

pub(super) fn wrong_type(span: Range<usize>, key: &str, wanted: &str, found: &DeValue) -> Fault {
    Fault {
        span,
        message: format!("`{key}` must be {wanted}"),
        label: format!("this is of type {}", found.type_str()),
        help: None,
    }
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
