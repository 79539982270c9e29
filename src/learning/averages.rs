//! What is known of the two answers in every cell, and the policy that follows.

/// What is known of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// By how much a yes was worth more than a no, times the weight.
    better: f32,
    weight: f32,
    /// How often it was seen of late.
    seen: f32,
    /// For no and for yes, what was seen since and how often.
    sums: [f32; 2],
    counts: [f32; 2],
}

/// How a policy follows from averages.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
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

/// The answers are compared once each of them was seen so often.
const SEEN: f32 = 8.0;
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
            known.better *= 1.0 - rate;
            known.weight *= 1.0 - rate;
            known.seen *= 1.0 - rate;
            for action in 0..2 {
                let (sum, count) = sums(2 * cell + action);
                known.sums[action] += sum as f32;
                known.counts[action] += count as f32;
                known.seen += count as f32;
            }
            let [no, yes] = known.counts;
            if no.min(yes) >= SEEN {
                // Both were seen at the same time, while everyone played alike.
                let weight = no * yes / (no + yes);
                known.better += weight * (known.sums[1] / yes - known.sums[0] / no);
                known.weight += weight;
                known.sums = [0.0; 2];
                known.counts = [0.0; 2];
            }
        }
    }

    /// How often each cell was seen of late.
    pub fn seen(&self) -> Vec<f32> {
        self.known.iter().map(|known| known.seen).collect()
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
        let sure = known.weight / variance;
        let better = (known.better / variance + belief * sure_of_belief) / (sure + sure_of_belief);
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
