//! Tests of `carat-core`, in one binary.

mod adaptation;
mod allocations;
mod contract;
mod counted;
mod coverage;
mod decided;
mod diamond_cave;
mod diamond_miner;
mod exact;
mod figures;
mod fixtures;
mod fuzz;
mod grid;
mod learning;
mod lone;
mod mixes;
mod moments;
mod paired;
mod pig;
mod reference;
mod rules_keys;
mod runner;
mod tables;
mod tuning;
