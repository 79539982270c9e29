//! The cards of the rules, by the names used in records.

use super::token::{LEAVERS, NUMBERS, is};
use crate::diagnostic::{Fault, nearest};
use crate::game::notation::named_players;
use crate::games::diamant::rules::{Card, DiamantRules, Worth};
use std::collections::BTreeSet;
use std::ops::Range;

/// Words of the notation which, like those that say who leaves, cannot stand for a trap.
const RESERVED: &str = "relic relics artifact artifacts leave leaves left out home go goes and nothing expedition \
    round chest chests players gone trap traps";

/// The cards of a rules file by name.
pub struct Named<'a> {
    rules: &'a DiamantRules,
    traps: Vec<String>,
    /// The names of the players, if the text has them.
    people: Vec<String>,
    /// Where games draw the order of relics, the known relic of each place.
    pub relics: Vec<Option<u8>>,
}

impl<'a> Named<'a> {
    pub fn new(rules: &'a DiamantRules) -> Self {
        let traps = || rules.traps.iter();
        let is_clear = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && (name.chars()).all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
                && !is_taken(name)
                && traps()
                    .filter(|other| name.eq_ignore_ascii_case(other))
                    .count()
                    == 1
        };
        let named = traps().enumerate().map(|(kind, name)| match name {
            name if is_clear(name) => name.clone(),
            _ => format!("trap{}", kind + 1),
        });
        Named {
            rules,
            relics: if rules.shuffles_relics() {
                vec![None; rules.relics.len()]
            } else {
                Vec::new()
            },
            traps: named.collect(),
            people: Vec::new(),
        }
    }

    /// Takes the names on the `players` line; refuses those that have another meaning or belong to
    /// two people.
    pub fn read_people(&mut self, text: &str) -> Result<(), Fault> {
        let names = named_players(text);
        self.people = names.iter().map(|name| name.to_string()).collect();
        let is_wrong = |(index, name): &(usize, &&str)| {
            let mut traps = self.traps.iter();
            !name.starts_with(char::is_alphanumeric)
                || name.parse::<u32>().is_ok()
                || is_taken(name)
                || traps.any(|trap| name.eq_ignore_ascii_case(trap))
                || names[..*index].contains(name)
        };
        let Some((_, name)) = names.iter().enumerate().find(is_wrong) else {
            return Ok(());
        };
        let at = text.find(name).unwrap_or(0);
        let message = format!("`{}` cannot be used as a name here", name.escape_debug());
        let fault = Fault::new(at..at + name.len(), message, "a player");
        let help = "names must differ, begin with a letter, and not be keywords such as leaves";
        Err(fault.with_help(help.to_owned()))
    }

    pub fn name(&self, card: usize) -> String {
        match self.rules.cards[card] {
            Card::Treasure(value) => value.to_string(),
            Card::Trap(kind) => self.traps[usize::from(kind)].clone(),
            Card::Relic(place) => {
                let known = self.relics.get(usize::from(place)).copied().flatten();
                self.rules.relic_name(known.unwrap_or(place))
            }
        }
    }

    fn first(&self, deck: u64, wanted: impl Fn(Card) -> bool) -> Option<usize> {
        let here = deck & self.rules.set_of(wanted);
        (here != 0).then_some(here.trailing_zeros() as usize)
    }

    pub fn treasure(&self, deck: u64, value: u32, span: Range<usize>) -> Result<usize, Fault> {
        let wanted = |card| matches!(card, Card::Treasure(rubies) if u32::from(rubies) == value);
        if let Some(card) = self.first(deck, wanted) {
            return Ok(card);
        }
        let copies = self.rules.set_of(wanted).count_ones();
        let mut values: Vec<String> = (self.rules.cards.iter())
            .filter_map(|card| match card {
                Card::Treasure(value) => Some(value.to_string()),
                Card::Trap(_) | Card::Relic(_) => None,
            })
            .collect();
        values.dedup();
        let message = match copies {
            0 => format!("there is no treasure of {value}"),
            1 => format!("the treasure of {value} lies on the path already"),
            _ => {
                format!("the deck has only {copies} treasures of {value}, all already on the path")
            }
        };
        let label = if copies == 0 {
            "not in this game"
        } else {
            "seen before"
        };
        let values = values.join(", ");
        let help = format!("treasures: {values}; a seat has an @: @2 leaves");
        Err(Fault::new(span, message, label).with_help(help))
    }

    /// Refuses a number after `relic` that is no treasure of these rules, or may be the relic's
    /// value.
    pub fn check_after(&self, word: &str, value: u32, span: Range<usize>) -> Result<(), Fault> {
        let is_it = |card| matches!(card, Card::Treasure(rubies) if u32::from(rubies) == value);
        let mut relics = self.rules.relics.iter();
        let printed =
            self.rules.worth == Worth::Printed && relics.any(|relic| u32::from(*relic) == value);
        let is_relic = relic_of(&word.to_ascii_lowercase()) == Some(None);
        if !is_relic || self.rules.set_of(is_it) != 0 && !printed {
            return Ok(());
        }
        let alone = if printed {
            format!("relic-{value}")
        } else {
            word.to_string()
        };
        let message = format!("is this one relic, or a relic and a treasure of {value}?");
        let help = format!("{alone}: the relic alone; {word} / {value}: a relic, then a treasure");
        Err(Fault::new(span, message, "this has two possible meanings").with_help(help))
    }

    /// A trap or a relic of `deck`: its name, or enough of it.
    pub fn word(&mut self, deck: u64, word: &str, span: Range<usize>) -> Result<usize, Fault> {
        let lower = word.to_ascii_lowercase();
        if let Some(value) = relic_of(&lower) {
            return self.relic(deck, value, span);
        }
        let kind = self.trap(&lower, word, &span)?;
        let wanted = |card| card == Card::Trap(kind as u8);
        self.first(deck, wanted).ok_or_else(|| {
            let copies = self.rules.set_of(wanted).count_ones();
            let name = &self.rules.traps[kind];
            let message = match copies {
                0 => format!("there is no {name} in this game"),
                _ => {
                    let from = self.rules.traps_end_from;
                    let early = format!(", or would end the expedition before card {from}");
                    let early = if from > 1 { &early } else { "" };
                    format!("no {name} is left: all of the {copies} are on the path or gone{early}")
                }
            };
            Fault::new(span, message, "cannot come")
        })
    }

    fn trap(&self, lower: &str, word: &str, span: &Range<usize>) -> Result<usize, Fault> {
        if let Some(kind) = numbered(lower)
            && (1..=self.traps.len()).contains(&kind)
        {
            return Ok(kind - 1);
        }
        let names = self.traps.iter().map(|name| name.to_ascii_lowercase());
        let names: Vec<String> = names.collect();
        if let Some(kind) = names.iter().position(|name| name == lower) {
            return Ok(kind);
        }
        // A unique prefix, or a plural.
        let singular = lower.strip_suffix('s').unwrap_or(lower);
        let fits = |name: &String| name.starts_with(lower) || name == singular;
        let mut fitting = Vec::from_iter(0..names.len());
        fitting.retain(|&kind| fits(&names[kind]));
        let (message, label) = match fitting.as_slice() {
            [kind] => return Ok(*kind),
            [] if self.people.is_empty() => {
                (format!("`{word}` is not a card of this game"), "not known")
            }
            [] => {
                let message = format!("`{word}` is neither a card nor a player of this game");
                (message, "not known")
            }
            _ => {
                let fitting = fitting.iter().map(|&kind| self.traps[kind].as_str());
                let fitting: Vec<&str> = fitting.collect();
                let message = format!("`{word}` may be {}", fitting.join(" or "));
                (message, "write more of it")
            }
        };
        let others = ["relic", "leave", "chests", "gone", "nobody"];
        let known = self.traps.iter().chain(&self.people).map(String::as_str);
        let help = match nearest(word, known.chain(others)) {
            Some(near) if fitting.is_empty() => format!("did you mean `{near}`?"),
            _ => {
                let traps = self.traps.join(", ");
                let people = match self.people.join(", ") {
                    none if none.is_empty() => {
                        "name players on a first line `players Anna Ben`".into()
                    }
                    people => format!("players: {people}"),
                };
                format!("traps: {traps}; a number is a treasure, `relic` a relic; {people}")
            }
        };
        Err(Fault::new(span.clone(), message, label).with_help(help))
    }

    /// A relic, by its printed value if there is one.
    fn relic(&mut self, deck: u64, value: Option<u8>, span: Range<usize>) -> Result<usize, Fault> {
        let values = &self.rules.relics;
        if values.is_empty() {
            let message = "there are no relics in this game";
            return Err(Fault::new(span, message, "cannot come"));
        }
        let printed = value.filter(|_| self.rules.worth == Worth::Printed);
        // The possible cards, each with its relic.
        let mut here = Vec::new();
        let cards = (0u8..).zip(self.rules.relic_cards());
        for (place, card) in cards.filter(|(_, card)| deck >> card & 1 == 1) {
            let relics = match self.relics.get(usize::from(place)) {
                Some(Some(known)) => vec![*known],
                Some(None) => (0..values.len() as u8)
                    .filter(|relic| !self.relics.contains(&Some(*relic)))
                    .collect(),
                None => vec![place],
            };
            let relics = relics.into_iter();
            here.extend(relics.map(|relic| (card, relic, values[usize::from(relic)])));
        }
        here.retain(|(.., value)| printed.is_none_or(|printed| printed == *value));
        let different: BTreeSet<u8> = here.iter().map(|(.., value)| *value).collect();
        if self.rules.worth == Worth::Printed && printed.is_none() && different.len() > 1 {
            let names = different.iter().map(|value| format!("relic-{value}"));
            let names: Vec<String> = names.collect();
            let message = format!("which relic? It may be {}", names.join(" or "));
            return Err(Fault::new(span, message, "relics differ"));
        }
        let Some(&(card, relic, _)) = here.first() else {
            let message = match printed {
                Some(value) => format!("no relic of {value} is in the deck"),
                None => "no relic is in the deck now".to_string(),
            };
            return Err(Fault::new(span, message, "cannot come"));
        };
        let place = card - self.rules.relic_cards().start;
        if let Some(known) = self.relics.get_mut(place) {
            *known = Some(relic);
        }
        Ok(card)
    }
}

/// Whether a word has another meaning in records.
fn is_taken(word: &str) -> bool {
    is(word, RESERVED)
        || is(word, LEAVERS)
        || is(word, NUMBERS)
        || numbered(&word.to_ascii_lowercase()).is_some()
        || relic_of(&word.to_ascii_lowercase()).is_some()
}

/// `relic`, or `relic-7`: the relic on which that is printed.
fn relic_of(word: &str) -> Option<Option<u8>> {
    ["relics", "relic", "artifacts", "artifact"]
        .iter()
        .find_map(|relic| match word.strip_prefix(relic)? {
            "" => Some(None),
            value => Some(Some(value.trim_start_matches('-').parse().ok()?)),
        })
}

/// `trap3`: the third kind of trap.
fn numbered(word: &str) -> Option<usize> {
    word.strip_prefix("trap")?.parse().ok()
}
