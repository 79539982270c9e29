//! After the game: luck and play, and the decisions that cost most, shown again.

use super::coach::why;
use super::paper::{Ink, Paper};
use super::progress::{self, PLAY};
use crate::cli::error::CliError;
use crate::cli::machine::Machine;
use crate::cli::terminal::{hanging, prose, story_style, views};
use carat_core::game::moments::Course;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::Discard;
use carat_core::strategy::seat_names;
use carat_core::thinking::Question;
use carat_studies::report::{self, Manifest, Report};
use carat_studies::study::advise::Adviser;
use carat_studies::study::analyse::Judged;
use carat_studies::study::kept_game::KeptGame;
use carat_studies::study::{Analyse, Played, SeatedTable, Study, TableSpec};
use fearless_simd::Level;
use std::path::Path;

/// Decisions that are shown again.
const WORST: usize = 3;

/// Reviews a finished game: each decision costs what the coach said of it; `remember` gets them.
pub fn look_back(
    kept: &KeptGame,
    adviser: &Adviser,
    remember: Option<&Path>,
) -> Result<(), CliError> {
    let table = adviser.table;
    let study = Analyse {
        record: vec![SourceText::new("", kept.to_toml()?)],
        seat: Some(kept.me),
        playouts: Some(adviser.judge.playouts),
        ..Analyse::of(TableSpec::of(&kept.table.game))
    };
    let words = "\nReviewing your decisions (Ctrl-C skips it)\n";
    Paper::default().ink(Ink::Remark, &prose(words)).print()?;
    let (manifest, Some(played)) = play(study)? else {
        return Ok(());
    };
    let report = Report::of(&played, manifest);
    let text = views(&report, "`carat analyse` shows more");
    Paper::default().add("\n").add(&text).print()?;
    let course = kept.course(table.table.as_ref(), story_style(kept.me));
    let course = course.map_err(CliError::Usage)?;
    if let Played::Analyse(of) = &played {
        let judged = &of.games[0].judged;
        worst(&course, adviser, judged)?;
        if let Some(file) = remember {
            let rows = judged.iter().filter_map(|judged| {
                let (moment, cost) = (judged.moment, judged.loss);
                let options = [course.moments[moment].options()?.chosen, judged.best];
                let cost = if cost.low > 0.0 { cost.value } else { 0.0 };
                progress::row(table, PLAY, kept, &course, moment, options, cost)
            });
            progress::add(file, &Vec::from_iter(rows))?;
        }
    }
    ending(&course, table)
}

fn ending(course: &Course, table: &SeatedTable) -> Result<(), CliError> {
    let scores = seat_names(&table.seats).into_iter().zip(&course.scores);
    let scores = scores.map(|(name, score)| format!("{name} {score}"));
    let scores = scores.collect::<Vec<_>>();
    let winner = course.end.trim_end().lines().last().unwrap_or_default();
    let unit = table.game.score_unit;
    let words = format!("\nThe end ({unit}): {}.\n{winner}\n", scores.join(", "));
    Paper::default().ink(Ink::Question, &prose(&words)).print()
}

/// Plays an analysis on all processors.
fn play(study: Analyse) -> Result<(Manifest, Option<Played>), CliError> {
    let ready = Study::Analyse(study).resolve(&Library::here())?;
    let manifest = report::manifest(&ready);
    let machine = Machine::start(Level::new(), 0, false)?;
    let played = machine.play(ready, &mut Discard, None, None)?;
    Ok((manifest, played))
}

/// Shows again the decisions that cost most.
fn worst(course: &Course, adviser: &Adviser, judged: &[Judged]) -> Result<(), CliError> {
    let mut mistakes: Vec<&Judged> = judged.iter().filter(|judged| judged.is_mistake()).collect();
    mistakes.sort_by(|a, b| b.loss.value.total_cmp(&a.loss.value));
    mistakes.truncate(WORST);
    let mut paper = Paper::default();
    if mistakes.is_empty() {
        let words = "No decision had a significant cost.\n";
        return paper.ink(Ink::Good, words).print();
    }
    for judged in mistakes {
        let moment = &course.moments[judged.moment];
        let Some(fork) = moment.fork() else {
            continue;
        };
        let options = fork.1;
        let cost = match adviser.table.seats.len() {
            1 => judged.loss.to_string(),
            _ => judged.loss.in_points().to_string(),
        };
        paper.ink(Ink::Question, &format!("Again, {}:\n", moment.at));
        paper.picture(&hanging(&options.standing)).add("\n");
        let words = format!(
            "You chose: {}. Better: {}, by {cost}.",
            options.names[options.chosen], options.names[judged.best]
        );
        let cases = adviser.cases(&Question::at(fork));
        let why = why(adviser, fork, &cases, [judged.best, options.chosen]);
        paper
            .ink(Ink::Bad, &prose(&words))
            .add(&format!("\n{why}\n"));
    }
    paper.print()
}
