//! The study of one table: which bots, which rules, how many games.

use super::library::{Library, LibraryError, Source, sources};
use super::overrides::{OverrideError, apply};
use super::parse_count;
use super::paths::PathError;
use super::sweep::SweepError;
use super::tournament::TournamentError;
use crate::catalog;
use crate::diagnostic::nearest;
use crate::game::{Game, MetricRef, NoSuchMetric, Rules, SeatingError, Table, WIN_SHARE};
use crate::simulation::Goal;
use crate::strategy::{Seat, SeatSpec};
use serde::{Deserialize, Deserializer, Serialize};

/// One table, many games. What is left out has a default that the game knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// Always "simulate".
    #[serde(default)]
    pub study: SimulateKind,
    /// What the charts are headed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the study is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Name of the game.
    pub game: String,
    /// An edition or a rules file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Values of the rules that are changed, `PATH=VALUE` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Number of players; seats that are not given are filled with the game's own field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<usize>,
    /// Bots, `[copies*]bot[:param=value,…]` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<String>,
    /// Number of games.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "count"
    )]
    pub games: Option<u64>,
    /// Instead: stop once the widest interval of the metric has at most this half-width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Most games that a precision may take.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "count"
    )]
    pub max_games: Option<u64>,
    /// The figure that the precision is of, and that a sweep draws: `win_share@1`, `score_mean`,
    /// `cards_per_game`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Seed of all luck.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// Whether bots change places from game to game.
    #[serde(default = "yes")]
    pub rotate: bool,
}

/// Most games when a precision is asked for and no number is given.
const GAMES_MAX: u64 = 1_000_000_000;

/// The word "simulate".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SimulateKind {
    /// One table, many games.
    #[default]
    Simulate,
}

fn first_seed() -> u64 {
    1
}

fn yes() -> bool {
    true
}

/// A number of games: a whole number, or a string such as "4M".
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a number of games, such as 250000 or \"4M\"")]
    enum Count {
        Number(i64),
        Text(String),
    }
    let text = match Count::deserialize(deserializer)? {
        Count::Number(number) => number.to_string(),
        Count::Text(text) => text,
    };
    parse_count(&text)
        .map(Some)
        .map_err(serde::de::Error::custom)
}

/// Why a study cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is no such game.
    #[error("there is no game called `{name}`{help} (carat plays {known})")]
    Game {
        /// What was asked for.
        name: String,
        /// The nearest known name, as a sentence, or nothing.
        help: String,
        /// All games.
        known: String,
    },
    /// A bot or a rules file is missing or faulty.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A value of the rules cannot be set.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// There are more players than any rules of the game allow.
    #[error("{players} players: {title} is played by {min} to {max}")]
    Players {
        /// What was asked for.
        players: usize,
        /// The game.
        title: &'static str,
        /// Fewest players.
        min: usize,
        /// Most players.
        max: usize,
    },
    /// The precision makes no sense.
    #[error("precision {0}: the half-width of an interval is a number above 0")]
    Precision(f64),
    /// Both a number of games and a precision.
    #[error("games and precision: give one of them; max_games bounds what a precision may take")]
    GamesAndPrecision,
    /// A bound on nothing.
    #[error("max_games bounds a precision, and none is given")]
    MaxGames,
    /// There is no such metric.
    #[error(transparent)]
    Metric(#[from] NoSuchMetric),
    /// More bots than players.
    #[error("{seats} bots for {players} players: name at most as many bots as there are players")]
    TooManySeats {
        /// Bots named.
        seats: usize,
        /// Players asked for.
        players: usize,
    },
    /// The bots cannot play together.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    /// A path into the study leads nowhere.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A change that is not PATH=VALUE.
    #[error("`{0}`: write PATH=VALUE, such as rules=incan-gold-2020 or seats.1.target=9")]
    Change(String),
    /// A grid cannot be laid out.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A tournament cannot be laid out.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// Nothing to compare with.
    #[error(
        "{0} sides: at least two are needed, such as --a rules=iello-2016 --b rules=schmidt-2005"
    )]
    Sides(usize),
}

/// A study whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Simulate,
    /// Facts of its game.
    pub facts: &'static Game,
    /// The rules file, before the changes that the study makes to it.
    pub rules: Source,
    /// The texts of the bots, each once, in the order of the seats.
    pub strategies: Vec<Source>,
    /// The bots.
    pub seats: Vec<Seat>,
    /// The bots at a table.
    pub table: Box<dyn Table>,
    /// How many games to play.
    pub goal: Goal,
    /// What the user should know, though it can be played.
    pub warnings: Vec<String>,
}

impl Resolved {
    /// The metric that the study is about: the one asked for, or every seat's share of the wins.
    pub fn metric(&self) -> Result<MetricRef, StudyError> {
        let asked = self.study.metric.as_deref().unwrap_or(WIN_SHARE);
        Ok(MetricRef::find(self.table.layout(), asked)?)
    }

    /// One line that says what is played: title, game, rules and players.
    pub fn headline(&self) -> String {
        let rules = self.study.rules.as_deref().unwrap_or_default();
        let changed = match self.study.set.as_slice() {
            [] => String::new(),
            sets => format!(" with {}", sets.join(", ")),
        };
        let players = match self.seats.len() {
            1 => "1 player".to_string(),
            players => format!("{players} players"),
        };
        let title = match &self.study.title {
            Some(title) => format!("{title} · "),
            None => String::new(),
        };
        format!("{title}{} · {rules}{changed} · {players}", self.facts.title)
    }
}

