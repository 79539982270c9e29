//! The study of adapted play: a population of bots of one family that knows its rules.

use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, SEARCH_GAMES_HELP};
use super::plan::seeds;
use super::remark::Remark;
use super::run::{POPULATIONS, RunSpec, Spec};
use super::table::{TableSpec, checked_rules, made_elsewhere, unprinted};
use carat_core::adaptation::{self, Adaptation, Adapted};
use carat_core::format::Format;
use carat_core::game::{Game, MetricRef, Rules, Seating, Table, WIN_SHARE};
use carat_core::library::{ADAPTED, Library, SourceText, Sources};
use carat_core::simulation::{Experiment, Games, Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec, Strategy, quoted};
use carat_core::tuning::{AxisShape, Point, Space};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

/// Shared keys that this kind does not use.
pub const UNUSED: &str =
    "seats others people seating precision max_games measures population_games";

/// The parameter by which copies of a bot differ; it is not searched.
pub(super) const SPREAD: &str = "spread";
/// Games of an iteration, of the search for the best response, and of each figure, as parts of the
/// number of games.
const ITERATION_PART: f64 = 0.015;
const SEARCH_PART: f64 = 1.6;
const FIGURE_PART: f64 = 0.16;
/// With fewer games than this part of the default an adaptation takes fewer steps, but this part of all.
const FULL_PART: f64 = 0.25;
const STEPS_LEAST: f64 = 0.1;
/// Fewest games of a search.
const SEARCH_LEAST: u64 = 2_000;
/// Number of the first game that measures the gains of other bots.
const FIRST_OF_OTHERS: u64 = 1 << 40;

/// Adapt populations of players to the rules and the number of players
///
/// Bots of one family play each other, and carat seats a bot more often the more it wins, until none
/// gains much. carat does this several times, with different seeds, and writes adapted.toml,
/// adapted-2.toml, …, bots that any study can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| arg.help(SEARCH_GAMES_HELP))))]
pub struct Adapt {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The family of bots: a bot with ranges for its parameters [default: depends on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"simple\"")))]
    pub family: Option<String>,
}

pub struct FamilyTable {
    pub game: &'static Game,
    /// The rules file, before the study's changes.
    pub rules: SourceText,
    pub(super) checked: Box<dyn Rules>,
    pub family: Arc<Strategy>,
    /// The searched parameters, with their values.
    pub axes: Vec<(String, Vec<f32>)>,
    /// The largest spread; 0 where the family has none.
    pub(super) spread: f32,
    pub players: usize,
    /// The number of games that all parts of a search are parts of.
    pub(super) games: u64,
    pub(super) space: Space,
    /// The prefix of the names of all parts.
    pub(super) parts: String,
    pub warnings: Vec<Remark>,
}

pub struct Resolved {
    pub study: Adapt,
    pub table: FamilyTable,
    /// The same family under the standard rules, where the study has others and several populations.
    pub standard: Option<FamilyTable>,
    /// Bots from outside the family to play beside the population.
    pub others: Vec<Seat>,
}

pub struct Played {
    pub resolved: Resolved,
    pub populations: Vec<Adapted>,
    /// The populations adapted to the standard rules; none where there is nothing to compare.
    pub standard: Vec<Adapted>,
    /// The win shares above the fair share of bots at one seat beside each population.
    pub beside: Vec<(Seat, Vec<Estimate>)>,
}

