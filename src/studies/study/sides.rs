//! The sides of a comparison.

use super::error::{StudyError, refuse};
use super::path::Path;
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};

/// The sides by name, each a list of `PATH=VALUE`; the first is the baseline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sides(pub IndexMap<String, Vec<String>>);

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sides, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a side is a list of changes, such as b = [\"rules.traps.snake=4\", \"seats.1=risk\"]"
        )]
        enum Side {
            Changes(Vec<String>),
        }
        let sides = IndexMap::<String, Side>::deserialize(from)?.into_iter();
        let sides = sides.map(|(name, Side::Changes(changes))| (name, changes));
        Ok(Sides(sides.collect()))
    }
}

/// Paths with their new values.
type Changes = Vec<(Path, String)>;

impl Sides {
    /// The changes of each side, by its name.
    pub fn changes(&self) -> Result<Vec<(&str, Changes)>, StudyError> {
        let read = |change: &String| match change.split_once('=') {
            Some((path, value)) => Ok((path.parse()?, value.to_string())),
            None => refuse!(
                "`{change}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9"
            ),
        };
        let mut sides = Vec::new();
        for (name, written) in &self.0 {
            let changes = written.iter().map(read).collect::<Result<_, StudyError>>();
            let changes = changes.map_err(|why| format!("side {name}: {why}"))?;
            sides.push((name.as_str(), changes));
        }
        Ok(sides)
    }
}
