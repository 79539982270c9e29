//! The charts of a tournament under several rules: the ratings and the mixes side by side, and how
//! the ratings shift.

use super::named;
use super::words::more_or_less;
use crate::charts::differences::{Differences, Differing};
use crate::charts::heat_map::{BestOf, HeatCell, HeatLayer, HeatMap, Mark};
use crate::results::NamedChart;
use crate::results::tournament_sides::ranked;
use crate::study::tournament::Played;
use crate::tournament::MetaGame;

/// The charts of bots with these names; `subtitle` says what was played.
pub fn tournament_sides(
    subtitle: &str,
    names: &[String],
    played: &Played,
    meta_games: &[MetaGame],
) -> Vec<NamedChart> {
    let sides = &played.resolved.sides;
    let bots = ranked(&meta_games[0]);
    let labels = sides.iter().map(|side| match side.set.as_slice() {
        [] => format!("{}: {}", side.name, side.rules.name),
        set => format!("{}: {}", side.name, set.join(", ")),
    });
    let labels: Vec<String> = labels.collect();
    let map = |title: &str,
               unit: &str,
               best_of: BestOf,
               cell: &dyn Fn(usize, usize) -> HeatCell| HeatMap {
        title: title.to_string(),
        row_axis: "bot".to_string(),
        column_axis: "rules".to_string(),
        rows: bots.iter().map(|&bot| names[bot].clone()).collect(),
        columns: labels.clone(),
        unit: unit.to_string(),
        share: true,
        axis: String::new(),
        layers: HeatLayer::alone(
            (bots.iter())
                .flat_map(|&bot| (0..sides.len()).map(move |side| Some(cell(bot, side))))
                .collect(),
        ),
        middle: None,
        best_of,
    };
    let best: Vec<usize> = meta_games.iter().map(|game| ranked(game)[0]).collect();
    let rating = |bot: usize, side: usize| HeatCell {
        value: meta_games[side].standings[bot].rating.value,
        mark: Mark::of(bot == best[side], played.fields[side].in_best_set[bot]),
    };
    let part = |bot: usize, side: usize| HeatCell {
        value: meta_games[side].standings[bot].mix,
        mark: Mark::None,
    };
    let mut rows = Vec::new();
    for &bot in &bots {
        for side in 1..sides.len() {
            let shift = played.fields[side].payoffs.shift(bot, 0);
            if shift.se.is_finite() {
                let label = match sides.len() {
                    2 => names[bot].clone(),
                    _ => format!("{} · {}", names[bot], sides[side].name),
                };
                rows.push(Differing::one(label, shift.scaled(100.0)));
            }
        }
    }
    let shifts = Differences::of(
        "How the change of rules shifts who is good",
        more_or_less(
            "percentage points of the wins",
            &format!("under {}", sides[0].name),
        ),
        rows,
    );
    let title = "Who earns most under which rules";
    let ratings = map(title, "share of the wins", BestOf::Columns, &rating);
    let title = "The equilibrium mix under each of the rules";
    let mix = map(title, "share of the mix", BestOf::All, &part);
    let shifted = format!("{subtitle} · {}", labels.join(" · "));
    vec![
        named("ratings", subtitle, ratings),
        named("shifts", shifted, shifts),
        named("mix", subtitle, mix),
    ]
}
