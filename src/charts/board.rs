//! The board of a game: a square grid with ways and pieces, and piles of cards in lines.
//!
//! What an option touches has a strong outline, and each kind of piece its own mark or words beside
//! its colour.

use super::canvas::{Anchor, Canvas, Ink, Spot, Style};
use super::labels::{shorten, widest, wrap};
use super::theme::{self, BLACK, DETAIL, GRID, LABEL, PANEL, Paper, RULE, WHITE};
use super::{Chart, ChartError};
use carat_core::figure::board::{Area, Board, Cell, CellKind, PieceKind};

/// Widest cell of a grid.
const SIDE: f64 = 72.0;
/// Room for the letters of columns and the numbers of rows.
const EDGE: f64 = 18.0;
const GAP: f64 = 8.0;
/// Height of a card in a pile.
const CARD: f64 = 24.0;
const PILE_WIDTH: f64 = 200.0;
/// Least height of a pile that options touch, so that a finger meets it.
const TOUCHED: f64 = 44.0;
/// Width of a mark with the gap behind it.
const MARK: f64 = 16.0;
const MIDDLE: Style = LABEL.held_at(Anchor::Middle);
const HEAD: Style = DETAIL.held_at(Anchor::Middle);

impl Chart for Board {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        let cells = self.cells().count();
        let mut named = (self.options.iter().flatten()).chain(self.links.iter().flatten());
        if let Some(cell) = named.find(|cell| **cell >= cells) {
            let fault = format!("`options` has cell {cell} of {cells}");
            return Err(ChartError::Data(fault));
        }
        let mut canvas = Canvas::new(paper.width, 0.0);
        canvas.name(&self.title, played);
        let (mut y, mut first) = (paper.margin(), 0);
        for area in self.areas.iter().filter(|area| !area.cells.is_empty()) {
            let draw = [draw_piles, draw_grid][usize::from(area.columns > 0)];
            y = draw(&mut canvas, self, area, first, y) + 2.0 * GAP;
            first += area.cells.len();
        }
        theme::end(&mut canvas, y - 3.0 * GAP, &[]);
        Ok((cells > 0).then_some(canvas))
    }
}

/// Draws an area from `top` down; `first` is the number of its first cell. Returns its lower end.
fn draw_grid(canvas: &mut Canvas, board: &Board, area: &Area, first: usize, top: f64) -> f64 {
    let (from, right) = canvas.paper().across();
    let (left, top, columns) = (from + EDGE, top + EDGE, area.columns);
    let side = ((right - left) / columns as f64).floor().min(SIDE);
    let middle = |at: usize| {
        let (row, column) = ((at / columns) as f64, (at % columns) as f64);
        (left + side * (column + 0.5), top + side * (row + 0.5))
    };
    for (at, cell) in area.cells.iter().enumerate() {
        let ((x, y), half, name) = (middle(at), side / 2.0, &cell.name);
        let corners = ((x - half, y - half), (x + half, y + half));
        draw_ground(canvas, board, first + at, corners);
        if at < columns {
            let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
            canvas.text(&shorten(letters, &HEAD, side), (x, top - 5.0), HEAD);
        }
        if at % columns == 0 {
            let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let digits = shorten(digits, &HEAD, EDGE);
            canvas.text_mid(&digits, (from + EDGE / 3.0, y), HEAD);
        }
    }
    let inside = |cell: &usize| (first..first + area.cells.len()).contains(cell);
    for link in board.links.iter().filter(|link| link.iter().all(inside)) {
        canvas.stroke(&link.map(|cell| middle(cell - first)), side / 8.0, RULE);
    }
    for (at, cell) in area.cells.iter().enumerate() {
        draw_spot(canvas, cell, middle(at), side);
    }
    top + side * area.cells.len().div_ceil(columns) as f64
}

