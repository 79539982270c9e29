//! The board in its plainest form, as the referee sees it: where every card is, and what each
//! action of the rulebook does to it.
//!
//! Actions must be legal; the referee only plays offered choices. The order of players and the end
//! of the game are the referee's business.

use crate::games::diamond_cave::moves::{
    Choice, DIRECTIONS, Direction, back_of, left_of, right_of,
};
use crate::games::diamond_cave::rules::{Card, DiamondCaveRules, GAINED_POINTS, Kind};
use crate::games::diamond_cave::setup::Arrangement;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Index of the card in [`DiamondCaveRules::cards`].
    pub card: u8,
    /// Whether its back shows a diamond.
    pub diamond: bool,
}

/// A face-up card of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    pub cell: usize,
    /// The end towards the tail.
    pub entry: Direction,
    /// The end towards the head; for the head, where the pawn points.
    pub exit: Direction,
}

/// A card that was turned up and waits to be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upturned {
    pub cell: usize,
    /// Whether the right-way bonus was earned with it.
    pub right: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Player {
    /// The tunnel, tail first.
    pub tunnel: Vec<Section>,
    pub gained: Vec<Tile>,
    pub turns: i32,
}

/// The fate of a tunnel's tail after a card was connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// It stays: the new head is a torch.
    Stays,
    /// The card of this cell was turned down.
    TurnedDown(usize),
    /// The card of this cell had a diamond and was gained; the deck filled the gap, or was empty.
    Gained(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Position<'a> {
    pub rules: &'a DiamondCaveRules,
    /// The board, row after row; `None` where the deck could not fill a gap.
    pub tiles: Vec<Option<Tile>>,
    /// The deck, its top last.
    pub deck: Vec<u8>,
    pub planned: Vec<u8>,
    /// For each card, whether its front has ever been face up.
    pub seen: Vec<bool>,
    pub players: Vec<Player>,
    /// The card that was turned up last and is not connected yet.
    pub upturned: Option<Upturned>,
    /// Remaining turns of all players together.
    pub turns_left: u32,
}

impl<'a> Position<'a> {
    pub fn new(rules: &'a DiamondCaveRules, dealt: &Arrangement, players: usize) -> Self {
        let (cells, deck) = (rules.cells(), rules.deck);
        let cards = &dealt.cards[..rules.cards.len()];
        let mut seen = vec![false; cards.len()];
        for &card in &cards[cells + deck..] {
            seen[usize::from(card)] = true;
        }
        let tile = |cell: usize| Tile {
            card: cards[cell],
            diamond: dealt.diamonds >> cell & 1 == 1,
        };
        Position {
            rules,
            tiles: (0..cells).map(|cell| Some(tile(cell))).collect(),
            deck: cards[cells..cells + deck].iter().rev().copied().collect(),
            planned: cards[cells + deck..].to_vec(),
            seen,
            players: vec![Player::default(); players],
            upturned: None,
            turns_left: rules.turns_max * players as u32,
        }
    }

    pub fn card(&self, card: u8) -> Card {
        self.rules.cards[usize::from(card)]
    }

    /// The card that lies on `cell`, which must not be a gap.
    pub fn tile(&self, cell: usize) -> Tile {
        self.tiles[cell].expect("a card lies here")
    }

    /// The front of the card that lies on `cell`, which must not be a gap.
    pub fn front_of(&self, cell: usize) -> Card {
        self.card(self.tile(cell).card)
    }

    pub fn place_of(&self, cell: usize) -> (i32, i32) {
        let size = self.rules.size;
        ((cell / size) as i32, (cell % size) as i32)
    }

    /// The cell at a row and a column, if that is on the board.
    pub fn cell_at(&self, (row, column): (i32, i32)) -> Option<usize> {
        let size = self.rules.size as i32;
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside.then_some((row * size + column) as usize)
    }

    /// The cell next to `cell`, if that is on the board.
    pub fn next(&self, cell: usize, direction: Direction) -> Option<usize> {
        self.cell_at(step(self.place_of(cell), direction))
    }

