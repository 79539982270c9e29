//! The board as data: the cards and tunnels, and beside them the planned cards, the deck and the
//! points.

use super::moves::{Choice, DIRECTIONS, Direction};
use super::referee::Position;
use super::rules::{Card, KIND_NAMES, Memory};
use super::transcript::{compass, short_words};
use crate::diagnostic::counted;
use crate::figure::board::{Area, Board, Cell, CellKind, Piece, PieceKind};
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
    let (tiles, size) = (position.tiles.len(), position.rules.size);
    let mut cave: Vec<Cell> = (0..tiles).map(|cell| untaken(position, cell)).collect();
    let mut links = Vec::new();
    for (place, player) in position.players.iter().enumerate() {
        for (index, section) in player.tunnel.iter().enumerate() {
            let is_head = index + 1 == player.tunnel.len();
            let card = position.front_of(section.cell);
            let card = Card {
                edges: 1 << section.entry | 1 << section.exit,
                ..card
            };
            let words = format!("{}, tunnel of {}", short_words(card), names[place]);
            let cell = &mut cave[section.cell];
            *cell = Cell {
                ways: ways(card),
                ..Cell::new(cell_name(position, section.cell), words, vec![light(card)])
            };
            if position.tile(section.cell).diamond {
                cell.words += ", hides a diamond";
                cell.pieces.push(Piece::new(PieceKind::HiddenPrize, ""));
            }
            if is_head {
                cell.words += &format!(", pawn to the {}", compass(section.exit));
                let seat = places.bot_at(place);
                let pawn = PieceKind::Pawn {
                    seat,
                    to: Some(section.exit),
                };
                cell.pieces.push(Piece::new(pawn, (seat + 1).to_string()));
            }
            if index > 0 {
                links.extend(
                    position
                        .next(section.cell, section.entry)
                        .map(|next| [section.cell, next]),
                );
            }
        }
    }
    let planned = (1..).zip(&position.planned).map(|(slot, &card)| {
        let card = position.card(card);
        Cell {
            ways: ways(card),
            ..Cell::new(
                format!("planned {slot}"),
                short_words(card),
                vec![light(card)],
            )
        }
    });
    let left = position.deck.len();
    let deck = Cell::face_down("deck", counted(left, "card"), left);
    let players = names.iter().enumerate().map(|(place, name)| {
        let (points, gained) = (position.points(place), position.players[place].gained.len());
        let words = format!("{points} points, {} gained", counted(gained, "diamond"));
        let seat = places.bot_at(place);
        let pawn = PieceKind::Pawn { seat, to: None };
        let pieces = [
            (pawn, seat + 1),
            (PieceKind::Card, points as usize),
            (PieceKind::Prize, gained),
        ];
        let pieces = pieces.map(|(kind, number)| Piece::new(kind, number.to_string()));
        Cell::new(name, words, pieces.into())
    });
    Board {
        title: position.rules.title.clone(),
        areas: vec![
            Area::new("cave", size, cave),
            Area::new("planned cards", 0, planned.collect()),
            Area::new("deck", 0, vec![deck]),
            Area::new("points and diamonds gained", 0, players.collect()),
        ],
        links,
        options: Vec::new(),
    }
}

/// A cell that is in no tunnel: of a card that lies face down and was seen, also its ways.
fn untaken(position: &Position, cell: usize) -> Cell {
    let name = cell_name(position, cell);
    let of_kind = |kind, words: &str| Cell {
        kind,
        ..Cell::new(name.clone(), words, Vec::new())
    };
    let Some(tile) = position.tiles[cell] else {
        return of_kind(CellKind::Empty, "no card");
    };
    if position.is_face_up(cell) {
        return of_kind(CellKind::Asked, "the card in question");
    }
    let mut found = of_kind(CellKind::FaceDown, "face down");
    if tile.diamond {
        found.words += ", with a diamond";
        found.pieces.push(Piece::new(PieceKind::Prize, ""));
    }
    if position.seen[usize::from(tile.card)] && position.rules.memory == Memory::Perfect {
        let card = position.card(tile.card);
        found.words += &format!(", seen before: {}", short_words(card));
        found.ways = ways(card);
        found.pieces.push(light(card));
    }
    found
}

/// The cells that a choice of the player at `place` touches.
pub fn touched(position: &Position, place: usize, choice: Choice) -> Vec<usize> {
    let from = |cell: Option<usize>, exit: Direction| {
        let next = cell.and_then(|cell| position.next(cell, exit));
        Vec::from_iter(cell.into_iter().chain(next))
    };
    let head = position.head(place).map(|head| head.cell);
    match choice {
        Choice::Start { cell } => vec![usize::from(cell)],
        Choice::Plan { slot, exit } => {
            let mut cells = vec![position.tiles.len() + usize::from(slot)];
            cells.extend(from(position.front(place), exit));
            cells
        }
        Choice::Dig { .. } => position.front(place).into_iter().collect(),
        Choice::Exit { exit } => from(position.upturned.map(|up| up.cell), exit),
        Choice::Turn { exit } => from(head, exit),
        Choice::Stop | Choice::GoOn => Vec::new(),
    }
}

fn light(card: Card) -> Piece {
    Piece::new(PieceKind::Card, &KIND_NAMES[card.kind as usize][..1])
}

fn ways(card: Card) -> Vec<Direction> {
    DIRECTIONS
        .into_iter()
        .filter(|edge| card.has(*edge))
        .collect()
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_cave/board.rs"]
mod tests;
