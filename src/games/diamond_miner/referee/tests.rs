//! The rulebook's examples and statements, one by one, on the referee's table.

use super::*;
use crate::formula::Formula;
use crate::game::{Seated, Seating};
use crate::games::diamond_miner::cards::{
    ANVIL, CART, CLASSES, Card, DIAMOND, ORE, SHIELD, SHOVEL, SWORD,
};
use crate::games::diamond_miner::features::VOCABULARY;
use crate::games::diamond_miner::rules::{Arms, EDITIONS, Reshuffle};
use std::sync::LazyLock;

const ORE_A: Card = Card(0);
const ORE_B: Card = Card(1);
const ORE_C: Card = Card(2);
const SHOVEL_: Card = Card::of(SHOVEL);
const CART_: Card = Card::of(CART);
const ANVIL_: Card = Card::of(ANVIL);
const SHIELD_: Card = Card::of(SHIELD);
const SWORD_: Card = Card::of(SWORD);
const DIAMOND_: Card = Card::of(DIAMOND);

static RULES: LazyLock<MinerRules> = LazyLock::new(rules);

fn rules() -> MinerRules {
    MinerRules::from_toml("standard", EDITIONS[0].text).unwrap()
}

fn stack(cards: &[Card]) -> Stack {
    let mut under = cards[1..].to_vec();
    under.sort_unstable();
    Stack {
        top: cards[0],
        under,
    }
}

/// Puts cards of the box on a table: the top card first.
fn deal(table: &mut Position, seat: usize, cards: &[Card]) {
    for card in cards {
        if card.class() == ORE {
            let found = table.deck.iter().position(|other| other == card).unwrap();
            table.deck.remove(found);
        } else {
            table.bank[card.class()] -= 1;
        }
    }
    table.put(seat, stack(cards));
}

fn laid<'r>(rules: &'r MinerRules, mine: &[&[Card]], yours: &[&[Card]]) -> Position<'r> {
    let mut table = Position::new(rules, 2);
    mine.iter().for_each(|cards| deal(&mut table, 0, cards));
    yours.iter().for_each(|cards| deal(&mut table, 1, cards));
    table
}

/// The moves of `source` under `target` of `owner` by seat 0.
fn moves(table: &Position, source: &[Card], owner: usize, target: &[Card]) -> Vec<Move> {
    let (source, target) = (stack(source), stack(target));
    let fits =
        |chosen: &Move| chosen.source == source && chosen.owner == owner && chosen.target == target;
    table.legal_moves(0).into_iter().filter(fits).collect()
}

#[track_caller]
fn make(table: &mut Position, source: &[Card], owner: usize, target: &[Card]) -> Event {
    let moves = moves(table, source, owner, target);
    assert_eq!(moves.len(), 1, "{moves:?}");
    let event = table.make(0, &moves[0], &mut |_| 0);
    assert_eq!(cards_in_play(table), rules().copies().map(usize::from));
    event
}

fn cards_in_play(table: &Position) -> [usize; CLASSES] {
    let mut all = table.bank;
    all[ORE] += table.deck.len() + table.discard.len();
    for stack in table.tables.iter().flatten() {
        stack.cards().for_each(|card| all[card.class()] += 1);
    }
    all
}

#[test]
fn example_1_an_ore_under_two_shovels_makes_a_stack_of_three() {
    let mut table = laid(&RULES, &[&[SHOVEL_, SHOVEL_], &[ORE_A]], &[]);
    make(&mut table, &[ORE_A], 0, &[SHOVEL_, SHOVEL_]);
    assert_eq!(table.tables[0], [stack(&[SHOVEL_, SHOVEL_, ORE_A])]);
}

#[test]
fn example_2_only_the_top_card_of_a_stack_moves() {
    let mut table = laid(&RULES, &[&[SHOVEL_, ORE_A, ORE_C], &[CART_]], &[]);
    make(&mut table, &[SHOVEL_, ORE_A, ORE_C], 0, &[CART_]);
    assert_eq!(table.tables[0], [stack(&[CART_, SHOVEL_])]);
    assert_eq!(table.discard, [ORE_A, ORE_C]);
}

