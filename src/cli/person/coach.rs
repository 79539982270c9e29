//! What options are worth and why: hints, advice and verdicts for the player.

use super::asking::SHOWN;
use super::paper::{Ink, Paper};
use crate::cli::advise::{in_cases, likelihood};
use crate::cli::terminal::{hanging, height};
use crate::results::NO_DIFFERENCE;
use crate::study::SeatedTable;
use crate::study::advise::{Advice, Adviser, Case};
use carat_core::formula::Value;
use carat_core::game::Layout;
use carat_core::game::moments::{Fork, Options};
use carat_core::game::story::list;
use carat_core::library::Library;
use carat_core::numbers::{percent, within};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec};
use carat_core::streams;
use carat_core::thinking::{Trial, Tried, Worth, weigh};
use fearless_simd::Level;
use std::slice;

const LISTED: usize = 10;
/// Lines of the screen around a list: the key, the verdict of the quiz, how many more, the prompt.
const AROUND: usize = 6;
/// Playouts of each option by which the useful ones are found.
const FEW: u64 = 128;
/// A smaller difference of a feature is no reason.
const LEAST: f32 = 0.05;

/// Evaluates options in playouts and explains them.
pub struct Coach<'a> {
    table: &'a SeatedTable,
    seed: u64,
    layout: Layout,
    /// The playouts of each option.
    pub playouts: u64,
    /// The simple rule of the game: the coach gives its words as reasons.
    rule: Option<Seat>,
}

