//! The study of sides: the same games under different rules or with different bots.

use super::library::Library;
use super::paths::changed;
use super::{Resolved, Simulate, StudyError, resolve};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Sides that differ in rules, seats or both; what is not named they share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// Always "compare".
    pub study: CompareKind,
    /// What the sides share.
    pub table: Simulate,
    /// The sides by name, each a list of `PATH=VALUE`; the first is what the others differ from.
    pub sides: IndexMap<String, Vec<String>>,
}

/// The word "compare".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompareKind {
    /// The same games, different sides.
    #[default]
    Compare,
}

impl Compare {
    /// Looks up every side.
    pub fn resolve(&self, library: &Library) -> Result<Vec<(String, Resolved)>, StudyError> {
        if self.sides.len() < 2 {
            return Err(StudyError::Sides(self.sides.len()));
        }
        let mut resolved = Vec::new();
        for (name, changes) in &self.sides {
            let mut pairs = Vec::new();
            for change in changes {
                let Some((path, value)) = change.split_once('=') else {
                    return Err(StudyError::Change(change.clone()));
                };
                pairs.push((path.trim(), value));
            }
            let study = changed(&self.table, &pairs)?;
            resolved.push((name.clone(), resolve(&study, library)?));
        }
        Ok(resolved)
    }
}
