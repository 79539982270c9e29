//! Values over two axes: a grid of coloured cells, the best one marked, with a bar as its key.
//!
//! Serves a sweep over two parameters and a matrix of bots against bots. Knows numbers and labels,
//! not what varies or how cells were compared.
//!
//! `heat_map_grid` lays out the cells, `heat_map_key` what explains them.

use super::canvas::Canvas;
use super::heat_map_grid::Grid;
use super::heat_map_key::{Key, Legend};
use super::theme::{self, MARGIN, WIDTH};
use super::{Chart, ChartError, check_column};

/// One figure over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
    /// What the rows are.
    pub row_axis: String,
    /// What the columns are.
    pub column_axis: String,
    /// The labels of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// What a cell shows.
    pub unit: String,
    /// Whether the values are shares, shown in percent.
    pub share: bool,
    /// Row after row; none where nothing is known.
    pub cells: Vec<Option<HeatCell>>,
    /// The value that the colours part at; without it they go from low to high.
    pub middle: Option<f64>,
    /// What the marks are about.
    pub best_of: BestOf,
}

/// Among which cells the best was sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestOf {
    /// All of them, of all maps where there are several.
    All,
    /// Those of each map, where there are several.
    Map,
    /// Those of each row.
    Rows,
    /// Those of each column.
    Columns,
}

/// The figure at one row and column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatCell {
    /// The estimate.
    pub value: f64,
    /// How it stands among the others.
    pub mark: Mark,
}

/// How a cell stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing to say.
    None,
    /// Cannot be told from the best.
    Tied,
    /// The best.
    Best,
}

impl Chart for HeatMap {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        self.check()?;
        let Some(key) = Key::of(self) else {
            let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 200.0);
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        };
        let grid = Grid::within(self, (MARGIN, WIDTH - MARGIN), HEIGHT);
        let legend = Legend::among(&[self], None, &key);
        let height = grid.height() + 18.0 + key.height() + legend.height() + 14.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        grid.draw(&mut canvas, self, &key, top);
        let below = top + grid.height() + 18.0;
        key.draw(&mut canvas, below, &self.unit, self.best_of);
        legend.draw(&mut canvas, below + key.height());
        Ok(canvas)
    }
}

/// What all rows together take, where the limits of cells allow.
const HEIGHT: f64 = 560.0;

impl HeatMap {
    /// Checks that cells and labels fit together.
    pub(super) fn check(&self) -> Result<(), ChartError> {
        let value = |cell: &Option<HeatCell>| cell.map_or(0.0, |cell| cell.value);
        let values: Vec<f64> = self.cells.iter().map(value).collect();
        check_column("cells", &values, self.rows.len() * self.columns.len())?;
        check_column("middle", self.middle.as_slice(), self.middle.iter().len())
    }

    /// The known cells.
    pub(super) fn known(&self) -> impl Iterator<Item = &HeatCell> {
        self.cells.iter().flatten()
    }

    /// The cells among which the best was sought, beside that at this place.
    fn rivals(&self, at: usize) -> impl Iterator<Item = &HeatCell> {
        let columns = self.columns.len();
        let among = move |other: &usize| match self.best_of {
            BestOf::All | BestOf::Map => true,
            BestOf::Rows => other / columns == at / columns,
            BestOf::Columns => other % columns == at % columns,
        };
        let others = (0..self.cells.len()).filter(among);
        others.filter_map(|other| self.cells[other].as_ref())
    }

    /// How far up a cell is from the lowest to the highest of those among which the best was sought.
    pub(super) fn rank(&self, at: usize, cell: &HeatCell) -> f64 {
        let values = || self.rivals(at).map(|cell| cell.value);
        let (low, high) = (
            values().fold(f64::MAX, f64::min),
            values().fold(f64::MIN, f64::max),
        );
        match high > low {
            true => (cell.value - low) / (high - low),
            false => 0.5,
        }
    }

