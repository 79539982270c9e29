//! The threads that play, their vector instructions, and the progress bar.

use super::args::{OutputArgs, PlayArgs, Raw};
use super::error::{CliError, usage};
use super::interrupt::{STOP, catch_ctrl_c};
use super::progress::Progress;
use crate::files::{Decisions, RawGames};
use carat_core::formula::Kind;
use carat_core::game::{Layout, Seating};
use carat_core::simulation::{
    EachGame, FinishedParts, NotKept, Player, Sharing, TableFailed, Threads,
};
use carat_studies::study::{Played, Ready, Study};
use fearless_simd::Level;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The layout of a table's games, and the recorder of its decisions.
type OnlyTable = (Layout, Option<Decisions>);

/// A pool of threads with a progress bar.
pub struct Machine {
    threads: Threads,
    level: Level,
    quiet: bool,
}

impl Machine {
    /// The machine that the arguments ask for. From now on Ctrl-C ends its runs.
    pub fn of(args: &OutputArgs) -> Result<Machine, CliError> {
        let machine = Machine::start(args.simd.level()?, args.threads, args.quiet)?;
        catch_ctrl_c();
        Ok(machine)
    }

    /// A machine with this many threads; 0 for one per processor.
    pub fn start(level: Level, threads: u16, quiet: bool) -> Result<Machine, CliError> {
        Ok(Machine {
            threads: Threads::start(usize::from(threads))?,
            level,
            quiet,
        })
    }

    /// Plays the unfinished parts of a study, and shows progress. `None` for a shard, which has no
    /// results.
    pub fn play(
        &self,
        resolved: Ready,
        finished: &mut dyn FinishedParts,
        sharing: Option<Sharing>,
        raw: Option<&RawGames>,
    ) -> Result<Option<Played>, NotKept> {
        let games = AtomicU64::new(0);
        Progress::new(self.quiet, &games).follow(|listener| {
            let mut player = Player {
                threads: &self.threads,
                level: self.level,
                stop: &STOP,
                played: &games,
                listener,
                finished,
                sharing,
                each: raw.map(|raw| raw as &dyn EachGame),
            };
            match resolved.play(&mut player) {
                // A game was broken off by the interrupt.
                Err(NotKept(why)) if STOP.load(Ordering::Relaxed) && why.is::<TableFailed>() => {
                    Ok(None)
                }
                played => played,
            }
        })
    }
}

/// The only table of a study, with its decisions if they are to be written.
pub fn only_table(resolved: &Ready, args: &PlayArgs) -> Result<OnlyTable, CliError> {
    let Some((table, labels)) = &resolved.only_table else {
        let kind = resolved.study.kind();
        usage!("--raw: `{kind}` plays several tables; use --raw with `carat simulate`");
    };
    let decisions = match (&resolved.study, args.raw) {
        (Study::Simulate(study), Some(Raw::Decisions)) if !study.table.on_failure.is_stop() => {
            usage!(
                "--raw decisions plays games again, where programs may fail at other decisions; \
                 leave out on_failure = \"pass\", or write --raw games"
            );
        }
        (Study::Simulate(study), Some(Raw::Decisions)) => Some(Decisions {
            table: Arc::clone(table),
            vocabulary: resolved.game.vocabulary,
            // In simultaneous decisions the place is the seat's.
            seating: match resolved.game.vocabulary.answer {
                Kind::Truth => Seating::Fixed,
                Kind::Number => study.table.seating,
            },
            seed: study.run.seed,
            labels: labels.clone(),
            threads: usize::from(args.output.threads),
        }),
        _ => None,
    };
    Ok((table.layout().clone(), decisions))
}
