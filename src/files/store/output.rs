//! A folder of results, which are prepared in a hidden folder inside it and then moved into place.
//!
//! carat writes only inside the named folder. A folder without a manifest holds no results; results
//! are replaced only if every file is unchanged. Those of an interrupted run go to the inner folder
//! `partial`.
//!
//! The hidden folder is alive while its owner locks the file `alive` in it. Once it holds a
//! manifest it is ready: its owner moves the files, and if that process dies, the next one
//! continues from any step. A hidden folder that is neither alive nor ready is removed.

use super::changes::changes;
use super::error::{StoreError, io_error};
use super::folder;
use super::names::{PARTIAL, STAGING};
use carat_studies::report::MANIFEST;
use carat_studies::report::{FileRecord, Manifest};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file with the lock of the owner.
const ALIVE: &str = "alive";
/// The list of the files that ready results replace.
const REPLACED: &str = "replaced.json";
/// Attempts to make a folder that other processes remove when they leave it empty.
const TRIES: usize = 100;

/// Results on their way to a folder.
pub struct Output {
    /// The prepared files, which a handler of signals may abandon.
    pub prepared: Prepared,
    /// The canonical path of the folder.
    pub folder: PathBuf,
    /// The path of the folder as the user wrote it.
    pub named: PathBuf,
    /// The prepared files, and those that stay in the folder.
    pub files: Vec<FileRecord>,
    /// The manifest in the folder at the start.
    there: Option<Vec<u8>>,
    /// Files at the start in carat's own folder without a manifest.
    unlisted: Vec<FileRecord>,
}

/// The prepared files of an [`Output`], until they are published or (from any thread) abandoned.
#[derive(Clone)]
pub struct Prepared {
    staging: Arc<Mutex<Option<Staging>>>,
    /// Folders created for the output.
    made: Vec<PathBuf>,
}

struct Staging {
    path: PathBuf,
    _alive: File,
}

impl Output {
    /// Checks before any game that results can go to `target`, and makes the hidden folder in it.
    /// Changes nothing on failure.
    pub fn open(target: &Path) -> Result<Output, StoreError> {
        for _ in 1..TRIES {
            match Output::try_open(target) {
                Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                opened => return opened,
            }
        }
        Output::try_open(target)
    }

    fn try_open(target: &Path) -> Result<Output, StoreError> {
        let (folder, missing) = folder::locate(target)?;
        let mut output = Output {
            prepared: Prepared {
                staging: Arc::default(),
                made: folder::make(&missing)?,
            },
            folder,
            named: target.components().collect(),
            files: Vec::new(),
            there: None,
            unlisted: Vec::new(),
        };
        let folder = &output.folder;
        let lock = folder::lock(folder);
        recover(folder, lock.is_some())?;
        output.unlisted = folder::unlisted(folder)?;
        folder::check_ours(folder, &output.unlisted)?;
        folder::check_ours(&folder.join(PARTIAL), &[])?;
        output.there = fs::read(folder.join(MANIFEST)).ok();
        let staging = Staging::create(folder).map_err(io_error("write into the folder", folder))?;
        *output.prepared.held() = Some(staging);
        Ok(output)
    }

    /// The manifest of complete results in the folder, if they are of the study that `manifest`
    /// describes.
    pub fn complete(&self, manifest: &Manifest) -> Option<Manifest> {
        let there = self.there()?;
        changes(&there, manifest).is_empty().then_some(there)
    }

    /// The manifest of complete results in the folder, if they are of fewer games of the same
    /// study. Fails if they are of more, even if a file is missing.
    pub fn fewer_games(&self, manifest: &Manifest) -> Result<Option<Manifest>, StoreError> {
        let there = self.listed();
        let games = |of: &Manifest| of.study.run.games;
        let numbers = there.as_ref().and_then(games).zip(games(manifest));
        let (Some(there), Some((done, asked))) = (there, numbers) else {
            return Ok(None);
        };
        let same = Manifest {
            study: there.study.clone().rehearsed(asked),
            ..there
        };
        if done == asked || !changes(&same, manifest).is_empty() {
            return Ok(None);
        }
        if done > asked {
            return Err(StoreError::MoreGames(self.named.clone(), done));
        }
        Ok(self.there())
    }

    /// The manifest of complete results in the folder; `None` if one of their files is missing.
    fn there(&self) -> Option<Manifest> {
        let is_there = |file: &FileRecord| self.folder.join(&file.name).is_file();
        let there = self.listed()?;
        there.files.iter().all(is_there).then_some(there)
    }

