//! Players who leave.

use super::token::{EXAMPLE, Kind, LEAVE, NUMBERS, is};
use super::{State, WAYS_MAX};
use crate::diagnostic::Fault;
use std::ops::Range;

impl State<'_> {
    /// Reads `@2 @4 leave`, `2 leave`, `all leave`, `me leaves`, `nobody leaves`.
    pub(super) fn leave(&mut self) -> Result<(), Fault> {
        if self.reader.rules.decides_at_entrance() && !self.inside {
            self.enter()?;
        }
        let from = self.at;
        let first = self.span(from);
        let inside = self.game.inside();
        let taken = self.leavers.clone().unwrap_or_default();
        let mut leavers = Vec::new();
        let mut unnamed = None;
        while !self.is_word(self.at, LEAVE) {
            let span = self.span(self.at);
            let before = self.at.wrapping_sub(1);
            match self.kind(self.at) {
                Some(Kind::Seat(seat)) => leavers.push((self.seat(seat, span.clone())?, span)),
                Some(Kind::Word(word)) if is(word, "seat seats and no") => {}
                Some(Kind::Number(seat)) if self.is_word(from, "seat seats") => {
                    leavers.push((self.seat(seat, span.clone())?, span));
                }
                Some(Kind::Number(number)) => unnamed = Some((number as usize, span)),
                Some(Kind::Word(word)) if is(word, "me i") => {
                    let label = "write @ and the seat";
                    let fault = Fault::new(span.clone(), "which seat is this?", label);
                    leavers.push((self.reader.me.ok_or(fault)?, span));
                }
                Some(Kind::Word(word)) if is(word, "all everyone everybody") => {
                    let rest = inside.iter().filter(|seat| !taken.contains(seat));
                    leavers.extend(rest.map(|&seat| (seat, span.clone())));
                }
                Some(Kind::Word(word)) if is(word, "nobody none") => {}
                Some(Kind::Word(word)) if is(word, "one") && self.is_word(before, "no") => {}
                Some(Kind::Word(word)) if is(word, NUMBERS) => {
                    let number = NUMBERS.split(' ').position(|name| is(word, name));
                    unnamed = number.map(|number| (number + 1, span));
                }
                _ => {
                    let span = first.start..self.span(self.at.saturating_sub(1)).end;
                    let fault = Fault::new(span, "`leave` is missing", "`leave` should follow");
                    return Err(fault.with_help(EXAMPLE.to_owned()));
                }
            }
            self.at += 1;
        }
        let whole = first.start..self.span(self.at).end;
        if let Some((number @ 2.., _)) = unnamed
            && self.is_word(self.at, "leaves goes")
            && leavers.is_empty()
        {
            let message = format!("does seat {number} leave, or do {number} players?");
            let fault = Fault::new(whole, message, "ambiguous");
            let help = format!("@{number} leaves: seat {number}; {number} leave: {number} players");
            return Err(fault.with_help(help));
        }
        self.at += 1;
        if self.leavers.is_none() {
            let message = if self.inside {
                "a card must come before players can leave again"
            } else {
                "the first card must come before players can leave"
            };
            let label = "no card since the last decision";
            return Err(Fault::new(whole, message, label));
        }
        for (seat, span) in &leavers {
            if !inside.contains(seat) || taken.contains(seat) {
                let message = format!("@{} has left already", seat + 1);
                let label = format!("{} inside", self.those_inside());
                return Err(Fault::new(span.clone(), message, label));
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
        // After the last explorer leaves, the expedition is over without another card.
        if all.len() == self.game.inside().len() {
            self.settle();
        }
        Ok(())
    }

    fn seat(&self, seat: u32, span: Range<usize>) -> Result<usize, Fault> {
        let players = self.reader.players;
        if (1..=players).contains(&(seat as usize)) {
            return Ok(seat as usize - 1);
        }
        let message = format!("there is no such seat; seats are @1 to @{players}");
        Err(Fault::new(span, message, "no such seat"))
    }

    /// `number` of the `others` leave; the text does not say which.
    fn unnamed(
        &mut self,
        number: usize,
        others: &[usize],
        span: Range<usize>,
    ) -> Result<Vec<usize>, Fault> {
        let Some(way) = self.reader.way else {
            let fault = Fault::new(span, "which players leave?", "only a number");
            return Err(fault.with_help("name their seats: @2 @5 leave".to_owned()));
        };
        if number > others.len() {
            let message = format!("{number} cannot leave: {} could", others.len());
            let fault = Fault::new(span, message, "how many leave");
            return Err(fault.with_help("a seat has an @: @2 leaves".to_owned()));
        }
        let mut groups = groups(others, number);
        let group = way / self.ways % groups.len();
        self.ways *= groups.len();
        if self.ways <= WAYS_MAX {
            Ok(groups.swap_remove(group))
        } else {
            let fault = Fault::new(span, "too many ways to read this", "which players leave?");
            Err(fault.with_help("name some of them by their seats: @2 @5 leave".to_owned()))
        }
    }

    pub(super) fn those_inside(&self) -> String {
        let taken = self.leavers.as_deref().unwrap_or_default();
        let mut inside = self.game.inside();
        inside.retain(|seat| !taken.contains(seat));
        let inside: Vec<String> = inside.iter().map(|seat| format!("@{}", seat + 1)).collect();
        match inside.len() {
            0 => "no player is".to_string(),
            1 => format!("{} is", inside[0]),
            _ => format!("{} are", inside.join(" ")),
        }
    }
}

pub fn groups(seats: &[usize], number: usize) -> Vec<Vec<usize>> {
    let sets = (0u32..1 << seats.len()).filter(|set| set.count_ones() as usize == number);
    let group = |set: u32| {
        let own = (0..seats.len()).filter(|at| set >> at & 1 == 1);
        own.map(|at| seats[at]).collect()
    };
    sets.map(group).collect()
}
