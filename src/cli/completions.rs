//! `carat completions` and `carat man`: what shells and manuals need, from the arguments themselves.

use super::Cli;
use super::error::CliError;
use super::terminal::print;
use crate::catalog::GAMES;
use crate::game::Game;
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
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        // Bash asks for files where a function finds nothing.
        script = script.replace("complete -F _carat ", "complete -F _carat_or_files ");
        script.insert_str(0, OR_FILES);
    }
    print(&script)
}

/// Where files are asked for, options are offered only to who begins one.
const OR_FILES: &str = r#"_carat_or_files() {
    _carat "$@"
    case "${COMP_WORDS[1]},${COMP_CWORD}" in
        run,*|merge,*|check,*|man,*|analyse,[3-9])
            if [[ "$2" != -* && "${COMPREPLY[0]}" == -* ]]; then
                COMPREPLY=()
            fi
            ;;
    esac
}

"#;

/// The commands with all that may stand where names are asked for: a shell completes them.
fn known() -> clap::Command {
    let names: Vec<Names> = GAMES.into_iter().map(Names::of).collect();
    let with = |command: clap::Command| with_names(command, &names);
    Cli::command().mut_subcommands(|command| with(command.mut_subcommands(with)))
}

/// The names of a game, and of what it can do.
struct Names {
    game: &'static Game,
    editions: Vec<&'static str>,
    bots: Vec<&'static str>,
    metrics: Vec<&'static str>,
    paths: Vec<&'static str>,
    /// Paths without `rules.`, as they are set.
    values: Vec<&'static str>,
}

impl Names {
    fn of(game: &'static Game) -> Names {
        let library = Library::here();
        // They live as long as the program.
        let leaked = |name: String| &*name.leak();
        let mut names = Names {
            game,
            editions: game.editions.iter().map(|edition| edition.name).collect(),
            bots: Vec::from_iter(library.strategy_names(game).into_iter().map(leaked)),
            metrics: Vec::new(),
            paths: Vec::new(),
            values: Vec::new(),
        };
        if let Ok(table) = Simulate::of(game.name).resolve(&library) {
            let layout = table.table.layout();
            let all = layout.seat_metrics.iter().chain(&layout.table_metrics);
            names.metrics = Vec::from_iter(all.map(|metric| metric.name));
            names.metrics.sort();
            names.metrics.dedup();
            let paths = crate::study::paths(&table).unwrap_or_default().into_iter();
            names.paths = Vec::from_iter(paths.map(|(path, _)| leaked(format!("{path}="))));
            let rules = names
                .paths
                .iter()
                .filter_map(|path| path.strip_prefix("rules."));
            names.values = rules.collect();
        }
        names
    }

    /// Whether the game can be given to a command.
    fn are_for(&self, command: &str) -> bool {
        match command {
            "advise" => self.game.advice.is_some(),
            "solve" => self.game.can_be_learnt(),
            _ => true,
        }
    }

    /// An argument of a command of this game.
    fn at(&self, command: &str, arg: clap::Arg) -> clap::Arg {
        let of = |names: &[&'static str]| PossibleValuesParser::new(names.to_vec());
        match (arg.get_id().as_str(), command) {
            ("rules", _) | ("name", "rules") => arg.value_parser(of(&self.editions)),
            ("seats" | "bots" | "against" | "others" | "as_bot" | "later", _)
            | ("name", "strategy") => arg.value_parser(of(&self.bots)),
            ("metric" | "maximize" | "minimize" | "objective", _) => {
                arg.value_parser(of(&self.metrics))
            }
            ("set", _) => arg
                .value_parser(of(&self.values))
                .value_hint(ValueHint::Other),
            ("vary" | "a" | "b" | "c", _) => arg
                .value_parser(of(&self.paths))
                .value_hint(ValueHint::Other),
            _ => arg,
        }
    }
}

/// A command that asks for a game becomes one of each game that it can be given.
fn with_names(command: clap::Command, names: &[Names]) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "game" if !arg.is_positional() => {
            arg.value_parser(PossibleValuesParser::new(GAMES.map(|game| game.name)))
        }
        "file" | "files" | "record" | "shards" => arg.value_hint(ValueHint::FilePath),
        "out" | "folder" => arg.value_hint(ValueHint::DirPath),
        _ => arg,
    });
    let asks = |arg: &clap::Arg| arg.get_id() == "game" && arg.is_positional();
    if !command.get_arguments().any(asks) {
        return command;
    }
    let name = command.get_name();
    let of_game = |names: &Names| {
        let own = command.get_arguments().filter(|arg| !asks(arg)).cloned();
        let own = own.map(|arg| names.at(name, arg));
        clap::Command::new(names.game.name)
            .about(names.game.title)
            .args(own)
    };
    let games = names.iter().filter(|names| names.are_for(name));
    let about = command.get_about().cloned().unwrap_or_default();
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    clap::Command::new(&*name.to_string().leak())
        .about(about)
        .args(options.cloned())
        .disable_help_subcommand(true)
        .subcommands(games.map(of_game))
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
