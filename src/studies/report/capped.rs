//! Notes on figures that are easily misread: games ended by a cap of the rules, and the spread of
//! win rates that chance alone produces.

use super::text::View;
use crate::study::{Capped, Played};
use carat_core::game::WIN_SHARE_SPREAD;
use carat_core::numbers;
use carat_core::statistics::spread_of_equals;

/// The share of capped games from which a note appears: at a table without lengths of games, and at
/// one with them, where few late stops change the mean.
const NOTICEABLE: f64 = 0.01;
const NOTICEABLE_IN_LENGTHS: f64 = 0.001;

/// A note on capped games, if they are a noticeable share at some table.
pub fn remark(tables: &[Capped]) -> Option<View> {
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
    let all = numbers::percent(stopped.sum::<f64>() / games as f64, 1);
    let share = numbers::percent(worst.share, 1);
    let most = match tables.len() {
        1 => String::new(),
        _ => format!(" (most at {}: {share})", worst.name),
    };
    let mut text = format!(
        "Warning: a cap in the rules stopped {all} of the games{most}. The players ahead at the \
         cap were counted as winners."
    );
    if let Some(length) = &worst.length {
        text += &format!(
            " The mean length is {} {unit}, the median {} {unit}.",
            numbers::number(length.mean, 1),
            length.median,
            unit = length.unit
        );
    }
    Some(View::text(text))
}

/// The gap of win rates that equal players would show, if a study's metric is this gap.
pub fn spread_by_chance(played: &Played) -> Option<View> {
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
    let spread = numbers::number(100.0 * spread_of_equals(players, games), 2);
    let text = format!(
        "By chance alone, the {WIN_SHARE_SPREAD} of {players} equal players averages {spread} \
         points in {}.",
        numbers::games(games)
    );
    (metric.name == WIN_SHARE_SPREAD).then(|| View::text(text))
}
