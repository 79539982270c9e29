//! What is kept in a folder: the results of a study and, until these are there, the parts of it that
//! are done. However a process ends, nothing of it is lost, half-written, or taken from others.
//!
//! From the bottom up: what can go wrong (`error`), what files are called (`names`), lines that
//! carry checksums (`checked`), what was played (`manifest`) and how that differs (`changes`); then
//! the two things that are kept:
//! - parts (`parts`), in the journal of a study that goes on later, or in the files of its shards;
//! - results (`output`), which are prepared in a hidden folder inside their own (`folder`), and moved
//!   into place at once.

mod changes;
mod checked;
mod error;
mod folder;
mod journal;
pub mod manifest;
mod names;
mod output;
mod parts;
mod shards;

pub use error::{StoreError, io_error};
pub use folder::write_whole;
pub use journal::{Before, Journal};
pub use manifest::{FileRecord, Manifest, ManifestError, PrecisionMissed};
pub use names::{JOURNAL, MANIFEST};
pub use output::{Output, Prepared};
pub use shards::{OwnShard, ShardStatus, Shards, Todo};
