//! What an option is worth, as a sum of small look-up tables: how it is fitted to what playouts say.
//!
//! Options are of kinds, and each kind has tables of its own. First tables are added one after the
//! other where they explain most of what the sum so far does not (least squares within decisions).
//! Then all heights together are moved to where one who picks by the sum gains most, by the mean of
//! what the options of a decision are worth, weighted by how likely they are to be picked.
//!
//! Nothing here knows a game, a thread or a formula. All sums are taken in one order.

use serde::{Deserialize, Serialize};

/// Decisions with the options that there were.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    /// Numbers that are known of an option.
    pub width: usize,
    /// Those of all options, one after the other.
    pub seen: Vec<f32>,
    /// What each option is worth.
    pub worths: Vec<f32>,
    /// In how many playouts that was seen.
    pub playouts: Vec<f32>,
    /// The first option of each decision.
    pub first: Vec<usize>,
    /// The option that was taken, counted from the first of all.
    pub chosen: Vec<usize>,
}

impl Decisions {
    /// No decisions yet, with so many numbers an option.
    pub fn new(width: usize) -> Decisions {
        Decisions {
            width,
            ..Decisions::default()
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Forgets so many of the first.
    pub fn forget(&mut self, decisions: usize) {
        let options = self.first.get(decisions).copied();
        let options = options.unwrap_or(self.worths.len());
        self.seen.drain(..options * self.width);
        self.worths.drain(..options);
        self.playouts.drain(..options);
        for numbers in [&mut self.first, &mut self.chosen] {
            numbers.drain(..decisions);
            numbers.iter_mut().for_each(|option| *option -= options);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn options(&self, decision: usize) -> std::ops::Range<usize> {
        let end = self.first.get(decision + 1);
        self.first[decision]..end.copied().unwrap_or(self.worths.len())
    }

    fn value(&self, option: usize, number: usize) -> f32 {
        self.seen[option * self.width + number]
    }
}

/// What a model may look like.
pub struct Shape {
    /// The numbers that tell which kind an option is of: the first that is above 0. All others are
    /// of a last kind.
    pub kinds: Vec<usize>,
    /// The numbers that tables may look at.
    pub looks: Vec<usize>,
    /// The number that is added with a weight, besides the tables.
    pub base: Option<usize>,
    /// Most tables.
    pub tables: usize,
}

/// A look-up table of the options of a kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The kind.
    pub kind: usize,
    /// The numbers it looks at: none, one or two.
    pub looks: Vec<usize>,
    /// Where the steps of each begin.
    pub edges: Vec<Vec<f32>>,
    /// What is added, cell by cell, the last number first.
    pub heights: Vec<f64>,
}

/// A sum of tables.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Additive {
    /// The tables.
    pub terms: Vec<Term>,
    /// By kind, how much of the base is added.
    pub weights: Vec<f64>,
}

/// Most cells of an axis.
const BINS: usize = 8;
/// How strongly rare cells are drawn to 0: like so many options that say nothing.
const RIDGE: f64 = 100.0;
/// Tables that are added at a time.
const AT_A_TIME: usize = 4;
/// Playouts that count as one whole observation.
const WHOLE: f64 = 16.0;
/// Difference of worths at which one who picks is undecided.
const UNDECIDED: f64 = 0.03;
/// How much the option that was taken is preferred: playouts must tell clearly that another is better.
const LOYALTY: f64 = 0.005;
/// How often all heights are moved at last, and how far at a time.
const MOVES: usize = 40;
const STEP: f64 = 0.003;

/// All options, sorted by kind and cell.
struct Cut<'d> {
    data: &'d Decisions,
    shape: &'d Shape,
    edges: Vec<Vec<f32>>,
    /// By number and option.
    cells: Vec<Vec<u8>>,
    /// The options of each kind.
    of_kind: Vec<Vec<u32>>,
    kind: Vec<u8>,
    base: Vec<f64>,
    /// How much each option counts.
    weights: Vec<f64>,
}

/// The terms of a model, with the cell of each option of their kind.
struct Fitted {
    terms: Vec<Term>,
    cells: Vec<Vec<u16>>,
    weights: Vec<f64>,
}

/// A number for each height and each weight of a base.
#[derive(Clone)]
struct Heights(Vec<Vec<f64>>, Vec<f64>);

impl Heights {
    fn each(&self) -> impl Iterator<Item = &f64> {
        self.0.iter().flatten().chain(&self.1)
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut().flatten().chain(&mut self.1)
    }

