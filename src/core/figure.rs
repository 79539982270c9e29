//! Figures: the plain data of the kinds of chart.
//!
//! Games and results fill them, `charts` draws them. Nothing here knows a particular game, a tally
//! or a pixel. Names of bots may be long: charts wrap or shorten them. Rows are listed from top to
//! bottom; a `note` is a remark at the foot, and may be empty.

pub mod board;

use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Figure {
    Rows(Rows),
    Grid(Grid),
    Lines(Lines),
    Bars(Bars),
    Density(Density),
    Multiples(Multiples),
}

/// Estimates with their intervals, row by row on one scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    pub title: String,
    /// The meaning of the scale, with its unit.
    pub axis: String,
    pub figures: Figures,
    /// A level to compare with, and its name.
    pub level: Option<(f64, String)>,
    /// The meaning of colours and markers, from the first seat on; empty entries are left out.
    pub key: Vec<String>,
    pub rows: Vec<Row>,
    pub note: String,
    /// The table with all values, for rows without room; empty if all tables together.
    #[serde(default)]
    pub table: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Figures {
    /// Shares (0..=1), shown in percent, as bars.
    Shares,
    /// Values in a unit, as bars.
    Values,
    /// Differences: pale where the interval includes 0.
    #[default]
    Differences,
    /// Differences as bars: pale where the interval includes 0.
    Changes,
    /// Differences in percent of a base.
    Percents,
}

impl Figures {
    pub fn of(is_share: bool) -> Figures {
        if is_share {
            Figures::Shares
        } else {
            Figures::Values
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The heading above it, if it is the first row of its group.
    pub group: String,
    pub label: String,
    /// A remark below the label; may be empty.
    pub detail: String,
    pub lines: Vec<RowLine>,
    /// A range to shade; an end without a value is open.
    #[serde(default)]
    pub range: Option<(Option<f64>, Option<f64>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowLine {
    /// The seat (from 0) that its colour and marker belong to.
    pub seat: usize,
    /// Printed before its value; may be empty.
    pub name: String,
    pub estimate: Estimate,
}

impl RowLine {
    /// An estimate in the colour of a seat, with nothing before its value.
    pub fn of(seat: usize, estimate: Estimate) -> RowLine {
        RowLine {
            seat,
            name: String::new(),
            estimate,
        }
    }
}

impl Row {
    /// A row of one estimate in the colour of a seat.
    pub fn of(label: impl Into<String>, seat: usize, estimate: Estimate) -> Row {
        Row {
            label: label.into(),
            lines: vec![RowLine::of(seat, estimate)],
            ..Row::default()
        }
    }
}

impl Rows {
    pub fn differences(title: impl Into<String>, axis: impl Into<String>, rows: Vec<Row>) -> Rows {
        Rows {
            title: title.into(),
            axis: axis.into(),
            rows,
            ..Rows::default()
        }
    }
}

/// Small charts on one page, each with its own scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Multiples {
    pub title: String,
    pub charts: Vec<Rows>,
    #[serde(default)]
    pub note: String,
    /// The table with all values, for charts without room.
    #[serde(default)]
    pub table: String,
}

/// A value over two axes: coloured cells; over three axes, a map for each value of the third.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    pub title: String,
    pub row_axis: String,
    pub column_axis: String,
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// The meaning of a cell's value.
    pub unit: String,
    /// Whether values are shares, shown in percent.
    pub share: bool,
    /// The third axis; empty if there is one map.
    pub axis: String,
    /// The maps, on the same rows and columns.
    pub layers: Vec<GridLayer>,
    /// The value between the two colours; without it colours go from low to high.
    pub middle: Option<f64>,
    pub best_of: BestOf,
    pub note: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GridLayer {
    /// The heading above it; empty if there is one map.
    pub name: String,
    /// Row after row; none where the value is unknown.
    pub cells: Vec<Option<GridCell>>,
}

impl GridLayer {
    pub fn known(&self) -> impl Iterator<Item = &GridCell> {
        self.cells.iter().flatten()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridCell {
    pub value: f64,
    /// Half the width of its interval, if known.
    pub within: Option<f64>,
    pub mark: Mark,
}

/// Cells that compete for the mark of the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BestOf {
    #[default]
    All,
    Map,
    Rows,
    Columns,
}

/// How a cell compares with the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    None,
    /// Statistically tied with the best.
    Tied,
    Best,
}

impl Mark {
    pub fn of(is_best: bool, is_in_best_set: bool) -> Mark {
        match (is_best, is_in_best_set) {
            (true, _) => Mark::Best,
            (_, true) => Mark::Tied,
            _ => Mark::None,
        }
    }
}

impl Display for Mark {
    fn fmt(&self, to: &mut Formatter) -> Result {
        to.write_str(match self {
            Mark::None => "",
            Mark::Tied => "statistically tied",
            Mark::Best => "best",
        })
    }
}

/// Curves over one axis, in panels below each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lines {
    pub title: String,
    pub x_title: String,
    pub x_ticks: Ticks,
    /// From top to bottom. The names of the lines of the first panel are written beside it.
    pub panels: Vec<Panel>,
    /// Points of the first panel that are explained below it, by letters: at most 26.
    pub remarks: Vec<PointRemark>,
    pub note: String,
}

/// The ticks of the horizontal axis of [`Lines`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Ticks {
    /// At round whole numbers.
    #[default]
    Whole,
    /// At powers of ten, on a logarithmic scale; values are above 0.
    Logarithmic,
    /// At these places, rising, with these names; those without room are left out.
    At(Vec<(f64, String)>),
    /// At round values; shares (true) in percent.
    Values(bool),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// The meaning of its vertical axis.
    pub heading: String,
    /// Whether values are shares, shown in percent.
    pub share: bool,
    /// Values that the vertical axis includes, such as 0.
    pub include: Vec<f64>,
    /// Levels to compare with, drawn as dashed lines.
    pub levels: Vec<f64>,
    /// The ends of a range to shade, across and up, which the axes include.
    #[serde(default)]
    pub wanted: [[Option<f64>; 2]; 2],
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its name; may be empty.
    pub label: String,
    /// A remark below the name; may be empty.
    pub detail: String,
    /// The seat (from 0) that its colour and marker belong to.
    pub seat: usize,
    pub shape: LineShape,
    /// Places on the horizontal axis, rising, with their values. Intervals are bands, except of
    /// dots.
    pub points: Vec<(f64, Estimate)>,
}

impl Line {
    /// Dots, without a point yet.
    pub fn dots(label: &str, seat: usize) -> Line {
        Line {
            label: label.to_string(),
            seat,
            shape: LineShape::Dots,
            ..Line::default()
        }
    }

