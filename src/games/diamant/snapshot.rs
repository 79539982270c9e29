//! A game in the middle, as everyone at the table knows it: the referee writes it, and the kernel
//! plays on from it. The order of the unseen cards is not part of it.

use crate::strategy::SEATS_MAX;

/// How a game stands: before the first card of an expedition, or after a card when everyone inside
/// is about to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The expedition, from 0.
    pub round: u32,
    /// Cards in the game, those on the path included, as a set of card indices.
    pub in_game: u64,
    /// Those that nobody has seen in this expedition.
    pub deck: u64,
    /// Cards revealed in this expedition. Where there are none, the first is to come, unless the
    /// rules have everyone decide at the entrance; otherwise everyone inside decides.
    pub revealed: u32,
    /// What each explorer inside holds.
    pub held: i32,
    /// Rubies on the path: all of them, or those of each card where cards are divided alone.
    pub piles: Vec<i32>,
    /// Relics taken out in this game, and those lost where they use up values, too.
    pub claimed: u32,
    /// See [`Log::relics`](super::log::Log::relics): those that have been revealed.
    pub relics: Vec<Option<u8>>,
    /// How many left at the last decision of this expedition.
    pub just_left: u32,
    pub explorers: Vec<Standing>,
}

/// How an explorer stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    pub inside: bool,
    /// Rubies brought home, relics included.
    pub chest: i32,
    pub relics: u32,
}

impl Snapshot {
    /// Which relic joined in a place.
    pub fn relic(&self, place: u8) -> usize {
        let relic = self.relics.get(usize::from(place)).copied();
        usize::from(relic.flatten().unwrap_or(place))
    }

    /// Rubies on the path.
    pub fn leftover(&self) -> i32 {
        self.piles.iter().sum()
    }

    /// Who is inside, in the order of seats.
    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        let explorers = self.explorers.iter().enumerate();
        explorers
            .filter(|(_, explorer)| explorer.inside)
            .map(|(seat, _)| seat)
    }
}

/// What is settled of the first decision before anybody is asked: by seat, whether to leave. Who
/// is not settled does what its bot does.
pub type Settled = [Option<bool>; SEATS_MAX];

/// A moment of a game that can be played on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// How the game stands.
    pub position: Snapshot,
    /// What is settled of the decision that comes next.
    pub settled: Settled,
    /// The seat whose decision is looked at, if any.
    pub seat: Option<usize>,
}
