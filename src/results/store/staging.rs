//! Where results are prepared: a hidden folder inside the one they go to, from which they are moved
//! in. What a process leaves of it when it dies is put in order by the next.
//!
//! A staging folder is alive while its owner holds the lock of the file `alive` in it. It is ready
//! once it holds a manifest, which is put there as the last file while the target is locked. From
//! then on the results can be moved in, be it by its owner or by another process: every step can
//! be taken up where it ended.

use super::error::{StoreError, io_error};
use super::folder;
use super::names::{MANIFEST, STAGING};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file whose lock tells that the owner lives.
const ALIVE: &str = "alive";
/// The manifest, as long as the rest is not ready.
const UNREADY: &str = "manifest.unready";
/// The manifest of the results that are being replaced.
const REPLACED: &str = "manifest.replaced";

/// A staging folder of this process; what is in it is gone when this is dropped.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    /// Held open for its lock.
    _alive: File,
    kept: bool,
}

impl Staging {
    /// Makes a staging folder in `folder`, which is locked as far as it can be.
    pub fn create(folder: &Path) -> Result<Staging, StoreError> {
        let made = tempfile::Builder::new().prefix(STAGING).tempdir_in(folder);
        let made = made.map_err(io_error("write into the folder", folder))?;
        let alive = File::create(made.path().join(ALIVE));
        let alive = alive.map_err(io_error("write into the folder", folder))?;
        // Some file systems know no locks: this one is then never taken for dead.
        let _ = alive.try_lock();
        Ok(Staging {
            path: made.keep(),
            _alive: alive,
            kept: false,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a file, and does not trust the disk to have it before it says so.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(self.path.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Adds the manifest, which does not count yet.
    pub fn write_manifest(&self, bytes: &[u8]) -> io::Result<()> {
        self.write(UNREADY, bytes)
    }

    /// Goes on in another folder of the same file system.
    pub fn move_to(&mut self, folder: &Path) -> io::Result<()> {
        let path = folder.join(self.path.file_name().unwrap_or_default());
        fs::rename(&self.path, &path)?;
        self.path = path;
        Ok(())
    }

    /// Moves everything to the folder that it is in, which is locked, in place of what carat wrote
    /// there before. When that fails midway, what is left waits for [`recover`].
    pub fn publish(&mut self) -> Result<(), StoreError> {
        let ready = self.path.join(MANIFEST);
        let failed = io_error("write", &ready);
        fs::rename(self.path.join(UNREADY), &ready).map_err(failed)?;
        self.kept = true;
        move_in(&self.path)
    }

    /// Leaves the results under a name that can be seen; tells which.
    pub fn keep_visible(&mut self) -> io::Result<PathBuf> {
        self.kept = true;
        let _ = fs::rename(self.path.join(UNREADY), self.path.join(MANIFEST));
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(name.trim_start_matches('.'));
        fs::rename(&self.path, &path)?;
        let _ = fs::remove_file(path.join(ALIVE));
        // A temporary folder is private to its owner; results are like any other folder.
        if let Some(Ok(parent)) = path.parent().map(fs::metadata) {
            let _ = fs::set_permissions(&path, parent.permissions());
        }
        Ok(path)
    }

    /// Whether the results are still as they were prepared: nothing of them was moved in.
    pub fn is_whole(&self) -> bool {
        let unready = self.path.join(UNREADY).exists();
        let written = folder::read_written(&self.path.join(MANIFEST));
        let files = written.ok().flatten().map_or(Vec::new(), |all| all.files);
        let all_there = files.iter().all(|file| self.path.join(&file.name).exists());
        unready || (all_there && !files.is_empty() && !self.path.join(REPLACED).exists())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.kept {
            discard(&self.path);
        }
    }
}

/// Puts in order what processes that died left in a folder, which `locked` tells to be locked:
/// results that were ready are moved in, others removed.
pub fn recover(folder: &Path, locked: bool) -> Result<(), StoreError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_dir || !name.starts_with(STAGING) {
            continue;
        }
        let staging = entry.path();
        match File::open(staging.join(ALIVE)).map(|file| (file.try_lock(), file)) {
            Ok((Ok(()), _alive)) => {
                if staging.join(MANIFEST).exists() {
                    move_in(&staging)?
                } else {
                    discard(&staging)
                }
            }
            Ok((Err(_), _)) => {}
            // Its owner died before it was anything, or while it was removed.
            Err(_) if locked => drop(fs::remove_dir(&staging)),
            Err(_) => {}
        }
    }
    Ok(())
}

/// Moves the results of a ready staging folder to the folder that it is in.
fn move_in(staging: &Path) -> Result<(), StoreError> {
    let target = staging.parent().unwrap_or(staging);
    let (new, replaced) = (staging.join(MANIFEST), staging.join(REPLACED));
    let Some(results) = folder::read_written(&new)? else {
        return Err(StoreError::OtherManifest(staging.to_path_buf()));
    };
    let old = match folder::written(target)? {
        Some(old) => old.files,
        None => folder::read_written(&replaced)?.map_or(Vec::new(), |old| old.files),
    };
    folder::check(target, &[&old[..], &results.files].concat())?;

    let manifest = target.join(MANIFEST);
    let replace = || io_error("replace", &manifest);
    if manifest.exists() {
        fs::rename(&manifest, &replaced).map_err(replace())?;
    }
    for file in old {
        let stays = results.files.iter().any(|new| new.name == file.name);
        let path = target.join(&file.name);
        if !stays && path.exists() {
            fs::remove_file(&path).map_err(io_error("remove the old result", &path))?;
        }
    }
    for file in &results.files {
        let (from, to) = (staging.join(&file.name), target.join(&file.name));
        if from.exists() {
            fs::rename(&from, &to).map_err(io_error("write", &to))?;
        }
    }
    fs::rename(&new, &manifest).map_err(replace())?;
    discard(staging);
    Ok(())
}

/// Removes a staging folder. The file that tells of its owner goes last, so that what is left when
/// this is cut short is found again.
fn discard(staging: &Path) {
    for entry in fs::read_dir(staging).into_iter().flatten().flatten() {
        if entry.file_name() != ALIVE {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_file(staging.join(ALIVE));
    let _ = fs::remove_dir(staging);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{FileRecord, Manifest};
    use crate::study::Study;

    /// Writes results of these files, the last of them the manifest by the name given.
    fn results(folder: &Path, files: &[(&str, &str)], manifest: &str) {
        let text = "study = \"simulate\"\ngame = \"diamant\"\n";
        let study = Study::from_toml("a.toml", text).unwrap();
        let mut told = Manifest::new(study, Default::default(), "sse2");
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
            told.files.push(FileRecord::of(name, text.as_bytes()));
        }
        fs::write(folder.join(manifest), told.to_json().unwrap()).unwrap();
    }

    fn texts(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut texts: Vec<_> = entries
            .filter(|entry| entry.file_name() != MANIFEST)
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read_to_string(entry.path()).unwrap_or_default())
            })
            .collect();
        texts.sort();
        texts
    }

