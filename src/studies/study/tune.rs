//! The study of a search for values of bots and rules that maximize a metric or meet targets.

mod adapting;
mod aim;
mod others;
mod sounder;

pub use adapting::AdaptedPlay;
pub use others::{Judged, Others};

use self::adapting::{PROOF, population_of, with_populations};
use super::axis::{Axis, meant};
use super::error::{StudyError, refuse};
use super::kind::{Known, Outcome};
use super::line_ups::{self, LineUp};
#[cfg(feature = "clap")]
use super::options::{self, Example, parse_axis, parse_target};
use super::path::Path;
use super::paths::{changed, paths, unnamed_value};
use super::plan::adapt_to;
use super::remark::Remark;
use super::run::{Spec, checked_precision};
use super::sweep::{nothing_varies, wrong_values};
use super::table::{SeatedTable, TableSpec};
use super::typed::{self, Bots, check_once};
use super::written;
use carat_core::analysis::flaws::FoundFlaw;
use carat_core::game::MetricRef;
use carat_core::library::{Library, Sources};
use carat_core::simulation::{Player, Stopped};
use carat_core::strategy::{SeatSpec, seat_names};
use carat_core::tuning::{
    Aim, AxisShape, Found, Point, Problem, Sought, Space, Tables, Validation, least_budget, prove,
    search,
};
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "games expect";

const VALUES_MAX: usize = 1000;
/// Default budget of a tuning, in games of a simulation.
const BUDGET: u64 = 100;

#[cfg(feature = "clap")]
const PRECISION: &str = "Measure differences to within ±W [default: 0.002 for shares, \
                         0.5 % of the value for other metrics]";
#[cfg(feature = "clap")]
const MAX_GAMES: &str = "Maximum number of games at all tables together, not counting those that adapt populations \
     [default: 100 times as many as a simulation]";

/// Find values of bots and rules that maximize a metric or meet targets
///
/// Candidates play the same games. Clearly worse candidates drop out, and new ones are proposed
/// near the others, until no single step from the best is better. All reported figures come from
/// fresh games.
///
/// With targets, the candidate that meets the most of them at the tables is best. Among candidates
/// that meet equally many, the one whose missed metrics are closest to their ranges wins; the unit
/// of distance is the width of the range, or for a range with one end how much the metric varied
/// among the first candidates. A target of weight 3 counts as three targets, and its distance
/// counts three times.
///
/// Examples of paths: rules.traps.snake, seats.1.target, all.threshold.target. The values of a path
/// are given as 4..30, "0..1 step 0.05" or a list such as 3,5,8.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("precision", |arg| arg.help(PRECISION).add(Example::of("0.002")))))]
#[cfg_attr(feature = "clap", command(mut_arg("max_games", |arg| arg.help(MAX_GAMES).add(Example::given("\"1M\"")))))]
pub struct Tune {
    /// The metric to maximize: win_share@1 (of seat 1), score_mean@1, cards_per_game, …
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC", add = Example::given("\"win_share@1\"")))]
    pub maximize: Option<String>,
    /// The metric to minimize, such as cards_per_game
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC", add = Example::of("\"win_share_spread\"")))]
    pub minimize: Option<String>,
    /// A table: bots for the seats not given by --seat; `3..6*BOT` makes a table of each size.
    /// Repeat for more: the search optimizes the mean over all tables, and the targets apply at
    /// each
    #[cfg_attr(feature = "clap", arg(long = "table", alias = "field", value_name = "NAME=BOT,…", value_parser = line_ups::parse_line_up, add = Example::of("{ family = \"4*people, random\", skilled = \"adapted\" }")))]
    #[serde(default, with = "line_ups")]
    pub tables: Vec<(String, LineUp)>,
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// A path to vary and its values, such as seats.1.target=4..30; repeat for more
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH=VALUES", value_parser = parse_axis, required = true, add = Example::given("{ \"seats.1.target\" = \"4..20\" }")))]
    #[serde(with = "typed::pairs")]
    pub vary: Vec<(String, Axis)>,
    /// The range that a metric must fall within: cards_per_game=31..32, comeback_rate=start.. (at
    /// least its starting value), win_share=start-0.03..start+0.03 (of every seat). It applies at
    /// every table, or at a named one: "cards_per_game at family=31..32". A weight may follow the
    /// range: "comeback_rate=0.22.. weight 3" [default: 1]. Repeat for more
    #[cfg_attr(feature = "clap", arg(long = "target", value_name = "METRIC=LOW..HIGH", value_parser = parse_target, add = Example::of("{ cards_per_game = \"31..32\" }")))]
    #[serde(default, with = "typed::pairs")]
    pub targets: Vec<(String, String)>,
    /// A range that a metric should fall within if the targets allow it, written like --target;
    /// repeat for more, the most important first
    #[cfg_attr(feature = "clap", arg(long = "wish", value_name = "METRIC=LOW..HIGH", value_parser = parse_target, add = Example::of("{ comeback_rate = \"0.2..\" }")))]
    #[serde(default, with = "typed::pairs", skip_serializing_if = "Vec::is_empty")]
    pub wishes: Vec<(String, String)>,
    /// Other kinds of players at whose tables the resulting rules are tested, one table each. By
    /// default, targets must also be met by people and adapted; a target may name a table instead
    /// ("bust_rate at bold=..0.5"). If a target is missed there, a second search with a tenth of
    /// the games includes these tables. `none` skips this test [default:
    /// careful,people,bold,adapted]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT,…", add = Example::of("\"people,adapted\"")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Bots>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TunedAxis {
    pub path: Path,
    pub values: Vec<String>,
    /// The index of the starting value.
    pub start: usize,
    pub ordered: bool,
}

