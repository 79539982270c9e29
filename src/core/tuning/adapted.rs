//! The search for bots that adapt to what is found: each search uses populations adapted to nearby
//! points, its best point gets populations of its own, and the next search starts there, until the
//! best no longer changes.

use super::{Found, Point, Problem, Tables, search};
use crate::simulation::{Player, Stopped};

/// Most searches, each with populations adapted to the best of the one before.
pub const SEARCHES: usize = 4;
/// The parts of the budget that they may spend.
const SHARES: [f64; SEARCHES] = [0.72, 0.1, 0.1, 0.1];

/// Adds populations that are adapted to the best point of a search of this number, from 1.
pub type Adapt<'a, P> = dyn FnMut(&mut P, usize, &Point, &mut Player) -> Result<(), Stopped> + 'a;

/// Searches until the populations are adapted to what is found. Also returns whether they are in
/// the end. `tables` seats those of the nearest points at the tables of a point, if they can be
/// played.
pub fn search_adapted<P>(
    problem: &Problem,
    populations: &mut P,
    tables: &dyn Fn(&P, &[usize]) -> Option<Tables>,
    adapt: &mut Adapt<P>,
    player: &mut Player,
) -> Result<(Found, bool), Stopped> {
    let mut all: Option<Found> = None;
    let mut is_settled = false;
    for (number, part) in (1..).zip(SHARES) {
        let best: Vec<Point> = match &all {
            None => problem.first.to_vec(),
            Some(found) => vec![found.best.clone()],
        };
        let aim = all.as_ref().map_or(problem.aim, |found| &found.aim);
        let again = Problem {
            aim,
            name: &format!("{}search {number} ", problem.name),
            tables: &|point: &[usize]| tables(populations, point),
            first: &best,
            budget: (problem.budget as f64 * part) as u64,
            first_game: (all.as_ref()).map_or(problem.first_game, |found| found.next_game),
            ..*problem
        };
        let mut found = search(&again, player)?;
        if let Some(before) = all.take() {
            let rounds = before.tried.last().map_or(0, |tried| tried.round);
            for tried in &mut found.tried {
                tried.round += rounds;
            }
            found.games += before.games;
            found.tried.splice(0..0, before.tried);
        }
        adapt(populations, number, &found.best, player)?;
        let found = all.insert(found);
        is_settled = found.best == problem.space.start || best.first() == Some(&found.best);
        if is_settled {
            break;
        }
    }
    Ok((all.expect("there is a search"), is_settled))
}
