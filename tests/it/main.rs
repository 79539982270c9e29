//! Integration tests of carat, in one binary.

mod advise;
mod allocations;
mod analyse;
mod answers;
#[cfg(unix)]
#[path = "../soak/attacks/mod.rs"]
mod attacks;
mod bad_input;
mod cli;
mod contract;
mod coverage;
mod daily;
mod diamond_cave;
mod diamond_miner;
mod exact;
mod figures;
mod fixtures;
mod fuzz;
mod going_on;
mod golden;
mod kept;
mod kept_when_it_dies;
mod paired;
mod reference;
mod shards;
mod soak;
mod solve;
mod studies;
mod tables;
mod tidy;
mod tune;
