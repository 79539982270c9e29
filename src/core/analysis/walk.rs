//! Luck and play: a game as a walk from the expected result of a seat to its actual result.
//!
//! Every value on the way is the sum of the same number of playouts, a whole number, and enters the
//! walk once with plus and once with minus: the steps add up to the result exactly.

/// The walk of one seat through a game. Values are sums over the playouts of a position: divided by
/// their number (and the unit of a win) they are win shares or mean scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// The expected result before the game.
    pub start: i128,
    pub steps: Vec<Step>,
    /// The standard error of the start, in units of results.
    pub start_se: f32,
    /// The standard errors of the totals of cards, others and own play; 0 if the playouts were not
    /// split in batches.
    pub given_se: [f64; 3],
    /// The contribution of each seat's decisions alone. Simultaneous decisions of several seats may
    /// contribute more or less together.
    pub by: Vec<i128>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The moment of the step; after the last one, the number of moments.
    pub moment: usize,
    pub of: Of,
    pub to: i128,
    /// The standard error of the value, in units of results.
    pub se: f32,
}

/// The cause of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Cards or other random draws: the luck of the game, which evens out.
    Cards,
    /// A decision of another seat: 0 if it was foreseen.
    Others,
    /// An own decision: the value of the chosen option less the average result of the bot that
    /// plays on; 0 if it was foreseen.
    Own,
}

impl Of {
    pub const ALL: [Of; 3] = [Of::Cards, Of::Others, Of::Own];

    pub fn name(self) -> &'static str {
        match self {
            Of::Cards => "cards",
            Of::Others => "others",
            Of::Own => "own play",
        }
    }
}

impl Walk {
    /// A walk that begins at a value with its standard error.
    pub fn from(start: i128, start_se: f32) -> Walk {
        Walk {
            start,
            steps: Vec::new(),
            start_se,
            given_se: [0.0; 3],
            by: Vec::new(),
        }
    }

    /// The value after the last step.
    pub fn here(&self) -> i128 {
        self.steps.last().map_or(self.start, |step| step.to)
    }

    /// A step to a value with its standard error.
    pub fn to(&mut self, moment: usize, of: Of, to: i128, se: f32) {
        self.steps.push(Step { moment, of, to, se });
    }

    /// The total contribution of one cause.
    pub fn sum(&self, of: Of) -> i128 {
        let mut sum = 0;
        let mut from = self.start;
        for step in &self.steps {
            sum += if step.of == of { step.to - from } else { 0 };
            from = step.to;
        }
        sum
    }
}
