//! Games in which somebody else picks for the bots, at the speed of the kernel: for those who learn
//! from very many of them.

use super::Record;
use fearless_simd::Level;

pub trait Practice: Send + Sync {
    /// Plays the games of `luck`, a seed and the first number, until `record` is full, where `pick`
    /// takes decisions. In which order decisions of different games are taken is always the same.
    /// Allocates nothing per game.
    fn practise(&self, level: Level, luck: (u64, u64), pick: Pick, record: &mut Record);
}

/// Takes decisions: the option, or nothing where the bot itself decides.
pub type Pick<'p> = &'p mut dyn FnMut(&Offer) -> Option<usize>;

pub struct Offer<'a> {
    /// The game, counted from the first of the record.
    pub game: usize,
    /// Who decides: the seat of a bot, wherever it sits in this game.
    pub seat: usize,
    /// What its bot says of each option.
    pub scores: &'a [f32],
    /// What a bot sees of each option: all features of the vocabulary, option by option.
    pub features: &'a [f32],
}
