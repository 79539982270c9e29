//! Files of parts: lines with checksums, first the study, then the sums of every finished part. A
//! damaged line is skipped; those after it remain valid.

use super::checked::{CheckedLines, checked_line, content};
use carat_core::simulation::Sums;
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
}

/// The name in the last line of a complete shard.
pub const END: &str = "end";

impl Held {
    /// Whether this is all that a complete shard holds, to the last line.
    pub fn is_whole(&self) -> bool {
        let end = self.places.get(END).map(|place| place.end + 1);
        self.damaged.is_empty() && end == Some(self.end)
    }
}

pub fn line(part: &str, sums: &Sums) -> Result<String, serde_json::Error> {
    checked_line(&Line { part, sums })
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
    };
    while let Some(line) = lines.next_line()? {
        if line.ended {
            held.end = line.place.end + 1;
        }
        let named = (line.content).and_then(|text| serde_json::from_slice(text).ok());
        match named {
            Some(Line::<_, IgnoredAny> { part, .. }) => drop(held.places.insert(part, line.place)),
            None => held.damaged.push(line.place),
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
