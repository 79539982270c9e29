//! One game while it is played: its choices, and their consequences.

use super::Kernel;
use super::ahead::{KNOWN, Known};
use super::cave::Cave;
use super::ground::{OPEN, SHOWS, ways_on};
use super::questions::{ANSWERED, Question};
use super::rows::Choices;
use crate::game::{Places, Record};
use crate::games::diamond_cave::moves::{Asked, Choice, DIRECTIONS};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::{Kind, PLAYERS_MAX};
use crate::games::diamond_cave::setup::Arrangement;
use crate::streams;
use std::cell::Cell;

/// One game while it is played. It is at a decision, unless it is over.
pub struct Game<'k> {
    pub kernel: &'k Kernel,
    /// Its number in the record.
    pub index: usize,
    pub cave: Cave,
    pub known: [Cell<Known>; KNOWN],
    pub choices: Choices,
    pub chosen: Choice,
    pub key: u64,
    pub places: Places,
    /// The place that decides.
    pub place: usize,
    pub starter: usize,
    pub decision: u64,
    pub turns_left: u32,
    /// Turns after which a playout stops.
    pub stops_in: u32,
    pub actions: i32,
    pub turn_digs: i32,
    /// By place, the uses by the rows of [`o::BY_CARD`].
    pub laid: [[u32; o::LAID]; PLAYERS_MAX],
    /// Outcomes of the players so far, by place.
    pub outcomes: [[i32; o::SEAT_OUTCOMES]; PLAYERS_MAX],
}

impl<'k> Game<'k> {
    pub fn new(kernel: &'k Kernel) -> Self {
        Game {
            kernel,
            index: 0,
            cave: Cave::empty(),
            known: Default::default(),
            choices: Choices::new(),
            chosen: Choice::Stop,
            key: 0,
            places: kernel.seating.places(kernel.ground.players, 0),
            place: 0,
            starter: 0,
            decision: 0,
            turns_left: 0,
            stops_in: u32::MAX,
            actions: 0,
            turn_digs: 0,
            laid: [[0; o::LAID]; PLAYERS_MAX],
            outcomes: [[0; o::SEAT_OUTCOMES]; PLAYERS_MAX],
        }
    }

    /// Begins game `number` of `seed`; returns whether there is a choice to make.
    pub fn begin(&mut self, seed: u64, number: u64, record: &mut Record) -> bool {
        let kernel = self.kernel;
        let players = kernel.ground.players;
        self.key = streams::game_key(seed, number);
        self.places = kernel.seating.places(players, number);
        let dealt = Arrangement::deal(&kernel.ground.rules, self.key, players);
        self.cave.lay_out(&kernel.ground, &dealt);
        self.decision = 0;
        self.turns_left = kernel.ground.rules.turns_max * players as u32;
        self.stops_in = u32::MAX;
        self.turn_digs = 0;
        self.forget_outcomes();
        self.starter = usize::from(dealt.starter);
        self.place = self.starter;
        self.offer_starts();
        self.settle(record)
    }

    pub fn forget_outcomes(&mut self) {
        self.actions = 0;
        self.laid = [[0; o::LAID]; PLAYERS_MAX];
        self.outcomes = [[0; o::SEAT_OUTCOMES]; PLAYERS_MAX];
    }

    #[inline(always)]
    pub fn bot(&self) -> usize {
        self.places.bot_at(self.place)
    }

    /// The question for the bot. A choice to end the turn may precede its choices.
    #[inline(always)]
    pub fn question(&self) -> Question {
        ANSWERED[self.choices.list[self.choices.count - 1].kind()]
    }

    #[inline(always)]
    pub fn asked(&self) -> Asked {
        Asked {
            key: self.key,
            decision: self.decision,
            place: self.place,
            seat: self.bot(),
            turn_digs: self.turn_digs,
            turns: self.outcomes[self.place][o::TURNS],
        }
    }

    /// Applies a choice and everything that follows, up to the next choice. Returns false when the
    /// game is over and recorded.
    #[inline(always)]
    pub fn take(&mut self, choice: Choice, record: &mut Record) -> bool {
        self.step(choice, record) && self.settle(record)
    }

    /// Takes single choices at once.
    #[inline(always)]
    fn settle(&mut self, record: &mut Record) -> bool {
        while self.choices.count == 1 {
            if !self.step(self.choices.list[0], record) {
                return false;
            }
        }
        true
    }

