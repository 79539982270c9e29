//! The study of adapted play: a population of bots of one family that knows its rules.

use super::error::{StudyError, refuse};
use super::kind::{Outcome, Ready};
use super::library::{Library, SourceText, Sources};
use super::rule::Fitted;
use super::run::Spec;
use super::table::{TableSpec, checked_rules, unprinted_players};
use super::typed::{self, Example};
use crate::adaptation::{self, Adaptation, Population};
use crate::game::{Game, MetricRef, Rules, Seating, Table, WIN_SHARE};
use crate::simulation::{Experiment, Games, Player, RoundInfo, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{MadeFor, Seat, SeatSpec, Strategy, quoted};
use crate::tuning::{AxisShape, Space};
use serde::{Deserialize, Serialize};

/// The parameter by which copies of a bot differ; it is not searched.
pub(super) const SPREAD: &str = "spread";
/// Games of a round's search and of its check, as parts of the game's default number of games.
const SEARCH_PART: f64 = 0.4;
const CHECK_PART: f64 = 0.04;
/// Number of the first game that measures the gains of other bots.
const FIRST_OF_OTHERS: u64 = 1 << 40;

/// Adapt a population of players to the rules and the number of players
///
/// Finds the best response to a population of bots of one family, adds it to the population, and
/// repeats until a response gains little. Writes adapted.toml, a bot that any study can use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
#[command(mut_args(typed::without("adapt")))]
pub struct Adapt {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The family of bots: a bot with ranges for its parameters [default: depends on the game]
    #[arg(long, value_name = "BOT", add = Example::of("\"simple\""))]
    pub family: Option<String>,
}

pub struct FamilyTable {
    pub game: &'static Game,
    /// The rules file, before the study's changes.
    pub rules: SourceText,
    checked: Box<dyn Rules>,
    pub family: Strategy,
    /// The searched parameters, with their values.
    pub axes: Vec<(String, Vec<f32>)>,
    /// The largest spread; 0 where the family has none.
    spread: f32,
    pub players: usize,
    pub(super) space: Space,
    /// The prefix of the names of all parts.
    pub(super) parts: String,
}

pub struct Resolved {
    pub study: Adapt,
    pub table: FamilyTable,
    /// Bots from outside the family to play beside the population.
    pub others: Vec<Seat>,
    pub warnings: Vec<String>,
}

pub struct Played {
    pub resolved: Resolved,
    pub adapted: adaptation::Adapted,
    /// The win shares above the fair share of bots at one seat beside the population.
    pub beside: Vec<(Seat, Estimate)>,
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
        let mut axes = Vec::new();
        let mut shapes = Vec::new();
        let mut start = Vec::new();
        for (param, range) in &family.ranges {
            if param == SPREAD || players < range.players {
                continue;
            }
            let steps = ((range.high - range.low) / range.step).round() as usize;
            let [low, step] =
                [range.low, range.step].map(|it| it.to_string().parse().unwrap_or(0.0));
            let values: Vec<f32> = (0..=steps)
                .map(|at| ((low + at as f64 * step) * 1e6).round() as f32 / 1e6)
                .collect();
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
            refuse!(
                "family `{}`: its parameters have no ranges; for an example, see `carat show \
                 strategy {} {}`",
                family.name,
                game.name,
                game.family.unwrap_or(name)
            );
        }
        let spread = family.ranges.iter().find(|(param, _)| param == SPREAD);
        Ok(FamilyTable {
            game,
            rules,
            checked,
            spread: spread.map_or(0.0, |(_, range)| range.high),
            family,
            axes,
            players,
            space: Space {
                axes: shapes,
                start,
            },
            parts: String::new(),
        })
    }

    /// The parameters of a point, with a spread from 0 to 1.
    pub fn params(&self, point: &[usize], spread: f64) -> Vec<(String, f32)> {
        let mut params = Vec::new();
        for ((param, values), &value) in self.axes.iter().zip(point) {
            params.push((param.clone(), values[value]));
        }
        if self.spread > 0.0 {
            params.push((SPREAD.to_string(), self.spread_of(spread)));
        }
        params
    }

    /// A bot with the numbers of a rule multiplied by a factor, clipped to their ranges.
    pub(super) fn seat_off(&self, rule: &Fitted, times: f32) -> Option<Seat> {
        let mut params = self.params(&rule.point, 0.0);
        for &axis in &rule.axes {
            let values = &self.axes[axis].1;
            let value = values[rule.point[axis]] * times;
            params[axis].1 = value.clamp(values[0], values[values.len() - 1]);
        }
        Seat::new(self.family.clone(), &params).ok()
    }

    pub(super) fn has_spread(&self) -> bool {
        self.spread > 0.0
    }

    /// The description of a parameter, with `{}` for its value.
    pub(super) fn says(&self, param: &str) -> Option<&str> {
        let mut ranges = self.family.ranges.iter();
        ranges.find(|(name, _)| name == param)?.1.says.as_deref()
    }

    pub(super) fn checked(&self) -> &dyn Rules {
        self.checked.as_ref()
    }

    pub(super) fn seated(&self, seats: &[Seat]) -> Option<Box<dyn Table>> {
        self.checked.table(seats, Seating::default()).ok()
    }

    /// Checks that the family can sit at its table.
    pub(super) fn check_seats(&self) -> Result<(), StudyError> {
        if let Some(seat) = self.seat(&self.space.start, 0.0) {
            let seats = vec![seat; self.players];
            self.checked.table(&seats, Seating::default())?;
        }
        Ok(())
    }

    /// The spread of copies, in units of its parameter.
    pub fn spread_of(&self, share: f64) -> f32 {
        (self.spread * share as f32 * 10.0).round() / 10.0
    }

    pub fn seat(&self, point: &[usize], spread: f64) -> Option<Seat> {
        Seat::new(self.family.clone(), &self.params(point, spread)).ok()
    }

    fn file(
        &self,
        made_for: &MadeFor,
        population: &Population,
        description: &str,
    ) -> Option<String> {
        let mut parts = Vec::new();
        for member in population {
            let label = self.seat(&member.point, member.spread)?.label();
            parts.push(format!("{} = {:.4}", quoted(&label), member.weight));
        }
        Some(format!(
            "format = 1\ndescription = {}\n{}\nmix = {{ {} }}\n",
            quoted(description),
            made_for.line(),
            parts.join(", ")
        ))
    }

    fn crowd(&self, population: &Population) -> Option<Seat> {
        let mut parts = Vec::new();
        for member in population {
            let weight = (member.weight * 1e4).round() / 1e4;
            parts.push((self.seat(&member.point, member.spread)?, weight));
        }
        let crowd = Strategy::mix("adapted", "", &parts, self.game.vocabulary).ok()?;
        Seat::new(crowd, &[]).ok()
    }

    /// A table where seat 1 plays `first` and all others the population.
    fn beside(&self, population: &Population, first: Seat) -> Option<Box<dyn Table>> {
        let mut seats = vec![self.crowd(population)?; self.players];
        seats[0] = first;
        self.checked.table(&seats, Seating::default()).ok()
    }

    fn adapt(&self, dealt: Games, player: &mut Player) -> Result<adaptation::Adapted, Stopped> {
        let table = |population: &Population, point: &[usize]| {
            self.beside(population, self.seat(point, 0.0)?)
        };
        let games = self.game.games as f64;
        let asked = Adaptation {
            space: &self.space,
            table: &table,
            fair: self.fair(),
            search_games: (games * SEARCH_PART) as u64,
            check_games: (games * CHECK_PART) as u64,
            games: dealt,
            name: &self.parts,
        };
        adaptation::adapt(&asked, player)
    }

    /// The win share above the fair share of each of these bots at one seat beside the population.
    fn others(
        &self,
        population: &Population,
        bots: Vec<Seat>,
        dealt: Games,
        player: &mut Player,
    ) -> Result<Vec<(Seat, Estimate)>, Stopped> {
        let mut seated = Vec::new();
        let mut tables = Vec::new();
        for bot in bots {
            if let Some(table) = self.beside(population, bot.clone()) {
                seated.push(bot);
                tables.push(table);
            }
        }
        let tables = tables.iter().map(|table| table.as_ref() as _);
        let mut experiment = Experiment::apart(tables.collect(), dealt);
        let info = RoundInfo {
            name: &format!("{}others ", self.parts),
            status: "playing other bots against the population",
            ..RoundInfo::default()
        };
        let check = 4 * (self.game.games as f64 * CHECK_PART) as u64;
        let games = FIRST_OF_OTHERS..FIRST_OF_OTHERS + check;
        experiment.play(info, games, u64::MAX, player)?;
        let metric = MetricRef::of_seat(WIN_SHARE, 0);
        let mut found = Vec::new();
        for (cell, bot) in seated.into_iter().enumerate() {
            let share = experiment
                .estimate(cell, metric)
                .unwrap_or(Estimate::UNKNOWN);
            found.push((bot, share.minus(self.fair()).in_points()));
        }
        Ok(found)
    }

    fn fair(&self) -> f64 {
        1.0 / self.players as f64
    }
}

