//! `carat collect`: one table of many results folders.

use super::error::{CliError, usage};
use super::terminal::{note, print};
use crate::files::{Format, UNFINISHED, collect, encode, is_collected, write_whole};
use carat_core::catalog::GAMES;
use carat_core::library::{Library, is_stdin};
use carat_studies::report::{MANIFEST, declared_tables};
use carat_studies::study::TableSpec;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  carat collect out/* --out grid.parquet
  carat collect out/* --table table > metrics.csv";

/// Join a table of many results folders into one, with the keys of each study in front
///
/// carat plays no games. With --table, the columns and their types depend only on the games, the
/// table, the seats and on what changes or varies, not on the folders. A folder that holds no results
/// itself means all results folders inside it.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of complete results, in the order of the rows
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,
    /// The table, such as seats, table or scores (see `carat show columns GAME`); folders without
    /// it are left out with a warning [default: the first table of each study, such as seats of
    /// simulate and differences of compare]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// File format [default: by the ending of --out, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = ["csv", "parquet"])]
    format: Option<String>,
    /// The file to write; - prints it [default: -]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Adds a folder with results, or all in it, in the order of their names.
fn add_results(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join(MANIFEST).is_file() {
        return found.push(folder.to_path_buf());
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found.push(folder.to_path_buf());
    };
    let mut paths = Vec::from_iter(entries.flatten().map(|entry| entry.path()));
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // What was begun is named as incomplete.
        if name.starts_with(UNFINISHED) {
            return found.push(folder.to_path_buf());
        }
        let is_own = path.is_dir() && !name.starts_with('.');
        if is_own && (!path.is_symlink() || path.join(MANIFEST).is_file()) {
            add_results(&path, found);
        }
    }
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let out = args.out.as_deref().filter(|out| !is_stdin(out));
    let ending = out.and_then(|out| out.extension()?.to_str());
    let is_parquet = args.format.as_deref().or(ending) == Some("parquet");
    let format = if is_parquet {
        Format::Parquet
    } else {
        Format::Csv
    };
    if out.is_none() && is_parquet {
        usage!("--format parquet: name a file with --out, such as --out grid.parquet");
    }
    if let Some(file) = out.filter(|file| file.is_file() && !is_collected(file)) {
        let shown = file.display();
        usage!("--out {shown}: this file is no table of `carat collect`; choose another name");
    }
    let (library, mut declared) = (Library::here(), IndexMap::new());
    for game in GAMES {
        let table = TableSpec::of(game.name).resolve(&library)?.table;
        declared.insert(game.name, declared_tables(game, table.as_ref()));
    }
    let mut folders = Vec::new();
    for folder in &args.folders {
        let before = folders.len();
        add_results(folder, &mut folders);
        // Without any in it, the folder itself is named.
        if folders.len() == before {
            folders.push(folder.clone());
        }
    }
    let collected = collect(&folders, args.table.as_deref(), &declared);
    let (sheet, without) = collected.map_err(CliError::Usage)?;
    if !without.is_empty() {
        note(&format!(
            "warning: this table is missing in {}",
            without.join(", ")
        ));
    }
    let bytes = encode(&sheet, format, None)?;
    let Some(file) = out else {
        return print(&String::from_utf8_lossy(&bytes));
    };
    write_whole(file, &bytes).map_err(CliError::keep(file))?;
    print(&format!("{}\n", file.display()))
}
