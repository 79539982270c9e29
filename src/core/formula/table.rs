//! Look-up tables: each axis divides the values of a feature at edges; the indices select a number.
//!
//! On each axis the index is the number of edges that are not above the value. A table of one axis
//! is a [`StepFunction`]: a number that changes at edges. A table of more axes has one such
//! function for each axis; their sum is the place of a cell in a grid. This module defines what a
//! look-up returns; `lookup` does the same for columns.

use std::sync::Arc;

use super::operation::Operation;
use super::whole::is_whole;

/// Most axes of a table.
pub const AXES_MAX: usize = 8;

/// Most edges of an axis.
pub const EDGES_MAX: usize = 255;

/// Most cells of a table. Floats count to 2²⁴, so that places are exact.
pub const CELLS_MAX: usize = 1 << 21;

/// A cell as it is written: a number, or what a parameter is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    Number(f32),
    /// The index of a parameter.
    Param(usize),
}

/// The cells of a table, those of the last axis side by side. Copies share them.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Some of them are parameters, which are not bound yet.
    Written(Arc<[Cell]>),
    Numbers(Arc<[f32]>),
    /// One byte a cell, and the number that each byte stands for.
    Packed(Arc<[u8]>, Arc<[f32; 256]>),
}

impl Cells {
    /// Cells as they are written. Without parameters they are bound from the start.
    pub fn written(cells: Vec<Cell>) -> Cells {
        let number = |cell: &Cell| match *cell {
            Cell::Number(number) => Some(number),
            Cell::Param(_) => None,
        };
        match cells.iter().map(number).collect::<Option<Arc<[f32]>>>() {
            Some(numbers) => Cells::Numbers(numbers),
            None => Cells::Written(cells.into()),
        }
    }

    /// One byte a cell: 0 stands for `low`, 255 for `high`, and those between for what lies evenly
    /// between, computed in double precision and rounded once.
    pub fn packed(bytes: Vec<u8>, low: f32, high: f32) -> Cells {
        let [low, high] = [low, high].map(f64::from);
        let number = |byte| (low + (high - low) * byte as f64 / 255.0) as f32;
        Cells::Packed(bytes.into(), Arc::new(std::array::from_fn(number)))
    }

    pub fn count(&self) -> usize {
        match self {
            Cells::Written(cells) => cells.len(),
            Cells::Numbers(numbers) => numbers.len(),
            Cells::Packed(bytes, _) => bytes.len(),
        }
    }

    pub(super) fn uses(&self, param: usize) -> bool {
        match self {
            Cells::Written(cells) => cells.contains(&Cell::Param(param)),
            _ => false,
        }
    }

    fn bound(&self, params: &[f32]) -> Cells {
        let number = |cell: &Cell| match *cell {
            Cell::Number(number) => number,
            Cell::Param(param) => params[param],
        };
        match self {
            Cells::Written(cells) => Cells::Numbers(cells.iter().map(number).collect()),
            bound => bound.clone(),
        }
    }

    /// The number in a cell. Panics while parameters are not bound.
    pub(super) fn at(&self, cell: usize) -> f32 {
        match self {
            Cells::Written(_) => panic!("a formula must be bound before it is evaluated"),
            Cells::Numbers(numbers) => numbers[cell],
            Cells::Packed(bytes, numbers) => numbers[usize::from(bytes[cell])],
        }
    }

    /// Whether both hold the same numbers, to the bit. Packed cells and others count as different.
    pub(super) fn same(&self, other: &Cells) -> bool {
        match (self, other) {
            (Cells::Numbers(a), Cells::Numbers(b)) => Arc::ptr_eq(a, b) || bits(a).eq(bits(b)),
            (Cells::Packed(a, of_a), Cells::Packed(b, of_b)) => {
                bits(&of_a[..]).eq(bits(&of_b[..])) && (Arc::ptr_eq(a, b) || a == b)
            }
            _ => false,
        }
    }
}

fn bits(numbers: &[f32]) -> impl Iterator<Item = u32> {
    numbers.iter().map(|number| number.to_bits())
}

/// A table that a formula may look up. The creator ensures that the edges are finite and rise, that
/// no maximum is exceeded, and that the number of cells fits the axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name used in formulas.
    pub name: String,
    /// The edges of each axis, at least one axis.
    pub axes: Vec<Vec<f32>>,
    /// One more on each axis than there are edges.
    pub cells: Cells,
}

