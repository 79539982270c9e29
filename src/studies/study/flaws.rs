//! Signs of broken games at the tables of a study.

use super::table::SeatedTable;
use carat_core::analysis::flaws::{FoundFlaw, flaws, wins_simply};
use carat_core::library::Library;
use carat_core::strategy::SeatSpec;

/// An easy bot, and its tables beside others, by their names.
pub struct Easy {
    bot: &'static str,
    beside: Vec<(String, SeatedTable)>,
}

/// The tables of each easy bot of the game beside each of these players, where it may sit.
pub fn easy_tables(seated: &SeatedTable, beside: &[&str], library: &Library) -> Vec<Easy> {
    let players = seated.seats.len();
    let mut all = Vec::new();
    for (_, bot) in seated.game.easy.iter().filter(|_| players > 1) {
        let mut own = Vec::new();
        for others in beside {
            let mut spec = seated.spec.clone();
            spec.seats = vec![SeatSpec::of(others); players];
            if let Ok(first) = SeatSpec::parse(bot) {
                spec.seats[0] = first;
            }
            (spec.others, spec.players, spec.people) = (None, None, Vec::new());
            if let Ok(table) = spec.resolve(library) {
                own.push((format!("{} {others}", players - 1), table));
            }
        }
        all.push(Easy { bot, beside: own });
    }
    all
}

/// The signs at these tables, by name, each with its share at the first that shows it; and the easy
/// bots that win far more than a fair share beside all of their players.
pub fn find_flaws<'a>(
    tables: impl IntoIterator<Item = (String, &'a SeatedTable)>,
    easy: &[Easy],
    seed: u64,
) -> Vec<FoundFlaw> {
    let mut all: Vec<FoundFlaw> = Vec::new();
    for (name, seated) in tables {
        for flaw in flaws(seated.table.as_ref(), seed) {
            match all.iter_mut().find(|known| known.flaw.is_like(&flaw)) {
                Some(known) => known.tables.push(name.clone()),
                None => all.push(FoundFlaw {
                    flaw,
                    tables: vec![name.clone()],
                }),
            }
        }
    }
    for Easy { bot, beside } in easy {
        let wins = beside.iter().map(|(name, seated)| {
            let flaw = wins_simply(seated.table.as_ref(), seed, bot, name)?;
            let tables = Vec::new();
            Some(FoundFlaw { flaw, tables })
        });
        let wins: Option<Vec<FoundFlaw>> = wins.collect();
        all.extend(wins.into_iter().flatten());
    }
    all
}
