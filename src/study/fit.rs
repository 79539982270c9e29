//! Bots fitted to people, from their decisions in recorded games.
//!
//! A logistic regression with slips and a normal prior around the people that the game expects: the
//! weights with the highest posterior, found by Fisher scoring, and their errors by Laplace's
//! approximation (Bishop, *Pattern Recognition and Machine Learning*, 4.3 and 4.5).

use super::analyse::Analyse;
use super::error::{StudyError, refuse};
use super::table::TableSpec;
use carat_core::diagnostic::counted;
use carat_core::format::Format;
use carat_core::game::Habit;
use carat_core::library::{Library, SourceText};
use carat_core::statistics::Estimate;
use carat_core::strategy::{SeatSpec, quoted};

/// The fitted habits of a person.
pub struct Fitted {
    /// The person, or the seat.
    pub name: String,
    pub decisions: usize,
    /// The number of decisions answered yes.
    pub yes: usize,
    /// The weights, in the order of the habit.
    pub weights: Vec<Estimate>,
    /// The number of records with decisions.
    pub games: usize,
    /// The mean ratio of the standard errors to those without any records.
    pub doubt: f64,
    pub bot: SeatSpec,
}

/// The first line of fitted bots' files; carat replaces only such files.
pub const FILE_HEAD: &str = "# Written by carat fit";

impl Fitted {
    /// The name of a file for its bot: letters, digits, `-` and `_` of the person's name.
    pub fn file_name(&self) -> String {
        let is_other = |c: char| !c.is_alphanumeric() && c != '-';
        self.name.replace(is_other, "_") + ".toml"
    }

    pub fn file(&self, habit: &Habit) -> String {
        let [known, weights, meaning, certainty] = self.words(habit);
        let known = format!("Decides as {known}; {meaning}. {certainty}.");
        format!(
            "{FILE_HEAD}: {weights}\n{}description = {}\nmix = {{ {} = 1 }}\n",
            Format::line(),
            quoted(&known),
            quoted(&self.bot.to_string()),
        )
    }

    /// The records, the weights, their meaning in words, and their certainty.
    pub fn words(&self, habit: &Habit) -> [String; 4] {
        let weights = habit.params.iter().zip(&self.weights);
        let weights = weights.map(|(param, weight)| format!("{param} {weight}"));
        let values: Vec<f64> = self.weights.iter().map(|weight| weight.value).collect();
        let games = counted(self.games, "game");
        let margin = 100.0 * self.doubt;
        [
            format!(
                "{}: {games}, {} decisions, {} {}",
                self.name, self.decisions, habit.said, self.yes
            ),
            Vec::from_iter(weights).join(", "),
            (habit.describe)(&values),
            format!("Margins of error are {margin:.0} % of those of a person without records"),
        ]
    }
}

/// The features of a decision, and whether the answer was yes.
type Sample<'s> = (&'s [f64], bool);

/// Most steps of the search, which converges in far fewer.
const STEPS: usize = 100;

/// Fits a bot to each person at a table, whose people the records name; without names to each seat.
pub fn fit(
    table: &TableSpec,
    records: &[SourceText],
    library: &Library,
) -> Result<(&'static Habit, Vec<Fitted>), StudyError> {
    let game = table.game()?;
    let Some(habit) = game.habit else {
        refuse!("{} has no bot to fit to people; use diamant", game.title);
    };
    let study = Analyse {
        record: records.to_vec(),
        ..Analyse::of(table.clone())
    };
    let resolved = study.resolve(library)?;
    let expected = library.seats(game, &SeatSpec::of(habit.bot))?.remove(0);
    let prior = habit.params.iter().zip(habit.doubts).map(|(name, doubt)| {
        let value = expected.params().find(|(param, _)| param == name);
        (value.map_or(0.0, |(_, value)| f64::from(value)), *doubt)
    });
    let prior: Vec<(f64, f64)> = prior.collect();
    let people = &resolved.study.table.people;
    let named = people.iter().any(|name| !name.is_empty());
    let mut fitted = Vec::new();
    for seat in 0..resolved.played.seats.len() {
        let name = people.get(seat).filter(|name| !name.is_empty());
        if named && name.is_none() {
            continue;
        }
        let mut samples: Vec<Sample> = Vec::new();
        let mut games = 0;
        for (course, order) in &resolved.recorded {
            let before = samples.len();
            for moment in &course.moments {
                if let Some(options) = moment.options()
                    && order[options.seat] == seat
                {
                    samples.push((&options.habit, options.chosen == habit.yes));
                }
            }
            games += usize::from(samples.len() > before);
        }
        let weights = posterior(&samples, &prior, habit.slip);
        let mut bot = SeatSpec::of(habit.bot);
        let mut doubt = 0.0;
        for (at, weight) in weights.iter().enumerate() {
            let rounded = (weight.value * 1000.0).round() as f32 / 1000.0;
            bot.set(habit.params[at], rounded);
            doubt += weight.se / habit.doubts[at];
        }
        fitted.push(Fitted {
            name: name.map_or_else(|| format!("seat {}", seat + 1), String::clone),
            decisions: samples.len(),
            yes: samples.iter().filter(|(_, yes)| *yes).count(),
            games,
            doubt: doubt / weights.len() as f64,
            weights,
            bot,
        });
    }
    Ok((habit, fitted))
}

