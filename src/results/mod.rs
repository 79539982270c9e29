//! From what was played to what is read: tables, charts, words and the manifest, and how a folder of
//! them is written.
//!
//! Each kind of study has a file here that makes its [`Report`], and one in `pictures` that fills
//! its charts. This is the only place that knows Polars. It knows no particular game.

pub mod analyse;
mod capped;
mod changes;
mod checked_lines;
mod compare;
mod each;
mod encode;
mod folder;
mod journal;
mod kept;
mod manifest;
mod output;
mod page;
pub mod pictures;
mod raw;
mod report;
mod shards;
mod simulate;
mod solve;
mod staging;
mod states;
mod sweep;
mod tables;
mod text;
mod tournament;
mod tournament_sides;
mod tune;

pub use analyse::empty_sheets as analyse_sheets;
pub use encode::{EncodeError, Format, encode, records};
pub use journal::{Before, JOURNAL, Journal, JournalError};
pub use kept::{KEPT, keep, recall};
pub use manifest::{FileRecord, MANIFEST, Manifest, ManifestError};
pub use output::{Abandon, Output, OutputError};
pub use page::{PAGE, page};
pub use raw::{GAMES, RawGames};
pub use report::{NamedChart, Report, manifest};
pub use shards::{OwnShard, ShardError, Shards, Todo};
pub use solve::empty_sheets as solve_sheets;
pub use tables::DifferenceRow;
pub use text::Block;
