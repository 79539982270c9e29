//! The comparison of sides: the same games under different rules or with different bots.

use super::Sides;
use super::arms::{Arm, design, outcome};
use super::each;
use super::error::{StudyError, refuse};
use super::kind::{Known, Outcome};
use super::line_ups::{self, LineUp};
#[cfg(feature = "clap")]
use super::options::Example;
use super::paths::changed;
use super::remark::Remark;
use super::run::{RunSpec, Spec};
use super::table::{PEOPLE, SeatedTable, TableSpec, headline_of, sources};
use super::typed::parse_positive;
use carat_core::as_text;
use carat_core::game::MetricRef;
use carat_core::library::{ADAPTED, BEST, Library};
use carat_core::simulation::paired::Difference;
use carat_core::simulation::verdict::{Verdict, at_any_time, undecided};
use carat_core::simulation::{Design, Ending, Experiment, Goal, Player, Stopped};
use carat_core::statistics::Estimate;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Play the same games under variants (sides) that differ in rules or bots, and report the paired
/// differences
///
/// Each side is the table with changes of the form PATH=VALUE: rules=EDITION, rules.traps.snake=4,
/// players=6, seats.1=last-out, seats.1.target=9 or all.threshold.target=9.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Compare {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The metric that --precision applies to, and by which --each ranks: win_share, score_mean@2
    /// (of seat 2), cards_per_game, … [default: win_share]
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC", add = Example::of("\"win_share\"")))]
    pub metric: Option<String>,
    /// Play until it is decided, with an error of 5 %, whether each side has more or less of a
    /// metric than the first. With a margin, a difference of at most the margin also decides; for
    /// shares, ±0.01 is one percentage point. --max-games limits the games [default limit: 1G]
    #[cfg_attr(feature = "clap", arg(long, value_name = "METRIC[=±MARGIN]", add = Example::of("\"cards_per_game=±0.5\"")))]
    pub decide: Option<Decide>,
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(default)]
    pub sides: Sides,
    /// Instead of comparing sides, change each number one step down and one step up, and rank the
    /// changes by their effect on the metric; PATHS selects the numbers, such as traps,treasures or
    /// seats.1 [default: all numbers of the rules]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATHS", num_args = 0..=1, require_equals = true, default_missing_value = "rules", add = Example::of("\"traps, treasures\"")))]
    pub each: Option<String>,
    /// A table at which all sides play: bots for the seats not given by --seat; `3..6*BOT` makes a
    /// table of each size. Repeat for more; carat reports the differences at each table
    #[cfg_attr(feature = "clap", arg(long = "table", value_name = "NAME=BOT,…", value_parser = line_ups::parse_line_up, add = Example::of("{ family = \"4*people, random\", skilled = \"adapted\" }")))]
    #[serde(default, with = "line_ups")]
    pub tables: Vec<(String, LineUp)>,
    /// Play at three tables: people who do not adapt to the rules of a side, skilled players who
    /// do, and experts; with --each, only skilled players
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "tables", add = Example::of("true")))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adapt: bool,
}

/// A metric to decide, and the largest difference that does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Decide {
    pub metric: String,
    pub margin: Option<f64>,
}

as_text!(Decide);

impl FromStr for Decide {
    type Err = String;

    fn from_str(text: &str) -> Result<Decide, String> {
        let (metric, margin) = text.split_at(text.find('=').unwrap_or(text.len()));
        let margin = margin.strip_prefix('=').map(str::trim);
        let margin = margin.map(|margin| {
            let unsigned = margin.strip_prefix("±").or(margin.strip_prefix("+-"));
            unsigned.unwrap_or(margin)
        });
        let margin = margin.map(parse_positive).transpose();
        Ok(Decide {
            metric: metric.trim().to_string(),
            margin: margin.map_err(|why| format!("METRIC=±MARGIN: {why}"))?,
        })
    }
}

impl fmt::Display for Decide {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.metric)?;
        self.margin.map_or(Ok(()), |margin| write!(f, "=±{margin}"))
    }
}

const TABLES: [(&str, &str); 3] = [("people", PEOPLE), (SKILLED, ADAPTED), ("experts", BEST)];
const SKILLED: &str = "skilled";

pub struct Resolved {
    pub study: Compare,
    /// The sides at the first table, then those at the next; those of a table are a group. Or the
    /// table as it is, and its steps.
    pub arms: Vec<Arm>,
    pub design: Design,
    /// The names of the tables; one without a name where the study has none.
    pub tables: Vec<String>,
    /// The names of impossible steps.
    pub left_out: Vec<String>,
}

pub struct Played {
    pub resolved: Resolved,
    pub games: u64,
    pub outcome: Outcome,
    pub differences: Vec<ArmDifference>,
    /// The sums that later games are added to.
    pub state: Vec<u8>,
}

