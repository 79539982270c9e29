//! Paired differences: two tables that played the same games, compared figure by figure.
//!
//! The same luck on both sides cancels, so a difference is known far better than its two values.
//! Everything follows from integer sums: a table compared with itself differs by exactly 0.

use super::{Cross, Sums};
use crate::game::{Layout, Metric, Per, SCORE, WIN, WIN_UNITS};
use crate::statistics::Estimate;

/// A figure that two tables have in common.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Its name: `win_share`, `score_mean`, or that of the metric.
    pub name: &'static str,
    /// What it says, in a few words with its unit.
    pub meaning: &'static str,
    /// The seat that it is of (from 0), or the whole table.
    pub seat: Option<usize>,
    /// Whether it lies between 0 and 1.
    pub proportion: bool,
    a: Fraction,
    b: Fraction,
}

/// A figure as a fraction of columns of one table.
#[derive(Debug, Clone, Copy)]
struct Fraction {
    of: usize,
    per: PerColumn,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum PerColumn {
    Games(f64),
    Column(usize),
}

/// How a figure differs between two tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Its value at the first table.
    pub a: f64,
    /// Its value at the second.
    pub b: f64,
    /// Second less first, with its paired 95 % interval.
    pub difference: Estimate,
    /// Variance of the paired difference over that of one from separate games; the fewer games
    /// pairing needs. `None` when the figure does not vary.
    pub paired_over_unpaired: Option<f64>,
}

/// The figures that the tables of two layouts have in common: seat by seat, then of the table.
pub fn common_figures(a: &Layout, b: &Layout) -> Vec<Figure> {
    let mut figures = Vec::new();
    for seat in 0..a.seats.min(b.seats) {
        let fraction = |layout: &Layout, metric: &Metric| {
            Fraction::new(metric, &|outcome| layout.seat_column(seat, outcome))
        };
        let common = [
            Metric {
                name: "win_share",
                meaning: "share of the wins",
                of: WIN,
                per: Per::Games(f64::from(WIN_UNITS)),
                proportion: true,
            },
            Metric {
                name: "score_mean",
                meaning: "mean score",
                of: SCORE,
                per: Per::Games(1.0),
                proportion: false,
            },
        ];
        let own = a
            .seat_metrics
            .iter()
            .zip(same_metrics(&a.seat_metrics, &b.seat_metrics));
        let pairs = common.iter().map(|metric| (metric, metric));
        for (in_a, in_b) in pairs.chain(own.filter_map(|(x, y)| Some((x, y?)))) {
            figures.push(Figure {
                name: in_a.name,
                meaning: in_a.meaning,
                seat: Some(seat),
                proportion: in_a.proportion,
                a: fraction(a, in_a),
                b: fraction(b, in_b),
            });
        }
    }
    let own = a
        .table_metrics
        .iter()
        .zip(same_metrics(&a.table_metrics, &b.table_metrics));
    for (in_a, in_b) in own.filter_map(|(x, y)| Some((x, y?))) {
        figures.push(Figure {
            name: in_a.name,
            meaning: in_a.meaning,
            seat: None,
            proportion: in_a.proportion,
            a: Fraction::new(in_a, &|outcome| a.table_column(outcome)),
            b: Fraction::new(in_b, &|outcome| b.table_column(outcome)),
        });
    }
    figures
}

/// For each metric of `a`, the one of the same name in `b`.
fn same_metrics<'a>(a: &'a [Metric], b: &'a [Metric]) -> impl Iterator<Item = Option<&'a Metric>> {
    a.iter()
        .map(move |metric| b.iter().find(|other| other.name == metric.name))
}

impl Fraction {
    fn new(metric: &Metric, column: &dyn Fn(usize) -> usize) -> Self {
        let per = match metric.per {
            Per::Games(unit) => PerColumn::Games(unit),
            Per::Outcome(outcome) => PerColumn::Column(column(outcome)),
        };
        Fraction {
            of: column(metric.of),
            per,
        }
    }

    fn columns(self) -> impl Iterator<Item = usize> {
        let per = match self.per {
            PerColumn::Games(_) => None,
            PerColumn::Column(column) => Some(column),
        };
        std::iter::once(self.of).chain(per)
    }
}

