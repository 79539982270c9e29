//! `carat show`: prints rules, bots, studies, and a game's features, metrics, counts, columns and
//! paths.

use super::columns::columns;
use super::error::{CliError, usage};
use super::terminal::{print, prose, reply, table};
use carat_core::catalog;
use carat_core::format::Format;
use carat_core::game::{Game, explained};
use carat_core::library::{Library, SourceText};
use carat_core::overrides::at_players;
use carat_studies::desk::games;
use carat_studies::report::Cells;
use carat_studies::study::{
    SeatedTable, Study, StudyError, TableSpec, no_such_game, paths, rules_file, rules_numbers,
};
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

/// Print a rules file, bot or study to edit, or list a game's features, metrics, counts, columns or
/// paths
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    /// Print JSON (see `carat show json`)
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum What {
    /// A rules file, complete and commented: save it, edit it, and play it with --rules
    Rules {
        /// The game, such as diamant
        game: String,
        /// The edition [default: the game's first]
        #[arg(value_name = "EDITION")]
        name: Option<String>,
    },
    /// A bot's file: save it, edit it, and play it with --seat
    Strategy {
        /// The game, such as diamant
        game: String,
        /// The bot, by name or file
        #[arg(value_name = "BOT")]
        name: Option<String>,
    },
    #[command(hide = true)]
    Card { words: Vec<String> },
    /// A study file with every key and a comment on each: save it, edit it, and play it with `carat
    /// run`
    Study {
        /// The kind of study, such as sweep
        #[arg(default_value = "simulate", value_parser = PossibleValuesParser::new(Study::KINDS))]
        kind: String,
    },
    /// The features of a game, which a bot's formula may use
    Features {
        /// The game, such as diamant
        game: String,
    },
    /// The columns of every table written by a study of the game
    Columns {
        /// The game, such as diamant
        game: String,
    },
    /// The metrics of a game: for --metric, and as columns of seats.csv and rows of table.csv
    Metrics(TableSpec),
    /// The counts of each game and the numbers of its rules: for the formulas of --define
    Counts(TableSpec),
    /// Every path that --vary and the sides of `carat compare` can change, with its value
    Paths(TableSpec),
    /// The JSON Schema of the output of --json, for every command
    Json,
}

const SCHEMA: &str = include_str!("json.schema.json");

pub fn run(args: &Args) -> Result<(), CliError> {
    let library = Library::here().with_stand_ins();
    let (what, shown) = match &args.what {
        What::Rules { game, name } => {
            let game = find(game)?;
            let name = name.as_deref().unwrap_or(game.editions[0].name);
            (
                "file",
                printed_rules(game, library.rules_source(game, name)?),
            )
        }
        What::Strategy { game, name } => {
            let game = find(game)?;
            let Some(name) = name else {
                let known = library.strategy_names(game).join(", ");
                usage!("name a bot of {}: {known}", game.name);
            };
            let (found, _) = library.strategy_source(game, name)?;
            ("file", source(found))
        }
        What::Card { .. } => usage!(
            "`show card` was removed; `carat rule GAME --out FILE.pdf` writes a rule to print"
        ),
        What::Study { kind } => {
            let (name, text) = (format!("{kind}.toml"), Study::template(kind));
            ("file", source(SourceText::new(&name, text)))
        }
        What::Features { game } => ("features", features(find(game)?)),
        What::Columns { game } => ("columns", columns(find(game)?, &library)?),
        What::Metrics(table) => {
            let mut table = table.clone();
            table.define_minutes()?;
            ("metrics", metrics(&table.resolve(&library)?))
        }
        What::Counts(table) => ("counts", counts(&table.resolve(&library)?)?),
        What::Paths(table) => ("paths", listed_paths(&table.resolve(&library)?)?),
        What::Json => return print(SCHEMA),
    };
    reply(args.json, what, shown.records, &shown.text)
}

/// The output of one subcommand, as text and as records.
pub struct Shown {
    /// The text without --json.
    pub text: String,
    /// The records that --json prints.
    pub records: Value,
}

impl Shown {
    /// A table of texts below an introduction.
    fn table(introduction: &str, header: &[&str], rows: Vec<Vec<String>>) -> Shown {
        let record = |row: &Vec<String>| {
            let fields = header.iter().zip(row);
            Value::from_iter(fields.map(|(name, value)| (*name, value.as_str())))
        };
        let records = rows.iter().map(record).collect();
        let (introduction, table) = (prose(introduction), table(&Cells::new(header, rows)));
        let text = format!("{introduction}\n\n{table}\n");
        Shown { text, records }
    }
}

