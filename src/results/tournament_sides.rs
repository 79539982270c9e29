//! A tournament under several rules: does the change shift who is good?

use super::text::Block;
use crate::numbers;
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::tournament::{Played, Side};
use crate::tournament::MetaGame;

/// The sides with what they change, one a line.
pub fn rules(played: &Played) -> String {
    let sides = played.resolved.sides.iter();
    let lines = sides.map(|side| format!("  {}: {}", side.name, changed(side)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The rules of a side, with what it changes of them.
pub fn changed(side: &Side) -> String {
    match side.set.as_slice() {
        [] => side.rules.name.clone(),
        set => format!("{} with {}", side.rules.name, set.join(", ")),
    }
}

/// `shifts`: how each rating differs from that under the first rules.
pub fn shifts(names: &[String], played: &Played) -> Sheet {
    let bots = 0..names.len();
    let sides = 1..played.fields.len();
    let rows: Vec<(usize, usize)> = sides
        .flat_map(|side| bots.clone().map(move |bot| (side, bot)))
        .collect();
    let rating = |side: usize, bot: usize| played.fields[side].payoffs.rating(bot).value;
    let mut sheet = Sheet::new("shifts", "one row per side but the first, and bot");
    let side = |row: &(usize, usize)| played.resolved.sides[row.0].name.clone();
    sheet.text("side", "the side", rows.iter().map(side));
    let bot = |row: &(usize, usize)| names[row.1].clone();
    sheet.text("strategy", "the bot", rows.iter().map(bot));
    let first = rows.iter().map(|&(_, bot)| rating(0, bot));
    sheet.number("rating_a", "its rating on the first side", first);
    let own = rows.iter().map(|&(side, bot)| rating(side, bot));
    sheet.number("rating", "its rating on this side", own);
    let shift = |&(side, bot): &(usize, usize)| Some(played.fields[side].payoffs.shift(bot, 0));
    let shifts: Vec<Option<Estimate>> = rows.iter().map(shift).collect();
    let meaning = "rating less rating_a, from the same games";
    sheet.estimates("shift", meaning, &shifts);
    sheet
}

/// The bots with their ratings side by side, and what changes.
pub fn text(
    headline: &str,
    names: &[String],
    played: &Played,
    meta_games: &[MetaGame],
) -> Vec<Block> {
    let sides = &played.resolved.sides;
    let first = &sides[0].name;
    let mut header = vec!["bot".to_string(), first.clone()];
    for side in &sides[1..] {
        header.extend([side.name.clone(), format!("{} less {first}", side.name)]);
    }
    let ranked = ranked(&meta_games[0]);
    let rows = ranked.iter().map(|&bot| {
        let rating = |side: usize| meta_games[side].standings[bot].rating.to_string();
        let mut row = vec![names[bot].clone(), rating(0)];
        for side in 1..sides.len() {
            let shift = played.fields[side].payoffs.shift(bot, 0);
            row.extend([rating(side), format!("{shift:+}")]);
        }
        row
    });
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let told = (0..sides.len()).map(|side| summary(names, played, &meta_games[side], side));
    vec![
        Block::text(format!("{headline}\n{}", rules(played))),
        Block::table(&header, rows.collect()),
        Block::text(told.collect::<Vec<_>>().join("\n")),
        Block::text(format!(
            "Rating: share of the wins when every other seat is drawn from all bots alike; the fair \
             share is {}. All sides play the same games, so a shift is known better than two \
             ratings are. Each interval of a shift holds 95 times in 100 by itself, not all of \
             them at once.",
            numbers::percent(1.0 / played.resolved.line_ups.players as f64, 1)
        )),
    ]
}

/// The bots from the best to the worst.
pub fn ranked(meta_game: &MetaGame) -> Vec<usize> {
    let rating = |bot: usize| meta_game.standings[bot].rating.value;
    let mut ranked: Vec<usize> = (0..meta_game.standings.len()).collect();
    ranked.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    ranked
}

/// Who is good under the rules of a side, how far apart the bots are, and what would last.
fn summary(names: &[String], played: &Played, meta_game: &MetaGame, side: usize) -> String {
    let field = &played.fields[side];
    let ranked = ranked(meta_game);
    let best = ranked[0];
    let rivals = ranked[1..].iter().filter(|bot| field.in_best_set[**bot]);
    let rivals: Vec<&str> = rivals.map(|&bot| names[bot].as_str()).collect();
    let rivals = match rivals.as_slice() {
        [] => String::new(),
        rivals => format!(" ({} may be as good)", rivals.join(", ")),
    };
    let part = |bot: usize| meta_game.standings[bot].mix;
    let mut mixed: Vec<usize> = (0..names.len()).filter(|&bot| part(bot) > 0.0).collect();
    mixed.sort_by(|&a, &b| part(b).total_cmp(&part(a)));
    let part_text = |&bot: &usize| format!("{} {}", numbers::percent(part(bot), 1), names[bot]);
    let mix: Vec<String> = mixed.iter().map(part_text).collect();
    let spread = field.payoffs.spread();
    format!(
        "{}: best is {}{rivals}; the best is {} above the worst; the mix that would last: {}.",
        played.resolved.sides[side].name,
        names[best],
        spread,
        mix.join(", ")
    )
}
