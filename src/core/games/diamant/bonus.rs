//! The bonus for leaving: rubies from the bank, by a formula over what those who leave see.

use super::rules::DiamantRules;
use super::snapshot::Snapshot;
use crate::diagnostic::Fault;
use crate::formula::{Formula, Value};
use crate::game::vocabulary;
use std::collections::BTreeSet;
use toml::Spanned;

/// Most rubies for one departure: formulas that give more are cut.
pub const MAX: i64 = 255;

vocabulary! {
    question "leave_bonus", answer Number;
    LEAVERS = shared("leavers", "players", "1…8", "players who leave together now");
    EXPLORERS = shared("explorers", "players", "1…8", "players inside, those who leave included");
    PLAYERS = shared("players", "players", "1…8", "players in the game");
    HELD = shared("held", "rubies", "0…", "rubies carried by each player who leaves");
    LEFTOVER = shared("leftover", "rubies", "0…", "rubies on the path before it is divided");
    RELICS_ON_PATH = shared("relics_on_path", "relics", "0…", "relics on the path before any is taken");
    TRAPS_SEEN = shared("traps_seen", "kinds", "0…8", "different traps on the path");
    CARDS_REVEALED = shared("cards_revealed", "cards", "0…64", "cards revealed in this expedition");
    ROUND = shared("round", "expeditions", "1…20", "number of this expedition");
}

/// Reads the bonus, a whole number or a formula; returns its text, too.
pub fn read(written: &Spanned<toml::Value>) -> Result<(Formula, String), Fault> {
    let text = match written.get_ref() {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let span = written.span();
    let formula = Formula::parse(&text, &[], &VOCABULARY).map_err(|fault| {
        // In quotes and without escapes, the place within the text is known.
        let place = fault.span.start + span.start + 1..fault.span.end + span.start + 1;
        let is_plain = span.len() == text.len() + 2;
        let span = if is_plain { place } else { span.clone() };
        Fault { span, ..fault }
    })?;
    let formula = formula.bind(&[]);
    if let Some(rubies) = constant(&formula)
        && (rubies.fract() != 0.0 || !(0.0..=MAX as f32).contains(&rubies))
    {
        let label = format!("should be a whole number from 0 to {MAX}, or a formula");
        let message = format!("leave_bonus is {rubies}");
        return Err(Fault::new(span, message, label));
    }
    Ok((formula, text))
}

/// The bonus, if it is always the same.
pub fn constant(formula: &Formula) -> Option<f32> {
    let uses = (0..VOCABULARY.features.len()).any(|feature| formula.uses(feature));
    match formula.evaluate(|_| 0.0) {
        Value::Number(rubies) if !uses => Some(rubies),
        _ => None,
    }
}

/// Rubies from the bank for each of `leavers` players who leave now with `held` rubies each.
pub fn bonus(rules: &DiamantRules, at: &Snapshot, leavers: usize, held: i32) -> i32 {
    let rubies = rules.leave_bonus.evaluate(|feature| match feature {
        LEAVERS => leavers as f32,
        EXPLORERS => at.inside().count() as f32,
        PLAYERS => at.explorers.len() as f32,
        HELD => held as f32,
        LEFTOVER => at.leftover() as f32,
        RELICS_ON_PATH => at.on_path(rules).0.len() as f32,
        TRAPS_SEEN => BTreeSet::from_iter(at.on_path(rules).1).len() as f32,
        CARDS_REVEALED => at.revealed as f32,
        ROUND => (at.round + 1) as f32,
        _ => unreachable!("feature {feature} is not in the vocabulary of the bonus"),
    });
    match rubies {
        Value::Number(rubies) if rubies > 0.0 => rubies.min(MAX as f32) as i32,
        _ => 0,
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/bonus.rs"]
mod tests;
