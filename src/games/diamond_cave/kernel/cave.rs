//! The board as the kernel sees it: cells as bits, tunnels as rings, what is unknown as counts.
//!
//! Every action does in a few operations what the referee's position does card by card.
//! Nothing here allocates, and nothing checks whether an action is legal.

use super::ground::{Ground, OFF, Pool};
use crate::games::diamond_cave::moves::{DIRECTIONS, Direction};
use crate::games::diamond_cave::rules::{
    CELLS_MAX, DECK_MAX, GAINED_POINTS, Kind, PLANNED_MAX, PLAYERS_MAX,
};
use crate::games::diamond_cave::setup::Arrangement;
use crate::games::diamond_cave::snapshot::Snapshot;

/// Length of a tunnel's ring; a power of two above the number of cells.
const RING: usize = 128;

/// What a player has: the tunnel with its pawn, and the number of gained diamonds.
#[derive(Debug, Clone, Copy)]
pub struct Tunnel {
    ring: [u8; RING],
    tail: u8,
    /// Cards in the tunnel; 0 until the player has begun.
    pub length: u8,
    /// Cell of the head.
    pub head: u8,
    /// Where the pawn points.
    pub exit: Direction,
    /// The spot to which the pawn points.
    pub front: u8,
    /// Points of the tunnel.
    pub tunnel_points: i32,
    /// Diamonds under the tunnel.
    pub hidden: i32,
    /// Diamonds gained.
    pub gained: i32,
}

const NOT_BEGUN: Tunnel = Tunnel {
    ring: [0; RING],
    tail: 0,
    length: 0,
    head: 0,
    exit: 0,
    front: 0,
    tunnel_points: 0,
    hidden: 0,
    gained: 0,
};

impl Tunnel {
    /// Cell of the tail; the player must have begun.
    #[inline(always)]
    pub fn tail(&self) -> u8 {
        self.ring[usize::from(self.tail)]
    }

    /// The cells of the tunnel, tail first.
    pub fn cells(&self) -> impl Iterator<Item = u8> {
        let at = |step: u8| usize::from(self.tail.wrapping_add(step)) % RING;
        (0..self.length).map(move |step| self.ring[at(step)])
    }

    /// All points if the game ended now.
    #[inline(always)]
    pub fn points(&self) -> i32 {
        GAINED_POINTS * self.gained + self.tunnel_points
    }
}

/// Where every card is.
#[derive(Clone)]
pub struct Cave {
    /// Cells that are face up.
    pub up: u128,
    /// Cells that the deck could not fill.
    pub gaps: u128,
    /// Cells whose card bears a diamond, hidden or not.
    pub diamonds: u128,
    /// Card on each cell.
    pub cards: [u8; CELLS_MAX],
    /// The planned tunnels.
    pub planned: [u8; PLANNED_MAX],
    deck: [u8; DECK_MAX],
    deck_next: usize,
    deck_size: usize,
    /// Cards whose front has been face up.
    pub seen: u128,
    /// What is unknown.
    pub pool: Pool,
    /// The players, by place.
    pub tunnels: [Tunnel; PLAYERS_MAX],
    /// Cell of the card that was turned up and is not connected yet.
    pub upturned: u8,
    /// Whether the bonus was earned with it.
    pub right: bool,
}

impl Cave {
    /// A board without cards.
    pub fn empty() -> Self {
        Cave {
            up: 0,
            gaps: 0,
            diamonds: 0,
            cards: [0; CELLS_MAX],
            planned: [0; PLANNED_MAX],
            deck: [0; DECK_MAX],
            deck_next: 0,
            deck_size: 0,
            seen: 0,
            pool: [0; 16],
            tunnels: [NOT_BEGUN; PLAYERS_MAX],
            upturned: 0,
            right: false,
        }
    }

