//! Advice on decisions: what each option is worth, also by the decisions of the others, and why.

use super::against::Kind;
pub use super::against::{Against, say_whether_it_holds};
use super::error::{StudyError, refuse};
use super::run::first_seed;
use super::table::SeatedTable;
use carat_core::catalog::those;
use carat_core::formula::Value;
use carat_core::game::moments::{Fork, Options, Position};
use carat_core::game::notation::{AdviceWords, Notation, Situation};
use carat_core::game::{Game, Record, SCORE, Table, WIN, WIN_UNITS};
use carat_core::library::Library;
use carat_core::numbers::percent;
use carat_core::statistics::{Estimate, Moments};
use carat_core::strategy::{Seat, SeatSpec};
use carat_core::thinking::{Advice, Judge, Question, Worth};
use fearless_simd::Level;
use std::sync::atomic::Ordering;

const CHUNK: usize = 4096;
/// Playouts of a case that no playout met, and the fewest of a reason.
pub(super) const CASE_PLAYOUTS: usize = 4096;
/// Games of a default simulation per playout of an option, and the fewest playouts by default or of
/// a reason.
const GAMES_A_PLAYOUT: u64 = 50;
const PLAYOUTS_LEAST: u64 = 1_000;

/// The most playouts of an option by default.
pub fn default_playouts(game: &Game) -> u64 {
    (game.games / GAMES_A_PLAYOUT).max(PLAYOUTS_LEAST)
}

/// Weighs the options of decisions at a table, and gives reasons. The luck of its playouts is that
/// of the first seed, whatever the seed of the game.
pub struct Adviser<'a> {
    /// The table, with the bots that play on.
    pub table: &'a SeatedTable,
    pub judge: Judge<'a>,
    /// Opponents of each kind, unless the opponents are named.
    kinds: Vec<Kind>,
    /// The simple rule of the game.
    rule: Option<Seat>,
    /// The table with each draw of fitted people.
    draws: Vec<Box<dyn Table>>,
}

/// The values of both options, given the number of others who say yes.
pub struct Case {
    pub others: usize,
    pub likely: Estimate,
    pub worth: [Worth; 2],
    /// A number for each of [`AdviceWords::stakes`].
    pub stakes: [f64; 3],
}

impl Case {
    /// The likelihood, in percent.
    pub fn likelihood(&self) -> String {
        match self.likely.value {
            ..0.001 => "< 0.1 %".to_string(),
            value => percent(value, 1),
        }
    }

    /// The option that is clearly better, if there is one.
    pub fn better(&self) -> Option<usize> {
        let lead = self.lead(0);
        let is_clear = lead.value.abs() >= lead.half_width().max(HARDLY);
        is_clear.then_some(usize::from(lead.value < 0.0))
    }

    /// How much more option `best` wins than the other.
    fn lead(&self, best: usize) -> Estimate {
        let [no, yes] = self.worth.map(|worth| worth.win_share);
        let value = if best == 1 {
            yes.value - no.value
        } else {
            no.value - yes.value
        };
        Estimate::normal(value, no.se.hypot(yes.se))
    }
}

/// What an option is worth by the wins and scores of its playouts.
fn worth_of(results: &[[i32; 2]]) -> Worth {
    let mut sums = [Moments::default(); 2];
    for result in results {
        for (moments, &value) in sums.iter_mut().zip(result) {
            moments.sum += i128::from(value);
            moments.squares += i128::from(value) * i128::from(value);
        }
    }
    let playouts = results.len() as u64;
    Worth {
        win_share: Estimate::proportion(playouts, &sums[0], f64::from(WIN_UNITS)),
        score_mean: Estimate::mean(playouts, &sums[1], 1.0),
        playouts,
    }
}

/// The notation of situations of a game, and its words of advice.
pub fn find_notation(
    table: &SeatedTable,
) -> Result<(&dyn Notation, &'static AdviceWords), StudyError> {
    if let Some(both) = table.table.notation().zip(table.game.advice) {
        return Ok(both);
    }
    let game = table.game.name;
    let known = those(|game| game.advice.is_some(), |game| game.name);
    refuse!(
        "{game} has no notation for situations (only {known} has); name a file saved by \
         `carat play`"
    );
}

/// The question of seat `me` in a situation; `None` if there is nothing to decide.
pub fn question_of(me: usize, situation: &Situation) -> Option<Question<'_>> {
    (!situation.positions.is_empty()).then_some(Question {
        positions: &situation.positions,
        options: 2,
        seat: me,
        others: situation.others,
    })
}

