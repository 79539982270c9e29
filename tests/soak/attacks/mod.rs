//! An attack on carat: each category makes a random case of a seed and tells what is wrong.
//!
//! `scripts/soak.sh` plays them for as long as one likes, and the tests a few of each.

mod asking;
pub mod case;
mod crowds;
mod dice;
mod dying;
mod inspect;
mod reading;
mod studies;
mod tables;
mod words;

use case::{Case, Outcome};
use std::path::Path;

/// A category of cases: its name, how many of 100 cases are of it, and the attack.
pub type Attack = (&'static str, usize, fn(&mut Case) -> Outcome);

pub const ATTACKS: &[Attack] = &[
    ("studies", 16, reading::studies),
    ("lines", 22, asking::lines),
    ("ranges", 10, asking::ranges),
    ("names", 8, reading::names),
    ("manifests", 10, reading::manifests),
    ("tables", 10, tables::tables),
    ("texts", 4, tables::texts),
    ("pipes", 6, crowds::pipes),
    ("kills", 4, dying::kills),
    ("journals", 3, dying::journals),
    ("together", 2, crowds::together),
    ("interrupts", 3, crowds::interrupts),
    ("disks", 2, crowds::disks),
];

/// Plays one case in a fresh folder below `parent`, which is left there when it fails.
pub fn attack(attack: &Attack, seed: u64, parent: &Path) -> (Case, Outcome) {
    let folder = parent.join(format!("{}-{seed}", attack.0));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the case");
    let mut case = Case::new(seed, folder.clone());
    let outcome = (attack.2)(&mut case);
    match &outcome {
        Ok(()) => drop(std::fs::remove_dir_all(&folder)),
        Err(fault) => {
            let told = format!("{fault}\n\n{} seed {seed}\n\n{}", attack.0, case.log);
            let _ = std::fs::write(folder.join("what-failed.txt"), told);
        }
    }
    (case, outcome)
}