    /// Lays out an arrangement.
    pub fn lay_out(&mut self, ground: &Ground, dealt: &Arrangement) {
        let (cells, deck) = (ground.cells, ground.deck);
        self.up = 0;
        self.gaps = 0;
        self.diamonds = dealt.diamonds;
        self.cards[..cells].copy_from_slice(&dealt.cards[..cells]);
        self.deck[..deck].copy_from_slice(&dealt.cards[cells..cells + deck]);
        self.deck_next = 0;
        self.deck_size = deck;
        self.planned[..ground.planned].copy_from_slice(&dealt.cards[cells + deck..ground.cards]);
        self.seen = 0;
        self.pool = ground.everything;
        for slot in 0..ground.planned {
            self.see(ground, self.planned[slot]);
        }
        for tunnel in &mut self.tunnels[..ground.players] {
            // What the ring held is never read again.
            (tunnel.tail, tunnel.length, tunnel.front) = (0, 0, 0);
            (tunnel.tunnel_points, tunnel.hidden, tunnel.gained) = (0, 0, 0);
        }
    }

    /// Lays out a game in the middle.
    pub fn standing(ground: &Ground, from: &Snapshot) -> Self {
        let mut cave = Cave::empty();
        for (cell, tile) in from.tiles.iter().enumerate() {
            match tile {
                Some((card, diamond)) => {
                    cave.cards[cell] = *card;
                    cave.diamonds |= u128::from(*diamond) << cell;
                }
                None => cave.gaps |= 1 << cell,
            }
        }
        cave.stack(&from.deck);
        cave.planned[..from.planned.len()].copy_from_slice(&from.planned);
        for (place, player) in from.players.iter().enumerate() {
            cave.tunnels[place].gained = player.gained;
            for &cell in &player.tunnel {
                cave.up |= 1 << cell;
                cave.add_head(ground, place, cell, player.exit);
            }
        }
        if let Some((cell, right)) = from.upturned {
            cave.up |= 1 << cell;
            (cave.upturned, cave.right) = (cell, right);
        }
        cave.pool = ground.everything;
        cave.seen = from.seen;
        let known = cave.known(ground);
        for card in (0..ground.cards as u8).filter(|&card| has(known, card)) {
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

    /// The cards that the players know, one bit each: those that lie face up and, where that is
    /// remembered, those that did.
    pub fn known(&self, ground: &Ground) -> u128 {
        if !ground.forgets {
            return self.seen;
        }
        let up = (0..ground.cells as u8).filter(|&cell| has(self.up, cell));
        let up = up.map(|cell| self.cards[usize::from(cell)]);
        let known = up.chain(self.planned[..ground.planned].iter().copied());
        known.fold(0, |known, card| known | 1 << card)
    }

    /// Cards left in the deck.
    #[inline(always)]
    pub fn deck_left(&self) -> usize {
        self.deck_size - self.deck_next
    }

    /// Cells where a card lies face down.
    #[inline(always)]
    pub fn open(&self, ground: &Ground) -> u128 {
        ground.full & !(self.up | self.gaps)
    }

    /// Cells that show a diamond.
    #[inline(always)]
    pub fn showing(&self) -> u128 {
        self.diamonds & !self.up
    }

    /// Whether the player's front is open.
    #[inline(always)]
    pub fn is_free(&self, ground: &Ground, place: usize) -> bool {
        let cell = ground.cell_of[usize::from(self.tunnels[place].front)];
        cell != OFF && has(self.open(ground), cell)
    }

    /// Turns up the card of `cell`, which then waits to be connected.
    #[inline(always)]
    pub fn turn_up(&mut self, ground: &Ground, cell: u8, right: bool) {
        self.up |= 1 << cell;
        self.upturned = cell;
        self.right = right;
        self.see(ground, self.cards[usize::from(cell)]);
    }

    /// Makes the card that was turned up the tunnel of a player who begins.
    #[inline(always)]
    pub fn begin(&mut self, ground: &Ground, place: usize, exit: Direction) {
        self.add_head(ground, place, self.upturned, exit);
    }

    /// Lays a planned card in front and moves onto it; tells the cell of a gained diamond.
    #[inline(always)]
    pub fn plan(
        &mut self,
        ground: &Ground,
        place: usize,
        slot: usize,
        exit: Direction,
    ) -> Option<u8> {
        let cell = ground.cell_of[usize::from(self.tunnels[place].front)];
        std::mem::swap(&mut self.cards[usize::from(cell)], &mut self.planned[slot]);
        self.see(ground, self.planned[slot]);
        self.up |= 1 << cell;
        self.upturned = cell;
        self.right = true;
        self.connect(ground, place, exit)
    }

    /// Moves onto the card that was turned up; tells the cell of a gained diamond.
    #[inline(always)]
    pub fn connect(&mut self, ground: &Ground, place: usize, exit: Direction) -> Option<u8> {
        self.add_head(ground, place, self.upturned, exit);
        let head = self.cards[usize::from(self.upturned)];
        if ground.kinds[usize::from(head)] == Kind::Torch {
            return None;
        }
        let cell = self.drop_tail(ground, place);
        let gains = self.right && has(self.diamonds, cell);
        if !gains {
            return None;
        }
        self.tunnels[place].gained += 1;
        self.diamonds &= !(1 << cell);
        match self.deck_next < self.deck_size {
            true => {
                self.cards[usize::from(cell)] = self.deck[self.deck_next];
                self.deck_next += 1;
            }
            false => self.gaps |= 1 << cell,
        }
        Some(cell)
    }

    /// Turns down all of a tunnel but its head.
    pub fn collapse(&mut self, ground: &Ground, place: usize) {
        while self.tunnels[place].length > 1 {
            self.drop_tail(ground, place);
        }
    }

    /// Points a pawn in another direction.
    #[inline(always)]
    pub fn point(&mut self, ground: &Ground, place: usize, exit: Direction) {
        let tunnel = &mut self.tunnels[place];
        tunnel.exit = exit;
        tunnel.front = ground.step(ground.spot_of[usize::from(tunnel.head)], exit);
    }

    #[inline(always)]
    fn add_head(&mut self, ground: &Ground, place: usize, cell: u8, exit: Direction) {
        let diamond = has(self.diamonds, cell);
        let points = ground.points(self.cards[usize::from(cell)], diamond);
        let tunnel = &mut self.tunnels[place];
        let at = usize::from(tunnel.tail.wrapping_add(tunnel.length)) % RING;
        tunnel.ring[at] = cell;
        tunnel.length += 1;
        tunnel.head = cell;
        tunnel.tunnel_points += points;
        tunnel.hidden += i32::from(diamond);
        self.point(ground, place, exit);
    }

    #[inline(always)]
    fn drop_tail(&mut self, ground: &Ground, place: usize) -> u8 {
        let tunnel = &mut self.tunnels[place];
        let cell = tunnel.tail();
        tunnel.tail = (tunnel.tail + 1) % RING as u8;
        tunnel.length -= 1;
        let diamond = has(self.diamonds, cell);
        let card = self.cards[usize::from(cell)];
        tunnel.tunnel_points -= ground.points(card, diamond);
        tunnel.hidden -= i32::from(diamond);
        self.up &= !(1 << cell);
        if ground.forgets {
            add(&mut self.pool, &ground.weights[usize::from(card)], 1);
        }
        cell
    }

    /// A card that was face down comes to lie face up.
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
    for (sum, part) in pool.iter_mut().zip(weight) {
        *sum += part * times;
    }
}

/// The directions whose edge is among `edges`.
#[inline(always)]
pub fn directions(edges: u8) -> impl Iterator<Item = Direction> {
    DIRECTIONS
        .into_iter()
        .filter(move |edge| edges >> edge & 1 == 1)
}
