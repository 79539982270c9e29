//! How games are analysed: a race finds the best option of each decision, and fresh playouts
//! measure the loss of not taking it.
//!
//! The playouts of the race choose the best option and measure nothing, so the reported values of
//! the best and the chosen option are not biased by the choice.

use super::walk::Walk;
use super::{Resolved, SHORT};
use crate::study::recorded::{by_seat, reseat_course};
use carat_core::game::moments::{Cause, Course, Moment, Options, Playouts, Position, What};
use carat_core::game::{Layout, MetricRef, Play, SCORE_MEAN, Table, WIN_SHARE, WIN_UNITS};
use carat_core::numbers::count;
use carat_core::simulation::{Experiment, Games, Player, RoundInfo, Stopped};
use carat_core::statistics::Estimate;
use carat_core::streams;
use carat_core::thinking::{Trial, Tried, Tries, Worth};
use std::cell::Cell;
use std::mem::take;
use std::ops::Range;

mod account;

/// The parts of the playouts after which the race drops worse options.
const LOOKS: [u64; 3] = [8, 4, 2];
/// Batches of a single game's playouts, for the standard errors of luck and play.
const BATCHES: u64 = 8;

/// Games that measure the wins of a strong bot, as a part of the game's default number of games,
/// and the number of the first.
const STRONGER_PART: u64 = 10;
const OF_STRONGER: u64 = 1 << 40;

pub struct Played {
    pub resolved: Resolved,
    pub games: Vec<AnalysedGame>,
    /// By seat, the gain of a strong bot in its place.
    pub stronger: Vec<Option<Estimate>>,
}

impl Played {
    /// The divisor that turns values of walks into shares or scores.
    pub fn unit(&self) -> f64 {
        self.resolved.playouts() as f64 * self.resolved.one()
    }
}

pub struct AnalysedGame {
    pub number: u64,
    /// The course of the game, without its positions.
    pub course: Course,
    pub judged: Vec<Judged>,
    pub walks: Vec<Walk>,
}

/// A decision with the value of each option to the deciding player.
pub struct Judged {
    pub moment: usize,
    /// Values of the options: fresh playouts of the best and the chosen, those of the race of the
    /// others.
    pub options: Vec<Worth>,
    pub best: usize,
    /// The loss of the chosen option against the best, in the same fresh playouts; exactly 0 if
    /// they are the same.
    pub loss: Estimate,
    /// Decisions with equal numbers share their luck.
    pub luck: usize,
}

impl Judged {
    /// Whether the chosen option is significantly worse than the best.
    pub fn is_mistake(&self) -> bool {
        self.loss.low > 0.0
    }
}

impl Resolved {
    /// The units of a whole win, or of a point.
    fn one(&self) -> f64 {
        match self.metric() {
            WIN_SHARE => f64::from(WIN_UNITS),
            _ => 1.0,
        }
    }

    pub fn play(mut self, player: &mut Player) -> Result<Played, Stopped> {
        let mut recorded = take(&mut self.recorded).into_iter();
        let judge = self.going_on.as_ref().unwrap_or(&self.played);
        let layout = judge.table.layout().bare();
        let seed = self.study.run.seed;
        let (mut games, mut spent) = (Vec::new(), 0);
        let all = self.study.run.games.unwrap_or(1);
        for index in 0..all {
            let number = self.study.first.wrapping_add(index);
            let (course, seats) = match recorded.next() {
                Some((course, seats)) => (course, Some(seats)),
                None => (self.played.table.course(seed, number, SHORT), None),
            };
            let only = self.study.seat.map(|seat| seat - 1);
            let of_game = |seat| {
                let seats = seats.iter().flatten();
                seats.clone().position(|own| *own == seat).unwrap_or(seat)
            };
            let game = Game {
                resolved: &self,
                number,
                course,
                only: only.map(of_game),
                table: judge.table.as_ref(),
                layout: &layout,
                way: (index, all),
                before: spent,
                spent: Cell::new(0),
            };
            let (game, playouts) = game.analyse(player)?;
            spent += playouts;
            games.push(match seats {
                // Records are numbered from 1.
                Some(seats) => AnalysedGame {
                    number: number + 1,
                    ..game.reseated(&seats)
                },
                None => game,
            });
        }
        let stronger = self.measure_stronger(player)?;
        Ok(Played {
            resolved: self,
            games,
            stronger,
        })
    }

