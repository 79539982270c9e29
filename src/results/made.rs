//! The report of a study of any kind. No other file of this folder uses it, so that kinds do not
//! depend on each other.

use super::report::Report;
use super::store::{Manifest, PrecisionMissed};
use super::{adapt, analyse, capped, compare, rule, simulate, solve, sweep, tournament, tune};
use crate::study::Played;

impl Report {
    /// The report of a played study, from its manifest before it was played.
    pub fn of(played: &Played, manifest: Manifest) -> Report {
        let mut report = match played {
            Played::Simulate(played) => simulate::report(played, manifest),
            Played::Compare(played) => compare::report(played, manifest),
            Played::Sweep(played) => sweep::report(played, manifest),
            Played::Tournament(played) => tournament::report(played, manifest),
            Played::Tune(played) => tune::report(played, manifest),
            Played::Solve(played) => solve::report(played, manifest),
            Played::Analyse(played) => analyse::report(played, manifest),
            Played::Adapt(played) => adapt::report(played, manifest),
            Played::Rule(played) => rule::report(played, manifest),
        };
        let outcome = played.outcome();
        report.views.extend(capped::remark(&outcome.capped()));
        report.views.extend(capped::spread_by_chance(played));
        report.manifest.partial = outcome.interrupted().is_some();
        report.manifest.precision_missed = outcome.missed().map(|missed| PrecisionMissed {
            asked: missed.half_width,
            reached: missed.widest,
        });
        report
    }
}
