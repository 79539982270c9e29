//! `carat completions` and `carat man`: shell completions and manual pages from the arguments.

use super::Cli;
use super::error::CliError;
use super::terminal::print;
use carat_core::catalog::{self, GAMES};
use carat_core::game::Game;
use carat_core::library::Library;
use carat_studies::study::TableSpec;
use clap::CommandFactory;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable by which the script of a shell asks carat for completions.
const ASKS: &str = "COMPLETE";

/// Print the completion script for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell to print the script for
    #[arg(value_parser = Shells::builtins().names().collect::<Vec<_>>())]
    shell: String,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&args.shell) {
        shell.write_registration(ASKS, "carat", "carat", "carat", &mut script)?;
    }
    // Zsh would put a blank after `PATH=`, where the value goes.
    let script = String::from_utf8_lossy(&script).replace(
        "[[ -n $other ]] && _describe -V 'values' other",
        "[[ $other[1] == *= ]] && _describe -V 'values' other -S '' || _describe -V 'values' other",
    );
    print(&script)
}

/// Answers a shell's request for completions and exits; otherwise does nothing.
pub fn answer_shell() {
    let command = || with_names(Cli::command());
    CompleteEnv::with_factory(command).var(ASKS).complete();
}

/// The command with the names that its arguments may be given.
fn with_names(command: clap::Command) -> clap::Command {
    let named = command.mut_args(|arg| {
        let Some([name]) = arg.get_value_names() else {
            return arg;
        };
        let is_set = arg.get_id() == "set";
        let what = if is_set { "SET" } else { name.as_str() }.to_string();
        match what.as_str() {
            "GAME" | "BOT" | "BOT,…" | "EDITION" | "NAME or FILE" | "METRIC"
            | "METRIC=LOW..HIGH" | "SET" | "PATH=VALUE" | "PATH=VALUES" => {
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| {
                    candidates(&what, typed)
                }))
            }
            _ => arg,
        }
    });
    named.mut_subcommands(with_names)
}

/// The names with the typed beginning; files if there are none.
fn candidates(what: &str, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed_text = typed.to_string_lossy();
    let mut names = names(what);
    names.retain(|name| name.starts_with(&*typed_text));
    if names.is_empty() {
        return PathCompleter::any().complete(typed);
    }
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// All values of an argument, in the game on the command line.
fn names(what: &str) -> Vec<String> {
    let words: Vec<OsString> = std::env::args_os().collect();
    if what == "GAME" {
        let is_for = |game: &&Game| match words.iter().find_map(|word| word.to_str()) {
            Some("advise") => game.advice.is_some(),
            _ => true,
        };
        let games = GAMES.into_iter().filter(is_for);
        return games.map(|game| game.name.to_string()).collect();
    }
    let named = words.iter().find_map(|word| catalog::find(word.to_str()?));
    let Some(game) = named else {
        return Vec::new();
    };
    let library = Library::here();
    match what {
        "EDITION" | "NAME or FILE" => {
            let editions = game.editions.iter();
            editions.map(|edition| edition.name.to_string()).collect()
        }
        "BOT" | "BOT,…" => library.strategy_names(game),
        _ => names_of_table(what, game, &library),
    }
}

/// Metrics and paths of the table with every default.
fn names_of_table(what: &str, game: &Game, library: &Library) -> Vec<String> {
    let Ok(table) = TableSpec::of(game.name).resolve(library) else {
        return Vec::new();
    };
    let layout = table.table.layout();
    let metrics = layout.seat_metrics.iter().chain(&layout.table_metrics);
    let paths = carat_studies::study::paths(&table)
        .unwrap_or_default()
        .into_iter();
    let paths = paths.map(|(path, _)| format!("{path}="));
    let mut names: Vec<String> = match what {
        "METRIC" => metrics.map(|metric| metric.name.to_string()).collect(),
        "METRIC=LOW..HIGH" => metrics.map(|metric| format!("{}=", metric.name)).collect(),
        "SET" => paths
            .filter_map(|path| path.strip_prefix("rules.").map(str::to_string))
            .collect(),
        _ => paths.collect(),
    };
    names.sort();
    names.dedup();
    names
}

/// Write manual pages, one for each command, into an existing folder
#[derive(clap::Args)]
pub struct ManArgs {
    /// The folder, such as ~/.local/share/man/man1
    folder: PathBuf,
}

pub fn write_pages(args: &ManArgs) -> Result<(), CliError> {
    let written = clap_mangen::generate_to(Cli::command(), &args.folder);
    written.map_err(CliError::keep(&args.folder))
}
