//! The manifest beside every result: what was played, so that it can be played again.

use super::checked::{checksum, checksum_of};
use super::names::{MANIFEST, Place};
use crate::format::Format;
use crate::study::Study;
use crate::study::library::{SourceText, Sources};
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// What stands between what was played and the list of files.
const FILES_KEY: &str = "\n  \"files\": [";

/// What was played. It holds no time and no machine, so that the same study gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The form of this file.
    #[serde(default)]
    pub format: Format,
    pub carat: String,
    /// Whether the run was stopped; the study then tells the games that were completed.
    pub partial: bool,
    /// What is missing of the precision that was asked for; left out when nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_missed: Option<PrecisionMissed>,
    /// What manifests until 0.3 had: the level of vector instructions, which changes no result.
    #[serde(default, rename = "simd", skip_serializing)]
    pub of_old: IgnoredAny,
    /// The study, every default filled in.
    #[serde(deserialize_with = "study")]
    pub study: Study,
    /// The rules files that the study names; its changes come on top.
    pub rules: Vec<SourceText>,
    pub strategies: Vec<SourceText>,
    /// Which games a shard holds; results hold all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Place>,
    /// The files of the result; of the manifest itself, what stands before this list.
    #[serde(default, deserialize_with = "files")]
    pub files: Vec<FileRecord>,
}

/// A result as `--json` prints it.
#[derive(Deserialize)]
struct Printed {
    manifest: Manifest,
}

/// What carat wrote into a file, so that it knows it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// Its name in the folder of the result.
    pub name: String,
    pub bytes: u64,
    pub checksum: String,
}

impl FileRecord {
    /// The record of a file with these bytes.
    pub fn of(name: &str, bytes: &[u8]) -> FileRecord {
        FileRecord {
            name: name.to_string(),
            bytes: bytes.len() as u64,
            checksum: format!("crc32:{}", checksum(bytes)),
        }
    }

    /// The record of a file that is there, however large it is.
    pub fn of_file(name: &str, file: &Path) -> io::Result<FileRecord> {
        let (bytes, checksum) = checksum_of(File::open(file)?)?;
        Ok(FileRecord {
            name: name.to_string(),
            bytes,
            checksum: format!("crc32:{checksum}"),
        })
    }
}

/// A precision that was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecisionMissed {
    /// The half-width that was asked for.
    pub asked: f64,
    /// The half-width that was reached; none where a figure has no value.
    pub reached: Option<f64>,
}

/// A manifest that cannot be read: not JSON, or not a manifest's.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {source}")]
pub struct ManifestError {
    file: String,
    /// Why, with line and column.
    source: serde_json::Error,
}

impl Manifest {
    /// The manifest of a study that is played to its end.
    pub fn new(study: Study, sources: Sources) -> Manifest {
        Manifest {
            format: Format::NOW,
            carat: env!("CARGO_PKG_VERSION").to_string(),
            partial: false,
            precision_missed: None,
            of_old: IgnoredAny,
            study,
            rules: sources.rules,
            strategies: sources.strategies,
            shard: None,
            files: Vec::new(),
        }
    }

    /// The same, of the study as it was played.
    pub fn of(self, study: Study) -> Manifest {
        Manifest { study, ..self }
    }

    /// The manifest as a text file, which lists itself as the last of its files.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut whole = self.clone();
        whole.files.retain(|file| file.name != MANIFEST);
        let text = serde_json::to_string_pretty(&whole)?;
        whole.files.push(FileRecord::of(MANIFEST, head(&text)));
        serde_json::to_string_pretty(&whole).map(|text| text + "\n")
    }

    /// Reads a manifest, or the one in a result that was printed; `file` is the name that errors show.
    pub fn from_json(file: &str, text: &str) -> Result<Manifest, ManifestError> {
        let wrong = |source| ManifestError {
            file: file.to_string(),
            source,
        };
        serde_json::from_str(text).or_else(|source| {
            let printed = serde_json::from_str::<Printed>(text);
            printed.map(|all| all.manifest).map_err(|_| wrong(source))
        })
    }
}

/// What stands before the list of files.
fn head(text: &str) -> &[u8] {
    let end = text.rfind(FILES_KEY).unwrap_or(text.len());
    &text.as_bytes()[..end]
}

/// What the manifest of any version tells of a folder of results.
#[derive(Debug, Deserialize)]
pub struct Written {
    /// Whether the results are of an interrupted run.
    pub partial: bool,
    pub files: Vec<FileRecord>,
}

impl Written {
    /// Reads what carat wrote; `None` when the text is not to the byte a manifest that carat wrote.
    pub fn from_json(text: &str) -> Option<Written> {
        let mut written: Written = serde_json::from_str(text).ok()?;
        let own = written.files.pop()?;
        let plain = |file: &FileRecord| {
            let mut parts = Path::new(&file.name).components();
            let only = matches!(parts.next(), Some(Component::Normal(_)));
            only && parts.next().is_none() && !file.name.contains(['/', '\\'])
        };
        let ours = own == FileRecord::of(MANIFEST, head(text)) && written.files.iter().all(plain);
        ours.then_some(written)
    }
}

fn study<'de, D: Deserializer<'de>>(from: D) -> Result<Study, D::Error> {
    Study::from_json(Deserialize::deserialize(from)?).map_err(Error::custom)
}

/// Manifests of older versions tell names alone; nobody needs them to play again.
fn files<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<FileRecord>, D::Error> {
    let files = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(files).unwrap_or_default())
}
