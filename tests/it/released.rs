//! What released versions of carat wrote goes on working.

use crate::process::{folder, holds};
use std::fs;
use std::path::Path;

/// Every file in `released` is played: rules and bots at a table, studies and manifests as they are.
#[test]
fn files_of_released_versions_are_played() {
    let released = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released");
    for version in fs::read_dir(released).expect("a folder") {
        let here = folder();
        let version = version.expect("a folder").path();
        for file in fs::read_dir(&version).expect("a folder") {
            let file = file.expect("a file");
            let name = file.file_name().into_string().expect("a name");
            here.write(&name, fs::read(file.path()).expect("a file"));
        }
        for name in here.names("") {
            let stem = name.rsplit_once('.').expect("an ending").0;
            let out = format!("--no-charts --threads 1 --out out-{stem}");
            let played = match stem.split('-').next().expect("a word") {
                "rules" => {
                    let game = stem.rsplit('-').next().expect("a word");
                    format!("simulate {game} --rules {name} --games 20 {out}")
                }
                "bot" => format!("simulate diamant --seat 3*{name} --games 20 {out}"),
                _ if name.ends_with("csv") => continue,
                _ => format!("run {name} {out}"),
            };
            here.ends(0, &format!("check {name} --game diamant"));
            let said = here.ends(0, &played).stderr;
            if let (true, Some(rules)) = (stem.starts_with("rules"), played.find("--games")) {
                let replayed = played[..rules].replacen("simulate", "replay", 1);
                assert_eq!(here.ends(0, &replayed).stderr, said, "{name}");
            }
            if stem.starts_with("rules-first-diamond_cave") {
                holds(&said, "finish_turn = false");
            }
            if name.ends_with("json") {
                holds(&said, "was written by carat 0.2.0");
            }
        }
        // The same games: what columns of the same name tell.
        for name in here.names("").iter().filter(|name| name.ends_with("csv")) {
            let (stem, table) = name.split_once('.').expect("a study and its table");
            let (old, mut new) = (here.table(name), here.table(&format!("out-{stem}/{table}")));
            // Metrics that are newer have rows of their own.
            if old.head.iter().any(|column| column == "metric") {
                let (known, place) = (old.column("metric"), new.place("metric"));
                new.rows
                    .retain(|row| known.iter().any(|metric| *metric == row[place]));
            }
            let both = old.head.iter().filter(|column| new.head.contains(column));
            let same = both.inspect(|column| {
                assert_eq!(old.column(column), new.column(column), "{name}: {column}");
            });
            assert!(same.count() > 3, "{name}");
        }
    }
}

#[test]
fn files_of_newer_versions_are_refused() {
    let here = folder();
    let rules = here.run("show rules diamant");
    here.write("rules.toml", rules.replace("format = 1", "format = 2"));
    let bot = here.run("show strategy diamant threshold");
    here.write("bot.toml", bot.replace("format = 1", "format = 2"));
    here.write(
        "study.toml",
        "study = \"simulate\"\nformat = 2\ngame = \"diamant\"\n",
    );
    here.run("simulate diamant --games 9 --no-charts -q --out out");
    let manifest = here.read("out/manifest.json");
    let newer = manifest.replacen("\"format\": 1", "\"format\": 2", 1);
    here.write("manifest.json", newer);
    for line in [
        "simulate diamant --rules rules.toml",
        "simulate diamant --seat bot.toml",
        "run study.toml",
        "run manifest.json",
    ] {
        here.refused(line, "format 2 needs a newer carat");
    }
}
