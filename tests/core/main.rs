//! Tests of `carat-core`, in one binary.

mod adaptation;
mod advice;
mod allocations;
mod analysis;
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
mod lone;
mod mixes;
mod moments;
mod paired;
mod pig;
mod reference;
mod rules_keys;
mod runner;
mod simple_rule;
mod tables;
mod tuning;
