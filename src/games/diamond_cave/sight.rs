//! What the choices of a decision look like to a bot, for all of them at once.
//!
//! The kernel's side of [`features`](super::features): the same numbers as `outlook` finds, and
//! only those that the bot's formula reads.

use super::cave::{Cave, has};
use super::features as f;
use super::ground::{ALL, DARKS, EDGE, EDGE_NO_TORCH, Ground, OFF, TORCHES};
use super::moves::{self, Asked, Choice};
use super::rows::{Bot, Choices};
use super::rules::Kind;

const KINDS: u64 = 1 << f::START
    | 1 << f::PLAN
    | 1 << f::DIG
    | 1 << f::EXIT
    | 1 << f::TURN
    | 1 << f::GO_ON
    | 1 << f::STOP;
const HEAD: u64 = 1 << f::TORCH | 1 << f::DARK | 1 << f::KNOWN | 1 << f::RIGHT_WAY | 1 << f::GAIN;
const OPEN: u64 = 1 << f::FRONT_BLOCKED | 1 << f::ROOM;
const FRONT: u64 = OPEN
    | 1 << f::FRONT_DIAMOND
    | 1 << f::DIAMOND_DISTANCE
    | 1 << f::RIM
    | 1 << f::RIVAL_DISTANCE
    | 1 << f::RIVALS_AHEAD;
const BLOCKS: u64 = 1 << f::BLOCKS | 1 << f::BLOCKS_POINTS;
/// What a choice does to the board, as far as features need it.
#[derive(Clone, Copy)]
struct Row {
    /// Spot to which the pawn would point.
    front: u8,
    /// Cell that is turned up or covered, if any; otherwise [`OFF`].
    covered: u8,
    /// The card that will be the head; [`UNKNOWN`] when the player cannot know it.
    head: u8,
    /// Cells that are open afterwards.
    open: u128,
}

const UNKNOWN: u8 = u8::MAX;

/// The board, seen from the place of the player who is asked.
pub struct Sight<'a> {
    ground: &'a Ground,
    cave: &'a Cave,
    asked: &'a Asked,
    open: u128,
    tail: u8,
    tail_diamond: bool,
    /// Cell in front, or [`OFF`].
    ahead: u8,
}

impl<'a> Sight<'a> {
    /// Looks at the board before a decision.
    #[inline(always)]
    pub fn new(ground: &'a Ground, cave: &'a Cave, asked: &'a Asked) -> Self {
        let digger = &cave.diggers[asked.place];
        let (tail, tail_diamond) = match digger.length {
            0 => (OFF, false),
            _ => (digger.tail(), has(cave.diamonds, digger.tail())),
        };
        Sight {
            ground,
            cave,
            asked,
            open: cave.open(ground),
            tail,
            tail_diamond,
            ahead: ground.cell_of[usize::from(digger.front)],
        }
    }

    /// Fills one row for each choice with all features that the bot's formula reads.
    #[inline(always)]
    pub fn fill(&self, bot: &mut Bot, choices: &Choices) {
        let rows = choices.count;
        self.fill_shared(bot, rows);
        if bot.reads(KINDS) {
            fill_kinds(bot, choices.all());
        }
        if bot.reads(HEAD | FRONT | BLOCKS | 1 << f::STRAIGHT) {
            self.fill_rows(bot, choices.all());
        }
        if bot.reads(1 << f::NOISE) {
            for row in 0..rows {
                let noise = moves::noise(self.asked.key, self.asked.decision, row);
                bot.set(f::NOISE, row, noise);
            }
        }
    }

    /// What does not depend on the choice.
    #[inline(always)]
    fn fill_shared(&self, bot: &mut Bot, rows: usize) {
        let (cave, asked) = (self.cave, self.asked);
        let own = &cave.diggers[asked.place];
        bot.share(f::TAIL_DIAMOND, rows, truth(self.tail_diamond));
        bot.share(f::LENGTH, rows, f32::from(own.length));
        bot.share(f::HIDDEN, rows, own.hidden as f32);
        bot.share(f::TUNNEL_POINTS, rows, own.tunnel_points as f32);
        bot.share(f::GAINED, rows, own.gained as f32);
        bot.share(f::POINTS, rows, own.points() as f32);
        if bot.reads(1 << f::LEAD) {
            let rivals = self.rivals().map(|place| cave.diggers[place].points());
            let lead = own.points() - rivals.max().unwrap_or(0);
            bot.share(f::LEAD, rows, lead as f32);
        }
        if bot.reads(1 << f::RANDOM) {
            let random = moves::random(asked.key, asked.decision);
            bot.share(f::RANDOM, rows, random);
        }
        let showing = cave.showing().count_ones();
        bot.share(f::DIAMONDS_LEFT, rows, showing as f32);
        bot.share(f::DECK_LEFT, rows, cave.deck_left() as f32);
        bot.share(f::TURN_DIGS, rows, asked.turn_digs as f32);
        bot.share(f::TURNS, rows, asked.turns as f32);
    }

