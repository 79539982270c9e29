//! The shards of a study as files. Each holds exact sums of a range of games, is written like a
//! journal, and gets its final name once complete.

use super::changes::changes;
use super::error::{StoreError, io_error};
use super::folder;
use super::journal::{Before, Journal};
use super::names::{SHARD, UNFINISHED, shard_file, shard_of_file};
use super::parts;
use carat_core::simulation::{FinishedParts, Shard, Sums};
use carat_studies::report::MANIFEST;
use carat_studies::report::{FileRecord, Manifest};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File, TryLockError};
use std::mem::take;
use std::ops::Range;
use std::path::{Path, PathBuf};

const OLDER: &str = "an older carat wrote this shard, and divided studies in another way; run the \
                     shards again with this carat, in a new folder";

/// The states of shards; those of another study, or given twice, are foreign.
const STATES: [&str; 6] = [
    "complete",
    "running",
    "interrupted",
    "damaged",
    "foreign",
    "missing",
];

/// The shards of a study, as files and folders hold them.
#[derive(Default)]
pub struct Shards {
    /// The number of shards; 0 if none is found.
    pub of: u64,
    /// The first readable shard.
    first: Option<Found>,
    /// The state and the file of each shard found, by its number.
    states: BTreeMap<u64, (&'static str, PathBuf)>,
    /// What is wrong, and whether more than files that are missing.
    faults: Vec<String>,
    is_damaged: bool,
    /// For each part by name: its shard, and the position of its line.
    lines: HashMap<String, (u64, Range<u64>)>,
    /// The files of rows beside complete shards.
    rows: BTreeMap<u64, PathBuf>,
}

/// What a file of a shard holds.
struct Found {
    path: PathBuf,
    study: Manifest,
    shard: Shard,
    /// The positions of its parts, if it is complete.
    lines: HashMap<String, Range<u64>>,
    /// The file of its rows, if it has one.
    rows: Option<PathBuf>,
}

impl Found {
    /// Why another shard does not belong to the same study, if so.
    fn misfit(&self, other: &Found) -> Option<String> {
        let mut changes = changes(&self.study, &other.study);
        let [own, of] = [self, other].map(|found| found.shard.of);
        if own != of {
            changes.push(format!("that is one of {own} shards, this of {of}"));
        }
        let others = match self.path.display() {
            _ if self.path == other.path => "the shard there is of another study".to_string(),
            path => format!("this shard and {path} belong to different studies"),
        };
        let changes = changes.join("; ");
        (!changes.is_empty()).then(|| format!("{others}; differences: {changes}"))
    }
}

impl Shards {
    /// Reads the shards in these folders, and shards given as files. Other files beside them, such
    /// as rows of their games, are ignored.
    pub fn read(given: &[PathBuf]) -> Result<Shards, StoreError> {
        let mut all = Shards::default();
        for path in given {
            if path.is_file() {
                all.add(path)?;
                continue;
            }
            let found = shards_in(path)?;
            if found.is_empty() {
                let shown = path.display();
                all.faults
                    .push(format!("{shown}: no shard of a study found"));
            }
            for (shard, ending) in found {
                all.add(&path.join(shard_file(shard, ending)))?;
            }
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path) -> Result<(), StoreError> {
        let name = file_name(path);
        let named = shard_of_file(&name);
        let (found, mut state) = match named.map_or(SHARD, |(_, ending)| ending) {
            SHARD => (read_whole(path)?, "complete"),
            UNFINISHED => (read_header(path), state_of_begun(path)),
            _ => return Ok(()),
        };
        let mut shard = named.map(|(shard, _)| shard);
        let fault = match found {
            Ok(mut found) => {
                shard = Some(found.shard);
                let why = self.misfit(&found, state);
                if why.is_none() {
                    let (number, lines) = (found.shard.number, take(&mut found.lines));
                    let lines = lines.into_iter().map(|(part, line)| (part, (number, line)));
                    self.lines.extend(lines);
                    let rows = take(&mut found.rows).map(|rows| (number, rows));
                    self.rows.extend(rows);
                }
                self.first.get_or_insert(found);
                why.map(|why| ("foreign", why))
            }
            Err(why) if state == "complete" => Some(("damaged", why)),
            // It may have been interrupted in its first line.
            Err(_) => None,
        };
        if let Some((fault, why)) = fault {
            (state, self.is_damaged) = (fault, true);
            self.faults.push(format!("{}: {why}", path.display()));
        }
        if let Some(Shard { number, of }) = shard
            && [0, of].contains(&self.of)
        {
            self.of = of;
            let found = (state, path.to_path_buf());
            self.states.entry(number).or_insert(found);
        }
        Ok(())
    }

    /// Why a shard does not belong to those already read, if so.
    fn misfit(&self, found: &Found, state: &str) -> Option<String> {
        let misfit = self.first.as_ref().and_then(|first| first.misfit(found));
        misfit.or_else(|| {
            let (known, before) = self.states.get(&found.shard.number)?;
            let (shard, before) = (found.shard, before.display());
            let is_double = [known, state] == ["complete"; 2];
            is_double.then(|| format!("duplicate of shard {shard}, like {before}"))
        })
    }

    /// The numbers of the shards in each state.
    pub fn states(&self) -> IndexMap<&'static str, Vec<u64>> {
        let mut states: IndexMap<_, _> = STATES.map(|state| (state, Vec::new())).into();
        for number in 1..=self.of {
            let state = self.states.get(&number).map_or("missing", |found| found.0);
            states[state].push(number);
        }
        states
    }

