//! The rulebook's examples and statements, one by one, on the referee's table.

use super::*;
use crate::game::{Seated, Seating};
use crate::games::diamond_miner::cards::{CLASSES, Card, ORE, SHOVEL, SWORD};
use crate::games::diamond_miner::features::VOCABULARY;
use crate::games::diamond_miner::rules::{Arms, EDITIONS, Reshuffle};
use std::sync::LazyLock;

static RULES: LazyLock<MinerRules> = LazyLock::new(rules);

fn rules() -> MinerRules {
    MinerRules::from_toml("standard", EDITIONS[0].text).unwrap()
}

/// Cards such as `shovel + ore a`.
fn cards(text: &str) -> Vec<Card> {
    let card = |name: &str| {
        let ore = (0..RULES.fronts.len()).map(|front| Card(front as u8));
        let mut all = ore.chain((SHOVEL..CLASSES).map(Card::of));
        let card = all.find(|card| RULES.card_name(*card) == name);
        card.expect("a card")
    };
    text.split(" + ")
        .filter(|name| !name.is_empty())
        .map(card)
        .collect()
}

/// A stack of such cards, the top card first.
fn stack(text: &str) -> Stack {
    let mut under = cards(text);
    let top = under.remove(0);
    under.sort_unstable();
    Stack { top, under }
}

/// Stacks such as `shovel + ore a, cart`.
fn stacks(text: &str) -> Vec<Stack> {
    text.split(", ")
        .filter(|text| !text.is_empty())
        .map(stack)
        .collect()
}

/// Puts stacks of cards of the box on a table.
fn deal(table: &mut Position, seat: usize, text: &str) {
    for stack in stacks(text) {
        for card in stack.cards() {
            if card.class() == ORE {
                let found = table.deck.iter().position(|other| *other == card);
                table.deck.remove(found.unwrap());
            } else {
                table.bank[card.class()] -= 1;
            }
        }
        table.put(seat, stack);
    }
}

fn laid<'r>(rules: &'r MinerRules, mine: &str, yours: &str) -> Position<'r> {
    let mut table = Position::new(rules, 2);
    deal(&mut table, 0, mine);
    deal(&mut table, 1, yours);
    table
}

/// The moves of seat 0 such as `ore a under shovel`, or `ore a under their shovel`.
fn moves(table: &Position, text: &str) -> Vec<Move> {
    let (source, target) = text.split_once(" under ").expect("a move");
    let theirs = target.strip_prefix("their ");
    let (source, target) = (stack(source), stack(theirs.unwrap_or(target)));
    let owner = usize::from(theirs.is_some());
    let fits =
        |chosen: &Move| chosen.source == source && chosen.owner == owner && chosen.target == target;
    table.legal_moves(0).into_iter().filter(fits).collect()
}

#[track_caller]
fn make(table: &mut Position, text: &str) -> Event {
    let moves = moves(table, text);
    assert_eq!(moves.len(), 1, "{text}: {moves:?}");
    let event = table.make(0, &moves[0], &mut |_| 0);
    assert_eq!(cards_in_play(table), RULES.copies().map(usize::from));
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

/// By line what it shows, both tables, a move of the first player, then both tables and the
/// discarded ore.
const MOVES: &str = "
    example 1: a stack of three | shovel + shovel, ore a | | ore a under shovel + shovel | shovel + shovel + ore a | |
    example 2: only the top card moves | shovel + ore a + ore c, cart | | shovel + ore a + ore c under cart | cart + shovel | | ore a + ore c
    example 3: two ores become a shovel | ore a, ore a | | ore a under ore a | shovel | | ore a + ore a
    example 4: extra cards go with the rest | cart + shovel + ore a, anvil | | anvil under cart + shovel + ore a | diamond | | ore a
    a product belongs to the mover | ore c | ore a | ore c under their ore a | shovel | | ore a + ore c
    an anvil under another card is open to all | shovel | cart + anvil | shovel under their cart + anvil | diamond | |
    a sword under a shield on top does nothing | ore a, sword | shield | sword under their shield | ore a | shield + sword |
    so other cards still go there | ore a | shield + sword | ore a under their shield + sword | | shield + ore a + sword |
    a shield that stays lets the sword above it pass | sword + shield | cart + shield | sword + shield under their cart + shield | shield | cart |
    shields and swords stay as loose cards | shovel + shield + ore a, cart | | shovel + shield + ore a under cart | cart + shovel, shield | | ore a
";

#[test]
fn moves_do_what_the_rulebook_says() {
    for line in MOVES.trim().lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let mut table = laid(&RULES, parts[1], parts[2]);
        make(&mut table, parts[3]);
        let then = [parts[4], parts[5]].map(stacks);
        assert_eq!(table.tables, then, "{line}");
        assert_eq!(table.discard, cards(parts[6]), "{line}");
    }
}

