//! The board of the kernel: a byte for each spot, tunnels as chains, unknown cards as counts.
//!
//! Every action takes a few operations where the referee's position works card by card. Nothing
//! here allocates, and nothing checks whether an action is legal.

use super::ground::{BySpot, DIAMOND, Ground, OPEN, Pool, SHOWS, SPOTS, UP};
use crate::games::diamond_cave::moves::Direction;
use crate::games::diamond_cave::rules::{DECK_MAX, GAINED_POINTS, Kind, PLANNED_MAX, PLAYERS_MAX};
use crate::games::diamond_cave::setup::Arrangement;
use crate::games::diamond_cave::snapshot::Snapshot;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u8x64};

/// A player's tunnel with its pawn, and the number of gained diamonds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tunnel {
    /// Spot of the tail, once the player has begun.
    pub tail: u8,
    /// Cards in the tunnel; 0 until the player has begun.
    pub length: u8,
    pub head: u8,
    /// Where the pawn points.
    pub exit: Direction,
    /// The spot to which the pawn points.
    pub front: u8,
    pub tunnel_points: i32,
    pub hidden: i32,
    pub gained: i32,
}

impl Tunnel {
    #[inline(always)]
    pub fn points(&self) -> i32 {
        GAINED_POINTS * self.gained + self.tunnel_points
    }
}

#[derive(Clone)]
pub struct Cave {
    /// The state of each spot and the number of open spots beside it; see [`OPEN`] and after.
    pub states: BySpot,
    /// Spots that show a diamond.
    pub showing: u8,
    /// Steps from each spot to the nearest one with a visible diamond; computed on demand.
    pub nearest: BySpot,
    nearest_is_old: bool,
    pub cards: BySpot,
    /// The next spot of the tunnel that each belongs to, except for heads.
    next: BySpot,
    pub planned: [u8; PLANNED_MAX],
    /// Planned cards laid so far: each moves two cards, which may be known already.
    pub plans: u32,
    deck: [u8; DECK_MAX],
    deck_next: usize,
    deck_size: usize,
    /// Cards that have been face up.
    pub seen: u128,
    pub pool: Pool,
    pub tunnels: [Tunnel; PLAYERS_MAX],
    /// Spot of the card that was turned up and is not connected yet.
    pub upturned: u8,
    /// Whether it earned the bonus.
    pub right: bool,
}

impl Cave {
    pub fn empty() -> Self {
        Cave {
            states: BySpot([0; SPOTS]),
            showing: 0,
            nearest: BySpot([0; SPOTS]),
            nearest_is_old: true,
            cards: BySpot([0; SPOTS]),
            next: BySpot([0; SPOTS]),
            planned: [0; PLANNED_MAX],
            plans: 0,
            deck: [0; DECK_MAX],
            deck_next: 0,
            deck_size: 0,
            seen: 0,
            pool: [0; 16],
            tunnels: [Tunnel::default(); PLAYERS_MAX],
            upturned: 0,
            right: false,
        }
    }

    pub fn lay_out(&mut self, ground: &Ground, dealt: &Arrangement) {
        let rules = &ground.rules;
        let (board, rest) = dealt.cards[..rules.cards.len()].split_at(rules.cells());
        let (deck, planned) = rest.split_at(rules.deck);
        self.states = ground.all_open;
        for (&spot, &card) in ground.spot_of.iter().zip(board) {
            self.cards[spot] = card;
        }
        let mut diamonds = dealt.diamonds;
        while diamonds != 0 {
            self.states[ground.spot_of[diamonds.trailing_zeros() as usize]] |= DIAMOND;
            diamonds &= diamonds - 1;
        }
        self.showing = dealt.diamonds.count_ones() as u8;
        self.nearest_is_old = true;
        self.stack(deck);
        self.planned[..planned.len()].copy_from_slice(planned);
        self.plans = 0;
        self.seen = 0;
        self.pool = ground.everything;
        for &card in planned {
            self.see(ground, card);
        }
        self.tunnels = [Tunnel::default(); PLAYERS_MAX];
    }

