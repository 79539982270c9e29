//! From played games to results: tables, charts, text and the manifest.
//!
//! Each kind of study has a file here that makes what its [`Report`] tells, and fills its charts.
//! It knows no particular game.

pub mod adapt;
mod analyse;
mod compare;
mod contents;
mod csv;
mod describe;
mod made;
mod manifest;
mod markdown;
mod page;
mod pdf;
mod pictures;
pub mod rule;
mod rules_changed;
mod scored;
mod simulate;
mod solve;
mod sweep;
mod tables;
mod text;
mod tournament;
mod tune;
mod words;

pub use analyse::{ACCURACY, NO_DIFFERENCE};
pub use contents::{Contents, NamedChart, Report, manifest, records};
pub use csv::csv;
pub use made::declared_tables;
pub use manifest::{FileRecord, MANIFEST, Manifest, ManifestError, Written, checksum};
pub use markdown::{MARKDOWN, markdown};
pub use page::{FailedChart, PAGE, escaped, page, svg_of};
pub use pdf::pdf;
pub use pictures::add_baseline;
pub use tables::LABEL;
pub use text::{Cells, View};