#[test]
fn a_sword_waits_for_a_later_shield() {
    let mut table = laid(&RULES, "shield, cart + sword", "");
    let event = make(&mut table, "shield under cart + sword");
    assert!(matches!(event, Event::Moved { pairs: 1, .. }));
    assert_eq!(table.tables[0], stacks("cart"));
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
    let mine = "shovel + shovel, shovel + shovel + ore a, cart + shovel";
    let cards = take(&mut laid(&RULES, mine, ""));
    let of = |class| cards.iter().filter(|card| card.class() == class).count();
    assert_eq!((of(ORE), of(SHOVEL), cards.len()), (4 + 2, 1, 7));
}

#[test]
fn what_has_run_out_is_skipped_and_discarded_ore_comes_back_last() {
    let mut table = laid(&RULES, "cart + shovel", "");
    (0..18).for_each(|_| deal(&mut table, 1, "shovel"));
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
fn anvils_take_cards_of_their_owner_only_and_leave_a_choice() {
    let mut table = laid(&RULES, "ore a, anvil", "anvil");
    assert!(moves(&table, "ore a under their anvil").is_empty());
    let choice = moves(&table, "ore a under anvil");
    assert_eq!(choice.len(), 2);
    table.make(0, &choice[1], &mut |_| 0);
    assert_eq!(table.tables[0], stacks("anvil, sword"));
}

#[test]
fn shields_keep_out_all_but_swords_which_take_one_each() {
    let guarded = "shovel + shovel + ore a + ore a";
    let twice = format!("{guarded} + shield + shield");
    let mut table = laid(&RULES, "ore a, sword, sword", &twice);
    assert!(moves(&table, &format!("ore a under their {twice}")).is_empty());
    make(&mut table, &format!("sword under their {twice}"));
    let once = format!("{guarded} + shield");
    assert_eq!(table.tables[1], stacks(&once));
    assert!(moves(&table, &format!("ore a under their {once}")).is_empty());
    make(&mut table, &format!("sword under their {once}"));
    make(&mut table, &format!("ore a under their {guarded}"));
    assert_eq!(table.tables, [stacks("cart"), vec![]]);
}

#[test]
fn shields_and_swords_travel_with_the_top_card_where_the_rules_say_so() {
    let rules = MinerRules {
        arms: Arms::Travel,
        ..rules()
    };
    let mut table = laid(&rules, "shovel + shield + ore a, cart", "");
    make(&mut table, "shovel + shield + ore a under cart");
    assert_eq!(table.tables[0], stacks("cart + shovel + shield"));
    // With a shield along, a sword does not pass another's shield.
    deal(&mut table, 0, "sword + shield, sword + sword");
    deal(&mut table, 1, "cart + shield");
    assert!(moves(&table, "sword + shield under their cart + shield").is_empty());
    make(&mut table, "sword + sword under their cart + shield");
    assert_eq!(table.tables[1], stacks("cart + sword"));
}

#[test]
fn a_shield_on_top_counts_where_the_rules_say_so() {
    let rules = MinerRules {
        top_arms_count: true,
        ..rules()
    };
    let mut table = laid(&rules, "ore a, sword", "shield + shovel + shield");
    assert!(moves(&table, "ore a under their shield + shovel + shield").is_empty());
    make(&mut table, "sword under their shield + shovel + shield");
    assert_eq!(table.tables[1], stacks("shield + shovel"));
    // The next sword meets the shield on top, and nothing is left.
    deal(&mut table, 0, "sword");
    let Event::Moved { pairs, stack, .. } = make(&mut table, "sword under their shield + shovel")
    else {
        panic!("a move");
    };
    assert_eq!((pairs, stack), (1, None));
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
    let mut table = laid(&RULES, "diamond, shovel", "diamond");
    assert!(table.legal_moves(0).is_empty());
    deal(&mut table, 1, "ore a");
    assert_eq!(table.legal_moves(0).len(), 1);
}

#[test]
fn identical_cards_are_one_move() {
    let mut table = Position::new(&RULES, 3);
    deal(&mut table, 0, "ore a, ore a, ore a, ore a, ore a");
    deal(&mut table, 1, "ore b, ore b, ore b");
    deal(&mut table, 2, "ore b");
    assert_eq!(table.legal_moves(0).len(), 3);
    // A card by itself cannot go under itself.
    deal(&mut table, 0, "shovel");
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
    let seated = Seated::of_texts(&SCORES, &VOCABULARY, Seating::Fixed);
    let mut complete = Complete(0);
    for game in 0..20 {
        let sitting = seated.in_game(3, game);
        let ending = play(&RULES, &sitting, &mut (), &mut complete);
        assert_eq!(ending.capped, ending.diamonds.iter().all(|own| *own < 2));
    }
    assert!(complete.0 > 2_000, "only {} events", complete.0);
}
