//! The charts of a tournament under several rules: the ratings and the mixes side by side, and how
//! the ratings shift.

use super::named;
use crate::charts::rows::{Figures, Row, RowLine, Rows};
use crate::results::NamedChart;
use crate::results::tournament_sides::ranked;
use crate::results::words::{changes_told, equal_share, more_or_less};
use crate::statistics::Estimate;
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
        set => format!("{}: {}", side.name, changes_told(set)),
    });
    let labels: Vec<String> = labels.collect();
    // A row for each bot, with a line for each side that is known.
    let row = |bot: usize, of: &dyn Fn(usize) -> Option<Estimate>| {
        let line = |seat: usize| {
            let estimate = of(seat).filter(|estimate| estimate.se.is_finite())?;
            Some(RowLine::of(seat, estimate))
        };
        Row {
            label: names[bot].clone(),
            lines: (0..sides.len()).filter_map(line).collect(),
            ..Row::default()
        }
    };
    let rating = |&bot: &usize| row(bot, &|side| Some(meta_games[side].standings[bot].rating));
    let ratings = Rows {
        title: "Who earns most under which rules".to_string(),
        axis: "share of the wins".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(played.fields[0].payoffs.line_ups.players)),
        key: labels.clone(),
        rows: bots.iter().map(rating).collect(),
        ..Rows::default()
    };
    let part = |&bot: &usize| {
        let mix = |side: usize| meta_games[side].standings[bot].mix;
        row(bot, &|side| Some(Estimate::normal(mix(side), 0.0)))
    };
    let in_a_mix = |bot: &&usize| {
        meta_games
            .iter()
            .any(|game| game.standings[**bot].mix > 0.0)
    };
    let mix = Rows {
        title: "The equilibrium mix under each of the rules".to_string(),
        axis: "share of the mix".to_string(),
        figures: Figures::Shares,
        key: labels.clone(),
        rows: bots.iter().filter(in_a_mix).map(part).collect(),
        ..Rows::default()
    };
    let shift = |&bot: &usize| {
        row(bot, &|side| match side {
            0 => None,
            side => Some(played.fields[side].payoffs.shift(bot, 0).scaled(100.0)),
        })
    };
    // Colours tell sides apart where several are compared with the first.
    let key = match labels.as_slice() {
        [_, others @ ..] if others.len() > 1 => [&[String::new()], others].concat(),
        _ => Vec::new(),
    };
    let told = if key.is_empty() { labels.len() } else { 1 };
    let shifted = format!("{subtitle} · {}", labels[..told].join(" · "));
    let shifts = Rows {
        key,
        ..Rows::differences(
            "How the change of rules shifts who is good",
            more_or_less(
                "percentage points of the wins",
                &format!("under {}", sides[0].name),
            ),
            bots.iter().map(shift).collect(),
        )
    };
    let mut charts = vec![
        named("ratings", subtitle, ratings),
        named("shifts", shifted, shifts),
    ];
    if mix.rows.len() > 1 {
        charts.push(named("mix", subtitle, mix));
    }
    charts
}
