//! The path, the deck and the players as data.

use super::rules::{Card, DiamantRules};
use super::snapshot::Snapshot;
use super::transcript::rubies;
use crate::diagnostic::counted;
use crate::figure::board::{Board, Cell, CellKind, PieceKind};

/// The board before the decision of seat `me`: to stay touches the deck, to leave what lies on the
/// path. `path` are the cards of this expedition in their order, and `names` the players.
pub fn board(
    rules: &DiamantRules,
    me: usize,
    position: &Snapshot,
    path: &[usize],
    names: &[String],
) -> Board {
    let mut board = Board::new(&rules.title);
    let cards = (1..).zip(path).map(|(number, &card)| {
        let (kind, text) = match rules.cards[card] {
            Card::Treasure(value) => (PieceKind::Treasure, value.to_string()),
            Card::Trap(kind) => (PieceKind::Danger, rules.traps[usize::from(kind)].clone()),
            Card::Relic(place) => (
                PieceKind::Prize,
                rules.relic_name(position.relic(place) as u8),
            ),
        };
        // A relic that was taken leaves its place in the path.
        match position.in_game >> card & 1 {
            0 => Cell::new(format!("path: {number}"), format!("{text}, taken"))
                .of_kind(CellKind::Empty),
            _ => Cell::new(format!("path: {number}"), &text).with(kind, text),
        }
    });
    board.add("path", 0, cards);
    let (relics, _) = position.on_path(rules);
    let deadly = position.deadly(rules).count_ones();
    let (unseen, left) = (position.deck.count_ones() as usize, position.leftover());
    let words = format!(
        "{}, {deadly} of them would end the expedition",
        counted(unseen, "card")
    );
    let mut lying = vec![
        Cell::new("deck", words)
            .of_kind(CellKind::FaceDown)
            .times(unseen),
        Cell::new("rubies on the path", rubies(left)).with(PieceKind::Treasure, left),
    ];
    if !relics.is_empty() {
        let worth: i32 = relics.iter().sum();
        let words = format!("{} worth {worth}", counted(relics.len(), "relic"));
        lying.push(Cell::new("relics on the path", words).with(PieceKind::Prize, worth));
    }
    let leaving = path.len() + 1..path.len() + lying.len();
    board.options = vec![vec![path.len()], leaving.collect()];
    board.add("deck and path", 0, lying);
    let players = names.iter().zip(&position.explorers).enumerate();
    let players = players.map(|(seat, (name, explorer))| {
        let mut cell = Cell::new(name, "").with(PieceKind::Pawn { seat, to: None }, seat + 1);
        cell = if explorer.inside {
            cell.with(PieceKind::Treasure, format!("holds {}", position.held))
        } else {
            cell.of_kind(CellKind::Empty)
                .with(PieceKind::Card, "outside")
        };
        if rules.shows_chest(Some(me), seat) {
            cell = cell.with(PieceKind::Card, format!("chest {}", explorer.chest));
        }
        let texts = cell.pieces[1..].iter().map(|piece| piece.text.as_str());
        cell.words = texts.collect::<Vec<_>>().join(", ");
        cell
    });
    board.add("players", 0, players);
    board
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/board.rs"]
mod tests;
