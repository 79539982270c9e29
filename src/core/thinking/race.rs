//! The worth of the options of a decision, by playouts: a race among them.
//!
//! All options of a decision play the same luck, so they are compared playout by playout. Clearly
//! worse options are dropped, and a settled decision gets no more playouts (rollouts at the root:
//! Tesauro and Galperin 1996; racing: Maron and Moore 1994; sequential halving: Karnin, Koren and
//! Somekh 2013).

use crate::game::moments::Position;
use crate::game::{Layout, MetricRef, Play, Record, SCORE_MEAN, Table, WIN_SHARE};
use crate::simulation::{Experiment, Games, HERE, RoundInfo, Stopped, until};
use crate::statistics::{Estimate, best_set_z};
use fearless_simd::Level;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// New playouts of an option, when it is measured, for each one in the race.
pub const NEW: u64 = 4;

pub struct Trial<'a> {
    /// Equally likely positions.
    pub positions: &'a [Position],
    /// Number of options, at least two.
    pub options: usize,
    /// The option that is taken unless another is better.
    pub chosen: usize,
    pub seat: usize,
    /// The number of its first playout.
    pub first: u64,
    /// What a race found. Then only the options are measured, those for longer that were in the
    /// race for longer.
    pub raced: Option<&'a Advice>,
}

/// What the options of a decision are worth.
#[derive(Clone)]
pub struct Advice {
    /// The best option; among equals the chosen one, otherwise the first.
    pub best: usize,
    pub options: Vec<Worth>,
    /// By option, how much less it is worth than the best, in the playouts of both.
    pub behind: Vec<Worth>,
    /// Whether the player has no opponents, always wins, and compares scores.
    is_alone: bool,
}

impl Advice {
    /// Before any playout of this many options.
    pub fn unknown(options: usize, is_alone: bool) -> Advice {
        let unknown = Worth {
            win_share: Estimate::UNKNOWN,
            score_mean: Estimate::UNKNOWN,
            playouts: 0,
        };
        Advice {
            best: 0,
            options: vec![unknown; options],
            behind: vec![unknown; options],
            is_alone,
        }
    }

    /// How much less an option is worth than the best: in win share, or for a lone player in score.
    pub fn cost(&self, option: usize) -> Estimate {
        self.behind[option].figure(self.is_alone)
    }

    /// What an option is compared by.
    pub fn value(&self, option: usize) -> Estimate {
        self.options[option].figure(self.is_alone)
    }

    /// Some options by their worth, the `first` before all others.
    pub fn rank(&self, mut options: Vec<usize>, first: usize) -> Vec<usize> {
        options.sort_by(|&a, &b| {
            let by = (b == first).cmp(&(a == first));
            by.then(self.value(b).value.total_cmp(&self.value(a).value))
        });
        options
    }

    /// Whether an option won the same as the best in every playout.
    pub fn wins_alike(&self, option: usize) -> bool {
        let behind = &self.behind[option].win_share;
        behind.low == 0.0 && behind.high == 0.0
    }

