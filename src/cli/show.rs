//! `carat show`: prints rules, bots, studies, features, or what a game is.

use super::columns::columns;
use super::error::CliError;
use super::terminal::{answer, print, prose, table, views};
use crate::catalog;
use crate::diagnostic::counted;
use crate::figure::Card;
use crate::format::Format;
use crate::game::Game;
use crate::results::{Cells, card, pdf, write_whole};
use crate::strategy::MadeFor;
use crate::study::library::{Library, SourceText};
use crate::study::made_for::{is_for, rules_of};
use crate::study::table::checked_rules;
use crate::study::{SeatedTable, Study, StudyError, TableSpec, no_such_game, paths};
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Print rules, a bot or a study ready to edit, and what a game has: features, metrics, columns, paths
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    /// Print it as JSON (see `carat show json`)
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
        /// The bot
        #[arg(value_name = "BOT")]
        name: Option<String>,
    },
    /// A card to take to the table: when to leave, as a bot's small tables say it
    Card(CardArgs),
    /// A study file with every key, commented: save it, edit it, and play it with carat run
    Study {
        /// The kind of study
        #[arg(default_value = "simulate", value_parser = PossibleValuesParser::new(Study::KINDS))]
        kind: String,
    },
    /// The names that a bot's formula may use
    Features {
        /// The game, such as diamant
        game: String,
    },
    /// The columns of every table that studies of a game write
    Columns {
        /// The game, such as diamant
        game: String,
    },
    /// The metrics of a game: for --metric, and as columns of seats.csv and rows of table.csv
    Metrics(TableSpec),
    /// Every path that compare and sweep can change at a table, with its value
    Paths(TableSpec),
    /// What a game is, and what it ships with
    Game {
        /// The game, such as diamant
        game: String,
    },
    /// What --json prints, of every command, as a JSON Schema
    Json,
}

#[derive(clap::Args)]
struct CardArgs {
    /// The game: diamant
    game: String,
    /// A bot that has the tables of a card, or its file [default: card-N, for N players]
    bot: Option<String>,
    /// Number of players [default: what the bot was made for, else the game's own]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// An edition (see `carat list`) or a rules file [default: what the bot was made for]
    #[arg(long, value_name = "NAME or FILE")]
    rules: Option<String>,
    /// Write it to a file instead: .pdf for print, .png, .svg or .txt
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What `--json` prints.
const SCHEMA: &str = include_str!("json.schema.json");

/// Prints what was asked for.
pub fn run(args: &Args) -> Result<(), CliError> {
    let library = Library::here();
    let (what, shown) = match &args.what {
        What::Rules { game, name } => {
            let game = find(game)?;
            let name = name.as_deref().unwrap_or(game.editions[0].name);
            ("file", source(library.rules_source(game, name)?))
        }
        What::Strategy { game, name } => {
            let game = find(game)?;
            let name = name.as_deref().ok_or_else(|| {
                let known = library.strategy_names(game).join(", ");
                CliError::Usage(format!("name a bot of {}: {known}", game.name))
            })?;
            let (found, _) = library.strategy_source(game, name)?;
            ("file", source(found))
        }
        What::Card(asked) => {
            let (name, table, card) = card_of(asked, &library)?;
            if let Some(file) = &asked.out {
                return write_card(&card, file);
            }
            let tables = card.tables.iter();
            let tables = tables.map(|(title, bounds)| json!({ "title": title, "bounds": bounds }));
            let records = json!({
                "bot": name,
                "rules": table.rules,
                "set": table.set,
                "players": table.players,
                "how": card.how,
                "rows": card.rows,
                "columns": card.columns,
                "tables": tables.collect::<Vec<_>>(),
                "note": card.note,
            });
            let text = views(&card.views(), &[], "");
            ("card", Shown { text, records })
        }
        What::Study { kind } => {
            let kinds = Study::KINDS.iter().copied();
            let kinds = kinds.filter(|known| known == kind);
            let text = kinds.map(Study::template).collect();
            let name = format!("{kind}.toml");
            ("file", source(SourceText { name, text }))
        }
        What::Features { game } => ("features", features(find(game)?)),
        What::Columns { game } => ("columns", columns(find(game)?, &library)?),
        What::Metrics(table) => ("metrics", metrics(&table.resolve(&library)?)),
        What::Paths(table) => ("paths", listed_paths(&table.resolve(&library)?)?),
        What::Game { game } => ("game", about(find(game)?, &library)),
        What::Json => return print(SCHEMA),
    };
    if args.json {
        print(&answer(what, shown.records)?)
    } else {
        print(&shown.text)
    }
}

/// What is shown: as a text, and as records.
pub struct Shown {
    /// For people.
    pub text: String,
    /// For scripts.
    pub records: Value,
}

impl Shown {
    /// A table of words below an introduction.
    fn table(introduction: &str, header: &[&str], rows: Vec<Vec<String>>) -> Shown {
        let record = |row: &Vec<String>| {
            let fields = header.iter().zip(row);
            Value::Object(
                fields
                    .map(|(name, value)| (name.to_string(), json!(value)))
                    .collect(),
            )
        };
        let records = rows.iter().map(record).collect();
        Shown {
            text: format!(
                "{}\n\n{}\n",
                prose(introduction),
                table(&Cells::new(header, rows))
            ),
            records,
        }
    }
}

/// A card, with the name of its bot and the table that it is for.
fn card_of(asked: &CardArgs, library: &Library) -> Result<(String, MadeFor, Card), CliError> {
    let game = find(&asked.game)?;
    let named = asked.bot.as_ref().map(|bot| library.strategy(game, bot));
    let named = named.transpose()?;
    let own = named.as_ref().and_then(|bot| bot.made_for.clone());
    let own = own.unwrap_or_default();
    let players = asked.players.or(own.players).unwrap_or(game.players);
    game.check_players(players).map_err(StudyError::from)?;
    let mut spec = TableSpec::of(game.name);
    (spec.rules, spec.set) = match &asked.rules {
        Some(rules) => (Some(rules.clone()), Vec::new()),
        None => (own.rules, own.set),
    };
    let (source, rules) = checked_rules(game, &mut spec, library)?;
    let shape = rules.school().and_then(|school| school.card(players));
    let shape = shape.ok_or_else(|| {
        CliError::Usage(format!(
            "there is no card of {} for {}",
            game.title,
            counted(players, "player")
        ))
    })?;
    let bot = match named {
        Some(bot) => bot,
        None => library.strategy(game, &format!("card-{players}"))?,
    };
    let table = spec.made_for(Some(players));
    let played = rules_of(&source.name, &source.text, &spec.set)?;
    let why = match &bot.made_for {
        Some(own) if !is_for(game, own, (&source.name, &played), players)? => {
            format!("it is for {own}")
        }
        _ => match card(shape, &bot, &table, game.vocabulary) {
            Some(card) => return Ok((bot.name, table, card)),
            None => "it plays by other tables or another formula".to_string(),
        },
    };
    let (name, rules) = (&bot.name, &source.name);
    Err(CliError::Usage(format!(
        "{name} is no card for {table}: {why}\n`carat solve {} --rules {rules} --players {players} \
         --out FOLDER` makes one, FOLDER/rule-card.toml",
        game.name
    )))
}

fn write_card(card: &Card, file: &Path) -> Result<(), CliError> {
    let failed = |source| CliError::Chart {
        name: "card".to_string(),
        source,
    };
    let ending = file.extension().and_then(|ending| ending.to_str());
    let bytes = match ending {
        Some("pdf") => pdf(&card.views(), &[]),
        Some("png") => card.drawn().and_then(|card| card.png()).map_err(failed)?,
        Some("svg") => card
            .drawn()
            .and_then(|card| card.svg())
            .map_err(failed)?
            .into_bytes(),
        Some("txt") => views(&card.views(), &[], "").into_bytes(),
        _ => {
            let file = file.display();
            return Err(CliError::Usage(format!(
                "--out {file}: end it in .pdf, .png, .svg or .txt"
            )));
        }
    };
    write_whole(file, &bytes).map_err(|source| CliError::Keep {
        file: file.to_path_buf(),
        source,
    })
}

/// A file's text as it is.
fn source(source: SourceText) -> Shown {
    let text = Format::told(&source.text);
    let source = SourceText { text, ..source };
    Shown {
        records: json!(source),
        text: source.text,
    }
}

/// The game of this name.
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
         digits (single precision): whole numbers up to 16,777,216 are exact, and of shares that are \
         equal on paper one may be a little larger.",
        game.title,
        vocabulary.question,
        vocabulary.answer.described()
    );
    Shown::table(
        &introduction,
        &["feature", "unit", "range", "meaning"],
        rows.collect(),
    )
}

