//! The study of what a game is like: for each number of players, among people, with a strong bot or
//! a simple rule among them, and among players who know the rules.

use super::arms::{Arm, design, outcome};
use super::error::{StudyError, refuse};
use super::flaws::{Easy, easy_tables, find_flaws};
use super::kind::{Known, Outcome};
#[cfg(feature = "clap")]
use super::options::{self, Example};
use super::remark::Remark;
use super::run::Spec;
use super::table::{PEOPLE, SeatedTable, TableSpec, checked_rules, people, sources};
use carat_core::analysis::flaws::FoundFlaw;
use carat_core::game::{Game, MetricRef};
use carat_core::library::{ADAPTED, BEST, Library};
use carat_core::simulation::{Design, Experiment, Player, Stopped, Tally};
use carat_core::statistics::Estimate;
use carat_core::strategy::SeatSpec;
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "seats others people seating precision max_games expect";

/// The games at each table, as a part of those of a simulation.
const PART: u64 = 10;
/// Populations by default.
const POPULATIONS: usize = 3;

/// Describe a game: its length, how close it is, how often the leader wins, and how much skill
/// matters
///
/// carat plays one table of people for each number of players, then puts a strong bot and a simple
/// rule at these tables. At the default number of players, it also plays a table of players who
/// have adapted to the rules. It lists signs that the game is broken, such as a metric with the
/// same value in nearly all games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
pub struct Describe {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// An edition or a rules file to describe beside the first, in the same games
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME or FILE", add = Example::of("\"schmidt-2005\"")))]
    pub b: Option<String>,
}

/// Who plays beside people, or instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    People,
    Strong,
    Simple,
    Adapted,
}

impl Who {
    /// The bot at all seats; `None` where one player is another.
    pub fn of_all(self) -> Option<&'static str> {
        match self {
            Who::People => Some(PEOPLE),
            Who::Adapted => Some(ADAPTED),
            Who::Strong | Who::Simple => None,
        }
    }
}

/// A table: which rules (0 or 1), how many players, and who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub side: usize,
    pub players: usize,
    pub who: Who,
}

pub struct Resolved {
    pub study: Describe,
    /// The number of players at the table of adapted players.
    pub usual: usize,
    pub places: Vec<Place>,
    /// The table of each place.
    pub arms: Vec<Arm>,
    pub design: Design,
    /// Of each side, easy bots at the usual number of players.
    easy: Vec<Vec<Easy>>,
}

pub struct Played {
    pub resolved: Resolved,
    pub tallies: Vec<Tally>,
    /// Of each place of the second rules, each metric less that of the first.
    pub differences: Vec<(usize, MetricRef, Estimate)>,
    /// Signs that the rules of a side are broken.
    pub flaws: [Vec<FoundFlaw>; 2],
    pub outcome: Outcome,
}

impl Describe {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        study.table.define_minutes()?;
        let game = study.table.game()?;
        let (_, rules) = checked_rules(game, &mut study.table, library)?;
        let printed = rules.printed_players();
        let numbers = match study.table.players {
            Some(players) => vec![players],
            None => printed.clone().collect(),
        };
        let usual = numbers.iter().copied();
        let usual = usual.min_by_key(|number| number.abs_diff(game.players));
        let Some(usual) = usual else {
            refuse!("players: the rules are for no number of players");
        };
        let mut sides = vec![study.table.clone()];
        if let Some(b) = &study.b {
            let mut second = study.table.clone();
            second.rules = Some(b.clone());
            sides.push(second);
        }
        let (mut places, mut arms, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        let mut tables = Vec::from_iter(numbers.iter().flat_map(|number| {
            let all = [Who::People, Who::Strong, Who::Simple];
            let all = all.map(|who| (*number, who));
            all.into_iter().take(if *number > 1 { 3 } else { 1 })
        }));
        if usual > 1 && game.family.is_some() {
            tables.push((usual, Who::Adapted));
        }
        for (group, (players, who)) in tables.into_iter().enumerate() {
            for (side, base) in sides.iter().enumerate() {
                let table = seated(base, game, players, who);
                let bot = &table.seats[0];
                let name = match (sides.len(), &table.rules) {
                    (2, Some(rules)) => format!("{rules}: {players} players, {bot}"),
                    _ => format!("{players} players, {bot}"),
                };
                arms.push(Arm::resolve(&name, &table, &[], library)?);
                places.push(Place { side, players, who });
                groups.push(group);
            }
        }
        if study.run.games.is_none() {
            study.run.games = Some(game.games / PART);
        }
        study.run.populations.get_or_insert(POPULATIONS);
        let beside = match game.family {
            Some(_) if usual > 1 => &[PEOPLE, ADAPTED][..],
            _ => &[PEOPLE][..],
        };
        let mut easy = Vec::new();
        for side in 0..sides.len() {
            let place = Place {
                side,
                players: usual,
                who: Who::People,
            };
            let at = places.iter().position(|own| *own == place);
            let seated = at.map(|at| &arms[at].seated);
            easy.extend(seated.map(|seated| easy_tables(seated, beside, library)));
        }
        let design = design(&mut arms, groups, None, &mut study.run)?;
        Ok(Resolved {
            study,
            usual,
            places,
            arms,
            design,
            easy,
        })
    }
}

