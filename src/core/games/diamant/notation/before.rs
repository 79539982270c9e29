//! The state of a game before the first card of a text.

use super::token::{Kind, is};
use super::{Reader, State};
use crate::diagnostic::{Fault, counted};
use crate::games::diamant::rules::Card;
use crate::games::diamant::snapshot::{Snapshot, Standing};
use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Setup {
    /// The expedition, from 0.
    pub(super) round: Option<u32>,
    /// The chests, and their place in the text.
    chests: Option<(Vec<u32>, Range<usize>)>,
    /// Relics taken out, likewise.
    relics: Option<(Vec<u32>, Range<usize>)>,
    /// Cards that have left the game, and the place of the last.
    gone: u64,
    gone_at: Range<usize>,
}

impl State<'_> {
    pub(super) fn by_seat(&mut self, what: &str, span: Range<usize>) -> Result<Vec<u32>, Fault> {
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
        if numbers.len() == self.reader.players {
            return Ok(numbers);
        }
        let all = counted(self.reader.players, "player");
        let mut message = format!(
            "`{what}` needs one number for each of {all}, but has {}",
            numbers.len()
        );
        if let Some(Kind::Word(word)) = self.kind(self.at) {
            message += &format!("; `{word}` is not a number");
        }
        let span = span.start..self.span(self.at - 1).end;
        Err(Fault::new(span, message, "one number for each"))
    }

    /// Chests: given at the beginning, checked later.
    pub(super) fn chests(&mut self, chests: Vec<u32>, span: Range<usize>) -> Result<(), Fault> {
        if self.begins() {
            let before = self.setup.chests.as_ref().map(|(chests, _)| chests);
            check_again(before, &chests, span.clone())?;
            self.setup.chests = Some((chests, span));
            return Ok(());
        }
        self.settle();
        self.pass_by(self.last_round);
        let now = self.game.at.chests();
        let Some(seat) = (0..now.len()).find(|&seat| now[seat] != chests[seat] as i32) else {
            return Ok(());
        };
        let (number, held, said) = (seat + 1, now[seat], chests[seat]);
        let message =
            format!("by the text so far, the chest of @{number} holds {held}, not {said}");
        let listed: Vec<String> = now.iter().map(i32::to_string).collect();
        let label = format!("by the cards: {}", listed.join(" "));
        Err(Fault::new(span, message, label))
    }

    pub(super) fn relics(&mut self, relics: Vec<u32>, span: Range<usize>) -> Result<(), Fault> {
        if !self.begins() {
            return Err(self.too_late(span));
        }
        let all = self.reader.rules.relics.len();
        if relics.iter().map(|number| *number as usize).sum::<usize>() > all {
            let message = format!("there are {} in the game", counted(all, "relic"));
            return Err(Fault::new(span, message, "too many"));
        }
        let before = self.setup.relics.as_ref().map(|(relics, _)| relics);
        check_again(before, &relics, span.clone())?;
        self.setup.relics = Some((relics, span));
        Ok(())
    }

    pub(super) fn too_late(&self, span: Range<usize>) -> Fault {
        Fault::new(span, "this belongs before the first card", "too late")
            .with_help("from the first card on, it follows from the text".to_owned())
    }

    pub(super) fn gone(&mut self, span: Range<usize>) -> Result<(), Fault> {
        if !self.begins() {
            return Err(self.too_late(span));
        }
        let rules = self.reader.rules;
        loop {
            let span = self.span(self.at);
            match self.kind(self.at) {
                Some(Kind::Colon) => {}
                Some(Kind::Word(word)) if is(word, "and nothing") => {}
                Some(Kind::Word(word)) => {
                    let here = rules.set_of(|_| true) & !self.setup.gone;
                    let card = self.named.word(here, word, span.clone())?;
                    if matches!(rules.cards[card], Card::Trap(_)) && !rules.remove_trap {
                        let message = "under these rules no trap leaves the game";
                        return Err(Fault::new(span, message, "stays in"));
                    }
                    self.setup.gone |= 1 << card;
                    self.setup.gone_at = span;
                }
                Some(Kind::Break) | None => return Ok(()),
                Some(_) => {
                    let message = "only traps and relics leave the game";
                    let fault = Fault::new(span, message, "write their names");
                    let help = "gone snake relic relic / and then the cards";
                    return Err(fault.with_help(help.to_owned()));
                }
            }
            self.at += 1;
        }
    }

    /// The state before the first expedition of the text.
    pub(super) fn start(&mut self, span: Range<usize>) -> Result<Option<Snapshot>, Fault> {
        let Reader { rules, players, .. } = self.reader;
        let round = self.setup.round.unwrap_or(0);
        if round > 0 && self.setup.chests.is_none() {
            let message = format!(
                "give the rubies in all chests before expedition {}",
                round + 1
            );
            let fault = Fault::new(span, message, "write them before the first card");
            return Err(fault.with_help(format!("chests {}", vec!["0"; players].join(" "))));
        }
        let is_given = self.setup.chests.is_some() || self.setup.relics.is_some();
        if !is_given && self.setup.gone == 0 {
            return Ok(None);
        }
        let in_game = (0..round).fold(rules.first_deck(), |cards, round| {
            cards | rules.joining(round)
        });
        self.check_gone(in_game, round)?;
        let none = (vec![0; players], span);
        let (chests, chests_at) = self.setup.chests.clone().unwrap_or(none.clone());
        let (relics, relics_at) = self.setup.relics.clone().unwrap_or(none);
        let claimed: u32 = relics.iter().sum();
        let is_relic = |card: &usize| matches!(rules.cards[*card], Card::Relic(_));
        let out = rules.indices_in(self.setup.gone).filter(is_relic).count();
        let more = (claimed as usize).saturating_sub(out);
        let left = rules.indices_in(in_game & !self.setup.gone);
        let left: Vec<usize> = left.filter(is_relic).collect();
        if more > left.len() {
            let claimed = counted(claimed as usize, "relic");
            let message = format!("{claimed} taken out: the deck had fewer");
            return Err(Fault::new(relics_at, message, "too many"));
        }
        // By default all relics of the deck may have been taken out.
        let taken = match self.setup.relics {
            Some(_) => claimed as usize,
            None => out + left.len(),
        };
        let worth = rules.relics_worth(in_game, taken);
        let value = |relics: &[usize]| relics.iter().sum::<usize>();
        let most = match round {
            0 => 0,
            _ => {
                let best = worth.len().saturating_sub(taken);
                rules.rubies() * round as usize + value(&worth[best..])
            }
        };
        let too_much = |what: String, who: &str| {
            let before = format!("before expedition {}", round + 1);
            let message = format!("{what}: {before} {who} at most {most}");
            let fault = Fault::new(chests_at.clone(), message, "too much");
            let mut help = "chests are those before this expedition: leave out what players who \
                            have left since took"
                .to_string();
            if round == 0 {
                help += "; give the expedition as its number and a colon, 4:";
            }
            Err(fault.with_help(help))
        };
        if let Some(chest) = chests.iter().find(|chest| **chest as usize > most) {
            return too_much(format!("a chest of {chest}"), "a player can have");
        }
        let all: usize = chests.iter().map(|chest| *chest as usize).sum();
        if all > most {
            let who = "all players together can have";
            return too_much(format!("{all} in all chests"), who);
        }
        for (seat, (&chest, &relics)) in chests.iter().zip(&relics).enumerate() {
            let least = value(&worth[..relics as usize]);
            if (chest as usize) < least {
                let message = format!(
                    "@{} took out {}, worth at least {least}: its chest cannot hold {chest}",
                    seat + 1,
                    counted(relics as usize, "relic")
                );
                return Err(Fault::new(relics_at, message, "too many for this chest"));
            }
        }
        if self.setup.relics.is_some() && all < value(&worth[..taken]) {
            let message = format!(
                "{} taken out are worth at least {}: all chests together cannot hold {all}",
                counted(taken, "relic"),
                value(&worth[..taken])
            );
            return Err(Fault::new(relics_at, message, "too many for these chests"));
        }
        let relics_out = left[..more].iter().fold(0, |set, card| set | 1 << card);
        let taken = self.setup.gone | relics_out;
        Ok(Some(Snapshot {
            round,
            in_game: in_game & !taken,
            deck: in_game & !taken,
            revealed: 0,
            held: 0,
            piles: Vec::new(),
            claimed: if rules.counts_lost_relics() {
                (out + more) as u32
            } else {
                claimed
            },
            relics: self.named.relics.clone(),
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

    /// Checks that the cards that are gone can have left: each expedition removes at most one trap,
    /// the second of its kind.
    fn check_gone(&self, in_game: u64, round: u32) -> Result<(), Fault> {
        let rules = self.reader.rules;
        let gone = self.setup.gone;
        let fault = |message: String, label: &str| {
            Err(Fault::new(self.setup.gone_at.clone(), message, label))
        };
        let before = format!("before expedition {}", round + 1);
        if gone & !in_game != 0 {
            let message = format!("{before}, it had not joined the deck");
            return fault(message, "this one cannot be gone");
        }
        let traps = gone & rules.set_of(|card| matches!(card, Card::Trap(_)));
        if traps.count_ones() > round {
            let most = counted(round as usize, "trap");
            let message = format!("{before}, at most {most} can have left the game");
            return fault(message, "each expedition ends with one at most");
        }
        for (kind, name) in rules.traps.iter().enumerate() {
            let copies = rules.set_of(|card| card == Card::Trap(kind as u8));
            let left = (copies & !gone).count_ones();
            let kept = copies.count_ones().min(u32::from(rules.traps_to_end) - 1);
            if left < kept {
                let message = format!(
                    "at least {kept} {name} stays in the deck: only the trap that ends an expedition \
                         leaves it"
                );
                return fault(message, "too many of a kind");
            }
        }
        Ok(())
    }
}

/// Fails if what is known before the first card is written again, and otherwise.
pub(super) fn check_again<T: PartialEq>(
    before: Option<&T>,
    now: &T,
    span: Range<usize>,
) -> Result<(), Fault> {
    match before {
        Some(before) if before != now => Err(Fault::new(
            span,
            "written twice, with other numbers",
            "the second time",
        )),
        _ => Ok(()),
    }
}
