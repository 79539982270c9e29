//! Rules of thumb: simple bots, each tuned beside copies of the learnt one.

use super::Resolved;
use super::attack::NOTHING;
use super::play::{OF_RULES, Session, Stopped};
use crate::game::{CardShape, Thumb};
use crate::statistics::Estimate;
use crate::strategy::{Grid, Seat, Strategy, table_labels};

/// Of the games of a figure that is reported, the part by which a value is chosen.
const CHOICE: u64 = 80;
/// The part by which a rule is told.
const RULE: u64 = 4;
/// A card is fitted to a part of the games that are learnt from.
const CARD: u64 = 4;
/// Where a cell was not seen, its neighbours tell a little.
const UNSEEN: f32 = 1e-3;
/// A count that is never reached.
pub const NEVER: f32 = 99.0;
/// How often all values of a rule are gone through.
const PASSES: usize = 2;

/// A simple rule and what it gets.
pub struct RuleOfThumb {
    /// The bot, with the values that were found; its description says it in words.
    pub bot: Seat,
    /// What it gets beside copies of the learnt one, or beside the bots that were learnt against.
    pub beside_learnt: Estimate,
    /// What it gets beside the game's own bots.
    pub beside_field: Estimate,
}

impl Resolved {
    /// Tunes every rule of thumb beside the learnt bot, one value after the other, and fits the card;
    /// beside bots, the card alone. The best comes first.
    pub(super) fn rules_of_thumb(
        &self,
        session: &mut Session,
        learnt: &Seat,
    ) -> Result<Vec<RuleOfThumb>, Stopped> {
        let Some(school) = self.checked.school() else {
            return Ok(Vec::new());
        };
        let (mut bots, mut others) = (Vec::new(), self.others.clone());
        if self.learners > 1 {
            others = vec![learnt.clone(); self.players() - 1];
            for thumb in school.thumbs(self.players()) {
                bots.push(self.tuned(session, learnt, &thumb)?);
            }
        }
        let field = self.field.iter().cycle().take(self.players() - 1);
        let field: Vec<Seat> = field.cloned().collect();
        let mut rules = Vec::new();
        for bot in bots {
            rules.push(self.rule(session, bot, [&others, &field])?);
        }
        if let Some(CardShape { grid, .. }) = school.card(self.players()) {
            let bounds = self.fitted(session, &grid, [&others, &field])?;
            let mut rule = self.rule(
                session,
                self.card_bot(&grid, &bounds, ""),
                [&others, &field],
            )?;
            let beside = match self.learners {
                1 => table_labels(&others),
                _ => vec!["learnt bots".to_string()],
            };
            let told = format!(
                "The card for {} players gets {} beside {} and {} beside {}.",
                self.players(),
                rule.beside_learnt,
                beside[0],
                rule.beside_field,
                table_labels(&field).join(", ")
            );
            rule.bot = self.card_bot(&grid, &bounds, &told);
            rules.push(rule);
        }
        let value = |rule: &RuleOfThumb| rule.beside_learnt.value;
        rules.sort_by(|a, b| value(b).total_cmp(&value(a)));
        Ok(rules)
    }

    /// What a rule gets beside each of two tables.
    fn rule(
        &self,
        session: &mut Session,
        bot: Seat,
        tables: [&[Seat]; 2],
    ) -> Result<RuleOfThumb, Stopped> {
        let mut beside = |what: &str, others: &[Seat]| -> Result<Estimate, Stopped> {
            let table = self.seated(&[std::slice::from_ref(&bot), others].concat());
            let name = format!("rule {}{what}", bot.strategy.name);
            let games = (0, session.reported / RULE);
            self.gets(session, &name, table.as_ref(), games)
        };
        Ok(RuleOfThumb {
            beside_learnt: beside("", tables[0])?,
            beside_field: beside(" beside bots", tables[1])?,
            bot,
        })
    }

    /// The bounds of the card that loses least beside two tables: one seat learns over its cells, and
    /// a bound stands where a yes begins to be worth more.
    fn fitted(
        &self,
        session: &mut Session,
        grid: &Grid,
        tables: [&[Seat]; 2],
    ) -> Result<Vec<f32>, Stopped> {
        let games = self.study.games.unwrap_or(0).max(1 << 22) / CARD;
        let mut leanings = vec![0.0; grid.cells()];
        session.known = "the card".to_string();
        for (index, others) in tables.into_iter().enumerate() {
            let (name, nothing) = (format!("card {index}"), vec![NOTHING; grid.cells()]);
            let learner = self.learnt(session, Some(&name), grid, others, nothing, games)?;
            let (worth, seen) = (learner.better(), learner.seen());
            let whole = seen.iter().sum::<f32>().max(1.0);
            for ((all, worth), seen) in leanings.iter_mut().zip(&worth).zip(&seen) {
                *all += worth * (seen + UNSEEN) / whole;
            }
        }
        let (mut all, mut rest) = (Vec::new(), leanings.as_slice());
        for section in &grid.sections {
            if let [_, columns, count] = section.axes.as_slice() {
                let (cells, others) = rest.split_at(section.cells());
                rest = others;
                all.extend(bounds(&count.edges, columns.cells(), cells));
            }
        }
        Ok(all)
    }