    fn dot(&self, other: &Heights) -> f64 {
        self.each().zip(other.each()).map(|(a, b)| a * b).sum()
    }

    /// Adds `part` of another.
    fn add(&mut self, part: f64, other: &Heights) {
        self.each_mut()
            .zip(other.each())
            .for_each(|(a, b)| *a += part * b);
    }
}

/// The model that fits best.
pub fn fit(data: &Decisions, shape: &Shape) -> Additive {
    let cut = Cut::new(data, shape);
    let mut fitted = cut.least_squares();
    cut.choose_well(&mut fitted);
    Additive {
        terms: fitted.terms,
        weights: fitted.weights,
    }
}

impl Additive {
    /// Takes in all decisions what one takes who picks by these sums.
    pub fn choose(&self, data: &mut Decisions, shape: &Shape) {
        for decision in 0..data.len() {
            let options = data.options(decision);
            let score = |option: usize| self.score(shape, |number| data.value(option, number));
            let mut best = (options.start, f64::NEG_INFINITY);
            for option in options {
                let score = score(option);
                if score > best.1 {
                    best = (option, score);
                }
            }
            data.chosen[decision] = best.0;
        }
    }

    /// The same without what it makes of a number; nothing where it does not look at it.
    ///
    /// Tables that look at it are replaced by their mean over its cells.
    pub fn without(&self, look: usize) -> Option<Additive> {
        if !self.terms.iter().any(|term| term.looks.contains(&look)) {
            return None;
        }
        let blind = |term: &Term| {
            let Some(at) = term.looks.iter().position(|own| *own == look) else {
                return term.clone();
            };
            let mut blind = term.clone();
            blind.looks.remove(at);
            let cells = blind.edges.remove(at).len() + 1;
            let others = term.heights.len() / cells;
            let mean = |other: usize| {
                let cell = |own: usize| match at {
                    0 => own * others + other,
                    _ => other * cells + own,
                };
                let sum: f64 = (0..cells).map(|own| term.heights[cell(own)]).sum();
                sum / cells as f64
            };
            blind.heights = (0..others).map(mean).collect();
            blind
        };
        Some(Additive {
            terms: self.terms.iter().map(blind).collect(),
            weights: self.weights.clone(),
        })
    }

