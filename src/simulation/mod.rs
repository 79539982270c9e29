//! Playing many games: chunks of games on all processors, summed up exactly.
//!
//! This is the only place that knows rayon. It knows no particular game, no file and no chart.

pub mod grid;
pub mod paired;
mod part;
mod player;
mod precision;
pub mod race;
mod runner;
mod shard;
mod tally;
mod threads;

pub use part::{Ending, Going, Part, Round, parts};
pub use player::{EachGame, FinishedParts, Listener, Nobody, NotKept, Player, Precision};
pub use precision::{Goal, Missed, widest};
pub use runner::{FAR, Job, run};
pub use shard::{Shard, Sharing};
pub use tally::{Product, Sums, Tally};
pub use threads::{Setting, Threads, ThreadsError, play_here};
