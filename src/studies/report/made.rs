//! The report of a study of any kind, and the tables of each kind. No other file of this folder
//! uses it, so that kinds do not depend on each other.

use super::contents::Report;
use super::manifest::{Manifest, PrecisionMissed};
use super::tables::{Bots, Expected, Seats, add_labels, declared_with_metrics};
use super::text::View;
use super::{
    adapt, analyse, compare, describe, rule, scored, simulate, solve, sweep, tournament, tune,
};
use crate::study::remark::bots_of;
use crate::study::{Capped, Expectation, Played, Remark};
use carat_core::declared;
use carat_core::diagnostic::counted;
use carat_core::format::Format;
use carat_core::game::{Game, Table, WIN_SHARE_SPREAD};
use carat_core::heads;
use carat_core::sheet::{Columns, Sheet};
use carat_core::simulation::{Tally, TargetVerdict};

impl Report {
    pub fn of(played: &Played, mut manifest: Manifest) -> Report {
        let outcome = played.outcome();
        let mut content = match played {
            Played::Simulate(played) => simulate::content(played, &mut manifest),
            Played::Compare(played) => compare::content(played, &mut manifest),
            Played::Sweep(played) => sweep::content(played),
            Played::Describe(played) => describe::content(played),
            Played::Tournament(played) => tournament::content(played),
            Played::Tune(played) => tune::content(played),
            Played::Solve(played) => solve::content(played, &mut manifest),
            Played::Analyse(played) => analyse::content(played),
            Played::Adapt(played) => adapt::content(played),
            Played::Rule(played) => rule::content(played),
        };
        content.format = Format::NOW;
        manifest.expectations = match played {
            Played::Tune(played) => tune::sheets::expectations(played),
            Played::Compare(played) => compare::expectations(played),
            _ => outcome.expectations.clone(),
        };
        if !outcome.expectations.is_empty() {
            let sheet = Expected::sheet(&(), &outcome.expectations);
            content.sheets.push(sheet);
            content.views.extend(expected_views(&outcome.expectations));
        }
        let mut remarks = Vec::from_iter(capped(&outcome.capped));
        for (measure, [games, all]) in &outcome.undefined {
            let share = *games as f64 / *all as f64;
            let is_noted = share >= NOTICEABLE_IN_LENGTHS;
            remarks.extend(is_noted.then(|| Remark::Undefined(measure.to_string(), share)));
        }
        remarks.extend(spread_by_chance(played));
        let bots = bots_of(&manifest.warnings);
        if !bots.is_empty() {
            remarks.push(Remark::Elsewhere(manifest.warnings.clone()));
            for chart in &mut content.charts {
                let for_others = "bots for other rules or numbers of players";
                chart.played += &format!(" · {for_others}: {bots}");
            }
        }
        content.views.extend(remarks.into_iter().map(View::Remark));
        manifest.partial = outcome.interrupted.is_some();
        manifest.passes = Some(outcome.passes).filter(|passes| *passes > 0);
        manifest.precision_missed = outcome.missed.map(|missed| PrecisionMissed {
            asked: missed.half_width,
            reached: missed.widest,
            populations_differ: missed.is_beyond,
        });
        Report {
            content,
            manifest,
            interrupted: outcome.interrupted,
        }
    }
}

/// What was expected, beginning with what was missed.
fn expected_views(expectations: &[Expectation]) -> Vec<View> {
    let count = |verdict| Expectation::count(expectations, verdict);
    let all = counted(expectations.len(), "expectation");
    let mut words = format!("Expected: {} of {all} met", count(TargetVerdict::Met));
    for verdict in [TargetVerdict::Missed, TargetVerdict::Undecided] {
        if count(verdict) > 0 {
            words += &format!(", {} {}", count(verdict), verdict.name());
        }
    }
    let columns =
        heads![Expected: METRIC "expected", AT "at", RANGE "range", FOUND "found", VERDICT ""];
    vec![
        View::print(columns),
        View::Summary(vec![format!("{words}.")]),
    ]
}

