//! The study of one table: which bots, which rules, how many games.

use super::library::{Library, LibraryError, SourceText, Sources};
use super::overrides::apply;
use super::{
    Capped, Interrupted, Kind, Outcome, Ready, Study, StudyError, no_such_game, parse_count,
};
use crate::catalog;
use crate::diagnostic::counted;
use crate::game::{
    Game, MetricRef, Rules, SCORE_MEAN, STARTER_WIN_SHARE, Seating, Table, WIN_SHARE,
};
use crate::numbers;
use crate::simulation::{Ending, FAR, Goal, Job, Missed, NotKept, Player, Precision, Sums, Tally};
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::thinking;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One table, many games. What is left out has a default that the game knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// What the charts are headed with.
    pub title: Option<String>,
    /// What the study is for.
    pub description: Option<String>,
    /// Name of the game.
    pub game: String,
    /// An edition or a rules file.
    pub rules: Option<String>,
    /// Values of the rules that are changed, `PATH=VALUE` each.
    #[serde(default)]
    pub set: Vec<String>,
    /// Number of players; seats that are not given are filled with the game's own field.
    pub players: Option<usize>,
    /// Bots, `[copies*]bot[:param=value,…]` each.
    #[serde(default)]
    pub seats: Vec<SeatSpec>,
    /// Names of people by seat, where people sit: their bots only play on for them. An empty name is
    /// nobody's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<String>,
    #[serde(default, deserialize_with = "count")]
    pub games: Option<u64>,
    /// Instead: stop once the widest interval of the metric has at most this half-width.
    pub precision: Option<f64>,
    /// Most games that a precision may take.
    #[serde(default, deserialize_with = "count")]
    pub max_games: Option<u64>,
    /// The figure that the precision is of, and that a sweep draws: `win_share@1`, `score_mean`,
    /// `cards_per_game`, …
    pub metric: Option<String>,
    /// Seed of all luck.
    #[serde(
        default = "first_seed",
        deserialize_with = "seed",
        serialize_with = "written_seed"
    )]
    pub seed: u64,
    /// How bots change places from game to game, where it matters who sits before whom.
    #[serde(default)]
    pub seating: Seating,
}

/// Most games when a precision is asked for and no number is given.
const GAMES_MAX: u64 = 1_000_000_000;
/// Fewest games by default, however long they take because seats think.
const GAMES_OF_THINKERS: u64 = 100;

/// Longest name of a person, in characters.
pub const NAME_MAX: usize = 30;

/// Whether somebody may be called so in records: a short line.
pub fn is_name_of_person(name: &str) -> bool {
    name.chars().count() <= NAME_MAX && !name.contains(char::is_control) && name.trim() == name
}

fn first_seed() -> u64 {
    1
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

/// A seed: a whole number, or text where TOML has no number so large.
fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a whole number from 0 to 18446744073709551615")]
    enum Seed {
        Number(u64),
        Text(String),
    }
    match Seed::deserialize(deserializer)? {
        Seed::Number(seed) => Ok(seed),
        Seed::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

fn written_seed<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => seed.serialize(to),
        Err(_) => seed.to_string().serialize(to),
    }
}

/// A table whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Simulate,
    pub game: &'static Game,
    /// The rules file, before the changes that the study makes to it.
    pub rules: SourceText,
    pub seats: Vec<Seat>,
    /// The bots at a table.
    pub table: Box<dyn Table>,
    /// How many games to play.
    pub goal: Goal,
    /// The metric that a precision is of: the one asked for, or every seat's share of the wins.
    pub metric: MetricRef,
    /// What the user should know, though it can be played.
    pub warnings: Vec<String>,
}

/// A table after its last game.
pub struct Played {
    pub resolved: Resolved,
    pub tally: Tally,
    /// Whether all games were played, or as many as the precision needed.
    pub ending: Ending,
    /// How the estimates became surer.
    pub checkpoints: Vec<Checkpoint>,
}

/// How the estimates stood after some number of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Games played so far.
    pub games: u64,
    /// Win share of each seat.
    pub win_shares: Vec<Estimate>,
    /// Mean score of each seat.
    pub scores: Vec<Estimate>,
}

