//! `carat completions` and `carat man`: what shells and manuals need, from the arguments themselves.

use super::Cli;
use super::error::CliError;
use super::terminal::print;
use crate::catalog::GAMES;
use crate::study::Simulate;
use crate::study::library::Library;
use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut known(), "carat", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The commands with all that may stand where names are asked for: a shell completes them.
fn known() -> clap::Command {
    let library = Library::here();
    // They live as long as the program.
    let leaked = |name: String| &*name.leak();
    let mut names: [Vec<&'static str>; 5] = Default::default();
    let [games, editions, bots, metrics, paths] = &mut names;
    for game in GAMES {
        games.push(game.name);
        editions.extend(game.editions.iter().map(|edition| edition.name));
        bots.extend(library.strategy_names(game).into_iter().map(leaked));
        let Ok(table) = Simulate::of(game.name).resolve(&library) else {
            continue;
        };
        let layout = table.table.layout();
        let all = layout.seat_metrics.iter().chain(&layout.table_metrics);
        metrics.extend(all.map(|metric| metric.name));
        let found = crate::study::paths(&table).unwrap_or_default();
        paths.extend(
            found
                .into_iter()
                .map(|(path, _)| leaked(format!("{path}="))),
        );
    }
    for names in &mut names {
        names.sort();
        names.dedup();
    }
    let [games, editions, bots, metrics, paths] = names;
    let of = |arg: clap::Arg| match arg.get_id().as_str() {
        "game" => arg.value_parser(PossibleValuesParser::new(games.clone())),
        "rules" => arg.value_parser(PossibleValuesParser::new(editions.clone())),
        "seats" | "bots" | "against" | "others" | "as_bot" | "later" => {
            arg.value_parser(PossibleValuesParser::new(bots.clone()))
        }
        "metric" | "maximize" | "minimize" | "objective" => {
            arg.value_parser(PossibleValuesParser::new(metrics.clone()))
        }
        "vary" | "a" | "b" | "c" => arg.value_parser(PossibleValuesParser::new(paths.clone())),
        "file" | "files" | "record" | "shards" => arg.value_hint(ValueHint::FilePath),
        "out" => arg.value_hint(ValueHint::DirPath),
        _ => arg,
    };
    let with = |command: clap::Command| command.mut_args(of);
    Cli::command().mut_subcommands(|command| with(command).mut_subcommands(with))
}

/// Write manual pages, one for each command, into an existing folder
#[derive(clap::Args)]
pub struct ManArgs {
    /// The folder, such as ~/.local/share/man/man1
    folder: PathBuf,
}

/// Writes the pages.
pub fn write_pages(args: &ManArgs) -> Result<(), CliError> {
    let written = clap_mangen::generate_to(Cli::command(), &args.folder);
    written.map_err(|source| CliError::Man {
        folder: args.folder.clone(),
        source,
    })
}
