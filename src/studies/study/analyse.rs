//! The analysis of games: the value of every option of every decision, by playouts.

use super::advise::default_playouts;
use super::error::{StudyError, refuse};
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, parse_file, parse_number, parse_seed};
use super::recorded::{self, Recorded, same_people};
use super::run::Spec;
use super::table::{SeatedTable, TableSpec, sources};
use carat_core::analysis::{self, AnalysedGame, Analysis, Progress};
use carat_core::game::moments::Course;
use carat_core::game::story::StoryStyle;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::{Player, Stopped};
use carat_core::statistics::Estimate;
use carat_core::strategy::SeatSpec;
use carat_core::thinking::Judge;
use serde::{Deserialize, Serialize};
use std::mem::take;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "precision max_games expect";

pub use carat_core::analysis::{Judged, Of, VARIANCE_GAMES, VarianceShares, Walk};

const GAMES_MAX: u64 = 100_000;
/// Fewest playouts of an option, so that the race has eight at its first look.
const PLAYOUTS_MIN: u64 = 64;
const PLAYOUTS_MAX: u64 = 100_000_000;
/// Games that measure the wins of a strong bot, as a part of the game's default number of games.
const STRONGER_PART: u64 = 10;

/// The parts of play (the first three) and of luck, as their shares of the variance are in order.
pub const VARIANCE_PARTS: [&str; 5] = [
    "who is in the seat",
    "own play",
    "others' play",
    "cards",
    "bots' random choices",
];

pub const SHORT: StoryStyle = StoryStyle {
    short: true,
    ..StoryStyle::PLAIN
};

/// Analyse games: the value of each option at each decision, and the share of luck
///
/// carat replays games and, from every decision, plays each option to the end many times
/// (playouts), all with the same new random draws. Information hidden from the deciding player is
/// drawn anew. With ten games or more, carat also reports the share of luck at this table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| {
    let arg = arg.help("Number of games [default: 1]").conflicts_with("record");
    arg.add(Example::of("1"))
})))]
pub struct Analyse {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// Number of the first game to analyse, from 0
    #[cfg_attr(feature = "clap", arg(long = "game", value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true, add = Example::of("0")))]
    #[serde(default)]
    pub first: u64,
    /// Recorded games (in a study file, their text): files saved by `carat play`, or text files
    /// with a line `players Anna Ben` and a line for each expedition such as `1: 5 7 snake / @2
    /// leaves / 11 snake` (`carat replay GAME --record` prints an example). With several, results
    /// are grouped by person [default: games between bots]
    #[cfg_attr(feature = "clap", arg(value_name = "RECORD", conflicts_with_all = ["first", "games"], value_parser = parse_file, add = Example::of("\"…\"")))]
    #[serde(
        default,
        deserialize_with = "recorded::texts",
        serialize_with = "recorded::written"
    )]
    pub record: Vec<SourceText>,
    /// Analyse only this seat, from 1
    #[cfg_attr(feature = "clap", arg(long = "me", alias = "seat-number", value_name = "SEAT", value_parser = parse_number, allow_negative_numbers = true, add = Example::of("1")))]
    pub seat: Option<usize>,
    /// The bot that plays all seats in playouts [default: the bot of each seat]
    #[cfg_attr(feature = "clap", arg(long = "as", id = "as", value_name = "BOT", add = Example::of("\"threshold\"")))]
    #[serde(rename = "as")]
    pub as_bot: Option<SeatSpec>,
    /// Maximum number of playouts per option, at least 64; clearly worse options get fewer
    /// [default: 20000 in Diamant, 2000 in Diamond Cave, 1000 in Diamond Miner]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = super::parse_count, allow_hyphen_values = true, add = Example::of("2000")))]
    #[serde(default, deserialize_with = "super::run::count")]
    pub playouts: Option<u64>,
    /// Also print the games, with all options of each decision
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(skip)]
    pub details: bool,
}

pub struct Resolved {
    pub study: Analyse,
    /// The table of the analysed games.
    pub played: SeatedTable,
    /// The table for playouts, if other bots play on.
    pub going_on: Option<SeatedTable>,
    /// For the estimate of luck: a strong bot, and the table with it at each seat that has another.
    pub stronger: Option<(SeatSpec, Vec<Option<SeatedTable>>)>,
    /// Recorded games, each with its seats as seats of the first game.
    pub recorded: Vec<(Course, Vec<usize>)>,
}

pub struct Played {
    pub resolved: Resolved,
    pub games: Vec<AnalysedGame>,
    /// By seat, the gain of a strong bot in its place.
    pub stronger: Vec<Option<Estimate>>,
}

