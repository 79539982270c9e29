//! The study of a grid: one table, played again and again with some values changed.

use super::library::{Library, Sources};
use super::paths::changed;
use super::{Simulate, StudyError, simulate};
use crate::game::{Layout, MetricRef, SCORE_MEAN, Table, WIN_SHARE, Whose};
use crate::simulation::grid::{self, Grid, PlayedGrid};
use crate::simulation::{Missed, NotKept, Player};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Most cells of a grid.
pub const CELLS_MAX: usize = 1024;

/// A table and the values that vary; all cells play the same games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Always "sweep".
    pub study: SweepKind,
    /// What all cells share.
    pub table: Simulate,
    /// For each path, its values.
    pub vary: IndexMap<String, Axis>,
}

/// The values of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "values: \"4..30\", \"0..1 step 0.05\", or a list such as [3, 5, 8] or [\"depth\", \"risk\"]"
)]
pub enum Axis {
    /// `4..30`, `0..1 step 0.05`, or a list with commas; with semicolons where values hold commas.
    Text(String),
    /// One by one.
    List(Vec<Scalar>),
}

/// A value of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A whole number.
    Whole(i64),
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// Anything else.
    Text(String),
}

/// The word "sweep".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepKind {
    /// One table over a grid of values.
    #[default]
    Sweep,
}

/// Why a grid cannot be laid out.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Nothing varies.
    #[error("nothing varies: vary a path over values, such as seats.1.target=4..30")]
    Nothing,
    /// The values of a path cannot be read.
    #[error("{path}={values}: {reason}; write 4..30, \"0..1 step 0.05\" or a list such as 3,5,8")]
    Values {
        /// The path.
        path: String,
        /// Its values as given.
        values: String,
        /// Why not.
        reason: String,
    },
    /// The grid is too large.
    #[error(
        "a grid of {cells} cells with {games} games each means {} games: at most {CELLS_MAX} cells are played",
        u128::from(*games) * *cells as u128
    )]
    TooLarge {
        /// Cells of the grid.
        cells: usize,
        /// Most games of each.
        games: u64,
    },
    /// The figure is that of every seat.
    #[error("metric = {0}: a sweep is about one seat; write {0}@1, or the number of another seat")]
    EverySeat(String),
}

/// One cell of a grid.
pub struct Cell {
    /// Its value on each axis.
    pub values: Vec<String>,
    /// What it plays.
    pub resolved: simulate::Resolved,
}

/// A grid whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Sweep,
    /// The axes: each path with its values in order.
    pub axes: Vec<(String, Vec<String>)>,
    /// The cells, the last axis changing fastest.
    pub cells: Vec<Cell>,
    /// The metric that is drawn and ranked, of one seat or of the table.
    pub metric: MetricRef,
}

/// A grid after its last game.
pub struct Played {
    /// What was played.
    pub resolved: Resolved,
    /// What came out of each cell.
    pub grid: PlayedGrid,
}

impl Sweep {
    /// The axes: each path with its values in order.
    fn axes(&self) -> Result<Vec<(String, Vec<String>)>, SweepError> {
        if self.vary.is_empty() {
            return Err(SweepError::Nothing);
        }
        let axes = self.vary.iter().map(|(path, text)| {
            let values = text.values().map_err(|reason| SweepError::Values {
                path: path.clone(),
                values: text.to_string(),
                reason,
            })?;
            Ok((path.clone(), values))
        });
        axes.collect()
    }

    /// The metric that is drawn and ranked: the one asked for, or what the first choice suggests.
    fn metric(&self, layout: &Layout) -> Result<MetricRef, StudyError> {
        let asked = self.table.metric.clone().unwrap_or_else(|| {
            let own = if layout.seats > 1 {
                WIN_SHARE
            } else {
                SCORE_MEAN
            };
            let choice = self.vary.keys().find(|path| Sweep::is_choice(path));
            let path = choice.map_or("", String::as_str);
            match path.split('.').collect::<Vec<_>>().as_slice() {
                ["seats", seat, ..] => format!("{own}@{seat}"),
                ["all", ..] => format!("{own}@1"),
                _ => layout.table_metrics[0].name.to_string(),
            }
        });
        let metric = MetricRef::find(layout, &asked)?;
        match metric.whose {
            Whose::EverySeat => Err(SweepError::EverySeat(asked).into()),
            Whose::Table | Whose::Seat(_) => Ok(metric),
        }
    }

