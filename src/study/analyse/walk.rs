//! Luck and skill: a game as a walk from what a seat could hope for to what it got.
//!
//! Every value on the way is the sum of the same number of playouts, a whole number, and enters the
//! walk once with plus and once with minus: the steps add up to the result exactly.

use crate::game::moments::Cause;

/// The walk of one seat through a game. Values are sums over the playouts of a position: divided by
/// their number (and the unit of a win) they are win shares or mean scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// What the seat could hope for before its game began.
    pub start: i128,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

/// A step of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The moment at which it was taken; after the last one, how many there are.
    pub moment: usize,
    /// What it is given to.
    pub of: Of,
    /// Where it leads.
    pub to: i128,
}

/// What a step is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Cards, or what else was drawn: the luck of the game, which evens out.
    Cards,
    /// What another decided: nothing where it does what was foreseen.
    Others,
    /// What the best option of an own decision offers above what the bot was foreseen to do: never
    /// below 0 but for noise.
    Chance,
    /// An own decision against the best one: never above 0 but for noise. Where a bot does what was
    /// foreseen of it, it gives back the chance.
    Skill,
}

impl Walk {
    /// A walk that begins.
    pub fn from(start: i128) -> Walk {
        Walk {
            start,
            steps: Vec::new(),
        }
    }

    /// Where it has led by now.
    pub fn here(&self) -> i128 {
        self.steps.last().map_or(self.start, |step| step.to)
    }

    /// A step.
    pub fn to(&mut self, moment: usize, of: Of, to: i128) {
        self.steps.push(Step { moment, of, to });
    }

    /// All that is given to one of them.
    pub fn sum(&self, of: Of) -> i128 {
        let mut from = self.start;
        let mut sum = 0;
        for step in &self.steps {
            if step.of == of {
                sum += step.to - from;
            }
            from = step.to;
        }
        sum
    }
}

impl From<Cause> for Of {
    fn from(cause: Cause) -> Of {
        match cause {
            Cause::Chance => Of::Cards,
            Cause::Secrets => Of::Others,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_walk_add_up_to_its_end() {
        let mut walk = Walk::from(840);
        for (of, to) in [
            (Of::Cards, 1_200),
            (Of::Skill, 900),
            (Of::Others, 950),
            (Of::Cards, 1_000),
            (Of::Skill, 1_000),
            (Of::Cards, 0),
        ] {
            walk.to(0, of, to);
        }
        let sums = [Of::Cards, Of::Others, Of::Skill].map(|of| walk.sum(of));
        assert_eq!(sums, [360 + 50 - 1_000, 50, -300]);
        assert_eq!(walk.start + sums.iter().sum::<i128>(), walk.here());
        assert_eq!(Walk::from(7).here(), 7);
    }
}
