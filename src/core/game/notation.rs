//! Games with a short notation: records of whole games, and situations in which a player asks for
//! advice.

use super::Record;
use super::moments::{Course, Guide, Position};
use crate::diagnostic::Fault;
use crate::strategy::Seat;
use fearless_simd::Level;

pub trait Notation: Sync {
    /// Game `game` of `seed` as a record; `guide` may change decisions.
    fn write(&self, seed: u64, game: u64, guide: &mut dyn Guide) -> String;

    /// A whole recorded game; `title` heads its story. Fails if the record cannot be read, breaks
    /// the rules or is incomplete.
    fn recorded(&self, title: &str, text: &str) -> Result<Course, Fault>;

    /// The situation of the player at seat `me`, from 0. Fails if the text cannot be read or breaks
    /// the rules.
    fn situation(&self, me: usize, text: &str) -> Result<Situation, Fault>;

    /// The same position with `leaving` of the others saying yes at the next decision: one position
    /// for each possible group.
    fn others(&self, me: usize, position: &Position, leaving: usize) -> Vec<Position>;

    /// What the options of a player who decides bring at once, by the number of others who say yes,
    /// from 0: a number for each of [`AdviceWords::stakes`].
    fn stakes(&self, position: &Position) -> Vec<[f64; 3]>;

    /// Plays on from a position, as [`Table::play_on`](super::Table::play_on) does,
    /// when `me` takes an option. Returns for each playout how many of the others said yes.
    fn ask(
        &self,
        level: Level,
        position: &Position,
        option: usize,
        luck: (u64, u64),
        record: &mut Record,
    ) -> Vec<u8>;
}

/// The words of advice on when to say yes or no.
pub struct AdviceWords {
    /// One word for no, and one for yes.
    pub options: [&'static str; 2],
    /// The same as they are done: `staying`, `leaving`.
    pub doing: [&'static str; 2],
    /// The key of the number of other players that say yes now.
    pub others: &'static str,
    /// What yes brings and what no adds, in the unit of scores, and the chance to lose it by a no.
    pub stakes: [&'static str; 3],
    pub players: &'static str,
    /// How to type a situation, line by line.
    pub help: &'static str,
    /// When bots say yes among this number of players, as a grid; `None` if no grid holds it.
    pub limits: fn(&[Seat], usize) -> Option<LimitGrid>,
}

/// When bots say yes, to read off at the table.
pub struct LimitGrid {
    pub title: String,
    /// The headings of its columns. The first cell of a row is its heading.
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

pub struct Situation {
    pub text: String,
    /// The positions that fit the text, all equally likely: several where the text does not say
    /// which seat acted. Empty where there is nothing to decide.
    pub positions: Vec<Position>,
    /// Other players who decide at the same time.
    pub others: usize,
}

/// The words on the `players` line: their number, or their names.
fn on_players_line(text: &str) -> Option<Vec<&str>> {
    text.lines().find_map(|line| {
        let (first, rest) = line.trim().split_once(char::is_whitespace)?;
        let words = rest.split(['#', '/', ';', '|']).next()?;
        let words = words.split([' ', '\t', ',']);
        let words = words.filter(|word| !word.is_empty());
        let is_it = first.trim_end_matches(':').eq_ignore_ascii_case("players");
        is_it.then(|| words.collect())
    })
}

/// The number of players of a record, if it has a line such as `players 5`, or one that names them.
pub fn players(text: &str) -> Option<usize> {
    match on_players_line(text)?.as_slice() {
        [] => None,
        [one] => Some(one.parse().unwrap_or(1)),
        names => Some(names.len()),
    }
}

/// The names on the `players` line, if it has any.
pub fn named_players(text: &str) -> Vec<&str> {
    match on_players_line(text) {
        Some(words) if words.len() == 1 && words[0].parse::<usize>().is_ok() => Vec::new(),
        words => words.unwrap_or_default(),
    }
}

/// The names of people in a record, by seat: from a line such as `players Anna Ben Cleo`, or
/// remarks such as `# @1 Anna`.
pub fn people(text: &str) -> Vec<String> {
    let named = named_players(text);
    if !named.is_empty() {
        return named.into_iter().map(str::to_string).collect();
    }
    let mut people = Vec::new();
    for line in text.lines() {
        let remark = line.trim().strip_prefix('#').map(str::trim);
        if let Some((seat, name)) = remark.and_then(|of| of.strip_prefix('@')?.split_once(' '))
            && seat.parse() == Ok(people.len() + 1)
        {
            people.push(name.trim().to_string());
        }
    }
    people
}
