//! Tuning: the values of bots and rules with which a table does best, or comes closest to what is
//! wanted; and what is known of them from games that nobody looked at while searching.

mod aim;
mod heat;
mod proof;
mod search;
mod space;

pub use aim::{Aim, Edge, Objective, Target, Verdict};
pub use proof::{Change, Deviation, Proof, Side, prove};
pub use search::{Found, Problem, Tables, Tried, search};
pub use space::{Point, Space, Values};

use crate::simulation::race::PlayRound;

/// Searches, and validates what was found; none when `play` was told to stop.
pub fn tune<E>(
    problem: &Problem,
    play: &mut PlayRound<'_, E>,
) -> Result<Option<(Found, Proof)>, E> {
    let Some(found) = search(problem, play)? else {
        return Ok(None);
    };
    let rest = Problem {
        budget: problem.budget.saturating_sub(found.games),
        first_game: found.next_game,
        ..*problem
    };
    let proof = prove(&rest, &found.best, &found.rivals, play)?;
    Ok(proof.map(|proof| (found, proof)))
}
