//! Measures: metrics that a study defines, computed from what a table records of each game.
//!
//! A measure adds a column to the table, or two columns for a ratio of means. If its formula
//! divides only by numbers, its values are whole multiples of a fraction of 1, and sums are exact.

use super::counts::CountTable;
use super::metric::intern;
use super::{Count, Layout, Metric, Of, Per, Record, SCORE, Scope, WIN, WIN_UNITS};
use crate::formula::{Exact, Formula, Kind, Vocabulary, common_units, is_name};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Units per 1 if a value may be any number; values are rounded to them.
const ROUNDED: u64 = 10_000;
/// Largest absolute value of a measure in its units: sums of squares over a chunk stay exact.
const VALUE_MAX: f64 = 33_554_432.0;
/// Where values are rounded, the least that the largest of them may be, in units: rounding changes
/// it by at most 5 %.
const LARGEST_MIN: u32 = 10;

/// The measure that every game defines: how long a game takes. A study has it if it names it.
pub const PLAYING_MINUTES: &str = "playing_minutes";
const GUESS: &str = "playing minutes (guess): minutes a game takes, from the seconds in [minutes] \
                     of the rules, which are guesses";

#[derive(Debug, Clone)]
pub struct Measure {
    pub name: &'static str,
    formula: Exact,
    /// The inputs of the formula, by parameter number.
    inputs: Vec<(usize, Input)>,
    /// Number of parameters that the formula may use.
    params: usize,
    /// Units per 1 of its values.
    pub(super) units: u64,
    /// Whether values are rounded to units.
    is_rounded: bool,
    /// The largest absolute value of a game so far in units, rounded up; `u32::MAX` above
    /// [`VALUE_MAX`].
    largest: Arc<AtomicU32>,
    /// The count table of the games in which a quotient is divided by 0; its value is then 0.
    undefined: Option<usize>,
}

/// Columns that stand beside those of metrics, and rows beside theirs, in tables of results.
const COLUMNS: [&str; 7] = [
    "game", "games", "heat", "is_best", "outside", "survived", "values",
];

/// What the columns of a metric's error and interval add to its name.
const ERRORS: [&str; 3] = ["_se", "_low", "_high"];

/// What a name in a measure stands for.
#[derive(Debug, Clone, Copy)]
enum Input {
    Players,
    /// A number of the rules.
    Rules(i32),
    Column(usize),
    /// Number of an earlier measure.
    Measure(usize),
    /// An outcome's maximum over seats; likewise its minimum and its sum.
    Most(usize),
    Least(usize),
    All(usize),
    /// Rank by score, from 1; seats with equal scores share a rank.
    Place(usize),
}

/// The formulas of `mean(…) / mean(…)`.
fn ratio_of_means(text: &str) -> Option<(&str, &str)> {
    let (dividend, rest) = in_mean(text)?;
    let (divisor, rest) = in_mean(rest.trim_start().strip_prefix('/')?)?;
    rest.trim().is_empty().then_some((dividend, divisor))
}

/// The formula in `mean(…)` at the start of a text, and what follows.
fn in_mean(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start().strip_prefix("mean")?;
    let inner = inner.trim_start().strip_prefix('(')?;
    let mut open = 1;
    let end = inner.find(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open == 0
    })?;
    Some((&inner[..end], &inner[end + 1..]))
}

fn of_table(count: &Count) -> String {
    let name = count.name.to_lowercase();
    name.strip_prefix("table_").unwrap_or(&name).to_string()
}