    /// Whether the card on `cell` is part of a tunnel or was just turned up.
    pub fn is_face_up(&self, cell: usize) -> bool {
        let in_tunnel = |player: &Player| player.tunnel.iter().any(|s| s.cell == cell);
        self.players.iter().any(in_tunnel) || self.upturned.is_some_and(|up| up.cell == cell)
    }

    pub fn is_open(&self, cell: usize) -> bool {
        self.tiles[cell].is_some() && !self.is_face_up(cell)
    }

    pub fn shows_diamond(&self, cell: usize) -> bool {
        self.is_open(cell) && self.tile(cell).diamond
    }

    pub fn diamonds(&self) -> Vec<usize> {
        let cells = 0..self.tiles.len();
        cells.filter(|&cell| self.shows_diamond(cell)).collect()
    }

    /// The head of a tunnel, once its player has begun.
    pub fn head(&self, place: usize) -> Option<Section> {
        self.players[place].tunnel.last().copied()
    }

    /// The cell to which a pawn points, if that is on the board.
    pub fn front(&self, place: usize) -> Option<usize> {
        let head = self.head(place)?;
        self.next(head.cell, head.exit)
    }

    /// Whether the pawn points off the board, to a face-up card, or to a gap. Rulebook, "Blocked
    /// tunnels".
    pub fn is_blocked(&self, place: usize) -> bool {
        !self.front(place).is_some_and(|cell| self.is_open(cell))
    }

    /// The points of the card on a cell, which must not be a gap: for its hidden diamond, for its
    /// torch, and for being a standard card.
    pub fn worth_at(&self, cell: usize) -> [i32; 3] {
        let tile = self.tile(cell);
        self.rules.worth(self.card(tile.card).kind, tile.diamond)
    }

    /// The points of the player's tunnel: for hidden diamonds, torches and standard cards.
    pub fn tunnel_points(&self, place: usize) -> [i32; 3] {
        let mut points = [0; 3];
        for section in &self.players[place].tunnel {
            let worth = self.worth_at(section.cell);
            (0..3).for_each(|part| points[part] += worth[part]);
        }
        points
    }

    /// All points that the player would have if the game ended now.
    pub fn points(&self, place: usize) -> i32 {
        let gained = self.players[place].gained.len() as i32;
        GAINED_POINTS * gained + self.tunnel_points(place).iter().sum::<i32>()
    }

    /// The cells where a player may begin: any card that shows no diamond.
    pub fn starts(&self) -> Vec<Choice> {
        let cells = (0..self.tiles.len()).filter(|&cell| self.is_open(cell));
        let free = cells.filter(|&cell| !self.shows_diamond(cell));
        let start = |cell| Choice::Start { cell: cell as u8 };
        free.map(start).collect()
    }

    /// The ways out of the card that was turned up.
    pub fn exits(&self, place: usize) -> Vec<Choice> {
        let up = self.upturned.expect("a card was turned up");
        let card = self.front_of(up.cell);
        let exits = match self.head(place) {
            // The first card is not rotated: the pawn leaves by one of its printed ends.
            None => {
                let all = DIRECTIONS.into_iter();
                all.filter(|exit| card.has(*exit)).collect()
            }
            Some(head) => ways_on(card, head.exit),
        };
        let choice = |exit| Choice::Exit { exit };
        exits.into_iter().map(choice).collect()
    }

    /// The ways to turn the only card of a blocked tunnel.
    pub fn turns(&self, place: usize) -> Vec<Choice> {
        let head = self.head(place).expect("the player has begun");
        let open = |exit: &Direction| {
            let cell = self.next(head.cell, *exit);
            cell.is_some_and(|cell| self.is_open(cell))
        };
        let choice = |exit| Choice::Turn { exit };
        DIRECTIONS.into_iter().filter(open).map(choice).collect()
    }

