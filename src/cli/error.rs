//! What can go wrong on the command line, and the exit code that says so.

use crate::charts::ChartError;
use crate::diagnostic::Diagnostic;
use crate::results::{FrameError, JournalError, ManifestError, OutputError};
use crate::study::StudyError;
use crate::study::library::LibraryError;

/// An error that reaches the user.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Usage or input: exit code 2.
    #[error("{0}")]
    Input(String),
    /// Where results were to go: exit code 2 when the folder is wrong, 1 when the disk is.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// What is done of a study could not be kept, or gone on with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A result could not be written.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A chart could not be drawn.
    #[error("cannot draw {name}: {source}")]
    Chart {
        /// The chart.
        name: &'static str,
        /// Why.
        source: ChartError,
    },
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] crate::simulation::ThreadsError),
    /// Standard output is gone.
    #[error("standard output was closed before everything was written")]
    Closed,
    /// Standard output failed.
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
    /// The run was interrupted.
    #[error("{0}")]
    Interrupted(String),
}

impl CliError {
    /// The same error of input, which names the file that it is in.
    pub fn in_file(self, file: &str) -> CliError {
        match self {
            CliError::Input(message) if !message.contains(file) => {
                CliError::Input(format!("{file}: {message}"))
            }
            other => other,
        }
    }

    /// 2 for usage and input, 1 for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            CliError::Input(_) => 2,
            CliError::Output(OutputError::Io { .. }) | CliError::Journal(JournalError::Io(_)) => 1,
            CliError::Output(_) | CliError::Journal(_) => 2,
            _ => 1,
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

impl From<StudyError> for CliError {
    fn from(error: StudyError) -> Self {
        CliError::Input(error.to_string())
    }
}

impl From<LibraryError> for CliError {
    fn from(error: LibraryError) -> Self {
        CliError::Input(error.to_string())
    }
}

impl From<ManifestError> for CliError {
    fn from(error: ManifestError) -> Self {
        CliError::Input(error.to_string())
    }
}

impl From<Box<Diagnostic>> for CliError {
    fn from(error: Box<Diagnostic>) -> Self {
        CliError::Input(error.to_string())
    }
}