impl Resolved {
    /// One line that says what is played: title, game, rules and players.
    pub fn headline(&self) -> String {
        let rules = self.study.rules.as_deref().unwrap_or_default();
        let changed = match self.study.set.as_slice() {
            [] => String::new(),
            sets => format!(" with {}", sets.join(", ")),
        };
        let players = counted(self.seats.len(), "player");
        let title = match &self.study.title {
            Some(title) => format!("{title} · "),
            None => String::new(),
        };
        format!("{title}{} · {rules}{changed} · {players}", self.game.title)
    }

    /// Plays until the goal is reached, or the player is told to stop; `None` when that was before
    /// the first games were done.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        let layout = self.table.layout();
        let job = Job {
            tables: &[self.table.as_ref()],
            products: &[],
            seed: self.study.seed,
            games: self.goal.most(),
            chunk: self.game.chunk,
            threads: player.threads,
            level: player.level,
        };
        let look = &mut |checkpoints: &mut Vec<Checkpoint>, sums: &Sums| {
            let tally = &sums.tables[0];
            let checkpoint = Checkpoint {
                games: tally.games,
                win_shares: tally.seats(layout, WIN_SHARE),
                scores: tally.seats(layout, SCORE_MEAN),
            };
            add_checkpoint(checkpoints, checkpoint);
            let estimates = tally.estimates(layout, self.metric);
            (
                Some(Precision::of(layout, self.metric, &estimates)),
                self.goal.flow(tally.games, &estimates),
            )
        };
        let (mut sums, checkpoints, ending) = player.watch(&job, self.goal, Vec::new(), look)?;
        let tally = sums.tables.swap_remove(0);
        Ok((tally.games > 0).then_some(Played {
            tally,
            ending,
            checkpoints,
            resolved: self,
        }))
    }

    /// What the user should know, though it can be played.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        if self.table.cost() > 1 {
            let cost = numbers::count(self.table.cost());
            warnings.push(format!(
                "seats think: a game takes as long as some {cost} of other bots"
            ));
        }
        if self.study.metric.is_some() && self.study.precision.is_none() {
            warnings.push("metric: it changes nothing here without a precision".to_string());
        }
        warnings
    }
}

impl Kind for Simulate {
    fn table(&self) -> &Simulate {
        self
    }

    fn question(&self) -> &'static str {
        "Who wins at this table, how, and how sure is that?"
    }

    fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: Study::Simulate(resolved.study.clone()),
            game: resolved.game,
            sources: sources([&resolved]),
            warnings: resolved.warnings(),
            goal: Some(resolved.goal),
            only_table: Some(resolved.table.layout().clone()),
            play: Box::new(|player| Ok(resolved.play(player)?.map(Into::into))),
        })
    }
}

/// The texts of the rules and bots of some tables.
pub fn sources<'a>(tables: impl IntoIterator<Item = &'a Resolved>) -> Sources {
    let mut sources = Sources::default();
    for table in tables {
        sources.add(&table.rules, &table.seats);
    }
    sources
}

impl Outcome for Played {
    fn interrupted(&self) -> Option<Interrupted> {
        (self.ending == Ending::Stopped).then_some(Interrupted {
            games: self.tally.games,
            most: self.resolved.goal.most(),
        })
    }

    fn missed(&self) -> Option<Missed> {
        if self.ending == Ending::Stopped {
            return None;
        }
        let layout = self.resolved.table.layout();
        let estimates = self.tally.estimates(layout, self.resolved.metric);
        self.resolved.goal.missed(&estimates)
    }

    fn capped(&self) -> Vec<Capped> {
        let layout = self.resolved.table.layout();
        Vec::from_iter(Capped::of(String::new(), layout, &self.tally))
    }
}

/// Lets tables play the same games: as many as the one of them that is to play the fewest.
pub fn play_alike<'a>(tables: impl IntoIterator<Item = &'a mut Resolved>) {
    let tables: Vec<&mut Resolved> = tables.into_iter().collect();
    let games = tables.iter().filter_map(|table| table.study.games).min();
    if let Some(games) = games {
        for table in tables {
            table.study.games = Some(games);
            table.goal = Goal::Games(games);
        }
    }
}

/// Adds a checkpoint to those so far. All but the last are about a quarter of a doubling apart,
/// which is as fine as a chart can show.
fn add_checkpoint(checkpoints: &mut Vec<Checkpoint>, next: Checkpoint) {
    let far =
        |earlier: &Checkpoint, later: &Checkpoint| later.games as f64 >= earlier.games as f64 * FAR;
    if let [.., before, last] = checkpoints.as_slice()
        && !far(before, last)
    {
        checkpoints.pop();
    }
    checkpoints.push(next);
}

