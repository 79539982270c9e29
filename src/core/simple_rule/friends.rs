//! Several players with one rule at a table, and a number of their own for each.

use super::figures::Figures;
use super::{Fitted, RuleSearch};
use crate::simulation::{Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::Seat;
use serde::{Deserialize, Serialize};

/// The tried spreads of a personal number, a whole number, as parts of the largest.
const SPREADS: [f64; 5] = [0.17, 0.25, 0.34, 0.42, 0.5];
/// Number of the first games that choose the personal number.
const OF_SPREAD: u64 = 1 << 41;
/// Games with each of them, as a part of the number of games.
const SPREAD_PART: f64 = 0.05;

/// The win share of each of several players with the same rule.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Friends {
    pub users: usize,
    pub same: Estimate,
    /// The win share with personal numbers, if the family has one.
    pub personal: Option<Estimate>,
}

impl RuleSearch {
    /// In how many ways the first company can begin: in its order from each of its bots on.
    pub(super) fn turns(&self) -> usize {
        let company = &self.companies[0];
        let is_mixed = company.iter().any(|bot| *bot != company[0]);
        if is_mixed { company.len() } else { 1 }
    }

    /// The turns to play beside so many users: one where the whole company sits, or none of it.
    pub(super) fn turns_of(&self, users: usize) -> usize {
        if (2..self.table.players).contains(&users) {
            self.turns()
        } else {
            1
        }
    }

    /// The numbers of players with the rule.
    pub(super) fn users(&self) -> Vec<usize> {
        let players = self.table.players;
        let mut users: Vec<usize> = vec![1, 2, 3, players];
        users.retain(|users| *users <= players);
        users.dedup();
        users
    }

    pub(super) fn spread_games(&self) -> u64 {
        let tables = SPREADS.len() * (1 + self.turns());
        tables as u64 * self.games(SPREAD_PART)
    }

    /// The bot with the personal number that is best for one or two users of a rule.
    pub(super) fn personal(
        &self,
        rule: &Fitted,
        player: &mut Player,
    ) -> Result<Option<Seat>, Stopped> {
        if self.table.spread == 0.0 || self.table.players < 3 {
            return Ok(None);
        }
        let mut seats = Vec::from(SPREADS.map(|spread| self.table.seat(&rule.point, spread)));
        let mut worth = vec![0.0; seats.len()];
        for users in [1, 2] {
            let turns = self.turns_of(users);
            for turn in 0..turns {
                let mut company = self.companies[0].clone();
                company.rotate_left(turn);
                let mut tables = Vec::new();
                for seat in &seats {
                    tables.push(self.beside(&vec![seat.clone(); users], &company)?);
                }
                let name = format!("spreads of {users} turn {turn} ");
                let games = self.games(SPREAD_PART);
                let first = OF_SPREAD + turn as u64 * games;
                let shares = self.shares(&tables, &name, first..first + games, player)?;
                for (worth, share) in worth.iter_mut().zip(shares) {
                    *worth += share.value / turns as f64;
                }
            }
        }
        let best = (0..seats.len()).max_by(|&a, &b| worth[a].total_cmp(&worth[b]));
        Ok(best.map(|best| seats.swap_remove(best)))
    }

    /// The win shares of several players with one rule, without and with a personal number.
    pub(super) fn friends(
        &self,
        rule: &Fitted,
        personal: Option<&Seat>,
        figures: &Figures,
    ) -> Vec<Friends> {
        let same = self.table.seat(&rule.point, 0.0);
        let share = |bot: &Seat, users| figures.share_of_users(&vec![bot.clone(); users]);
        let of = |users| Friends {
            users,
            same: share(&same, users),
            personal: personal.map(|bot| share(bot, users)),
        };
        self.users().into_iter().map(of).collect()
    }
}
