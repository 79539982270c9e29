//! How games are analysed: the judge weighs the options of each decision, and playouts from every
//! moment credit changes of the expected results to cards, others and own play.

use super::walk::Walk;
use super::{Resolved, SHORT};
use crate::study::recorded::{by_seat, reseat_course};
use carat_core::game::moments::{Cause, Course, Moment, Options, Playouts, Position, What};
use carat_core::game::{MetricRef, Play, WIN_SHARE, WIN_UNITS};
use carat_core::numbers::count;
use carat_core::simulation::{Experiment, Games, Player, RoundInfo, Stopped};
use carat_core::statistics::Estimate;
use carat_core::streams;
use carat_core::thinking::{Advice, Judge, Question, Worth};
use std::cell::Cell;
use std::mem::take;
use std::ops::Range;

mod account;

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
    pub options: Vec<Worth>,
    /// The best option; the chosen one if that won the same in every playout.
    pub best: usize,
    /// The loss of the chosen option against the best, in the same playouts.
    pub loss: Estimate,
}

impl Judged {
    fn new(moment: usize, chosen: usize, advice: Advice) -> Judged {
        let loss = advice.cost(chosen);
        let is_best = loss.low == 0.0 && loss.high == 0.0;
        Judged {
            moment,
            best: if is_best { chosen } else { advice.best },
            options: advice.options,
            loss,
        }
    }

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
        let going_on = self.going_on.as_ref().unwrap_or(&self.played);
        let seed = self.study.run.seed;
        let judge = Judge::new(going_on.table.as_ref(), seed, self.playouts());
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
                judge: &judge,
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
    judge: &'a Judge<'a>,
    /// The number of games analysed before, and of all games.
    way: (u64, u64),
    /// Playouts of the games before, and of this one up to the last batch begun.
    before: u64,
    spent: Cell<u64>,
}

impl Game<'_> {
    fn analyse(self, player: &mut Player) -> Result<(AnalysedGame, u64), Stopped> {
        let judged = self.judge_all(player)?;
        let walks = self.walk_all(player)?;
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

    /// The number of the first playout of a moment.
    fn first(&self, moment: usize) -> u64 {
        let key = streams::game_key(self.resolved.study.run.seed, self.number);
        let number = 2 * self.luck(moment) as u64 + 1;
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

    /// Weighs the options of every decision.
    fn judge_all(&self, player: &mut Player) -> Result<Vec<Judged>, Stopped> {
        let moments = &self.course.moments;
        let questions = self.judged().filter_map(|(at, _)| moments[at].fork());
        let questions: Vec<Question> = questions.map(Question::at).collect();
        let all = self.resolved.playouts();
        let walks = (moments.len() as u64 + 1) * all;
        let play = &mut |stage: &'static str, race: &mut Experiment, playouts: Range<u64>| {
            let whole = if stage == "race" { all + all / 2 } else { all };
            let later = race.remaining().count() as u64 * whole.saturating_sub(playouts.end);
            self.look(race, stage, playouts, later + walks, player)
        };
        let advice = self.judge.weigh_all(&questions, self.dealt(), play)?;
        let judged = self.judged().zip(advice);
        let judged =
            judged.map(|((moment, options), advice)| Judged::new(moment, options.chosen, advice));
        Ok(judged.collect())
    }

    /// Plays on from every moment, after its decision, and from the first one before its decision,
    /// where all walks begin.
    fn walk_all(&self, player: &mut Player) -> Result<Vec<Walk>, Stopped> {
        let moments = self.course.moments.len();
        if moments == 0 {
            let results = self.results().into_iter();
            let walks = results.map(|result| Walk::from((result.unwrap_or(0), 0.0)));
            return Ok(walks.collect());
        }
        let chosen = |moment| Some(self.options(moment)?.chosen);
        let all = (0..moments).map(|moment| (moment, chosen(moment)));
        let (mut tables, mut groups) = (Vec::new(), Vec::new());
        for (cell, (moment, option)) in all.chain([(0, None)]).enumerate() {
            tables.push(Playouts {
                table: self.judge.table,
                layout: &self.judge.layout,
                from: (&self.course.moments[moment].position, option),
            });
            groups.push((vec![cell], self.first(moment)));
        }
        let tables: Vec<&dyn Play> = tables.iter().map(|table| table as _).collect();
        let mut experiment = Experiment::new(tables, self.dealt(), groups, &|_, _| Vec::new());
        let playouts = self.resolved.playouts();
        let batches = if self.way.1 == 1 { BATCHES } else { 1 };
        let mut sums = Vec::new();
        let mut from = 0;
        for batch in 1..=batches {
            let to = playouts * batch / batches;
            let later = (playouts - to) * (moments as u64 + 1);
            self.look(&mut experiment, "walk", from..to, later, player)?;
            sums.push(self.values(&experiment));
            from = to;
        }
        Ok(self.walks(&experiment, &sums))
    }
}
