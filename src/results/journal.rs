//! The parts of a long study that are done, kept in the folder where its results will go, so that
//! an interrupted study can go on.
//!
//! Checked lines: first what is played, then the sums of every part that was finished. A line that
//! is damaged counts for nothing, and those after it still count. How far a part has come that takes
//! long lies beside it (`states`).

use super::Manifest;
use super::changes::changes;
use super::checked_lines::{CheckedLines, checked_line};
use super::folder;
use super::output::{OutputError, io_error};
use super::states;
use crate::simulation::{FinishedParts, NotKept, Sums};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Name of the journal's file.
pub const JOURNAL: &str = "unfinished.jsonl";

/// Why the parts of a study cannot be kept or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The first line does not tell what the others are of.
    #[error(
        "{}: its first line is damaged, or carat did not write it, so what it holds cannot be told; \
         move it away, or name another folder",
        .0.display()
    )]
    NotOurs(PathBuf),
    /// Another process plays this study.
    #[error("{}: another carat is playing this; wait for it, or name another folder", .0.display())]
    Busy(PathBuf),
    /// Parts are done, and it was not said what should become of them.
    #[error("{}: {}", file.display(), waiting(*parts, changes))]
    Waiting {
        /// The journal.
        file: PathBuf,
        /// How many.
        parts: usize,
        /// How the study that they are of differs from the one asked for.
        changes: Vec<String>,
    },
    /// What was begun is not what is asked for.
    #[error("{} was begun with a different study; what changed: {}", file.display(), changes.join("; "))]
    Changed {
        /// The journal.
        file: PathBuf,
        /// Each change, in words.
        changes: Vec<String>,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] OutputError),
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

/// What becomes of parts that were done before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Nobody said: when there are any, nothing is played.
    Ask,
    /// The study goes on with them.
    GoOn,
    /// They are removed, and all is played anew.
    Remove,
}

/// The finished parts of a study; of one that is not played in parts, none.
pub struct Journal {
    /// The file that they are kept in, with what stands before all parts: what is played.
    kept: Option<(PathBuf, File, String)>,
    /// Up to where the file is sound.
    end: u64,
    known: HashMap<String, Sums>,
    damaged: usize,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    part: String,
    pub sums: Sums,
}

/// What a file that may be a journal holds.
enum Found {
    Empty,
    /// Its first line does not tell what the others are of.
    NotOurs,
    Parts(Held),
}

/// The parts in a journal.
struct Held {
    /// How the study that it is of differs from the one asked for.
    changes: Vec<String>,
    parts: HashMap<String, Sums>,
    damaged: Vec<Range<u64>>,
    /// Where the last whole line ends.
    end: u64,
}

impl Journal {
    /// Opens the journal in `folder` for the study that `manifest` describes.
    ///
    /// # Errors
    ///
    /// When it is not carat's, another process writes it, or `before` does not fit what it holds;
    /// then it is left as it is.
    pub fn open(
        folder: &Path,
        manifest: &Manifest,
        before: Before,
    ) -> Result<Journal, JournalError> {
        Journal::open_file(folder, JOURNAL, manifest, before)
    }

