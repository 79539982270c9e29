//! What is recorded of a game of Diamond Miner, and the figures that follow from it.
//!
//! Kernel and referee both write into a [`Book`] as things happen, so that what is counted is
//! defined once. How the game is played is not known here.

use super::cards::{ANVIL, CART, CLASSES, Counts, DIAMOND, SHIELD, SHOVEL, SWORD};
use super::rules::{MinerRules, PLAYERS};
use crate::game::{Counts as CountTable, Layout, Metric, Per, Record, SCORE, WIN, WIN_UNITS};

/// Most miners.
pub const SEATS: usize = *PLAYERS.end();

const SEAT_OUTCOMES: &[&str] = &[
    "win",
    "score",
    "turns",
    "moves",
    "steals",
    "robbed",
    "shovels",
    "carts",
    "anvils",
    "shields",
    "swords",
    "broken",
    "first_round",
    "first",
];
/// Seat outcome: turns taken.
const TURNS: usize = 2;
/// Seat outcome: moves made.
const MOVES: usize = 3;
/// Seat outcome: transformations completed on others' stacks.
const STEALS: usize = 4;
/// Seat outcome: transformations that others completed on its stacks.
const ROBBED: usize = 5;
/// Seat outcome: shovels made by transformations; carts, anvils, shields and swords follow.
const MADE: usize = 6;
/// Seat outcome: others' shields taken off with swords.
const BROKEN: usize = 11;
/// Seat outcome: round of the first diamond, 0 without one.
const FIRST_ROUND: usize = 12;
/// Seat outcome: 1 with a diamond.
const FIRST: usize = 13;

const TABLE_OUTCOMES: &[&str] = &[
    "rounds",
    "moves",
    "turns",
    "first_round",
    "first",
    "second_round",
    "second",
    "capped",
    "cut",
    "pairs",
    "skipped",
    "comeback",
    "shared",
];
/// Table outcome: rounds begun.
const ROUNDS: usize = 0;
/// Table outcome: moves of all.
const TABLE_MOVES: usize = 1;
/// Table outcome: turns of all.
const TABLE_TURNS: usize = 2;
/// Table outcome: round of the first diamond at the table; whether there was one, the round of
/// the second, and whether there was one, follow.
const TABLE_FIRST: usize = 3;
/// Table outcome: 1 when the cap on rounds ended the game.
const CAPPED: usize = 7;
/// Table outcome: turns that the cap on moves ended.
const CUT: usize = 8;
/// Table outcome: pairs of shield and sword discarded.
const PAIRS: usize = 9;
/// Table outcome: cards that were due but had run out.
const SKIPPED: usize = 10;
/// Table outcome: 1 when the owner of the first diamond did not win.
const COMEBACK: usize = 11;
/// Table outcome: 1 when several share the win.
const SHARED: usize = 12;

/// Count table: by round, for each seat what [`ROUND_COLUMNS`] says.
pub const BY_ROUND: usize = 0;
/// Count table: by round, what [`LENGTH_COLUMNS`] says.
pub const LENGTHS: usize = 1;
/// Count table: by class of card, for each seat what [`CARD_COLUMNS`] says.
pub const BY_CARD: usize = 2;
/// Count table: by class of card, copies that were due but had run out, and games with any.
pub const SHORTAGES: usize = 3;
/// Count table: by place in turn order, wins in units of 1/840, and diamonds.
pub const PLACES: usize = 4;

/// Sums over the turns of a seat in a round: turns, worth of production (in 1/8 ore) when the turn
/// begins and when it ends, and cards on its table by class when it ends.
pub const ROUND_COLUMNS: [&str; 9] = [
    "turns",
    "produced",
    "production",
    "shovels",
    "carts",
    "anvils",
    "shields",
    "swords",
    "diamonds",
];
/// Games by round: ended by a win, by the cap, first diamond, second diamond.
pub const LENGTH_COLUMNS: usize = 4;
/// Cards: taken at the start of turns, made on own stacks, made on others', made by others on own.
pub const CARD_COLUMNS: [&str; 4] = ["taken", "made", "stolen", "lost"];

