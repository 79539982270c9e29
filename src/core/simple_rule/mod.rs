//! A simple rule for play: the value of each number of a family of bots, and the simplest rule that
//! plays nearly as well as the best.

mod clauses;
mod figures;
mod fit;
mod friends;
mod principles;

pub use friends::Friends;
pub use principles::{ExampleMove, Principle};

use crate::adaptation::FamilyTable;
use crate::formula::Kind;
use crate::game::{MetricRef, Table, WIN_SHARE};
use crate::simulation::{Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{Seat, Strategy};
use crate::tuning::Point;
use serde::{Deserialize, Serialize};
use std::mem;
use std::ops::Range;

/// Most numbers of a rule.
const NUMBERS_MAX: usize = 5;
/// Most sentences of a rule: numbers, and clauses.
const SENTENCES_MAX: usize = 6;
/// Of a family's other clauses, a rule leaves out those of the least worth, which together cost at
/// most this share.
const LEFT_OUT: f64 = 0.005;
/// The relative error of a sloppy player in each number, up or down.
const SLOPPY: f32 = 0.2;
/// Numbers of the first games that choose rules, and of the first that figures come from; the
/// personal number is chosen in games between.
const OF_CHOICE: u64 = 1 << 40;
const OF_FIGURES: u64 = 1 << 42;

/// The search for a rule of a family.
pub struct RuleSearch {
    pub table: FamilyTable,
    /// The opponents: the bots of a company take turns at the other seats. The rule is fitted
    /// beside the first.
    pub companies: Vec<Vec<Seat>>,
    /// Bots for comparison.
    pub standards: Vec<(Standard, Seat)>,
    seed: u64,
    /// How many axes of the table are numbers to fit. Those after them are clauses, parameters
    /// without a range: their only values are that of the family and 0.
    numbers: usize,
    /// The axes of the clauses that the rule has, in the order of their worth.
    pub clauses: Vec<usize>,
    /// How often figures were played before: each time in games of their own.
    pass: u64,
}

/// A bot that a rule is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standard {
    /// The family with its own numbers.
    Family,
    TableOfNumbers,
    Trained,
    /// The rule with the clauses that it leaves out.
    Complete,
    /// The rule for the rules without the study's changes.
    Old,
}

/// A rule of the family, its unused numbers at the low ends of their ranges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// Indices of the numbers in use, in the order of their addition.
    pub axes: Vec<usize>,
    pub point: Point,
}

/// The win shares of a bot, beside each company and with errors.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// The values of the bot's parameters.
    pub values: Vec<f32>,
    /// The numbers in the rule; `None` for a bot of comparison.
    pub rule: Option<Fitted>,
    pub standard: Option<Standard>,
    /// Win share beside each company.
    pub shares: Vec<Estimate>,
    /// Win share beside the first company if in each game each number is a fifth too large or too
    /// small, by the toss of a coin.
    pub sloppy: Option<Estimate>,
    /// How much less than the chosen rule a bot outside the study wins beside the first company, in
    /// the same games.
    pub behind: Option<Estimate>,
}

/// What a search finds.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundRule {
    /// The axes of the clauses that the rule has, in the order of their worth.
    pub clauses: Vec<usize>,
    /// From one number on, then the other bots.
    pub prices: Vec<Price>,
    /// The index in `prices` of the simplest rule that is nearly as good as the best.
    pub best: usize,
    pub principles: Vec<Principle>,
    pub friends: Vec<Friends>,
    /// The values of the rule's bot with a personal number.
    pub personal: Option<Vec<f32>>,
    /// What it cost to round the rule's numbers, if they were.
    pub rounding: Option<Estimate>,
}

/// The metric of all figures.
fn own_share() -> MetricRef {
    MetricRef::of_seat(WIN_SHARE, 0)
}

impl RuleSearch {
    pub fn new(
        mut table: FamilyTable,
        companies: Vec<Vec<Seat>>,
        standards: Vec<(Standard, Seat)>,
        seed: u64,
    ) -> RuleSearch {
        let numbers = table.axes.len();
        table.add_clauses();
        RuleSearch {
            clauses: (numbers..table.axes.len()).collect(),
            numbers,
            table,
            companies,
            standards,
            seed,
            pass: 0,
        }
    }

    /// About the games of all steps, at most.
    fn most_games(&self, searches: u64) -> u64 {
        let rules = self.numbers.min(NUMBERS_MAX);
        let search = self.clause_games() + self.fit_games(rules);
        // Once more for a part that is of no use.
        let figures = 1 + u64::from(self.is_scored());
        searches * search + figures * self.figure_games(rules)
    }