#[test]
fn example_3_two_ores_become_a_shovel() {
    let mut table = laid(&RULES, &[&[ORE_A], &[ORE_A]], &[]);
    make(&mut table, &[ORE_A], 0, &[ORE_A]);
    assert_eq!(table.tables[0], [Stack::loose(SHOVEL_)]);
    assert_eq!(table.discard, [ORE_A, ORE_A]);
}

#[test]
fn example_4_an_anvil_under_cart_and_shovel_becomes_a_diamond() {
    let mut table = laid(&RULES, &[&[CART_, SHOVEL_, ORE_A], &[ANVIL_]], &[]);
    make(&mut table, &[ANVIL_], 0, &[CART_, SHOVEL_, ORE_A]);
    assert_eq!(table.tables[0], [Stack::loose(DIAMOND_)]);
    // Extra cards go with the rest: the ore to its pile, the others back into the bank.
    assert_eq!(table.discard, [ORE_A]);
    assert_eq!(
        (table.bank[CART], table.bank[SHOVEL], table.bank[ANVIL]),
        (9, 19, 6)
    );
}

/// What seat 0 takes at the start of a turn.
fn take(table: &mut Position) -> Vec<Card> {
    match table.take(0, &mut streams::phase_rng(1, 0)) {
        Event::Took { cards, .. } => cards,
        other => panic!("{other:?}"),
    }
}

#[test]
fn example_5_productions_are_taken_beside_the_two_ores() {
    let mut table = laid(
        &RULES,
        &[
            &[SHOVEL_, SHOVEL_],
            &[SHOVEL_, SHOVEL_, ORE_A],
            &[CART_, SHOVEL_],
        ],
        &[],
    );
    let cards = take(&mut table);
    let of = |class| cards.iter().filter(|card| card.class() == class).count();
    assert_eq!((of(ORE), of(SHOVEL), cards.len()), (4 + 2, 1, 7));
}

#[test]
fn what_has_run_out_is_skipped_and_discarded_ore_comes_back_last() {
    let mut table = laid(&RULES, &[&[CART_, SHOVEL_]], &[]);
    for _ in 0..18 {
        deal(&mut table, 1, &[SHOVEL_]);
    }
    assert_eq!(take(&mut table).len(), 2);
    // One card in the deck and one discarded: the deck is used up first.
    let deck = std::mem::take(&mut table.deck);
    table.tables[1].extend(deck[2..].iter().map(|card| Stack::loose(*card)));
    table.deck = vec![deck[0]];
    table.discard = vec![deck[1]];
    assert_eq!(take(&mut table), [deck[0], deck[1]]);
    assert_eq!(take(&mut table), []);
}

#[test]
fn what_is_completed_on_anothers_stack_belongs_to_the_mover() {
    let mut table = laid(&RULES, &[&[ORE_C]], &[&[ORE_A]]);
    make(&mut table, &[ORE_C], 1, &[ORE_A]);
    assert_eq!(table.tables, [vec![Stack::loose(SHOVEL_)], vec![]]);
}

#[test]
fn anvils_take_cards_of_their_owner_only_and_leave_a_choice() {
    let mut table = laid(&RULES, &[&[ORE_A], &[ANVIL_]], &[&[ANVIL_]]);
    assert!(moves(&table, &[ORE_A], 1, &[ANVIL_]).is_empty());
    let choice = moves(&table, &[ORE_A], 0, &[ANVIL_]);
    assert_eq!(choice.len(), 2);
    table.make(0, &choice[1], &mut |_| 0);
    assert_eq!(
        table.tables[0],
        [Stack::loose(ANVIL_), Stack::loose(SWORD_)]
    );
}

#[test]
fn an_anvil_under_another_card_is_open_to_all() {
    let mut table = laid(&RULES, &[&[SHOVEL_]], &[&[CART_, ANVIL_]]);
    make(&mut table, &[SHOVEL_], 1, &[CART_, ANVIL_]);
    assert_eq!(table.tables[0], [Stack::loose(DIAMOND_)]);
}

