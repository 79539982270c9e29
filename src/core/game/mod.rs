//! What a game is: the contract between the games and the modules that play them.
//!
//! A game reads a rules file, seats bots at a table, and plays chunks of games into a [`Record`].
//! Its [`Layout`] says what it records. Nothing here knows a particular game, a thread, a file or a
//! chart.

use crate::diagnostic::Diagnostic;
use crate::figure::Figure;
use crate::formula::{Kind, Vocabulary};
use crate::sheet::Sheet;
use crate::strategy::Seat;
use fearless_simd::Level;
use moments::{Branch, Course, Guide};
use notation::{AdviceWords, Notation};
use practice::Pick;
use std::ops::RangeInclusive;
use story::StoryStyle;

mod by_place;
mod counts;
mod layout;
mod lessons;
mod measure;
mod metric;
pub mod moments;
pub mod notation;
pub mod plain;
mod positions;
pub mod practice;
mod record;
mod rules_file;
mod rules_keys;
mod seating;
pub mod story;

pub use by_place::{ByPlace, ByUse};
pub use counts::{Census, CountTable, LengthTable};
pub use layout::{Count, Counted, Layout, OWN, SCORE, TURN, WIN, WIN_UNITS, population_of};
pub use lessons::{Decision, Lesson, Lessons, School};
pub use measure::PLAYING_MINUTES;
pub(crate) use metric::intern;
pub use metric::{
    CAPPED_RATE, Fraction, Metric, MetricRef, NoSuchMetric, Of, Per, SCORE_MEAN, SHARED_WIN_RATE,
    STARTER_WIN_SHARE, Scope, WIN_SHARE, WIN_SHARE_SPREAD,
};
pub(crate) use positions::{positions, vocabulary};
pub use record::{Play, Record};
pub use rules_file::{
    AT, ByPlayers, MINUTES, PlayersTable, RULES_PAGE, SECONDS_MAX, SET_UP_MAX, check_game,
    check_minutes, read_rules,
};
pub use rules_keys::{Allowed, RulesKey, explained, range_of};
pub(crate) use rules_keys::{rules_keys, words};
pub use seating::{Copies, Places, Seated, Seating, SeatingError, Sitting, copies, first_alike};

pub struct Game {
    /// Name on the command line and of the folder below `strategies/`.
    pub name: &'static str,
    /// Name as printed on the box.
    pub title: &'static str,
    /// One sentence on what the players do.
    pub summary: &'static str,
    /// The unit of the score: `rubies`.
    pub score_unit: &'static str,
    /// The legend of pictures of positions, in ASCII if `plain`; empty if a game has no pictures.
    pub legend: fn(plain: bool) -> String,
    /// Feature names that a bot's formula may use, and the question it answers.
    pub vocabulary: &'static Vocabulary,
    /// The rules files shipped; the first is the default.
    pub editions: &'static [Edition],
    /// The keys of its rules files, in their order.
    pub rules_keys: &'static [RulesKey],
    /// The rules (TOML) for keys that older rules files lack, by the format that introduced them.
    pub older_rules: &'static str,
    /// The measure [`PLAYING_MINUTES`] as a formula over counts and the rules' table `[minutes]`.
    pub minutes: &'static str,
    /// The parametric bot that `adapt` fits to rules.
    pub family: Option<&'static str>,
    /// The family of rules that people can learn.
    pub rule: Option<&'static str>,
    /// Opponents for learnt bots, most of them written by hand.
    pub field: &'static [&'static str],
    /// The strongest shipped bot that was neither learnt nor thinks.
    pub strongest: &'static str,
    /// Bots that are easy to beat, each with a word for such people, in seating order.
    pub easy: &'static [(&'static str, &'static str)],
    /// Outcomes that explain why an option is better; empty for games with words of advice.
    pub signs: &'static [Sign],
    /// What a player knows to come next after an option with these features.
    pub comes: Option<fn(&[f32]) -> &'static str>,
    /// How to fit a bot to a person's decisions; `None` if the game has no such bot.
    pub habit: Option<&'static Habit>,
    /// Supported numbers of players, printed on the box or not.
    pub seats: RangeInclusive<usize>,
    /// Players when neither seats nor a number are given.
    pub players: usize,
    /// Games when no number is given.
    pub games: u64,
    /// Most games in a chunk: enough to fill the kernel, few enough for the processor's cache.
    pub chunk: u64,
    /// Settings of training if its bots score options; without them, its rules have a school.
    pub training: Option<&'static ByOptions>,
    /// Principles of good play, with examples.
    pub strategy: &'static str,
    /// Words of advice, for games with a notation.
    pub advice: Option<&'static AdviceWords>,
    /// Reads a rules file, from the name that errors show, and the text.
    pub read_rules: ReadRules,
}

