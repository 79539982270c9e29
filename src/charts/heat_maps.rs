//! Values over three axes: a heat map for each value of the third, with one key for all.
//!
//! Knows numbers and labels, not what varies or how cells were compared.

use super::canvas::Canvas;
use super::heat_map::{BestOf, HeatMap};
use super::heat_map_grid::Grid;
use super::heat_map_key::{Key, Legend};
use super::labels::shorten;
use super::theme::{self, MARGIN, PANEL, WIDTH};
use super::{Chart, ChartError};

/// Heat maps of one figure on one pair of axes. Those of the maps have no headline.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMaps {
    /// The headline.
    pub title: String,
    /// What was played.
    pub subtitle: String,
    /// What tells the maps apart.
    pub axis: String,
    /// The name of each map, and the map.
    pub maps: Vec<(String, HeatMap)>,
}

/// Most maps side by side.
const ACROSS: usize = 3;
/// Space between two of them, and below each line of maps.
const GAP: (f64, f64) = (28.0, 22.0);
/// Height of a map's name.
const NAME: f64 = 28.0;
/// What the rows of one map take together, where the cells' limits allow.
const HEIGHT: f64 = 280.0;
/// Cells at least so wide have room for their values.
const CELL: f64 = 40.0;

impl Chart for HeatMaps {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for (_, map) in &self.maps {
            map.check()?;
        }
        let maps: Vec<&HeatMap> = self.maps.iter().map(|(_, map)| map).collect();
        let Some(common) = Key::among(&maps) else {
            let (mut canvas, top) = theme::page(&self.title, &self.subtitle, 200.0);
            theme::placeholder(&mut canvas, top, "nothing to show");
            return Ok(canvas);
        };
        // As many side by side as leave the values readable.
        let wide =
            |across: usize| (WIDTH - 2.0 * MARGIN - GAP.0 * (across - 1) as f64) / across as f64;
        let grids = |across: usize| -> Vec<Grid> {
            let width = wide(across);
            let of = |(index, map): (usize, &&HeatMap)| {
                let left = MARGIN + (width + GAP.0) * (index % across) as f64;
                Grid::within(map, (left, left + width), HEIGHT)
            };
            maps.iter().enumerate().map(of).collect()
        };
        let roomy = |across: &usize| {
            *across <= maps.len() && grids(*across).iter().all(|grid| grid.cell_width() >= CELL)
        };
        let across = (2..=ACROSS).rev().find(roomy).unwrap_or(1);
        let grids = grids(across);
        let line = |line: &[Grid]| {
            let highest = line.iter().map(Grid::height).fold(0.0, f64::max);
            NAME + highest + GAP.1
        };
        let all: f64 = grids.chunks(across).map(line).sum();
        let best_of = maps[0].best_of;
        let names: Vec<&str> = self.maps.iter().map(|(name, _)| name.as_str()).collect();
        let legend = Legend::among(&maps, Some((&self.axis, &names)), &common);
        let height = all + common.height() + legend.height() + 14.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        let mut upper = top;
        for (index, (name, map)) in self.maps.iter().enumerate() {
            let left = MARGIN + (wide(across) + GAP.0) * (index % across) as f64;
            let name = shorten(name, &PANEL, wide(across));
            canvas.text(&name, (left, upper + 14.0), PANEL);
            let own = match best_of {
                BestOf::All => None,
                _ => Key::of(map),
            };
            grids[index].draw(
                &mut canvas,
                map,
                own.as_ref().unwrap_or(&common),
                upper + NAME,
            );
            if (index + 1) % across == 0 {
                upper += line(&grids[index + 1 - across..=index]);
            }
        }
        common.draw(&mut canvas, top + all, &maps[0].unit, best_of);
        legend.draw(&mut canvas, top + all + common.height());
        Ok(canvas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::heat_map::{HeatCell, Mark};
    use crate::charts::tests::{SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(maps: usize, rows: usize, columns: usize, best_of: BestOf) -> HeatMaps {
        let cell = |map: usize, at: usize| {
            let value = 0.3 + 0.01 * ((7 * at + 3 * map) % 11) as f64;
            let mark = match (at, map) {
                (2, _) if best_of != BestOf::All => Mark::Best,
                (2, 0) => Mark::Best,
                (1, _) => Mark::Tied,
                _ => Mark::None,
            };
            (at != 4).then_some(HeatCell { value, mark })
        };
        let map = |map: usize| HeatMap {
            title: String::new(),
            subtitle: String::new(),
            row_axis: "rounds".into(),
            column_axis: "target of threshold (seat 1)".into(),
            rows: (3..3 + rows).map(|row| row.to_string()).collect(),
            columns: (6..6 + columns).map(|column| column.to_string()).collect(),
            unit: "share of the wins".into(),
            share: true,
            cells: (0..rows * columns).map(|at| cell(map, at)).collect(),
            middle: None,
            best_of,
        };
        HeatMaps {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            axis: "number of players".into(),
            maps: (0..maps).map(|index| (label(index), map(index))).collect(),
        }
    }

    #[test]
    fn any_maps_are_drawn() {
        for (maps, rows, columns) in [(0, 2, 2), (1, 3, 3), (3, 2, 3), (4, 3, 5), (5, 6, 20)] {
            for best_of in [BestOf::All, BestOf::Map, BestOf::Rows, BestOf::Columns] {
                assert_sound(&chart(maps, rows, columns, best_of));
            }
        }
        assert_sound(&chart(2, 0, 0, BestOf::All));
        assert_sound(&chart(12, 2, 40, BestOf::Map));
    }

    #[test]
    fn heat_maps_look_as_their_golden() {
        assert_golden("heat_maps", &chart(3, 2, 3, BestOf::Map));
    }

    #[test]
    fn broken_maps_are_refused() {
        let mut short = chart(2, 2, 2, BestOf::All);
        short.maps[1].1.cells.pop();
        assert!(short.canvas().is_err());
    }
}