impl Analyse {
    pub fn of(table: TableSpec) -> Analyse {
        Analyse {
            spec: Spec::of(table),
            ..Analyse::default()
        }
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let records = study.records()?;
        if let Some(first) = records.first() {
            let own = records.len() as u64;
            let others = study.run.games.is_some_and(|games| games != own);
            if others || study.first != 0 {
                let key = if others { "games" } else { "first" };
                refuse!("record: a record contains its own games; leave {key} out");
            }
            first.seat(&study.name_of(0), &mut study.table)?;
            // Default bots play on as the bot learnt for this number of players.
            let table = &mut study.table;
            let players = table.players.unwrap_or(table.game()?.players);
            if table.seats.is_empty()
                && table.others.is_none()
                && let Some(bot) = table.learnt(players, library)?
            {
                table.seats = vec![bot; players];
            }
            study.run.games = Some(own);
        }
        let games = *study.run.games.get_or_insert(1);
        if !(1..=GAMES_MAX).contains(&games) {
            refuse!("games = {games}: write a number from 1 to {GAMES_MAX}");
        }
        let played = study.table.resolve(library)?;
        let mut recorded = Vec::new();
        for (index, record) in records.iter().enumerate() {
            let name = study.name_of(index);
            let title = format!("{}, a recorded game", played.game.title);
            let course = record.course(&played, (&title, &name), SHORT)?;
            let people = same_people(&study.table.people, &record.people(), played.seats.len());
            let seats = people.map_err(|who| {
                let who = match who.as_str() {
                    "" => "a person without a name",
                    who => who,
                };
                format!("{name}: {who} is not in the first record; pass records of the same people")
            })?;
            recorded.push((course, seats));
        }
        study.table.rules.clone_from(&played.spec.rules);
        study.table.seats.clone_from(&played.spec.seats);
        study.table.others.clone_from(&played.spec.others);
        study.table.players = played.spec.players;
        let seats = played.seats.len();
        if let Some(seat) = study.seat.filter(|seat| !(1..=seats).contains(seat)) {
            refuse!("seat = {seat}: the table has seats 1 to {seats}");
        }
        let own = default_playouts(played.game);
        let playouts = *study.playouts.get_or_insert(own);
        if !(PLAYOUTS_MIN..=PLAYOUTS_MAX).contains(&playouts) {
            refuse!("playouts = {playouts}: write a number from {PLAYOUTS_MIN} to {PLAYOUTS_MAX}");
        }
        let mut going_on = None;
        if let Some(bot) = &study.as_bot {
            if bot.copies != 1 {
                refuse!("as = {bot}: name one bot, without a number of copies");
            }
            let others = TableSpec {
                seats: vec![bot.clone(); seats],
                ..study.table.clone()
            };
            going_on = Some(others.resolve(library)?);
        }
        let is_measured = study.seat.is_none() && study.record.is_empty();
        let is_measured = is_measured && games >= VARIANCE_GAMES as u64;
        Ok(Resolved {
            stronger: (is_measured.then(|| stronger(&played, library))).transpose()?,
            study,
            played,
            going_on,
            recorded,
        })
    }

    fn records(&self) -> Result<Vec<Recorded>, StudyError> {
        let mut records = Vec::new();
        for (index, SourceText { text, .. }) in self.record.iter().enumerate() {
            let name = self.name_of(index);
            let mut earlier = self.record[..index].iter();
            if let Some(first) = earlier.position(|earlier| earlier.text == *text) {
                let first = self.name_of(first);
                refuse!("{name}: the same record as {first}; pass each game once");
            }
            let read = Recorded::read(&name, text);
            records.push(read.map_err(|fault| fault.to_string())?);
        }
        Ok(records)
    }

    /// The name of a record in errors: its file, if known.
    fn name_of(&self, index: usize) -> String {
        match (self.record[index].name.as_str(), self.record.len()) {
            ("", 1) => "record".to_string(),
            ("", _) => format!("record {}", index + 1),
            (file, _) => file.to_string(),
        }
    }
}

/// A strong bot, and the table with it at each seat that has another.
fn stronger(
    played: &SeatedTable,
    library: &Library,
) -> Result<(SeatSpec, Vec<Option<SeatedTable>>), StudyError> {
    let seats: Vec<SeatSpec> = played.spec.seats.iter().flat_map(SeatSpec::each).collect();
    let strong = played.spec.best(seats.len(), library)?;
    let mut tables = Vec::new();
    for (seat, bot) in seats.iter().enumerate() {
        let mut with = played.spec.clone();
        with.seats.clone_from(&seats);
        with.seats[seat] = strong.clone();
        let differs = *bot != strong;
        tables.push(differs.then(|| with.resolve(library)).and_then(Result::ok));
    }
    Ok((strong, tables))
}

