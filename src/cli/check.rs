//! `carat check`: validates bots, rules and studies.

use super::error::{CliError, usage};
use super::run::{is_manifest, manifest_of_folder};
use super::show::find;
use super::terminal::{answer, print};
use carat_core::catalog::{self, GAMES};
use carat_core::diagnostic::{Diagnostic, counted, did_you_mean, nearest};
use carat_core::game::Game;
use carat_core::game::story::list;
use carat_core::library::{Library, SHARING, is_path, read_manifest, read_text};
use carat_core::overrides::{completed, read_rules};
use carat_core::strategy::Strategy;
use carat_studies::report::Manifest;
use carat_studies::study::Remark;
use carat_studies::study::flaws::{easy_tables, find_flaws};
use carat_studies::study::kept_game::KeptGame;
use carat_studies::study::run::first_seed;
use carat_studies::study::table::PEOPLE;
use carat_studies::study::typed::Bots;
use carat_studies::study::{Ready, Study, TableSpec, remark};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Check bot, rules and study files; the exit code is 0 if all are valid
#[derive(clap::Args)]
pub struct Args {
    /// Bot, rules and study files, manifests, and games saved by `carat play`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game of the bots [default: inferred from their folder or formula]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Also play rules files, among people, and name signs that the game is broken
    #[arg(long)]
    play: bool,
    /// Print JSON (see `carat show json`)
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let game = args.game.as_deref().map(find).transpose()?;
    let (mut faults, mut records) = (Vec::new(), Vec::new());
    for file in &args.files {
        let name = file.display().to_string();
        let checked = check(file, game, args.play);
        records.push(match &checked {
            Ok(what) => json!({ "file": name, "sound": true, "what": what }),
            Err(error) => json!({ "file": name, "sound": false, "fault": error.to_string() }),
        });
        match checked {
            Ok(what) if !args.json => print(&format!("{name}: {what}, valid\n"))?,
            checked => faults.extend(checked.err().map(|error| error.to_string())),
        }
    }
    if args.json {
        print(&answer("files", records)?)?;
    }
    match faults.len() {
        0 => Ok(()),
        invalid => usage!(
            "{}\n\n{} of {}",
            faults.join("\n\nerror: "),
            counted(invalid, "invalid file"),
            args.files.len()
        ),
    }
}

/// The kind of a valid file.
fn check(file: &Path, game: Option<&'static Game>, plays: bool) -> Result<String, CliError> {
    let file = &manifest_of_folder(file)?;
    let name = file.display().to_string();
    let result = match file.extension().and_then(|end| end.to_str()) {
        Some("csv" | "parquet" | "xlsx" | "md") => Some("a table of results"),
        Some("carat") => Some("a saved report"),
        _ => None,
    };
    if let Some(what) = result {
        usage!("{name}: {what}; carat check reads bots, rules, studies, manifests and saved games");
    }
    let long = is_manifest(file);
    let text = if long { read_manifest } else { read_text }(file)?;
    if long || text.trim_start().starts_with('{') {
        let manifest = Manifest::from_json(&name, &text)?;
        let library = Library::pinned(manifest.strategies, manifest.rules);
        let game = resolve(&name, &manifest.study, &library)?.game.name;
        return Ok(format!("a manifest of {game}, with all its rules and bots"));
    }
    let table: toml::Table = toml::from_str(&text)
        .map_err(|error| Box::new(Diagnostic::from_toml(&name, &text, &error)))?;
    if table.get("moves").is_some_and(toml::Value::is_array) {
        let game = KeptGame::from_toml(&name, &text)?.table.game;
        return Ok(format!("a game of {game} saved by `carat play`"));
    }
    if table.keys().any(|key| nearest(key, ["study"]).is_some()) {
        let mut what = describe_study(file, &name, &text)?;
        if table.contains_key("table") {
            what += ", in the format of 0.2: move the keys under [table] to the top";
        }
        return Ok(what);
    }
    if ["seats", "others", "games", "vary"]
        .iter()
        .any(|key| table.contains_key(*key))
    {
        usage!("{name}: not a study: write its kind, such as study = \"simulate\"");
    }
    let named = table.get("game").and_then(toml::Value::as_str);
    let mut games = GAMES.iter();
    let answers = games.any(|game| table.contains_key(game.vocabulary.question));
    if let Some(named) = named
        && !answers
    {
        return check_rules(find(named)?, &name, &text, plays);
    }
    let Some(game) = game
        .or_else(|| game_of_folder(file))
        .or_else(|| game_of_bot(&name, &text, &table))
    else {
        if answers || is_made_of_bots(&table) {
            usage!("{name}: name the bot's game with --game");
        }
        let mut questions = GAMES
            .map(|game| format!("`{}`", game.vocabulary.question))
            .to_vec();
        questions.dedup();
        let hint = table.keys().find_map(|key| did_you_mean(key, ["game"]));
        let hint = hint.map(|hint| format!("; {hint}"));
        usage!(
            "{name}: not a study (no key `study`), not rules (no key `game`), and not a bot (no {}){}",
            questions.join(" or "),
            hint.unwrap_or_default()
        );
    };
    let bot = Library::here().read(game, &name, &name, &text, &[])?;
    let table = |(name, cells): &(String, usize)| format!("{name} of {}", counted(*cells, "cell"));
    let tables: Vec<String> = bot.tables.iter().map(table).collect();
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    let with = match tables.len() {
        0 => String::new(),
        1 => format!(", with table {}", tables[0]),
        _ => format!(", with tables {}", list(&tables)),
    };
    Ok(format!("a bot of {}{with}", game.name))
}