impl FamilyTable {
    pub fn find(
        spec: &mut TableSpec,
        family: Option<&str>,
        library: &Library,
    ) -> Result<FamilyTable, StudyError> {
        let game = spec.game()?;
        if !spec.seats.is_empty() {
            refuse!("seats: the population fills all seats; give only the number of players");
        }
        let (rules, checked) = checked_rules(game, spec, library)?;
        let players = *spec.players.get_or_insert(game.players);
        game.check_players(players)?;
        if players < 2 {
            refuse!("players = 1: a population needs at least two players");
        }
        let Some(name) = family.or(game.family) else {
            let game = game.title;
            refuse!("{game} has no default family; name a bot with ranges for its parameters");
        };
        let family = library.strategy(game, name)?;
        let (mut axes, mut shapes, mut start) = (Vec::new(), Vec::new(), Vec::new());
        for (param, range) in &family.ranges {
            if param == SPREAD || players < range.players {
                continue;
            }
            let steps = ((range.high - range.low) / range.step).round() as usize;
            let [low, step] =
                [range.low, range.step].map(|it| it.to_string().parse().unwrap_or(0.0));
            let value = |at| ((low + at as f64 * step) * 1e6).round() as f32 / 1e6;
            let values: Vec<f32> = (0..=steps).map(value).collect();
            let default = family.params.iter().find(|(known, _)| known == param);
            let default = default.map_or(range.low, |(_, value)| *value);
            let nearest = ((default - range.low) / range.step).round() as usize;
            start.push(nearest.min(steps));
            shapes.push(AxisShape {
                count: values.len(),
                ordered: true,
            });
            axes.push((param.clone(), values));
        }
        if axes.is_empty() {
            let (family, game, example) = (&family.name, game.name, game.family.unwrap_or(name));
            refuse!(
                "family `{family}`: its parameters have no ranges; for an example, see `carat show \
                 strategy {game} {example}`"
            );
        }
        let spread = family.ranges.iter().find(|(param, _)| param == SPREAD);
        let table = FamilyTable {
            warnings: Vec::from_iter(unprinted(&rules, checked.as_ref(), players)),
            game,
            rules,
            checked,
            spread: spread.map_or(0.0, |(_, range)| range.high),
            family: family.into(),
            axes,
            players,
            games: game.games,
            space: Space {
                axes: shapes,
                start,
            },
            parts: String::new(),
        };
        // The family can sit at its table.
        let seats = vec![table.seat(&table.space.start, 0.0); players];
        table.checked.table(&seats, Seating::default())?;
        Ok(table)
    }

    pub fn seat(&self, point: &[usize], spread: f64) -> Seat {
        self.seat_off(point, spread, &[])
    }

    /// The bot of a point with the numbers of some axes multiplied by factors, clipped to their
    /// ranges.
    pub(super) fn seat_off(&self, point: &[usize], spread: f64, off: &[(usize, f32)]) -> Seat {
        let mut params = Vec::new();
        for (axis, (param, values)) in self.axes.iter().enumerate() {
            let mut value = values[point[axis]];
            if let Some((_, times)) = off.iter().find(|(own, _)| *own == axis) {
                value = (value * times).clamp(values[0], values[values.len() - 1]);
            }
            params.push((param.clone(), value));
        }
        if self.spread > 0.0 {
            params.push((SPREAD.to_string(), self.spread_of(spread)));
        }
        Seat::new(self.family.clone(), &params).expect("parameters of its own")
    }

    /// The description of a parameter, with `{}` for its value.
    pub(super) fn says(&self, param: &str) -> Option<&str> {
        let mut sentences = self.family.sentences.iter();
        Some(&sentences.find(|(name, _)| name == param)?.1)
    }

    pub(super) fn seated(&self, seats: &[Seat]) -> Option<Box<dyn Table>> {
        self.checked.table(seats, Seating::default()).ok()
    }

    /// The spread of copies, in units of its parameter: people draw whole numbers.
    fn spread_of(&self, share: f64) -> f32 {
        (self.spread * share as f32).round()
    }

    /// The bot that plays each of these points in as many games.
    fn crowd(&self, points: &[Point]) -> Option<Seat> {
        let part = |point: &Point| (self.seat(point, 0.0), 1.0);
        let parts: Vec<(Seat, f64)> = points.iter().map(part).collect();
        let crowd = Strategy::mix("adapted", "", &parts, self.game.vocabulary).ok()?;
        Seat::new(crowd, &[]).ok()
    }

    /// A table where seat 1 plays `first` and all others the crowd.
    fn beside(&self, crowd: Seat, first: Seat) -> Option<Box<dyn Table>> {
        let mut seats = vec![crowd; self.players];
        seats[0] = first;
        self.seated(&seats)
    }

    /// A study's games, in chunks that leave a processor's cache to several tables.
    pub(super) fn dealt(&self, run: &RunSpec) -> Games {
        run.dealt((self.game.chunk / 4).max(1))
    }

    fn dealt_from(&self, seed: u64) -> Games {
        let run = RunSpec {
            seed,
            ..RunSpec::default()
        };
        self.dealt(&run)
    }

