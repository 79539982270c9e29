//! Bots that sit at tables other than those that they were made for.

use super::error::StudyError;
use super::library::SourceText;
use super::overrides::apply;
use super::table::TableSpec;
use crate::game::Game;
use crate::strategy::{MadeFor, Seat};

/// A warning where a bot was made for other rules or another number of players.
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
        if !elsewhere.contains(&line) && !is_for(game, made_for, &played, seats.len())? {
            elsewhere.push(line);
        }
    }
    Ok((!elsewhere.is_empty()).then(|| {
        format!(
            "bots made for other tables may play worse at this one: {}",
            elsewhere.join("; ")
        )
    }))
}

/// Whether a bot that was made for `made_for` was made for these rules and players, as far as is known.
pub fn is_for(
    game: &Game,
    made_for: &MadeFor,
    rules: &toml::Table,
    players: usize,
) -> Result<bool, StudyError> {
    let own = usual_rules(game, made_for)?;
    let other_players = made_for.players.is_some_and(|own| own != players);
    Ok(own.is_none_or(|own| own == *rules) && !other_players)
}

/// The rules that a bot was made for, where they are those of an edition with changes.
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

/// What rules with changes say, but for their title.
pub fn rules_of(name: &str, text: &str, set: &[String]) -> Result<toml::Table, StudyError> {
    let text = apply(name, text, set)?;
    let mut rules: toml::Table = text.parse().unwrap_or_default();
    rules.remove("title");
    Ok(rules)
}
