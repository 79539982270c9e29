//! The way of every study: look up its names, play it, make its report, deliver that.

use super::args::{PlayArgs, reports_out};
use super::deliver::{Wanted, deliver, deliver_known, print_only};
use super::dry_run::dry_run;
use super::error::CliError;
use super::interrupt::abandon_with;
use super::machine::{Machine, only_table};
use super::shard::play_shard;
use super::terminal::note;
use crate::results::{self, GAMES, JOURNAL, Journal, Output, RawGames, recall};
use crate::simulation::Nobody;
use crate::study::library::Library;
use crate::study::{Ready, Study};
use std::path::PathBuf;

/// Plays a study that was typed; its results go to a folder named after its game and kind.
pub fn play_typed(study: &Study, args: &PlayArgs) -> Result<(), CliError> {
    let name = match study {
        Study::Simulate(study) => study.table.game.clone(),
        _ => format!("{}-{}", study.table().game, study.kind()),
    };
    play(study, &Library::here(), reports_out(&name), args)
}

/// Plays a study, or one shard of it; its results go to `folder` unless the arguments name another.
pub fn play(
    study: &Study,
    library: &Library,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let resolved = study.resolve(library)?;
    args.output.warn(&resolved.warnings);
    if args.dry_run {
        return dry_run(resolved, folder, args);
    }
    match args.shard {
        Some(shard) => play_shard(resolved, shard, folder, args),
        None => play_all(resolved, folder, args),
    }
}

fn play_all(resolved: Ready, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let (resume, before) = (args.resume, args.before());
    if args.output.only_prints() && (args.raw || resume || args.restart) {
        let why = "--raw, --resume and --restart are of a folder of results: with --json, name it \
                   by --out";
        return Err(CliError::Usage(why.to_string()));
    }
    let raw = args.raw.then(|| only_table(&resolved)).transpose()?;
    let args = &args.output;
    let machine = Machine::of(args)?;
    if args.only_prints() {
        let manifest = results::manifest(&resolved, machine.simd);
        let (played, _) = machine.play(resolved, &mut Nobody, None, None)?;
        let played = played.ok_or(CliError::Interrupted { resume: false })?;
        return print_only(&played, manifest);
    }
    let mut output = Output::open(&args.target(folder)?)?;
    abandon_with(output.shared());
    let manifest = results::manifest(&resolved, machine.simd);
    let mut wanted = Wanted::asked(args);
    let mut journal = Journal::open(output.folder(), JOURNAL, &manifest, before)?;
    let tell = |text: &str| {
        if !args.quiet {
            note(text);
        }
    };
    if journal.done() > 0 {
        tell(&match journal.done() {
            1 => "going on: 1 part is done".to_string(),
            parts => format!("going on: {parts} parts are done"),
        });
        if raw.is_some() {
            args.warn(&["raw: games that are done are played again for their rows".to_string()]);
        }
    } else if resume && let Some(there) = output.complete(&manifest) {
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
    } else if resume {
        tell("nothing to go on with: playing from the start");
    }
    args.warn(&match journal.damaged() {
        0 => vec![],
        1 => vec!["1 damaged part is played again".to_string()],
        parts => vec![format!("{parts} damaged parts are played again")],
    });

    let replaced = output.replaced(&manifest);
    if !replaced.is_empty() {
        tell(&format!(
            "{}: other results are there, and will be replaced; what changes: {}",
            output.named().display(),
            replaced.join("; ")
        ));
    }
    let raw = match (raw, output.prepared(GAMES)) {
        (Some(layout), Some(path)) => Some(RawGames::create(&path, &layout, false)?),
        _ => None,
    };
    let (played, _) = machine.play(resolved, &mut journal, None, raw.as_ref())?;
    if let Some(raw) = raw {
        output.add(raw.finish(GAMES)?);
    }
    match played {
        Some(played) => deliver(&played, manifest, output, &wanted, Some(journal), args),
        None => Err(CliError::Interrupted {
            resume: journal.holds_parts(),
        }),
    }
}
