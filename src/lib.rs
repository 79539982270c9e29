//! carat: Monte Carlo strategy simulator and analytics for games about diamonds.
#![doc = include_str!("ARCHITECTURE.md")]

pub mod cli;
pub mod files;