    /// A line for each state, with its shards.
    pub fn lines(&self) -> Vec<String> {
        let mut states = self.states();
        states.retain(|_, shards| !shards.is_empty());
        let states = states.iter();
        let lines = states.map(|(state, shards)| format!("{state}: {}", format_numbers(shards)));
        lines.collect()
    }

    /// The files of rows in the order of their games, if every shard has the same kind, or why they
    /// cannot be joined.
    pub fn rows(&self) -> Result<Vec<PathBuf>, String> {
        let kinds = self.rows.values().map(|rows| file_name(rows));
        let kinds = kinds.filter_map(|name| Some(shard_of_file(&name)?.1.to_string()));
        let is_whole = [0, self.of].contains(&(self.rows.len() as u64));
        if is_whole && BTreeSet::from_iter(kinds).len() < 2 {
            return Ok(self.rows.values().cloned().collect());
        }
        let some = format_numbers(&Vec::from_iter(self.rows.keys().copied()));
        Err(format!(
            "rows of games are not joined, as not all shards have the same kind: {some}"
        ))
    }

    /// The study, if every shard is complete. Fails with all that is damaged, foreign or missing.
    pub fn complete(&self, lists_states: bool) -> Result<&Manifest, StoreError> {
        let mut faults = self.faults.clone();
        if self.states.len() as u64 != self.of || self.states.values().any(|it| it.0 != "complete")
        {
            let states = if lists_states {
                format!(": {}", self.lines().join("; "))
            } else {
                String::new()
            };
            faults.push(format!("not all shards are complete{states}"));
        }
        match &self.first {
            Some(first) if faults.is_empty() => Ok(&first.study),
            _ if self.is_damaged => Err(StoreError::Shards(faults)),
            _ => Err(StoreError::ShardsMissing(faults)),
        }
    }
}

impl FinishedParts for Shards {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let (shard, line) = self.lines.get(part)?;
        let (_, path) = self.states.get(shard)?;
        parts::sums(&mut File::open(path).ok()?, line)
    }
}

/// Sorted numbers, with runs as ranges.
fn format_numbers(all: &[u64]) -> String {
    let ranges = all.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a file has the name of a shard of 0.3.
fn is_older(name: &str) -> bool {
    name.starts_with("round-") && name.contains("-shard-")
}

/// The complete and unfinished shards in a folder, each with the ending of its file.
fn shards_in(folder: &Path) -> Result<BTreeSet<(Shard, &'static str)>, StoreError> {
    let mut found = BTreeSet::new();
    for name in folder::names(folder)? {
        match shard_of_file(&name) {
            Some((shard, SHARD)) => drop(found.insert((shard, SHARD))),
            Some((shard, UNFINISHED)) => drop(found.insert((shard, UNFINISHED))),
            _ if is_older(&name) => return Err(faulty(&folder.join(name), OLDER)),
            _ => {}
        }
    }
    Ok(found)
}

/// A complete shard, or why the file is none: the one check by which `--status`, `merge` and a
/// shard that runs again go.
fn read_whole(path: &Path) -> Result<Result<Found, String>, StoreError> {
    let failed = || io_error("read", path);
    let held = parts::read(&File::open(path).map_err(failed())?).map_err(failed())?;
    let found = find_study(path, held.as_ref().map(|held| held.header.as_str()));
    Ok(found.and_then(|found| {
        let shard = found.shard;
        let Some(held) = held.filter(|held| held.is_whole) else {
            return Err(format!("damaged or cut off; run shard {shard} again"));
        };
        let rows = held
            .rows
            .map(|rows| (path.with_file_name(&rows.name), rows));
        if let Some((file, record)) = &rows
            && !folder::is_as(file, record)
        {
            let name = &record.name;
            return Err(format!(
                "the file of its rows, `{name}`, is missing or was changed; run shard {shard} again"
            ));
        }
        Ok(Found {
            lines: held.places,
            rows: rows.map(|rows| rows.0),
            ..found
        })
    }))
}

/// What the first line of a shard says, or why it is none. One in progress may vanish meanwhile: it
/// gets its final name.
fn read_header(path: &Path) -> Result<Found, String> {
    let header = File::open(path).and_then(|file| parts::read_header(&file));
    find_study(path, header.unwrap_or_default().as_deref())
}

fn find_study(path: &Path, header: Option<&str>) -> Result<Found, String> {
    let name = file_name(path);
    if is_older(&name) {
        return Err(OLDER.to_string());
    }
    let study = header.and_then(|header| Manifest::from_json("shard", header).ok());
    let read = study.and_then(|mut study| Some((study.shard.take()?.parse().ok()?, study)));
    let Some((shard, study)) = read else {
        return Err("the first line is damaged, or this is not a shard of a study".to_string());
    };
    match shard_of_file(&name) {
        Some((named, _)) if named != shard => Err(format!("this is shard {shard}, not {named}")),
        _ => Ok(Found {
            path: path.to_path_buf(),
            study,
            shard,
            lines: HashMap::new(),
            rows: None,
        }),
    }
}

/// Whether a process writes an unfinished shard.
fn state_of_begun(path: &Path) -> &'static str {
    // The folder is locked, so that no shard that starts finds its file locked by this look.
    let _lock = path.parent().and_then(folder::lock);
    match File::open(path).map(|file| file.try_lock_shared()) {
        Ok(Ok(()) | Err(TryLockError::Error(_))) => "interrupted",
        // Of one that just became complete the file is gone.
        Ok(Err(TryLockError::WouldBlock)) | Err(_) => "running",
    }
}

