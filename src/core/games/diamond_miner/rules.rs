//! Rules of Diamond Miner as data: the shipped edition, and reading and checking a rules file.
//!
//! What a recipe's text means is known to `recipes`; how the game is played, to the referee.

use super::cards::{CARDS_MAX, CLASSES, Card, Counts, DIAMOND, FRONTS_MAX, NAMES, ORE};
use super::feasible::{feasible, worths};
use super::keys::KEYS;
use super::recipes::{self, Effect, Printed};
use crate::diagnostic::{Diagnostic, Fault, within};
use crate::game::{
    Edition, PlayersTable, check_game, check_minutes, editions, range_of, read_rules, words,
};
use indexmap::IndexMap;
use serde::Deserialize;
use std::ops::RangeInclusive;
use toml::Spanned;

pub const SEATS_MAX: usize = 6;
/// Fewest and most miners.
pub const PLAYERS: RangeInclusive<usize> = 2..=SEATS_MAX;
pub const ROUNDS_MAX: i64 = 1000;

/// The rules files that carat ships, the default first.
pub const EDITIONS: &[Edition] = editions!["standard"];

/// What becomes of shields and swords under a top card that moves away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arms {
    Travel,
    /// They stay on the miner's table as loose cards.
    Stay,
}

words! {
    /// When the ore discard pile becomes the deck.
    Reshuffle: AtDraw "at-draw", AtOnce "at-once";
}

/// A rule printed on a card, for when it lies on top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub top: Card,
    pub effect: Effect,
    /// Cards that the stack must hold, the top card included.
    pub need: Counts,
    pub gives: Counts,
}

/// How a rule is written in the rules file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    /// Its number among the rules of its card, from 1, in the order of the file.
    pub number: usize,
}

/// The ore fronts: name and copies, the latter possibly 0.
pub type Fronts = Vec<(String, u8)>;

#[derive(Debug, Clone)]
pub struct MinerRules {
    pub title: String,
    pub goal: u32,
    /// Ore cards taken each turn.
    pub take: u32,
    /// Rounds after which the game is ended.
    pub rounds: u32,
    pub moves: u32,
    pub arms: Arms,
    /// Whether a shield or sword on top counts as one in the stack.
    pub top_arms_count: bool,
    pub reshuffle: Reshuffle,
    /// The numbers of miners that the file calls usual.
    pub players: RangeInclusive<usize>,
    /// Copies in the bank by class; no ore.
    pub bank: Counts,
    pub fronts: Fronts,
    /// By the card on top, its transformations before its productions; each alternative is one of
    /// its own.
    pub recipes: Vec<Rule>,
    /// The same as the rules file has them.
    pub written: Vec<Written>,
    /// What a card of each class is worth: the ore that its cheapest recipe uses up, in parts of
    /// 1/[`WORTH_UNITS`](super::cards::WORTH_UNITS).
    pub worth: [i32; CLASSES],
}

impl MinerRules {
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Diagnostic> {
        read_rules(file, text, |raw: RulesFile| raw.check(text))
    }

    /// The recipes of a card that lies on top. Transformations of equal needs are alternatives to
    /// choose from.
    pub fn of(&self, top: Card, effect: Effect) -> &[Rule] {
        let order = |rule: &Rule| (rule.top, rule.effect).cmp(&(top, effect));
        let first = self.recipes.partition_point(|rule| order(rule).is_lt());
        let end = self.recipes.partition_point(|rule| order(rule).is_le());
        &self.recipes[first..end]
    }

    pub fn copies(&self) -> Counts {
        let mut copies = self.bank;
        copies[ORE] = self.fronts.iter().map(|(_, cards)| cards).sum();
        copies
    }

    /// The most diamonds that anybody can end with.
    pub fn score_max(&self) -> usize {
        let most = |wanted: Effect| {
            let rules = self.recipes.iter().filter(|rule| rule.effect == wanted);
            let gives = rules.map(|rule| u32::from(rule.gives[DIAMOND]));
            gives.max().unwrap_or(0)
        };
        let copies = u32::from(self.bank[DIAMOND]);
        let score = match most(Effect::Produce) {
            0 => copies.min(self.goal - 1 + most(Effect::Transform)),
            _ => copies,
        };
        score as usize
    }

