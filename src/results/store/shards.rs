//! The shards of a study as files. Each holds the sums of one shard's games in one round, is
//! written like a journal, and gets its final name once complete. From all of them a study makes
//! its results, or decides that it needs another round.

use super::changes::changes;
use super::error::{StoreError, io_error};
use super::folder;
use super::journal::{Before, Journal};
use super::manifest::Manifest;
use super::names::{MANIFEST, Place};
use super::parts::{self, Held};
use carat_core::simulation::{FinishedParts, NotKept, Shard, Sums};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The played shards of a study.
#[derive(Debug)]
pub struct Shards {
    pub manifest: Manifest,
    /// Shards per round.
    pub of: u64,
    /// The number of complete rounds.
    pub rounds: u64,
    files: BTreeMap<Place, PathBuf>,
    /// For each part by name: its shard, and the position of its line.
    lines: HashMap<String, (Place, Range<u64>)>,
    open: Option<(Place, File)>,
}

impl Shards {
    /// Reads the shards in these folders, and shards named as files. Fails if one is missing,
    /// duplicate, damaged, or of another study than the first; the error names each.
    pub fn read(given: &[PathBuf]) -> Result<Shards, StoreError> {
        let mut files = Vec::new();
        let mut unfinished = BTreeSet::new();
        for path in given {
            let fault = |why: &str| faulty(format!("{}: {why}", path.display()));
            if !path.exists() {
                return Err(fault("no such file or folder"));
            }
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let found = in_folder(path)?;
            if found.is_empty() {
                return Err(fault("no shard of a study found"));
            }
            for (place, complete) in found {
                if complete {
                    files.push(path.join(place.file(Place::COMPLETE)));
                } else {
                    unfinished.insert((place.round, place.number));
                }
            }
        }
        Shards::of_files(&files, &unfinished)
    }

    fn of_files(
        files: &[PathBuf],
        unfinished: &BTreeSet<(u64, u64)>,
    ) -> Result<Shards, StoreError> {
        let mut faults = Vec::new();
        let mut all: Option<Shards> = None;
        for path in files {
            let added = read(path)?.and_then(|found| add(&mut all, path, found));
            if let Err(fault) = added {
                faults.push(format!("{}: {fault}", path.display()));
            }
        }
        let Some(mut all) = all else {
            if faults.is_empty() {
                faults.push("no shard is complete".to_string());
            }
            return Err(StoreError::Shards(faults));
        };
        let last = all.files.keys().next_back();
        all.rounds = last.map_or(0, |place| place.round);
        for round in 1..=all.rounds {
            let of = all.of;
            let there = |number| all.files.contains_key(&Place { round, number, of });
            let missing: Vec<u64> = (1..=of).filter(|&number| !there(number)).collect();
            if missing.is_empty() {
                continue;
            }
            let (all, named) = (missing.len(), numbers(&missing));
            let mut fault = format!("round {round}: {all} of {of} shards missing: {named}");
            let mut begun = missing;
            begun.retain(|&number| unfinished.contains(&(round, number)));
            if !begun.is_empty() {
                fault += &format!(" (incomplete: {})", numbers(&begun));
            }
            faults.push(fault);
        }
        if faults.is_empty() {
            Ok(all)
        } else {
            Err(StoreError::Shards(faults))
        }
    }

    /// The error of shards with missing games.
    pub fn incomplete(&self, round: u64, numbers: &BTreeSet<u64>) -> StoreError {
        let fault = |&number: &u64| {
            let of = self.of;
            let file = self.files.get(&Place { round, number, of });
            let file = file.map_or(String::new(), |file| file.display().to_string());
            format!("{file}: some games are missing; run shard {number}/{of} again")
        };
        StoreError::Shards(numbers.iter().map(fault).collect())
    }
}