impl<'a> Adviser<'a> {
    /// Each option gets at most this many playouts; the game's rule is that of the library. Advice
    /// to a seat of `usual` opponents also tells of each kind of them.
    pub fn new(
        table: &'a SeatedTable,
        library: &Library,
        playouts: u64,
        usual: Option<usize>,
    ) -> Adviser<'a> {
        let game = table.game;
        let family = game.rule.map(SeatSpec::of);
        Adviser {
            table,
            judge: Judge::new(table.table.as_ref(), first_seed(), playouts),
            kinds: usual.map_or(Vec::new(), |me| table.kinds(me, library)),
            rule: family.and_then(|family| library.seats(game, &family).ok()?.pop()),
            draws: table.by_draw(),
        }
    }

    /// Whether options are compared by wins; a lone player always wins and compares points.
    pub fn compares_wins(&self) -> bool {
        self.table.seats.len() > 1
    }

    /// Weighs a decision; the margins include the error of fits.
    pub fn weigh(&self, question: &Question) -> Advice {
        let mut advice = self.judge.weigh(question);
        self.judge.add_doubt(&mut advice, &self.draws, question);
        advice
    }

    /// Weighs a decision with this best option against each kind of opponents.
    pub fn weigh_against(&self, question: &Question, best: usize) -> Vec<Against<'_>> {
        let kinds = self.kinds.iter();
        Vec::from_iter(kinds.map(|kind| kind.weigh(question, &self.judge, best)))
    }

    pub fn rule_takes(&self, options: &Options) -> Option<usize> {
        let formula = self.rule.as_ref()?.formula();
        let says = |option: usize| formula.evaluate(|at| options.features[option][at]);
        match says(0) {
            Value::Truth(yes) => Some(usize::from(yes)),
            Value::Number(_) => (0..options.names.len()).max_by(|&a, &b| {
                let [score_a, score_b] = [a, b].map(|option| says(option).number().unwrap_or(0.0));
                score_a.total_cmp(&score_b).then(b.cmp(&a))
            }),
        }
    }

    /// Weighs in at most this many playouts.
    pub fn weigh_in(&self, playouts: u64, question: &Question) -> Advice {
        self.judge.at(self.judge.table, playouts).weigh(question)
    }

    /// The values of both options by the number of others who say yes at the same time: those of
    /// the playouts in which that many do; where there are none, of playouts in which they are made
    /// to.
    pub fn cases(&self, question: &Question) -> Vec<Case> {
        let Some(notation) = self.table.table.notation() else {
            return Vec::new();
        };
        let met = self.play_cases(notation, question, self.judge.playouts as usize);
        let all: usize = met.iter().map(|[no, _]| no.len()).sum();
        let stakes = notation.stakes(&question.positions[0]);
        let mut cases = Vec::new();
        for (others, (mut results, stakes)) in met.into_iter().zip(stakes).enumerate() {
            let likely = Estimate::share(all as u64, results[0].len() as u64, 1);
            if results[0].is_empty() {
                let positions = question.positions.iter();
                let forced = positions.flat_map(|at| notation.others(question.seat, at, others));
                let forced: Vec<Position> = forced.collect();
                let question = Question {
                    positions: &forced,
                    ..*question
                };
                results = self
                    .play_cases(notation, &question, CASE_PLAYOUTS)
                    .swap_remove(others);
            }
            cases.push(Case {
                others,
                likely,
                worth: results.map(|results| worth_of(&results)),
                stakes,
            });
        }
        cases
    }

    /// Plays both options on with the luck of the judge; wins and scores by the number of others
    /// who said yes.
    fn play_cases(
        &self,
        notation: &dyn Notation,
        question: &Question,
        playouts: usize,
    ) -> Vec<[Vec<[i32; 2]>; 2]> {
        let layout = &self.judge.layout;
        let mut by_others = vec![[Vec::new(), Vec::new()]; question.others + 1];
        let mut record = Record::new(layout, CHUNK);
        let columns = [WIN, SCORE].map(|outcome| layout.seat_column(question.seat, outcome));
        let each = playouts.div_ceil(question.positions.len());
        let mut first = Judge::first_playout(question.positions, 1);
        for position in question.positions {
            for from in (0..each).step_by(CHUNK) {
                if self.judge.stop.load(Ordering::Relaxed) {
                    return by_others;
                }
                let games = CHUNK.min(each - from);
                for option in [0, 1] {
                    record.clear(games);
                    let luck = (self.judge.seed, first);
                    let said = notation.ask(Level::new(), position, option, luck, &mut record);
                    for (game, said) in said.into_iter().enumerate() {
                        let result = columns.map(|column| record.column(column)[game]);
                        by_others[usize::from(said)][option].push(result);
                    }
                }
                first += games as u64;
            }
        }
        by_others
    }

    /// Why the best option is better than the chosen one or, if that is the best, than the first
    /// that is clearly worse; and what several best options have in common.
    pub fn why(
        &self,
        fork: Fork,
        cases: &[Case],
        advice: &Advice,
        chosen: usize,
    ) -> Option<String> {
        let is_worse = |option: &usize| advice.cost(*option).low > 0.0;
        let (names, best) = (&fork.1.names, advice.best);
        let (mut other, mut called) = (chosen, "yours".to_string());
        let mut said = Vec::new();
        if !is_worse(&chosen) {
            let mut ranked = advice.rank((0..names.len()).collect(), best);
            let worse = ranked.iter().position(is_worse)?;
            other = ranked[worse];
            called = format!("\"{}\"", names[other]);
            ranked.retain(|option| !is_worse(option));
            let group = |option: usize| fork.1.groups.get(option);
            let is_alike = ranked.iter().all(|option| group(*option) == group(best));
            let kind = group(best).filter(|_| is_alike && group(other) != group(best));
            if let Some(kind) = kind.filter(|_| ranked.len() > 1) {
                said.push(format!("The best options are close: each {kind}."));
            }
        }
        if is_worse(&chosen) || chosen == best {
            said.extend(self.reason(fork, cases, [best, other], &called));
        }
        let has_signs = !self.table.game.signs.is_empty();
        if let Some(option) = self
            .rule_takes(fork.1)
            .filter(is_worse)
            .filter(|_| has_signs)
        {
            let name = &names[option];
            said.push(format!(
                "The simple rule is wrong here: it would choose \"{name}\"."
            ));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// The principle by which the simple rule, too, prefers the first of a pair of options: the one
    /// without which it would prefer it least.
    pub(super) fn principle(&self, options: &Options, pair: [usize; 2]) -> Option<String> {
        let rule = self.rule.as_ref()?;
        let lead = |seat: &Seat| {
            let formula = seat.formula();
            let score =
                |option: usize| formula.evaluate(|at| options.features[option][at]).number();
            Some(score(pair[0])? - score(pair[1])?)
        };
        let whole = lead(rule).filter(|whole| *whole > 0.0)?;
        let mut most: Option<(f32, &str)> = None;
        for (param, says) in &rule.strategy.sentences {
            let others = rule.params().filter(|(own, _)| own != param);
            let mut params = Vec::from_iter(others.map(|(own, value)| (own.to_string(), value)));
            params.push((param.clone(), 0.0));
            let without = lead(&Seat::new(rule.strategy.clone(), &params).ok()?)?;
            if without < most.map_or(whole, |(least, _)| least) {
                most = Some((without, says));
            }
        }
        let (said, _) = most?.1.split_once([':', '.'])?;
        Some(format!("The best move follows a principle: \"{said}\"."))
    }

    /// What decides among the numbers of others who may say yes now: the likeliest, and the one by
    /// which option `best` is the best; `None` if none makes it the best.
    pub fn by_case(&self, cases: &[Case], best: usize) -> Option<(usize, String)> {
        let words = self.table.game.advice?;
        let weight = |case: &Case| case.likely.value * case.lead(best).value;
        let met = cases.iter().filter(|case| case.likely.value > 0.0);
        let decides = met.clone().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
        let likeliest = met.max_by(|a, b| a.likely.value.total_cmp(&b.likely.value))?;
        let by = decides.lead(best);
        if by.value <= 0.0 {
            return None;
        }
        let when = |case: &Case| {
            let who = match case.others {
                0 => format!("no other player {}s", words.options[1]),
                1 => format!("1 other player {}s", words.options[1]),
                others => format!("{others} other players {}", words.options[1]),
            };
            format!("{who} now ({})", case.likelihood())
        };
        let mut said = format!("Most likely {}", when(likeliest));
        if likeliest.others != decides.others {
            said += &format!(
                ", and then {}. If {}, ",
                judged(words, best, likeliest.lead(best)),
                when(decides)
            );
        } else {
            said += "; then ";
        }
        let [no, yes] = decides.worth.map(|worth| worth.win_share);
        let shares = if best == 1 { [yes, no] } else { [no, yes] };
        let [more, less] = shares.map(|share| percent(share.value, 1));
        said += &format!(
            "{} (win share {more} against {less})",
            judged(words, best, by)
        );
        Some((decides.others, said))
    }

    /// What decides among the numbers of others who say yes now, and the facts for that number.
    pub(super) fn fact(&self, options: &Options, cases: &[Case], best: usize) -> Option<String> {
        let (others, said) = match options.facts.len() {
            1 => (0, "You are alone inside".to_string()),
            _ => self.by_case(cases, best)?,
        };
        let facts = &options.facts.get(others)?[best];
        let is_same = self.rule_takes(options).is_none_or(|option| option == best);
        let rule = if is_same {
            ""
        } else {
            " (the simple rule would not)"
        };
        Some(format!(
            "{said}: {facts}. So {}{rule}.",
            options.names[best]
        ))
    }
}

/// Differences of win shares that hardly matter, and from which on an option is far better.
const HARDLY: f64 = 0.01;
const FAR: f64 = 0.05;

/// How much better option `best` of two is, in words.
fn judged(words: &AdviceWords, best: usize, lead: Estimate) -> String {
    let doing = words.doing[if lead.value > 0.0 { best } else { 1 - best }];
    match lead.value.abs() {
        ..HARDLY => "it hardly matters".to_string(),
        value if value < lead.half_width() => "either may be better".to_string(),
        ..FAR => format!("{doing} is better"),
        _ => format!("{doing} is far better"),
    }
}
