//! The analysis of games: the judge weighs the options of each decision, and playouts from every
//! moment credit changes of the expected results to cards, others and own play.

mod account;
pub mod flaws;
mod variance;
mod walk;

pub use variance::{VARIANCE_GAMES, VarianceShares, variance_shares};
pub use walk::{Of, Step, Walk};

use crate::game::moments::{Cause, Course, Moment, Playouts, Position, What, by_seat};
use crate::game::{MetricRef, Play, SCORE_MEAN, WIN_SHARE, WIN_UNITS};
use crate::numbers::count;
use crate::simulation::{Experiment, Games, Player, RoundInfo, Stopped};
use crate::statistics::Estimate;
use crate::streams;
use crate::thinking::{Advice, Judge, Question, Worth};
use std::mem::take;
use std::ops::Range;

/// Batches of a single game's playouts, for the standard errors of luck and play.
const BATCHES: u64 = 8;
/// Number of the first game that measures the gains of other bots.
const OF_GAINS: u64 = 1 << 40;

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

impl AnalysedGame {
    /// The game with its seats numbered anew: `seats` has the new number of each.
    pub fn reseated(mut self, seats: &[usize]) -> AnalysedGame {
        self.walks = by_seat(self.walks, seats);
        for walk in &mut self.walks {
            walk.by = by_seat(take(&mut walk.by), seats);
        }
        self.course = self.course.reseated(seats);
        self
    }
}

/// The metric that results are compared by: the score for a lone player, who always wins.
pub fn result_metric(seats: usize) -> &'static str {
    if seats == 1 { SCORE_MEAN } else { WIN_SHARE }
}

/// The units of a whole win, or of a point for a lone player.
pub fn result_unit(seats: usize) -> f64 {
    if seats == 1 {
        1.0
    } else {
        f64::from(WIN_UNITS)
    }
}

/// By seat, the gain of another bot there in this many fresh games with the same luck; `others` has
/// the table with it, or `None` where the table is the same.
pub fn measure_gains(
    table: &dyn Play,
    others: &[Option<&dyn Play>],
    number: u64,
    games: Games,
    player: &mut Player,
) -> Result<Vec<Option<Estimate>>, Stopped> {
    let (mut cells, mut seats) = (vec![table], vec![0]);
    for (seat, other) in others.iter().enumerate() {
        if let Some(other) = other {
            cells.push(*other);
            seats.push(seat);
        }
    }
    let metric = |cell: usize| MetricRef::of_seat(result_metric(others.len()), seats[cell]);
    let compared = |a: usize, b: usize| if a == 0 { vec![metric(b)] } else { Vec::new() };
    let all = (0..cells.len()).collect();
    let mut experiment = Experiment::new(cells, games, [(all, 0)], &compared);
    let fresh = OF_GAINS..OF_GAINS + number;
    experiment.play_all("stronger ", "measuring a stronger bot", fresh, player)?;
    let mut gains = vec![None; others.len()];
    for (cell, &seat) in seats.iter().enumerate().skip(1) {
        gains[seat] = experiment.difference(metric(cell), cell, 0);
    }
    Ok(gains)
}

/// How far the analysis of several games is.
#[derive(Default)]
pub struct Progress {
    /// The number of games to analyse.
    pub count: u64,
    /// About the number of games to play after them.
    pub later: u64,
    pub analysed: u64,
    /// All playouts up to the last batch begun.
    pub spent: u64,
}

impl Progress {
    /// Plays on from the remaining cells of a race; about `later` playouts of this game follow.
    fn look(
        &mut self,
        race: &mut Experiment,
        game: u64,
        name: &str,
        playouts: Range<u64>,
        later: u64,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let status = match self.count {
            1 => format!("game {game}"),
            _ => format!("{} of {} analysed", count(self.analysed), count(self.count)),
        };
        let least = playouts.end - playouts.start;
        self.spent += least * race.remaining().count() as u64;
        // Estimates the other games by the mean of those so far and this one.
        let mean = (self.spent + later) / (self.analysed + 1);
        let others = mean.saturating_mul(self.count - self.analysed - 1);
        let info = RoundInfo {
            name: &format!("game {game} {name} "),
            status: &status,
            later: later.saturating_add(others).saturating_add(self.later),
        };
        race.play(info, playouts, least, player)
    }
}

