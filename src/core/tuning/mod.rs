//! Tuning: the values of bots and rules with which a table does best, or comes closest to a target;
//! and estimates from held-out games that the search has not seen.

mod aim;
mod candidates;
mod search;
mod space;
mod validation;

pub use aim::{Aim, Edge, MetricTarget, Objective, TargetVerdict};
pub use search::{Found, Problem, Tables, Tried, least_budget, search};
pub use space::{AxisShape, Point, Space};
pub use validation::{Deviation, StartAndBest, Validation, validate};

use crate::simulation::{Player, Stopped};

/// With targets, the share of the validation's games that is held back for a second validation.
const SECOND_SHARE: f64 = 0.4;

/// Validates the result of a search within a budget of games. If it misses the targets, and another
/// point meets them in the held-out games, that point becomes the best and is validated.
pub fn prove(
    problem: &Problem,
    mut found: Found,
    left: u64,
    player: &mut Player,
) -> Result<(Found, Validation), Stopped> {
    let kept = match problem.aim.targets[..] {
        [] => 0,
        _ => (left as f64 * SECOND_SHARE) as u64,
    };
    let first = Problem {
        budget: left - kept,
        later: problem.later + kept,
        first_game: found.next_game,
        ..*problem
    };
    let validation = validate(&first, &found.best, &found.rivals, player)?;
    let cost = |deviation: &Deviation| problem.cost(deviation);
    let meeting = validation.meeting();
    let Some(better) = meeting.min_by(|a, b| cost(a).total_cmp(&cost(b))) else {
        return Ok((found, validation));
    };
    let former = std::mem::replace(&mut found.best, better.point.clone());
    found.rivals.retain(|rival| *rival != found.best);
    if former != problem.space.start {
        found.rivals.insert(0, former);
    }
    let mut around = problem.space.neighbours(&found.best).into_iter();
    let is_tried = |point: &Point| found.tried.iter().any(|tried| tried.point == *point);
    found.complete &= around.all(|(_, point)| is_tried(&point));
    let second = Problem {
        name: &format!("{}second ", problem.name),
        budget: kept,
        later: problem.later,
        first_game: validation.next_game,
        ..*problem
    };
    let validation = validate(&second, &found.best, &found.rivals, player)?;
    Ok((found, validation))
}
