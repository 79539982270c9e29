//! The one list of games.

use crate::game::Game;
use crate::games::{diamant, diamond_cave, diamond_miner};

/// Every game that carat plays.
pub static GAMES: [&Game; 3] = [&diamant::GAME, &diamond_cave::GAME, &diamond_miner::GAME];

/// The game with this name.
pub fn find(name: &str) -> Option<&'static Game> {
    GAMES.into_iter().find(|game| game.name == name)
}
