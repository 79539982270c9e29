//! The study of a grid: one table, played again and again with some values changed.

use super::axis::Axis;
use super::error::{StudyError, left_out, refuse};
use super::kind::{Capped, Known, Outcome};
use super::path::Path;
use super::paths::changed;
use super::run::Spec;
use super::simulate::{self, Simulate};
use super::typed::{self, Example, check_once, parse_axis};
use carat_core::game::{MetricRef, SCORE_MEAN, Scope, WIN_SHARE};
use carat_core::library::{Library, Sources};
use carat_core::simulation::grid::{self, Grid, PlayedGrid};
use carat_core::simulation::{Missed, Player, Stopped, Tally};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "";

pub const CELLS_MAX: usize = 1024;

/// Play one table over a grid of values, and report the best value and how flat the optimum is
///
/// Examples of paths: rules, rules.traps.snake, players, seats.1, seats.1.target,
/// all.threshold.target. The values of a path are given as 4..30, "0..1 step 0.05" or a list such
/// as 3,5,8. Two or more paths make a grid. To measure what a bot gains by thinking longer, vary
/// seats.1.playouts=4,16,64,256.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric for --precision, the charts and the ranking: win_share@1 (of seat 1),
    /// score_mean@2, cards_per_game, … [default: win_share of the first seat that varies, else the
    /// table's first metric]
    #[arg(long, value_name = "METRIC", add = Example::of("\"win_share\""))]
    pub metric: Option<String>,
    /// A path to vary and its values, such as seats.1.target=4..30; repeat for a grid
    #[arg(long, value_name = "PATH=VALUES", value_parser = parse_axis, required = true, add = Example::given("{ \"seats.1.target\" = \"6..10\", \"rules.traps.snake\" = [3, 4] }"))]
    #[serde(with = "typed::pairs")]
    pub vary: Vec<(String, Axis)>,
}

pub fn nothing_varies() -> StudyError {
    let why = "vary is empty: give a path and values, such as seats.1.target=4..30";
    StudyError::Refused(why.to_string())
}

pub fn wrong_values(path: &Path, axis: &Axis, reason: &str) -> StudyError {
    StudyError::Refused(format!(
        "{path}={axis}: {reason}; write 4..30, \"0..1 step 0.05\" or a list such as 3,5,8"
    ))
}

/// A number in words, or a bound for one beyond any playable number.
fn bounded(number: f64) -> String {
    const SHOWN: f64 = 1e24;
    if number <= SHOWN {
        number.to_string()
    } else {
        "more than 10^24".to_string()
    }
}

pub struct Cell {
    pub values: Vec<String>,
    pub resolved: simulate::Resolved,
}

pub struct Resolved {
    pub study: Sweep,
    /// The axes: each path with its values in order.
    pub axes: Vec<(Path, Vec<String>)>,
    /// The cells, the last axis changing fastest.
    pub cells: Vec<Cell>,
    /// Cells with impossible rules, and the reasons.
    pub left_out: Vec<(String, StudyError)>,
    pub sources: Sources,
    /// The metric to draw and rank, of one seat or of the table.
    pub metric: MetricRef,
}

pub struct Played {
    pub resolved: Resolved,
    pub grid: PlayedGrid,
}

impl Sweep {
    /// The axes: each path with its values in order. A grid that is too large is refused before
    /// its values are written out.
    fn axes(&self) -> Result<Vec<(Path, Vec<String>)>, StudyError> {
        if self.vary.is_empty() {
            return Err(nothing_varies());
        }
        check_once("vary", &self.vary)?;
        let (mut axes, mut cells) = (Vec::new(), 1.0);
        for (path, axis) in &self.vary {
            let path: Path = path.parse()?;
            let values = axis
                .values()
                .map_err(|reason| wrong_values(&path, axis, &reason))?;
            cells *= values.count();
            axes.push((path, axis, values));
        }
        if cells > CELLS_MAX as f64 {
            let games = self.run.clone().fill_goal(self.table.game()?)?.most();
            let (cells, all) = (bounded(cells), bounded(cells * games as f64));
            refuse!(
                "the grid has {cells} cells of up to {games} games, {all} in all: at most \
                 {CELLS_MAX} cells are allowed"
            );
        }
        let written = axes.into_iter().map(|(path, axis, values)| {
            let values = values.of(&path);
            let values = values.map_err(|reason| wrong_values(&path, axis, &reason))?;
            Ok((path, values))
        });
        written.collect()
    }

