//! The table as data: everybody's stacks, the bank, the ore, and the recipes that moves complete.

use super::cards::{CLASSES, Card, DIAMOND, NAMES, ORE, SWORD};
use super::referee::{Move, Position, Stack};
use super::rules::MinerRules;
use super::transcript::{below, copies_of, listed};
use crate::diagnostic::counted;
use crate::figure::board::{Board, Cell, CellKind, PieceKind};
use crate::game::Places;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Areas behind those of the players: the bank, the ore, the recipes, and the diamonds of each
/// player.
pub const OTHERS: usize = 4;

/// The table before a place decides among these moves, where option 0 ends the turn; `names` are
/// the players, by place.
pub fn board(
    table: &Position,
    (places, names): (Places, &[String]),
    place: usize,
    moves: &[Move],
) -> Board {
    let rules = table.rules;
    let mut board = Board::new(&rules.title);
    for (name, stacks) in names.iter().zip(&table.tables) {
        board.add(name, 0, cells(rules, name, stacks));
    }
    let held = (ORE + 1..CLASSES).filter(|&class| table.bank[class] > 0);
    let bank = held.map(|class| {
        let copies = table.bank[class];
        let cell = Cell::new(format!("bank: {}", NAMES[class]), copies_of(class, copies));
        lay(rules, cell, Card::of(class)).times(copies)
    });
    board.add("bank", 0, bank);
    let (deck, gone) = (table.deck.len(), table.discard.len());
    let deck = Cell::new("ore: deck", format!("{deck} in the deck")).times(deck);
    let gone = Cell::new("ore: discarded", format!("{gone} discarded")).times(gone);
    let [down, empty] = [CellKind::FaceDown, CellKind::Empty];
    board.add("ore", 0, [deck.of_kind(down), gone.of_kind(empty)]);
    let recipes = moves.iter().filter_map(|chosen| recipe(rules, chosen));
    let recipes = BTreeSet::from_iter(recipes).into_iter();
    board.add("recipes", 0, recipes.map(|name| Cell::new(name, "")));
    let players = names.iter().enumerate().map(|(place, name)| {
        let (seat, diamonds) = (places.bot_at(place), table.diamonds(place) as usize);
        let goal = counted(rules.goal as usize, NAMES[DIAMOND]);
        let words = format!("{diamonds} of {goal}");
        let cell = Cell::new(name, words).with(PieceKind::Pawn { seat, to: None }, seat + 1);
        cell.with(PieceKind::Prize, diamonds)
    });
    board.add("diamonds", 0, players);
    board.options.push(Vec::new());
    for chosen in moves {
        let source = named(rules, &names[place], &chosen.source);
        let target = named(rules, &names[chosen.owner], &chosen.target);
        let touched = [Some(source), Some(target), recipe(rules, chosen)];
        let number = |name: String| board.cells().position(|cell| cell.name == name);
        let touched = touched.into_iter().flatten().filter_map(number).collect();
        board.options.push(touched);
    }
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
        let words = if stack.under.is_empty() {
            copied(rules, stack.top, copies)
        } else {
            stacked(rules, stack)
        };
        let cell = Cell::new(named(rules, owner, stack), words).times(copies);
        let below = stack.under.iter().rev();
        (below.chain([&stack.top])).fold(cell, |cell, card| lay(rules, cell, *card))
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

fn lay(rules: &MinerRules, cell: Cell, card: Card) -> Cell {
    let kind = match card.class() {
        ORE => PieceKind::Card,
        SWORD => PieceKind::Danger,
        DIAMOND => PieceKind::Prize,
        _ => PieceKind::Treasure,
    };
    cell.with(kind, rules.card_name(card))
}

/// The name of the cell of the recipe that a move completes.
fn recipe(rules: &MinerRules, chosen: &Move) -> Option<String> {
    let rule = chosen.gives.as_ref()?;
    let (top, gives) = (rules.card_name(rule.top), listed(&rule.gives));
    Some(format!("{top} with {} for {gives}", below(rule)))
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_miner/board.rs"]
mod tests;
