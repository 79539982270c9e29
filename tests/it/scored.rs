//! Play that is learnt where bots score their options.

use crate::process::{folder, short};

#[cfg(unix)]
#[test]
fn learning_that_was_interrupted_learns_the_same() {
    learns_as_without_interruption("--against rusher --games 300 --set goal=1");
}

#[cfg(unix)]
#[test]
#[ignore = "full set"]
fn long_learning_that_was_interrupted_learns_the_same() {
    learns_as_without_interruption("--against 3*appraiser --games 2000");
}

#[cfg(unix)]
fn learns_as_without_interruption(how: &str) {
    let here = folder();
    let learn = format!("solve diamond_miner {how} --no-charts --quiet --out");
    let mut run = here.start(&format!("{learn} o"));
    assert!(run.comes(|_| !here.files("o").is_empty()));
    run.signal("-INT");
    run.ends(130);
    here.run(&format!("{learn} o --resume"));
    here.run(&format!("{learn} unbroken"));
    here.same("o", "unbroken");
}

/// One who learns beside bots.
#[test]
fn one_learns_beside_bots() {
    let here = folder();
    let against = "--against rusher --games 10 --objective score_mean";
    here.run(&format!(
        "solve diamond_miner {against} --no-charts --quiet --out o"
    ));
    assert!(here.has("o/solved.toml") && !here.has("o/gain.csv"));
}

#[test]
fn unused_keys_are_refused() {
    let here = folder();
    let few = "at least 10";
    here.refused("solve diamond_cave --games 3", few);
    here.write(
        "axes.toml",
        "study = 'solve'\naxes = [{ name = 'go', axes = [{ of = 'length', edges = [3] }] }]\n[table]\ngame = 'diamond_cave'\n",
    );
    here.refused("run axes.toml", "leave axes out");
    let thinks = "solve diamond_miner --against thinker";
    here.refused(thinks, "name a bot that does not think");
}

/// Learning begins from a bot by its name, which may be that of somebody's own file.
#[test]
fn own_bots_that_cannot_be_added_to_are_refused() {
    for bot in [
        "think = { as = 'gambler', playouts = 64 }",
        "score = 'few[start]'\ntables.few = { axes = [[1]], values = [1, 2] }",
        "score = 'base'\nparams.base = 1",
    ] {
        let here = folder();
        std::fs::create_dir_all(here.path("strategies/diamond_cave")).expect("a folder");
        here.write("strategies/diamond_cave/surveyor.toml", bot);
        let said = "starts from `surveyor` … rename it";
        here.refused("solve diamond_cave --games 20", said);
    }
}

/// The manifest holds the games that were learnt from, also where the time ran out in the first round;
/// on any number of threads the same bots come out, which play.
#[test]
fn minutes_are_played_again_to_the_same_bytes() {
    let here = folder();
    let quiet = "--no-charts --quiet --out";
    here.run(&format!(
        "solve diamond_cave {} --players 2 --minutes 0.001 --threads 2 {quiet} a",
        short("diamond_cave")
    ));
    here.run(&format!("run a/manifest.json --threads 1 {quiet} b"));
    for file in ["learning.csv", "standings.csv", "gain.csv", "solved.toml"] {
        assert_eq!(
            here.read(&format!("a/{file}")),
            here.read(&format!("b/{file}")),
            "{file}"
        );
    }
    for bot in ["solved", "round-1"] {
        here.run(&format!(
            "simulate diamond_cave --seat a/{bot}.toml --seat 3*surveyor --games 200 {quiet} {bot}"
        ));
    }
}

/// Learning goes on from the learnt bot that ships, and keeps it where nothing better is found.
#[test]
fn learning_starts_from_the_bot_that_ships() {
    let here = folder();
    here.run(&format!(
        "solve diamond_cave {} --games 200 --no-charts --quiet --out o",
        short("diamond_cave")
    ));
    let shipped = here.run("show strategy diamond_cave solved-4");
    let formula = |text: &str| {
        let file: toml::Table = text.parse().expect("a bot");
        file["score"].clone()
    };
    let found = String::from_utf8(here.bytes("o/solved.toml")).expect("a text");
    assert_eq!(formula(&found), formula(&shipped));
    here.refused(
        "solve diamond_cave --games 200 --from surveyor",
        "from = \"surveyor\"",
    );
    // A table whose steps are not those of the others is no sum that learning can go on with.
    let steps = "axes = [[2, 6, 8, 11, 14, 17, 22]]";
    assert!(shipped.contains(steps));
    here.write(
        "odd.toml",
        shipped.replacen(steps, &steps.replace("22]]", "23]]"), 1),
    );
    here.refused(
        "solve diamond_cave --games 200 --from odd.toml",
        "from = \"odd.toml\"",
    );
}
