//! What a game is: the contract between the games and everything that plays them.
//!
//! A game reads a rules file, seats bots at a table, and plays chunks of games into a
//! [`Record`]. It says in a [`Layout`] what it records. Nothing here knows a particular
//! game, a thread, a file or a chart.

use crate::diagnostic::Diagnostic;
use crate::figure::Figure;
use crate::formula::{Kind, Vocabulary};
use crate::sheet::Sheet;
use crate::strategy::Seat;
use moments::{Guide, Moments};
use notation::{AdviceWords, Notation};
use std::ops::RangeInclusive;
use story::StoryStyle;

mod by_place;
mod by_use;
mod counts;
mod layout;
mod lessons;
mod measure;
mod metric;
pub mod moments;
pub mod notation;
mod positions;
pub mod practice;
mod record;
mod rules_file;
mod seated;
mod seating;
pub mod story;
mod vocabulary;

pub use by_place::ByPlace;
pub use by_use::ByUse;
pub use counts::{CountTable, Counted, LengthTable};
pub use layout::{ColumnInfo, Layout, OWN, SCORE, WIN, WIN_UNITS};
pub use lessons::{Decision, Lesson, Lessons, School};
pub use metric::{
    CAPPED_RATE, Fraction, Metric, MetricRef, NoSuchMetric, Of, Per, SCORE_MEAN, STARTER_WIN_SHARE,
    Scope, WIN_SHARE, WIN_SHARE_SPREAD,
};
pub(crate) use positions::positions;
pub use record::{Play, Record};
#[cfg(test)]
pub use rules_file::assert_refused;
pub use rules_file::{PlayersTable, check_game, read_rules};
pub use seated::{Seated, Sitting, first_alike};
pub use seating::{Places, Seating, SeatingError};
pub(crate) use vocabulary::vocabulary;

pub struct Game {
    /// Name on the command line and of the folder below `strategies/`.
    pub name: &'static str,
    /// Name as printed on the box.
    pub title: &'static str,
    /// One sentence on what the players do.
    pub summary: &'static str,
    /// What a point of the score is called.
    pub score_unit: &'static str,
    /// What the signs of a position's picture mean, in plain letters or not; empty where it is all words.
    pub legend: fn(plain: bool) -> String,
    /// Feature names that a bot's formula may use, and the question it answers.
    pub vocabulary: &'static Vocabulary,
    /// The rules files shipped; the first is the default.
    pub editions: &'static [Edition],
    /// What is meant by keys that rules files of older forms lack (TOML), by the form that has them.
    pub older_rules: &'static str,
    /// The bot whose parameters are adapted to rules.
    pub family: Option<&'static str>,
    /// Tables of its rules files to which keys of any name can be added.
    pub open_rules: &'static [&'static str],
    /// Bots that learnt ones are compared with, most of them written by hand.
    pub field: &'static [&'static str],
    /// The best bot that ships, of those that were not learnt and do not think.
    pub strongest: &'static str,
    /// Bots that play as people do, each with a word for such people, in the order in which they sit
    /// down.
    pub people: &'static [(&'static str, &'static str)],
    /// The same for bots that are easily beaten.
    pub easy: &'static [(&'static str, &'static str)],
    /// How a bot is fitted to people, if the game has one that can be.
    pub habit: Option<&'static Habit>,
    /// Numbers of players that can be played, printed or not.
    pub seats: RangeInclusive<usize>,
    /// Players when neither seats nor a number are given.
    pub players: usize,
    /// Games when no number is given.
    pub games: u64,
    /// Most games in a chunk: enough to fill the kernel, few enough for the processor's cache.
    pub chunk: u64,
    /// What is said to those who ask for advice, if its games can be written down.
    pub advice: Option<&'static AdviceWords>,
    pub read_rules: ReadRules,
}

/// A logistic rule by which people decide: a bot whose weights can be found from what they did.
pub struct Habit {
    /// The bot; its parameters are the weights of people in general.
    pub bot: &'static str,
    /// The parameters that are weights, in the order of what is [looked at](moments::Options::habit).
    pub params: &'static [&'static str],
    /// How far the weights of a person may be from those of people in general: standard deviations.
    pub doubts: &'static [f64],
    /// How often people slip: the part of decisions that is a yes whatever the rule says, and the part
    /// that is a no.
    pub slip: f64,
    /// The option that is a yes.
    pub yes: usize,
    /// What it is to say yes: `left`.
    pub said: &'static str,
    /// How a no is wrong, and a yes: `staying too long`, `leaving too early`.
    pub faults: [&'static str; 2],
    /// What weights mean, in words.
    pub describe: fn(&[f64]) -> String,
}

/// Features that are drawn by lot.
pub const CHANCE: [&str; 3] = ["temper", "random", "noise"];