/// An outcome by which playouts explain why an option is better.
#[derive(Clone, Copy)]
pub struct Sign {
    pub outcome: usize,
    /// Whether it is that of all opponents together.
    pub of_others: bool,
    pub is_good: bool,
    /// That it happens: `you steal`; of an opponent, without its name: `steals`.
    pub happens: &'static str,
    /// How often it happens: `steals from you`.
    pub counted: &'static str,
}

pub type ReadRules = fn(&str, &str) -> Result<Box<dyn Rules>, Diagnostic>;

/// Log odds by weights and inputs, and their derivatives by the weights.
type Lean = fn(&[f64], &[f64]) -> (f64, Vec<f64>);

/// A logistic model of how people decide: a bot with weights that can be fitted to their decisions.
pub struct Habit {
    /// The bot as a seat; its parameters are the weights of an average person.
    pub bot: &'static str,
    /// The parameters that are weights.
    pub params: &'static [&'static str],
    /// Prior standard deviations of a person's weights around the average.
    pub doubts: &'static [f64],
    /// Least values of the weights.
    pub least: &'static [f64],
    /// How many weights, from the first on, can be estimated from any game.
    pub always: usize,
    /// What is missing in games from which the other weights cannot be estimated.
    pub lacking: &'static str,
    /// The log odds of a yes by the weights and the [inputs](moments::Options::habit) of a
    /// decision, and their derivatives by the weights.
    pub lean: Lean,
    /// Rate of slips: the fraction of decisions that are a yes regardless of the model, and
    /// likewise a no.
    pub slip: f64,
    /// Number of the option that is a yes.
    pub yes: usize,
    /// Past tense of saying yes: `left in`.
    pub said: &'static str,
    /// Names of a wrong no and a wrong yes: `staying too long`, `leaving too early`.
    pub faults: [&'static str; 2],
    /// Describes the meaning of weights.
    pub describe: fn(&[f64]) -> String,
}

/// Features that are random.
pub const CHANCE: [&str; 3] = ["temper", "random", "noise"];

/// How bots that score their options are trained.
#[derive(Debug, Clone, Copy)]
pub struct ByOptions {
    /// The bot to start from; the learnt tables add to its score.
    pub first: &'static str,
    /// The range of that bot's scores: scores outside are clamped.
    pub range: [f32; 2],
    /// The features that say which kind an option is of: the first above 0.
    pub kinds: &'static [&'static str],
    /// Features, with spaces between, hidden from learners: bots that use them play much more
    /// slowly.
    pub unseen: &'static str,
    /// Initial probability of a learner taking that bot's choice.
    pub like_first: f64,
    /// Most look-up tables of a trained bot.
    pub tables: usize,
    /// Number of games of the first round of training.
    pub games: u64,
    /// The worth of a point more than the others, in won games: scores carry information where wins
    /// are mostly luck.
    pub point: f32,
    /// Initial weight of a choice's entropy, in won games: it keeps learners exploring.
    pub entropy: f64,
    /// Playouts per option of two thinking bots that measure how far learnt bots can be beaten.
    pub thinks: [u64; 2],
}

impl Game {
    /// Reads a rules file without its changes for numbers of players, which
    /// [`overrides::read_rules`](crate::overrides::read_rules) knows; `file` is its name in errors.
    pub fn rules(&self, file: &str, text: &str) -> Result<Box<dyn Rules>, Diagnostic> {
        (self.read_rules)(file, text)
    }

    /// Whether copies of a bot always decide alike, because it uses no random feature and all
    /// decide at once.
    pub fn copies_act_as_one(&self, bot: &Seat) -> bool {
        let formula = bot.formula();
        let features = self.vocabulary.features.iter().enumerate();
        let mut drawn = features.filter(|(_, feature)| CHANCE.contains(&feature.name));
        self.vocabulary.answer == Kind::Truth
            && bot.mind().is_none()
            && bot.strategy.program.is_none()
            && !drawn.any(|(feature, _)| formula.uses(feature))
    }

    pub fn check_players(&self, seats: usize) -> Result<(), SeatingError> {
        if self.seats.contains(&seats) {
            return Ok(());
        }
        Err(SeatingError::Players {
            seats,
            title: self.title,
            min: *self.seats.start(),
            max: *self.seats.end(),
        })
    }
}

pub struct Edition {
    /// Name of the edition on the command line.
    pub name: &'static str,
    /// The file's text (TOML): values, and where they are printed.
    pub text: &'static str,
}

/// The editions of these names, from their files in `editions`.
macro_rules! editions {
    ($($name:literal),+ $(,)?) => {
        &[$($crate::game::Edition {
            name: $name,
            text: include_str!(concat!("editions/", $name, ".toml")),
        }),+]
    };
}

