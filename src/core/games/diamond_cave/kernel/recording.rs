//! Recording: some outcomes during a game, the rest at its end.

use super::game::Game;
use super::ground::DIAMOND;
use crate::game::{ByUse, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::{GAINED_POINTS, PLAYERS_MAX};

impl Game<'_> {
    #[inline(always)]
    pub(super) fn count_gained(&self, gained: Option<u8>, record: &mut Record) {
        if let Some(spot) = gained {
            let (layout, cell) = (&self.kernel.layout, self.kernel.ground.cell_of[spot]);
            record.counts[layout.count(o::GAINED_AT, usize::from(cell), self.bot())] += 1;
        }
    }

    pub(super) fn count_turn(&self, record: &mut Record) {
        let layout = &self.kernel.layout;
        let (place, bot) = (self.place, self.bot());
        let turn = self.outcomes[place][o::TURNS] as usize - 1;
        if turn < o::TURN_ROWS {
            let at = layout.count(o::LENGTHS, turn, 2 * bot);
            let length = self.cave.tunnels[place].length;
            record.counts[at] += 1;
            record.counts[at + 1] += u64::from(length);
        }
        let digs = (self.turn_digs as usize).min(o::DIG_ROWS - 1);
        record.counts[layout.count(o::TURN_DIGS, digs, bot)] += 1;
    }

    pub(super) fn record(&mut self, capped: bool, record: &mut Record) {
        let (kernel, layout) = (self.kernel, &self.kernel.layout);
        let (game, starter) = (self.index, self.starter);
        let players = layout.seats;
        let tunnels = &self.cave.tunnels[..players];
        let rank = |place: usize| {
            let own = &tunnels[place];
            (own.points(), own.gained, own.length)
        };
        let best = (0..players).map(rank).max().unwrap_or_default();
        let winners = (0..players).filter(|&place| rank(place) == best).count() as i32;
        let mut scores = [i32::MIN; PLAYERS_MAX];
        for (place, own) in tunnels.iter().enumerate() {
            let (outcomes, bot) = (&mut self.outcomes[place], self.places.bot_at(place));
            let score = own.points();
            scores[place] = score;
            let won = i32::from(rank(place) == best) * WIN_UNITS / winners;
            outcomes[WIN] = won;
            outcomes[SCORE] = score;
            outcomes[o::GAINED] += own.gained;
            outcomes[o::LENGTH] = i32::from(own.length);
            record.set_all(layout.seat_column(bot, 0), game, outcomes);
            let mut parts = [GAINED_POINTS * own.gained, 0, 0, 0];
            for spot in self.cave.spots(own) {
                let kind = kernel.ground.card(self.cave.cards[spot]).kind;
                let diamond = self.cave.states[spot] & DIAMOND != 0;
                let worth = kernel.ground.rules.worth(kind, diamond);
                (0..3).for_each(|part| parts[part + 1] += worth[part]);
            }
            let at = layout.count(o::PARTS, bot, 0);
            (0..4).for_each(|part| record.counts[at + part] += parts[part] as u64);
            let order = (place + players - starter) % players;
            let at = layout.count(o::ORDER, order, 3 * bot);
            record.counts[at] += 1;
            record.counts[at + 1] += won as u64;
            record.counts[at + 2] += score as u64;
            for (row, &times) in self.laid[place].iter().enumerate() {
                let at = layout.count(o::BY_CARD, row, ByUse::COLUMNS * bot);
                ByUse::add(&mut record.counts[at..], times, won);
            }
            if order == 0 {
                record.set(layout.table_column(o::STARTER_WIN), game, won);
            }
        }
        for row in 0..o::LAID {
            let times: u32 = self.laid[..players].iter().map(|laid| laid[row]).sum();
            record.set(layout.table_column(o::DUG_TORCH + row), game, times as i32);
        }
        scores.sort_unstable();
        let outcomes = &self.outcomes[..players];
        let all = |of: usize| outcomes.iter().map(|own| own[of]).sum();
        let turns: i32 = all(o::TURNS);
        for (outcome, value) in [
            (o::TABLE_TURNS, turns),
            (o::ACTIONS, self.actions),
            (o::TABLE_GAINED, all(o::GAINED)),
            (o::MARGIN, best.0 - scores[PLAYERS_MAX - 2]),
            (o::SHARED, i32::from(winners > 1)),
            (o::CAPPED, i32::from(capped)),
            (o::DECISIONS, self.decision as i32),
        ] {
            record.set(layout.table_column(outcome), game, value);
        }
        let row = (turns as usize).min(o::GAME_TURN_ROWS - 1);
        let at = layout.count(o::GAME_TURNS, row, 0);
        record.counts[at] += 1;
        record.counts[at + 1] += u64::from(capped);
    }
}
