//! Populations that are adapted to a table.

use crate::process::folder;

/// One seat of the best response gains little on the population, which is the same for any number of
/// threads.
#[test]
fn an_adapted_population_leaves_little_to_gain() {
    let here = folder();
    here.run("adapt diamant --players 3 --set rounds=3 --threads 2 --quiet --out a");
    let gains = here.table("a/gains.csv");
    assert_eq!(gains.column("bot")[0], "best response in the family");
    let gain = gains.numbers("gain")[0];
    assert!((-0.01..0.04).contains(&gain), "{gain}");
    let file = here.read("a/adapted.toml");
    for part in [
        "rules = \"iello-2016\"",
        "set = [\"rounds=3\"]",
        "players = 3",
    ] {
        assert!(file.contains(part), "{file}");
    }
    // As a seat it is the same population, made before the games are counted.
    let seats = "simulate diamant --seat 3*adapted --set rounds=3 --games 20k --no-charts --quiet";
    here.run(&format!("{seats} --threads 1 --out b"));
    let manifest = here.read("b/manifest.json");
    let mix = file
        .lines()
        .find(|line| line.starts_with("mix"))
        .expect("a mix");
    assert!(manifest.contains(&mix.replace('"', "\\\"")), "{mix}");
    here.run("run b/manifest.json --no-charts --quiet --out c");
    assert_eq!(here.bytes("b/seats.csv"), here.bytes("c/seats.csv"));
}

#[test]
fn invalid_adaptations_are_refused() {
    folder().refuses(
        "adapt",
        "adapt diamant --out o",
        &[
            "--players 1",
            "--family depth",
            "--family nobody",
            "--players 9",
        ],
    );
}
