//! Tells cargo what is built into carat besides its source: every file in `strategies/`, so that a
//! new bot is found as soon as its file is there.

fn main() {
    println!("cargo::rerun-if-changed=strategies");
}
