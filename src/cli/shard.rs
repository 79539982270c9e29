//! One shard of a study: plays its games of a round, and writes their sums for `carat merge`.

use super::args::{PlayArgs, Raw};
use super::error::{CliError, usage};
use super::interrupt::STOP;
use super::machine::{Machine, only_table};
use crate::results::{self, OwnShard, RawGames, Todo};
use crate::study::Ready;
use carat_core::simulation::{Goal, Shard, Sharing};
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

/// The number of games of a study, or why it cannot be played in shards.
pub fn goal_of_shards(resolved: &Ready) -> Result<Goal, CliError> {
    let Some(goal) = resolved.goal else {
        usage!(
            "--shard: shards of `{}` would have to exchange results too often; play it on one \
             machine, with as many --threads as it has",
            resolved.study.kind()
        );
    };
    Ok(goal)
}

/// Plays a shard and writes it beside `folder`, unless the arguments name another folder.
pub fn play_shard(
    resolved: Ready,
    shard: Shard,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let one_round = matches!(goal_of_shards(&resolved)?, Goal::Games(_));
    let raw = args.raw.map(|_| only_table(&resolved, args)).transpose()?;
    if raw.is_some() && !one_round {
        usage!(
            "--raw: with --precision the shards play more games than the result uses; use --games"
        );
    }
    let (before, rows) = (args.before(), args.raw.map(Raw::shard_end));
    let args = &args.output;
    let machine = Machine::of(args)?;
    let target = args.target(of_shards(folder))?;
    let manifest = results::manifest(&resolved);
    let opened = OwnShard::open(&target, &manifest, shard, one_round, rows, before);
    let mut own = match opened? {
        Todo::Play(own) => own,
        Todo::Wait(file, missing) => {
            let waits = match missing.as_str() {
                "" => "all shards are complete".to_string(),
                missing => format!("still missing: {missing}"),
            };
            return args.print(&format!("{}: already complete; {waits}\n", file.display()));
        }
    };
    let sharing = Some(Sharing::shard(shard));
    let games = raw.map(|(layout, of)| RawGames::create(&own.games(), &layout, of, true));
    let games = games.transpose()?;
    let played = machine.play(resolved, &mut *own, sharing, games.as_ref());
    let (played, sharing) = played?;
    if STOP.load(Ordering::Relaxed) {
        return Err(CliError::InterruptedShard);
    }
    if let Some(sharing) = sharing
        && sharing.rounds < own.place.round
    {
        if let Some(error) = own.incomplete(sharing.rounds, &sharing.missing) {
            return Err(error.into());
        }
        if played.is_some() && own.place.round > 1 {
            return args.print("all shards are complete; run `carat merge`\n");
        }
    }
    if let Some(games) = games {
        games.finish("")?;
    }
    let round = own.place.round;
    let file = own.complete()?;
    args.print(&format!(
        "shard {shard} of round {round}: {}\n",
        file.display()
    ))
}
