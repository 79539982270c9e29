//! Tuning: the values of bots and rules with which a table does best, or comes closest to what is
//! wanted; and what is known of them from games that nobody looked at while searching.

mod aim;
mod heat;
mod proof;
mod search;
mod space;

pub use aim::{Aim, Edge, Objective, Target, Verdict};
pub use proof::{Change, Deviation, Proof, Side, prove};
pub use search::{Found, Problem, Tried, search};
pub use space::{Point, Space, Values};