/// The layout of a table of `seats` miners.
pub fn layout(rules: &MinerRules, seats: usize) -> Layout {
    let metric = Metric::mean;
    let share = |name, of, meaning| Metric::share(name, of, Per::Games(1.0), meaning);
    let game = Per::Games(1.0);
    let counts = |name, rows, columns| CountTable {
        name,
        rows,
        columns,
    };
    let made = |class: usize| MADE + class - SHOVEL;
    let rounds = rules.rounds as usize;
    Layout {
        seats,
        seat_outcomes: SEAT_OUTCOMES,
        table_outcomes: TABLE_OUTCOMES,
        seat_metrics: Metric::of_seat(vec![
            metric(
                "first_diamond_round",
                FIRST_ROUND,
                Per::Outcome(FIRST),
                "round of its first diamond",
            ),
            metric(
                "steals_per_game",
                STEALS,
                game,
                "transformations on others' stacks",
            ),
            metric(
                "robbed_per_game",
                ROBBED,
                game,
                "transformations by others on its stacks",
            ),
            metric(
                "carts_per_game",
                made(CART),
                game,
                "carts made by transformations",
            ),
            metric(
                "anvils_per_game",
                made(ANVIL),
                game,
                "anvils made by transformations",
            ),
            metric(
                "shields_per_game",
                made(SHIELD),
                game,
                "shields made by transformations",
            ),
            metric(
                "swords_per_game",
                made(SWORD),
                game,
                "swords made by transformations",
            ),
            metric("broken_per_game", BROKEN, game, "others' shields taken off"),
        ]),
        table_metrics: vec![
            metric("rounds_per_game", ROUNDS, game, "rounds in a game"),
            metric(
                "moves_per_game",
                TABLE_MOVES,
                game,
                "moves in a game, of all together",
            ),
            metric(
                "moves_per_turn",
                TABLE_MOVES,
                Per::Outcome(TABLE_TURNS),
                "moves in a turn",
            ),
            metric(
                "first_diamond_round",
                TABLE_FIRST,
                Per::Outcome(TABLE_FIRST + 1),
                "round of the first diamond at the table",
            ),
            metric(
                "second_diamond_round",
                TABLE_FIRST + 2,
                Per::Outcome(TABLE_FIRST + 3),
                "round of the second diamond at the table",
            ),
            metric(
                "shields_broken_per_game",
                PAIRS,
                game,
                "pairs of shield and sword discarded",
            ),
            metric(
                "cards_skipped_per_game",
                SKIPPED,
                game,
                "cards that were due but had run out",
            ),
            share(
                "comeback_rate",
                COMEBACK,
                "share of games lost by the owner of the first diamond",
            ),
            share(
                "shared_win_rate",
                SHARED,
                "share of games with several winners",
            ),
            share(
                "capped_rate",
                CAPPED,
                "share of games ended by the cap on rounds",
            ),
            metric(
                "cut_turns_per_game",
                CUT,
                game,
                "turns ended by the cap on moves",
            ),
        ],
        score_max: rules.score_max(),
        counts: vec![
            counts("by_round", rounds, seats * ROUND_COLUMNS.len()),
            counts("lengths", rounds, LENGTH_COLUMNS),
            counts("by_card", CLASSES, seats * CARD_COLUMNS.len()),
            counts("shortages", CLASSES, 2),
            counts("places", seats, 2),
        ],
    }
}

/// The record of one game while it is played. Seats are bots, whatever place they sit at.
pub struct Book<'r> {
    layout: &'r Layout,
    record: &'r mut Record,
    game: usize,
    offsets: [usize; 5],
    seats: [[i32; SEAT_OUTCOMES.len()]; SEATS],
    table: [i32; TABLE_OUTCOMES.len()],
    diamonds: u32,
    first_owner: usize,
    ran_out: [bool; CLASSES],
}

impl<'r> Book<'r> {
    /// Opens the book of game `game` of the record, from 0.
    pub fn open(layout: &'r Layout, record: &'r mut Record, game: usize) -> Self {
        Book {
            offsets: [0, 1, 2, 3, 4].map(|table| layout.counts_offset(table)),
            layout,
            record,
            game,
            seats: Default::default(),
            table: [0; TABLE_OUTCOMES.len()],
            diamonds: 0,
            first_owner: usize::MAX,
            ran_out: [false; CLASSES],
        }
    }

    /// A turn begins, in round `round` from 1.
    pub fn turn(&mut self, seat: usize, round: u32, production: i32) {
        self.seats[seat][TURNS] += 1;
        self.table[TABLE_TURNS] += 1;
        self.table[ROUNDS] = round as i32;
        let counts = self.of_round(seat, round);
        counts[0] += 1;
        counts[1] += production as u64;
    }

    /// The turn ends, with so much production and these cards on the miner's table.
    pub fn turn_ends(&mut self, seat: usize, round: u32, production: i32, cards: &Counts) {
        let counts = self.of_round(seat, round);
        counts[2] += production as u64;
        for (count, cards) in counts[3..].iter_mut().zip(&cards[SHOVEL..]) {
            *count += u64::from(*cards);
        }
    }

    fn of_round(&mut self, seat: usize, round: u32) -> &mut [u64] {
        let columns = ROUND_COLUMNS.len();
        let row = (round as usize - 1) * self.layout.seats + seat;
        &mut self.record.counts[self.offsets[BY_ROUND] + row * columns..][..columns]
    }

    /// Cards were taken at the start of a turn.
    pub fn took(&mut self, seat: usize, round: u32, class: usize, copies: u32) {
        *self.card(seat, class, 0) += u64::from(copies);
        if class == DIAMOND {
            self.got_diamonds(seat, round, copies);
        }
    }

