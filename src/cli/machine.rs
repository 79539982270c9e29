//! What plays here: threads, their vector instructions, and the bar that follows them.

use super::args::OutputArgs;
use super::error::CliError;
use super::interrupt::{STOP, catch_ctrl_c};
use super::progress::Progress;
use crate::game::Layout;
use crate::results::RawGames;
use crate::simulation::{EachGame, FinishedParts, NotKept, Player, Sharing, Threads};
use crate::study::{Played, Ready};
use fearless_simd::Level;
use std::sync::atomic::AtomicU64;

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

/// What is recorded at the table of a study, where it has only one.
pub fn only_table(resolved: &Ready) -> Result<Layout, CliError> {
    let table = resolved.only_table.as_ref().ok_or_else(|| {
        let kind = resolved.study.kind();
        let why = format!("--raw: `{kind}` plays no single table; simulate the one you mean");
        CliError::Usage(why)
    });
    table.cloned()
}
