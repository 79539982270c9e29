//! Finds the bots that are compiled in: `strategies/` of the repository, or of the package. Cargo
//! rebuilds carat when one of them changes.

use std::path::Path;

fn main() {
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names its folder");
    let mut folders = ["../../strategies", "strategies"].map(|name| Path::new(&package).join(name));
    folders.sort_by_key(|folder| !folder.is_dir());
    println!("cargo::rerun-if-changed={}", folders[0].display());
    println!("cargo::rustc-env=STRATEGIES={}", folders[0].display());
}
