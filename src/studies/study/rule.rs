//! The study of a rule for the table: the value of each number of a simple rule, and the simplest
//! rule that plays nearly as well as the best.

mod clauses;
mod figures;
mod fit;
mod friends;
mod principles;

pub(super) use figures::doubt;

use super::adapt::{self, FamilyTable, SPREAD};
use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, SEARCH_GAMES_HELP};
use super::run::Spec;
use super::table::{TEMPERAMENTS, TableSpec, made_elsewhere};
use super::typed::Bots;
use carat_core::game::{MetricRef, Table, WIN_SHARE};
use carat_core::library::{Library, Sources};
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec, Strategy, quoted, table_labels};
use carat_core::tuning::Point;
use serde::{Deserialize, Serialize};
use std::mem;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "seats people seating precision max_games metric populations measures";

pub use friends::Friends;
pub use principles::Principle;

/// Most numbers of a rule.
const NUMBERS_MAX: usize = 5;
/// Of a family's other clauses, a rule leaves out those of the least worth, which together cost at
/// most this share.
const LEFT_OUT: f64 = 0.005;
/// The relative error of a sloppy player in each number, up or down.
const SLOPPY: f32 = 0.2;
/// Numbers of the first games that choose rules, and of the first that figures come from; the
/// personal number is chosen in games between.
const OF_CHOICE: u64 = 1 << 40;
const OF_FIGURES: u64 = 1 << 42;

/// Find a simple rule for play at the table, and what its simplicity costs
///
/// From a family of bots, carat fits a rule with one number, then two, and so on, each time adding
/// the number that helps most. It prints the simplest that wins nearly as much as the best of these,
/// and compares it with the table of numbers (card-N) and the trained bot. With --others, carat fits
/// the rule against these opponents. It writes rule.toml, a bot that any study can use, and rule.pdf,
/// a page to print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| arg.help(SEARCH_GAMES_HELP))))]
pub struct Rule {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The family of rules: a bot with ranges for its parameters [default: depends on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"simple\"")))]
    pub family: Option<String>,
}

pub struct Resolved {
    pub study: Rule,
    pub table: FamilyTable,
    /// The opponents, each company with a name; its bots take turns at the other seats. The rule is
    /// fitted beside the first.
    pub companies: Vec<(String, Vec<Seat>)>,
    /// How many axes of the table are numbers to fit. Those after them are clauses, parameters
    /// without a range: their only values are that of the family and 0.
    numbers: usize,
    /// The axes of the clauses that the rule has, in the order of their worth.
    clauses: Vec<usize>,
    /// The family at a table without the study's changes of rules, if there are any.
    unchanged: Option<FamilyTable>,
    /// Bots for comparison.
    pub standards: Vec<(Standard, Seat)>,
}

/// A bot that a rule is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Clone)]
pub struct Fitted {
    /// Indices of the numbers in use, in the order of their addition.
    pub axes: Vec<usize>,
    pub point: Point,
}

