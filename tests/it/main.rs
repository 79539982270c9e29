//! Integration tests of carat, in one binary.

mod contract;
mod diamond_miner;
