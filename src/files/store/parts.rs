//! Files of parts: lines with checksums, first the study, then the sums of every finished part. A
//! damaged line is skipped; those after it remain valid.

use super::checked::{CheckedLines, checked_line, content};
use carat_core::simulation::Sums;
use carat_studies::report::FileRecord;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

#[derive(Serialize, Deserialize)]
struct Line<P, S> {
    part: P,
    sums: S,
}

/// The content of a file of parts.
pub struct Held {
    pub header: String,
    /// The position of each part's line.
    pub places: HashMap<String, Range<u64>>,
    /// The positions of damaged lines.
    pub damaged: Vec<Range<u64>>,
    /// The end of the last whole line.
    pub end: u64,
    /// Whether the file is complete: its last line says how long it is, and no line is damaged.
    pub is_whole: bool,
    /// The file of rows beside a complete one.
    pub rows: Option<FileRecord>,
}

/// The last line of a complete file: the length of all before it, and the file of rows beside it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    end: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<FileRecord>,
}

pub fn line(part: &str, sums: &Sums) -> Result<String, serde_json::Error> {
    checked_line(&Line { part, sums })
}

pub fn last_line(end: u64, rows: Option<FileRecord>) -> Result<String, serde_json::Error> {
    checked_line(&End { end, rows })
}

/// Reads the first line of a file; `None` if it is damaged.
pub fn read_header(file: &File) -> io::Result<Option<String>> {
    let mut lines = CheckedLines::new(BufReader::new(file));
    let content = lines.next_line()?.and_then(|line| line.content);
    Ok(content.map(|header| String::from_utf8_lossy(header).into_owned()))
}

/// Reads a file; `None` if its first line does not name the study.
pub fn read(file: &File) -> io::Result<Option<Held>> {
    let mut lines = CheckedLines::new(BufReader::with_capacity(1 << 16, file));
    let first = lines.next_line()?;
    let Some((header, place)) = first.and_then(|line| Some((line.content?, line.place))) else {
        return Ok(None);
    };
    let mut held = Held {
        header: String::from_utf8_lossy(header).into_owned(),
        places: HashMap::new(),
        damaged: Vec::new(),
        end: place.end + 1,
        is_whole: false,
        rows: None,
    };
    while let Some(line) = lines.next_line()? {
        held.is_whole = false;
        if line.ended {
            held.end = line.place.end + 1;
        }
        let text = line.content.unwrap_or_default();
        if let Ok(Line::<_, IgnoredAny> { part, .. }) = serde_json::from_slice(text) {
            held.places.insert(part, line.place);
        } else if let Ok(End { end, rows }) = serde_json::from_slice(text) {
            held.is_whole = end == line.place.start && held.damaged.is_empty();
            held.rows = rows;
        } else {
            held.damaged.push(line.place);
        }
    }
    Ok(Some(held))
}

/// The sums in the line at a position; `None` if it is damaged.
pub fn sums(file: &mut File, place: &Range<u64>) -> Option<Sums> {
    let mut line = vec![0; (place.end - place.start) as usize];
    file.seek(SeekFrom::Start(place.start)).ok()?;
    file.read_exact(&mut line).ok()?;
    let line: Line<IgnoredAny, Sums> = serde_json::from_slice(content(&line)?).ok()?;
    Some(line.sums)
}
