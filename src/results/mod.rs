//! From tallies to files: frames, the manifest, and how a folder of results is written.
//!
//! This is the only place that knows Polars. It knows no particular game.

mod frames;
mod journal;
mod manifest;
mod output;
pub mod pictures;

pub use frames::{
    DifferenceRow, Format, FrameError, cells, differences, dominator_text, encode, matrix, payoffs,
    ratings, scores, seats, sheet, table,
};
/// A table of results.
pub use polars::frame::DataFrame as Frame;

pub use journal::{Journal, JournalError};
pub use manifest::{MANIFEST, Manifest, ManifestError};
pub use output::{Output, OutputError};
