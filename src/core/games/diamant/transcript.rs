//! The events of a game of Diamant, in words.

use super::referee::Event;
use super::rules::{Card, DiamantRules, Leavers, Leftovers, Worth};
use crate::diagnostic::counted;

pub struct Narrator<'a> {
    pub rules: &'a DiamantRules,
    pub names: &'a [String],
    /// The only reader of the story, if it is for one seat: it is shown what that seat sees.
    pub seat: Option<usize>,
    /// Cards described in this expedition.
    pub cards: u32,
}

impl<'a> Narrator<'a> {
    /// A line on a card, with its number in the expedition.
    fn numbered(&mut self, text: &str) -> String {
        self.cards += 1;
        format!("  {:>2}  {text}", self.cards)
    }

    pub fn describe(&mut self, event: &Event) -> String {
        match event {
            Event::Expedition {
                round,
                cards: deck,
                joined,
            } => {
                self.cards = 0;
                let joined = self.joined(joined);
                format!("\nExpedition {round} ({deck} cards{joined})")
            }
            Event::Treasure {
                value,
                sharers,
                share,
                leftover,
            } => {
                let shared = match sharers {
                    1 => format!("all for one player, {leftover} left on the path"),
                    _ => format!("{share} for each of {sharers}, {leftover} left on the path"),
                };
                self.numbered(&format!("treasure {value:<3} {shared}"))
            }
            Event::Trap { kind, number } => {
                let number = NUMBERS[number - 1];
                let trap = self.trap(*kind);
                self.numbered(&format!("{trap}: the {number} of its kind"))
            }
            Event::Relic { relic } => {
                let relic = self.rules.relic_name(*relic);
                self.numbered(&format!("{relic}: stays on the path"))
            }
            Event::Bust {
                kind,
                number,
                lost,
                removed,
            } => {
                let lost =
                    (lost.iter()).map(|(seat, held)| format!("{} loses {held}", self.names[*seat]));
                let lost = lost.collect::<Vec<_>>().join(", ");
                let trap = self.trap(*kind);
                let removed = match removed {
                    true => format!("; this {trap} card leaves the game"),
                    false => String::new(),
                };
                let again = if *number == 1 { "" } else { " again" };
                self.numbered(&format!(
                    "{trap}{again}! the expedition is over{removed}\n      {lost}"
                ))
            }
            Event::DeckEmpty => "      no cards are left, so all players leave".to_string(),
            Event::Left {
                leavers,
                share,
                leftover,
                relics,
                worth,
                bonus,
            } => {
                let home = leavers.iter().map(|(seat, held)| {
                    format!(
                        "{} leaves with {}",
                        self.names[*seat],
                        held + share + worth + bonus
                    )
                });
                let home = home.collect::<Vec<_>>().join(", ");
                let each = if leavers.len() == 1 { "" } else { " each" };
                let mut parts = format!("{share}{each} from the path");
                if *relics > 0 {
                    let relics = counted(*relics as usize, "relic");
                    parts += &format!(", {relics} worth {worth}");
                }
                if *bonus > 0 {
                    parts += &format!(", {bonus}{each} from the bank");
                }
                format!("      ← {home} ({parts}; the path keeps {leftover})")
            }
            Event::ExpeditionEnded {
                left_behind,
                relics,
                chests,
            } => {
                let chests: Vec<String> = (self.names.iter().zip(chests).enumerate())
                    .filter(|(seat, _)| self.rules.shows_chest(self.seat, *seat))
                    .map(|(_, (name, chest))| format!("{name} {chest}"))
                    .collect();
                let mut left = format!("left behind: {}", rubies(*left_behind));
                if *relics > 0 {
                    left += &format!(" and {}", counted(*relics as usize, "relic"));
                }
                format!("  = {}\n    {left}", chests.join(" | "))
            }
        }
    }

    /// The cards that join before an expedition: kinds of trap once each.
    fn joined(&self, cards: &[Card]) -> String {
        let mut joined: Vec<String> = (cards.iter())
            .map(|card| match card {
                Card::Relic(_) => "a relic".to_string(),
                Card::Trap(kind) => self.trap(*kind).to_string(),
                Card::Treasure(value) => value.to_string(),
            })
            .collect();
        joined.dedup();
        match joined[..] {
            [] => String::new(),
            _ => format!(", {} shuffled in", joined.join(", ")),
        }
    }

    fn trap(&self, kind: u8) -> &'a str {
        &self.rules.traps[usize::from(kind)]
    }
}

/// Ordinals for the traps of a kind on the path.
const NUMBERS: [&str; 4] = ["first", "second", "third", "fourth"];

pub fn reference(rules: &DiamantRules) -> String {
    let mut treasures = Vec::new();
    let mut traps = vec![0; rules.traps.len()];
    for card in &rules.cards {
        match card {
            Card::Treasure(rubies) => treasures.push(rubies.to_string()),
            Card::Trap(kind) => traps[usize::from(*kind)] += 1,
            Card::Relic(_) => {}
        }
    }
    let traps = rules.traps.iter().zip(traps).zip(&rules.traps_from);
    let traps: Vec<String> = traps
        .map(|((name, cards), from)| match from {
            0 => format!("{cards} {name}"),
            _ => format!("{cards} {name} from expedition {}", from + 1),
        })
        .collect();
    let values: Vec<String> = rules.relics.iter().map(u8::to_string).collect();
    let (values, taker) = (values.join(", "), rules.taker());
    let relics = match rules.worth {
        _ if values.is_empty() => "none".to_string(),
        Worth::ExitOrder => {
            format!("worth {values} as they leave the path, taken or not, only for {taker}")
        }
        Worth::ClaimOrder | Worth::Printed => {
            format!("worth {values}, only for {taker}")
        }
    };
    let mut house = String::new();
    if rules.decides_at_entrance() {
        house += "  all players decide at the entrance, before the first card\n";
    }
    if rules.leavers == Leavers::AfterReveal {
        house += "  players who leave take their share of the path after the next card is \
                  revealed\n";
    }
    if rules.leftovers == Leftovers::PerCard {
        house += "  players who leave together divide the rubies on the path card by card\n";
    }
    if rules.pays_bonus() {
        let rubies = rules.leave_bonus_text.trim();
        house += &format!("  each player who leaves gets rubies from the bank: {rubies}\n");
    }
    if rules.traps_end_from > 1 {
        let card = rules.traps_end_from;
        house += &format!(
            "  no trap ends an expedition before card {card}: one that would is set aside, and \
             another card is revealed\n"
        );
    }
    format!(
        include_str!("reference.txt"),
        rounds = rules.rounds,
        last_trap = NUMBERS[usize::from(rules.traps_to_end) - 1],
        treasures = treasures.join(", "),
        traps = traps.join(", "),
        relics = relics,
    ) + &house
}

pub fn rubies(number: i32) -> String {
    match number {
        1 => "1 ruby".to_string(),
        _ => format!("{number} rubies"),
    }
}