impl Resolved {
    pub fn known(&self) -> Known<Analyse> {
        let played = &self.played;
        let sources = sources([played].into_iter().chain(&self.going_on));
        Known::of(&self.study, played.game, sources, played.warnings.clone())
    }

    /// The metric that judges options.
    pub fn metric(&self) -> &'static str {
        analysis::result_metric(self.played.seats.len())
    }

    pub fn playouts(&self) -> u64 {
        self.study.playouts.unwrap_or(PLAYOUTS_MIN)
    }

    /// Whether the bot that played a seat also plays on for it. Then its deviations from its
    /// average are random choices.
    pub fn goes_on_as_itself(&self, seat: usize) -> bool {
        let own = &self.played.seats[seat];
        let on = self.going_on.as_ref().unwrap_or(&self.played);
        // A thinking bot plays playouts without thinking.
        self.study.record.is_empty() && own.mind().is_none() && on.seats[seat] == *own
    }

    pub fn headline(&self) -> String {
        let table = self.study.head.over(self.played.headline());
        let seed = self.study.run.seed;
        let first = self.study.first;
        match (self.study.record.len(), self.study.run.games.unwrap_or(1)) {
            (0, 1) => format!("{table} · game {first} of seed {seed}"),
            (0, games) => {
                let last = first.saturating_add(games - 1);
                format!("{table} · games {first} to {last} of seed {seed}")
            }
            (1, _) => format!("{table} · a recorded game"),
            (games, _) => format!("{table} · {games} recorded games"),
        }
    }

    pub fn play(mut self, player: &mut Player) -> Result<Played, Stopped> {
        let mut recorded = take(&mut self.recorded).into_iter();
        let going_on = self.going_on.as_ref().unwrap_or(&self.played);
        let (run, game) = (&self.study.run, self.played.game);
        let all = run.games.unwrap_or(1);
        let others = self.stronger.iter().flat_map(|(_, tables)| tables);
        let others = others.map(|other| Some(other.as_ref()?.table.as_ref() as _));
        let others = Vec::from_iter(others);
        let judge = Judge::new(going_on.table.as_ref(), run.seed, self.playouts());
        // All options of a decision are played on by one thread at a time.
        let dealt = run.dealt((game.chunk / 2).max(1));
        let later = others.iter().flatten().count() as u64 * game.games / STRONGER_PART;
        let mut progress = Progress {
            count: all,
            later,
            ..Progress::default()
        };
        let only = self.study.seat.map(|seat| seat - 1);
        let mut games = Vec::new();
        for number in (0..all).map(|index| self.study.first.wrapping_add(index)) {
            let (course, seats) = match recorded.next() {
                Some((course, seats)) => (course, Some(seats)),
                None => (self.played.table.course(run.seed, number, SHORT), None),
            };
            let of_game = |seat| {
                let mut seats = seats.iter().flatten();
                seats.position(|own| *own == seat).unwrap_or(seat)
            };
            let analysis = Analysis {
                judge: &judge,
                games: dealt,
                number,
                course,
                only: only.map(of_game),
            };
            let game = analysis.play(&mut progress, player)?;
            games.push(match seats {
                // Records are numbered from 1.
                Some(seats) => AnalysedGame {
                    number: number + 1,
                    ..game.reseated(&seats)
                },
                None => game,
            });
        }
        let stronger = if others.is_empty() {
            vec![None; self.played.seats.len()]
        } else {
            let (table, games) = (self.played.table.as_ref(), run.dealt(game.chunk));
            let fresh = game.games / STRONGER_PART;
            analysis::measure_gains(table, &others, fresh, games, player)?
        };
        Ok(Played {
            games,
            stronger,
            resolved: self,
        })
    }
}

impl Played {
    /// The divisor that turns values of walks into shares or scores.
    pub fn unit(&self) -> f64 {
        let seats = self.resolved.played.seats.len();
        self.resolved.playouts() as f64 * analysis::result_unit(seats)
    }

    /// The sources of the results, given enough finished games and an analysis of all seats.
    pub fn variance_shares(&self) -> Option<VarianceShares> {
        if self.resolved.study.seat.is_some() {
            return None;
        }
        let seats = 0..self.resolved.played.seats.len();
        let plays = seats.map(|seat| !self.resolved.goes_on_as_itself(seat));
        analysis::variance_shares(&self.games, self.unit(), &Vec::from_iter(plays))
    }
}