    /// Whether the cell is the best or cannot be told from it; not beyond the edges.
    pub(super) fn stands_out(&self, row: Option<usize>, column: Option<usize>) -> bool {
        let (Some(row), Some(column)) = (row, column) else {
            return false;
        };
        row < self.rows.len()
            && column < self.columns.len()
            && self.cells[row * self.columns.len() + column]
                .is_some_and(|cell| cell.mark != Mark::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> HeatMap {
        let values: Vec<f64> = (0..rows * columns)
            .map(|i| value(i / columns, i % columns))
            .collect();
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let mark = |value: f64| match best - value {
            0.0 => Mark::Best,
            behind if behind < 0.01 => Mark::Tied,
            _ => Mark::None,
        };
        HeatMap {
            title: "How it responds".into(),
            subtitle: "Diamant · iello-2016 · 5 players · 1,000,000 games".into(),
            row_axis: "seats.1.target".into(),
            column_axis: "seats.1.patience".into(),
            rows: (0..rows).map(|row| row.to_string()).collect(),
            columns: (0..columns)
                .map(|i| format!("{:.2}", 0.25 * i as f64))
                .collect(),
            unit: "win share of 1 threshold".into(),
            share: true,
            cells: (values.into_iter())
                .map(|value| {
                    Some(HeatCell {
                        value,
                        mark: mark(value),
                    })
                })
                .collect(),
            middle: None,
            best_of: BestOf::All,
        }
    }

    fn hill(row: usize, column: usize) -> f64 {
        let (x, y) = (row as f64 - 6.3, column as f64 - 9.2);
        0.3 - 0.001 * (x * x + 0.4 * y * y)
    }

    fn bots(many: usize) -> HeatMap {
        let names: Vec<String> = (0..many).map(label).collect();
        HeatMap {
            row_axis: "this bot".into(),
            column_axis: "against four of this bot".into(),
            rows: names.clone(),
            columns: names,
            middle: Some(0.2),
            best_of: BestOf::All,
            ..chart(many, many, |row, column| {
                0.2 + 0.015 * (row as f64 - column as f64)
            })
        }
    }

    fn texts(canvas: &Canvas) -> Vec<&str> {
        canvas.texts().map(|text| text.text.as_str()).collect()
    }

    #[test]
    fn any_map_is_drawn() {
        for (rows, columns) in [
            (0, 0),
            (3, 0),
            (1, 1),
            (2, 2),
            (2, 40),
            (40, 2),
            (41, 27),
            (27, 41),
        ] {
            assert_sound(&chart(rows, columns, hill));
        }
        for many in [1, 2, 5, 12, 15, 70] {
            assert_sound(&bots(many));
        }
        let level = chart(4, 4, |_, _| 0.25);
        assert_sound(&HeatMap {
            middle: Some(0.25),
            best_of: BestOf::All,
            ..level.clone()
        });
        assert_sound(&HeatMap {
            middle: Some(0.9),
            best_of: BestOf::All,
            ..level.clone()
        });
        assert_sound(&HeatMap {
            cells: vec![None; 16],
            ..level.clone()
        });
        assert_sound(&HeatMap {
            share: false,
            ..chart(9, 9, |row, column| -1e5 * (row * column) as f64)
        });
        assert_sound(&level);
    }

    #[test]
    fn a_heat_map_looks_as_its_golden() {
        let cell = |i: u8| HeatCell {
            value: 0.4 + 0.01 * f64::from(i),
            mark: match i {
                17 => Mark::Best,
                15 | 16 => Mark::Tied,
                _ => Mark::None,
            },
        };
        let chart = HeatMap {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            row_axis: "this bot".into(),
            column_axis: "against this bot".into(),
            rows: BOTS.map(str::to_string).to_vec(),
            columns: (0..9)
                .map(|i| format!("{} threshold:target={i}", i + 1))
                .collect(),
            unit: "win share".into(),
            share: true,
            cells: (0..18).map(|i| (i != 9).then_some(cell(i))).collect(),
            middle: Some(0.5),
            best_of: BestOf::All,
        };
        assert_golden("heat_map", &chart);
    }

    #[test]
    fn values_are_printed_where_there_is_room() {
        let small = chart(3, 4, hill).canvas().unwrap();
        assert!(texts(&small).contains(&"26.61"));
        let large = chart(27, 41, hill).canvas().unwrap();
        assert!(texts(&large).len() < 100);
    }

    #[test]
    fn the_key_and_the_marks_are_explained() {
        let canvas = bots(5).canvas().unwrap();
        let texts = texts(&canvas);
        for text in ["14.0 %", "20.0 %", "26.0 %"] {
            assert!(texts.contains(&text), "{text} in {texts:?}");
        }
        let best = texts
            .iter()
            .find(|text| text.starts_with("best: "))
            .unwrap();
        assert!(best.contains("greedy") && best.contains("26.0 %"), "{best}");
        assert!(!texts.iter().any(|text| text.contains("cannot be told")));
        let mut blank = chart(3, 3, hill);
        blank.cells[4] = None;
        let canvas = blank.canvas().unwrap();
        assert!(canvas.texts().any(|text| text.text == "not known"));
    }

    #[test]
    fn long_names_run_upwards_and_short_ones_across() {
        assert!(bots(12).canvas().unwrap().texts().any(|text| text.upward));
        let numbers = chart(27, 41, hill).canvas().unwrap();
        assert!(!numbers.texts().any(|text| text.upward));
        assert!(!bots(2).canvas().unwrap().texts().any(|text| text.upward));
    }

    #[test]
    fn broken_columns_are_refused() {
        let mut short = chart(3, 3, hill);
        short.cells.pop();
        assert!(matches!(
            short.canvas(),
            Err(ChartError::Length { wanted: 9, .. })
        ));
        assert!(chart(2, 2, |_, _| f64::NAN).canvas().is_err());
        let middle = Some(f64::INFINITY);
        assert!(
            HeatMap {
                middle,
                ..chart(2, 2, hill)
            }
            .canvas()
            .is_err()
        );
    }
}
