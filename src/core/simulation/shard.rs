//! Shards: ranges of the games of a study, each for one machine.
//!
//! A shard plays the same games at every table. Which they are follows from the number of games and
//! of shards alone, so the sums of all shards add up to those of a single run.

use super::Round;
use super::part::{PARTS, Part, most_games};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub const SHARDS_MAX: u64 = 100_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u64,
    pub of: u64,
}

/// What a run does with the shards of its study.
#[derive(Debug, Clone, Copy)]
pub enum Sharing {
    Play(Shard),
    /// Adds up the finished games of this number of shards, and plays none.
    Merge(u64),
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= SHARDS_MAX => {
                Ok(Shard { number, of })
            }
            _ => Err(format!(
                "write K/N: the number of the shard and how many there are, such as 3/16; at most \
                 {SHARDS_MAX}"
            )),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Its games, of all these at each table.
    pub fn games(self, all: &Range<u64>) -> Range<u64> {
        let games = u128::from(all.end - all.start);
        let border = |shards| all.start + (games * u128::from(shards) / u128::from(self.of)) as u64;
        border(self.number - 1)..border(self.number)
    }
}

impl Sharing {
    fn shards(self) -> impl Iterator<Item = Shard> {
        let (numbers, of) = match self {
            Sharing::Play(Shard { number, of }) => (number..=number, of),
            Sharing::Merge(of) => (1..=of, of),
        };
        numbers.map(move |number| Shard { number, of })
    }

    /// The pieces of a round that these shards play, each with the index of its part. A shard that
    /// is not short has about as many as an unshared part: few sums, and little is lost when it is
    /// killed.
    pub(super) fn pieces<'a>(self, round: &Round<'a>) -> Vec<(usize, Part<'a>)> {
        let starts = round.parts.iter().map(|part| part.first[0]);
        let ends = round.parts.iter().map(|part| part.first[0] + part.games);
        let all = starts.min().unwrap_or(0)..ends.max().unwrap_or(0);
        let mut pieces = Vec::new();
        for shard in self.shards() {
            let own = shard.games(&all);
            let of_part = |part: &Part| {
                let range = [own.start, own.end].map(|game| game.saturating_sub(part.first[0]));
                range.map(|game| game.min(part.games))
            };
            let ranges = round.parts.iter().map(of_part);
            let games = ranges.clone().map(|[from, end]| end - from);
            let share = games.fold(0, u64::saturating_add) / PARTS;
            for ((at, part), [from, end]) in round.parts.iter().enumerate().zip(ranges) {
                let least = most_games(&part.tables, round.games.chunk).max(share);
                pieces.extend(part.split(from, end, least).map(|piece| (at, piece)));
            }
        }
        pieces
    }
}