    /// Cards were due, but none were left.
    pub fn skipped(&mut self, class: usize, copies: u32) {
        if copies > 0 {
            self.table[SKIPPED] += copies as i32;
            self.record.counts[self.offsets[SHORTAGES] + class * 2] += u64::from(copies);
            self.ran_out[class] = true;
        }
    }

    /// A card was moved.
    pub fn moved(&mut self, seat: usize) {
        self.seats[seat][MOVES] += 1;
        self.table[TABLE_MOVES] += 1;
    }

    /// `seat` completed a transformation on a stack of `owner`.
    pub fn transformed(&mut self, seat: usize, owner: usize) {
        if seat != owner {
            self.seats[seat][STEALS] += 1;
            self.seats[owner][ROBBED] += 1;
        }
    }

    /// Cards were taken by a transformation: `copies`, of which `new` are beyond those of the
    /// same class that it used up on an own stack.
    pub fn made(
        &mut self,
        seat: usize,
        owner: usize,
        round: u32,
        class: usize,
        copies: u32,
        new: u32,
    ) {
        if (SHOVEL..=SWORD).contains(&class) {
            self.seats[seat][MADE + class - SHOVEL] += new as i32;
        }
        if seat == owner {
            *self.card(seat, class, 1) += u64::from(new);
        } else {
            *self.card(seat, class, 2) += u64::from(new);
            *self.card(owner, class, 3) += u64::from(new);
        }
        if class == DIAMOND {
            self.got_diamonds(seat, round, copies);
        }
    }

    /// Pairs of shield and sword were discarded from a stack of `owner`.
    pub fn paired(&mut self, seat: usize, owner: usize, pairs: u32) {
        self.table[PAIRS] += pairs as i32;
        if seat != owner {
            self.seats[seat][BROKEN] += pairs as i32;
        }
    }

    /// The cap on moves ended a turn.
    pub fn cut(&mut self) {
        self.table[CUT] += 1;
    }

    /// The game is over: everybody's diamonds, whether the cap ended it, and who sat first.
    pub fn close(&mut self, diamonds: &[u32], capped: bool, starter: usize) {
        let seats = self.layout.seats;
        let best = diamonds.iter().max().copied().unwrap_or(0);
        let winners = diamonds.iter().filter(|own| **own == best).count() as i32;
        for (seat, &own) in diamonds.iter().enumerate() {
            let won = if own == best { WIN_UNITS / winners } else { 0 };
            self.seats[seat][WIN] = won;
            self.seats[seat][SCORE] = own as i32;
            let place = (seat + seats - starter) % seats;
            let counts = &mut self.record.counts[self.offsets[PLACES] + place * 2..][..2];
            counts[0] += won as u64;
            counts[1] += u64::from(own);
        }
        let lost = self.first_owner < seats && diamonds[self.first_owner] < best;
        self.table[COMEBACK] = i32::from(lost);
        self.table[SHARED] = i32::from(winners > 1);
        self.table[CAPPED] = i32::from(capped);
        let round = self.table[ROUNDS] as usize;
        self.length(round, usize::from(capped));
        for class in 0..CLASSES {
            let count = &mut self.record.counts[self.offsets[SHORTAGES] + class * 2 + 1];
            *count += u64::from(self.ran_out[class]);
        }
        for (seat, outcomes) in self.seats[..seats].iter().enumerate() {
            for (outcome, value) in outcomes.iter().enumerate() {
                let column = self.layout.seat_column(seat, outcome);
                self.record.set(column, self.game, *value);
            }
        }
        for (outcome, value) in self.table.iter().enumerate() {
            let column = self.layout.table_column(outcome);
            self.record.set(column, self.game, *value);
        }
    }

    fn got_diamonds(&mut self, seat: usize, round: u32, copies: u32) {
        if copies > 0 && self.seats[seat][FIRST] == 0 {
            self.seats[seat][FIRST] = 1;
            self.seats[seat][FIRST_ROUND] = round as i32;
        }
        for _ in 0..copies {
            if self.diamonds < 2 {
                let outcome = TABLE_FIRST + 2 * self.diamonds as usize;
                self.table[outcome] = round as i32;
                self.table[outcome + 1] = 1;
                self.length(round as usize, 2 + self.diamonds as usize);
            }
            if self.diamonds == 0 {
                self.first_owner = seat;
            }
            self.diamonds += 1;
        }
    }

    fn length(&mut self, round: usize, column: usize) {
        self.record.counts[self.offsets[LENGTHS] + (round - 1) * LENGTH_COLUMNS + column] += 1;
    }

    fn card(&mut self, seat: usize, class: usize, column: usize) -> &mut u64 {
        let row = class * self.layout.seats + seat;
        &mut self.record.counts[self.offsets[BY_CARD] + row * CARD_COLUMNS.len() + column]
    }
}
