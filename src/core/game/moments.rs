//! A game moment by moment: events, decisions, and playing on from each.
//!
//! A [`Course`] is one game, cut at each event that reveals something and at each decision. Each
//! moment has its [`Position`], to play on from any number of times with fresh luck.

use super::story::{StoryStyle, Why};
use super::{Layout, Play, Record, Sitting, Table};
use crate::figure::board::Board;
use crate::formula::Vocabulary;
use crate::streams;
use fearless_simd::Level;
use std::any::Any;
use std::fmt::Debug;
use std::mem::take;

/// A position in the middle of a game, in the form that its kernel starts from. Only the game that
/// made it can read it.
pub struct Position(Box<dyn Data>);

trait Data: Any + Debug + Send + Sync {}

impl<T: Any + Debug + Send + Sync> Data for T {}

impl Position {
    pub fn new(inner: impl Any + Debug + Send + Sync) -> Position {
        Position(Box::new(inner))
    }

    /// The game's own data. Panics if the position is of another game.
    pub fn of<T: Any>(&self) -> &T {
        let inner: &dyn Any = &*self.0;
        let inner = inner.downcast_ref();
        inner.expect("a position is played on by its own game")
    }

    /// A number that follows from its data, so that the same position is played on with the same
    /// luck wherever it comes from. Renaming a field of a snapshot changes it.
    pub fn number(&self) -> u64 {
        let data = format!("{:?}", self.0);
        (data.bytes()).fold(1, |mixed, byte| streams::mix(mixed ^ u64::from(byte)))
    }
}

/// Can change the decisions of bots before they take effect. The default changes none.
pub trait Guide {
    fn begin(&mut self, _game: u64) {}

    /// Whether it decides for `seat` now without looking at the bot's choice.
    fn knows(&self, _seat: usize) -> bool {
        false
    }

    /// Picks one of `options` options for `seat`; its bot would take `chosen`. `stands` gives the
    /// position and the features.
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
    /// The position to play on from.
    pub position: &'a dyn Fn() -> Position,
    /// Every feature of the game's vocabulary, for the option of a number.
    pub features: &'a dyn Fn(usize) -> Vec<f32>,
}

pub struct Course {
    /// Its moments, in order; all before the end of the game.
    pub moments: Vec<Moment>,
    /// The story after the last moment.
    pub end: String,
    /// The wins of each seat in [`WIN_UNITS`](super::WIN_UNITS); empty until the game is over.
    pub wins: Vec<i32>,
    /// The scores of each seat; empty until the game is over.
    pub scores: Vec<i32>,
}

/// A position in which a seat decides, and its options.
pub type Fork<'m> = (&'m Position, &'m Options);

/// A position and the option to take there; with `None` the bots decide.
pub type Branch<'p> = (&'p Position, Option<usize>);

impl Course {
    pub fn story(&self) -> String {
        self.story_between(0, None)
    }

    /// The story from a moment to a later one, or to the end.
    pub fn story_between(&self, from: usize, last: Option<usize>) -> String {
        let until = last.map_or(self.moments.len(), |last| last + 1);
        let moments = self.moments[from.min(until)..until].iter();
        let story: String = moments.map(|moment| moment.text.as_str()).collect();
        story + if last.is_none() { &self.end } else { "" }
    }

    /// The course with its seats numbered anew: `seats` has the new number of each.
    pub fn reseated(mut self, seats: &[usize]) -> Course {
        for moment in &mut self.moments {
            if let What::Decision(options) = &mut moment.what {
                options.seat = seats[options.seat];
            }
        }
        self.wins = by_seat(self.wins, seats);
        self.scores = by_seat(self.scores, seats);
        self
    }
}

/// One value for each seat, in the order of the seats' new numbers.
pub fn by_seat<T>(values: Vec<T>, seats: &[usize]) -> Vec<T> {
    let mut values: Vec<(usize, T)> = seats.iter().copied().zip(values).collect();
    values.sort_by_key(|(seat, _)| *seat);
    values.into_iter().map(|(_, value)| value).collect()
}

pub struct Moment {
    /// What happened since the moment before, in words. The texts of all moments and the end make
    /// up the story that `replay` prints.
    pub text: String,
    /// The place in the game in a few words: `expedition 2, card 3`.
    pub at: String,
    pub position: Position,
    pub what: What,
}

impl Moment {
    pub fn options(&self) -> Option<&Options> {
        Some(self.fork()?.1)
    }

    pub fn fork(&self) -> Option<Fork<'_>> {
        match &self.what {
            What::Decision(options) => Some((&self.position, options.as_ref())),
            What::Event(_) => None,
        }
    }
}

pub enum What {
    /// An event that changes the win chances of the players.
    Event(Cause),
    /// A seat decides among at least two options.
    Decision(Box<Options>),
}