    /// By seat, the gain of a strong bot in win share, in fresh games with the same luck.
    fn measure_stronger(&self, player: &mut Player) -> Result<Vec<Option<Estimate>>, Stopped> {
        let Some((_, tables)) = &self.stronger else {
            return Ok(vec![None; self.played.seats.len()]);
        };
        let (mut cells, mut seats) = (vec![self.played.table.as_ref() as &dyn Play], vec![0]);
        for (seat, table) in tables.iter().enumerate() {
            if let Some(table) = table {
                cells.push(table.table.as_ref());
                seats.push(seat);
            }
        }
        let metric = |cell: usize| MetricRef::of_seat(self.metric(), seats[cell]);
        let compared = |a: usize, b: usize| if a == 0 { vec![metric(b)] } else { Vec::new() };
        let games = self.study.run.dealt(self.played.game.chunk);
        let all = (0..cells.len()).collect();
        let mut experiment = Experiment::new(cells, games, [(all, 0)], &compared);
        let number = self.played.game.games / STRONGER_PART;
        let (status, fresh) = (
            "measuring a stronger bot",
            OF_STRONGER..OF_STRONGER + number,
        );
        experiment.play_all("stronger ", status, fresh, player)?;
        let mut gains = vec![None; self.played.seats.len()];
        for (cell, &seat) in seats.iter().enumerate().skip(1) {
            gains[seat] = experiment.difference(metric(cell), cell, 0);
        }
        Ok(gains)
    }
}

impl AnalysedGame {
    fn reseated(mut self, seats: &[usize]) -> AnalysedGame {
        self.walks = by_seat(self.walks, seats);
        for walk in &mut self.walks {
            walk.by = by_seat(take(&mut walk.by), seats);
        }
        self.course = reseat_course(self.course, seats);
        self
    }
}

struct Game<'a> {
    resolved: &'a Resolved,
    number: u64,
    course: Course,
    /// The only seat to judge, if one is given.
    only: Option<usize>,
    table: &'a dyn Table,
    layout: &'a Layout,
    /// The number of games analysed before, and of all games.
    way: (u64, u64),
    /// Playouts of the games before, and of this one up to the last batch begun.
    before: u64,
    spent: Cell<u64>,
}

/// The cells of a moment in the last playouts.
struct Cells {
    /// The bots' play, or the chosen option.
    went_on: usize,
    /// The best option at a judged decision.
    best: Option<usize>,
}