    fn score(&self, shape: &Shape, value: impl Fn(usize) -> f32) -> f64 {
        let kind = kind_of(shape, &value);
        let base = shape.base.map_or(0.0, |base| f64::from(value(base)));
        let own = self.terms.iter().filter(|term| term.kind == kind);
        let heights = own.map(|term| {
            let looks = term.looks.iter().zip(&term.edges);
            let cell = looks.fold(0, |cell, (look, edges)| {
                cell * (edges.len() + 1) + edges.partition_point(|edge| *edge <= value(*look))
            });
            term.heights[cell]
        });
        heights.sum::<f64>() + self.weights[kind] * base
    }
}

fn kind_of(shape: &Shape, value: &impl Fn(usize) -> f32) -> usize {
    let found = shape.kinds.iter().position(|&kind| value(kind) > 0.0);
    found.unwrap_or(shape.kinds.len())
}

/// Where the steps of a number begin: between all its values if they are few, or else so that each
/// cell has about as many, where values that come up very often count less.
fn edges(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    let mut counted: Vec<(f32, f64)> = Vec::new();
    for value in values {
        match counted.last_mut() {
            Some((last, count)) if *last == value => *count += 1.0,
            _ => counted.push((value, 1.0)),
        }
    }
    // Whole numbers are told apart by whole numbers: that is read, and computed, more easily.
    let is_whole = counted.iter().all(|(value, _)| value.fract() == 0.0);
    let between = |at: usize| match is_whole {
        true => counted[at + 1].0,
        false => (counted[at].0 + counted[at + 1].0) / 2.0,
    };
    if counted.len() <= BINS {
        return (1..counted.len()).map(|at| between(at - 1)).collect();
    }
    let all: f64 = counted.iter().map(|(_, count)| count.sqrt()).sum();
    let (mut edges, mut before) = (Vec::new(), 0.0);
    for at in 0..counted.len() - 1 {
        before += counted[at].1.sqrt();
        let due = all * (edges.len() + 1) as f64 / BINS as f64;
        if before >= due && edges.len() + 1 < BINS {
            edges.push(between(at));
        }
    }
    edges
}

impl<'d> Cut<'d> {
    fn new(data: &'d Decisions, shape: &'d Shape) -> Cut<'d> {
        let options = data.worths.len();
        let step = (options / 20_000).max(1);
        let mut all_edges = vec![Vec::new(); data.width];
        let mut cells = vec![Vec::new(); data.width];
        for &look in &shape.looks {
            let some = (0..options).step_by(step);
            let found = edges(some.map(|option| data.value(option, look)).collect());
            let cell = |option| found.partition_point(|edge| *edge <= data.value(option, look));
            cells[look] = (0..options).map(|option| cell(option) as u8).collect();
            all_edges[look] = found;
        }
        let kind = |option| kind_of(shape, &|number| data.value(option, number)) as u8;
        let kind: Vec<u8> = (0..options).map(kind).collect();
        let mut of_kind = vec![Vec::new(); shape.kinds.len() + 1];
        for (option, kind) in kind.iter().enumerate() {
            of_kind[usize::from(*kind)].push(option as u32);
        }
        let base = |option| {
            shape
                .base
                .map_or(0.0, |base| f64::from(data.value(option, base)))
        };
        let playouts = data.playouts.iter();
        Cut {
            data,
            shape,
            edges: all_edges,
            cells,
            of_kind,
            kind,
            base: (0..options).map(base).collect(),
            weights: playouts.map(|&played| f64::from(played) / WHOLE).collect(),
        }
    }

    /// Takes the mean of each decision away.
    fn centre(&self, values: &mut [f64]) {
        for decision in 0..self.data.len() {
            let options = self.data.options(decision);
            let weights = &self.weights[options.clone()];
            let values = &mut values[options];
            let sum: f64 = values
                .iter()
                .zip(weights)
                .map(|(value, by)| value * by)
                .sum();
            let mean = sum / weights.iter().sum::<f64>();
            values.iter_mut().for_each(|value| *value -= mean);
        }
    }

    /// The sum of an option's heights, for each.
    fn sums(&self, fitted: &Fitted, heights: &Heights) -> Vec<f64> {
        let weighted = self.base.iter().zip(&self.kind);
        let mut sums: Vec<f64> = weighted
            .map(|(base, kind)| base * heights.1[usize::from(*kind)])
            .collect();
        for ((term, cells), heights) in fitted.terms.iter().zip(&fitted.cells).zip(&heights.0) {
            for (&option, &cell) in self.of_kind[term.kind].iter().zip(cells) {
                sums[option as usize] += heights[usize::from(cell)];
            }
        }
        sums
    }

    /// For each height, the sum of a number over the options that have it.
    fn gathered(&self, fitted: &Fitted, numbers: &[f64]) -> Heights {
        let mut weights = vec![0.0; fitted.weights.len()];
        for ((number, base), kind) in numbers.iter().zip(&self.base).zip(&self.kind) {
            weights[usize::from(*kind)] += number * base;
        }
        let terms = fitted.terms.iter().zip(&fitted.cells);
        let sums = terms.map(|(term, cells)| {
            let mut sums = vec![0.0; term.heights.len()];
            for (&option, &cell) in self.of_kind[term.kind].iter().zip(cells) {
                sums[usize::from(cell)] += numbers[option as usize];
            }
            sums
        });
        Heights(sums.collect(), weights)
    }

