//! A tuning of rules for bots that adapt to them: the library has their populations.

use super::Resolved;
use super::others::LAST;
use crate::study::adapt::BESIDE;
use crate::study::path::Path;
use crate::study::plan::each_adapt_to;
use crate::study::run::POPULATIONS;
use crate::study::table::{SeatedTable, sources};
use carat_core::adaptation::most_games;
use carat_core::library::{ADAPTED, Library, SourceText, StandIn};
use carat_core::simulation::{Experiment, Games, Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::Strategy;
use carat_core::streams;
use carat_core::tuning::{Found, Point, Problem, SEARCHES, search_adapted};

/// The number of the adaptation that proves the best with populations of another seed.
pub const PROOF: usize = SEARCHES + 1;

pub struct AdaptedPlay {
    /// Whether the last search found the rules that its populations are adapted to.
    pub settled: bool,
    /// The populations of the best, as files of bots.
    pub files: Vec<(String, String)>,
    /// Each metric at each table with the best values, where those who adapt still play as they did
    /// at the start; empty if no seat adapts.
    pub unadapted: Vec<Vec<Option<Estimate>>>,
}

pub fn population_of(table: &SeatedTable) -> Option<&Strategy> {
    let mut bots = table.seats.iter().map(|seat| &*seat.strategy);
    bots.find(|bot| bot.name == ADAPTED)
}

/// The library in which the populations of these tables also play at tables without their own.
pub fn with_populations(tables: &[SeatedTable], library: &Library) -> Library {
    let mut library = library.clone();
    let bots = tables.iter().filter_map(population_of);
    for population in bots.flat_map(Strategy::each_population) {
        (library.strategies).push(SourceText::new(ADAPTED, &*population.text));
        library.stand_in = StandIn::Nearest;
    }
    library
}

impl Resolved {
    /// The library of its texts, where the populations of the start also play at other tables; in a
    /// dry run there are none.
    pub fn library(&self) -> Library {
        let mut library = self.sources.library();
        library.stand_in = match self.sources.not_adapted[..] {
            [] => StandIn::Nearest,
            _ => StandIn::Family,
        };
        library
    }

    /// Whether candidates have rules of their own, and bots that adapt to them.
    pub fn adapts(&self) -> bool {
        let of_rules = |path: &Path| path.is_of_rules() || *path == Path::Players;
        let mut populations = self.tables.iter().filter_map(population_of);
        self.axes.iter().any(|axis| of_rules(&axis.path)) && populations.next().is_some()
    }

    /// Searches until its players are adapted to what is found, and returns whether they are; adds
    /// populations to the library.
    pub fn search_adapted(
        &self,
        problem: &Problem,
        library: &mut Library,
        player: &mut Player,
    ) -> Result<(Found, bool), Stopped> {
        let tables = |library: &Library, point: &[usize]| self.seated(point, library);
        let mut adapt = |library: &mut Library, search, best: &Point, player: &mut Player| {
            self.adapt(search, best, library, player)
        };
        search_adapted(problem, library, &tables, &mut adapt, player)
    }

    /// Most games of the adaptations to one point.
    pub fn games_to_adapt(&self) -> u64 {
        let adapted = self.tables.iter().filter_map(population_of).count();
        let games = self.study.run.population_games;
        let games = most_games(games.unwrap_or(self.first().game.games), BESIDE);
        games * (adapted * self.populations_each()) as u64
    }

    /// The tables with the values of a point, except impossible ones.
    fn tables_at(&self, point: &Point, library: &Library) -> Vec<SeatedTable> {
        let tables = (0..self.tables.len()).map(|at| self.table_at(at, point, library));
        tables.filter_map(Result::ok).collect()
    }

    /// The populations that sit at the tables of a point, as files.
    pub fn populations(&self, point: &Point, library: &Library) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for table in self.tables_at(point, library) {
            let each = population_of(&table)
                .into_iter()
                .flat_map(Strategy::each_population);
            for (number, bot) in (1..).zip(each) {
                let number = if number == 1 {
                    String::new()
                } else {
                    format!("-{number}")
                };
                let name = format!("adapted-{}{number}.toml", table.seats.len());
                files.push((name, bot.text.to_string()));
            }
        }
        files.dedup_by(|a, b| a.0 == b.0);
        files
    }

    /// Adapts populations to a point, where there are none yet.
    pub fn adapt(
        &self,
        number: usize,
        point: &Point,
        library: &mut Library,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let mut planned = library.clone();
        planned.stand_in = StandIn::Family;
        for table in &sources(&self.tables_at(point, &planned)).not_adapted {
            let (game, seed) = (self.first().game, self.study.run.seed);
            let seed = match number {
                PROOF | LAST.. => streams::output(seed, u64::MAX),
                _ => seed,
            };
            let each = each_adapt_to(game, table, &self.study.run, seed, self.populations_each());
            for (population, adapt) in (1..).zip(each) {
                let Ok(mut adapt) = adapt.resolve(library) else {
                    continue;
                };
                let players = adapt.table.players;
                adapt.table.parts = match population {
                    1 => format!("{}adapt {number} {players} ", self.part),
                    _ => format!(
                        "{}adapt {number} {players} population {population} ",
                        self.part
                    ),
                };
                let made = adapt.play(player)?;
                library.strategies.push(made.first());
            }
        }
        Ok(())
    }

    /// The number of populations of a table.
    fn populations_each(&self) -> usize {
        let populations = self.tables.iter().filter_map(population_of);
        let found = populations.map(|bot| bot.each_population().count()).max();
        self.study.run.populations.or(found).unwrap_or(POPULATIONS)
    }

    /// Each metric at each table with the values of a point, among those who are adapted to the
    /// start.
    pub fn unadapted(
        &self,
        point: &Point,
        start: &Library,
        fresh: std::ops::Range<u64>,
        games: Games,
        player: &mut Player,
    ) -> Result<Vec<Vec<Option<Estimate>>>, Stopped> {
        let Some(tables) = self.seated(point, start) else {
            return Ok(Vec::new());
        };
        let tables = tables.iter().map(|table| table.as_ref() as _);
        let mut experiment = Experiment::apart(tables.collect(), games);
        let status = "playing the best candidate against the population of the start";
        experiment.play_all("unadapted ", status, fresh, player)?;
        let metrics = self.aim.metrics();
        let of = |table: usize| {
            let metrics = metrics.iter();
            let estimates = metrics.map(|&metric| experiment.estimate(table, metric));
            estimates.collect()
        };
        Ok((0..self.tables.len()).map(of).collect())
    }
}