    /// The planned cards with their ways on; empty if the front is blocked or shows a diamond.
    /// Rulebook, action A.
    pub fn plans(&self, place: usize) -> Vec<Choice> {
        let front = self.front(place).filter(|&front| self.is_open(front));
        if front.is_none_or(|front| self.shows_diamond(front)) {
            return Vec::new();
        }
        let head = self.head(place).expect("the player has begun");
        let mut plans = Vec::new();
        for (slot, &card) in (0..).zip(&self.planned) {
            let ways = ways_on(self.card(card), head.exit);
            plans.extend(ways.into_iter().map(|exit| Choice::Plan { slot, exit }));
        }
        plans
    }

    /// Declares an edge and turns up the card in front. Rulebook, action B.
    pub fn dig(&mut self, place: usize, colour: Direction) {
        let front = self.front(place).expect("not blocked");
        self.turn_up(front, self.front_of(front).has(colour));
    }

    /// Connects the card that was turned up; a player's first card becomes the tunnel.
    pub fn connect(&mut self, place: usize, exit: Direction) -> Tail {
        let up = self.upturned.take().expect("a card was turned up");
        match self.head(place) {
            None => {
                let edges = self.front_of(up.cell).edges & !(1 << exit);
                let entry = edges.trailing_zeros() as Direction;
                let cell = up.cell;
                let tunnel = &mut self.players[place].tunnel;
                tunnel.push(Section { cell, entry, exit });
                Tail::Stays
            }
            Some(_) => self.move_on(place, up, exit),
        }
    }

    /// Replaces the card in front by a planned one. Rulebook, action A.
    pub fn plan(&mut self, place: usize, slot: usize, exit: Direction) -> Tail {
        let cell = self.front(place).expect("not blocked");
        let tile = self.tiles[cell].as_mut().expect("not a gap");
        std::mem::swap(&mut tile.card, &mut self.planned[slot]);
        self.seen[usize::from(self.planned[slot])] = true;
        self.move_on(place, Upturned { cell, right: true }, exit)
    }

    pub fn collapse(&mut self, place: usize) {
        let tunnel = &mut self.players[place].tunnel;
        tunnel.drain(..tunnel.len() - 1);
    }

    pub fn turn_lone(&mut self, place: usize, exit: Direction) {
        let head = self.head(place).expect("the player has begun");
        let straight = self.front_of(head.cell).is_straight();
        let entry = if straight {
            back_of(exit)
        } else {
            right_of(exit)
        };
        self.players[place].tunnel[0] = Section {
            entry,
            exit,
            ..head
        };
    }

    /// Turns up a card, with or without the right-way bonus.
    pub fn turn_up(&mut self, cell: usize, right: bool) {
        let card = self.tile(cell).card;
        self.seen[usize::from(card)] = true;
        self.upturned = Some(Upturned { cell, right });
    }

    /// Moves the pawn onto a new head, and turns down the tail unless the head is a torch.
    fn move_on(&mut self, place: usize, new: Upturned, exit: Direction) -> Tail {
        let head = self.head(place).expect("the player has begun");
        let torch = self.front_of(new.cell).kind == Kind::Torch;
        let player = &mut self.players[place];
        player.tunnel.push(Section {
            cell: new.cell,
            entry: back_of(head.exit),
            exit,
        });
        if torch {
            return Tail::Stays;
        }
        let cell = player.tunnel.remove(0).cell;
        let tile = self.tiles[cell].expect("a tunnel lies on cards");
        if !(tile.diamond && new.right) {
            return Tail::TurnedDown(cell);
        }
        player.gained.push(tile);
        self.tiles[cell] = self.deck.pop().map(|card| Tile {
            card,
            diamond: false,
        });
        Tail::Gained(cell)
    }
}

/// The ways on through a card that is rotated to meet a pawn pointing along `direction`.
fn ways_on(card: Card, direction: Direction) -> Vec<Direction> {
    if card.is_straight() {
        vec![direction]
    } else {
        vec![left_of(direction), right_of(direction)]
    }
}

/// One step from a row and a column, perhaps off the board.
pub fn step((row, column): (i32, i32), direction: Direction) -> (i32, i32) {
    match direction {
        0 => (row - 1, column),
        1 => (row, column + 1),
        2 => (row + 1, column),
        _ => (row, column - 1),
    }
}