/// A number that changes at edges. Copies share it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepFunction {
    pub edges: Arc<[f32]>,
    /// One more than edges, never packed.
    heights: Cells,
    /// The same for whole numbers, if all heights are whole and small.
    pub whole: Option<Arc<WholeSteps>>,
    /// For many edges that lie about evenly.
    pub guide: Option<Arc<Guide>>,
}

/// Most edges that are compared one by one.
const FEW_EDGES: usize = 16;

/// Bins of equal width from the first edge to the last. A number is in one of them, and at most one
/// edge is: all edges of earlier bins are below the number, and those of later bins above.
#[derive(Debug, PartialEq)]
pub(super) struct Guide {
    pub first: f32,
    /// Bins per unit.
    pub scale: f32,
    pub bins: [Bin; BINS],
}

pub(super) const BINS: usize = 256;

/// The height is `low` below the edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bin {
    pub edge: f32,
    pub low: f32,
    pub high: f32,
}

impl Guide {
    /// `None` if there are few edges, or two of them in one bin.
    fn new(edges: &[f32], heights: &[f32]) -> Option<Guide> {
        let (&[first, .., last], true) = (edges, edges.len() > FEW_EDGES) else {
            return None;
        };
        let scale = (BINS - 1) as f32 / (last - first);
        let start = Bin {
            edge: f32::INFINITY,
            low: heights[0],
            high: heights[0],
        };
        let mut bins = [start; BINS];
        let mut next = 0;
        for (edge, heights) in edges.iter().zip(heights.windows(2)) {
            // As columns find it: each operation keeps the order of numbers.
            let at = (((edge - first) * scale) as usize).min(BINS - 1);
            if at < next {
                return None;
            }
            let (low, high) = (heights[0], heights[1]);
            bins[at] = Bin {
                edge: *edge,
                low,
                high,
            };
            bins[at + 1..].fill(Bin {
                edge: f32::INFINITY,
                low: high,
                high,
            });
            next = at + 1;
        }
        Some(Guide { first, scale, bins })
    }
}

/// [`StepFunction`] from whole numbers to whole numbers.
#[derive(Debug, PartialEq)]
pub(super) struct WholeSteps {
    /// The height below all edges,
    pub lowest: i16,
    /// and for each edge what a whole number is above when it is at or above the edge, and by how
    /// much the height rises there, modulo 2¹⁶.
    pub rises: Box<[[i16; 2]]>,
}

impl WholeSteps {
    pub fn heights(&self) -> impl Iterator<Item = i16> {
        let above = self.rises.iter().scan(self.lowest, |height, [_, rise]| {
            *height = height.wrapping_add(*rise);
            Some(*height)
        });
        std::iter::once(self.lowest).chain(above)
    }
}

impl StepFunction {
    pub fn new(edges: Arc<[f32]>, heights: Cells) -> StepFunction {
        let heights = match heights {
            Cells::Packed(ref bytes, _) => {
                Cells::Numbers((0..bytes.len()).map(|cell| heights.at(cell)).collect())
            }
            other => other,
        };
        let whole = match &heights {
            Cells::Numbers(numbers) if numbers.iter().copied().all(is_whole) => {
                // Conversion keeps to the ends of `i16`, which no whole number of a program is
                // beyond.
                let rises = edges.iter().zip(numbers.windows(2)).map(|(edge, heights)| {
                    let rise = (heights[1] as i16).wrapping_sub(heights[0] as i16);
                    [(edge.ceil() - 1.0) as i16, rise]
                });
                let (lowest, rises) = (numbers[0] as i16, rises.collect());
                Some(Arc::new(WholeSteps { lowest, rises }))
            }
            _ => None,
        };
        let guide = match &heights {
            Cells::Numbers(heights) => Guide::new(&edges, heights).map(Arc::new),
            _ => None,
        };
        StepFunction {
            edges,
            heights,
            whole,
            guide,
        }
    }

    /// The height for `value`. Panics while parameters are not bound.
    pub fn at(&self, value: f32) -> f32 {
        let below = self.edges.iter().filter(|edge| **edge <= value);
        self.heights.at(below.count())
    }

    /// The heights. Panics while parameters are not bound.
    #[inline(always)]
    pub fn heights(&self) -> &[f32] {
        match &self.heights {
            Cells::Numbers(numbers) => numbers,
            _ => panic!("a formula must be bound before it is compiled"),
        }
    }