#[test]
fn shields_keep_out_all_but_swords_which_take_one_each() {
    let mut table = laid(&RULES, &[&[ORE_A], &[SWORD_], &[SWORD_]], &[]);
    let guarded = [SHOVEL_, SHOVEL_, ORE_A, ORE_A, SHIELD_, SHIELD_];
    deal(&mut table, 1, &guarded);
    assert!(moves(&table, &[ORE_A], 1, &guarded).is_empty());
    make(&mut table, &[SWORD_], 1, &guarded);
    assert_eq!(table.tables[1], [stack(&guarded[..5])]);
    assert!(moves(&table, &[ORE_A], 1, &guarded[..5]).is_empty());
    make(&mut table, &[SWORD_], 1, &guarded[..5]);
    make(&mut table, &[ORE_A], 1, &guarded[..4]);
    assert_eq!(table.tables[0], [Stack::loose(CART_)]);
    assert_eq!((table.bank[SHIELD], table.bank[SWORD]), (8, 8));
}

#[test]
fn a_sword_waits_for_a_later_shield() {
    let mut table = laid(&RULES, &[&[SHIELD_], &[CART_, SWORD_]], &[]);
    let event = make(&mut table, &[SHIELD_], 0, &[CART_, SWORD_]);
    assert!(matches!(event, Event::Moved { pairs: 1, .. }));
    assert_eq!(table.tables[0], [Stack::loose(CART_)]);
}

#[test]
fn shields_and_swords_on_top_do_nothing() {
    let mut table = laid(&RULES, &[&[ORE_A], &[SWORD_]], &[&[SHIELD_]]);
    make(&mut table, &[SWORD_], 1, &[SHIELD_]);
    assert_eq!(table.tables[1], [stack(&[SHIELD_, SWORD_])]);
    make(&mut table, &[ORE_A], 1, &[SHIELD_, SWORD_]);
    assert_eq!(table.tables[1][0].under.len(), 2);
}

#[test]
fn shields_and_swords_travel_with_the_top_card_where_the_rules_say_so() {
    let rules = MinerRules {
        arms: Arms::Travel,
        ..rules()
    };
    let mut table = laid(&rules, &[&[SHOVEL_, SHIELD_, ORE_A], &[CART_]], &[]);
    make(&mut table, &[SHOVEL_, SHIELD_, ORE_A], 0, &[CART_]);
    assert_eq!(table.tables[0], [stack(&[CART_, SHOVEL_, SHIELD_])]);
    // With a shield along, a sword does not pass another's shield.
    deal(&mut table, 0, &[SWORD_, SHIELD_]);
    deal(&mut table, 0, &[SWORD_, SWORD_]);
    deal(&mut table, 1, &[CART_, SHIELD_]);
    assert!(moves(&table, &[SWORD_, SHIELD_], 1, &[CART_, SHIELD_]).is_empty());
    make(&mut table, &[SWORD_, SWORD_], 1, &[CART_, SHIELD_]);
    assert_eq!(table.tables[1], [stack(&[CART_, SWORD_])]);
}

#[test]
fn shields_and_swords_stay_as_loose_cards() {
    let mut table = laid(&RULES, &[&[SHOVEL_, SHIELD_, ORE_A], &[CART_]], &[]);
    make(&mut table, &[SHOVEL_, SHIELD_, ORE_A], 0, &[CART_]);
    let left = [stack(&[CART_, SHOVEL_]), Stack::loose(SHIELD_)];
    assert_eq!(table.tables[0], left);
    // The shield does not come along, so that the sword passes.
    deal(&mut table, 0, &[SWORD_, SHIELD_]);
    deal(&mut table, 1, &[CART_, SHIELD_]);
    make(&mut table, &[SWORD_, SHIELD_], 1, &[CART_, SHIELD_]);
    assert_eq!(table.tables[1], [Stack::loose(CART_)]);
}

#[test]
fn a_shield_on_top_counts_where_the_rules_say_so() {
    let rules = MinerRules {
        top_arms_count: true,
        ..rules()
    };
    let mut table = laid(
        &rules,
        &[&[ORE_A], &[SWORD_]],
        &[&[SHIELD_, SHOVEL_, SHIELD_]],
    );
    assert!(moves(&table, &[ORE_A], 1, &[SHIELD_, SHOVEL_, SHIELD_]).is_empty());
    make(&mut table, &[SWORD_], 1, &[SHIELD_, SHOVEL_, SHIELD_]);
    assert_eq!(table.tables[1], [stack(&[SHIELD_, SHOVEL_])]);
    // The next sword meets the shield on top, and nothing is left.
    deal(&mut table, 0, &[SWORD_]);
    let event = make(&mut table, &[SWORD_], 1, &[SHIELD_, SHOVEL_]);
    assert!(matches!(
        event,
        Event::Moved {
            pairs: 1,
            stack: None,
            ..
        }
    ));
    assert!(table.tables[1].is_empty());
}