/// The cause of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Chance: cards that were drawn or turned up.
    Chance,
    /// Secret decisions were revealed.
    Secrets,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    pub seat: usize,
    /// The options in words, all distinct.
    pub names: Vec<String>,
    pub chosen: usize,
    /// The kind of move of each option, in a few words; empty if all are of one kind.
    pub groups: Vec<&'static str>,
    /// The position in words, as the deciding seat sees it; only in a story for that seat.
    pub standing: String,
    /// The same as data; only in a story for that seat, and in games with a board.
    pub board: Option<Board>,
    /// Every feature of the game's vocabulary for each option; only in a story for that seat.
    pub features: Vec<Vec<f32>>,
    /// By the number of others who say yes at the same time: what speaks for no and for yes; empty
    /// where the game has no words for it.
    pub facts: Box<[[String; 2]]>,
    /// Options equivalent to an earlier one, each paired with that one.
    pub copies: Box<[(usize, usize)]>,
    /// Whether the others see the decision only at the next event.
    pub secret: bool,
    /// Inputs of the human-like model ([`Habit`](super::Habit)); empty if the game has none.
    pub habit: Vec<f64>,
    /// The kind of decision: pairs of property and value, with the same properties in the same
    /// order for all decisions of the game, such as `traps seen` and `2`. A bot's mistakes are
    /// summed by them.
    pub kind: Vec<(&'static str, String)>,
}

/// Playouts from a position, as games to play.
pub struct Playouts<'a> {
    pub table: &'a dyn Table,
    /// Its layout, made [bare](Layout::bare).
    pub layout: &'a Layout,
    pub from: Branch<'a>,
}

impl Play for Playouts<'_> {
    fn layout(&self) -> &Layout {
        self.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.table.play_on(level, self.from, (seed, first), record);
    }
}

/// Records a game while it is played: its story, cut at its moments.
#[derive(Default)]
pub struct Chronicle {
    text: String,
    /// Whether a card was drawn or turned up since the last moment.
    pub drawn: bool,
    moments: Vec<Moment>,
}

impl Chronicle {
    pub fn push(&mut self, text: &str) {
        self.text += text;
    }

    pub fn line(&mut self, line: &str) {
        self.text += line;
        self.text += "\n";
    }

    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    pub fn moment(&mut self, at: String, position: Position, what: What) {
        self.moments.push(Moment {
            text: take(&mut self.text),
            at,
            position,
            what,
        });
    }

    /// Ends the game with each seat's wins and score.
    pub fn course(self, wins: Vec<i32>, scores: Vec<i32>) -> Course {
        Course {
            moments: self.moments,
            end: self.text,
            wins,
            scores,
        }
    }
}

/// The chronicle of a game of bots that score their options.
pub struct Scored<'a> {
    pub chronicle: Chronicle,
    pub sitting: &'a Sitting,
    pub style: StoryStyle,
    pub vocabulary: &'static Vocabulary,
}

impl<'a> Scored<'a> {
    /// The chronicle of a game of a seed, its number and the style of its story; `title` is that of
    /// its rules.
    pub fn new(
        title: &str,
        sitting: &'a Sitting,
        game: (u64, u64, StoryStyle),
        vocabulary: &'static Vocabulary,
    ) -> Self {
        let (seed, game, style) = game;
        let mut chronicle = Chronicle::default();
        chronicle.line(&format!("{title}, game {game} of seed {seed}"));
        Scored {
            chronicle,
            sitting,
            style,
            vocabulary,
        }
    }

    /// Ends the game with the rest of its story, and the wins and scores by place.
    pub fn end(
        mut self,
        text: &str,
        wins: impl IntoIterator<Item = i32>,
        scores: impl IntoIterator<Item = i32>,
    ) -> Course {
        self.chronicle.push(text);
        let (wins, scores) = (self.sitting.by_seat(wins), self.sitting.by_seat(scores));
        self.chronicle.course(wins, scores)
    }

    /// Whether the position is shown at decisions of this seat.
    pub fn shows(&self, seat: usize) -> bool {
        self.style.seat == Some(seat)
    }

    /// Adds a decision of the bot at `place`; cards drawn before it become a moment of their own.
    pub fn decision(&mut self, place: usize, at: String, mut options: Options, stands: &Standing) {
        let mut seen = Vec::new();
        if self.shows(options.seat) || self.style.why {
            seen.extend((0..options.names.len()).map(stands.features));
        }
        if self.shows(options.seat) {
            options.features.clone_from(&seen);
        }
        let chosen = options.chosen;
        if take(&mut self.chronicle.drawn) {
            let what = What::Event(Cause::Chance);
            self.chronicle.moment(at.clone(), (stands.position)(), what);
        }
        let what = What::Decision(Box::new(options));
        self.chronicle.moment(at, (stands.position)(), what);
        if self.style.why {
            let (name, formula) = (&self.sitting.names[place], &self.sitting.formulas[place]);
            let why = Why::among(formula, &seen, chosen).text(self.vocabulary);
            self.chronicle.line(&format!("    ? {name}: {why}"));
        }
    }
}
