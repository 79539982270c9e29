//! The result of a study: tables, charts, text and the manifest.

use super::manifest::Manifest;
use super::rules_changed::RulesChanged;
use super::text::View;
use crate::study::{Interrupted, Ready};
use carat_core::figure::Figure;
use carat_core::format::Format;
use carat_core::game::Game;
use carat_core::sheet::{Sheet, Values};
use carat_core::simulation::Missed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::ops::Deref;

/// A chart by the name of its file, without ending.
#[derive(Clone, Serialize, Deserialize)]
pub struct NamedChart {
    pub name: String,
    /// The line below its title, which says what was played.
    pub played: String,
    pub figure: Figure,
}

impl NamedChart {
    pub fn new(name: &str, played: &str, figure: Figure) -> NamedChart {
        NamedChart {
            name: name.to_string(),
            played: played.to_string(),
            figure,
        }
    }
}

/// A report without its manifest.
#[derive(Default, Serialize, Deserialize)]
pub struct Contents {
    pub format: Format,
    /// The summary: a sentence or two with figures.
    pub summary: String,
    /// What the page answers instead, if the summary begins with something else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    pub sheets: Vec<Sheet>,
    #[serde(rename = "figures")]
    pub charts: Vec<NamedChart>,
    /// How the rules that a search found differ from those that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<RulesChanged>,
    /// Reusable files, such as bots, by name with their text.
    pub files: Vec<(String, String)>,
    #[serde(rename = "text")]
    pub views: Vec<View>,
    /// How many of the views, from the first on, a page to print has, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<usize>,
    /// How many of these, from the first on, are its title and what it says in large letters.
    #[serde(default)]
    pub large: usize,
    /// The sums that later games are added to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<u8>,
}

pub struct Report {
    pub content: Contents,
    pub manifest: Manifest,
    /// How far the run came, if it was interrupted.
    pub interrupted: Option<Interrupted>,
}

impl Contents {
    /// The tables that files hold; others are only shown.
    pub fn tables(&self) -> impl Iterator<Item = &Sheet> {
        let has_files = |sheet: &&Sheet| sheet.columns.iter().any(|column| !column.is_label);
        self.sheets.iter().filter(has_files)
    }
}

impl Deref for Report {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.content
    }
}

impl Report {
    pub fn game(&self) -> &'static Game {
        let game = self.manifest.study.table.game();
        game.expect("the game of a played study")
    }

    /// The precision that was not reached, if any.
    pub fn missed(&self) -> Option<Missed> {
        let study = &self.manifest.study;
        self.manifest.precision_missed.map(|missed| Missed {
            half_width: missed.asked,
            most: study.run.most(),
            widest: missed.reached,
            is_beyond: missed.populations_differ,
            is_of_verdict: study.decides(),
        })
    }

    /// The whole report but its charts as one JSON object: its form, the `manifest`, without the
    /// list of files, and the `tables` by name as lists of records.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut manifest = serde_json::to_value(&self.manifest)?;
        if let Some(fields) = manifest.as_object_mut() {
            fields.shift_remove("files");
        }
        let tables = self.tables();
        let tables = tables.map(|sheet| (sheet.name.clone(), Value::Array(records(sheet))));
        Ok(json!({
            "format": Format::NOW, "manifest": manifest, "summary": self.summary,
            "tables": Map::from_iter(tables),
        }))
    }
}

/// The manifest of a study before it is played.
pub fn manifest(ready: &Ready) -> Manifest {
    let mut manifest = Manifest::new(ready.study.clone(), ready.sources.clone());
    manifest.warnings.clone_from(&ready.warnings);
    manifest
}

/// The rows of a sheet: whole numbers, numbers, texts and truths by the names of their columns, and
/// null where a value is not known.
pub fn records(sheet: &Sheet) -> Vec<Value> {
    let sheet = sheet.written();
    let value = |values: &Values, row: usize| match values {
        Values::Whole(values) => json!(values[row]),
        Values::Number(values) => json!(values[row]),
        Values::Text(values) => json!(values[row]),
        Values::Truth(values) => json!(values[row]),
        Values::Estimates(values) => json!(values[row]),
    };
    let record = |row: usize| {
        let fields = sheet.columns.iter();
        let fields = fields.map(|column| (column.name.clone(), value(&column.values, row)));
        Value::Object(Map::from_iter(fields))
    };
    (0..sheet.height()).map(record).collect()
}
