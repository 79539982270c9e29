//! From played games to results: tables, charts, text and the manifest, and the folder that holds
//! them.
//!
//! Each kind of study has a file here that makes what its [`Report`] tells, and fills its charts.
//! This is the only place that knows Polars. It knows no particular game.

pub mod adapt;
mod analyse;
mod capped;
mod collect;
mod compare;
mod decisions;
mod documents;
mod encode;
mod kept;
mod made;
mod page;
mod pdf;
mod pictures;
mod raw;
mod report;
pub mod rule;
mod rules_changed;
mod scored;
mod simulate;
mod solve;
mod store;
mod sweep;
mod tables;
mod text;
mod tournament;
mod tune;
mod words;

pub use analyse::NO_DIFFERENCE;
pub use collect::{collect, is_collected};
pub use decisions::{Decisions, decision_columns};
pub use documents::{MARKDOWN, WORKBOOK, markdown, workbook};
pub use encode::{EncodeError, Format, encode};
pub use kept::{KEPT, keep, recall};
pub use made::declared_tables;
pub use page::{PAGE, page, svg_of};
pub use pdf::pdf;
pub use raw::{DECISIONS, Form, GAMES, RawGames, join_rows, scratch};
pub use report::{NamedChart, Report, manifest};
pub use store::{
    Before, FileRecord, JOURNAL, Journal, MANIFEST, Manifest, ManifestError, Output, OwnShard,
    Prepared, Shards, StoreError, write_whole,
};
pub use text::{Cells, View};
