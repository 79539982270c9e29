//! The shards of a study as files: each holds the sums of the games that one shard played in one
//! round, written like a journal, and has its name once it is complete. Together they are all that
//! a study needs to end, or to tell that it goes on.

use super::changes::changes;
use super::checked_lines::{CheckedLine, CheckedLines, content};
use super::folder;
use super::journal::{Before, Journal, JournalError, Line};
use super::manifest::{MANIFEST, Manifest};
use super::output::{OutputError, io_error};
use crate::simulation::{FinishedParts, NotKept, Shard, Sums};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The end of the name of a complete shard.
const COMPLETE: &str = "jsonl";
/// That of the file of its games one by one.
const GAMES: &str = "parquet";
/// That of a shard that is played.
const UNFINISHED: &str = "unfinished";

/// Which games of a study a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The round, from 1.
    pub round: u64,
    /// The number of the shard, from 1.
    pub number: u64,
    /// How many shards there are.
    pub of: u64,
}

impl Place {
    /// The name of its file, with this end.
    fn file(self, end: &str) -> String {
        let Place { round, number, of } = self;
        format!("round-{round}-shard-{number}-of-{of}.{end}")
    }

    /// The place of a file by its name, and whether it is complete.
    fn of_file(name: &str) -> Option<(Place, bool)> {
        let (stem, end) = name.rsplit_once('.')?;
        let (round, rest) = stem.strip_prefix("round-")?.split_once("-shard-")?;
        let (number, of) = rest.split_once("-of-")?;
        let place = Place {
            round: round.parse().ok()?,
            number: number.parse().ok()?,
            of: of.parse().ok()?,
        };
        (place.file(end) == name && [COMPLETE, UNFINISHED].contains(&end))
            .then_some((place, end == COMPLETE))
    }
}

/// Why shards cannot be played or put together.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// What is wrong, each thing in a line.
    #[error("{}", .0.join("\n"))]
    Faulty(Vec<String>),
    /// What is done of a shard cannot be gone on with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] OutputError),
}

/// The shards of a study that were played.
#[derive(Debug)]
pub struct Shards {
    /// What they are of.
    pub manifest: Manifest,
    /// How many there are in each round.
    pub of: u64,
    /// The rounds that are complete.
    pub rounds: u64,
    files: Vec<PathBuf>,
    /// By place the file.
    places: BTreeMap<Place, usize>,
    /// By the name of a part its file, and where its line is.
    lines: HashMap<String, (usize, Range<u64>)>,
    open: Option<(usize, File)>,
}

impl Shards {
    /// Reads the shards in these folders, and those that are named themselves.
    ///
    /// # Errors
    ///
    /// When one is missing, there twice, damaged, or of another study than the first; each is named.
    pub fn read(given: &[PathBuf]) -> Result<Shards, ShardError> {
        let mut files = Vec::new();
        let mut unfinished = BTreeSet::new();
        for path in given {
            match path.is_dir() {
                true => {
                    let found = in_folder(path)?;
                    if found.is_empty() {
                        let nothing = format!("{}: there is no shard of a study", path.display());
                        return Err(ShardError::Faulty(vec![nothing]));
                    }
                    for (place, complete) in found {
                        match complete {
                            true => files.push(path.join(place.file(COMPLETE))),
                            false => drop(unfinished.insert((place.round, place.number))),
                        }
                    }
                }
                false if path.exists() => files.push(path.clone()),
                false => {
                    let gone = format!("{}: there is no such folder or file", path.display());
                    return Err(ShardError::Faulty(vec![gone]));
                }
            }
        }
        Shards::of_files(files, &unfinished)
    }

    fn of_files(
        files: Vec<PathBuf>,
        unfinished: &BTreeSet<(u64, u64)>,
    ) -> Result<Shards, ShardError> {
        let mut faults = Vec::new();
        let mut all: Option<Shards> = None;
        for (index, path) in files.iter().enumerate() {
            if let Err(fault) = add(&mut all, index, path, &files)? {
                faults.push(format!("{}: {fault}", path.display()));
            }
        }
        let Some(mut all) = all else {
            if faults.is_empty() {
                faults.push("no shard is complete".to_string());
            }
            return Err(ShardError::Faulty(faults));
        };
        all.rounds = all
            .places
            .keys()
            .map(|place| place.round)
            .max()
            .unwrap_or(0);
        for round in 1..=all.rounds {
            let there = |number: &u64| {
                let of = all.of;
                let place = Place {
                    round,
                    number: *number,
                    of,
                };
                all.places.contains_key(&place)
            };
            let missing: Vec<u64> = (1..=all.of).filter(|number| !there(number)).collect();
            if !missing.is_empty() {
                let begun = missing.iter().copied();
                let begun: Vec<u64> = begun
                    .filter(|&k| unfinished.contains(&(round, k)))
                    .collect();
                faults.push(format!(
                    "round {round}: {} of {} shards missing: {}{}",
                    missing.len(),
                    all.of,
                    numbers(&missing),
                    match begun.as_slice() {
                        [] => String::new(),
                        begun => format!(" (begun, but not complete: {})", numbers(begun)),
                    }
                ));
            }
        }
        match faults.as_slice() {
            [] => {
                all.files = files;
                Ok(all)
            }
            _ => Err(ShardError::Faulty(faults)),
        }
    }