    /// The same of a file with another name.
    pub fn open_file(
        folder: &Path,
        name: &str,
        manifest: &Manifest,
        before: Before,
    ) -> Result<Journal, JournalError> {
        let path = folder.join(name);
        let failed = || io_error("write", &path);
        if std::fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(JournalError::NotOurs(path));
        }
        let mut file = open_locked(folder, &path)?;
        let header = checked_line(manifest).map_err(io::Error::from);
        let header = header.map_err(failed())?;
        let held = read(&file, manifest).map_err(failed())?;
        let mut journal = Journal {
            kept: None,
            end: 0,
            known: HashMap::new(),
            damaged: 0,
        };
        match held {
            // States without a journal are of nobody knows what.
            Found::Empty => states::remove_all(folder),
            Found::NotOurs => return Err(JournalError::NotOurs(path)),
            Found::Parts(held) => match before {
                Before::GoOn if !held.changes.is_empty() => {
                    let changes = held.changes;
                    return Err(JournalError::Changed {
                        file: path,
                        changes,
                    });
                }
                Before::Ask if !held.parts.is_empty() => {
                    return Err(JournalError::Waiting {
                        file: path,
                        parts: held.parts.len(),
                        changes: held.changes,
                    });
                }
                Before::GoOn => {
                    blank(&mut file, &held).map_err(failed())?;
                    journal.damaged = held.damaged.len();
                    journal.known = held.parts;
                    journal.end = held.end;
                }
                Before::Ask | Before::Remove => {
                    states::remove_all(folder);
                    cut(&mut file, 0).map_err(failed())?;
                }
            },
        }
        journal.kept = Some((path, file, header));
        Ok(journal)
    }

    /// The journal of a study that is not played in parts.
    pub fn none() -> Journal {
        Journal {
            kept: None,
            end: 0,
            known: HashMap::new(),
            damaged: 0,
        }
    }

    /// How many parts are done.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no part is done.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// How many parts were damaged, and are played again.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Leaves the parts that are done for later, and tells whether there are any.
    pub fn end_unfinished(self) -> bool {
        self.end > 0
    }

    /// Gives the journal another name in its folder, under which it holds all parts; it is on the
    /// disk by then.
    ///
    /// # Errors
    ///
    /// Those of the file system; then it has its name still.
    pub fn complete(mut self, as_name: &Path) -> Result<(), OutputError> {
        let Some((path, mut file, header)) = self.kept.take() else {
            return Ok(());
        };
        let failed = || io_error("write", as_name);
        if self.end == 0 {
            file.write_all(header.as_bytes()).map_err(failed())?;
        }
        file.sync_all().map_err(failed())?;
        std::fs::rename(path, as_name).map_err(failed())
    }

    /// Removes the journal: the study is complete.
    pub fn remove(mut self) {
        // Results are in place by now; a journal that stays does no harm.
        if let Some((path, ..)) = self.kept.take() {
            path.parent().into_iter().for_each(states::remove_all);
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if let Some((path, file, _)) = &self.kept
            && file.metadata().is_ok_and(|found| found.len() == 0)
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl FinishedParts for Journal {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.known.remove(part)
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        let Some((path, file, header)) = &mut self.kept else {
            return Ok(());
        };
        let line = Line {
            part: part.to_string(),
            sums: sums.clone(),
        };
        let mut text = checked_line(&line).map_err(|error| NotKept(error.into()))?;
        if self.end == 0 {
            text.insert_str(0, header);
        }
        // One write, so that little is lost when the process ends here. What a full disk cuts off
        // is taken back.
        if let Err(error) = file.write_all(text.as_bytes()) {
            let _ = cut(file, self.end);
            return Err(NotKept(Box::new(io_error("write", path)(error))));
        }
        self.end += text.len() as u64;
        Ok(())
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        let (path, ..) = self.kept.as_ref().filter(|_| self.end > 0)?;
        states::read(path.parent()?, of)
    }

    fn keep_state(&mut self, of: &str, state: &[u8]) -> Result<(), NotKept> {
        if self.kept.is_some() && self.end == 0 {
            // A state counts only beside a journal that tells what it is of.
            let begun = Sums {
                tables: Vec::new(),
                products: Vec::new(),
            };
            self.keep(of, &begun)?;
        }
        match self.kept.as_ref().and_then(|(path, ..)| path.parent()) {
            None => Ok(()),
            Some(folder) => states::write(folder, of, state).map_err(|error| NotKept(error.into())),
        }
    }
}

/// Opens the file for this process alone.
fn open_locked(folder: &Path, path: &Path) -> Result<File, JournalError> {
    // One process at a time opens a journal: none then holds a file that another removed.
    let _lock = folder::lock(folder);
    loop {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let file = file.open(path).map_err(io_error("write", path))?;
        match file.try_lock() {
            // Some file systems know no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path.to_path_buf())),
        }
        if path.exists() {
            return Ok(file);
        }
    }
}

/// Removes a journal that a process left behind before any part was done.
pub fn remove_dead(folder: &Path) {
    let path = folder.join(JOURNAL);
    let empty = std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_file() && it.len() == 0);
    if empty && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
        let _ = std::fs::remove_file(path);
    }
}

