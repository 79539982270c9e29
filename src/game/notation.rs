//! Games that can be written down in short words: records of whole games, and situations in which
//! somebody at a table asks what to do.

use super::Record;
use super::moments::{Course, Guide, Position};
use crate::diagnostic::Fault;
use fearless_simd::Level;

pub trait Notation: Sync {
    /// Game `game` of `seed`, as a record; `guide` has a word in what is decided.
    fn write(&self, seed: u64, game: u64, guide: &mut dyn Guide) -> String;

    /// The game that a record tells, from its first card to its last; `title` heads its story.
    /// Fails where the record cannot be read, where the rules forbid what it tells, and where it
    /// tells less than a whole game.
    fn recorded(&self, title: &str, text: &str) -> Result<Course, Fault>;

    /// The situation of the one at seat `me`. Fails where the text cannot be read, or the rules
    /// forbid what it tells.
    fn situation(&self, me: usize, text: &str) -> Result<Situation, Fault>;

    /// The same position where so many of the others say yes at the decision that comes next: one
    /// position for each group that they may be.
    fn others(&self, me: usize, position: &Position, leaving: usize) -> Vec<Position>;

    /// Plays on from a position, as [`Moments::play_on`](super::moments::Moments::play_on) does,
    /// when `me` takes an option. Tells for each playout how many of the others said yes.
    fn ask(
        &self,
        level: Level,
        position: &Position,
        option: usize,
        luck: (u64, u64),
        record: &mut Record,
    ) -> Vec<u8>;
}

/// What is said to somebody who asks what to do, when to say yes or no.
pub struct AdviceWords {
    /// To say no, and to say yes, each in a word.
    pub options: [&'static str; 2],
    /// The key for the number of others that say yes now.
    pub others: &'static str,
    pub players: &'static str,
    /// How a situation is typed, line by line.
    pub help: &'static str,
}

pub struct Situation {
    pub text: String,
    /// The positions that it may be, each alike likely: several where it is not told who did
    /// something. None where nothing is to be decided.
    pub positions: Vec<Position>,
    /// Others who decide at the same time.
    pub others: usize,
}

/// What stands on the line of players: their number, or their names.
fn on_players_line(text: &str) -> Option<Vec<&str>> {
    let words_of = |line| -> Option<Vec<&str>> {
        let line: &str = line;
        let (first, rest) = line.trim().split_once(char::is_whitespace)?;
        let words = rest.split(['#', '/', ';', '|']).next();
        let words = words.unwrap_or_default();
        let words = words
            .split([' ', '\t', ','])
            .filter(|word| !word.is_empty());
        first
            .eq_ignore_ascii_case("players")
            .then(|| words.collect())
    };
    text.lines().find_map(words_of)
}

/// How many players a record is of, if it tells: in a line such as `players 5`, or one that names them.
pub fn players(text: &str) -> Option<usize> {
    match on_players_line(text)?.as_slice() {
        [] => None,
        [one] => Some(one.parse().unwrap_or(1)),
        names => Some(names.len()),
    }
}

/// The names on the line of players, if it names them.
pub fn named_players(text: &str) -> Vec<&str> {
    match on_players_line(text) {
        Some(words) if words.len() == 1 && words[0].parse::<usize>().is_ok() => Vec::new(),
        words => words.unwrap_or_default(),
    }
}

/// The names of people in a record, by seat: in a line such as `players Anna Ben Cleo`, or in remarks
/// such as `# @1 Anna`.
pub fn people(text: &str) -> Vec<String> {
    let named = named_players(text);
    if !named.is_empty() {
        return named.into_iter().map(str::to_string).collect();
    }
    let mut people = Vec::new();
    for line in text.lines() {
        let remark = line.trim().strip_prefix('#').map(str::trim);
        let seat_and_name = remark.and_then(|remark| remark.strip_prefix('@')?.split_once(' '));
        if let Some((seat, name)) = seat_and_name
            && seat.parse() == Ok(people.len() + 1)
        {
            people.push(name.trim().to_string());
        }
    }
    people
}