    /// The error of shards that hold less than they should.
    pub fn incomplete(&self, round: u64, numbers: &BTreeSet<u64>) -> ShardError {
        let fault = |&number: &u64| {
            let of = self.of;
            let file = self.places.get(&Place { round, number, of });
            let file = file.map(|&index| self.files[index].display().to_string());
            let file = file.unwrap_or_default();
            format!(
                "{file}: games are missing in it; remove it, and play shard {number}/{of} again"
            )
        };
        ShardError::Faulty(numbers.iter().map(fault).collect())
    }

    fn line(&mut self, part: &str) -> Option<Sums> {
        let (index, place) = self.lines.get(part)?.clone();
        if self.open.as_ref().is_none_or(|(open, _)| *open != index) {
            self.open = Some((index, File::open(&self.files[index]).ok()?));
        }
        let (_, file) = self.open.as_mut()?;
        let mut line = vec![0; (place.end - place.start) as usize];
        file.seek(SeekFrom::Start(place.start)).ok()?;
        file.read_exact(&mut line).ok()?;
        let line: Line = serde_json::from_slice(content(&line)?).ok()?;
        Some(line.sums)
    }
}

impl FinishedParts for Shards {
    /// The sums of a part; none when its line cannot be read any more.
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.line(part)
    }

    fn keep(&mut self, _part: &str, _sums: &Sums) -> Result<(), NotKept> {
        Ok(())
    }
}

/// Adds a file to the shards that were read before, if it fits to them; the fault says why not.
fn add(
    all: &mut Option<Shards>,
    index: usize,
    path: &Path,
    files: &[PathBuf],
) -> Result<Result<(), String>, OutputError> {
    #[derive(Deserialize)]
    struct Named {
        part: String,
    }
    let failed = || io_error("read", path);
    let file = File::open(path).map_err(failed())?;
    let mut lines = CheckedLines::new(BufReader::with_capacity(1 << 16, file));
    let first = lines.next_line().map_err(failed())?;
    let Some((manifest, place)) = header(first) else {
        let no = "its first line is damaged, or it is no shard of a study";
        return Ok(Err(no.to_string()));
    };
    let all = all.get_or_insert_with(|| Shards {
        manifest: manifest.clone(),
        of: place.of,
        rounds: 0,
        files: Vec::new(),
        places: BTreeMap::new(),
        lines: HashMap::new(),
        open: None,
    });
    let other = files[all.places.values().copied().next().unwrap_or(index)].display();
    let changes = changes(&all.manifest, &manifest);
    if !changes.is_empty() {
        return Ok(Err(format!(
            "this shard is of another study than {other}; what differs: {}",
            changes.join("; ")
        )));
    }
    if place.of != all.of {
        return Ok(Err(format!(
            "this is one of {} shards, but {other} is one of {}",
            place.of, all.of
        )));
    }
    if let Some(&before) = all.places.get(&place) {
        return Ok(Err(format!(
            "shard {}/{} of round {} is there twice: {} is the same",
            place.number,
            place.of,
            place.round,
            files[before].display()
        )));
    }
    all.places.insert(place, index);
    while let Some(line) = lines.next_line().map_err(failed())? {
        let named = line
            .content
            .and_then(|text| serde_json::from_slice(text).ok());
        let Some(Named { part }) = named else {
            return Ok(Err(format!(
                "it is damaged; remove it, and play shard {}/{} again",
                place.number, place.of
            )));
        };
        all.lines.insert(part, (index, line.place));
    }
    Ok(Ok(()))
}

/// What the first line of a shard tells.
fn header(line: Option<CheckedLine>) -> Option<(Manifest, Place)> {
    let text = String::from_utf8_lossy(line?.content?);
    let mut manifest = Manifest::from_json("shard", &text).ok()?;
    let place = manifest.shard.take()?;
    Some((manifest, place))
}

