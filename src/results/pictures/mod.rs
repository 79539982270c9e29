//! Which charts a result has, and the plain columns that each is drawn from.

mod compare;
mod simulation;
mod sweep;
mod tournament;

pub use compare::{SIDES_MAX, comparison};
pub use simulation::{Pictured, simulation};
pub use sweep::sweep;
pub use tournament::tournament;
