//! A family of bots at a table: bots as points in the space of its parameters.

use crate::game::{Game, MetricRef, Rules, Seating, Table, WIN_SHARE};
use crate::simulation::{Experiment, Games, Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{Seat, Strategy};
use crate::tuning::{AxisShape, Point, Space};
use std::ops::Range;
use std::sync::Arc;

/// The parameter by which copies of a bot differ; it is not searched.
pub const SPREAD: &str = "spread";
/// Fewest games of a search.
const SEARCH_LEAST: u64 = 2_000;

pub struct FamilyTable {
    pub game: &'static Game,
    pub rules: Box<dyn Rules>,
    pub family: Arc<Strategy>,
    /// The searched parameters, with their values.
    pub axes: Vec<(String, Vec<f32>)>,
    /// The largest spread; 0 where the family has none.
    pub spread: f32,
    pub players: usize,
    /// The number of games that all parts of a search are parts of.
    pub games: u64,
    pub space: Space,
    /// The prefix of the names of all parts.
    pub parts: String,
}

impl FamilyTable {
    /// A family for this number of players, with no axes if its parameters have no ranges.
    pub fn new(
        game: &'static Game,
        rules: Box<dyn Rules>,
        family: Strategy,
        players: usize,
    ) -> FamilyTable {
        let (mut axes, mut shapes, mut start) = (Vec::new(), Vec::new(), Vec::new());
        for (param, range) in &family.ranges {
            if param == SPREAD || players < range.players {
                continue;
            }
            let steps = ((range.high - range.low) / range.step).round() as usize;
            let [low, step] =
                [range.low, range.step].map(|it| it.to_string().parse().unwrap_or(0.0));
            let value = |at| ((low + at as f64 * step) * 1e6).round() as f32 / 1e6;
            let values: Vec<f32> = (0..=steps).map(value).collect();
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
        let spread = family.ranges.iter().find(|(param, _)| param == SPREAD);
        FamilyTable {
            game,
            rules,
            spread: spread.map_or(0.0, |(_, range)| range.high),
            family: family.into(),
            axes,
            players,
            games: game.games,
            space: Space {
                axes: shapes,
                start,
            },
            parts: String::new(),
        }
    }

    pub fn seat(&self, point: &[usize], spread: f64) -> Seat {
        self.seat_off(point, spread, &[])
    }

    /// The bot of a point with the numbers of some axes multiplied by factors, clipped to their
    /// ranges.
    pub fn seat_off(&self, point: &[usize], spread: f64, off: &[(usize, f32)]) -> Seat {
        let mut params = Vec::new();
        for (axis, (param, values)) in self.axes.iter().enumerate() {
            let mut value = values[point[axis]];
            if let Some((_, times)) = off.iter().find(|(own, _)| *own == axis) {
                value = (value * times).clamp(values[0], values[values.len() - 1]);
            }
            params.push((param.clone(), value));
        }
        if self.spread > 0.0 {
            params.push((SPREAD.to_string(), self.spread_of(spread)));
        }
        Seat::new(self.family.clone(), &params).expect("parameters of its own")
    }

    /// The description of a parameter, with `{}` for its value.
    pub fn says(&self, param: &str) -> Option<&str> {
        let mut sentences = self.family.sentences.iter();
        Some(&sentences.find(|(name, _)| name == param)?.1)
    }

    pub fn seated(&self, seats: &[Seat]) -> Result<Box<dyn Table>, Stopped> {
        let table = self.rules.table(seats, Seating::default());
        table.map_err(Stopped::unplayable)
    }

    /// The spread of copies, in units of its parameter: people draw whole numbers.
    fn spread_of(&self, share: f64) -> f32 {
        (self.spread * share as f32).round()
    }

    /// The bot that plays each of these points in as many games.
    pub fn crowd(&self, points: &[Point]) -> Result<Seat, Stopped> {
        let part = |point: &Point| (self.seat(point, 0.0), 1.0);
        let parts: Vec<(Seat, f64)> = points.iter().map(part).collect();
        let crowd = Strategy::mix("adapted", "", &parts, self.game.vocabulary);
        Seat::new(crowd.map_err(Stopped::unplayable)?, &[]).map_err(Stopped::unplayable)
    }

    /// A table where seat 1 plays `first` and all others the crowd.
    pub fn beside(&self, crowd: Seat, first: Seat) -> Result<Box<dyn Table>, Stopped> {
        let mut seats = vec![crowd; self.players];
        seats[0] = first;
        self.seated(&seats)
    }

    /// The games of a seed, in chunks that leave a processor's cache to several tables.
    pub fn dealt(&self, seed: u64) -> Games {
        let chunk = (self.game.chunk / 4).max(1);
        Games { seed, chunk }
    }

    /// The win share of seat 1 at each of some tables, in the same games of a seed.
    pub fn shares(
        &self,
        tables: &[Box<dyn Table>],
        name: &str,
        status: &str,
        games: Range<u64>,
        seed: u64,
        player: &mut Player,
    ) -> Result<Vec<Estimate>, Stopped> {
        let cells = tables.iter().map(|table| table.as_ref() as _).collect();
        let mut experiment = Experiment::apart(cells, self.dealt(seed));
        experiment.play_all(&format!("{}{name}", self.parts), status, games, player)?;
        let metric = MetricRef::of_seat(WIN_SHARE, 0);
        let shares = (0..tables.len()).map(|cell| experiment.estimate(cell, metric));
        Ok(shares
            .map(|share| share.unwrap_or(Estimate::UNKNOWN))
            .collect())
    }

    /// The win rate of a seat that is as good as the others.
    pub fn fair(&self) -> f64 {
        1.0 / self.players as f64
    }

    /// The games of a search, this part of all or the fewest that are of use.
    pub fn search_games(&self, part: f64) -> u64 {
        searched(self.games, part)
    }
}

pub(super) fn searched(games: u64, part: f64) -> u64 {
    ((games as f64 * part) as u64).max(SEARCH_LEAST)
}