    fn card_bot(&self, grid: &Grid, bounds: &[f32], description: &str) -> Seat {
        let vocabulary = self.game.vocabulary;
        let text = grid.bot_of_bounds(vocabulary.question, description, bounds);
        self.read("card", &text)
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
        let text = written(thumb, &chosen);
        Ok(self.read(thumb.name, &text))
    }
}

/// From which edge on to say yes in each row and column, so that it is worth most in all and no
/// bound is above that of the row before: what a yes is worth is known in the cells between edges.
fn bounds(edges: &[f32], columns: usize, cells: &[f32]) -> Vec<f32> {
    let count = edges.len() + 1;
    let rows = cells.len() / count / columns;
    let mut bounds = vec![NEVER; rows * columns];
    for column in 0..columns {
        // By the bound of a row, what the rows so far are worth at most, and the bound before.
        let mut worth = vec![0.0; count + 1];
        let mut before = Vec::new();
        for row in 0..rows {
            let cells = &cells[(row * columns + column) * count..][..count];
            let (mut sum, mut best) = (0.0, count);
            let mut chosen = vec![0; count + 1];
            let mut next = vec![0.0; count + 1];
            for at in (0..=count).rev() {
                sum += cells.get(at).unwrap_or(&0.0);
                if worth[at] > worth[best] {
                    best = at;
                }
                (next[at], chosen[at]) = (worth[best] + sum, best);
            }
            worth = next;
            before.push(chosen);
        }
        let mut at = (0..=count).rev().fold(
            count,
            |best, at| if worth[at] > worth[best] { at } else { best },
        );
        for row in (0..rows).rev() {
            bounds[row * columns + column] = match at {
                0 => 0.0,
                at => *edges.get(at - 1).unwrap_or(&NEVER),
            };
            at = before[row][at];
        }
    }
    bounds
}

/// So many steps from a value, as people write it: 3.6, not 3.6000001.
fn stepped(low: f32, step: f32, steps: usize) -> f32 {
    let value = f64::from(low) + f64::from(step) * steps as f64;
    ((value * 1e4).round() / 1e4) as f32
}

/// The file of a rule with these values in place, also in words: parameters, or numbers of a table of
/// one axis.
fn written(thumb: &Thumb, values: &[(String, f32)]) -> String {
    let mut file: toml::Table = thumb.text.parse().expect("rules of thumb are sound");
    let mut words = thumb.words.to_string();
    for (name, value) in values {
        words = words.replace(&format!("{{{name}}}"), &value.to_string());
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
    file.insert("description".to_string(), toml::Value::String(words));
    file.to_string()
}

/// The rule with the values chosen so far and one more.
fn with(strategy: &Strategy, chosen: &[(String, f32)], param: &str, value: f32) -> Seat {
    let others = chosen.iter().filter(|(known, _)| known != param).cloned();
    let mut values: Vec<(String, f32)> = others.collect();
    values.push((param.to_string(), value));
    Seat::new(strategy.clone(), &values).expect("its parameters are its own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_where_a_yes_begins_to_be_worth_more_and_never_rise() {
        let one = |cells: &[f32]| bounds(&[2.0, 5.0, 9.0], 1, cells);
        for (cells, found) in [
            ([-2.0, -1.0, 0.5, 3.0], 5.0),
            ([-2.0, 0.5, -0.2, 3.0], 2.0),
            ([1.0, 1.0, 1.0, 1.0], 0.0),
            ([-1.0, -1.0, -1.0, -1.0], NEVER),
            ([-1.0, -1.0, -1.0, 1.0], 9.0),
        ] {
            assert_eq!(one(&cells), [found], "{cells:?}");
        }
        let fewer = [-2.0, -1.0, 0.5, 3.0];
        let [little, much] = [[-1.0, -1.0, -0.2, 0.1], [-9.0, -9.0, -9.0, 9.0]];
        assert_eq!(one(&[fewer, little].concat()), [5.0, 5.0]);
        assert_eq!(one(&[fewer, much].concat()), [9.0, 9.0]);
        let two = bounds(&[2.0, 5.0, 9.0], 2, &[fewer, much, fewer, much].concat());
        assert_eq!(two, [5.0, 9.0, 5.0, 9.0]);
    }
}
