//! After the game: luck and play, and the decisions that cost most, shown again.

use super::paper::{Ink, Paper};
use super::{PLAYOUTS_MIN, story_style};
use crate::cli::error::CliError;
use crate::cli::machine::Machine;
use crate::cli::terminal::{hanging, prose, views};
use crate::results::{self, Manifest, Report};
use crate::study::analyse::Judged;
use crate::study::kept_game::KeptGame;
use crate::study::{Analyse, Played, SeatedTable, Study, TableSpec};
use carat_core::game::moments::Course;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::Discard;
use carat_core::strategy::seat_names;
use fearless_simd::Level;
use indicatif::HumanDuration;
use std::time::{Duration, Instant};

/// The part of the playouts of a hint that each moment gets.
const LOOK_BACK: u64 = 4;
/// Decisions that are shown again.
const WORST: usize = 3;

/// The part of the playouts of a first look, which measures how long all take.
const FIRST_LOOK: u64 = 8;
/// The longest review by default.
const LONGEST: Duration = Duration::from_secs(50);

/// Reviews a finished game, by default within a minute.
pub fn look_back(
    kept: &KeptGame,
    table: &SeatedTable,
    playouts: u64,
    is_asked: bool,
) -> Result<(), CliError> {
    let mut study = Analyse {
        record: vec![SourceText::new("", kept.to_toml()?)],
        seat: Some(kept.me),
        ..Analyse::of(TableSpec::of(&kept.table.game))
    };
    let mut wanted = (playouts / LOOK_BACK).max(PLAYOUTS_MIN);
    let first = (wanted / FIRST_LOOK).max(PLAYOUTS_MIN);
    study.playouts = Some(first);
    let start = Instant::now();
    let (_, played) = play(study.clone(), true)?;
    if played.is_none() {
        return Ok(());
    }
    let each = start.elapsed() / u32::try_from(first).unwrap_or(u32::MAX);
    if !is_asked {
        let most = LONGEST.as_nanos() / each.as_nanos().max(1);
        wanted = wanted.min(most as u64).max(PLAYOUTS_MIN);
    }
    let time = each.saturating_mul(u32::try_from(wanted).unwrap_or(u32::MAX));
    let words = format!(
        "\nReviewing your decisions takes about {} (Ctrl-C skips it)\n",
        HumanDuration(time.max(Duration::from_secs(1)))
    );
    Paper::default().ink(Ink::Remark, &prose(&words)).print()?;
    study.playouts = Some(wanted);
    let (manifest, Some(played)) = play(study, false)? else {
        return Ok(());
    };
    let report = Report::of(&played, manifest);
    let text = views(&report.views, &report.sheets, "`carat analyse` shows more");
    Paper::default().add("\n").add(&text).print()?;
    let course = kept.course(table.table.as_ref(), story_style(kept.me));
    let course = course.map_err(CliError::Usage)?;
    if let Played::Analyse(of) = &played {
        worst(&course, table, &of.games[0].judged)?;
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
fn play(study: Analyse, quiet: bool) -> Result<(Manifest, Option<Played>), CliError> {
    let ready = Study::Analyse(study).resolve(&Library::here())?;
    let manifest = results::manifest(&ready);
    let machine = Machine::start(Level::new(), 0, quiet)?;
    let played = machine.play(ready, &mut Discard, None, None)?;
    Ok((manifest, played))
}

/// Shows again the decisions that cost most.
fn worst(course: &Course, table: &SeatedTable, judged: &[Judged]) -> Result<(), CliError> {
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
        let Some(options) = moment.options() else {
            continue;
        };
        let cost = match table.seats.len() {
            1 => judged.loss.to_string(),
            _ => judged.loss.in_points().to_string(),
        };
        paper.ink(Ink::Question, &format!("Again, {}:\n", moment.at));
        paper.picture(&hanging(&options.standing)).add("\n");
        let words = format!(
            "You chose: {}. Better: {}, by {cost}.",
            options.names[options.chosen], options.names[judged.best]
        );
        paper.ink(Ink::Bad, &prose(&words)).add("\n\n");
    }
    paper.print()
}