    const OLD: [(&str, &str); 3] = [("a", "old a"), ("b", "old b"), ("c", "old c")];
    const NEW: [(&str, &str); 3] = [("b", "new b"), ("c", "old c"), ("d", "new d")];

    /// A folder of old results with a ready staging folder of new ones, whose owner is dead.
    fn died(old: bool) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        if old {
            results(folder.path(), &OLD, MANIFEST);
        }
        let staging = folder.path().join(".carat-dead");
        fs::create_dir(&staging).unwrap();
        fs::write(staging.join(ALIVE), "").unwrap();
        results(&staging, &NEW, MANIFEST);
        (folder, staging)
    }

    /// Wherever a process dies, the next one ends what it began.
    #[test]
    fn a_move_that_was_cut_short_is_ended() {
        for old in [true, false] {
            for steps in 0..=6 {
                let (folder, staging) = died(old);
                let at = folder.path();
                let moved = |name: &str| fs::rename(staging.join(name), at.join(name)).unwrap();
                let mut all: Vec<Box<dyn Fn()>> = Vec::new();
                if old {
                    let replace = || fs::rename(at.join(MANIFEST), staging.join(REPLACED)).unwrap();
                    all.push(Box::new(replace));
                    all.push(Box::new(|| fs::remove_file(at.join("a")).unwrap()));
                }
                for (name, _) in NEW {
                    all.push(Box::new(move || moved(name)));
                }
                all.push(Box::new(|| moved(MANIFEST)));
                all.iter().take(steps).for_each(|step| step());
                recover(at, true).unwrap();
                let expected = NEW.map(|(name, text)| (name.to_string(), text.to_string()));
                assert_eq!(texts(at), expected, "{old}, {steps} steps");
                assert!(folder::written(at).unwrap().is_some());
            }
        }
    }

    /// What is not ready, or may be alive, moves nowhere.
    #[test]
    fn only_what_is_dead_and_ready_is_moved() {
        let (folder, staging) = died(true);
        fs::rename(staging.join(MANIFEST), staging.join(UNREADY)).unwrap();
        let alive = File::open(staging.join(ALIVE)).unwrap();
        alive.lock().unwrap();
        let before = texts(folder.path());
        recover(folder.path(), true).unwrap();
        assert_eq!(texts(folder.path()), before);
        assert_eq!(texts(&staging).len(), 5);
        drop(alive);
        recover(folder.path(), true).unwrap();
        let expected = OLD.map(|(name, text)| (name.to_string(), text.to_string()));
        assert_eq!(texts(folder.path()), expected);
    }

    /// Somebody's file that came in the way meanwhile is not replaced, nor are the results lost.
    #[test]
    fn what_came_in_the_way_is_left_alone() {
        for (name, text) in [("d", "mine"), ("c", "changed"), ("e", "mine")] {
            let (folder, staging) = died(true);
            fs::write(folder.path().join(name), text).unwrap();
            let before = texts(folder.path());
            let error = recover(folder.path(), true).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
            assert_eq!(texts(folder.path()), before);
            assert!(staging.join(MANIFEST).exists());
        }
    }
}