/// The rules that a study names, with its changes made, and the text they come from.
pub fn checked_rules(
    game: &Game,
    study: &mut Simulate,
    library: &Library,
) -> Result<(SourceText, Box<dyn Rules>), StudyError> {
    let default = || game.editions[0].name.to_string();
    let name = study.rules.get_or_insert_with(default).clone();
    let rules = library.rules_source(game, &name)?;
    let played = apply(&name, &rules.text, &study.set)?;
    let shown = match study.set.as_slice() {
        [] => name,
        _ => format!("{name} (with changes)"),
    };
    let checked = game.rules(&shown, &played).map_err(|fault| {
        let fault = Box::new(fault);
        if study.set.is_empty() {
            StudyError::Library(LibraryError::Faulty(fault))
        } else {
            StudyError::Impossible(fault)
        }
    })?;
    Ok((rules, checked))
}

impl Simulate {
    /// The study of `game` with every default.
    pub fn of(game: &str) -> Self {
        Simulate {
            title: None,
            description: None,
            game: game.to_string(),
            rules: None,
            set: Vec::new(),
            players: None,
            seats: Vec::new(),
            people: Vec::new(),
            games: None,
            precision: None,
            max_games: None,
            metric: None,
            seed: first_seed(),
            seating: Seating::default(),
        }
    }

