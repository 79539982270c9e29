//! From tallies to files: frames, the manifest, and how a folder of results is written.
//!
//! This is the only place that knows Polars. It knows no particular game.

mod frames;
mod manifest;
mod output;
pub mod pictures;

pub use frames::{
    DifferenceRow, Format, FrameError, cells, differences, encode, scores, seats, sheet, table,
};
pub use manifest::{MANIFEST, Manifest, ManifestError};
pub use output::{Output, OutputError};