impl Game<'_> {
    /// The analysed game, and the number of playouts.
    fn analyse(self, player: &mut Player) -> Result<(AnalysedGame, u64), Stopped> {
        let mut judged = self.race(player)?;
        let playouts = self.resolved.playouts();
        let (tables, cells) = self.last_tables(&judged);
        // All walks begin at the bots' play from the first moment on.
        let Some(start) = tables.len().checked_sub(1) else {
            let results = self.results().into_iter();
            let walks = results.map(|result| Walk::from((result.unwrap_or(0), 0.0)));
            return Ok((self.analysed(Vec::new(), walks.collect()), 0));
        };
        let owner = |cell: usize| cells.partition_point(|of| of.went_on <= cell) - 1;
        let groups = (0..cells.len()).map(|moment| {
            let first = cells[moment].went_on;
            let end = cells.get(moment + 1).map_or(start, |next| next.went_on);
            ((first..end).collect(), self.first(moment, 1))
        });
        let groups = groups.chain([(vec![start], self.first(0, 1))]);
        let metrics = |_, cell: usize| {
            let seat = self.options(owner(cell)).map(|options| options.seat);
            let both = [WIN_SHARE, SCORE_MEAN].map(|it| Some(MetricRef::of_seat(it, seat?)));
            both.into_iter().flatten().collect()
        };
        let tables: Vec<&dyn Play> = tables.iter().map(|table| table as _).collect();
        let mut race = Experiment::new(tables, self.dealt(), groups, &metrics);
        let batches = if self.way.1 == 1 { BATCHES } else { 1 };
        let mut sums = Vec::new();
        let mut from = 0;
        for batch in 1..=batches {
            let to = playouts * batch / batches;
            let later = (playouts - to) * race.remaining().count() as u64;
            self.look(&mut race, "worth", from..to, later, player)?;
            sums.push(self.values(&race));
            from = to;
        }
        for judged in &mut judged {
            let of = &cells[judged.moment];
            let Some(options) = self.options(judged.moment) else {
                continue;
            };
            let best = of.best.unwrap_or(of.went_on);
            let worth = |cell: usize| Worth::of(&race, self.layout, cell, options.seat);
            judged.options[options.chosen] = worth(of.went_on);
            judged.options[judged.best] = worth(best);
            let metric = MetricRef::of_seat(self.resolved.metric(), options.seat);
            judged.loss = if best == of.went_on {
                Estimate::normal(0.0, 0.0)
            } else {
                let loss = race.difference(metric, best, of.went_on);
                loss.unwrap_or(Estimate::UNKNOWN)
            };
        }
        let walks = self.walks(&race, &sums, &cells, start);
        let playouts = self.spent.get();
        Ok((self.analysed(judged, walks), playouts))
    }

    fn analysed(self, judged: Vec<Judged>, walks: Vec<Walk>) -> AnalysedGame {
        let mut course = self.course;
        for moment in &mut course.moments {
            // Many games of positions would fill the memory.
            moment.position = Position::new(());
        }
        AnalysedGame {
            number: self.number,
            course,
            judged,
            walks,
        }
    }

    fn options(&self, moment: usize) -> Option<&Options> {
        self.course.moments[moment].options()
    }

    fn judged(&self) -> impl Iterator<Item = (usize, &Options)> {
        let all = (0..self.course.moments.len()).filter_map(|at| Some((at, self.options(at)?)));
        all.filter(|(_, options)| self.only.is_none_or(|seat| options.seat == seat))
    }

    /// The last event of chance before a moment. All moments up to the next event share its luck,
    /// so a decision that was foreseen changes nothing.
    fn luck(&self, moment: usize) -> usize {
        let moments = &self.course.moments[..=moment];
        let is_chance = |of: &Moment| matches!(of.what, What::Event(Cause::Chance));
        moments.iter().rposition(is_chance).unwrap_or(0)
    }

    /// The number of the first playout of a moment, in stage 0 or 1.
    fn first(&self, moment: usize, stage: u64) -> u64 {
        let key = streams::game_key(self.resolved.study.run.seed, self.number);
        let number = 2 * self.luck(moment) as u64 + stage;
        // Leaves room above for the numbers of the playouts.
        streams::output(key, streams::UNIFORM_BASE + number) >> 1
    }

    /// Plays on from the remaining cells of a race; about `later` playouts of this game follow.
    fn look(
        &self,
        race: &mut Experiment,
        name: &str,
        playouts: Range<u64>,
        later: u64,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let name = format!("game {} {name} ", self.number);
        let (analysed, all) = self.way;
        let status = match all {
            1 => format!("game {}", self.number),
            _ => format!("{} of {} analysed", count(analysed), count(all)),
        };
        let least = playouts.end - playouts.start;
        let begun = self.spent.get() + least * race.remaining().count() as u64;
        self.spent.set(begun);
        // Estimates the other games by the mean of those so far and this one.
        let mean = (self.before + begun + later) / (analysed + 1);
        let others = mean.saturating_mul(all - analysed - 1);
        let tables = self.resolved.stronger.iter().flat_map(|(_, tables)| tables);
        let stronger = tables.flatten().count() as u64 * self.resolved.played.game.games;
        let info = RoundInfo {
            name: &name,
            status: &status,
            later: later
                .saturating_add(others)
                .saturating_add(stronger / STRONGER_PART),
        };
        race.play(info, playouts, least, player)
    }

    fn dealt(&self) -> Games {
        let chunk = self.resolved.played.game.chunk;
        // All options of a decision are played on by one thread at a time.
        self.resolved.study.run.dealt((chunk / 2).max(1))
    }

    /// Finds the best option of every decision by a race, and the values of all options.
    fn race(&self, player: &mut Player) -> Result<Vec<Judged>, Stopped> {
        let trials = self.judged().map(|(moment, options)| Trial {
            position: &self.course.moments[moment].position,
            options: options.names.len(),
            chosen: options.chosen,
            seat: options.seat,
            first: self.first(moment, 0),
        });
        let trials: Vec<Trial> = trials.collect();
        let tries = Tries {
            table: self.table,
            layout: self.layout,
            looks: &LOOKS.map(|part| self.resolved.playouts() / part),
            sigmas: None,
        };
        let last = self.course.moments.len() + trials.len() / 2 + 1;
        let tried = tries.race(&trials, self.dealt(), &mut |race, playouts| {
            let all = self.resolved.playouts();
            let races = (all / LOOKS[LOOKS.len() - 1]).saturating_sub(playouts.end);
            let later = race.remaining().count() as u64 * races + last as u64 * all;
            self.look(race, "race", playouts, later, player)
        })?;
        let judged = |(moment, tried): (usize, Tried)| Judged {
            moment,
            best: tried.best,
            options: tried.options,
            loss: Estimate::UNKNOWN,
            luck: self.luck(moment),
        };
        let moments = self.judged().map(|(moment, _)| moment);
        Ok(moments.zip(tried).map(judged).collect())
    }

    fn playouts_of(&self, moment: usize, option: Option<usize>) -> Playouts<'_> {
        Playouts {
            table: self.table,
            layout: self.layout,
            from: (&self.course.moments[moment].position, option),
        }
    }

    /// The cells of the fresh playouts: for each moment the bots' play or the chosen option, and
    /// the best option if it is another; then the bots' play from the first moment on.
    fn last_tables(&self, judged: &[Judged]) -> (Vec<Playouts<'_>>, Vec<Cells>) {
        let mut tables = Vec::new();
        let mut cells = Vec::new();
        let mut judged = judged.iter().peekable();
        for moment in 0..self.course.moments.len() {
            let best = judged.next_if(|judged| judged.moment == moment);
            let best = best.map(|judged| judged.best);
            let chosen = self.options(moment).map(|options| options.chosen);
            let went_on = tables.len();
            tables.push(self.playouts_of(moment, chosen));
            if best.is_some() && best != chosen {
                tables.push(self.playouts_of(moment, best));
            }
            cells.push(Cells {
                went_on,
                best: best.map(|_| tables.len() - 1),
            });
        }
        if !cells.is_empty() {
            tables.push(self.playouts_of(0, None));
        }
        (tables, cells)
    }
}
