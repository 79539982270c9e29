//! The study of a game itself: play that is learnt, and how far it can be beaten.

use super::error::KindError;
use super::library::{Library, SourceText, Sources};
use super::simulate::checked_rules;
use super::{Kind, Outcome, Ready, Setting, Simulate, Study, StudyError};
use crate::catalog::those;
use crate::diagnostic::{Diagnostic, Fault, counted};
use crate::game::{CardShape, Game, Rules, SCORE_MEAN, Seating, Table, WIN_SHARE};
use crate::learning::{Objective, whole_batches};
use crate::strategy::{Grid, Seat, SeatSpec, Strategy};
use crate::thinking;
use serde::{Deserialize, Serialize};

mod attack;
mod differing;
mod play;
mod scored;
mod thumbs;

pub use attack::{Attack, Start};
pub use differing::DifferingDecision;
pub use play::{BesideLearnt, Milestone, PolicyPlayed};
pub use scored::{LearntRound, Scored, ScoredPlayed, Thought, Without};
pub use thumbs::{NEVER, RuleOfThumb};

/// Games that are learnt from when neither games nor minutes are given.
const GAMES: u64 = 100_000_000;
/// Fewest games to learn from.
pub const GAMES_MIN: u64 = 100_000;

/// What is learnt, at which table, and for how long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The game, its rules and players, how many games are learnt from, and the bots that do not
    /// learn.
    #[serde(skip_serializing)]
    pub table: Simulate,
    /// What learners want.
    pub objective: Option<Objective>,
    /// Take about so long, attacks included, instead of so many games.
    pub minutes: Option<f64>,
    /// Learn until the gain that is found is no more than this.
    pub until: Option<f64>,
    /// What the policy looks at.
    pub axes: Option<Grid>,
}

/// Why a game cannot be solved as asked.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The game has no learner.
    #[error("{0} cannot be solved: only {known} can\nto see how far a bot can be beaten, seat the same bot beside it and let it think: BOT:playouts=256", known = those(Game::can_be_learnt, |game| game.title))]
    Game(&'static str),
    /// Everyone is a bot.
    #[error("{} for {}: nobody is left to learn", counted(*bots, "bot"), counted(*players, "player"))]
    NobodyLearns {
        /// Bots named.
        bots: usize,
        /// Players asked for.
        players: usize,
    },
    /// A bot that thinks is too slow to learn against.
    #[error("{0}: learning takes millions of games; name a bot that does not think")]
    Thinks(String),
    /// Several learn beside bots.
    #[error(
        "{learners} seats would learn beside bots: name one bot fewer than there are players, or none"
    )]
    SeveralLearn {
        /// Seats left.
        learners: usize,
    },
    /// One who is alone always wins.
    #[error("players = 1: one who is alone always wins; ask for objective = \"score_mean\"")]
    Alone,
    /// Not a length of time.
    #[error("minutes = {0}: write a number above 0")]
    Minutes(f64),
    /// Not a gain.
    #[error("until = {0}: write a gain above 0, such as 0.01 for a percentage point")]
    Until(f64),
    /// A gain of what has none.
    #[error(
        "until: there is a gain only where learners play among themselves, for the share of the wins"
    )]
    NoGain,
    /// Too few games.
    #[error("games = {games}: learning takes at least {least}")]
    Games {
        /// Games asked for.
        games: u64,
        /// Fewest games.
        least: u64,
    },
    /// Both of them.
    #[error("games and minutes: give one of them")]
    GamesAndMinutes,
    /// A key of the table that means nothing here.
    #[error("{0}: it means nothing when a game is solved")]
    Idle(&'static str),
    /// The axes are faulty.
    #[error("{0}")]
    Axes(Box<Diagnostic>),
}

/// What all games that are solved have in common, looked up.
struct LookedUp {
    study: Solve,
    rules: SourceText,
    checked: Box<dyn Rules>,
    others: Vec<Seat>,
    learners: usize,
    warnings: Vec<String>,
    field: Vec<Seat>,
}

/// What came out when a game was solved.
pub enum Played {
    /// A policy over cells was learnt.
    Policy(Box<PolicyPlayed>),
    /// It was learnt to score options.
    Scored(Box<ScoredPlayed>),
}

/// A study whose names have been looked up, ready to be played.
pub struct Resolved {
    /// The study with every default filled in.
    pub study: Solve,
    /// Its game.
    pub game: &'static Game,
    /// The rules file, before the changes that the study makes to it.
    pub rules: SourceText,
    /// The bots that do not learn.
    pub others: Vec<Seat>,
    /// Seats that learn.
    pub learners: usize,
    /// What the policy looks at.
    pub grid: Grid,
    /// What the attack looks at.
    pub finer: Grid,
    /// The game's own bots.
    pub field: Vec<Seat>,
    /// What the user should know, though it can be played.
    pub warnings: Vec<String>,
    checked: Box<dyn Rules>,
}

