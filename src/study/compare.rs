//! The comparison of sides: the same games under different rules or with different bots.

use super::Sides;
use super::each::{self, NumberStep};
use super::error::{StudyError, refuse};
use super::kind::{Capped, Interrupted, Known, Outcome};
use super::line_ups::{self, LineUp, parse_line_up};
use super::path::Path;
use super::paths::changed;
use super::run::Spec;
use super::simulate::{self, Simulate};
use super::table::{MADE_ELSEWHERE, PEOPLE, TableSpec, sources};
use super::typed::Example;
use carat_core::game::{CAPPED_RATE, Layout, MetricRef};
use carat_core::library::{ADAPTED, BEST, Library};
use carat_core::simulation::paired::{Difference, Pair};
use carat_core::simulation::{Ending, Experiment, Missed, Player, Stopped};
use carat_core::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "";

/// Play the same games under variants (sides) that differ in rules or bots, and report the paired
/// differences
///
/// Each side is the table with changes of the form PATH=VALUE: rules=EDITION, rules.traps.snake=4,
/// players=6, seats.1=last-out, seats.1.target=9 or all.threshold.target=9.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that --precision applies to, and by which --each ranks: win_share, score_mean@2
    /// (of seat 2), cards_per_game, … [default: win_share]
    #[arg(long, value_name = "METRIC", add = Example::of("\"win_share\""))]
    pub metric: Option<String>,
    #[command(flatten)]
    #[serde(default)]
    pub sides: Sides,
    /// Instead of comparing sides, change each number one step down and one step up, and rank the
    /// changes by their effect on the metric; PATHS selects the numbers, such as traps,treasures or
    /// seats.1 [default: all numbers of the rules]
    #[arg(long, value_name = "PATHS", num_args = 0..=1, require_equals = true, default_missing_value = "rules", add = Example::of("\"traps, treasures\""))]
    pub each: Option<String>,
    /// A table at which all sides play: bots for the seats not given by --seat; `3..6*BOT` makes a
    /// table of each size. Repeat for more; carat reports the differences at each table
    #[arg(long = "table", value_name = "NAME=BOT,…", value_parser = parse_line_up, add = Example::of("{ family = \"4*people, random\", skilled = \"adapted\" }"))]
    #[serde(default, with = "line_ups")]
    pub tables: Vec<(String, LineUp)>,
    /// Play at three tables: people who do not adapt to the rules of a side, skilled players who
    /// do, and experts; with --each, only skilled players
    #[arg(long, conflicts_with = "tables", add = Example::of("true"))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adapt: bool,
}

const TABLES: [(&str, &str); 3] = [("people", PEOPLE), (SKILLED, ADAPTED), ("experts", BEST)];
const SKILLED: &str = "skilled";

pub struct Resolved {
    pub study: Compare,
    /// The sides at the first table, then those at the next; the first side of a table is what its
    /// others differ from.
    pub sides: Vec<Side>,
    /// The names of the tables; one without a name where the study has none.
    pub tables: Vec<String>,
    /// The metric that ranks steps, if sides are steps.
    pub ranked_by: Option<MetricRef>,
    pub left_out: Vec<String>,
}

pub struct Side {
    pub name: String,
    /// The step of this side, if sides are steps.
    pub step: Option<NumberStep>,
    pub resolved: simulate::Resolved,
}

pub struct Played {
    pub resolved: Resolved,
    pub games: u64,
    /// Whether all games were played, or enough for the precision.
    pub ending: Ending,
    /// The difference of each metric of each side to the first.
    pub differences: Vec<SideDifference>,
    /// Decisions that programs failed to take, on all sides.
    pub passes: u64,
    /// The sums that later games are added to.
    pub state: Vec<u8>,
}

/// The difference of a metric of a side to the first side.
#[derive(Debug, Clone, PartialEq)]
pub struct SideDifference {
    pub side: usize,
    pub metric: MetricRef,
    pub difference: Difference,
}

pub fn changes(written: &[String]) -> Result<Vec<(Path, String)>, StudyError> {
    let read = |change: &String| {
        let Some((path, value)) = change.split_once('=') else {
            refuse!(
                "`{change}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9"
            );
        };
        Ok((path.parse()?, value.to_string()))
    };
    written.iter().map(read).collect()
}

