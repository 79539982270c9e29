//! Tells one game of Diamant in words, from the referee's events.

use super::features::VOCABULARY;
use super::referee::{self, Event};
use super::rules::DiamantRules;
use crate::formula::Formula;
use crate::game::story::{self, Telling};
use crate::streams;
use std::cell::RefCell;
use std::fmt::Write;

/// The story of game `game` of `seed`; `names` are the bots, by seat.
pub fn tell(
    rules: &DiamantRules,
    formulas: &[Formula],
    names: &[String],
    (seed, game, telling): (u64, u64, Telling),
) -> String {
    let mut story = String::new();
    let teller = Teller { rules, names };
    line(
        &mut story,
        &format!("{}, game {game} of seed {seed}", rules.title),
    );
    for name in names {
        line(&mut story, &format!("  {name}"));
    }
    let key = streams::game_key(seed, game);
    let mut cards = 0;
    let told = RefCell::new(story);
    let result = referee::play(
        rules,
        formulas,
        key,
        &mut |event| teller.tell(&event, &mut cards, &mut told.borrow_mut()),
        &mut |seat, why| {
            if telling.why {
                let why = why().told(&VOCABULARY);
                line(
                    &mut told.borrow_mut(),
                    &format!("      ? {}: {why}", names[seat]),
                );
            }
        },
    );
    let mut story = told.into_inner();

    line(&mut story, "");
    let winners: Vec<&str> = result
        .winners
        .iter()
        .map(|&seat| names[seat].as_str())
        .collect();
    let best = result
        .winners
        .iter()
        .map(|&seat| result.explorers[seat].chest())
        .max()
        .unwrap_or(0);
    let verb = story::win(winners.len());
    line(
        &mut story,
        &format!("{} {verb} with {}.", story::list(&winners), rubies(best)),
    );
    story
}

struct Teller<'a> {
    rules: &'a DiamantRules,
    names: &'a [String],
}

impl Teller<'_> {
    fn tell(&self, event: &Event, cards: &mut u32, story: &mut String) {
        let numbered = |cards: &mut u32, text: String| {
            *cards += 1;
            format!("  {cards:>2}  {text}")
        };
        let text = match event {
            Event::Expedition {
                round,
                cards: deck,
                joined,
            } => {
                *cards = 0;
                let relic = match joined {
                    Some(relic) => format!(", relic {} shuffled in", relic + 1),
                    None => String::new(),
                };
                format!("\nExpedition {round} ({deck} cards{relic})")
            }
            Event::Treasure {
                value,
                sharers,
                share,
                leftover,
            } => {
                let shared = match sharers {
                    1 => format!("all for one, {leftover} on the path"),
                    _ => format!("{share} for each of {sharers}, {leftover} on the path"),
                };
                numbered(cards, format!("treasure {value:<3} {shared}"))
            }
            Event::Trap { kind } => {
                numbered(cards, format!("{}: a first warning", self.trap(*kind)))
            }
            Event::Relic { relic } => {
                numbered(cards, format!("relic {} lies on the path", relic + 1))
            }
            Event::Bust {
                kind,
                lost,
                removed,
            } => {
                let lost: Vec<String> = lost
                    .iter()
                    .map(|(seat, held)| format!("{} loses {held}", self.names[*seat]))
                    .collect();
                let removed = if *removed {
                    ", one of them leaves the game"
                } else {
                    ""
                };
                let text = format!(
                    "{} again! the expedition is over{removed}\n      {}",
                    self.trap(*kind),
                    lost.join(", ")
                );
                numbered(cards, text)
            }
            Event::DeckEmpty => "      no card is left: everyone leaves".to_string(),
            Event::Left {
                leavers,
                share,
                leftover,
                relics,
                worth,
            } => {
                let home: Vec<String> = leavers
                    .iter()
                    .map(|(seat, held)| {
                        format!("{} leaves with {}", self.names[*seat], held + share + worth)
                    })
                    .collect();
                let mut parts = format!("{share} each from the path");
                if leavers.len() == 1 {
                    parts = format!("{share} from the path");
                }
                if *relics > 0 {
                    parts += &format!(", {relics} relic{} worth {worth}", plural(*relics));
                }
                format!(
                    "      ← {} ({parts}, which keeps {leftover})",
                    home.join(", ")
                )
            }
            Event::ExpeditionEnded {
                left_behind,
                relics,
                chests,
                ..
            } => {
                let chests: Vec<String> = chests
                    .iter()
                    .enumerate()
                    .map(|(seat, chest)| format!("{} {chest}", self.names[seat]))
                    .collect();
                let mut left = format!("left behind: {}", rubies(*left_behind));
                if *relics > 0 {
                    left += &format!(" and {relics} relic{}", plural(*relics));
                }
                format!("  = {}\n    {left}", chests.join(" | "))
            }
        };
        line(story, &text);
    }

    fn trap(&self, kind: u8) -> &str {
        &self.rules.traps[usize::from(kind)]
    }
}

fn rubies(number: i32) -> String {
    match number {
        1 => "1 ruby".to_string(),
        _ => format!("{number} rubies"),
    }
}

fn plural(number: u32) -> &'static str {
    if number == 1 { "" } else { "s" }
}

fn line(story: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(story, "{text}");
}
