//! `carat merge`: makes the results of a study from its shards.

use super::args::{OutputArgs, reports_out};
use super::deliver::Delivery;
use super::error::{CliError, usage};
use super::interrupt::STOP;
use super::machine::Machine;
use super::shard::SHARDS;
use super::terminal::reply;
use crate::files::{DECISIONS, GAMES, Output, Shards, StoreError, join_rows};
use carat_core::library::Library;
use carat_core::simulation::Sharing;
use carat_studies::report::{self, Manifest, Report};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Join the shards of a study; the results are byte for byte those of a single machine
///
/// Every shard must be present exactly once. Rows of single games (--raw) are joined, too, if all
/// shards have them.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of shards, or single shard files
    #[arg(value_name = "FOLDER", required = true)]
    shards: Vec<PathBuf>,
    /// List the complete, running, interrupted, damaged and missing shards, then exit without
    /// merging
    #[arg(long)]
    status: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    if let Some(missing) = args.shards.iter().find(|given| !given.exists()) {
        usage!("{}: no such folder", missing.display());
    }
    let mut shards = Shards::read(&args.shards)?;
    if args.status {
        return status(&shards, args.output.json);
    }
    let asked = shards.complete(true)?.clone();
    let machine = Machine::of(&args.output)?;
    let library = Library::pinned(asked.strategies, asked.rules);
    let resolved = asked.study.resolve(&library)?;
    let manifest = report::manifest(&resolved);
    args.output.warn(&resolved.warnings);
    let folder = args.output.folder(beside(&args.shards[0]))?;
    let mut delivery = Delivery::open(folder, &args.output)?;
    let sharing = Some(Sharing::Merge(shards.of));
    let played = machine.play(resolved, &mut shards, sharing, None)?;
    if let Some(output) = &mut delivery.output {
        join(&shards, output, &manifest, args)?;
    }
    if STOP.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted { resume: false });
    }
    let Some(played) = played else {
        let why = "some games are in no shard; run the shards again with this carat";
        return Err(StoreError::Shards(vec![why.to_string()]).into());
    };
    delivery.deliver(Report::of(&played, manifest))
}

/// Joins the rows of all shards, or says why not.
fn join(
    shards: &Shards,
    output: &mut Output,
    manifest: &Manifest,
    args: &Args,
) -> Result<(), CliError> {
    let files = match shards.rows() {
        Ok(files) => files,
        Err(why) => {
            args.output.warn(&[why]);
            return Ok(());
        }
    };
    let Some(name) = files.first().map(|file| file.to_string_lossy()) else {
        return Ok(());
    };
    let name = [GAMES, DECISIONS]
        .into_iter()
        .find(|kind| name.ends_with(kind));
    if let Some(path) = name.and_then(|name| output.prepared(name)) {
        let record = join_rows(&files, &path, &manifest.study, &STOP)?;
        output.files.push(record);
    }
    Ok(())
}

/// Prints the shards in each state. Fails where merging would.
fn status(shards: &Shards, json: bool) -> Result<(), CliError> {
    let mut text = format!("shards: {}\n", shards.of);
    text.extend(shards.lines().iter().map(|line| format!("{line}\n")));
    let mut states = json!(shards.states());
    states["of"] = json!(shards.of);
    reply(json, "shards", states, &text)?;
    Ok(shards.complete(false).map(drop)?)
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
