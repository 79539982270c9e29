//! The manifest beside every result: what was played, so that it can be played again.

use crate::study::Study;
use crate::study::library::{Source, Sources};
use serde::{Deserialize, Serialize};

/// Name of the manifest's file; a folder that holds one was written by carat.
pub const MANIFEST: &str = "manifest.json";

/// What was played. It holds no time and no machine, so that the same study gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Manifest {
    /// Version of carat.
    pub carat: String,
    /// Whether the run was stopped; the study then tells the games that were completed.
    pub partial: bool,
    /// What is missing of the precision that was asked for; left out when nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision_missed: Option<PrecisionMissed>,
    /// The level of vector instructions that played it; results are the same on every level.
    pub simd: String,
    /// The study, every default filled in.
    pub study: Study,
    /// The rules files that the study names; its changes come on top.
    pub rules: Vec<Source>,
    /// The bots that it names.
    pub strategies: Vec<Source>,
    /// The files beside the manifest.
    pub files: Vec<String>,
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

/// A manifest that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Not JSON, or not a manifest's.
    #[error("{file}: {source}")]
    Json {
        /// The file.
        file: String,
        /// Why, with line and column.
        source: serde_json::Error,
    },
}

impl Manifest {
    /// The manifest of a study that is played to its end at this level of vector instructions.
    pub fn new(study: Study, sources: Sources, simd: &str) -> Manifest {
        Manifest {
            carat: env!("CARGO_PKG_VERSION").to_string(),
            partial: false,
            precision_missed: None,
            simd: simd.to_string(),
            study,
            rules: sources.rules,
            strategies: sources.strategies,
            files: Vec::new(),
        }
    }

    /// The manifest as a text file.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// Reads a manifest; `file` is the name that errors show.
    pub fn from_json(file: &str, text: &str) -> Result<Manifest, ManifestError> {
        let wrong = |source| ManifestError::Json {
            file: file.to_string(),
            source,
        };
        let raw: RawManifest = serde_json::from_str(text).map_err(wrong)?;
        Ok(Manifest {
            carat: raw.carat,
            partial: raw.partial,
            precision_missed: raw.precision_missed,
            simd: raw.simd,
            study: Study::from_json(raw.study).map_err(wrong)?,
            rules: raw.rules,
            strategies: raw.strategies,
            files: raw.files,
        })
    }
}

/// What tells that carat wrote a folder: the part of a manifest that every version has.
#[derive(Debug, Deserialize)]
pub struct ManifestHeader {
    /// Whether the results are of an interrupted run.
    pub partial: bool,
    /// The files beside the manifest.
    pub files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawManifest {
    carat: String,
    partial: bool,
    #[serde(default)]
    precision_missed: Option<PrecisionMissed>,
    simd: String,
    study: serde_json::Value,
    rules: Vec<Source>,
    strategies: Vec<Source>,
    files: Vec<String>,
}
