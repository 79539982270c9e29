//! Advice that holds: a decision against other opponents, and margins that include what a fit of
//! the opponents leaves open.

use super::{Advice, Judge, Question, Worth};
use crate::game::Table;
use crate::statistics::{Estimate, predictive_error};

/// The part of the playouts that a decision gets against other opponents.
const PART: u64 = 4;

impl Judge<'_> {
    /// Weighs a decision at a table with other opponents, in a part of the playouts. Also returns
    /// the best option there: `best` unless another is clearly better; `None` if no option is
    /// clearly better than another.
    pub fn weigh_against(
        &self,
        opponents: &dyn Table,
        question: &Question,
        best: usize,
    ) -> (Option<usize>, Advice) {
        let judge = self.at(opponents, (self.playouts / PART).max(1));
        let advice = judge.weigh(question);
        let is_other = advice.cost(best).low > 0.0;
        let is_clear = advice.is_clear() || question.options > 2;
        let answer = if is_other { advice.best } else { best };
        ((is_other || is_clear).then_some(answer), advice)
    }

    /// Adds the error of fitted opponents to that of advice, by the tables with each of their
    /// draws.
    pub fn add_doubt(&self, advice: &mut Advice, draws: &[Box<dyn Table>], question: &Question) {
        if draws.len() < 2 {
            return;
        }
        let each = (self.playouts / draws.len() as u64).max(1);
        let found = draws.iter().map(|table| self.at(table.as_ref(), each));
        let found = Vec::from_iter(found.map(|judge| judge.weigh(question)));
        let figures: [fn(&mut Worth) -> &mut Estimate; 2] =
            [|worth| &mut worth.win_share, |worth| &mut worth.score_mean];
        let best = advice.best;
        for figure in figures {
            let value = |worth: &Worth| figure(&mut worth.clone()).value;
            for option in 0..advice.options.len() {
                let values = found.iter().map(|found| value(&found.options[option]));
                add_spread(figure(&mut advice.options[option]), values);
                if option != best {
                    let behind =
                        |found: &Advice| value(&found.behind[option]) - value(&found.behind[best]);
                    add_spread(figure(&mut advice.behind[option]), found.iter().map(behind));
                }
            }
        }
    }
}

/// Adds to the error of an estimate by how much its values differ between the draws of the
/// opponents. The draws share the luck of their playouts, so little of that is in it; what there is
/// only widens the interval, the less the more playouts there are.
fn add_spread(estimate: &mut Estimate, values: impl Iterator<Item = f64>) {
    let wide = predictive_error(&Vec::from_iter(values));
    *estimate = estimate.with_error(wide);
}
