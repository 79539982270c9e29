//! Errors of the command line, and their exit codes.

use super::interrupt;
use crate::files::{EncodeError, StoreError};
use carat_core::diagnostic::{Diagnostic, counted};
use carat_core::library::{FILE_MAX, LibraryError};
use carat_core::numbers::count;
use carat_core::simulation::{Missed, NotKept, TableFailed, ThreadsError};
use carat_studies::report::{FailedChart, ManifestError};
use carat_studies::study::{Interrupted, StudyError};
use std::path::{Path, PathBuf};

/// The exit codes, as `carat --help` lists them.
pub const EXIT_STATUS: &str = "\
Exit status:
  0  success (including when the output pipe closes early)
  1  this machine failed: no disk space, permission, threads or memory
  2  wrong input, a bot program that crashes or gives no valid answer, or an output folder with
     other files in it; retrying will not help
  3  the results are complete, but less precise than --precision asked for
  4  merge: shards are missing
  5  another carat is using the output folder; retry later
  6  the output folder has saved progress, or results of more games; use --resume to continue, or
     --restart to replace them
  7  results, saved progress or shards are damaged or changed
  8  the results are complete, but an expectation or target is missed (--expect, --gate)
  9  the results are complete, but an expectation or target is undecided; play more games
  101  a bug in carat; please report it
  129, 130, 138, 143  ended by a signal: hangup, Ctrl-C, SIGUSR1, SIGTERM";

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("{0}")]
    Usage(String),
    #[error("a line of standard input is longer than {FILE_MAX} bytes; write shorter lines")]
    LongLine,
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error("cannot write {}: {source}", file.display())]
    Keep {
        file: PathBuf,
        source: std::io::Error,
    },
    #[error("cannot write the game as a record: {0}")]
    Write(#[from] toml::ser::Error),
    /// The player left the game, which is saved.
    #[error("{0}")]
    Left(String),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Text(#[from] Box<Diagnostic>),
    /// A fault of saved files: exit code 2 for the wrong folder, 1 for a fault of the disk.
    #[error("{}{}", .0, flags(.0))]
    Store(#[from] StoreError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadsError),
    /// A finished part could not be saved, so the study ended.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Chart(#[from] FailedChart),
    #[error("standard output was closed before everything was written")]
    Closed,
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
    #[error(transparent)]
    Missed(#[from] Missed),
    /// Some expectations are missed, or none is and some are undecided.
    #[error("{} of {of} {}: {first}{}", counted(*number, "expectation"), if *is_missed { "missed" } else { "undecided" }, if *number > 1 { ", …" } else { "" })]
    Expected {
        number: usize,
        of: usize,
        first: String,
        is_missed: bool,
    },
    #[error("interrupted; {}", if *resume { "run the same command with --resume to continue" } else { "nothing was written" })]
    Interrupted { resume: bool },
    #[error(
        "interrupted after {} of {} games; the results cover these games, and {} is marked partial{}",
        count(after.games), count(after.most), manifest.display(),
        if *resume { "; run the same command with --resume to continue" } else { "" }
    )]
    Partial {
        after: Interrupted,
        manifest: PathBuf,
        resume: bool,
    },
}

/// The options for saved progress, as a line of its own.
fn flags(error: &StoreError) -> &'static str {
    match error {
        StoreError::Waiting(_, _, changes) if changes.is_empty() => {
            "\nuse --resume to continue it, or --restart to discard it and start from the beginning"
        }
        StoreError::Waiting(..) => {
            "\nname another folder, run that study again with --resume, or use --restart to discard its \
             progress and play this one"
        }
        StoreError::Changed(..) => {
            "\nuse --restart to discard its progress and start from the beginning"
        }
        StoreError::MoreGames(..) => "\nuse --restart to replace them by fewer games",
        _ => "",
    }
}

/// Returns an error about the command line from a function.
macro_rules! usage {
    ($($text:tt)*) => {
        return Err($crate::cli::error::CliError::Usage(format!($($text)*)))
    };
}
pub(super) use usage;

impl CliError {
    /// The error of a file that could not be written.
    pub fn keep(file: &Path) -> impl FnOnce(std::io::Error) -> CliError {
        let file = file.to_path_buf();
        |source| CliError::Keep { file, source }
    }

    /// The same error with the name of the study file.
    pub fn in_file(self, file: &str) -> CliError {
        match self {
            CliError::Study(source) => CliError::Usage(format!("{file}: {source}")),
            other => other,
        }
    }

    /// The exit code, one of [`EXIT_STATUS`].
    pub fn exit_code(&self) -> u8 {
        match self {
            CliError::NotKept(NotKept(why)) => match why.downcast_ref() {
                // Another process saved its first parts after this one looked.
                Some(StoreError::Busy(_)) => 5,
                _ if why.is::<TableFailed>() => 2,
                _ => 1,
            },
            CliError::Store(StoreError::Busy(_)) => 5,
            CliError::Store(
                StoreError::Waiting(..) | StoreError::Changed(..) | StoreError::MoreGames(..),
            ) => 6,
            CliError::Store(StoreError::NotAJournal(_) | StoreError::Shards(_)) => 7,
            CliError::Store(StoreError::Io { .. } | StoreError::Kept { .. })
            | CliError::Threads(_)
            | CliError::Keep { .. }
            | CliError::Write(_)
            | CliError::Encode(_)
            | CliError::Json(_)
            | CliError::Chart(_)
            | CliError::Closed
            | CliError::Stdout(_) => 1,
            CliError::Missed(_) => 3,
            CliError::Expected { is_missed, .. } => 8 + u8::from(!is_missed),
            CliError::Store(StoreError::ShardsMissing(_)) => 4,
            CliError::Interrupted { .. } | CliError::Left(_) | CliError::Partial { .. } => {
                interrupt::exit_code()
            }
            _ => 2,
        }
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CliError::Closed,
            _ => CliError::Stdout(error),
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/carat/cli/error.rs"]
mod tests;