/// Reads a journal, for the study that `manifest` describes.
fn read(file: &File, manifest: &Manifest) -> io::Result<Found> {
    let mut lines = CheckedLines::new(BufReader::new(file));
    let Some(first) = lines.next_line()? else {
        return Ok(Found::Empty);
    };
    let begun = first.content.map(String::from_utf8_lossy);
    let changes = match &begun {
        None => return Ok(Found::NotOurs),
        Some(begun) => match Manifest::from_json(JOURNAL, begun) {
            Ok(begun) => changes(&begun, manifest),
            Err(_) => vec!["the version of carat, which wrote it in another way".to_string()],
        },
    };
    let mut held = Held {
        changes,
        parts: HashMap::new(),
        damaged: Vec::new(),
        end: first.place.end + 1,
    };
    while let Some(line) = lines.next_line()? {
        if line.ended {
            held.end = line.place.end + 1;
        }
        match line
            .content
            .and_then(|text| serde_json::from_slice(text).ok())
        {
            Some(Line { part, sums }) => drop(held.parts.insert(part, sums)),
            None => held.damaged.push(line.place),
        }
    }
    Ok(Found::Parts(held))
}

/// Takes out what is damaged, and stands at the end.
fn blank(file: &mut File, held: &Held) -> io::Result<()> {
    for place in held.damaged.iter().filter(|place| place.end < held.end) {
        file.seek(SeekFrom::Start(place.start))?;
        file.write_all(&vec![b' '; (place.end - place.start) as usize])?;
    }
    cut(file, held.end)
}

