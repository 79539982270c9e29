//! What never changes at a table: the geometry of the board, and what each card is.

use crate::games::diamond_cave::moves::{Direction, left_of, right_of};
use crate::games::diamond_cave::rules::{CARDS_MAX, CELLS_MAX, DiamondCaveRules, Kind, Memory};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, mask8x64, u8x64};

/// No cell: off the board.
pub const OFF: u8 = u8::MAX;
/// Places of a board with a border of one cell around it.
pub const SPOTS: usize = (crate::games::diamond_cave::rules::SIZE_MAX + 2)
    * (crate::games::diamond_cave::rules::SIZE_MAX + 2);

/// How often something is among the unknown cards; see the positions below.
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

/// What never changes: the geometry of the board, and the cards.
///
/// A spot is a cell or a place of the border around the board, numbered row after row.
pub struct Ground {
    /// Number of players.
    pub players: usize,
    /// All cells.
    pub full: u128,
    /// Spot of each cell.
    pub spot_of: [u8; CELLS_MAX],
    /// Cell of each spot, or [`OFF`].
    pub cell_of: [u8; SPOTS],
    /// The cells beside each spot.
    pub beside: [u128; SPOTS],
    /// What to add to a spot for a step.
    pub steps: [i8; 4],
    /// Steps from a spot to a cell, in two halves, each read as one vector.
    distance: Box<[[[u8; 64]; 2]; SPOTS]>,
    /// Steps from each spot to the rim; -1 on the border.
    pub rim: [i8; SPOTS],
    /// Kind of each card.
    pub kinds: [Kind; CARDS_MAX],
    /// Edges of each card, as [`Card::edges`](crate::games::diamond_cave::rules::Card::edges).
    pub edges: [u8; CARDS_MAX],
    /// Points of each kind of card in a tunnel: torch, standard, dark; without and with diamond.
    worth: [[i32; 2]; 3],
    /// What each card adds to a pool.
    pub weights: [Pool; CARDS_MAX],
    /// The pool of all cards.
    pub everything: Pool,
    /// Whether bots know only what lies face up now.
    pub forgets: bool,
    /// Cards along a side of the board.
    pub size: usize,
    /// Cells of the board.
    pub cells: usize,
    /// Cards of the deck.
    pub deck: usize,
    /// Planned tunnels.
    pub planned: usize,
    /// All cards.
    pub cards: usize,
}

impl Ground {
    /// Prepares a table of `players`.
    pub fn new(rules: &DiamondCaveRules, players: usize) -> Self {
        let (size, side) = (rules.size, rules.size + 2);
        let kinds = [Kind::Torch, Kind::Standard, Kind::Dark];
        let worth = |kind, diamond| rules.worth(kind, diamond).iter().sum();
        let mut ground = Ground {
            players,
            full: (1 << rules.cells()) - 1,
            spot_of: [0; CELLS_MAX],
            cell_of: [OFF; SPOTS],
            beside: [0; SPOTS],
            steps: [-(side as i8), 1, side as i8, -1],
            distance: Box::new([[[0; 64]; 2]; SPOTS]),
            rim: [-1; SPOTS],
            kinds: [Kind::Dark; CARDS_MAX],
            edges: [0; CARDS_MAX],
            worth: kinds.map(|kind| [worth(kind, false), worth(kind, true)]),
            weights: [[0; 16]; CARDS_MAX],
            everything: [0; 16],
            forgets: rules.memory == Memory::None,
            size,
            cells: rules.cells(),
            deck: rules.deck,
            planned: rules.planned,
            cards: rules.cards.len(),
        };
        for spot in 0..side * side {
            let (row, column) = (spot / side, spot % side);
            let inside = (1..=size).contains(&row) && (1..=size).contains(&column);
            if inside {
                let cell = (row - 1) * size + column - 1;
                ground.spot_of[cell] = spot as u8;
                ground.cell_of[spot] = cell as u8;
                let rim = (row - 1).min(column - 1).min(size - row).min(size - column);
                ground.rim[spot] = rim as i8;
            }
            for cell in 0..rules.cells() {
                let steps = row.abs_diff(cell / size + 1) + column.abs_diff(cell % size + 1);
                ground.distance[spot][cell / 64][cell % 64] = steps as u8;
                ground.beside[spot] |= u128::from(steps == 1) << cell;
            }
        }
        for (number, card) in rules.cards.iter().enumerate() {
            ground.kinds[number] = card.kind;
            ground.edges[number] = card.edges;
            let weight = &mut ground.weights[number];
            let torch = card.kind == Kind::Torch;
            weight[ALL] = 1;
            weight[TORCHES] = i16::from(torch);
            weight[DARKS] = i16::from(card.kind == Kind::Dark);
            for edge in 0..4 {
                let there = i16::from(card.edges >> edge & 1);
                weight[EDGE + edge] = there;
                weight[EDGE_NO_TORCH + edge] = if torch { 0 } else { there };
            }
            for (sum, part) in ground.everything.iter_mut().zip(weight) {
                *sum += *part;
            }
        }
        ground
    }

    /// The points of a card in a tunnel.
    #[inline(always)]
    pub fn points(&self, card: u8, diamond: bool) -> i32 {
        self.worth[self.kinds[usize::from(card)] as usize][usize::from(diamond)]
    }

    /// The distance that stands for none: twice the side of the board.
    #[inline(always)]
    pub fn far(&self) -> u8 {
        2 * self.size as u8
    }

    /// Steps from `spot` to `cell`.
    #[inline(always)]
    pub fn distance(&self, spot: u8, cell: u8) -> u8 {
        let cell = usize::from(cell);
        self.distance[usize::from(spot)][cell / 64 % 2][cell % 64]
    }

    /// Steps from `spot` to the nearest of `cells`.
    #[inline(always)]
    pub fn nearest<S: Simd>(&self, simd: S, spot: u8, cells: u128) -> u8 {
        let [low, high] = &self.distance[usize::from(spot)];
        let far = u8x64::splat(simd, self.far());
        let low = u8x64::load_array_ref(simd, low);
        let high = u8x64::load_array_ref(simd, high);
        let low = mask8x64::from_bitmask(simd, cells as u64).select(low, far);
        let high = mask8x64::from_bitmask(simd, (cells >> 64) as u64).select(high, far);
        low.min(high).reduce_min()
    }

    /// The spot one step from `spot`.
    #[inline(always)]
    pub fn step(&self, spot: u8, direction: Direction) -> u8 {
        spot.wrapping_add_signed(self.steps[usize::from(direction)])
    }
}

/// The ways on through a card that is rotated to meet a pawn pointing along `ahead`, and how many
/// of the two differ.
#[inline(always)]
pub const fn ways_on(edges: u8, ahead: Direction) -> ([Direction; 2], usize) {
    match edges == 0b0101 || edges == 0b1010 {
        true => ([ahead; 2], 1),
        false => ([left_of(ahead), right_of(ahead)], 2),
    }
}
