//! Many games of Diamond Cave, one after the other, without a detour: the referee's game over
//! bit sets, all choices of a decision scored as one batch.
//!
//! Nothing here allocates once a chunk has begun, and nothing returns an error: what can be wrong
//! was checked when rules and bots were loaded.

use super::cave::{Cave, Ground, OFF, directions, has};
use super::moves::{Choice, DIRECTIONS, Direction, left_of, right_of};
use super::outcomes as o;
use super::rows::{self, Asked, Bot, Choices};
use super::rules::{DiamondCaveRules, GAINED_POINTS, Kind, PLAYERS_MAX};
use super::setup::Arrangement;
use crate::formula::program::Program;
use crate::game::{Layout, Record, SCORE, WIN, WIN_UNITS};
use crate::streams;
use fearless_simd::Level;

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    rules: DiamondCaveRules,
    layout: Layout,
    ground: Ground,
    /// One program a bot.
    programs: Vec<Program>,
    rotate: bool,
}

impl Kernel {
    /// Prepares a table; `programs` answer for the bots, one formula each.
    pub fn new(rules: &DiamondCaveRules, programs: Vec<Program>, rotate: bool) -> Self {
        Kernel {
            rules: rules.clone(),
            layout: o::layout(rules, programs.len()),
            ground: Ground::new(rules, programs.len()),
            programs,
            rotate,
        }
    }

    /// What a record of this table holds.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Plays games `first ..` of `seed` until `record` is full.
    pub fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        let players = self.ground.players;
        let bots = self
            .programs
            .iter()
            .map(|program| Bot::new(program, players));
        let mut player = Player {
            kernel: self,
            level,
            bots: bots.collect(),
            cave: Cave::empty(),
            choices: Choices::new(),
            key: 0,
            shift: 0,
            decision: 0,
            turns_left: 0,
            actions: 0,
            turn_digs: 0,
            deeds: [Deeds::default(); PLAYERS_MAX],
        };
        for game in 0..record.games() {
            player.play(seed, first.wrapping_add(game as u64), game, record);
        }
    }
}

/// What a player did so far in a game.
#[derive(Clone, Copy, Default)]
struct Deeds {
    turns: i32,
    plans: i32,
    digs: i32,
    right: i32,
    blocked: i32,
    turned: i32,
}

/// A game in play.
struct Player<'k> {
    kernel: &'k Kernel,
    level: Level,
    bots: Vec<Bot<'k>>,
    cave: Cave,
    choices: Choices,
    key: u64,
    /// How far bots have moved on from their first places.
    shift: usize,
    decision: u64,
    turns_left: u32,
    actions: i32,
    turn_digs: i32,
    /// By place.
    deeds: [Deeds; PLAYERS_MAX],
}

