//! Playing many games: chunks of games on all processors, summed up exactly.
//!
//! This is the only place that knows rayon. It knows no particular game, no file and no chart.

mod runner;
mod tally;

pub use runner::{Ending, Job, ThreadsError, run};
pub use tally::Tally;
