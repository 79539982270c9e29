//! Playing many games: chunks of games on all processors, summed up exactly.
//!
//! This is the only place that knows rayon. It knows no particular game, no file and no chart.

pub mod grid;
pub mod paired;
mod part;
mod player;
mod precision;
mod runner;
mod tally;

pub use part::{Part, parts};
pub use player::{FinishedParts, Listener, NotKept, PlayError, Player, Precision};
pub use precision::{Goal, Missed, widest};
pub use runner::{Ending, FIRST_BLOCK, Job, Product, Sums, ThreadsError, run};
pub use tally::Tally;
