//! From what was played to what is read: tables, charts, words and the manifest, and how a folder of
//! them is written.
//!
//! Each kind of study has a file here that makes its [`Report`], and one in `pictures` that fills
//! its charts. This is the only place that knows Polars. It knows no particular game.

mod compare;
mod frames;
mod journal;
mod manifest;
mod output;
pub mod pictures;
mod report;
mod simulate;
mod sweep;
mod text;
mod tournament;

/// A table of results.
pub use polars::frame::DataFrame as Frame;

pub use frames::{DifferenceRow, Format, FrameError, encode};
pub use journal::{Journal, JournalError};
pub use manifest::{MANIFEST, Manifest, ManifestError};
pub use output::{Output, OutputError};
pub use report::{NamedChart, Report, manifest};
pub use text::Block;
