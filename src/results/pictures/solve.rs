//! The charts of a game that was learnt: what to do when, how learning went, and what simple rules
//! keep.

use super::named;
use super::words::more_or_less;
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::rows::{Figures, Row, Rows};
use crate::figure::{MapGroup, Maps, ShareMap};

use crate::game::CardShape;
use crate::learning::Objective;
use crate::results::{NamedChart, card};
use crate::strategy::Axis;
use crate::study::solve::{NEVER, PolicyPlayed, RuleOfThumb};

/// The charts of a game that was learnt; `subtitle` says what was played.
pub fn solve(subtitle: &str, played: &PolicyPlayed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    if played.milestones.len() > 1 {
        charts.push(named("learning", subtitle, learning(played)));
    }
    let shape = played.resolved.card();
    let of_card = |rule: &&RuleOfThumb| rule.bot.strategy.name == "card";
    if let (Some(shape), Some(rule)) = (shape, played.thumbs.iter().find(of_card)) {
        let leave = leave(&shape, rule, played.resolved.objective());
        charts.push(named(shape.yes, subtitle, leave));
        let card = card(&shape, &rule.bot.strategy, played.resolved.players());
        charts.extend(card.map(|card| named("card", subtitle, card)));
    }
    if played.thumbs.len() > 1 {
        charts.push(named("rules", subtitle, rules(played)));
    }
    charts
}

/// What a yes is worth where the card asks: tables of the card, a map for each of their columns.
fn leave(shape: &CardShape, rule: &RuleOfThumb, objective: Objective) -> Maps {
    let scale = match objective {
        Objective::WinShare => 100.0,
        Objective::ScoreMean => 1.0,
    };
    let mut first = 0;
    let mut groups = Vec::new();
    let (mut labels, mut edges) = (Vec::new(), Vec::new());
    let [(down, row), (across, column)] = shape.sides;
    let bounds: Vec<(&str, f32)> = rule.bot.params().collect();
    for (section, title) in shape.grid.sections.iter().zip(&shape.titles) {
        let [rows, columns, count] = section.axes.as_slice() else {
            continue;
        };
        labels = lows(rows).map(row).collect();
        edges = count.edges.clone();
        let better = &rule.better[first..first + section.cells()];
        first += section.cells();
        let map = |(at, low): (usize, f32)| {
            let cells = (0..rows.cells()).flat_map(|row| {
                let cell = (row * columns.cells() + at) * count.cells();
                better[cell..cell + count.cells()].iter()
            });
            let bound = |row: usize| {
                let name = format!("{}.{}.{}", section.name, row + 1, at + 1);
                let bound = bounds.iter().find(|(param, _)| *param == name);
                let below = |bound: f32| edges.iter().filter(|edge| **edge <= bound).count();
                bound.map_or(0.0, |(_, bound)| match *bound < NEVER {
                    true => below(*bound) as f64,
                    false => count.cells() as f64,
                })
            };
            ShareMap {
                label: format!("{} {across}", column(low)),
                shares: cells
                    .map(|better| better.map(|better| f64::from(better * scale)))
                    .collect(),
                few: Vec::new(),
                line: (0..rows.cells()).map(bound).collect(),
            }
        };
        groups.push(MapGroup {
            label: title.to_string(),
            maps: lows(columns).enumerate().map(map).collect(),
        });
    }
    let what = match objective {
        Objective::WinShare => "points of the wins",
        Objective::ScoreMean => "points of the score",
    };
    Maps {
        title: format!("When to {}, and what the wrong choice costs", shape.yes),
        x_title: shape.counted.to_string(),
        y_title: down.to_string(),
        columns: edges.iter().map(f32::to_string).collect(),
        rows: labels,
        unit: format!(
            "{what} that it is better to go on (orange) or to {} (blue)",
            shape.yes
        ),
        line: format!("the card says {} right of this line", shape.yes),
        most: Some(if scale > 1.0 { 5.0 } else { 3.0 }),
        across: 3,
        groups,
    }
}

/// The lower ends of the cells of an axis.
fn lows(axis: &Axis) -> impl Iterator<Item = f32> {
    std::iter::once(f32::NEG_INFINITY).chain(axis.edges.iter().copied())
}

fn learning(played: &PolicyPlayed) -> Convergence {
    let wins = played.resolved.objective() == Objective::WinShare;
    let among = played.resolved.learners > 1 && wins;
    let scale = if among { 100.0 } else { 1.0 };
    let milestones = played.milestones.iter();
    let known = milestones.map(|at| (at.games, at.estimate.scaled(scale)));
    Convergence {
        title: match among {
            true => "How far the learnt play could be beaten".to_string(),
            false => "How learning went".to_string(),
        },
        unit: match (among, wins) {
            (true, _) => "Gain of a quick attack, in percentage points".to_string(),
            (_, true) => "Share of the wins".to_string(),
            _ => "Mean score".to_string(),
        },
        axis: "games learnt from".to_string(),
        note: "Each attack learnt from a quarter of the games so far.".to_string(),
        share: wins && !among,
        seats: vec![SeatRun {
            label: if among { "attack found" } else { "learnt play" }.to_string(),
            checkpoints: known.filter(|(_, e)| e.low.is_finite()).collect(),
        }],
    }
}

fn rules(played: &PolicyPlayed) -> Rows {
    let wins = played.resolved.objective() == Objective::WinShare;
    let fair = 1.0 / played.resolved.players() as f64;
    let rows = played.thumbs.iter().map(|rule| Row {
        detail: rule.bot.strategy.description.clone(),
        ..Row::one(
            rule.bot.label(),
            match wins {
                true => rule.beside_learnt.minus(fair).scaled(100.0),
                false => rule.beside_learnt,
            },
        )
    });
    Rows {
        title: match wins {
            true => "How simple rules fare beside the learnt bot".to_string(),
            false => "What simple rules score beside the learnt bot".to_string(),
        },
        axis: match wins {
            true => more_or_less(
                "percentage points of the wins",
                "the equal share, beside copies of the learnt bot",
            ),
            false => "mean score beside copies of the learnt bot".to_string(),
        },
        figures: if wins {
            Figures::Changes
        } else {
            Figures::Values
        },
        rows: rows.collect(),
        ..Rows::default()
    }
}