    /// Whether the values of a path are choices that a player has, of which the best is sought.
    /// The others, players and rules, are conditions under which it is sought.
    pub fn is_choice(path: &str) -> bool {
        path.starts_with("seats.") || path.starts_with("all.")
    }

    /// For each cell the number of its family: the cells that differ in choices alone.
    fn families(&self, cells: &[Cell]) -> Vec<usize> {
        let mut known: Vec<Vec<String>> = Vec::new();
        let mut family = |cell: &Cell| {
            let at = self.vary.keys().zip(&cell.values);
            let conditions = at.filter(|(path, _)| !Sweep::is_choice(path));
            let conditions: Vec<String> = conditions.map(|(_, value)| value.clone()).collect();
            let number = known.iter().position(|other| *other == conditions);
            number.unwrap_or_else(|| {
                known.push(conditions);
                known.len() - 1
            })
        };
        cells.iter().map(&mut family).collect()
    }

    /// Looks up every cell.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a cell, and those of the grid.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let axes = self.axes()?;
        let cells = axes.iter().map(|(_, values)| values.len());
        let cells = cells.fold(1usize, usize::saturating_mul);
        if cells > CELLS_MAX {
            let games = self.table.resolve(library)?.goal.most();
            return Err(SweepError::TooLarge { cells, games }.into());
        }
        let cell = |number: usize| {
            let mut stride = cells;
            let at = axes.iter().map(|(path, values)| {
                stride /= values.len();
                (
                    path.as_str(),
                    values[number / stride % values.len()].as_str(),
                )
            });
            let at: Vec<(&str, &str)> = at.collect();
            Ok(Cell {
                values: at.iter().map(|(_, value)| value.to_string()).collect(),
                resolved: changed(&self.table, &at)?.resolve(library)?,
            })
        };
        let cells: Result<Vec<Cell>, StudyError> = (0..cells).map(cell).collect();
        let cells = cells?;
        let first = &cells[0].resolved;
        let metric = self.metric(first.table.layout())?;
        let mut study = self.clone();
        study.table.rules.clone_from(&first.study.rules);
        study.table.games = first.study.games;
        study.table.max_games = first.study.max_games;
        Ok(Resolved {
            study,
            axes,
            cells,
            metric,
        })
    }
}

impl Resolved {
    /// What the first cell plays.
    pub fn first(&self) -> &simulate::Resolved {
        &self.cells[0].resolved
    }

    /// What the user should know of each cell, though it can be played.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = self.cells.iter().map(|cell| &cell.resolved.warnings);
        warnings.flatten().cloned().collect()
    }

    /// The texts of the rules and bots of all cells.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        for Cell { resolved, .. } in &self.cells {
            sources.add(&resolved.rules, &resolved.seats);
        }
        sources
    }

    /// Plays all cells; `None` when the player was told to stop.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when a finished part could not be kept.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        let first = self.first();
        // Several cells share a processor's cache.
        let chunk = (first.game.chunk / 4).max(1);
        let tables: Vec<&dyn Table> = (self.cells.iter())
            .map(|cell| cell.resolved.table.as_ref())
            .collect();
        let grid = Grid {
            tables: &tables,
            families: &self.study.families(&self.cells),
            metric: self.metric,
            goal: first.goal,
            part: 4 * chunk,
        };
        let seed = first.study.seed;
        let played = grid::play(&grid, &mut |round, done| {
            player.round(round, seed, chunk, done)
        })?;
        Ok(played.map(|grid| Played {
            resolved: self,
            grid,
        }))
    }
}

impl Played {
    /// What is missing of the precision that was asked for.
    pub fn missed(&self) -> Option<Missed> {
        let goal = self.resolved.first().goal;
        goal.missed(&self.grid.remaining())
    }
}

