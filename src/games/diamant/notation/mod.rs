//! How a game of Diamant is written down: cards as they come, who leaves when, and where more is
//! known, how the game stood before.
//!
//! ```text
//! 4: 5 7 snake 11 / @3 @5 leave / relic 3
//! ```
//!
//! Expedition 4: a treasure of 5, one of 7, a snake, 11; then those at seats 3 and 5 leave, and the
//! others see a relic and a treasure of 3. [`read`] has the referee play what is written, so that
//! whatever the rules forbid is found at its place. [`write`] prints a game in the same words.

mod cards;
#[cfg(test)]
mod tests;
mod token;
mod written;

use super::log::Log;
use super::referee::{Hands, Referee};
use super::rules::{Card, DiamantRules, Schedule};
use super::snapshot::{Snapshot, Standing};
use crate::diagnostic::{Fault, counted};
use cards::Named;
use std::ops::Range;
use token::{EXAMPLE, Kind, Token, tokens};

pub use written::write;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The turns since the text began.
    pub log: Log,
    /// How the game stood before the first of them; nothing when the game began there.
    pub before: Option<Snapshot>,
    /// What comes next.
    pub next: Next,
    /// Everyone's chest now.
    pub chests: Vec<i32>,
    /// In how many ways the text can be meant, where it tells how many leave and not who.
    pub ways: usize,
}

/// What comes after the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Everyone inside decides.
    Decision(Snapshot),
    /// A card of this expedition. Told are those who are inside, and how the game stands.
    Card(Snapshot),
    /// The first card of an expedition, counted from 0.
    Expedition(u32),
    /// Nothing: the game is over.
    Nothing,
}

/// Who reads, and how what is open is to be meant.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The rules.
    pub rules: &'a DiamantRules,
    /// Number of explorers.
    pub players: usize,
    /// The seat of the one who asks. It is not among those who leave without being named.
    pub me: Option<usize>,
    /// Where it is told how many leave and not who: the number of the way in which it is meant.
    /// Nothing where everyone who leaves has to be named.
    pub way: Option<usize>,
}

/// Most ways in which a text may be meant.
const WAYS_MAX: usize = 1000;

const LEAVE: [&str; 7] = ["leave", "leaves", "left", "out", "home", "go", "goes"];
const NUMBERS: [&str; 8] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight",
];

/// Reads a record, a whole one or its beginning.
pub fn read(reader: Reader, text: &str) -> Result<Reading, Fault> {
    static NOTHING: Log = Log {
        expeditions: Vec::new(),
    };
    let tokens = tokens(text)?;
    let mut reading = State {
        reader,
        named: Named::new(reader.rules),
        tokens: &tokens,
        at: 0,
        end: text.len(),
        game: Referee::new(reader.rules, Hands::Log(reader.players, &NOTHING)),
        setup: Setup::default(),
        before: None,
        inside: false,
        leavers: None,
        ways: 1,
    };
    while reading.at < tokens.len() {
        reading.statement()?;
    }
    reading.finish()
}

