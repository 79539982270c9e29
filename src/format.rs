//! The number of the form in which carat writes files: the key `format` that each of them has.

use crate::diagnostic::Fault;
use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

/// Name of the key.
pub const KEY: &str = "format";

/// The form of a file. Files without the key have form 0: carat wrote none until 0.3.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64")]
pub struct Format(u64);

impl Format {
    /// The form that this carat writes.
    pub const NOW: Format = Format(1);

    /// The form of a TOML file. Fails with a [`Fault`] when it is a newer one, or no number.
    pub fn of(keys: &DeTable) -> Result<Format, Fault> {
        let Some(value) = keys.get(KEY) else {
            return Ok(Format::default());
        };
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let format = number.ok_or_else(|| "format: write a whole number".to_string());
        let format = format.and_then(|number: u64| Format::try_from(number));
        format.map_err(|message| Fault::new(value.span(), message, "the form of this file"))
    }

    /// A TOML file that tells its form: in its first line, unless it did.
    pub fn with_line(text: &str) -> String {
        match DeTable::parse(text) {
            Ok(keys) if !keys.get_ref().contains_key(KEY) => Format::line() + text,
            _ => text.to_string(),
        }
    }

    /// The line of a TOML file that tells its form.
    pub fn line() -> String {
        format!("{KEY} = {}\n", Format::NOW.0)
    }
}

impl TryFrom<u64> for Format {
    type Error = String;

    fn try_from(number: u64) -> Result<Format, String> {
        if number <= Format::NOW.0 {
            Ok(Format(number))
        } else {
            Err(format!(
                "format {number} is of a newer carat; carat {} reads up to {}",
                env!("CARGO_PKG_VERSION"),
                Format::NOW.0
            ))
        }
    }
}