/// The difference of a metric of an arm to its reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmDifference {
    pub arm: usize,
    pub metric: MetricRef,
    pub difference: Difference,
}

impl Compare {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        if self.adapt {
            study.adapt = false;
            for (name, bot) in TABLES {
                if self.each.is_none() || name == SKILLED {
                    study.tables.push((name.to_string(), bot.parse()?));
                }
            }
        }
        match &self.each {
            Some(under) => study.stepped(under, library),
            None => study.side_by_side(library),
        }
    }

    fn side_by_side(self, library: &Library) -> Result<Resolved, StudyError> {
        let each = self.sides.0.len();
        if each < 2 {
            let sides = ["none", "1"][each];
            refuse!(
                "a comparison needs at least two sides, but has {sides}; add sides, such as \
                 rules=iello-2016 and one with rules=schmidt-2005"
            );
        }
        let (mut arms, mut tables) = (Vec::new(), Vec::new());
        let bases = self.table.at_tables(&self.tables)?;
        let sides = self.sides.changes()?;
        for (table, mut base) in bases {
            base.name_common_seats(sides.iter().map(|(_, changes)| changes), library)?;
            tables.push(table.clone());
            for (name, changes) in &sides {
                let arm = Arm::resolve(name, &base, changes, library);
                let arm = arm.map_err(|error| error.of_side(name, changes))?;
                let at = [name.to_string(), table.clone()].into_iter();
                let at = at.filter(|name| !name.is_empty()).collect();
                arms.push(Arm { at, ..arm });
            }
        }
        let groups = (0..arms.len()).map(|arm| arm / each).collect();
        let mut metric = self.metric.as_deref();
        let mut run = self.run.clone();
        if let Some(decide) = &self.decide {
            let is_ended = run.games.is_some() || run.precision.is_some();
            if is_ended || metric.is_some() || !run.expect.is_empty() {
                refuse!(
                    "decide: remove games, precision, expect and metric; decide names its metric, \
                     and the run ends with its verdict"
                );
            }
            metric = Some(&decide.metric);
            run.max_games = None;
        }
        let mut design = design(&mut arms, groups, metric, &mut run)?;
        if let Some(Decide { margin, .. }) = self.decide {
            let most = self.run.most();
            design.goal = Goal::Decide { margin, most };
        }
        Ok(Resolved {
            design,
            study: self,
            arms,
            tables,
            left_out: Vec::new(),
        })
    }

    /// The table of this name, or the only one, on a side, or with the value of a step of `each`.
    pub fn table_of(
        &self,
        table: Option<&str>,
        side: Option<&str>,
        step: Option<(&str, &str)>,
    ) -> Result<TableSpec, StudyError> {
        let mut tables = self.table.at_tables(&self.tables)?.into_iter();
        let base = tables.find(|own| table.is_none_or(|table| table == own.0));
        let mut sides = self.sides.changes()?.into_iter();
        let mut changes = sides.find(|own| Some(own.0) == side).unwrap_or_default().1;
        if let Some((what, to)) = step {
            changes.extend(each::changes_of(what, to)?);
        }
        changed(
            &base.map_or_else(|| self.table.clone(), |own| own.1),
            &changes,
        )?
        .with_each_seat()
    }

    /// Sets the number of games, in place of a verdict.
    pub fn fix_games(&mut self, games: u64) {
        if let Some(decide) = self.decide.take() {
            self.metric = Some(decide.metric);
        }
        self.run.fix_games(games);
    }

    /// The table as it is, and an arm for each step.
    fn stepped(mut self, under: &str, library: &Library) -> Result<Resolved, StudyError> {
        if !self.sides.0.is_empty() {
            refuse!("each and sides: give only one of them; `each` makes its own sides");
        }
        if self.decide.is_some() {
            refuse!("each and decide: give only one of them; `decide` compares sides");
        }
        self.table = match self.table.at_tables(&self.tables)?.as_slice() {
            [(_, only)] => only.clone(),
            _ => refuse!("each and tables: give only one of them; `each` ranks at a single table"),
        };
        self.tables.clear();
        let base = Arm::resolve("as it is", &self.table, &[], library)?;
        let metric = each::metric(&base, self.metric.as_deref(), under)?.to_string();
        let (mut arms, left_out) = each::arms(base, &self.table, under, &metric, library)?;
        let groups = vec![0; arms.len()];
        let design = design(&mut arms, groups, Some(&metric), &mut self.run.clone())?;
        self.metric = Some(metric);
        Ok(Resolved {
            study: self,
            arms,
            design,
            tables: vec![String::new()],
            left_out,
        })
    }
}

