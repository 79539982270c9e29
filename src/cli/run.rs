//! `carat run`: a study file, or the manifest of earlier results.

use super::args::{PlayArgs, reports_out};
use super::error::{CliError, usage};
use super::play::play;
use carat_core::library::{Library, is_stdin, read_manifest, read_text};
use carat_core::numbers;
use carat_core::strategy::SeatSpec;
use carat_studies::report::{MANIFEST, Manifest};
use carat_studies::study::options::{parse_change, parse_number, parse_seed};
use carat_studies::study::{Study, parse_count};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Run a study file, or reproduce earlier results from their manifest.json
#[derive(clap::Args)]
pub struct Args {
    /// A study file (TOML), or earlier results to repeat: their folder, manifest.json, or output of
    /// --json; - reads standard input
    file: PathBuf,
    /// Override the number of games, for a short rehearsal: per table, or in total for a study that
    /// searches or trains
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Also change a value of the rules, such as traps.snake=4; repeat for more
    #[arg(long, value_name = "PATH=VALUE", value_parser = parse_change)]
    set: Vec<String>,
    /// Override the seed of the random numbers
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Override the number of players; not possible for a manifest, which names all bots
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    /// Replace the seats of the study with this bot, [copies*]BOT; repeat for more. Remaining seats
    /// go to the study's others
    #[arg(long = "seat", value_name = "BOT")]
    seats: Vec<SeatSpec>,
    /// Also expect a metric to lie in a range, such as cards_per_game=31..37 (see `carat help
    /// results`); repeat for more
    #[arg(long, value_name = "METRIC=RANGE")]
    expect: Vec<String>,
    /// Override the maximum number of games of a study with a precision or expectations
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    max_games: Option<u64>,
    #[command(flatten)]
    play: PlayArgs,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let path = manifest_of_folder(&args.file)?;
    let shown = Some(path.as_path()).filter(|path| !is_stdin(path));
    let file = shown.map_or("standard input".into(), |path| path.display().to_string());
    let long = is_manifest(&path);
    let text = if long { read_manifest } else { read_text }(&path)?;
    let output = &args.play.output;
    let rehearsed = |study: Study| -> Study {
        let mut study = study.varied(&args.set, args.seed, args.players, &args.seats);
        study.run.expect.extend_from_slice(&args.expect);
        study.run.max_games = args.max_games.or(study.run.max_games);
        let Some(games) = args.games else {
            return study;
        };
        let study = study.rehearsed(games);
        if let Some(least) = study.run.games.filter(|least| *least > games) {
            let least = numbers::games(least);
            output.warn(&[format!("rehearsing with {least}, the minimum for training")]);
        }
        study
    };
    if long || text.trim_start().starts_with('{') {
        let manifest = Manifest::from_json(&file, &text)?;
        let (before, now) = (&manifest.carat, env!("CARGO_PKG_VERSION"));
        if before != now {
            let [was, is] = [before, now].map(|version| {
                let parts = version.split(['.', '-', '+']);
                let parts = parts.take(3).map(|part| part.parse().unwrap_or(0));
                parts.collect::<Vec<u64>>()
            });
            let differs = if was > is {
                "is older, so games and figures may differ"
            } else {
                "plays the same games, but some figures have a new definition (see CHANGELOG.md, Changed)"
            };
            output.warn(&[format!(
                "{file} was written by carat {before}; carat {now} {differs}"
            )]);
        }
        let library = Library::pinned(manifest.strategies, manifest.rules);
        let study = rehearsed(manifest.study);
        return play(&study, library, again(&path), &args.play);
    }
    let study = rehearsed(Study::from_toml(&file, &text)?);
    let folder = reports_out(&stem(&path));
    let played = play(&study, Library::beside(&path), folder, &args.play);
    played.map_err(|error| error.in_file(&file))
}

/// The manifest in a folder of results; any other path unchanged.
pub fn manifest_of_folder(path: &Path) -> Result<PathBuf, CliError> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let inner = path.join(MANIFEST);
    if !inner.exists() {
        let shown = path.display();
        usage!("{shown}: this folder has no {MANIFEST}; name a folder of results, or a study file");
    }
    Ok(inner)
}

pub fn is_manifest(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "json")
}

/// The default folder for a manifest's study: beside its results, or beside the complete results
/// that hold partial ones.
fn again(manifest: &Path) -> PathBuf {
    if is_stdin(manifest) {
        return reports_out("again");
    }
    let manifest = manifest.canonicalize();
    let mut folder = manifest.as_deref().ok().and_then(Path::parent);
    while let Some(outer) = folder.and_then(Path::parent)
        && outer.join(MANIFEST).exists()
    {
        folder = Some(outer);
    }
    let Some((folder, name)) = folder.and_then(|folder| Some((folder, folder.file_name()?))) else {
        return reports_out("again");
    };
    let mut name = name.to_os_string();
    name.push("-again");
    let again = folder.with_file_name(name);
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| again.strip_prefix(here).ok());
    inside.map_or_else(|| again.clone(), Path::to_path_buf)
}

fn stem(file: &Path) -> String {
    let named = file.file_stem().filter(|_| !is_stdin(file));
    let shown = named.map_or("study".into(), OsStr::to_string_lossy);
    shown.into_owned()
}
