//! What must exist before a study is played: populations that are adapted to its tables.

use super::Adapt;
use super::error::StudyError;
use super::run::Spec;
use super::table::TableSpec;
use carat_core::game::Game;
use carat_core::library::{Library, Sources};
use carat_core::strategy::MadeFor;

/// The studies that make the populations for which stand-ins sit at the tables of `sources`, each
/// once. Fails for a table to which the game's family of bots cannot adapt.
pub fn plan(game: &Game, sources: &Sources, library: &Library) -> Result<Vec<Adapt>, StudyError> {
    let mut plan = Vec::new();
    for table in &sources.not_adapted {
        let adapt = adapt_to(game, table);
        adapt.resolve(library)?;
        plan.push(adapt);
    }
    Ok(plan)
}

/// The study that makes the population of a table. It does not depend on the seed of other games.
pub fn adapt_to(game: &Game, table: &MadeFor) -> Adapt {
    let table = TableSpec {
        rules: table.rules.clone(),
        set: table.set.clone(),
        players: table.players,
        ..TableSpec::of(game.name)
    };
    Adapt {
        spec: Spec::of(table),
        family: None,
    }
}
