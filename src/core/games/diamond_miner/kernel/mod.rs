//! Many games of Diamond Miner, one after the other, without allocating anything per game.
//!
//! The same game as the referee's, on the packed table of `state`. The moves of a decision are
//! rows. Most are cached as worse than ending the turn, and are skipped by a bit; nearly all others
//! have cached scores. For the rest, a batch at a time, the bot's formula is evaluated.

use super::cards::{CLASSES, Card, ORE, SHIELD, SWORD};
use super::rules::{MinerRules, SEATS_MAX};
use crate::dispatch;
use crate::formula::program::{LANES, ProgramTooLarge, RegisterFile};
use crate::formula::{Formula, Value};
use crate::game::practice::{Offer, Pick};
use crate::game::{Layout, Record, Seating, first_alike};
use crate::streams::{self, below};
use fearless_simd::{Level, Simd};
use rand_xoshiro::Xoshiro128PlusPlus;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

mod batch;
mod bot;
mod features;
mod moves;
mod playing_on;
mod recording;
mod scores;
mod state;
mod words;

use batch::{Batch, Best, Row, Words};
use bot::Bot;
use features::{View, reach_of_others};
use moves::{Load, STAYS, Step, Target};
use recording::Book;
use scores::Scores;
use state::{PILES_MAX, PackedRules, State};
use words::{Word, count, one};

thread_local! {
    /// The buffers of the kernel that played last on this thread, and its number: the caches of its
    /// bots serve the next chunk, too.
    static LAST: Cell<Option<(u64, Buffers)>> = const { Cell::new(None) };
}

static NEXT: AtomicU64 = AtomicU64::new(0);

pub struct Kernel {
    number: u64,
    rules: PackedRules,
    pub layout: Layout,
    seating: Seating,
    bots: Vec<Bot>,
    /// For each bot, the first bot with the same formula: they share a cache.
    alike: Vec<usize>,
}

struct Buffers {
    state: State,
    files: Vec<RegisterFile>,
    rooms: Vec<Vec<Value>>,
    scores: Vec<Scores>,
    /// The mover's own stacks.
    own: Vec<Target>,
    /// The stacks of others that cards may go under,
    others: Vec<Target>,
    /// the cards that others can add to stacks in their next turn,
    others_reach: Word,
    /// and whether both are up to date.
    others_listed: bool,
    worse: Words,
    rows: Vec<Row>,
    best: Best,
    /// By recipe and bot, its uses in this game.
    uses: Vec<u32>,
}

/// Most different stacks of all miners. Different stacks hold at least two cards each, apart from
/// the loose ones.
const TARGETS_MAX: usize = 6 * 13 + 25;

const _: () = assert!(TARGETS_MAX <= u128::BITS as usize, "a bit for each");

struct Game<'a> {
    buffers: &'a mut Buffers,
    book: Book<'a>,
    kernel: &'a Kernel,
    level: Level,
    /// The caller's pick, and the game's number in the record.
    picker: Option<(Pick<'a>, usize)>,
    key: u64,
    luck: Xoshiro128PlusPlus,
    ties: Xoshiro128PlusPlus,
    decision: u64,
    /// Turns that begin before a playout stops, and one.
    stops_in: u32,
}

impl Kernel {
    /// Prepares a table; `formulas` are the bots' bound formulas, by seat. The bots decide, or show
    /// the caller what they see.
    pub fn new(
        rules: &MinerRules,
        layout: Layout,
        formulas: &[Formula],
        seating: Seating,
        shows: bool,
    ) -> Result<Self, ProgramTooLarge> {
        let packed = PackedRules::new(rules);
        let bots = formulas.iter();
        let bots = bots.map(|formula| Bot::new(formula, &packed, shows));
        Ok(Kernel {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            layout,
            seating,
            bots: bots.collect::<Result<_, _>>()?,
            alike: first_alike(formulas),
            rules: packed,
        })
    }