    /// Looks up everything that the study names.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.game()?;
        let mut study = self.clone();
        let (rules, checked) = checked_rules(game, &mut study, library)?;
        study.seats = study.filled_seats(game)?;
        study.players = None;
        let mut seats = Vec::new();
        for seat in &study.seats {
            seats.extend(library.seats(game, seat)?);
        }
        if let Some(name) = study.people.iter().find(|name| !is_name_of_person(name)) {
            return Err(StudyError::Person(name.clone()));
        }
        if study.people.len() > seats.len() {
            return Err(StudyError::People {
                names: study.people.len(),
                seats: seats.len(),
            });
        }
        let named = study.people.iter().zip(&mut seats);
        for (name, seat) in named.filter(|(name, _)| !name.is_empty()) {
            seat.person = Some(name.clone());
        }
        let table = thinking::table(checked.as_ref(), &seats, study.seating)?;
        if study.precision.is_none() && study.games.is_none() {
            let games = game.games / table.cost();
            study.games = Some(games.clamp(GAMES_OF_THINKERS, game.games));
        }
        let goal = study.fill_goal(game)?;
        let metric = study.metric.as_deref().unwrap_or(WIN_SHARE);
        let metric = MetricRef::find(table.layout(), metric)?;

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
        let starter = MetricRef::of_table(STARTER_WIN_SHARE);
        if study.seating == Seating::Fixed && table.layout().metric(starter).is_some() {
            warnings.push(format!(
                "seating = \"fixed\" keeps the places, but who starts is drawn by lot in each game: \
                 the metric {STARTER_WIN_SHARE} shows what starting is worth"
            ));
        }
        Ok(Resolved {
            study,
            game,
            rules,
            seats,
            table,
            goal,
            metric,
            warnings,
        })
    }

    /// The same for one of several tables, of which some may have impossible rules; what it names goes
    /// to `sources` in any case.
    ///
    /// # Errors
    ///
    /// Any other [`StudyError`] of a single table.
    pub fn resolve_one(
        &self,
        library: &Library,
        sources: &mut Sources,
    ) -> Result<Result<Resolved, StudyError>, StudyError> {
        match self.resolve(library) {
            Ok(resolved) => {
                sources.add(&resolved.rules, &resolved.seats);
                Ok(Ok(resolved))
            }
            Err(error @ StudyError::Impossible(_)) => {
                let game = self.game()?;
                let rules = self.rules.as_deref().unwrap_or(game.editions[0].name);
                let rules = library.rules_source(game, rules)?;
                for seat in self.filled_seats(game)? {
                    sources.add(&rules, &library.seats(game, &seat)?);
                }
                Ok(Err(error))
            }
            Err(error) => Err(error),
        }
    }

    /// The game that is played.
    pub fn game(&self) -> Result<&'static Game, StudyError> {
        catalog::find(&self.game).ok_or_else(|| no_such_game(&self.game))
    }

    /// Checks how many games are asked for, and fills in what the game has for a default.
    pub fn fill_goal(&mut self, game: &Game) -> Result<Goal, StudyError> {
        match (self.precision, self.games) {
            (None, _) if self.max_games.is_some() => Err(StudyError::MaxGames),
            (None, games) => Ok(Goal::Games(*self.games.insert(games.unwrap_or(game.games)))),
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

    /// The same study with one bot at each of its seats, as many as there are players.
    pub fn with_each_seat(&self) -> Result<Simulate, StudyError> {
        let filled = self.filled_seats(self.game()?)?;
        Ok(Simulate {
            seats: filled.iter().flat_map(SeatSpec::each).collect(),
            players: None,
            ..self.clone()
        })
    }

    /// The seats as given, filled up with the game's field.
    fn filled_seats(&self, game: &Game) -> Result<Vec<SeatSpec>, StudyError> {
        let mut seats = self.seats.clone();
        let given = seats.iter().map(|seat| seat.copies).sum();
        let players = match (self.players, given) {
            (Some(players), _) => players,
            (None, 0) => game.players,
            (None, given) => given,
        };
        game.check_players(players)?;
        if given > players {
            return Err(StudyError::TooManySeats {
                seats: given,
                players,
            });
        }
        let field = game.field.iter().cycle().skip(given);
        seats.extend(field.take(players - given).map(|bot| SeatSpec::of(bot)));
        Ok(seats)
    }
}

#[cfg(test)]
mod tests {
    use crate::simulation::{FinishedParts, Listener, NotKept, Player, Precision, Threads};
    use crate::study::{Played, Study, library::Library};
    use fearless_simd::Level;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    /// Ends a study after so many parts.
    struct After<'a>(usize, &'a AtomicBool);

    impl Listener for After<'_> {
        fn checkpoint(&mut self, precision: Option<Precision>) {
            self.0 -= usize::from(precision.is_none() && self.0 > 0);
            self.1.store(self.0 == 0, Ordering::Relaxed);
        }
    }

    /// How far a study has come.
    #[derive(Default)]
    struct State(Option<Vec<u8>>);

    impl FinishedParts for State {
        fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
            self.0.clone()
        }

        fn keep_state(&mut self, _of: &str, state: &[u8]) -> Result<(), NotKept> {
            self.0 = Some(state.to_vec());
            Ok(())
        }
    }

    /// Plays a study, interrupted each time after so many parts; tells how often, and what came out.
    fn interrupted(text: &str, parts: usize) -> (usize, String) {
        let study = Study::from_toml("study.toml", text).unwrap();
        let threads = Threads::start(2).unwrap();
        let mut state = State::default();
        for times in 0.. {
            let stop = AtomicBool::new(false);
            let played = study.resolve(&Library::default()).unwrap();
            let played = played.play(&mut Player {
                threads: &threads,
                level: Level::new(),
                stop: &stop,
                played: &AtomicU64::new(0),
                listener: &mut After(parts, &stop),
                finished: &mut state,
                sharing: None,
                each: None,
            });
            let played = played.unwrap().unwrap();
            if played.outcome().interrupted().is_none() {
                return (
                    times,
                    match played {
                        Played::Simulate(it) => format!("{:?} {:?}", it.tally, it.checkpoints),
                        Played::Compare(it) => format!("{} {:?}", it.games, it.differences),
                        _ => String::new(),
                    },
                );
            }
        }
        unreachable!("it ended")
    }

    #[test]
    fn interrupted_after_any_part_it_goes_on_to_the_same() {
        let table = "game = \"diamant\"\nplayers = 3\n";
        let compare = "study = \"compare\"\n[sides]\na = []\nb = [\"rounds=4\"]\n[table]\n";
        for study in ["study = \"simulate\"\n", compare] {
            for goal in ["games = 30000", "precision = 0.01"] {
                let text = format!("{study}{table}{goal}\n");
                let (times, whole) = interrupted(&text, usize::MAX);
                assert_eq!(times, 0);
                for parts in [1, 3] {
                    let (times, found) = interrupted(&text, parts);
                    assert!(times > 0, "{text}");
                    assert_eq!(found, whole, "{text}");
                }
            }
        }
    }
}
