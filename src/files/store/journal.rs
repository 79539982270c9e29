//! The finished parts of a study, saved in its output folder, so that an interrupted study can
//! continue. Each long step saves its state in a file of its own beside the journal, with a
//! checksum first; these files are valid only beside the journal of the same study.
//!
//! A journal is created when the first part is saved, so quick studies leave no trace.

use super::changes::changes;
use super::checked::checked_line;
use super::error::{StoreError, io_error};
use super::folder;
use super::parts::{self, Held};
use carat_core::limit::limit;
use carat_core::simulation::{FinishedParts, NotKept, STATE, Sums};
use carat_studies::report::checksum;
use carat_studies::report::{FileRecord, Manifest};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to do with saved parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Refuse to start if there are any.
    Ask,
    /// Continue from them.
    GoOn,
    /// Remove them and start over.
    Remove,
}

#[derive(Default)]
pub struct Journal {
    path: PathBuf,
    /// The first line, which names the study.
    header: String,
    /// The file and the end of its valid lines, once it exists.
    file: Option<(File, u64)>,
    /// The positions of the parts found on opening.
    known: HashMap<String, Range<u64>>,
    /// The number of damaged parts, which must be played again.
    pub damaged: usize,
    /// Sums of another study that this one starts from, until the journal has parts of its own.
    pub start: Vec<u8>,
}

impl Journal {
    /// Opens the journal of this name in `folder` for the study of `manifest`. Fails, without
    /// changes, if it is not carat's, another process writes it, or `before` does not allow its
    /// content.
    pub fn open(
        folder: &Path,
        name: &str,
        manifest: &Manifest,
        before: Before,
    ) -> Result<Journal, StoreError> {
        let path = folder.join(name);
        let failed = || io_error("write", &path);
        let header = checked_line(manifest).map_err(io::Error::from);
        let mut journal = Journal {
            header: header.map_err(failed())?,
            path: path.clone(),
            ..Journal::default()
        };
        let _lock = folder::lock(folder);
        let Some(mut file) = open_locked(&path, &journal.header)? else {
            return Ok(journal);
        };
        let Some(held) = parts::read(&file).map_err(failed())? else {
            return Err(StoreError::NotAJournal(path));
        };
        let changes = match Manifest::from_json(name, &held.header) {
            Ok(begun) => changes(&begun, manifest),
            Err(_) => vec!["another version of carat wrote it".to_string()],
        };
        let parts = held.places.len();
        match before {
            Before::GoOn if changes.is_empty() => {
                blank(&mut file, &held).map_err(failed())?;
                journal.damaged = held.damaged.len();
                journal.known = held.places;
                journal.file = Some((file, held.end));
            }
            Before::GoOn => return Err(StoreError::Changed(path, changes)),
            Before::Ask if parts > 0 => return Err(StoreError::Waiting(path, parts, changes)),
            Before::Ask | Before::Remove => {
                remove_states(&path);
                fs::remove_file(&path).map_err(failed())?;
            }
        }
        Ok(journal)
    }

    /// The number of parts found on opening.
    pub fn done(&self) -> usize {
        self.known.len()
    }

    /// Whether the study can be resumed from it.
    pub fn holds_parts(&self) -> bool {
        self.file.is_some()
    }

    /// Syncs the complete journal to the disk, then renames it; `rows` is the file beside it. On
    /// failure it keeps its name.
    pub fn complete(&mut self, as_name: &Path, rows: Option<FileRecord>) -> Result<(), StoreError> {
        let end = parts::last_line(self.made()?.1, rows).map_err(io::Error::from);
        self.append(&end.map_err(io_error("write", as_name))?)?;
        let path = self.path.clone();
        let synced = self.made()?.0.sync_all();
        let moved = synced.and_then(|()| fs::rename(&path, as_name));
        moved.map_err(io_error("write", as_name))?;
        remove_states(&path);
        Ok(())
    }

    /// Removes the journal: the study is complete.
    pub fn remove(self) {
        // The results are in place; a journal that remains does no harm.
        if let (Some(_file), Some(folder)) = (&self.file, self.path.parent()) {
            let _lock = folder::lock(folder);
            remove_states(&self.path);
            let _ = fs::remove_file(&self.path);
        }
    }

    /// The file (created if missing) and its end.
    pub fn made(&mut self) -> Result<&mut (File, u64), StoreError> {
        let made = match self.file.take() {
            Some(made) => made,
            None => (create(&self.path, &self.header)?, self.header.len() as u64),
        };
        Ok(self.file.insert(made))
    }

