//! The board of a game as plain data: what lies where, as one player may know it.

use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    pub title: String,
    pub areas: Vec<Area>,
    /// Pairs of cells, by number, that a way joins.
    pub links: Vec<[usize; 2]>,
    /// For each option, the numbers of the cells that it touches. Cells count from 0 through all
    /// areas.
    pub options: Vec<Vec<usize>>,
}

/// Cells that lie together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Area {
    pub title: String,
    /// Columns of a square grid, whose rows follow each other; 0 where cells are in no grid.
    pub columns: usize,
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// No other cell of the board has this name.
    pub name: String,
    pub kind: CellKind,
    /// The pieces, the lowest first.
    pub pieces: Vec<Piece>,
    /// Number of equal piles of these pieces, or of cards that lie face down.
    pub copies: usize,
    /// The edges that ways lead to: 0 north, 1 east, 2 south, 3 west.
    pub ways: Vec<u8>,
    /// What lies there.
    pub words: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    #[default]
    Open,
    FaceDown,
    /// What the decision is about.
    Asked,
    Empty,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    pub kind: PieceKind,
    /// A few letters; may be empty where the kind says all.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    Card,
    Treasure,
    Danger,
    Prize,
    /// A prize below a card.
    HiddenPrize,
    /// Of the seat of this number, from 0; it points to the edge, if any.
    Pawn {
        seat: usize,
        to: Option<u8>,
    },
}

impl Board {
    /// All cells, in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.areas.iter().flat_map(|area| &area.cells)
    }

    /// The options that touch a cell.
    pub fn options_at(&self, cell: usize) -> impl Iterator<Item = usize> {
        let options = self.options.iter().enumerate();
        let touching = options.filter(move |(_, cells)| cells.contains(&cell));
        touching.map(|(option, _)| option)
    }
}

impl Area {
    pub fn new(title: &str, columns: usize, cells: Vec<Cell>) -> Area {
        Area {
            title: title.to_string(),
            columns,
            cells,
        }
    }
}

impl Cell {
    /// A cell with one pile of these pieces.
    pub fn new(name: impl Into<String>, words: impl Into<String>, pieces: Vec<Piece>) -> Cell {
        Cell {
            name: name.into(),
            words: words.into(),
            pieces,
            copies: 1,
            ..Cell::default()
        }
    }

    /// A pile of cards that lie face down.
    pub fn face_down(name: &str, words: impl Into<String>, copies: usize) -> Cell {
        Cell {
            kind: CellKind::FaceDown,
            copies,
            ..Cell::new(name, words, Vec::new())
        }
    }
}

impl Piece {
    pub fn new(kind: PieceKind, text: impl Into<String>) -> Piece {
        let text = text.into();
        Piece { kind, text }
    }
}
