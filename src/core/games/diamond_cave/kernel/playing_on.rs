//! Playing on from the middle of a game: the same kernel, started from a snapshot.
//!
//! Hidden cards are dealt anew for each playout, uniformly over the places where they may lie.

use super::Kernel;
use super::cave::{Cave, has};
use super::game::Game;
use super::ground::OPEN;
use crate::game::Record;
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::snapshot::Snapshot;
use crate::streams::{self, below};
use fearless_simd::Level;

/// Hidden information: the cards, and the spots of the board where some of them lie. The rest are
/// in the deck or, where nothing is remembered, among those gained.
struct Hidden {
    cards: Vec<u8>,
    spots: Vec<u8>,
}

impl Hidden {
    fn of(kernel: &Kernel, cave: &Cave) -> Hidden {
        let ground = &kernel.ground;
        let known = cave.known(ground);
        let mut spots = ground.spot_of.clone();
        spots.retain(|&spot| cave.states[spot] & OPEN != 0 && !has(known, cave.cards[spot]));
        let cards = 0..ground.rules.cards.len() as u8;
        let cards = cards.filter(|&card| !has(known, card)).collect();
        Hidden { cards, spots }
    }
}

impl Kernel {
    /// Plays on from `from` until `record` is full; with an option, after that choice. Games end
    /// after `turns` more turns.
    pub fn play_on(
        &self,
        level: Level,
        (from, option, turns): (&Snapshot, Option<usize>, u32),
        (seed, first): (u64, u64),
        record: &mut Record,
    ) {
        let mut played = Record::new(&self.layout, record.games());
        let cave = Cave::standing(&self.ground, from);
        let hidden = Hidden::of(self, &cave);
        let dealt = hidden.spots.len() + cave.deck_left();
        let mut cards = hidden.cards.clone();
        self.play_all(level, None, &mut played, |game, played| {
            let key = streams::game_key(seed, first.wrapping_add(game.index as u64));
            let mut luck = streams::phase_rng(key, 0);
            game.cave.clone_from(&cave);
            cards.copy_from_slice(&hidden.cards);
            for at in 0..dealt {
                let left = cards.len() - at;
                cards.swap(at, at + below(&mut luck, left));
            }
            let (board, deck) = cards[..dealt].split_at(hidden.spots.len());
            for (&spot, &card) in hidden.spots.iter().zip(board) {
                game.cave.cards[spot] = card;
            }
            game.cave.stack(deck);
            game.stops_in = turns;
            game.go_on(from, option, key, played)
        });
        record.ends_of(&self.layout, &played);
    }
}

impl Game<'_> {
    /// Continues from a snapshot that was laid out, with the bots' luck of `key`, up to the next
    /// choice; returns whether there is one.
    fn go_on(
        &mut self,
        from: &Snapshot,
        option: Option<usize>,
        key: u64,
        record: &mut Record,
    ) -> bool {
        let players = self.kernel.ground.players;
        self.key = key;
        self.places = from.places;
        self.place = from.place;
        self.decision = from.decision;
        self.turns_left = from.turns_left;
        self.turn_digs = from.turn_digs;
        self.forget_outcomes();
        for (outcomes, player) in self.outcomes.iter_mut().zip(&from.players) {
            outcomes[o::TURNS] = player.turns;
            outcomes[o::GAINED] = -player.gained;
        }
        let tunnels = from.players.iter().map(|player| &player.tunnel);
        let begun = tunnels.filter(|tunnel| !tunnel.is_empty());
        self.starter = (from.place + players - begun.count()) % players;
        self.choices.clear();
        for &choice in &from.choices {
            self.choices.push(choice);
        }
        match option {
            Some(option) => {
                // Later decisions have the same random numbers, no matter which seat took this one.
                self.decision += 1;
                self.take(from.choices[option], record)
            }
            None => true,
        }
    }
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_cave/kernel/playing_on.rs"]
mod tests;
