//! `carat merge`: makes the results of a study from its shards.

use super::args::{OutputArgs, reports_out};
use super::deliver::Delivery;
use super::error::CliError;
use super::interrupt::STOP;
use super::machine::Machine;
use super::shard::SHARDS;
use super::terminal::print;
use crate::results::{self, ShardStatus, Shards, StoreError};
use carat_core::library::Library;
use carat_core::simulation::Sharing;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Join the shards of a study; the results are byte for byte those of a single machine
///
/// Every shard must be present exactly once. A study with --precision may need another round of
/// shards; if so, merge prints the command to run and exits with code 4.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of shards, or single shard files
    #[arg(value_name = "FOLDER", required = true)]
    shards: Vec<PathBuf>,
    /// List the complete, running, damaged and missing shards of a folder, then exit without
    /// merging
    #[arg(long)]
    status: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    if args.status {
        return status(&args.shards);
    }
    let machine = Machine::of(&args.output)?;
    let mut shards = Shards::read(&args.shards)?;
    let asked = shards.manifest.clone();
    let library = Library::pinned(asked.strategies, asked.rules);
    let resolved = asked.study.resolve(&library)?;
    let manifest = results::manifest(&resolved);
    args.output.warn(&resolved.warnings);
    let folder = args.output.folder(beside(&args.shards[0]))?;
    let delivery = Delivery::open(folder, &args.output)?;
    let sharing = Some(Sharing::merge(shards.of));
    let (played, sharing) = machine.play(resolved, &mut shards, sharing, None)?;
    if STOP.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted { resume: false });
    }
    if let Some(sharing) = sharing.filter(|sharing| !sharing.missing.is_empty()) {
        return Err(if sharing.rounds > shards.rounds {
            CliError::AnotherRound {
                round: sharing.rounds,
                going: sharing.going,
            }
        } else {
            shards.incomplete(sharing.rounds, &sharing.missing).into()
        });
    }
    let played = played.ok_or(CliError::Interrupted { resume: false })?;
    delivery.deliver(&played, manifest)
}

fn status(folders: &[PathBuf]) -> Result<(), CliError> {
    let (mut damaged, mut waits) = (false, false);
    for folder in folders {
        let status = ShardStatus::of(folder)?;
        print(&format!("{}: {}", folder.display(), status.lines()))?;
        damaged |= !status.damaged.is_empty();
        waits |= status.complete.len() as u64 != status.of;
    }
    match (damaged, waits) {
        (true, _) => Err(StoreError::Shards(vec!["run the damaged shards again".into()]).into()),
        (_, true) => Err(CliError::ShardsWanted),
        _ => Ok(()),
    }
}

/// The default folder of the results: beside the folder of the shards.
fn beside(shards: &Path) -> PathBuf {
    let folder = if shards.is_dir() {
        Some(shards)
    } else {
        shards.parent()
    };
    let folder = folder.and_then(|folder| match folder.file_name() {
        Some(_) => Some(folder.to_path_buf()),
        None => Path::new(".").join(folder).canonicalize().ok(),
    });
    let Some((folder, name)) = folder.as_deref().and_then(|f| Some((f, f.file_name()?))) else {
        return reports_out("merged");
    };
    let name = name.to_string_lossy();
    folder.with_file_name(match name.strip_suffix(SHARDS) {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => format!("{name}-merged"),
    })
}