    fn same(&self, other: &StepFunction) -> bool {
        bits(&self.edges).eq(bits(&other.edges)) && self.heights.same(&other.heights)
    }
}

/// All that the look-ups of a formula, or of a program, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Lookups {
    pub functions: Vec<StepFunction>,
    /// The cells of tables of more than one axis.
    pub grids: Vec<Cells>,
    /// For each table that was given, the step function of its first axis; those of its other axes
    /// follow.
    pub first: Vec<usize>,
}

impl Lookups {
    /// What `tables` need; step functions and grids are in their order.
    pub fn of(tables: &[Table]) -> Lookups {
        let mut lookups = Lookups::default();
        for Table { axes, cells, .. } in tables {
            lookups.first.push(lookups.functions.len());
            if let [edges] = &axes[..] {
                let function = StepFunction::new(edges.as_slice().into(), cells.clone());
                lookups.functions.push(function);
                continue;
            }
            let mut stride = cells.count();
            for edges in axes {
                stride /= edges.len() + 1;
                let places = (0..=edges.len()).map(|index| (index * stride) as f32);
                let places = Cells::Numbers(places.collect());
                let function = StepFunction::new(edges.as_slice().into(), places);
                lookups.functions.push(function);
            }
            lookups.grids.push(cells.clone());
        }
        lookups
    }

    /// The same with `params` in place.
    pub fn bound(&self, params: &[f32]) -> Lookups {
        let bound = |function: &StepFunction| match &function.heights {
            Cells::Written(_) => {
                StepFunction::new(Arc::clone(&function.edges), function.heights.bound(params))
            }
            _ => function.clone(),
        };
        Lookups {
            functions: self.functions.iter().map(bound).collect(),
            grids: self.grids.iter().map(|cells| cells.bound(params)).collect(),
            first: self.first.clone(),
        }
    }

    pub fn uses_param(&self, param: usize) -> bool {
        let mut of_functions = self.functions.iter().map(|function| &function.heights);
        of_functions.any(|cells| cells.uses(param))
            || self.grids.iter().any(|grid| grid.uses(param))
    }

    /// The evaluation of a step function, which is added unless there is one like it.
    pub fn add(&mut self, function: &StepFunction) -> Operation {
        Operation::Evaluate(place_of(&mut self.functions, function, StepFunction::same))
    }

    /// An operation with these numbers for what it looks up in `others`, which is added.
    pub fn adopt(&mut self, operation: Operation, others: &Lookups) -> Operation {
        match operation {
            Operation::Evaluate(at) => self.add(&others.functions[usize::from(at)]),
            Operation::LookUp(at) => {
                let grid = &others.grids[usize::from(at)];
                Operation::LookUp(place_of(&mut self.grids, grid, Cells::same))
            }
            other => other,
        }
    }

    /// The place of a grid with the cells of one grid and then those of another, if floats count
    /// them and both hold their numbers alike.
    pub fn joined(&mut self, first: &Cells, then: &Cells) -> Option<u16> {
        let grid = match (first, then) {
            _ if first.count() + then.count() > 1 << f32::MANTISSA_DIGITS => return None,
            (Cells::Numbers(a), Cells::Numbers(b)) => {
                Cells::Numbers([&a[..], &b[..]].concat().into())
            }
            (Cells::Packed(a, of_a), Cells::Packed(b, of_b))
                if bits(&of_a[..]).eq(bits(&of_b[..])) =>
            {
                Cells::Packed([&a[..], &b[..]].concat().into(), Arc::clone(of_a))
            }
            _ => return None,
        };
        Some(place_of(&mut self.grids, &grid, Cells::same))
    }
}

/// Appends `value` and returns its index.
pub(super) fn pushed<T>(values: &mut Vec<T>, value: T) -> usize {
    values.push(value);
    values.len() - 1
}

/// The place of one like `new`, which is added unless there is one.
fn place_of<T: Clone>(known: &mut Vec<T>, new: &T, same: fn(&T, &T) -> bool) -> u16 {
    let found = known.iter().position(|known| same(known, new));
    found.unwrap_or_else(|| pushed(known, new.clone())) as u16
}

#[cfg(test)]
#[path = "../../../tests/unit/core/formula/table.rs"]
mod tests;