pub struct Resolved {
    pub study: Tune,
    pub tables: Vec<SeatedTable>,
    pub names: Vec<String>,
    pub axes: Vec<TunedAxis>,
    pub aim: Aim,
    /// The texts of all rules and bots that may be played.
    pub sources: Sources,
    /// Most games, all tables together.
    pub budget: u64,
    /// The start of the names of its parts.
    pub part: &'static str,
    pub others: Option<Box<Others>>,
}

pub struct Played {
    pub resolved: Resolved,
    pub found: Found,
    pub validation: Validation,
    /// The targets at the tables of all who judge.
    pub judged: Option<Judged>,
    /// Signs that the rules found are broken.
    pub flaws: Vec<FoundFlaw>,
    /// What was adapted, where candidates have rules of their own and bots that adapt to them.
    pub adapted: Option<AdaptedPlay>,
}

impl Tune {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        self.run.precision.map(checked_precision).transpose()?;
        let game = self.table.game()?;
        let budget = *study.run.max_games.get_or_insert(BUDGET * game.games);
        let (mut names, mut bases) = (Vec::new(), Vec::new());
        for (name, table) in self.table.at_tables(&self.tables)? {
            names.push(name);
            bases.push(table.with_each_seat()?);
        }
        let tables: Result<Vec<_>, _> = bases.iter().map(|base| base.resolve(library)).collect();
        let tables = tables?;
        study.table.rules.clone_from(&tables[0].spec.rules);
        let axes = self.axes(&bases[0], &tables[0], library)?;
        let library = &with_populations(&tables, library);
        let must = Vec::from_iter(0..tables.len());
        let aim = self.aim(&tables, &names, tables.len(), &must)?;
        let least = least_budget(&space(&axes), tables.len());
        if budget < least {
            refuse!(
                "max_games = {budget}: too few to search; at least {least} are needed to compare \
                 the first candidates and to play fresh games at the end"
            );
        }

