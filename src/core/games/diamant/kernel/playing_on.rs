//! Playing on: lanes that begin in the middle of a game.

use super::lanes::{Lanes, MISSED, NOT_YET, PLANES};
use super::prepared::Kernel;
use super::vectors::GROUP;
use crate::games::diamant::outcomes as o;
use crate::games::diamant::rules::{Card, Leftovers};
use crate::games::diamant::snapshot::{Settled, Snapshot};
use crate::strategy::SEATS_MAX;
use fearless_simd::{Simd, prelude::*, u8x64};

/// The common start of every lane, and the first decision.
pub struct Start {
    pub position: Snapshot,
    seen: u8,
    seen_again: [u8; 2],
    rests: [u8; SEATS_MAX - 1],
    decides: bool,
    leftover: u16,
    treasure_left: u16,
    relics: u8,
    relic_worth: u16,
    copies: [u8; 8],
    danger: u8,
    inside: u8,
    /// The seats with a settled first decision, and which of them leave, one bit per seat.
    settled: u8,
    leave: u8,
    /// For each playout, the seats that left at the first decision, one bit each.
    pub leavers: Vec<u8>,
}

/// A set of seats, one bit each.
fn seats(seats: impl Iterator<Item = usize>) -> u8 {
    seats.fold(0, |set, seat| set | 1 << seat)
}

impl Start {
    /// Prepares `playouts` playouts from `position`.
    pub fn new(kernel: &Kernel, position: &Snapshot, settled: &Settled, playouts: usize) -> Start {
        let rules = &kernel.rules;
        let mut copies = [0; 8];
        for card in rules.cards_in(position.in_game) {
            if let Card::Trap(kind) = card {
                copies[usize::from(kind)] += 1;
            }
        }
        let (relics, traps) = position.on_path(rules);
        let mut seen = 0;
        let mut seen_again = [0; 2];
        for kind in traps {
            let kind = 1 << kind;
            seen_again[1] |= kind & seen_again[0];
            seen_again[0] |= kind & seen;
            seen |= kind;
        }
        let mut rests = [0; SEATS_MAX - 1];
        if rules.leftovers == Leftovers::PerCard {
            for &rest in position.piles.iter().filter(|rest| **rest > 0) {
                rests[rest as usize - 1] += 1;
            }
        }
        let danger = (0..8).filter(|kind| seen >> kind & 1 == 1);
        Start {
            position: position.clone(),
            seen,
            seen_again,
            rests,
            decides: position.revealed > 0 || rules.decides_at_entrance(),
            leftover: position.leftover() as u16,
            treasure_left: rules.rubies_in(position.deck) as u16,
            relics: relics.len() as u8,
            relic_worth: relics.iter().sum::<i32>() as u16,
            copies,
            danger: danger.map(|kind| copies[kind] - 1).sum(),
            inside: seats(position.inside()),
            settled: seats((0..kernel.layout.seats).filter(|&seat| settled[seat].is_some())),
            leave: seats((0..kernel.layout.seats).filter(|&seat| settled[seat] == Some(true))),
            leavers: vec![0; playouts],
        }
    }