impl Solve {
    /// Looks up everything that the study names.
    ///
    /// # Errors
    ///
    /// Any [`StudyError`] of a table, and those of learning.
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let looked_up = self.looked_up(game, (GAMES, GAMES_MIN), library)?;
        let LookedUp {
            mut study,
            rules,
            checked,
            others,
            learners,
            warnings,
            field,
        } = looked_up;
        study.table.games = study.table.games.map(whole_batches);
        let Some(school) = checked.school() else {
            return Err(SolveError::Game(game.title).into());
        };
        let (players, wins) = (
            learners + others.len(),
            study.objective == Some(Objective::WinShare),
        );
        let own = || school.grid(players, wins, learners == 1);
        let grid = study.axes.get_or_insert_with(own).clone();
        let extra = school.finer(players, wins);
        // One who learns alone may look at everything.
        let grid = match (learners, &self.axes) {
            (1, None) => grid.finer(&extra),
            _ => grid,
        };
        study.axes = Some(grid.clone());
        let finer = grid.finer(&extra);
        for grid in [&grid, &finer] {
            let faulty = |diagnostic| SolveError::Axes(Box::new(diagnostic));
            grid.check(game.vocabulary).map_err(faulty)?;
            // Each of the axes is right by itself, but all together may be too long.
            let whole = |fault: Fault| {
                let fault = Fault::new(0..0, fault.message, "all axes together");
                faulty(fault.in_file("axes", ""))
            };
            let cell = grid.formula(game.vocabulary).map_err(whole)?;
            school.lesson(&cell, learners, &others)?;
            let text = grid.bot(game.vocabulary.question, "", &vec![0; grid.cells()]);
            let bot = Strategy::from_toml("solved", "solved", &text, game.vocabulary);
            let bot = bot.map_err(|fault| whole(Fault::new(0..0, fault.fault.message, "")))?;
            let bot = Seat::new(bot, &[])
                .map_err(|error| whole(Fault::new(0..0, error.to_string(), "")))?;
            checked.table(&vec![bot; players], Seating::default())?;
        }
        Ok(Resolved {
            study,
            game,
            rules,
            others,
            learners,
            grid,
            finer,
            field,
            warnings,
            checked,
        })
    }

    /// Looks up what all games that are solved have in common; so many games are usual and the least.
    fn looked_up(
        &self,
        game: &'static Game,
        (usual, least): (u64, u64),
        library: &Library,
    ) -> Result<LookedUp, StudyError> {
        let mut study = self.clone();
        let table = &mut study.table;
        let idle = [
            (table.precision.is_some(), "precision"),
            (table.max_games.is_some(), "max_games"),
            (table.metric.is_some(), "metric"),
            (table.seating != Seating::default(), "seating"),
        ];
        if let Some((_, key)) = idle.into_iter().find(|(given, _)| *given) {
            return Err(SolveError::Idle(key).into());
        }
        match (table.games, study.minutes) {
            (Some(_), Some(_)) => return Err(SolveError::GamesAndMinutes.into()),
            (Some(games), _) if games < least => {
                return Err(SolveError::Games { games, least }.into());
            }
            (None, Some(minutes)) if !(minutes > 0.0 && minutes < 1e6) => {
                return Err(SolveError::Minutes(minutes).into());
            }
            (None, None) => table.games = Some(usual),
            _ => {}
        }
        let (rules, checked) = checked_rules(game, table, library)?;
        let mut others = Vec::new();
        for seat in &table.seats {
            others.extend(library.seats(game, seat)?);
        }
        if let Some(bot) = others.iter().find(|bot| bot.mind().is_some()) {
            return Err(SolveError::Thinks(bot.label()).into());
        }
        let bots = others.len();
        let players = match (table.players, bots) {
            (Some(players), _) => players,
            (None, 0) => game.players,
            (None, bots) => bots + 1,
        };
        game.check_players(players)?;
        if players <= bots {
            return Err(SolveError::NobodyLearns { bots, players }.into());
        }
        let learners = players - bots;
        if bots > 0 && learners > 1 {
            return Err(SolveError::SeveralLearn { learners }.into());
        }
        table.players = Some(players);
        let objective = *study.objective.get_or_insert_default();
        let wins = objective == Objective::WinShare;
        if players == 1 && wins {
            return Err(SolveError::Alone.into());
        }
        if let Some(until) = study.until {
            if !(until > 0.0 && until < 1.0) {
                return Err(SolveError::Until(until).into());
            }
            if !wins || learners == 1 {
                return Err(SolveError::NoGain.into());
            }
        }
        let mut warnings = Vec::new();
        let printed = checked.printed_players();
        if !printed.contains(&players) {
            warnings.push(format!(
                "{} is printed for {} to {} players; playing with {players} all the same",
                rules.name,
                printed.start(),
                printed.end(),
            ));
        }
        let mut field = Vec::new();
        for name in game.field {
            let bot = library.seats(game, &SeatSpec::of(name))?;
            if checked
                .table(&vec![bot[0].clone(); players], Seating::default())
                .is_ok()
            {
                field.extend(bot);
            }
        }
        Ok(LookedUp {
            study,
            rules,
            checked,
            others,
            learners,
            warnings,
            field,
        })
    }
}

