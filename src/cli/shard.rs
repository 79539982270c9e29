//! One shard of a study: plays its range of games, and writes their sums for `carat merge`.

use super::args::{PlayArgs, Raw};
use super::error::{CliError, usage};
use super::interrupt::STOP;
use super::machine::{Machine, only_table};
use crate::files::{OwnShard, RawGames};
use carat_core::simulation::{Shard, Sharing};
use carat_studies::report::{self};
use carat_studies::study::{Ready, Study};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The suffix that makes the folder of shards from the folder of results.
pub const SHARDS: &str = "-shards";

/// The folder of the shards of a study with results in `folder`.
pub fn of_shards(folder: PathBuf) -> PathBuf {
    let mut name = folder.into_os_string();
    name.push(SHARDS);
    name.into()
}

/// Refuses shards of a study whose games depend on its results.
pub fn check_shards(study: &Study) -> Result<(), CliError> {
    let kind = study.kind();
    if !["simulate", "compare", "sweep"].contains(&kind) {
        usage!(
            "--shard: only simulate, compare and sweep can be split into shards; run {kind} as one job \
             (for many, see `carat help results`)"
        );
    }
    let is_open = study.run.games.is_none() && !study.run.expect.is_empty();
    if study.run.precision.is_some() || study.decides() || is_open {
        usage!(
            "--shard: with precision, decide or expect the number of games is not known in advance; give \
             a number of games, or run the study as one job (for many, see `carat help results`)"
        );
    }
    Ok(())
}

/// Plays a shard and writes it beside `folder`, unless the arguments name another folder.
pub fn play_shard(
    resolved: Ready,
    shard: Shard,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let raw = args.raw.map(|_| only_table(&resolved, args)).transpose()?;
    let (before, rows) = (args.before(), args.raw.map(Raw::file));
    let args = &args.output;
    let machine = Machine::of(args)?;
    let target = args.target(of_shards(folder))?;
    let manifest = report::manifest(&resolved);
    let study = manifest.study.clone();
    let Some(mut own) = OwnShard::open(&target, manifest, shard, rows, before)? else {
        let shown = target.display();
        return args.print(&format!("{shown}: shard {shard} is already complete\n"));
    };
    let mut games = None;
    if let (Some(path), Some((layout, of))) = (own.rows(), raw) {
        games = Some(RawGames::create(&path, &layout, of, &study, true)?);
    }
    let sharing = Some(Sharing::Play(shard));
    machine.play(resolved, &mut own.journal, sharing, games.as_ref())?;
    if STOP.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted { resume: true });
    }
    let rows = games.map(|games| games.finish("")).transpose()?;
    let file = own.complete(rows)?;
    args.print(&format!("shard {shard}: {}\n", file.display()))
}
