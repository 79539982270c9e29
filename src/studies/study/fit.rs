//! Bots fitted to people, from their decisions in recorded games.
//!
//! A logistic regression with slips and a normal prior around the people that the game expects: the
//! weights with the highest posterior, found by Fisher scoring, and their errors by Laplace's
//! approximation (Bishop, *Pattern Recognition and Machine Learning*, 4.3 and 4.5). A person's bot
//! is a mix of draws from this posterior, so what is not known of the person is part of it.

use super::analyse::Analyse;
use super::error::{StudyError, refuse};
use super::table::TableSpec;
use carat_core::diagnostic::counted;
use carat_core::format::Format;
use carat_core::game::Habit;
use carat_core::library::{Library, SourceText};
use carat_core::statistics::{Estimate, standard_normal};
use carat_core::strategy::{FIT, SeatSpec, quoted};
use carat_core::streams;

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
    /// About the number of further games that halve it, if it is known.
    pub more_games: Option<usize>,
    pub bot: SeatSpec,
    /// Bots with weights drawn from the posterior.
    pub draws: Vec<SeatSpec>,
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
        let mut file = format!(
            "{FILE_HEAD}: {weights}\n{}description = {}\nmade_for = {{ by = {} }}\n\n\
             # Each draw is a person who may have decided so.\n[mix]\n",
            Format::line(),
            quoted(&known),
            quoted(FIT),
        );
        for (at, draw) in self.draws.iter().enumerate() {
            if !self.draws[..at].contains(draw) {
                let weight = self.draws.iter().filter(|other| *other == draw).count();
                file += &format!("{} = {weight}\n", quoted(&draw.to_string()));
            }
        }
        file
    }

    /// The records, the weights, their meaning in words, and their certainty.
    pub fn words(&self, habit: &Habit) -> [String; 4] {
        let weights = habit.params.iter().zip(&self.weights);
        let weights = weights.map(|(param, weight)| format!("{param} {weight}"));
        let values: Vec<f64> = self.weights.iter().map(|weight| weight.value).collect();
        let games = counted(self.games, "game");
        let margin = 100.0 * self.doubt;
        let more = self.more_games.map_or(String::new(), |more| {
            format!("; about {} more halve them", counted(more, "game"))
        });
        [
            format!(
                "{}: {games}, {} decisions, {} {}",
                self.name, self.decisions, habit.said, self.yes
            ),
            Vec::from_iter(weights).join(", "),
            (habit.describe)(&values),
            format!(
                "Margins of error are {margin:.0} % of those of a person without records{more}"
            ),
        ]
    }
}

/// The inputs of a decision, and whether the answer was yes.
type Sample<'s> = (&'s [f64], bool);

/// Most steps of the search, which converges in far fewer.
const STEPS: usize = 100;
/// Draws from the posterior of a person, and their seed.
const DRAWS: usize = 16;
const SEED: u64 = 1;
/// Steps of a sequence of evenly spread points in several dimensions (Roberts 2018).
const SPREAD: f64 = 1.167_303_978_261_418_7;
/// Most further games that are counted.
const MORE_MAX: usize = 1000;

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
    let average = SeatSpec::one(habit.bot).map_err(|error| error.to_string())?;
    let expected = library.seats(game, &average)?.remove(0);
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
        let model = Model {
            habit,
            prior: &prior,
            samples: &samples,
        };
        let weights = model.likeliest();
        let covariance = inverted(model.slopes(&weights, 1.0).1);
        let doubt = model.doubt(&weights, 1.0);
        let more_games = (1..MORE_MAX).find(|more| {
            let part = 1.0 + *more as f64 / games as f64;
            games > 0 && model.doubt(&weights, part) <= doubt / 2.0
        });
        let estimate =
            |(at, weight): (usize, &f64)| Estimate::normal(*weight, covariance[at][at].sqrt());
        fitted.push(Fitted {
            name: name.map_or_else(|| format!("seat {}", seat + 1), String::clone),
            decisions: samples.len(),
            yes: samples.iter().filter(|(_, yes)| *yes).count(),
            games,
            doubt,
            more_games,
            weights: weights.iter().enumerate().map(estimate).collect(),
            bot: model.bot(&average, &weights),
            draws: model.draws(&average, &weights, &covariance, seat),
        });
    }
    Ok((habit, fitted))
}

/// What a person decided, and what is expected of people: for each weight a mean and a standard
/// deviation.
struct Model<'m> {
    habit: &'m Habit,
    prior: &'m [(f64, f64)],
    samples: &'m [Sample<'m>],
}