    pub fn standing(ground: &Ground, from: &Snapshot) -> Self {
        let mut cave = Cave::empty();
        cave.states = ground.all_open;
        for (&spot, tile) in ground.spot_of.iter().zip(&from.tiles) {
            match tile {
                Some((card, diamond)) => {
                    cave.cards[spot] = *card;
                    cave.states[spot] |= if *diamond { DIAMOND } else { 0 };
                    cave.showing += u8::from(*diamond);
                }
                None => ground.close(&mut cave.states, spot),
            }
        }
        cave.stack(&from.deck);
        cave.planned[..from.planned.len()].copy_from_slice(&from.planned);
        for (place, player) in from.players.iter().enumerate() {
            cave.tunnels[place].gained = player.gained;
            for &cell in &player.tunnel {
                let spot = ground.spot_of[usize::from(cell)];
                cave.cover(ground, spot);
                cave.add_head(ground, place, spot, player.exit);
            }
        }
        if let Some((cell, right)) = from.upturned {
            cave.upturned = ground.spot_of[usize::from(cell)];
            cave.right = right;
            cave.cover(ground, cave.upturned);
        }
        cave.pool = ground.everything;
        cave.seen = from.seen;
        let known = cave.known(ground);
        for card in (0..ground.rules.cards.len() as u8).filter(|&card| has(known, card)) {
            add(&mut cave.pool, &ground.weights[usize::from(card)], -1);
        }
        cave
    }

    /// Makes these cards the deck.
    #[inline(always)]
    pub fn stack(&mut self, deck: &[u8]) {
        self.deck[..deck.len()].copy_from_slice(deck);
        (self.deck_next, self.deck_size) = (0, deck.len());
    }

    /// The cards known to the players, one bit each: those face up and, where that is remembered,
    /// those that were.
    pub fn known(&self, ground: &Ground) -> u128 {
        if !ground.forgets {
            return self.seen;
        }
        let spots = ground.spot_of.iter();
        let up = spots.filter(|&&spot| self.states[spot] & UP != 0);
        let up = up.map(|&spot| self.cards[spot]);
        let known = up.chain(self.planned[..ground.rules.planned].iter().copied());
        known.fold(0, |known, card| known | 1 << card)
    }

    #[inline(always)]
    pub fn deck_left(&self) -> usize {
        self.deck_size - self.deck_next
    }

    /// Updates [`Self::nearest`] if it is out of date.
    #[inline(always)]
    pub fn find_nearest<S: Simd>(&mut self, simd: S, ground: &Ground) {
        if self.nearest_is_old {
            self.nearest_is_old = false;
            let shows = u8x64::splat(simd, SHOWS);
            let mut nearest = [u8x64::splat(simd, ground.far()); 2];
            for half in 0..2 {
                let states = u8x64::load_array_ref(simd, &self.states.0.as_chunks().0[half]);
                let mut showing = (states & shows).simd_eq(shows).to_bitmask();
                while showing != 0 {
                    let spot = 64 * half + showing.trailing_zeros() as usize;
                    let steps = ground.distance[spot].0.as_chunks().0;
                    nearest[0] = nearest[0].min(u8x64::load_array_ref(simd, &steps[0]));
                    nearest[1] = nearest[1].min(u8x64::load_array_ref(simd, &steps[1]));
                    showing &= showing - 1;
                }
            }
            for (nearest, half) in nearest.iter().zip(self.nearest.0.as_chunks_mut().0) {
                nearest.store_array(half);
            }
        }
    }

    /// The spots that are open, and those that show a diamond: a bit each.
    #[inline(always)]
    pub fn masks<S: Simd>(&self, simd: S) -> [u128; 2] {
        let mut masks = [0; 2];
        for half in 0..2 {
            let states = u8x64::load_array_ref(simd, &self.states.0.as_chunks().0[half]);
            for (mask, bits) in masks.iter_mut().zip([OPEN, SHOWS]) {
                let bits = u8x64::splat(simd, bits);
                let found = (states & bits).simd_eq(bits).to_bitmask();
                *mask |= u128::from(found) << (64 * half);
            }
        }
        masks
    }

    /// Turns up the card at `spot`, which then waits to be connected.
    #[inline(always)]
    pub fn turn_up(&mut self, ground: &Ground, spot: u8, right: bool) {
        self.cover(ground, spot);
        self.upturned = spot;
        self.right = right;
        self.see(ground, self.cards[spot]);
    }

    /// A card that lay face down is face up now.
    #[inline(always)]
    fn cover(&mut self, ground: &Ground, spot: u8) {
        ground.close(&mut self.states, spot);
        self.states[spot] |= UP;
        let diamond = self.states[spot] & DIAMOND != 0;
        self.showing -= u8::from(diamond);
        self.nearest_is_old |= diamond;
    }

