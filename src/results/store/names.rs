//! The names of carat's files in an output folder.

use serde::{Deserialize, Serialize};

pub const MANIFEST: &str = "manifest.json";
pub const JOURNAL: &str = "unfinished.jsonl";
/// The folder of partial results, inside the output folder.
pub const PARTIAL: &str = "partial";
/// The prefix of hidden folders in which results are prepared.
pub const STAGING: &str = ".carat-";

/// The prefix of all files that an unfinished study has in its output folder.
pub const UNFINISHED: &str = "unfinished";

/// The place of a shard in its study.
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
    /// The extension of a complete shard.
    pub const COMPLETE: &str = "jsonl";
    /// The extension of a shard in progress.
    pub const UNFINISHED: &str = "unfinished";

    pub fn file(self, end: &str) -> String {
        let Place { round, number, of } = self;
        format!("round-{round}-shard-{number}-of-{of}.{end}")
    }

    /// The place that a file's name gives, and whether the shard is complete.
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
