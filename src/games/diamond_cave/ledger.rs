//! What the kernel writes into a record, during a game and at its end.

use super::cave::has;
use super::kernel::Player;
use super::outcomes as o;
use super::rules::GAINED_POINTS;
use crate::game::{Record, SCORE, WIN, WIN_UNITS};

impl Player<'_> {
    /// Notes where a diamond was gained, if one was.
    #[inline(always)]
    pub(super) fn count_gained(&self, place: usize, gained: Option<u8>, record: &mut Record) {
        if let Some(cell) = gained {
            let layout = &self.kernel.layout;
            let row = layout.counts_offset(o::GAINED_AT) + usize::from(cell) * layout.seats;
            record.counts[row + self.bot_at(place)] += 1;
        }
    }

    /// Notes what a turn came to.
    pub(super) fn count_turn(&self, place: usize, record: &mut Record) {
        let layout = &self.kernel.layout;
        let bot = self.bot_at(place);
        let turn = self.deeds[place].turns as usize - 1;
        if turn < o::TURNS_TOLD {
            let row = layout.counts_offset(o::LENGTHS) + turn * 2 * layout.seats;
            let length = self.cave.diggers[place].length;
            record.counts[row + 2 * bot] += 1;
            record.counts[row + 2 * bot + 1] += u64::from(length);
        }
        let digs = (self.turn_digs as usize).min(o::DIGS_TOLD - 1);
        record.counts[layout.counts_offset(o::TURN_DIGS) + digs * layout.seats + bot] += 1;
    }

    /// Points, winners and everything that is known only at the end.
    pub(super) fn record(&self, starter: usize, capped: bool, game: usize, record: &mut Record) {
        let (kernel, layout) = (self.kernel, &self.kernel.layout);
        let players = layout.seats;
        let diggers = &self.cave.diggers[..players];
        let rank = |place: usize| {
            let own = &diggers[place];
            (own.points(), own.gained, own.length)
        };
        let best = (0..players).map(rank).max().unwrap_or_default();
        let winners = (0..players).filter(|&place| rank(place) == best).count() as i32;
        let mut turns = 0;
        let mut gained = 0;
        let mut second = i32::MIN;
        let mut best_seen = false;
        for (place, own) in diggers.iter().enumerate() {
            let (deeds, bot) = (&self.deeds[place], self.bot_at(place));
            let score = own.points();
            let won = match rank(place) == best {
                true => WIN_UNITS / winners,
                false => 0,
            };
            for (outcome, value) in [
                (WIN, won),
                (SCORE, score),
                (o::GAINED, own.gained),
                (o::LENGTH, i32::from(own.length)),
                (o::TURNS, deeds.turns),
                (o::PLANS, deeds.plans),
                (o::DIGS, deeds.digs),
                (o::RIGHT, deeds.right),
                (o::BLOCKED, deeds.blocked),
                (o::TURNED, deeds.turned),
            ] {
                record.set(layout.seat_column(bot, outcome), game, value);
            }
            let mut parts = [GAINED_POINTS * own.gained, 0, 0, 0];
            for cell in own.cells() {
                let kind = kernel.ground.kinds[usize::from(self.cave.cards[usize::from(cell)])];
                let worth = kernel.rules.worth(kind, has(self.cave.diamonds, cell));
                (0..3).for_each(|part| parts[part + 1] += worth[part]);
            }
            let row = layout.counts_offset(o::PARTS) + 4 * bot;
            (0..4).for_each(|part| record.counts[row + part] += parts[part] as u64);
            let order = (place + players - starter) % players;
            let row = layout.counts_offset(o::ORDER) + (order * players + bot) * 3;
            record.counts[row] += 1;
            record.counts[row + 1] += won as u64;
            record.counts[row + 2] += score as u64;
            if order == 0 {
                record.set(layout.table_column(o::STARTER_WIN), game, won);
            }
            turns += deeds.turns;
            gained += own.gained;
            match score == best.0 && !best_seen {
                true => best_seen = true,
                false => second = second.max(score),
            }
        }
        for (outcome, value) in [
            (o::TABLE_TURNS, turns),
            (o::ACTIONS, self.actions),
            (o::TABLE_GAINED, gained),
            (o::MARGIN, best.0 - second),
            (o::SHARED, i32::from(winners > 1)),
            (o::CAPPED, i32::from(capped)),
        ] {
            record.set(layout.table_column(outcome), game, value);
        }
        let row = (turns as usize).min(o::GAME_TURNS_TOLD - 1);
        let at = layout.counts_offset(o::GAME_TURNS) + 2 * row;
        record.counts[at] += 1;
        record.counts[at + 1] += u64::from(capped);
    }
}
