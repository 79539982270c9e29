//! The populations that adapt to the tables of questions: made once, for all threads.

use super::tables::{Asked, STEPS, results, step};
use super::{Desk, Fault, Say, fields, in_table, resolve, stopped};
use crate::populations::make_populations;
use crate::study::{Adapt, Played, Study, TableSpec, names};
use carat_core::library::{ADAPTED, SourceText};
use carat_core::simulation::{Discard, Listener, Precision, lock};
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use web_time::Instant;

/// Between two reports of progress.
const OFTEN: Duration = Duration::from_millis(100);

/// The populations adapted so far.
#[derive(Default)]
pub struct Populations {
    /// Those of tables that have all of theirs.
    whole: Vec<SourceText>,
    /// Each by the study that made it, so that who asks again goes on.
    each: Vec<(Adapt, SourceText)>,
}

/// Says how far a population is.
struct Adapting<'a, 'b> {
    say: &'a mut Say<'b>,
    played: &'a AtomicU64,
    planned: u64,
    /// The populations before it, and all.
    number: (usize, usize),
    last: Instant,
}

impl Listener for Adapting<'_, '_> {
    fn planned(&mut self, games: u64) {
        self.planned = games;
    }

    fn checkpoint(&mut self, _precision: Option<Precision>) {
        if self.last.elapsed() >= OFTEN {
            self.last = Instant::now();
            let played = self.played.load(Ordering::Relaxed);
            let share = played as f64 / self.planned.max(played).max(1) as f64;
            let (before, all) = self.number;
            let share = (before as f64 + share) / all as f64;
            (self.say)(fields(json!({ "adapting": share })));
        }
    }
}

impl Desk {
    /// Makes the texts of the question, and the populations of all threads, known here.
    pub fn share_populations(&mut self) {
        let known = lock(&self.populations);
        self.library.strategies = [&self.texts[..], &known.whole[..]].concat();
    }

    /// Makes the populations that a study of a table needs, and saves them for all threads. After
    /// each but the last, a simulation is shown with those so far.
    pub fn adapt(
        &mut self,
        asked: &mut Asked,
        table: &TableSpec,
        study: &Study,
    ) -> Result<(), Fault> {
        self.share_populations();
        if !names(study, ADAPTED).map_err(in_table)? {
            return Ok(());
        }
        let mut library = self.library.clone();
        let before = library.strategies.len();
        let all = make_populations(study, &mut library, |adapt, number, library| {
            self.library.strategies.clone_from(&library.strategies);
            if asked.is_shown && number.0 > 0 {
                self.show_some(asked, table, number)?;
            }
            let known = lock(&self.populations).each.clone();
            let known = known.into_iter().find(|(study, _)| study == adapt);
            known.map_or_else(
                || self.adapt_one(asked, adapt, number),
                |(_, text)| Ok(Some(text)),
            )
        })?;
        if !all {
            return Err(stopped());
        }
        let made = library.strategies.drain(before..);
        lock(&self.populations).whole.extend(made);
        self.share_populations();
        Ok(())
    }

    /// Shows a first simulation in which only these of all populations play.
    fn show_some(
        &self,
        asked: &mut Asked,
        table: &TableSpec,
        of_all: (usize, usize),
    ) -> Result<(), Fault> {
        let seated = resolve(table, &self.library)?;
        let games = step(&seated, STEPS[0]).min(asked.games.unwrap_or(u64::MAX));
        let report = self.play(&asked.study(table, games), asked.stop)?;
        let mut answer = results(&report, asked.width, &asked.reach);
        answer.extend(fields(json!({
            "games": games, "done": false, "warnings": seated.said(), "populations": of_all,
        })));
        (asked.say)(answer);
        Ok(())
    }

    /// Makes a population, of which there are some before and so many in all; `None` if it was
    /// stopped.
    fn adapt_one(
        &self,
        asked: &mut Asked,
        adapt: &Adapt,
        number: (usize, usize),
    ) -> Result<Option<SourceText>, Fault> {
        let ready = Study::Adapt(adapt.clone()).resolve(&self.library);
        let (played, mut discard) = (AtomicU64::new(0), Discard);
        let mut listener = Adapting {
            say: &mut asked.say,
            played: &played,
            planned: 0,
            number,
            last: Instant::now(),
        };
        let mut player = self.player((asked.stop, &played), &mut listener, &mut discard);
        let played = ready?.play(&mut player).map_err(in_table)?;
        let Some(Played::Adapt(played)) = played else {
            return Ok(None);
        };
        let text = played.first();
        let mut all = lock(&self.populations);
        all.each.push((adapt.clone(), text.clone()));
        Ok(Some(text))
    }
}
