//! Features of what lies beyond the front: dead ends, and what the next digs add.

use super::features::{View, truth};
use super::ground::{ALL, DARKS, DIAMOND, EDGE_NO_TORCH, Ground, Pool, STRAIGHTS, TORCHES};
use super::shown::Shown;
use crate::games::diamond_cave::features::{self as f, DIGS_SOON, SOON};
use crate::games::diamond_cave::moves::{Direction, left_of, right_of};
use crate::games::diamond_cave::rules::{GAINED_POINTS, Kind};

/// A spot, and the way by which a pawn enters it.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Coming {
    pub spot: u8,
    pub way: Direction,
}

/// The inputs of the cached features.
#[derive(Clone, Copy, Default, PartialEq)]
struct Front {
    game: u64,
    open: u128,
    seen: u128,
    pool: Pool,
    plans: u32,
    deck_left: usize,
    at: Coming,
}

/// Cached features of the last front, so far as they were computed.
#[derive(Clone, Copy, Default)]
pub struct Known {
    front: Front,
    line: Line,
    dead_end: Option<f32>,
    dead_end_soon: Option<f32>,
    points_soon: Option<f32>,
}

/// Fronts cached per game: those of both ways out of a card lie in different places.
pub const KNOWN: usize = 4;

impl View<'_> {
    /// The features of a front that are slow to compute, unless cached from an earlier choice. No
    /// tunnel reaches a closed front.
    #[inline(always)]
    pub(super) fn look_from_front(
        &self,
        shown: &mut Shown,
        row: usize,
        open: u128,
        coming: Option<Coming>,
        head: Option<(u8, u8)>,
    ) {
        let Some(at) = coming else {
            for feature in [f::DEAD_END, f::DEAD_END_SOON, f::POINTS_SOON] {
                shown.set(feature, row, 0.0);
            }
            return;
        };
        let (cave, own) = (self.cave, &self.known[usize::from(at.spot) % KNOWN]);
        let front = Front {
            game: self.asked.key,
            open,
            seen: cave.seen,
            pool: cave.pool,
            plans: cave.plans,
            deck_left: cave.deck_left(),
            at,
        };
        let mut known = own.get();
        if known.front != front {
            known = Known {
                front,
                ..Known::default()
            };
        }
        if shown.reads(1 << f::DEAD_END) {
            let chance = match known.dead_end {
                Some(chance) => chance,
                None => self.dead_end(open, at),
            };
            known.dead_end = Some(chance);
            shown.set(f::DEAD_END, row, chance);
        }
        if shown.reads(1 << f::DEAD_END_SOON) {
            let chance = match known.dead_end_soon {
                Some(chance) => chance,
                None => self.dead_end_soon(open, at),
            };
            known.dead_end_soon = Some(chance);
            shown.set(f::DEAD_END_SOON, row, chance);
        }
        if shown.reads(1 << f::POINTS_SOON) {
            let line = self.line(head);
            let points = match known.points_soon {
                Some(points) if known.line == line => points,
                _ => self.points_soon(open, at, DIGS_SOON, line),
            };
            (known.line, known.points_soon) = (line, Some(points));
            shown.set(f::POINTS_SOON, row, points);
        }
        own.set(known);
    }

    /// The probability that a tunnel that enters an open spot by a way finds no open way on.
    fn dead_end(&self, open: u128, at: Coming) -> f32 {
        self.no_way_on(open, at, |_, _| 0.0)
    }

    /// The same within [`SOON`] cards.
    fn dead_end_soon(&self, open: u128, at: Coming) -> f32 {
        const { assert!(SOON == 3, "a level each, so that none is a call") }
        self.no_way_on(open, at, |open, at| {
            self.no_way_on(open, at, |open, at| self.no_way_on(open, at, |_, _| 0.0))
        })
    }

    /// The probability that no way leads on from a spot; `next` gives it for the open spots beside
    /// it.
    #[inline(always)]
    fn no_way_on(&self, open: u128, at: Coming, next: impl Fn(u128, Coming) -> f32) -> f32 {
        let Coming { spot, way } = at;
        let straight = self.chance_of(self.cave.cards[spot], STRAIGHTS);
        let open = open & !(1 << spot);
        let on = |way| match self.ground.step(spot, way) {
            spot if open >> spot & 1 == 0 => 1.0,
            spot => next(open, Coming { spot, way }),
        };
        // Skips what cannot change the answer.
        let ahead = if straight > 0.0 { on(way) } else { 0.0 };
        let left = if straight < 1.0 {
            on(left_of(way))
        } else {
            0.0
        };
        let aside = if left > 0.0 {
            left.min(on(right_of(way)))
        } else {
            0.0
        };
        straight * ahead + (1.0 - straight) * aside
    }

    /// The tunnel from its tail on, after a card has become its head at a spot.
    #[inline(always)]
    fn line(&self, head: Option<(u8, u8)>) -> Line {
        let (ground, cave) = (self.ground, self.cave);
        let mut line = Line::default();
        for spot in cave.spots(self.own).take(DIGS_SOON + 1) {
            line.push(ground, cave.cards[spot], cave.states[spot] & DIAMOND != 0);
        }
        line.count = u32::from(self.own.length);
        if let Some((spot, card)) = head {
            line.push(ground, card, cave.states[spot] & DIAMOND != 0);
            if ground.card(card).kind != Kind::Torch && self.own.length > 0 {
                line.pop();
            }
        }
        // At most this many cards can be turned down.
        line.cards &= (1 << (4 * DIGS_SOON)) - 1;
        line
    }

    /// What a dig at `spot` from a tunnel adds on average, and those that follow if they add
    /// anything: the feature [`f::POINTS_SOON`].
    fn points_soon(&self, open: u128, at: Coming, digs: usize, line: Line) -> f32 {
        let Coming { spot, way } = at;
        if open >> spot & 1 == 0 {
            return 0.0;
        }
        let ground = self.ground;
        let pool = self.pool_of(self.cave.cards[spot]);
        let share = |cards: i16| f32::from(cards) / f32::from(pool[ALL]);
        let others = pool[ALL] - pool[TORCHES];
        let kinds = [pool[TORCHES], others - pool[DARKS], pool[DARKS]].map(share);
        let straight = share(pool[STRAIGHTS]);
        let edges = &pool[EDGE_NO_TORCH..EDGE_NO_TORCH + 4];
        let best = edges.iter().copied().fold(0, i16::max);
        let right = f32::from(best) / f32::from(others.max(1));
        let diamond = self.cave.states[spot] & DIAMOND != 0;
        let open = open & !(1 << spot);
        let mut points = 0.0;
        for next in [Kind::Torch, Kind::Standard, Kind::Dark] {
            let chance = kinds[next as usize];
            if chance == 0.0 {
                continue;
            }
            let mut line = line;
            let head = ground.worth[next as usize][usize::from(diamond)];
            line.push_worth(head, diamond);
            let mut adds = head as f32;
            if next != Kind::Torch {
                let (tail, hides) = line.pop();
                adds += truth(hides) * right * GAINED_POINTS as f32 - tail as f32;
            }
            if next != Kind::Dark && digs > 1 {
                let on = |way| {
                    let spot = ground.step(spot, way);
                    let at = Coming { spot, way };
                    self.points_soon(open, at, digs - 1, line).max(0.0)
                };
                let ahead = if straight > 0.0 { on(way) } else { 0.0 };
                let aside = if straight < 1.0 {
                    on(left_of(way)).max(on(right_of(way)))
                } else {
                    0.0
                };
                adds += straight * ahead + (1.0 - straight) * aside;
            }
            points += chance * adds;
        }
        points
    }
}

/// The first cards of a tunnel, its tail first: four bits each, of which the last is whether it
/// hides a diamond, and the others are its points.
#[derive(Clone, Copy, Default, PartialEq)]
struct Line {
    cards: u32,
    count: u32,
}

impl Line {
    #[inline(always)]
    fn push(&mut self, ground: &Ground, card: u8, diamond: bool) {
        self.push_worth(ground.points(card, diamond), diamond);
    }

    #[inline(always)]
    fn push_worth(&mut self, worth: i32, diamond: bool) {
        // Later cards are never read.
        if self.count < 8 {
            self.cards |= (worth as u32 | u32::from(diamond) << 3) << (4 * self.count);
        }
        self.count += 1;
    }

    /// Removes the tail; returns its points and whether it hides a diamond.
    #[inline(always)]
    fn pop(&mut self) -> (u32, bool) {
        let tail = self.cards & 15;
        self.cards >>= 4;
        self.count -= 1;
        (tail & 7, tail & 8 != 0)
    }
}
