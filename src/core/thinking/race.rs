//! The worth of the options of a decision, by playouts: a race among them.
//!
//! All options of a decision play the same luck, so they are compared playout by playout. Clearly
//! worse options are dropped, and a settled decision gets no more playouts (rollouts at the root:
//! Tesauro and Galperin 1996; racing: Maron and Moore 1994; sequential halving: Karnin, Koren and
//! Somekh 2013).

use crate::game::moments::{Playouts, Position};
use crate::game::{Layout, MetricRef, Play, SCORE_MEAN, Table, WIN_SHARE};
use crate::simulation::{Experiment, Games, Stopped};
use crate::statistics::{Estimate, best_set_z};
use std::ops::Range;

pub struct Trial<'a> {
    pub position: &'a Position,
    /// Number of options, at least two.
    pub options: usize,
    /// The option that is taken unless another is better.
    pub chosen: usize,
    pub seat: usize,
    /// The number of its first playout.
    pub first: u64,
}

pub struct Tried {
    /// The best option; among equals the chosen one, otherwise the first.
    pub best: usize,
    /// The gain of the best option over the chosen one, in the playouts of both.
    pub gain: Estimate,
    pub options: Vec<Worth>,
    /// How much less each is worth than the best, in the playouts of both at its last look.
    pub behind: Vec<Estimate>,
}

#[derive(PartialEq)]
pub struct Worth {
    pub win_share: Estimate,
    pub score_mean: Estimate,
    /// Playouts behind these figures.
    pub playouts: u64,
}

impl Worth {
    pub fn of(race: &Experiment, layout: &Layout, cell: usize, seat: usize) -> Worth {
        let tally = &race.tallies[cell];
        Worth {
            win_share: tally.seat(layout, WIN_SHARE, seat),
            score_mean: tally.seat(layout, SCORE_MEAN, seat),
            playouts: tally.games,
        }
    }

    /// What options are compared by: a player who is `alone` always wins, and compares scores.
    pub fn figure(&self, alone: bool) -> Estimate {
        if alone {
            self.score_mean
        } else {
            self.win_share
        }
    }
}

pub type PlayOn<'p> = dyn FnMut(&mut Experiment, Range<u64>) -> Result<(), Stopped> + 'p;

pub struct Tries<'a> {
    /// The table that plays the playouts.
    pub table: &'a dyn Table,
    /// Its layout, made [bare](Layout::bare).
    pub layout: &'a Layout,
    /// Playouts of an option at each look.
    pub looks: &'a [u64],
    /// With a value, only the best option is sought: it must be this many standard errors above the
    /// chosen one. Each look then drops the worse half, but not the chosen option before that is
    /// clear. Without one, every option is measured.
    pub sigmas: Option<f64>,
}

impl Tries<'_> {
    /// Tries the options of decisions; `play` plays further playouts.
    pub fn race(
        &self,
        trials: &[Trial],
        games: Games,
        play: &mut PlayOn,
    ) -> Result<Vec<Tried>, Stopped> {
        let mut tables = Vec::new();
        let mut cells = Vec::new();
        for trial in trials {
            let first = tables.len();
            tables.extend((0..trial.options).map(|option| Playouts {
                table: self.table,
                layout: self.layout,
                from: (trial.position, Some(option)),
            }));
            cells.push(first..tables.len());
        }
        let groups = cells.iter().zip(trials);
        let groups = groups.map(|(cells, trial)| (cells.clone().collect(), trial.first));
        let metrics = |_, cell: usize| {
            let trial = cells.partition_point(|own| own.end <= cell);
            vec![self.metric_of(&trials[trial])]
        };
        let all = tables.iter().map(|table| table as &dyn Play).collect();
        let mut race = Experiment::new(all, games, groups, &metrics);
        let untried = |trial: &Trial| Tried {
            best: 0,
            gain: Estimate::UNKNOWN,
            options: Vec::new(),
            behind: vec![Estimate::UNKNOWN; trial.options],
        };
        let mut tried: Vec<Tried> = trials.iter().map(untried).collect();
        let mut from = 0;
        for &to in self.looks {
            play(&mut race, from..to)?;
            from = to;
            let mut going_on = Vec::new();
            for (number, trial) in trials.iter().enumerate() {
                let remaining = race.remaining().filter(|cell| cells[number].contains(cell));
                let remaining: Vec<usize> = remaining.collect();
                if !remaining.is_empty() {
                    let first = cells[number].start;
                    let staying = self.look(&race, trial, first, remaining, &mut tried[number]);
                    going_on.extend(staying);
                }
            }
            going_on.sort_unstable();
            race.keep(&|cell| going_on.binary_search(&cell).is_ok());
            if going_on.is_empty() {
                break;
            }
        }
        for ((tried, trial), cells) in tried.iter_mut().zip(trials).zip(cells) {
            let options = cells.map(|cell| Worth::of(&race, self.layout, cell, trial.seat));
            tried.options = options.collect();
        }
        Ok(tried)
    }

    /// The metric to compare by: the score for a single player, who always wins.
    fn metric_of(&self, trial: &Trial) -> MetricRef {
        let name = match self.layout.seats {
            1 => SCORE_MEAN,
            _ => WIN_SHARE,
        };
        MetricRef::of_seat(name, trial.seat)
    }

    /// Notes the estimates of a trial with first cell `first`; returns the cells that go on, unless
    /// the trial is settled.
    fn look(
        &self,
        race: &Experiment,
        trial: &Trial,
        first: usize,
        mut remaining: Vec<usize>,
        tried: &mut Tried,
    ) -> Vec<usize> {
        let metric = self.metric_of(trial);
        let chosen = first + trial.chosen;
        let value = |cell: usize| {
            let worth = race.estimate(cell, metric);
            worth.map_or(f64::NEG_INFINITY, |worth| worth.value)
        };
        remaining.sort_by(|&a, &b| {
            let by = value(b).total_cmp(&value(a));
            by.then((b == chosen).cmp(&(a == chosen))).then(a.cmp(&b))
        });
        let leader = remaining[0];
        tried.best = leader - first;
        let clear = best_set_z(trial.options, self.looks.len()).max(self.sigmas.unwrap_or(0.0));
        let mut staying = Vec::new();
        for &cell in &remaining {
            let above = race.difference(metric, leader, cell);
            tried.behind[cell - first] = above.unwrap_or(Estimate::UNKNOWN);
            if above.is_none_or(|by| by.value <= clear * by.se) {
                staying.push(cell);
            }
        }
        if remaining.contains(&chosen) {
            tried.gain = tried.behind[trial.chosen];
        }
        if self.sigmas.is_some() {
            let half = staying.len().div_ceil(2).max(2);
            let mut rank = 0..;
            staying.retain(|&cell| rank.next() < Some(half) || cell == chosen);
        }
        if staying.len() < 2 {
            staying.clear();
        }
        staying
    }
}