    /// The manifest of results in the folder that are not partial.
    fn listed(&self) -> Option<Manifest> {
        let text = fs::read_to_string(self.folder.join(MANIFEST)).ok()?;
        let mut there = Manifest::from_json(MANIFEST, &text).ok()?;
        there.files.retain(|file| file.name != MANIFEST);
        (!there.partial).then_some(there)
    }

    /// Whether another run wrote results to the folder since this one began.
    pub fn is_overtaken(&self) -> bool {
        fs::read(self.folder.join(MANIFEST)).ok() != self.there
    }

    /// The differences between this study and that of the results at the start, in words.
    pub fn replaced(&self, manifest: &Manifest) -> Vec<String> {
        let text = self.there.as_deref().map(String::from_utf8_lossy);
        let there = text.and_then(|text| Manifest::from_json(MANIFEST, &text).ok());
        there.map_or(Vec::new(), |there| changes(&there, manifest))
    }

    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(staging) = self.prepared.held().as_ref() {
            let path = self.folder.join(name);
            write_synced(&staging.path.join(name), bytes).map_err(io_error("write", &path))?;
            self.files.push(FileRecord::of(name, bytes));
        }
        Ok(())
    }

    /// The path at which to write a file bit by bit, to be added to the files once complete;
    /// `None` if the output was abandoned.
    pub fn prepared(&self, name: &str) -> Option<PathBuf> {
        let staging = self.prepared.held();
        Some(staging.as_ref()?.path.join(name))
    }

    /// Adds the manifest with the list of all files, and moves everything into place; returns all
    /// paths, the manifest's last. On failure the prepared files are kept, and the error names
    /// them.
    pub fn publish(self, mut manifest: Manifest) -> Result<Vec<PathBuf>, StoreError> {
        manifest.files.clone_from(&self.files);
        let path = self.folder.join(MANIFEST);
        let json = manifest.to_json().map_err(io::Error::from);
        let json = json.map_err(io_error("write", &path))?;
        let lock = folder::lock(&self.folder);
        // From here on a signal does not abandon the files.
        let Some(staging) = self.prepared.held().take() else {
            return Ok(Vec::new());
        };
        let kept = |source: StoreError, kept: PathBuf| StoreError::Kept {
            source: Box::new(source),
            kept,
        };
        if let Err(source) = self.commit(&staging.path, &json, manifest.partial, lock.is_some()) {
            return Err(match show(staging.path, &json) {
                Some(shown) => kept(source, shown),
                None => source,
            });
        }
        move_in(&staging.path, false).map_err(|source| kept(source, staging.path.clone()))?;
        let mut named = self.named.clone();
        if manifest.partial {
            named.push(PARTIAL);
        }
        let names = self.files.iter().map(|file| file.name.as_str());
        let all = names.chain([MANIFEST]);
        Ok(all.map(|name| named.join(name)).collect())
    }

    /// Makes the prepared files ready to move, if the folder still allows it.
    fn commit(
        &self,
        staging: &Path,
        manifest: &str,
        partial: bool,
        locked: bool,
    ) -> Result<(), StoreError> {
        recover(&self.folder, locked)?;
        let target = place(&self.folder, partial);
        folder::make(std::slice::from_ref(&target))?;
        let written = folder::written(&target)?;
        let mut replaced = written.map_or(Vec::new(), |written| written.files);
        if !partial {
            let is_new = |name: &str| self.files.iter().any(|file| file.name == name);
            let unlisted = self.unlisted.iter().filter(|file| is_new(&file.name));
            replaced.extend(unlisted.cloned());
        }
        folder::check(&target, &[&replaced[..], &self.unlisted].concat())?;
        let list = serde_json::to_vec(&replaced).map_err(io::Error::from);
        let new = staging.join("manifest.new");
        list.and_then(|list| write_synced(&staging.join(REPLACED), &list))
            .and_then(|()| write_synced(&new, manifest.as_bytes()))
            .and_then(|()| fs::rename(&new, staging.join(MANIFEST)))
            .map_err(io_error("write", &target.join(MANIFEST)))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.prepared.discard();
    }
}

impl Prepared {
    fn held(&self) -> MutexGuard<'_, Option<Staging>> {
        self.staging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the prepared files, and the empty folders that were created for them.
    fn discard(&self) -> Option<MutexGuard<'_, Option<Staging>>> {
        let mut held = self.held();
        let staging = held.take();
        if let Some(staging) = &staging {
            let _ = fs::remove_dir_all(&staging.path);
        }
        folder::remove_empty(&self.made);
        staging.map(|_| held)
    }

    /// Removes the prepared files unless they are being published; returns whether it did. The
    /// process must then end, because threads that add more files block forever.
    pub fn abandon(&self) -> bool {
        let held = self.discard();
        let abandoned = held.is_some();
        std::mem::forget(held);
        abandoned
    }
}