    fn heights(fitted: &Fitted) -> Heights {
        let terms = fitted.terms.iter();
        let heights = terms.map(|term| term.heights.clone()).collect();
        Heights(heights, fitted.weights.clone())
    }

    fn set(fitted: &mut Fitted, heights: Heights) {
        for (term, heights) in fitted.terms.iter_mut().zip(heights.0) {
            term.heights = heights;
        }
        fitted.weights = heights.1;
    }

    /// Adds a table of these numbers, flat as yet.
    fn add(&self, fitted: &mut Fitted, kind: usize, looks: Vec<usize>) {
        let edges: Vec<Vec<f32>> = looks.iter().map(|&look| self.edges[look].clone()).collect();
        let count: usize = edges.iter().map(|edges| edges.len() + 1).product();
        let cell = |&option: &u32| {
            let looks = looks.iter().zip(&edges);
            let cell = looks.fold(0, |cell, (&look, edges)| {
                cell * (edges.len() + 1) + usize::from(self.cells[look][option as usize])
            });
            cell as u16
        };
        fitted
            .cells
            .push(self.of_kind[kind].iter().map(cell).collect());
        fitted.terms.push(Term {
            kind,
            looks,
            edges,
            heights: vec![0.0; count],
        });
    }

    fn least_squares(&self) -> Fitted {
        let mut fitted = Fitted {
            terms: Vec::new(),
            cells: Vec::new(),
            weights: vec![0.0; self.of_kind.len()],
        };
        for kind in 0..self.of_kind.len() {
            if !self.of_kind[kind].is_empty() {
                self.add(&mut fitted, kind, Vec::new());
            }
        }
        let mut target: Vec<f64> = self.data.worths.iter().map(|&worth| worth.into()).collect();
        self.centre(&mut target);
        let own = fitted.terms.len();
        self.solve(&mut fitted, &target, 40);
        while fitted.terms.len() < own + self.shape.tables {
            let mut left = self.sums(&fitted, &Self::heights(&fitted));
            self.centre(&mut left);
            for ((left, target), weight) in left.iter_mut().zip(&target).zip(&self.weights) {
                *left = weight * (target - *left);
            }
            let most = own + self.shape.tables - fitted.terms.len();
            let found = self.promising(&fitted, &left, most.min(AT_A_TIME));
            if found.is_empty() {
                break;
            }
            for (kind, looks) in found {
                self.add(&mut fitted, kind, looks);
            }
            self.solve(&mut fitted, &target, 25);
        }
        self.solve(&mut fitted, &target, 100);
        fitted
    }

