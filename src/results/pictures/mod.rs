//! Which charts each kind of study has, and what each is drawn from.
//!
//! To add a chart to a kind of study: fill it in that kind's file here, under the name of its file.

mod analyse;
mod compare;
mod each;
mod scored;
mod simulate;
mod solve;
mod sweep;
mod tournament;
mod tournament_sides;
mod tune;

use super::NamedChart;
use crate::charts::Chart;

pub use analyse::analyse;
pub use compare::{SIDES_MAX, compare};
pub use each::each;
pub use scored::scored;
pub use simulate::simulate;
pub use solve::solve;
pub use sweep::sweep;
pub use tournament::tournament;
pub use tournament_sides::tournament_sides;
pub use tune::tune;

/// A chart by the name of its file; `played` is the line below its title.
fn named(name: &'static str, played: impl Into<String>, chart: impl Chart + 'static) -> NamedChart {
    (name, played.into(), Box::new(chart))
}
