//! Rules of Diamond Cave as data: the shipped edition, and the reader of rules files.

use super::keys::KEYS;
use crate::diagnostic::{Diagnostic, Fault, within};
use crate::game::{
    Edition, PlayersTable, check_game, check_minutes, editions, range_of, read_rules, words,
};
use indexmap::IndexMap;
use serde::Deserialize;
use std::iter::repeat_n;
use std::ops::RangeInclusive;
use toml::Spanned;

/// Most cards along a side of the board.
pub const SIZE_MAX: usize = 9;
/// Most cells of a board: one bit each in a 128-bit set.
pub const CELLS_MAX: usize = SIZE_MAX * SIZE_MAX;
pub const PLANNED_MAX: usize = 6;
pub const DECK_MAX: usize = 40;
/// Most cards in the box: one bit each in a 128-bit set.
pub const CARDS_MAX: usize = CELLS_MAX + DECK_MAX + PLANNED_MAX;
pub const PLAYERS_MIN: usize = 2;
pub const PLAYERS_MAX: usize = 4;
pub const TURNS_MAX: i64 = 10_000;

/// The rules files that carat ships, the default first.
pub const EDITIONS: &[Edition] = editions!["rifo-2009"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A torch: the far end of the tunnel stays.
    Torch,
    Standard,
    Dark,
}

/// The kinds in words, in order.
pub const KIND_NAMES: [&str; 3] = ["torch", "standard", "dark"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    pub kind: Kind,
    /// The two edges that its tunnel joins, as printed: bit 0 north, 1 east, 2 south, 3 west.
    pub edges: u8,
}

impl Card {
    #[inline(always)]
    pub fn is_straight(self) -> bool {
        self.edges == 0b0101 || self.edges == 0b1010
    }

    /// Whether its tunnel, as printed, leads to this edge.
    #[inline(always)]
    pub fn has(self, edge: u8) -> bool {
        self.edges >> edge & 1 == 1
    }
}

words! {
    /// With none, bots know only what lies face up now.
    Memory: Perfect "perfect", None "none";
}

#[derive(Debug, Clone, PartialEq)]
pub struct DiamondCaveRules {
    pub title: String,
    /// Cards along a side of the board: 5, 7 or 9.
    pub size: usize,
    pub deck: usize,
    pub planned: usize,
    /// Cards with a diamond on the back.
    pub diamonds: usize,
    pub memory: Memory,
    pub hidden_diamond_excludes_standard: bool,
    /// Whether a turn is finished although no diamond shows any more.
    pub finish_turn: bool,
    /// Whether a player with a single, blocked card may pass instead of turning it.
    pub lone_may_pass: bool,
    /// Turns for each player before the game is stopped.
    pub turns_max: u32,
    /// All cards: as many as board, deck and planned tunnels need.
    pub cards: Vec<Card>,
    pub players: RangeInclusive<usize>,
}

impl DiamondCaveRules {
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Diagnostic> {
        read_rules(file, text, RulesFile::check)
    }

    pub fn cells(&self) -> usize {
        self.size * self.size
    }

    /// The points that a card in a tunnel is worth at the end of the game: for the diamond under
    /// it, for its torch, and for being a standard card. Rulebook, "End of the game".
    pub fn worth(&self, kind: Kind, diamond: bool) -> [i32; 3] {
        let standard =
            kind == Kind::Standard && !(diamond && self.hidden_diamond_excludes_standard);
        let torch = kind == Kind::Torch && !diamond;
        [(diamond, HIDDEN_POINTS), (torch, 2), (standard, 1)]
            .map(|(counts, points)| points * i32::from(counts))
    }

    /// An upper bound of scores.
    pub fn score_max(&self) -> usize {
        let of = |kind| self.cards.iter().filter(|card| card.kind == kind).count();
        GAINED_POINTS as usize * self.diamonds + 2 * of(Kind::Torch) + of(Kind::Standard)
    }
}

pub const GAINED_POINTS: i32 = 4;
/// Points for a diamond under a card of the own tunnel.
pub const HIDDEN_POINTS: i32 = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    game: Spanned<String>,
    title: String,
    size: Spanned<i64>,
    deck: Spanned<i64>,
    planned: Spanned<i64>,
    diamonds: Spanned<i64>,
    memory: Memory,
    hidden_diamond_excludes_standard: bool,
    finish_turn: bool,
    lone_may_pass: bool,
    turns_max: Spanned<i64>,
    cards: Spanned<CardsTable>,
    pairs: Spanned<PairsTable>,
    players: PlayersTable,
    minutes: Spanned<IndexMap<String, Spanned<i64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardsTable {
    torch: Spanned<Number>,
    standard: Spanned<Number>,
    dark: Spanned<Number>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a whole number, or \"rest\"")]
enum Number {
    Given(i64),
    Rest(Rest),
}