impl Figure {
    /// The products that its difference between tables `a` and `b` of a job needs, and those of
    /// each table with itself.
    pub fn crosses(&self, a: usize, b: usize) -> Vec<Cross> {
        let mut crosses = Vec::new();
        let mut all = |(x, of_x): (usize, Fraction), (y, of_y): (usize, Fraction)| {
            for column in of_x.columns() {
                crosses.extend(of_y.columns().map(|other| Cross {
                    a: (x, column),
                    b: (y, other),
                }));
            }
        };
        all((a, self.a), (a, self.a));
        all((b, self.b), (b, self.b));
        all((a, self.a), (b, self.b));
        crosses
    }

    /// The difference between tables `a` and `b`; `None` when there was nothing to divide by.
    pub fn difference(
        &self,
        sums: &Sums,
        crosses: &[Cross],
        a: usize,
        b: usize,
    ) -> Option<Difference> {
        let first = Side::new(sums, crosses, a, self.a)?;
        let second = Side::new(sums, crosses, b, self.b)?;
        let n = sums.games() as f64;
        let within = |side: &Side| side.covariance(side);
        let (var_a, var_b, both) = (within(&first), within(&second), first.covariance(&second));
        let value = second.value - first.value;
        let variance = (var_a + var_b - 2.0 * both).max(0.0);
        let se = match sums.games() {
            0 | 1 => f64::INFINITY,
            _ => (variance / n).sqrt(),
        };
        let apart = var_a + var_b;
        Some(Difference {
            a: first.value,
            b: second.value,
            difference: Estimate::normal(value, se),
            paired_over_unpaired: (apart > 0.0).then(|| variance / apart),
        })
    }
}

/// One table's part in a difference: the figure's value, and what each game adds to its error.
struct Side<'a> {
    sums: &'a Sums,
    crosses: &'a [Cross],
    table: usize,
    fraction: Fraction,
    value: f64,
    /// Mean of the divisor a game.
    divisor: f64,
}

impl<'a> Side<'a> {
    fn new(sums: &'a Sums, crosses: &'a [Cross], table: usize, fraction: Fraction) -> Option<Self> {
        let n = sums.games() as f64;
        let sum = |column: usize| sums.tables[table].columns[column].sum as f64;
        let (divisor, value) = match fraction.per {
            PerColumn::Games(unit) => (unit, sum(fraction.of) / n / unit),
            // Not by way of means, so that a ratio that never varies is exact.
            PerColumn::Column(column) => (sum(column) / n, sum(fraction.of) / sum(column)),
        };
        (divisor > 0.0).then_some(Side {
            sums,
            crosses,
            table,
            fraction,
            value,
            divisor,
        })
    }

    /// Sample covariance a game of the residuals `x − value·d` of two sides, over their divisors.
    fn covariance(&self, other: &Side) -> f64 {
        let n = self.sums.games() as f64;
        let total = |x: usize, y: usize| self.centered(x, other, y);
        let (x, y) = (self.fraction.of, other.fraction.of);
        let mut sum = total(x, y);
        if let PerColumn::Column(d) = other.fraction.per {
            sum -= other.value * total(x, d);
        }
        if let PerColumn::Column(d) = self.fraction.per {
            sum -= self.value * total(d, y);
            if let PerColumn::Column(e) = other.fraction.per {
                sum += self.value * other.value * total(d, e);
            }
        }
        sum / (n - 1.0) / self.divisor / other.divisor
    }

    /// Σ (x − mean x)(y − mean y), computed without cancellation.
    fn centered(&self, x: usize, other: &Side, y: usize) -> f64 {
        let cross = Cross {
            a: (self.table, x),
            b: (other.table, y),
        };
        let at = self.crosses.iter().position(|known| *known == cross);
        let products = at.map_or(0, |at| self.sums.crosses[at]);
        let sum = |side: &Side, column: usize| side.sums.tables[side.table].columns[column].sum;
        let n = i128::from(self.sums.games());
        (n * products - sum(self, x) * sum(other, y)) as f64 / n as f64
    }
}
