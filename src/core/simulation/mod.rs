//! Plays many games: chunks of games on all processors, summed exactly.
//!
//! This is the only module that uses rayon. It knows no particular game, no file and no chart.

mod design;
pub mod experiment;
mod gate;
pub mod grid;
mod histogram;
pub mod paired;
mod part;
mod player;
mod precision;
mod runner;
mod shard;
mod tally;
mod threads;
pub mod verdict;

pub use design::Design;
pub use experiment::{Experiment, GROUP};
pub use fearless_simd::Level;
pub use gate::{Gate, TargetVerdict, judged};
pub use histogram::Histogram;
pub use part::{Ending, Games, Going, NotKept, Part, Round, RoundInfo, Stopped, TableFailed};
pub use player::{
    Discard, EachGame, FinishedParts, Listener, NEVER, Player, Precision, alone, until,
};
pub use precision::{Goal, Missed, widest};
pub use runner::{FAR, STATE, play_games};
pub use shard::{Shard, Sharing};
pub use tally::{Product, Sums, Tally};
pub use threads::{HERE, Setting, Threads, ThreadsError, lock};
