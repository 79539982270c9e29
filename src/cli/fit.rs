//! `carat fit`: bots that decide as people did in recorded games.

use super::error::{CliError, usage};
use super::terminal::{answer, hanging, print, prose};
use crate::files::write_whole;
use carat_core::game::Habit;
use carat_core::library::{Library, SourceText, read_text};
use carat_core::strategy::SeatSpec;
use carat_studies::study::TableSpec;
use carat_studies::study::fit::{FILE_HEAD, Fitted, fit};
use carat_studies::study::kept_game::KeptGame;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The end of `carat fit --help`.
pub const EXAMPLES: &str = "\
Examples:
  Fit a bot to each person in a folder of games. Then move your own bot out of the new folder.
    carat fit diamant evening --out friends

  Find a rule against these people. Its margin of error includes what the games do not show of them.
    carat rule diamant --others friends/*.toml

  Get advice against them, card by card.
    carat advise diamant --others friends/*.toml";

/// Fit a bot to each person in recorded games
///
/// Each bot is a rule with a few weights, estimated from the person's decisions; with few
/// decisions, the weights stay near those of people in general. Use the bots to practise against
/// these people, or to find a rule against them. --out writes a file for each person: a mix of bots
/// that might all have made these decisions. With more games, the bots of a mix are more alike.
/// Every command with
/// --seat or --others accepts these files.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableSpec,
    /// Recorded games: files saved by `carat play`, or text files with a line `players Anna Ben`
    /// and a line for each expedition such as `1: 5 7 snake / @2 leaves / 11 snake` (`carat replay
    /// GAME --record` prints an example), or folders of such files, which end in .toml or .txt
    #[arg(value_name = "RECORD", required = true, value_parser = parse_records)]
    records: Vec<Records>,
    /// Write each person's bot to NAME.toml in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print JSON (see `carat show json`)
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let records = args.records.iter().flat_map(|records| records.0.clone());
    let records: Vec<SourceText> = records.collect();
    let (habit, fitted) = fit(&args.table, &records, &Library::here())?;
    let files = match &args.out {
        Some(folder) => written(folder, habit, &fitted)?,
        None => Vec::new(),
    };
    if args.json {
        let people = fitted.iter().map(|person| {
            let weights = habit.params.iter().zip(&person.weights);
            let weights = weights.map(|(param, weight)| {
                let parts = json!({
                    "value": weight.value, "se": weight.se, "low": weight.low, "high": weight.high,
                });
                (param.to_string(), parts)
            });
            json!({
                "name": person.name,
                "decisions": person.decisions,
                "yes": person.yes,
                "weights": serde_json::Map::from_iter(weights),
                "bot": person.bot.to_string(),
                "games": person.games,
                "doubt": person.doubt,
                "more_games": person.more_games,
                "draws": person.draws.iter().map(SeatSpec::to_string).collect::<Vec<_>>(),
            })
        });
        return print(&answer("people", people.collect::<Vec<_>>())?);
    }
    let mut text = String::new();
    for (at, person) in fitted.iter().enumerate() {
        let file = files.get(at).cloned();
        let bot = file.unwrap_or_else(|| format!("--others \"{}\"", person.bot));
        text += &format!("{}\n  {bot}\n\n", person.words(habit).join("\n  "));
    }
    print(&hanging(&text))?;
    if files.is_empty() {
        return Ok(());
    }
    let mut kept = records.iter();
    let kept = kept.find_map(|of| KeptGame::from_toml(&of.name, &of.text).ok());
    let own = kept.and_then(|kept| kept.table.people.get(kept.me.wrapping_sub(1)).cloned());
    let mut people = fitted.iter();
    let own = people.position(|person| Some(&person.name) == own.as_ref());
    let mut others = files.clone();
    let mine = match own.filter(|_| files.len() > 1) {
        Some(own) => format!("without {}, who saved a game", others.remove(own)),
        None => format!("if you are {}, leave that file out", fitted[0].name),
    };
    let mut list = others.join(",");
    if list.contains(char::is_whitespace) {
        list = format!("\"{list}\"");
    }
    let game = &args.table.game;
    let head = format!("To find a rule against them and its win share ({mine}):\n");
    print(&prose(&head))?;
    // A line to copy is never wrapped.
    print(&format!("  carat rule {game} --others {list}\n"))
}

/// Writes the bots into a folder; writes none if that would replace a file that carat did not
/// write.
fn written(folder: &Path, habit: &Habit, fitted: &[Fitted]) -> Result<Vec<String>, CliError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for person in fitted {
        let file = folder.join(person.file_name());
        let shown = file.display();
        if shown.to_string().contains([',', '=']) {
            usage!(
                "--out: {shown} contains `,` or `=`, which lists of bots do not allow; name another folder"
            );
        }
        let is_other = |text: String| !text.starts_with(FILE_HEAD);
        if file.exists() && std::fs::read_to_string(&file).map_or(true, is_other) {
            usage!("{shown} was not written by `carat fit`; name another folder");
        }
        if files.contains(&file) {
            usage!("two people would share the file {shown}; change one of their names");
        }
        files.push(file);
    }
    for (file, person) in files.iter().zip(fitted) {
        write_whole(file, person.file(habit).as_bytes()).map_err(CliError::keep(file))?;
    }
    let shown = files.iter().map(|file| file.display().to_string());
    Ok(shown.collect())
}

/// Recorded games: a file, or those in a folder, by name.
#[derive(Clone)]
struct Records(Vec<SourceText>);

/// Reads a record, or all files in a folder that end in .txt or .toml, but for fitted bots.
fn parse_records(path: &str) -> Result<Records, String> {
    let mut files = vec![Path::new(path).to_path_buf()];
    if files[0].is_dir() {
        let entries =
            std::fs::read_dir(path).map_err(|why| format!("cannot read {path}: {why}"))?;
        files = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|of| of == "txt" || of == "toml")
        });
        files.sort();
    }
    let mut records = Vec::new();
    for file in files {
        let text = read_text(&file).map_err(|error| error.to_string())?;
        records.push(SourceText::new(&file.display().to_string(), text));
    }
    records.retain(|record| !record.text.starts_with(FILE_HEAD));
    if records.is_empty() {
        return Err("there is no record in it: no file that ends in .txt or .toml".to_string());
    }
    Ok(Records(records))
}
