//! The study of a grid: one table, played again and again with some values changed.

use super::Sides;
use super::arms::{Arm, design, outcome};
use super::axis::Axis;
use super::error::{StudyError, left_out, refuse};
use super::kind::{Expectation, Known, Outcome};
#[cfg(feature = "clap")]
use super::options::{Example, parse_axis};
use super::path::Path;
use super::paths::changed;
use super::run::Spec;
use super::table::SeatedTable;
use super::typed::{self, check_once};
use carat_core::game::{MetricRef, SCORE_MEAN, Scope, WIN_SHARE};
use carat_core::library::{Library, Sources};
use carat_core::simulation::grid::{self, PlayedGrid};
use carat_core::simulation::{Design, Ending, Player, Stopped, TargetVerdict};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

pub const CELLS_MAX: usize = 1024;

/// Play one table over a grid of values, and report the best value and how flat the optimum is
///
/// Examples of paths: rules, rules.traps.snake, players, seats.1, seats.1.target,
/// all.threshold.target, seed. The values of a path are given as 4..30, "0..1 step 0.05" or a list
/// such as 3,5,8; whole tables as seats="depth,people; 2*depth,people", with semicolons between
/// them. Two or more paths make a grid; cells that cannot be played are named and left out. To
/// change several things at once, give the changes a name, as in
/// 'mix={ printed = [], wild = ["traps.snake=4", "rounds=6"] }'. To measure what a bot gains by
/// thinking longer, vary seats.1.playouts=4,16,64,256.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric for --precision, the charts and the ranking: win_share@1 (of seat 1),
    /// score_mean@2, cards_per_game, …; repeat to show others beside it [default: win_share of the
    /// first seat that varies, else the table's first metric]
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC", add = Example::of("\"win_share\"")))]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "typed::texts")]
    pub metric: Vec<String>,
    /// A path to vary and its values, such as seats.1.target=4..30; repeat for a grid
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH=VALUES", value_parser = parse_axis, required = true, add = Example::given("{ \"seats.1.target\" = \"6..10\", \"rules.traps.snake\" = [3, 4] }")))]
    #[serde(with = "typed::pairs")]
    pub vary: Vec<(String, Axis)>,
}

/// Columns of tables without `_` in their names, which changes cannot have.
const COLUMNS: [&str; 17] = [
    "seat", "bot", "label", "params", "games", "passes", "best", "metric", "value", "side",
    "table", "folder", "study", "game", "set", "version", "figure",
];

type Changes = Vec<(Path, String)>;
type LeftOut = Vec<(String, StudyError)>;

pub fn nothing_varies() -> StudyError {
    let why = "vary is empty: give a path and values, such as seats.1.target=4..30";
    StudyError::Refused(why.to_string())
}

pub fn wrong_values(path: &Path, axis: &Axis, reason: &str) -> StudyError {
    StudyError::Refused(format!(
        "{path}={axis}: {reason}; write 4..30, \"0..1 step 0.05\" or a list such as 3,5,8"
    ))
}

/// The path of an axis of changes with names.
fn named(name: &str) -> Result<Path, StudyError> {
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '-';
    let is_taken = COLUMNS.contains(&name) || !matches!(name.parse(), Ok(Path::RulesKey(_)));
    if name.is_empty() || !name.chars().all(is_plain) || is_taken {
        refuse!(
            "vary: `{name}` cannot name changes; use letters, digits and -, such as mix, and no name of a column"
        );
    }
    Ok(Path::Named(name.to_string()))
}