/// The share of capped games from which a note appears: at a table without lengths of games, and at
/// one with them, where few late stops change the mean (as divisions by 0 do).
const NOTICEABLE: f64 = 0.01;
const NOTICEABLE_IN_LENGTHS: f64 = 0.001;

/// A remark on capped games, if they are a noticeable share at some table.
fn capped(tables: &[Capped]) -> Option<Remark> {
    let worst = tables.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
    let noticeable = match worst.length {
        Some(_) => NOTICEABLE_IN_LENGTHS,
        None => NOTICEABLE,
    };
    if worst.share < noticeable {
        return None;
    }
    let games: u64 = tables.iter().map(|table| table.games).sum();
    let stopped = tables.iter().map(|table| table.share * table.games as f64);
    let share = stopped.sum::<f64>() / games as f64;
    let most = (tables.len() > 1).then(|| (worst.name.clone(), worst.share));
    Some(Remark::Capped(share, most, worst.length.clone()))
}

/// The gap of win rates that equal players would show, if a study's metric is this gap.
fn spread_by_chance(played: &Played) -> Option<Remark> {
    let (metric, table, games) = match played {
        Played::Simulate(played) => {
            let resolved = &played.resolved;
            (resolved.design.metric, &resolved.table, played.tally.games)
        }
        Played::Sweep(played) => {
            let fewest = played.grid.tallies.iter().map(|tally| tally.games).min()?;
            let resolved = &played.resolved;
            (resolved.design.metric, &resolved.first().table, fewest)
        }
        _ => return None,
    };
    let players = table.layout().seats;
    (metric.name == WIN_SHARE_SPREAD).then_some(Remark::SpreadByChance { players, games })
}

/// The tables of each kind of study in a game without rows, with all columns that they may have.
pub fn declared_tables(game: &Game, table: &dyn Table) -> Vec<(&'static str, Vec<Sheet>)> {
    use {
        adapt as d, analyse::sheets as a, describe as e, rule as r, scored as s, tournament as t,
        tune::sheets as u,
    };
    let layout = table.layout();
    let seats = declared_with_metrics::<Seats>(layout);
    let mut own = table.sheets(&Tally::new(layout).counted(layout));
    for sheet in &mut own {
        add_labels(sheet, &[]);
    }
    let simulated = declared!(
        simulate::OfTable,
        simulate::Scores,
        simulate::Quantiles,
        simulate::Histograms,
        simulate::Convergence,
        Expected
    );
    let bots = declared_with_metrics::<Bots>(layout);
    let simulated = [vec![seats.clone(), bots], simulated, own].concat();
    let mut swept = declared!(sweep::Cells, sweep::CellsTable, Expected);
    swept[0].columns.splice(1..1, seats.columns.clone());
    let trained = match game.training {
        Some(_) => declared!(s::Learning, s::Gain, solve::Standings, s::Features),
        None => declared!(solve::Learning, solve::Gain, solve::Standings),
    };
    vec![
        ("simulate", simulated),
        ("compare", declared!(compare::Differences, Expected)),
        ("sweep", swept),
        (
            "tournament",
            declared!(t::Ratings, t::Shifts, t::PayoffsOf, t::Matrix),
        ),
        (
            "tune",
            declared!(
                u::Best,
                u::Candidates,
                u::Neighbours,
                u::AtTables,
                u::Targets,
                u::Front
            ),
        ),
        ("solve", trained),
        (
            "analyse",
            declared!(
                a::Decisions,
                a::Bots,
                a::Mistakes,
                a::Luck,
                a::Course,
                a::Variance
            ),
        ),
        ("describe", declared!(e::Described)),
        ("adapt", declared!(d::Gains, d::Parameters, d::Members)),
        ("rule", declared!(r::Rules, r::Principles, r::UsersOf)),
    ]
}
