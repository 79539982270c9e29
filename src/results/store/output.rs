//! A folder of results: written in a staging folder inside it, then moved in.
//!
//! carat writes only inside the folder that is named. A folder without a manifest holds no result;
//! results are replaced only when every file is as carat wrote it.

use super::changes::changes;
use super::error::{StoreError, io_error};
use super::folder;
use super::manifest::{FileRecord, Manifest};
use super::names::{MANIFEST, PARTIAL};
use super::staging::{Staging, recover};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results on their way to a folder.
pub struct Output {
    prepared: Prepared,
    /// The folder, without links and dots.
    folder: PathBuf,
    /// The folder as it was named.
    named: PathBuf,
    files: Vec<FileRecord>,
    /// The manifest that was in the folder to begin with.
    there: Option<Vec<u8>>,
}

/// What an [`Output`] prepared, until it is published or abandoned, be it from another thread.
#[derive(Clone)]
pub struct Prepared {
    staging: Arc<Mutex<Option<Staging>>>,
    /// Folders that were made for it.
    made: Vec<PathBuf>,
}

/// How often a folder is made again that another process removes, as it made and left it empty.
const TRIES: usize = 100;

impl Output {
    /// Checks that results can go to `target`, before any game is played, and makes room in it.
    ///
    /// # Errors
    ///
    /// What stands in the way; then nothing was changed.
    pub fn open(target: &Path) -> Result<Output, StoreError> {
        let mut tries = 0;
        loop {
            let (folder, missing) = folder::locate(target)?;
            let made = folder::make(&missing)?;
            let mut output = Output {
                prepared: Prepared {
                    staging: Arc::default(),
                    made,
                },
                folder,
                named: target.components().collect(),
                files: Vec::new(),
                there: None,
            };
            match output.make_room() {
                Err(StoreError::Io { source, .. })
                    if source.kind() == io::ErrorKind::NotFound && tries < TRIES =>
                {
                    tries += 1;
                }
                Err(error) => return Err(error),
                Ok(()) => return Ok(output),
            }
        }
    }

    fn make_room(&mut self) -> Result<(), StoreError> {
        let lock = folder::lock(&self.folder);
        self.put_in_order(lock.is_some())?;
        folder::check_ours(&self.folder)?;
        self.there = std::fs::read(self.folder.join(MANIFEST)).ok();
        *self.prepared.held() = Some(Staging::create(&self.folder)?);
        Ok(())
    }

    /// Puts in order what other processes left when they died.
    fn put_in_order(&self, locked: bool) -> Result<(), StoreError> {
        recover(&self.folder, locked)?;
        let partial = self.folder.join(PARTIAL);
        if partial.is_dir() {
            recover(&partial, locked)?;
            // Made for results that never came.
            let _ = std::fs::remove_dir(&partial);
        }
        Ok(())
    }

    /// The manifest of the results that are in the folder already, if they are complete and of the
    /// study that `manifest` describes; nothing when one of their files is gone.
    pub fn complete(&self, manifest: &Manifest) -> Option<Manifest> {
        let text = std::fs::read_to_string(self.folder.join(MANIFEST)).ok()?;
        let mut there = Manifest::from_json(MANIFEST, &text).ok()?;
        there.files.retain(|file| file.name != MANIFEST);
        let is_there = |file: &FileRecord| self.folder.join(&file.name).is_file();
        let all = !there.partial
            && changes(&there, manifest).is_empty()
            && there.files.iter().all(is_there);
        all.then_some(there)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same as it was named.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// What was prepared, for whoever ends the process at once.
    pub fn shared(&self) -> Prepared {
        self.prepared.clone()
    }

    /// Whether another run put its results into the folder since this one began.
    pub fn is_overtaken(&self) -> bool {
        std::fs::read(self.folder.join(MANIFEST)).ok() != self.there
    }

    /// In what the results differ that were in the folder to begin with, in words: they are of another
    /// study.
    pub fn replaced(&self, manifest: &Manifest) -> Vec<String> {
        let text = self.there.as_deref().map(String::from_utf8_lossy);
        let there = text.and_then(|text| Manifest::from_json(MANIFEST, &text).ok());
        there.map_or(Vec::new(), |there| changes(&there, manifest))
    }

    /// Whether results, which may be partial, go beside those in the folder and not in their place.
    pub fn goes_beside(&self, partial: bool) -> Result<bool, StoreError> {
        let there = folder::written(&self.folder)?;
        Ok(partial && there.is_some_and(|there| !there.partial))
    }

    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(staging) = self.prepared.held().as_ref() {
            let path = self.folder.join(name);
            let written = staging.write(name, bytes);
            written.map_err(io_error("write", &path))?;
            self.files.push(FileRecord::of(name, bytes));
        }
        Ok(())
    }