/// The shards in a folder, by their names.
fn in_folder(folder: &Path) -> Result<BTreeMap<Place, bool>, OutputError> {
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

/// Numbers in order, those that follow each other as a range.
fn numbers(all: &[u64]) -> String {
    let ranges = all.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

/// A shard that is to be played.
pub struct OwnShard {
    folder: PathBuf,
    /// Which games.
    pub place: Place,
    earlier: Option<Shards>,
    journal: Option<Journal>,
    made: Vec<PathBuf>,
}

/// What is to do for a shard.
pub enum Todo {
    /// It is to be played.
    Play(Box<OwnShard>),
    /// It is complete, and the others of its round, which are named, are not.
    Wait(PathBuf, String),
}

impl OwnShard {
    /// Looks up in the folder `target` what is to do for a shard of the study that `manifest`
    /// describes, which has one round or as many as it needs. With `raw` its games are written one
    /// by one, too: then it begins anew when it was interrupted.
    ///
    /// # Errors
    ///
    /// When shards of something else are there, and those of the file system.
    pub fn open(
        target: &Path,
        manifest: &Manifest,
        shard: Shard,
        one_round: bool,
        raw: bool,
    ) -> Result<Todo, ShardError> {
        let (folder, missing) = folder::locate(target)?;
        let made = folder::make(&missing)?;
        let faulty = |fault: String| ShardError::Faulty(vec![fault]);
        if folder.join(MANIFEST).exists() {
            return Err(faulty(format!(
                "{}: this folder holds results; shards have a folder of their own",
                target.display()
            )));
        }
        let there = in_folder(&folder)?;
        let Shard { number, of } = shard;
        if let Some(other) = there.keys().find(|place| place.of != of) {
            return Err(faulty(format!(
                "{}: this folder holds shards of {}, not of {of}; name another folder",
                target.display(),
                other.of
            )));
        }
        let complete = |round, number| there.get(&Place { round, number, of }) == Some(&true);
        let all = |round: &u64| (1..=of).all(|number| complete(*round, number));
        let round = match one_round {
            true => 1,
            false => 1 + (1..).take_while(all).count() as u64,
        };
        let place = Place { round, number, of };
        let earlier = there.keys().filter(|place| place.round < round);
        let earlier = earlier.map(|place| folder.join(place.file(COMPLETE)));
        let earlier = match round {
            1 => None,
            _ => Some(Shards::of_files(earlier.collect(), &BTreeSet::new())?),
        };
        // All that are there are of one study.
        if let Some((other, _)) = there.iter().find(|(_, complete)| **complete) {
            check(&folder.join(other.file(COMPLETE)), manifest)?;
        }
        let games = folder.join(place.file(GAMES));
        if complete(round, number) && (!raw || games.exists()) {
            let missing: Vec<u64> = (1..=of)
                .filter(|&number| !complete(round, number))
                .collect();
            return Ok(Todo::Wait(
                target.join(place.file(COMPLETE)),
                numbers(&missing),
            ));
        }
        let manifest = Manifest {
            shard: Some(place),
            ..manifest.clone()
        };
        let name = place.file(UNFINISHED);
        let before = if raw { Before::Remove } else { Before::GoOn };
        let journal = Journal::open_file(&folder, &name, &manifest, before)?;
        Ok(Todo::Play(Box::new(OwnShard {
            folder,
            place,
            earlier,
            journal: Some(journal),
            made,
        })))
    }

    /// Where its games are written one by one until it is complete.
    pub fn games(&self) -> PathBuf {
        let name = format!("{}.{UNFINISHED}", self.place.file(GAMES));
        self.folder.join(name)
    }

    /// Gives the file its name, now that all its games are played; tells the path.
    ///
    /// # Errors
    ///
    /// Those of the file system; then it is unfinished as before.
    pub fn complete(mut self) -> Result<PathBuf, ShardError> {
        let path = self.folder.join(self.place.file(COMPLETE));
        let (unfinished, games) = (self.games(), self.folder.join(self.place.file(GAMES)));
        if unfinished.exists() {
            std::fs::rename(unfinished, &games).map_err(io_error("write", &games))?;
        }
        if let Some(journal) = self.journal.take() {
            journal.complete(&path)?;
        }
        Ok(path)
    }

    /// The error of earlier shards that hold less than they should, if any do.
    pub fn incomplete(&self, round: u64, numbers: &BTreeSet<u64>) -> Option<ShardError> {
        let earlier = self.earlier.as_ref().filter(|_| !numbers.is_empty());
        Some(earlier?.incomplete(round, numbers))
    }
}

impl Drop for OwnShard {
    fn drop(&mut self) {
        drop(self.journal.take());
        let _ = std::fs::remove_file(self.games());
        folder::remove_empty(&self.made);
    }
}

impl FinishedParts for OwnShard {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        let own = self
            .journal
            .as_mut()
            .and_then(|journal| journal.recall(part));
        own.or_else(|| self.earlier.as_mut()?.recall(part))
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        match &mut self.journal {
            Some(journal) => journal.keep(part, sums),
            None => Ok(()),
        }
    }
}

/// Fails unless a file is a shard of the study that `manifest` describes.
fn check(file: &Path, manifest: &Manifest) -> Result<(), ShardError> {
    let failed = || io_error("read", file);
    let mut lines = CheckedLines::new(BufReader::new(File::open(file).map_err(failed())?));
    let told = header(lines.next_line().map_err(failed())?);
    let differs = match told {
        None => "its first line is damaged, or it is no shard of a study".to_string(),
        Some((told, _)) => match changes(&told, manifest) {
            same if same.is_empty() => return Ok(()),
            differs => format!(
                "this shard is of another study; what changed: {}",
                differs.join("; ")
            ),
        },
    };
    let fault = format!(
        "{}: {differs}; name another folder, or remove it",
        file.display()
    );
    Err(ShardError::Faulty(vec![fault]))
}
