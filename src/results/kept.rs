//! The saved report beside its files, from which files in other formats are written later without
//! playing again. Compressed JSON with all digits of every number.

use super::report::{Report, Told};
use super::store::Manifest;
use crate::format::Format;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;

pub const KEPT: &str = "report.carat";

/// Encodes a report without its manifest, which is a file beside it.
pub fn keep(report: &Report) -> io::Result<Vec<u8>> {
    // Buffered, because serde writes JSON in small pieces.
    let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut buffer = BufWriter::new(encoder);
    serde_json::to_writer(&mut buffer, &report.told)?;
    buffer.into_inner()?.finish()
}

/// The saved report in a folder of results; `None` if there is none or it cannot be read.
fn read(folder: &Path) -> Option<Told> {
    let file = BufReader::new(File::open(folder.join(KEPT)).ok()?);
    let mut text = Vec::new();
    ZlibDecoder::new(file).read_to_end(&mut text).ok()?;
    let told: Told = serde_json::from_slice(&text).ok()?;
    (told.format == Format::NOW).then_some(told)
}

/// The sums that more games can be added to; empty if the results cannot grow.
pub fn recall_state(folder: &Path) -> Vec<u8> {
    read(folder).map_or(Vec::new(), |told| told.state)
}

/// The saved report in a folder of results with this manifest.
pub fn recall(folder: &Path, manifest: Manifest) -> Option<Report> {
    let told = read(folder)?;
    Some(Report { told, manifest })
}
