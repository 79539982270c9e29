//! The rules and number of players that a bot was made for, and warnings at other tables.

use super::error::StudyError;
use super::library::SourceText;
use super::overrides::apply;
use super::table::TableSpec;
use crate::game::Game;
use crate::strategy::{MadeFor, Seat};
use std::path::Path;

/// A warning for bots that were made for other rules or another number of players.
pub fn warning(
    game: &Game,
    spec: &TableSpec,
    rules: &SourceText,
    seats: &[Seat],
) -> Result<Option<String>, StudyError> {
    let played = rules_of(&rules.name, &rules.text, &spec.set)?;
    let mut elsewhere: Vec<String> = Vec::new();
    for seat in seats {
        let Some(made_for) = &seat.strategy.made_for else {
            continue;
        };
        let line = format!("{} for {made_for}", seat.strategy.name);
        if !elsewhere.contains(&line)
            && !is_for(game, made_for, (&rules.name, &played), seats.len())?
        {
            elsewhere.push(line);
        }
    }
    Ok((!elsewhere.is_empty()).then(|| {
        format!(
            "bots made for other rules or numbers of players may play worse here: {}",
            elsewhere.join("; ")
        )
    }))
}

/// Whether a bot was made for these rules, compared by name, and this number of players; true for a
/// bot without `made_for`.
pub fn is_for(
    game: &Game,
    made_for: &MadeFor,
    rules: (&str, &toml::Table),
    players: usize,
) -> Result<bool, StudyError> {
    let other_players = made_for.players.is_some_and(|own| own != players);
    let same_rules = match (usual_rules(game, made_for)?, &made_for.rules) {
        (Some(own), _) => own == *rules.1,
        (None, Some(own)) => Path::new(own).file_name() == Path::new(rules.0).file_name(),
        (None, None) => true,
    };
    Ok(same_rules && !other_players)
}

/// The name in `made_for` of an edition with changes.
fn usual_rules(game: &Game, made_for: &MadeFor) -> Result<Option<toml::Table>, StudyError> {
    let Some(name) = &made_for.rules else {
        return Ok(None);
    };
    let mut editions = game.editions.iter();
    match editions.find(|edition| edition.name == *name) {
        Some(edition) => Ok(Some(rules_of(name, edition.text, &made_for.set)?)),
        None => Ok(None),
    }
}

/// The text of changed rules without their title.
pub fn rules_of(name: &str, text: &str, set: &[String]) -> Result<toml::Table, StudyError> {
    let text = apply(name, text, set)?;
    let mut rules: toml::Table = text.parse().unwrap_or_default();
    rules.remove("title");
    Ok(rules)
}