    /// Finds the rule. `unchanged` is the family under the rules without the study's changes: its
    /// rule becomes a bot for comparison.
    pub fn play(
        &mut self,
        unchanged: Option<FamilyTable>,
        player: &mut Player,
    ) -> Result<FoundRule, Stopped> {
        let searches = 1 + u64::from(unchanged.is_some());
        player.listener.planned(self.most_games(searches));
        if let Some(mut unchanged) = unchanged {
            unchanged.add_clauses();
            unchanged.parts = "unchanged ".to_string();
            unchanged.games = self.table.games;
            let (table, clauses) = (
                mem::replace(&mut self.table, unchanged),
                self.clauses.clone(),
            );
            let (rules, best, _) = self.find(player)?;
            let old = self.table.seat(&rules[best].point, 0.0);
            self.standards.push((Standard::Old, old));
            (self.table, self.clauses) = (table, clauses);
        }
        let (mut rules, best, mut rounding) = self.find(player)?;
        let personal = self.personal(&rules[best], player)?;
        let figures = loop {
            self.standards.retain(|(of, _)| *of != Standard::Complete);
            let complete = self.complete(&rules[best]);
            let own = self.table.seat(&rules[best].point, 0.0);
            if complete != own && self.standards.iter().all(|(_, bot)| *bot != complete) {
                self.standards.push((Standard::Complete, complete));
            }
            let figures = self.figures(&rules, best, personal.as_ref(), player)?;
            let Some(axis) = self.useless(&rules[best], &figures) else {
                break figures;
            };
            self.drop(&mut rules[best], axis);
            self.pass += 1;
            rounding = self.round(&mut rules[best], player)?.or(rounding);
        };
        let principles = self.principles(&rules[best], &figures, player)?;
        let friends = self.friends(&rules[best], personal.as_ref(), &figures);
        let prices = self.prices(&rules, &figures);
        Ok(FoundRule {
            clauses: self.clauses.clone(),
            prices,
            best,
            principles,
            friends,
            personal: personal.map(|bot| bot.values),
            rounding,
        })
    }

    /// The best rule with each number of parameters, which of them is chosen, and what it cost to
    /// round its numbers.
    fn find(
        &mut self,
        player: &mut Player,
    ) -> Result<(Vec<Fitted>, usize, Option<Estimate>), Stopped> {
        self.leave_out(player)?;
        let mut rules = self.fit(player)?;
        let best = self.simplest(&rules, player)?;
        let rounding = self.round(&mut rules[best], player)?;
        Ok((rules, best, rounding))
    }

    /// Goes on from what an earlier search of the same table found.
    pub fn recall(&mut self, found: &FoundRule) {
        self.clauses.clone_from(&found.clauses);
        for axis in self.numbers..self.table.axes.len() {
            if !self.clauses.contains(&axis) {
                self.table.axes[axis].1 = vec![0.0];
            }
        }
    }

    /// The bot of a price.
    pub fn bot(&self, price: &Price) -> Seat {
        let is_it = |(of, _): &&(Standard, Seat)| Some(*of) == price.standard;
        match self.standards.iter().find(is_it) {
            Some((_, bot)) => bot.clone(),
            None => self.bot_of(&price.values),
        }
    }

    /// The family's bot with these values.
    pub fn bot_of(&self, values: &[f32]) -> Seat {
        let bot = Seat::new(self.table.family.clone(), &[]).expect("no parameters");
        Seat {
            values: values.to_vec(),
            ..bot
        }
    }

    /// Whether the family adds up scores of moves.
    pub fn is_scored(&self) -> bool {
        self.table.game.vocabulary.answer == Kind::Number
    }

    pub fn value(&self, rule: &Fitted, axis: usize) -> f32 {
        self.table.axes[axis].1[rule.point[axis]]
    }

    fn games(&self, part: f64) -> u64 {
        (self.table.games as f64 * part) as u64
    }

    fn beside(&self, first: &[Seat], company: &[Seat]) -> Result<Box<dyn Table>, Stopped> {
        let seats = first.iter().chain(company.iter().cycle()).cloned();
        let seats: Vec<Seat> = seats.take(self.table.players).collect();
        self.table.seated(&seats)
    }

    fn beside_first(&self, bot: Seat) -> Result<Box<dyn Table>, Stopped> {
        self.beside(&[bot], &self.companies[0])
    }

    /// The win share of seat 1 at each table, in the same fresh games.
    fn shares(
        &self,
        tables: &[Box<dyn Table>],
        name: &str,
        games: Range<u64>,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let status = "playing fresh games";
        self.table
            .shares(tables, name, status, games, self.seed, player)
    }

    /// A player who in each game has each number of a rule too large or too small.
    fn sloppy(&self, rule: &Fitted) -> Seat {
        let mut parts = Vec::new();
        for which in 0..1 << rule.axes.len() {
            let off = rule.axes.iter().enumerate().map(|(place, axis)| {
                let is_large = which >> place & 1 == 1;
                (*axis, if is_large { 1.0 + SLOPPY } else { 1.0 - SLOPPY })
            });
            let off = Vec::from_iter(off);
            parts.push((self.table.seat_off(&rule.point, 0.0, &off), 1.0));
        }
        let mix = Strategy::mix("sloppy", "", &parts, self.table.game.vocabulary);
        let mix = mix.expect("a few formulas");
        Seat::new(mix, &[]).expect("no parameters")
    }
}
