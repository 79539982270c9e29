//! The saved report beside its files, from which files in other formats are written later without
//! playing again. Compressed JSON with all digits of every number.

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

/// A report without its manifest, which is a file beside it.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    format: Format,
    summary: String,
    sheets: Cow<'a, [Sheet]>,
    figures: Cow<'a, [NamedChart]>,
    files: Cow<'a, [(String, String)]>,
    text: Cow<'a, [View]>,
    /// The sums that later games are added to.
    #[serde(default, skip_serializing_if = "<[u8]>::is_empty")]
    state: Cow<'a, [u8]>,
}

/// Encodes a report, with the sums that later games are added to.
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
    // Buffered, because serde writes JSON in small pieces.
    let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut buffer = BufWriter::new(encoder);
    serde_json::to_writer(&mut buffer, &kept)?;
    buffer.into_inner()?.finish()
}

/// The saved report in a folder of results; `None` if there is none or it cannot be read.
fn read(folder: &Path) -> Option<Kept<'static>> {
    let file = BufReader::new(File::open(folder.join(KEPT)).ok()?);
    let mut text = Vec::new();
    ZlibDecoder::new(file).read_to_end(&mut text).ok()?;
    let kept: Kept = serde_json::from_slice(&text).ok()?;
    (kept.format == Format::NOW).then_some(kept)
}

/// The sums that more games can be added to; empty if the results cannot grow.
pub fn recall_state(folder: &Path) -> Vec<u8> {
    read(folder).map_or(Vec::new(), |kept| kept.state.into_owned())
}

/// The saved report in a folder of results, if it is of this game and has this manifest.
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