impl FinishedParts for Shards {
    /// The sums of a part; `None` if its line is damaged.
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let (shard, place) = self.lines.get(part)?;
        let (_, file) = match &mut self.open {
            Some(open) if open.0 == *shard => open,
            other => other.insert((*shard, File::open(self.files.get(shard)?).ok()?)),
        };
        parts::sums(file, place)
    }
}

/// The content of a shard's file: its study, its place, and its parts.
type Found = (Manifest, Place, Held);

/// Reads the file of a shard, or explains why it is not one.
fn read(path: &Path) -> Result<Result<Found, String>, StoreError> {
    let failed = || io_error("read", path);
    let held = parts::read(&File::open(path).map_err(failed())?).map_err(failed())?;
    let shard = held.and_then(|held| {
        let mut manifest = Manifest::from_json("shard", &held.header).ok()?;
        let place = manifest.shard.take()?;
        Some((manifest, place, held))
    });
    Ok(shard.ok_or("the first line is damaged, or this is not a shard of a study".to_string()))
}

/// Adds a shard to those already read, or explains why it does not fit.
fn add(all: &mut Option<Shards>, path: &Path, found: Found) -> Result<(), String> {
    let (manifest, place, held) = found;
    let Place { round, number, of } = place;
    let all = all.get_or_insert_with(|| Shards {
        manifest: manifest.clone(),
        of,
        rounds: 0,
        files: BTreeMap::new(),
        lines: HashMap::new(),
        open: None,
    });
    let other = all.files.values().next().map_or(path, PathBuf::as_path);
    let other = other.display();
    let changes = changes(&all.manifest, &manifest);
    if !changes.is_empty() {
        return Err(format!(
            "this shard and {other} belong to different studies; differences: {}",
            changes.join("; ")
        ));
    }
    let others = all.of;
    if of != others {
        return Err(format!(
            "this is one of {of} shards, but {other} is one of {others}"
        ));
    }
    if let Some(before) = all.files.get(&place) {
        return Err(format!(
            "duplicate of shard {number}/{of} of round {round}, like {}",
            before.display()
        ));
    }
    all.files.insert(place, path.to_path_buf());
    if !held.damaged.is_empty() {
        return Err(format!("damaged; run shard {number}/{of} again"));
    }
    let lines = held.places.into_iter();
    all.lines
        .extend(lines.map(|(part, line)| (part, (place, line))));
    Ok(())
}

fn faulty(fault: String) -> StoreError {
    StoreError::Shards(vec![fault])
}

/// The places and paths of the shards in a folder, by their names.
fn in_folder(folder: &Path) -> Result<BTreeMap<Place, bool>, StoreError> {
    let failed = || io_error("read the folder", folder);
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed())? {
        let name = entry.map_err(failed())?.file_name();
        if let Some((place, complete)) = Place::of_file(&name.to_string_lossy()) {
            *found.entry(place).or_default() |= complete;
        }
    }
    Ok(found)
}

/// The state of the last round in a folder, with damaged or missing shards of earlier rounds.
#[derive(Default)]
pub struct ShardStatus {
    pub round: u64,
    pub of: u64,
    pub complete: Vec<u64>,
    /// Unfinished shards, each with the seconds since it last saved progress.
    pub running: Vec<(u64, u64)>,
    pub damaged: Vec<u64>,
    pub missing: Vec<u64>,
}

impl ShardStatus {
    /// Fails if the folder has no shard.
    pub fn of(target: &Path) -> Result<ShardStatus, StoreError> {
        let there = in_folder(target)?;
        let Some(&Place { round, of, .. }) = there.keys().next_back() else {
            let why = "no shard of a study found";
            return Err(faulty(format!("{}: {why}", target.display())));
        };
        let mut status = ShardStatus {
            round,
            of,
            ..ShardStatus::default()
        };
        for number in 1..=of {
            let mut places = (1..=round).map(|round| Place { round, number, of });
            let all = places.clone();
            match places.find(|place| there.get(place) != Some(&true)) {
                Some(place) if there.contains_key(&place) => {
                    let age = age(target, &place.file(Place::UNFINISHED))?;
                    status.running.push((number, age));
                }
                Some(_) => status.missing.push(number),
                None if are_sound(target, all)? => status.complete.push(number),
                None => status.damaged.push(number),
            }
        }
        Ok(status)
    }

