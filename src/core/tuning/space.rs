//! The search space of a tuning: axes with their values, points, and proposals of new points.

use rand::{Rng, RngExt};
use std::collections::HashSet;

/// The index of a value on each axis.
pub type Point = Vec<usize>;

#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    pub axes: Vec<AxisShape>,
    /// The point before any change.
    pub start: Point,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisShape {
    pub count: usize,
    /// Whether the values ascend, so that neighbours are similar.
    pub ordered: bool,
}

/// Tries per wanted new point: some tries yield points that were tried before.
const ATTEMPTS: usize = 20;

impl Space {
    /// Number of points, unless there are too many to list.
    pub fn size(&self) -> Option<usize> {
        let mut counts = self.axes.iter().map(|axis| axis.count);
        counts.try_fold(1usize, usize::checked_mul)
    }

    /// All points, the last axis changing fastest.
    pub fn all(&self) -> Vec<Point> {
        let mut points = vec![Vec::new()];
        for axis in &self.axes {
            let longer = |point: &Point| {
                let point = point.clone();
                (0..axis.count).map(move |value| [point.as_slice(), &[value]].concat())
            };
            points = points.iter().flat_map(longer).collect();
        }
        points
    }

    /// How much a point changes the start: 1 for each axis moved from one end to the other, or
    /// moved at all if its values have no order.
    pub fn change(&self, point: &[usize]) -> f64 {
        let moved = self.axes.iter().zip(point).zip(&self.start);
        moved
            .map(|((axis, &to), &from)| {
                if axis.ordered {
                    to.abs_diff(from) as f64 / (axis.count - 1).max(1) as f64
                } else {
                    f64::from(u8::from(to != from))
                }
            })
            .sum()
    }

    /// The points one step from `point` on one axis, each with that axis.
    pub fn neighbours(&self, point: &[usize]) -> Vec<(usize, Point)> {
        let mut neighbours = Vec::new();
        for (axis, values) in self.axes.iter().enumerate() {
            let at = point[axis];
            let beside = |&value: &usize| {
                if values.ordered {
                    value.abs_diff(at) == 1
                } else {
                    value != at
                }
            };
            for value in (0..values.count).filter(beside) {
                let mut point = point.to_vec();
                point[axis] = value;
                neighbours.push((axis, point));
            }
        }
        neighbours
    }

    /// `count` points that cover each axis evenly: a Latin hypercube (McKay, Beckman and Conover
    /// 1979).
    pub fn spread_out(&self, count: usize, rng: &mut impl Rng) -> Vec<Point> {
        let mut points = vec![Vec::new(); count];
        for axis in &self.axes {
            let mut order: Vec<usize> = (0..count).collect();
            for last in (1..count).rev() {
                order.swap(last, rng.random_range(0..=last));
            }
            for (point, place) in points.iter_mut().zip(order) {
                let within = rng.random_range(0..axis.count.div_ceil(count).max(1));
                point.push((place * axis.count / count + within).min(axis.count - 1));
            }
        }
        points
    }

    /// Up to `count` points near `parents`, the best of them first, that are not in `known`.
    /// `spread` is the reach of a step, as a fraction of an axis.
    pub fn propose(
        &self,
        parents: &[Point],
        spread: f64,
        count: usize,
        known: &HashSet<Point>,
        rng: &mut impl Rng,
    ) -> Vec<Point> {
        let mut new: Vec<Point> = Vec::new();
        for _ in 0..count * ATTEMPTS {
            if new.len() == count {
                break;
            }
            // The better of two is the parent.
            let pick = |rng: &mut _| Rng::next_u32(rng) as usize % parents.len();
            let parent = &parents[pick(rng).min(pick(rng))];
            let point = match rng.random_range(0..10) {
                0..5 => self.scattered(parent, spread, rng),
                5..7 => {
                    let (a, b) = (&parents[pick(rng)], &parents[pick(rng)]);
                    self.along(parent, a, b, rng)
                }
                7 => self.mixed(parent, &parents[pick(rng)], rng),
                8 => self.mixed(parent, &self.start, rng),
                _ => self.stepped(parent, rng),
            };
            if !known.contains(&point) && !new.contains(&point) {
                new.push(point);
            }
        }
        new
    }

    /// Some axes of a point moved by a bell-shaped step of standard deviation `spread`.
    fn scattered(&self, point: &[usize], spread: f64, rng: &mut impl Rng) -> Point {
        let axes = self.axes.len();
        let moves = rng.random_range(1..=axes.min(4));
        let mut point = point.to_vec();
        for _ in 0..moves {
            let axis = rng.random_range(0..axes);
            let values = self.axes[axis];
            point[axis] = if values.ordered {
                // Four uniform numbers make a bell; sums round alike on every machine.
                let bell: f64 = (0..4).map(|_| rng.random::<f64>() - 0.5).sum();
                let deviation = (spread * values.count as f64).max(0.7);
                let step = (bell * 3f64.sqrt() * deviation).round() as i64;
                self.place(axis, point[axis], step)
            } else {
                rng.random_range(0..values.count)
            };
        }
        point
    }

    /// A point moved in the direction from `b` to `a`, as in differential evolution (Storn and
    /// Price 1997).
    fn along(&self, point: &[usize], a: &[usize], b: &[usize], rng: &mut impl Rng) -> Point {
        let length = rng.random::<f64>();
        let moved = (0..self.axes.len()).map(|axis| {
            if self.axes[axis].ordered {
                let way = (a[axis] as f64 - b[axis] as f64) * length;
                self.place(axis, point[axis], way.round() as i64)
            } else {
                point[axis]
            }
        });
        moved.collect()
    }

    /// Each axis from one of two points.
    fn mixed(&self, a: &[usize], b: &[usize], rng: &mut impl Rng) -> Point {
        let either = |(&a, &b): (&usize, &usize)| if rng.random() { a } else { b };
        a.iter().zip(b).map(either).collect()
    }

    /// One axis one step up, and perhaps another one step down.
    fn stepped(&self, point: &[usize], rng: &mut impl Rng) -> Point {
        let mut point = point.to_vec();
        let steps = if rng.random() { &[1, -1][..] } else { &[1] };
        let sign = if rng.random() { 1 } else { -1 };
        for step in steps {
            let axis = rng.random_range(0..self.axes.len());
            point[axis] = if self.axes[axis].ordered {
                self.place(axis, point[axis], sign * step)
            } else {
                rng.random_range(0..self.axes[axis].count)
            };
        }
        point
    }

    /// The value `steps` steps further, or the last one in that direction.
    fn place(&self, axis: usize, at: usize, steps: i64) -> usize {
        let last = self.axes[axis].count as i64 - 1;
        (at as i64).saturating_add(steps).clamp(0, last) as usize
    }
}
