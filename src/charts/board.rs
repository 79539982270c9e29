//! The board of a game: a square grid with pieces and ways, and piles of cards that follow each
//! other in lines.
//!
//! What an option touches has a strong outline, and each kind of piece its own mark beside its
//! colour.

use super::canvas::{Anchor, Canvas, Ink, Spot, Style};
use super::labels::{shorten, widest, wrap};
use super::theme::{self, BLACK, DETAIL, GREY, GRID, LABEL, LEADING, PANEL, Paper, RULE, WHITE};
use super::{Chart, ChartError};
use carat_core::figure::board::{Area, Board, Cell, CellKind, PieceKind};
use std::iter::once;

/// Widest cell of a grid, and the side of a square outside of grids.
const SIDE: (f64, f64) = (72.0, 44.0);
/// Room for the letters of columns and the numbers of rows.
const EDGE: f64 = 18.0;
/// Between cells, and inside of them.
const GAP: f64 = 8.0;
/// Height of a card in a pile.
const CARD: f64 = 24.0;
/// Widest pile.
const PILE: f64 = 200.0;
/// Width of a mark with the gap behind it.
const MARK: f64 = 16.0;
const MIDDLE: Style = LABEL.held_at(Anchor::Middle);
const HEAD: Style = DETAIL.held_at(Anchor::Middle);

impl Chart for Board {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let cells = self.cells().count();
        let mut touched = self
            .links
            .iter()
            .flatten()
            .chain(self.options.iter().flatten());
        if let Some(cell) = touched.find(|cell| **cell >= cells) {
            let fault = format!("`options` has cell {cell} of {cells}");
            return Err(ChartError::Data(fault));
        }
        let mut drawing = Drawing {
            board: self,
            canvas: Canvas::new(paper.width, 0.0),
            paper,
            number: 0,
        };
        drawing.canvas.name(&self.title, played);
        let mut y = paper.margin();
        for area in self.areas.iter().filter(|area| !area.cells.is_empty()) {
            y = match area.columns {
                0 => drawing.piles(area, y),
                _ => drawing.grid(area, y),
            };
        }
        theme::end(&mut drawing.canvas, y - GAP, &[]);
        Ok((cells > 0).then_some(drawing.canvas))
    }
}

/// A page with the areas drawn so far.
struct Drawing<'a> {
    board: &'a Board,
    canvas: Canvas,
    paper: Paper,
    /// Number of the next cell.
    number: usize,
}