impl Staging {
    /// Makes a hidden folder in `folder`, locked if the file system can.
    fn create(folder: &Path) -> io::Result<Staging> {
        let made = tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(folder)?;
        let alive = File::create(made.path().join(ALIVE))?;
        // Without file locks the folder is never taken for dead.
        let _ = alive.try_lock();
        Ok(Staging {
            path: made.keep(),
            _alive: alive,
        })
    }
}

fn place(folder: &Path, partial: bool) -> PathBuf {
    if partial {
        folder.join(PARTIAL)
    } else {
        folder.to_path_buf()
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Keeps unpublished results under a visible name; returns the path. Removes them where there is no
/// room for their manifest, without which nobody knows that they are complete.
fn show(staging: PathBuf, manifest: &str) -> Option<PathBuf> {
    for other in [ALIVE, REPLACED, "manifest.new"] {
        let _ = fs::remove_file(staging.join(other));
    }
    if fs::write(staging.join(MANIFEST), manifest).is_err() {
        let _ = fs::remove_dir_all(&staging);
        return None;
    }
    let name = staging.file_name().unwrap_or_default().to_string_lossy();
    let shown = staging.with_file_name(name.trim_start_matches('.'));
    // Temporary folders are private to their owner; results get the usual permissions.
    if let Some(Ok(parent)) = staging.parent().map(fs::metadata) {
        let _ = fs::set_permissions(&staging, parent.permissions());
    }
    Some(match fs::rename(&staging, &shown) {
        Ok(()) => shown,
        Err(_) => staging,
    })
}

/// Cleans up after dead processes in a folder that `locked` shows to be locked: moves ready results
/// in, and removes others.
fn recover(folder: &Path, locked: bool) -> Result<(), StoreError> {
    // An empty folder was made for results that never came.
    let _ = fs::remove_dir(folder.join(PARTIAL));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let staging = entry.path();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_dir || !entry.file_name().to_string_lossy().starts_with(STAGING) {
            continue;
        }
        let alive = File::open(staging.join(ALIVE));
        let is_dead = match &alive {
            Ok(alive) => alive.try_lock().is_ok(),
            // The owner died before it made the file, or while it removed the folder.
            Err(_) => locked,
        };
        if is_dead && staging.join(MANIFEST).exists() {
            move_in(&staging, true)?;
        } else if is_dead {
            let _ = fs::remove_dir_all(&staging);
        }
    }
    Ok(())
}

/// Moves ready results from their hidden folder into place. After the death of the owner, other
/// files may have appeared there in the meantime.
fn move_in(staging: &Path, is_of_dead: bool) -> Result<(), StoreError> {
    let folder = staging.parent().unwrap_or(staging);
    let new = staging.join(MANIFEST);
    let Some(results) = folder::written(staging)? else {
        return Err(StoreError::OtherManifest(staging.to_path_buf()));
    };
    let target = place(folder, results.partial);
    let list = fs::read(staging.join(REPLACED)).unwrap_or_default();
    let replaced: Vec<FileRecord> = serde_json::from_slice(&list).unwrap_or_default();
    if is_of_dead {
        folder::make(std::slice::from_ref(&target))?;
        folder::written(&target)?;
        folder::check(&target, &[&replaced[..], &results.files].concat())?;
    }
    folder::remove(&target.join(MANIFEST))?;
    for file in &replaced {
        if results.files.iter().all(|new| new.name != file.name) {
            folder::remove(&target.join(&file.name))?;
        }
    }
    for file in &results.files {
        let (from, to) = (staging.join(&file.name), target.join(&file.name));
        if from.exists() {
            fs::rename(&from, &to).map_err(io_error("write", &to))?;
        }
    }
    if !results.partial {
        remove_partial(&folder.join(PARTIAL))?;
    }
    let manifest = target.join(MANIFEST);
    fs::rename(&new, &manifest).map_err(io_error("write", &manifest))?;
    let _ = fs::remove_dir_all(staging);
    Ok(())
}

/// Removes partial results once there are complete ones, unless other files are among them.
fn remove_partial(partial: &Path) -> Result<(), StoreError> {
    let Ok(Some(there)) = folder::written(partial) else {
        return Ok(());
    };
    if there.partial && folder::check(partial, &there.files).is_ok() {
        for file in &there.files {
            folder::remove(&partial.join(&file.name))?;
        }
        folder::remove(&partial.join(MANIFEST))?;
        let _ = fs::remove_dir(partial);
    }
    Ok(())
}

#[cfg(test)]
#[path = "../../../tests/unit/carat/files/store/output.rs"]
mod tests;
