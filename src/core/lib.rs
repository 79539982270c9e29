//! Plays games about diamonds fast: rules, bots, simulation, statistics, training and search.
//!
//! A million games of Diamant, and how often the first of five bots wins:
//!
//! ```
//! use carat_core::game::{Seating, WIN_SHARE};
//! use carat_core::library::Library;
//! use carat_core::simulation::{Threads, play_games};
//! use carat_core::thinking;
//!
//! let game = carat_core::catalog::find("diamant").expect("carat plays Diamant");
//! let rules = game.rules("iello-2016", game.editions[0].text).expect("an edition");
//! let library = Library::default();
//! let mut bots = Vec::new();
//! for seat in ["threshold:target=8", "4*people"] {
//!     let spec = seat.parse().expect("copies, a name and values");
//!     bots.extend(library.seats(game, &spec).expect("included bots"));
//! }
//! let table = thinking::table(rules.as_ref(), &bots, Seating::EveryOrder).expect("five players");
//! let threads = Threads::start(0).expect("one for each processor");
//! let tally = play_games(table.as_ref(), &threads, 7, 1_000_000).expect("no bot fails");
//! let wins = tally.seat(table.layout(), WIN_SHARE, 0);
//! assert!(wins.low > 0.14 && wins.high < 0.30, "{wins:?}");
//! ```
//!
//! Tables that play the same games are compared by [`simulation::Experiment`], rules changed by
//! [`overrides::apply`], bots written by [`strategy::Strategy::from_toml`], measures by
//! [`game::Layout::define`], situations read by [`game::notation`] and weighed by
//! [`thinking::Judge`]. The folder `examples` has a game, a measure and a search of one's own.

// The games and what they stand on.
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
pub mod library;
pub mod long_bots;
pub mod overrides;
pub mod strategy;

// From games to figures.
pub mod adaptation;
pub mod analysis;
pub mod equilibrium;
pub mod fitting;
pub mod learning;
pub mod limit;
pub mod numbers;
pub mod simple_rule;
pub mod simulation;
pub mod statistics;
#[cfg(test)]
#[path = "../../tests/unit/core/testing.rs"]
mod testing;
pub mod thinking;
pub mod tournament;
pub mod tuning;
