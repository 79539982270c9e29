//! Rules that come with carat: those of usual tables against people, found before by the same
//! search. `UPDATE_EXPECT=1 cargo test --release kept_rules -- --include-ignored` finds them anew.

use super::Study;
use super::kind::Known;
use super::rule::Rule;
use carat_core::simple_rule::FoundRule;
use serde::{Deserialize, Serialize};

/// One rule in a line.
static KEPT: &str = include_str!("../../../assets/rules.jsonl");

/// A rule as it is kept.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptRule {
    /// The checksum of the study, and of all rules and bots at its tables.
    pub key: String,
    pub game: String,
    pub rules: String,
    pub players: usize,
    /// The number of games of the search; a few for those by which tests see that a search still
    /// finds the same.
    pub games: u64,
    pub found: FoundRule,
}

impl KeptRule {
    /// All that come with carat.
    pub fn all() -> serde_json::Result<Vec<KeptRule>> {
        KEPT.lines().map(serde_json::from_str).collect()
    }

    /// The kept result of a study; `None` if it must be searched.
    pub fn of(known: &Known<Rule>) -> Option<KeptRule> {
        let key = KeptRule::key(known).ok()?;
        let line = KEPT.lines().find(|line| line.contains(&key))?;
        serde_json::from_str(line).ok()
    }

    /// What tells a study from all others.
    pub fn key(known: &Known<Rule>) -> serde_json::Result<String> {
        let (study, sources) = (Study::from(known.study.clone()), &known.sources);
        let text = serde_json::to_vec(&(study, &sources.rules, &sources.strategies))?;
        Ok(format!("{:08x}", crc32fast::hash(&text)))
    }
}