    /// Plays games `first ..` of `seed` until `record` is full. `pick` decides if the bots show
    /// what they see.
    pub fn play(&self, level: Level, luck: (u64, u64), pick: Option<Pick>, record: &mut Record) {
        self.with_buffers(|buffers| self.play_with(buffers, level, luck, pick, record));
    }

    /// Lends buffers: those of this thread if they are this kernel's.
    fn with_buffers(&self, play: impl FnOnce(&mut Buffers)) {
        let last = LAST.take().filter(|(kernel, _)| *kernel == self.number);
        let mut buffers = last.map_or_else(|| self.buffers(), |(_, buffers)| buffers);
        play(&mut buffers);
        LAST.set(Some((self.number, buffers)));
    }

    fn buffers(&self) -> Buffers {
        let options = self.rules.transforms.iter().map(Vec::len).max();
        let moves_max = PILES_MAX * TARGETS_MAX * options.unwrap_or(0).max(1);
        let bots = self.bots.iter();
        Buffers {
            state: State::new(),
            files: bots.map(|bot| bot.program.register_file()).collect(),
            rooms: self.bots.iter().map(|bot| bot.parts.room()).collect(),
            scores: self.bots.iter().map(Scores::new).collect(),
            own: Vec::with_capacity(PILES_MAX),
            others: Vec::with_capacity(TARGETS_MAX),
            others_reach: 0,
            others_listed: false,
            worse: [0; 128],
            rows: Vec::with_capacity(LANES),
            best: Best::new(moves_max + 1),
            uses: vec![0; self.rules.plain.recipes.len() * self.bots.len()],
        }
    }

    fn play_with(
        &self,
        buffers: &mut Buffers,
        level: Level,
        (seed, first): (u64, u64),
        mut pick: Option<Pick>,
        record: &mut Record,
    ) {
        for index in 0..record.games() {
            let number = first.wrapping_add(index as u64);
            let key = streams::game_key(seed, number);
            let places = self.seating.places(self.bots.len(), number);
            buffers.state.start(&self.rules);
            let book = Book::open(&self.layout, places, record, index);
            let mut game = self.game(level, buffers, book, key);
            game.picker = match &mut pick {
                Some(pick) => Some((&mut **pick, index)),
                None => None,
            };
            let won = game.rounds(1, 0);
            game.close(won);
        }
    }

    /// The game of this key, before its first turn.
    fn game<'a>(
        &'a self,
        level: Level,
        buffers: &'a mut Buffers,
        book: Book<'a>,
        key: u64,
    ) -> Game<'a> {
        Game {
            buffers,
            book,
            kernel: self,
            level,
            picker: None,
            key,
            luck: streams::phase_rng(key, 0),
            ties: streams::phase_rng(key, 1),
            decision: 0,
            stops_in: u32::MAX,
        }
    }
}