impl Played {
    /// A difference that the study decides, with its interval at any time and its verdict.
    pub fn decided(&self, row: &ArmDifference) -> Option<(Estimate, Option<Verdict>)> {
        let margin = self.resolved.study.decide.as_ref()?.margin;
        let is_stopped = self.outcome.interrupted.is_some();
        if is_stopped || !self.resolved.design.metric.covers(row.metric) {
            return None;
        }
        let figures = self.resolved.wanted().len();
        let found = at_any_time(&row.difference.difference, self.games, figures);
        Some((found, Verdict::of(&found, margin)))
    }
}

impl Resolved {
    /// The comparison of a table, by name, with a baseline that comes first.
    pub fn of_tables(
        tables: [(&str, &TableSpec); 2],
        run: RunSpec,
        library: &Library,
    ) -> Result<Resolved, StudyError> {
        let arm = |(name, table): (&str, &TableSpec)| Arm::resolve(name, table, &[], library);
        let mut arms = tables.into_iter().map(arm).collect::<Result<Vec<_>, _>>()?;
        let mut spec = Spec::of(tables[0].1.clone());
        spec.run = run;
        Ok(Resolved {
            design: design(&mut arms, vec![0, 0], None, &mut spec.run)?,
            study: Compare {
                spec,
                ..Compare::default()
            },
            arms,
            tables: vec![String::new()],
            left_out: Vec::new(),
        })
    }

    pub fn first(&self) -> &SeatedTable {
        &self.arms[0].seated
    }

    pub fn headline(&self) -> String {
        let arms = self.arms.iter().step_by(self.arms_each());
        let tables = Vec::from_iter(arms.map(|arm| &arm.seated));
        self.study.head.over(headline_of(&tables))
    }

    /// The metric that ranks steps, if arms are steps.
    pub fn ranked_by(&self) -> Option<MetricRef> {
        self.study.each.is_some().then_some(self.design.metric)
    }

    /// The number of arms at each table.
    pub fn arms_each(&self) -> usize {
        self.arms.len() / self.tables.len()
    }

    pub fn known(&self) -> Known<Compare> {
        let mut warnings = Vec::new();
        if self.ranked_by().is_none() {
            for Arm { name, seated, .. } in &self.arms {
                let own = seated.warnings.iter();
                warnings.extend(own.map(|warning| warning.of(&format!("side {name}"))));
            }
        } else {
            // What is said of a step is said of the table already.
            warnings.clone_from(&self.first().warnings);
            // But each step may be the first change of the rules for which a bot was made.
            let mut of_steps = self.arms.iter().flat_map(|arm| &arm.seated.warnings);
            let elsewhere = of_steps.find(|warning| matches!(warning, Remark::MadeElsewhere(_)));
            let elsewhere = elsewhere.filter(|it| !warnings.contains(it));
            warnings.extend(elsewhere.map(|it| it.of("some steps")));
        }
        if !self.left_out.is_empty() {
            warnings.push(Remark::ImpossibleSteps(self.left_out.clone()));
        }
        let sources = sources(self.arms.iter().map(|arm| &arm.seated));
        Known::of(&self.study, self.first().game, sources, warnings)
    }

    /// Plays the same games at all arms until the goal is reached or the player is stopped; fails
    /// if that was before the first games.
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let Design { metric, goal, .. } = self.design;
        let mut run = self.design.experiment();
        let look = &mut |_: &mut Vec<()>, run: &Experiment| self.estimates(run);
        let watched = player.watch(&mut run, goal, metric, look)?;
        let (known, ending) = (self.estimates(&run), watched.ending);
        let mut outcome = outcome(&self.arms, &run.tallies, ending, &self.design, &known);
        if let (Some(decide), Ending::Complete) = (&self.study.decide, ending) {
            outcome.missed = undecided(run.tallies[0].games, &known, decide.margin);
        }
        for arm in &mut outcome.capped {
            arm.length = None;
        }
        let mut differences = Vec::new();
        for (arm, metric) in self.design.comparisons() {
            let found = run.compared(metric, self.design.reference(arm), arm);
            differences.extend(found.map(|difference| ArmDifference {
                arm,
                metric,
                difference,
            }));
        }
        Ok(Played {
            games: run.tallies[0].games,
            outcome,
            differences,
            state: watched.state,
            resolved: self,
        })
    }

    /// The comparisons that a precision or a verdict is of.
    fn wanted(&self) -> Vec<(usize, MetricRef)> {
        let mut wanted = self.design.comparisons();
        wanted.retain(|(_, metric)| self.design.metric.covers(*metric));
        wanted
    }

    /// Their differences; unknown where a divisor is 0.
    fn estimates(&self, run: &Experiment) -> Vec<Estimate> {
        if let Some(margins) = self.design.margins(run) {
            return margins;
        }
        let found = self.wanted().into_iter().map(|(arm, metric)| {
            let found = run.compared(metric, self.design.reference(arm), arm);
            found.map_or(Estimate::UNKNOWN, |found| found.difference)
        });
        found.collect()
    }
}