impl Axis {
    /// The values, each once.
    fn values(&self) -> Result<Vec<String>, String> {
        let values = match self {
            Axis::Text(text) => values(text)?,
            Axis::List(list) if list.is_empty() => return Err("there is no value".to_string()),
            Axis::List(list) => list.iter().map(Scalar::to_string).collect(),
        };
        let twice = |at: &usize| values[..*at].contains(&values[*at]);
        match (0..values.len()).find(twice) {
            Some(at) => Err(format!("`{}` is there twice", values[at])),
            None => Ok(values),
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Axis::Text(text) => f.write_str(text),
            Axis::List(list) => {
                let values: Vec<String> = list.iter().map(Scalar::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Scalar::Whole(number) => write!(f, "{number}"),
            Scalar::Number(number) => write!(f, "{number}"),
            Scalar::Bool(yes) => write!(f, "{yes}"),
            Scalar::Text(text) => f.write_str(text),
        }
    }
}

/// The values that a text such as `4..30`, `0..1 step 0.05` or `3,5,8` stands for.
fn values(text: &str) -> Result<Vec<String>, String> {
    let Some((from, rest)) = text.split_once("..") else {
        let separator = if text.contains(';') { ';' } else { ',' };
        let list: Vec<String> = text
            .split(separator)
            .map(|value| value.trim().to_string())
            .collect();
        return match list.iter().any(String::is_empty) {
            true => Err("a value is missing".to_string()),
            false => Ok(list),
        };
    };
    let (to, step) = rest.split_once("step").unwrap_or((rest, "1"));
    let [from, to, step] = [from, to, step].map(str::trim);
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    };
    let (first, last, by) = (number(from)?, number(to)?, number(step)?);
    if by <= 0.0 {
        return Err("the step must be above 0".to_string());
    }
    if last < first {
        return Err("the range is empty".to_string());
    }
    let count = ((last - first) / by + 1e-9).floor() + 1.0;
    if count > 1e6 {
        return Err(format!(
            "the range has {count} values, of at most {CELLS_MAX}"
        ));
    }
    // Decimal places as written keep 0.30000000000000004 out of the tables.
    let places = |text: &str| text.split_once('.').map_or(0, |(_, places)| places.len());
    let places = places(from).max(places(step));
    Ok((0..count as usize)
        .map(|i| format!("{:.places$}", first + i as f64 * by))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(values("4..7").unwrap(), ["4", "5", "6", "7"]);
        assert_eq!(
            values("0..0.3 step 0.1").unwrap(),
            ["0.0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(values("-1..1").unwrap(), ["-1", "0", "1"]);
        assert_eq!(values("5..5").unwrap(), ["5"]);
        assert_eq!(values("3, 5,8").unwrap(), ["3", "5", "8"]);
        assert_eq!(values("iello-2016").unwrap(), ["iello-2016"]);
        let bots = values("hoarder:love=3,fear=4; planner").unwrap();
        assert_eq!(bots, ["hoarder:love=3,fear=4", "planner"]);
        assert_eq!(values("0..1 step 0.05").unwrap().len(), 21);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for (text, said) in [
            ("9..4", "empty"),
            ("0..1 step 0", "above 0"),
            ("0..1 step -1", "above 0"),
            ("a..b", "not a number"),
            ("3,,5", "missing"),
            ("", "missing"),
            ("hoarder:love=3,fear=4;", "missing"),
            ("0..inf", "not a number"),
            ("0..1e9", "values"),
        ] {
            let reason = values(text).unwrap_err();
            assert!(reason.contains(said), "{text}: {reason}");
        }
    }

    #[test]
    fn lists_in_a_file_are_read_and_hold_each_value_once() {
        let axis = |text: &str| {
            let sweep: Result<IndexMap<String, Axis>, _> = toml::from_str(text);
            sweep.map(|axes| axes["x"].values())
        };
        let mixed = axis("x = [4, 0.5, true, \"depth:cards=3\"]")
            .unwrap()
            .unwrap();
        assert_eq!(mixed, ["4", "0.5", "true", "depth:cards=3"]);
        assert!(
            axis("x = [3, 4, 3]")
                .unwrap()
                .unwrap_err()
                .contains("`3` is there twice")
        );
        assert!(axis("x = \"4,4\"").unwrap().unwrap_err().contains("twice"));
        assert!(axis("x = []").unwrap().is_err());
        assert!(
            axis("x = 4")
                .unwrap_err()
                .to_string()
                .contains("0..1 step 0.05")
        );
    }

    #[test]
    fn cells_come_in_order_of_the_axes() {
        let sweep: Sweep = toml::from_str(
            "study = \"sweep\"\n[table]\ngame = \"diamant\"\nseats = [\"2*threshold\"]\n\
             [vary]\n\"seats.1.target\" = \"5..6\"\nplayers = \"2,3\"\n",
        )
        .unwrap();
        let cells = sweep.resolve(&Library::default()).unwrap().cells;
        let values: Vec<_> = cells.iter().map(|cell| cell.values.join(" ")).collect();
        assert_eq!(values, ["5 2", "5 3", "6 2", "6 3"]);
        assert_eq!(cells[3].resolved.seats[0].label(), "threshold:target=6");
        assert_eq!(cells[3].resolved.seats.len(), 3);
    }
}
