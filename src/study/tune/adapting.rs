//! A tuning of rules for bots that adapt to them: each search uses populations adapted to nearby
//! rules, its best rules get their own populations, and the next search starts there, until the
//! best no longer changes.

use super::Resolved;
use crate::study::adapt::Adapt;
use crate::study::path::Path;
use crate::study::run::Spec;
use crate::study::table::{SeatedTable, TableSpec};
use carat_core::library::{ADAPTED, Library};
use carat_core::simulation::{Experiment, Games, Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::tuning::{Found, Point, Problem, search};

/// Most searches, each with populations adapted to the best of the one before.
const SEARCHES: usize = 4;
/// The part of the budget for the first search; each of the others gets half of it.
const FIRST_SHARE: f64 = 0.5;

#[derive(Default)]
pub struct AdaptedPlay {
    /// Whether the last search found the rules that its populations are adapted to.
    pub settled: bool,
    /// The populations of the best, as files of bots.
    pub files: Vec<(String, String)>,
    /// Each metric at each table with the best values, where those who adapt still play as they did
    /// at the start; empty if no seat adapts.
    pub unadapted: Vec<Vec<Option<Estimate>>>,
}

pub fn is_adapted(table: &SeatedTable) -> bool {
    table.spec.seats.iter().any(|seat| seat.name == ADAPTED)
}

/// Seats what is adapted to the start where a table has no population of its own.
pub fn seat_neighbours(tables: &[SeatedTable], library: &Library) {
    let mut neighbours = library.neighbours.borrow_mut();
    neighbours.clear();
    for table in tables {
        let seats = table.spec.seats.iter().zip(&table.seats);
        for (_, seat) in seats.filter(|(spec, _)| spec.name == ADAPTED) {
            neighbours.insert(table.seats.len(), seat.strategy.text.to_string());
        }
    }
}

pub fn adapt_to(table: &TableSpec, players: usize) -> Adapt {
    Adapt {
        spec: Spec::of(table.bare(players)),
        family: None,
    }
}

impl Resolved {
    /// The library of its texts, where tables without a population of their own seat that of the
    /// start.
    pub fn library(&self) -> Library {
        let library = self.sources.library();
        seat_neighbours(&self.tables, &library);
        library
    }

    /// Whether candidates have rules of their own, and bots that adapt to them.
    pub fn adapts(&self) -> bool {
        let of_rules = |path: &Path| path.is_of_rules() || *path == Path::Players;
        self.axes.iter().any(|axis| of_rules(&axis.path)) && self.tables.iter().any(is_adapted)
    }

    /// Searches until what is found is what its players are adapted to.
    pub fn search_adapted(
        &self,
        problem: &Problem,
        library: &Library,
        player: &mut Player,
    ) -> Result<(Found, AdaptedPlay), Stopped> {
        let mut play = AdaptedPlay::default();
        let mut all: Option<Found> = None;
        for number in 1..=SEARCHES {
            let best: Vec<Point> = all.iter().map(|found| found.best.clone()).collect();
            let part = if number == 1 { 1.0 } else { 0.5 };
            let again = Problem {
                name: &format!("search {number} "),
                first: &best,
                budget: (problem.budget as f64 * FIRST_SHARE * part) as u64,
                first_game: all.as_ref().map_or(0, |found: &Found| found.next_game),
                ..*problem
            };
            let mut found = search(&again, player)?;
            if let Some(before) = all.take() {
                let rounds = before.tried.last().map_or(0, |tried| tried.round);
                for tried in &mut found.tried {
                    tried.round += rounds;
                }
                found.games += before.games;
                found.tried.splice(0..0, before.tried);
            }
            self.adapt(number, &found.best, library, player)?;
            let found = all.insert(found);
            play.settled = found.best == problem.space.start || best.contains(&found.best);
            if play.settled {
                break;
            }
        }
        Ok((all.expect("there is a search"), play))
    }

    /// The populations that sit at the tables of a point, as files.
    pub fn populations(&self, point: &Point, library: &Library) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for at in (0..self.tables.len()).filter(|&at| is_adapted(&self.tables[at])) {
            if let Ok(changed) = self.table_at(at, point, library) {
                let mut seats = changed.spec.seats.iter().zip(&changed.seats);
                let seat = seats.find(|(spec, _)| spec.name == ADAPTED);
                let name = format!("adapted-{}.toml", changed.seats.len());
                files.extend(seat.map(|(_, seat)| (name, seat.strategy.text.to_string())));
            }
        }
        files.dedup_by(|a, b| a.0 == b.0);
        files
    }

    /// Adapts populations to a point, where there are none yet.
    fn adapt(
        &self,
        number: usize,
        point: &Point,
        library: &Library,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        for (at, table) in self.tables.iter().enumerate().filter(|it| is_adapted(it.1)) {
            let Ok(changed) = self.table_at(at, point, library) else {
                continue;
            };
            let players = changed.seats.len();
            let made_for = changed.spec.made_for(Some(players)).to_string();
            let is_start = changed.spec.set == table.spec.set && changed.rules == table.rules;
            if is_start || library.adapted.borrow().contains_key(&made_for) {
                continue;
            }
            let Ok(mut adapt) = adapt_to(&changed.spec, players).resolve(library) else {
                continue;
            };
            adapt.table.parts = format!("adapt {number} {players} ");
            let text = adapt.play(player)?.file();
            let mut neighbours = library.neighbours.borrow_mut();
            neighbours.insert(players, text.clone());
            library.adapted.borrow_mut().insert(made_for, text);
        }
        Ok(())
    }

    /// Each metric at each table with the values of a point, among those who are adapted to the
    /// start.
    pub fn unadapted(
        &self,
        point: &Point,
        fresh: std::ops::Range<u64>,
        games: Games,
        player: &mut Player,
    ) -> Result<Vec<Vec<Option<Estimate>>>, Stopped> {
        let library = self.library();
        let Some(tables) = self.seated(point, &library) else {
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
