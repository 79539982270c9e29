//! After the game: what it came from, and the decisions that cost most, shown again.

use super::paper::{Ink, Paper};
use super::{PLAYOUTS_MIN, telling};
use crate::cli::error::CliError;
use crate::cli::machine::Machine;
use crate::cli::terminal::{hanging, prose, views};
use crate::game::moments::{Options, What};
use crate::results::{self, Report, View};
use crate::simulation::Nobody;
use crate::study::analyse::Judged;
use crate::study::kept_game::KeptGame;
use crate::study::library::{Library, SourceText};
use crate::study::{Analyse, Played, SeatedTable, Study, TableSpec};
use fearless_simd::Level;

/// All moments of the game are looked at, each in this part of the playouts of a hint.
const LOOK_BACK: u64 = 4;
/// Decisions that are shown again.
const WORST: usize = 3;

/// Looks back at a game that is over.
pub fn look_back(kept: &KeptGame, table: &SeatedTable, playouts: u64) -> Result<(), CliError> {
    let words = "\nLooking back at your decisions … (Ctrl-C ends it)\n";
    Paper::default().ink(Ink::Remark, words).print()?;
    let study = Study::Analyse(Analyse {
        record: vec![SourceText::new("", kept.to_toml()?)],
        seat: Some(kept.me),
        playouts: Some((playouts / LOOK_BACK).max(PLAYOUTS_MIN)),
        ..Analyse::of(TableSpec::of(&kept.table.game))
    });
    let ready = study.resolve(&Library::here())?;
    let manifest = results::manifest(&ready);
    let machine = Machine::start(Level::new(), 0, false)?;
    let (played, _) = machine.play(ready, &mut Nobody, None, None)?;
    let Some(played) = played else {
        return Ok(());
    };
    let mut report = Report::of(&played, manifest);
    (report.views).retain(|view| !matches!(view, View::Story(_)));
    let text = views(&report.views, &report.sheets, "`carat analyse` tells more");
    Paper::default().add("\n").add(&text).print()?;
    match &played {
        Played::Analyse(of) => worst(kept, table, &of.games[0].judged),
        _ => Ok(()),
    }
}

/// Shows the decisions again that cost most.
fn worst(kept: &KeptGame, table: &SeatedTable, judged: &[Judged]) -> Result<(), CliError> {
    let mut mistakes: Vec<&Judged> = judged.iter().filter(|judged| judged.is_mistake()).collect();
    mistakes.sort_by(|a, b| b.loss.value.total_cmp(&a.loss.value));
    mistakes.truncate(WORST);
    let mut paper = Paper::default();
    if mistakes.is_empty() {
        return paper
            .ink(Ink::Good, "No decision clearly cost anything.\n")
            .print();
    }
    let shown = kept
        .course(table.table.as_ref(), telling(kept.me))
        .map_err(CliError::Usage)?;
    for judged in mistakes {
        let moment = &shown.moments[judged.moment];
        let What::Decision(options) = &moment.what else {
            continue;
        };
        let Options {
            names,
            chosen,
            standing,
            ..
        } = options;
        let cost = match table.seats.len() {
            1 => judged.loss.to_string(),
            _ => judged.loss.in_points().to_string(),
        };
        paper.ink(Ink::Question, &format!("Again, {}:\n", moment.at));
        paper.picture(&hanging(standing)).add("\n");
        let words = format!(
            "You chose: {}. Better: {}. It cost {cost}.",
            names[*chosen], names[judged.best]
        );
        paper.ink(Ink::Bad, &prose(&words)).add("\n\n");
    }
    paper.print()
}
