//! The command line: one file a subcommand, each with its arguments and its run.
//!
//! This is the only place that knows the terminal. The keys of studies are declared in `study`.

mod advise;
mod args;
mod check;
mod collect;
mod columns;
mod completions;
mod deliver;
mod dry_run;
mod engine;
mod error;
mod fit;
mod interrupt;
mod junit;
mod list;
mod machine;
mod merge;
mod page;
mod panic;
mod person;
mod play;
mod progress;
mod replay;
mod run;
mod serve;
mod shard;
mod show;
mod simd;
mod site;
mod sweep;
mod terminal;

use args::hidden;
use carat_core::catalog::GAMES;
use carat_core::library::read_text;
use carat_core::thinking::end_programs;
use carat_studies::study;
use carat_studies::study::kept_game::KeptGame;
use clap::error::{ContextKind, ErrorKind};
use clap::{Parser, Subcommand};
use error::CliError;
use play::Typed;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;
use terminal::{note, print, visible};

/// The end of `carat --help`: a first command, and the topics of help.
const START: &str = "Start with `carat simulate diamant`. More help: `carat help TOPIC` for bots, rules, \
                     results, methods, engine and strategy.";

/// What `carat help TOPIC` prints, by topic; besides, `strategy` of each game.
const TOPICS: [(&str, &str); 6] = [
    ("bots", include_str!("help/bots.txt")),
    ("rules", include_str!("help/rules.txt")),
    ("results", include_str!("help/results.txt")),
    ("methods", include_str!("../METHODS.md")),
    ("engine", include_str!("help/engine.txt")),
    ("strategy", include_str!("help/strategy.txt")),
];

/// All topics of help with their texts.
fn topics() -> Vec<(String, &'static str)> {
    let general = TOPICS.map(|(topic, text)| (topic.to_string(), text));
    let of_games = GAMES.map(|game| (format!("strategy {}", game.name), game.strategy));
    general.into_iter().chain(of_games).collect()
}

fn topic_names() -> String {
    let names = topics().into_iter().map(|(topic, _)| topic);
    names.collect::<Vec<_>>().join(", ")
}

/// Monte Carlo strategy simulator and analytics for games about diamonds.
#[derive(Parser)]
#[command(name = "carat", version, about, max_term_width = 100)]
#[command(
    after_help = START,
    after_long_help = format!("{START}\n\n{}", error::EXIT_STATUS)
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const TUNE_EXAMPLES: &str = "\
Examples:
  When should I leave against these four bots?
    carat tune diamant --seat threshold --table depth,traps,risk,random \\
      --vary seats.1.target=4..30 --maximize win_share@1

  Which mix of traps makes games shorter, with at least as many comebacks?
    carat tune diamant --vary rules.traps.snake=2..6 --vary rules.traps.spider=2..6 \\
      --target cards_per_game=31..32 --target comeback_rate=start..";

const OUT_OR_PAGE: &str = "Output folder, or a name ending in .pdf to write only the printable page \
                           [default: reports/out/NAME, named after the game or study]";
const ANEW: &str = "Search again, instead of printing the rule that comes with carat; also \
                    discards saved progress (--anew is the same)";

#[derive(Subcommand)]
enum Command {
    #[command(mut_args(hidden(&["gate"])))]
    Simulate(Typed<study::Simulate>),
    #[command(mut_args(hidden(&["raw", "gate"])))]
    Sweep(sweep::Args),
    #[command(mut_args(hidden(&["raw"])))]
    Compare(Typed<study::Compare>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])))]
    Tournament(Typed<study::Tournament>),
    #[command(after_long_help = TUNE_EXAMPLES, mut_args(hidden(&["raw", "shard"])))]
    Tune(Typed<study::Tune>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])))]
    Solve(Typed<study::Solve>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])), mut_arg("out", |arg| arg.help(OUT_OR_PAGE)))]
    Describe(Typed<study::Describe>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])))]
    Adapt(Typed<study::Adapt>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])), mut_arg("out", |arg| arg.help(OUT_OR_PAGE)), mut_arg("restart", |arg| arg.help(ANEW)))]
    Rule(Typed<study::Rule>),
    #[command(mut_args(hidden(&["raw", "shard", "gate"])))]
    Analyse(Typed<study::Analyse>),
    Run(run::Args),
    Merge(merge::Args),
    #[command(after_long_help = collect::EXAMPLES)]
    Collect(collect::Args),
    Replay(replay::Args),
    Play(person::Args),
    Quiz(person::quiz::Args),
    Progress(person::progress::Args),
    Advise(advise::Args),
    Engine(engine::Args),
    Serve(serve::Args),
    Site(site::Args),
    #[command(after_long_help = fit::EXAMPLES)]
    Fit(fit::Args),
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

/// Runs the command line; prints an error and returns the exit code.
pub fn main() -> ExitCode {
    let code = answer();
    let passes = end_programs();
    if passes > 0 {
        note(&format!(
            "warning: decisions passed because a program failed: {passes}"
        ));
    }
    code
}

