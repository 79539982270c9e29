//! The saved report beside its files, from which files in other formats are written later without
//! playing again. Compressed JSON with all digits of every number.

use carat_core::format::Format;
use carat_studies::report::Contents;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;

pub const KEPT: &str = "report.carat";

/// Encodes a report without its manifest, which is a file beside it.
pub fn keep(content: &Contents) -> io::Result<Vec<u8>> {
    // Buffered, because serde writes JSON in small pieces.
    let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut buffer = BufWriter::new(encoder);
    serde_json::to_writer(&mut buffer, content)?;
    buffer.into_inner()?.finish()
}

/// The saved report in a folder of results; `None` if there is none or it cannot be read.
pub fn recall(folder: &Path) -> Option<Contents> {
    let file = BufReader::new(File::open(folder.join(KEPT)).ok()?);
    let mut text = Vec::new();
    ZlibDecoder::new(file).read_to_end(&mut text).ok()?;
    let content: Contents = serde_json::from_slice(&text).ok()?;
    (content.format == Format::NOW).then_some(content)
}
