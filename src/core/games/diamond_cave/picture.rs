//! The board as a small picture of letters and lines.
//!
//! A line of text for each row of the board: the cards with the tunnels' ways between them, and
//! behind each card of a tunnel what lights it and whether it hides a diamond. Cards that lie face
//! down and were seen show their ways.

use super::moves::Direction;
use super::referee::{Position, Section};
use super::rules::{Kind, Memory};
use crate::game::Places;

struct Signs {
    /// Ways through a card: the bits of [`super::rules::Card::edges`] as index.
    ways: &'static str,
    /// Pawns pointing north, east, south, west.
    pawns: [char; 4],
    down: char,
    diamond: char,
    hidden: char,
}

const LINES: Signs = Signs {
    ways: "   └ │┌  ┘─ ┐   ",
    pawns: ['▲', '►', '▼', '◄'],
    down: '·',
    diamond: '◆',
    hidden: '◇',
};

const PLAIN: Signs = Signs {
    ways: "   + |+  +- +   ",
    pawns: ['^', '>', 'v', '<'],
    down: '.',
    diamond: '*',
    hidden: 'o',
};

/// A card in question.
const UPTURNED: char = '?';
/// Width of a card in letters.
const WIDTH: usize = 5;
/// Letters before the first card.
const MARGIN: usize = 6;

pub fn legend(plain: bool) -> String {
    let signs = if plain { &PLAIN } else { &LINES };
    let [north, east, south, west] = signs.pawns;
    let down = signs.down;
    let seen = if plain { "NEs" } else { "└s" };
    format!(
        "{down} face down   {} with a diamond   {down}{seen} face down, but seen before\n\
         {UPTURNED} the card in question   {north}{east}{south}{west} pawn with its player's number\n\
         after a card: t torch, s standard, d dark, {} hides a diamond\n\
         each side of a face-down card shows the colour of that edge\n",
        signs.diamond, signs.hidden
    )
}

/// The name of a cell: column letter and row number, A1 at the top left.
pub fn cell_name(position: &Position, cell: usize) -> String {
    let (row, column) = position.place_of(cell);
    let letter = char::from(b'A' + column as u8);
    format!("{letter}{}", row + 1)
}

/// The board; players are numbered by the seats of their bots, from 1.
pub fn draw(position: &Position, places: Places, plain: bool) -> String {
    let signs = if plain { &PLAIN } else { &LINES };
    let size = position.rules.size;
    let mut page = Page {
        size,
        lines: vec![vec![' '; MARGIN + WIDTH * size]; 1 + size],
    };
    for at in 0..size {
        page.lines[0][MARGIN + WIDTH * at + 1] = char::from(b'A' + at as u8);
        page.lines[1 + at][2] = char::from(b'1' + at as u8);
    }
    for cell in (0..position.tiles.len()).filter(|&cell| position.tiles[cell].is_some()) {
        page.write(cell, &signs.card(position, cell, plain));
    }
    for (place, player) in position.players.iter().enumerate() {
        for (index, section) in player.tunnel.iter().enumerate() {
            let is_head = index + 1 == player.tunnel.len();
            let number = is_head.then(|| places.bot_at(place) + 1);
            page.write(section.cell, &signs.section(position, section, number));
        }
    }
    // Ways fill what is left free.
    for player in &position.players {
        for section in player.tunnel.iter().skip(1) {
            page.link(signs, section.cell, section.entry);
        }
    }
    page.text()
}

fn light(kind: Kind) -> char {
    ['t', 's', 'd'][kind as usize]
}

impl Signs {
    /// The way through a card with these edges.
    fn way(&self, edges: u8) -> char {
        self.ways.chars().nth(usize::from(edges)).unwrap_or(' ')
    }

    /// The card of a cell: of one that lies face down and was seen, also its ways (in ASCII the
    /// ends) and its kind.
    fn card(&self, position: &Position, cell: usize, plain: bool) -> String {
        if position.is_face_up(cell) {
            return UPTURNED.to_string();
        }
        let tile = position.tile(cell);
        let mut text = [self.down, self.diamond][usize::from(tile.diamond)].to_string();
        if position.seen[usize::from(tile.card)] && position.rules.memory == Memory::Perfect {
            let card = position.card(tile.card);
            if plain {
                let ends = (0..4).filter(|edge| card.has(*edge));
                text.extend(ends.map(|edge| ['N', 'E', 'S', 'W'][usize::from(edge)]));
            } else {
                text.push(self.way(card.edges));
            }
            text.push(light(card.kind));
        }
        text
    }

    /// A card of a tunnel, with what lights it; on the head stands the pawn of this number.
    fn section(&self, position: &Position, section: &Section, number: Option<usize>) -> String {
        let tile = position.tile(section.cell);
        let mut text = match number {
            Some(number) => format!("{}{number}", self.pawns[usize::from(section.exit)]),
            None => self.way(1 << section.entry | 1 << section.exit).to_string(),
        };
        text.push(light(position.card(tile.card).kind));
        if tile.diamond {
            text.push(self.hidden);
        }
        text
    }
}

struct Page {
    size: usize,
    lines: Vec<Vec<char>>,
}

impl Page {
    /// Line and left end of a card.
    fn place(&self, cell: usize) -> (usize, usize) {
        let (row, column) = (cell / self.size, cell % self.size);
        (1 + row, MARGIN + WIDTH * column)
    }

    fn write(&mut self, cell: usize, text: &str) {
        let (line, left) = self.place(cell);
        for (at, sign) in (left + 1..).zip(text.chars()) {
            self.lines[line][at] = sign;
        }
    }

    /// The way from a card to its neighbour in the tunnel, where both are in a row.
    fn link(&mut self, signs: &Signs, cell: usize, direction: Direction) {
        let (line, left) = self.place(cell);
        let from = match direction {
            1 => left,
            3 => left - WIDTH,
            _ => return,
        };
        for at in from + 2..=from + WIDTH {
            if self.lines[line][at] == ' ' {
                self.lines[line][at] = signs.way(0b1010);
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(String::from_iter);
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }
}
