//! When a bot leaves, as a grid to read off at the table.

use super::features as f;
use crate::formula::Value;
use crate::strategy::Seat;
use std::fmt::Write;

/// Most traps showing in a grid, and the largest limit in it.
const TRAPS: usize = 4;
const STAKES: usize = 60;

/// The least that the bot of a seat leaves with, before the last expedition, by traps showing and
/// players inside; neighbouring columns that are equal are one.
/// `None` if the bot decides by more than that.
pub fn limits(seat: &Seat, players: usize) -> Option<String> {
    let formula = seat.formula();
    let others = [
        f::BUST_RISK,
        f::TREASURE_LEFT,
        f::CARDS_REVEALED,
        f::CARDS_LEFT,
        f::JUST_LEFT,
    ];
    let more = [f::RELICS_ON_PATH, f::RANK, f::ROUND, f::RANDOM];
    if others
        .iter()
        .chain(&more)
        .any(|feature| formula.uses(*feature))
    {
        return None;
    }
    let column =
        |inside| Vec::from_iter((0..=TRAPS).map(|traps| limit(seat, players, inside, traps)));
    let mut columns: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for inside in 1..=players {
        let cells = column(inside);
        match columns.last_mut().filter(|(_, _, last)| *last == cells) {
            Some((_, to, _)) => *to = inside,
            None => columns.push((inside, inside, cells)),
        }
    }
    let mut grid = String::from("The limit, before the last expedition:\n\ntraps showing");
    for (from, to, _) in &columns {
        let inside = if from == to {
            format!("{from}")
        } else {
            format!("{from} to {to}")
        };
        write!(grid, "{:>16}", inside + " inside").expect("a text");
    }
    for traps in 0..=TRAPS {
        write!(grid, "\n{traps:>13}").expect("a text");
        for (_, _, cells) in &columns {
            write!(grid, "{:>16}", cells[traps]).expect("a text");
        }
    }
    Some(grid)
}

/// The least that it leaves with.
fn limit(seat: &Seat, players: usize, inside: usize, traps: usize) -> String {
    let formula = seat.formula();
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
    match (0..=STAKES).find(leaves) {
        Some(stake) => stake.to_string(),
        None => "stay".to_string(),
    }
}
