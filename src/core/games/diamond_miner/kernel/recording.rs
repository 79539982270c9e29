//! The record of a game of Diamond Miner while it is played. The rules of play are not known here.

use super::words::{Word, count};
use crate::game::{ByPlace, ByUse, Layout, Places, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamond_miner::cards::{CLASSES, DIAMOND, SHOVEL, SWORD};
use crate::games::diamond_miner::outcomes as o;
use crate::games::diamond_miner::rules::SEATS_MAX;

/// The record of one game while it is played. Events give places, from the starting player on;
/// outcomes are recorded by bot.
pub struct Book<'r> {
    layout: &'r Layout,
    places: Places,
    record: &'r mut Record,
    game: usize,
    pub round: u32,
    /// The place and the bot on turn.
    place: usize,
    pub bot: usize,
    offsets: [usize; o::COUNT_TABLES],
    seats: [[i32; o::SEAT_OUTCOMES]; SEATS_MAX],
    table: [i32; o::TABLE_OUTCOMES],
    diamonds: u32,
    /// The place that had the first diamond.
    first_owner: usize,
    /// By bot, worth of production at the end of its last turn.
    left: [i32; SEATS_MAX],
    ran_out: [bool; CLASSES],
    /// By bot, the cards that it moved under stacks.
    moved: [[u32; CLASSES]; SEATS_MAX],
}

impl<'r> Book<'r> {
    /// Opens the book of game `game` of the record, from 0, in which bots have these places.
    pub fn open(layout: &'r Layout, places: Places, record: &'r mut Record, game: usize) -> Self {
        Book {
            offsets: std::array::from_fn(|table| layout.count(table, 0, 0)),
            layout,
            places,
            record,
            game,
            round: 0,
            place: 0,
            bot: 0,
            seats: Default::default(),
            table: [0; o::TABLE_OUTCOMES],
            diamonds: 0,
            first_owner: usize::MAX,
            left: [0; SEATS_MAX],
            ran_out: [false; CLASSES],
            moved: [[0; CLASSES]; SEATS_MAX],
        }
    }

    #[inline]
    pub fn turn(&mut self, place: usize, round: u32, production: i32) {
        let bot = self.places.bot_at(place);
        (self.round, self.place, self.bot) = (round, place, bot);
        self.seats[bot][o::TURNS] += 1;
        self.seats[bot][o::LEFT] += self.left[bot];
        // What others added does not belong to the kept production.
        self.seats[bot][o::KEPT] += production.min(self.left[bot]);
        self.table[o::TABLE_TURNS] += 1;
        self.table[o::ROUNDS] = round as i32;
        let counts = self.of_round();
        counts[0] += 1;
        counts[1] += production as u64;
    }

    /// The turn ends, with `production` and these cards on the miner's table.
    #[inline]
    pub fn turn_ends(&mut self, production: i32, cards: Word) {
        self.left[self.bot] = production;
        let counts = self.of_round();
        counts[2] += production as u64;
        for (column, class) in counts[3..].iter_mut().zip(SHOVEL..) {
            *column += u64::from(count(cards, class));
        }
    }

    fn of_round(&mut self) -> &mut [u64] {
        let columns = o::ROUND_COLUMNS.len();
        let row = (self.round as usize - 1) * self.layout.seats + self.bot;
        &mut self.record.counts[self.offsets[o::BY_ROUND] + row * columns..][..columns]
    }

    #[inline]
    pub fn took(&mut self, class: usize, copies: u32) {
        *self.card(self.bot, class, 0) += u64::from(copies);
        self.got(class, copies);
    }

    #[inline]
    pub fn skipped(&mut self, class: usize, copies: u32) {
        if copies > 0 {
            self.table[o::SKIPPED] += copies as i32;
            self.record.counts[self.offsets[o::SHORTAGES] + class * 2] += u64::from(copies);
            self.ran_out[class] = true;
        }
    }

    #[inline]
    pub fn moved(&mut self, class: usize) {
        self.seats[self.bot][o::MOVES] += 1;
        self.moved[self.bot][class] += 1;
        self.table[o::TABLE_MOVES] += 1;
    }

    /// A transformation was completed on a stack of the miner at place `owner`.
    #[inline]
    pub fn transformed(&mut self, owner: usize) {
        if owner != self.place {
            self.seats[self.bot][o::STEALS] += 1;
            self.seats[self.places.bot_at(owner)][o::ROBBED] += 1;
        }
    }

    /// Cards were taken by a transformation: `copies`, of which `new` are beyond those of the
    /// same class that it used up on an own stack.
    #[inline]
    pub fn made(&mut self, owner: usize, class: usize, copies: u32, new: u32) {
        if (SHOVEL..=SWORD).contains(&class) {
            self.seats[self.bot][o::SHOVELS + class - SHOVEL] += new as i32;
        }
        if owner == self.place {
            *self.card(self.bot, class, 1) += u64::from(new);
        } else {
            *self.card(self.bot, class, 2) += u64::from(new);
            *self.card(self.places.bot_at(owner), class, 3) += u64::from(new);
        }
        self.got(class, copies);
    }

