//! Advice on one decision as data, which the terminal, JSON and the page show.

use crate::study::advise::{Adviser, Against, Case, question_of, say_whether_it_holds};
use carat_charts::labels::capitalized;
use carat_core::game::moments::{Fork, Options};
use carat_core::game::notation::{AdviceWords, Situation};
use carat_core::game::{SCORE_MEAN, WIN_SHARE};
use carat_core::numbers::{between, percent};
use carat_core::statistics::Estimate;
use carat_core::thinking::{Advice, Question, Worth};
use serde_json::{Map, Value, json};

/// Numbers of others that are rarer are not listed: their figures rest on few playouts.
const RARE: f64 = 0.01;

/// What the options of a decision are worth, also by the decisions and the kinds of the others, and
/// why.
pub struct AdviceReport<'a> {
    adviser: &'a Adviser<'a>,
    /// The decision of a game; `None` in a situation of the notation.
    fork: Option<Fork<'a>>,
    pub names: Vec<&'a str>,
    pub advice: Advice,
    pub cases: Vec<Case>,
    pub against: Vec<Against<'a>>,
    /// Whether the best option is the same against each kind of opponents; empty without kinds.
    pub holds: String,
}

impl<'a> AdviceReport<'a> {
    /// Advice for seat `me` in a situation; `None` if there is nothing to decide.
    pub fn of_situation(
        adviser: &'a Adviser<'a>,
        me: usize,
        situation: &Situation,
        words: &AdviceWords,
    ) -> Option<AdviceReport<'a>> {
        let question = question_of(me, situation)?;
        let advice = adviser.weigh(&question);
        Some(Self::new(
            adviser,
            &question,
            advice,
            words.options.to_vec(),
        ))
    }

    pub fn of_decision(adviser: &'a Adviser<'a>, fork: Fork<'a>) -> AdviceReport<'a> {
        Self::of_weighed(adviser, fork, adviser.weigh(&Question::at(fork)))
    }

    /// The report of a decision that has been weighed.
    pub fn of_weighed(
        adviser: &'a Adviser<'a>,
        fork: Fork<'a>,
        advice: Advice,
    ) -> AdviceReport<'a> {
        let names = Vec::from_iter(fork.1.names.iter().map(String::as_str));
        AdviceReport {
            fork: Some(fork),
            ..Self::new(adviser, &Question::at(fork), advice, names)
        }
    }

    fn new(
        adviser: &'a Adviser<'a>,
        question: &Question,
        advice: Advice,
        names: Vec<&'a str>,
    ) -> AdviceReport<'a> {
        let against = adviser.weigh_against(question, advice.best);
        AdviceReport {
            adviser,
            fork: None,
            cases: adviser.cases(question),
            holds: say_whether_it_holds(&against, &names),
            names,
            advice,
            against,
        }
    }

    /// Why the best option is better than the chosen one or, if that is the best, than the first
    /// that is clearly worse.
    pub fn why(&self, chosen: usize) -> Option<String> {
        match self.fork {
            Some(fork) => self.adviser.why(fork, &self.cases, &self.advice, chosen),
            None => {
                let reason = self.adviser.by_case(&self.cases, self.advice.best);
                reason.map(|(_, why)| why)
            }
        }
    }

    /// By which numbers of others who say yes now each option is better, where neither is on the
    /// whole; `None` if by no number. Rare numbers are left out.
    pub fn say_when_which(&self) -> Option<String> {
        let words = self.adviser.table.game.advice?;
        if self.advice.is_clear() {
            return None;
        }
        let mut said = Vec::new();
        for better in [Some(0), Some(1), None] {
            let is_one = |case: &&Case| case.better() == better && case.likely.value >= RARE;
            let cases = Vec::from_iter(self.cases.iter().filter(is_one));
            if cases.is_empty() {
                continue;
            }
            let numbers = Vec::from_iter(cases.iter().map(|case| case.others));
            let others = counted_others(words, &numbers);
            let which = match (better, said.is_empty()) {
                (Some(option), true) => format!("{} is better", words.doing[option]),
                (Some(option), false) => words.doing[option].to_string(),
                (None, true) => return None,
                (None, false) => "neither clearly".to_string(),
            };
            let likely: f64 = cases.iter().map(|case| case.likely.value).sum();
            said.push(format!("{which} if {others} ({})", percent(likely, 1)));
        }
        (!said.is_empty()).then(|| capitalized(&said.join(", ")))
    }

    /// The better of two options, and by how much.
    pub fn sentence(&self) -> String {
        let (best, by) = self.lead();
        format!("{}: {by}", best.map_or("Either".to_string(), capitalized))
    }

    /// The same, beside advice against each kind of opponent.
    pub fn sentence_of_mixed(&self) -> String {
        match self.lead() {
            (Some(best), by) => format!("At a mixed table, {best} is {by}"),
            (None, by) => format!("At a mixed table, {by}"),
        }
    }

    /// The better of two options if that is clear, and by how much.
    fn lead(&self) -> (Option<&str>, String) {
        let advice = &self.advice;
        let other = 1 - advice.best;
        // A lone player has won anyway, so the score decides.
        let is_even = self.adviser.compares_wins() && advice.wins_alike(other);
        let cost = advice.cost(other);
        let cost = cost.scaled(cost.value.signum());
        let (mut by, mut remark) = (format_cost(self.adviser, &cost), "");
        if is_even {
            let score = advice.behind[other].score_mean;
            let score = score.scaled(score.value.signum());
            by = format!("{score} {}", self.adviser.table.game.score_unit);
            remark = " The win shares are equal.";
        }
        if !advice.is_clear() {
            return (None, format!("no clear difference ({by}).{remark}"));
        }
        let best = self.names[advice.best];
        (Some(best), format!("{by} better.{remark}"))
    }

    /// For each number of others that say yes now, how likely that is, and what the options are
    /// worth and bring at once then. Rare numbers are left out.
    pub fn list_cases(&self) -> Vec<String> {
        let Some(words) = self.adviser.table.game.advice else {
            return Vec::new();
        };
        let [no, yes] = words.options;
        let line = |case: &Case| {
            let [worth_no, worth_yes] = case.worth.map(|worth| worth.win_share);
            let ([brings, adds, _], [brought, added, _]) = (case.stakes, words.stakes);
            let stakes = format!("{brought} {brings}, {added} {adds:.1}");
            if self.cases.len() == 1 {
                return stakes;
            }
            let (others, likely) = (counted_others(words, &[case.others]), case.likelihood());
            format!("if {others} ({likely}): {no} {worth_no}, {yes} {worth_yes}; {stakes}")
        };
        let is_listed = |case: &&Case| case.likely.value >= RARE;
        self.cases.iter().filter(is_listed).map(line).collect()
    }

    /// For each kind of opponents, the worth of both options, or which of several is the best.
    pub fn list_against(&self) -> Vec<String> {
        let line = |of: &Against| {
            let said = match (self.names.len(), of.best) {
                (2, _) => {
                    let [no, yes] = [0, 1].map(|option| of.advice.value(option));
                    format!("{} {no}, {} {yes}", self.names[0], self.names[1])
                }
                (_, Some(option)) => self.names[option].to_string(),
                (_, None) => "no clear difference".to_string(),
            };
            format!("against {}: {said}", of.kind)
        };
        self.against.iter().map(line).collect()
    }

    /// The report as fields of JSON, with the reason against the chosen option.
    pub fn fields(&self, chosen: usize) -> Map<String, Value> {
        let advice = &self.advice;
        let is_certain = self.fork.is_some() || advice.is_clear();
        let mut fields = super::fields(json!({
            "best": is_certain.then_some(advice.best),
            "holds": self.holds,
            "against": self.against.iter().map(against_fields).collect::<Value>(),
            "why": self.why(chosen),
            "worth": Vec::from_iter(worths(advice)),
        }));
        if let Some(words) = self.adviser.table.game.advice {
            let cases = self.cases.iter().map(|case| case_fields(case, words));
            fields.insert("cases".to_string(), cases.collect());
            fields.extend(super::fields(json!({
                "words": self.sentence(), "when": self.say_when_which(), "others": words.others,
                "stakes": words.stakes,
            })));
        }
        fields
    }
}

