//! The features of the kernel, for all choices of a decision. Slow features are only computed if
//! the bot's program for the question reads them.

use super::ahead::{Coming, KNOWN, Known};
use super::cave::{Cave, Tunnel, has};
use super::ground::{
    ALL, BESIDE, DARKS, DIAMOND, EDGE, EDGE_NO_TORCH, Ground, OPEN, Pool, SHOWS, TORCHES,
};
use super::questions::Question;
use super::shown::{LOWEST_RIM, Shown, bits};
use crate::games::diamond_cave::features::{self as f, STEPS_NEAR};
use crate::games::diamond_cave::moves::{self, Asked, Choice, DIRECTIONS, Direction};
use crate::games::diamond_cave::rules::Kind;
use crate::streams;
use std::cell::Cell;

const HEAD: u64 = 1 << f::TORCH | 1 << f::DARK;
const BONUS: u64 = 1 << f::RIGHT_WAY | 1 << f::GAIN;
const RIVALS: u64 = 1 << f::RIVAL_DISTANCE | 1 << f::RIVALS_AHEAD;
const FRONT_CARD: u64 = 1 << f::FRONT_KNOWN | 1 << f::FRONT_TORCH | 1 << f::FRONT_DARK | FROM_FRONT;
const FROM_FRONT: u64 = 1 << f::DEAD_END | 1 << f::DEAD_END_SOON | 1 << f::POINTS_SOON;
const NEAR: u64 = 1 << f::REACH | 1 << f::DIAMONDS_NEAR;
/// Features of what lies ahead of the front.
pub const AHEAD: u64 = FRONT_CARD | NEAR;
const BLOCKS: u64 = 1 << f::BLOCKS | 1 << f::BLOCKS_POINTS;

/// Features that do not depend on the choice.
const SHARED: u64 = 1 << f::TAIL_DIAMOND
    | 1 << f::LENGTH
    | 1 << f::TAIL_POINTS
    | 1 << f::NEXT_DIAMOND
    | 1 << f::HIDDEN
    | 1 << f::TUNNEL_POINTS
    | 1 << f::GAINED
    | 1 << f::POINTS
    | 1 << f::LEAD
    | 1 << f::TEMPER
    | 1 << f::RANDOM
    | 1 << f::DIAMONDS_LEFT
    | 1 << f::DECK_LEFT
    | 1 << f::TURN_DIGS
    | 1 << f::TURNS;
/// Features that depend on the board after the choice.
const BOARD: u64 = !(SHARED | 1 << f::NOISE);

/// The board from the place of the deciding player.
pub struct View<'a> {
    pub(super) ground: &'a Ground,
    pub(super) cave: &'a Cave,
    pub(super) asked: &'a Asked,
    pub(super) own: &'a Tunnel,
    /// Spot of the tail; 0, which is off the board, before the player has begun.
    tail: u8,
    tail_diamond: bool,
    /// The spots that are open, and those that show a diamond, if that is read.
    masks: [u128; 2],
    pub(super) known: &'a [Cell<Known>; KNOWN],
}

impl<'a> View<'a> {
    #[inline(always)]
    pub fn new(
        ground: &'a Ground,
        cave: &'a Cave,
        asked: &'a Asked,
        masks: [u128; 2],
        known: &'a [Cell<Known>; KNOWN],
    ) -> Self {
        let own = &cave.tunnels[asked.place];
        let tail = if own.length == 0 { 0 } else { own.tail };
        View {
            ground,
            cave,
            asked,
            own,
            tail,
            tail_diamond: cave.states[tail] & DIAMOND != 0,
            masks,
            known,
        }
    }

