//! Errors of output folders and saved progress.

use carat_core::diagnostic::counted;
use carat_core::numbers::games;
use carat_studies::report::MANIFEST;
use std::io;
use std::path::{Path, PathBuf};

/// Why the files of a folder cannot be read, written or resumed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}: a file, not a folder; name a folder", .0.display())]
    IsFile(PathBuf),
    #[error("{}: an address, not a folder; name a folder on this machine", .0.display())]
    Address(PathBuf),
    #[error(
        "{}: this link points to {}, which does not exist; create that folder or name another",
        .0.display(), .1.display()
    )]
    Dangling(PathBuf, PathBuf),
    #[error(
        "{}: carat did not write this folder, which holds `{}`, and leaves it unchanged; name another folder",
        .0.display(), .1
    )]
    NotOurs(PathBuf, String),
    #[error(
        "{}: its `{MANIFEST}` was changed, or another program or an older carat without checksums wrote it; move the folder away or name another",
        .0.display()
    )]
    OtherManifest(PathBuf),
    #[error(
        "{}: this folder holds `{}`, which carat did not write; move that file away or name another folder",
        .0.display(), .1
    )]
    Foreign(PathBuf, String),
    #[error(
        "{}: `{}` was changed after carat wrote it; move that file away or name another folder",
        .0.display(), .1
    )]
    Edited(PathBuf, String),
    #[error("{source}\nthe new results are in {}", kept.display())]
    Kept {
        source: Box<StoreError>,
        kept: PathBuf,
    },
    #[error(
        "{}: the first line is damaged, or carat did not write this file; move it away, or name \
         another folder",
        .0.display()
    )]
    NotAJournal(PathBuf),
    #[error("{}: another carat is using this folder; wait for it, or name another folder", .0.display())]
    Busy(PathBuf),
    /// There are this many saved parts, of a study with these differences, and neither --resume nor
    /// --restart was given.
    #[error("{}: {}", .0.display(), waiting(*.1, .2))]
    Waiting(PathBuf, usize, Vec<String>),
    /// The saved study is not the requested one: each difference in words.
    #[error("{} has saved progress of a different study; differences: {}", .0.display(), .1.join("; "))]
    Changed(PathBuf, Vec<String>),
    /// The folder has complete results of the same study, with more games: this many.
    #[error("{} has results of {} of this study", .0.display(), games(*.1))]
    MoreGames(PathBuf, u64),
    /// Shards that are damaged, changed, double, or of another study.
    #[error("{}", .0.join("\n"))]
    Shards(Vec<String>),
    /// The others are sound.
    #[error("{}", .0.join("\n"))]
    ShardsMissing(Vec<String>),
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// An error of the file system on the attempt to do `what`.
pub fn io_error<'a>(
    what: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| StoreError::Io {
        what,
        path: path.to_path_buf(),
        source,
    }
}

fn waiting(parts: usize, changes: &[String]) -> String {
    let parts = counted(parts, "finished part");
    match changes {
        [] => format!("saved progress of this study exists: {parts}"),
        changes => format!(
            "saved progress of another study exists: {parts}; differences: {}",
            changes.join("; ")
        ),
    }
}
