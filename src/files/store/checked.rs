//! Checksums, and lines of JSON that carry one each.
//!
//! A line is `["1a2b3c4d",CONTENT]`: valid JSON by itself, with the checksum of the content's
//! bytes. A damaged or incomplete line is detected, and the lines after it remain valid.

use carat_studies::report::{FileRecord, checksum};
use flate2::CrcReader;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;

/// The record of an existing file, read in pieces.
pub fn record_of_file(name: &str, file: &Path) -> io::Result<FileRecord> {
    let mut from = CrcReader::new(File::open(file)?);
    let bytes = io::copy(&mut from, &mut io::sink())?;
    Ok(FileRecord {
        name: name.to_string(),
        bytes,
        checksum: format!("crc32:{:08x}", from.crc().sum()),
    })
}

pub fn checked_line(content: &impl Serialize) -> Result<String, serde_json::Error> {
    let content = serde_json::to_string(content)?;
    let checksum = checksum(content.as_bytes());
    Ok(format!("[\"{checksum}\",{content}]\n"))
}

/// The content of a line without its line break, if undamaged.
pub fn content(line: &[u8]) -> Option<&[u8]> {
    let (written, rest) = line.strip_prefix(b"[\"")?.split_at_checked(8)?;
    let content = rest.strip_prefix(b"\",")?.strip_suffix(b"]")?;
    (written == checksum(content).as_bytes()).then_some(content)
}

#[derive(Debug, PartialEq)]
pub struct CheckedLine<'a> {
    /// The content, unless damaged.
    pub content: Option<&'a [u8]>,
    /// The byte range in the file, without the line break.
    pub place: Range<u64>,
    pub ended: bool,
}

/// Reads lines one after the other, skipping blank ones.
pub struct CheckedLines<R> {
    reader: R,
    line: Vec<u8>,
    at: u64,
    most: u64,
}

/// Longest readable line, in bytes. The longest lines written (all texts of a study, or the sums of
/// 64 cells) are far shorter.
const LINE_MAX: u64 = 1 << 28;

impl<R: BufRead> CheckedLines<R> {
    /// Reads from the start of a file.
    pub fn new(reader: R) -> Self {
        CheckedLines {
            reader,
            line: Vec::new(),
            at: 0,
            most: LINE_MAX,
        }
    }

    /// The next line, or `None` at the end of the file.
    pub fn next_line(&mut self) -> io::Result<Option<CheckedLine<'_>>> {
        loop {
            self.line.clear();
            let start = self.at;
            let mut reader = self.reader.by_ref().take(self.most + 1);
            let read = reader.read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            let most = self.most;
            if read as u64 > most {
                let why = format!("a line is longer than {most} bytes; carat writes none");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            self.at += read as u64;
            if self.line.trim_ascii().is_empty() {
                continue;
            }
            let ended = self.line.last() == Some(&b'\n');
            let line = &self.line[..read - usize::from(ended)];
            return Ok(Some(CheckedLine {
                content: content(line).filter(|_| ended),
                place: start..start + line.len() as u64,
                ended,
            }));
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/carat/files/store/checked.rs"]
mod tests;