    /// Puts the lane into the position; the lane's game is set already.
    #[inline(always)]
    pub fn fill(&self, lanes: &mut Lanes, lane: usize) {
        let position = &self.position;
        lanes.round.0[lane] = position.round as u8;
        let [deck, in_game] = [position.deck, position.in_game].map(u64::to_le_bytes);
        for plane in 0..PLANES {
            lanes.deck[plane].0[lane] = deck[plane];
            lanes.in_game[plane].0[lane] = in_game[plane];
        }
        lanes.deck_size.0[lane] = (position.deck.count_ones() + position.revealed) as u8;
        lanes.seen.0[lane] = self.seen;
        for (bytes, byte) in lanes.seen_again.iter_mut().zip(self.seen_again) {
            bytes.0[lane] = byte;
        }
        for (bytes, byte) in lanes.rests.iter_mut().zip(self.rests) {
            bytes.0[lane] = byte;
        }
        lanes.revealed.0[lane] = position.revealed as u8;
        lanes.just_left.0[lane] = position.just_left as u8;
        lanes.held.0[lane] = position.held as u16;
        lanes.leftover.0[lane] = self.leftover;
        lanes.treasure_left.0[lane] = self.treasure_left;
        lanes.relics.0[lane] = self.relics;
        lanes.relic_worth.0[lane] = self.relic_worth;
        lanes.claimed.0[lane] = position.claimed as u8;
        for (copies, here) in lanes.copies.iter_mut().zip(self.copies) {
            copies.0[lane] = here;
        }
        lanes.danger.0[lane] = self.danger;
        lanes.inside.0[lane] = self.inside;
        lanes.pending.0[lane] = 0;
        lanes.trap.0[lane] = MISSED;
        lanes.fresh.0[lane] = if self.decides { u8::MAX } else { 0 };
        for (seat, explorer) in position.explorers.iter().enumerate() {
            lanes.left_at[seat].0[lane] = NOT_YET[lane / GROUP][lane % GROUP];
            lanes.chest[seat].0[lane] = explorer.chest as u16;
            lanes.chest_high[seat].0[lane] = (explorer.chest >> 16) as u16;
            lanes.seat_counters[seat][o::LEFT].0[lane] = explorer.relics as u16;
        }
    }

    /// The leavers of the first decision; unsettled seats follow the bots' `wishes`.
    #[inline(always)]
    pub fn settle<S: Simd>(&self, simd: S, wishes: u8x64<S>) -> u8x64<S> {
        wishes & u8x64::splat(simd, !self.settled) | u8x64::splat(simd, self.leave)
    }

