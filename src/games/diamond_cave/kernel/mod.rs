//! Many games of Diamond Cave, one after the other, without a detour: the referee's game over
//! bit sets, all choices of a decision scored as one batch.
//!
//! Nothing here allocates once a chunk has begun, and nothing returns an error: what can be wrong
//! was checked when rules and bots were loaded.

use super::moves::{Asked, Choice, DIRECTIONS, Direction};
use super::outcomes as o;
use super::rules::{DiamondCaveRules, Kind, PLAYERS_MAX};
use super::setup::Arrangement;
use crate::formula::program::Program;
use crate::game::{Layout, Places, Record, Seating};
use crate::streams;
use fearless_simd::Level;

mod cave;
mod features;
mod ground;
mod playing_on;
mod questions;
mod recording;
mod rows;
mod shown;

pub use questions::programs;

use cave::{Cave, directions, has};
use ground::{Ground, OFF, ways_on};
use rows::{Bot, Choices};

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    rules: DiamondCaveRules,
    layout: Layout,
    ground: Ground,
    /// For each bot, one program a question.
    programs: Vec<Vec<Program>>,
    seating: Seating,
}

impl Kernel {
    /// Prepares a table; `programs` answer for the bots, one for each question.
    pub fn new(rules: &DiamondCaveRules, programs: Vec<Vec<Program>>, seating: Seating) -> Self {
        Kernel {
            rules: rules.clone(),
            layout: o::layout(rules, programs.len()),
            ground: Ground::new(rules, programs.len()),
            programs,
            seating,
        }
    }

    /// What a record of this table holds.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Plays games `first ..` of `seed` until `record` is full.
    pub fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        let mut game = self.game(level, self.seating.places(self.ground.players, first));
        for index in 0..record.games() {
            game.play(seed, first.wrapping_add(index as u64), index, record);
        }
    }

    /// Room for a game.
    fn game(&self, level: Level, places: Places) -> Game<'_> {
        let bots = self.programs.iter().map(|programs| Bot::new(programs));
        Game {
            kernel: self,
            level,
            bots: bots.collect(),
            cave: Cave::empty(),
            choices: Choices::new(),
            key: 0,
            places,
            decision: 0,
            turns_left: 0,
            actions: 0,
            turn_digs: 0,
            outcomes: [[0; o::SEAT_OUTCOMES]; PLAYERS_MAX],
        }
    }
}

/// One game while it is played.
struct Game<'k> {
    kernel: &'k Kernel,
    level: Level,
    bots: Vec<Bot<'k>>,
    cave: Cave,
    choices: Choices,
    key: u64,
    places: Places,
    decision: u64,
    turns_left: u32,
    actions: i32,
    turn_digs: i32,
    /// What is recorded of the players so far, by place.
    outcomes: [[i32; o::SEAT_OUTCOMES]; PLAYERS_MAX],
}

