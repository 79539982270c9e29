//! Advice in words: what options are worth and why, for the player.

use super::asking::SHOWN;
use super::paper::{Ink, Paper};
use crate::cli::advise::{against_lines, in_cases};
use crate::cli::terminal::{hanging, height};
use carat_core::game::moments::{Fork, Options, Position};
use carat_core::game::story::list;
use carat_core::numbers::between;
use carat_core::statistics::Estimate;
use carat_core::thinking::{Advice, Question};
use carat_studies::report::NO_DIFFERENCE;
use carat_studies::study::advise::{Adviser, Against, Case, say_whether_it_holds};

const LISTED: usize = 10;
/// Lines of the screen around a list: the key, the verdict of the quiz, how many more, the prompt.
const AROUND: usize = 6;
/// Playouts of each option by which the useful ones are found.
const FEW: u64 = 256;

const NONE_BETTER: &str = "no option is clearly better";

/// Options without duplicates.
fn different(options: &Options) -> Vec<usize> {
    let is_copy = |option: &usize| options.copies.iter().any(|(copy, _)| copy == option);
    let all = 0..options.names.len();
    all.filter(|option| !is_copy(option)).collect()
}

/// Options without duplicates; the best of a few playouts come first in long lists of several kinds.
pub fn find_useful(adviser: &Adviser, fork: Fork) -> Vec<usize> {
    let options = fork.1;
    let kinds = &options.groups;
    if options.names.len() <= SHOWN || kinds.iter().all(|kind| *kind == kinds[0]) {
        return different(options);
    }
    let advice = adviser.weigh_in(FEW, &Question::at(fork));
    advice.rank(different(options), advice.best)
}

/// A difference with its unit.
pub fn format_cost(adviser: &Adviser, cost: &Estimate) -> String {
    if adviser.compares_wins() {
        let [value, low, high] = [cost.value, cost.low, cost.high].map(|of| 100.0 * of);
        between(value, low, high, " percentage points of win share")
    } else {
        format!("{cost} {}", adviser.table.game.score_unit)
    }
}

/// A line with the reason why the best option is better than the one of the player; empty without
/// a reason.
pub fn why(adviser: &Adviser, fork: Fork, cases: &[Case], pair: [usize; 2]) -> String {
    line_of(adviser.reason(fork, cases, pair, "yours"))
}

fn line_of(reason: Option<String>) -> String {
    let line = |reason| hanging(&format!("  why:    {reason}\n"));
    reason.map_or_else(String::new, line)
}

/// What is said of a decision.
pub struct Coach<'a> {
    adviser: &'a Adviser<'a>,
    position: &'a Position,
    options: &'a Options,
    advice: &'a Advice,
    cases: Vec<Case>,
    against: Vec<Against<'a>>,
}

impl<'a> Coach<'a> {
    pub fn new(adviser: &'a Adviser, fork: Fork<'a>, advice: &'a Advice) -> Coach<'a> {
        let question = Question::at(fork);
        Coach {
            adviser,
            position: fork.0,
            options: fork.1,
            advice,
            cases: adviser.cases(&question),
            against: adviser.weigh_against(&question, advice.best),
        }
    }

    fn worth(&self, option: usize) -> String {
        let (worth, game) = (&self.advice.options[option], self.adviser.table.game);
        let score = format!("{} {}", worth.score_mean, game.score_unit);
        if self.adviser.compares_wins() {
            format!("win share {}, {score}", worth.win_share)
        } else {
            score
        }
    }

    /// Adds all options in order of value, each once, as many as fit the screen, and the reason for
    /// the first, also against the chosen one.
    pub fn list_options(&self, paper: &mut Paper, numbers: &[String], chosen: usize) {
        let (options, advice) = (self.options, self.advice);
        let order = advice.rank(different(options), advice.best);
        let mut end = String::new();
        if let Some(words) = self.adviser.table.game.advice {
            for line in in_cases(&self.cases, words) {
                end += &hanging(&format!("       {line}\n"));
            }
        }
        let (holds, why) = (self.hold(true), self.reason(chosen));
        paper.add(&holds);
        let lines_of = |text: &str| text.lines().count();
        let used = lines_of(&end) + lines_of(&why) + lines_of(&holds) + AROUND;
        let free = height().map_or(usize::MAX, |height| height.saturating_sub(used));
        let (mut listed, mut shown, mut lines) = (0, 0, 0);
        for (at, &option) in order.iter().enumerate() {
            let is_same = |other: &&usize| advice.options[**other] == advice.options[option];
            if listed == LISTED || order[..at].iter().any(|other| is_same(&other)) {
                continue;
            }
            let (number, name) = (&numbers[option], &options.names[option]);
            let head = hanging(&format!("  {number:>3}  {name}\n"));
            let mut worth = format!("       {}", self.worth(option));
            if option != advice.best && advice.cost(option).low <= 0.0 {
                worth += &format!("; {NO_DIFFERENCE}");
            }
            let same = order[at + 1..].iter().filter(is_same);
            let same: Vec<&str> = same.map(|other| numbers[*other].as_str()).collect();
            if !same.is_empty() {
                worth += &format!("; same value: {}", list(&same));
            }
            let worth = hanging(&format!("{worth}\n"));
            lines += head.lines().count() + worth.lines().count();
            if lines > free && listed > 0 {
                break;
            }
            listed += 1;
            if option == advice.best {
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

    /// The line of [`Adviser::why`].
    fn reason(&self, chosen: usize) -> String {
        let fork = (self.position, self.options);
        line_of(self.adviser.why(fork, &self.cases, self.advice, chosen))
    }

    /// Whether the answer holds against all kinds of opponents, maybe with what is best against each;
    /// empty if the opponents are named.
    fn hold(&self, with_each: bool) -> String {
        let names = Vec::from_iter(self.options.names.iter().map(String::as_str));
        let holds = say_whether_it_holds(&self.against, &names);
        if holds.is_empty() {
            return holds;
        }
        let differs = self
            .against
            .iter()
            .any(|of| of.best != self.against[0].best);
        let each = (with_each && (differs || names.len() == 2))
            .then(|| against_lines(&self.against, &names));
        hanging(&format!("  holds:  {holds}\n")) + &each.unwrap_or_default()
    }

    /// Adds what a decision cost, and why.
    pub fn add_verdict(&self, paper: &mut Paper, option: usize) {
        let (cost, best) = (self.advice.cost(option), self.advice.best);
        let name = &self.options.names[best];
        let (ink, text) = if option == best {
            let is_close = |other: &usize| *other != best && self.advice.cost(*other).low <= 0.0;
            let is_tied = different(self.options).iter().any(is_close);
            let worth = self.worth(option);
            let rank = format!("{NONE_BETTER} (highest: {name}, {worth})");
            (
                Ink::Good,
                if is_tied {
                    rank
                } else {
                    format!("the best, {worth}")
                },
            )
        } else if cost.low <= 0.0 {
            (Ink::Good, format!("{NONE_BETTER} (highest: {name})"))
        } else {
            let cost = format_cost(self.adviser, &cost);
            (Ink::Bad, format!("costs {cost}; the best: {name}"))
        };
        paper.ink(ink, &hanging(&format!("  coach:  {text}\n")));
        if option != best && cost.low > 0.0 {
            paper.add(&self.hold(false));
        }
        paper.add(&self.reason(option));
    }
}
