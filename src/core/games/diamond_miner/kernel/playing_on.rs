//! Playing on from the middle of a game: the same kernel, started from a snapshot.
//!
//! All cards are open except the order of the ore deck, which is the luck of each playout.

use super::recording::Book;
use super::state::{PackedRules, Pile, State};
use super::words::{Word, one, pack};
use super::{Game, Kernel};
use crate::game::Record;
use crate::games::diamond_miner::cards::{DIAMOND, ORE};
use crate::games::diamond_miner::kernel::moves::{STAYS, Step};
use crate::games::diamond_miner::snapshot::{Fronts, PlainMove, PlainStack, Snapshot};
use crate::streams;
use fearless_simd::Level;

impl Kernel {
    /// Plays on from `from` until `record` is full; with an option, after that choice: 0 ends the
    /// turn, and the moves follow. Games end after `turns` turns.
    pub fn play_on(
        &self,
        level: Level,
        (from, option, turns): (&Snapshot, Option<usize>, u32),
        (seed, first): (u64, u64),
        record: &mut Record,
    ) {
        let mut played = Record::new(&self.layout, record.games());
        let start = State::standing(&self.rules, from);
        self.with_buffers(|buffers| {
            for index in 0..record.games() {
                let key = streams::game_key(seed, first.wrapping_add(index as u64));
                buffers.state.clone_from(&start);
                let book = Book::open(&self.layout, from.places, &mut played, index);
                let mut game = self.game(level, buffers, book, key);
                game.stops_in = turns;
                game.go_on(from, option);
            }
        });
        record.ends_of(&self.layout, &played);
    }
}

impl Game<'_> {
    fn go_on(mut self, from: &Snapshot, option: Option<usize>) {
        let seat = from.place;
        self.buffers.others_listed = false;
        self.decision = from.decision;
        let mine = &self.buffers.state.mines[seat];
        self.book.turn(seat, from.round, mine.production);
        let step = match option {
            Some(option) => {
                // Later decisions have the same random numbers, no matter which seat took this one.
                self.decision += 1;
                let chosen = option.checked_sub(1).map(|chosen| &from.moves[chosen]);
                chosen.map(|chosen| self.buffers.state.step(&self.kernel.rules, seat, chosen))
            }
            None => self.decide(seat, from.made),
        };
        if let Some(step) = step {
            self.make(seat, step);
            self.moves(seat, from.made + 1);
        }
        self.end_turn(seat);
        let won = self.has_won(seat) || self.rounds(from.round, seat + 1);
        self.close(won);
    }
}

impl State {
    fn standing(rules: &PackedRules, from: &Snapshot) -> State {
        let mut state = State::new();
        for (mine, stacks) in state.mines.iter_mut().zip(&from.tables) {
            for stack in stacks {
                match stack.top.class() {
                    DIAMOND => mine.holdings += one(DIAMOND),
                    _ => mine.put(&rules.packed(stack)),
                }
            }
        }
        let mut bank = from.bank.map(|copies| copies as u8);
        bank[ORE] = from.deck.iter().chain(&from.discard).sum();
        state.bank = pack(&bank);
        (state.deck, state.discard) = (fronts(&from.deck), fronts(&from.discard));
        state
    }

    fn step(&self, rules: &PackedRules, seat: usize, chosen: &PlainMove) -> Step {
        let find = |owner: usize, stack: &PlainStack| {
            let wanted = rules.packed(stack).rank();
            let mut piles = self.mines[owner].piles().iter();
            let found = piles.position(|pile| pile.rank() == wanted);
            found.expect("a snapshot's moves move what is there") as u8
        };
        Step {
            source: find(seat, &chosen.source),
            owner: chosen.owner as u8,
            target: find(chosen.owner, &chosen.target),
            option: chosen.option.map_or(STAYS, |option| option as u8),
        }
    }
}

impl PackedRules {
    fn packed(&self, stack: &PlainStack) -> Pile {
        self.stack(stack.top, fronts(&stack.fronts), pack(&stack.classes))
    }
}

fn fronts(copies: &Fronts) -> Word {
    let copies = copies.map(Word::from).into_iter().enumerate();
    copies.map(|(front, copies)| copies * one(front)).sum()
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_miner/kernel/playing_on.rs"]
mod tests;