/// The inputs available to a measure, in the order of its parameters.
fn inputs(layout: &Layout) -> Vec<(String, Input)> {
    let mut inputs = vec![("players".to_string(), Input::Players)];
    for (outcome, count) in layout.table_counts.iter().enumerate() {
        inputs.push((of_table(count), Input::Column(layout.table_column(outcome))));
    }
    for (name, _, value) in &layout.rules_numbers {
        inputs.push((name.clone(), Input::Rules(*value)));
    }
    let own = layout.seat_counts.iter();
    let own = own.map(|count| count.name.to_lowercase());
    let names = ["win".to_string(), "score".to_string()];
    for (outcome, name) in names.into_iter().chain(own).enumerate() {
        inputs.push((format!("most_{name}"), Input::Most(outcome)));
        inputs.push((format!("least_{name}"), Input::Least(outcome)));
        inputs.push((format!("all_{name}"), Input::All(outcome)));
        for seat in 0..layout.seats {
            let column = Input::Column(layout.seat_column(seat, outcome));
            inputs.push((format!("{name}_{}", seat + 1), column));
        }
    }
    for seat in 0..layout.seats {
        inputs.push((format!("place_{}", seat + 1), Input::Place(seat)));
    }
    for (at, measure) in layout.measures.iter().enumerate() {
        inputs.push((measure.name.to_string(), Input::Measure(at)));
    }
    inputs
}

impl Input {
    /// Units per 1 of this input.
    fn units(self, layout: &Layout) -> u64 {
        let outcome = match self {
            Input::Measure(at) => return layout.measures[at].units,
            Input::Most(outcome) | Input::Least(outcome) | Input::All(outcome) => outcome,
            Input::Column(column) if column < layout.table_column(0) => {
                column % layout.seat_outcomes
            }
            _ => SCORE,
        };
        if outcome == WIN { WIN_UNITS as u64 } else { 1 }
    }

    fn of(self, layout: &Layout, record: &Record, game: usize) -> f64 {
        let of_seats = |outcome: usize| {
            let column = move |seat| layout.seat_column(seat, outcome);
            (0..layout.seats).map(move |seat| record.column(column(seat))[game])
        };
        let found = match self {
            Input::Players => layout.seats as i32,
            Input::Rules(number) => number,
            Input::Column(column) => record.column(column)[game],
            Input::Measure(at) => record.column(layout.measure_column(at))[game],
            Input::Most(outcome) => of_seats(outcome).max().unwrap_or(0),
            Input::Least(outcome) => of_seats(outcome).min().unwrap_or(0),
            Input::All(outcome) => of_seats(outcome).sum(),
            Input::Place(seat) => {
                let own = record.column(layout.seat_column(seat, SCORE))[game];
                1 + of_seats(SCORE).filter(|score| *score > own).count() as i32
            }
        };
        f64::from(found) / self.units(layout) as f64
    }
}

impl Layout {
    /// Makes numbers of the rules known to measures by their paths, with `_` for dots; where a
    /// count has that name, with `rules_` in front.
    pub fn add_rules_numbers(&mut self, numbers: Vec<(String, i32)>) {
        for (path, value) in numbers {
            let mut name = path.replace('.', "_").to_lowercase();
            if inputs(self).iter().any(|(known, _)| *known == name) {
                name = format!("rules_{name}");
            }
            let is_taken = inputs(self).iter().any(|(known, _)| *known == name);
            if is_name(&name) && !is_taken {
                self.rules_numbers.push((name, path, value));
            }
        }
    }

    /// What measures may use: name, meaning and range. `SEAT` stands for the number of a seat.
    pub fn counts_of_games(&self) -> Vec<[String; 3]> {
        let row = |name: &str, meaning: &str, range: &str| {
            let range = if range.is_empty() { "0 or more" } else { range };
            [
                name.to_lowercase(),
                meaning.trim().to_string(),
                range.to_string(),
            ]
        };
        let mut rows = vec![row(
            "players",
            "players at the table",
            &self.seats.to_string(),
        )];
        for count in &self.table_counts {
            rows.push(row(&of_table(count), count.meaning, count.range));
        }
        let most = format!("0 to {}", self.score_max);
        let seat = |name: &str, meaning: &str, range: &str| {
            let [name, meaning, range] = row(name, meaning, range);
            [format!("{name}_SEAT"), meaning, range]
        };
        rows.push(seat("win", "the win; a win shared by n is 1/n", "0 to 1"));
        rows.push(seat("score", "the final score", &most));
        for count in self.seat_counts {
            rows.push(seat(count.name, count.meaning, count.range));
        }
        let ranks = format!("1 to {}", self.seats);
        rows.push(seat(
            "place",
            "rank by score; equal scores share a rank",
            &ranks,
        ));
        for (name, path, value) in &self.rules_numbers {
            rows.push(row(name, &format!("rules.{path}"), &value.to_string()));
        }
        rows
    }

