//! Constants of a table: the geometry of the board, and the properties of each card.

use crate::games::diamond_cave::moves::{DIRECTIONS, Direction, left_of, right_of};
use crate::games::diamond_cave::rules::{
    CARDS_MAX, Card, DiamondCaveRules, Kind, Memory, SIZE_MAX,
};
use std::ops::{Index, IndexMut};

/// Room for the places of a board with a border of one cell around it.
pub const SPOTS: usize = 128;
const _: () = assert!((SIZE_MAX + 2) * (SIZE_MAX + 2) <= SPOTS);

/// A byte for each spot; spot numbers are always in range.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct BySpot(pub [u8; SPOTS]);

impl Index<u8> for BySpot {
    type Output = u8;

    #[inline(always)]
    fn index(&self, spot: u8) -> &u8 {
        &self.0[usize::from(spot) % SPOTS]
    }
}

impl IndexMut<u8> for BySpot {
    #[inline(always)]
    fn index_mut(&mut self, spot: u8) -> &mut u8 {
        &mut self.0[usize::from(spot) % SPOTS]
    }
}

/// Bit of a spot's state: a card lies there face down.
pub const OPEN: u8 = 1;
/// Bit of a spot's state: its card bears a diamond, hidden or not.
pub const DIAMOND: u8 = 2;
/// The state of a spot that shows a diamond has both of these bits.
pub const SHOWS: u8 = OPEN | DIAMOND;
/// Bit of a spot's state: a card lies there face up.
pub const UP: u8 = 4;
/// Unit of the upper bits of a spot's state, which count the open spots beside it.
pub const BESIDE: u8 = 8;

/// Counts of properties among the unknown cards; see the positions below.
pub type Pool = [i16; 16];
/// Position in a [`Pool`]: all of them.
pub const ALL: usize = 0;
/// Position in a [`Pool`]: torches.
pub const TORCHES: usize = 1;
/// Position in a [`Pool`]: dark cards.
pub const DARKS: usize = 2;
/// Position in a [`Pool`]: first of four, those with this edge.
pub const EDGE: usize = 3;
/// Position in a [`Pool`]: first of four, those with this edge that are no torches.
pub const EDGE_NO_TORCH: usize = 7;
/// Cards that lead straight on.
pub const STRAIGHTS: usize = 11;

/// Constants: the geometry of the board, and the cards.
///
/// A spot is a cell or a place of the border around the board, numbered row after row.
pub struct Ground {
    pub rules: DiamondCaveRules,
    pub players: usize,
    /// By cell, its spot.
    pub spot_of: Vec<u8>,
    /// Cell of each spot that is on the board.
    pub cell_of: BySpot,
    /// The states of all spots when every cell is open and bears no diamond.
    pub all_open: BySpot,
    /// What to add to a spot for a step.
    pub steps: [i8; 4],
    pub distance: Box<[BySpot; SPOTS]>,
    /// Steps from each spot to the rim; -1 on the border.
    pub rim: [i8; SPOTS],
    /// Points of each kind of card in a tunnel: torch, standard, dark; without and with diamond.
    pub worth: [[i32; 2]; 3],
    /// The contribution of each card to a pool.
    pub weights: [Pool; CARDS_MAX],
    pub everything: Pool,
    /// Whether bots know only the cards that are face up now.
    pub forgets: bool,
}

impl Ground {
    pub fn new(rules: &DiamondCaveRules, players: usize) -> Self {
        let (size, side) = (rules.size, rules.size + 2);
        let kinds = [Kind::Torch, Kind::Standard, Kind::Dark];
        let worth = |kind, diamond| rules.worth(kind, diamond).iter().sum();
        let mut ground = Ground {
            rules: rules.clone(),
            players,
            spot_of: Vec::new(),
            cell_of: BySpot([0; SPOTS]),
            all_open: BySpot([0; SPOTS]),
            steps: [-(side as i8), 1, side as i8, -1],
            distance: Box::new([BySpot([0; SPOTS]); SPOTS]),
            rim: [-1; SPOTS],
            worth: kinds.map(|kind| [worth(kind, false), worth(kind, true)]),
            weights: [[0; 16]; CARDS_MAX],
            everything: [0; 16],
            forgets: rules.memory == Memory::None,
        };
        for spot in 0..side * side {
            let (row, column) = (spot / side, spot % side);
            let inside = (1..=size).contains(&row) && (1..=size).contains(&column);
            if inside {
                ground.cell_of[spot as u8] = ground.spot_of.len() as u8;
                ground.spot_of.push(spot as u8);
                let rim = (row - 1).min(column - 1).min(size - row).min(size - column);
                ground.rim[spot] = rim as i8;
            }
            for other in 0..side * side {
                let steps = row.abs_diff(other / side) + column.abs_diff(other % side);
                ground.distance[spot].0[other] = steps as u8;
            }
        }
        let mut all_open = ground.all_open;
        for &spot in &ground.spot_of {
            ground.open(&mut all_open, spot);
        }
        ground.all_open = all_open;
        for (number, card) in rules.cards.iter().enumerate() {
            let weight = &mut ground.weights[number];
            let torch = card.kind == Kind::Torch;
            weight[ALL] = 1;
            weight[TORCHES] = i16::from(torch);
            weight[DARKS] = i16::from(card.kind == Kind::Dark);
            weight[STRAIGHTS] = i16::from(card.is_straight());
            for edge in 0..4 {
                let there = i16::from(card.has(edge as u8));
                weight[EDGE + edge] = there;
                weight[EDGE_NO_TORCH + edge] = if torch { 0 } else { there };
            }
            for (sum, part) in ground.everything.iter_mut().zip(weight) {
                *sum += *part;
            }
        }
        ground
    }

    #[inline(always)]
    pub fn points(&self, card: u8, diamond: bool) -> i32 {
        self.worth[self.card(card).kind as usize][usize::from(diamond)]
    }

    #[inline(always)]
    pub fn card(&self, card: u8) -> Card {
        self.rules.cards[usize::from(card)]
    }

    /// The distance that means "none": twice the side of the board.
    #[inline(always)]
    pub fn far(&self) -> u8 {
        2 * self.rules.size as u8
    }

    #[inline(always)]
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.distance[usize::from(from) % SPOTS][to]
    }

    #[inline(always)]
    pub fn step(&self, spot: u8, direction: Direction) -> u8 {
        spot.wrapping_add_signed(self.steps[usize::from(direction) % 4])
    }

    /// A card comes to lie face down.
    #[inline(always)]
    pub fn open(&self, states: &mut BySpot, spot: u8) {
        states[spot] += OPEN;
        for direction in DIRECTIONS {
            states[self.step(spot, direction)] += BESIDE;
        }
    }

    /// A card that lay face down does so no more.
    #[inline(always)]
    pub fn close(&self, states: &mut BySpot, spot: u8) {
        states[spot] -= OPEN;
        for direction in DIRECTIONS {
            states[self.step(spot, direction)] -= BESIDE;
        }
    }
}

/// The ways on through a card that is rotated to meet a pawn pointing along `ahead`, and how many
/// of the two differ.
#[inline(always)]
pub fn ways_on(card: Card, ahead: Direction) -> ([Direction; 2], usize) {
    if card.is_straight() {
        ([ahead; 2], 1)
    } else {
        ([left_of(ahead), right_of(ahead)], 2)
    }
}