/// The remaining cards: fills up to the required number when the number of another kind changes.
#[derive(Deserialize)]
enum Rest {
    #[serde(rename = "rest")]
    Rest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PairsTable {
    north_south: Spanned<i64>,
    east_west: Spanned<i64>,
    north_east: Spanned<i64>,
    east_south: Spanned<i64>,
    south_west: Spanned<i64>,
    north_west: Spanned<i64>,
}

impl RulesFile {
    fn check(self) -> Result<DiamondCaveRules, Fault> {
        check_game(&self.game, "diamond_cave")?;
        check_minutes(KEYS, &self.minutes)?;
        let size = within("size", &self.size, range_of(KEYS, "size"))? as usize;
        if size.is_multiple_of(2) {
            let message = format!("size is {size}");
            let label = "should be odd: 5, 7 or 9";
            return Err(Fault::new(self.size.span(), message, label));
        }
        let cells = size * size;
        let deck = within("deck", &self.deck, range_of(KEYS, "deck"))? as usize;
        let planned = within("planned", &self.planned, range_of(KEYS, "planned"))? as usize;
        let most = (cells - PLAYERS_MAX) as i64;
        let diamonds = within("diamonds", &self.diamonds, 1..=most)? as usize;
        let turns_max = within("turns_max", &self.turns_max, range_of(KEYS, "turns_max"))? as u32;
        let needed = cells + deck + planned;
        let cards = self.cards(needed)?;
        let players = self.players.check(PLAYERS_MIN..=PLAYERS_MAX)?;
        Ok(DiamondCaveRules {
            title: self.title,
            size,
            deck,
            planned,
            diamonds,
            memory: self.memory,
            hidden_diamond_excludes_standard: self.hidden_diamond_excludes_standard,
            finish_turn: self.finish_turn,
            lone_may_pass: self.lone_may_pass,
            turns_max,
            cards,
            players,
        })
    }

    /// The cards; there must be exactly `needed`.
    fn cards(&self, needed: usize) -> Result<Vec<Card>, Fault> {
        let table = self.cards.get_ref();
        let kinds = [
            (Kind::Torch, "cards.torch", &table.torch),
            (Kind::Standard, "cards.standard", &table.standard),
            (Kind::Dark, "cards.dark", &table.dark),
        ];
        let round = self.round()?;
        let (mut given, mut rest) = ([0; 3], None);
        for (place, (_, name, number)) in kinds.iter().enumerate() {
            match (number.get_ref(), rest) {
                (Number::Given(copies), _) => {
                    let copies = Spanned::new(number.span(), *copies);
                    given[place] = within(name, &copies, range_of(KEYS, "cards"))? as usize;
                }
                (Number::Rest(Rest::Rest), None) => rest = Some(place),
                (Number::Rest(Rest::Rest), Some(_)) => {
                    let message = format!("{name} is \"rest\", too");
                    let label = "one kind can be the rest";
                    return Err(Fault::new(number.span(), message, label));
                }
            }
        }
        if let Some(rest) = rest {
            given[rest] = needed.saturating_sub(given.iter().sum());
        }
        let mut cards = Vec::new();
        let mut edges = round.into_iter().cycle();
        for ((kind, ..), copies) in kinds.into_iter().zip(given) {
            let edges = edges.by_ref().take(copies);
            cards.extend(edges.map(|edges| Card { kind, edges }));
        }
        if cards.len() != needed {
            let [size, deck, planned] =
                [&self.size, &self.deck, &self.planned].map(Spanned::get_ref);
            let message = format!("{} cards in all, {needed} are needed", cards.len());
            let label = format!(
                "should add up to {needed}: size × size + deck + planned = {size} × {size} + {deck} + \
                 {planned}"
            );
            let fault = Fault::new(self.cards.span(), message, label);
            let help = "standard = \"rest\" takes as many as are missing".to_owned();
            return Err(fault.with_help(help));
        }
        Ok(cards)
    }

    /// The pairs of edges of one round of dealing.
    fn round(&self) -> Result<Vec<u8>, Fault> {
        let table = self.pairs.get_ref();
        let mut round = Vec::new();
        for (edges, name, times) in [
            (0b0101, "pairs.north-south", &table.north_south),
            (0b1010, "pairs.east-west", &table.east_west),
            (0b0011, "pairs.north-east", &table.north_east),
            (0b0110, "pairs.east-south", &table.east_south),
            (0b1100, "pairs.south-west", &table.south_west),
            (0b1001, "pairs.north-west", &table.north_west),
        ] {
            let times = within(name, times, range_of(KEYS, "pairs"))?;
            round.extend(repeat_n(edges, times as usize));
        }
        if round.is_empty() {
            let message = "no pair of edges is ever joined";
            let label = "at least one should not be 0";
            return Err(Fault::new(self.pairs.span(), message, label));
        }
        Ok(round)
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_cave/rules.rs"]
mod tests;
