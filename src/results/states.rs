//! How far parts of a study have come that take long: a file for each beside the journal, its
//! checksum first. They count only as long as the journal is there, which tells what they are of.

use super::checked_lines::checksum;
use super::output::{OutputError, io_error};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Their names begin and end so.
const NAME: [&str; 2] = ["unfinished-", ".carat"];

/// Whether a file of this name is one of them.
pub fn is_state(name: &str) -> bool {
    let [begin, end] = NAME;
    name.starts_with(begin) && name.ends_with(end)
}

/// Reads how far a part has come; nothing when that is not there, or damaged.
pub fn read(folder: &Path, of: &str) -> Option<Vec<u8>> {
    let bytes = std::fs::read(file(folder, of)).ok()?;
    let (told, state) = bytes.split_at_checked(8)?;
    (told == checksum(state).as_bytes()).then(|| state.to_vec())
}

/// Writes how far a part has come, in place of what was written of it before.
///
/// # Errors
///
/// Those of the file system; then what was written before is still there.
pub fn write(folder: &Path, of: &str, state: &[u8]) -> Result<(), OutputError> {
    let path = file(folder, of);
    let [begin, end] = NAME;
    let mut named = tempfile::Builder::new();
    let made = named.prefix(begin).suffix(end).tempfile_in(folder);
    let written = made.and_then(|mut file| {
        file.write_all(checksum(state).as_bytes())?;
        file.write_all(state)?;
        file.persist(&path).map_err(|error| error.error)
    });
    written.map(drop).map_err(io_error("write", &path))
}

/// Removes all that are in a folder.
pub fn remove_all(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_state(&entry.file_name().to_string_lossy()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn file(folder: &Path, of: &str) -> PathBuf {
    let [begin, end] = NAME;
    folder.join(format!("{begin}{}{end}", of.replace(' ', "-")))
}