impl Game<'_> {
    /// Plays from the turn of `seat` in round `round` to the end; returns whether it was won.
    fn rounds(&mut self, round: u32, seat: usize) -> bool {
        let mut next = seat;
        for round in round..=self.kernel.rules.plain.rounds {
            for seat in next..self.kernel.bots.len() {
                self.stops_in -= 1;
                if self.stops_in == 0 {
                    return false;
                }
                self.turn(seat, round);
                if self.has_won(seat) {
                    return true;
                }
            }
            next = 0;
        }
        false
    }

    fn close(&mut self, won: bool) {
        let seats = self.kernel.bots.len();
        let mines = &self.buffers.state.mines;
        let diamonds: [u32; SEATS_MAX] = std::array::from_fn(|seat| mines[seat].diamonds());
        let decisions = self.decision;
        let uses = &mut self.buffers.uses;
        self.book.close(&diamonds[..seats], !won, decisions, uses);
    }

    #[inline(always)]
    fn has_won(&self, seat: usize) -> bool {
        self.buffers.state.mines[seat].diamonds() >= self.kernel.rules.plain.goal
    }

    fn turn(&mut self, seat: usize, round: u32) {
        let production = self.buffers.state.mines[seat].production;
        self.book.turn(seat, round, production);
        self.take(seat);
        self.buffers.others_listed = false;
        self.moves(seat, 0);
        self.end_turn(seat);
    }

    /// Plays the remaining moves of a turn, of which `made` have been made.
    fn moves(&mut self, seat: usize, mut made: u32) {
        while !self.has_won(seat) {
            if made == self.kernel.rules.plain.moves {
                self.book.cut();
                break;
            }
            let Some(step) = self.decide(seat, made) else {
                break;
            };
            made += 1;
            self.make(seat, step);
        }
    }

    fn end_turn(&mut self, seat: usize) {
        let mine = &self.buffers.state.mines[seat];
        self.book.turn_ends(mine.production, mine.holdings);
    }

    fn take(&mut self, seat: usize) {
        let rules = &self.kernel.rules;
        let (seats, bot) = (self.kernel.bots.len(), self.book.bot);
        let mut due = [0; CLASSES];
        rules.output(&self.buffers.state.mines[seat], |rule, times| {
            self.buffers.uses[rule.number * seats + bot] += times;
            for (class, due) in due.iter_mut().enumerate() {
                *due += count(rule.gives, class) * times;
            }
        });
        due[ORE] += rules.plain.take;
        for (class, &due) in due.iter().enumerate().filter(|(_, due)| **due > 0) {
            let state = &mut self.buffers.state;
            let got = state.draw(rules, seat, class, due, &mut self.luck);
            self.book.took(class, got);
            self.book.skipped(class, due - got);
        }
    }

    fn make(&mut self, seat: usize, step: Step) {
        let rules = &self.kernel.rules;
        let owner = usize::from(step.owner);
        self.buffers.others_listed &= owner == seat;
        let state = &mut self.buffers.state;
        let (from, to) = (usize::from(step.source), usize::from(step.target));
        let source = state.mines[seat].piles()[from];
        let target = state.mines[owner].piles()[to];
        let gone = state.mines[seat].lift(from);
        let shifted = owner == seat && gone && from < to;
        state.mines[owner].lift(to - usize::from(shifted));

        let load = Load::of(&source, rules);
        let ore_moves = Word::from(load.class == ORE) * one(usize::from(source.top.0) & 7);
        state.discard(rules, source.fronts - ore_moves, load.discarded);
        let fronts = target.fronts + ore_moves;
        let mut classes = target.classes + load.cards;
        let inside = |classes, class| rules.inside(target.top, classes, class);
        let pairs = inside(classes, SHIELD).min(inside(classes, SWORD));
        let paired = Word::from(pairs) * (one(SHIELD) + one(SWORD));
        classes -= paired;
        let tops = count(classes, target.top.class());
        match tops {
            // The top card was one of a pair: nothing remains.
            0 => state.discard(rules, fronts, paired + classes),
            _ => state.discard(rules, 0, paired),
        }
        self.book.moved(load.class);
        let breaks = owner != seat && inside(target.classes, SHIELD) > 0;
        self.book.paired(pairs, breaks);
        for class in [SHIELD, SWORD] {
            for _ in 0..count(load.left, class) {
                state.mines[seat].put(&rules.loose[usize::from(Card::of(class).0)]);
            }
        }
        if step.option == STAYS {
            if tops > 0 {
                let stack = rules.stack(target.top, fronts, classes);
                state.mines[owner].put(&stack);
            }
            return;
        }
        state.discard(rules, fronts, classes);
        self.book.transformed(owner);
        let rule = &rules.transforms[usize::from(target.top.0)][usize::from(step.option)];
        let (seats, bot) = (self.kernel.bots.len(), self.book.bot);
        self.buffers.uses[rule.number * seats + bot] += 1;
        let used = if owner == seat { rule.need } else { 0 };
        for class in 0..CLASSES {
            let due = count(rule.gives, class);
            if due == 0 {
                continue;
            }
            let got = state.draw(rules, seat, class, due, &mut self.luck);
            let new = got.saturating_sub(count(used, class));
            self.book.made(owner, class, got, new);
            self.book.skipped(class, due - got);
        }
    }

    /// The move with the bot's highest score; `None` to end the turn.
    fn decide(&mut self, seat: usize, made: u32) -> Option<Step> {
        let moves = dispatch!(self.level, simd => {
            self.list_stacks(seat);
            self.score_moves(simd, seat, made)
        });
        if moves == 1 {
            return None;
        }
        self.decision += 1;
        let best = &self.buffers.best;
        let own = match best.moves.as_slice() {
            [(_, only)] => *only,
            several => several[below(&mut self.ties, several.len())].1,
        };
        let picked = self.picker.as_mut().and_then(|(pick, game)| {
            pick(&Offer {
                game: *game,
                seat: self.book.bot,
                scores: &best.scores,
                features: &best.features,
            })
        });
        picked.map_or(own, |row| best.all[row])
    }

    #[inline(always)]
    fn list_stacks(&mut self, seat: usize) {
        let buffers = &mut *self.buffers;
        let (rules, seats) = (&self.kernel.rules, self.kernel.bots.len());
        let bot = self.book.bot;
        buffers.others_listed &= !buffers.scores[self.kernel.alike[bot]].make_room();
        buffers.own.clear();
        let asks = &self.kernel.bots[bot];
        let state = &buffers.state;
        state.list_targets(rules, asks, seat, true, &mut buffers.own);
        if buffers.others_listed {
            return;
        }
        buffers.others_listed = true;
        buffers.others.clear();
        for other in (seat + 1..seats).chain(0..seat) {
            state.list_targets(rules, asks, other, false, &mut buffers.others);
        }
        if asks.risk {
            buffers.others_reach = reach_of_others(rules, state, seats, seat);
        }
    }

    /// Scores all moves under the listed stacks; returns their number.
    #[inline(always)]
    fn score_moves<S: Simd>(&mut self, simd: S, seat: usize, made: u32) -> u32 {
        let buffers = &mut *self.buffers;
        let bot = self.book.bot;
        let asks = &self.kernel.bots[bot];
        let state = &buffers.state;
        let own = state.mines[seat].movable;
        let view = View {
            rules: &self.kernel.rules,
            state,
            seats: self.kernel.bots.len(),
            seat,
            bot,
            key: self.key,
            decision: self.decision,
            round: self.book.round,
            made,
            own_reach: if asks.lacks { own } else { 0 },
            others_reach: if asks.risk { buffers.others_reach } else { 0 },
        };
        let mut batch = Batch {
            bot: asks,
            view: &view,
            scores: &mut buffers.scores[self.kernel.alike[bot]],
            file: &mut buffers.files[bot],
            room: &mut buffers.rooms[bot],
            level: self.level,
            worse: &mut buffers.worse,
            rows: &mut buffers.rows,
            len: 0,
            end: f32::NEG_INFINITY,
            best: &mut buffers.best,
        };
        let (own, others) = (&mut buffers.own, &mut buffers.others);
        batch.begin([&mut *own, &mut *others]);
        let targets = || own.iter().chain(others.iter());
        let shielded = |bits, target: &Target| bits << 1 | u128::from(target.shielded);
        let shielded: u128 = targets().rev().fold(0, shielded);
        let all = !(!0 << (own.len() + others.len()));
        for (index, stack) in state.mines[seat].piles().iter().enumerate() {
            let source = batch.source(index, stack);
            let mut legal = all;
            if !source.load.only_swords() {
                legal &= !shielded;
            }
            if stack.copies == 1 {
                // A stack cannot go under itself.
                legal &= !(1 << index);
            }
            let mut open = legal & !source.worse(simd, batch.worse, own.len() + others.len());
            batch.len += (legal & !open).count_ones();
            while open != 0 {
                let number = open.trailing_zeros() as usize;
                open &= open - 1;
                let target = own.get(number);
                let target = target.unwrap_or_else(|| &others[number - own.len()]);
                batch.add(&source, target);
            }
        }
        batch.end();
        batch.len
    }
}

#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_miner/kernel/mod.rs"]
mod tests;
