//! The output folder: finds, creates and locks it, and checks it for foreign files.

use super::checked::record_of_file;
use super::error::{StoreError, io_error};
use super::names::{PARTIAL, STAGING, UNFINISHED};
use carat_studies::report::MANIFEST;
use carat_studies::report::{FileRecord, Written};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Files that file managers leave in every folder they show.
const DESKTOP_FILES: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];
/// The extension of logs: the output of a run may be redirected to a file beside its results.
const LOG: &str = ".log";

/// Writes a single file atomically, so that a failure keeps the old one; creates its folder.
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

/// The canonical path of `target`, and the folders that must be created for it.
pub fn locate(target: &Path) -> Result<(PathBuf, Vec<PathBuf>), StoreError> {
    if target.to_string_lossy().contains("://") {
        return Err(StoreError::Address(target.to_path_buf()));
    }
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
                match at.canonicalize() {
                    Ok(found) if found.is_dir() => at = found,
                    Ok(_) => return Err(StoreError::IsFile(at)),
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        if let Ok(to) = fs::read_link(&at) {
                            return Err(StoreError::Dangling(at, to));
                        }
                        missing.push(at.clone());
                    }
                    Err(error) => return Err(io_error("find the folder", &at)(error)),
                }
            }
        }
    }
    Ok((at, missing))
}

/// Creates missing folders and returns them, the deepest last. On failure it leaves none behind.
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

/// Removes these folders while they are empty, the deepest first.
pub fn remove_empty(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Waits for the lock of a folder; other processes cannot change it until the guard is dropped.
/// `None` on a file system without locks.
pub fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

/// The files that a folder's manifest lists; `None` without a manifest. Fails if it is not as carat
/// wrote it.
pub fn written(folder: &Path) -> Result<Option<Written>, StoreError> {
    let manifest = folder.join(MANIFEST);
    let found = match fs::symlink_metadata(&manifest) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found.map_err(io_error("read", &manifest))?,
    };
    let mut text = None;
    if found.is_file() {
        let bytes = fs::read(&manifest).map_err(io_error("read", &manifest))?;
        text = String::from_utf8(bytes).ok();
    }
    let written = text.and_then(|text| Written::from_json(&text));
    let other = || StoreError::OtherManifest(folder.to_path_buf());
    written.map(Some).ok_or_else(other)
}

fn is_plain(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|found| found.is_file())
}

/// The names in a folder, sorted; empty if the folder does not exist.
pub fn names(folder: &Path) -> Result<Vec<String>, StoreError> {
    let failed = || io_error("read the folder", folder);
    let mut names = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).map_err(failed())? {
            let name = entry.map_err(failed())?.file_name();
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The files of a folder that lost its manifest (build tools remove it) but has the files of an
/// unfinished study; empty for any other folder.
pub fn unlisted(folder: &Path) -> Result<Vec<FileRecord>, StoreError> {
    let names = names(folder)?;
    let is_ours = names.iter().any(|name| name.starts_with(UNFINISHED));
    if !is_ours || names.iter().any(|name| name == MANIFEST) {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for name in names {
        let path = folder.join(&name);
        if is_plain(&path) {
            files.push(record_of_file(&name, &path).map_err(io_error("read", &path))?);
        }
    }
    Ok(files)
}

/// Fails if a folder holds anything but its manifest, unchanged files of `known`, and files that
/// are always allowed. Never changes those.
pub fn check(folder: &Path, known: &[FileRecord]) -> Result<(), StoreError> {
    let names = names(folder)?;
    let is_result = !known.is_empty() || names.iter().any(|name| name == MANIFEST);
    for name in names {
        let path = folder.join(&name);
        let is_dir = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir());
        let allowed = match name.as_str() {
            PARTIAL => is_dir,
            MANIFEST => true,
            name if name.starts_with(STAGING) => is_dir,
            name if name.starts_with(UNFINISHED) || name.ends_with(LOG) => is_plain(&path),
            name => DESKTOP_FILES.contains(&name),
        };
        if allowed {
            continue;
        }
        let folder = folder.to_path_buf();
        let mut records = known.iter().filter(|record| record.name == name).peekable();
        if records.peek().is_none() {
            return Err(if is_result {
                StoreError::Foreign(folder, name)
            } else {
                StoreError::NotOurs(folder, name)
            });
        }
        if !is_plain(&path) || !records.any(|record| is_as(&path, record)) {
            return Err(StoreError::Edited(folder, name));
        }
    }
    Ok(())
}

pub fn is_as(file: &Path, record: &FileRecord) -> bool {
    let size = fs::metadata(file).map(|found| found.len());
    size.is_ok_and(|size| size == record.bytes)
        && record_of_file(&record.name, file).is_ok_and(|found| found == *record)
}

/// Fails unless a folder is free for results: it is empty, or holds only results of carat and these
/// files.
pub fn check_ours(folder: &Path, unlisted: &[FileRecord]) -> Result<(), StoreError> {
    let mut known = written(folder)?.map_or(Vec::new(), |written| written.files);
    known.extend_from_slice(unlisted);
    check(folder, &known)
}

/// Removes a file, unless it is gone already.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(io_error("remove the old result", path)(error))
        }
        _ => Ok(()),
    }
}
