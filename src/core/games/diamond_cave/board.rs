//! The board as data: the cards and tunnels, and beside them the planned cards, the deck and the
//! points.

use super::moves::{Choice, DIRECTIONS, Direction};
use super::referee::Position;
use super::rules::{Card, KIND_NAMES, Memory};
use super::transcript::{compass, short_words};
use crate::diagnostic::counted;
use crate::figure::board::{Board, Cell, CellKind, PieceKind};
use crate::game::Places;

/// Numbers of the areas.
pub const CAVE: usize = 0;
pub const PLANNED: usize = 1;
pub const DECK: usize = 2;
pub const PLAYERS: usize = 3;

/// The name of a cell: column letter and row number, A1 at the top left.
pub fn cell_name(position: &Position, cell: usize) -> String {
    let (row, column) = position.place_of(cell);
    let letter = char::from(b'A' + column as u8);
    format!("{letter}{}", row + 1)
}

/// The board without options; `names` are the players, by place.
pub fn board(position: &Position, places: Places, names: &[String]) -> Board {
    let mut board = Board::new(&position.rules.title);
    let tiles = 0..position.tiles.len();
    let mut cave: Vec<Cell> = tiles.map(|cell| untaken(position, cell)).collect();
    for (place, player) in position.players.iter().enumerate() {
        for (index, section) in player.tunnel.iter().enumerate() {
            let mut card = position.front_of(section.cell);
            card.edges = 1 << section.entry | 1 << section.exit;
            let words = format!("{}, tunnel of {}", short_words(card), names[place]);
            let mut cell = show(card, Cell::new(cell_name(position, section.cell), words));
            if position.tile(section.cell).diamond {
                cell.words += ", hides a diamond";
                cell = cell.with(PieceKind::HiddenPrize, "");
            }
            if index + 1 == player.tunnel.len() {
                let (seat, to) = (places.bot_at(place), Some(section.exit));
                cell.words += &format!(", pawn to the {}", compass(section.exit));
                cell = cell.with(PieceKind::Pawn { seat, to }, seat + 1);
            }
            cave[section.cell] = cell;
            let before = position.next(section.cell, section.entry);
            let link = before
                .filter(|_| index > 0)
                .map(|before| [section.cell, before]);
            board.links.extend(link);
        }
    }
    board.add("cave", position.rules.size, cave);
    let planned = (1..).zip(&position.planned).map(|(slot, &card)| {
        let card = position.card(card);
        let cell = Cell::new(format!("planned {slot}"), short_words(card));
        show(card, cell)
    });
    board.add("planned cards", 0, planned);
    let left = position.deck.len();
    let deck = Cell::new("deck: cards", counted(left, "card"));
    board.add("deck", 0, [deck.of_kind(CellKind::FaceDown).times(left)]);
    let players = names.iter().enumerate().map(|(place, name)| {
        let (points, gained) = (position.points(place), position.players[place].gained.len());
        let (seat, to) = (places.bot_at(place), None);
        let [points_words, diamonds] =
            [(points as usize, "point"), (gained, "diamond")].map(|(of, thing)| counted(of, thing));
        let words = format!("{points_words}, {diamonds} gained");
        (Cell::new(name, words).with(PieceKind::Pawn { seat, to }, seat + 1))
            .with(PieceKind::Prize, gained)
            .with(PieceKind::Card, points)
    });
    board.add("points and diamonds gained", 0, players);
    board
}

/// A cell that is in no tunnel.
fn untaken(position: &Position, cell: usize) -> Cell {
    let (name, tile) = (cell_name(position, cell), position.tiles[cell]);
    let Some(tile) = tile else {
        return Cell::new(name, "no card").of_kind(CellKind::Empty);
    };
    if position.is_face_up(cell) {
        return Cell::new(name, "the card in question").of_kind(CellKind::Asked);
    }
    let mut found = Cell::new(name, "face down").of_kind(CellKind::FaceDown);
    if tile.diamond {
        found.words += ", with a diamond";
        found = found.with(PieceKind::Prize, "");
    }
    if position.seen[usize::from(tile.card)] && position.rules.memory == Memory::Perfect {
        let card = position.card(tile.card);
        found.words += &format!(", seen before: {}", short_words(card));
        found = show(card, found);
    }
    found
}

/// The cell with the front of its card.
fn show(card: Card, cell: Cell) -> Cell {
    let ways = DIRECTIONS.into_iter();
    let ways = ways.filter(|edge| card.has(*edge)).collect();
    let light = &KIND_NAMES[card.kind as usize][..1];
    Cell { ways, ..cell }.with(PieceKind::Card, light)
}

/// The cells that a choice of the player at `place` touches.
pub fn touched(position: &Position, place: usize, choice: Choice) -> Vec<usize> {
    let from = |cell: Option<usize>, exit: Direction| {
        let next = cell.and_then(|cell| position.next(cell, exit));
        Vec::from_iter(cell.into_iter().chain(next))
    };
    match choice {
        Choice::Start { cell } => vec![usize::from(cell)],
        Choice::Plan { slot, exit } => {
            let planned = position.tiles.len() + usize::from(slot);
            [vec![planned], from(position.front(place), exit)].concat()
        }
        Choice::Dig { .. } => position.front(place).into_iter().collect(),
        Choice::Exit { exit } => from(position.upturned.map(|up| up.cell), exit),
        Choice::Turn { exit } => from(position.head(place).map(|head| head.cell), exit),
        Choice::Stop | Choice::GoOn => Vec::new(),
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_cave/board.rs"]
mod tests;