/// The same for piles in lines, below the title of the area.
fn draw_piles(canvas: &mut Canvas, board: &Board, area: &Area, first: usize, top: f64) -> f64 {
    let (left, right) = canvas.paper().across();
    let title = shorten(&area.title, &PANEL, right - left);
    canvas.text(&title, (left, top + 12.0), PANEL);
    let (mut x, mut y, mut lower) = (left, top + 12.0 + GAP, top);
    for (at, cell) in area.cells.iter().enumerate() {
        let lines = lines_of(cell, area, PILE_WIDTH.min(right - left) - 2.0 * GAP - MARK);
        let texts = lines.iter().map(|(_, text)| text);
        let is_drawn = !cell.ways.is_empty();
        let (mut width, mut height) = (widest(texts, &LABEL) + MARK, CARD * lines.len() as f64);
        if is_drawn {
            (width, height) = (SIDE - 2.0 * GAP, SIDE - GAP);
        }
        width = (width + 2.0 * GAP).ceil();
        if x > left && x + width > right {
            (x, y) = (left, lower + GAP);
        }
        let is_touched = board.options.iter().any(|of| of.contains(&(first + at)));
        let least = if is_touched { TOUCHED - GAP } else { 0.0 };
        let above = (least - height).max(0.0) / 2.0;
        let corner = (x + width, y + height.max(least) + GAP);
        draw_ground(canvas, board, first + at, ((x, y), corner));
        if is_drawn {
            draw_spot(canvas, cell, (x + SIDE / 2.0, y + SIDE / 2.0), SIDE);
            (x, lower) = (corner.0 + GAP, lower.max(corner.1));
            continue;
        }
        for (line, (kind, text)) in lines.iter().enumerate() {
            let from = (x + GAP / 2.0, y + above + GAP / 2.0 + CARD * line as f64);
            draw_line(canvas, *kind, text, from, corner.0 - GAP / 2.0);
        }
        (x, lower) = (corner.0 + GAP, lower.max(corner.1));
    }
    lower
}

/// What is written of a pile: its name unless that only repeats its area and pieces, the pieces
/// from above, and how often it lies there; words where it has no pieces.
fn lines_of(cell: &Cell, area: &Area, room: f64) -> Vec<(Option<PieceKind>, String)> {
    let mut lines = Vec::new();
    let is_pawn = |kind: &PieceKind| matches!(kind, PieceKind::Pawn { .. });
    let kinds = cell.pieces.iter().map(|piece| piece.kind);
    if !cell.name.starts_with(&area.title) {
        let name = wrap(&cell.name, &LABEL, room, 3).into_iter();
        lines.extend(name.map(|line| (None, line)));
        lines[0].0 = kinds.clone().find(is_pawn);
    }
    let pieces = cell.pieces.iter().rev();
    for piece in pieces.filter(|piece| !is_pawn(&piece.kind)) {
        lines.push((Some(piece.kind), shorten(&piece.text, &LABEL, room)));
    }
    if kinds.count() == 0 && !cell.words.is_empty() {
        let words = wrap(&cell.words, &LABEL, room + MARK, 3);
        lines.extend(words.into_iter().map(|line| (None, line)));
    } else if cell.copies > 1 {
        lines.push((None, format!("× {}", cell.copies)));
    }
    lines
}

/// Draws a card or a text of a pile, its upper left corner at `from`.
fn draw_line(canvas: &mut Canvas, kind: Option<PieceKind>, text: &str, from: Spot, right: f64) {
    let ((mut x, y), middle) = (from, from.1 + CARD / 2.0);
    match kind {
        None => {}
        Some(PieceKind::Pawn { seat, .. }) => {
            theme::marker(canvas, seat, (x + GAP, middle), 5.0);
            x += MARK;
        }
        Some(kind) => {
            let corners = (from, (right, y + CARD));
            canvas.inset(corners, 0.0, RULE);
            canvas.inset(corners, 1.0, ink_of(kind).pale(0.15));
            if draw_mark(canvas, kind, (x + GAP + 2.0, middle), 5.0) {
                x += MARK;
            }
        }
    }
    canvas.text_mid(text, (x + GAP / 2.0, middle), LABEL);
}