fn seed_of(text: &str) -> Result<u64, StudyError> {
    let seed = text.trim().parse();
    seed.map_err(|_| format!("seed={text}: write a whole number from 0 to {}", u64::MAX).into())
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

pub struct Resolved {
    pub study: Sweep,
    /// The axes: each path with its values in order.
    pub axes: Vec<(Path, Vec<String>)>,
    /// The paths whose values are choices (of the bot that the metric is about), of which the sweep
    /// seeks the best. All others are conditions.
    pub choices: Vec<Path>,
    /// The cells of the grid, the last axis changing fastest; each has a value of each axis.
    pub arms: Vec<Arm>,
    /// What is drawn; the first ranks.
    pub metrics: Vec<MetricRef>,
    /// Its groups are families: cells that differ only in choices.
    pub design: Design,
    /// Cells that cannot be played, and the reasons.
    pub left_out: LeftOut,
    pub sources: Sources,
}

pub struct Played {
    pub resolved: Resolved,
    pub grid: PlayedGrid,
    pub outcome: Outcome,
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
            let path: Path = match axis {
                Axis::Named(_) => named(path)?,
                _ => path.parse()?,
            };
            let values = axis.values();
            let values = values.map_err(|reason| wrong_values(&path, axis, &reason))?;
            cells *= values.count();
            axes.push((path, axis, values));
        }
        if cells > CELLS_MAX as f64 {
            let games = self.run.clone().fill_goal(self.table.game()?.games)?.most();
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

    /// The metrics to draw, of which the first ranks: the requested ones, or that of the first
    /// choice.
    fn metrics(
        &self,
        axes: &[(Path, Vec<String>)],
        arms: &[Arm],
    ) -> Result<Vec<MetricRef>, StudyError> {
        let (first, layout) = (&arms[0], arms[0].layout());
        if self.metric.is_empty() {
            let many = layout.seats > 1;
            let own = if many { WIN_SHARE } else { SCORE_MEAN };
            let seat = axes.iter().find_map(|(path, _)| {
                let mut bots = (1..).zip(&first.seated.seats);
                bots.position(|(seat, bot)| path.changes_seat(seat, &bot.strategy.name))
            });
            return Ok(vec![match seat {
                Some(seat) => MetricRef::of_seat(own, seat),
                None => MetricRef::of_table(layout.table_metrics[0].name),
            }]);
        }
        let mut metrics = Vec::new();
        for asked in &self.metric {
            let metric = MetricRef::find(layout, asked)?;
            if metric.scope == Scope::EverySeat {
                refuse!(
                    "metric = {asked}: a sweep needs the metric of one seat; write {asked}@1, or \
                     another seat"
                );
            }
            if metrics.contains(&metric) {
                refuse!("metric: {asked} is given twice; give it once");
            }
            for arm in arms {
                MetricRef::find(arm.layout(), asked)?;
            }
            metrics.push(metric);
        }
        Ok(metrics)
    }

    /// What a value of an axis changes at the table.
    fn changes(&self, axis: usize, path: &Path, value: &str) -> Result<Changes, StudyError> {
        match &self.vary[axis].1 {
            Axis::Named(named) => {
                let side = Sides([(value.to_string(), named[value].clone())].into());
                Ok(side.changes()?.remove(0).1)
            }
            _ if *path == Path::Seed => Ok(Vec::new()),
            _ => Ok(vec![(path.clone(), value.to_string())]),
        }
    }

    /// What a cell changes at the table.
    fn all_changes(&self, cell: &[(Path, String)]) -> Result<Changes, StudyError> {
        let mut all = Vec::new();
        for (axis, (path, value)) in cell.iter().enumerate() {
            all.extend(self.changes(axis, path, value)?);
        }
        Ok(all)
    }

    /// The cells that can be played, at least one, and the names of the others with the reasons.
    fn arms(
        &self,
        axes: &[(Path, Vec<String>)],
        library: &Library,
        sources: &mut Sources,
    ) -> Result<(Vec<Arm>, LeftOut), StudyError> {
        let (mut arms, mut left_out) = (Vec::<Arm>::new(), Vec::new());
        let mut base = self.table.clone();
        let cells = cells(axes);
        let changes = cells.iter().map(|cell| self.all_changes(cell));
        let changes = changes.collect::<Result<Vec<_>, StudyError>>()?;
        base.name_common_seats(&changes, library)?;
        for (cell, changes) in cells.into_iter().zip(&changes) {
            let values = Vec::from_iter(cell.iter().map(|(_, value)| value.clone()));
            match Arm::resolve(&values.join(", "), &base, changes, library) {
                Ok(arm) => {
                    sources.add(&arm.seated.rules, &arm.seated.seats);
                    let at = cell.iter().map(|(path, value)| format!("{path}={value}"));
                    let at = at.collect();
                    arms.push(Arm { at, values, ..arm });
                }
                Err(error) => left_out.push((cell, error)),
            }
        }
        if arms.is_empty() {
            return Err(left_out.swap_remove(0).1);
        }
        let mut named = Vec::new();
        for (cell, error) in left_out {
            // A value that cannot be played alone either is a fault, unless it is beyond the rules.
            for (axis, (path, value)) in cell.iter().enumerate() {
                let is_played = arms.iter().any(|arm| arm.values[axis] == *value);
                let is_number = *path == Path::Players && value.parse::<usize>().is_ok();
                let is_beyond = is_number || matches!(error, StudyError::Impossible(_));
                let alone = || Arm::resolve("", &base, &self.changes(axis, path, value)?, library);
                if !is_beyond && !is_played && alone().is_err() {
                    return Err(error);
                }
            }
            if matches!(error, StudyError::Impossible(_)) {
                let table = changed(&base, &self.all_changes(&cell)?)?;
                table.add_sources(library, sources)?;
            }
            let name = cell.iter().map(|(path, value)| format!("{path}={value}"));
            named.push((Vec::from_iter(name).join(" "), error));
        }
        Ok((arms, named))
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let axes = self.axes()?;
        let mut sources = Sources::default();
        let (mut arms, left_out) = self.arms(&axes, library, &mut sources)?;
        let first = &arms[0];
        let mut study = self.clone();
        study.table.rules.clone_from(&first.seated.spec.rules);
        let metrics = self.metrics(&axes, &arms)?;
        let mut choices: Vec<Path> = axes.iter().map(|(path, _)| path.clone()).collect();
        choices.retain(|path| {
            let is_own = |seat: usize| {
                let mut bots = arms.iter().filter_map(|arm| arm.seated.seats.get(seat));
                bots.any(|bot| path.changes_seat(seat + 1, &bot.strategy.name))
            };
            metrics[0].seat().is_some_and(is_own)
        });
        let mut families: IndexSet<Vec<&String>> = IndexSet::new();
        let (mut groups, mut seeds) = (Vec::new(), Vec::new());
        let seed_axis = axes.iter().position(|(path, _)| *path == Path::Seed);
        for arm in &arms {
            let values = axes.iter().zip(&arm.values);
            let conditions = values.filter(|((path, _), _)| !choices.contains(path));
            let conditions = conditions.map(|(_, value)| value).collect();
            let (group, is_new) = families.insert_full(conditions);
            groups.push(group);
            if let Some(axis) = seed_axis.filter(|_| is_new) {
                seeds.push(seed_of(&arm.values[axis])?);
            }
        }
        let asked = self.metric.first().map(String::as_str);
        let mut design = design(&mut arms, groups, asked, &mut study.run)?;
        design.metric = metrics[0];
        design.seeds = seeds;
        // Several cells share a processor's cache.
        design.games.chunk = (design.games.chunk / 4).max(1);
        Ok(Resolved {
            study,
            axes,
            choices,
            arms,
            metrics,
            design,
            left_out,
            sources,
        })
    }
}

/// The values of all cells of the grid; the last axis varies first.
fn cells(axes: &[(Path, Vec<String>)]) -> Vec<Vec<(Path, String)>> {
    let mut cells = vec![Vec::new()];
    for (path, values) in axes {
        let mut longer = Vec::new();
        for cell in &cells {
            for value in values {
                let change = [(path.clone(), value.clone())];
                longer.push([cell.as_slice(), &change].concat());
            }
        }
        cells = longer;
    }
    cells
}

impl Resolved {
    pub fn first(&self) -> &SeatedTable {
        &self.arms[0].seated
    }

    pub fn is_choice(&self, path: &Path) -> bool {
        self.choices.contains(path)
    }

    pub fn metric(&self) -> MetricRef {
        self.design.metric
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let grid = grid::play(&self.design, player)?;
        let known = grid.remaining();
        let ending = Ending::Complete;
        let mut outcome = outcome(&self.arms, &grid.tallies, ending, &self.design, &known);
        // What cannot be played is not met either.
        for (name, _) in self
            .left_out
            .iter()
            .filter(|_| !self.design.gates.is_empty())
        {
            outcome.expectations.push(Expectation {
                metric: "played".to_string(),
                at: name.clone(),
                range: "1..".to_string(),
                verdict: TargetVerdict::Undecided,
                found: None,
            });
        }
        Ok(Played {
            outcome,
            grid,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Sweep> {
        let warnings = self.arms.iter().flat_map(|arm| &arm.seated.warnings);
        let mut warnings = Vec::from_iter(warnings.cloned());
        for warning in &mut warnings {
            let mut arms = self.arms.iter();
            if !arms.all(|arm| arm.seated.warnings.contains(warning)) {
                *warning = warning.of("some cells");
            }
        }
        if !self.left_out.is_empty() {
            let left = self.left_out.len();
            let things = format!("{left} of {} cells", left + self.arms.len());
            warnings.push(left_out(&things, &self.left_out));
        }
        let (game, sources) = (self.first().game, self.sources.clone());
        Known::of(&self.study, game, sources, warnings)
    }
}
