//! Tuning: the values of bots and rules with which a table does best, or comes closest to what is
//! wanted; and what is known of them from games that nobody looked at while searching.

mod aim;
mod candidates;
mod search;
mod space;
mod validation;

pub use aim::{Aim, Edge, Objective, Target, TargetVerdict};
pub use search::{Found, Problem, Tables, Tried, search};
pub use space::{AxisShape, Point, Space};
pub use validation::{Change, Deviation, StartAndBest, Validation, validate};

use crate::simulation::race::PlayRound;

/// Searches, and validates what was found; none when `play` was told to stop.
pub fn tune<E>(
    problem: &Problem,
    play: &mut PlayRound<'_, E>,
) -> Result<Option<(Found, Validation)>, E> {
    let Some(found) = search(problem, play)? else {
        return Ok(None);
    };
    let rest = Problem {
        budget: problem.budget.saturating_sub(found.games),
        first_game: found.next_game,
        ..*problem
    };
    let validation = validate(&rest, &found.best, &found.rivals, play)?;
    Ok(validation.map(|validation| (found, validation)))
}
