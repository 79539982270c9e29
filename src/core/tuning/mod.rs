//! Tuning: the values of bots and rules with which a table does best, or comes closest to a target;
//! and estimates from held-out games that the search has not seen.

mod adapted;
mod aim;
mod candidates;
mod search;
mod space;
mod validation;

pub use adapted::{SEARCHES, search_adapted};
pub use aim::{Aim, Distance, Edge, MetricTarget, Objective, Sought};
pub use search::{Found, Problem, Tables, Tried, least_budget, search};
pub use space::{AxisShape, Point, Space};
pub use validation::{Deviation, StartAndBest, Validation, judge, validate};

use crate::simulation::{Player, Stopped};

/// With targets, the share of the validation's games that is held back for a second validation.
const SECOND_SHARE: f64 = 0.4;

/// Validates the result of a search within a budget of games. With targets, the point that is best
/// in these games is the result; if it is another one, it is validated in more games. A result that
/// turns out to be further from the targets than the start gives way to it. A result that was
/// chosen by more than this problem (`is_chosen`) stays as it is.
pub fn prove(
    problem: &Problem,
    mut found: Found,
    left: u64,
    is_chosen: bool,
    player: &mut Player,
) -> Result<(Found, Validation), Stopped> {
    let kept = match problem.aim.targets[..] {
        [] => 0,
        _ if is_chosen => 0,
        _ => (left as f64 * SECOND_SHARE) as u64,
    };
    let aim = found.aim.clone();
    let problem = &Problem {
        aim: &aim,
        ..*problem
    };
    let mut phase = Problem {
        budget: left - kept,
        first_game: found.next_game,
        ..*problem
    };
    let mut validation = validate(&phase, &found.best, &found.rivals, player)?;
    let second = format!("{}second ", problem.name);
    if kept > 0
        && let Some(better) = validation.better(problem)
    {
        found.change_best(better, problem.space);
        phase = Problem {
            name: &second,
            budget: kept,
            first_game: validation.next_game,
            ..*problem
        };
        validation = validate(&phase, &found.best, &found.rivals, player)?;
    }
    if !is_chosen && validation.is_behind_start() {
        found.change_best(problem.space.start.clone(), problem.space);
        phase.name = "start ";
        validation = validate(&phase, &found.best, &found.rivals, player)?;
    }
    Ok((found, validation))
}
