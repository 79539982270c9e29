//! The board of a game as plain data: what lies where, as one player may know it.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    pub title: String,
    pub areas: Vec<Area>,
    /// Pairs of cells that a way joins. Cells are numbered from 0 through all areas.
    pub links: Vec<[usize; 2]>,
    /// For each option the cells that it touches.
    pub options: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    pub title: String,
    /// Columns of a square grid; 0 where cells are in no grid.
    pub columns: usize,
    /// In a grid row after row.
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// No other cell of the board has this name.
    pub name: String,
    pub kind: CellKind,
    /// The lowest first.
    pub pieces: Vec<Piece>,
    /// Number of equal piles of these pieces, or of cards that lie face down.
    pub copies: usize,
    /// The edges that ways lead to: 0 north, 1 east, 2 south, 3 west.
    pub ways: Vec<u8>,
    /// What lies there.
    pub words: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    #[default]
    Open,
    FaceDown,
    /// What the decision is about.
    Asked,
    Empty,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: PieceKind,
    /// A few letters; empty where the kind says all.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    Card,
    Treasure,
    Danger,
    Prize,
    /// A prize below a card.
    HiddenPrize,
    /// Of the seat of this number, from 0; it points to an edge, if any.
    #[rustfmt::skip]
    Pawn { seat: usize, to: Option<u8> },
}

impl Board {
    pub fn new(title: &str) -> Board {
        let title = title.to_string();
        Board {
            title,
            ..Board::default()
        }
    }

    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.areas.iter().flat_map(|area| &area.cells)
    }

    /// Adds an area.
    pub fn add(&mut self, title: &str, columns: usize, cells: impl IntoIterator<Item = Cell>) {
        let (title, cells) = (title.to_string(), cells.into_iter().collect());
        self.areas.push(Area {
            title,
            columns,
            cells,
        });
    }
}

impl Cell {
    /// A cell without pieces.
    pub fn new(name: impl Into<String>, words: impl Into<String>) -> Cell {
        let (name, words, copies) = (name.into(), words.into(), 1);
        Cell {
            name,
            words,
            copies,
            ..Cell::default()
        }
    }

    pub fn of_kind(self, kind: CellKind) -> Cell {
        Cell { kind, ..self }
    }

    pub fn times(self, copies: usize) -> Cell {
        Cell { copies, ..self }
    }

    /// Lays a piece on top.
    pub fn with(mut self, kind: PieceKind, text: impl ToString) -> Cell {
        let text = text.to_string();
        self.pieces.push(Piece { kind, text });
        self
    }
}
