//! The rules and number of players that a bot was made for, and warnings at other tables.

use super::error::StudyError;
use super::overrides::apply;
use super::table::SeatedTable;
use crate::strategy::Strategy;
use indexmap::IndexSet;
use std::path::Path;

/// A warning for bots that were made for other rules or another number of players.
pub fn warning(table: &SeatedTable) -> Result<Option<String>, StudyError> {
    let SeatedTable { rules, seats, .. } = table;
    let played = rules_of(&rules.name, &rules.text, &table.spec.set)?;
    let mut elsewhere = IndexSet::new();
    for Strategy { name, made_for, .. } in seats.iter().map(|seat| &seat.strategy) {
        let Some(made_for) = made_for else { continue };
        let mut editions = table.game.editions.iter();
        let edition = editions.find(|edition| Some(edition.name) == made_for.rules.as_deref());
        // Files are compared by name.
        let same_rules = match (edition, &made_for.rules) {
            (Some(own), _) => rules_of(own.name, own.text, &made_for.set)? == played,
            (None, Some(own)) => Path::new(own).file_name() == Path::new(&rules.name).file_name(),
            (None, None) => true,
        };
        if !same_rules || made_for.players.is_some_and(|own| own != seats.len()) {
            elsewhere.insert(format!("{name} for {made_for}"));
        }
    }
    let elsewhere = Vec::from_iter(elsewhere).join("; ");
    Ok((!elsewhere.is_empty()).then(|| {
        format!("bots made for other rules or numbers of players may play worse here: {elsewhere}")
    }))
}

/// The text of changed rules without their title.
fn rules_of(name: &str, text: &str, set: &[String]) -> Result<toml::Table, String> {
    let text = apply(name, text, set)?;
    let mut rules: toml::Table = text.parse().unwrap_or_default();
    rules.remove("title");
    Ok(rules)
}