    /// The tables that explain most of what is left, none of which share a number.
    fn promising(&self, fitted: &Fitted, left: &[f64], most: usize) -> Vec<(usize, Vec<usize>)> {
        /// What a cell seems to explain where there is nothing to explain.
        const NOISE: f64 = 0.02;
        let mut found: Vec<(f64, usize, Vec<usize>)> = Vec::new();
        for (kind, options) in self.of_kind.iter().enumerate() {
            if options.len() < 500 {
                continue;
            }
            let varies = |look: &&usize| {
                let cells = &self.cells[**look];
                let first = cells[options[0] as usize];
                options
                    .iter()
                    .any(|&option| cells[option as usize] != first)
            };
            let looks: Vec<usize> = self.shape.looks.iter().filter(varies).copied().collect();
            for (at, &a) in looks.iter().enumerate() {
                for &b in &looks[at..] {
                    let (one, own) = (a == b, if a == b { vec![a] } else { vec![a, b] });
                    let mut terms = fitted.terms.iter();
                    if terms.any(|term| term.kind == kind && term.looks == own) {
                        continue;
                    }
                    let columns = if one { 1 } else { self.edges[b].len() + 1 };
                    let count = (self.edges[a].len() + 1) * columns;
                    let mut sums = vec![(0.0, 0.0); count];
                    let (rows, cells) = (&self.cells[a], &self.cells[b]);
                    for &option in options {
                        let option = option as usize;
                        let second = if one { 0 } else { usize::from(cells[option]) };
                        let sum = &mut sums[usize::from(rows[option]) * columns + second];
                        sum.0 += left[option];
                        sum.1 += self.weights[option];
                    }
                    let gain = sums.iter().map(|(sum, by)| sum * sum / (by + RIDGE));
                    let gain = gain.sum::<f64>() - NOISE * count as f64;
                    found.push((gain * if one { 1.0 } else { 0.8 }, kind, own));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let top = found.first().map_or(0.0, |best| best.0);
        let mut kept: Vec<(usize, Vec<usize>)> = Vec::new();
        for (gain, kind, looks) in found {
            if kept.len() == most || gain <= 0.0 || gain < 0.3 * top {
                break;
            }
            let shares = |(other, own): &(usize, Vec<usize>)| {
                *other == kind && own.iter().any(|look| looks.contains(look))
            };
            if !kept.iter().any(shares) {
                kept.push((kind, looks));
            }
        }
        kept
    }

    /// Least squares with a ridge, by conjugate gradients.
    fn solve(&self, fitted: &mut Fitted, target: &[f64], steps: usize) {
        let weighted = |values: Vec<f64>| -> Vec<f64> {
            let values = values.into_iter().zip(&self.weights);
            values.map(|(value, weight)| value * weight).collect()
        };
        let mut heights = Self::heights(fitted);
        let mut sums = self.sums(fitted, &heights);
        self.centre(&mut sums);
        let left: Vec<f64> = target.iter().zip(&sums).map(|(a, b)| a - b).collect();
        let mut rest = self.gathered(fitted, &weighted(left));
        rest.add(-RIDGE, &heights);
        let mut way = rest.clone();
        let mut length = rest.dot(&rest);
        for _ in 0..steps {
            if length < 1e-9 {
                break;
            }
            let mut sums = self.sums(fitted, &way);
            self.centre(&mut sums);
            let mut bent = self.gathered(fitted, &weighted(sums));
            bent.add(RIDGE, &way);
            let far = length / way.dot(&bent);
            heights.add(far, &way);
            rest.add(-far, &bent);
            let next = rest.dot(&rest);
            let mut turned = rest.clone();
            turned.add(next / length, &way);
            (way, length) = (turned, next);
        }
        Self::set(fitted, heights);
    }

    /// Moves all heights to where one who picks by the sums gains most (Adam: Kingma and Ba 2015).
    fn choose_well(&self, fitted: &mut Fitted) {
        let mut heights = Self::heights(fitted);
        let mut mean = self.gathered(fitted, &vec![0.0; self.kind.len()]);
        let mut square = mean.clone();
        for step in 1..=MOVES {
            let mut slope = self.sums(fitted, &heights);
            for decision in 0..self.data.len() {
                let options = self.data.options(decision);
                let worths = &self.data.worths[options.clone()];
                let slope = &mut slope[options];
                let most = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut all = 0.0;
                for sum in slope.iter_mut() {
                    *sum = ((*sum - most) / UNDECIDED).exp();
                    all += *sum;
                }
                let picked = slope.iter().zip(worths);
                let mean: f64 = picked.map(|(by, &worth)| by / all * f64::from(worth)).sum();
                for (by, &worth) in slope.iter_mut().zip(worths) {
                    *by = *by / all * (f64::from(worth) - mean - LOYALTY);
                }
            }
            for &chosen in &self.data.chosen {
                slope[chosen] += LOYALTY;
            }
            let slope = self.gathered(fitted, &slope);
            let [of_mean, of_square] = [0.9f64, 0.99].map(|keeps| 1.0 - keeps.powi(step as i32));
            let all = heights.each_mut().zip(slope.each());
            for ((height, slope), (mean, square)) in all.zip(mean.each_mut().zip(square.each_mut()))
            {
                *mean += 0.1 * (slope - *mean);
                *square += 0.01 * (slope * slope - *square);
                *height += STEP * (*mean / of_mean) / ((*square / of_square).sqrt() + 1e-4);
            }
        }
        Self::set(fitted, heights);
    }
}
