//! Writes the story of one game of Diamond Miner in words, from the referee's events.

use super::board::{OTHERS, cells, copied, stacked};
use super::cards::{CLASSES, Card, Counts, DIAMOND, NAMES, ORE, WORTH_UNITS};
use super::recipes::Effect;
use super::referee::{Ending, Event, Move, Position, Stack, staying};
use super::rules::{Arms, MinerRules, Reshuffle, Rule};
use crate::diagnostic::counted;
use crate::figure::board::{Area, Board, Cell};
use crate::game::story;
use std::iter::repeat_n;

/// Who plays, and what the story shows.
pub fn head(names: &[String]) -> String {
    let mut story = String::new();
    for (place, name) in names.iter().enumerate() {
        let begins = if place == 0 { " begins" } else { "" };
        story += &format!("  {name}{begins}\n");
    }
    story + "\nCards in [brackets] form a stack, top card first; all other cards are loose.\n"
}

/// The rules in short, complete, with the numbers of all cards and what each does when it lies on
/// top.
pub fn reference(rules: &MinerRules) -> String {
    let fronts = (0..rules.fronts.len()).map(|front| Card(front as u8));
    let others = (ORE + 1..CLASSES).map(Card::of);
    let mut text = format!(
        include_str!("reference.txt"),
        diamonds = counted(rules.goal as usize, "diamond"),
        take = rules.take,
        ore = rules.copies()[ORE],
        bank = listed(&rules.bank).replace(" +", ","),
        reshuffle = match rules.reshuffle {
            Reshuffle::AtDraw => "when a card is due and the deck is empty",
            Reshuffle::AtOnce => "as soon as the deck is empty",
        },
        arms = match rules.arms {
            Arms::Stay =>
                "the cards under a top card that moves are discarded, except shields and swords, \
                 which stay with you as loose cards",
            Arms::Travel =>
                "the cards under a top card that moves are discarded, except shields and swords, \
                 which move with it",
        },
        under = if rules.top_arms_count { "in" } else { "under" },
    );
    for card in fronts.chain(others) {
        let mut name = rules.card_name(card);
        if let Some((_, copies)) = rules.fronts.get(usize::from(card.0)) {
            name += &format!(" ({copies} cards)");
        }
        for (effect, sign, when) in [
            (Effect::Produce, " produces", " each turn"),
            (Effect::Transform, " becomes", ""),
        ] {
            for rule in rules.of(card, effect) {
                let (with, gives) = (below(rule), listed(&rule.gives));
                text += &format!("  {name} with {with}{sign} {gives}{when}\n");
            }
        }
    }
    text
}

/// The words of the rule for people, with the worth of each card.
pub fn terms(rules: &MinerRules) -> String {
    let worths = (0..CLASSES).map(|class| {
        let worth = rules.worth[class] as f32 / WORTH_UNITS as f32;
        format!("{} {worth}", NAMES[class])
    });
    let worths = Vec::from_iter(worths).join(", ");
    format!(
        include_str!("terms.txt"),
        worths = worths,
        take = rules.take
    )
}

/// What a recipe needs below the card on top.
pub fn below(rule: &Rule) -> String {
    let mut need = rule.need;
    need[rule.top.class()] -= 1;
    listed(&need)
}

/// Cards by class: `2 ore + shovel`.
pub fn listed(cards: &Counts) -> String {
    let held = (0..CLASSES).filter(|&class| cards[class] > 0);
    let words = held.map(|class| match cards[class] {
        1 => NAMES[class].to_string(),
        copies => copies_of(class, usize::from(copies)),
    });
    words.collect::<Vec<_>>().join(" + ")
}

/// A number of cards of a class: `1 ore`, `2 carts`.
pub fn copies_of(class: usize, copies: usize) -> String {
    match class {
        ORE => format!("{copies} ore"),
        _ => counted(copies, NAMES[class]),
    }
}

pub fn end(ending: &Ending, names: &[String]) -> String {
    let best = ending.diamonds.iter().max().copied().unwrap_or(0);
    let winners = names.iter().zip(&ending.wins).filter(|(_, won)| **won > 0);
    let winners: Vec<&str> = winners.map(|(name, _)| name.as_str()).collect();
    let capped = if ending.capped {
        format!("The game is stopped after {} rounds. ", ending.rounds)
    } else {
        String::new()
    };
    let verb = story::win(winners.len());
    let (winners, diamonds) = (story::list(&winners), counted(best as usize, "diamond"));
    format!("\n{capped}{winners} {verb} with {diamonds}.\n")
}

pub struct Narrator<'a> {
    rules: &'a MinerRules,
    names: &'a [String],
    seat: usize,
    round: u32,
    reshuffles: u32,
}

impl<'a> Narrator<'a> {
    /// A narrator for bots with these names, by place.
    pub fn new(rules: &'a MinerRules, names: &'a [String]) -> Self {
        Narrator {
            rules,
            names,
            seat: 0,
            round: 0,
            reshuffles: 0,
        }
    }

    /// A choice of the player on turn: 0 ends the turn, and the moves follow.
    pub fn choice(&self, moves: &[Move], number: usize) -> String {
        let Some(chosen) = number.checked_sub(1).map(|number| &moves[number]) else {
            return "end the turn".to_string();
        };
        let gives = chosen.gives.as_ref();
        let gives = gives.map(|rule| format!(", for {}", listed(&rule.gives)));
        let (moved, lost) = (self.moved(chosen), self.lost(chosen));
        moved.trim_start().to_string() + &gives.unwrap_or_default() + &lost
    }