    /// Adds a measure: a number of each game (the metric is its mean), a condition (the metric is
    /// the share of games in which it holds), or the ratio of two means, `mean(…) / mean(…)`. A
    /// measure may use earlier ones that are no ratios.
    ///
    /// # Errors
    ///
    /// In words, if the name is taken or the text is not a formula over recorded quantities.
    pub fn define(&mut self, name: &str, text: &str) -> Result<(), String> {
        // A number of the rules gives way to a measure of its name.
        self.rules_numbers.retain(|(known, ..)| known != name);
        self.check_name(name)?;
        let outcome = self.table_outcomes;
        let (mut per, mut proportion) = (Per::Outcome(outcome + 1), false);
        if let Some(formulas) = ratio_of_means(text) {
            let names = ["dividend", "divisor"].map(|of| format!("{name}_{of}"));
            names.iter().try_for_each(|own| self.check_name(own))?;
            let (mut dividend, _) = self.read_measure(&names[0], formulas.0)?;
            let (mut divisor, _) = self.read_measure(&names[1], formulas.1)?;
            let units = common_units(dividend.units, divisor.units).unwrap_or(ROUNDED);
            for column in [&mut dividend, &mut divisor] {
                column.is_rounded |= !units.is_multiple_of(column.units);
                column.units = units;
            }
            self.add_measure(dividend);
            self.add_measure(divisor);
        } else {
            let (measure, is_truth) = self.read_measure(name, text)?;
            (per, proportion) = (Per::Games(measure.units as f64), is_truth);
            self.add_measure(measure);
        }
        let name = intern(name);
        self.table_metrics.push(Metric {
            name,
            meaning: if name == PLAYING_MINUTES { GUESS } else { name },
            of: Of::Outcome(outcome),
            per,
            proportion,
            is_key: name == PLAYING_MINUTES,
        });
        Ok(())
    }