/// A rules file; an edition with the meaning of each key.
fn printed_rules(game: &Game, mut file: SourceText) -> Shown {
    let is_edition = game
        .editions
        .iter()
        .any(|edition| edition.name == file.name);
    if let Some(text) = explained(game.rules_keys, &file.text).filter(|_| is_edition) {
        let name = game.name;
        file.text = format!(
            "# Copy this file, change a value, and play it: carat simulate {name} --rules my-rules.toml\n\
             # Every key is required; the comment above it describes its values.\n\n{text}"
        );
    }
    source(file)
}

fn source(source: SourceText) -> Shown {
    let text = Format::with_line(&source.text);
    Shown {
        records: json!({ "name": source.name, "text": text }),
        text,
    }
}

pub fn find(name: &str) -> Result<&'static Game, CliError> {
    Ok(catalog::find(name).ok_or_else(|| no_such_game(name))?)
}

fn features(game: &Game) -> Shown {
    let vocabulary = game.vocabulary;
    let rows = vocabulary.features.iter().map(|feature| {
        [feature.name, feature.unit, feature.range, feature.meaning]
            .map(str::to_string)
            .to_vec()
    });
    let introduction = format!(
        "The formula of a {} bot, `{}`, gives {} and may use the names below. Numbers have seven \
         digits (single precision). Whole numbers up to 16,777,216 are exact; fractions that are \
         equal on paper may differ in the last digit. Of a range such as 0…, one end is open.",
        game.title,
        vocabulary.question,
        vocabulary.answer.described()
    );
    let header = ["feature", "unit", "range", "meaning"];
    Shown::table(&introduction, &header, rows.collect())
}

fn metrics(resolved: &SeatedTable) -> Shown {
    let rows = games::metric_rows(resolved);
    let introduction = format!(
        "{}: metrics of a seat (write its number for SEAT), then those of the table. Without @SEAT, a \
         name means the table's metric or, if there is none, that of every seat. \
         In table.csv, the row `games` holds the number of games. `carat show counts {}` lists what \
         --define can use.",
        resolved.game.title, resolved.game.name
    );
    Shown::table(&introduction, &["metric", "meaning"], rows)
}

fn counts(resolved: &SeatedTable) -> Result<Shown, StudyError> {
    let mut layout = resolved.table.layout().clone();
    let (rules, players) = (&resolved.rules.name, resolved.seats.len());
    let text = at_players(rules, &rules_file(resolved)?, players).map_err(StudyError::from)?;
    let numbers = rules_numbers(resolved.game, &text, &[]);
    layout.add_rules_numbers(numbers);
    let rows = layout.counts_of_games().into_iter().map(Vec::from);
    let introduction = format!(
        "{}: what the formulas of --define can use, such as --define 'close=most_score - least_score \
         < 5'. Write the number of a seat for SEAT, as in score_2. In place of _SEAT, a prefix gives \
         the maximum (most_score), minimum (least_score) or sum (all_score) over all seats. The last \
         rows are numbers of the rules, and of cards in its lists and tables; each side of a \
         comparison has its own.",
        resolved.game.title
    );
    let header = ["count", "meaning", "range"];
    Ok(Shown::table(&introduction, &header, rows.collect()))
}

fn listed_paths(resolved: &SeatedTable) -> Result<Shown, StudyError> {
    let rows = paths(resolved)?.into_iter();
    let rows = Vec::from_iter(rows.map(|(path, value)| vec![path, value]));
    let mut introduction = format!(
        "{}: what a sweep, a comparison or a tuning can change at this table. `rules` takes an edition or a file, \
         `seats.N` a bot, and all.BOT.PARAM changes every seat of a bot.",
        resolved.game.title
    );
    let mut short = rows.clone();
    if rows.len() > PATHS_LISTED {
        let is_cell = |path: &str| !path.starts_with("rules.") && path.matches('.').count() > 2;
        short.retain(|row| !is_cell(&row[0]));
        introduction += " --json also lists the numbers in tables of bots, seats.N.TABLE.CELL.";
    }
    let header = ["path", "value"];
    let Shown { text, .. } = Shown::table(&introduction, &header, short);
    let Shown { records, .. } = Shown::table("", &header, rows);
    Ok(Shown { text, records })
}

/// Most paths that are listed with the numbers in tables of bots.
const PATHS_LISTED: usize = 500;