    /// The metric to draw and rank: the requested one, or that of the first choice.
    fn metric(
        &self,
        axes: &[(Path, Vec<String>)],
        first: &simulate::Resolved,
    ) -> Result<MetricRef, StudyError> {
        let layout = first.table.layout();
        let Some(asked) = &self.metric else {
            let many = layout.seats > 1;
            let own = if many { WIN_SHARE } else { SCORE_MEAN };
            let seat = axes.iter().find_map(|(path, _)| {
                let mut bots = (1..).zip(&first.seats);
                bots.position(|(seat, bot)| path.changes_seat(seat, &bot.strategy.name))
            });
            return Ok(match seat {
                Some(seat) => MetricRef::of_seat(own, seat),
                None => MetricRef::of_table(layout.table_metrics[0].name),
            });
        };
        let metric = MetricRef::find(layout, asked)?;
        if metric.scope == Scope::EverySeat {
            refuse!(
                "metric = {asked}: a sweep needs the metric of one seat; write {asked}@1, or \
                 another seat"
            );
        }
        Ok(metric)
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let axes = self.axes()?;
        let all: usize = axes.iter().map(|(_, values)| values.len()).product();
        let (mut cells, mut left_out) = (Vec::new(), Vec::new());
        let mut sources = Sources::default();
        let mut base = self.table.clone();
        let grid: Vec<_> = (0..all).map(|cell| values_at(&axes, cell)).collect();
        base.name_common_seats(&grid, library)?;
        for at in grid {
            let cell = Simulate::of(changed(&base, &at)?, &self.spec, &self.metric);
            match cell.resolve(library) {
                Ok(resolved) => {
                    sources.add(&resolved.rules, &resolved.seats);
                    cells.push(Cell {
                        values: at.into_iter().map(|(_, value)| value).collect(),
                        resolved,
                    });
                }
                Err(error @ StudyError::Impossible(_)) => {
                    cell.table.add_sources(library, &mut sources)?;
                    let name = at.iter().map(|(path, value)| format!("{path}={value}"));
                    left_out.push((Vec::from_iter(name).join(" "), error));
                }
                Err(error) => return Err(error),
            }
        }
        simulate::play_alike(cells.iter_mut().map(|cell| &mut cell.resolved));
        let Some(first) = cells.first().map(|cell| &cell.resolved) else {
            return Err(left_out.swap_remove(0).1);
        };
        let metric = self.metric(&axes, first)?;
        let mut study = self.clone();
        study.table.rules.clone_from(&first.spec.rules);
        study.run = first.study.run.clone();
        Ok(Resolved {
            study,
            axes,
            cells,
            left_out,
            sources,
            metric,
        })
    }
}

/// The values of a cell of the grid; the last axis varies first.
fn values_at(axes: &[(Path, Vec<String>)], cell: usize) -> Vec<(Path, String)> {
    let mut stride: usize = axes.iter().map(|(_, values)| values.len()).product();
    let at = axes.iter().map(|(path, values)| {
        stride /= values.len();
        (path.clone(), values[cell / stride % values.len()].clone())
    });
    at.collect()
}

impl Resolved {
    pub fn first(&self) -> &simulate::Resolved {
        &self.cells[0].resolved
    }

    /// Whether the values of a path are choices (of the bot that the metric is about), of which the
    /// sweep seeks the best. All other values are conditions.
    pub fn is_choice(&self, path: &Path) -> bool {
        let Some(seat) = self.metric.seat() else {
            return false;
        };
        let cells = self.cells.iter();
        let mut bots = cells.filter_map(|cell| cell.resolved.seats.get(seat));
        bots.any(|bot| path.changes_seat(seat + 1, &bot.strategy.name))
    }

    /// For each cell the number of its family: cells that differ only in choices.
    pub fn families(&self) -> Vec<usize> {
        let axes = self.axes.iter();
        let is_choice: Vec<bool> = axes.map(|(path, _)| self.is_choice(path)).collect();
        let mut known: IndexSet<Vec<&str>> = IndexSet::new();
        let mut families = Vec::new();
        for cell in &self.cells {
            let at = is_choice.iter().zip(&cell.values);
            let conditions = at.filter(|(is_choice, _)| !**is_choice);
            let conditions = conditions.map(|(_, value)| value.as_str()).collect();
            families.push(known.insert_full(conditions).0);
        }
        families
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let first = self.first();
        // Several cells share a processor's cache.
        let chunk = (first.game.chunk / 4).max(1);
        let tables = self.cells.iter();
        let tables = tables.map(|cell| cell.resolved.table.as_ref() as _);
        let grid = Grid {
            tables: &tables.collect::<Vec<_>>(),
            families: &self.families(),
            metric: self.metric,
            goal: first.goal,
            games: first.study.run.dealt(chunk),
            part: 4 * chunk,
        };
        Ok(Played {
            grid: grid::play(&grid, player)?,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Sweep> {
        let warnings = self.cells.iter().flat_map(|cell| &cell.resolved.warnings);
        let mut warnings: Vec<String> = warnings.cloned().collect();
        if !self.left_out.is_empty() {
            let left = self.left_out.len();
            let things = format!("{left} of {} cells", left + self.cells.len());
            warnings.push(left_out(&things, &self.left_out));
        }
        let (first, sources) = (self.first(), self.sources.clone());
        Known::of(&self.study, first.game, sources, warnings)
    }
}

impl Outcome for Played {
    fn missed(&self) -> Option<Missed> {
        self.resolved.first().goal.missed(&self.grid.remaining())
    }

    fn passes(&self) -> u64 {
        let cells = self.resolved.cells.iter().zip(&self.grid.tallies);
        cells
            .map(|(cell, tally)| tally.passes(cell.resolved.table.layout()))
            .sum()
    }

    fn capped(&self) -> Vec<Capped> {
        let cells = self.resolved.cells.iter().zip(&self.grid.tallies);
        let of = |(cell, tally): (&Cell, &Tally)| {
            Capped::of(cell.values.join(", "), cell.resolved.table.layout(), tally)
        };
        cells.filter_map(of).collect()
    }
}