    /// A line for each state, with its shards.
    pub fn lines(&self) -> String {
        let mut lines = format!("round {}: {} shards\n", self.round, self.of);
        let running = self.running.iter();
        let running = running.map(|(number, age)| format!("{number} ({age} s)"));
        let running = Vec::from_iter(running).join(", ");
        for (what, list) in [
            ("complete", numbers(&self.complete)),
            ("running, seconds since the last save", running),
            ("damaged", numbers(&self.damaged)),
            ("missing", numbers(&self.missing)),
        ] {
            if !list.is_empty() {
                lines += &format!("{what}: {list}\n");
            }
        }
        lines
    }
}

/// Seconds since a shard's file, or a file of its states, was last written.
fn age(folder: &Path, name: &str) -> Result<u64, StoreError> {
    let failed = || io_error("read the folder", folder);
    let mut least = u64::MAX;
    for entry in std::fs::read_dir(folder).map_err(failed())?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(name) {
            let written = entry.metadata().and_then(|found| found.modified());
            let age = written.map_or(u64::MAX, |at| at.elapsed().unwrap_or_default().as_secs());
            least = least.min(age);
        }
    }
    Ok(least)
}

/// Sorted numbers, with runs as ranges.
fn numbers(all: &[u64]) -> String {
    let ranges = all.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

pub struct OwnShard {
    folder: PathBuf,
    pub place: Place,
    earlier: Option<Shards>,
    journal: Journal,
    made: Vec<PathBuf>,
    /// The extension of the file with its rows of games.
    rows: &'static str,
}

pub enum Todo {
    Play(Box<OwnShard>),
    /// The shard is complete; these others of its round are not.
    Wait(PathBuf, String),
}

impl OwnShard {
    /// Opens a shard in `target`, of the study of `manifest` with one round or as many as it needs.
    /// Damaged parts are played again; [`Before::Remove`] drops all parts. With `rows`, an
    /// extension, it also writes each game, and an interrupted shard starts over. Fails if the
    /// folder has shards of another study.
    pub fn open(
        target: &Path,
        manifest: &Manifest,
        shard: Shard,
        one_round: bool,
        rows: Option<&'static str>,
        before: Before,
    ) -> Result<Todo, StoreError> {
        let (folder, missing) = folder::locate(target)?;
        let made = folder::make(&missing)?;
        let fault = |why: String| faulty(format!("{}: {why}", target.display()));
        if folder.join(MANIFEST).exists() {
            let why = "this folder holds results; name another folder for shards";
            return Err(fault(why.to_string()));
        }
        let mut there = in_folder(&folder)?;
        let Shard { number, of } = shard;
        if let Some(other) = there.keys().find(|place| place.of != of) {
            return Err(fault(format!(
                "this folder holds shards of {}, not of {of}; name another folder",
                other.of
            )));
        }
        let anew = before == Before::Remove;
        for (place, complete) in &mut there {
            if place.number == number && *complete {
                *complete = !anew && are_sound(&folder, [*place])?;
            }
        }
        let file = |place: &Place| folder.join(place.file(Place::COMPLETE));
        check_same(there.keys().map(file), manifest)?;
        for (place, complete) in &there {
            if place.number == number && !complete && anew {
                folder::remove(&file(place))?;
            } else if place.number == number && !complete && file(place).exists() {
                reopen(&file(place), &folder.join(place.file(Place::UNFINISHED)))?;
            }
        }
        let complete = |round, number| there.get(&Place { round, number, of }) == Some(&true);
        let all = |round: &u64| (1..=of).all(|number| complete(*round, number));
        let round = if one_round {
            1
        } else {
            1 + (1..).take_while(all).count() as u64
        };
        let place = Place { round, number, of };
        let earlier = there.keys().filter(|place| place.round < round);
        let earlier: Vec<PathBuf> = earlier.map(file).collect();
        let earlier = match round {
            1 => None,
            _ => Some(Shards::of_files(&earlier, &BTreeSet::new())?),
        };
        let is_there = |end| folder.join(place.file(end)).exists();
        if complete(round, number) && rows.is_none_or(is_there) {
            let missing = (1..=of).filter(|&number| !complete(round, number));
            let missing = numbers(&Vec::from_iter(missing));
            let path = target.join(place.file(Place::COMPLETE));
            return Ok(Todo::Wait(path, missing));
        }
        let manifest = Manifest {
            shard: Some(place),
            ..manifest.clone()
        };
        let before = match rows {
            None if !anew => Before::GoOn,
            _ => Before::Remove,
        };
        let name = place.file(Place::UNFINISHED);
        Ok(Todo::Play(Box::new(OwnShard {
            journal: Journal::open(&folder, &name, &manifest, before)?,
            folder,
            place,
            earlier,
            made,
            rows: rows.unwrap_or("parquet"),
        })))
    }

    /// The path of its rows of games until it is complete.
    pub fn games(&self) -> PathBuf {
        let name = self.place.file(self.rows);
        self.folder.join(format!("{name}.{}", Place::UNFINISHED))
    }

    /// Gives the complete file its final name and returns the path. On failure it stays unfinished.
    pub fn complete(mut self) -> Result<PathBuf, StoreError> {
        let [path, games] =
            [Place::COMPLETE, self.rows].map(|end| self.folder.join(self.place.file(end)));
        if self.games().exists() {
            std::fs::rename(self.games(), &games).map_err(io_error("write", &games))?;
        }
        self.journal.complete(&path)?;
        Ok(path)
    }

    /// The error of earlier shards with missing games, if any.
    pub fn incomplete(&self, round: u64, numbers: &BTreeSet<u64>) -> Option<StoreError> {
        let earlier = self.earlier.as_ref().filter(|_| !numbers.is_empty());
        Some(earlier?.incomplete(round, numbers))
    }
}

impl Drop for OwnShard {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.games());
        folder::remove_empty(&self.made);
    }
}

