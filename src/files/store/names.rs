//! The names of carat's files in an output folder.

use carat_core::simulation::Shard;

pub const JOURNAL: &str = "unfinished.jsonl";
/// The folder of partial results, inside the output folder.
pub const PARTIAL: &str = "partial";
/// The prefix of hidden folders in which results are prepared.
pub const STAGING: &str = ".carat-";

/// The prefix of all files that an unfinished study has in its output folder, and the extension of
/// a shard in progress.
pub const UNFINISHED: &str = "unfinished";

/// The extension of a complete shard.
pub const SHARD: &str = "jsonl";

pub fn shard_file(shard: Shard, ending: &str) -> String {
    let Shard { number, of } = shard;
    format!("shard-{number}-of-{of}.{ending}")
}

pub fn shard_of_file(name: &str) -> Option<(Shard, &str)> {
    let (number, rest) = name.strip_prefix("shard-")?.split_once("-of-")?;
    let (of, ending) = rest.split_once('.')?;
    let shard = format!("{number}/{of}").parse().ok()?;
    (shard_file(shard, ending) == name).then_some((shard, ending))
}
