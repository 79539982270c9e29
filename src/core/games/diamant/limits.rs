//! When a bot leaves, as a grid to read off at the table.

use super::features as f;
use crate::formula::{Formula, Value};
use crate::game::notation::LimitGrid;
use crate::strategy::Seat;

/// Most traps showing in a grid, and the largest limit in it.
const TRAPS: usize = 5;
const STAKES: usize = 60;
/// Features that no grid shows.
const OTHERS: [usize; 9] = [
    f::BUST_RISK,
    f::TREASURE_LEFT,
    f::CARDS_REVEALED,
    f::CARDS_LEFT,
    f::JUST_LEFT,
    f::RELICS_ON_PATH,
    f::RANK,
    f::ROUND,
    f::RANDOM,
];

/// The least that bots leave with, before the last expedition, by traps showing and players inside;
/// equal neighbours are one. `None` if a bot decides by more than that.
pub fn limits(bots: &[Seat], players: usize) -> Option<LimitGrid> {
    let formulas = Vec::from_iter(bots.iter().map(Seat::formula));
    let uses = |feature: &usize| formulas.iter().any(|formula| formula.uses(*feature));
    if OTHERS.iter().any(uses) {
        return None;
    }
    let mut columns = Vec::new();
    for inside in 1..=players {
        let mut cells = Vec::new();
        for traps in 0..=TRAPS {
            let limit = |formula| limit(formula, players, inside, traps);
            let mut limits = Vec::from_iter(formulas.iter().map(limit));
            limits.sort_unstable();
            cells.push(match *limits {
                [only] => shown(only),
                _ => [0.5, 0.05, 0.95]
                    .map(|q| shown(limits[(q * limits.len() as f64) as usize]))
                    .join(" "),
            });
        }
        columns.push((inside, cells));
    }
    let columns = merged(columns);
    let rows = (0..=TRAPS).map(|traps| {
        let cells = columns.iter().map(|(_, cells)| cells[traps].clone());
        (traps, Vec::from_iter(cells))
    });
    let rows = merged(rows.collect()).into_iter();
    let inside = columns.iter().map(|(inside, _)| format!("{inside} inside"));
    let of = if bots.len() > 1 {
        ": median, 5 % and 95 % of the players"
    } else {
        ""
    };
    Some(LimitGrid {
        title: format!("The limit, before the last expedition{of}"),
        header: std::iter::once("traps showing".to_string())
            .chain(inside)
            .collect(),
        rows: rows
            .map(|(traps, cells)| [vec![traps], cells].concat())
            .collect(),
    })
}

/// Lines of cells with the numbers that they are for; equal neighbours are one.
fn merged(lines: Vec<(usize, Vec<String>)>) -> Vec<(String, Vec<String>)> {
    let equal = lines.chunk_by(|(_, a), (_, b)| a == b);
    let one = equal.map(|lines| {
        let (from, to) = (lines[0].0, lines[lines.len() - 1].0);
        let name = if from == to {
            from.to_string()
        } else {
            format!("{from} to {to}")
        };
        (name, lines[0].1.clone())
    });
    one.collect()
}

/// The least that a bot leaves with, at most one above the largest.
fn limit(formula: &Formula, players: usize, inside: usize, traps: usize) -> usize {
    let leaves = |stake: &usize| {
        let feature = |feature| match feature {
            f::HELD => *stake as f32,
            f::TRAPS_SEEN => traps as f32,
            f::EXPLORERS => inside as f32,
            f::PLAYERS => players as f32,
            f::ROUNDS_LEFT => 2.0,
            f::TEMPER => 0.5,
            _ => 0.0,
        };
        formula.evaluate(feature) == Value::Truth(true)
    };
    (0..=STAKES).find(leaves).unwrap_or(STAKES + 1)
}

fn shown(limit: usize) -> String {
    match limit {
        ..=STAKES => limit.to_string(),
        _ => "stay".to_string(),
    }
}