impl Drawing<'_> {
    /// Draws a square grid from `top` on; returns its lower end.
    fn grid(&mut self, area: &Area, top: f64) -> f64 {
        let (from, right) = self.paper.across();
        let (left, top) = (from + EDGE, top + EDGE);
        let side = ((right - left) / area.columns as f64).floor().min(SIDE.0);
        let corner = |at: usize| {
            let (row, column) = (at / area.columns, at % area.columns);
            (left + side * column as f64, top + side * row as f64)
        };
        let first = self.number;
        for (at, cell) in area.cells.iter().enumerate() {
            let (x, y) = corner(at);
            if at < area.columns {
                let name = cell.name.trim_end_matches(|c: char| c.is_ascii_digit());
                self.canvas.text(name, (x + side / 2.0, top - 5.0), HEAD);
            }
            if at % area.columns == 0 {
                let name = cell
                    .name
                    .trim_start_matches(|c: char| c.is_ascii_alphabetic());
                let at = (from + EDGE / 2.0 - 2.0, y + side / 2.0);
                self.canvas.text_mid(name, at, HEAD);
            }
            self.back(cell, (x, y), (x + side, y + side));
            self.number += 1;
        }
        for link in &self.board.links {
            let middle = |cell: usize| {
                let at = cell
                    .checked_sub(first)
                    .filter(|at| *at < area.cells.len())?;
                let (x, y) = corner(at);
                Some((x + side / 2.0, y + side / 2.0))
            };
            if let [Some(from), Some(to)] = link.map(middle) {
                self.canvas.stroke(&[from, to], side / 8.0, RULE);
            }
        }
        for (at, cell) in area.cells.iter().enumerate() {
            self.square(cell, corner(at), side);
        }
        top + side * area.cells.len().div_ceil(area.columns) as f64 + 2.0 * GAP
    }

    /// Draws piles in lines, below the title of the area.
    fn piles(&mut self, area: &Area, top: f64) -> f64 {
        let (left, right) = self.paper.across();
        let most = PILE.min(right - left);
        let title = shorten(&area.title, &PANEL, right - left);
        self.canvas.text(&title, (left, top + 12.0), PANEL);
        let (mut x, mut y, mut height) = (left, top + 12.0 + GAP, 0.0f64);
        for cell in &area.cells {
            let pile = Pile::of(cell, area, most);
            if x > left && x + pile.size.0 > right {
                (x, y, height) = (left, y + height + GAP, 0.0);
            }
            self.back(cell, (x, y), (x + pile.size.0, y + pile.size.1));
            self.pile(cell, &pile, (x, y));
            self.number += 1;
            x += pile.size.0 + GAP;
            height = height.max(pile.size.1);
        }
        y + height + 2.0 * GAP
    }

    /// Draws the ground of the next cell with its outline, and tells what it is.
    fn back(&mut self, cell: &Cell, from: Spot, to: Spot) {
        let options: Vec<String> = (self.board.options_at(self.number))
            .map(|of| of.to_string())
            .collect();
        let (width, ink) = match (options.is_empty(), cell.kind) {
            (false, _) => (2.0, BLACK),
            (true, CellKind::FaceDown) => (1.0, GRID),
            (true, _) => (1.0, RULE),
        };
        let ground = match cell.kind {
            CellKind::FaceDown => GRID,
            CellKind::Asked => theme::WANTED,
            CellKind::Open | CellKind::Empty => WHITE,
        };
        let (from, to) = ((from.0 + 2.0, from.1 + 2.0), (to.0 - 2.0, to.1 - 2.0));
        self.canvas.block(from, to, ground);
        let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
        for side in corners.windows(2) {
            match cell.kind {
                CellKind::Empty => self.canvas.dashes(side[0], side[1], (4.0, 4.0), width, ink),
                _ => self.canvas.stroke(side, width, ink),
            }
        }
        let words = format!("{}: {}", cell.name, cell.words);
        (self.canvas).cell_tooltip((from, to), &words, [cell.name.clone(), options.join(" ")]);
    }

    /// Draws the ways and pieces of a cell of a grid.
    fn square(&mut self, cell: &Cell, (x, y): Spot, side: f64) {
        let middle = (x + side / 2.0, y + side / 2.0);
        let ink = match cell.kind {
            CellKind::FaceDown => WHITE,
            _ => RULE,
        };
        let end = |way: u8, reach: f64| {
            let (right, down) =
                [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)][usize::from(way % 4)];
            (middle.0 + reach * right, middle.1 + reach * down)
        };
        for &way in &cell.ways {
            self.canvas
                .stroke(&[middle, end(way, side / 2.0 - 3.0)], side / 8.0, ink);
        }
        if cell.ways.len() > 1 {
            self.canvas.disc(middle, side / 16.0, ink);
        }
        if cell.kind == CellKind::Asked {
            self.canvas.text_mid("?", middle, MIDDLE.bold());
        }
        for piece in &cell.pieces {
            match piece.kind {
                PieceKind::Pawn { seat, to } => {
                    let (radius, ink) = (side * 0.24, theme::seat_ink(seat));
                    if let Some(to) = to {
                        let (tip, base) = (end(to, radius + 8.0), end(to, radius * 0.6));
                        let (dx, dy) = (
                            end(to, radius * 0.8).1 - middle.1,
                            end(to, radius * 0.8).0 - middle.0,
                        );
                        let wings = [(base.0 + dx, base.1 + dy), (base.0 - dx, base.1 - dy)];
                        self.canvas.area(vec![tip, wings[0], wings[1]], ink);
                    }
                    self.canvas.disc(middle, radius, ink);
                    let style = MIDDLE.bold().in_ink(theme::text_on(ink));
                    self.canvas.text_mid(&piece.text, middle, style);
                }
                PieceKind::Prize => self.mark(PieceKind::Prize, middle, side * 0.17),
                PieceKind::HiddenPrize => {
                    let at = (x + side - 10.0, y + side - 10.0);
                    self.mark(PieceKind::HiddenPrize, at, 5.0);
                }
                _ => {
                    let text = shorten(&piece.text, &DETAIL, side / 2.0);
                    self.canvas.text(&text, (x + 5.0, y + side - 5.0), DETAIL);
                }
            }
        }
    }

    fn pile(&mut self, cell: &Cell, pile: &Pile, (x, y): Spot) {
        let (left, mut y) = (x + GAP, y + GAP / 2.0);
        if !pile.label.is_empty() {
            let mut from = left;
            for piece in &cell.pieces {
                if let PieceKind::Pawn { seat, .. } = piece.kind {
                    theme::marker(&mut self.canvas, seat, (left + 5.0, y + 9.0), 5.0);
                    from += MARK;
                }
            }
            self.canvas.text(&pile.label, (from, y + 13.0), DETAIL);
            y += LEADING + 2.0;
        }
        if pile.is_square {
            return self.square(cell, (left, y), SIDE.1);
        }
        for (kind, text) in &pile.cards {
            let (ground, marked) = match kind {
                PieceKind::Treasure => (theme::WANTED.pale(0.7), false),
                PieceKind::Danger => (ink(*kind).pale(0.15), true),
                PieceKind::Prize | PieceKind::HiddenPrize => (ink(*kind).pale(0.15), true),
                PieceKind::Card | PieceKind::Pawn { .. } => (WHITE, false),
            };
            let right = x + pile.size.0 - GAP;
            self.canvas
                .block((left - 2.0, y), (right + 2.0, y + CARD), RULE);
            self.canvas
                .block((left - 1.0, y + 1.0), (right + 1.0, y + CARD - 1.0), ground);
            let mut from = left + 4.0;
            if marked {
                self.mark(*kind, (from + 4.0, y + CARD / 2.0), 5.0);
                from += MARK;
            }
            self.canvas.text_mid(text, (from, y + CARD / 2.0), LABEL);
            y += CARD;
        }
        for line in &pile.words {
            self.canvas.text(line, (left, y + 13.0), LABEL);
            y += LEADING + 2.0;
        }
    }

    /// The mark of a kind of piece.
    fn mark(&mut self, kind: PieceKind, at: Spot, radius: f64) {
        // A triangle, a diamond and a hollow one.
        let shape = match kind {
            PieceKind::Danger => 2,
            PieceKind::HiddenPrize => 7,
            _ => 3,
        };
        theme::marker_in(ink(kind), &mut self.canvas, shape, at, radius);
    }
}

