//! A game moment by moment: what happened, who decided what, and playing on from any of it.
//!
//! A [`Course`] is one game, cut where something became known or somebody decided. Each moment has
//! its [`Position`], from which the game can be played on as often as one likes, with fresh luck.

use super::story::StoryStyle;
use super::{Layout, Play, Record};
use fearless_simd::Level;
use std::any::Any;
use std::mem::take;

/// A table whose games can be taken apart and played on from the middle.
///
/// Seats are those of the bots, in the order of the table, wherever they sit in a game.
pub trait Moments: Send + Sync {
    /// A game, by its seed and number, as the referee plays it and as it is to be told, where `guide`
    /// has a word in what is decided.
    fn guided_course(&self, game: (u64, u64, StoryStyle), guide: &mut dyn Guide) -> Course;

    /// Game `game` of `seed`, as the referee plays it.
    fn course(&self, seed: u64, game: u64, style: StoryStyle) -> Course {
        self.guided_course((seed, game, style), &mut ())
    }

    /// So many playouts take about as long as one.
    fn batch(&self) -> u64 {
        1
    }

    /// Plays on from a position of this game, of a table of the same rules and number of players,
    /// until `record` is full. The bots of this table go on at the places that the position tells.
    ///
    /// With an option, that decision is taken so, and the bots go on from there; without one, they
    /// take that decision, too. What the one who decides cannot know is drawn anew in each playout:
    /// cards that nobody has seen, and what others decide at the same time. What is public stays.
    /// Playout `i` of `seed` has the same luck for every option, whatever the chunk, the vector
    /// level and the thread; `luck` is the seed and the number of the first. The record is of the
    /// table's layout made [bare](super::Layout::bare): wins and final scores by seat. Allocates
    /// nothing per playout.
    fn play_on(&self, level: Level, from: Branch, luck: (u64, u64), record: &mut Record);
}

/// A game in the middle, in the form that its kernel starts from. Only the game that made it can
/// look inside.
pub struct Position(Box<dyn Any + Send + Sync>);

impl Position {
    pub fn new(inner: impl Any + Send + Sync) -> Position {
        Position(Box::new(inner))
    }

    /// What the game knows. Panics when the position is of another game.
    pub fn of<T: Any>(&self) -> &T {
        let inner = self.0.downcast_ref();
        inner.expect("a position is played on by its own game")
    }
}

/// Has a word in what bots decide, before it is done. By itself it leaves all to them.
pub trait Guide {
    fn begin(&mut self, _game: u64) {}

    /// Whether it decides for `seat` now without asking what the bot would do.
    fn knows(&self, _seat: usize) -> bool {
        false
    }

    /// Which of so many options `seat` takes, whose bot would take `chosen`; `stands` tells how the
    /// game stands.
    fn decide(
        &mut self,
        _seat: usize,
        _options: usize,
        chosen: usize,
        _stands: &Standing,
    ) -> usize {
        chosen
    }
}

impl Guide for () {}

pub struct Standing<'a> {
    /// Where the game can be played on from.
    pub position: &'a dyn Fn() -> Position,
    /// What a bot sees of the option of a number: every feature of the game's vocabulary.
    pub features: &'a dyn Fn(usize) -> Vec<f32>,
}

pub struct Course {
    /// Its moments, in order. None is after the end of the game.
    pub moments: Vec<Moment>,
    /// What happened after the last moment, in words.
    pub end: String,
    /// What each seat won, in [`WIN_UNITS`](super::WIN_UNITS); nothing while the game is not over.
    pub wins: Vec<i32>,
    /// As long as the wins.
    pub scores: Vec<i32>,
}

/// A position, and what is decided there, unless the bots decide that, too.
pub type Branch<'p> = (&'p Position, Option<usize>);

impl Course {
    pub fn story(self) -> String {
        let moments = self.moments.into_iter().map(|moment| moment.text);
        moments.collect::<String>() + &self.end
    }
}

pub struct Moment {
    /// What happened since the moment before, in words. All moments and the end, one after the
    /// other, are the story that `replay` tells.
    pub text: String,
    /// Where in the game this is, in a few words: `expedition 2, card 3`.
    pub at: String,
    pub position: Position,
    pub what: What,
}

pub enum What {
    /// Something has become known that changes what all may hope for.
    Event(Cause),
    /// Somebody decides, and has at least two options.
    Decision(Options),
}

/// What an event came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Chance: cards that were drawn or turned up.
    Chance,
    /// Decisions that were taken in secret are shown.
    Secrets,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    pub seat: usize,
    /// The options in words, each different.
    pub names: Vec<String>,
    pub chosen: usize,
    /// What kind of move each of them is, in a few words; none where all are alike.
    pub groups: Vec<&'static str>,
    /// How the game stands, as the one who decides sees it, where the game is told to that seat.
    pub standing: String,
    /// What a bot sees of each option: every feature of the game's vocabulary, where the game is told
    /// to that seat.
    pub features: Vec<Vec<f32>>,
    /// What speaks for one option or another, where the game can say it in words.
    pub facts: Box<str>,
    /// Options that do the same as another, each with that.
    pub copies: Box<[(usize, usize)]>,
    /// Whether the others do not learn of it before the next event.
    pub secret: bool,
    /// What the [habits](super::Habit) of people look at; nothing where the game has none.
    pub habit: Vec<f64>,
    /// What kind of decision it is: pairs of a property and its value, the same properties in the
    /// same order for all decisions of the game, such as `traps seen` and `2`. A bot's mistakes are
    /// summed up by them.
    pub kind: Vec<(&'static str, String)>,
}

/// What is played on from a position: its games are the playouts.
pub struct Playouts<'a> {
    pub moments: &'a dyn Moments,
    /// Its layout, made [bare](Layout::bare).
    pub layout: &'a Layout,
    pub from: Branch<'a>,
}

impl Play for Playouts<'_> {
    fn layout(&self) -> &Layout {
        self.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.moments
            .play_on(level, self.from, (seed, first), record);
    }
}

/// Writes down a game while it is played: its story, cut at its moments.
#[derive(Default)]
pub struct Chronicle {
    text: String,
    /// Whether anything was drawn or turned up since the last moment.
    pub drawn: bool,
    moments: Vec<Moment>,
}

impl Chronicle {
    pub fn push(&mut self, text: &str) {
        self.text += text;
    }

    /// Goes on with a line of its own.
    pub fn line(&mut self, line: &str) {
        self.text += line;
        self.text += "\n";
    }

    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    pub fn moment(&mut self, at: String, position: impl Any + Send + Sync, what: What) {
        self.moments.push(Moment {
            text: take(&mut self.text),
            at,
            position: Position::new(position),
            what,
        });
    }

    /// Somebody decides; what was drawn before is a moment of its own.
    pub fn decision<P: Any + Send + Sync + Clone>(
        &mut self,
        at: String,
        position: P,
        options: Options,
    ) {
        if take(&mut self.drawn) {
            self.moment(at.clone(), position.clone(), What::Event(Cause::Chance));
        }
        self.moment(at, position, What::Decision(options));
    }

    /// The game is over: what each seat won, and its score.
    pub fn course(self, wins: Vec<i32>, scores: Vec<i32>) -> Course {
        Course {
            moments: self.moments,
            end: self.text,
            wins,
            scores,
        }
    }
}