impl Player<'_> {
    fn play(&mut self, seed: u64, number: u64, game: usize, record: &mut Record) {
        let kernel = self.kernel;
        let players = kernel.ground.players;
        self.key = streams::game_key(seed, number);
        self.shift = match kernel.rotate {
            true => (number % players as u64) as usize,
            false => 0,
        };
        let dealt = Arrangement::deal(&kernel.rules, self.key, players);
        self.cave.lay_out(&kernel.ground, &dealt);
        self.decision = 0;
        self.turns_left = kernel.rules.turns_max * players as u32;
        self.actions = 0;
        self.turn_digs = 0;
        self.deeds = [Deeds::default(); PLAYERS_MAX];
        let starter = usize::from(dealt.starter);
        for seat in 0..players {
            self.begin((starter + seat) % players);
        }
        let mut place = starter;
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
        self.record(starter, capped, game, record);
    }

    /// The bot that sits at `place`.
    #[inline(always)]
    fn bot_at(&self, place: usize) -> usize {
        let players = self.kernel.ground.players;
        let bot = place + players - self.shift;
        if bot >= players { bot - players } else { bot }
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
        self.cave.turn_up(ground, cell, false);
        let card = self.cave.cards[usize::from(cell)];
        self.choices.clear();
        for exit in directions(ground.edges[usize::from(card)]) {
            self.choices.push(Choice::Exit { exit });
        }
        let exit = self.ask_exit(place);
        self.cave.begin(ground, place, exit);
    }

    /// A turn, with those that follow at once; tells whether the game is over.
    fn turn(&mut self, place: usize, record: &mut Record) -> bool {
        self.deeds[place].turns += 1;
        self.turn_digs = 0;
        let over = self.actions(place, record);
        self.count_turn(place, record);
        over
    }

    fn actions(&mut self, place: usize, record: &mut Record) -> bool {
        let ground = &self.kernel.ground;
        while self.turns_left > 0 {
            self.turns_left -= 1;
            if !self.cave.is_free(ground, place) && !self.unblock(place) {
                return false;
            }
            self.choices.clear();
            self.push_plans(place);
            for colour in DIRECTIONS {
                self.choices.push(Choice::Dig { colour });
            }
            let kind = match self.ask(place) {
                Choice::Dig { colour } => self.dig(place, colour, record),
                plan => {
                    self.plan(place, plan, record);
                    return self.is_over();
                }
            };
            if self.is_over() {
                return true;
            }
            self.choices.clear();
            self.choices.push(Choice::Stop);
            match kind {
                Kind::Dark => self.push_plans(place),
                Kind::Torch | Kind::Standard => self.choices.push(Choice::GoOn),
            }
            match self.ask(place) {
                Choice::GoOn => {}
                Choice::Stop => return false,
                plan => {
                    self.plan(place, plan, record);
                    return self.is_over();
                }
            }
        }
        // All turns are used up, and whoever wanted to go on cannot.
        false
    }

    /// Offers the planned cards with their ways on, where one may be laid.
    #[inline(always)]
    fn push_plans(&mut self, place: usize) {
        let ground = &self.kernel.ground;
        let own = &self.cave.diggers[place];
        let front = ground.cell_of[usize::from(own.front)];
        let open = self.cave.open(ground) & !self.cave.diamonds;
        if front == OFF || !has(open, front) {
            return;
        }
        for slot in 0..self.kernel.rules.planned {
            let card = self.cave.planned[slot];
            let (ways, count) = ways_on(ground.edges[usize::from(card)], own.exit);
            for &exit in &ways[..count] {
                let slot = slot as u8;
                self.choices.push(Choice::Plan { slot, exit });
            }
        }
    }

    /// Does what a blocked player must; tells whether the turn goes on.
    fn unblock(&mut self, place: usize) -> bool {
        let ground = &self.kernel.ground;
        self.actions += 1;
        if self.cave.diggers[place].length > 1 {
            self.deeds[place].blocked += 1;
            self.cave.collapse(ground, place);
            return false;
        }
        let spot = ground.spot_of[usize::from(self.cave.diggers[place].head)];
        let open = self.cave.open(ground);
        self.choices.clear();
        for exit in DIRECTIONS {
            let cell = ground.cell_of[usize::from(ground.step(spot, exit))];
            if cell != OFF && has(open, cell) {
                self.choices.push(Choice::Turn { exit });
            }
        }
        if self.choices.count == 0 {
            self.deeds[place].blocked += 1;
            return false;
        }
        let Choice::Turn { exit } = self.ask(place) else {
            unreachable!("only turns were offered");
        };
        self.deeds[place].turned += 1;
        self.cave.point(ground, place, exit);
        true
    }

    fn plan(&mut self, place: usize, choice: Choice, record: &mut Record) {
        let Choice::Plan { slot, exit } = choice else {
            unreachable!("only plans are left");
        };
        self.actions += 1;
        self.deeds[place].plans += 1;
        let ground = &self.kernel.ground;
        let gained = self.cave.plan(ground, place, usize::from(slot), exit);
        self.count_gained(place, gained, record);
    }

    /// Turns up the card in front and moves onto it; tells its kind.
    fn dig(&mut self, place: usize, colour: Direction, record: &mut Record) -> Kind {
        let ground = &self.kernel.ground;
        let own = &self.cave.diggers[place];
        let cell = ground.cell_of[usize::from(own.front)];
        let (ahead, card) = (own.exit, usize::from(self.cave.cards[usize::from(cell)]));
        let right = ground.edges[card] >> colour & 1 == 1;
        self.actions += 1;
        self.turn_digs += 1;
        self.deeds[place].digs += 1;
        self.deeds[place].right += i32::from(right);
        self.cave.turn_up(ground, cell, right);
        self.choices.clear();
        let (ways, count) = ways_on(ground.edges[card], ahead);
        for &exit in &ways[..count] {
            self.choices.push(Choice::Exit { exit });
        }
        let exit = self.ask_exit(place);
        let gained = self.cave.connect(ground, place, exit);
        self.count_gained(place, gained, record);
        ground.kinds[card]
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.cave.showing() == 0
    }

    fn ask_exit(&mut self, place: usize) -> Direction {
        match self.ask(place) {
            Choice::Exit { exit } => exit,
            _ => unreachable!("only exits were offered"),
        }
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
            turns: self.deeds[place].turns,
        };
        self.decision += 1;
        let (ground, bot) = (&self.kernel.ground, self.bot_at(place));
        let bot = &mut self.bots[bot];
        let row = rows::pick(self.level, ground, &self.cave, bot, &self.choices, &asked);
        self.choices.at(row)
    }

    #[inline(always)]
    fn count_gained(&self, place: usize, gained: Option<u8>, record: &mut Record) {
        if let Some(cell) = gained {
            let layout = &self.kernel.layout;
            let row = layout.counts_offset(o::GAINED_AT) + usize::from(cell) * layout.seats;
            record.counts[row + self.bot_at(place)] += 1;
        }
    }

    fn count_turn(&self, place: usize, record: &mut Record) {
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
    fn record(&self, starter: usize, capped: bool, game: usize, record: &mut Record) {
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
        for place in 0..players {
            let (own, deeds, bot) = (&diggers[place], &self.deeds[place], self.bot_at(place));
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

/// The ways on through a card that is rotated to meet a pawn pointing along `ahead`, and how many
/// they are.
#[inline(always)]
fn ways_on(edges: u8, ahead: Direction) -> ([Direction; 2], usize) {
    match edges == 0b0101 || edges == 0b1010 {
        true => ([ahead; 2], 1),
        false => ([left_of(ahead), right_of(ahead)], 2),
    }
}
