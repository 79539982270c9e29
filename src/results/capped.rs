//! What is said when games do not come to their end: a cap of the rules stopped them.

use super::text::Block;
use crate::game::{CAPPED_RATE, Layout, MetricRef};
use crate::numbers;
use crate::simulation::Tally;
use crate::study::Played;
use crate::study::tournament::Side;
use crate::tournament::PlayedField;

/// A smaller share of a table's games is not worth a word.
const NOTICEABLE: f64 = 0.01;

/// A table, or several that played the same bots.
struct Stopped {
    /// What it is called.
    name: String,
    games: u64,
    /// The share of its games that a cap ended.
    share: f64,
}

/// How many games a cap ended, when at some table it was a noticeable share.
pub fn remark(played: &Played) -> Option<Block> {
    let tables = tables(played);
    let worst = tables.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
    if worst.share < NOTICEABLE {
        return None;
    }
    let games: u64 = tables.iter().map(|table| table.games).sum();
    let stopped = tables.iter().map(|table| table.share * table.games as f64);
    let all = numbers::percent(stopped.sum::<f64>() / games as f64, 1);
    let most = match tables.len() {
        1 => String::new(),
        _ => format!(
            " (most at {}: {})",
            worst.name,
            numbers::percent(worst.share, 1)
        ),
    };
    Some(Block::text(format!(
        "Beware: a cap of the rules ended {all} of the games{most}. Their winners were only ahead by then."
    )))
}

fn tables(played: &Played) -> Vec<Stopped> {
    let of = |name: String, layout: &Layout, tally: &Tally| {
        let share = tally.estimate(layout, MetricRef::of_table(CAPPED_RATE))?;
        Some(Stopped {
            name,
            games: tally.games,
            share: share.value,
        })
    };
    match played {
        Played::Simulate(played) => {
            let layout = played.resolved.table.layout();
            let table = of(String::new(), layout, &played.tally);
            table.into_iter().collect()
        }
        Played::Compare(played) => {
            let sides = &played.resolved.sides;
            let rates = played.differences.iter();
            let rates = rates.filter(|found| found.metric.name == CAPPED_RATE);
            let side = |side: usize, share: f64| Stopped {
                name: sides[side].name.clone(),
                games: played.games,
                share,
            };
            let first = rates.clone().next();
            let first = first.map(|found| side(0, found.difference.a));
            let others = rates.map(|found| side(found.side, found.difference.b));
            first.into_iter().chain(others).collect()
        }
        Played::Sweep(played) => {
            let cells = played.resolved.cells.iter().zip(&played.grid.tallies);
            let cells = cells.filter_map(|(cell, tally)| {
                of(cell.values.join(", "), cell.resolved.table.layout(), tally)
            });
            cells.collect()
        }
        Played::Tune(played) => {
            let fields = played
                .resolved
                .fields
                .iter()
                .zip(&played.validation.tallies);
            let fields = fields.filter_map(|(field, tally)| {
                let seats = field.study.seats.iter().map(ToString::to_string);
                let name = seats.collect::<Vec<_>>().join(" + ");
                of(name, field.table.layout(), tally)
            });
            fields.collect()
        }
        Played::Solve(_) | Played::Analyse(_) => Vec::new(),
        Played::Tournament(played) => {
            let of_side = |(side, field): (&Side, &PlayedField)| {
                let payoffs = &field.payoffs;
                let line_ups = payoffs.line_ups.entries.iter().enumerate();
                let line_ups = line_ups.filter_map(|(at, entry)| {
                    let bots = entry.seats.iter();
                    let bots = bots.map(|&bot| played.resolved.bots[bot].label());
                    let bots = bots.collect::<Vec<_>>().join(" + ");
                    Some(Stopped {
                        name: match side.name.as_str() {
                            "" => bots,
                            side => format!("{bots} on side {side}"),
                        },
                        games: payoffs.games(at),
                        share: payoffs.capped(at)?,
                    })
                });
                line_ups.collect::<Vec<_>>()
            };
            let sides = played.resolved.sides.iter().zip(&played.fields);
            sides.flat_map(of_side).collect()
        }
    }
}
