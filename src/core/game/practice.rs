//! Games in which the caller picks for the bots, at the speed of the kernel: for learners that need
//! millions of games.

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
