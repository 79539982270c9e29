//! Shards: how the rounds of a study are divided among machines.
//!
//! The games of a round form one line, part after part. A shard of N plays one N-th of the line, so
//! most parts belong to one shard, and only those at a border to two. The division follows from the
//! round and N alone.

use super::part::{Going, Part, parts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

pub const SHARDS_MAX: u64 = 100_000;
/// Chunks of a round below which every shard plays all of it, unless it is the last: faster than
/// waiting for the others.
const SMALL: u64 = 256;
/// Most chunks of a piece of work: about a minute that may be lost.
const LONG: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u64,
    pub of: u64,
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

/// A sharded study and its progress.
#[derive(Debug, Default)]
pub struct Sharing {
    of: u64,
    /// The shard being played; `None` when merging.
    own: Option<u64>,
    /// Sharded rounds so far.
    pub rounds: u64,
    /// The shards that have not reported the games of their last part.
    pub missing: BTreeSet<u64>,
    /// The cells still in play in the last of them.
    pub going: Option<Going>,
}

/// A part of a round, or a piece of one that one shard plays.
pub(super) struct Cut<'a> {
    /// Index of the part it was cut from.
    pub of: usize,
    /// Its games, under a unique name.
    pub part: Part<'a>,
    /// The shard that plays the part; `None` if every shard plays it, and none saves it.
    pub shard: Option<u64>,
}

impl Sharing {
    pub fn shard(shard: Shard) -> Sharing {
        Sharing {
            own: Some(shard.number),
            ..Sharing::merge(shard.of)
        }
    }

    /// Merges the results of `of` shards without playing any.
    pub fn merge(of: u64) -> Sharing {
        Sharing {
            of,
            ..Sharing::default()
        }
    }

    pub(super) fn plays(&self, cut: &Cut) -> bool {
        cut.shard.is_none() || cut.shard == self.own
    }

    /// Cuts the parts of a round at the borders between shards; `last` is whether no other round
    /// follows.
    pub(super) fn cut<'a>(
        &mut self,
        round: &[Part<'a>],
        going: Option<Going>,
        last: bool,
        chunk: u64,
    ) -> Vec<Cut<'a>> {
        let tables = |part: &Part| part.tables.len().max(1) as u64;
        let length = |part: &Part| u128::from(part.games) * u128::from(tables(part));
        let line: u128 = round.iter().map(length).sum();
        if !last && line < u128::from(SMALL * chunk) {
            return whole(round);
        }
        self.rounds += 1;
        self.going = going;
        let mut all = Vec::new();
        let mut shard = 1;
        let mut start = 0;
        for (at, part) in round.iter().enumerate() {
            let tables = tables(part);
            let end = start + length(part);
            let mut from = 0;
            while from < part.games {
                let border = line * u128::from(shard) / u128::from(self.of);
                let to = if border < end {
                    (border.saturating_sub(start) / u128::from(tables)) as u64
                } else {
                    part.games
                };
                let least = (LONG * chunk / tables).max(1);
                all.extend(parts(from, to, least).map(|(from, games)| Cut {
                    of: at,
                    part: part.some(from, games),
                    shard: Some(shard),
                }));
                from = to;
                shard += u64::from(border < end);
            }
            start = end;
        }
        all
    }
}

/// All parts, uncut, each played by every shard.
pub(super) fn whole<'a>(round: &[Part<'a>]) -> Vec<Cut<'a>> {
    let cut = |(of, part): (usize, &Part<'a>)| Cut {
        of,
        part: part.clone(),
        shard: None,
    };
    round.iter().enumerate().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(games: &[u64]) -> Vec<Part<'static>> {
        let part = |(at, &games): (usize, &u64)| Part {
            name: format!("part {at}"),
            tables: vec![],
            first: vec![],
            games,
            products: [].into(),
        };
        games.iter().enumerate().map(part).collect()
    }

    #[test]
    fn shards_are_written_as_fractions() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!((shard.number, shard.of), (3, 16));
        assert_eq!(shard.to_string(), "3/16");
        for wrong in [
            "", "3", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/200000", "1/2/3",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    /// Whatever the sizes, every game is in exactly one part, and shards get about as much each.
    #[test]
    fn every_game_is_played_once() {
        for games in [
            &[7u64, 1, 30][..],
            &[1],
            &[100; 9],
            &[1, 1, 1],
            &[1 << 40, 5],
        ] {
            for of in [1, 2, 3, 7, 50] {
                let round = round(games);
                let all: u64 = games.iter().sum();
                let parts = Sharing::merge(of).cut(&round, None, true, 1);
                let (mut at, mut next) = (0, 0);
                let mut own = vec![0; of as usize];
                for cut in &parts {
                    if next == games[at] {
                        (at, next) = (at + 1, 0);
                    }
                    let whole = cut.part.games == games[at];
                    let name = if whole {
                        format!("part {at}")
                    } else {
                        format!("part {at} + {next}")
                    };
                    assert_eq!((cut.of, &cut.part.name), (at, &name));
                    assert!(cut.part.games > 0);
                    next += cut.part.games;
                    own[cut.shard.unwrap() as usize - 1] += cut.part.games;
                }
                assert_eq!((at, next), (games.len() - 1, games[at]));
                let fair = all / of;
                let is_fair = own.iter().all(|own| (fair..=fair + 1).contains(own));
                assert!(is_fair, "{own:?}");
            }
        }
    }

    #[test]
    fn small_rounds_are_played_by_everyone_unless_they_are_the_last() {
        let round = round(&[100, 50]);
        let mut sharing = Sharing::merge(2);
        let cuts = sharing.cut(&round, None, false, 1);
        assert!(cuts.iter().all(|cut| sharing.plays(cut)));
        assert_eq!(sharing.rounds, 0);
        let cuts = sharing.cut(&round, None, true, 1);
        assert!(!cuts.iter().any(|cut| sharing.plays(cut)));
        assert_eq!(sharing.rounds, 1);
    }
}