    fn fill_rows(&self, bot: &mut Bot, choices: &[Choice]) {
        let nowhere = Row {
            front: 0,
            covered: OFF,
            head: UNKNOWN,
            open: 0,
        };
        let mut before = nowhere;
        let mut before_last = nowhere;
        for (row, &choice) in choices.iter().enumerate() {
            let seen = self.row(choice);
            if bot.reads(HEAD) {
                self.fill_head(bot, row, choice, &seen);
            }
            if bot.reads(FRONT) {
                // Declaring another edge, or another planned card, often leads to the same front.
                let same = |other: &Row| other.front == seen.front && other.open == seen.open;
                if row > 0 && same(&before) {
                    copy_front(bot, row, row - 1);
                } else if row > 1 && same(&before_last) {
                    copy_front(bot, row, row - 2);
                } else {
                    self.fill_front(bot, row, choice, &seen);
                }
                (before_last, before) = (before, seen);
            }
            if bot.reads(BLOCKS) {
                self.fill_blocks(bot, row, choice, &seen);
            }
            let exit = self.cave.diggers[self.asked.place].exit;
            let keeps = match choice {
                Choice::Plan { exit: way, .. } | Choice::Exit { exit: way } => {
                    self.tail != OFF && way == exit
                }
                _ => false,
            };
            bot.set(f::STRAIGHT, row, truth(keeps));
        }
    }

    #[inline(always)]
    fn row(&self, choice: Choice) -> Row {
        let (ground, cave) = (self.ground, self.cave);
        let own = &cave.diggers[self.asked.place];
        match choice {
            Choice::Start { cell } => Row {
                front: ground.spot_of[usize::from(cell)],
                covered: cell,
                head: self.remembered(cell),
                open: self.open,
            },
            Choice::Dig { .. } => Row {
                front: own.front,
                covered: self.ahead,
                head: self.remembered(self.ahead),
                open: self.open,
            },
            Choice::Plan { slot, exit } => {
                let head = cave.planned[usize::from(slot)];
                Row {
                    front: ground.step(own.front, exit),
                    covered: self.ahead,
                    head,
                    open: self.open_after(head, true) & !(1 << self.ahead),
                }
            }
            Choice::Exit { exit } => {
                let cell = cave.upturned;
                let head = cave.cards[usize::from(cell)];
                Row {
                    front: ground.step(ground.spot_of[usize::from(cell)], exit),
                    covered: OFF,
                    head,
                    open: self.open_after(head, cave.right),
                }
            }
            Choice::Turn { exit } => Row {
                front: ground.step(ground.spot_of[usize::from(own.head)], exit),
                covered: OFF,
                head: cave.cards[usize::from(own.head)],
                open: self.open,
            },
            Choice::Stop | Choice::GoOn => Row {
                front: own.front,
                covered: OFF,
                head: cave.cards[usize::from(own.head)],
                open: self.open,
            },
        }
    }

    #[inline(always)]
    fn remembered(&self, cell: u8) -> u8 {
        let card = self.cave.cards[usize::from(cell)];
        match self.ground.forgets || !has(self.cave.seen, card) {
            true => UNKNOWN,
            false => card,
        }
    }

    /// The open cells once the tail is turned down, and replaced if it is gained.
    #[inline(always)]
    fn open_after(&self, head: u8, bonus: bool) -> u128 {
        let stays = self.ground.kinds[usize::from(head)] == Kind::Torch || self.tail == OFF;
        let gap = bonus && self.tail_diamond && self.cave.deck_left() == 0;
        match stays || gap {
            true => self.open,
            false => self.open | 1 << self.tail,
        }
    }

    #[inline(always)]
    fn fill_head(&self, bot: &mut Bot, row: usize, choice: Choice, seen: &Row) {
        let pool = &self.cave.pool;
        let colour = match choice {
            Choice::Dig { colour } => usize::from(colour),
            _ => 0,
        };
        let (torch, dark, right, right_no_torch);
        if seen.head == UNKNOWN {
            let part = |position: usize| f32::from(pool[position]) / f32::from(pool[ALL]);
            torch = part(TORCHES);
            dark = part(DARKS);
            right = part(EDGE + colour);
            right_no_torch = part(EDGE_NO_TORCH + colour);
        } else {
            let head = usize::from(seen.head);
            let is_torch = self.ground.kinds[head] == Kind::Torch;
            let edge = self.ground.edges[head] >> colour & 1 == 1;
            torch = truth(is_torch);
            dark = truth(self.ground.kinds[head] == Kind::Dark);
            right = truth(edge);
            right_no_torch = truth(edge && !is_torch);
        }
        let (bonus, gains) = match choice {
            Choice::Dig { .. } => (right, right_no_torch),
            Choice::Plan { .. } => (1.0, 1.0 - torch),
            Choice::Exit { .. } if self.cave.right => (1.0, 1.0 - torch),
            _ => (0.0, 0.0),
        };
        bot.set(f::TORCH, row, torch);
        bot.set(f::DARK, row, dark);
        bot.set(f::KNOWN, row, truth(seen.head != UNKNOWN));
        bot.set(f::RIGHT_WAY, row, bonus);
        bot.set(f::GAIN, row, if self.tail_diamond { gains } else { 0.0 });
    }