    /// Where a file is prepared that is written bit by bit, and added by its record when it is
    /// complete; `None` when all was abandoned.
    pub fn prepared(&self, name: &str) -> Option<PathBuf> {
        let staging = self.prepared.held();
        Some(staging.as_ref()?.path().join(name))
    }

    /// Adds a file that was prepared, or is in the folder already and stays.
    pub fn add(&mut self, file: FileRecord) {
        self.files.push(file);
    }

    /// Adds the manifest, which then names all files, and moves everything to its place; tells the
    /// paths of all files, the manifest's last. Partial results do not replace complete ones: they
    /// go to a folder `partial` inside.
    ///
    /// # Errors
    ///
    /// What stands in the way. What is complete is kept all the same, and the error tells where.
    pub fn publish(self, mut manifest: Manifest) -> Result<Vec<PathBuf>, StoreError> {
        manifest.files.clone_from(&self.files);
        let path = self.folder.join(MANIFEST);
        let failed = || io_error("write", &path);
        let json = manifest.to_json().map_err(io::Error::from);
        let json = json.map_err(failed())?;
        if let Some(staging) = self.prepared.held().as_ref() {
            let written = staging.write_manifest(json.as_bytes());
            written.map_err(failed())?;
        }
        let lock = folder::lock(&self.folder);
        // From here on nobody abandons it.
        let Some(mut staging) = self.prepared.held().take() else {
            return Ok(Vec::new());
        };
        let moved = self.move_in(&mut staging, manifest.partial, lock.is_some());
        let named = moved.map_err(|source| kept(staging, source))?;
        let names = self.files.iter().map(|file| file.name.as_str());
        let all = names.chain([MANIFEST]);
        Ok(all.map(|name| named.join(name)).collect())
    }

    /// Moves what is prepared to its place; tells the folder by its name.
    fn move_in(
        &self,
        staging: &mut Staging,
        partial: bool,
        locked: bool,
    ) -> Result<PathBuf, StoreError> {
        self.put_in_order(locked)?;
        let mut named = self.named.clone();
        if self.goes_beside(partial)? {
            let aside = self.folder.join(PARTIAL);
            folder::make(std::slice::from_ref(&aside))?;
            let moved = staging.move_to(&aside);
            moved.map_err(io_error("write into the folder", &aside))?;
            named.push(PARTIAL);
        }
        staging.publish()?;
        Ok(named)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        drop(self.prepared.held().take());
        folder::remove_empty(&self.prepared.made);
    }
}

/// The error of results that could not be moved in, which are kept where they can be seen. When
/// some of them are in place already, the next process that writes there moves in the others.
fn kept(mut staging: Staging, source: StoreError) -> StoreError {
    let kept = if staging.is_whole() {
        staging.keep_visible().ok()
    } else {
        None
    };
    StoreError::Kept {
        source: Box::new(source),
        kept: kept.unwrap_or_else(|| staging.path().to_path_buf()),
    }
}

impl Prepared {
    fn held(&self) -> MutexGuard<'_, Option<Staging>> {
        self.staging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what was prepared, unless it is being published by now; tells whether it did. The
    /// process has to end then: whoever writes more waits for ever.
    pub fn abandon(&self) -> bool {
        let mut held = self.held();
        let Some(staging) = held.take() else {
            return false;
        };
        drop(staging);
        folder::remove_empty(&self.made);
        std::mem::forget(held);
        true
    }
}
