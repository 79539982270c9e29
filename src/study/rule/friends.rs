//! Several players with one rule at a table, and a number of their own for each.

use super::{FIGURE_PART, Fitted, OF_FIGURES, Resolved};
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::Seat;

/// The tried spreads of a personal number, a whole number, as parts of the largest.
pub(super) const SPREADS: [f64; 5] = [0.17, 0.25, 0.34, 0.42, 0.5];
/// Number of the first games that choose the personal number.
const OF_SPREAD: u64 = 1 << 41;

/// The win share of each of several players with the same rule.
pub struct Friends {
    pub users: usize,
    pub same: Estimate,
    /// The win share with personal numbers, if the family has one.
    pub personal: Option<Estimate>,
}

impl Resolved {
    /// In how many ways the first company can begin: in its order from each of its bots on.
    pub(super) fn turns(&self) -> usize {
        let company = &self.companies[0].1;
        let is_mixed = company.iter().any(|bot| *bot != company[0]);
        if is_mixed { company.len() } else { 1 }
    }

    /// The win shares of bots at the first seats beside the first company. Where only some of the
    /// company can sit, its bots take turns.
    fn shares_in_turn(
        &self,
        bots: &[Vec<Seat>],
        name: &str,
        first: u64,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let mut company = self.companies[0].1.clone();
        let games = self.games(FIGURE_PART);
        let mut found: Vec<Vec<Estimate>> = vec![Vec::new(); bots.len()];
        for turn in 0..self.turns() as u64 {
            let mut places = Vec::new();
            let mut tables = Vec::new();
            for (place, own) in bots.iter().enumerate() {
                if turn == 0 || (2..self.table.players).contains(&own.len()) {
                    places.push(place);
                    tables.push(self.beside(own, &company)?);
                }
            }
            let name = match turn {
                0 => name.to_string(),
                _ => format!("{name}turn {turn} "),
            };
            let first = first + turn * games;
            let shares = self.shares(&tables, &name, first, games, player)?;
            for (place, share) in places.into_iter().zip(shares) {
                found[place].push(share);
            }
            company.rotate_left(1);
        }
        Ok(found.iter().map(|turns| Estimate::mean_of(turns)).collect())
    }

    /// The win shares of several players with one rule, and the bot with the personal number that
    /// is best for one or two of them.
    pub(super) fn friends(
        &self,
        rule: &Fitted,
        player: &mut Player,
    ) -> Result<(Vec<Friends>, Option<Seat>), Stopped> {
        let players = self.table.players;
        let mut personal = None;
        if self.table.spread > 0.0 && players > 2 {
            let mut seats = Vec::from(SPREADS.map(|spread| self.table.seat(&rule.point, spread)));
            let users = |seat: &Seat| [1, 2].map(|users| vec![seat.clone(); users]);
            let bots = Vec::from_iter(seats.iter().flat_map(users));
            let shares = self.shares_in_turn(&bots, "spread ", OF_SPREAD, player)?;
            let worth = |spread: usize| shares[2 * spread].value + shares[2 * spread + 1].value;
            let best = (0..seats.len()).max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
            personal = best.map(|best| seats.swap_remove(best));
        }
        let mut users: Vec<usize> = vec![1, 2, 3, players];
        users.retain(|users| *users <= players);
        users.dedup();
        let same = self.table.seat(&rule.point, 0.0);
        let mut firsts = Vec::new();
        for kind in [&same].into_iter().chain(&personal) {
            firsts.extend(users.iter().map(|&users| vec![kind.clone(); users]));
        }
        let mut shares = self.shares_in_turn(&firsts, "friends ", OF_FIGURES, player)?;
        self.add_doubt(&firsts, &mut shares, "draws friends ", player)?;
        let friends = users.iter().enumerate().map(|(at, &own)| Friends {
            users: own,
            same: shares[at],
            personal: shares.get(users.len() + at).copied(),
        });
        Ok((friends.collect(), personal))
    }
}
