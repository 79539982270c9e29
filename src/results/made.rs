//! The report of a study of any kind. No other file of this folder uses it, so that kinds do not
//! depend on each other.

use super::report::Report;
use super::store::{Manifest, PrecisionMissed};
use super::text::View;
use super::{adapt, analyse, capped, compare, rule, simulate, solve, sweep, tournament, tune};
use crate::study::Played;
use crate::study::table::MADE_ELSEWHERE;
use carat_core::format::Format;

impl Report {
    /// The report of a played study, from its manifest before it was played.
    pub fn of(played: &Played, mut manifest: Manifest) -> Report {
        let outcome = played.outcome();
        let mut content = match played {
            Played::Simulate(played) => simulate::content(played, &mut manifest),
            Played::Compare(played) => compare::content(played, &mut manifest),
            Played::Sweep(played) => sweep::content(played),
            Played::Tournament(played) => tournament::content(played),
            Played::Tune(played) => tune::content(played),
            Played::Solve(played) => solve::content(played, &mut manifest),
            Played::Analyse(played) => analyse::content(played),
            Played::Adapt(played) => adapt::content(played),
            Played::Rule(played) => rule::content(played),
        };
        content.format = Format::NOW;
        content.views.extend(capped::remark(&outcome.capped));
        content.views.extend(capped::spread_by_chance(played));
        if !manifest.elsewhere.is_empty() {
            let bots = Vec::from_iter(manifest.elsewhere.iter().cloned()).join("; ");
            let note = format!("Note: {MADE_ELSEWHERE}{bots}.");
            content.views.push(View::text(note));
            for chart in &mut content.charts {
                let for_others = "made for other rules or numbers of players";
                chart.played += &format!(" · {for_others}: {bots}");
            }
        }
        manifest.partial = outcome.interrupted.is_some();
        manifest.passes = Some(outcome.passes).filter(|passes| *passes > 0);
        manifest.precision_missed = outcome.missed.map(|missed| PrecisionMissed {
            asked: missed.half_width,
            reached: missed.widest,
        });
        Report { content, manifest }
    }
}