/// Draws the background and the outline of the cell of this number, and adds its tooltip.
fn draw_ground(canvas: &mut Canvas, board: &Board, number: usize, corners: (Spot, Spot)) {
    let Some(cell) = board.cells().nth(number) else {
        return;
    };
    let options = (0..board.options.len()).filter(|of| board.options[*of].contains(&number));
    let options = Vec::from_iter(options.map(|option| option.to_string())).join(" ");
    let (width, ink) = [(2.0, BLACK), (1.0, RULE)][usize::from(options.is_empty())];
    let ground = match cell.kind {
        CellKind::FaceDown => GRID,
        CellKind::Asked => theme::WANTED,
        CellKind::Open | CellKind::Empty => WHITE,
    };
    let ((left, top), (right, lower)) = corners;
    let [left, top, right, lower] = [left + 2.0, top + 2.0, right - 2.0, lower - 2.0];
    let [from, to] = [(left, top), (right, lower)];
    canvas.block(from, to, ground);
    for side in [from, (right, top), to, (left, lower), from].windows(2) {
        match cell.kind {
            CellKind::Empty => canvas.dashes(side[0], side[1], (4.0, 4.0), width, ink),
            _ => canvas.stroke(side, width, ink),
        }
    }
    let words = format!("{}: {}", cell.name, cell.words);
    canvas.cell_tooltip((from, to), &words, [cell.name.clone(), options]);
}

/// Draws the ways and pieces of a cell of a grid.
fn draw_spot(canvas: &mut Canvas, cell: &Cell, middle: Spot, side: f64) {
    let ink = [RULE, WHITE][usize::from(cell.kind == CellKind::FaceDown)];
    // A spot so far towards an edge, and so far to its right.
    let towards = |way: u8, far: f64, aside: f64| {
        let (x, y) = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)][usize::from(way % 4)];
        let (x, y) = (far * x - aside * y, far * y + aside * x);
        (middle.0 + x, middle.1 + y)
    };
    for &way in &cell.ways {
        let end = towards(way, side / 2.0 - 3.0, 0.0);
        canvas.stroke(&[middle, end], side / 8.0, ink);
        canvas.disc(middle, side / 16.0, ink);
    }
    if cell.kind == CellKind::Asked {
        canvas.text_mid("?", middle, MIDDLE.bold());
    }
    let corner = (middle.0 - side / 2.0, middle.1 + side / 2.0);
    for piece in &cell.pieces {
        match piece.kind {
            PieceKind::Pawn { seat, to } => {
                let (radius, ink) = (side * 0.24, theme::seat_ink(seat));
                if let Some(to) = to {
                    let tip = [(1.7, 0.0), (0.0, 1.0), (0.0, -1.0)];
                    let tip = tip.map(|(far, aside)| towards(to, radius * far, radius * aside));
                    canvas.area(tip.into(), ink);
                }
                canvas.disc(middle, radius, ink);
                let style = MIDDLE.bold().in_ink(theme::text_on(ink));
                canvas.text_mid(&piece.text, middle, style);
            }
            PieceKind::HiddenPrize => {
                let at = (corner.0 + side - 10.0, corner.1 - 10.0);
                draw_mark(canvas, piece.kind, at, 5.0);
            }
            kind if draw_mark(canvas, kind, middle, side * 0.17) => {}
            _ => {
                let text = shorten(&piece.text, &DETAIL, side / 3.0);
                canvas.text(&text, (corner.0 + 5.0, corner.1 - 5.0), DETAIL);
            }
        }
    }
}

/// Draws the mark of a kind of piece: a triangle, a diamond, or a hollow one; returns whether it
/// has one.
fn draw_mark(canvas: &mut Canvas, kind: PieceKind, at: Spot, radius: f64) -> bool {
    let shape = match kind {
        PieceKind::Danger => 2,
        PieceKind::Prize => 3,
        PieceKind::HiddenPrize => 7,
        _ => return false,
    };
    theme::marker_in(ink_of(kind), canvas, shape, at, radius);
    true
}

fn ink_of(kind: PieceKind) -> Ink {
    match kind {
        PieceKind::Danger => theme::seat_ink(1),
        PieceKind::Prize | PieceKind::HiddenPrize => theme::seat_ink(2),
        PieceKind::Treasure => theme::seat_ink(4),
        PieceKind::Card | PieceKind::Pawn { .. } => WHITE,
    }
}