impl Resolved {
    /// What learners want.
    pub fn objective(&self) -> Objective {
        self.study.objective.unwrap_or_default()
    }

    /// The metric that tells how they fare.
    pub fn metric(&self) -> &'static str {
        match self.objective() {
            Objective::WinShare => WIN_SHARE,
            Objective::ScoreMean => SCORE_MEAN,
        }
    }

    /// The card for this table, where there is one.
    pub fn card(&self) -> Option<CardShape> {
        let school = self.checked.school()?;
        school.card(self.players())
    }

    /// How many sit at the table.
    pub fn players(&self) -> usize {
        self.learners + self.others.len()
    }

    /// One line that says what is learnt: title, game, rules and players.
    pub fn headline(&self) -> String {
        headline(&self.study, self.game, &self.rules, self.players())
    }

    /// The bot that this policy over this grid is.
    fn bot(&self, name: &str, description: &str, grid: &Grid, policy: &[u8]) -> Seat {
        let vocabulary = self.game.vocabulary;
        let text = grid.bot(vocabulary.question, description, policy);
        let strategy = Strategy::from_toml(name, name, &text, vocabulary);
        let seat = strategy.map(|strategy| Seat::new(strategy, &[]));
        match seat {
            Ok(Ok(seat)) => seat,
            // The grid was checked, and so was its formula.
            _ => unreachable!("a learnt policy is a bot"),
        }
    }

    /// A table of the first bot and copies of the second.
    fn beside(&self, one: &Seat, others: &Seat) -> Box<dyn Table> {
        let mut seats = vec![others.clone(); self.players()];
        seats[0] = one.clone();
        self.table(&seats)
    }

    fn table(&self, seats: &[Seat]) -> Box<dyn Table> {
        match thinking::table(self.checked.as_ref(), seats, Seating::default()) {
            Ok(table) => table,
            // Each bot was seated when the study was looked up.
            Err(error) => unreachable!("bots that were seated before: {error}"),
        }
    }

    /// The texts of its rules and bots.
    fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        sources.add(&self.rules, &self.others);
        sources.add(&self.rules, &self.field);
        sources
    }
}

/// One line that says what is learnt: title, game, rules and players.
fn headline(study: &Solve, game: &Game, rules: &SourceText, players: usize) -> String {
    let table = &study.table;
    let mut parts: Vec<String> = table.title.clone().into_iter().collect();
    parts.push(game.title.to_string());
    parts.push(match table.set.as_slice() {
        [] => rules.name.clone(),
        sets => format!("{} with {}", rules.name, sets.join(", ")),
    });
    parts.push(counted(players, "player"));
    parts.join(" · ")
}

impl Kind for Solve {
    fn table(&self) -> &Simulate {
        &self.table
    }

    fn question(&self) -> &'static str {
        "How to play, and how far can that be beaten?"
    }

    fn settings(&self) -> Vec<Setting> {
        let objective = self.objective.filter(|of| *of == Objective::ScoreMean);
        let objective = objective.map(|_| Setting::new("", "objective", SCORE_MEAN));
        let minutes = self.minutes.map(|time| Setting::new("", "minutes", time));
        let until = self.until.map(|gain| Setting::new("", "until", gain));
        [objective, minutes, until].into_iter().flatten().collect()
    }

    fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let game = self.table.game()?;
        if let Some(how) = game.by_options {
            return Ok(self.scored(game, how, library)?.ready());
        }
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: Study::Solve(resolved.study.clone()),
            game: resolved.game,
            sources: resolved.sources(),
            warnings: resolved.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| {
                let played = resolved.play(player)?;
                Ok(played.map(|played| Played::Policy(Box::new(played)).into()))
            }),
        })
    }
}

impl Outcome for Played {}

impl KindError for SolveError {}