    /// Checks the name of a column of a measure.
    fn check_name(&self, name: &str) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("measure `{name}`: {why}"));
        let mut metrics = self.table_metrics.iter().chain(&self.seat_metrics);
        if !is_name(name) {
            return wrong(
                "not a valid name; use letters, digits and _, but no keyword of formulas",
            );
        }
        let is_count = inputs(self).iter().any(|(known, _)| known == name);
        if is_count || metrics.clone().any(|metric| metric.name == name) {
            return wrong("a count or metric has this name; choose another");
        }
        let is_beside = metrics.any(|metric| {
            ERRORS.iter().any(|end| {
                name.strip_suffix(end) == Some(metric.name)
                    || metric.name.strip_suffix(end) == Some(name)
            })
        });
        if is_beside || COLUMNS.contains(&name) {
            return wrong("a column of tables has this name; choose another");
        }
        Ok(())
    }

    /// The column `name` that this formula gives, and whether it is a condition.
    fn read_measure(&self, name: &str, text: &str) -> Result<(Measure, bool), String> {
        if text.replace(' ', "").contains("mean(") {
            return Err(format!(
                "measure `{name}`: `mean` stands only in `mean(FORMULA) / mean(FORMULA)`, with \
                 nothing around it and no `mean` inside"
            ));
        }
        let inputs = inputs(self);
        let params: Vec<&str> = inputs.iter().map(|(name, _)| name.as_str()).collect();
        let parse = |answer| {
            let vocabulary = Vocabulary {
                question: "measure",
                answer,
                features: &[],
            };
            Formula::parse(text, &params, &vocabulary)
        };
        let truth = parse(Kind::Truth);
        let is_truth = truth.is_ok();
        let formula = truth.or_else(|_| parse(Kind::Number));
        let key = format!("measures.{name}");
        let formula =
            formula.map_err(|fault| format!("measure `{name}`: {}", fault.in_file(&key, text)))?;
        let formula = Exact::of(&formula);
        let of: Vec<u64> = inputs.iter().map(|(_, input)| input.units(self)).collect();
        let exact = formula.units(&of);
        let inputs = inputs.into_iter().map(|(_, input)| input).enumerate();
        let measure = Measure {
            name: intern(name),
            inputs: inputs.filter(|(param, _)| formula.uses(*param)).collect(),
            formula,
            params: of.len(),
            units: exact.unwrap_or(ROUNDED),
            is_rounded: exact.is_none(),
            largest: Arc::default(),
            undefined: None,
        };
        Ok((measure, is_truth))
    }

    fn add_measure(&mut self, mut measure: Measure) {
        if measure.formula.divisor().is_some() {
            measure.undefined = Some(self.counts.len());
            self.counts.extend(CountTable::list([(0, 1, 1)]));
        }
        self.table_outcomes += 1;
        self.measures.push(measure);
    }

    /// The measures that are quotients, each with the place of its games of a division by 0 among
    /// all counts.
    pub fn quotients(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let measures = self.measures.iter();
        measures.filter_map(|of| Some((of.name, self.count(of.undefined?, 0, 0))))
    }

    /// The numbers of the measures whose metrics are means of numbers, with these metrics and the
    /// units per 1.
    pub fn numeric_measures(&self) -> impl Iterator<Item = (usize, &Metric, f64)> {
        let measures = self.measures.iter().enumerate();
        measures.filter_map(|(at, measure)| {
            let metric = self.metric_of(Scope::Table, measure.name)?;
            (!metric.proportion).then_some((at, metric, measure.units as f64))
        })
    }

    pub fn measure_column(&self, measure: usize) -> usize {
        self.table_column(self.table_outcomes - self.measures.len() + measure)
    }

    /// Computes the measures of the games of a record.
    pub fn measure(&self, record: &mut Record) {
        let (mut values, mut room) = (Vec::new(), Vec::new());
        for (at, measure) in self.measures.iter().enumerate() {
            values.resize(measure.params, 0.0);
            let mut largest = 0;
            for game in 0..record.games() {
                for (param, input) in &measure.inputs {
                    values[*param] = input.of(self, record, game);
                }
                let value = measure.formula.compute(&values, &mut room) * measure.units as f64;
                let is_right = value.abs() <= VALUE_MAX;
                largest = largest.max(if is_right {
                    value.abs().ceil() as u32
                } else {
                    u32::MAX
                });
                record.set(self.measure_column(at), game, value.round() as i32);
                if let Some(divisor) = measure.formula.divisor()
                    && room[divisor] == 0.0
                    && let Some(table) = measure.undefined
                {
                    record.counts[self.count(table, 0, 0)] += 1;
                }
            }
            measure.largest.fetch_max(largest, Ordering::Relaxed);
        }
    }

    /// The error if a value of a measure was too large for exact sums, or if all were too small to
    /// be rounded.
    pub fn unfit_measure(&self) -> Option<String> {
        self.measures.iter().find_map(|measure| {
            let Measure { name, units, .. } = measure;
            match measure.largest.load(Ordering::Relaxed) {
                u32::MAX => Some(format!(
                    "measure `{name}`: its value exceeds {} in a game; divide it by a number",
                    VALUE_MAX / *units as f64
                )),
                1..LARGEST_MIN if measure.is_rounded => Some(format!(
                    "measure `{name}`: its values are rounded to {} in each game, and none reaches \
                     {}; multiply it by a number",
                    1.0 / *units as f64,
                    f64::from(LARGEST_MIN) / *units as f64
                )),
                _ => None,
            }
        })
    }
}
