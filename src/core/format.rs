//! The format version of carat's files: their key `format`.

use crate::diagnostic::Fault;
use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

pub const KEY: &str = "format";

/// The format of a file. Files without the key have format 0: carat wrote none until 0.3.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64")]
pub struct Format(u64);

impl Format {
    /// The format that this carat writes.
    pub const NOW: Format = Format(1);

    /// The format of a TOML file. Fails with a [`Fault`] for newer formats, or if it is no number.
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
        format.map_err(|message| Fault::new(value.span(), message, "the format of this file"))
    }

    /// Prepends the `format` line to a TOML file, unless the file has one.
    pub fn with_line(text: &str) -> String {
        match DeTable::parse(text) {
            Ok(keys) if !keys.get_ref().contains_key(KEY) => Format::line() + text,
            _ => text.to_string(),
        }
    }

    /// The line of a TOML file that states its format.
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
                "format {number} needs a newer carat; carat {} reads up to format {}",
                env!("CARGO_PKG_VERSION"),
                Format::NOW.0
            ))
        }
    }
}
