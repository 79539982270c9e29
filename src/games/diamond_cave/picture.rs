//! The board as a small picture of letters and lines.
//!
//! A line of text for each row of the board: the cards with the tunnels' ways between them, and
//! behind each card of a tunnel what lights it and whether it hides a diamond. Cards that lie face
//! down and were seen show their ways.

use super::moves::Direction;
use super::referee::{Position, Section};
use super::rules::{Card, Kind, Memory};

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

/// The board; players are numbered as `numbers` says, by place.
pub fn draw(position: &Position, numbers: &[usize], plain: bool) -> String {
    let signs = if plain { &PLAIN } else { &LINES };
    let size = position.rules.size;
    let mut page = Page::new(size);
    for column in 0..size {
        let letter = char::from(b'A' + column as u8);
        page.put(0, MARGIN + WIDTH * column + 1, letter);
    }
    for cell in 0..position.tiles.len() {
        let (line, left) = page.place(cell);
        if cell % size == 0 {
            let number = char::from(b'1' + (cell / size) as u8);
            page.put(line, 2, number);
        }
        match position.tiles[cell] {
            None => {}
            Some(_) if position.is_face_up(cell) => page.put(line, left + 1, UPTURNED),
            Some(tile) => {
                let sign = [signs.down, signs.diamond][usize::from(tile.diamond)];
                page.put(line, left + 1, sign);
                let is_seen = position.seen[usize::from(tile.card)];
                if is_seen && position.rules.memory == Memory::Perfect {
                    page.seen(signs, position.card(tile.card), line, left + 2, plain);
                }
            }
        }
    }
    for (place, player) in position.players.iter().enumerate() {
        for (index, section) in player.tunnel.iter().enumerate() {
            let last = index + 1 == player.tunnel.len();
            page.section(signs, position, section, last);
            if last {
                let (line, left) = page.place(section.cell);
                page.put(line, left + 1, signs.pawns[usize::from(section.exit)]);
                let number = char::from_digit(numbers[place] as u32, 10).unwrap_or('?');
                page.put(line, left + 2, number);
            }
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

/// What lights a card of this kind.
fn light(kind: Kind) -> char {
    ['t', 's', 'd'][kind as usize]
}

impl Signs {
    /// The way through a card with these edges.
    fn way(&self, edges: u8) -> char {
        self.ways.chars().nth(usize::from(edges)).unwrap_or(' ')
    }
}

struct Page {
    size: usize,
    lines: Vec<Vec<char>>,
}

impl Page {
    fn new(size: usize) -> Self {
        let width = MARGIN + WIDTH * size;
        Page {
            size,
            lines: vec![vec![' '; width]; 1 + size],
        }
    }

    /// Line and left end of a card.
    fn place(&self, cell: usize) -> (usize, usize) {
        let (row, column) = (cell / self.size, cell % self.size);
        (1 + row, MARGIN + WIDTH * column)
    }

    fn put(&mut self, line: usize, at: usize, sign: char) {
        self.lines[line][at] = sign;
    }

    /// The ways of a card that lies face down, and its kind: of curves in ASCII, the ends.
    fn seen(&mut self, signs: &Signs, card: Card, line: usize, at: usize, plain: bool) {
        let mut shown = signs.way(card.edges).to_string();
        if plain {
            let ends = (0..4).filter(|edge| card.has(*edge));
            shown = ends
                .map(|edge| ['N', 'E', 'S', 'W'][usize::from(edge)])
                .collect();
        }
        shown.push(light(card.kind));
        for (place, sign) in (at..).zip(shown.chars()) {
            self.put(line, place, sign);
        }
    }

    /// A card of a tunnel, with what lights it.
    fn section(&mut self, signs: &Signs, position: &Position, section: &Section, head: bool) {
        let (line, left) = self.place(section.cell);
        let tile = position.tile(section.cell);
        if !head {
            let way = 1 << section.entry | 1 << section.exit;
            self.put(line, left + 1, signs.way(way));
        }
        let at = left + if head { 3 } else { 2 };
        self.put(line, at, light(position.card(tile.card).kind));
        if tile.diamond {
            self.put(line, at + 1, signs.hidden);
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
                self.put(line, at, signs.way(0b1010));
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(String::from_iter);
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }
}
