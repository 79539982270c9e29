//! The table as data: everybody's stacks, the bank, the ore, and the recipes that moves complete.

use super::cards::{CLASSES, Card, DIAMOND, NAMES, ORE, SWORD};
use super::referee::{Move, Position, Stack};
use super::rules::MinerRules;
use super::transcript::{below, copies_of, listed};
use crate::diagnostic::counted;
use crate::figure::board::{Area, Board, Cell, CellKind, Piece, PieceKind};
use std::cmp::Reverse;

/// The table before a place decides among these moves, where option 0 ends the turn; `names` are
/// the players, by place. The areas are those of the players, the bank, the ore and the recipes.
pub fn board(table: &Position, names: &[String], (place, moves): (usize, &[Move])) -> Board {
    let rules = table.rules;
    let players = names.iter().zip(&table.tables);
    let mut areas: Vec<Area> = players
        .map(|(name, stacks)| Area::new(name, 0, cells(rules, name, stacks)))
        .collect();
    let held = (ORE + 1..CLASSES).filter(|&class| table.bank[class] > 0);
    let bank = held.map(|class| {
        let (copies, words) = (table.bank[class], copies_of(class, table.bank[class]));
        let name = format!("bank: {}", NAMES[class]);
        Cell {
            copies,
            ..Cell::new(name, words, vec![piece(rules, Card::of(class))])
        }
    });
    areas.push(Area::new("bank", 0, bank.collect()));
    let (deck, discard) = (table.deck.len(), table.discard.len());
    let discarded = Cell {
        kind: CellKind::Empty,
        copies: discard,
        ..Cell::new("discarded ore", format!("{discard} discarded"), Vec::new())
    };
    let deck = Cell::face_down("ore deck", format!("{deck} in the deck"), deck);
    areas.push(Area::new("ore", 0, vec![deck, discarded]));
    let mut recipes: Vec<String> = moves
        .iter()
        .filter_map(|each| recipe(rules, each))
        .collect();
    recipes.sort_unstable();
    recipes.dedup();
    let recipes = recipes
        .into_iter()
        .map(|name| Cell::new(name, "a recipe", Vec::new()));
    areas.push(Area::new("recipes", 0, recipes.collect()));
    let mut board = Board {
        title: rules.title.clone(),
        areas,
        ..Board::default()
    };
    let mut options = vec![Vec::new()];
    for chosen in moves {
        let source = named(rules, &names[place], &chosen.source);
        let target = named(rules, &names[chosen.owner], &chosen.target);
        let touched = [
            Some(source),
            Some(target),
            recipe(rules, chosen).map(|name| format!("recipes: {name}")),
        ];
        let number = |name: String| board.cells().position(|cell| cell.name == name);
        options.push(touched.into_iter().flatten().filter_map(number).collect());
    }
    board.options = options;
    board
}

/// A miner's cards: loose cards by class, then the stacks.
pub fn cells(rules: &MinerRules, owner: &str, stacks: &[Stack]) -> Vec<Cell> {
    let mut sorted: Vec<&Stack> = stacks.iter().collect();
    sorted.sort_by_key(|stack| {
        let is_loose = stack.under.is_empty();
        (!is_loose, is_loose.then_some(Reverse(stack.top.class())))
    });
    let cell = |equal: &[&Stack]| {
        let (stack, copies) = (equal[0], equal.len());
        let words = match stack.under.is_empty() {
            true => copied(rules, stack.top, copies),
            false => stacked(rules, stack),
        };
        let mut pieces: Vec<Piece> = stack.cards().map(|card| piece(rules, card)).collect();
        pieces.reverse();
        Cell {
            copies,
            ..Cell::new(named(rules, owner, stack), words, pieces)
        }
    };
    sorted.chunk_by(|a, b| a == b).map(cell).collect()
}

/// The name of the cell of a stack.
fn named(rules: &MinerRules, owner: &str, stack: &Stack) -> String {
    format!("{owner}: {}", stacked(rules, stack))
}

/// A stack: `[shovel + ore a + ore b]`, or the loose card.
pub fn stacked(rules: &MinerRules, stack: &Stack) -> String {
    let cards = stack.cards().map(|card| rules.card_name(card));
    match cards.collect::<Vec<_>>().as_slice() {
        [loose] => loose.clone(),
        cards => format!("[{}]", cards.join(" + ")),
    }
}

/// A number of equal cards: `2 ore a`, `shovel`, `3 carts`.
pub fn copied(rules: &MinerRules, card: Card, copies: usize) -> String {
    let name = rules.card_name(card);
    match (copies, card.class()) {
        (1, _) => name,
        (copies, ORE) => format!("{copies} {name}"),
        (copies, _) => counted(copies, &name),
    }
}

fn piece(rules: &MinerRules, card: Card) -> Piece {
    let kind = match card.class() {
        ORE => PieceKind::Card,
        SWORD => PieceKind::Danger,
        DIAMOND => PieceKind::Prize,
        _ => PieceKind::Treasure,
    };
    Piece::new(kind, rules.card_name(card))
}

/// What a move completes.
fn recipe(rules: &MinerRules, chosen: &Move) -> Option<String> {
    let rule = chosen.gives.as_ref()?;
    let (top, gives) = (rules.card_name(rule.top), listed(&rule.gives));
    Some(format!("{top} with {} for {gives}", below(rule)))
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_miner/board.rs"]
mod tests;
