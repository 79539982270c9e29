//! The study of adapted play: a population of bots of one family that knows its rules.

use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, SEARCH_GAMES_HELP};
use super::plan::seeds;
use super::remark::Remark;
use super::run::{POPULATIONS, Spec};
use super::table::{TableSpec, checked_rules, made_elsewhere, unprinted};
use carat_core::adaptation::{Adapted, FamilyTable, most_games};
use carat_core::format::Format;
use carat_core::game::Seating;
use carat_core::library::{ADAPTED, Library, SourceText, Sources};
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec, quoted};
use carat_core::tuning::Point;
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str =
    "seats others people seating precision max_games measures population_games expect";

/// The most bots from outside the family that play beside a population.
pub const BESIDE: usize = 3;
/// Number of the first game that measures the gains of other bots.
const FIRST_OF_OTHERS: u64 = 1 << 40;

/// Adapt populations of players to the rules and the number of players
///
/// Bots of one family play each other, and carat seats a bot more often the more it wins, until
/// none gains much. carat does this several times, with different seeds, and writes adapted.toml,
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

pub struct Resolved {
    pub study: Adapt,
    pub table: FamilyTable,
    /// The rules file, before the study's changes.
    rules: SourceText,
    warnings: Vec<Remark>,
    /// The same family under the standard rules, where the study has others and several
    /// populations.
    pub standard: Option<Found>,
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

/// The table of a family, and the rules file before the study's changes.
pub(super) type Found = (FamilyTable, SourceText);

pub(super) fn find(
    spec: &mut TableSpec,
    family: Option<&str>,
    library: &Library,
) -> Result<Found, StudyError> {
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
    let table = FamilyTable::new(game, checked, library.strategy(game, name)?, players);
    if table.axes.is_empty() {
        let (family, game, example) = (&table.family.name, game.name, game.family.unwrap_or(name));
        refuse!(
            "family `{family}`: its parameters have no ranges; for an example, see `carat show \
             strategy {game} {example}`"
        );
    }
    // The family can sit at its table.
    let seats = vec![table.seat(&table.space.start, 0.0); players];
    table.rules.table(&seats, Seating::default())?;
    Ok((table, rules))
}

/// The file of a mix of bots, made by a command for the table of its study.
pub(super) fn mix_file(description: &str, spec: &TableSpec, command: &str, mix: &str) -> String {
    let made_for = spec.made_by(&format!("carat {command} {}", spec.game));
    let (head, made_for) = (Format::line(), made_for.line());
    let description = quoted(description);
    format!("{head}description = {description}\n{made_for}\nmix = {{ {mix} }}\n")
}

impl Adapt {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let found = find(&mut study.table, self.family.as_deref(), library)?;
        let (mut table, rules) = found;
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
            let family = find(&mut usual, study.family.as_deref(), library).ok();
            let [own, usual] = [&study.table, &usual].map(|table| table.made_for(None));
            standard = family.filter(|_| !own.is_same_table(&usual));
            if let Some((standard, _)) = &mut standard {
                standard.games = table.games;
            }
        }
        let learnt = format!("solved-{}", table.players);
        let names = library.strategy_names(table.game);
        let mut others = Vec::new();
        for name in [&table.family.name, &learnt, "people"] as [_; BESIDE] {
            let other = library.seats(table.game, &SeatSpec::of(name));
            let is_named = names.iter().any(|known| known == name);
            // A search may find a number of players that its manifest has no trained bot for.
            if is_named && (other.is_ok() || !library.closed) {
                others.extend(other?);
            }
        }
        // Rules may hide what a bot looks at.
        others.retain(|bot| table.beside(bot.clone(), bot.clone()).is_ok());
        let (game, set) = (table.game, &study.table.set);
        let mut warnings = Vec::from_iter(unprinted(&rules, table.rules.as_ref(), table.players));
        warnings.extend(made_elsewhere(game, &rules, set, &others, table.players)?);
        Ok(Resolved {
            study,
            table,
            rules,
            warnings,
            standard,
            others,
        })
    }
}

impl Resolved {
    pub fn known(&self) -> Known<Adapt> {
        let mut sources = Sources::default();
        self.add_sources(&mut sources);
        Known::of(&self.study, self.table.game, sources, self.warnings.clone())
    }

    /// Adds the texts of the rules, the other bots and the family.
    pub fn add_sources(&self, sources: &mut Sources) {
        sources.add(&self.rules, &self.others);
        sources.add(
            &self.rules,
            &[self.table.seat(&self.table.space.start, 0.0)],
        );
        if let Some((standard, rules)) = &self.standard {
            sources.add(rules, &[self.table.seat(&standard.space.start, 0.0)]);
        }
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let table = &self.table;
        let seeds = seeds(self.study.run.seed, self.study.run.populations.unwrap_or(1));
        let mut most = most_games(table.games, self.others.len());
        if self.standard.is_some() {
            most += most_games(table.games, 0);
        }
        player.listener.planned(most * seeds.len() as u64);
        let mut populations = Vec::new();
        let others = self.others.iter();
        let mut beside = Vec::from_iter(others.map(|bot| (bot.clone(), Vec::new())));
        for (number, &seed) in (1..).zip(&seeds) {
            let name = part_of(number);
            let adapted = table.adapt(&name, seed, player)?;
            let crowd = table.crowd(&adapted.population)?;
            let with = |bot: &Seat| table.beside(crowd.clone(), bot.clone());
            let tables: Result<Vec<_>, _> = self.others.iter().map(with).collect();
            let name = format!("{name}others ");
            let status = "playing other bots against the population";
            let fresh = FIRST_OF_OTHERS..FIRST_OF_OTHERS + table.figure_games();
            let shares = table.shares(&tables?, &name, status, fresh, seed, player)?;
            for ((_, gains), share) in beside.iter_mut().zip(shares) {
                gains.push(share.minus(table.fair()).in_points());
            }
            populations.push(adapted);
        }
        let mut standard = Vec::new();
        if let Some((table, _)) = &self.standard {
            for (number, &seed) in (1..).zip(&seeds) {
                let name = format!("standard {}", part_of(number));
                standard.push(table.adapt(&name, seed, player)?);
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
        let populations = self.populations.iter();
        let gains = populations.map(|adapted| adapted.gain.in_points());
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
        let populations = self.populations.iter();
        let points = populations.flat_map(|adapted| &adapted.population);
        Vec::from_iter(points.map(|point| self.resolved.table.seat(point, 0.0)))
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
