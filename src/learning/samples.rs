//! Decisions of games, and what playouts say that their options are worth.
//!
//! All options of a decision meet the same luck, so that they are compared playout by playout. The
//! worse half is dropped at each look: what matters is which of the good ones is better.

use crate::game::moments::{Guide, Moments, Position, Standing};
use crate::game::{Layout, Record, SCORE, Table, WIN, WIN_UNITS};
use crate::streams;
use fearless_simd::Level;
use serde::{Deserialize, Serialize};

/// The looks of a trial: what parts of the playouts an option has had by then.
const LOOKS: [u64; 3] = [4, 2, 1];

/// A decision, and what its options are worth.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What a bot sees of each option.
    pub options: Vec<Vec<f32>>,
    /// The one that was taken.
    pub chosen: usize,
    /// What each is worth.
    pub worths: Vec<Told>,
}

/// What playouts tell of an option.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Told {
    /// Mean share of the wins.
    pub wins: f32,
    /// Mean score.
    pub score: f32,
    /// Playouts of it.
    pub playouts: u32,
}

/// How decisions are sampled.
#[derive(Clone, Copy)]
pub struct Sampling {
    /// Most playouts of an option.
    pub playouts: u64,
    /// Of so many decisions one is a sample.
    pub every: u64,
    /// Seed of the games.
    pub seed: u64,
}

/// A table whose games are taken apart, and the one that plays on.
pub struct Sampler<'a> {
    /// The table whose games are taken apart.
    pub table: &'a dyn Table,
    /// The table that plays on.
    pub going_on: &'a dyn Moments,
    /// How.
    pub sampling: Sampling,
    /// Only decisions of this seat are samples, if one is given.
    pub only: Option<usize>,
    /// Vector instructions to use.
    pub level: Level,
}

/// A decision on its way to be a sample.
struct Found {
    position: Position,
    seat: usize,
    sample: Sample,
    /// The number of its first playout.
    first: u64,
}

/// Takes decisions out of a game.
struct Finder {
    sampling: Sampling,
    only: Option<usize>,
    key: u64,
    asked: u64,
    found: Vec<Found>,
}

impl Guide for Finder {
    fn begin(&mut self, game: u64) {
        self.key = streams::game_key(self.sampling.seed, game);
        self.asked = 0;
    }

    fn decide(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let drawn = streams::output(self.key, 2 * streams::UNIFORM_BASE + self.asked);
        self.asked += 1;
        let wanted = self.only.is_none_or(|only| only == seat);
        if wanted && drawn.is_multiple_of(self.sampling.every) {
            self.found.push(Found {
                position: (stands.position)(),
                seat,
                sample: Sample {
                    options: (0..options).map(stands.features).collect(),
                    chosen,
                    worths: vec![Told::default(); options],
                },
                // Far from the end of what can be counted, as playouts are counted from there.
                first: streams::mix(drawn) >> 1,
            });
        }
        chosen
    }
}

impl Sampler<'_> {
    /// The samples of a game; what their options are worth may be `known`.
    pub fn samples(&self, game: u64, known: Option<&[Vec<Told>]>) -> Vec<Sample> {
        let mut finder = Finder {
            sampling: self.sampling,
            only: self.only,
            key: 0,
            asked: 0,
            found: Vec::new(),
        };
        let mut record = Record::new(self.table.layout(), 1);
        record.clear(1);
        let seed = self.sampling.seed;
        self.table.guided(seed, game, &mut finder, &mut record);
        if let Some(known) = known {
            let found = finder.found.into_iter().zip(known);
            let sample = |(found, worths): (Found, &Vec<Told>)| Sample {
                worths: worths.clone(),
                ..found.sample
            };
            return found.map(sample).collect();
        }
        let layout = self.table.layout().bare();
        let mut record = Record::new(&layout, self.sampling.playouts as usize);
        let found = finder.found.into_iter();
        found
            .map(|found| self.tried(found, &layout, &mut record))
            .collect()
    }

    /// Tries the options of a decision.
    fn tried(&self, found: Found, layout: &Layout, record: &mut Record) -> Sample {
        let Found {
            position,
            seat,
            mut sample,
            first,
        } = found;
        let most = self.sampling.playouts;
        let mut going: Vec<usize> = (0..sample.options.len()).collect();
        let mut from = 0;
        for part in LOOKS {
            let to = (most / part).max(1);
            if to == from {
                continue;
            }
            record.clear((to - from) as usize);
            for &option in &going {
                let branch = (&position, Some(option));
                let luck = (self.sampling.seed, first.wrapping_add(from));
                self.going_on.play_on(self.level, branch, luck, record);
                let sum = |outcome: usize| -> i64 {
                    let column = record.column(layout.seat_column(seat, outcome));
                    column.iter().map(|&value| i64::from(value)).sum()
                };
                let told = &mut sample.worths[option];
                let mean = |before: f32, sum: f64| {
                    ((f64::from(before) * from as f64 + sum) / to as f64) as f32
                };
                told.wins = mean(told.wins, sum(WIN) as f64 / f64::from(WIN_UNITS));
                told.score = mean(told.score, sum(SCORE) as f64);
                told.playouts = to as u32;
            }
            from = to;
            let value = |option: usize| sample.worths[option].wins;
            going.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
            let half = going.len().div_ceil(2).max(2);
            let mut rank = 0..;
            let chosen = sample.chosen;
            going.retain(|&option| rank.next() < Some(half) || option == chosen);
        }
        sample
    }
}
