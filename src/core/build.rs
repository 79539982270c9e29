//! Makes cargo rebuild carat when a file in `strategies/` changes: these files are compiled in.

fn main() {
    println!("cargo::rerun-if-changed=../../strategies");
}
