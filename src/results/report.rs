//! Everything that a study leaves behind: tables, charts, words, and the manifest.

use super::encode::records;
use super::store::{Manifest, PrecisionMissed};
use super::text::View;
use super::{analyse, capped, compare, simulate, solve, sweep, tournament, tune};
use crate::charts::Chart;
use crate::format::Format;
use crate::game::Game;
use crate::sheet::Sheet;
use crate::study::{Played, Ready};
use serde_json::{Map, Value, json};

/// A chart with the name of its file, without ending, and the line that says what was played.
pub type NamedChart = (&'static str, String, Box<dyn Chart>);

/// What a study leaves behind.
pub struct Report {
    /// What came out, in a sentence or two with figures.
    pub summary: String,
    pub sheets: Vec<Sheet>,
    pub charts: Vec<NamedChart>,
    /// Files that can be used again, such as bots, by name with their text.
    pub files: Vec<(String, String)>,
    /// What the terminal shows.
    pub views: Vec<View>,
    pub game: &'static Game,
    pub manifest: Manifest,
}

impl Report {
    /// The report of a study that was played, whose manifest this was before.
    pub fn of(played: &Played, manifest: Manifest) -> Report {
        let mut report = match played {
            Played::Simulate(played) => simulate::report(played, manifest),
            Played::Compare(played) => compare::report(played, manifest),
            Played::Sweep(played) => sweep::report(played, manifest),
            Played::Tournament(played) => tournament::report(played, manifest),
            Played::Tune(played) => tune::report(played, manifest),
            Played::Solve(played) => solve::report(played, manifest),
            Played::Analyse(played) => analyse::report(played, manifest),
        };
        report
            .views
            .extend(capped::remark(&played.outcome().capped()));
        report.views.extend(capped::spread_by_chance(played));
        report.manifest.precision_missed =
            played.outcome().missed().map(|missed| PrecisionMissed {
                asked: missed.half_width,
                reached: missed.widest,
            });
        report
    }
}

impl Report {
    /// The whole report but its charts as one JSON object: its form, the `manifest`, without the list of
    /// files, and the `tables` by name as lists of records.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut manifest = serde_json::to_value(&self.manifest)?;
        if let Some(fields) = manifest.as_object_mut() {
            fields.shift_remove("files");
        }
        let tables = self.sheets.iter();
        let tables = tables.map(|sheet| (sheet.name.clone(), Value::Array(records(sheet))));
        Ok(json!({ "format": Format::NOW, "manifest": manifest, "tables": Map::from_iter(tables) }))
    }
}

/// The manifest of a study before it is played.
pub fn manifest(ready: &Ready, simd: &str) -> Manifest {
    Manifest::new(ready.study.clone(), ready.sources.clone(), simd)
}