    /// Lays a planned card in front and moves onto it; returns the spot of a gained diamond.
    #[inline(always)]
    pub fn plan(
        &mut self,
        ground: &Ground,
        place: usize,
        slot: usize,
        exit: Direction,
    ) -> Option<u8> {
        let spot = self.tunnels[place].front;
        std::mem::swap(&mut self.cards[spot], &mut self.planned[slot]);
        self.plans += 1;
        self.see(ground, self.planned[slot]);
        self.cover(ground, spot);
        self.upturned = spot;
        self.right = true;
        self.connect(ground, place, exit)
    }

    /// Moves onto the card that was turned up; returns the spot of a gained diamond.
    #[inline(always)]
    pub fn connect(&mut self, ground: &Ground, place: usize, exit: Direction) -> Option<u8> {
        self.add_head(ground, place, self.upturned, exit);
        let head = ground.card(self.cards[self.upturned]);
        if head.kind == Kind::Torch {
            return None;
        }
        let tail = self.tunnels[place].tail;
        self.drop_tail(ground, place);
        if !self.right || self.states[tail] & DIAMOND == 0 {
            return None;
        }
        self.tunnels[place].gained += 1;
        self.states[tail] -= DIAMOND;
        self.showing -= 1;
        if self.deck_next < self.deck_size {
            self.cards[tail] = self.deck[self.deck_next];
            self.deck_next += 1;
        } else {
            ground.close(&mut self.states, tail)
        }
        Some(tail)
    }

    pub fn collapse(&mut self, ground: &Ground, place: usize) {
        while self.tunnels[place].length > 1 {
            self.drop_tail(ground, place);
        }
    }

    /// The spots of a tunnel, tail first.
    pub fn spots(&self, tunnel: &Tunnel) -> impl Iterator<Item = u8> {
        let next = |&spot: &u8| Some(self.next[spot]);
        std::iter::successors(Some(tunnel.tail), next).take(usize::from(tunnel.length))
    }

    #[inline(always)]
    pub fn point(&mut self, ground: &Ground, place: usize, exit: Direction) {
        let tunnel = &mut self.tunnels[place];
        tunnel.exit = exit;
        tunnel.front = ground.step(tunnel.head, exit);
    }

    /// Adds a card that is face up to a tunnel, or begins it there.
    #[inline(always)]
    pub fn add_head(&mut self, ground: &Ground, place: usize, spot: u8, exit: Direction) {
        let diamond = self.states[spot] & DIAMOND != 0;
        let points = ground.points(self.cards[spot], diamond);
        let tunnel = &mut self.tunnels[place];
        match tunnel.length {
            0 => tunnel.tail = spot,
            _ => self.next[tunnel.head] = spot,
        }
        tunnel.length += 1;
        tunnel.head = spot;
        tunnel.tunnel_points += points;
        tunnel.hidden += i32::from(diamond);
        self.point(ground, place, exit);
    }

    #[inline(always)]
    fn drop_tail(&mut self, ground: &Ground, place: usize) {
        let tunnel = &mut self.tunnels[place];
        let spot = tunnel.tail;
        tunnel.tail = self.next[spot];
        tunnel.length -= 1;
        let diamond = self.states[spot] & DIAMOND != 0;
        let card = self.cards[spot];
        tunnel.tunnel_points -= ground.points(card, diamond);
        tunnel.hidden -= i32::from(diamond);
        self.states[spot] -= UP;
        ground.open(&mut self.states, spot);
        self.showing += u8::from(diamond);
        self.nearest_is_old |= diamond;
        if ground.forgets {
            add(&mut self.pool, &ground.weights[usize::from(card)], 1);
        }
    }

    #[inline(always)]
    fn see(&mut self, ground: &Ground, card: u8) {
        if ground.forgets || !has(self.seen, card) {
            self.seen |= 1 << card;
            add(&mut self.pool, &ground.weights[usize::from(card)], -1);
        }
    }
}

/// Whether `set` holds `member`, which must be below 128.
#[inline(always)]
pub fn has(set: u128, member: u8) -> bool {
    // Masked, so that no check is left for a shift that is too far.
    set >> (member & 127) & 1 == 1
}

#[inline(always)]
fn add(pool: &mut Pool, weight: &Pool, times: i16) {
    // Through a copy, which becomes a vector.
    let mut sums = *pool;
    for (sum, part) in sums.iter_mut().zip(weight) {
        *sum += part * times;
    }
    *pool = sums;
}
