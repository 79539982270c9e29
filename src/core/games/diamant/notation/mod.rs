//! The notation of Diamant: cards as they come, which players leave when, and optionally the state
//! before.
//!
//! ```text
//! 4: 5 7 snake 11 / @3 @5 leave / relic 3
//! ```
//!
//! Expedition 4: treasures of 5 and 7, a snake, 11; then seats 3 and 5 leave, and the others see a
//! relic and a treasure of 3. [`read`] lets the referee play the text, so violations of the rules
//! are reported at their place. [`write`] prints a game in the same notation.

mod before;
mod cards;
mod leaving;
#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamant/notation/tests.rs"]
mod tests;
mod token;
mod written;

use super::log::Log;
use super::referee::{Hands, Referee};
use super::rules::DiamantRules;
use super::snapshot::Snapshot;
use crate::diagnostic::{Fault, counted};
use before::{Setup, check_again};
use cards::Named;
use std::ops::Range;
use token::{Kind, LEAVE, LEAVERS, NUMBERS, Token, is, tokens};

pub use leaving::groups;
pub use written::write;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The turns since the text began.
    pub log: Log,
    /// The position before the first of them; `None` at the beginning of a game.
    pub before: Option<Snapshot>,
    pub next: Next,
    pub chests: Vec<i32>,
    /// The seats that won; empty before the end.
    pub winners: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Decision(Snapshot),
    /// A card of this expedition.
    Card(Snapshot),
    /// The first card of an expedition, counted from 0.
    Expedition(u32),
    /// Nothing: the game is over.
    Nothing,
}

/// The table, and how to resolve ambiguities.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    pub rules: &'a DiamantRules,
    pub players: usize,
    /// The seat that asks for advice, which never leaves unnamed.
    pub me: Option<usize>,
    /// Selects one reading of `2 leave`, which does not name the players; without it, every leaver
    /// must be named.
    pub way: Option<usize>,
}

impl<'a> Reader<'a> {
    /// A reader of a record, with every player named.
    pub fn of_record(rules: &'a DiamantRules, players: usize) -> Reader<'a> {
        Reader {
            rules,
            players,
            me: None,
            way: None,
        }
    }
}

const WAYS_MAX: usize = 250;

/// Reads a record or its beginning in each way that is consistent with all of it.
pub fn read_all(reader: Reader, text: &str) -> Result<Vec<Reading>, Fault> {
    let mut readings = Vec::new();
    let mut refused = None;
    let (mut way, mut ways) = (0, 1);
    while way < ways {
        let reader = Reader {
            way: Some(way),
            ..reader
        };
        match read_counting(reader, text, &mut ways) {
            Ok(reading) => readings.push(reading),
            Err(fault) => refused = refused.or(Some(fault)),
        }
        way += 1;
    }
    match (refused, readings.is_empty()) {
        (Some(fault), true) => Err(fault),
        _ => Ok(readings),
    }
}

/// Reads a record or its beginning.
pub fn read(reader: Reader, text: &str) -> Result<Reading, Fault> {
    read_counting(reader, text, &mut 1)
}

/// Reads a text; raises `ways` to the number of readings so far.
fn read_counting(reader: Reader, text: &str, ways: &mut usize) -> Result<Reading, Fault> {
    static NOTHING: Log = Log {
        expeditions: Vec::new(),
        relics: Vec::new(),
    };
    let mut named = Named::new(reader.rules);
    named.read_people(text)?;
    let tokens = tokens(text)?;
    let mut reading = State {
        reader,
        named,
        tokens: &tokens,
        at: 0,
        end: text.len(),
        game: Referee::new(reader.rules, Hands::Log(reader.players, &NOTHING)),
        setup: Setup::default(),
        before: None,
        inside: false,
        leavers: None,
        last_round: 0,
        ways: 1,
    };
    let mut read = Ok(());
    while read.is_ok() && reading.at < tokens.len() {
        read = reading.statement();
    }
    *ways = reading.ways.max(*ways);
    read?;
    reading.finish()
}

/// A record, read up to some place.
struct State<'a> {
    reader: Reader<'a>,
    named: Named<'a>,
    tokens: &'a [Token<'a>],
    at: usize,
    end: usize,
    game: Referee<'a>,
    setup: Setup,
    before: Option<Snapshot>,
    /// Whether an expedition is under way.
    inside: bool,
    /// After a card, the seats that leave.
    leavers: Option<Vec<usize>>,
    /// The last expedition number that was read, from 1.
    last_round: u32,
    ways: usize,
}

