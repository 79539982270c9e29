//! Rules of thumb: simple bots, each tuned beside copies of the learnt one.

use super::Resolved;
use super::play::{OF_RULES, Session, Stopped};
use crate::game::Thumb;
use crate::statistics::Estimate;
use crate::strategy::{Seat, Strategy};

/// Of the games of a figure that is reported, the part by which a value is chosen.
const CHOICE: u64 = 80;
/// The part by which a rule is told.
const RULE: u64 = 4;
/// How often all values of a rule are gone through.
const PASSES: usize = 2;

/// A simple rule and what it gets.
pub struct RuleOfThumb {
    /// The bot, with the values that were found.
    pub bot: Seat,
    /// What it gets beside copies of the learnt one.
    pub beside_learnt: Estimate,
}

impl Resolved {
    /// Tunes every rule of thumb beside `learnt`, one value after the other; the best comes first.
    pub(super) fn rules_of_thumb(
        &self,
        session: &mut Session,
        learnt: &Seat,
    ) -> Result<Vec<RuleOfThumb>, Stopped> {
        let thumbs = self
            .checked
            .school()
            .map(|school| school.thumbs(self.players()));
        let mut rules = Vec::new();
        for thumb in thumbs.unwrap_or_default() {
            let bot = self.tuned(session, learnt, &thumb)?;
            let name = format!("rule {}", thumb.name);
            let games = (0, session.reported / RULE);
            let beside_learnt = self.measure(session, &name, &bot, learnt, games)?;
            rules.push(RuleOfThumb { bot, beside_learnt });
        }
        let value = |rule: &RuleOfThumb| rule.beside_learnt.value;
        rules.sort_by(|a, b| value(b).total_cmp(&value(a)));
        Ok(rules)
    }

    fn tuned(&self, session: &mut Session, learnt: &Seat, thumb: &Thumb) -> Result<Seat, Stopped> {
        let strategy =
            Strategy::from_toml(thumb.name, thumb.name, thumb.text, self.game.vocabulary);
        let strategy = strategy.expect("rules of thumb are sound");
        let mut chosen: Vec<(String, f32)> = Vec::new();
        for pass in 0..PASSES.min(thumb.vary.len()) {
            for (param, (low, high, step)) in &thumb.vary {
                let mut best: Option<(f32, f64)> = None;
                let steps = ((high - low) / step).round() as usize;
                for value in (0..=steps).map(|at| stepped(*low, *step, at)) {
                    let seat = with(&strategy, &chosen, param, value);
                    let name = format!("rule {} {pass} {param} {value}", thumb.name);
                    let games = (OF_RULES, session.reported / CHOICE);
                    let found = self.measure(session, &name, &seat, learnt, games)?.value;
                    if best.is_none_or(|(_, best)| found > best) {
                        best = Some((value, found));
                    }
                }
                if let Some((value, _)) = best {
                    chosen.retain(|(known, _)| known != param);
                    chosen.push((param.to_string(), value));
                }
            }
        }
        let text = written(thumb.text, &chosen);
        let strategy = Strategy::from_toml(thumb.name, thumb.name, &text, self.game.vocabulary);
        let strategy = strategy.expect("rules of thumb stay sound");
        Ok(Seat::new(strategy, &[]).expect("a bot can sit down as it is"))
    }
}

/// So many steps from a value, as people write it: 3.6, not 3.6000001.
fn stepped(low: f32, step: f32, steps: usize) -> f32 {
    let value = f64::from(low) + f64::from(step) * steps as f64;
    ((value * 1e4).round() / 1e4) as f32
}

/// The file of a bot with these values in place: parameters, or numbers of a table of one axis.
fn written(text: &str, values: &[(String, f32)]) -> String {
    let mut file: toml::Table = text.parse().expect("rules of thumb are sound");
    for (name, value) in values {
        // A float of few digits, as people write it.
        let value: f64 = value.to_string().parse().expect("a number is a number");
        let place = match name.split_once('.') {
            None => file
                .get_mut("params")
                .and_then(|params| params.get_mut(name)),
            Some((table, number)) => number.parse().ok().and_then(|number: usize| {
                let table = file.get_mut("tables")?.get_mut(table)?;
                table.get_mut("values")?.get_mut(number - 1)
            }),
        };
        *place.expect("a parameter of the rule") = toml::Value::Float(value);
    }
    file.to_string()
}

/// The rule with the values chosen so far and one more.
fn with(strategy: &Strategy, chosen: &[(String, f32)], param: &str, value: f32) -> Seat {
    let others = chosen.iter().filter(|(known, _)| known != param).cloned();
    let mut values: Vec<(String, f32)> = others.collect();
    values.push((param.to_string(), value));
    Seat::new(strategy.clone(), &values).expect("its parameters are its own")
}
