//! Rules of Diamant as data: the shipped editions, and the reader of rules files.

use super::bonus;
use super::keys::KEYS;
use crate::diagnostic::{Diagnostic, Fault, within};
use crate::formula::Formula;
use crate::game::{
    Edition, PlayersTable, check_game, check_minutes, editions, range_of, read_rules, words,
};
use crate::strategy::SEATS_MAX;
use indexmap::IndexMap;
use serde::Deserialize;
use std::ops::RangeInclusive;
use toml::Spanned;

/// Most cards in a deck: one bit each in a 64-bit set.
pub const CARDS_MAX: usize = 64;
pub const TRAP_KINDS_MAX: usize = 8;
pub const ROUNDS_MAX: i64 = 20;
/// Most rubies on a treasure card, and the highest value of a relic.
pub const VALUE_MAX: i64 = 255;

/// Characters forbidden in the name of a trap, which is used in paths, lists and reports.
const UNFIT: fn(char) -> bool = |c| ".=,;\"'".contains(c) || c.is_control();

/// The rules files that carat ships, the default first.
pub const EDITIONS: &[Edition] = editions![
    "iello-2016",
    "schmidt-2005",
    "schmidt-2005-alt",
    "incan-gold-2006",
    "incan-gold-2020",
    "bga-modern",
    "bga-classic",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Card {
    Treasure(u8),
    /// A trap of this kind, an index into [`DiamantRules::traps`].
    Trap(u8),
    /// Relic number, an index into [`DiamantRules::relics`].
    Relic(u8),
}

// What each word means, `keys` says.
words! {
    Leavers: BeforeReveal "before-reveal", AfterReveal "after-reveal";
    /// The order of treasures among the cards, by which luck draws them.
    TreasureOrder: Sorted "sorted", Listed "listed";
    FirstCard: BeforeDecision "before-decision", AfterDecision "after-decision";
    Leftovers: Pooled "pooled", PerCard "per-card";
    Tiebreak: Shared "shared", Relics "relics";
    Chests: Open "open", Hidden "hidden";
    Worth: ClaimOrder "claim-order", ExitOrder "exit-order", Printed "printed";
    Schedule: All "all", OnePerExpedition "one-per-expedition";
    /// In which order relics join one by one; a shuffled one shows only when relics are revealed.
    Order: Listed "listed", Shuffled "shuffled";
    TakenBy: LoneLeaver "lone-leaver", LastInside "last-inside";
    Unclaimed: LeaveGame "leave-game", Reshuffled "reshuffled";
}

/// Checked rules of one game of Diamant.
#[derive(Debug, Clone)]
pub struct DiamantRules {
    pub title: String,
    pub rounds: u32,
    /// Number of explorers printed on the box.
    pub players: RangeInclusive<usize>,
    /// All cards: the treasures, then the traps kind by kind, then the relics.
    pub cards: Vec<Card>,
    pub traps: Vec<String>,
    /// By kind, the first expedition with it, from 0.
    pub traps_from: Vec<u32>,
    /// How many traps of a kind end an expedition.
    pub traps_to_end: u8,
    /// The first card of an expedition that may end it, from 1.
    pub traps_end_from: u32,
    /// Rubies from the bank for each player who leaves, and its text. See [`bonus`].
    pub leave_bonus: Formula,
    pub leave_bonus_text: String,
    pub relics: Vec<u8>,
    pub leavers: Leavers,
    pub first_card: FirstCard,
    pub leftovers: Leftovers,
    /// Whether the trap that ended an expedition leaves the game.
    pub remove_trap: bool,
    pub tiebreak: Tiebreak,
    pub chests: Chests,
    pub worth: Worth,
    pub schedule: Schedule,
    pub order: Order,
    pub taken_by: TakenBy,
    pub unclaimed: Unclaimed,
}

impl DiamantRules {
    /// Reads and checks a rules file; `file` is the name that errors show.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Diagnostic> {
        read_rules(file, text, RulesFile::check)
    }

    /// The cards that are in the deck from the start, as a set of card indices.
    pub fn first_deck(&self) -> u64 {
        self.set_of(|card| match card {
            Card::Relic(_) => self.schedule == Schedule::All,
            Card::Trap(kind) => self.traps_from[usize::from(kind)] == 0,
            Card::Treasure(_) => true,
        })
    }

    /// The relic and the traps that join the deck before expedition `round` (from 0), as a set.
    pub fn joining(&self, round: u32) -> u64 {
        self.set_of(|card| match card {
            Card::Relic(relic) => {
                self.schedule == Schedule::OnePerExpedition && u32::from(relic) == round
            }
            Card::Trap(kind) => round > 0 && self.traps_from[usize::from(kind)] == round,
            Card::Treasure(_) => false,
        })
    }

    pub fn cards_in(&self, set: u64) -> impl Iterator<Item = Card> + '_ {
        self.indices_in(set).map(|card| self.cards[card])
    }

    /// The same as indices, in ascending order.
    pub fn indices_in(&self, set: u64) -> impl Iterator<Item = usize> + use<> {
        (0..self.cards.len()).filter(move |card| set >> card & 1 == 1)
    }

    /// The indices of the relics' cards: they come last.
    pub fn relic_cards(&self) -> std::ops::Range<usize> {
        self.cards.len() - self.relics.len()..self.cards.len()
    }

    /// A relic as records and stories name it: by the value printed on it, if there is one.
    pub fn relic_name(&self, relic: u8) -> String {
        match self.worth {
            Worth::Printed => format!("relic-{}", self.relics[usize::from(relic)]),
            Worth::ClaimOrder | Worth::ExitOrder => "relic".to_string(),
        }
    }

    /// The cards that would end an expedition with these kinds of trap on the path, as a set.
    pub fn deadly(&self, on_path: &[u8]) -> u64 {
        self.set_of(|card| match card {
            Card::Trap(kind) => {
                let out = on_path.iter().filter(|other| **other == kind).count();
                out + 1 >= usize::from(self.traps_to_end)
            }
            Card::Treasure(_) | Card::Relic(_) => false,
        })
    }

    /// Whether everyone decides at the entrance, before any card is revealed.
    pub fn decides_at_entrance(&self) -> bool {
        self.first_card == FirstCard::AfterDecision
    }

    /// Whether the bank pays players who leave.
    pub fn pays_bonus(&self) -> bool {
        bonus::constant(&self.leave_bonus) != Some(0.0)
    }

    /// Who takes the relics on the path, in words.
    pub fn taker(&self) -> &'static str {
        match self.taken_by {
            TakenBy::LoneLeaver => "a player who leaves alone",
            TakenBy::LastInside => "the last player inside",
        }
    }

    /// Whether each game draws the order of relics, and the order matters.
    pub fn shuffles_relics(&self) -> bool {
        self.order == Order::Shuffled
            && self.schedule == Schedule::OnePerExpedition
            && self.worth == Worth::Printed
    }

    /// Whether relics that leave the game untaken use up values.
    pub fn counts_lost_relics(&self) -> bool {
        self.worth == Worth::ExitOrder && self.unclaimed == Unclaimed::LeaveGame
    }

    pub fn set_of(&self, chosen: impl Fn(Card) -> bool) -> u64 {
        self.cards.iter().enumerate().fold(0, |set, (index, card)| {
            set | (u64::from(chosen(*card)) << index)
        })
    }

    /// The highest score that an explorer can reach.
    pub fn score_max(&self) -> usize {
        let relics: usize = self.relics.iter().map(|value| usize::from(*value)).sum();
        let bonus = if self.pays_bonus() { bonus::MAX } else { 0 };
        (self.rubies() + bonus as usize) * self.rounds as usize + relics
    }

    pub fn rubies(&self) -> usize {
        self.rubies_in(u64::MAX)
    }

    pub fn rubies_in(&self, set: u64) -> usize {
        self.shares_in(set, 1)
    }

    /// What each of `sharers` explorers gets of all treasures in a set, if each card is shared.
    pub fn shares_in(&self, set: u64, sharers: usize) -> usize {
        let shares = self.cards_in(set).map(|card| match card {
            Card::Treasure(value) => usize::from(value) / sharers,
            Card::Trap(_) | Card::Relic(_) => 0,
        });
        shares.sum()
    }

    /// The warning about relics that never join the deck.
    pub fn never_joins(&self) -> Option<String> {
        let (relics, rounds) = (self.relics.len(), self.rounds as usize);
        (self.schedule == Schedule::OnePerExpedition && relics > rounds).then(|| {
            format!(
                "relics.values: {} of {relics} relics never join, as rounds is {rounds} and relics.schedule is \
                 \"one-per-expedition\"",
                relics - rounds
            )
        })
    }

    /// The possible values of a relic, ascending, if the relics in the set `cards` have been in the
    /// deck and `taken` relics were taken out.
    pub fn relics_worth(&self, cards: u64, taken: usize) -> Vec<usize> {
        let relics = self.relics.iter().zip(self.relic_cards()).enumerate();
        let possible = relics.filter(|(at, (_, card))| match self.worth {
            Worth::ExitOrder => true,
            Worth::ClaimOrder => *at < taken,
            Worth::Printed => cards >> card & 1 == 1 || self.shuffles_relics(),
        });
        let mut worth: Vec<usize> = possible.map(|(_, (&value, _))| value.into()).collect();
        worth.sort_unstable();
        worth
    }

    /// Whether seat `to` may know the chest of `seat`; true for `None`, a spectator.
    pub fn shows_chest(&self, to: Option<usize>, seat: usize) -> bool {
        self.chests == Chests::Open || to.is_none_or(|to| to == seat)
    }

    /// Whether a chest can exceed 15 bits.
    pub fn chests_are_wide(&self) -> bool {
        self.score_max() > i16::MAX as usize
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    game: Spanned<String>,
    title: String,
    rounds: Spanned<i64>,
    treasures: Spanned<Vec<Spanned<i64>>>,
    treasure_order: TreasureOrder,
    leavers: Leavers,
    first_card: FirstCard,
    leftovers: Leftovers,
    traps_to_end: Spanned<i64>,
    traps_end_from: Spanned<i64>,
    leave_bonus: Spanned<toml::Value>,
    remove_trap: bool,
    tiebreak: Tiebreak,
    chests: Chests,
    players: PlayersTable,
    minutes: Spanned<IndexMap<String, Spanned<i64>>>,
    traps: Spanned<IndexMap<String, Spanned<i64>>>,
    traps_from: IndexMap<String, Spanned<i64>>,
    relics: RelicsTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RelicsTable {
    values: Vec<Spanned<i64>>,
    worth: Worth,
    schedule: Schedule,
    order: Order,
    taken_by: TakenBy,
    unclaimed: Unclaimed,
}

impl RulesFile {
    fn check(self) -> Result<DiamantRules, Fault> {
        check_game(&self.game, "diamant")?;
        check_minutes(KEYS, &self.minutes)?;
        let rounds = within("rounds", &self.rounds, range_of(KEYS, "rounds"))? as u32;
        let players = self.players.check(1..=SEATS_MAX)?;

        let mut cards = Vec::new();
        for value in self.treasures.get_ref() {
            let value = within("a treasure", value, range_of(KEYS, "treasures"))?;
            cards.push(Card::Treasure(value as u8));
        }
        if self.treasure_order == TreasureOrder::Sorted {
            cards.sort();
        }
        let kinds = self.traps.get_ref().len();
        if kinds > TRAP_KINDS_MAX {
            let message = format!("{kinds} kinds of trap: at most {TRAP_KINDS_MAX} are allowed");
            return Err(Fault::new(self.traps.span(), message, "too many kinds"));
        }
        for (kind, (name, copies)) in (0u8..).zip(self.traps.get_ref()) {
            if name.is_empty() || name.trim() != name || name.contains(UNFIT) {
                let message = format!("a trap cannot be called `{}`", name.escape_debug());
                let label = "its name must not have . = , ; or quotes, nor blanks around it";
                return Err(Fault::new(copies.span(), message, label));
            }
            let copies = within(&format!("traps.{name}"), copies, range_of(KEYS, "traps"))?;
            cards.extend((0..copies).map(|_| Card::Trap(kind)));
        }
        let mut relics = Vec::new();
        for value in &self.relics.values {
            let value = within("a relic's value", value, range_of(KEYS, "relics.values"))? as u8;
            cards.push(Card::Relic(relics.len().min(CARDS_MAX) as u8));
            relics.push(value);
        }
        self.check_count(cards.len())?;
        let traps_from = self.joining(rounds)?;
        let end_from = range_of(KEYS, "traps_end_from");
        let (leave_bonus, leave_bonus_text) = bonus::read(&self.leave_bonus)?;
        let rules = DiamantRules {
            title: self.title,
            rounds,
            players,
            cards,
            traps_from,
            traps: self.traps.into_inner().into_keys().collect(),
            traps_to_end: within(
                "traps_to_end",
                &self.traps_to_end,
                range_of(KEYS, "traps_to_end"),
            )? as u8,
            traps_end_from: within("traps_end_from", &self.traps_end_from, end_from)? as u32,
            leave_bonus,
            leave_bonus_text,
            relics,
            leavers: self.leavers,
            first_card: self.first_card,
            leftovers: self.leftovers,
            remove_trap: self.remove_trap,
            tiebreak: self.tiebreak,
            chests: self.chests,
            worth: self.relics.worth,
            schedule: self.relics.schedule,
            order: self.relics.order,
            taken_by: self.relics.taken_by,
            unclaimed: self.relics.unclaimed,
        };
        let mut first = rules.first_deck() | rules.joining(0);
        if rules.traps_end_from > 1 {
            first &= !rules.deadly(&[]);
        }
        if first == 0 {
            let message = "the first expedition has no card that may be the first";
            let label = "the deck starts without cards";
            return Err(Fault::new(self.treasures.span(), message, label));
        }
        Ok(rules)
    }

    fn check_count(&self, cards: usize) -> Result<(), Fault> {
        let label = match cards {
            0 => "no cards at all",
            1..=CARDS_MAX => return Ok(()),
            _ => "too many cards",
        };
        let message = format!(
            "{cards} cards in all: the deck may hold 1 to {CARDS_MAX} (treasures, traps and relics together)"
        );
        Err(Fault::new(self.treasures.span(), message, label))
    }

    /// By kind of trap, the first expedition with it, from 0.
    fn joining(&self, rounds: u32) -> Result<Vec<u32>, Fault> {
        let traps = self.traps.get_ref();
        let mut joining = vec![0; traps.len()];
        for (name, from) in &self.traps_from {
            let key = format!("traps_from.{name}");
            let Some(kind) = traps.get_index_of(name) else {
                let label = format!("its copies belong in [traps]: {name} = 3");
                let message = format!("{key}: no such trap");
                return Err(Fault::new(from.span(), message, label));
            };
            let first = within(&key, from, range_of(KEYS, "traps_from"))? as u32;
            if first > rounds {
                let message = format!("{key} is {first}, but rounds is {rounds}: no {name} joins");
                let label = format!("should be 1 to {rounds}");
                return Err(Fault::new(from.span(), message, label));
            }
            joining[kind] = first - 1;
        }
        Ok(joining)
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/rules.rs"]
mod tests;
