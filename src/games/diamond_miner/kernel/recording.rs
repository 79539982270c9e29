//! The record of a game of Diamond Miner while it is played. The rules of play are not known here.

use crate::game::{ByPlace, ByUse, Layout, Places, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamond_miner::cards::{CLASSES, Counts, DIAMOND, SHOVEL, SWORD};
use crate::games::diamond_miner::outcomes as o;
use crate::games::diamond_miner::rules::SEATS_MAX;

/// The record of one game while it is played. Events give places, from the starting player on;
/// outcomes are recorded by bot.
pub struct Book<'r> {
    layout: &'r Layout,
    places: Places,
    record: &'r mut Record,
    game: usize,
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
        let seat = self.places.bot_at(place);
        self.seats[seat][o::TURNS] += 1;
        self.seats[seat][o::LEFT] += self.left[seat];
        // What others added does not belong to the kept production.
        self.seats[seat][o::KEPT] += production.min(self.left[seat]);
        self.table[o::TABLE_TURNS] += 1;
        self.table[o::ROUNDS] = round as i32;
        let counts = self.of_round(seat, round);
        counts[0] += 1;
        counts[1] += production as u64;
    }

    /// The turn ends, with `production` and these cards on the miner's table.
    #[inline]
    pub fn turn_ends(&mut self, place: usize, round: u32, production: i32, cards: &Counts) {
        let seat = self.places.bot_at(place);
        self.left[seat] = production;
        let counts = self.of_round(seat, round);
        counts[2] += production as u64;
        for (count, cards) in counts[3..].iter_mut().zip(&cards[SHOVEL..]) {
            *count += u64::from(*cards);
        }
    }

    fn of_round(&mut self, seat: usize, round: u32) -> &mut [u64] {
        let columns = o::ROUND_COLUMNS.len();
        let row = (round as usize - 1) * self.layout.seats + seat;
        &mut self.record.counts[self.offsets[o::BY_ROUND] + row * columns..][..columns]
    }

    #[inline]
    pub fn took(&mut self, place: usize, round: u32, class: usize, copies: u32) {
        *self.card(self.places.bot_at(place), class, 0) += u64::from(copies);
        if class == DIAMOND {
            self.got_diamonds(place, round, copies);
        }
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
    pub fn moved(&mut self, place: usize, class: usize) {
        let seat = self.places.bot_at(place);
        self.seats[seat][o::MOVES] += 1;
        self.moved[seat][class] += 1;
        self.table[o::TABLE_MOVES] += 1;
    }

    /// The miner at `place` completed a transformation on a stack of `owner`.
    #[inline]
    pub fn transformed(&mut self, place: usize, owner: usize) {
        let [seat, owner] = [place, owner].map(|place| self.places.bot_at(place));
        if seat != owner {
            self.seats[seat][o::STEALS] += 1;
            self.seats[owner][o::ROBBED] += 1;
        }
    }

    /// Cards were taken by a transformation: `copies`, of which `new` are beyond those of the
    /// same class that it used up on an own stack.
    #[inline]
    pub fn made(
        &mut self,
        place: usize,
        owner: usize,
        round: u32,
        class: usize,
        copies: u32,
        new: u32,
    ) {
        let [seat, owner] = [place, owner].map(|place| self.places.bot_at(place));
        if (SHOVEL..=SWORD).contains(&class) {
            self.seats[seat][o::SHOVELS + class - SHOVEL] += new as i32;
        }
        if seat == owner {
            *self.card(seat, class, 1) += u64::from(new);
        } else {
            *self.card(seat, class, 2) += u64::from(new);
            *self.card(owner, class, 3) += u64::from(new);
        }
        if class == DIAMOND {
            self.got_diamonds(place, round, copies);
        }
    }

    /// Pairs of shield and sword were discarded; `breaks` when the shields were another's before.
    #[inline]
    pub fn paired(&mut self, place: usize, pairs: u32, breaks: bool) {
        self.table[o::PAIRS] += pairs as i32;
        if breaks {
            self.seats[self.places.bot_at(place)][o::BROKEN] += pairs as i32;
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
            let first = self.layout.seat_column(seat, 0);
            self.record.set_all(first, self.game, outcomes);
        }
        let first = self.layout.table_column(0);
        self.record.set_all(first, self.game, &self.table);
    }

    fn got_diamonds(&mut self, place: usize, round: u32, copies: u32) {
        let seat = self.places.bot_at(place);
        if copies > 0 && self.seats[seat][o::FIRST] == 0 {
            self.seats[seat][o::FIRST] = 1;
            self.seats[seat][o::FIRST_ROUND] = round as i32;
        }
        for _ in 0..copies {
            if self.diamonds == 0 {
                self.first_owner = place;
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
        self.record.counts[self.offsets[o::LENGTHS] + (round - 1) * o::LENGTH_COLUMNS + column] +=
            1;
    }

    fn card(&mut self, seat: usize, class: usize, column: usize) -> &mut u64 {
        let row = class * self.layout.seats + seat;
        &mut self.record.counts[self.offsets[o::BY_CARD] + row * o::CARD_COLUMNS.len() + column]
    }
}
