//! Arguments that several subcommands share: who plays, which games, and where results go.

use super::error::CliError;
use super::hints::parse_change;
use super::simd::SimdLevel;
use super::terminal::note;
use crate::catalog;
use crate::game::Seating;
use crate::results::{Before, Format};
use crate::simulation::Shard;
use crate::strategy::SeatSpec;
use crate::study::{RunSpec, TableSpec, parse_count};
use std::path::{Path, PathBuf};

/// What is played: the same for every command that seats bots.
#[derive(clap::Args)]
pub struct TableArgs {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// A bot at the table, `[copies*]BOT[:param=value,…]`; repeat for more. `BOT:playouts=64` tries each
    /// option in 64 games before it decides
    #[arg(long = "seat", value_name = "BOT")]
    seats: Vec<SeatSpec>,
    /// The bot that takes each seat that is not given, such as people [default: carat's own bots]
    #[arg(long, value_name = "BOT")]
    others: Option<SeatSpec>,
    /// Number of players; others take the seats that are not given
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Which rules are played.
#[derive(clap::Args)]
pub struct RulesArgs {
    /// An edition (see `carat list`) or a rules file
    #[arg(long, alias = "edition", value_name = "NAME or FILE")]
    rules: Option<String>,
    /// Change a value of the rules, such as traps.snake=4; repeat for more
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = parse_change)]
    set: Vec<String>,
}

impl RulesArgs {
    /// A table of the game with these rules, and nobody named.
    pub fn table(&self, game: &str) -> TableSpec {
        TableSpec {
            rules: self.rules.clone(),
            set: self.set.clone(),
            ..TableSpec::of(game)
        }
    }
}

impl TableArgs {
    /// The table that these arguments describe.
    pub fn spec(&self) -> TableSpec {
        let given = self.seats.iter().map(|seat| seat.copies).sum();
        let usual = catalog::find(&self.game).map(|game| game.players.max(given));
        let filled = self.others.as_ref().and(usual);
        TableSpec {
            players: self.players.or(filled),
            seats: self.seats.clone(),
            others: self.others.clone(),
            ..self.rules.table(&self.game)
        }
    }

    /// The same table with places that change in this way.
    pub fn seated(&self, seating: SeatingArg) -> TableSpec {
        TableSpec {
            seating: seating.into(),
            ..self.spec()
        }
    }
}

/// A number of players or line-ups. How many there may be is known when the game is looked up.
pub fn parse_number(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "write a whole number, at least 1".to_string())
}

/// The seed of all luck, or the number of a game.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// Half the width of an interval. How small it may be is known when the study is looked up.
pub fn parse_precision(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "write a number above 0, such as 0.001".to_string())
}

/// Most threads.
const THREADS_MAX: u16 = 256;

fn parse_threads(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(threads) if threads <= THREADS_MAX => Ok(threads),
        _ => Err(format!("write a whole number from 0 to {THREADS_MAX}")),
    }
}

/// Which luck, and who sits before whom.
#[derive(clap::Args)]
pub struct LuckArgs {
    /// Seed of the random numbers
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = parse_seed,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    /// How bots change places from game to game, where the order round the table matters
    #[arg(long, value_name = "HOW", default_value = "every-order")]
    pub seating: SeatingArg,
}

/// How many games are played, and with which luck.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Number of games: 250000, 250k, 4M, 1e9; in a tournament, of each line-up [default: the
    /// game's own, in a tournament fewer]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Instead of --games: play until the widest interval of the metric is at most ±W, such as 0.001
    /// for a tenth of a percentage point of the wins
    #[arg(
        long,
        value_name = "W",
        value_parser = parse_precision,
        allow_negative_numbers = true,
        conflicts_with = "games"
    )]
    precision: Option<f64>,
    /// Most games with --precision, at each table [default: 1G]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true, requires = "precision")]
    max_games: Option<u64>,
    /// Seed of the random numbers
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = parse_seed,
        allow_negative_numbers = true
    )]
    seed: u64,
}

impl RunArgs {
    pub fn spec(&self) -> RunSpec {
        RunSpec {
            games: self.games,
            precision: self.precision,
            max_games: self.max_games,
            seed: self.seed,
        }
    }
}