impl FinishedParts for OwnShard {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let own = self.journal.recall(part);
        own.or_else(|| self.earlier.as_mut()?.recall(part))
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        self.journal.keep(part, sums)
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        self.journal.recall_state(of)
    }

    fn keep_state(&mut self, of: &str, state: &[u8]) -> Result<(), NotKept> {
        self.journal.keep_state(of, state)
    }
}

/// Whether the files of complete shards are undamaged.
fn are_sound(folder: &Path, places: impl IntoIterator<Item = Place>) -> Result<bool, StoreError> {
    for place in places {
        let found = read(&folder.join(place.file(Place::COMPLETE)))?;
        if !found.is_ok_and(|(_, of, held)| of == place && held.is_whole()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reopens a damaged shard as unfinished, with its undamaged parts.
fn reopen(file: &Path, unfinished: &Path) -> Result<(), StoreError> {
    if read(file)?.is_err() {
        return folder::remove(file);
    }
    std::fs::rename(file, unfinished).map_err(io_error("write", unfinished))
}

/// Fails unless the first readable one of these files is a shard of the study of `manifest`: a
/// folder has shards of one study only.
fn check_same(files: impl Iterator<Item = PathBuf>, manifest: &Manifest) -> Result<(), StoreError> {
    for file in files.filter(|file| file.exists()) {
        let Ok((of, ..)) = read(&file)? else {
            continue;
        };
        let differs = changes(&of, manifest);
        if !differs.is_empty() {
            return Err(faulty(format!(
                "{}: this shard belongs to another study; differences: {}; name another folder, or remove it",
                file.display(),
                differs.join("; ")
            )));
        }
        break;
    }
    Ok(())
}