impl Adapt {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let table = FamilyTable::find(&mut study.table, self.family.as_deref(), library)?;
        study.family = Some(table.family.name.clone());
        table.check_seats()?;
        let warning = unprinted_players(&table.rules, table.checked.as_ref(), table.players);
        let learnt = format!("solved-{}", table.players);
        let mut others = Vec::new();
        for name in [table.family.name.as_str(), learnt.as_str(), "people"] {
            if library
                .strategy_names(table.game)
                .iter()
                .any(|known| known == name)
            {
                others.extend(library.seats(table.game, &SeatSpec::of(name))?);
            }
        }
        Ok(Resolved {
            study,
            table,
            others,
            warnings: Vec::from_iter(warning),
        })
    }
}

impl Resolved {
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let games = Games {
            seed: self.study.run.seed,
            chunk: (self.table.game.chunk / 4).max(1),
        };
        let adapted = self.table.adapt(games, player)?;
        let others = self.others.clone();
        Ok(Played {
            beside: (self.table).others(&adapted.population, others, games, player)?,
            adapted,
            resolved: self,
        })
    }
}

impl Played {
    /// The file of the population; `None` if its family cannot be seated.
    pub fn file(&self) -> Option<String> {
        let table = &self.resolved.table;
        let mut made_for = self.resolved.study.table.made_for(Some(table.players));
        let description = format!(
            "A population of {} adapted to {made_for}; the best response in the family gains {}.",
            table.family.name,
            self.adapted.gain.in_points()
        );
        made_for.by = Some(format!("carat adapt {}", table.game.name));
        table.file(&made_for, &self.adapted.population, &description)
    }
}

impl Outcome for Played {}

impl Adapt {
    pub fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let resolved = self.resolve(library)?;
        let mut sources = Sources::default();
        let mut seats = resolved.others.clone();
        seats.extend(Seat::new(resolved.table.family.clone(), &[]).ok());
        sources.add(&resolved.table.rules, &seats);
        Ok(Ready {
            study: resolved.study.clone().into(),
            game: resolved.table.game,
            sources,
            warnings: resolved.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| Ok(resolved.play(player)?.into())),
        })
    }
}