        // Resolves every name now, and tries both ends of every axis.
        let mut sources = Sources::default();
        let populations = tables.iter().filter_map(population_of);
        for table in populations.filter_map(|population| population.made_for.as_ref()) {
            adapt_to(game, table, &study.run)
                .resolve(library)?
                .add_sources(&mut sources);
        }
        for (base, table) in bases.iter().zip(&tables) {
            sources.add(&table.rules, &table.seats);
            for axis in &axes {
                let tried = match (axis.ordered, axis.values.as_slice()) {
                    (true, [first, .., last]) => vec![first, last],
                    (_, values) => values.iter().collect(),
                };
                for value in tried {
                    let tried = changed(base, &[(axis.path.clone(), value.clone())])?;
                    match tried.resolve(library) {
                        Ok(tried) => sources.add(&tried.rules, &tried.seats),
                        // Other values of the other axes may make it possible.
                        Err(StudyError::Impossible(_)) => {
                            tried.add_sources(library, &mut sources)?;
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        any_possible(&bases[0], &axes, library)?;
        let mut resolved = Resolved {
            study,
            tables,
            names,
            axes,
            aim,
            sources,
            budget,
            part: "",
            others: None,
        };
        if let Some(others) = self.others(&resolved, library)? {
            resolved.sources = others.all.sources.clone();
            resolved.others = Some(Box::new(others));
        }
        Ok(resolved)
    }

    fn axes(
        &self,
        base: &TableSpec,
        first: &SeatedTable,
        library: &Library,
    ) -> Result<Vec<TunedAxis>, StudyError> {
        check_once("vary", &self.vary)?;
        check_once("targets", &self.targets)?;
        check_once("wishes", &self.wishes)?;
        if self.vary.is_empty() {
            return Err(nothing_varies());
        }
        let starts = paths(first)?;
        let axis = |(path, axis): &(String, Axis)| {
            let path: Path = path.parse()?;
            let wrong = |reason: String| wrong_values(&path, axis, &reason);
            let values = axis.values().map_err(wrong)?;
            if values.count() > VALUES_MAX as f64 {
                let reason = format!("more than {VALUES_MAX} values; take larger steps");
                return Err(wrong(reason));
            }
            let values = values.of(&path).map_err(wrong)?;
            let name = path.to_string();
            let start = match starts.iter().find(|(known, _)| *known == name) {
                Some((_, start)) => start.trim_matches('"').to_string(),
                None => {
                    // An impossible change returns its error.
                    let change = (path.clone(), values[0].clone());
                    changed(base, &[change])?.resolve(library)?;
                    let Some(start) = unnamed_value(first.game, &path) else {
                        refuse!("{name} has several values; name one of them");
                    };
                    start.to_string()
                }
            };
            TunedAxis::new(path, values, start, &axis.to_string())
        };
        let axes: Vec<TunedAxis> = self.vary.iter().map(axis).collect::<Result<_, _>>()?;
        // Refuses two paths to one value.
        changed(base, &changes(&axes, &space(&axes).start, false))?;
        Ok(axes)
    }
}

impl TunedAxis {
    /// An axis of these values, as written in `text`, which are put in order if they are numbers;
    /// the value that it has to begin with is one of them or is added.
    pub fn new(
        path: Path,
        mut values: Vec<String>,
        start: String,
        text: &str,
    ) -> Result<TunedAxis, StudyError> {
        let number = |value: &String| value.parse::<f64>().ok();
        let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
        let ordered = numbers.is_some();
        let found = match (numbers, number(&start)) {
            (Some(numbers), Some(at)) => {
                let low = numbers.iter().copied().fold(f64::MAX, f64::min);
                let high = numbers.iter().copied().fold(f64::MIN, f64::max);
                if at < low || at > high {
                    refuse!(
                        "{path} starts at {start}, outside {text}: widen the range, or change the \
                         starting value"
                    );
                }
                // Parameters have 32 bits, and are shown with as few digits as distinguish them.
                numbers.iter().position(|&value| value as f32 == at as f32)
            }
            _ => (values.iter()).position(|value| meant(&path, value) == meant(&path, &start)),
        };
        let start = found.map_or(start, |at| values[at].clone());
        if found.is_none() {
            values.push(start.clone());
        }
        if ordered {
            let key = |value: &String| number(value).unwrap_or(0.0);
            values.sort_by(|a, b| key(a).total_cmp(&key(b)));
        }
        let start = values.iter().position(|value| *value == start).unwrap_or(0);
        Ok(TunedAxis {
            path,
            values,
            start,
            ordered,
        })
    }
}

pub fn space(axes: &[TunedAxis]) -> Space {
    let start = axes.iter().map(|axis| axis.start).collect();
    let shape = |axis: &TunedAxis| AxisShape {
        count: axis.values.len(),
        ordered: axis.ordered,
    };
    let axes = axes.iter().map(shape).collect();
    Space { axes, start }
}

/// The values of a point, or only those that are not at their start.
fn changes(axes: &[TunedAxis], point: &[usize], only_moved: bool) -> Vec<(Path, String)> {
    let values = axes.iter().zip(point);
    let values = values.filter(|(axis, value)| !only_moved || axis.start != **value);
    let changes = values.map(|(axis, &value)| (axis.path.clone(), axis.values[value].clone()));
    changes.collect()
}

pub fn words(axes: &[TunedAxis], point: &[usize]) -> String {
    match differing(axes, point, &space(axes).start).as_slice() {
        [] => "the start".to_string(),
        [first, second, third, _, ..] => format!("{first} {second} {third} …"),
        few => few.join(" "),
    }
}

/// The values of a point that differ from those of another, as they are written.
pub fn differing(axes: &[TunedAxis], point: &[usize], other: &[usize]) -> Vec<String> {
    let values = axes.iter().zip(point).zip(other);
    let differing = values.filter(|((_, at), other)| at != other);
    let written = differing.map(|((axis, &at), _)| format!("{}={}", axis.path, axis.values[at]));
    written.collect()
}

/// The bots at a table, with the number of equal neighbours: `threshold, 4 people`.
pub fn bots_at(table: &SeatedTable) -> String {
    let seats = Vec::from_iter(table.spec.seats.iter().map(SeatSpec::to_string));
    let bots = seats.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].clone(),
        copies => format!("{copies} {}", same[0]),
    });
    Vec::from_iter(bots).join(", ")
}

/// Checks that the rules allow a point other than the start, if there are few points.
fn any_possible(base: &TableSpec, axes: &[TunedAxis], library: &Library) -> Result<(), StudyError> {
    let space = space(axes);
    if space.size().is_none_or(|size| size > VALUES_MAX) {
        return Ok(());
    }
    let mut fault = Ok(());
    for point in space.all().iter().filter(|point| **point != space.start) {
        match changed(base, &changes(axes, point, false))?.resolve(library) {
            Err(error @ StudyError::Impossible(_)) => fault = fault.and(Err(error)),
            _ => return Ok(()),
        }
    }
    fault
}

impl Resolved {
    pub fn first(&self) -> &SeatedTable {
        &self.tables[0]
    }