/// How the game stood before the first card.
#[derive(Debug, Default)]
struct Setup {
    round: Option<u32>,
    chests: Option<Vec<u32>>,
    relics: Option<(Vec<u32>, Range<usize>)>,
    gone: u64,
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
    /// After a card, who leaves.
    leavers: Option<Vec<usize>>,
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
        !self.inside && self.game.log().expeditions.is_empty()
    }

    fn is_leave(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Word(word)) if is(word, &LEAVE))
    }

    /// Reads a statement or a card.
    fn statement(&mut self) -> Result<(), Fault> {
        let token = self.tokens[self.at].clone();
        match token.kind {
            Kind::Break | Kind::Colon => self.at += 1,
            Kind::Seat(_) => return self.leave(),
            Kind::Number(_) if self.is_leave(self.at + 1) => return self.leave(),
            Kind::Number(round) if self.kind(self.at + 1) == Some(Kind::Colon) => {
                self.at += 2;
                return self.expedition(round, token.span);
            }
            Kind::Number(value) => {
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
        let names_leavers = is(
            word,
            &[
                "me",
                "i",
                "all",
                "everyone",
                "everybody",
                "nobody",
                "no",
                "none",
                "seat",
                "seats",
            ],
        );
        if names_leavers || is(word, &LEAVE) || is(word, &NUMBERS) {
            return self.leave();
        }
        self.at += 1;
        if is(word, &["expedition", "round"]) {
            let Some(Kind::Number(round)) = next else {
                return Err(Fault::new(
                    span,
                    "which expedition?",
                    "write its number after it",
                ));
            };
            self.at += 1;
            return self.expedition(round, span.start..self.span(self.at - 1).end);
        }
        if is(word, &["chests", "chest"]) {
            let chests = self.by_seat("chests", span.clone())?;
            return self.chests(chests, span.start..self.span(self.at - 1).end);
        }
        if is(word, &["relics", "artifacts"]) && matches!(next, Some(Kind::Number(_))) {
            let relics = self.by_seat("relics", span.clone())?;
            return self.relics(relics, span.start..self.span(self.at - 1).end);
        }
        if is(word, &["players"]) {
            return self.players(next, span);
        }
        if is(word, &["gone"]) {
            return self.gone(span);
        }
        let deck = self.deck()?;
        let card = self.named.word(deck, word, span)?;
        self.card(card);
        Ok(())
    }

    /// `players 5`, which is known already.
    fn players(&mut self, next: Option<Kind>, span: Range<usize>) -> Result<(), Fault> {
        self.at += 1;
        match next {
            Some(Kind::Number(players)) if players as usize == self.reader.players => Ok(()),
            _ => Err(Fault::new(
                span,
                format!("here are {}", counted(self.reader.players, "player")),
                "says something else",
            )),
        }
    }

    /// A number for each seat.
    fn by_seat(&mut self, what: &str, span: Range<usize>) -> Result<Vec<u32>, Fault> {
        let mut numbers = Vec::new();
        if self.kind(self.at) == Some(Kind::Colon) {
            self.at += 1;
        }
        while let Some(Kind::Number(number)) = self.kind(self.at)
            && numbers.len() < self.reader.players
        {
            numbers.push(number);
            self.at += 1;
        }
        match numbers.len() == self.reader.players {
            true => Ok(numbers),
            false => Err(Fault::new(
                span.start..self.span(self.at - 1).end,
                format!(
                    "{what} of {}, seat by seat: {} given",
                    counted(self.reader.players, "explorer"),
                    numbers.len()
                ),
                "one number for each",
            )),
        }
    }

    /// The number of an expedition: where the text begins, or as a check.
    fn expedition(&mut self, round: u32, span: Range<usize>) -> Result<(), Fault> {
        let rounds = self.reader.rules.rounds;
        if round == 0 || round > rounds {
            let message = format!(
                "there are {} in a game",
                counted(rounds as usize, "expedition")
            );
            return Err(Fault::new(span, message, "no such expedition"));
        }
        if self.begins() {
            self.setup.round = Some(round - 1);
            return Ok(());
        }
        self.settle();
        if self.inside {
            let message = format!("expedition {} is not over", self.game.position().round + 1);
            let mut fault = Fault::new(span, message, format!("{} inside", self.those_inside()));
            fault.help = Some("write who left, or the card that ended it".to_string());
            return Err(fault);
        }
        match self.game.round() + 1 == round {
            true => Ok(()),
            false if self.game.ended() => {
                Err(Fault::new(span, "the game is over", "no more expeditions"))
            }
            false => Err(Fault::new(
                span,
                format!("expedition {} comes next", self.game.round() + 1),
                "not this one",
            )),
        }
    }

    /// Chests: where the text begins they are told, later they are checked.
    fn chests(&mut self, chests: Vec<u32>, span: Range<usize>) -> Result<(), Fault> {
        let most = self.reader.rules.score_max();
        if let Some(chest) = chests.iter().find(|chest| **chest as usize > most) {
            let message =
                format!("a chest of {chest}: under these rules nobody has more than {most}");
            return Err(Fault::new(span, message, "too much"));
        }
        if self.begins() {
            self.setup.chests = Some(chests);
            return Ok(());
        }
        self.settle();
        let now = self.game.chests();
        let wrong = (0..now.len()).find(|&seat| now[seat] != chests[seat] as i32);
        match wrong {
            None => Ok(()),
            Some(seat) => {
                let message = format!(
                    "the chest of @{} holds {} by what is written so far, not {}",
                    seat + 1,
                    now[seat],
                    chests[seat]
                );
                let listed: Vec<String> = now.iter().map(i32::to_string).collect();
                let label = format!("by the cards: {}", listed.join(" "));
                Err(Fault::new(span, message, label))
            }
        }
    }

    /// Relics that explorers have taken out.
    fn relics(&mut self, relics: Vec<u32>, span: Range<usize>) -> Result<(), Fault> {
        if !self.begins() {
            return Err(self.too_late(span));
        }
        let all = self.reader.rules.relics.len();
        if relics.iter().map(|number| *number as usize).sum::<usize>() > all {
            let message = format!("there are {} in the game", counted(all, "relic"));
            return Err(Fault::new(span, message, "too many"));
        }
        self.setup.relics = Some((relics, span));
        Ok(())
    }

    fn too_late(&self, span: Range<usize>) -> Fault {
        let mut fault = Fault::new(span, "this is told before the first card", "too late");
        fault.help = Some("from the first card on, it follows from what is written".to_string());
        fault
    }

    /// Cards that have left the game before.
    fn gone(&mut self, span: Range<usize>) -> Result<(), Fault> {
        if !self.begins() {
            return Err(self.too_late(span));
        }
        let all = self.named.all();
        loop {
            let span = self.span(self.at);
            let card = match self.kind(self.at) {
                Some(Kind::Colon) => None,
                Some(Kind::Word(word)) if !is(word, &["and", "nothing"]) => Some(self.named.word(
                    all & !self.setup.gone,
                    word,
                    span.clone(),
                )?),
                Some(Kind::Word(_)) => None,
                Some(Kind::Break) | None => return Ok(()),
                Some(_) => {
                    let message = "traps and relics leave the game, nothing else does";
                    let mut fault = Fault::new(span, message, "write their names");
                    fault.help = Some("gone snake relic relic / and then the cards".to_string());
                    return Err(fault);
                }
            };
            if let Some(card) = card {
                if matches!(self.reader.rules.cards[card], Card::Trap(_))
                    && !self.reader.rules.remove_trap
                {
                    return Err(Fault::new(
                        span,
                        "under these rules no trap leaves the game",
                        "stays in",
                    ));
                }
                self.setup.gone |= 1 << card;
            }
            self.at += 1;
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
        }
        Ok(self.game.deck())
    }

    /// Everyone enters the cave.
    fn enter(&mut self) -> Result<(), Fault> {
        let span = self.span(self.at);
        if self.game.ended() {
            let mut fault = Fault::new(span, "the game is over", "one card too many");
            fault.help = Some(format!(
                "it has {}",
                counted(self.reader.rules.rounds as usize, "expedition")
            ));
            return Err(fault);
        }
        if self.game.log().expeditions.is_empty() {
            self.before = self.start(span)?;
            if let Some(before) = &self.before {
                self.game.resume(before);
            }
        }
        self.game.enter(&mut ());
        self.inside = true;
        self.close_if_over();
        Ok(())
    }

    /// How the game stands before the first expedition that is written down.
    fn start(&mut self, span: Range<usize>) -> Result<Option<Snapshot>, Fault> {
        let Reader { rules, players, .. } = self.reader;
        let round = self.setup.round.unwrap_or(0);
        if round > 0 && self.setup.chests.is_none() {
            let mut fault = Fault::new(
                span,
                format!("expedition {}: what is in the chests?", round + 1),
                "tell it before the first card",
            );
            fault.help = Some(format!("chests {}", vec!["0"; players].join(" ")));
            return Err(fault);
        }
        let told = self.setup.chests.is_some() || self.setup.relics.is_some();
        if !told && self.setup.gone == 0 {
            return Ok(None);
        }
        let in_game = (0..round).fold(rules.first_deck(), |cards, round| {
            cards | rules.joining(round)
        });
        let soon = |card: usize| match rules.cards[card] {
            Card::Relic(relic) => {
                rules.schedule == Schedule::OnePerExpedition && u32::from(relic) >= round
            }
            Card::Treasure(_) | Card::Trap(_) => false,
        };
        let gone = |set: u64| (0..rules.cards.len()).filter(move |card| set >> card & 1 == 1);
        if gone(self.setup.gone).any(soon) {
            return Err(Fault::new(
                span,
                "a relic that has not joined the deck cannot be gone",
                format!(
                    "before expedition {}, {} joined",
                    round + 1,
                    counted(round as usize, "relic")
                ),
            ));
        }
        let (relics, told_at) = match &self.setup.relics {
            Some((relics, span)) => (relics.clone(), span.clone()),
            None => (vec![0; players], span),
        };
        let claimed: u32 = relics.iter().sum();
        let is_relic = |card: &usize| matches!(rules.cards[*card], Card::Relic(_));
        let out = gone(self.setup.gone).filter(is_relic).count();
        let more = (claimed as usize).saturating_sub(out);
        let left: Vec<usize> = gone(in_game & !self.setup.gone).filter(is_relic).collect();
        if more > left.len() {
            return Err(Fault::new(
                told_at,
                format!(
                    "{} taken out: so many have not been in the deck",
                    counted(claimed as usize, "relic")
                ),
                "too many",
            ));
        }
        let taken = left[..more]
            .iter()
            .fold(self.setup.gone, |set, card| set | 1 << card);
        let chests = self
            .setup
            .chests
            .clone()
            .unwrap_or_else(|| vec![0; players]);
        Ok(Some(Snapshot {
            round,
            in_game: in_game & !taken,
            deck: in_game & !taken,
            revealed: 0,
            held: 0,
            leftover: 0,
            claimed,
            just_left: 0,
            explorers: (chests.iter().zip(&relics))
                .map(|(&chest, &relics)| Standing {
                    inside: false,
                    chest: chest as i32,
                    relics,
                })
                .collect(),
        }))
    }

    /// A card is revealed.
    fn card(&mut self, card: usize) {
        self.game.reveal(card, &mut ());
        self.leavers = Some(Vec::new());
        self.close_if_over();
    }

    /// `@2 @4 leave`, `2 leave`, `all leave`, `me leaves`, `nobody leaves`.
    fn leave(&mut self) -> Result<(), Fault> {
        let from = self.at;
        let first = self.span(from);
        let inside = self.game.inside();
        let taken = self.leavers.clone().unwrap_or_default();
        let mut leavers = Vec::new();
        let mut unnamed = None;
        while !self.is_leave(self.at) {
            let span = self.span(self.at);
            match self.kind(self.at) {
                Some(Kind::Seat(seat)) => leavers.push((self.seat(seat, span.clone())?, span)),
                Some(Kind::Word(word)) if is(word, &["seat", "seats", "and", "no"]) => {}
                Some(Kind::Number(seat)) if self.after_seat_word(from) => {
                    leavers.push((self.seat(seat, span.clone())?, span));
                }
                Some(Kind::Number(number)) => unnamed = Some((number as usize, span)),
                Some(Kind::Word(word)) if is(word, &["me", "i"]) => match self.reader.me {
                    Some(me) => leavers.push((me, span)),
                    None => return Err(Fault::new(span, "who is that?", "write @ and the seat")),
                },
                Some(Kind::Word(word)) if is(word, &["all", "everyone", "everybody"]) => {
                    leavers.extend(inside.iter().map(|&seat| (seat, span.clone())));
                }
                Some(Kind::Word(word))
                    if is(word, &["nobody", "none"]) || is(word, &["one"]) && self.at > from => {}
                Some(Kind::Word(word)) if is(word, &NUMBERS) => {
                    let number = NUMBERS
                        .iter()
                        .position(|name| word.eq_ignore_ascii_case(name));
                    unnamed = number.map(|number| (number + 1, span));
                }
                _ => {
                    let span = first.start..self.span(self.at.saturating_sub(1)).end;
                    let mut fault = Fault::new(span, "what do they do?", "`leave` should follow");
                    fault.help = Some(EXAMPLE.to_string());
                    return Err(fault);
                }
            }
            self.at += 1;
        }
        let whole = first.start..self.span(self.at).end;
        self.at += 1;
        if self.leavers.is_none() {
            let message = match self.inside {
                true => "a card comes before anybody can leave again",
                false => "the first card comes before anybody can leave",
            };
            return Err(Fault::new(
                whole,
                message,
                "no card since the last decision",
            ));
        }
        for (seat, span) in &leavers {
            if !inside.contains(seat) || taken.contains(seat) {
                let label = format!("{} inside", self.those_inside());
                return Err(Fault::new(
                    span.clone(),
                    format!("@{} has left already", seat + 1),
                    label,
                ));
            }
        }
        let mut leavers: Vec<usize> = leavers.into_iter().map(|(seat, _)| seat).collect();
        if let Some((number, span)) = unnamed {
            let others = inside.into_iter().filter(|seat| {
                Some(*seat) != self.reader.me && !leavers.contains(seat) && !taken.contains(seat)
            });
            leavers.extend(self.unnamed(number, &others.collect::<Vec<_>>(), span)?);
        }
        let all = self.leavers.get_or_insert_default();
        all.extend(leavers);
        all.sort_unstable();
        all.dedup();
        // With the last of them the expedition is over, and no card has to come.
        if all.len() == self.game.inside().len() {
            self.settle();
        }
        Ok(())
    }

    fn after_seat_word(&self, from: usize) -> bool {
        matches!(self.kind(from), Some(Kind::Word(word)) if is(word, &["seat", "seats"]))
    }

    fn seat(&self, seat: u32, span: Range<usize>) -> Result<usize, Fault> {
        let players = self.reader.players;
        match (1..=players).contains(&(seat as usize)) {
            true => Ok(seat as usize - 1),
            false => Err(Fault::new(
                span,
                format!("seats are @1 to @{players}"),
                "nobody sits there",
            )),
        }
    }

    /// So many of the `others` leave; who is not told.
    fn unnamed(
        &mut self,
        number: usize,
        others: &[usize],
        span: Range<usize>,
    ) -> Result<Vec<usize>, Fault> {
        let Some(way) = self.reader.way else {
            let mut fault = Fault::new(span, "who leaves?", "a number does not tell who");
            fault.help = Some("name their seats: @2 @5 leave".to_string());
            return Err(fault);
        };
        if number > others.len() {
            let message = format!("{number} cannot leave: {} could", others.len());
            let mut fault = Fault::new(span, message, "how many leave");
            fault.help = Some("a seat has an @: @2 leaves".to_string());
            return Err(fault);
        }
        let groups: Vec<Vec<usize>> = (0u32..1 << others.len())
            .filter(|set| set.count_ones() as usize == number)
            .map(|set| {
                (0..others.len())
                    .filter(|at| set >> at & 1 == 1)
                    .map(|at| others[at])
                    .collect()
            })
            .collect();
        let group = groups[way / self.ways % groups.len()].clone();
        self.ways *= groups.len();
        match self.ways <= WAYS_MAX {
            true => Ok(group),
            false => {
                let mut fault =
                    Fault::new(span, "this can be meant in too many ways", "who leaves?");
                fault.help = Some("name some of them by their seats: @2 @5 leave".to_string());
                Err(fault)
            }
        }
    }

    fn those_inside(&self) -> String {
        let taken = self.leavers.iter().flatten();
        let taken: Vec<usize> = taken.copied().collect();
        let inside = self.game.inside().into_iter();
        let inside = inside.filter(|seat| !taken.contains(seat));
        let inside: Vec<String> = inside.map(|seat| format!("@{}", seat + 1)).collect();
        match inside.len() {
            0 => "nobody is".to_string(),
            1 => format!("{} is", inside[0]),
            _ => format!("{} are", inside.join(" ")),
        }
    }

    /// What was decided after the last card happens.
    fn settle(&mut self) {
        if let Some(leavers) = self.leavers.take() {
            self.game.decided(leavers, &mut ());
            self.close_if_over();
        }
    }

    fn close_if_over(&mut self) {
        if self.game.over() {
            self.game.close(&mut ());
            self.inside = false;
            self.leavers = None;
        }
    }

    fn finish(mut self) -> Result<Reading, Fault> {
        if self
            .leavers
            .as_ref()
            .is_some_and(|leavers| !leavers.is_empty())
        {
            self.settle();
        }
        if self.begins() {
            // What is told of the start is checked.
            self.before = self.start(self.end..self.end)?;
        }
        let next = match (self.inside, &self.leavers) {
            (true, Some(_)) => Next::Decision(self.game.position()),
            (true, None) => Next::Card(self.game.position()),
            (false, _) if self.game.ended() => Next::Nothing,
            (false, _) if self.begins() => Next::Expedition(self.setup.round.unwrap_or(0)),
            (false, _) => Next::Expedition(self.game.round()),
        };
        let started = |before: &Snapshot| {
            let explorers = before.explorers.iter();
            explorers.map(|explorer| explorer.chest).collect()
        };
        let chests = match &self.before {
            Some(before) if self.game.log().expeditions.is_empty() => started(before),
            _ => self.game.chests(),
        };
        Ok(Reading {
            log: self.game.log().clone(),
            chests,
            before: self.before,
            next,
            ways: self.ways,
        })
    }
}

/// Whether a word is one of these.
fn is(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}
