//! The games, one folder each, all on one floor plan. They never import each other; what they
//! share is in [`game`](crate::game).
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | facts for the catalog, and how bots are seated |
//! | `rules.rs`, `editions/` | rules as data: reading and checking a file, the files that ship |
//! | `older_rules.toml` | what keys mean that rules files of older versions lack |
//! | `features.rs` | what bots may look at: each feature is declared once, with its place |
//! | `outcomes.rs` | what is recorded of a game, and the metrics that follow |
//! | `report.rs` | the game's own tables and charts |
//! | `transcript.rs` | one game in words, from the referee's events |
//! | `course.rs` | one game moment by moment, with positions to play on from |
//! | `snapshot.rs` | a game in the middle, saved by the referee and played on by the kernel |
//! | `referee/` | the rulebook in its plainest form; `features.rs` is how it reads the features |
//! | `kernel/` | the same games, fast; `features.rs` is how it reads the features |
//! | `notation/`, `situation.rs` | records of games, and situations to ask about (Diamant) |
//! | `recording.rs` | how outcomes are recorded: one in `referee/`, one in `kernel/` |
//!
//! The referee and the kernel read the rules, the vocabulary and the outcomes, and nothing of each
//! other: that they agree game by game is the test of both.
//!
//! To add a feature, declare it in `features.rs`, and compute it in the referee's and the kernel's
//! `features.rs`. To add an outcome, declare it in `outcomes.rs`, and count it in both. An edition
//! is a file in `editions/` and a line in `rules.rs`.

pub mod diamant;
pub mod diamond_cave;
pub mod diamond_miner;