    pub fn exact(
        label: impl Into<String>,
        seat: usize,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Line {
        let points = points.into_iter();
        let points = points.map(|(x, value)| (x, Estimate::normal(value, 0.0)));
        Line {
            label: label.into(),
            seat,
            points: points.collect(),
            ..Line::default()
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineShape {
    #[default]
    Straight,
    /// Level until the next point.
    Steps,
    Dots,
}

/// A point that is explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointRemark {
    /// Index of its line in the first panel.
    pub line: usize,
    /// Index of the point on this line.
    pub point: usize,
    pub text: String,
}

/// Bars of parts end to end, on one scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    pub title: String,
    pub unit: String,
    /// The names of the parts, from left to right.
    pub parts: Vec<String>,
    /// Whether the parts are ordered and get darker; otherwise the sums of bars are printed.
    pub ordered: bool,
    pub rows: Vec<Bar>,
    pub decimals: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub label: String,
    /// The length of each part, at least 0.
    pub parts: Vec<f64>,
}

/// Distributions of whole numbers, on one scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Density {
    pub title: String,
    pub axis: String,
    /// What the numbers count, in the plural: "rubies".
    pub unit: String,
    pub rows: Vec<DensityRow>,
    pub note: String,
    /// What the number 0 stands for, and each number more; by default themselves.
    #[serde(default)]
    pub scale: Option<(f64, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DensityRow {
    pub label: String,
    /// Games with each number, from 0 up.
    pub games: Vec<u64>,
}

impl Density {
    /// What a number stands for.
    pub fn value(&self, number: f64) -> f64 {
        let (first, step) = self.scale.unwrap_or((0.0, 1.0));
        first + step * number
    }

    /// The lengths of all games, given the numbers of games of each length.
    pub fn of_lengths(unit: &str, axis: &str, games: Vec<u64>) -> Density {
        let label = "all games".to_string();
        Density {
            title: "How long games last".to_string(),
            axis: axis.to_string(),
            unit: unit.to_string(),
            rows: vec![DensityRow { label, games }],
            ..Density::default()
        }
    }
}