    /// Adapts a population; its parts have names that begin with `name`.
    fn adapt(&self, name: &str, dealt: Games, player: &mut Player) -> Result<Adapted, Stopped> {
        let games = self.games as f64;
        // A quick look takes fewer steps, since each costs time besides its games.
        let most = adaptation::ITERATIONS as f64;
        let part = (games / (FULL_PART * self.game.games as f64)).clamp(STEPS_LEAST, 1.0);
        let iterations = (most * part) as u64;
        // A search meets one population many times.
        let latest = RefCell::new(None);
        let crowd_of = |others: &[Point]| {
            let mut latest = latest.borrow_mut();
            match &*latest {
                Some((known, crowd)) if *known == others => Some(Seat::clone(crowd)),
                _ => {
                    let crowd = self.crowd(others)?;
                    *latest = Some((others.to_vec(), crowd.clone()));
                    Some(crowd)
                }
            }
        };
        let asked = Adaptation {
            space: &self.space,
            table: &|first, others| self.beside(crowd_of(others)?, self.crowd(first)?),
            fair: self.fair(),
            iterations,
            iteration_games: (games * ITERATION_PART * most / iterations as f64) as u64,
            search_games: self.search_games(SEARCH_PART),
            check_games: (games * FIGURE_PART) as u64,
            games: dealt,
            name: &format!("{}{name}", self.parts),
        };
        adaptation::adapt(&asked, player)
    }

    fn fair(&self) -> f64 {
        1.0 / self.players as f64
    }

    /// The games of a search, this part of all or the fewest that are of use.
    pub(super) fn search_games(&self, part: f64) -> u64 {
        searched(self.games, part)
    }
}

fn searched(games: u64, part: f64) -> u64 {
    ((games as f64 * part) as u64).max(SEARCH_LEAST)
}

/// The most games of an adaptation with this number of games that is not repeated.
pub fn most_games(games: u64) -> u64 {
    let parts = adaptation::ITERATIONS as f64 * ITERATION_PART + FIGURE_PART;
    (games as f64 * parts) as u64 + searched(games, SEARCH_PART)
}

/// The file of a mix of bots, made by a command for the table of its study.
pub(super) fn mix_file(description: &str, spec: &TableSpec, command: &str, mix: &str) -> String {
    let made_for = spec.made_by(&format!("carat {command} {}", spec.game));
    let (head, made_for) = (Format::line(), made_for.line());
    let description = quoted(description);
    format!("{head}description = {description}\n{made_for}\nmix = {{ {mix} }}\n")
}

/// The win share of seat 1 at each table, in the same games.
pub(super) fn shares(
    tables: &[Box<dyn Table>],
    name: &str,
    status: &str,
    games: Range<u64>,
    dealt: Games,
    player: &mut Player,
) -> Result<Vec<Estimate>, Stopped> {
    let cells = tables.iter().map(|table| table.as_ref() as _).collect();
    let mut experiment = Experiment::apart(cells, dealt);
    experiment.play_all(name, status, games, player)?;
    let metric = MetricRef::of_seat(WIN_SHARE, 0);
    let shares = (0..tables.len()).map(|cell| experiment.estimate(cell, metric));
    let shares = shares.map(|share| share.unwrap_or(Estimate::UNKNOWN));
    Ok(shares.collect())
}

impl Adapt {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let mut table = FamilyTable::find(&mut study.table, self.family.as_deref(), library)?;
        study.family = Some(table.family.name.clone());
        table.games = study.run.search_games(table.game)?;
        let populations = if library.closed { 1 } else { POPULATIONS };
        let populations = *study.run.populations.get_or_insert(populations);
        let mut usual = TableSpec {
            players: study.table.players,
            ..TableSpec::of(table.game.name)
        };
        let mut standard = None;
        if populations > 1 {
            let family = FamilyTable::find(&mut usual, study.family.as_deref(), library).ok();
            let [own, usual] = [&study.table, &usual].map(|table| table.made_for(None));
            standard = family.filter(|_| !own.is_same_table(&usual));
            if let Some(standard) = &mut standard {
                standard.games = table.games;
            }
        }
        let learnt = format!("solved-{}", table.players);
        let names = library.strategy_names(table.game);
        let mut others = Vec::new();
        for name in [&table.family.name, &learnt, "people"] {
            let other = library.seats(table.game, &SeatSpec::of(name));
            let is_named = names.iter().any(|known| known == name);
            // A search may find a number of players that its manifest has no trained bot for.
            if is_named && (other.is_ok() || !library.closed) {
                others.extend(other?);
            }
        }
        let (game, set) = (table.game, &study.table.set);
        let elsewhere = made_elsewhere(game, &table.rules, set, &others, table.players)?;
        table.warnings.extend(elsewhere);
        Ok(Resolved {
            study,
            table,
            standard,
            others,
        })
    }
}

impl Resolved {
    pub fn known(&self) -> Known<Adapt> {
        let (game, warnings) = (self.table.game, self.table.warnings.clone());
        let mut sources = Sources::default();
        self.add_sources(&mut sources);
        Known::of(&self.study, game, sources, warnings)
    }