impl Compare {
    fn side(&self, table: TableSpec) -> Simulate {
        Simulate::of(table, &self.spec, &self.metric)
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        if self.adapt {
            let mut study = self.clone();
            study.adapt = false;
            for (name, bot) in TABLES {
                if self.each.is_none() || name == SKILLED {
                    study.tables.push((name.to_string(), bot.parse()?));
                }
            }
            return study.resolve(library);
        }
        if let Some(under) = &self.each {
            return self.stepped(under, library);
        }
        let all = self.sides.0.len();
        if all < 2 {
            let sides = ["none", "1"][all];
            refuse!(
                "a comparison needs at least two sides, but has {sides}; add sides, such as \
                 rules=iello-2016 and one with rules=schmidt-2005"
            );
        }
        let (mut sides, mut tables) = (Vec::new(), Vec::new());
        let bases = self.table.at_tables(&self.tables)?;
        let written = self.sides.0.values().map(|side| changes(side));
        let written = written.collect::<Result<Vec<_>, _>>()?;
        for (name, mut base) in bases {
            base.name_common_seats(&written, library)?;
            tables.push(name);
            for (name, changes) in self.sides.0.keys().zip(&written) {
                sides.push(Side {
                    name: name.clone(),
                    step: None,
                    resolved: self.side(changed(&base, changes)?).resolve(library)?,
                });
            }
        }
        simulate::play_alike(sides.iter_mut().map(|side| &mut side.resolved));
        Ok(Resolved {
            study: self.clone(),
            sides,
            tables,
            ranked_by: None,
            left_out: Vec::new(),
        })
    }

    /// The table as it is, and a side for each step.
    fn stepped(&self, under: &str, library: &Library) -> Result<Resolved, StudyError> {
        if !self.sides.0.is_empty() {
            refuse!("each and sides: give only one of them; `each` makes its own sides");
        }
        let mut study = self.clone();
        study.table = match self.table.at_tables(&self.tables)?.as_slice() {
            [(_, only)] => only.clone(),
            _ => refuse!("each and tables: give only one of them; `each` ranks at a single table"),
        };
        study.tables.clear();
        let mut base = study.side(study.table.clone()).resolve(library)?;
        let metric = each::metric(&base, under)?;
        study.metric = Some(metric.to_string());
        (base.metric, base.study.metric) = (metric, study.metric.clone());
        let side = |step: &NumberStep| -> Result<Side, StudyError> {
            let table = changed(&study.table, &step.changes)?;
            Ok(Side {
                name: step.name.clone(),
                step: Some(step.clone()),
                resolved: study.side(table).resolve(library)?,
            })
        };
        let mut left_out: Vec<(NumberStep, StudyError)> = Vec::new();
        let mut sides = vec![Side {
            name: "as it is".to_string(),
            step: None,
            resolved: base,
        }];
        for step in each::steps(&sides[0].resolved, under)? {
            match side(&step) {
                Ok(stepped) => sides.push(stepped),
                // A rule at the end of its range has only one step.
                Err(error) => left_out.push((step, error)),
            }
        }
        // Of what has none, one more is one less of something else.
        let stuck = left_out.chunk_by(|(a, _), (b, _)| a.what == b.what);
        let stuck = stuck.filter(|steps| steps.len() == 2);
        let stuck: Vec<NumberStep> = stuck.map(|steps| steps[0].0.clone()).collect();
        for number in stuck {
            let mut swapped = false;
            for swap in each::swaps(&sides[0].resolved, &number)? {
                let known = sides.iter().any(|side| side.name == swap.name);
                let played = if known { None } else { side(&swap).ok() };
                swapped |= known || played.is_some();
                sides.extend(played);
            }
            if swapped {
                left_out.retain(|(step, _)| step.what != number.what);
            }
        }
        if sides.len() == 1
            && let Some((_, error)) = left_out.pop()
        {
            return Err(error);
        }
        simulate::play_alike(sides.iter_mut().map(|side| &mut side.resolved));
        Ok(Resolved {
            study,
            sides,
            tables: vec![String::new()],
            ranked_by: Some(metric),
            left_out: left_out.into_iter().map(|(step, _)| step.name).collect(),
        })
    }
}

impl Resolved {
    pub fn first(&self) -> &simulate::Resolved {
        &self.sides[0].resolved
    }

    pub fn known(&self) -> Known<Compare> {
        let mut warnings = Vec::new();
        if self.ranked_by.is_none() {
            for Side { name, resolved, .. } in &self.sides {
                let own = resolved.warnings.iter();
                warnings.extend(own.map(|warning| format!("{name}: {warning}")));
            }
        } else {
            // What is said of a step is said of the table already.
            warnings.clone_from(&self.first().warnings);
            // But each step may be the first change of the rules for which a bot was made.
            let mut of_steps = self.sides.iter().flat_map(|side| &side.resolved.warnings);
            let elsewhere = of_steps.find(|warning| warning.starts_with(MADE_ELSEWHERE));
            warnings.extend(elsewhere.filter(|it| !warnings.contains(it)).cloned());
        }
        if !self.left_out.is_empty() {
            let steps = self.left_out.join(", ");
            warnings.push(format!(
                "steps skipped because their rules are impossible: {steps}"
            ));
        }
        let sources = sources(self.sides.iter().map(|side| &side.resolved.seated));
        Known::of(&self.study, self.first().game, sources, warnings)
    }

