//! The path, the deck and the players as data.

use super::rules::{Card, DiamantRules};
use super::snapshot::Snapshot;
use super::transcript::rubies;
use crate::diagnostic::counted;
use crate::figure::board::{Area, Board, Cell, CellKind, Piece, PieceKind};

/// The board before the decision of seat `me`: to stay touches the deck, to leave what lies on the
/// path. `path` are the cards of this expedition in their order, and `names` the players.
pub fn board(
    rules: &DiamantRules,
    me: usize,
    position: &Snapshot,
    path: &[usize],
    names: &[String],
) -> Board {
    let mut cards = Vec::new();
    for (number, &card) in (1..).zip(path) {
        let (kind, text) = match rules.cards[card] {
            Card::Treasure(value) => (PieceKind::Treasure, value.to_string()),
            Card::Trap(kind) => (PieceKind::Danger, rules.traps[usize::from(kind)].clone()),
            Card::Relic(place) => (
                PieceKind::Prize,
                rules.relic_name(position.relic(place) as u8),
            ),
        };
        let words = match kind {
            PieceKind::Treasure => format!("treasure {text}"),
            _ => text.clone(),
        };
        cards.push(Cell::new(
            format!("path: {number}"),
            words,
            vec![Piece::new(kind, text)],
        ));
    }
    let (relics, traps) = position.on_path(rules);
    let left = position.leftover();
    let mut lying = vec![Cell::new(
        "rubies on the path",
        rubies(left),
        vec![Piece::new(PieceKind::Treasure, left.to_string())],
    )];
    if !relics.is_empty() {
        let worth: i32 = relics.iter().sum();
        let words = format!("{} worth {worth}", counted(relics.len(), "relic"));
        let prize = Piece::new(PieceKind::Prize, worth.to_string());
        lying.push(Cell::new("relics on the path", words, vec![prize]));
    }
    let leaving = Vec::from_iter(cards.len() + 1..cards.len() + 1 + lying.len());
    let deadly = (rules.deadly(&traps) & position.deck).count_ones();
    let unseen = position.deck.count_ones() as usize;
    let words = format!("{}, {deadly} of them deadly", counted(unseen, "card"));
    let deck = Cell::face_down("deck", words, unseen);
    let staying = vec![cards.len()];
    cards.push(deck);
    let players = names.iter().enumerate().map(|(seat, name)| {
        let explorer = &position.explorers[seat];
        let mut words = if explorer.inside { "inside" } else { "outside" }.to_string();
        let pawn = PieceKind::Pawn { seat, to: None };
        let mut pieces = vec![Piece::new(pawn, (seat + 1).to_string())];
        if explorer.inside {
            words += &format!(", holds {}", rubies(position.held));
            let held = format!("holds {}", position.held);
            pieces.push(Piece::new(PieceKind::Treasure, held));
        }
        if rules.shows_chest(Some(me), seat) {
            words += &format!(", chest {}", explorer.chest);
            pieces.push(Piece::new(
                PieceKind::Card,
                format!("chest {}", explorer.chest),
            ));
        }
        if explorer.relics > 0 {
            words += &format!(", took out {}", counted(explorer.relics as usize, "relic"));
        }
        if !explorer.inside {
            pieces.push(Piece::new(PieceKind::Card, "outside"));
        }
        let kind = match explorer.inside {
            true => CellKind::Open,
            false => CellKind::Empty,
        };
        Cell {
            kind,
            ..Cell::new(name, words, pieces)
        }
    });
    Board {
        title: rules.title.clone(),
        areas: vec![
            Area::new("path", 0, cards),
            Area::new("for those who leave", 0, lying),
            Area::new("players", 0, players.collect()),
        ],
        links: Vec::new(),
        options: vec![staying, leaving],
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/board.rs"]
mod tests;
