//! The one description of work.
pub mod library;