    /// Records the leavers of the first decision in the `fresh` lanes of a group.
    #[inline(always)]
    pub fn note(&mut self, games: &[u32], group: usize, fresh: u64, leavers: &[u8]) {
        let mut left = fresh;
        while left != 0 {
            let lane = group * GROUP + left.trailing_zeros() as usize;
            left &= left - 1;
            self.leavers[games[lane] as usize] = leavers[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::formula::Formula;
    use crate::game::moments::{Course, What};
    use crate::game::story::StoryStyle;
    use crate::game::{Play, Record, SCORE, Table, WIN};
    use crate::games::diamant::features::VOCABULARY;
    use crate::games::diamant::referee::{self, Hands};
    use crate::games::diamant::rules::{DiamantRules, EDITIONS};
    use crate::games::diamant::snapshot::{Point, Settled};
    use crate::games::diamant::{DiamantTable, seated};
    use crate::strategy::SEATS_MAX;
    use crate::streams;
    use fearless_simd::Level;

    /// Bots that use all features, some of them random numbers.
    const BOTS: [&str; 8] = [
        "held + leftover >= 9 or random < 0.1",
        "bust_risk * (held + relic_worth) > 0.9 or cards_left < 4",
        "if chest < best_other_chest then traps_seen > 2 else traps_seen > 1 or just_left > 1",
        "random < held / 20 + relics_on_path / 4",
        "cards_revealed >= 6 or treasure_left < 60 or explorers == 1 and held > 4",
        "rank == 1 and held > 3 or round == 2 and held > 12 or bust_risk > 0.2",
        "held > best_inside / 4 and random < 0.7",
        "chest + held > best_outside and rounds_left < 2 or held > 12",
    ];

    /// Playouts from a moment.
    const PLAYOUTS: usize = 8;

    fn table(rules: &str, bots: &[&str]) -> DiamantTable {
        let rules = DiamantRules::from_toml("rules", rules).expect("rules");
        let formulas: Vec<Formula> = bots
            .iter()
            .map(|bot| Formula::parse(bot, &[], &VOCABULARY).expect("a formula"))
            .collect();
        let names: Vec<String> = (1..=bots.len()).map(|seat| format!("bot {seat}")).collect();
        let kernel = seated(&rules, &formulas, &names, 0).expect("bots that may look");
        DiamantTable {
            formulas,
            names,
            people: vec![false; bots.len()],
            kernel,
        }
    }

    fn points(course: &Course) -> impl Iterator<Item = (&Point, &What)> + Clone {
        let moments = course.moments.iter();
        moments.map(|moment| (moment.position.of(), &moment.what))
    }

    #[test]
    fn the_kernel_plays_the_referees_playouts() {
        let reshuffled = EDITIONS[0].text.replace("\"leave-game\"", "\"reshuffled\"");
        let treasures = "treasures = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]";
        let few = (EDITIONS[0].text).replace(treasures, "treasures = [1, 2, 200]");
        let wide = EDITIONS[0]
            .text
            .replace("17]", "255, 255, 255, 255, 255, 255, 255, 255, 255]")
            .replace("rounds = 5", "rounds = 20");
        let house = EDITIONS[4]
            .text
            .replace("\"before-decision\"", "\"after-decision\"")
            .replace("\"pooled\"", "\"per-card\"")
            .replace("traps_to_end = 2", "traps_to_end = 3")
            .replace("\"listed\"", "\"shuffled\"");
        let after = house.replace("\"before-reveal\"", "\"after-reveal\"");
        let texts = EDITIONS.iter().map(|edition| edition.text);
        let changed = [reshuffled.as_str(), &few, &wide, &house, &after];
        let texts: Vec<&str> = texts.chain(changed).collect();
        for (number, text) in texts.into_iter().enumerate() {
            for seats in 1..=8 {
                let mut bots = BOTS;
                bots.rotate_left((number + seats) % BOTS.len());
                if text.contains("\"hidden\"") {
                    bots = [0, 1, 3, 4, 0, 1, 3, 4].map(|bot| BOTS[bot]);
                }
                let table = table(text, &bots[..seats]);
                for game in 0..2 {
                    let course = table.course(number as u64, game, StoryStyle::PLAIN);
                    let some = points(&course).enumerate().skip(seats % 7).step_by(7);
                    for (at, (point, what)) in some {
                        let option = match what {
                            What::Decision(_) => Some(at % 2),
                            What::Event(_) => None,
                        };
                        let mut settled: Settled = point.settled;
                        if let (Some(seat), Some(option)) = (point.seat, option) {
                            settled[seat] = Some(option == 1);
                        }
                        let mut record = Record::new(&table.layout().bare(), PLAYOUTS);
                        record.clear(PLAYOUTS);
                        table.play_point(Level::new(), (point, option), (9, 0), &mut record);
                        for playout in 0..PLAYOUTS {
                            let key = streams::game_key(9, playout as u64);
                            let hands = Hands::Bots(&table.formulas, key);
                            let start = (&point.position, &settled);
                            let result = referee::play_on(&table.kernel.rules, hands, start);
                            let columns = |outcome: usize| -> Vec<i32> {
                                let own = |seat| record.column(2 * seat + outcome)[playout];
                                (0..seats).map(own).collect()
                            };
                            let context =
                                format!("rules {number}, {seats} seats, {point:?}, {option:?}");
                            assert_eq!(columns(SCORE), result.chests(), "{context}");
                            assert_eq!(columns(WIN), result.wins(), "{context}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn moments_lead_through_the_whole_game() {
        let table = table(EDITIONS[3].text, &BOTS[..5]);
        for game in 0..20 {
            let course = table.course(3, game, StoryStyle::PLAIN);
            let rounds: Vec<u32> = points(&course)
                .map(|(point, _)| point.position.round)
                .collect();
            assert!(rounds.is_sorted() && rounds.contains(&0) && rounds.contains(&4));
            let mut open = points(&course).filter(|(_, what)| matches!(what, What::Decision(_)));
            assert!(open.all(|(point, _)| point.settled == [None; SEATS_MAX]));
        }
    }
}