    /// Pairs of shield and sword were discarded; `breaks` when the shields were another's before.
    #[inline]
    pub fn paired(&mut self, pairs: u32, breaks: bool) {
        self.table[o::PAIRS] += pairs as i32;
        if breaks {
            self.seats[self.bot][o::BROKEN] += pairs as i32;
        }
    }

    pub fn cut(&mut self) {
        self.table[o::CUT] += 1;
    }

    /// The game is over: each miner's diamonds, whether the cap ended it, its decisions, and by
    /// recipe and bot its uses, which are reset.
    pub fn close(&mut self, diamonds: &[u32], capped: bool, decisions: u64, uses: &mut [u32]) {
        let seats = self.layout.seats;
        let best = diamonds.iter().max().copied().unwrap_or(0);
        let winners = diamonds.iter().filter(|own| **own == best).count() as i32;
        for (place, &own) in diamonds.iter().enumerate() {
            let won = if own == best { WIN_UNITS / winners } else { 0 };
            let bot = self.places.bot_at(place);
            let outcomes = &mut self.seats[bot];
            outcomes[WIN] = won;
            outcomes[SCORE] = own as i32;
            let at = self.offsets[o::PLACES] + (place * seats + bot) * ByPlace::COLUMNS;
            let counts = &mut self.record.counts[at..][..ByPlace::COLUMNS];
            counts[0] += 1;
            counts[1] += won as u64;
            counts[2] += u64::from(own);
        }
        let lost = self.first_owner < seats && diamonds[self.first_owner] < best;
        self.table[o::COMEBACK] = i32::from(lost);
        self.table[o::SHARED] = i32::from(winners > 1);
        self.table[o::CAPPED] = i32::from(capped);
        self.table[o::DECISIONS] = decisions as i32;
        let round = self.table[o::ROUNDS] as usize;
        self.length(round, usize::from(capped));
        for class in 0..CLASSES {
            let count = &mut self.record.counts[self.offsets[o::SHORTAGES] + class * 2 + 1];
            *count += u64::from(self.ran_out[class]);
        }
        let first = self.layout.table_column(0);
        for (row, uses) in uses.chunks(seats).enumerate() {
            let times: u32 = uses.iter().sum();
            let column = first + o::uses(o::BY_RECIPE, row);
            self.record.set(column, self.game, times as i32);
        }
        for class in 0..CLASSES {
            let times: u32 = self.moved[..seats].iter().map(|moved| moved[class]).sum();
            let column = first + o::uses(o::MOVED, class);
            self.record.set(column, self.game, times as i32);
        }
        for (at, times) in uses.iter_mut().enumerate() {
            let (at, won) = (ByUse::COLUMNS * at, self.seats[at % seats][WIN]);
            let counts = &mut self.record.counts[self.offsets[o::BY_RECIPE] + at..];
            ByUse::add(counts, std::mem::take(times), won);
        }
        for (seat, outcomes) in self.seats[..seats].iter().enumerate() {
            for (class, &times) in self.moved[seat].iter().enumerate() {
                let at = ByUse::COLUMNS * (class * seats + seat);
                let counts = &mut self.record.counts[self.offsets[o::MOVED] + at..];
                ByUse::add(counts, times, outcomes[WIN]);
            }
            let own = self.layout.seat_column(seat, 0);
            self.record.set_all(own, self.game, outcomes);
        }
        self.record.set_all(first, self.game, &self.table);
    }

    #[inline]
    fn got(&mut self, class: usize, copies: u32) {
        if class != DIAMOND || copies == 0 {
            return;
        }
        let (round, outcomes) = (self.round, &mut self.seats[self.bot]);
        if outcomes[o::FIRST] == 0 {
            outcomes[o::FIRST] = 1;
            outcomes[o::FIRST_ROUND] = round as i32;
        }
        for _ in 0..copies {
            if self.diamonds == 0 {
                self.first_owner = self.place;
                self.table[o::TABLE_FIRST_ROUND] = round as i32;
                self.table[o::TABLE_FIRST] = 1;
                self.length(round as usize, 2);
            } else if self.diamonds == 1 {
                self.table[o::SECOND_ROUND] = round as i32;
                self.table[o::SECOND] = 1;
                self.length(round as usize, 3);
            }
            self.diamonds += 1;
        }
    }

    fn length(&mut self, round: usize, column: usize) {
        let at = (round - 1) * o::LENGTH_COLUMNS + column;
        self.record.counts[self.offsets[o::LENGTHS] + at] += 1;
    }

    fn card(&mut self, seat: usize, class: usize, column: usize) -> &mut u64 {
        let row = class * self.layout.seats + seat;
        &mut self.record.counts[self.offsets[o::BY_CARD] + row * o::CARD_COLUMNS.len() + column]
    }
}