    /// Fills a row for each of the choices, which answer `question` and are numbered from `first`
    /// in their decision, with all features that the program reads.
    #[inline(always)]
    pub fn fill(&self, shown: &mut Shown, question: Question, choices: &[Choice], first: usize) {
        if shown.reads(SHARED) {
            self.fill_shared(shown, choices.len());
        }
        if shown.reads(BOARD) {
            match question {
                Question::Start => self.fill_starts(shown, choices),
                Question::Act => self.fill_acts(shown, choices),
                Question::Exit => self.fill_exits(shown, choices),
                Question::Turn | Question::Stop | Question::GoOn => {
                    self.fill_stays(shown, choices);
                }
            }
        }
        if shown.reads(1 << f::NOISE) {
            for row in 0..choices.len() {
                let noise = moves::noise(self.asked.key, self.asked.decision, first + row);
                shown.set(f::NOISE, row, noise);
            }
        }
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_shared(&self, shown: &mut Shown, count: usize) {
        let (cave, asked, own) = (self.cave, self.asked, self.own);
        shown.share(f::TAIL_DIAMOND, count, truth(self.tail_diamond));
        let tail_points = match own.length {
            0 => 0,
            _ => self.ground.points(cave.cards[own.tail], self.tail_diamond),
        };
        shown.share(f::TAIL_POINTS, count, tail_points as f32);
        shown.share(f::LENGTH, count, f32::from(own.length));
        if shown.reads(1 << f::NEXT_DIAMOND) {
            let mut spots = cave.spots(own);
            let next = spots.position(|spot| cave.states[spot] & DIAMOND != 0);
            let next = next.map_or(f32::from(own.length), |next| next as f32);
            shown.share(f::NEXT_DIAMOND, count, next);
        }
        shown.share(f::HIDDEN, count, own.hidden as f32);
        shown.share(f::TUNNEL_POINTS, count, own.tunnel_points as f32);
        shown.share(f::GAINED, count, own.gained as f32);
        shown.share(f::POINTS, count, own.points() as f32);
        if shown.reads(1 << f::LEAD) {
            let rivals = (0..self.ground.players).filter(|&place| place != asked.place);
            let best = rivals.map(|place| cave.tunnels[place].points()).max();
            let lead = own.points() - best.unwrap_or(0);
            shown.share(f::LEAD, count, lead as f32);
        }
        if shown.reads(1 << f::TEMPER) {
            shown.share(f::TEMPER, count, streams::temper(asked.key, asked.seat));
        }
        if shown.reads(1 << f::RANDOM) {
            let random = moves::random(asked.key, asked.decision);
            shown.share(f::RANDOM, count, random);
        }
        shown.share(f::DIAMONDS_LEFT, count, f32::from(cave.showing));
        shown.share(f::DECK_LEFT, count, cave.deck_left() as f32);
        shown.share(f::TURN_DIGS, count, asked.turn_digs as f32);
        shown.share(f::TURNS, count, asked.turns as f32);
    }

    #[inline(always)]
    fn fill_starts(&self, shown: &mut Shown, choices: &[Choice]) {
        // Cards that have been face up are still face up or planned: the head is unknown.
        if shown.reads(HEAD) {
            shown.share(f::TORCH, choices.len(), fraction(&self.cave.pool, TORCHES));
            shown.share(f::DARK, choices.len(), fraction(&self.cave.pool, DARKS));
        }
        for (row, &choice) in choices.iter().enumerate() {
            let Choice::Start { cell } = choice else {
                unreachable!("a start");
            };
            let spot = self.ground.spot_of[usize::from(cell)];
            let (blocks, points) = self.blocked(shown, spot);
            shown.words()[row] = self.seen_from(shown, spot) | self.room(spot) | blocks;
            shown.set(f::BLOCKS_POINTS, row, points);
            self.look_ahead(shown, row, (spot, None), (false, 0), None);
        }
    }

    /// Planned cards, and then all edges or none.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_acts(&self, shown: &mut Shown, choices: &[Choice]) {
        let count = choices.len();
        let (blocks, points) = self.blocked(shown, self.own.front);
        shown.share(f::BLOCKS_POINTS, count, points);
        let last = self.cave.states[self.own.front] & SHOWS == SHOWS && self.cave.showing == 1;
        shown.share(f::COVERS_LAST, count, truth(last));
        let digs = matches!(choices[count - 1], Choice::Dig { .. });
        let plans = if digs { count - 4 } else { count };
        if plans > 0 {
            self.fill_plans(shown, &choices[..plans], blocks);
        }
        if digs {
            self.fill_digs(shown, plans, blocks);
        }
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_plans(&self, shown: &mut Shown, choices: &[Choice], blocks: i32) {
        let own = self.own;
        let (mut spots, mut seen) = ([0; 4], [0; 4]);
        for exit in DIRECTIONS {
            let spot = self.ground.step(own.front, exit);
            spots[usize::from(exit)] = spot;
            seen[usize::from(exit)] = self.seen_from(shown, spot);
        }
        shown.share(f::RIGHT_WAY, choices.len(), 1.0);
        for (row, &choice) in choices.iter().enumerate() {
            let Choice::Plan { slot, exit } = choice else {
                unreachable!("a planned card");
            };
            let card = self.cave.planned[usize::from(slot)];
            let kind = self.ground.card(card).kind;
            shown.set(f::TORCH, row, truth(kind == Kind::Torch));
            shown.set(f::DARK, row, truth(kind == Kind::Dark));
            let gains = kind != Kind::Torch && self.tail_diamond;
            shown.set(f::GAIN, row, truth(gains));
            // The cell in front is covered.
            let opens_tail = self.opens_tail(card, true);
            let spot = spots[usize::from(exit)];
            let open = self.opening(spot, opens_tail, 1);
            let (to, covered) = ((spot, Some(exit)), (opens_tail, own.front));
            self.look_ahead(shown, row, to, covered, Some((own.front, card)));
            let straight = bits(f::STRAIGHT, exit == own.exit);
            let all = bits(f::PLAN, true) | bits(f::KNOWN, true) | blocks;
            shown.words()[row] = all | seen[usize::from(exit)] | open | straight;
        }
    }

    /// The four edges of the card in front, as the rows from `row`.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_digs(&self, shown: &mut Shown, row: usize, blocks: i32) {
        let front = self.own.front;
        let card = self.cave.cards[front];
        let word = bits(f::DIG, true) | bits(f::KNOWN, self.knows(card)) | blocks;
        let word = word | self.seen_from(shown, front) | self.room(front);
        shown.words()[row..row + 4].fill(word);
        self.look_ahead(shown, row, (front, Some(self.own.exit)), (false, 0), None);
        for feature in f::FRONT_KNOWN..=f::DIAMONDS_NEAR {
            shown.repeat(feature, row, 3);
        }
        if shown.reads(HEAD) {
            let [torch, dark] = [self.chance_of(card, TORCHES), self.chance_of(card, DARKS)];
            for edge in 0..4 {
                shown.set(f::TORCH, row + edge, torch);
                shown.set(f::DARK, row + edge, dark);
            }
        }
        if shown.reads(BONUS) {
            for edge in 0..4 {
                let right = self.chance_of(card, EDGE + edge);
                shown.set(f::RIGHT_WAY, row + edge, right);
                let gain = self.chance_of(card, EDGE_NO_TORCH + edge);
                let gain = if self.tail_diamond { gain } else { 0.0 };
                shown.set(f::GAIN, row + edge, gain);
            }
        }
    }