fn ink(kind: PieceKind) -> Ink {
    match kind {
        PieceKind::Danger => theme::seat_ink(1),
        PieceKind::Prize | PieceKind::HiddenPrize => theme::seat_ink(2),
        _ => GREY,
    }
}

/// What is written of a cell outside of grids: a label, then its cards, the highest first, or words
/// where there are none.
struct Pile {
    /// Width and height.
    size: Spot,
    label: String,
    cards: Vec<(PieceKind, String)>,
    words: Vec<String>,
    is_square: bool,
}

impl Pile {
    fn of(cell: &Cell, area: &Area, most: f64) -> Pile {
        let room = most - 2.0 * GAP;
        // A name that begins with its area only repeats what the pieces tell.
        let is_told = cell.name.starts_with(&area.title);
        let label = if is_told { "" } else { cell.name.as_str() };
        let is_pawn = |kind: PieceKind| matches!(kind, PieceKind::Pawn { .. });
        let cards = cell
            .pieces
            .iter()
            .rev()
            .filter(|piece| !is_pawn(piece.kind));
        let cards: Vec<(PieceKind, String)> = cards
            .map(|piece| (piece.kind, shorten(&piece.text, &LABEL, room - MARK - GAP)))
            .collect();
        let is_square = !cell.ways.is_empty();
        let words = match (cards.is_empty(), cell.copies) {
            (true, _) => wrap(&cell.words, &LABEL, room, 3),
            (false, 1) => Vec::new(),
            (false, copies) => vec![format!("× {copies}")],
        };
        let marked = MARK * f64::from(u8::from(cards.len() < cell.pieces.len()));
        let label = shorten(label, &DETAIL, room - marked);
        let texts = cards.iter().map(|(_, text)| text.as_str());
        let wide = widest(texts, &LABEL) + MARK + GAP;
        let wide = if cards.is_empty() { 0.0 } else { wide };
        let square = if is_square { SIDE.1 } else { 0.0 };
        let content = if is_square {
            square
        } else {
            CARD * cards.len() as f64 + (LEADING + 2.0) * words.len() as f64
        };
        let head = if label.is_empty() { 0.0 } else { LEADING + 2.0 };
        let widths = [
            wide,
            square,
            widest(&words, &LABEL),
            DETAIL.width(&label) + marked,
        ];
        let width = widths.into_iter().chain(once(CARD)).fold(0.0, f64::max);
        Pile {
            size: ((width + 2.0 * GAP).ceil(), head + content + GAP),
            label,
            cards,
            words,
            is_square,
        }
    }
}
