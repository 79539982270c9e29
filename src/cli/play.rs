//! The way of every study: look up its names, play it, make its report, deliver that.

use super::args::{OutputArgs, PlayArgs};
use super::deliver::{Wanted, deliver, deliver_known};
use super::error::CliError;
use super::interrupt::{STOP, abandon_with, catch_ctrl_c};
use super::progress::Progress;
use super::shard::play_shard;
use super::simd::level_name;
use super::terminal::note;
use crate::game::Layout;
use crate::results::{self, Before, GAMES, Journal, Manifest, Output, RawGames, recall};
use crate::simulation::{EachGame, FinishedParts, NotKept, Player, Sharing, Threads};
use crate::study::library::Library;
use crate::study::{Played, Ready, Study};
use fearless_simd::Level;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

/// Plays a study, or one shard of it; its results go to `folder` unless the arguments name another.
pub fn play(
    study: &Study,
    library: &Library,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let resolved = study.resolve(library)?;
    args.output.warn(&resolved.warnings);
    match args.shard {
        Some(shard) => play_shard(resolved, shard, folder, args),
        None => play_all(resolved, folder, args),
    }
}

fn play_all(resolved: Ready, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let (resume, in_parts) = (args.resume, resolved.in_parts);
    let before = args.before();
    let raw = args.raw.then(|| only_table(&resolved)).transpose()?;
    let args = &args.output;
    let machine = Machine::of(args)?;
    let mut output = Output::open(&args.target(folder)?)?;
    abandon_with(output.abandon());
    let manifest = results::manifest(&resolved, machine.simd);
    let mut wanted = Wanted::asked(args);
    let mut journal = match in_parts {
        true => journal(&output, &manifest, before, args)?,
        false => Journal::none(),
    };
    if resume && journal.is_empty() {
        if let Some(there) = output.complete(&manifest) {
            wanted.add(&there.files);
            let games = there.files.iter().find(|file| file.name == GAMES).cloned();
            let report = recall(output.folder(), resolved.game, there)
                .filter(|_| raw.is_none() || games.is_some());
            if let Some(games) = games
                && (raw.is_none() || report.is_some())
            {
                output.add(games);
            }
            if let Some(report) = report {
                return deliver_known(report, resolved.goal, output, &wanted, args);
            }
            args.warn(&[
                "this was played already; it is played again for files that cannot be made of what \
                 is kept, and none is taken away"
                    .to_string(),
            ]);
        } else if !in_parts {
            args.warn(&[
                "resume: simulations and comparisons do not go on; this is played anew".to_string(),
            ]);
        } else if !args.quiet {
            note("nothing to go on with: playing from the start");
        }
    }

    let mut progress = Progress::new(args.quiet, in_parts);
    let raw = match (raw, output.prepared(GAMES)) {
        (Some(layout), Some(path)) => Some(RawGames::create(&path, &layout, false)?),
        _ => None,
    };
    let (played, _) = machine.play(resolved, &mut progress, &mut journal, None, raw.as_ref())?;
    if let Some(raw) = raw {
        output.add(raw.finish(GAMES)?);
    }
    match played {
        Some(played) => deliver(&played, manifest, output, &wanted, journal, args),
        None => Err(CliError::Interrupted {
            resume: journal.end_unfinished(),
        }),
    }
}

/// What is recorded at the table of a study, where it has only one.
pub fn only_table(resolved: &Ready) -> Result<Layout, CliError> {
    let table = resolved.only_table.as_ref().ok_or_else(|| {
        let kind = resolved.study.kind();
        let why = format!("--raw: a {kind} has several tables; simulate the one you mean");
        CliError::Usage(why)
    });
    table.cloned()
}

/// What plays here: threads with their vector instructions.
pub struct Machine {
    threads: Threads,
    level: Level,
    /// Their name.
    pub simd: &'static str,
}

impl Machine {
    /// The one that the arguments ask for; from now on it ends when it is interrupted.
    pub fn of(args: &OutputArgs) -> Result<Machine, CliError> {
        let level = args.simd.level()?;
        let threads = Threads::start(usize::from(args.threads))?;
        catch_ctrl_c();
        Ok(Machine {
            threads,
            level,
            simd: level_name(level),
        })
    }

    /// Plays a study but for the parts that are finished, while the bar follows; tells how far it
    /// is where it is shared out.
    pub fn play(
        &self,
        resolved: Ready,
        progress: &mut Progress,
        finished: &mut dyn FinishedParts,
        sharing: Option<Sharing>,
        raw: Option<&RawGames>,
    ) -> Result<(Option<Played>, Option<Sharing>), NotKept> {
        let games = AtomicU64::new(0);
        progress.follow(&games, |listener| {
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

/// Goes on with a study, or begins it.
fn journal(
    output: &Output,
    manifest: &Manifest,
    before: Before,
    args: &OutputArgs,
) -> Result<Journal, CliError> {
    let journal = Journal::open(output.folder(), manifest, before)?;
    if !args.quiet && !journal.is_empty() {
        note(&match journal.len() {
            1 => "going on: 1 part is done".to_string(),
            parts => format!("going on: {parts} parts are done"),
        });
    }
    args.warn(&match journal.damaged() {
        0 => vec![],
        1 => vec!["1 damaged part is played again".to_string()],
        parts => vec![format!("{parts} damaged parts are played again")],
    });
    Ok(journal)
}
