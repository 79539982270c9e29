//! What the files of carat are called.

use serde::{Deserialize, Serialize};

pub const MANIFEST: &str = "manifest.json";
/// The journal of a study that is not complete.
pub const JOURNAL: &str = "unfinished.jsonl";
/// The folder that partial results go to, inside that of complete ones.
pub const PARTIAL: &str = "partial";
/// How the names of folders begin where results are prepared.
pub const STAGING: &str = ".carat-";

/// How the names of all files begin that an unfinished study keeps in the folder of its results.
pub const UNFINISHED: &str = "unfinished";

/// Which games of a study a shard's file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The round, from 1.
    pub round: u64,
    /// The number of the shard, from 1.
    pub number: u64,
    pub of: u64,
}

impl Place {
    /// The end of the name of a complete shard.
    pub const COMPLETE: &str = "jsonl";
    /// That of a shard that is played.
    pub const UNFINISHED: &str = "unfinished";

    pub fn file(self, end: &str) -> String {
        let Place { round, number, of } = self;
        format!("round-{round}-shard-{number}-of-{of}.{end}")
    }

    /// The place of a file by its name, and whether it is complete.
    pub fn of_file(name: &str) -> Option<(Place, bool)> {
        let (stem, end) = name.rsplit_once('.')?;
        let (round, rest) = stem.strip_prefix("round-")?.split_once("-shard-")?;
        let (number, of) = rest.split_once("-of-")?;
        let place = Place {
            round: round.parse().ok()?,
            number: number.parse().ok()?,
            of: of.parse().ok()?,
        };
        let complete = end == Place::COMPLETE;
        (place.file(end) == name && (complete || end == Place::UNFINISHED))
            .then_some((place, complete))
    }
}
