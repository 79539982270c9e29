//! What must exist before a study is played: populations that are adapted to its tables.

use super::Adapt;
use super::error::StudyError;
use super::run::{RunSpec, Spec};
use super::table::TableSpec;
use carat_core::game::Game;
use carat_core::library::{Library, Sources};
use carat_core::strategy::MadeFor;
use carat_core::streams;
use std::iter;

/// The studies that make the populations for which stand-ins sit at the tables of `sources`, each
/// once, for a study that runs so. Fails for a table to which the game's family of bots cannot
/// adapt.
pub fn plan(
    game: &Game,
    sources: &Sources,
    run: &RunSpec,
    populations: usize,
    library: &Library,
) -> Result<Vec<Adapt>, StudyError> {
    let mut plan = Vec::new();
    for table in &sources.not_adapted {
        let each = each_adapt_to(game, table, run, run.seed, populations);
        each[0].resolve(library)?;
        plan.extend(each);
    }
    Ok(plan)
}

/// The studies that make the populations of a table; each is the same, however many there are.
pub fn each_adapt_to(
    game: &Game,
    table: &MadeFor,
    run: &RunSpec,
    seed: u64,
    populations: usize,
) -> Vec<Adapt> {
    let mut each = vec![adapt_to(game, table, run); populations];
    for (adapt, seed) in each.iter_mut().zip(seeds(seed, populations)) {
        adapt.run.seed = seed;
    }
    each
}

pub fn seeds(seed: u64, populations: usize) -> Vec<u64> {
    let others = (1..populations as u64).map(|number| streams::output(seed, number));
    iter::once(seed).chain(others).collect()
}

/// The study that makes a population of a table.
pub fn adapt_to(game: &Game, table: &MadeFor, run: &RunSpec) -> Adapt {
    let table = TableSpec {
        rules: table.rules.clone(),
        set: table.set.clone(),
        players: table.players,
        ..TableSpec::of(game.name)
    };
    let mut spec = Spec::of(table);
    spec.run.populations = Some(1);
    spec.run.games = run.population_games;
    Adapt { spec, family: None }
}