    #[inline(always)]
    fn fill_front(&self, bot: &mut Bot, row: usize, choice: Choice, seen: &Row) {
        let (ground, spot) = (self.ground, usize::from(seen.front));
        let cell = ground.cell_of[spot];
        let turns_up = matches!(choice, Choice::Start { .. } | Choice::Dig { .. });
        if bot.reads(OPEN) {
            let free = turns_up || (cell != OFF && has(seen.open, cell));
            let room = match free {
                true => (ground.beside[spot] & seen.open).count_ones(),
                false => 0,
            };
            bot.set(f::FRONT_BLOCKED, row, truth(!free));
            bot.set(f::ROOM, row, room as f32);
        }
        let showing = self.cave.showing();
        let diamond = cell != OFF && has(showing, cell);
        bot.set(f::FRONT_DIAMOND, row, truth(diamond));
        bot.set(f::RIM, row, f32::from(ground.rim[spot]));
        let far = 2 * (ground.size as u8);
        let distance = &ground.distance[spot];
        if bot.reads(1 << f::DIAMOND_DISTANCE) {
            let mut nearest = far;
            let mut left = showing;
            while left != 0 {
                nearest = nearest.min(distance[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
            bot.set(f::DIAMOND_DISTANCE, row, f32::from(nearest));
        }
        if bot.reads(1 << f::RIVAL_DISTANCE | 1 << f::RIVALS_AHEAD) {
            let (mut nearest, mut ahead) = (far, 0u8);
            for place in self.rivals() {
                let rival = &self.cave.diggers[place];
                if rival.length > 0 {
                    nearest = nearest.min(distance[usize::from(rival.head)]);
                    ahead += u8::from(cell != OFF && rival.front == seen.front);
                }
            }
            bot.set(f::RIVAL_DISTANCE, row, f32::from(nearest));
            bot.set(f::RIVALS_AHEAD, row, f32::from(ahead));
        }
    }

    #[inline(always)]
    fn fill_blocks(&self, bot: &mut Bot, row: usize, choice: Choice, seen: &Row) {
        let (mut players, mut points) = (0, 0);
        if !matches!(choice, Choice::Exit { .. }) && seen.covered != OFF {
            let covered = self.ground.spot_of[usize::from(seen.covered)];
            for place in self.rivals() {
                let rival = &self.cave.diggers[place];
                if rival.length > 0 && rival.front == covered {
                    players += 1;
                    points += rival.tunnel_points;
                }
            }
        }
        bot.set(f::BLOCKS, row, players as f32);
        bot.set(f::BLOCKS_POINTS, row, points as f32);
    }

    #[inline(always)]
    fn rivals(&self) -> impl Iterator<Item = usize> {
        let place = self.asked.place;
        (0..self.ground.players).filter(move |&other| other != place)
    }
}

#[inline(always)]
fn fill_kinds(bot: &mut Bot, choices: &[Choice]) {
    for feature in f::START..=f::STOP {
        bot.share(feature, choices.len(), 0.0);
    }
    for (row, choice) in choices.iter().enumerate() {
        let feature = match choice {
            Choice::Start { .. } => f::START,
            Choice::Plan { .. } => f::PLAN,
            Choice::Dig { .. } => f::DIG,
            Choice::Exit { .. } => f::EXIT,
            Choice::Turn { .. } => f::TURN,
            Choice::GoOn => f::GO_ON,
            Choice::Stop => f::STOP,
        };
        bot.set(feature, row, 1.0);
    }
}

/// Copies what depends on the front alone.
#[inline(always)]
fn copy_front(bot: &mut Bot, row: usize, from: usize) {
    for feature in [
        f::FRONT_DIAMOND,
        f::FRONT_BLOCKED,
        f::ROOM,
        f::DIAMOND_DISTANCE,
        f::RIM,
        f::RIVAL_DISTANCE,
        f::RIVALS_AHEAD,
    ] {
        bot.copy(feature, row, from);
    }
}

#[inline(always)]
fn truth(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}