/// How play is learnt where bots score their options.
#[derive(Debug, Clone, Copy)]
pub struct ByOptions {
    /// The bot that is there at first. All that are learnt add to its score.
    pub first: &'static str,
    /// Scores of that bot that are told apart: lower and higher ones count as these.
    pub range: [f32; 2],
    /// The features that tell of what kind an option is: the first that is above 0.
    pub kinds: &'static [&'static str],
    /// Features that learners do not look at, as bots that do are played much more slowly.
    pub unseen: &'static [&'static str],
    /// How often learners take at first what that bot takes.
    pub like_first: f64,
    /// Most look-up tables of a learnt bot.
    pub tables: usize,
    /// Games of the first round of learning.
    pub games: u64,
    /// What a point more than the others counts for, in won games: scores tell of good play where it
    /// is luck who wins.
    pub point: f32,
    /// What the entropy of a choice counts for at first, in won games: learners go on trying what seemed
    /// worse.
    pub entropy: f64,
    /// Playouts of two that think, who tell how far what was learnt can be beaten.
    pub thinks: [u64; 2],
}

/// How a game reads a rules file: from the name that errors show, and the text.
pub type ReadRules = fn(&str, &str) -> Result<Box<dyn Rules>, Diagnostic>;

impl Game {
    pub fn rules(&self, file: &str, text: &str) -> Result<Box<dyn Rules>, Diagnostic> {
        (self.read_rules)(file, text)
    }

    /// Whether it can be learnt, under the rules that it ships with first.
    pub fn can_be_learnt(&self) -> bool {
        self.training().is_some() || self.has_school()
    }

    /// How its play is learnt where bots score their options.
    pub fn training(&self) -> Option<&'static ByOptions> {
        let edition = &self.editions[0];
        self.rules(edition.name, edition.text).ok()?.training()
    }

    /// Whether a policy over cells can be learnt, under the rules that it ships with first.
    fn has_school(&self) -> bool {
        let edition = &self.editions[0];
        let rules = self.rules(edition.name, edition.text);
        rules.is_ok_and(|rules| rules.school().is_some())
    }

    /// Whether copies of a bot always decide alike, as nothing in it is drawn by lot and they decide at
    /// the same time.
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
            Ok(())
        } else {
            Err(SeatingError::Players {
                seats,
                title: self.title,
                min: *self.seats.start(),
                max: *self.seats.end(),
            })
        }
    }
}

pub struct Edition {
    /// Name on the command line.
    pub name: &'static str,
    /// The file's text (TOML).
    pub text: &'static str,
}

impl Edition {
    pub const fn new(name: &'static str, text: &'static str) -> Edition {
        Edition { name, text }
    }
}

/// A rules file that was read and checked.
pub trait Rules: Send + Sync {
    /// The numbers of players printed on the box. Others are played too, with a warning.
    fn printed_players(&self) -> RangeInclusive<usize>;

    /// Seats bots at a table, one formula each. Where it matters who sits before whom, `seating`
    /// tells how they change places from game to game. Outcomes are by bot all the same.
    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError>;

    /// How play is learnt where bots score their options.
    fn training(&self) -> Option<&'static ByOptions> {
        None
    }

    /// How play is learnt where bots answer yes or no.
    fn school(&self) -> Option<&dyn School> {
        None
    }
}

/// Bots seated under checked rules: what they play can be taken apart, reported and told.
pub trait Table: Play + Moments {
    /// Its layout, to define measures.
    fn layout_mut(&mut self) -> &mut Layout;

    /// The same games by the plain referee, one after the other.
    fn referee(&self, seed: u64, first: u64, record: &mut Record) {
        self.guided(seed, first, &mut (), record);
    }

    /// Games by the plain referee, where `guide` has a word in what is decided.
    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record);

    /// The game's own tables, from the counts of a tally of `games` games.
    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet>;

    /// The game's own charts, by file name without ending, from the same counts.
    fn figures(&self, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)>;

    /// Tells one game in words, as played by the referee.
    fn replay(&self, seed: u64, game: u64, style: StoryStyle) -> String {
        self.course(seed, game, style).story()
    }

    /// Game `game` of `seed` as a record, if it can be written down.
    fn written(&self, seed: u64, game: u64) -> Option<String> {
        Some(self.notation()?.write(seed, game, &mut ()))
    }

    /// What lies in the box and what it is for, in a few lines, for somebody who plays.
    fn reference(&self) -> String;

    /// Its games where somebody else picks, if they are to be had at speed.
    fn practice(&self) -> Option<&dyn practice::Practice> {
        None
    }

    fn notation(&self) -> Option<&dyn Notation> {
        None
    }
}