/// Which games are played at tables with seats, and what is looked at.
#[derive(clap::Args)]
pub struct GamesArgs {
    #[command(flatten)]
    pub run: RunArgs,
    /// The metric for --precision and for what a sweep draws and ranks: win_share, score_mean@2 (of
    /// seat 2), cards_per_game, … [default: win_share; in a sweep that of the first seat that
    /// varies, else the table's first metric]
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// How bots change places from game to game, where the order round the table matters
    #[arg(long, value_name = "HOW", default_value = "every-order")]
    pub seating: SeatingArg,
}

/// How to play, and where results go; none of it changes a result.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Number of threads; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = parse_threads)]
    pub threads: u16,
    /// Folder for the results [default: reports/out/NAME, after the game or study; for a manifest,
    /// its folder's name with -again]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// File formats of the tables, with commas between them
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "csv"
    )]
    format: Vec<TableFormat>,
    /// Draw no charts
    #[arg(long)]
    pub no_charts: bool,
    /// Write charts as SVG too
    #[arg(long)]
    pub svg: bool,
    /// Vector instructions to use; they change the speed and nothing else
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub simd: SimdLevel,
    /// Print the manifest and all tables as one JSON object, and nothing else (see `carat show
    /// json`). No file is written unless --out is given
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl OutputArgs {
    /// The folder for the results.
    pub fn target(&self, default: PathBuf) -> Result<PathBuf, CliError> {
        match &self.out {
            Some(out) if out.as_os_str() == "-" => Err(CliError::Usage(
                "--out -: results are a folder; --json prints them to standard output".to_string(),
            )),
            Some(out) => Ok(out.clone()),
            None => Ok(default),
        }
    }

    /// Whether results are printed and no file is written.
    pub fn only_prints(&self) -> bool {
        self.json && self.out.is_none()
    }

    /// Tells what the user should know, though it can be played; each thing once.
    pub fn warn(&self, warnings: &[String]) {
        for (index, warning) in warnings.iter().enumerate() {
            if !self.quiet && !warnings[..index].contains(warning) {
                note(&format!("warning: {warning}"));
            }
        }
    }

    /// The formats asked for, each once and in one order.
    pub fn formats(&self) -> Vec<Format> {
        let asked: Vec<Format> = self.format.iter().map(|&format| format.into()).collect();
        let all = Format::ALL.into_iter();
        all.filter(|format| asked.contains(format)).collect()
    }
}

/// How a study is played: all of it with its results, or a shard of it.
#[derive(clap::Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub output: OutputArgs,
    /// Continue an interrupted study; what is done is not played again. What was played in less than
    /// three seconds is not kept. When all is complete, only write missing files
    #[arg(long, conflicts_with = "restart")]
    pub resume: bool,
    /// Discard what is done of an interrupted study, and start over
    #[arg(long)]
    pub restart: bool,
    /// Play one shard of many, such as 3/16; `carat merge` puts all of them together
    #[arg(long, value_name = "K/N", conflicts_with_all = ["format", "svg", "json"])]
    pub shard: Option<Shard>,
    /// Tell how many games there are, about how long they take, and where results would go; nothing
    /// is kept
    #[arg(long)]
    pub dry_run: bool,
    /// Also write every game of a simulation as a row: games.parquet, or a file beside each shard
    #[arg(long)]
    pub raw: bool,
}

impl PlayArgs {
    /// What becomes of parts that were done before.
    pub fn before(&self) -> Before {
        match (self.resume, self.restart) {
            (true, _) => Before::GoOn,
            (_, true) => Before::Remove,
            _ => Before::Ask,
        }
    }
}

/// The folder for the results of what is called `name`.
pub fn reports_out(name: &str) -> PathBuf {
    Path::new("reports/out").join(name)
}

/// How bots change places.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum SeatingArg {
    /// Every order round the table comes equally often
    EveryOrder,
    /// The order stays, and all move on by one place
    Neighbours,
    /// Everyone keeps the same place
    Fixed,
}

impl From<SeatingArg> for Seating {
    fn from(seating: SeatingArg) -> Self {
        match seating {
            SeatingArg::EveryOrder => Seating::EveryOrder,
            SeatingArg::Neighbours => Seating::Neighbours,
            SeatingArg::Fixed => Seating::Fixed,
        }
    }
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum TableFormat {
    Csv,
    Parquet,
    /// A list of records
    Json,
}

impl From<TableFormat> for Format {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Csv => Format::Csv,
            TableFormat::Parquet => Format::Parquet,
            TableFormat::Json => Format::Json,
        }
    }
}