/// Joins repeated `--others`, and the files that a shell makes of `--others friends/*.toml`, to one
/// value with a line for each.
fn joined(words: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let (mut others, mut is_open) = (None, false);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let file = Path::new(&word);
        let bots = match word.to_str().and_then(|word| word.strip_prefix("--others")) {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('=').map(OsString::from),
            None if is_open && file.extension().is_some_and(|end| end == "toml") => {
                let is_bot = read_text(file).is_ok_and(|text| !KeptGame::is(&text));
                is_bot.then(|| word.clone())
            }
            None => None,
        };
        is_open = bots.is_some();
        match (bots, others) {
            (Some(bots), None) => {
                others = Some(joined.len() + 1);
                joined.extend(["--others".into(), bots]);
            }
            (Some(bots), Some(at)) => {
                joined[at].push("\n");
                joined[at].push(bots);
            }
            (None, _) => joined.push(word),
        }
    }
    joined
}

fn answer() -> ExitCode {
    panic::ask_for_reports();
    interrupt::outlive_limits();
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    for (topic, text) in topics() {
        if words[..] == *format!("help {topic}").split(' ').collect::<Vec<_>>() {
            return exit_code(print(text));
        }
    }
    if let [help, topic, ..] = &words[..]
        && help == "help"
        && TOPICS.iter().any(|(known, _)| topic == known)
    {
        let asked = words[1..].join(OsStr::new(" "));
        return exit_code(Err(CliError::Usage(format!(
            "no help topic `{}`; the topics are {}",
            asked.display(),
            topic_names()
        ))));
    }
    completions::answer_shell();
    let cli = match Cli::try_parse_from(std::env::args_os().take(1).chain(joined(words))) {
        Ok(cli) => cli,
        Err(error) => return clap_says(error),
    };
    exit_code(match cli.command {
        Command::Simulate(args) => args.run(),
        Command::Sweep(args) => sweep::run(&args),
        Command::Compare(args) => args.run(),
        Command::Tournament(args) => args.run(),
        Command::Tune(args) => args.run(),
        Command::Solve(args) => args.run(),
        Command::Describe(args) => args.run(),
        Command::Adapt(args) => args.run(),
        Command::Rule(args) => args.run(),
        Command::Analyse(args) => args.run(),
        Command::Run(args) => run::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Collect(args) => collect::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Play(args) => person::run(&args),
        Command::Quiz(args) => person::quiz::run(&args),
        Command::Progress(args) => person::progress::run(&args),
        Command::Advise(args) => advise::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Site(args) => site::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::List(args) => list::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => completions::write_pages(&args),
    })
}

/// Prints an error, and returns the exit code. A closed pipe counts as success.
fn exit_code(result: Result<(), CliError>) -> ExitCode {
    let error = match result {
        Ok(()) | Err(CliError::Closed) => return ExitCode::SUCCESS,
        Err(error) => error,
    };
    match error {
        CliError::Left(_) => note(&error.to_string()),
        _ => note(&format!("error: {error}")),
    }
    ExitCode::from(error.exit_code())
}

/// Help, version and wrong usage, in clap's words.
fn clap_says(mut error: clap::Error) -> ExitCode {
    let hint = hint(&error);
    if hint.is_some() {
        // Replaces clap's suggestion.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedArg);
    }
    let text = error.render().to_string();
    let printed = if error.use_stderr() && visible(&text) != text {
        // An argument with control characters would control the terminal.
        note(text.trim_end());
        Ok(())
    } else {
        error.print()
    };
    if let Some(hint) = hint {
        note(&format!("\nhint: {hint}"));
    }
    match printed {
        Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
        Err(source) => exit_code(Err(source.into())),
    }
}

/// What to type instead, if the mistake is a known one.
fn hint(error: &clap::Error) -> Option<String> {
    let command = std::env::args_os().nth(1).unwrap_or_default();
    if error.kind() == ErrorKind::InvalidSubcommand && command == "help" {
        return Some(format!("the topics of `carat help` are {}", topic_names()));
    }
    let wrong = error.get(ContextKind::InvalidArg)?.to_string();
    match error.kind() {
        ErrorKind::MissingRequiredArgument if wrong.contains("<GAME>") => {
            let games = GAMES.map(|game| game.name).join(", ");
            Some(format!("the games are {games}"))
        }
        ErrorKind::ArgumentConflict if error.to_string().contains("--shard") => {
            Some("give --format, --svg and --json to `carat merge`".to_string())
        }
        ErrorKind::MissingRequiredArgument if wrong.contains("--vary") => {
            let each = "; --each changes each number of the rules by a step";
            let each = if command == "sweep" { each } else { "" };
            Some(format!("--vary rules.rounds=3..6 tries values{each}"))
        }
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "-a" | "-b" | "-c") => Some(
            format!("write changes of a side with two dashes: -{wrong} rules.traps.snake=4"),
        ),
        ErrorKind::UnknownArgument if matches!(wrong.as_str(), "--bot" | "--bots") => {
            Some("--seat BOT seats a bot; repeat for more".to_string())
        }
        _ => None,
    }
}