/// Valid rules; `plays` looks for signs that their game is broken, too.
fn check_rules(
    game: &'static Game,
    name: &str,
    text: &str,
    plays: bool,
) -> Result<String, CliError> {
    let completed = completed(text, game.older_rules);
    let played = completed.as_ref().map_or(text, |(text, _)| text);
    read_rules(game, name, played).map_err(Box::new)?;
    let mut what = format!("rules of {}", game.name);
    if let Some((_, lacked)) = completed {
        what += &format!(", in an older file without some keys, so {lacked}");
    }
    if plays {
        what += &format!(", {}", signs(game, name)?);
    }
    Ok(what)
}

/// What games among people show of rules.
fn signs(game: &Game, file: &str) -> Result<String, CliError> {
    let table = TableSpec {
        rules: Some(file.to_string()),
        others: Some(Bots::people()),
        ..TableSpec::of(game.name)
    };
    let library = Library::here();
    let seated = table.resolve(&library)?;
    let name = format!("{} {PEOPLE}", seated.seats.len());
    let easy = easy_tables(&seated, &[PEOPLE], &library);
    let found = find_flaws([(name.clone(), &seated)], &easy, first_seed());
    if found.is_empty() {
        return Ok(format!("without a sign of a broken game among {name}"));
    }
    Ok(format!(
        "with signs of a broken game: {}",
        remark::signs(&found)
    ))
}

/// The game of a valid study, and the files of its own that it needs.
fn describe_study(file: &Path, name: &str, text: &str) -> Result<String, CliError> {
    let study = Study::from_toml(name, text)?;
    let ready = resolve(name, &study, &Library::beside(file).with_stand_ins())?;
    let mut what = format!("a study of {}", ready.game.name);
    let sources = ready.sources.rules.iter().chain(&ready.sources.strategies);
    let own = sources.map(|source| source.name.as_str());
    let own = Vec::from_iter(own.filter(|name| is_path(name)));
    if !own.is_empty() {
        what += &format!(" that needs {} ({SHARING})", list(&own));
    }
    for warning in &ready.warnings {
        if matches!(warning, Remark::Impossible(_) | Remark::ImpossibleSteps(_)) {
            what += &format!("; {warning}");
        }
    }
    Ok(what)
}

/// A study, if all its names can be resolved.
fn resolve(file: &str, study: &Study, library: &Library) -> Result<Ready, CliError> {
    let ready = study.resolve(library).map_err(CliError::Study);
    ready.map_err(|error| error.in_file(file))
}

/// The game that names a folder of the path, as in `strategies/diamant/mine.toml`.
fn game_of_folder(file: &Path) -> Option<&'static Game> {
    let absolute = std::path::absolute(file).ok()?;
    let mut folders = absolute.parent()?.components().rev();
    folders.find_map(|folder| catalog::find(&folder.as_os_str().to_string_lossy()))
}

/// The only game that can seat a bot: it has the bot's question and features, or the bots of its
/// mix. For a faulty formula, the game that understands most of it.
fn game_of_bot(name: &str, text: &str, table: &toml::Table) -> Option<&'static Game> {
    let mut games = GAMES.to_vec();
    let is_made_of_bots = is_made_of_bots(table);
    games.retain(|game| {
        let mut keys = table.keys();
        let is_asked = keys.any(|key| nearest(key, [game.vocabulary.question]).is_some());
        // Rules always have a title.
        is_made_of_bots || (is_asked && !table.contains_key("title"))
    });
    let reads = |game: &&'static Game| Library::here().read(game, name, name, text, &[]).is_ok();
    let valid: Vec<&'static Game> = games.iter().copied().filter(reads).collect();
    match valid[..] {
        [game] => Some(game),
        [] if !is_made_of_bots => games.into_iter().max_by_key(|game| {
            let read = Strategy::from_toml(name, name, text, game.vocabulary);
            read.map_or_else(|faulty| faulty.fault.span.start, |_| text.len())
        }),
        _ => None,
    }
}

fn is_made_of_bots(table: &toml::Table) -> bool {
    let mut keys = ["think", "mix", "exec"].iter();
    keys.any(|key| table.contains_key(*key))
}