fn faulty(path: &Path, why: &str) -> StoreError {
    StoreError::Shards(vec![format!("{}: {why}", path.display())])
}

/// A shard that is being played.
pub struct OwnShard {
    pub journal: Journal,
    /// The path of the complete shard.
    path: PathBuf,
    rows: Option<PathBuf>,
}

impl OwnShard {
    /// Opens a shard of the study of `manifest` in `target`; `None` if it is complete. Damaged
    /// parts are played again; [`Before::Remove`] drops all parts. With `rows`, the ending of a
    /// file, it also writes each game, and an interrupted shard starts over. Fails if the folder
    /// has shards of another study.
    pub fn open(
        target: &Path,
        manifest: Manifest,
        shard: Shard,
        rows: Option<&'static str>,
        before: Before,
    ) -> Result<Option<OwnShard>, StoreError> {
        let (folder, missing) = folder::locate(target)?;
        folder::make(&missing)?;
        if folder.join(MANIFEST).exists() {
            let why = "this folder holds results; name another folder for shards";
            return Err(faulty(target, why));
        }
        let file = |ending: &str| folder.join(shard_file(shard, ending));
        let own = Found {
            path: file(SHARD),
            study: manifest,
            shard,
            lines: HashMap::new(),
            rows: None,
        };
        check_same(&folder, &own)?;
        let (path, begun, rows) = (&own.path, file(UNFINISHED), rows.map(file));
        let restarts = before == Before::Remove;
        if restarts {
            folder::remove(path)?;
        } else if path.exists() {
            match read_whole(path)? {
                Ok(found) if rows.is_none() || found.rows == rows => return Ok(None),
                Ok(_) => {}
                Err(_) if read_header(path).is_ok() => {
                    fs::rename(path, &begun).map_err(io_error("write", &begun))?;
                }
                Err(_) => folder::remove(path)?,
            }
        }
        let before = match rows {
            None if !restarts => Before::GoOn,
            _ => Before::Remove,
        };
        let manifest = Manifest {
            shard: Some(shard.to_string()),
            ..own.study
        };
        let mut journal = Journal::open(&folder, &file_name(&begun), &manifest, before)?;
        // From now on others see that it runs.
        journal.made()?;
        Ok(Some(OwnShard {
            journal,
            path: own.path,
            rows,
        }))
    }

    /// The path of its rows of games until it is complete, if they are written.
    pub fn rows(&self) -> Option<PathBuf> {
        let rows = self.rows.as_ref();
        rows.map(|rows| rows.with_added_extension(UNFINISHED))
    }

    /// Gives the complete file, which names its rows, its final name and returns the path. On
    /// failure it stays unfinished.
    pub fn complete(mut self, rows: Option<FileRecord>) -> Result<PathBuf, StoreError> {
        if let (Some(begun), Some(rows)) = (self.rows(), &self.rows) {
            fs::rename(begun, rows).map_err(io_error("write", rows))?;
        }
        let name = self.rows.as_deref().map(file_name).unwrap_or_default();
        let rows = rows.map(|rows| FileRecord { name, ..rows });
        self.journal.complete(&self.path, rows)?;
        Ok(self.path.clone())
    }
}

impl Drop for OwnShard {
    fn drop(&mut self) {
        self.rows().map(fs::remove_file);
    }
}

/// Fails if a folder has shards of another study, or of another number of shards. The shard's own
/// unfinished file is compared where it is opened.
fn check_same(folder: &Path, own: &Found) -> Result<(), StoreError> {
    let mut there = Vec::from_iter(shards_in(folder)?);
    there.retain(|file| *file != (own.shard, UNFINISHED));
    there.sort_by_key(|(shard, _)| *shard != own.shard);
    for (shard, ending) in there {
        let path = folder.join(shard_file(shard, ending));
        // A folder has shards of one study, so one that can be read is enough.
        if let Ok(other) = read_header(&path) {
            let why = other.misfit(own);
            return why.map_or(Ok(()), |why| Err(faulty(&own.path, &why)));
        }
    }
    Ok(())
}
