//! Tuning: the values of bots and rules with which a table does best, or comes closest to what is
//! wanted; and what is known of them from games that nobody looked at while searching.

mod aim;
mod candidates;
mod search;
mod space;
mod validation;

pub use aim::{Aim, Distance, Edge, MetricTarget, Objective, TargetVerdict};
pub use search::{Found, Problem, Tables, Tried, least_budget, search};
pub use space::{AxisShape, Point, Space};
pub use validation::{Change, Deviation, StartAndBest, Validation, validate};

use crate::simulation::{Player, Stopped};

/// Where there are targets, so much of what is left for the validation is kept for a second one.
const SECOND_SHARE: f64 = 0.4;

/// Validates what was found with a budget of games. Where it does not meet the targets and the fresh
/// games show another point that does, that one is the best, and is validated by further games.
pub fn prove(
    problem: &Problem,
    mut found: Found,
    left: u64,
    player: &mut Player,
) -> Result<(Found, Validation), Stopped> {
    let kept = if problem.aim.targets.is_empty() {
        0
    } else {
        (left as f64 * SECOND_SHARE) as u64
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
