//! Advice on decisions: what each option is worth, also by the decisions of the others, and why.

use super::error::{StudyError, refuse};
use super::run::first_seed;
use super::table::SeatedTable;
use carat_core::catalog::those;
use carat_core::formula::Value;
use carat_core::game::moments::{Options, Position};
use carat_core::game::notation::{AdviceWords, Notation, Situation};
use carat_core::game::{Game, Record, SCORE, WIN, WIN_UNITS};
use carat_core::library::Library;
use carat_core::numbers::percent;
use carat_core::statistics::{Estimate, Moments};
use carat_core::strategy::{Seat, SeatSpec};
use carat_core::thinking::{Advice, Judge, Question, Worth};
use fearless_simd::Level;

const CHUNK: usize = 4096;
/// Extra playouts of a case that was rare among the others.
const CASE_PLAYOUTS: usize = 4096;
/// Games of a default simulation per playout of an option, and the fewest playouts by default.
const GAMES_A_PLAYOUT: u64 = 50;
const PLAYOUTS_LEAST: u64 = 1_000;
/// A smaller difference of a feature is no reason.
const LEAST: f32 = 0.05;

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
    /// The simple rule of the game: its words are reasons.
    rule: Option<Seat>,
}

/// The values of both options, given the number of others who say yes.
pub struct Case {
    pub others: usize,
    pub likely: Estimate,
    pub worth: [Worth; 2],
}

impl Case {
    /// The likelihood, in percent.
    pub fn likelihood(&self) -> String {
        match self.likely.value {
            ..0.001 => "< 0.1 %".to_string(),
            value => percent(value, 1),
        }
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
    /// Each option gets at most this many playouts.
    pub fn new(table: &'a SeatedTable, playouts: u64) -> Adviser<'a> {
        let (game, library) = (table.game, Library::here());
        let family = game.family.map(SeatSpec::of);
        Adviser {
            table,
            judge: Judge::new(table.table.as_ref(), first_seed(), playouts),
            rule: family.and_then(|family| library.seats(game, &family).ok()?.pop()),
        }
    }

    /// Whether options are compared by wins; a lone player always wins and compares points.
    pub fn compares_wins(&self) -> bool {
        self.table.seats.len() > 1
    }

    /// Weighs in at most this many playouts.
    pub fn weigh_in(&self, playouts: u64, question: &Question) -> Advice {
        Judge::new(self.judge.table, self.judge.seed, playouts).weigh(question)
    }

    /// The values of both options by the number of others who say yes at the same time.
    pub fn cases(&self, question: &Question) -> Vec<Case> {
        let Some(notation) = self.table.table.notation() else {
            return Vec::new();
        };
        let met = self.play_cases(notation, question, self.judge.playouts as usize);
        let all: usize = met.iter().map(|[no, _]| no.len()).sum();
        let mut cases = Vec::new();
        for (others, mut results) in met.into_iter().enumerate() {
            let likely = Estimate::share(all as u64, results[0].len() as u64, 1);
            if results[0].len() < CASE_PLAYOUTS / 2 {
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
            });
        }
        cases
    }

    /// Plays both options on with the luck of the judge; wins and scores by the number of others who
    /// said yes.
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

    /// Why the best option is better than another: facts of the position, the part of the simple
    /// rule that favours it most, or else what it does more; `None` where none of these favours it.
    pub fn reason(&self, options: &Options, cases: &[Case], pair: [usize; 2]) -> Option<String> {
        let [best, other] = pair;
        match options.facts.len() {
            0 => (self.part(options, best, other)).or_else(|| self.more(options, best, other)),
            _ => self.fact(options, cases, best),
        }
    }

    /// The facts for the number of others who say yes that makes the option the best, weighed by the
    /// likelihood of that number; `None` if none does.
    fn fact(&self, options: &Options, cases: &[Case], best: usize) -> Option<String> {
        let (mut facts, mut row) = (options.facts[0][best].clone(), String::new());
        let weight = |case: &Case| {
            let [no, yes] = case.worth.map(|worth| worth.win_share.value);
            case.likely.value * if best == 1 { yes - no } else { no - yes }
        };
        if options.facts.len() > 1 {
            let case = (cases.iter()).max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
            if weight(case) <= 0.0 {
                return None;
            }
            facts = options.facts[case.others][best].replace("{}", &case.likelihood());
            let [no, yes] = case.worth.map(|worth| percent(worth.win_share.value, 0));
            row = format!(
                "; then {} {no}, {} {yes}",
                options.names[0], options.names[1]
            );
        }
        let says = |rule: &Seat| rule.formula().evaluate(|at| options.features[best][at]);
        let rule = match &self.rule {
            Some(rule) if says(rule) != Value::Truth(best == 1) => " (the simple rule would not)",
            _ => "",
        };
        Some(format!("{facts}{row}: {}{rule}", options.names[best]))
    }

    /// The part of the simple rule that favours the first option most, if the rule prefers it.
    fn part(&self, options: &Options, best: usize, other: usize) -> Option<String> {
        let rule = self.rule.as_ref()?;
        options.features.get(best)?;
        let lead = |rule: &Seat| score(rule, options, best) - score(rule, options, other);
        let whole = lead(rule);
        let mut rest = rule.clone();
        let mut reason = (0.0, None);
        for (param, range) in &rule.strategy.ranges {
            let mut params = rule.strategy.params.iter();
            let (Some(at), Some(says)) = (params.position(|own| own.0 == *param), &range.says)
            else {
                continue;
            };
            let mut without = rule.clone();
            (without.values[at], rest.values[at]) = (0.0, 0.0);
            let part = whole - lead(&without);
            if part > reason.0 {
                reason = (part, Some(says.replace("{}", &rule.values[at].to_string())));
            }
        }
        // A rule has no words for its other parts. An option that ends the turn scores nothing, and
        // leads only by what others lose.
        let is_most = lead(&rest) <= reason.0 || score(&rest, options, best) <= 0.0;
        let says = reason.1.filter(|_| whole > 0.0 && is_most)?;
        // The number after the colon is its weight, in points of the rule.
        let says = says.split([':', ';']).next()?;
        Some(format!("{}.", says.trim_end_matches('.')))
    }

    /// The first of the game's features of which the first option has clearly more than the second.
    fn more(&self, options: &Options, best: usize, other: usize) -> Option<String> {
        let [best, other] = [options.features.get(best)?, options.features.get(other)?];
        let game = self.table.game;
        let known = game.vocabulary.features.iter().enumerate();
        let is_more = |(at, _): &(usize, _)| best[*at] > other[*at] + LEAST;
        let more: Vec<_> = known.filter(is_more).collect();
        let mut names = game.more.iter();
        let (at, of) = names.find_map(|name| more.iter().find(|(_, of)| of.name == *name))?;
        let [more, less] = [best[*at], other[*at]].map(|value| match of.unit {
            "probability" => percent(value.into(), 0),
            _ => format!("{value:.1}").trim_end_matches(".0").to_string(),
        });
        let meaning = of.meaning.split([',', ';']).next()?;
        Some(format!("{meaning}: {more} instead of {less}."))
    }
}

/// The score that a bot gives an option; 0 if it does not score options.
fn score(bot: &Seat, options: &Options, option: usize) -> f32 {
    let features = &options.features[option];
    match bot.formula().evaluate(|feature| features[feature]) {
        Value::Number(score) => score,
        Value::Truth(_) => 0.0,
    }
}
