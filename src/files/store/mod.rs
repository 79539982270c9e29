//! The content of an output folder: the results of a study and, until they are complete, its
//! finished parts. Whenever a process ends, no file is lost, half-written, or taken from another
//! process.
//!
//! From the bottom up: errors (`error`), names of files (`names`), lines with checksums
//! (`checked`), differences of manifests (`changes`); then the two kinds of
//! content:
//! - parts (`parts`), in the journal of an unfinished study or in the files of its shards;
//! - results (`output`), prepared in a hidden folder inside the output folder (`folder`), then moved
//!   into place at once.

mod changes;
mod checked;
mod error;
mod folder;
mod journal;
mod names;
mod output;
mod parts;
mod shards;

pub use checked::record_of_file;
pub use error::{StoreError, io_error};
pub use folder::{is_as, write_whole};
pub use journal::{Before, Journal};
pub use names::{JOURNAL, UNFINISHED};
pub use output::{Output, Prepared};
pub use shards::{OwnShard, Shards};