/// The win shares of a bot, beside each company and with errors.
pub struct Price {
    pub bot: Seat,
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

pub struct Played {
    pub resolved: Resolved,
    /// From one number on, then the other bots.
    pub prices: Vec<Price>,
    /// The index in `prices` of the simplest rule that is nearly as good as the best.
    pub best: usize,
    pub principles: Vec<Principle>,
    pub friends: Vec<Friends>,
    /// The rule's bot with a personal number.
    pub personal: Option<Seat>,
}

/// The metric of all figures.
fn own_share() -> MetricRef {
    MetricRef::of_seat(WIN_SHARE, 0)
}

impl Rule {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let others = study.table.others.get_or_insert_with(Bots::people).clone();
        let count = others.each().len();
        if count > 1 {
            study.table.players.get_or_insert(count + 1);
        }
        let mut table = FamilyTable::find(&mut study.table, self.family.as_deref(), library)?;
        study.family = Some(table.family.name.clone());
        let numbers = table.axes.len();
        table.add_clauses();
        table.games = study.run.search_games(table.game)?;
        let mut unchanged = self.unchanged(&study.table, library);
        if let Some(unchanged) = &mut unchanged {
            unchanged.games = table.games;
        }
        let game = table.game;
        let (mut first, made_for) = (Vec::new(), study.table.made_for(Some(table.players)));
        for other in &others.0 {
            first.extend(library.seats_at(game, other, &made_for)?);
        }
        let (opponents, players) = (first.len(), table.players);
        if opponents >= players {
            refuse!("others: {opponents} opponents for {players} players are too many");
        }
        let mut companies = vec![(table_labels(&first).join(", "), first)];
        let names = library.strategy_names(game);
        for name in [TEMPERAMENTS[2], TEMPERAMENTS[1]] {
            // Manifests of earlier versions have no such bot.
            let found = library.seats(game, &SeatSpec::of(name));
            if found.is_ok() || !library.closed {
                companies.push((name.to_string(), found?));
            }
        }
        let family = library.seats(game, &SeatSpec::of(&table.family.name))?;
        let mut standards = vec![(Standard::Family, family[0].clone())];
        for (standard, name) in [
            (Standard::TableOfNumbers, format!("card-{players}")),
            (Standard::Trained, format!("solved-{players}")),
        ] {
            if names.contains(&name) {
                let seat = library.seats(game, &SeatSpec::of(&name))?.remove(0);
                if table.seated(&vec![seat.clone(); players]).is_some() {
                    if standard == Standard::Trained {
                        companies.push((format!("experts ({name})"), vec![seat.clone()]));
                    }
                    standards.push((standard, seat));
                }
            }
        }
        let others = companies.iter().flat_map(|(_, seats)| seats);
        let bots = others.chain(standards.iter().map(|(_, seat)| seat));
        let bots: Vec<Seat> = bots.cloned().collect();
        let set = &study.table.set;
        let elsewhere = made_elsewhere(game, &table.rules, set, &bots, players)?;
        table.warnings.extend(elsewhere);
        Ok(Resolved {
            study,
            numbers,
            clauses: (numbers..table.axes.len()).collect(),
            unchanged,
            table,
            companies,
            standards,
        })
    }

    /// The family at the same table without `set`, or under the game's rules instead of those of a
    /// file; `None` if that changes nothing, or if the family cannot play there.
    fn unchanged(&self, changed: &TableSpec, library: &Library) -> Option<FamilyTable> {
        let mut spec = changed.clone();
        let editions = &changed.game().ok()?.editions;
        let named = |name: &String| editions.iter().any(|edition| edition.name == *name);
        if changed.set.is_empty() {
            spec.rules = spec.rules.filter(named);
        }
        spec.set.clear();
        if (&spec.rules, &spec.set) == (&changed.rules, &changed.set) {
            return None;
        }
        let mut table = FamilyTable::find(&mut spec, self.family.as_deref(), library).ok()?;
        table.add_clauses();
        table.parts = "unchanged ".to_string();
        Some(table)
    }
}

impl Resolved {
    pub fn known(&self) -> Known<Rule> {
        let mut sources = Sources::default();
        sources.add(&self.table.rules, &self.standard_bots());
        if let Some(unchanged) = &self.unchanged {
            sources.add(&unchanged.rules, &[]);
        }
        for (_, company) in &self.companies {
            sources.add(&self.table.rules, company);
        }
        let (game, warnings) = (self.table.game, self.table.warnings.clone());
        Known::of(&self.study, game, sources, warnings)
    }

    fn standard_bots(&self) -> Vec<Seat> {
        let standards = self.standards.iter();
        standards.map(|(_, bot)| bot.clone()).collect()
    }

    /// About the games of all steps, at most.
    fn most_games(&self) -> u64 {
        let rules = self.numbers.min(NUMBERS_MAX);
        let searches = 1 + u64::from(self.unchanged.is_some());
        let search = self.clause_games() + self.fit_games(rules);
        searches * search + self.figure_games(rules)
    }

    pub fn play(mut self, player: &mut Player) -> Result<Played, Stopped> {
        player.listener.planned(self.most_games());
        if let Some(unchanged) = self.unchanged.take() {
            let (table, clauses) = (
                mem::replace(&mut self.table, unchanged),
                self.clauses.clone(),
            );
            let (rules, best) = self.find(player)?;
            let old = self.table.seat(&rules[best].point, 0.0);
            self.standards.push((Standard::Old, old));
            (self.table, self.clauses) = (table, clauses);
        }
        let (rules, best) = self.find(player)?;
        let complete = self.complete(&rules[best]);
        let own = self.table.seat(&rules[best].point, 0.0);
        if complete != own && self.standards.iter().all(|(_, bot)| *bot != complete) {
            self.standards.push((Standard::Complete, complete));
        }
        let personal = self.personal(&rules[best], player)?;
        let figures = self.figures(&rules, best, personal.as_ref(), player)?;
        let principles = self.principles(&rules[best], &figures, player)?;
        let friends = self.friends(&rules[best], personal.as_ref(), &figures);
        let prices = self.prices(&rules, &figures);
        Ok(Played {
            prices,
            best,
            principles,
            friends,
            personal,
            resolved: self,
        })
    }