    pub fn diamond_needs(&self) -> impl Iterator<Item = &Counts> {
        let rules = self.recipes.iter().filter(|rule| rule.gives[DIAMOND] > 0);
        rules.map(|rule| &rule.need)
    }

    /// The name of a card, such as `ore a`.
    pub fn card_name(&self, card: Card) -> String {
        match card.class() {
            ORE => format!("ore {}", self.fronts[usize::from(card.0)].0),
            class => NAMES[class].to_string(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    game: Spanned<String>,
    title: String,
    goal: Spanned<i64>,
    take: Spanned<i64>,
    rounds: Spanned<i64>,
    moves: Spanned<i64>,
    arms: Arms,
    top_arms_count: bool,
    reshuffle: Reshuffle,
    players: PlayersTable,
    minutes: Spanned<IndexMap<String, Spanned<i64>>>,
    cards: CardsTable,
    ore: Spanned<IndexMap<String, OreTable>>,
    recipes: RecipesTable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardsTable {
    shovel: Spanned<i64>,
    cart: Spanned<i64>,
    anvil: Spanned<i64>,
    shield: Spanned<i64>,
    sword: Spanned<i64>,
    diamond: Spanned<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OreTable {
    cards: Spanned<i64>,
    recipes: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipesTable {
    shovel: Vec<Spanned<String>>,
    cart: Vec<Spanned<String>>,
    anvil: Vec<Spanned<String>>,
    shield: Vec<Spanned<String>>,
    sword: Vec<Spanned<String>>,
}

impl RulesFile {
    fn check(self, text: &str) -> Result<MinerRules, Fault> {
        check_game(&self.game, "diamond_miner")?;
        check_minutes(KEYS, &self.minutes)?;
        let bank = self.cards.bank()?;
        let (fronts, mut printed) = self.fronts(text)?;
        for (class, table) in (1..).zip(self.recipes.by_class()) {
            printed.extend(read_recipes(text, Card::of(class), table)?);
        }
        self.check_number_of_cards(&bank, &fronts)?;
        let mut rules = MinerRules {
            players: self.players.check(PLAYERS)?,
            rounds: within("rounds", &self.rounds, range_of(KEYS, "rounds"))? as u32,
            moves: within("moves", &self.moves, range_of(KEYS, "moves"))? as u32,
            take: within("take", &self.take, range_of(KEYS, "take"))? as u32,
            title: self.title,
            goal: 0,
            arms: self.arms,
            top_arms_count: self.top_arms_count,
            reshuffle: self.reshuffle,
            bank,
            fronts,
            recipes: Vec::new(),
            written: Vec::new(),
            worth: [0; CLASSES],
        };
        let made = feasible(&rules.copies(), &printed)?;
        for (class, value) in (1..).zip(self.cards.by_class()) {
            if bank[class] > 0 && !made[class] {
                let name = NAMES[class];
                let message = format!("{} {name} cards, but no recipe gives a {name}", bank[class]);
                return Err(Fault::new(value.span(), message, "can never be taken"));
            }
        }
        rules.goal = within("goal", &self.goal, 1..=i64::from(bank[DIAMOND]).max(1))? as u32;
        if bank[DIAMOND] == 0 {
            let message = "no diamonds: no player could win";
            let span = self.cards.diamond.span();
            return Err(Fault::new(span, message, "should be at least 1"));
        }
        rules.worth = worths(&printed);
        let mut recipes: Vec<(Rule, Written)> = Vec::new();
        for one in &printed {
            let Printed { top, recipe, .. } = one;
            for (gives, text) in recipe.gives.iter().zip(one.alternatives()) {
                let rule = Rule {
                    top: *top,
                    effect: recipe.effect,
                    need: recipe.need,
                    gives: *gives,
                };
                let of_card = recipes.iter().filter(|(rule, _)| rule.top == *top);
                let number = of_card.count() + 1;
                recipes.push((rule, Written { text, number }));
            }
        }
        recipes.sort_by_key(|(rule, _)| (rule.top, rule.effect));
        (rules.recipes, rules.written) = recipes.into_iter().unzip();
        Ok(rules)
    }

    /// The ore fronts by name and copies, and their recipes.
    fn fronts(&self, text: &str) -> Result<(Fronts, Vec<Printed>), Fault> {
        let tables = self.ore.get_ref();
        if tables.len() > FRONTS_MAX {
            let count = tables.len();
            let message = format!("{count} ore fronts: at most {FRONTS_MAX} are allowed");
            return Err(Fault::new(self.ore.span(), message, "too many fronts"));
        }
        let (mut fronts, mut printed) = (Vec::new(), Vec::new());
        for (front, (name, table)) in (0..).zip(tables) {
            let cards = copies(&format!("ore.{name}.cards"), &table.cards)?;
            fronts.push((name.clone(), cards));
            let read = read_recipes(text, Card(front), &table.recipes)?;
            // Recipes of a front without cards are kept in the file, but mean nothing.
            printed.extend(read.into_iter().filter(|_| cards > 0));
        }
        Ok((fronts, printed))
    }

    fn check_number_of_cards(&self, bank: &Counts, fronts: &[(String, u8)]) -> Result<(), Fault> {
        let ore: usize = fronts.iter().map(|(_, cards)| usize::from(*cards)).sum();
        let all = ore + bank.iter().map(|cards| usize::from(*cards)).sum::<usize>();
        if ore > 0 && all <= CARDS_MAX {
            return Ok(());
        }
        let message = format!(
            "{ore} ore cards and {all} cards in all: at least 1 and at most {CARDS_MAX} are allowed"
        );
        let label = if ore == 0 { "no ore" } else { "too many cards" };
        Err(Fault::new(self.ore.span(), message, label))
    }
}

impl CardsTable {
    fn by_class(&self) -> [&Spanned<i64>; CLASSES - 1] {
        [
            &self.shovel,
            &self.cart,
            &self.anvil,
            &self.shield,
            &self.sword,
            &self.diamond,
        ]
    }

    fn bank(&self) -> Result<Counts, Fault> {
        let mut bank = [0; CLASSES];
        for (class, value) in (1..).zip(self.by_class()) {
            bank[class] = copies(&format!("cards.{}", NAMES[class]), value)?;
        }
        Ok(bank)
    }
}

impl RecipesTable {
    fn by_class(&self) -> [&[Spanned<String>]; CLASSES - 2] {
        [
            &self.shovel,
            &self.cart,
            &self.anvil,
            &self.shield,
            &self.sword,
        ]
    }
}

fn copies(name: &str, value: &Spanned<i64>) -> Result<u8, Fault> {
    Ok(within(name, value, range_of(KEYS, "cards"))? as u8)
}

fn read_recipes(text: &str, top: Card, recipes: &[Spanned<String>]) -> Result<Vec<Printed>, Fault> {
    let read = |written: &Spanned<String>| {
        let span = written.span();
        let recipe = recipes::parse(written.get_ref()).map_err(|fault| {
            // Where the string is written out as it is, the fault is shown at its exact place.
            let start = span.start + 1;
            let plain = text[start..].starts_with(written.get_ref().as_str());
            let exact = start + fault.span.start..start + fault.span.end;
            let span = if plain { exact } else { span.clone() };
            Fault { span, ..fault }
        })?;
        if recipe.top != top.class() {
            let (card, first) = (NAMES[top.class()], NAMES[recipe.top]);
            let message = format!("a recipe of {card} that starts with {first}");
            return Err(Fault::new(span, message, "the top card comes first"));
        }
        Ok(Printed {
            top,
            recipe,
            span,
            text: written.get_ref().clone(),
        })
    };
    recipes.iter().map(read).collect()
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamond_miner/rules.rs"]
mod tests;
