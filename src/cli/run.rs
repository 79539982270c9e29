//! `carat run`: a study file, or the manifest of earlier results.

use super::args::{PlayArgs, reports_out};
use super::error::CliError;
use super::play::play;
use crate::results::{MANIFEST, Manifest};
use crate::study::Study;
use crate::study::library::{Library, read_manifest, read_text};
use std::path::{Path, PathBuf};

/// Play a study file, or a manifest.json again
#[derive(clap::Args)]
pub struct Args {
    /// The study (TOML), or the manifest beside earlier results (JSON)
    file: PathBuf,
    #[command(flatten)]
    play: PlayArgs,
}

/// Plays the study of the file.
pub fn run(args: &Args) -> Result<(), CliError> {
    let file = args.file.display().to_string();
    if is_manifest(&args.file) {
        let text = read_manifest(&args.file)?;
        let manifest = Manifest::from_json(&file, &text)?;
        if manifest.carat != env!("CARGO_PKG_VERSION") {
            args.play.output.warn(&[format!(
                "{file} was written by carat {}; this is {}, results may differ",
                manifest.carat,
                env!("CARGO_PKG_VERSION")
            )]);
        }
        let library = Library::pinned(manifest.strategies, manifest.rules);
        return play(&manifest.study, &library, again(&args.file), &args.play);
    }
    let text = read_text(&args.file)?;
    let study = Study::from_toml(&file, &text)?;
    let folder = reports_out(&stem(&args.file));
    let played = play(&study, &Library::here(), folder, &args.play);
    played.map_err(|error| error.in_file(&file))
}

/// Whether a file is a manifest rather than a text that somebody wrote.
pub fn is_manifest(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "json")
}

/// Where what a manifest tells is played again by default: beside the folder of its results. That
/// holds of partial results inside a folder of complete ones too.
fn again(manifest: &Path) -> PathBuf {
    let manifest = manifest.canonicalize();
    let mut folder = manifest.as_deref().ok().and_then(Path::parent);
    while let Some(outer) = folder.and_then(Path::parent)
        && outer.join(MANIFEST).exists()
    {
        folder = Some(outer);
    }
    let name = folder.and_then(Path::file_name);
    match (folder, name) {
        (Some(folder), Some(name)) => {
            let mut name = name.to_os_string();
            name.push("-again");
            folder.with_file_name(name)
        }
        _ => reports_out("again"),
    }
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(
        || "study".to_string(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}
