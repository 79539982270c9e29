//! Bots at a table where the order of seats matters: by seat, and by place in each game.

use super::{Places, Seating};
use crate::formula::Formula;
#[cfg(test)]
use crate::formula::Vocabulary;
use crate::strategy::{Seat, seat_names};
use crate::streams;

pub struct Seated {
    pub formulas: Vec<Formula>,
    pub names: Vec<String>,
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
            seating,
        }
    }

    /// Bots with such formulas, without names.
    #[cfg(test)]
    pub fn of_texts(texts: &[&str], vocabulary: &Vocabulary, seating: Seating) -> Seated {
        let formula = |text: &&str| Formula::parse(text, &[], vocabulary).unwrap().bind(&[]);
        Seated {
            formulas: texts.iter().map(formula).collect(),
            names: vec![String::new(); texts.len()],
            seating,
        }
    }

    /// The bots at their places in game `game` of `seed`.
    pub fn in_game(&self, seed: u64, game: u64) -> Sitting {
        let places = self.seating.places(self.formulas.len(), game);
        let bots = places.bots();
        Sitting {
            key: streams::game_key(seed, game),
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
