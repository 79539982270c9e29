//! What can go wrong with what is kept in a folder.

use super::names::MANIFEST;
use std::io;
use std::path::{Path, PathBuf};

/// Why what is in a folder cannot be read, written or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The target is a file.
    #[error("{}: this is a file; name a folder", .0.display())]
    IsFile(PathBuf),
    /// The target is a link to nothing.
    #[error(
        "{}: this link points to {}, which is not there; create that folder or name another",
        link.display(), to.display()
    )]
    Dangling {
        /// The link.
        link: PathBuf,
        /// Where it points.
        to: PathBuf,
    },
    /// The folder is not carat's.
    #[error(
        "{}: this folder was not written by carat (it holds `{file}`), and is left alone; name another folder",
        folder.display()
    )]
    NotOurs {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        file: String,
    },
    /// The manifest in the folder is no proof that carat wrote it.
    #[error(
        "{}: its `{MANIFEST}` was changed, or is of another program, or of an older carat, which kept no checksums; move it away or name another",
        .0.display()
    )]
    OtherManifest(PathBuf),
    /// The folder holds more than carat wrote.
    #[error(
        "{}: this folder holds `{file}`, which carat did not write; move it away or name another folder",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What does not belong there.
        file: String,
    },
    /// A result was changed after carat wrote it.
    #[error(
        "{}: `{file}` is not as carat wrote it; move it away or name another folder",
        folder.display()
    )]
    Edited {
        /// The folder.
        folder: PathBuf,
        /// What was changed.
        file: String,
    },
    /// New results could not be moved in; they are kept.
    #[error("{source}\nthe new results are kept in {}", kept.display())]
    Kept {
        /// What stood in the way.
        source: Box<StoreError>,
        /// Where they are.
        kept: PathBuf,
    },
    /// The first line of a journal does not tell what the others are of.
    #[error(
        "{}: its first line is damaged, or carat did not write it, so what it holds cannot be told; \
         move it away, or name another folder",
        .0.display()
    )]
    NotAJournal(PathBuf),
    /// Another process plays this study.
    #[error("{}: another carat is playing this; wait for it, or name another folder", .0.display())]
    Busy(PathBuf),
    /// Parts are done, and it was not said what should become of them.
    #[error("{}: {}", journal.display(), waiting(*parts, changes))]
    Waiting {
        /// The journal.
        journal: PathBuf,
        /// How many.
        parts: usize,
        /// How the study that they are of differs from the one asked for.
        changes: Vec<String>,
    },
    /// What was begun is not what is asked for.
    #[error("{} was begun with a different study; what changed: {}", journal.display(), changes.join("; "))]
    Changed {
        /// The journal.
        journal: PathBuf,
        /// Each change, in words.
        changes: Vec<String>,
    },
    /// Shards cannot be played or put together: what is wrong, each thing in a line.
    #[error("{}", .0.join("\n"))]
    Shards(Vec<String>),
    /// The file system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// An error of the file system while it was tried to do `what`.
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
    let are = match parts {
        1 => "1 part is".to_string(),
        parts => format!("{parts} parts are"),
    };
    match changes {
        [] => format!("{are} done of this study"),
        changes => format!(
            "{are} done of another study; what changed: {}",
            changes.join("; ")
        ),
    }
}