/// The weights with the highest posterior; `prior` is a mean and a standard deviation for each.
fn posterior(samples: &[Sample], prior: &[(f64, f64)], slip: f64) -> Vec<Estimate> {
    let mut weights: Vec<f64> = prior.iter().map(|(mean, _)| *mean).collect();
    let mut best = density(samples, prior, slip, &weights);
    for _ in 0..STEPS {
        let (gradient, information) = slopes(samples, prior, slip, &weights);
        let rows = inverted(information).into_iter();
        let step: Vec<f64> = rows.map(|row| weighed(&row, &gradient)).collect();
        // A shorter step if the whole one overshoots the maximum.
        let mut tried = (0..30).map(|halved| {
            let part = 0.5_f64.powi(halved);
            let next = weights.iter().zip(&step).map(|(w, s)| w + part * s);
            let next: Vec<f64> = next.collect();
            (density(samples, prior, slip, &next), next)
        });
        let Some((found, next)) = tried.find(|(found, _)| *found > best + 1e-12) else {
            break;
        };
        (best, weights) = (found, next);
    }
    let errors = inverted(slopes(samples, prior, slip, &weights).1);
    let estimate = |(at, weight): (usize, &f64)| Estimate::normal(*weight, errors[at][at].sqrt());
    weights.iter().enumerate().map(estimate).collect()
}

fn weighed(weights: &[f64], looked: &[f64]) -> f64 {
    let pairs = weights.iter().zip(looked);
    pairs.map(|(weight, value)| weight * value).sum()
}

/// The probability of yes under these weights, and its derivative by the weighted sum.
fn chance(weights: &[f64], looked: &[f64], slip: f64) -> (f64, f64) {
    let sure = 1.0 / (1.0 + (-weighed(weights, looked)).exp());
    let part = 1.0 - 2.0 * slip;
    (slip + part * sure, part * sure * (1.0 - sure))
}

/// The logarithm of the posterior density, up to a constant.
fn density(samples: &[Sample], prior: &[(f64, f64)], slip: f64, weights: &[f64]) -> f64 {
    let likely = samples.iter().map(|(looked, yes)| {
        let (chance, _) = chance(weights, looked, slip);
        let said = if *yes { chance } else { 1.0 - chance };
        said.ln()
    });
    let expected = weights.iter().zip(prior);
    let expected = expected.map(|(weight, (mean, doubt))| -((weight - mean) / doubt).powi(2) / 2.0);
    likely.sum::<f64>() + expected.sum::<f64>()
}

/// The gradient of the log posterior, and its expected negative second derivatives.
fn slopes(
    samples: &[Sample],
    prior: &[(f64, f64)],
    slip: f64,
    weights: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let all = weights.len();
    let mut gradient: Vec<f64> = (weights.iter().zip(prior))
        .map(|(weight, (mean, doubt))| (mean - weight) / (doubt * doubt))
        .collect();
    let mut information = vec![vec![0.0; all]; all];
    for (at, (_, doubt)) in prior.iter().enumerate() {
        information[at][at] = 1.0 / (doubt * doubt);
    }
    for (looked, yes) in samples {
        let (chance, growth) = chance(weights, looked, slip);
        let variance = chance * (1.0 - chance);
        let off = (f64::from(u8::from(*yes)) - chance) * growth / variance;
        for a in 0..all {
            gradient[a] += off * looked[a];
            for b in 0..all {
                information[a][b] += growth * growth / variance * looked[a] * looked[b];
            }
        }
    }
    (gradient, information)
}

/// The inverse of a matrix that is symmetric and positive, by elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let all = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..all).map(|column| if column == at { 1.0 } else { 0.0 }));
    }
    for at in 0..all {
        let pivot = matrix[at][at];
        let own: Vec<f64> = matrix[at].iter().map(|value| value / pivot).collect();
        for row in &mut matrix {
            let factor = row[at];
            let reduced = row.iter_mut().zip(&own);
            reduced.for_each(|(value, own)| *value -= factor * own);
        }
        matrix[at] = own;
    }
    matrix.into_iter().map(|row| row[all..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carat_core::streams;

    /// A fit recovers the weights of many simulated decisions within their intervals; without
    /// decisions it returns the prior.
    #[test]
    fn weights_are_found_again() {
        let prior = [(-5.0, 2.0), (0.35, 0.2), (0.9, 0.7)];
        const SLIP: f64 = 0.02;
        let without = posterior(&[], &prior, SLIP);
        for (found, (mean, doubt)) in without.iter().zip(prior) {
            assert!((found.value - mean).abs() < 1e-9 && (found.se - doubt).abs() < 1e-9);
        }
        let truth = [-6.0, 0.5, 0.4];
        let (mut held, mut all) = (0, 0);
        for run in 0..60 {
            let draw = |number: u64| f64::from(streams::uniform(run, number));
            let looked = (0u64..400).map(|at| {
                let [held, seen] = [25.0 * draw(3 * at), 4.0 * draw(3 * at + 1)];
                [1.0, held.floor(), seen.floor()]
            });
            let looked: Vec<[f64; 3]> = looked.collect();
            let samples = (0u64..).zip(&looked).map(|(at, looked)| {
                let (chance, _) = chance(&truth, looked, SLIP);
                (looked.as_slice(), draw(3 * at + 2) < chance)
            });
            let samples: Vec<Sample> = samples.collect();
            for (found, truth) in posterior(&samples, &prior, SLIP).iter().zip(truth) {
                held += usize::from((found.low..=found.high).contains(&truth));
                all += 1;
            }
        }
        let share = f64::from(held as u32) / f64::from(all);
        assert!((0.89..=0.99).contains(&share), "{held} of {all}");
    }
}
