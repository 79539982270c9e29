//! An attack on carat: each category makes a random case of a seed and tells what is wrong.
//!
//! `scripts/soak.sh` plays them for as long as one likes, and the tests a few of each.

mod asking;
pub mod case;
mod cluster;
mod crowds;
mod dice;
mod dying;
mod inspect;
mod oracles;
mod reading;
mod studies;
mod tables;
mod words;

use case::{Case, Outcome};
use std::path::Path;

/// A category of cases: its name, how often it comes beside the others, and the attack.
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
    ("packed", 5, oracles::packed),
    ("tunes", 3, oracles::tunes),
    ("solves", 2, oracles::solves),
    ("shards", 5, oracles::shards),
    ("records", 5, oracles::records),
    ("raw", 3, oracles::raw),
    ("rows", 6, cluster::rows),
    ("sleepers", 6, cluster::sleepers),
    ("limits", 8, cluster::limits),
];

/// What is asked for: minutes, a seed, and `CATEGORY` or `CATEGORY:CASE`; both may be empty.
pub type Asked = (f64, Option<u64>, Option<&'static Attack>, Option<u64>);

/// Reads what is asked for.
pub fn asked(minutes: &str, seed: &str, only: &str) -> Result<Asked, String> {
    let number = |text: &str, what: &str| match text {
        "" => Ok(None),
        text => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("`{text}`: the {what} is a whole number")),
        },
    };
    let time = minutes.parse().ok();
    let time = time.filter(|minutes: &f64| *minutes > 0.0 && *minutes < 1e6);
    let time = time.ok_or(format!("`{minutes}`: write a number of minutes, such as 5"))?;
    let (category, case) = only.split_once(':').unwrap_or((only, ""));
    let chosen = ATTACKS.iter().find(|attack| attack.0 == category);
    if chosen.is_none() && !only.is_empty() {
        let known: Vec<&str> = ATTACKS.iter().map(|attack| attack.0).collect();
        let known = known.join(", ");
        return Err(format!(
            "there is no category `{category}`; there are {known}"
        ));
    }
    Ok((time, number(seed, "seed")?, chosen, number(case, "case")?))
}

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
            let text = format!("{fault}\n\n{} seed {seed}\n\n{}", attack.0, case.log);
            let _ = std::fs::write(folder.join("what-failed.txt"), text);
        }
    }
    (case, outcome)
}
