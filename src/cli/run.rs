//! `carat run`: a study file, or the manifest of earlier results.

use super::args::OutputArgs;
use super::error::CliError;
use super::play::play;
use crate::results::Manifest;
use crate::study::Study;
use crate::study::library::{Library, read_text};
use std::path::{Path, PathBuf};

/// Play a study file, or a manifest.json again
#[derive(clap::Args)]
pub struct Args {
    /// The study (TOML), or the manifest beside earlier results (JSON)
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

/// Plays the study of the file.
pub fn run(args: &Args) -> Result<(), CliError> {
    let text = read_text(&args.file)?;
    let file = args.file.display().to_string();
    if is_manifest(&args.file) {
        let manifest = Manifest::from_json(&file, &text)?;
        if manifest.carat != env!("CARGO_PKG_VERSION") {
            args.output.warn(&[format!(
                "{file} was written by carat {}; this is {}, results may differ",
                manifest.carat,
                env!("CARGO_PKG_VERSION")
            )]);
        }
        let library = Library::pinned(manifest.strategies, manifest.rules);
        let name = stem(args.file.parent().unwrap_or(&args.file));
        return play(&manifest.study, &library, &name, &args.output);
    }
    let study = Study::from_toml(&file, &text)?;
    let played = play(&study, &Library::here(), &stem(&args.file), &args.output);
    played.map_err(|error| error.in_file(&file))
}

/// Whether a file is a manifest rather than a text that somebody wrote.
pub fn is_manifest(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "json")
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(
        || "study".to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}
