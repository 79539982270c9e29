//! Plays a study part by part, and keeps what is done so that it can go on later.

use super::error::CliError;
use super::note;
use super::play::{OutputArgs, STOP};
use super::progress::Progress;
use crate::results::{Journal, Manifest, Output};
use crate::simulation::{self, Ending, Job, Part, Sums};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

/// Plays the parts of a study that are not done yet.
pub struct Parts<'a> {
    journal: Journal,
    seed: u64,
    chunk: u64,
    args: &'a OutputArgs,
    /// Parts that were done, now or before.
    done: usize,
}

impl<'a> Parts<'a> {
    /// Goes on with the study of this manifest, or begins it.
    pub fn open(
        output: &Output,
        manifest: &Manifest,
        seed: u64,
        chunk: u64,
        args: &'a OutputArgs,
    ) -> Result<Self, CliError> {
        let journal = Journal::open(output.target(), manifest, args.resume)?;
        if args.resume && !args.quiet {
            note(&match journal.len() {
                0 => "nothing to go on with: playing from the start".to_string(),
                1 => "going on: 1 part is done".to_string(),
                parts => format!("going on: {parts} parts are done"),
            });
        }
        Ok(Parts {
            journal,
            seed,
            chunk,
            args,
            done: 0,
        })
    }

    /// Runs `study`, which asks for its parts one after the other and is `None` when interrupted.
    pub fn play<'t, T>(
        mut self,
        study: impl FnOnce(
            &mut dyn FnMut(&Part<'t>) -> Result<Option<Sums>, CliError>,
        ) -> Result<Option<T>, CliError>,
    ) -> Result<(T, Journal), CliError> {
        let played = AtomicU64::new(0);
        let ended = "--resume goes on with it later";
        let result = Progress::new(0, self.args.quiet, ended).follow(&played, |progress| {
            study(&mut |part: &Part<'t>| self.part(part, &played, progress))
        })?;
        match result {
            Some(result) => Ok((result, self.journal)),
            None if self.done == 0 => {
                self.journal.remove();
                Err(CliError::Interrupted(
                    "interrupted; nothing was written".to_string(),
                ))
            }
            None => Err(CliError::Interrupted(
                "interrupted; the same command with --resume goes on".to_string(),
            )),
        }
    }

    /// The sums of a part, read or played; `None` when interrupted.
    fn part(
        &mut self,
        part: &Part,
        played: &AtomicU64,
        progress: &mut Progress,
    ) -> Result<Option<Sums>, CliError> {
        progress.cells(part.cells, part.games_left);
        if let Some(sums) = self.journal.recall(&part.name) {
            let games = sums.games() == part.games;
            if games && sums.fits(&part.tables, part.products.len()) {
                self.done += 1;
                return Ok(Some(sums));
            }
        }
        let job = Job {
            tables: &part.tables,
            first: &part.first,
            products: &part.products,
            seed: self.seed,
            games: part.games,
            block: part.games,
            chunk: self.chunk,
            threads: usize::from(self.args.threads),
            level: self.args.level()?.0,
        };
        let (sums, ending) = simulation::run(&job, played, &STOP, &mut |_| {
            let so_far = played.load(std::sync::atomic::Ordering::Relaxed);
            progress.checkpoint(so_far, None);
            ControlFlow::Continue(())
        })?;
        if ending == Ending::Stopped {
            return Ok(None);
        }
        self.journal.keep(&part.name, &sums)?;
        self.done += 1;
        Ok(Some(sums))
    }
}
