//! Seating: bots change places from game to game, so that none profits from its place or its
//! neighbours.

use crate::diagnostic::counted;
use crate::formula::Formula;
use crate::formula::program::ProgramTooLarge;
use crate::strategy::{SEATS_MAX, Seat, SeatError, seat_names, table_labels};
use crate::streams;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// All orders in turn: over as many games as there are players each bot has every place once;
    /// then the neighbours change.
    #[default]
    EveryOrder,
    /// The neighbours stay, and each bot moves on by one place.
    Neighbours,
    Fixed,
}

/// Why bots cannot play together under some rules.
#[derive(Debug, thiserror::Error)]
pub enum SeatingError {
    #[error("{}: {title} is played by {min} to {max}", counted(*seats, "player"))]
    Players {
        seats: usize,
        title: &'static str,
        min: usize,
        max: usize,
    },
    #[error("seat {seat} ({label}) uses `{feature}`, {reason}")]
    Hidden {
        /// Seat, from 1.
        seat: usize,
        label: String,
        feature: &'static str,
        reason: &'static str,
    },
    #[error(transparent)]
    Seat(#[from] SeatError),
    #[error("the bots at this table are too large together: {0}")]
    TooLarge(#[from] ProgramTooLarge),
}

/// The bots of one game by their places. Places and bots count from 0.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    bots: [u8; SEATS_MAX],
    seats: usize,
}

impl Seating {
    /// The places of `seats` bots in game `game`. It depends on nothing else, so tables that play
    /// the same games seat their bots alike.
    pub fn places(self, seats: usize, game: u64) -> Places {
        let (order, shift) = match self {
            Seating::EveryOrder => (neighbours(seats, game / seats as u64), game),
            Seating::Neighbours => (neighbours(seats, 0), game),
            Seating::Fixed => (neighbours(seats, 0), 0),
        };
        let shift = (shift % seats as u64) as usize;
        let mut bots = [0; SEATS_MAX];
        for (at, &bot) in order[..seats].iter().enumerate() {
            let place = at + shift;
            bots[if place < seats { place } else { place - seats }] = bot;
        }
        Places { bots, seats }
    }
}

impl Places {
    #[inline(always)]
    pub fn bot_at(self, place: usize) -> usize {
        usize::from(self.bots[place])
    }

    pub fn bots(self) -> Vec<usize> {
        (0..self.seats).map(|place| self.bot_at(place)).collect()
    }
}

/// The bots in order `index` round the table, from the first bot on; order 0 is that of the seats.
/// All orders come once before one repeats, and successive orders differ much.
fn neighbours(seats: usize, index: u64) -> [u8; SEATS_MAX] {
    let mut order = std::array::from_fn(|bot| bot as u8);
    let mut orders: u64 = (1..seats as u64).product();
    let mut rest = index % orders * stride(orders) % orders;
    // The others one by one, each picked from the remaining ones.
    for place in 1..seats {
        orders /= (seats - place) as u64;
        let pick = place + (rest / orders) as usize;
        rest %= orders;
        order[place..=pick].rotate_right(1);
    }
    order
}

/// A step that visits all of `orders` orders before it repeats one.
fn stride(orders: u64) -> u64 {
    match orders {
        // About 0.6 of `orders`, and coprime to it.
        24 => 13,
        120 => 73,
        720 => 443,
        5040 => 3119,
        _ => 1,
    }
}

/// Seats that have the same bot, values and label.
pub struct Copies {
    /// `people, 5 seats`, or `people (seat 2)` of a single one.
    pub name: String,
    /// From 0.
    pub seats: Vec<usize>,
}

impl Copies {
    /// The sum of a number of each seat.
    pub fn sum(&self, of: impl Fn(usize) -> u64) -> u64 {
        self.seats.iter().map(|seat| of(*seat)).sum()
    }
}

/// The seats of a table by bot. Where copies do not change places in every order, their results
/// differ, so each seat is on its own.
pub fn copies(seats: &[Seat], seating: Seating) -> Vec<Copies> {
    let labels = table_labels(seats);
    let mut all: Vec<Copies> = Vec::new();
    for (at, (seat, label)) in seats.iter().zip(labels).enumerate() {
        let is_same = |of: &&mut Copies| seats[of.seats[0]] == *seat;
        let known = all.iter_mut().find(is_same);
        if let Some(of) = known.filter(|_| seating == Seating::EveryOrder) {
            of.seats.push(at);
            of.name = format!("{label}, {} seats", of.seats.len());
        } else {
            let (name, seats) = (format!("{label} (seat {})", at + 1), vec![at]);
            all.push(Copies { name, seats });
        }
    }
    all
}

/// Bots at a table where the order of seats matters.
pub struct Seated {
    pub formulas: Vec<Formula>,
    pub names: Vec<String>,
    pub copies: Vec<Copies>,
    pub seating: Seating,
}

/// Bots at their places in a game.
pub struct Sitting {
    /// The key of the game's random numbers.
    pub key: u64,
    pub places: Places,
    pub formulas: Vec<Formula>,
    pub names: Vec<String>,
}

/// For each bot, the first bot with the same formula.
pub fn first_alike(formulas: &[Formula]) -> Vec<usize> {
    let first = |own: &Formula| formulas.iter().position(|other| other == own);
    let bots = formulas.iter().enumerate();
    bots.map(|(bot, own)| first(own).unwrap_or(bot)).collect()
}

impl Seated {
    pub fn new(seats: &[Seat], seating: Seating) -> Seated {
        Seated {
            formulas: seats.iter().map(Seat::formula).collect(),
            names: seat_names(seats),
            copies: copies(seats, seating),
            seating,
        }
    }

    /// The bots at their places in game `game` of `seed`.
    pub fn in_game(&self, seed: u64, game: u64) -> Sitting {
        let places = self.seating.places(self.formulas.len(), game);
        self.at(places, streams::game_key(seed, game))
    }

    /// The bots at these places in the game of this key.
    pub fn at(&self, places: Places, key: u64) -> Sitting {
        let bots = places.bots();
        Sitting {
            key,
            formulas: bots.iter().map(|&bot| self.formulas[bot].clone()).collect(),
            names: bots.iter().map(|&bot| self.names[bot].clone()).collect(),
            places,
        }
    }
}

impl Sitting {
    /// Reorders values by place to values by seat.
    pub fn by_seat(&self, by_place: impl IntoIterator<Item = i32>) -> Vec<i32> {
        let mut by_seat = vec![0; self.names.len()];
        for (place, value) in by_place.into_iter().enumerate() {
            by_seat[self.places.bot_at(place)] = value;
        }
        by_seat
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/game/seating.rs"]
mod tests;
