//! `carat simulate`: bots at one table, many games.

use super::error::CliError;
use super::play::{self, OutputArgs};
use crate::study::library::Library;
use crate::study::{Simulate, parse_count};

/// Seat bots at a table, play many games, and report who wins and why
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is played: the same for every command that seats bots.
#[derive(clap::Args)]
pub struct TableArgs {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// A bot at the table, `[copies*]BOT[:param=value,…]`; repeat for more
    #[arg(long = "seat", value_name = "BOT")]
    seats: Vec<String>,
    /// Number of players; seats that are not given are filled with the game's own field
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    players: Option<i64>,
    /// An edition (see `carat list`) or a rules file
    #[arg(long, value_name = "NAME or FILE")]
    rules: Option<String>,
    /// Change a value of the rules, such as traps.snake=4; repeat for more
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
}

/// Which games are played: the same for every study.
#[derive(clap::Args)]
pub struct GamesArgs {
    /// Number of games: 250000, 250k, 4M, 1e9 [default: the game's own; in a
    /// tournament fewer, as each line-up plays so many]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    games: Option<u64>,
    /// Instead of --games: stop once the widest interval of the metric has at most this half-width,
    /// such as 0.001 for a tenth of a percent of the wins
    #[arg(
        long,
        value_name = "W",
        allow_negative_numbers = true,
        conflicts_with = "games"
    )]
    precision: Option<f64>,
    /// Most games that --precision may take, at each table [default: 1G]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true, requires = "precision")]
    max_games: Option<u64>,
    /// The figure that --precision is of, and that a sweep draws and ranks: win_share, score_mean@2
    /// (of seat 2), cards_per_game, … [default: win_share; in a sweep that of the first seat that
    /// varies, or else the first figure of the table]
    #[arg(long, value_name = "FIGURE")]
    metric: Option<String>,
    /// Seed of all luck
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Whether bots change places from game to game
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    rotate: bool,
}

impl GamesArgs {
    /// The study with these games.
    pub fn of(&self, study: Simulate) -> Simulate {
        Simulate {
            games: self.games,
            precision: self.precision,
            max_games: self.max_games,
            metric: self.metric.clone(),
            seed: self.seed,
            rotate: self.rotate,
            ..study
        }
    }
}

impl TableArgs {
    /// The study that these arguments describe.
    pub fn study(&self) -> Result<Simulate, CliError> {
        Ok(Simulate {
            rules: self.rules.clone(),
            set: self.set.clone(),
            players: players(self.players)?,
            seats: self.seats.clone(),
            ..Simulate::of(&self.game)
        })
    }
}

/// The number of players, if one is given.
pub fn players(given: Option<i64>) -> Result<Option<usize>, CliError> {
    let number = |players| {
        usize::try_from(players)
            .map_err(|_| CliError::Input(format!("--players {players}: at least 1 is needed")))
    };
    given.map(number).transpose()
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let study = args.games.of(args.table.study()?);
    play::simulate(&study, &Library::here(), &study.game, &args.output)
}
