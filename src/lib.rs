//! carat: Monte Carlo strategy simulator and analytics for games about diamonds.
#![doc = include_str!("ARCHITECTURE.md")]

// The games and what they stand on.
pub mod adaptation;
pub mod catalog;
pub mod figure;
pub mod game;
pub mod games;
pub mod sheet;
pub mod streams;

// Bots.
pub mod diagnostic;
pub mod format;
pub mod formula;
pub mod strategy;

// From games to figures.
pub mod charts;
pub mod equilibrium;
pub mod learning;
pub mod numbers;
pub mod simulation;
pub mod statistics;
pub mod study;
pub mod thinking;
pub mod tournament;
pub mod tuning;

// From figures to people.
pub mod cli;
pub mod results;
