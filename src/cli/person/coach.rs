//! Advice in words: what options are worth and why, for the player.

use super::asking::SHOWN;
use super::paper::{Ink, Paper};
use crate::cli::terminal::{hanging, height, indented};
use carat_core::game::moments::{Fork, Options};
use carat_core::game::story::list;
use carat_core::thinking::{Advice, Question};
use carat_studies::desk::advice::{AdviceReport, find_different, format_cost};
use carat_studies::report::NO_DIFFERENCE;
use carat_studies::study::advise::{Adviser, Case};

const LISTED: usize = 10;
/// Lines of the screen around a list: the key, the verdict of the quiz, how many more, the prompt.
const AROUND: usize = 6;
/// Playouts of each option by which the useful ones are found.
const FEW: u64 = 256;

const NONE_BETTER: &str = "no option is clearly better";

/// Options without duplicates; the best of a few playouts come first in long lists of several
/// kinds.
pub fn find_useful(adviser: &Adviser, fork: Fork) -> Vec<usize> {
    let options = fork.1;
    let kinds = &options.groups;
    if options.names.len() <= SHOWN || kinds.iter().all(|kind| *kind == kinds[0]) {
        return find_different(options);
    }
    let advice = adviser.weigh_in(FEW, &Question::at(fork));
    advice.rank(find_different(options), advice.best)
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
    options: &'a Options,
    report: AdviceReport<'a>,
}

impl<'a> Coach<'a> {
    pub fn new(adviser: &'a Adviser<'a>, fork: Fork<'a>, advice: Advice) -> Coach<'a> {
        Coach {
            adviser,
            options: fork.1,
            report: AdviceReport::of_weighed(adviser, fork, advice),
        }
    }

    pub fn best(&self) -> usize {
        self.report.advice.best
    }

    fn worth(&self, option: usize) -> String {
        let (worth, game) = (&self.report.advice.options[option], self.adviser.table.game);
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
        let (options, advice) = (self.options, &self.report.advice);
        let different = find_different(options);
        // The best of a race may come out lower in the new playouts, by chance.
        let mut first = advice.best;
        for &option in &different {
            if advice.value(option).value > advice.value(first).value {
                first = option;
            }
        }
        let order = advice.rank(different, first);
        let end = indented(self.report.list_cases(), 7);
        let (holds, why) = (self.hold(true), line_of(self.report.why(chosen)));
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
            } else if option == advice.best && order[0] != option {
                worth += "; the best of the first playouts, and these tell it from none above it";
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

    /// Whether the answer holds against all kinds of opponents, maybe with what is best against
    /// each; empty if the opponents are named.
    fn hold(&self, with_each: bool) -> String {
        let (holds, against) = (&self.report.holds, &self.report.against);
        if holds.is_empty() {
            return String::new();
        }
        let differs = against.iter().any(|of| of.best != against[0].best);
        let mut said = hanging(&format!("  opponents:  {holds}\n"));
        if with_each && (differs || self.options.names.len() == 2) {
            said += &indented(self.report.list_against(), 2);
        }
        said
    }

    /// Adds what a decision cost, and why.
    pub fn add_verdict(&self, paper: &mut Paper, option: usize) {
        let (cost, best) = (self.report.advice.cost(option), self.report.advice.best);
        let name = &self.options.names[best];
        let (ink, text) = if option == best {
            let is_close =
                |other: &usize| *other != best && self.report.advice.cost(*other).low <= 0.0;
            let is_tied = find_different(self.options).iter().any(is_close);
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
        paper.add(&line_of(self.report.why(option)));
    }
}
