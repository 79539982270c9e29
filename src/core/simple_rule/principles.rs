//! The value of each part of a rule: the cost of ignoring it, and a position in which it matters.

use super::figures::Figures;
use super::{Fitted, RuleSearch, own_share};
use crate::figure::board::Board;
use crate::game::moments::{Playouts, What};
use crate::game::{Play, story};
use crate::simulation::{Experiment, Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::Seat;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Games searched for an example, and playouts of each of its two options in a search of the game's
/// default number of games.
const EXAMPLE_GAMES: u64 = 12;
const PLAYOUTS: u64 = 1 << 10;
const PLAYOUTS_MIN: u64 = 1 << 5;
/// Number of the first playout of examples.
const OF_EXAMPLES: u64 = 1 << 44;

/// A number of a rule that it could leave out, since the low end of its range is 0, or a clause.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Principle {
    pub axis: usize,
    /// The loss of win share without the number, beside each company and in the same games.
    pub costs: Vec<Estimate>,
    /// A position in which the rule without the number decides otherwise.
    pub example: Option<ExampleMove>,
}

/// A position of a game of the study's seed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleMove {
    pub game: u64,
    /// The place in the game, in a few words.
    pub at: String,
    /// The position, in words and a board.
    pub standing: String,
    /// The same as a picture, where the option of the rule is the only one; in games with a board.
    pub board: Option<Board>,
    /// The option of the rule, and that without the number.
    pub options: [String; 2],
    /// The gain in win share of the first option, in playouts with fresh luck.
    pub gain: Estimate,
}

impl RuleSearch {
    /// A rule without each of its numbers that it could leave out, and then without each clause.
    pub(super) fn parts(&self, rule: &Fitted) -> Vec<(usize, Seat)> {
        let mut parts = Vec::new();
        for &axis in &rule.axes {
            if rule.point[axis] > 0 && self.table.axes[axis].1[0] == 0.0 {
                let mut point = rule.point.clone();
                point[axis] = 0;
                parts.push((axis, self.table.seat(&point, 0.0)));
            }
        }
        for &clause in &self.clauses {
            parts.push((clause, self.without(&rule.point, &[clause])));
        }
        parts
    }

    /// The part of a rule of scores that is worth the least, if that is less than its error.
    pub(super) fn useless(&self, rule: &Fitted, figures: &Figures) -> Option<usize> {
        let parts = self.parts(rule).into_iter();
        let costs = parts.map(|(axis, bot)| (axis, figures.less(&bot, 0)));
        let costs = Vec::from_iter(costs);
        if !self.is_scored() || self.table.spread > 0.0 || costs.len() < 2 {
            return None;
        }
        let least = costs
            .into_iter()
            .min_by(|(_, a), (_, b)| a.value.total_cmp(&b.value));
        least
            .filter(|(_, cost)| cost.low <= 0.0)
            .map(|(axis, _)| axis)
    }

    /// Takes a part out of a rule.
    pub(super) fn drop(&mut self, rule: &mut Fitted, axis: usize) {
        if axis < self.numbers {
            rule.point[axis] = 0;
            rule.axes.retain(|own| *own != axis);
        } else {
            self.table.axes[axis].1 = vec![0.0];
            self.clauses.retain(|own| *own != axis);
        }
    }

    /// The cost of ignoring each part of a rule, those that cost most first.
    pub(super) fn principles(
        &self,
        rule: &Fitted,
        figures: &Figures,
        player: &mut Player,
    ) -> Result<Vec<Principle>, Stopped> {
        let own = self.table.seat(&rule.point, 0.0);
        let mut principles = Vec::new();
        for (axis, without) in self.parts(rule) {
            let mut example = None;
            if rule.axes.contains(&axis) {
                example = self.example([&own, &without], axis, player)?;
            }
            let companies = 0..self.companies.len();
            let costs = companies.map(|company| figures.less(&without, company));
            principles.push(Principle {
                axis,
                costs: costs.collect(),
                example,
            });
        }
        let worth = |part: &Principle| part.costs[0].value;
        principles.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        Ok(principles)
    }

    /// For each pair of tables, how much less seat 1 wins at the second, in the same games.
    fn shortfalls(
        &self,
        name: &str,
        tables: &[&dyn Play],
        games: Range<u64>,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let firsts = || (0..tables.len()).step_by(2);
        let pairs = firsts().map(|first| (vec![first, first + 1], 0));
        let dealt = self.table.dealt(self.seed);
        let metrics = |_, _| vec![own_share()];
        let mut experiment = Experiment::new(tables.to_vec(), dealt, pairs, &metrics);
        let name = format!("{}{name}", self.table.parts);
        experiment.play_all(&name, "comparing in the same games", games, player)?;
        let less = firsts().map(|first| experiment.difference(own_share(), first, first + 1));
        Ok(less
            .map(|less| less.unwrap_or(Estimate::UNKNOWN).in_points())
            .collect())
    }

    /// The position with the largest gain of the first bot's option, among the first positions of
    /// some games in which two bots decide differently.
    fn example(
        &self,
        bots: [&Seat; 2],
        axis: usize,
        player: &mut Player,
    ) -> Result<Option<ExampleMove>, Stopped> {
        let mut seated = Vec::new();
        for bot in bots {
            // A short name for stories.
            let mut seat = bot.clone();
            seat.person = Some("you".to_string());
            seated.push(self.beside_first(seat)?);
        }
        let [own, other] = [&seated[0], &seated[1]];
        let mut found = Vec::new();
        for game in 0..EXAMPLE_GAMES {
            let [with, without] = [own, other]
                .map(|table| table.course(self.seed, game, story::StoryStyle::for_seat(0)));
            for (moment, same) in with.moments.into_iter().zip(without.moments) {
                if let (What::Decision(options), What::Decision(others)) = (moment.what, same.what)
                    && options.chosen != others.chosen
                {
                    found.push((game, moment.at, moment.position, options, others.chosen));
                    break;
                }
            }
        }
        let layout = own.layout().bare();
        let mut playouts = Vec::new();
        for (_, _, position, options, without) in &found {
            for option in [options.chosen, *without] {
                playouts.push(Playouts {
                    table: own.as_ref(),
                    layout: &layout,
                    from: (position, Some(option)),
                });
            }
        }
        let name = format!("position {axis} ");
        let playouts: Vec<&dyn Play> = playouts.iter().map(|playouts| playouts as _).collect();
        let number = PLAYOUTS * self.table.games / self.table.game.games;
        let number = number.max(PLAYOUTS_MIN);
        let first = OF_EXAMPLES..OF_EXAMPLES + number;
        let again = first.end..first.end + number;
        let gains = self.shortfalls(&name, &playouts, first, player)?;
        let best = (0..gains.len()).max_by(|&a, &b| gains[a].low.total_cmp(&gains[b].low));
        let Some(best) = best else { return Ok(None) };
        // Fresh playouts, because luck helped to pick the best.
        let pair = &playouts[2 * best..2 * best + 2];
        let name = format!("{name}again ");
        let gain = self.shortfalls(&name, pair, again, player)?[0];
        if gain.low <= 0.0 {
            return Ok(None);
        }
        let (game, at, _, options, without) = found.swap_remove(best);
        let mut board = options.board;
        if let Some(board) = &mut board {
            board.options = Vec::from_iter(board.options.get(options.chosen).cloned());
        }
        Ok(Some(ExampleMove {
            game,
            at,
            options: [options.chosen, without].map(|option| options.names[option].clone()),
            standing: options.standing,
            board,
            gain,
        }))
    }
}