#[test]
fn discarded_ore_becomes_the_deck_at_once_where_the_rules_say_so() {
    for (reshuffle, piles) in [(Reshuffle::AtDraw, [0, 1]), (Reshuffle::AtOnce, [1, 0])] {
        let rules = MinerRules {
            reshuffle,
            ..rules()
        };
        let mut table = Position::new(&rules, 2);
        let deck = std::mem::take(&mut table.deck);
        table.tables[1].extend(deck[3..].iter().map(|card| Stack::loose(*card)));
        (table.deck, table.discard) = (deck[..2].to_vec(), vec![deck[2]]);
        assert_eq!(take(&mut table).len(), 2);
        assert_eq!([table.deck.len(), table.discard.len()], piles);
    }
}

#[test]
fn diamonds_are_neither_moved_nor_covered() {
    let mut table = laid(&RULES, &[&[DIAMOND_], &[SHOVEL_]], &[&[DIAMOND_]]);
    assert!(table.legal_moves(0).is_empty());
    deal(&mut table, 1, &[ORE_A]);
    assert_eq!(table.legal_moves(0).len(), 1);
}

#[test]
fn identical_cards_are_one_move() {
    let rules = rules();
    let mut table = Position::new(&rules, 3);
    (0..5).for_each(|_| deal(&mut table, 0, &[ORE_A]));
    (0..3).for_each(|_| deal(&mut table, 1, &[ORE_B]));
    deal(&mut table, 2, &[ORE_B]);
    assert_eq!(table.legal_moves(0).len(), 3);
    // A card by itself cannot go under itself.
    deal(&mut table, 0, &[SHOVEL_]);
    assert_eq!(table.legal_moves(0).len(), 2 * 4 - 1);
}

/// Scores that make a lot happen.
const SCORES: [&str; 4] = [
    "gain + 2 * noise",
    "if ends > 0 then -1 else noise + 5 * steals",
    "noise - ends / 20",
    "production_gain + plays_sword + protects / 9 + noise - 0.3",
];

/// Looks at the table after every event, and counts them.
struct Complete(usize);

impl Watch for Complete {
    fn event(&mut self, event: &Event, table: &Position) {
        let rules = table.rules;
        assert_eq!(
            cards_in_play(table),
            rules.copies().map(usize::from),
            "{event:?}"
        );
        for front in 0..3 {
            let piles = table.deck.iter().chain(&table.discard).copied();
            let lying = table.tables.iter().flatten().flat_map(Stack::cards);
            let copies = piles.chain(lying).filter(|card| card.0 == front).count();
            assert_eq!(copies, usize::from(rules.fronts[usize::from(front)].1));
        }
        for stack in table.tables.iter().flatten() {
            let swords = stack.under.iter().filter(|card| card.class() == SWORD);
            assert!(
                stack.shields(rules) == 0 || swords.count() == 0,
                "{stack:?}"
            );
            assert!(table.transforming(stack).is_empty(), "{stack:?}");
        }
        self.0 += 1;
    }
}

#[test]
fn all_cards_stay_in_the_game_after_every_move() {
    let formulas = SCORES.map(|text| Formula::parse(text, &[], &VOCABULARY).unwrap().bind(&[]));
    let seated = Seated {
        names: vec![String::new(); formulas.len()],
        formulas: formulas.to_vec(),
        seating: Seating::Fixed,
    };
    let mut complete = Complete(0);
    for game in 0..20 {
        let sitting = seated.in_game(game);
        let ending = play(
            &RULES,
            &sitting,
            streams::game_key(3, game),
            &mut (),
            &mut complete,
        );
        assert_eq!(ending.capped, ending.diamonds.iter().all(|own| *own < 2));
    }
    assert!(complete.0 > 2_000, "only {} events", complete.0);
}
