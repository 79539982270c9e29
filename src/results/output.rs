//! A folder of results: written in a temporary place beside its target, then moved in.
//!
//! A result is there as a whole or not at all. A folder that carat did not write, or to which
//! somebody added files, is never touched.

use super::manifest::{MANIFEST, Manifest, ManifestHeader};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The target is a file.
    #[error("{}: this is a file; name a folder", .0.display())]
    IsFile(PathBuf),
    /// The folder is not carat's.
    #[error(
        "{}: this folder was not written by carat, and is left alone; name another folder",
        .0.display()
    )]
    NotOurs(PathBuf),
    /// The folder holds more than carat wrote.
    #[error(
        "{}: this folder holds `{file}`, which carat did not write; move it away or name another folder",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What does not belong there.
        file: String,
    },
    /// The file system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What file managers leave in a folder that is merely looked at.
const DESKTOP_FILES: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// Results on their way to a folder.
pub struct Output {
    staging: TempDir,
    target: PathBuf,
    files: Vec<String>,
}

impl Output {
    /// Checks that results can go to `target`, before any game is played, and makes room beside it.
    pub fn open(target: &Path) -> Result<Output, OutputError> {
        // A link is followed, and a slash at the end means nothing.
        let plain: PathBuf = target.components().collect();
        let target = &match fs::symlink_metadata(&plain) {
            Ok(found) if found.is_symlink() => plain.canonicalize().unwrap_or(plain),
            _ => plain,
        };
        check_ours(target)?;
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        fs::create_dir_all(&parent).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                OutputError::IsFile(parent.clone())
            }
            _ => io_error("create the folder", &parent)(error),
        })?;
        let staging = tempfile::Builder::new()
            .prefix(".carat-")
            .tempdir_in(&parent)
            .map_err(io_error("write into the folder", &parent))?;
        Ok(Output {
            staging,
            target: target.to_path_buf(),
            files: Vec::new(),
        })
    }

    /// Where files are prepared.
    pub fn staging(&self) -> &Path {
        self.staging.path()
    }

    /// Where they will go.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Sends results that are partial beside complete ones, if there are such at the target, so
    /// that these are not lost: to the same name with `-partial`.
    pub fn set_aside(&mut self) -> Result<(), OutputError> {
        if header(&self.target).is_some_and(|header| !header.partial) {
            let mut name = self.target.file_name().unwrap_or_default().to_os_string();
            name.push("-partial");
            self.target.set_file_name(name);
            check_ours(&self.target)?;
        }
        Ok(())
    }

    /// Adds a file.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let path = self.staging.path().join(name);
        fs::write(&path, bytes).map_err(io_error("write", &self.target.join(name)))?;
        self.files.push(name.to_string());
        Ok(())
    }

    /// Adds the manifest, which then names all files, and moves everything to its place; tells the
    /// paths of all files.
    pub fn publish(mut self, mut manifest: Manifest) -> Result<Vec<PathBuf>, OutputError> {
        manifest.files = self.files.clone();
        let json = manifest.to_json().map_err(|error| OutputError::Io {
            what: "write",
            path: self.target.join(MANIFEST),
            source: error.into(),
        })?;
        self.write(MANIFEST, json.as_bytes())?;
        check_ours(&self.target)?;
        let ready = self.staging.keep();
        // A temporary folder is private to its owner; results are like any other folder.
        set_folder_mode(&ready);
        let old = ready.with_extension("old");
        let replaces = self.target.exists();
        if replaces {
            fs::rename(&self.target, &old).map_err(io_error("replace", &self.target))?;
        }
        if let Err(source) = fs::rename(&ready, &self.target) {
            if replaces {
                let _ = fs::rename(&old, &self.target);
            }
            let _ = fs::remove_dir_all(&ready);
            return Err(io_error("move results to", &self.target)(source));
        }
        if replaces {
            fs::remove_dir_all(&old).map_err(io_error("remove the old results in", &old))?;
        }
        Ok(self
            .files
            .iter()
            .map(|file| self.target.join(file))
            .collect())
    }
}

/// What the manifest in `folder` tells, if carat wrote one there.
fn header(folder: &Path) -> Option<ManifestHeader> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Whether `target` is free, or holds results of carat and nothing else.
fn check_ours(target: &Path) -> Result<(), OutputError> {
    match fs::symlink_metadata(target) {
        Err(_) => return Ok(()),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(OutputError::IsFile(target.to_path_buf()));
        }
        Ok(_) => {}
    }
    let entries = fs::read_dir(target).map_err(io_error("read the folder", target))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let Some(header) = header(target) else {
        return Err(OutputError::NotOurs(target.to_path_buf()));
    };
    names.retain(|name| !DESKTOP_FILES.contains(&name.as_str()));
    names.sort_unstable();
    match names
        .into_iter()
        .find(|name| name != MANIFEST && !header.files.contains(name))
    {
        None => Ok(()),
        Some(file) => Err(OutputError::Foreign {
            folder: target.to_path_buf(),
            file,
        }),
    }
}

#[cfg(unix)]
fn set_folder_mode(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
}

#[cfg(not(unix))]
fn set_folder_mode(_folder: &Path) {}

fn io_error<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> OutputError + 'a {
    move |source| OutputError::Io {
        what,
        path: path.to_path_buf(),
        source,
    }
}
