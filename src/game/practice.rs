//! Games in which the caller picks for the bots, at the speed of the kernel: for learners that need
//! millions of games.

use super::Record;
use fearless_simd::Level;

pub trait Practice: Send + Sync {
    /// Plays the games of `luck`, a seed and the first number, until `record` is full; `pick` takes
    /// decisions, in a deterministic order across games. Allocates nothing per game.
    fn practise(&self, level: Level, luck: (u64, u64), pick: Pick, record: &mut Record);
}

/// Takes decisions: returns the option, or `None` to let the bot decide.
pub type Pick<'p> = &'p mut dyn FnMut(&Offer) -> Option<usize>;

pub struct Offer<'a> {
    /// The game, from 0 within the record.
    pub game: usize,
    /// The deciding seat, numbered as at the table.
    pub seat: usize,
    /// The bot's score of each option.
    pub scores: &'a [f32],
    /// All features of the vocabulary, option by option.
    pub features: &'a [f32],
}