    /// Applies a choice, up to the next choices; returns whether the game goes on.
    fn step(&mut self, choice: Choice, record: &mut Record) -> bool {
        let ground = &self.kernel.ground;
        let place = self.place;
        match choice {
            Choice::Start { cell } => self.start(cell),
            Choice::Exit { exit } if self.cave.tunnels[place].length == 0 => {
                self.cave.add_head(ground, place, self.cave.upturned, exit);
                self.place = self.next_place();
                if self.place != self.starter {
                    self.offer_starts();
                    return true;
                }
                self.begin_turn();
                self.begin_action(record)
            }
            Choice::Plan { slot, exit } => {
                self.actions += 1;
                self.outcomes[place][o::PLANS] += 1;
                let card = ground.card(self.cave.planned[usize::from(slot)]);
                self.laid[place][2 * card.kind as usize + 1] += 1;
                let gained = self.cave.plan(ground, place, usize::from(slot), exit);
                self.count_gained(gained, record);
                self.end_turn(record)
            }
            Choice::Dig { colour } => {
                let own = &self.cave.tunnels[place];
                let (spot, ahead) = (own.front, own.exit);
                let card = ground.card(self.cave.cards[spot]);
                let right = card.has(colour);
                self.actions += 1;
                self.turn_digs += 1;
                self.outcomes[place][o::DIGS] += 1;
                self.laid[place][2 * card.kind as usize] += 1;
                self.outcomes[place][o::RIGHT] += i32::from(right);
                self.cave.turn_up(ground, spot, right);
                self.choices.clear();
                let (ways, count) = ways_on(card, ahead);
                for &exit in &ways[..count] {
                    self.choices.push(Choice::Exit { exit });
                }
                true
            }
            Choice::Exit { exit } => {
                let card = self.cave.cards[self.cave.upturned];
                let gained = self.cave.connect(ground, place, exit);
                self.count_gained(gained, record);
                let kind = ground.card(card).kind;
                let finishes = self.kernel.ground.rules.finish_turn && kind == Kind::Dark;
                if !finishes && self.is_over() {
                    return self.end_turn(record);
                }
                self.choices.clear();
                self.choices.push(Choice::Stop);
                match kind {
                    Kind::Dark => self.push_plans(),
                    // As many digs as cells in one turn: the tunnel is circling, so digging ends.
                    _ if self.turn_digs as usize == ground.rules.cells() => {}
                    Kind::Torch | Kind::Standard => self.choices.push(Choice::GoOn),
                }
                true
            }
            Choice::Turn { exit } => {
                self.outcomes[place][o::TURNED] += 1;
                self.cave.point(ground, place, exit);
                self.offer_acts();
                true
            }
            Choice::Stop => self.end_turn(record),
            Choice::GoOn => self.begin_action(record),
        }
    }

    fn start(&mut self, cell: u8) -> bool {
        let ground = &self.kernel.ground;
        let spot = ground.spot_of[usize::from(cell)];
        self.cave.turn_up(ground, spot, false);
        let card = ground.card(self.cave.cards[spot]);
        self.choices.clear();
        for exit in DIRECTIONS.into_iter().filter(|exit| card.has(*exit)) {
            self.choices.push(Choice::Exit { exit });
        }
        true
    }

    #[inline(always)]
    fn next_place(&self) -> usize {
        if self.place + 1 == self.kernel.ground.players {
            0
        } else {
            self.place + 1
        }
    }

    fn offer_starts(&mut self) {
        let ground = &self.kernel.ground;
        self.choices.clear();
        for (cell, &spot) in (0..).zip(&ground.spot_of) {
            if self.cave.states[spot] & SHOWS == OPEN {
                self.choices.push(Choice::Start { cell });
            }
        }
    }

    #[inline(always)]
    fn begin_turn(&mut self) {
        self.outcomes[self.place][o::TURNS] += 1;
        self.turn_digs = 0;
    }

    /// Ends the turn and begins the next; returns whether the game goes on.
    #[inline(always)]
    fn end_turn(&mut self, record: &mut Record) -> bool {
        let over = self.is_over();
        self.count_turn(record);
        self.stops_in -= 1;
        if over || self.turns_left == 0 || self.stops_in == 0 {
            self.record(!over, record);
            return false;
        }
        self.place = self.next_place();
        self.begin_turn();
        self.begin_action(record)
    }

    /// Begins an action, if there are turns left; returns whether the game goes on.
    fn begin_action(&mut self, record: &mut Record) -> bool {
        if self.turns_left == 0 {
            // The player wanted to go on but cannot.
            return self.end_turn(record);
        }
        self.turns_left -= 1;
        let front = self.cave.tunnels[self.place].front;
        if self.cave.states[front] & OPEN != 0 {
            self.offer_acts();
            return true;
        }
        self.unblock() || self.end_turn(record)
    }

    #[inline(always)]
    fn offer_acts(&mut self) {
        self.choices.clear();
        self.push_plans();
        for colour in DIRECTIONS {
            self.choices.push(Choice::Dig { colour });
        }
    }

    /// Offers the planned cards with their ways on, where one may be laid.
    #[inline(always)]
    fn push_plans(&mut self) {
        let ground = &self.kernel.ground;
        let own = &self.cave.tunnels[self.place];
        if self.cave.states[own.front] & SHOWS != OPEN {
            return;
        }
        for slot in 0..self.kernel.ground.rules.planned {
            let card = ground.card(self.cave.planned[slot]);
            let (ways, count) = ways_on(card, own.exit);
            let slot = slot as u8;
            let choices = ways.map(|exit| Choice::Plan { slot, exit });
            self.choices.push_some(choices, count);
        }
    }

    /// Resolves a blocked tunnel; returns whether there is a choice to make.
    fn unblock(&mut self) -> bool {
        let ground = &self.kernel.ground;
        self.actions += 1;
        let own = &self.cave.tunnels[self.place];
        if own.length > 1 {
            self.outcomes[self.place][o::BLOCKED] += 1;
            self.cave.collapse(ground, self.place);
            return false;
        }
        let head = own.head;
        self.choices.clear();
        if self.kernel.ground.rules.lone_may_pass {
            self.choices.push(Choice::Stop);
        }
        let passing = self.choices.count;
        for exit in DIRECTIONS {
            if self.cave.states[ground.step(head, exit)] & OPEN != 0 {
                self.choices.push(Choice::Turn { exit });
            }
        }
        if self.choices.count == passing {
            self.outcomes[self.place][o::BLOCKED] += 1;
            return false;
        }
        true
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.cave.showing == 0
    }
}
