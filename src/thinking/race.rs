//! What the options of a decision are worth, by playouts: a race among them.
//!
//! All options of a decision meet the same luck, so that they are compared playout by playout. Those
//! that are clearly worse are dropped, and a decision that is settled gets no more playouts (rollouts
//! at the root: Tesauro and Galperin 1996; racing: Maron and Moore 1994; sequential halving: Karnin,
//! Koren and Somekh 2013).

use crate::game::moments::{Moments, Playouts, Position};
use crate::game::{Layout, MetricRef, Play, SCORE_MEAN, WIN_SHARE};
use crate::simulation::Ending;
use crate::simulation::race::Race;
use crate::statistics::{Estimate, best_set_z};
use std::ops::Range;

/// A decision whose options are tried.
pub struct Trial<'a> {
    /// How the game stands.
    pub position: &'a Position,
    /// How many options there are, at least two.
    pub options: usize,
    /// The one that is taken unless another is better.
    pub chosen: usize,
    pub seat: usize,
    /// The number of its first playout.
    pub first: u64,
}

/// What came out of a trial.
pub struct Tried {
    /// The best option: of equals the chosen one, or else the first.
    pub best: usize,
    /// By how much it is better than the chosen one, in the playouts that both had.
    pub gain: Estimate,
    pub options: Vec<Worth>,
    /// By how much each is worth less than the best, in the playouts that both had when it was last
    /// looked at.
    pub behind: Vec<Estimate>,
}

/// What an option is worth.
pub struct Worth {
    pub win_share: Estimate,
    pub score_mean: Estimate,
    /// Playouts that tell it.
    pub playouts: u64,
}

impl Worth {
    /// What a cell of a race is worth to `seat`.
    pub fn of(race: &Race, layout: &Layout, cell: usize, seat: usize) -> Worth {
        let tally = &race.tallies[cell];
        Worth {
            win_share: tally.seat(layout, WIN_SHARE, seat),
            score_mean: tally.seat(layout, SCORE_MEAN, seat),
            playouts: tally.games,
        }
    }
}

/// Plays so many more playouts of a race; tells whether all of them were.
pub type PlayMore<'p, E> = dyn FnMut(&mut Race, Range<u64>) -> Result<Ending, E> + 'p;

/// How options are tried.
pub struct Tries<'a> {
    /// The table that plays on.
    pub table: &'a dyn Moments,
    /// Its layout, made [bare](Layout::bare).
    pub layout: &'a Layout,
    /// How many playouts an option has had at each look.
    pub looks: &'a [u64],
    /// Where only the best option is sought: how many standard errors it must be above the chosen
    /// one. Then the worse half is dropped at each look, but not the chosen one before that is
    /// clear. Otherwise what all options are worth is to be told, too.
    pub sigmas: Option<f64>,
}

impl Tries<'_> {
    /// What is wanted: who is alone always wins.
    fn metric(&self) -> &'static str {
        match self.layout.seats {
            1 => SCORE_MEAN,
            _ => WIN_SHARE,
        }
    }

    /// Tries the options of decisions, where `play` plays more playouts of a race; `None` when it was
    /// told to stop.
    pub fn race<E>(
        &self,
        trials: &[Trial],
        play: &mut PlayMore<'_, E>,
    ) -> Result<Option<Vec<Tried>>, E> {
        let mut tables = Vec::new();
        let mut cells = Vec::new();
        let mut owner = Vec::new();
        for (number, trial) in trials.iter().enumerate() {
            let first = tables.len();
            tables.extend((0..trial.options).map(|option| Playouts {
                moments: self.table,
                layout: self.layout,
                from: (trial.position, Some(option)),
            }));
            cells.push(first..tables.len());
            owner.resize(tables.len(), number);
        }
        let metric = |cell: usize| MetricRef::of_seat(self.metric(), trials[owner[cell]].seat);
        let groups = cells.iter().zip(trials);
        let groups = groups.map(|(cells, trial)| (cells.clone().collect(), trial.first));
        let all: Vec<&dyn Play> = tables.iter().map(|table| table as _).collect();
        let mut race = Race::new(all, groups, &|_, cell| vec![metric(cell)]);
        let mut best: Vec<usize> = cells.iter().map(|cells| cells.start).collect();
        let mut behind = vec![Estimate::UNKNOWN; owner.len()];
        let mut gains = vec![Estimate::UNKNOWN; trials.len()];
        let mut from = 0;
        for &to in self.looks {
            if play(&mut race, from..to)? == Ending::Stopped {
                return Ok(None);
            }
            from = to;
            let mut staying: Vec<Vec<usize>> = vec![Vec::new(); trials.len()];
            race.remaining()
                .for_each(|cell| staying[owner[cell]].push(cell));
            let mut kept = vec![false; owner.len()];
            for (number, own) in staying
                .iter_mut()
                .enumerate()
                .filter(|(_, own)| !own.is_empty())
            {
                let chosen = cells[number].start + trials[number].chosen;
                let value = |cell: usize| {
                    let worth = race.estimate(cell, metric(cell));
                    worth.map_or(f64::NEG_INFINITY, |worth| worth.value)
                };
                own.sort_by(|&a, &b| {
                    let by = value(b).total_cmp(&value(a));
                    by.then((b == chosen).cmp(&(a == chosen))).then(a.cmp(&b))
                });
                let leader = own[0];
                best[number] = leader;
                let above = |cell| {
                    if leader == cell {
                        Some(Estimate::normal(0.0, 0.0))
                    } else {
                        race.difference(metric(cell), leader, cell)
                    }
                };
                for &cell in own.iter() {
                    behind[cell] = above(cell).unwrap_or(Estimate::UNKNOWN);
                }
                if own.contains(&chosen) {
                    gains[number] = above(chosen).unwrap_or(Estimate::UNKNOWN);
                }
                let clear = best_set_z(trials[number].options, self.looks.len());
                let clear = clear.max(self.sigmas.unwrap_or(0.0));
                own.retain(|&cell| above(cell).is_none_or(|by| by.value <= clear * by.se));
                if self.sigmas.is_some() {
                    let half = own.len().div_ceil(2).max(2);
                    let mut rank = 0..;
                    own.retain(|&cell| rank.next() < Some(half) || cell == chosen);
                }
                if own.len() > 1 {
                    own.iter().for_each(|&cell| kept[cell] = true);
                }
            }
            race.keep(&|_, cell| kept[cell]);
            if race.remaining().next().is_none() {
                break;
            }
        }
        let tried = (0..trials.len()).map(|number| Tried {
            best: best[number] - cells[number].start,
            gain: gains[number],
            behind: behind[cells[number].clone()].to_vec(),
            options: (cells[number].clone())
                .map(|cell| Worth::of(&race, self.layout, cell, trials[number].seat))
                .collect(),
        });
        Ok(Some(tried.collect()))
    }
}