    /// The two ways out of the card that was turned up; a single way is no choice.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_exits(&self, shown: &mut Shown, choices: &[Choice]) {
        let (own, cave) = (self.own, self.cave);
        let card = cave.cards[cave.upturned];
        let head = self.share_head(shown, 2, card, cave.right);
        let opens_tail = self.opens_tail(card, cave.right);
        for row in 0..2 {
            let exit = self.exit_of(choices[row]);
            let straight = bits(f::STRAIGHT, own.length > 0 && exit == own.exit);
            let spot = self.ground.step(cave.upturned, exit);
            let open = self.opening(spot, opens_tail, 0);
            let laid = Some((cave.upturned, card));
            self.look_ahead(shown, row, (spot, Some(exit)), (opens_tail, 0), laid);
            shown.words()[row] = head | self.seen_from(shown, spot) | open | straight;
        }
    }

    /// Choices that leave the head where it is.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn fill_stays(&self, shown: &mut Shown, choices: &[Choice]) {
        let card = self.cave.cards[self.own.head];
        let head = self.share_head(shown, choices.len(), card, false);
        for (row, &choice) in choices.iter().enumerate() {
            let exit = self.exit_of(choice);
            let spot = self.ground.step(self.own.head, exit);
            shown.words()[row] = head | self.seen_from(shown, spot) | self.opening(spot, false, 0);
            self.look_ahead(shown, row, (spot, Some(exit)), (false, 0), None);
        }
    }

    /// Where the pawn points after the choice.
    #[inline(always)]
    fn exit_of(&self, choice: Choice) -> Direction {
        match choice {
            Choice::Exit { exit } | Choice::Turn { exit } => exit,
            _ => self.own.exit,
        }
    }

    /// Features of the card at a front entered by a way, and of what is near it, given that the
    /// tail may be open and a spot covered by then, and that a card has become the head at a spot.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn look_ahead(
        &self,
        shown: &mut Shown,
        row: usize,
        (spot, way): (u8, Option<Direction>),
        (tail, covered): (bool, u8),
        head: Option<(u8, u8)>,
    ) {
        if !shown.reads(AHEAD) {
            return;
        }
        let (ground, cave) = (self.ground, self.cave);
        let [open, shows] = self.masks;
        let open = (open | u128::from(tail) << self.tail) & !(1 << covered);
        let mut near = open & 1 << spot;
        let is_open = near != 0;
        let card = cave.cards[spot];
        let [torch, dark] = if is_open {
            [self.chance_of(card, TORCHES), self.chance_of(card, DARKS)]
        } else {
            [0.0; 2]
        };
        shown.set(f::FRONT_KNOWN, row, truth(is_open & self.knows(card)));
        shown.set(f::FRONT_TORCH, row, torch);
        shown.set(f::FRONT_DARK, row, dark);
        if shown.reads(FROM_FRONT) {
            let coming = way.filter(|_| is_open).map(|way| Coming { spot, way });
            self.look_from_front(shown, row, open, coming, head);
        }
        if shown.reads(NEAR) {
            let side = ground.rules.size + 2;
            for _ in 0..STEPS_NEAR {
                near |= (near << 1 | near >> 1 | near << side | near >> side) & open;
            }
            shown.set(f::REACH, row, near.count_ones() as f32);
            shown.set(f::DIAMONDS_NEAR, row, (near & shows).count_ones() as f32);
        }
    }

    /// The features of the head, which is the same card after each of the choices, with or without
    /// the bonus.
    #[inline(always)]
    fn share_head(&self, shown: &mut Shown, count: usize, card: u8, bonus: bool) -> i32 {
        let kind = self.ground.card(card).kind;
        let gain = bonus && kind != Kind::Torch && self.tail_diamond;
        shown.share(f::TORCH, count, truth(kind == Kind::Torch));
        shown.share(f::DARK, count, truth(kind == Kind::Dark));
        shown.share(f::RIGHT_WAY, count, truth(bonus));
        shown.share(f::GAIN, count, truth(gain));
        bits(f::KNOWN, true)
    }

    /// Whether the player knows a card that lies face down.
    #[inline(always)]
    pub(super) fn knows(&self, card: u8) -> bool {
        !self.ground.forgets && has(self.cave.seen, card)
    }

    /// What a card that lies face down may be: itself if it is known, or any of the unknown ones.
    #[inline(always)]
    pub(super) fn pool_of(&self, card: u8) -> &Pool {
        if self.knows(card) {
            &self.ground.weights[usize::from(card)]
        } else {
            &self.cave.pool
        }
    }

    /// The probability that a card that lies face down counts at this position of a pool.
    #[inline(always)]
    pub(super) fn chance_of(&self, card: u8, at: usize) -> f32 {
        fraction(self.pool_of(card), at)
    }

    /// Whether the tail is open once this card is the head: turned down, and replaced if it is
    /// gained.
    #[inline(always)]
    fn opens_tail(&self, head: u8, bonus: bool) -> bool {
        let stays = (self.ground.card(head).kind == Kind::Torch) | (self.own.length == 0);
        let gap = bonus & self.tail_diamond & (self.cave.deck_left() == 0);
        !(stays | gap)
    }

    /// Whether a face-down front is blocked, and the room beside it, given that `covered` cells are
    /// covered.
    #[inline(always)]
    fn opening(&self, spot: u8, opens_tail: bool, covered: u8) -> i32 {
        let state = self.cave.states[spot];
        let to_tail = self.ground.distance(self.tail, spot);
        let free = state & OPEN | u8::from(opens_tail & (to_tail == 0));
        let beside = state / BESIDE + u8::from(opens_tail & (to_tail == 1)) - covered;
        bits(f::FRONT_BLOCKED, 1 - free) | bits(f::ROOM, free * beside)
    }

    /// The room beside a front that is turned up.
    #[inline(always)]
    fn room(&self, spot: u8) -> i32 {
        bits(f::ROOM, self.cave.states[spot] / BESIDE)
    }

    /// The features of a front that do not depend on open spots.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn seen_from(&self, shown: &Shown, spot: u8) -> i32 {
        let (ground, cave) = (self.ground, self.cave);
        let shows = cave.states[spot] & SHOWS == SHOWS;
        let rim = ground.rim[usize::from(spot)];
        let seen = bits(f::FRONT_DIAMOND, shows)
            | bits(f::DIAMOND_DISTANCE, cave.nearest[spot])
            | bits(f::RIM, rim - LOWEST_RIM);
        if !shown.reads(RIVALS) {
            return seen;
        }
        let (mut distance, mut ahead) = (ground.far(), 0u8);
        for (place, rival) in cave.tunnels[..ground.players].iter().enumerate() {
            // The own tunnel is hard to predict, so nothing here branches.
            let counts = (place != self.asked.place) & (rival.length > 0);
            let steps = ground.distance(rival.head, spot);
            distance = distance.min(if counts { steps } else { u8::MAX });
            ahead += u8::from(counts & (rim > LOWEST_RIM) & (rival.front == spot));
        }
        seen | bits(f::RIVAL_DISTANCE, distance) | bits(f::RIVALS_AHEAD, ahead)
    }

    /// The number of others that point to the covered `spot`, and the worth of their tunnels.
    #[inline(always)]
    fn blocked(&self, shown: &Shown, spot: u8) -> (i32, f32) {
        let (mut players, mut points) = (0u8, 0);
        if shown.reads(BLOCKS) {
            let tunnels = &self.cave.tunnels[..self.ground.players];
            for (place, rival) in tunnels.iter().enumerate() {
                let counts = (place != self.asked.place) & (rival.length > 0);
                let counts = counts & (rival.front == spot);
                players += u8::from(counts);
                points += i32::from(counts) * rival.tunnel_points;
            }
        }
        (bits(f::BLOCKS, players), points as f32)
    }
}

#[inline(always)]
fn fraction(pool: &Pool, at: usize) -> f32 {
    f32::from(pool[at]) / f32::from(pool[ALL])
}

#[inline(always)]
pub(super) fn truth(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}
