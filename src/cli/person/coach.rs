//! What options are worth and why: hints, advice and verdicts for the person who decides.

use super::asking::SHOWN;
use super::paper::{Ink, Paper};
use crate::cli::advise::in_case;
use crate::cli::terminal::hanging;
use crate::formula::Value;
use crate::game::Layout;
use crate::game::moments::{Options, Position};
use crate::numbers::{share_within, within};
use crate::results::NO_DIFFERENCE;
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::streams;
use crate::study::SeatedTable;
use crate::study::advise::Asker;
use crate::study::library::Library;
use crate::thinking::{Trial, Tried, Worth, weigh};
use fearless_simd::Level;
use std::slice;

/// Options that are listed.
const LISTED: usize = 10;
/// Playouts of each option by which the useful ones are found.
const FEW: u64 = 128;

/// Somebody who tries options in playouts.
pub struct Coach<'a> {
    table: &'a SeatedTable,
    seed: u64,
    layout: Layout,
    level: Level,
    /// Most playouts of an option.
    playouts: u64,
    /// The simple rule of the game, in whose words reasons are given.
    rule: Option<Seat>,
}

impl<'a> Coach<'a> {
    /// A coach beside this table.
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

    /// What the options of a decision are worth; `number` is that of the decision. Nothing of the luck
    /// of the game itself is looked at.
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
            // Far from the end of what can be counted, as playouts are counted from there.
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

    /// Who is alone wins always, and asks for points.
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

    /// Options that differ, the best first.
    fn ranked(&self, options: &Options, tried: &Tried) -> Vec<usize> {
        let mut order = different(options);
        let value = |option: usize| self.value(&tried.options[option]);
        order.sort_by(|&a, &b| {
            let by = (b == tried.best).cmp(&(a == tried.best));
            by.then(value(b).total_cmp(&value(a)))
        });
        order
    }

    /// Options that differ; of many of several kinds, those first that are worth most in a few playouts.
    pub fn useful(&self, position: &Position, options: &Options, number: u64) -> Vec<usize> {
        let kinds = &options.groups;
        if options.names.len() <= SHOWN || kinds.iter().all(|kind| *kind == kinds[0]) {
            return different(options);
        }
        let tried = self.weigh_in(FEW, position, options, number);
        self.ranked(options, &tried)
    }

    /// Why the first option is better than the second: what the game says of the position, or the part
    /// of the simple rule that speaks most for it. Nothing where the rule would not have it so.
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
        let mut reason = (0.0, rule.strategy.says.clone());
        for (param, range) in &rule.strategy.ranges {
            let mut params = rule.strategy.params.iter();
            let Some(at) = params.position(|(name, _)| name == param) else {
                continue;
            };
            let mut without = rule.clone();
            without.values[at] = 0.0;
            let part = whole - lead(&without);
            if let Some(says) = range.says.as_ref().filter(|_| part > reason.0) {
                let value = rule.values[at].to_string();
                reason = (part, Some(says.replace("{}", &value)));
            }
        }
        reason.1.filter(|_| whole > 0.0)
    }

    /// What options are worth by how many others decide otherwise at the same time, each with how likely
    /// that is, where it can be found.
    fn by_others(&self, paper: &mut Paper, position: &Position, options: &Options) {
        let told = (self.table.game.advice, self.table.table.notation());
        let (Some(words), Some(notation)) = told else {
            return;
        };
        let groups = |others: &usize| !notation.others(options.seat, position, *others).is_empty();
        let cases = (0..).take_while(groups).count();
        if cases < 2 {
            return;
        }
        let asker = Asker {
            table: self.table,
            me: options.seat,
            level: self.level,
            playouts: self.playouts as usize,
        };
        let advice = asker.advise(slice::from_ref(position), cases - 1);
        for case in advice.iter().flat_map(|advice| &advice.cases) {
            let line = format!("       {}\n", in_case(case, words));
            paper.ink(Ink::Remark, &hanging(&line));
        }
    }

    /// What an option is worth, in words.
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

    /// All options in order of worth, and why the first is the best; `numbers` is how each is called.
    pub fn list(
        &self,
        paper: &mut Paper,
        position: &Position,
        options: &Options,
        tried: &Tried,
        numbers: &[String],
    ) {
        let order = self.ranked(options, tried);
        for &option in order.iter().take(LISTED) {
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
            let tied = if tied {
                format!("; {NO_DIFFERENCE}")
            } else {
                String::new()
            };
            paper.ink(Ink::Remark, &hanging(&format!("{worth}{tied}\n")));
        }
        if order.len() > LISTED {
            paper.ink(
                Ink::Remark,
                &format!("       and {} more, worth less\n", order.len() - LISTED),
            );
        }
        self.by_others(paper, position, options);
        self.say(paper, options, tried, tried.best);
    }

    /// Adds the reason why the best option is clearly better than another: the chosen one, or the next.
    fn say(&self, paper: &mut Paper, options: &Options, tried: &Tried, chosen: usize) {
        let [best, next, ..] = *self.ranked(options, tried) else {
            return;
        };
        let other = if chosen == best { next } else { chosen };
        if tried.behind[other].low <= 0.0 {
            return;
        }
        if let Some(reason) = self.reason(options, best, other) {
            paper.add(&hanging(&format!("  why:    {reason}\n")));
        }
    }

    /// What a decision cost, in a line, and why.
    pub fn verdict(&self, paper: &mut Paper, options: &Options, tried: &Tried, option: usize) {
        let cost = tried.behind[option];
        let best = &options.names[tried.best];
        let (ink, text) = if option == tried.best {
            (
                Ink::Good,
                format!("the best, {}", self.worth(&tried.options[option])),
            )
        } else if cost.low <= 0.0 {
            (Ink::Good, format!("{NO_DIFFERENCE} to the best: {best}"))
        } else {
            (
                Ink::Bad,
                format!("costs {}; the best: {best}", self.said(&cost)),
            )
        };
        paper.ink(ink, &hanging(&format!("  coach:  {text}\n")));
        self.say(paper, options, tried, option);
    }

    /// A difference with its unit.
    pub fn said(&self, cost: &Estimate) -> String {
        if self.wins() {
            format!("{} of the win share", cost.in_points())
        } else {
            format!("{cost} {}", self.table.game.score_unit)
        }
    }
}

/// Options that are no copies of others.
fn different(options: &Options) -> Vec<usize> {
    let is_copy = |option: &usize| options.copies.iter().any(|(copy, _)| copy == option);
    let all = 0..options.names.len();
    all.filter(|option| !is_copy(option)).collect()
}

/// What a bot scores an option; 0 where it does not score options.
fn score(bot: &Seat, options: &Options, option: usize) -> f32 {
    let features = &options.features[option];
    match bot.formula().evaluate(|feature| features[feature]) {
        Value::Number(score) => score,
        Value::Truth(_) => 0.0,
    }
}
