//! The card: a rule of few numbers that people take to the table, fitted beside the learnt bot.

use super::Resolved;
use super::attack::NOTHING;
use super::session::Session;
use crate::game::CardShape;
use crate::simulation::Stopped;
use crate::statistics::Estimate;
use crate::strategy::{Grid, NEVER, Seat, table_labels};

/// Of the games of a figure that is reported, the part by which the card is measured.
const MEASURED: u64 = 4;
/// The card is fitted to a part of the games that are learnt from.
const CARD: u64 = 4;
/// Where a cell was not seen, its neighbours tell a little.
const UNSEEN: f32 = 1e-3;

pub struct FittedCard {
    /// The bot that plays by it; its description reports what the card gets.
    pub bot: Seat,
    /// What it gets beside copies of the learnt one, or beside the bots that were learnt against.
    pub beside_learnt: Estimate,
    /// What it gets beside the game's own bots.
    pub beside_field: Estimate,
}

impl Resolved {
    /// Fits the card of the game, where there is one.
    pub(super) fn fit_card(
        &self,
        session: &mut Session,
        learnt: &Seat,
    ) -> Result<Option<FittedCard>, Stopped> {
        let Some(CardShape { grid, .. }) = self.card() else {
            return Ok(None);
        };
        let others = match self.learners {
            1 => self.others.clone(),
            _ => vec![learnt.clone(); self.players() - 1],
        };
        let field = self.field.iter().cycle().take(self.players() - 1);
        let field: Vec<Seat> = field.cloned().collect();
        let bounds = self.fitted(session, &grid, [&others, &field])?;
        let bot = self.card_bot(&grid, &bounds, "");
        let mut card = self.measured(session, bot, [&others, &field])?;
        let beside = match self.learners {
            1 => table_labels(&others),
            _ => vec!["learnt bots".to_string()],
        };
        let description = format!(
            "The card for {} players gets {} beside {} and {} beside {}.",
            self.players(),
            card.beside_learnt,
            beside[0],
            card.beside_field,
            table_labels(&field).join(", ")
        );
        card.bot = self.card_bot(&grid, &bounds, &description);
        Ok(Some(card))
    }

    fn measured(
        &self,
        session: &mut Session,
        bot: Seat,
        tables: [&[Seat]; 2],
    ) -> Result<FittedCard, Stopped> {
        let mut beside = |what: &str, others: &[Seat]| -> Result<Estimate, Stopped> {
            let table = self.seated(&[std::slice::from_ref(&bot), others].concat());
            let name = format!("rule {}{what}", bot.strategy.name);
            let games = (0, session.reported / MEASURED);
            self.gets(session, &name, table.as_ref(), games)
        };
        Ok(FittedCard {
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
        let games = self.study.run.games.unwrap_or(0).max(1 << 22) / CARD;
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
            let (cells, others) = rest.split_at(section.cells());
            rest = others;
            if let [_, columns, count] = section.axes.as_slice() {
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
