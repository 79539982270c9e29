//! Line-ups of a field of bots: all of them, or a random sample.

use crate::streams::{game_key, output};

/// Line-ups per bot of a sample: in fewer, a bot's win rate says little about other line-ups, and
/// chance may leave a bot out.
const DRAWN: f64 = 30.0;

/// Bots at a table; a bot may have several seats. If the order of seats matters, they change places
/// from game to game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The bot of each seat, as an index from 0.
    pub seats: Vec<usize>,
    /// Whether the bots were drawn by lot, each seat from the whole field.
    pub drawn: bool,
}

impl Entry {
    /// Most games of an entry: each has its own range of games, so entries share no luck.
    pub const GAMES_MAX: u64 = 1 << 32;

    fn of(seats: Vec<usize>) -> Entry {
        let drawn = false;
        Entry { seats, drawn }
    }

    pub fn first_game(index: usize) -> u64 {
        index as u64 * Entry::GAMES_MAX
    }

    pub fn copies(&self, bot: usize) -> usize {
        self.seats.iter().filter(|&&other| other == bot).count()
    }

    /// The opponents of `bot` here: the bots of the other seats, sorted.
    pub fn field(&self, bot: usize) -> Vec<usize> {
        let mut field = self.seats.clone();
        if let Some(own) = field.iter().position(|&other| other == bot) {
            field.remove(own);
        }
        field.sort_unstable();
        field
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineUps {
    pub bots: usize,
    pub players: usize,
    /// Whether every line-up of these bots is among the entries.
    pub complete: bool,
    pub entries: Vec<Entry>,
}

impl LineUps {
    /// Number of line-ups of `bots` bots at a table of `players`.
    pub fn number(bots: usize, players: usize) -> u128 {
        (1..=players as u128).fold(1, |number, seat| number * (bots as u128 - 1 + seat) / seat)
    }

    pub fn all(bots: usize, players: usize) -> LineUps {
        let mut entries = Vec::new();
        let mut seats = vec![0; players];
        loop {
            entries.push(Entry::of(seats.clone()));
            // The next in order: raises the last seat possible, and sets all after it to that bot.
            let Some(raised) = (0..players).rev().find(|&seat| seats[seat] + 1 < bots) else {
                break;
            };
            let bot = seats[raised] + 1;
            seats[raised..].fill(bot);
        }
        LineUps {
            bots,
            players,
            complete: true,
            entries,
        }
    }

    /// The fewest line-ups that rate all bots: all of them, or a [sample](LineUps::sample) in which
    /// each bot is drawn into `DRAWN` line-ups on average.
    pub fn least(bots: usize, players: usize) -> u128 {
        let apart = (1.0 - 1.0 / bots as f64).powi(players as i32);
        let pairs = bots as u128 * bots as u128;
        (pairs + (DRAWN / (1.0 - apart)).ceil() as u128).min(LineUps::number(bots, players))
    }

    /// Every bot against copies of every other, and up to `most` further line-ups with seats drawn
    /// by lot from the whole field.
    pub fn sample(bots: usize, players: usize, most: usize, seed: u64) -> LineUps {
        let pairs = (0..bots).flat_map(|bot| (0..bots).map(move |other| (bot, other)));
        let against = |(bot, other)| {
            let mut seats = vec![other; players];
            seats[0] = bot;
            Entry::of(seats)
        };
        let mut entries: Vec<Entry> = pairs.map(against).collect();
        // No game has this number, so the lots share no game's luck.
        let key = game_key(seed, u64::MAX);
        for index in entries.len()..most {
            let lot = |seat: usize| {
                let number = output(key, (index * players + seat) as u64);
                ((u128::from(number) * bots as u128) >> 64) as usize
            };
            let (seats, drawn) = ((0..players).map(lot).collect(), true);
            entries.push(Entry { seats, drawn });
        }
        LineUps {
            bots,
            players,
            complete: false,
            entries,
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/tournament/line_ups.rs"]
mod tests;
