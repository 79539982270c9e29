//! Bots fitted to people, from their decisions in recorded games. A person's bot is a mix of draws
//! from the posterior of a fit, so what is not known of the person is part of it.

use super::analyse::Analyse;
use super::error::{StudyError, refuse};
use super::table::TableSpec;
use carat_core::diagnostic::counted;
use carat_core::fitting::{self, Model, Sample};
use carat_core::format::Format;
use carat_core::game::Habit;
use carat_core::library::{Library, SourceText};
use carat_core::statistics::Estimate;
use carat_core::strategy::{FIT, SeatSpec, quoted};

/// The fitted habits of a person.
pub struct Fitted {
    /// The person, or the seat.
    pub name: String,
    pub decisions: usize,
    /// The number of decisions answered yes.
    pub yes: usize,
    /// The weights, in the order of the habit; without those of which no record tells.
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
        let unknown = match &habit.params[self.weights.len()..] {
            [] => String::new(),
            params => format!(". No {}: {} stay 0", habit.lacking, params.join(" and ")),
        };
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
                "Margins of error are {margin:.0} % of those of a person without records{more}{unknown}"
            ),
        ]
    }
}

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
        let tells = |(inputs, _): &Sample| {
            let none = vec![0.0; prior.len()];
            (habit.lean)(&none, inputs).1[habit.always..] != none[habit.always..]
        };
        let known = if samples.iter().any(tells) {
            prior.len()
        } else {
            habit.always
        };
        let model = Model {
            habit,
            prior: &prior[..known],
            samples: &samples,
        };
        let found = fitting::fit(&model, games, seat as u64);
        let bot = |weights: &[f64]| {
            let mut bot = average.clone();
            for (param, weight) in habit.params.iter().zip(weights) {
                bot.set(param, (weight * 1000.0).round() as f32 / 1000.0);
            }
            bot
        };
        let best = Vec::from_iter(found.weights.iter().map(|weight| weight.value));
        fitted.push(Fitted {
            name: name.map_or_else(|| format!("seat {}", seat + 1), String::clone),
            decisions: samples.len(),
            yes: samples.iter().filter(|(_, yes)| *yes).count(),
            games,
            doubt: found.doubt,
            more_games: found.more_games,
            bot: bot(&best),
            draws: found.draws.iter().map(|weights| bot(weights)).collect(),
            weights: found.weights,
        });
    }
    Ok((habit, fitted))
}
