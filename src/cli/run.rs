//! `carat run`: a study file, or the manifest of earlier results.

use super::error::CliError;
use super::note;
use super::play::{self, OutputArgs};
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
    if args
        .file
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        let manifest = Manifest::from_json(&file, &text)?;
        if manifest.carat != env!("CARGO_PKG_VERSION") {
            note(&format!(
                "warning: {file} was written by carat {}; this is {}, results may differ",
                manifest.carat,
                env!("CARGO_PKG_VERSION")
            ));
        }
        let library = Library {
            strategies: manifest.strategies,
            folder: None,
        };
        let Study::Simulate(study) = manifest.study;
        return play::simulate(
            &study,
            &library,
            Some(&manifest.rules),
            &study.game,
            &args.output,
        );
    }
    let Study::Simulate(study) = Study::from_toml(&file, &text)?;
    play::simulate(
        &study,
        &Library::here(),
        None,
        &stem(&args.file),
        &args.output,
    )
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(
        || "study".to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}
