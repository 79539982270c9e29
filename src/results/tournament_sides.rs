//! A tournament under several rules: does the change shift who is good?

use super::text::View;
use crate::numbers;
use crate::sheet::{Rows, Sheet};
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
    let rows = sides.flat_map(|side| bots.clone().map(move |bot| (side, bot)));
    let rating = |side: usize, bot: usize| played.fields[side].payoffs.rating(bot).value;
    let one = "one row per side but the first, and bot";
    let mut sheet = Rows::new("shifts", one, rows);
    let side = |side: usize| played.resolved.sides[side].name.clone();
    sheet.text("side", "the side", |row| side(row.0));
    sheet.text("bot", "the bot", |row| names[row.1].clone());
    let meaning = "its rating on the first side";
    sheet.number("rating_a", meaning, |row| rating(0, row.1));
    let meaning = "its rating on this side";
    sheet.number("rating", meaning, |row| rating(row.0, row.1));
    let meaning = "rating less rating_a, from the same games";
    sheet.estimates("shift", meaning, |&(side, bot)| {
        played.fields[side].payoffs.shift(bot, 0)
    });
    sheet.sheet()
}

/// The bots with their ratings side by side, and what changes.
pub fn text(
    headline: &str,
    names: &[String],
    played: &Played,
    meta_games: &[MetaGame],
) -> Vec<View> {
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
        View::text(format!("{headline}\n{}", rules(played))),
        View::table(&header, rows.collect()),
        View::text(told.collect::<Vec<_>>().join("\n")),
        View::text(format!(
            "Rating: share of the wins when every other seat is drawn from all bots alike; the fair \
             share is {}. Equilibrium mix: no bot gains by deviating. All sides play the same \
             games, so a shift is known better than the ratings. The 95 % hold for each interval \
             alone, not all jointly.",
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
        rivals => format!(" (statistically tied: {})", rivals.join(", ")),
    };
    let part = |bot: usize| meta_game.standings[bot].mix;
    let mut mixed: Vec<usize> = (0..names.len()).filter(|&bot| part(bot) > 0.0).collect();
    mixed.sort_by(|&a, &b| part(b).total_cmp(&part(a)));
    let part_text = |&bot: &usize| format!("{} {}", numbers::percent(part(bot), 1), names[bot]);
    let mix: Vec<String> = mixed.iter().map(part_text).collect();
    let spread = field.payoffs.spread();
    format!(
        "{}: best is {}{rivals}; the best is {} above the worst; equilibrium mix: {}.",
        played.resolved.sides[side].name,
        names[best],
        spread,
        mix.join(", ")
    )
}
