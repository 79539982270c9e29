//! What is known of the two answers in every cell, and the policy that follows.

/// What is known of a cell: for no and for yes, how much was seen and what it was worth.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    weight: [f32; 2],
    mean: [f32; 2],
}

/// How a policy follows from averages.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// How much less what was known before a batch counts after it.
    pub rate: f32,
    /// Differences of so many standard deviations of a game are decided half-heartedly.
    pub temperature: f32,
    /// The same of differences below so many of their standard errors.
    pub doubt: f32,
}

/// Averages by cell.
pub struct Averages {
    known: Vec<Known>,
    /// What is done where nothing is known.
    prior: Vec<u8>,
    /// The phase of each cell.
    phases: Vec<u8>,
    /// The variance of a decision's worth by phase.
    variances: Vec<f32>,
}

/// Where an action is seen less often than so in a batch, what was known before counts longer.
const SEEN: f32 = 50.0;
/// What is done where nothing is known is believed to be better by so many standard deviations of a
/// game, give or take half as many.
const BELIEF: f32 = 0.1;

impl Averages {
    pub fn new(prior: Vec<u8>, phases: usize) -> Averages {
        Averages {
            known: vec![Known::default(); prior.len()],
            phases: vec![0; prior.len()],
            variances: vec![1.0; phases],
            prior,
        }
    }

    /// Learns the sums of a batch: for each action of each cell their sum and count, the phases of
    /// cells, and for each phase the moments of all.
    pub fn learn(
        &mut self,
        sums: impl Fn(usize) -> (u64, u64),
        phases: impl Fn(usize) -> u8,
        moments: &[[f64; 3]],
        rate: f32,
    ) {
        for (variance, [count, sum, squares]) in self.variances.iter_mut().zip(moments) {
            if *count > 0.0 {
                let mean = sum / count;
                *variance = ((squares / count - mean * mean).max(1.0)) as f32;
            }
        }
        for (cell, known) in self.known.iter_mut().enumerate() {
            self.phases[cell] = self.phases[cell].max(phases(cell));
            for action in 0..2 {
                let (sum, count) = sums(2 * cell + action);
                if count == 0 {
                    continue;
                }
                let count = count as f32;
                let kept = known.weight[action] * (1.0 - rate * (count / SEEN).min(1.0));
                let mean = (sum as f64 / f64::from(count)) as f32;
                known.weight[action] = kept + count;
                let part = count / (kept + count);
                known.mean[action] += part * (mean - known.mean[action]);
            }
        }
    }

    /// The chance of a yes in every cell, in parts of 255.
    pub fn policy(&self, rule: Rule, policy: &mut [u8]) {
        for (cell, chance) in policy.iter_mut().enumerate() {
            *chance = (self.chance(cell, rule) * 255.0).round() as u8;
        }
    }

    /// The chance of a yes.
    pub fn chance(&self, cell: usize, rule: Rule) -> f32 {
        let known = &self.known[cell];
        let variance = self.variances[usize::from(self.phases[cell])];
        let deviation = variance.sqrt();
        let prior = f32::from(self.prior[cell]) / 255.0;
        // The belief counts as a measurement of its own.
        let belief = (2.0 * prior - 1.0) * BELIEF * deviation;
        let sure_of_belief = 4.0 / (BELIEF * BELIEF * variance);
        let [no, yes] = known.weight;
        let sure = if no > 0.0 && yes > 0.0 {
            1.0 / (variance * (1.0 / no + 1.0 / yes))
        } else {
            0.0
        };
        let found = known.mean[1] - known.mean[0];
        let better = (found * sure + belief * sure_of_belief) / (sure + sure_of_belief);
        let error = (1.0 / (sure + sure_of_belief)).sqrt();
        let widest = self.variances.iter().copied().fold(0.0, f32::max).sqrt();
        let [cool, doubt] = [rule.temperature * widest, rule.doubt * error];
        let scale = (cool * cool + doubt * doubt).sqrt();
        if scale == 0.0 {
            return if better > 0.0 { 1.0 } else { 0.0 };
        }
        (0.5 + better / (4.0 * scale)).clamp(0.0, 1.0)
    }
}