fn metrics(resolved: &SeatedTable) -> Shown {
    let layout = resolved.table.layout();
    let of_seats = layout.seat_metrics.iter().map(|metric| (metric, "@SEAT"));
    let of_table = layout.table_metrics.iter().map(|metric| (metric, ""));
    let rows = of_seats.chain(of_table).map(|(metric, whose)| {
        let name = format!("{}{whose}", metric.name);
        vec![name, metric.meaning.to_string()]
    });
    let introduction = format!(
        "{}: metrics of a seat (write its number for SEAT), then those of the table. Without @SEAT a \
         name means the table's metric, or that of all seats where the table has none. \
         Tables have a row `games` as well: how many were played.",
        resolved.game.title
    );
    Shown::table(&introduction, &["metric", "meaning"], rows.collect())
}

fn listed_paths(resolved: &SeatedTable) -> Result<Shown, StudyError> {
    let rows = paths(resolved)?;
    let rows = rows.into_iter().map(|(path, value)| vec![path, value]);
    let introduction = format!(
        "{}: what compare and sweep can change at this table. `rules` takes an edition or a file, \
         `seats.N` a bot, and all.BOT.PARAM changes every seat of a bot.",
        resolved.game.title
    );
    Ok(Shown::table(
        &introduction,
        &["path", "value"],
        rows.collect(),
    ))
}

fn about(game: &Game, library: &Library) -> Shown {
    let editions: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    let features = features(game);
    let text = format!(
        "{} ({})\n{}\n\n\
         players   {} to {}, {} by default\n\
         score     {}\n\
         rules     {}\n\
         bots      {}\n\n{}\n",
        game.title,
        game.name,
        game.summary,
        game.seats.start(),
        game.seats.end(),
        game.players,
        game.score_unit,
        editions.join(", "),
        library.strategy_names(game).join(", "),
        features.text.trim_end()
    );
    Shown {
        records: json!({
            "name": game.name,
            "title": game.title,
            "summary": game.summary,
            "players": { "min": game.seats.start(), "max": game.seats.end(), "default": game.players },
            "score": game.score_unit,
            "rules": editions,
            "bots": library.strategy_names(game),
            "features": features.records,
        }),
        text,
    }
}
