//! The one list of games.

use crate::game::Game;
use crate::game::story::list;
use crate::games::{diamant, diamond_cave, diamond_miner};

/// Every game that carat plays.
pub static GAMES: [&Game; 3] = [&diamant::GAME, &diamond_cave::GAME, &diamond_miner::GAME];

/// The `called` names of the games for which `holds` is true.
pub fn those(holds: fn(&Game) -> bool, called: fn(&Game) -> &'static str) -> String {
    let games = GAMES.into_iter().filter(|game| holds(game));
    list(&games.map(called).collect::<Vec<_>>())
}

/// The game called `diamant`, `diamond_cave` or `diamond_miner`.
pub fn find(name: &str) -> Option<&'static Game> {
    GAMES.into_iter().find(|game| game.name == name)
}
