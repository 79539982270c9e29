//! The manifest beside every result: the study as played, so that it can be repeated.

use crate::study::{Expectation, Remark, Study};
use carat_core::format::Format;
use carat_core::library::{SourceText, Sources};
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::path::{Component, Path};

pub const MANIFEST: &str = "manifest.json";

/// The text between the study and the list of files.
const FILES_KEY: &str = "\n  \"files\": [";

/// The study as played, without time or machine, so that the same study gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the file format.
    #[serde(default)]
    pub format: Format,
    pub carat: String,
    /// Whether the run was interrupted; then the study has the number of finished games.
    pub partial: bool,
    /// The shortfall of the requested precision, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_missed: Option<PrecisionMissed>,
    /// What the study expects, or the targets of a tuning, with the verdicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<Expectation>,
    /// Decisions that programs failed to take, with `on_failure = "pass"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u64>,
    /// In manifests up to 0.3: the level of vector instructions, which changes no result.
    #[serde(default, rename = "simd", skip_serializing)]
    pub of_old: IgnoredAny,
    /// The study, every default filled in.
    #[serde(deserialize_with = "study")]
    pub study: Study,
    /// The rules files that the study names, before its changes.
    pub rules: Vec<SourceText>,
    pub strategies: Vec<SourceText>,
    /// The warnings before the study, which the report may repeat.
    #[serde(skip)]
    pub warnings: Vec<Remark>,
    /// The shard, such as `3/16`; `None` for results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The files of the result; the manifest's own entry covers the text before this list.
    #[serde(default, deserialize_with = "files")]
    pub files: Vec<FileRecord>,
}

/// The size and checksum of a file as carat wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// The name in the output folder.
    pub name: String,
    pub bytes: u64,
    pub checksum: String,
}

impl FileRecord {
    pub fn of(name: &str, bytes: &[u8]) -> FileRecord {
        FileRecord {
            name: name.to_string(),
            bytes: bytes.len() as u64,
            checksum: format!("crc32:{}", checksum(bytes)),
        }
    }
}

/// A precision that was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecisionMissed {
    /// The requested half-width.
    pub asked: f64,
    /// The reached half-width; `None` if a figure has no value.
    pub reached: Option<f64>,
    /// Whether populations differ by more, so that no number of games is enough.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub populations_differ: bool,
}

/// A manifest that is not valid JSON, or not the JSON of a manifest.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {source}")]
pub struct ManifestError {
    file: String,
    /// The reason, with line and column.
    source: serde_json::Error,
}

impl Manifest {
    pub fn new(study: Study, sources: Sources) -> Manifest {
        Manifest {
            format: Format::NOW,
            carat: env!("CARGO_PKG_VERSION").to_string(),
            partial: false,
            precision_missed: None,
            expectations: Vec::new(),
            passes: None,
            of_old: IgnoredAny,
            study,
            rules: sources.rules,
            strategies: sources.strategies,
            warnings: Vec::new(),
            shard: None,
            files: Vec::new(),
        }
    }

    /// The manifest as a text file, which lists itself as the last of its files.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut whole = self.clone();
        whole.files.retain(|file| file.name != MANIFEST);
        let text = serde_json::to_string_pretty(&whole)?;
        whole.files.push(FileRecord::of(MANIFEST, head(&text)));
        serde_json::to_string_pretty(&whole).map(|text| text + "\n")
    }

    /// Reads a manifest, or the one in a result that was printed; `file` is the name that errors
    /// show.
    pub fn from_json(file: &str, text: &str) -> Result<Manifest, ManifestError> {
        let wrong = |source| ManifestError {
            file: file.to_string(),
            source,
        };
        serde_json::from_str(text).or_else(|source| {
            let printed: Value = serde_json::from_str(text).unwrap_or_default();
            serde_json::from_value(printed["manifest"].clone()).map_err(|_| wrong(source))
        })
    }
}

/// The checksum of bytes as eight digits: CRC-32, as in zip files and PNG.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The text before the list of files.
fn head(text: &str) -> &[u8] {
    let end = text.rfind(FILES_KEY).unwrap_or(text.len());
    &text.as_bytes()[..end]
}

/// The fields about files in a manifest of any version.
#[derive(Debug, Deserialize)]
pub struct Written {
    /// Whether the run was interrupted.
    pub partial: bool,
    pub files: Vec<FileRecord>,
}

impl Written {
    /// Reads a manifest; `None` if the text is not byte for byte as carat wrote it.
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

/// Manifests of older versions have only names, which are ignored.
fn files<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<FileRecord>, D::Error> {
    let files = Value::deserialize(from)?;
    Ok(serde_json::from_value(files).unwrap_or_default())
}