/// What each option is worth, and how far it is behind the best.
pub fn worths(advice: &Advice) -> impl Iterator<Item = Map<String, Value>> {
    advice.options.iter().enumerate().map(|(option, of)| {
        let mut worth = worth_fields(of);
        worth.extend(estimate_fields("behind", advice.cost(option)));
        worth.insert("playouts".to_string(), json!(of.playouts));
        worth
    })
}

/// Options without duplicates.
pub fn find_different(options: &Options) -> Vec<usize> {
    let is_copy = |option: &usize| options.copies.iter().any(|(copy, _)| copy == option);
    let all = 0..options.names.len();
    all.filter(|option| !is_copy(option)).collect()
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

fn counted_others(words: &AdviceWords, others: &[usize]) -> String {
    let yes = words.options[1];
    let numbers = Vec::from_iter(others.iter().map(usize::to_string));
    match others {
        [1] => format!("1 other {yes}s"),
        _ => format!("{} others {yes}", numbers.join(" or ")),
    }
}

fn case_fields(case: &Case, words: &AdviceWords) -> Value {
    let [no, yes] = words.options;
    let mut fields = estimate_fields("likely", case.likely);
    let stakes = words.stakes.iter().zip(case.stakes);
    fields.extend(stakes.map(|(name, value)| (name.replace(' ', "_"), json!(value))));
    fields.insert("better".to_string(), json!(case.better()));
    fields.insert(words.others.to_string(), case.others.into());
    fields.insert(yes.to_string(), worth_fields(&case.worth[1]).into());
    fields.insert(no.to_string(), worth_fields(&case.worth[0]).into());
    Value::Object(fields)
}

fn against_fields(of: &Against) -> Value {
    let worth = Vec::from_iter(of.advice.options.iter().map(worth_fields));
    json!({ "others": of.kind, "best": of.best, "worth": worth })
}

/// An estimate with the column names of tables.
pub fn estimate_fields(name: &str, of: Estimate) -> Map<String, Value> {
    let parts = [
        ("", of.value),
        ("_se", of.se),
        ("_low", of.low),
        ("_high", of.high),
    ];
    // No -0.0.
    let named = parts.map(|(end, value)| (format!("{name}{end}"), json!(value + 0.0)));
    named.into_iter().collect()
}

pub fn worth_fields(of: &Worth) -> Map<String, Value> {
    let mut worth = estimate_fields(WIN_SHARE, of.win_share);
    worth.extend(estimate_fields(SCORE_MEAN, of.score_mean));
    worth
}
