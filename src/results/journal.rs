//! The parts of a long study that are done, kept beside where its results will go, so that an
//! interrupted study can go on.
//!
//! One line of JSON each: first what is played, then the sums of every part that was finished. A
//! line that was cut off counts for nothing.

use super::Manifest;
use super::output::OutputError;
use crate::simulation::{FinishedParts, NotKept, Sums};
use crate::study::library::Source;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why the parts of a study cannot be kept or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file is not a journal.
    #[error("{}: this file was not written by carat; move it away", .0.display())]
    NotOurs(PathBuf),
    /// Another process plays this study.
    #[error("{}: another carat is playing into this folder", .0.display())]
    Busy(PathBuf),
    /// What was begun is not what is asked for.
    #[error(
        "{} was begun with a different study; what changed: {}\n\
         play it without resuming to start afresh",
        file.display(),
        changes.join("; ")
    )]
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

/// The finished parts of a study; of one that is not played in parts, none.
pub struct Journal {
    /// The file that they are kept in.
    file: Option<(PathBuf, File)>,
    known: HashMap<String, Sums>,
    /// Parts that were done, now or before.
    done: usize,
}

#[derive(Serialize, Deserialize)]
struct Line {
    part: String,
    sums: Sums,
}

impl Journal {
    /// Opens the journal of the study that `manifest` describes, with results going to `target`.
    /// With `resume` the parts that are done are read, and a study that changed is refused;
    /// without it they are forgotten.
    pub fn open(target: &Path, manifest: &Manifest, resume: bool) -> Result<Journal, JournalError> {
        let mut name = target.file_name().unwrap_or_default().to_os_string();
        name.push(".unfinished");
        let path = target.with_file_name(name);
        let failed = |source| io_error(&path, source);
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(JournalError::NotOurs(path));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path)),
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut known = HashMap::new();
        let mut lines = BufReader::new(&file);
        let mut header = Vec::new();
        lines.read_until(b'\n', &mut header).map_err(failed)?;
        if !header.is_empty() {
            let text = String::from_utf8_lossy(&header);
            let Ok(begun) = Manifest::from_json(&path.display().to_string(), &text) else {
                return Err(JournalError::NotOurs(path));
            };
            let changes = changes(&begun, manifest);
            if resume && !changes.is_empty() {
                return Err(JournalError::Changed {
                    file: path,
                    changes,
                });
            }
        }
        let mut end = header.len() as u64;
        if resume {
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).map_err(failed)? > 0 {
                let Ok(Line { part, sums }) = serde_json::from_slice(&line) else {
                    break;
                };
                known.insert(part, sums);
                end += line.len() as u64;
                line.clear();
            }
        }
        if !resume || header.is_empty() {
            let json = serde_json::to_string(manifest).map_err(|error| failed(error.into()))?;
            file.set_len(0).map_err(failed)?;
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            writeln!(file, "{json}").map_err(failed)?;
        } else {
            file.set_len(end).map_err(failed)?;
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
        }
        Ok(Journal {
            file: Some((path, file)),
            known,
            done: 0,
        })
    }

    /// The journal of a study that is not played in parts.
    pub fn none() -> Journal {
        Journal {
            file: None,
            known: HashMap::new(),
            done: 0,
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

    /// Leaves the parts that are done for later, and tells whether there are any.
    pub fn end_unfinished(self) -> bool {
        let some = self.done > 0;
        if !some {
            self.remove();
        }
        some
    }

    /// Removes the journal: the study is complete, or nothing of it was done.
    pub fn remove(self) {
        // Results are in place by now; a journal that stays does no harm.
        if let Some((path, _)) = self.file {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl FinishedParts for Journal {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let known = self.known.remove(part);
        self.done += usize::from(known.is_some());
        known
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        let line = Line {
            part: part.to_string(),
            sums: sums.clone(),
        };
        let failed = |source| io_error(path, source);
        let json = serde_json::to_string(&line).map_err(|error| failed(error.into()));
        let json = json.map_err(not_kept)?;
        // One write, so that little is lost when the process ends here.
        file.write_all((json + "\n").as_bytes())
            .map_err(|source| not_kept(failed(source)))?;
        self.done += 1;
        Ok(())
    }
}

fn not_kept(error: JournalError) -> NotKept {
    NotKept(Box::new(error))
}

fn io_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io(OutputError::Io {
        what: "write",
        path: path.to_path_buf(),
        source,
    })
}

/// What differs between the study that was begun and the one asked for, in words.
fn changes(begun: &Manifest, now: &Manifest) -> Vec<String> {
    let mut changes = Vec::new();
    if begun.carat != now.carat {
        changes.push(format!("carat was {}, and is {}", begun.carat, now.carat));
    }
    let value = |manifest: &Manifest| serde_json::to_value(&manifest.study).unwrap_or_default();
    compare("", &value(begun), &value(now), &mut changes);
    for (kind, old, new) in [
        ("rules", &begun.rules, &now.rules),
        ("bot", &begun.strategies, &now.strategies),
    ] {
        let edited = |source: &&Source| {
            let same_name = |other: &&Source| other.name == source.name;
            new.iter()
                .find(same_name)
                .is_some_and(|other| other.text != source.text)
        };
        changes.extend(
            old.iter()
                .filter(edited)
                .map(|source| format!("the text of the {kind} `{}`", source.name)),
        );
    }
    changes
}

/// Lists the values in which two studies differ, by their path.
fn compare(
    path: &str,
    begun: &serde_json::Value,
    now: &serde_json::Value,
    changes: &mut Vec<String>,
) {
    use serde_json::Value::{Null, Object};
    if let (Object(old), Object(new)) = (begun, now) {
        let mut keys: Vec<&String> = old.keys().collect();
        keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
        for key in keys {
            let inner = match path {
                "" => key.clone(),
                _ => format!("{path}.{key}"),
            };
            let value = |of: &serde_json::Map<_, _>| of.get(key).cloned().unwrap_or(Null);
            compare(&inner, &value(old), &value(new), changes);
        }
    } else if begun != now {
        let shown = |value: &serde_json::Value| match value {
            Null => "nothing".to_string(),
            value => value.to_string(),
        };
        changes.push(format!(
            "{path} was {}, and is {}",
            shown(begun),
            shown(now)
        ));
    }
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
            files: vec![],
        }
    }

    fn sums(n: i128) -> Sums {
        Sums {
            tables: vec![],
            products: vec![n],
        }
    }

    #[test]
    fn parts_are_kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("results");
        let mut journal = Journal::open(&target, &manifest(9), false).unwrap();
        journal.keep("one", &sums(1 << 100)).unwrap();
        journal.keep("two", &sums(-2)).unwrap();
        assert!(matches!(
            Journal::open(&target, &manifest(9), true),
            Err(JournalError::Busy(_))
        ));
        drop(journal);
        // A crash in the middle of a line.
        let path = folder.path().join("results.unfinished");
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"part\":\"three\",\"su").unwrap();
        drop(file);

        let mut journal = Journal::open(&target, &manifest(9), true).unwrap();
        assert_eq!(journal.len(), 2);
        assert_eq!(journal.recall("one"), Some(sums(1 << 100)));
        assert_eq!(journal.recall("three"), None);
        journal.keep("three", &sums(3)).unwrap();
        drop(journal);
        let mut journal = Journal::open(&target, &manifest(9), true).unwrap();
        assert_eq!(journal.recall("three"), Some(sums(3)));
        assert_eq!(journal.recall("two"), Some(sums(-2)));
        journal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_changed_study_is_refused_unless_it_starts_afresh() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("results");
        let mut journal = Journal::open(&target, &manifest(9), false).unwrap();
        journal.keep("one", &sums(1)).unwrap();
        drop(journal);
        let Err(error) = Journal::open(&target, &manifest(10), true) else {
            panic!("a changed study goes on");
        };
        assert!(
            error.to_string().contains("games was 9, and is 10"),
            "{error}"
        );
        assert!(
            Journal::open(&target, &manifest(10), false)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("results.unfinished");
        std::fs::write(&file, "my notes\n").unwrap();
        let opened = Journal::open(&folder.path().join("results"), &manifest(9), false);
        assert!(matches!(opened, Err(JournalError::NotOurs(_))));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes\n");
    }
}
