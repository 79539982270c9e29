//! Which charts each kind of study has, and what each is drawn from.
//!
//! To add a chart to a kind of study: fill it in that kind's file here, under the name of its file.

mod compare;
mod simulate;
mod solve;
mod sweep;
mod tournament;
mod tune;
mod words;

pub use compare::{SIDES_MAX, compare};
pub use simulate::simulate;
pub use solve::solve;
pub use sweep::sweep;
pub use tournament::tournament;
pub use tune::tune;
