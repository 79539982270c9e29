//! Studies: what to play, and the report of the results.
//!
//! This crate knows no Polars, no terminal, no sockets and no folders, and starts no threads:
//! whoever calls hands in texts and a [`carat_core::simulation::Player`], and writes the files of a
//! [`report::Report`].

pub mod desk;
pub mod populations;
pub mod report;
pub mod study;