impl Model<'_> {
    /// The weights with the highest posterior.
    fn likeliest(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = self.prior.iter().map(|(mean, _)| *mean).collect();
        let mut best = self.density(&weights);
        for _ in 0..STEPS {
            let (gradient, information) = self.slopes(&weights, 1.0);
            let rows = inverted(information).into_iter();
            let step: Vec<f64> = rows.map(|row| weighed(&row, &gradient)).collect();
            // A shorter step if the whole one overshoots the maximum.
            let mut tried = (0..30).map(|halved| {
                let part = 0.5_f64.powi(halved);
                let next = weights.iter().zip(&step).map(|(w, s)| w + part * s);
                let next = self.possible(next.collect());
                (self.density(&next), next)
            });
            let Some((found, next)) = tried.find(|(found, _)| *found > best + 1e-12) else {
                break;
            };
            (best, weights) = (found, next);
        }
        weights
    }

    /// Weights that are at least the least of the habit.
    fn possible(&self, weights: Vec<f64>) -> Vec<f64> {
        let least = self.habit.least.iter().zip(weights);
        least.map(|(least, weight)| weight.max(*least)).collect()
    }

    /// The probability of yes under these weights, and its derivatives by the weights.
    fn chance(&self, weights: &[f64], inputs: &[f64]) -> (f64, Vec<f64>) {
        let (lean, mut slopes) = (self.habit.lean)(weights, inputs);
        let sure = 1.0 / (1.0 + (-lean).exp());
        let part = 1.0 - 2.0 * self.habit.slip;
        let growth = part * sure * (1.0 - sure);
        slopes.iter_mut().for_each(|slope| *slope *= growth);
        (self.habit.slip + part * sure, slopes)
    }

    /// The logarithm of the posterior density, up to a constant.
    fn density(&self, weights: &[f64]) -> f64 {
        let likely = self.samples.iter().map(|(inputs, yes)| {
            let (chance, _) = self.chance(weights, inputs);
            let said = if *yes { chance } else { 1.0 - chance };
            said.ln()
        });
        let expected = weights.iter().zip(self.prior);
        let expected =
            expected.map(|(weight, (mean, doubt))| -((weight - mean) / doubt).powi(2) / 2.0);
        likely.sum::<f64>() + expected.sum::<f64>()
    }

    /// The gradient of the log posterior, and its expected negative second derivatives, if there
    /// were `part` times as many decisions.
    fn slopes(&self, weights: &[f64], part: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let all = weights.len();
        let mut gradient: Vec<f64> = (weights.iter().zip(self.prior))
            .map(|(weight, (mean, doubt))| (mean - weight) / (doubt * doubt))
            .collect();
        let mut information = vec![vec![0.0; all]; all];
        for (at, (_, doubt)) in self.prior.iter().enumerate() {
            information[at][at] = 1.0 / (doubt * doubt);
        }
        for (inputs, yes) in self.samples {
            let (chance, slopes) = self.chance(weights, inputs);
            let by_variance = part / (chance * (1.0 - chance));
            let off = (f64::from(u8::from(*yes)) - chance) * by_variance;
            for a in 0..all {
                gradient[a] += off * slopes[a];
                for b in 0..all {
                    information[a][b] += by_variance * slopes[a] * slopes[b];
                }
            }
        }
        (gradient, information)
    }

    /// The mean ratio of the standard errors to those without any decision, if there were `part`
    /// times as many.
    fn doubt(&self, weights: &[f64], part: f64) -> f64 {
        let covariance = inverted(self.slopes(weights, part).1);
        let ratios = (self.prior.iter().enumerate())
            .map(|(at, (_, doubt))| covariance[at][at].sqrt() / doubt);
        ratios.sum::<f64>() / weights.len() as f64
    }

    fn bot(&self, average: &SeatSpec, weights: &[f64]) -> SeatSpec {
        let mut bot = average.clone();
        for (param, weight) in self.habit.params.iter().zip(weights) {
            bot.set(param, (weight * 1000.0).round() as f32 / 1000.0);
        }
        bot
    }

    /// Draws from the normal distribution around these weights, evenly spread, in a random order.
    fn draws(
        &self,
        average: &SeatSpec,
        weights: &[f64],
        covariance: &[Vec<f64>],
        seat: usize,
    ) -> Vec<SeatSpec> {
        let root = root_of(covariance);
        let key = streams::game_key(SEED, seat as u64);
        let random = |number: usize| f64::from(streams::uniform(key, number as u64));
        let mut draws = Vec::new();
        for draw in 0..DRAWS {
            let mut normal = Vec::new();
            for at in 0..weights.len() {
                let step = draw as f64 / SPREAD.powi(at as i32 + 1);
                let share = (random(at) + step).fract();
                normal.push(standard_normal(share.clamp(0.001, 0.999)));
            }
            let off = root.iter().map(|row| weighed(row, &normal));
            let drawn = weights.iter().zip(off).map(|(weight, off)| weight + off);
            let drawn = self.possible(drawn.collect());
            draws.push((random(weights.len() + draw), self.bot(average, &drawn)));
        }
        draws.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        draws.into_iter().map(|(_, bot)| bot).collect()
    }
}

fn weighed(weights: &[f64], looked: &[f64]) -> f64 {
    let pairs = weights.iter().zip(looked);
    pairs.map(|(weight, value)| weight * value).sum()
}

/// The lower triangular root of a matrix that is symmetric and positive (Cholesky).
fn root_of(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let all = matrix.len();
    let mut root = vec![vec![0.0; all]; all];
    for row in 0..all {
        for column in 0..=row {
            let rest = matrix[row][column] - weighed(&root[row][..column], &root[column][..column]);
            root[row][column] = if column == row {
                rest.max(0.0).sqrt()
            } else {
                rest / root[column][column]
            };
        }
    }
    root
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
#[path = "../../../tests/unit/studies/study/fit.rs"]
mod tests;
