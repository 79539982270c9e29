//! Paired differences: two tables that played the same games, compared metric by metric.
//!
//! The common luck cancels, so a difference is estimated far more precisely than its two values.
//! Everything follows from integer sums: a table compared with itself differs by exactly 0.

use super::{Product, Sums};
use crate::game::{Fraction, Layout, MetricRef, Per};
use crate::statistics::{Estimate, widening};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    pub a: f64,
    pub b: f64,
    /// Second minus first, with its paired 95 % interval.
    pub difference: Estimate,
    /// Variance of the paired difference over that from independent games: the fraction of games
    /// that pairing needs. `None` if the metric does not vary.
    pub paired_over_unpaired: Option<f64>,
}

/// Two tables of a job, each with its layout.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The baseline: the number of its table in the job, and its layout.
    pub a: (usize, &'a Layout),
    pub b: (usize, &'a Layout),
}

impl Pair<'_> {
    /// The metrics of both tables: seat by seat, then of the table.
    pub fn metrics(&self) -> impl Iterator<Item = MetricRef> {
        let other = self.b.1;
        let in_both = move |metric: &MetricRef| other.metric(*metric).is_some();
        self.a.1.metrics().filter(in_both)
    }

    /// The products needed for the difference of a metric, those of each table with itself first.
    pub fn products(&self, metric: MetricRef) -> Vec<Product> {
        let Some((a, b)) = self.fractions(metric) else {
            return Vec::new();
        };
        let mut products = Vec::new();
        let (a, b) = ((self.a.0, &a), (self.b.0, &b));
        for ((x, of_x), (y, of_y)) in [(a, a), (b, b), (a, b)] {
            for column in of_x.columns() {
                products.extend(of_y.columns().map(|other| Product {
                    a: (x, column),
                    b: (y, other),
                }));
            }
        }
        products
    }

    /// The difference of a metric from the `sums` of a job with these `products`; `None` if a
    /// divisor is 0 or a product is missing.
    pub fn difference(
        &self,
        metric: MetricRef,
        sums: &Sums,
        products: &[Product],
    ) -> Option<Difference> {
        let (a, b) = self.fractions(metric)?;
        let first = Side::new(sums, products, self.a.0, &a)?;
        let second = Side::new(sums, products, self.b.0, &b)?;
        let n = sums.games() as f64;
        let within = |side: &Side| side.covariance(side);
        let both = first.covariance(&second)?;
        let (var_a, var_b) = (within(&first)?, within(&second)?);
        let value = second.value - first.value;
        let variance = (var_a + var_b - 2.0 * both).max(0.0);
        let se = match sums.games() {
            0 | 1 => f64::INFINITY,
            _ => (variance / n).sqrt(),
        };
        let apart = var_a + var_b;
        let mut difference = Estimate::normal(value, se * widening(a.of.len().max(b.of.len())));
        let sides =
            [self.a, self.b].map(|(at, layout)| sums.tables[at].of_populations(layout, metric));
        let each = sides[0].iter().zip(&sides[1]);
        let each = each.map(|(a, b)| Some((*b)? - (*a)?));
        difference = difference.over(&each.collect::<Vec<_>>());
        if self.a.1.is_share(metric) {
            difference = difference.in_points();
        }
        Some(Difference {
            a: first.value,
            b: second.value,
            difference,
            paired_over_unpaired: (apart > 0.0).then(|| variance / apart),
        })
    }

    fn fractions(&self, metric: MetricRef) -> Option<(Fraction, Fraction)> {
        Some((self.a.1.fraction(metric)?, self.b.1.fraction(metric)?))
    }
}

/// One table's part of a difference: the metric's value, and what each game adds to its error.
struct Side<'a> {
    sums: &'a Sums,
    products: &'a [Product],
    table: usize,
    value: f64,
    /// The residual of a game: weighted columns.
    residual: Vec<(usize, f64)>,
    /// Mean of the divisor per game.
    divisor: f64,
}

impl<'a> Side<'a> {
    fn new(
        sums: &'a Sums,
        products: &'a [Product],
        table: usize,
        fraction: &Fraction,
    ) -> Option<Self> {
        let n = sums.games() as f64;
        let whole = |column: usize| sums.tables[table].columns[column].sum;
        let (of, less) = fraction.picked(whole);
        let counted = (whole(of) - less.map_or(0, whole)) as f64;
        let mut residual = vec![(of, 1.0)];
        residual.extend(less.map(|less| (less, -1.0)));
        let (divisor, value) = match fraction.per {
            Per::Games(unit) => (unit, counted / n / unit),
            Per::Outcome(column) => {
                // Computed without means, so a ratio that never varies is exact.
                let value = counted / whole(column) as f64;
                residual.push((column, -value));
                (whole(column) as f64 / n, value)
            }
        };
        (divisor != 0.0).then_some(Side {
            sums,
            products,
            table,
            value,
            residual,
            divisor,
        })
    }

    /// Sample covariance per game of the residuals of two sides, over their divisors.
    fn covariance(&self, other: &Side) -> Option<f64> {
        let n = self.sums.games() as f64;
        let mut sum = 0.0;
        for &(x, of_x) in &self.residual {
            for &(y, of_y) in &other.residual {
                sum += of_x * of_y * self.centered(x, other, y)?;
            }
        }
        Some(sum / (n - 1.0) / self.divisor / other.divisor)
    }

    /// Σ (x − mean x)(y − mean y), computed without cancellation.
    fn centered(&self, x: usize, other: &Side, y: usize) -> Option<f64> {
        let wanted = Product {
            a: (self.table, x),
            b: (other.table, y),
        };
        let at = self.products.iter().position(|known| *known == wanted);
        let products = self.sums.products[at?];
        let sum = |side: &Side, column: usize| side.sums.tables[side.table].columns[column].sum;
        let n = i128::from(self.sums.games());
        Some((n * products - sum(self, x) * sum(other, y)) as f64 / n as f64)
    }
}