impl<'a> State<'a> {
    fn kind(&self, at: usize) -> Option<Kind<'a>> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn span(&self, at: usize) -> Range<usize> {
        let token = self.tokens.get(at);
        token.map_or(self.end..self.end, |token| token.span.clone())
    }

    /// Whether nothing has been played yet.
    fn begins(&self) -> bool {
        !self.inside && self.game.result.log.expeditions.is_empty()
    }

    fn is_word(&self, at: usize, words: &str) -> bool {
        matches!(self.kind(at), Some(Kind::Word(word)) if is(word, words))
    }

    fn statement(&mut self) -> Result<(), Fault> {
        let token = self.tokens[self.at].clone();
        match token.kind {
            Kind::Break | Kind::Colon => self.at += 1,
            Kind::Seat(_) => return self.leave(),
            Kind::Number(_) if self.is_word(self.at + 1, LEAVE) => return self.leave(),
            Kind::Number(round) if self.kind(self.at + 1) == Some(Kind::Colon) => {
                self.at += 2;
                return self.expedition(round, token.span);
            }
            Kind::Number(value) => {
                let before = self.at.saturating_sub(1);
                if let Some(Kind::Word(word)) = self.kind(before) {
                    let both = self.span(before).start..token.span.end;
                    self.named.check_after(word, value, both)?;
                }
                self.at += 1;
                let deck = self.deck()?;
                let card = self.named.treasure(deck, value, token.span)?;
                self.card(card);
            }
            Kind::Word(word) => return self.word(word, token.span),
        }
        Ok(())
    }

    fn word(&mut self, word: &str, span: Range<usize>) -> Result<(), Fault> {
        let next = self.kind(self.at + 1);
        if is(word, LEAVERS) || is(word, LEAVE) || is(word, NUMBERS) {
            return self.leave();
        }
        self.at += 1;
        if is(word, "expedition round") {
            let Some(Kind::Number(round)) = next else {
                let label = "write its number after it";
                return Err(Fault::new(span, "which expedition?", label));
            };
            self.at += 1;
            return self.expedition(round, span.start..self.span(self.at - 1).end);
        }
        if is(word, "chests chest") {
            let chests = self.by_seat("chests", span.clone())?;
            return self.chests(chests, span.start..self.span(self.at - 1).end);
        }
        if is(word, "relics artifacts") && matches!(next, Some(Kind::Number(_))) {
            let relics = self.by_seat("relics", span.clone())?;
            return self.relics(relics, span.start..self.span(self.at - 1).end);
        }
        if is(word, "players") {
            return self.players(next, span);
        }
        if is(word, "gone") {
            return self.gone(span);
        }
        let deck = self.deck()?;
        let card = self.named.word(deck, word, span)?;
        self.card(card);
        Ok(())
    }

    /// `players 5`, as a check.
    fn players(&mut self, next: Option<Kind>, span: Range<usize>) -> Result<(), Fault> {
        self.at += 1;
        let players = self.reader.players;
        if next == Some(Kind::Number(players as u32)) {
            return Ok(());
        }
        let message = format!("this table has {}", counted(players, "player"));
        Err(Fault::new(span, message, "another number"))
    }

    /// The number of the first expedition of the text, or of the next as a check.
    fn expedition(&mut self, round: u32, span: Range<usize>) -> Result<(), Fault> {
        let rounds = self.reader.rules.rounds;
        if round == 0 || round > rounds {
            let all = counted(rounds as usize, "expedition");
            let message = format!("there are {all} in a game");
            return Err(Fault::new(span, message, "no such expedition"));
        }
        if self.begins() {
            check_again(self.setup.round.as_ref(), &(round - 1), span)?;
            self.setup.round = Some(round - 1);
            return Ok(());
        }
        self.settle();
        if self.inside {
            let message = format!("expedition {} is not over", self.game.at.round + 1);
            let fault = Fault::new(span, message, format!("{} inside", self.those_inside()));
            return Err(fault.with_help("write who left, or the card that ended it".to_owned()));
        }
        self.pass_by(round - 1);
        self.last_round = round;
        let next = self.game.at.round + 1;
        if next == round {
            return Ok(());
        }
        if self.game.ended() {
            let message = "the game is over: a file has one game";
            return Err(Fault::new(span, message, "another game"));
        }
        let message = format!("expedition {next} comes next");
        Err(Fault::new(span, message, "not this one"))
    }

    /// Skips expeditions without cards, up to the number `last`.
    fn pass_by(&mut self, last: u32) {
        let rules = self.reader.rules;
        while !self.begins() && !self.inside && !self.game.ended() && self.game.at.round < last {
            let mut entered = self.game.at.clone();
            entered.in_game |= rules.joining(entered.round);
            entered.deck = entered.in_game;
            if entered.next_cards(rules) != 0 {
                return;
            }
            self.game.enter(&mut ());
            if self.game.decides_at_entrance() {
                self.game.decided(Vec::new(), &mut ());
            }
            self.close_if_over();
        }
    }

    /// The cards that may come.
    fn deck(&mut self) -> Result<u64, Fault> {
        if !self.inside {
            self.enter()?;
        }
        self.settle();
        if !self.inside {
            self.enter()?;
            self.settle();
        }
        Ok(self.game.at.next_cards(self.reader.rules))
    }

    fn enter(&mut self) -> Result<(), Fault> {
        // The card was already read.
        let span = self.span(self.at.saturating_sub(1));
        if self.game.ended() {
            let fault = Fault::new(span, "the game is over", "one card too many");
            let all = counted(self.reader.rules.rounds as usize, "expedition");
            return Err(fault.with_help(format!("it has {all}")));
        }
        if self.game.result.log.expeditions.is_empty() {
            self.before = self.start(span)?;
            if let Some(before) = &self.before {
                self.game.resume(before);
            }
        }
        self.game.enter(&mut ());
        self.inside = true;
        if self.game.decides_at_entrance() {
            self.leavers = Some(Vec::new());
        }
        self.close_if_over();
        Ok(())
    }

    fn card(&mut self, card: usize) {
        if self.reader.rules.shuffles_relics() {
            self.game.relics.clone_from(&self.named.relics);
        }
        self.game.reveal(card, &mut ());
        self.leavers = Some(Vec::new());
        self.close_if_over();
    }

    /// Applies the decisions after the last card.
    fn settle(&mut self) {
        if let Some(leavers) = self.leavers.take() {
            self.game.decided(leavers, &mut ());
            self.close_if_over();
        }
    }

    fn close_if_over(&mut self) {
        if self.game.over.is_some() {
            self.game.close(&mut ());
            self.inside = false;
            self.leavers = None;
        }
    }

    fn finish(mut self) -> Result<Reading, Fault> {
        if self.leavers.iter().any(|leavers| !leavers.is_empty()) {
            self.settle();
        }
        self.pass_by(self.last_round);
        if self.reader.rules.decides_at_entrance() && !self.inside && !self.game.ended() {
            self.enter()?;
        }
        if self.begins() {
            // Only to check it.
            self.before = self.start(self.end..self.end)?;
        }
        let chests = match &self.before {
            Some(before) if self.game.result.log.expeditions.is_empty() => before.chests(),
            _ => self.game.at.chests(),
        };
        let next = match (self.inside, &self.leavers) {
            (true, Some(_)) => Next::Decision(self.game.at),
            (true, None) => Next::Card(self.game.at),
            (false, _) if self.game.ended() => Next::Nothing,
            (false, _) if self.begins() => Next::Expedition(self.setup.round.unwrap_or(0)),
            (false, _) => Next::Expedition(self.game.at.round),
        };
        Ok(Reading {
            log: self.game.result.log,
            winners: self.game.result.winners,
            chests,
            before: self.before,
            next,
        })
    }
}