/// The table of these players: one of them is the strong bot or the simple rule.
fn seated(base: &TableSpec, game: &Game, players: usize, who: Who) -> TableSpec {
    let first = match who {
        Who::People => people(),
        Who::Strong => SeatSpec::of(BEST),
        Who::Simple => SeatSpec::of(game.family.unwrap_or(game.strongest)),
        Who::Adapted => SeatSpec::of(ADAPTED),
    };
    let mut seats = vec![people(); players];
    match who {
        Who::Adapted => seats.fill(first),
        _ => seats[0] = first,
    }
    TableSpec {
        seats,
        players: None,
        ..base.clone()
    }
}

impl Resolved {
    pub fn first(&self) -> &SeatedTable {
        &self.arms[0].seated
    }

    /// The table of these players under the rules of a side, if it was played.
    pub fn at(&self, side: usize, players: usize, who: Who) -> Option<usize> {
        let place = Place { side, players, who };
        self.places.iter().position(|own| *own == place)
    }

    /// The rules of each side by name.
    pub fn sides(&self) -> Vec<&str> {
        let sides = self.study.table.rules.iter().chain(&self.study.b);
        Vec::from_iter(sides.map(String::as_str))
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let Design { metric, goal, .. } = self.design;
        let mut run = self.design.experiment();
        let look = &mut |_: &mut Vec<()>, _: &Experiment| Vec::new();
        let watched = player.watch(&mut run, goal, metric, look)?;
        let outcome = outcome(&self.arms, &run.tallies, watched.ending, &self.design, &[]);
        let mut differences = Vec::new();
        for (arm, metric) in self.design.comparisons() {
            let found = run.compared(metric, self.design.reference(arm), arm);
            differences.extend(found.map(|found| (arm, metric, found.difference)));
        }
        let tallies = run.tallies;
        let flaws = [0, 1].map(|side| self.flaws(side));
        Ok(Played {
            tallies,
            differences,
            flaws,
            outcome,
            resolved: self,
        })
    }

    /// The signs at the tables of equal players under the rules of a side.
    fn flaws(&self, side: usize) -> Vec<FoundFlaw> {
        let places = self.places.iter().zip(&self.arms);
        let own = places.filter(|(place, _)| place.side == side);
        let tables = own.filter_map(|(place, arm)| {
            let name = format!("{} {}", place.players, place.who.of_all()?);
            Some((name, &arm.seated))
        });
        let easy = self.easy.get(side).map_or(&[][..], Vec::as_slice);
        find_flaws(tables, easy, self.study.run.seed)
    }

    pub fn known(&self) -> Known<Describe> {
        let mut warnings: Vec<Remark> = Vec::new();
        for (place, arm) in self.places.iter().zip(&self.arms) {
            for warning in &arm.seated.warnings {
                if place.who != Who::Strong && !warnings.contains(warning) {
                    warnings.push(warning.clone());
                }
            }
        }
        let sources = sources(self.arms.iter().map(|arm| &arm.seated));
        Known::of(&self.study, self.first().game, sources, warnings)
    }
}
