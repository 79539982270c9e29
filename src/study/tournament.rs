//! The study of a field: which bots earn most against each other.

use super::library::{Library, Source, Sources};
use super::simulate::checked_rules;
use super::{Simulate, StudyError};
use crate::diagnostic::counted;
use crate::game::{Game, Rules, Seating, Table, WIN_SHARE};
use crate::simulation::{Goal, Missed, NotKept, Player};
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::tournament::{self, Entry, Field, LineUps, PlayedField};
use serde::{Deserialize, Serialize};

/// Most line-ups when no number is given.
const LINE_UPS: usize = 6500;
/// Bots whose tables have more cells were learnt. They take long, and part only when they are named.
const TABLES_MAX: usize = 10_000;
/// Most line-ups of any tournament.
pub const LINE_UPS_MAX: usize = 20_000;

/// Bots that meet each other in all line-ups, or in a sample of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// Always "tournament".
    pub study: TournamentKind,
    /// The title of the table, as it may stand at the top of a file, too.
    #[serde(default, skip_serializing)]
    pub title: Option<String>,
    /// The description of the table, likewise.
    #[serde(default, skip_serializing)]
    pub description: Option<String>,
    /// What all line-ups share; it names no seats.
    pub table: Simulate,
    /// The bots; when this is left out all that are known by name, but for those with large tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bots: Option<Vec<SeatSpec>>,
    /// Most line-ups; where there are more, a random sample is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ups: Option<usize>,
}

/// The word "tournament".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentKind {
    /// Bots against each other.
    #[default]
    Tournament,
}

/// Why a tournament cannot be laid out.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Seats are named.
    #[error("a tournament seats its bots by itself: give bots, not seats")]
    Seats,
    /// Fewer than two bots.
    #[error("{}: a tournament needs at least 2", counted(*.0, "bot"))]
    Bots(usize),
    /// Fewer than two players.
    #[error("players = {0}: a tournament needs at least 2 at a table")]
    Players(usize),
    /// A bot is named twice.
    #[error("bots: `{0}` is named twice")]
    Twice(String),
    /// A bot is asked for in several copies.
    #[error("bots: `{0}`: copies meet each other anyway; name the bot once")]
    Copies(String),
    /// Bots do not sit down in every order.
    #[error("seating: a tournament seats its bots in every order; leave it out")]
    Seating,
    /// Precision is of another figure than the one that is rated.
    #[error("metric = {0}: a tournament rates by win_share")]
    Metric(String),
    /// A sample of line-ups cannot be as precise as is asked.
    #[error(
        "precision: {all} line-ups are too many to play all, and a sample of {most} does not get as \
         precise as one likes; name fewer bots, or line_ups = {all} (at most {LINE_UPS_MAX})"
    )]
    Sampled {
        /// How many there are.
        all: u128,
        /// How many are played.
        most: usize,
    },
    /// Not even every pair of bots would meet.
    #[error(
        "{bots} bots make {pairs} pairs: more than the {} that {} played; name fewer bots, or more \
         line_ups (at most {LINE_UPS_MAX})",
        counted(*most, "line-up"),
        if *most == 1 { "is" } else { "are" }
    )]
    Pairs {
        /// The bots.
        bots: usize,
        /// Their pairs.
        pairs: usize,
        /// Line-ups.
        most: usize,
    },
    /// Not a number of line-ups.
    #[error("line_ups = {0}: write a number from 1 to {LINE_UPS_MAX}")]
    LineUps(usize),
    /// More games than can be told apart.
    #[error(
        "games = {0}: a tournament plays at most {most} in each line-up",
        most = Entry::GAMES_MAX
    )]
    Games(u64),
}

/// A tournament whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Tournament,
    /// Its game.
    pub game: &'static Game,
    /// The rules file, before the changes that the study makes to it.
    pub rules: Source,
    /// The bots.
    pub bots: Vec<Seat>,
    /// Who meets whom.
    pub line_ups: LineUps,
    /// The line-ups at their tables, in the same order as `line_ups.entries`.
    pub tables: Vec<Box<dyn Table>>,
    /// How many games in each entry.
    pub goal: Goal,
    /// What the user should know, though it can be played.
    pub warnings: Vec<String>,
}

/// A tournament after its last game.
pub struct Played {
    /// What was played.
    pub resolved: Resolved,
    /// What came out of it.
    pub field: PlayedField,
}

impl Tournament {
    /// Looks up everything that the tournament names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a table, and those of the tournament.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let mut study = self.clone();
        let table = &mut study.table;
        if !table.seats.is_empty() {
            return Err(TournamentError::Seats.into());
        }
        if table.seating != Seating::EveryOrder {
            return Err(TournamentError::Seating.into());
        }
        if let Some(metric) = table.metric.take_if(|metric| metric != WIN_SHARE) {
            return Err(TournamentError::Metric(metric).into());
        }
        let players = *table.players.get_or_insert(game.players);
        game.check_players(players)?;
        if players < 2 {
            return Err(TournamentError::Players(players).into());
        }
        let (rules, checked) = checked_rules(game, table, library)?;

