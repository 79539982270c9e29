//! Integration tests of carat, in one binary.

mod adapt;
mod advise;
mod analyse;
#[cfg(unix)]
#[path = "../soak/attacks/mod.rs"]
mod attacks;
mod cells;
mod cli;
mod compare;
mod counted;
mod decisions;
mod engine;
mod fixtures;
mod going_on;
mod golden;
mod input;
mod interrupted;
mod json;
#[path = "../core/lone.rs"]
mod lone;
mod measures;
mod output;
mod paths;
mod play;
mod precision;
mod process;
mod programs;
mod refusals;
mod released;
mod replay;
mod report;
mod resume;
mod rule;
mod scored;
mod seated;
mod shards;
mod soak;
mod solve;
mod sweep;
mod thinking;
mod tidy;
mod tournament;
mod tune;