    /// Whether the best option is significantly better than all others, in score where both won the
    /// same.
    pub fn is_clear(&self) -> bool {
        let mut others = (0..self.options.len()).filter(|option| *option != self.best);
        others.all(|other| {
            let by_score = self.wins_alike(other) && self.behind[other].score_mean.low > 0.0;
            by_score || self.cost(other).low > 0.0
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    pub win_share: Estimate,
    pub score_mean: Estimate,
    /// Playouts behind these figures.
    pub playouts: u64,
}

impl Worth {
    /// What options are compared by: a player who `is_alone` always wins, and compares scores.
    pub fn figure(&self, is_alone: bool) -> Estimate {
        if is_alone {
            self.score_mean
        } else {
            self.win_share
        }
    }
}

/// The playouts of an option, as games to play. Several positions take turns, chunk by chunk.
struct OptionPlayouts<'a> {
    tries: &'a Tries<'a>,
    trial: &'a Trial<'a>,
    option: usize,
    chunk: u64,
}

impl Play for OptionPlayouts<'_> {
    fn layout(&self) -> &Layout {
        self.tries.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        let positions = self.trial.positions;
        let turn = first.wrapping_sub(self.trial.first) / self.chunk;
        let from = (
            &positions[turn as usize % positions.len()],
            Some(self.option),
        );
        (self.tries.table).play_on(level, from, (seed, first), record);
    }
}

/// Plays further playouts of an experiment; the name is that of the stage.
pub type PlayOn<'p> =
    dyn FnMut(&'static str, &mut Experiment, Range<u64>) -> Result<(), Stopped> + 'p;

/// Plays all playouts on this thread, until the flag is set.
pub fn play_here<T>(
    level: Level,
    stop: &AtomicBool,
    weigh: impl FnOnce(&mut PlayOn) -> Result<T, Stopped>,
) -> Result<T, Stopped> {
    until(&HERE, level, stop, |player| {
        weigh(&mut |_, race, playouts| race.play(RoundInfo::default(), playouts, u64::MAX, player))
    })
}

pub struct Tries<'a> {
    /// The table that plays the playouts.
    pub table: &'a dyn Table,
    /// Its layout, made [bare](Layout::bare).
    pub layout: &'a Layout,
    /// The name of the stage.
    pub stage: &'static str,
    /// Playouts of an option at each look.
    pub looks: &'a [u64],
    /// With a value, only the best option is sought: it must be this many standard errors above the
    /// chosen one. Each look then drops the worse half, but not the chosen option before that is
    /// clear. Without one, the score decides among options with equal wins.
    pub sigmas: Option<f64>,
}

impl Tries<'_> {
    /// Tries the options of decisions; `play` plays further playouts.
    pub fn race(
        &self,
        trials: &[Trial],
        games: Games,
        play: &mut PlayOn,
    ) -> Result<Vec<Advice>, Stopped> {
        let (mut tables, mut cells) = (Vec::new(), Vec::new());
        for trial in trials {
            let first = tables.len();
            tables.extend((0..trial.options).map(|option| OptionPlayouts {
                tries: self,
                trial,
                option,
                chunk: games.chunk,
            }));
            cells.push(first..tables.len());
        }
        let groups = cells.iter().zip(trials);
        let groups = groups.map(|(cells, trial)| (cells.clone().collect(), trial.first));
        let metrics = |_, cell: usize| {
            let trial = &trials[cells.partition_point(|own| own.end <= cell)];
            [WIN_SHARE, SCORE_MEAN]
                .map(|name| MetricRef::of_seat(name, trial.seat))
                .to_vec()
        };
        let all = tables.iter().map(|table| table as &dyn Play).collect();
        let mut race = Experiment::new(all, games, groups, &metrics);
        let is_alone = self.layout.seats == 1;
        let unknown = trials
            .iter()
            .map(|trial| Advice::unknown(trial.options, is_alone));
        let mut found = Vec::from_iter(unknown);
        let mut from = 0;
        for &to in self.looks {
            play(self.stage, &mut race, from..to)?;
            from = to;
            let mut going_on = Vec::new();
            for (number, trial) in trials.iter().enumerate() {
                let remaining = race.remaining().filter(|cell| cells[number].contains(cell));
                let remaining: Vec<usize> = remaining.collect();
                if !remaining.is_empty() {
                    let first = cells[number].start;
                    let staying = self.look(&race, trial, first, remaining, &mut found[number]);
                    going_on.extend(staying);
                }
            }
            going_on.sort_unstable();
            race.keep(&|cell| going_on.binary_search(&cell).is_ok());
            if going_on.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Notes the estimates of a trial with first cell `first`; returns the cells that go on, unless
    /// the trial is settled.
    fn look(
        &self,
        race: &Experiment,
        trial: &Trial,
        first: usize,
        mut remaining: Vec<usize>,
        found: &mut Advice,
    ) -> Vec<usize> {
        for &cell in &remaining {
            let tally = &race.tallies[cell];
            found.options[cell - first] = Worth {
                win_share: tally.seat(self.layout, WIN_SHARE, trial.seat),
                score_mean: tally.seat(self.layout, SCORE_MEAN, trial.seat),
                playouts: tally.games,
            };
        }
        let chosen = first + trial.chosen;
        remaining.sort_by(|&a, &b| {
            let [of_a, of_b] = [a, b].map(|cell| &found.options[cell - first]);
            let [value_a, value_b] = [of_a, of_b].map(|of| of.figure(found.is_alone).value);
            let mut by = value_b.total_cmp(&value_a);
            if self.sigmas.is_none() {
                by = by.then(of_b.score_mean.value.total_cmp(&of_a.score_mean.value));
            }
            by.then((b == chosen).cmp(&(a == chosen))).then(a.cmp(&b))
        });
        found.best = trial.raced.map_or(remaining[0] - first, |raced| raced.best);
        let clear = best_set_z(trial.options, self.looks.len()).max(self.sigmas.unwrap_or(0.0));
        let mut staying = Vec::new();
        for &cell in &remaining {
            let above = |name| {
                let metric = MetricRef::of_seat(name, trial.seat);
                let above = race.difference(metric, first + found.best, cell);
                above.unwrap_or(Estimate::UNKNOWN)
            };
            let playouts = race.tallies[cell].games;
            found.behind[cell - first] = Worth {
                win_share: above(WIN_SHARE),
                score_mean: above(SCORE_MEAN),
                playouts,
            };
            let by = found.cost(cell - first);
            let goes_on = match trial.raced {
                Some(raced) => NEW * raced.options[cell - first].playouts > playouts,
                None => by.value <= clear * by.se,
            };
            if goes_on {
                staying.push(cell);
            }
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
