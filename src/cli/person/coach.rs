//! What options are worth, told to somebody who decides.

use super::paper::{Ink, Paper};
use crate::cli::terminal::hanging;
use crate::game::Layout;
use crate::game::moments::{Options, Position};
use crate::numbers::{percent, share_within, within};
use crate::results::NO_DIFFERENCE;
use crate::statistics::Estimate;
use crate::streams;
use crate::study::SeatedTable;
use crate::thinking::{Trial, Tried, Worth, weigh};
use fearless_simd::Level;

/// Options that are told.
const TOLD: usize = 10;

/// Fewest playouts of an option for each group of others.
const PLAYOUTS_OF_GROUP: u64 = 500;

/// Somebody who tries options in playouts.
pub struct Coach<'a> {
    table: &'a SeatedTable,
    seed: u64,
    layout: Layout,
    level: Level,
    /// Most playouts of an option.
    playouts: u64,
}

impl<'a> Coach<'a> {
    /// A coach beside this table.
    pub fn new(table: &'a SeatedTable, seed: u64, playouts: u64) -> Coach<'a> {
        Coach {
            table,
            seed,
            layout: table.table.layout().bare(),
            level: Level::new(),
            playouts,
        }
    }

    /// What the options of a decision are worth; `number` is that of the decision. Nothing of the luck
    /// of the game itself is looked at.
    pub fn weigh(&self, position: &Position, options: &Options, number: u64) -> Tried {
        let trial = Trial {
            position,
            options: options.names.len(),
            chosen: options.chosen,
            seat: options.seat,
            // Far from the end of what can be counted, as playouts are counted from there.
            first: streams::output(self.seed, streams::UNIFORM_BASE + number) >> 1,
        };
        let bots = self.table.table.as_ref();
        weigh(
            bots,
            &self.layout,
            self.level,
            self.seed,
            self.playouts,
            None,
            &trial,
        )
    }

    /// Who is alone wins always, and asks for points.
    fn wins(&self) -> bool {
        self.layout.seats > 1
    }

    fn value<'w>(&self, worth: &'w Worth) -> &'w Estimate {
        if self.wins() {
            &worth.win_share
        } else {
            &worth.score_mean
        }
    }

    /// Why: what options are worth by what others decide at the same time, where that can be told.
    pub fn why(&self, paper: &mut Paper, position: &Position, options: &Options, number: u64) {
        let told = (self.table.game.advice, self.table.table.notation());
        let (Some(words), Some(notation)) = told else {
            return;
        };
        let mut lines = Vec::new();
        for others in 0.. {
            let groups = notation.others(options.seat, position, others);
            if groups.is_empty() {
                break;
            }
            let each = Coach {
                layout: self.layout.clone(),
                playouts: (self.playouts / groups.len() as u64).max(PLAYOUTS_OF_GROUP),
                ..*self
            };
            let tried = groups
                .iter()
                .map(|group| each.weigh(group, options, number));
            let tried: Vec<Tried> = tried.collect();
            let worth = options.names.iter().enumerate().map(|(option, name)| {
                let all = tried
                    .iter()
                    .map(|tried| self.value(&tried.options[option]).value);
                let mean = all.sum::<f64>() / groups.len() as f64;
                if self.wins() {
                    format!("{name} {}", percent(mean, 1))
                } else {
                    format!("{name} {}", crate::numbers::number(mean, 1))
                }
            });
            let worth = worth.collect::<Vec<_>>().join(", ");
            lines.push(format!("       {others} {}: {worth}\n", words.others[1]));
        }
        // Where nobody else decides there is nothing to tell.
        if lines.len() > 1 {
            lines
                .iter()
                .for_each(|line| _ = paper.ink(Ink::Remark, &hanging(line)));
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

    /// All options in order of worth; `numbers` is how each is called.
    pub fn list(&self, paper: &mut Paper, options: &Options, tried: &Tried, numbers: &[String]) {
        let mut order: Vec<usize> = (0..options.names.len()).collect();
        let value = |option: usize| self.value(&tried.options[option]).value;
        order.sort_by(|&a, &b| {
            let by = value(b).total_cmp(&value(a));
            by.then((b == tried.best).cmp(&(a == tried.best)))
        });
        for &option in order.iter().take(TOLD) {
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
        if order.len() > TOLD {
            paper.ink(
                Ink::Remark,
                &format!("       and {} more, worth less\n", order.len() - TOLD),
            );
        }
    }

    /// What a decision cost, in a line.
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