pub(crate) use editions;

/// A rules file that was read and checked.
pub trait Rules: Send + Sync {
    /// The numbers of players printed on the box. Others are played too, with a warning.
    fn printed_players(&self) -> RangeInclusive<usize>;

    /// Seats bots at a table, one formula each. `seating` says how they change places from game to
    /// game, in games where the order of seats matters. Outcomes are recorded by bot. Bots that think
    /// and programs need [`thinking::table`](crate::thinking::table).
    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError>;

    /// The warning about keys of these rules that have no effect together.
    fn without_effect(&self) -> Option<String> {
        None
    }

    /// What the words of the game's rule for people mean under these rules, beside the rulebook's.
    fn terms(&self, _players: usize) -> String {
        String::new()
    }

    /// The school for bots that answer yes or no, at a table of this many players.
    fn school(&self, _players: usize) -> Option<&dyn School> {
        None
    }
}

/// Bots seated under checked rules: plays, reports and replays their games, cuts them into moments,
/// and plays on from the middle. Seats are numbered as at the table, wherever bots sit in a game.
pub trait Table: Play {
    /// Its layout, to define measures.
    fn layout_mut(&mut self) -> &mut Layout;

    /// The games of [`Play::play`] by the plain referee, one after the other; `guide` may change
    /// decisions.
    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record);

    /// A game of a seed, its number and the style of its story, as the referee plays it; `guide`
    /// may change decisions.
    fn guided_course(&self, game: (u64, u64, StoryStyle), guide: &mut dyn Guide) -> Course;

    /// Game `game` of `seed`, as the referee plays it.
    fn course(&self, seed: u64, game: u64, style: StoryStyle) -> Course {
        self.guided_course((seed, game, style), &mut ())
    }

    /// The table that this one only lets others decide at; all that it does not say itself is said
    /// there.
    fn inner(&self) -> Option<&dyn Table> {
        None
    }

    /// Playing this many playouts takes about as long as one.
    fn batch(&self) -> u64 {
        self.inner().map_or(1, |inner| inner.batch())
    }

    /// Plays on from a position of this game, of a table of the same rules and number of players,
    /// until `record` is full. The bots of this table take the places of those in the position.
    ///
    /// With an option, the decision is taken so, and the bots go on from there; without one, they
    /// take that decision, too. Hidden information is drawn anew in each playout: unseen cards, and
    /// what others decide at the same time. Public information stays. Playout `i` of `seed` has the
    /// same luck for every option, whatever the chunk, the vector level and the thread; `luck` is
    /// the seed and the number of the first playout. The record has the table's layout made
    /// [bare](Layout::bare), or made one [of seats](Layout::of_seats). Allocates nothing per
    /// playout.
    fn play_on(&self, level: Level, from: Branch, luck: (u64, u64), record: &mut Record) {
        self.play_turns(level, (from, u32::MAX), luck, record);
    }

    /// As [`Table::play_on`], but in games with [signs](Game::signs) only to the end of this many
    /// turns, that of the position included.
    fn play_turns(&self, level: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record);

    /// The game's own tables, from the counts of a tally.
    fn sheets(&self, counted: &Counted) -> Vec<Sheet> {
        (self.inner()).map_or(Vec::new(), |inner| inner.sheets(counted))
    }

    /// The game's own charts by file stem, from the same counts.
    fn figures(&self, counted: &Counted) -> Vec<(&'static str, Figure)> {
        (self.inner()).map_or(Vec::new(), |inner| inner.figures(counted))
    }

    /// One game as a story, played by the referee.
    fn replay(&self, seed: u64, game: u64, style: StoryStyle) -> String {
        self.course(seed, game, style).story()
    }

    /// Game `game` of `seed` as a record, if it can be written down.
    fn written(&self, seed: u64, game: u64) -> Option<String> {
        Some(self.notation()?.write(seed, game, &mut ()))
    }

    /// What comes up in this many games of a seed.
    fn census(&self, seed: u64, games: u64) -> Census {
        (self.inner()).map_or(Census::default(), |inner| inner.census(seed, games))
    }

    /// What is in the box and what it is for, in a few lines, for a player.
    fn reference(&self) -> String;

    /// Plays the games of `luck`, a seed and the first number, until `record` is full; `pick` takes
    /// decisions, in a deterministic order across games. Allocates nothing per game.
    fn practise(&self, level: Level, luck: (u64, u64), pick: Pick, record: &mut Record) {
        let inner = self.inner();
        let inner = inner.expect("games with scoring bots support practice");
        inner.practise(level, luck, pick, record);
    }

    fn notation(&self) -> Option<&dyn Notation> {
        self.inner()?.notation()
    }
}