impl Game<'_> {
    fn play(&mut self, seed: u64, number: u64, index: usize, record: &mut Record) {
        let kernel = self.kernel;
        let players = kernel.ground.players;
        self.key = streams::game_key(seed, number);
        self.places = kernel.seating.places(players, number);
        let dealt = Arrangement::deal(&kernel.rules, self.key, players);
        self.cave.lay_out(&kernel.ground, &dealt);
        self.decision = 0;
        self.turns_left = kernel.rules.turns_max * players as u32;
        self.turn_digs = 0;
        self.forget_outcomes();
        let starter = usize::from(dealt.starter);
        for seat in 0..players {
            self.begin((starter + seat) % players);
        }
        self.turns(starter, starter, index, record);
    }

    fn forget_outcomes(&mut self) {
        self.actions = 0;
        self.outcomes = [[0; o::SEAT_OUTCOMES]; PLAYERS_MAX];
    }

    /// Turns from that of the player at `place` to the end of the game.
    fn turns(&mut self, mut place: usize, starter: usize, index: usize, record: &mut Record) {
        let players = self.kernel.ground.players;
        let mut capped = false;
        while self.turns_left > 0 {
            let over = self.turn(place, record);
            capped = !over;
            if over {
                break;
            }
            place += 1;
            if place == players {
                place = 0;
            }
        }
        self.record(starter, capped, index, record);
    }

    fn begin(&mut self, place: usize) {
        let ground = &self.kernel.ground;
        let mut cells = self.cave.open(ground) & !self.cave.diamonds;
        self.choices.clear();
        while cells != 0 {
            let cell = cells.trailing_zeros() as u8;
            self.choices.push(Choice::Start { cell });
            cells &= cells - 1;
        }
        let Choice::Start { cell } = self.ask(place) else {
            unreachable!("only starts were offered");
        };
        self.begin_at(place, cell);
    }

    /// Turns up the card on which a player begins.
    fn begin_at(&mut self, place: usize, cell: u8) {
        let ground = &self.kernel.ground;
        self.cave.turn_up(ground, cell, false);
        let card = self.cave.cards[usize::from(cell)];
        self.choices.clear();
        for exit in directions(ground.edges[usize::from(card)]) {
            self.choices.push(Choice::Exit { exit });
        }
        let choice = self.ask(place);
        self.begin_towards(place, choice);
    }

    /// Points the pawn of a player who begins along the way that was chosen.
    fn begin_towards(&mut self, place: usize, choice: Choice) {
        let Choice::Exit { exit } = choice else {
            unreachable!("only exits were offered");
        };
        self.cave.begin(&self.kernel.ground, place, exit);
    }

    /// A turn, with those that follow at once; tells whether the game is over.
    fn turn(&mut self, place: usize, record: &mut Record) -> bool {
        self.outcomes[place][o::TURNS] += 1;
        self.turn_digs = 0;
        let over = self.actions(place, record);
        self.count_turn(place, record);
        over
    }

    /// Actions as long as the player goes on; tells whether the game is over.
    fn actions(&mut self, place: usize, record: &mut Record) -> bool {
        while self.turns_left > 0 {
            self.turns_left -= 1;
            if !self.cave.is_free(&self.kernel.ground, place) && !self.unblock(place) {
                return false;
            }
            if let Some(over) = self.act(place, record) {
                return over;
            }
        }
        // All turns are used up, and whoever wanted to go on cannot.
        false
    }

    /// An action of a player who is not blocked. Tells whether the game is over, and nothing when
    /// the player goes on at once, as do the steps below.
    #[inline(always)]
    fn act(&mut self, place: usize, record: &mut Record) -> Option<bool> {
        self.choices.clear();
        self.push_plans(place);
        for colour in DIRECTIONS {
            self.choices.push(Choice::Dig { colour });
        }
        match self.ask(place) {
            Choice::Dig { colour } => self.dig(place, colour, record),
            plan => self.finish(place, plan, record),
        }
    }

    /// Turns up the card in front, and the rest of the action.
    #[inline(always)]
    fn dig(&mut self, place: usize, colour: Direction, record: &mut Record) -> Option<bool> {
        let ground = &self.kernel.ground;
        let own = &self.cave.tunnels[place];
        let cell = ground.cell_of[usize::from(own.front)];
        let (ahead, card) = (own.exit, usize::from(self.cave.cards[usize::from(cell)]));
        let right = ground.edges[card] >> colour & 1 == 1;
        self.actions += 1;
        self.turn_digs += 1;
        self.outcomes[place][o::DIGS] += 1;
        self.outcomes[place][o::RIGHT] += i32::from(right);
        self.cave.turn_up(ground, cell, right);
        self.choices.clear();
        let (ways, count) = ways_on(ground.edges[card], ahead);
        for &exit in &ways[..count] {
            self.choices.push(Choice::Exit { exit });
        }
        let Choice::Exit { exit } = self.ask(place) else {
            unreachable!("only exits were offered");
        };
        self.connect(place, exit, record)
    }

    /// Moves onto the card that was turned up, and the rest of the action.
    #[inline(always)]
    fn connect(&mut self, place: usize, exit: Direction, record: &mut Record) -> Option<bool> {
        let ground = &self.kernel.ground;
        let card = self.cave.cards[usize::from(self.cave.upturned)];
        let gained = self.cave.connect(ground, place, exit);
        self.count_gained(place, gained, record);
        let kind = ground.kinds[usize::from(card)];
        let finishes = self.kernel.rules.finish_turn && kind == Kind::Dark;
        if !finishes && self.is_over() {
            return Some(true);
        }
        self.choices.clear();
        self.choices.push(Choice::Stop);
        match kind {
            Kind::Dark => self.push_plans(place),
            Kind::Torch | Kind::Standard => self.choices.push(Choice::GoOn),
        }
        let choice = self.ask(place);
        self.finish(place, choice, record)
    }

    /// Goes on, ends the turn, or lays a planned card and ends it.
    #[inline(always)]
    fn finish(&mut self, place: usize, choice: Choice, record: &mut Record) -> Option<bool> {
        match choice {
            Choice::GoOn => None,
            Choice::Stop => Some(self.is_over()),
            plan => {
                self.plan(place, plan, record);
                Some(self.is_over())
            }
        }
    }

    /// Offers the planned cards with their ways on, where one may be laid.
    #[inline(always)]
    fn push_plans(&mut self, place: usize) {
        let ground = &self.kernel.ground;
        let own = &self.cave.tunnels[place];
        let front = ground.cell_of[usize::from(own.front)];
        let open = self.cave.open(ground) & !self.cave.diamonds;
        if front == OFF || !has(open, front) {
            return;
        }
        for slot in 0..self.kernel.rules.planned {
            let card = self.cave.planned[slot];
            let (ways, count) = ways_on(ground.edges[usize::from(card)], own.exit);
            let slot = slot as u8;
            let choices = ways.map(|exit| Choice::Plan { slot, exit });
            self.choices.push_some(choices, count);
        }
    }

    /// Does what a blocked player must; tells whether the turn goes on.
    fn unblock(&mut self, place: usize) -> bool {
        let ground = &self.kernel.ground;
        self.actions += 1;
        if self.cave.tunnels[place].length > 1 {
            self.outcomes[place][o::BLOCKED] += 1;
            self.cave.collapse(ground, place);
            return false;
        }
        let spot = ground.spot_of[usize::from(self.cave.tunnels[place].head)];
        let open = self.cave.open(ground);
        self.choices.clear();
        if self.kernel.rules.lone_may_pass {
            self.choices.push(Choice::Stop);
        }
        let passing = self.choices.count;
        for exit in DIRECTIONS {
            let cell = ground.cell_of[usize::from(ground.step(spot, exit))];
            if cell != OFF && has(open, cell) {
                self.choices.push(Choice::Turn { exit });
            }
        }
        if self.choices.count == passing {
            self.outcomes[place][o::BLOCKED] += 1;
            return false;
        }
        let Choice::Turn { exit } = self.ask(place) else {
            return false;
        };
        self.turn_lone(place, exit);
        true
    }

    /// Turns a lone card.
    fn turn_lone(&mut self, place: usize, exit: Direction) {
        self.outcomes[place][o::TURNED] += 1;
        self.cave.point(&self.kernel.ground, place, exit);
    }

    fn plan(&mut self, place: usize, choice: Choice, record: &mut Record) {
        let Choice::Plan { slot, exit } = choice else {
            unreachable!("only plans are left");
        };
        self.actions += 1;
        self.outcomes[place][o::PLANS] += 1;
        let ground = &self.kernel.ground;
        let gained = self.cave.plan(ground, place, usize::from(slot), exit);
        self.count_gained(place, gained, record);
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.cave.showing() == 0
    }

    /// What the player picks; a single choice is no question.
    #[inline(always)]
    fn ask(&mut self, place: usize) -> Choice {
        if self.choices.count == 1 {
            return self.choices.at(0);
        }
        let asked = Asked {
            key: self.key,
            decision: self.decision,
            place,
            turn_digs: self.turn_digs,
            turns: self.outcomes[place][o::TURNS],
        };
        self.decision += 1;
        let (ground, bot) = (&self.kernel.ground, self.places.bot_at(place));
        let bot = &mut self.bots[bot];
        let row = rows::pick(self.level, ground, &self.cave, bot, &self.choices, &asked);
        self.choices.at(row)
    }
}
