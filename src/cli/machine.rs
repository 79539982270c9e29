//! What plays here: threads, their vector instructions, and the bar that follows them.

use super::args::{OutputArgs, PlayArgs, Raw};
use super::error::CliError;
use super::interrupt::{STOP, catch_ctrl_c};
use super::progress::Progress;
use crate::formula::Kind;
use crate::game::{Layout, Seating};
use crate::results::{Decisions, RawGames};
use crate::simulation::{EachGame, FinishedParts, NotKept, Player, Sharing, Threads};
use crate::study::{Played, Ready, Study};
use fearless_simd::Level;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What a table records, and what its decisions are noted by.
type OnlyTable = (Layout, Option<Decisions>);

/// What plays here.
pub struct Machine {
    threads: Threads,
    level: Level,
    quiet: bool,
}

impl Machine {
    /// The one that the arguments ask for; from now on it ends when it is interrupted.
    pub fn of(args: &OutputArgs) -> Result<Machine, CliError> {
        let machine = Machine::start(args.simd.level()?, args.threads, args.quiet)?;
        catch_ctrl_c();
        Ok(machine)
    }

    /// One with so many threads; 0 for one per processor.
    pub fn start(level: Level, threads: u16, quiet: bool) -> Result<Machine, CliError> {
        Ok(Machine {
            threads: Threads::start(usize::from(threads))?,
            level,
            quiet,
        })
    }

    /// Plays a study but for the parts that are finished, while the bar follows; tells how far it
    /// is where it is shared out.
    pub fn play(
        &self,
        resolved: Ready,
        finished: &mut dyn FinishedParts,
        sharing: Option<Sharing>,
        raw: Option<&RawGames>,
    ) -> Result<(Option<Played>, Option<Sharing>), NotKept> {
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
            let played = resolved.play(&mut player)?;
            Ok((played, player.sharing))
        })
    }
}

/// The table of a study, where it has only one, and its decisions where they are wanted.
pub fn only_table(resolved: &Ready, args: &PlayArgs) -> Result<OnlyTable, CliError> {
    let table = resolved.only_table.as_ref().ok_or_else(|| {
        let kind = resolved.study.kind();
        let why = format!("--raw: `{kind}` plays no single table; simulate the one you mean");
        CliError::Usage(why)
    })?;
    let decisions = match (&resolved.study, args.raw) {
        (Study::Simulate(study), Some(Raw::Decisions)) => Some(Decisions {
            table: Arc::clone(table),
            vocabulary: resolved.game.vocabulary,
            // Where all are asked at the same time, a place is that of the seat.
            seating: match resolved.game.vocabulary.answer {
                Kind::Truth => Seating::Fixed,
                Kind::Number => study.table.seating,
            },
            seed: study.run.seed,
            threads: usize::from(args.output.threads),
        }),
        _ => None,
    };
    Ok((table.layout().clone(), decisions))
}