    /// What is discarded by a move.
    fn lost(&self, chosen: &Move) -> String {
        match chosen.source.discarded().as_slice() {
            [] => String::new(),
            cards => format!(", discarding {}", self.cards(cards)),
        }
    }

    pub fn describe(&mut self, event: &Event, table: &Position) -> String {
        let mut text = self.event(event, table);
        if table.reshuffles > self.reshuffles {
            self.reshuffles = table.reshuffles;
            text += "    the ore discard pile is shuffled and becomes the deck\n";
        }
        text
    }

    fn event(&mut self, event: &Event, table: &Position) -> String {
        match event {
            Event::Turn { round, seat } => {
                self.seat = *seat;
                let mut text = String::new();
                if *round > self.round {
                    text += &format!("\nRound {round}\n");
                }
                self.round = *round;
                text + &format!("  {}\n", self.names[*seat])
            }
            Event::Took {
                cards,
                producers,
                skipped,
            } => {
                let from: Vec<String> = producers.iter().map(|stack| self.stack(stack)).collect();
                let from = match from.as_slice() {
                    [] => String::new(),
                    from => format!(", thanks to {}", from.join(" ")),
                };
                format!("    takes {}{from}{}\n", self.cards(cards), missed(skipped))
            }
            Event::Moved {
                chosen,
                pairs,
                stack,
                taken,
                skipped,
            } => {
                let mut text = self.moved(chosen) + &self.lost(chosen);
                let left = staying(self.rules, &chosen.source);
                if !left.is_empty() {
                    text += &format!(", leaving {}", self.cards(&left));
                }
                match pairs {
                    0 => {}
                    1 => text += ", shield and sword cancel out",
                    _ => text += &format!(", {pairs} pairs of shield and sword cancel out"),
                }
                text += &match (stack, &chosen.gives) {
                    (Some(stack), _) => format!(": {}", self.stack(stack)),
                    (None, Some(_)) => {
                        format!(": makes {}{}", self.cards(taken), missed(skipped))
                    }
                    (None, None) => ": nothing is left".to_string(),
                };
                if taken.iter().any(|card| card.class() == DIAMOND) {
                    let diamonds = table.diamonds(self.seat);
                    text += &format!(" – diamond number {diamonds}!");
                }
                text + "\n"
            }
            Event::Ended { cut } => {
                let cap = " (stopped by the cap on moves)";
                let seat = self.seat;
                let has = table_of(&cells(self.rules, &self.names[seat], &table.tables[seat]));
                format!("    has {has}{}\n", if *cut { cap } else { "" })
            }
        }
    }

    fn moved(&self, chosen: &Move) -> String {
        let mut source = self.rules.card_name(chosen.source.top);
        if !chosen.source.under.is_empty() {
            source += &format!(" off {}", self.stack(&chosen.source));
        }
        let stack = self.stack(&chosen.target);
        let owner = match (chosen.owner == self.seat, chosen.gives.is_some()) {
            (true, _) => String::new(),
            (false, true) => format!(", STEALING from {}", self.names[chosen.owner]),
            (false, false) => format!(" of {}", self.names[chosen.owner]),
        };
        format!("    {source} under {stack}{owner}")
    }

    fn stack(&self, stack: &Stack) -> String {
        stacked(self.rules, stack)
    }

    /// Cards by name with their numbers: `2 ore a, shovel, 3 carts`.
    fn cards(&self, cards: &[Card]) -> String {
        let mut sorted = cards.to_vec();
        sorted.sort_unstable();
        let same = sorted.chunk_by(|a, b| a == b);
        let parts = same.map(|same| copied(self.rules, same[0], same.len()));
        or_nothing(parts.collect())
    }
}

/// A miner's table.
fn table_of(cells: &[Cell]) -> String {
    let parts = cells.iter().flat_map(|cell| {
        let is_loose = cell.pieces.len() == 1;
        let times = if is_loose { 1 } else { cell.copies };
        repeat_n(cell.words.clone(), times)
    });
    or_nothing(parts.collect())
}

/// How the table looks: what everybody has, and what is left to take.
pub fn stands(board: &Board) -> String {
    let mut text = String::new();
    let (players, others) = board.areas.split_at(board.areas.len() - OTHERS);
    for area in players {
        text += &format!("  {}:  {}\n", area.title, table_of(&area.cells));
    }
    let words = |area: &Area| {
        let words = area.cells.iter().map(|cell| cell.words.as_str());
        words.collect::<Vec<_>>().join(", ")
    };
    text + &format!(
        "  bank:  {}; ore: {}\n",
        words(&others[0]),
        words(&others[1])
    )
}

/// Parts with commas between them.
fn or_nothing(parts: Vec<String>) -> String {
    if parts.is_empty() {
        return "nothing".to_string();
    }
    parts.join(", ")
}

/// What was due but had run out.
fn missed(skipped: &[usize; CLASSES]) -> String {
    let lacking = (0..CLASSES).filter(|&class| skipped[class] > 0);
    let copies = |class| copies_of(class, skipped[class]);
    let lacking: Vec<String> = lacking.map(copies).collect();
    let lacking: Vec<&str> = lacking.iter().map(String::as_str).collect();
    match (lacking.len(), skipped.iter().sum()) {
        (0, _) => String::new(),
        (_, 1) => format!(" ({} more was due, but none is left)", lacking[0]),
        _ => {
            let lacking = story::list(&lacking);
            format!(" ({lacking} more were due, but none are left)")
        }
    }
}
