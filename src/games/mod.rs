//! The games, one folder each. They never import each other.

pub mod diamant;
pub mod diamond_cave;
pub mod diamond_miner;