    fn append(&mut self, line: &str) -> Result<(), StoreError> {
        let path = self.path.clone();
        let (file, end) = self.made()?;
        // A single write, so that a crash loses little. An incomplete one (full disk) is truncated.
        let at_end = file.seek(SeekFrom::Start(*end));
        if let Err(error) = at_end.and_then(|_| file.write_all(line.as_bytes())) {
            let _ = file.set_len(*end);
            return Err(io_error("write", &path)(error));
        }
        *end += line.len() as u64;
        Ok(())
    }

    /// The file beside the journal for the state of a long step.
    fn state_path(&self, of: &str) -> PathBuf {
        let name = format!("{}{}.carat", state_prefix(&self.path), of.replace(' ', "-"));
        self.path.with_file_name(name)
    }
}

impl FinishedParts for Journal {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let place = self.known.remove(part)?;
        parts::sums(&mut self.file.as_mut()?.0, &place)
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        let line = parts::line(part, sums).map_err(|error| NotKept(error.into()))?;
        self.append(&line).map_err(|error| NotKept(error.into()))
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        let start = (of == STATE && !self.start.is_empty()).then(|| self.start.clone());
        let kept = || {
            self.file.as_ref()?;
            let bytes = fs::read(self.state_path(of)).ok()?;
            let (sum, state) = bytes.split_at_checked(8)?;
            (sum == checksum(state).as_bytes()).then(|| state.to_vec())
        };
        kept().or(start)
    }

    fn keep_state(&mut self, of: &str, state: &[u8]) -> Result<(), NotKept> {
        if self.file.is_none() {
            // A state is valid only beside the journal of its study.
            self.keep(of, &Sums::new(&[], 0))?;
        }
        let path = self.state_path(of);
        let bytes = [checksum(state).as_bytes(), state].concat();
        let written = folder::write_whole(&path, &bytes).map_err(io_error("write", &path));
        written.map_err(|error| NotKept(error.into()))
    }

    fn save_intervals(&self) -> (Duration, Duration) {
        (limit(Duration::from_secs(1)), limit(Duration::from_secs(3)))
    }
}

/// Opens and locks a journal; `None` if there is none. The caller locks the folder, so that no
/// process removes the file at the same time. A journal cut off in its first line, `header`, is
/// removed.
fn open_locked(path: &Path, header: &str) -> Result<Option<File>, StoreError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(found) if !found.is_file() => return Err(StoreError::NotAJournal(path.to_path_buf())),
        _ => {}
    }
    let file = OpenOptions::new().read(true).write(true).open(path);
    let mut file = file.map_err(io_error("write", path))?;
    lock(&file, path)?;
    let mut begun = Vec::new();
    let mut start = (&mut file).take(header.len() as u64);
    start
        .read_to_end(&mut begun)
        .map_err(io_error("read", path))?;
    if begun.len() < header.len() && header.as_bytes().starts_with(&begun) {
        fs::remove_file(path).map_err(io_error("write", path))?;
        return Ok(None);
    }
    file.rewind().map_err(io_error("read", path))?;
    Ok(Some(file))
}

fn create(path: &Path, header: &str) -> Result<File, StoreError> {
    let folder = path.parent().unwrap_or(path);
    let _lock = folder::lock(folder);
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => StoreError::Busy(path.to_path_buf()),
        _ => io_error("write", path)(error),
    })?;
    lock(&file, path)?;
    // States of a removed journal.
    remove_states(path);
    if let Err(error) = file.write_all(header.as_bytes()) {
        let _ = fs::remove_file(path);
        return Err(io_error("write", path)(error));
    }
    Ok(file)
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    match file.try_lock() {
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_path_buf())),
    }
}

/// Removes damaged lines from the file.
fn blank(file: &mut File, held: &Held) -> io::Result<()> {
    for place in held.damaged.iter().filter(|place| place.end < held.end) {
        file.seek(SeekFrom::Start(place.start))?;
        file.write_all(&vec![b' '; (place.end - place.start) as usize])?;
    }
    file.set_len(held.end)
}

fn state_prefix(journal: &Path) -> String {
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    format!("{}-", name.trim_end_matches(".jsonl"))
}

fn remove_states(journal: &Path) {
    let (prefix, folder) = (state_prefix(journal), journal.parent().unwrap_or(journal));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/carat/files/store/journal.rs"]
mod tests;
