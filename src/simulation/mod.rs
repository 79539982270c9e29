//! Playing many games: chunks of games on all processors, summed up exactly.
//!
//! This is the only place that knows rayon. It knows no particular game, no file and no chart.

pub mod paired;
mod precision;
mod runner;
mod tally;

pub use precision::precise;
pub use runner::{Cross, Ending, Job, Sums, ThreadsError, run};
pub use tally::Tally;