/// Looks up everything that `study` names.
pub fn resolve(study: &Simulate, library: &Library) -> Result<Resolved, StudyError> {
    let game = catalog::find(&study.game).ok_or_else(|| no_such_game(&study.game))?;
    let facts = game;
    let mut study = study.clone();
    let goal = study.fill_goal(facts)?;
    let (rules, checked) = checked_rules(game, &mut study, library)?;
    study.seats = fill_seats(facts, &study)?;
    study.players = None;
    let mut seats = Vec::new();
    for seat in &study.seats {
        seats.extend(library.seats(facts, seat)?);
    }
    let table = checked.table(&seats, study.rotate)?;
    if let Some(metric) = &study.metric {
        MetricRef::find(table.layout(), metric)?;
    }

    let mut warnings = Vec::new();
    let printed = checked.printed_players();
    if !printed.contains(&seats.len()) {
        warnings.push(format!(
            "{} is printed for {} to {} players; playing with {} all the same",
            rules.name,
            printed.start(),
            printed.end(),
            seats.len()
        ));
    }
    Ok(Resolved {
        study,
        facts,
        rules,
        strategies: sources(&seats),
        seats,
        table,
        goal,
        warnings,
    })
}

/// The rules that a study names, with its changes made, and the text they come from.
pub fn checked_rules(
    game: &Game,
    study: &mut Simulate,
    library: &Library,
) -> Result<(Source, Box<dyn Rules>), StudyError> {
    let facts = game;
    let default = || facts.editions[0].name.to_string();
    let name = study.rules.get_or_insert_with(default).clone();
    let rules = library.rules_source(facts, &name)?;
    let played = apply(&name, &rules.text, &study.set)?;
    let shown = match study.set.as_slice() {
        [] => name,
        _ => format!("{name} (with --set)"),
    };
    let checked = game.rules(&shown, &played).map_err(LibraryError::from)?;
    Ok((rules, checked))
}

impl Simulate {
    /// The study of `game` with every default.
    pub fn of(game: &str) -> Self {
        Simulate {
            study: SimulateKind::Simulate,
            title: None,
            description: None,
            game: game.to_string(),
            rules: None,
            set: Vec::new(),
            players: None,
            seats: Vec::new(),
            games: None,
            precision: None,
            max_games: None,
            metric: None,
            seed: first_seed(),
            rotate: true,
        }
    }

    /// Checks how many games are asked for, and fills in what the game has for a default.
    pub fn fill_goal(&mut self, facts: &Game) -> Result<Goal, StudyError> {
        match (self.precision, self.games) {
            (None, _) if self.max_games.is_some() => Err(StudyError::MaxGames),
            (None, games) => Ok(Goal::Games(
                *self.games.insert(games.unwrap_or(facts.games)),
            )),
            (Some(_), Some(_)) => Err(StudyError::GamesAndPrecision),
            (Some(half_width), None) if half_width > 0.0 && half_width.is_finite() => {
                let most = *self.max_games.get_or_insert(GAMES_MAX);
                Ok(Goal::Precision { half_width, most })
            }
            (Some(precision), None) => Err(StudyError::Precision(precision)),
        }
    }

    /// Asks for as many games as were played: they give the same results again, whatever ended them.
    pub fn fix_games(&mut self, games: u64) {
        self.games = Some(games);
        self.precision = None;
        self.max_games = None;
        self.metric = None;
    }
}

/// The same study with its seats written out: one bot each, filled up to the number of players.
pub fn write_out(study: &Simulate) -> Result<Simulate, StudyError> {
    let game = catalog::find(&study.game).ok_or_else(|| no_such_game(&study.game))?;
    let mut seats = Vec::new();
    for seat in fill_seats(game, study)? {
        let mut spec =
            SeatSpec::parse(&seat).map_err(|source| LibraryError::Seat { seat, source })?;
        let copies = std::mem::replace(&mut spec.copies, 1);
        seats.extend(std::iter::repeat_n(spec.to_string(), copies));
    }
    Ok(Simulate {
        seats,
        players: None,
        ..study.clone()
    })
}

/// The error for a game that is not in the catalog.
pub fn no_such_game(name: &str) -> StudyError {
    let known: Vec<&str> = catalog::GAMES.iter().map(|game| game.name).collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    };
    StudyError::Game {
        name: name.to_string(),
        help,
        known: known.join(", "),
    }
}

/// The seats as given, filled up with the game's field.
fn fill_seats(facts: &'static Game, study: &Simulate) -> Result<Vec<String>, StudyError> {
    let mut seats = study.seats.clone();
    let mut given = 0;
    for seat in &seats {
        let spec = SeatSpec::parse(seat).map_err(|source| LibraryError::Seat {
            seat: seat.clone(),
            source,
        })?;
        given += spec.copies;
    }
    let players = match (study.players, given) {
        (Some(players), _) => players,
        (None, 0) => facts.players,
        (None, given) => given,
    };
    facts.check_players(players)?;
    if given > players {
        return Err(StudyError::TooManySeats {
            seats: given,
            players,
        });
    }
    let field = facts.field.iter().cycle().skip(given);
    seats.extend(field.take(players - given).map(|bot| bot.to_string()));
    Ok(seats)
}