/// Ends a file there, and stands at its end: what is written next leaves no gap.
fn cut(file: &mut File, end: u64) -> io::Result<()> {
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Study;

    fn manifest(games: u64) -> Manifest {
        let text = format!("study = \"simulate\"\ngame = \"diamant\"\ngames = {games}\n");
        Manifest {
            carat: "1.0.0".to_string(),
            partial: true,
            precision_missed: None,
            simd: "sse2".to_string(),
            study: Study::from_toml("a.toml", &text).unwrap(),
            rules: vec![],
            strategies: vec![],
            shard: None,
            files: vec![],
        }
    }

    fn sums(n: i128) -> Sums {
        Sums {
            tables: vec![],
            products: vec![n],
        }
    }

    /// A journal of two parts, one and two, and its bytes.
    fn begun(folder: &Path) -> Vec<u8> {
        let mut journal = Journal::open(folder, &manifest(9), Before::Ask).unwrap();
        journal.keep("one", &sums(1 << 100)).unwrap();
        journal.keep("two", &sums(-2)).unwrap();
        std::fs::read(folder.join(JOURNAL)).unwrap()
    }

    fn refused(folder: &Path, games: u64, before: Before) -> String {
        match Journal::open(folder, &manifest(games), before) {
            Ok(_) => panic!("it is not refused"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn parts_are_kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL);
        begun(folder.path());
        // A crash in the middle of a line.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"[\"12345678\",{\"part\":\"three\",\"su")
            .unwrap();
        drop(file);

        let mut journal = Journal::open(folder.path(), &manifest(9), Before::GoOn).unwrap();
        assert!(refused(folder.path(), 9, Before::GoOn).contains("another carat is playing"));
        assert_eq!((journal.len(), journal.damaged()), (2, 1));
        assert_eq!(journal.recall("one"), Some(sums(1 << 100)));
        assert_eq!(journal.recall("three"), None);
        journal.keep("three", &sums(3)).unwrap();
        drop(journal);
        let mut journal = Journal::open(folder.path(), &manifest(9), Before::GoOn).unwrap();
        assert_eq!((journal.len(), journal.damaged()), (3, 0));
        assert_eq!(journal.recall("three"), Some(sums(3)));
        assert_eq!(journal.recall("two"), Some(sums(-2)));
        journal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn damaged_parts_are_dropped_and_the_others_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL);
        let bytes = begun(folder.path());
        let header = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let one = 1
            + header
            + bytes[header + 1..]
                .iter()
                .position(|b| *b == b'\n')
                .unwrap();
        for at in header + 1..one {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let mut journal = Journal::open(folder.path(), &manifest(9), Before::GoOn).unwrap();
            assert!(journal.damaged() >= 1, "byte {at}");
            assert_eq!(journal.recall("one"), None, "byte {at}");
            assert_eq!(journal.recall("two"), Some(sums(-2)), "byte {at}");
            journal.keep("one", &sums(1)).unwrap();
            drop(journal);
            let journal = Journal::open(folder.path(), &manifest(9), Before::GoOn).unwrap();
            assert_eq!((journal.len(), journal.damaged()), (2, 0), "byte {at}");
        }
        for at in 0..header {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            for before in [Before::Ask, Before::GoOn, Before::Remove] {
                let said = refused(folder.path(), 9, before);
                assert!(said.contains("first line is damaged"), "{said}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn what_is_done_is_removed_only_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = begun(folder.path());
        let said = refused(folder.path(), 9, Before::Ask);
        assert!(said.contains("2 parts are done of this study"), "{said}");
        let said = refused(folder.path(), 10, Before::Ask);
        assert!(said.contains("2 parts are done of another study"), "{said}");
        assert!(said.contains("games was 9, and is 10"), "{said}");
        let said = refused(folder.path(), 10, Before::GoOn);
        assert!(said.contains("games was 9, and is 10"), "{said}");
        assert_eq!(std::fs::read(folder.path().join(JOURNAL)).unwrap(), bytes);
        let journal = Journal::open(folder.path(), &manifest(10), Before::Remove).unwrap();
        assert!(journal.is_empty());
        drop(journal);
        assert!(!folder.path().join(JOURNAL).exists(), "no part is done");
    }

    /// What is begun in the place of other parts can be gone on with as well.
    #[test]
    fn what_takes_the_place_of_removed_parts_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        begun(folder.path());
        let mut journal = Journal::open(folder.path(), &manifest(10), Before::Remove).unwrap();
        journal.keep("one", &sums(7)).unwrap();
        drop(journal);
        let mut journal = Journal::open(folder.path(), &manifest(10), Before::GoOn).unwrap();
        assert_eq!((journal.len(), journal.damaged()), (1, 0));
        assert_eq!(journal.recall("one"), Some(sums(7)));
    }

    #[test]
    fn how_far_a_part_has_come_is_kept_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("unfinished-the-learner.carat");
        let open = |before| Journal::open(folder.path(), &manifest(9), before).unwrap();
        let mut journal = open(Before::Ask);
        assert_eq!(journal.recall_state("the learner"), None);
        journal.keep_state("the learner", b"half").unwrap();
        journal.keep_state("the learner", b"most").unwrap();
        drop(journal);
        let mut journal = open(Before::GoOn);
        assert_eq!(journal.recall_state("the learner"), Some(b"most".to_vec()));
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(journal.recall_state("the learner"), None, "it is damaged");
        drop(journal);
        drop(open(Before::Remove));
        assert!(!file.exists());
        std::fs::write(&file, "left behind").unwrap();
        drop(open(Before::GoOn));
        assert!(!file.exists(), "no journal tells what it is of");
        let mut journal = open(Before::Ask);
        journal.keep_state("the learner", b"half").unwrap();
        journal.remove();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(JOURNAL);
        std::fs::write(&file, "my notes\n").unwrap();
        for before in [Before::Ask, Before::GoOn, Before::Remove] {
            let said = refused(folder.path(), 9, before);
            assert!(said.contains("carat did not write it"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes\n");
    }
}
