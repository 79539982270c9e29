//! Integration tests of carat, in one binary.

mod adapt;
mod advise;
mod allocations;
mod analyse;
#[cfg(unix)]
#[path = "../soak/attacks/mod.rs"]
mod attacks;
mod cli;
mod compare;
mod contract;
mod coverage;
mod diamond_cave;
mod diamond_miner;
mod exact;
mod figures;
mod fixtures;
mod fuzz;
mod going_on;
mod golden;
mod interrupted;
mod json;
mod mixes;
mod output;
mod paired;
mod paths;
mod play;
mod precision;
mod process;
mod programs;
mod reference;
mod refusals;
mod released;
mod replay;
mod report;
mod resume;
mod rule;
mod scored;
mod shards;
mod soak;
mod solve;
mod sweep;
mod tables;
mod thinking;
mod tidy;
mod tournament;
mod tune;