    /// Plays the same games on all sides until the goal is reached or the player is stopped; fails
    /// if that was before the first games.
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let first = self.first();
        let games = self.study.run.dealt(first.game.chunk);
        let tables = self.sides.iter();
        let tables = tables.map(|side| side.resolved.table.as_ref() as _);
        let each = self.sides_each();
        let all = (0..self.sides.len()).collect();
        let metrics = |a: usize, b: usize| match a % each {
            0 => self.pair(b).metrics().collect(),
            _ => Vec::new(),
        };
        let mut sides = Experiment::new(tables.collect(), games, [(all, 0)], &metrics);
        let look = &mut |_: &mut Vec<()>, sides: &Experiment| {
            let found = self.differences(sides, |metric| first.metric.covers(metric));
            self.estimates(&found)
        };
        let watched = player.watch(&mut sides, first.goal, first.metric, look)?;
        let passes = |side: usize| sides.tallies[side].passes(sides.layout(side));
        Ok(Played {
            passes: (0..self.sides.len()).map(passes).sum(),
            games: sides.tallies[0].games,
            ending: watched.ending,
            differences: self.differences(&sides, |_| true),
            state: watched.state,
            resolved: self,
        })
    }

    pub fn sides_each(&self) -> usize {
        self.sides.len() / self.tables.len()
    }

    /// The baseline of a side: the first at its table.
    pub fn baseline(&self, side: usize) -> usize {
        side - side % self.sides_each()
    }

    pub fn table_of(&self, side: usize) -> usize {
        side / self.sides_each()
    }

    /// All sides except baselines.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.sides.len()).filter(|&side| self.baseline(side) != side)
    }

    fn pair(&self, side: usize) -> Pair<'_> {
        let layout = |side: usize| -> &Layout { self.sides[side].resolved.table.layout() };
        let first = self.baseline(side);
        Pair {
            a: (first, layout(first)),
            b: (side, layout(side)),
        }
    }

    /// Those of `differences` that a precision is of; unknown where a side has none of them.
    fn estimates(&self, differences: &[SideDifference]) -> Vec<Estimate> {
        let wanted = self.first().metric;
        let mut estimates = Vec::new();
        for side in self.others() {
            let before = estimates.len();
            for metric in self.pair(side).metrics().filter(|&own| wanted.covers(own)) {
                let mut differences = differences.iter();
                let found = differences.find(|of| of.side == side && of.metric == metric);
                estimates.push(found.map_or(Estimate::UNKNOWN, |of| of.difference.difference));
            }
            if estimates.len() == before {
                estimates.push(Estimate::UNKNOWN);
            }
        }
        estimates
    }

    fn differences(
        &self,
        played: &Experiment,
        wanted: impl Fn(MetricRef) -> bool,
    ) -> Vec<SideDifference> {
        let mut differences = Vec::new();
        for side in self.others() {
            let pair = self.pair(side);
            for metric in pair.metrics().filter(|&metric| wanted(metric)) {
                let found = played.compared(metric, self.baseline(side), side);
                differences.extend(found.map(|difference| SideDifference {
                    side,
                    metric,
                    difference,
                }));
            }
        }
        differences
    }
}

impl Outcome for Played {
    fn interrupted(&self) -> Option<Interrupted> {
        (self.ending == Ending::Stopped).then_some(Interrupted {
            games: self.games,
            most: self.resolved.first().goal.most(),
        })
    }

    fn missed(&self) -> Option<Missed> {
        if self.ending == Ending::Stopped {
            return None;
        }
        let estimates = self.resolved.estimates(&self.differences);
        self.resolved.first().goal.missed(&estimates)
    }

    fn passes(&self) -> u64 {
        self.passes
    }

    fn capped(&self) -> Vec<Capped> {
        let rates = self.differences.iter();
        let rates = rates.filter(|found| found.metric.name == CAPPED_RATE);
        let first = rates.clone().next().map(|found| (0, found.difference.a));
        let others = rates.map(|found| (found.side, found.difference.b));
        let sides = first.into_iter().chain(others).map(|(side, share)| Capped {
            name: self.resolved.sides[side].name.clone(),
            games: self.games,
            share,
            length: None,
        });
        sides.collect()
    }
}
