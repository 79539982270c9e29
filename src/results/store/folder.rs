//! The folder that results go to: found, made, locked, and looked through for what is not carat's.

use super::error::{StoreError, io_error};
use super::manifest::{FileRecord, Written};
use super::names::{JOURNAL, MANIFEST, PARTIAL, STAGING, is_state};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// What file managers leave in a folder that is merely looked at.
const DESKTOP_FILES: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// Writes a file that stands alone, at once: where that fails, a file that was there stays. Its folder
/// is made where it is missing.
///
/// # Errors
///
/// Those of the disk.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let new = path.with_file_name(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&new, bytes)
        .and_then(|()| fs::rename(&new, path))
        .inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Where `target` is, without links and dots, and which folders on the way are still to be made.
pub fn locate(target: &Path) -> Result<(PathBuf, Vec<PathBuf>), StoreError> {
    let mut at = PathBuf::new();
    if !target.has_root() {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        at = here.map_err(io_error("find the folder", target))?;
    }
    let mut missing: Vec<PathBuf> = Vec::new();
    for component in target.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => at.push(component),
            Component::CurDir => {}
            Component::ParentDir => {
                missing.retain(|folder| *folder != at);
                at.pop();
            }
            Component::Normal(name) => {
                at.push(name);
                match fs::symlink_metadata(&at) {
                    Ok(found) if found.is_symlink() => at = follow(&at)?,
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        missing.push(at.clone());
                        continue;
                    }
                    Err(error) => return Err(io_error("find the folder", &at)(error)),
                }
                if !at.is_dir() {
                    return Err(StoreError::IsFile(at));
                }
            }
        }
    }
    Ok((at, missing))
}

/// Where a link leads.
fn follow(link: &Path) -> Result<PathBuf, StoreError> {
    match link.canonicalize() {
        Ok(end) => Ok(end),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let to = fs::read_link(link).unwrap_or_default();
            Err(StoreError::Dangling(link.to_path_buf(), to))
        }
        Err(error) => Err(io_error("follow the link", link)(error)),
    }
}

/// Makes the folders that are missing; tells which it made, the deepest last. When it cannot make
/// them all it leaves none behind.
pub fn make(missing: &[PathBuf]) -> Result<Vec<PathBuf>, StoreError> {
    let mut made = Vec::new();
    for folder in missing {
        match fs::create_dir(folder) {
            Ok(()) => made.push(folder.clone()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) => {
                remove_empty(&made);
                return Err(io_error("create the folder", folder)(error));
            }
        }
    }
    Ok(made)
}

/// Removes folders that were made, the deepest first, as far as they are empty.
pub fn remove_empty(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Keeps other processes from changing a folder for as long as what it gives lives, and waits for
/// those that do. `None` where the file system knows no locks.
pub fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

/// What carat wrote into a folder by its manifest; nothing when it has none.
pub fn written(folder: &Path) -> Result<Option<Written>, StoreError> {
    let manifest = folder.join(MANIFEST);
    match fs::symlink_metadata(&manifest) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("read", &manifest)(error)),
        Ok(_) => match read_written(&manifest)? {
            Some(written) => Ok(Some(written)),
            None => Err(StoreError::OtherManifest(folder.to_path_buf())),
        },
    }
}

/// What a manifest tells that was written; `None` when carat did not write it as it is.
pub fn read_written(manifest: &Path) -> Result<Option<Written>, StoreError> {
    if !is_plain(manifest) {
        return Ok(None);
    }
    let bytes = fs::read(manifest).map_err(io_error("read", manifest))?;
    let text = String::from_utf8(bytes).ok();
    Ok(text.and_then(|text| Written::from_json(&text)))
}

fn is_plain(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|found| found.is_file())
}

/// Fails when a folder holds anything but its manifest, files as they are in `known`, and what may
/// always be there; that is never touched either.
pub fn check(folder: &Path, known: &[FileRecord]) -> Result<(), StoreError> {
    let failed = || io_error("read the folder", folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        names.push((entry.file_name().to_string_lossy().into_owned(), entry));
    }
    names.sort_by(|(a, _), (b, _)| a.cmp(b));
    let has_manifest = names.iter().any(|(name, _)| name == MANIFEST);
    for (name, entry) in names {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let allowed = match name.as_str() {
            PARTIAL => is_dir,
            JOURNAL => is_plain(&entry.path()),
            name if is_state(name) => is_plain(&entry.path()),
            MANIFEST => true,
            name if name.starts_with(STAGING) => is_dir,
            name => DESKTOP_FILES.contains(&name),
        };
        if allowed {
            continue;
        }
        let folder = folder.to_path_buf();
        let mut records = known.iter().filter(|record| record.name == name).peekable();
        if records.peek().is_none() {
            return Err(if has_manifest || !known.is_empty() {
                StoreError::Foreign(folder, name)
            } else {
                StoreError::NotOurs(folder, name)
            });
        }
        if !is_plain(&entry.path()) || !records.any(|record| is_as(&entry.path(), record)) {
            return Err(StoreError::Edited(folder, name));
        }
    }
    Ok(())
}

/// Whether a file is as it was written.
fn is_as(file: &Path, record: &FileRecord) -> bool {
    let size = fs::metadata(file).map(|found| found.len());
    size.is_ok_and(|size| size == record.bytes)
        && FileRecord::of_file(&record.name, file).is_ok_and(|found| found == *record)
}

/// Fails unless results can go to a folder: it is free, or holds results of carat and nothing else.
pub fn check_ours(folder: &Path) -> Result<(), StoreError> {
    for folder in [folder.to_path_buf(), folder.join(PARTIAL)] {
        if folder.is_dir() {
            let known = written(&folder)?.map_or(Vec::new(), |written| written.files);
            check(&folder, &known)?;
        }
    }
    Ok(())
}
