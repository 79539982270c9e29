//! A report as it is kept beside its files: when more of them are asked for later, they are written
//! of this, and nothing is played again. It is JSON, compressed: all numbers to the last digit, and
//! the charts as they are laid out.

use super::report::{NamedChart, Report};
use super::store::Manifest;
use super::text::View;
use crate::charts::LaidOut;
use crate::charts::canvas::Canvas;
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

/// Name of the file.
pub const KEPT: &str = "report.carat";

/// What it holds: all of a report but its manifest, which is beside it.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    format: Format,
    #[serde(default)]
    summary: String,
    sheets: Cow<'a, [Sheet]>,
    charts: Vec<(String, Cow<'a, Canvas>)>,
    /// The charts on narrow paper; older versions did not draw them.
    #[serde(default)]
    narrow: Vec<Cow<'a, Canvas>>,
    files: Cow<'a, [(String, String)]>,
    text: Cow<'a, [View]>,
}

/// The bytes of a report, with its charts laid out.
pub fn keep(report: &Report, charts: &[(&str, LaidOut)]) -> io::Result<Vec<u8>> {
    let kept = Kept {
        format: Format::NOW,
        summary: report.summary.clone(),
        sheets: Cow::Borrowed(&report.sheets),
        charts: (charts.iter())
            .map(|(name, chart)| (name.to_string(), Cow::Borrowed(&chart.wide)))
            .collect(),
        narrow: (charts.iter())
            .map(|(_, chart)| Cow::Borrowed(&chart.narrow))
            .collect(),
        files: Cow::Borrowed(&report.files),
        text: Cow::Borrowed(&report.views),
    };
    // Each write to the encoder costs something, and JSON is written in small pieces.
    let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut buffer = BufWriter::new(encoder);
    serde_json::to_writer(&mut buffer, &kept)?;
    buffer.into_inner()?.finish()
}

/// The report that is kept in a folder of results, of this game and with this manifest; nothing when
/// there is none, or it cannot be read.
pub fn recall(folder: &Path, game: &'static Game, manifest: Manifest) -> Option<Report> {
    let file = BufReader::new(File::open(folder.join(KEPT)).ok()?);
    let mut text = Vec::new();
    ZlibDecoder::new(file).read_to_end(&mut text).ok()?;
    let kept: Kept = serde_json::from_slice(&text).ok()?;
    if kept.format != Format::NOW {
        return None;
    }
    // Names of charts live as long as the program, as those do that are written in it.
    let mut narrow = kept.narrow.into_iter();
    let named = |(name, wide): (String, Cow<Canvas>)| -> NamedChart {
        let wide = wide.into_owned();
        let narrow = narrow.next().map_or_else(|| wide.clone(), Cow::into_owned);
        let chart = LaidOut { wide, narrow };
        (String::leak(name), String::new(), Box::new(chart))
    };
    Some(Report {
        summary: kept.summary,
        sheets: kept.sheets.into_owned(),
        charts: kept.charts.into_iter().map(named).collect(),
        files: kept.files.into_owned(),
        views: kept.text.into_owned(),
        game,
        manifest,
    })
}
