//! What options are worth and why: hints, advice and verdicts for the player.

use super::asking::SHOWN;
use super::paper::{Ink, Paper};
use crate::cli::advise::in_cases;
use crate::cli::terminal::hanging;
use crate::formula::Value;
use crate::game::Layout;
use crate::game::moments::{Options, Position};
use crate::game::story::list;
use crate::numbers::{share_within, within};
use crate::results::NO_DIFFERENCE;
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::streams;
use crate::study::SeatedTable;
use crate::study::advise::Adviser;
use crate::study::library::Library;
use crate::thinking::{Trial, Tried, Worth, weigh};
use fearless_simd::Level;
use std::slice;

/// Most options in a list.
const LISTED: usize = 10;
/// Playouts of each option by which the useful ones are found.
const FEW: u64 = 128;

/// Evaluates options in playouts and explains them.
pub struct Coach<'a> {
    table: &'a SeatedTable,
    seed: u64,
    layout: Layout,
    level: Level,
    /// Most playouts of an option.
    playouts: u64,
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
            level: Level::new(),
            playouts,
            rule: family.and_then(|family| library.seats(game, &family).ok()?.pop()),
        }
    }

    /// Estimates the options of decision `number`, with luck independent of the game's own.
    pub fn weigh(&self, position: &Position, options: &Options, number: u64) -> Tried {
        self.weigh_in(self.playouts, position, options, number)
    }

    fn weigh_in(
        &self,
        playouts: u64,
        position: &Position,
        options: &Options,
        number: u64,
    ) -> Tried {
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
            self.level,
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
        if self.wins() {
            worth.win_share.value
        } else {
            worth.score_mean.value
        }
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
    pub fn useful(&self, position: &Position, options: &Options, number: u64) -> Vec<usize> {
        let kinds = &options.groups;
        if options.names.len() <= SHOWN || kinds.iter().all(|kind| *kind == kinds[0]) {
            return different(options);
        }
        let tried = self.weigh_in(FEW, position, options, number);
        self.ranked(options, &tried)
    }

    /// Why the first option is better than the second: the facts of the position, or the part of
    /// the simple rule that favours it most. Nothing where the rule prefers the second.
    fn reason(&self, options: &Options, best: usize, other: usize) -> Option<String> {
        let rule = self.rule.as_ref()?;
        let features = options.features.get(best)?;
        let name = &options.names[best];
        if !options.facts.is_empty() {
            let says = rule.formula().evaluate(|feature| features[feature]);
            let says = &options.names[usize::from(says == Value::Truth(true))];
            let rule = if says == name {
                String::new()
            } else {
                format!(" (the simple rule would {says})")
            };
            return Some(format!("{}: {name}{rule}", options.facts));
        }
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
        // An option that ends the turn scores nothing, and leads only by what others lose.
        if lead(&rest) > reason.0 && score(&rest, options, best) > 0.0 {
            reason.1.clone_from(&rule.strategy.says);
        }
        // The number after the colon is its weight, in points of the rule.
        let says = reason.1.filter(|_| whole > 0.0)?;
        let says = says.split([':', ';']).next()?;
        Some(format!("{}.", says.trim_end_matches('.')))
    }

    /// What options are worth by the number of others who decide yes at the same time, with the
    /// probability of that number.
    fn by_others(&self, paper: &mut Paper, position: &Position, options: &Options) {
        let playouts = self.playouts as usize;
        let Ok(adviser) = Adviser::of(self.table, options.seat, self.level, playouts) else {
            return;
        };
        let notation = adviser.notation();
        let groups = |others: &usize| !notation.others(options.seat, position, *others).is_empty();
        let cases = (0..).take_while(groups).count();
        if cases < 2 {
            return;
        }
        let advice = adviser.advise(slice::from_ref(position), cases - 1);
        for line in advice
            .iter()
            .flat_map(|advice| in_cases(advice, adviser.words))
        {
            paper.ink(Ink::Remark, &hanging(&format!("       {line}\n")));
        }
    }

    fn worth(&self, worth: &Worth) -> String {
        let unit = self.table.game.score_unit;
        let score = within(worth.score_mean.value, worth.score_mean.half_width());
        let win = worth.win_share;
        if self.wins() {
            format!(
                "{} of the wins, {score} {unit}",
                share_within(win.value, win.low, win.high)
            )
        } else {
            format!("{score} {unit}")
        }
    }

    /// All options in order of value, each once, and the reason for the first.
    pub fn list(
        &self,
        paper: &mut Paper,
        position: &Position,
        options: &Options,
        tried: &Tried,
        numbers: &[String],
    ) {
        let order = self.ranked(options, tried);
        let (mut listed, mut shown) = (0, 0);
        for (at, &option) in order.iter().enumerate() {
            let is_same = |other: &&usize| tried.options[**other] == tried.options[option];
            if listed == LISTED || order[..at].iter().any(|other| is_same(&other)) {
                continue;
            }
            listed += 1;
            let head = hanging(&format!(
                "  {:>3}  {}\n",
                numbers[option], options.names[option]
            ));
            let worth = format!("       {}", self.worth(&tried.options[option]));
            let tied = option != tried.best && tried.behind[option].low <= 0.0;
            if option == tried.best {
                paper.ink(Ink::Good, &head)
            } else {
                paper.add(&head)
            };
            let mut end = if tied {
                format!("; {NO_DIFFERENCE}")
            } else {
                String::new()
            };
            let same = order[at + 1..].iter().filter(is_same);
            let same: Vec<&str> = same.map(|other| numbers[*other].as_str()).collect();
            if !same.is_empty() {
                end += &format!("; the same: {}", list(&same));
            }
            shown += 1 + same.len();
            paper.ink(Ink::Remark, &hanging(&format!("{worth}{end}\n")));
        }
        if order.len() > shown {
            let rest = format!("       {} more, worth less\n", order.len() - shown);
            paper.ink(Ink::Remark, &rest);
        }
        self.by_others(paper, position, options);
        self.say(paper, options, tried, tried.best);
    }

    /// Adds the reason why the best option is better than the chosen one, or than the first that is
    /// clearly worse.
    fn say(&self, paper: &mut Paper, options: &Options, tried: &Tried, chosen: usize) {
        let is_worse = |option: &usize| tried.behind[*option].low > 0.0;
        let ranked = self.ranked(options, tried);
        let other = if chosen == tried.best {
            ranked.into_iter().find(is_worse)
        } else {
            Some(chosen).filter(is_worse)
        };
        if let Some(reason) = other.and_then(|other| self.reason(options, tried.best, other)) {
            paper.add(&hanging(&format!("  why:    {reason}\n")));
        }
    }

    /// What a decision cost, and why.
    pub fn verdict(&self, paper: &mut Paper, options: &Options, tried: &Tried, option: usize) {
        let cost = tried.behind[option];
        let best = &options.names[tried.best];
        let (ink, text) = if option == tried.best {
            let mut others = (0..options.names.len()).filter(|other| *other != option);
            let tied = others.any(|other| tried.behind[other].low <= 0.0);
            let best = if tied { "as good as any" } else { "the best" };
            let worth = self.worth(&tried.options[option]);
            (Ink::Good, format!("{best}, {worth}"))
        } else if cost.low <= 0.0 {
            (Ink::Good, format!("as good as the best ({best})"))
        } else {
            let text = format!("costs {}; the best: {best}", self.said(&cost));
            (Ink::Bad, text)
        };
        paper.ink(ink, &hanging(&format!("  coach:  {text}\n")));
        self.say(paper, options, tried, option);
    }

    /// A difference with its unit.
    pub fn said(&self, cost: &Estimate) -> String {
        if self.wins() {
            let points = within(100.0 * cost.value, 100.0 * cost.half_width());
            format!("{points} percentage points of the wins")
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