    /// The best rule with each number of parameters, and which of them is chosen.
    fn find(&mut self, player: &mut Player) -> Result<(Vec<Fitted>, usize), Stopped> {
        self.leave_out(player)?;
        let rules = self.fit(player)?;
        let best = self.simplest(&rules, player)?;
        Ok((rules, best))
    }

    fn games(&self, part: f64) -> u64 {
        (self.table.games as f64 * part) as u64
    }

    fn beside(&self, first: &[Seat], company: &[Seat]) -> Result<Box<dyn Table>, Stopped> {
        let seats = first.iter().chain(company.iter().cycle()).cloned();
        let seats: Vec<Seat> = seats.take(self.table.players).collect();
        self.table.seated(&seats).ok_or(Stopped::Early)
    }

    fn beside_first(&self, bot: Seat) -> Result<Box<dyn Table>, Stopped> {
        self.beside(&[bot], &self.companies[0].1)
    }

    fn shares(
        &self,
        tables: &[Box<dyn Table>],
        name: &str,
        first: u64,
        games: u64,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let (games, dealt) = (first..first + games, self.table.dealt(&self.study.run));
        let name = format!("{}{name}", self.table.parts);
        adapt::shares(tables, &name, "playing fresh games", games, dealt, player)
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

impl Played {
    pub fn rule(&self) -> &Price {
        &self.prices[self.best]
    }

    /// A rule in sentences.
    pub fn words(&self, rule: &Fitted) -> Vec<String> {
        let mut axes = [&rule.axes[..], &self.resolved.clauses].concat();
        axes.retain(|&axis| self.value(rule, axis) != 0.0);
        self.order(&mut axes);
        let words = axes.into_iter().map(|axis| self.words_of(rule, axis));
        let more = self.resolved.table.family.says.clone();
        words.chain(more).collect()
    }

    /// Puts numbers into the order of the rule's sentences: those that every rule needs come before
    /// all others.
    fn order(&self, axes: &mut [usize]) {
        axes.sort_by_key(|axis| self.principles.iter().position(|part| part.axis == *axis));
    }

    /// The numbers of a rule in the order of its sentences.
    pub fn numbers(&self, rule: &Fitted) -> Vec<String> {
        let mut axes = rule.axes.clone();
        self.order(&mut axes);
        let value = |axis| self.value(rule, axis).to_string();
        axes.into_iter().map(value).collect()
    }

    pub fn words_of(&self, rule: &Fitted, axis: usize) -> String {
        let (param, value) = (&self.resolved.table.axes[axis].0, self.value(rule, axis));
        match self.resolved.table.says(param) {
            Some(says) => says.replace("{}", &value.to_string()),
            None => format!("{param} {value}"),
        }
    }

    /// What players call a parameter.
    pub fn called(&self, param: &str) -> String {
        let family = &self.resolved.table.family;
        let called = family.ranges.iter().find(|(name, _)| name == param);
        match (
            called.and_then(|(_, range)| range.called.clone()),
            self.resolved.table.says(param),
        ) {
            (Some(called), _) => called,
            (_, Some(says)) => format!("the number of \"{}\"", head_of(says)),
            _ => format!("`{param}`"),
        }
    }

    fn value(&self, rule: &Fitted, axis: usize) -> f32 {
        self.resolved.table.axes[axis].1[rule.point[axis]]
    }

    /// The personal number in words, if a rule of friends has one.
    pub fn personal_words(&self) -> Option<String> {
        let mut params = self.personal.as_ref()?.params();
        let (_, spread) = params.find(|(name, _)| *name == SPREAD)?;
        let says = self.resolved.table.says(SPREAD)?;
        Some(says.replace("{}", &spread.to_string()))
    }

    /// The file of the family's bot with a rule's numbers.
    pub fn file(&self, bot: &Seat, words: &str) -> String {
        let mix = format!("{} = 1", quoted(&bot.label()));
        adapt::mix_file(words, &self.resolved.study.table, "rule", &mix)
    }
}

/// The part of a sentence before its number, which names it.
pub fn head_of(words: &str) -> &str {
    let head = words.split_once(": ").map_or(words, |(head, _)| head);
    head.trim_end_matches('.')
}
