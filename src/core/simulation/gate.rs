//! Gates: ranges that metrics of tables are expected to lie in, judged by intervals that hold after
//! any number of games.

use super::Tally;
use super::verdict::{Verdict, at_any_time};
use crate::game::{Layout, MetricRef};
use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// A metric of one arm and the range it is expected in; an end that is missing is no condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    pub arm: usize,
    pub metric: MetricRef,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// The worst comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetVerdict {
    /// The whole interval lies in the range.
    Met,
    /// The interval crosses an end of the range.
    Undecided,
    /// The whole interval lies outside.
    Missed,
}

impl TargetVerdict {
    pub fn name(self) -> &'static str {
        match self {
            TargetVerdict::Met => "met",
            TargetVerdict::Missed => "missed",
            TargetVerdict::Undecided => "undecided",
        }
    }
}

impl Gate {
    /// How far the metric is inside of each end of the range: above 0 at all ends where it is met,
    /// below 0 at one where it is missed.
    pub(super) fn margins(
        &self,
        found: Option<Estimate>,
    ) -> impl Iterator<Item = Estimate> + use<> {
        let found = found.unwrap_or(Estimate::UNKNOWN);
        let above = self.low.map(|low| found.minus(low));
        let below = self.high.map(|high| found.minus(high).scaled(-1.0));
        above.into_iter().chain(below)
    }
}

/// The verdict on each gate, with the interval of its metric that it rests on. All together are
/// right with 95 %.
pub fn judged(
    gates: &[Gate],
    arms: &[(&Layout, &Tally)],
) -> Vec<(Option<Estimate>, TargetVerdict)> {
    let figures = gates
        .iter()
        .map(|gate| gate.low.iter().count() + gate.high.iter().count());
    let figures = figures.sum();
    let judge = |gate: &Gate| {
        let (layout, tally) = arms[gate.arm];
        let found = tally.estimate(layout, gate.metric);
        let found = found.map(|found| {
            let always = at_any_time(&found, tally.games, figures);
            // What populations differ by counts in full.
            found.within(always.low.min(found.low), always.high.max(found.high))
        });
        let verdicts = gate.margins(found).map(|margin| Verdict::of(&margin, None));
        let verdicts = Vec::from_iter(verdicts);
        let verdict = if verdicts.contains(&Some(Verdict::Less)) {
            TargetVerdict::Missed
        } else if verdicts.contains(&None) {
            TargetVerdict::Undecided
        } else {
            TargetVerdict::Met
        };
        (found, verdict)
    };
    gates.iter().map(judge).collect()
}