/// A game to analyse.
pub struct Analysis<'a> {
    /// The bots that play on, the seed of the game, and the most playouts of an option.
    pub judge: &'a Judge<'a>,
    /// How playouts are dealt.
    pub games: Games,
    pub number: u64,
    pub course: Course,
    /// The only seat to judge, if one is given.
    pub only: Option<usize>,
}

impl Analysis<'_> {
    pub fn play(
        mut self,
        progress: &mut Progress,
        player: &mut Player,
    ) -> Result<AnalysedGame, Stopped> {
        let judged = self.judge_all(progress, player)?;
        let walks = self.walk_all(progress, player)?;
        progress.analysed += 1;
        for moment in &mut self.course.moments {
            // Many games of positions would fill the memory.
            moment.position = Position::new(());
        }
        Ok(AnalysedGame {
            number: self.number,
            course: self.course,
            judged,
            walks,
        })
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
        let key = streams::game_key(self.judge.seed, self.number);
        let number = 2 * self.luck(moment) as u64 + 1;
        // Leaves room above for the numbers of the playouts.
        streams::output(key, streams::UNIFORM_BASE + number) >> 1
    }

    /// Weighs the options of every decision.
    fn judge_all(
        &self,
        progress: &mut Progress,
        player: &mut Player,
    ) -> Result<Vec<Judged>, Stopped> {
        let moments = &self.course.moments;
        let mut decisions = Vec::new();
        for (at, moment) in moments.iter().enumerate() {
            if let Some(fork) = moment.fork()
                && self.only.is_none_or(|seat| fork.1.seat == seat)
            {
                decisions.push((at, fork));
            }
        }
        let questions = decisions.iter().map(|(_, fork)| Question::at(*fork));
        let questions: Vec<Question> = questions.collect();
        let all = self.judge.playouts;
        let walks = (moments.len() as u64 + 1) * all;
        let play = &mut |stage: &'static str, race: &mut Experiment, playouts: Range<u64>| {
            let whole = if stage == "race" { all + all / 2 } else { all };
            let later = race.remaining().count() as u64 * whole.saturating_sub(playouts.end);
            progress.look(race, self.number, stage, playouts, later + walks, player)
        };
        let advice = self.judge.weigh_all(&questions, self.games, play)?;
        let judged = decisions.iter().zip(advice);
        let judged = judged.map(|((at, fork), advice)| Judged::new(*at, fork.1.chosen, advice));
        Ok(judged.collect())
    }

    /// Plays on from every moment, after its decision, and from the first one before its decision,
    /// where all walks begin.
    fn walk_all(&self, progress: &mut Progress, player: &mut Player) -> Result<Vec<Walk>, Stopped> {
        let moments = self.course.moments.len();
        if moments == 0 {
            let results = self.results().into_iter();
            let walks = results.map(|result| Walk::from(result.unwrap_or(0), 0.0));
            return Ok(walks.collect());
        }
        let moment = |at: usize| &self.course.moments[at];
        let chosen = |at| Some(moment(at).options()?.chosen);
        let all = (0..moments).map(|at| (at, chosen(at)));
        let (mut tables, mut groups) = (Vec::new(), Vec::new());
        for (cell, (at, option)) in all.chain([(0, None)]).enumerate() {
            tables.push(Playouts {
                table: self.judge.table,
                layout: &self.judge.layout,
                from: (&moment(at).position, option),
            });
            groups.push((vec![cell], self.first(at)));
        }
        let tables: Vec<&dyn Play> = tables.iter().map(|table| table as _).collect();
        let mut experiment = Experiment::new(tables, self.games, groups, &|_, _| Vec::new());
        let playouts = self.judge.playouts;
        let batches = if progress.count == 1 { BATCHES } else { 1 };
        let mut sums = Vec::new();
        let mut from = 0;
        for batch in 1..=batches {
            let to = playouts * batch / batches;
            let later = (playouts - to) * (moments as u64 + 1);
            progress.look(
                &mut experiment,
                self.number,
                "walk",
                from..to,
                later,
                player,
            )?;
            sums.push(self.values(&experiment));
            from = to;
        }
        Ok(self.walks(&experiment, &sums))
    }
}
