//! The one list of games.

use crate::game::Game;
use crate::games::diamant::Diamant;
use crate::games::diamond_cave::DiamondCave;
use crate::games::diamond_miner::DiamondMiner;

/// Every game that carat plays.
pub const GAMES: &[&dyn Game] = &[&Diamant, &DiamondCave, &DiamondMiner];

/// The game with this name.
pub fn find(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.facts().name == name)
}