        let mut warnings = Vec::new();
        let bots = match &self.bots {
            Some(bots) => named(bots, game, library)?,
            None => every(game, library, checked.as_ref(), players, &mut warnings)?,
        };
        if bots.len() < 2 {
            return Err(TournamentError::Bots(bots.len()).into());
        }
        if table.precision.is_none() && table.games.is_none() {
            table.games = Some(default_games(game, bots.len(), players, self.line_ups));
        }
        let goal = table.fill_goal(game)?;
        if goal.most() > Entry::GAMES_MAX {
            return Err(TournamentError::Games(goal.most()).into());
        }
        study.bots = Some(bots.iter().map(Seat::spec).collect());
        let line_ups = line_ups(self.line_ups, bots.len(), players, table.seed, goal)?;
        let seated = |entry: &Entry| {
            let seats: Vec<Seat> = entry.seats.iter().map(|&bot| bots[bot].clone()).collect();
            checked.table(&seats, Seating::EveryOrder)
        };
        let tables: Result<Vec<_>, _> = line_ups.entries.iter().map(seated).collect();
        Ok(Resolved {
            tables: tables?,
            study,
            game,
            rules,
            bots,
            line_ups,
            goal,
            warnings,
        })
    }
}

impl Resolved {
    /// The texts of the rules and bots.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        sources.add(&self.rules, &self.bots);
        sources
    }

    /// Plays all line-ups; `None` when the player was told to stop.
    ///
    /// # Errors
    ///
    /// [`NotKept`] when a finished part could not be kept.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        let tables: Vec<&dyn Table> = self.tables.iter().map(|table| table.as_ref()).collect();
        let chunk = self.game.chunk;
        let field = Field {
            line_ups: &self.line_ups,
            tables: &tables,
            goal: self.goal,
            part: chunk,
        };
        let seed = self.study.table.seed;
        let played = tournament::play(&field, &mut |round, done| {
            player.round(round, seed, chunk, done)
        })?;
        Ok(played.map(|field| Played {
            resolved: self,
            field,
        }))
    }
}

impl Played {
    /// What is missing of the precision that was asked for, among the bots that may be the best.
    pub fn missed(&self) -> Option<Missed> {
        let bots = 0..self.resolved.bots.len();
        let kept = bots.filter(|&bot| self.field.in_best_set[bot]);
        let ratings: Vec<Estimate> = kept.map(|bot| self.field.payoffs.rating(bot)).collect();
        self.resolved.goal.missed(&ratings)
    }
}

/// The bots that are named, each once.
fn named(bots: &[SeatSpec], game: &Game, library: &Library) -> Result<Vec<Seat>, StudyError> {
    let mut seats: Vec<Seat> = Vec::new();
    for bot in bots {
        let mut copies = library.seats(game, bot)?;
        if copies.len() > 1 {
            return Err(TournamentError::Copies(bot.to_string()).into());
        }
        if seats.contains(&copies[0]) {
            return Err(TournamentError::Twice(bot.to_string()).into());
        }
        seats.append(&mut copies);
    }
    Ok(seats)
}

/// All bots that are known by name and can play under these rules.
fn every(
    game: &Game,
    library: &Library,
    rules: &dyn Rules,
    players: usize,
    warnings: &mut Vec<String>,
) -> Result<Vec<Seat>, StudyError> {
    let names = library.strategy_names(game);
    let all: Vec<SeatSpec> = names.iter().map(|name| SeatSpec::of(name)).collect();
    let mut bots = named(&all, game, library)?;
    bots.retain(|bot| {
        let cells = bot.strategy.tables.iter().map(|(_, cells)| cells);
        cells.sum::<usize>() <= TABLES_MAX
    });
    bots.retain(|bot| {
        let alone = rules.table(&vec![bot.clone(); players], Seating::EveryOrder);
        if let Err(error) = &alone {
            warnings.push(format!("{} does not take part: {error}", bot.label()));
        }
        alone.is_ok()
    });
    Ok(bots)
}

/// Games of each line-up when no number is given: all line-ups together take a little longer than
/// a simulation does.
fn default_games(game: &Game, bots: usize, players: usize, line_ups: Option<usize>) -> u64 {
    let most = line_ups.unwrap_or(LINE_UPS) as u128;
    let line_ups = LineUps::number(bots, players).min(most).max(1) as u64;
    (20 * game.games / line_ups).clamp(100, game.games)
}

/// All line-ups where they are few enough, or else a sample.
fn line_ups(
    asked: Option<usize>,
    bots: usize,
    players: usize,
    seed: u64,
    goal: Goal,
) -> Result<LineUps, TournamentError> {
    let most = asked.unwrap_or(LINE_UPS);
    if !(1..=LINE_UPS_MAX).contains(&most) {
        return Err(TournamentError::LineUps(most));
    }
    let all = LineUps::number(bots, players);
    if all <= most as u128 {
        return Ok(LineUps::all(bots, players));
    }
    if matches!(goal, Goal::Precision { .. }) {
        return Err(TournamentError::Sampled { all, most });
    }
    let pairs = bots * bots;
    if pairs > most {
        return Err(TournamentError::Pairs { bots, pairs, most });
    }
    Ok(LineUps::sample(bots, players, most, seed))
}