    /// The name of a table, or else its bots.
    pub fn name_of(&self, table: usize) -> String {
        match self.names[table].as_str() {
            "" => bots_at(&self.tables[table]),
            name => name.to_string(),
        }
    }

    /// One of the tables with the values of a point.
    pub fn table_at(
        &self,
        table: usize,
        point: &[usize],
        library: &Library,
    ) -> Result<SeatedTable, StudyError> {
        changed(&self.tables[table].spec, &changes(&self.axes, point, true))?.resolve(library)
    }

    /// The tables with the values of a point; `None` if they cannot be played.
    fn seated(&self, point: &[usize], library: &Library) -> Option<Tables> {
        let tables = (0..self.tables.len()).map(|table| self.table_at(table, point, library));
        tables.map(|seated| Some(seated.ok()?.table)).collect()
    }

    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let first = self.first();
        let games = self.study.run.dealt((first.game.chunk / 4).max(1));
        let others = self.others.as_deref();
        let mut planned = self.budget + others.map_or(0, Others::most_games);
        if self.adapts() {
            planned += PROOF as u64 * self.games_to_adapt();
        }
        player.listener.planned(planned);
        let start = self.library();
        let mut library = start.clone();
        let mut problem = Problem {
            space: &space(&self.axes),
            aim: &self.aim,
            tables: &|point: &[usize]| self.seated(point, &start),
            first: &[],
            words: &|point: &[usize]| words(&self.axes, point),
            line_ups: &self.names,
            name: "",
            tolerance: self.study.run.precision,
            budget: self.budget,
            first_game: 0,
            games,
        };
        let (mut found, settled) = if self.adapts() {
            let (found, settled) = self.search_adapted(&problem, &mut library, player)?;
            (found, Some(settled))
        } else {
            (search(&problem, player)?, None)
        };
        let tried = match others {
            Some(others) => others.choose(&mut found, problem.space, games, player)?,
            None => Vec::new(),
        };
        let is_sounder = self.take_sounder(&mut found, &problem, &library, player)?;
        if settled.is_some() {
            // The search may favour what its own populations happen to do.
            library = start.clone();
            self.adapt(PROOF, &found.best, &mut library, player)?;
        }
        let left = self.budget.saturating_sub(found.games);
        let searched = found.best.clone();
        let latest = |point: &[usize]| self.seated(point, &library);
        problem.tables = &latest;
        let (found, validation) = prove(
            &problem,
            found,
            left,
            others.is_some() || is_sounder,
            player,
        )?;
        let (judged, flaws) = match others {
            None => (None, self.flaws(&found.best, &library)),
            Some(others) => {
                let first = validation.next_game;
                let (validation, flaws) = others.judge(&found, games, first, player)?;
                (Some(Judged { validation, tried }), flaws)
            }
        };
        let mut adapted = None;
        if let Some(settled) = settled {
            let fresh = validation.next_game..validation.next_game + validation.games;
            adapted = Some(AdaptedPlay {
                settled: settled && found.best == searched,
                files: self.populations(&found.best, &library),
                unadapted: self.unadapted(&found.best, &start, fresh, games, player)?,
            });
        }
        Ok(Played {
            found,
            validation,
            judged,
            flaws,
            adapted,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Tune> {
        let warnings = self.tables.iter().flat_map(|table| &table.warnings);
        let mut warnings = Vec::from_iter(warnings.cloned());
        let fixed = self.axes.iter().filter(|axis| axis.values.len() == 1);
        warnings.extend(fixed.map(|axis| Remark::OneValue(axis.path.to_string())));
        let sources = self.sources.clone();
        Known::of(&self.study, self.first().game, sources, warnings)
    }
}

impl Played {
    pub fn outcome(&self) -> Outcome {
        let mut outcome = Outcome::default();
        let library = self.resolved.library();
        for (at, tally) in self.validation.tallies.iter().enumerate() {
            // The best may have other players than the start.
            let table = self.resolved.table_at(at, &self.found.best, &library);
            let table = table.expect("the best was played");
            outcome.add(bots_at(&table), table.table.layout(), tally);
        }
        outcome
    }

    /// All that is sought, the objective first.
    pub fn sought(&self) -> Vec<Sought> {
        self.resolved.aim.sought(self.resolved.tables.len())
    }

    pub fn table_with(&self, metric: MetricRef) -> &SeatedTable {
        let mut tables = self.resolved.tables.iter();
        let found = tables.find(|seated| seated.table.layout().metric(metric).is_some());
        found.unwrap_or(self.resolved.first())
    }

    pub fn title(&self, metric: MetricRef) -> String {
        let first = self.table_with(metric);
        let layout = first.table.layout();
        match (metric.seat(), layout.metric(metric)) {
            _ if self.resolved.tables.len() > 1 => layout.title(metric),
            (Some(seat), Some(known)) if layout.seats > 1 => {
                format!("{} of {}", known.short(), seat_names(&first.seats)[seat])
            }
            (_, Some(known)) => known.short().to_string(),
            _ => metric.to_string(),
        }
    }

    /// The best values as files of bots and rules.
    pub fn files(&self) -> Vec<(String, String)> {
        let library = self.resolved.library();
        let paths = self.resolved.axes.iter().map(|axis| &axis.path);
        let best = self.resolved.table_at(0, &self.found.best, &library);
        let files = best.and_then(|best| written::files(&best, paths));
        let mut files = files.expect("the best was played");
        let adapted = self.adapted.iter();
        files.extend(adapted.flat_map(|adapted| adapted.files.clone()));
        files
    }

    pub fn values<'a>(&'a self, point: &'a Point) -> impl Iterator<Item = &'a str> {
        let values = self.resolved.axes.iter().zip(point);
        values.map(|(axis, &value)| axis.values[value].as_str())
    }
}