impl<'a> Coach<'a> {
    pub fn new(table: &'a SeatedTable, seed: u64, playouts: u64) -> Coach<'a> {
        let (game, library) = (table.game, Library::here());
        let family = game.family.map(SeatSpec::of);
        Coach {
            table,
            seed,
            layout: table.table.layout().bare(),
            playouts,
            rule: family.and_then(|family| library.seats(game, &family).ok()?.pop()),
        }
    }

    /// Estimates the options of decision `number`, with luck independent of the game's own.
    pub fn weigh(&self, fork: Fork, number: u64) -> Tried {
        self.weigh_in(self.playouts, fork, number)
    }

    /// The same in this number of playouts.
    pub fn weigh_in(&self, playouts: u64, fork: Fork, number: u64) -> Tried {
        let (position, options) = fork;
        let trial = Trial {
            position,
            options: options.names.len(),
            chosen: options.chosen,
            seat: options.seat,
            // Leaves room above for the numbers of the playouts.
            first: streams::output(self.seed, streams::UNIFORM_BASE + number) >> 1,
        };
        let bots = self.table.table.as_ref();
        let mut tried = weigh(
            bots,
            &self.layout,
            Level::new(),
            self.seed,
            playouts,
            None,
            &trial,
        );
        let mut copies = options.copies.iter();
        if let Some((_, same)) = copies.find(|(copy, _)| *copy == tried.best) {
            tried.best = *same;
        }
        tried
    }

    /// Whether options are compared by wins; a lone player always wins and compares points.
    fn wins(&self) -> bool {
        self.layout.seats > 1
    }

    fn value(&self, worth: &Worth) -> f64 {
        worth.figure(!self.wins()).value
    }

    /// Options without duplicates, the best first.
    fn ranked(&self, options: &Options, tried: &Tried) -> Vec<usize> {
        let mut order = different(options);
        let value = |option: usize| self.value(&tried.options[option]);
        order.sort_by(|&a, &b| {
            let by = (b == tried.best).cmp(&(a == tried.best));
            by.then(value(b).total_cmp(&value(a)))
        });
        order
    }

    /// Options without duplicates; the best of a few playouts come first in long lists of several
    /// kinds.
    pub fn useful(&self, fork: Fork, number: u64) -> Vec<usize> {
        let options = fork.1;
        let kinds = &options.groups;
        if options.names.len() <= SHOWN || kinds.iter().all(|kind| *kind == kinds[0]) {
            return different(options);
        }
        self.ranked(options, &self.weigh_in(FEW, fork, number))
    }

    /// The facts for the number of others who say yes that makes the option the best, weighed by the
    /// likelihood of that number; `None` if none does.
    fn fact(&self, options: &Options, advice: Option<&Advice>, best: usize) -> Option<String> {
        let (mut facts, mut row) = (options.facts[0][best].clone(), String::new());
        let is_alone = options.facts.len() == 1;
        let weight = |case: &&Case| {
            let [no, yes] = case.worth.map(|worth| worth.win.value);
            case.likely.value * if best == 1 { yes - no } else { no - yes }
        };
        let cases = advice.iter().flat_map(|advice| &advice.cases);
        if !is_alone {
            let case = cases.max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
            if weight(&case) <= 0.0 {
                return None;
            }
            facts = options.facts[case.others][best].replace("{}", &likelihood(case));
            let [no, yes] = case.worth.map(|worth| percent(worth.win.value, 0));
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

    /// What options are worth by the number of others who decide yes at the same time, with the
    /// likelihood of that number; `None` if there are none.
    fn advice(&self, fork: Fork) -> Option<Advice> {
        let (position, options) = fork;
        let playouts = self.playouts as usize;
        let others = options.facts.len().checked_sub(2)? + 1;
        let adviser = Adviser::of(self.table, options.seat, playouts).ok()?;
        adviser.advise(slice::from_ref(position), others)
    }

    fn worth(&self, worth: &Worth) -> String {
        let score = format!("{} {}", worth.score_mean, self.table.game.score_unit);
        if self.wins() {
            format!("win share {}, {score}", worth.win_share)
        } else {
            score
        }
    }

    /// All options in order of value, each once, as many as fit the screen, and the reason for the
    /// first.
    pub fn list(&self, paper: &mut Paper, fork: Fork, tried: &Tried, numbers: &[String]) {
        let (options, advice) = (fork.1, self.advice(fork));
        let order = self.ranked(options, tried);
        let mut end = String::new();
        if let (Some(advice), Some(words)) = (&advice, self.table.game.advice) {
            for line in in_cases(advice, words) {
                end += &hanging(&format!("       {line}\n"));
            }
        }
        let why = self.say(options, tried, advice.as_ref(), tried.best);
        let used = end.lines().count() + why.lines().count() + AROUND;
        let free = height().map_or(usize::MAX, |height| height.saturating_sub(used));
        let (mut listed, mut shown, mut lines) = (0, 0, 0);
        for (at, &option) in order.iter().enumerate() {
            let is_same = |other: &&usize| tried.options[**other] == tried.options[option];
            if listed == LISTED || order[..at].iter().any(|other| is_same(&other)) {
                continue;
            }
            let head = hanging(&format!(
                "  {:>3}  {}\n",
                numbers[option], options.names[option]
            ));
            let mut worth = format!("       {}", self.worth(&tried.options[option]));
            if option != tried.best && tried.behind[option].low <= 0.0 {
                worth += &format!("; {NO_DIFFERENCE}");
            }
            let same = order[at + 1..].iter().filter(is_same);
            let same: Vec<&str> = same.map(|other| numbers[*other].as_str()).collect();
            if !same.is_empty() {
                worth += &format!("; the same: {}", list(&same));
            }
            let worth = hanging(&format!("{worth}\n"));
            lines += head.lines().count() + worth.lines().count();
            if lines > free && listed > 0 {
                break;
            }
            listed += 1;
            if option == tried.best {
                paper.ink(Ink::Good, &head)
            } else {
                paper.add(&head)
            };
            shown += 1 + same.len();
            paper.ink(Ink::Remark, &worth);
        }
        if order.len() > shown {
            let rest = order.len() - shown;
            let rest = format!("       {rest} more (`carat analyse --details` lists all)\n");
            paper.ink(Ink::Remark, &hanging(&rest));
        }
        paper.ink(Ink::Remark, &end).add(&why);
    }

    /// The reason why the best option is better than the chosen one, or than the first that is clearly
    /// worse: facts of the position, the part of the simple rule that favours it most, or else what
    /// it does more. Empty without such an option, or where none of these favours the best.
    fn say(
        &self,
        options: &Options,
        tried: &Tried,
        advice: Option<&Advice>,
        chosen: usize,
    ) -> String {
        let is_worse = |option: &usize| tried.behind[*option].low > 0.0;
        let ranked = self.ranked(options, tried);
        let best = tried.best;
        let other = if chosen == best {
            ranked.into_iter().find(is_worse)
        } else {
            Some(chosen).filter(is_worse)
        };
        let reason = other.and_then(|other| match options.facts.len() {
            0 => (self.part(options, best, other)).or_else(|| self.more(options, best, other)),
            _ => self.fact(options, advice, best),
        });
        reason.map_or_else(String::new, |reason| {
            hanging(&format!("  why:    {reason}\n"))
        })
    }

    /// What a decision cost, and why.
    pub fn verdict(&self, paper: &mut Paper, fork: Fork, tried: &Tried, option: usize) {
        let options = fork.1;
        let cost = tried.behind[option];
        let best = &options.names[tried.best];
        let (ink, text) = if option == tried.best {
            let worth = self.worth(&tried.options[option]);
            (Ink::Good, format!("the best, {worth}"))
        } else if cost.low <= 0.0 {
            (Ink::Good, format!("as good as the best ({best})"))
        } else {
            let cost = self.said(&cost);
            (Ink::Bad, format!("costs {cost}; the best: {best}"))
        };
        paper.ink(ink, &hanging(&format!("  coach:  {text}\n")));
        let advice = self.advice(fork);
        paper.add(&self.say(options, tried, advice.as_ref(), option));
    }

    /// A difference with its unit.
    pub fn said(&self, cost: &Estimate) -> String {
        if self.wins() {
            let points = within(100.0 * cost.value, 100.0 * cost.half_width());
            format!("{points} percentage points of win share")
        } else {
            format!("{cost} {}", self.table.game.score_unit)
        }
    }
}

/// Options without duplicates.
fn different(options: &Options) -> Vec<usize> {
    let is_copy = |option: &usize| options.copies.iter().any(|(copy, _)| copy == option);
    let all = 0..options.names.len();
    all.filter(|option| !is_copy(option)).collect()
}

/// The score that a bot gives an option; 0 if it does not score options.
fn score(bot: &Seat, options: &Options, option: usize) -> f32 {
    let features = &options.features[option];
    match bot.formula().evaluate(|feature| features[feature]) {
        Value::Number(score) => score,
        Value::Truth(_) => 0.0,
    }
}
