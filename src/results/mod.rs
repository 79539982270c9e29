//! From what was played to what is read: tables, charts, words and the manifest, and how a folder of
//! them is written.
//!
//! Each kind of study has a file here that makes its [`Report`], and one in `pictures` that fills
//! its charts. This is the only place that knows Polars. It knows no particular game.

mod compare;
mod encode;
mod journal;
mod manifest;
mod output;
pub mod pictures;
mod report;
mod simulate;
mod sweep;
mod tables;
mod text;
mod tournament;

pub use encode::{EncodeError, Format, encode};
pub use journal::{Journal, JournalError};
pub use manifest::{MANIFEST, Manifest, ManifestError};
pub use output::{Output, OutputError};
pub use report::{NamedChart, Report, manifest};
pub use tables::DifferenceRow;
pub use text::Block;
