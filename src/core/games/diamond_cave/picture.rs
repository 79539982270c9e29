//! The board as a small picture of letters and lines.
//!
//! A line of text for each row of the board: the cards with the tunnels' ways between them, and
//! behind each card of a tunnel what lights it and whether it hides a diamond. Cards that lie face
//! down and were seen show their ways.

use super::board::CAVE;
use crate::figure::board::{Board, Cell, CellKind, PieceKind};

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

/// The board; players are numbered by the seats of their bots, from 1.
pub fn draw(board: &Board, plain: bool) -> String {
    let signs = if plain { &PLAIN } else { &LINES };
    let cave = &board.areas[CAVE];
    let size = cave.columns;
    let mut page = Page {
        size,
        lines: vec![vec![' '; MARGIN + WIDTH * size]; 1 + size],
    };
    for at in 0..size {
        page.lines[0][MARGIN + WIDTH * at + 1] = char::from(b'A' + at as u8);
        page.lines[1 + at][2] = char::from(b'1' + at as u8);
    }
    for (at, cell) in cave.cells.iter().enumerate() {
        page.write(at, &signs.cell(cell, plain));
    }
    // Ways fill what is left free.
    for [from, to] in &board.links {
        if from.abs_diff(*to) == 1 {
            page.link(signs, *from.min(to));
        }
    }
    page.text()
}

impl Signs {
    /// The way through a card with these edges.
    fn way(&self, edges: u8) -> char {
        self.ways.chars().nth(usize::from(edges)).unwrap_or(' ')
    }

    /// A card: of one that lies face down and was seen, also its ways (in ASCII the ends) and its
    /// kind; of one in a tunnel its way or the pawn, its kind, and what it hides.
    fn cell(&self, cell: &Cell, plain: bool) -> String {
        let is_open = match cell.kind {
            CellKind::Empty => return String::new(),
            CellKind::Asked => return UPTURNED.to_string(),
            CellKind::Open => true,
            CellKind::FaceDown => false,
        };
        let mut first = self.down;
        let (mut light, mut hidden) = (None, String::new());
        let edges = cell.ways.iter().fold(0, |edges, way| edges | 1 << way);
        let mut way = self.way(edges).to_string();
        for piece in &cell.pieces {
            match piece.kind {
                PieceKind::Prize => first = self.diamond,
                PieceKind::HiddenPrize => hidden.push(self.hidden),
                PieceKind::Pawn { to, .. } => {
                    way = to.map_or(String::new(), |to| self.pawns[usize::from(to)].to_string());
                    way += &piece.text;
                }
                _ => light = Some(piece.text.as_str()),
            }
        }
        match light {
            Some(light) if is_open => way + light + &hidden,
            Some(light) if plain => {
                let ends = cell.ways.iter();
                let ends = ends.map(|&way| ['N', 'E', 'S', 'W'][usize::from(way)]);
                format!("{first}{}{light}", ends.collect::<String>())
            }
            Some(light) => format!("{first}{way}{light}"),
            None => first.to_string(),
        }
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

    /// The way from a card to the next one of its row.
    fn link(&mut self, signs: &Signs, cell: usize) {
        let (line, left) = self.place(cell);
        for at in left + 2..=left + WIDTH {
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
