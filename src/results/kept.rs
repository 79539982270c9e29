//! A report as it is kept beside its files: when more of them are asked for later, they are written
//! of this, and nothing is played again. It is JSON, compressed: all numbers to the last digit.

use super::report::{NamedChart, Report};
use super::store::Manifest;
use super::text::View;
use crate::format::Format;
use crate::game::Game;
use crate::sheet::Sheet;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;

pub const KEPT: &str = "report.carat";

/// What it holds: all of a report but its manifest, which is beside it.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    format: Format,
    summary: String,
    sheets: Cow<'a, [Sheet]>,
    figures: Cow<'a, [NamedChart]>,
    files: Cow<'a, [(String, String)]>,
    text: Cow<'a, [View]>,
    /// By what more games can be added.
    #[serde(default, skip_serializing_if = "<[u8]>::is_empty")]
    state: Cow<'a, [u8]>,
}

/// A report as it is kept, with that by which more games can be added.
pub fn keep(report: &Report, state: &[u8]) -> io::Result<Vec<u8>> {
    let kept = Kept {
        format: Format::NOW,
        summary: report.summary.clone(),
        sheets: Cow::Borrowed(&report.sheets),
        figures: Cow::Borrowed(&report.charts),
        files: Cow::Borrowed(&report.files),
        text: Cow::Borrowed(&report.views),
        state: Cow::Borrowed(state),
    };
    // Each write to the encoder costs something, and JSON is written in small pieces.
    let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut buffer = BufWriter::new(encoder);
    serde_json::to_writer(&mut buffer, &kept)?;
    buffer.into_inner()?.finish()
}

/// What is kept in a folder of results; nothing when there is none, or it cannot be read.
fn read(folder: &Path) -> Option<Kept<'static>> {
    let file = BufReader::new(File::open(folder.join(KEPT)).ok()?);
    let mut text = Vec::new();
    ZlibDecoder::new(file).read_to_end(&mut text).ok()?;
    let kept: Kept = serde_json::from_slice(&text).ok()?;
    (kept.format == Format::NOW).then_some(kept)
}

/// That by which more games can be added to the results in a folder; empty where they cannot.
pub fn recall_state(folder: &Path) -> Vec<u8> {
    read(folder).map_or(Vec::new(), |kept| kept.state.into_owned())
}

/// The report that is kept in a folder of results, of this game and with this manifest.
pub fn recall(folder: &Path, game: &'static Game, manifest: Manifest) -> Option<Report> {
    let kept = read(folder)?;
    Some(Report {
        summary: kept.summary,
        sheets: kept.sheets.into_owned(),
        charts: kept.figures.into_owned(),
        files: kept.files.into_owned(),
        views: kept.text.into_owned(),
        game,
        manifest,
    })
}