    /// Adds the texts of the rules, the other bots and the family.
    pub fn add_sources(&self, sources: &mut Sources) {
        sources.add(&self.table.rules, &self.others);
        for FamilyTable { rules, space, .. } in iter::once(&self.table).chain(&self.standard) {
            sources.add(rules, &[self.table.seat(&space.start, 0.0)]);
        }
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let table = &self.table;
        let tables = iter::once(table).chain(&self.standard).count();
        let seeds = seeds(self.study.run.seed, self.study.run.populations.unwrap_or(1));
        player
            .listener
            .planned(most_games(table.games) * (seeds.len() * tables) as u64);
        let check_games = (table.games as f64 * FIGURE_PART) as u64;
        let mut populations = Vec::new();
        let mut beside: Vec<_> = self
            .others
            .iter()
            .map(|bot| (bot.clone(), Vec::new()))
            .collect();
        for (number, &seed) in (1..).zip(&seeds) {
            let (name, games) = (part_of(number), table.dealt_from(seed));
            let adapted = table.adapt(&name, games, player)?;
            let crowd = table.crowd(&adapted.population).ok_or(Stopped::Early)?;
            let with = |bot: &Seat| table.beside(crowd.clone(), bot.clone());
            let tables: Option<Vec<_>> = self.others.iter().map(with).collect();
            let name = format!("{}{name}others ", table.parts);
            let status = "playing other bots against the population";
            let fresh = FIRST_OF_OTHERS..FIRST_OF_OTHERS + check_games;
            let tables = tables.ok_or(Stopped::Early)?;
            let shares = shares(&tables, &name, status, fresh, games, player)?;
            for ((_, gains), share) in beside.iter_mut().zip(shares) {
                gains.push(share.minus(table.fair()).in_points());
            }
            populations.push(adapted);
        }
        let mut standard = Vec::new();
        if let Some(table) = &self.standard {
            for (number, &seed) in (1..).zip(&seeds) {
                let name = format!("standard {}", part_of(number));
                standard.push(table.adapt(&name, table.dealt_from(seed), player)?);
            }
        }
        Ok(Played {
            populations,
            standard,
            beside,
            resolved: self,
        })
    }
}

impl Played {
    /// The gain of the best response over populations.
    pub fn gain(&self) -> Estimate {
        let gains = self
            .populations
            .iter()
            .map(|adapted| adapted.gain.in_points());
        Estimate::mean_over(&Vec::from_iter(gains))
    }

    pub fn is_settled(&self) -> bool {
        self.populations.iter().all(Adapted::is_settled)
    }

    pub fn games(&self) -> u64 {
        self.populations
            .iter()
            .chain(&self.standard)
            .map(|adapted| adapted.games)
            .sum()
    }

    /// The bots of a population, each with its number of slots.
    pub fn members(&self, adapted: &Adapted) -> Vec<(String, usize)> {
        let members = adapted.population.chunk_by(|a, b| a == b);
        let member = |same: &[Point]| (self.resolved.table.seat(&same[0], 0.0).label(), same.len());
        members.map(member).collect()
    }

    pub fn players(&self) -> Vec<Seat> {
        let points = self
            .populations
            .iter()
            .flat_map(|adapted| &adapted.population);
        points
            .map(|point| self.resolved.table.seat(point, 0.0))
            .collect()
    }

    pub fn files(&self) -> Vec<(String, String)> {
        let file = |(number, adapted): (usize, &Adapted)| match number {
            1 => ("adapted.toml".to_string(), self.file(adapted)),
            _ => (format!("adapted-{number}.toml"), self.file(adapted)),
        };
        (1..).zip(&self.populations).map(file).collect()
    }

    /// The first population as the bot that sits where bots are adapted.
    pub fn first(&self) -> SourceText {
        SourceText::new(ADAPTED, self.file(&self.populations[0]))
    }

    fn file(&self, adapted: &Adapted) -> String {
        let table = &self.resolved.table;
        let spec = &self.resolved.study.table;
        let made_for = spec.made_for(spec.players);
        let description = format!(
            "A population of {} adapted to {made_for}; the best response in the family gains {}.",
            table.family.name,
            adapted.gain.in_points()
        );
        let members = self.members(adapted).into_iter();
        let parts = members.map(|(bot, slots)| format!("{} = {slots}", quoted(&bot)));
        let mix = Vec::from_iter(parts).join(", ");
        mix_file(&description, spec, "adapt", &mix)
    }
}

fn part_of(population: usize) -> String {
    match population {
        1 => String::new(),
        _ => format!("population {population} "),
    }
}
