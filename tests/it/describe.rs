//! `carat describe`, and signs of broken games in other studies.

use crate::process::{folder, holds};

/// Its figures are those of other commands in the same games.
#[test]
fn its_figures_are_those_of_other_commands() {
    let here = folder();
    let few = "--games 2000 --population-games 1000 --populations 1 --no-charts";
    let shown = here.run(&format!(
        "describe diamant --b schmidt-2005 --players 4 {few} --out d"
    ));
    holds(&shown, "Among 4 people: playing minutes (guess)");
    holds(&shown, "Skill: against 3 people");
    holds(&shown, "schmidt-2005 minus iello-2016:");
    assert!(here.bytes("d/describe.pdf").ends_with(b"%%EOF"));
    let described = here.table("d/described.csv");
    let of = |rules: &str, bot: &str, column: &str| {
        let mut found = Vec::new();
        let rows = described
            .column("rules")
            .into_iter()
            .zip(described.column("bot"));
        let values = described
            .column("metric")
            .into_iter()
            .zip(described.column(column));
        for ((own, seat), (metric, value)) in rows.zip(values) {
            if own == rules && seat == bot {
                found.push((metric.to_string(), value.to_string()));
            }
        }
        found
    };
    let games = "--games 2000 --no-charts";
    here.run(&format!(
        "simulate diamant --others people --players 4 {games} --out s"
    ));
    let simulated = here.table("s/table.csv");
    let same = simulated.pairs("metric", "value");
    let people = of("iello-2016", "people", "value");
    assert!(same.len() > 10);
    for (metric, value) in same {
        assert!(
            people.contains(&(metric.to_string(), value.to_string())),
            "{metric}: {people:?}"
        );
    }
    holds(&shown, "playing minutes (guess)");
    here.run(&format!(
        "compare diamant --others people --players 4 --b rules=schmidt-2005 {games} --out c"
    ));
    let compared = here.table("c/differences.csv");
    let changes = of("schmidt-2005", "people", "difference");
    let mut found = 0;
    let seats = compared.column("seat").into_iter();
    let all = seats.zip(compared.pairs("metric", "difference"));
    for (_, (metric, change)) in all.filter(|(seat, _)| seat.is_empty()) {
        if let Some((_, own)) = changes.iter().find(|(name, _)| *name == metric) {
            assert_eq!(own, change, "{metric}");
            found += 1;
        }
    }
    assert!(found >= 10, "{found}");
    here.run(&format!(
        "simulate diamant --seat best --others people --players 4 {games} --out best"
    ));
    let wins = here.table("best/seats.csv");
    let own = of("iello-2016", "solved-4", "value");
    let own = own.iter().find(|(metric, _)| metric == "win_share");
    assert_eq!(
        own.map(|(_, value)| value.as_str()),
        Some(wins.column("win_share")[0])
    );
}

/// One lava and one bat card: nearly all games are alike, and a bot that seldom leaves wins them.
#[test]
fn signs_of_a_broken_game_are_named() {
    let here = folder();
    let small = "traps.snake=1 traps.spider=1 traps.lava=0 traps.boulder=0 traps.ram=0";
    let rules = here.run("show rules diamant iello-2016");
    here.write("sound.toml", &rules);
    let mut broken: toml::Table = rules.parse().expect("rules");
    let traps = broken["traps"].as_table_mut().expect("a table");
    traps["snake"] = 1.into();
    traps["spider"] = 1.into();
    for kind in ["lava", "boulder", "ram"] {
        traps[kind] = 0.into();
    }
    here.write("broken.toml", broken.to_string());
    let said = here.run("check --play sound.toml broken.toml");
    holds(
        &said,
        "sound.toml: rules of diamant, without a sign of a broken game among 5 people, valid",
    );
    holds(
        &said,
        "broken.toml: rules of diamant, with signs of a broken game: ended by a trap: 0.0 % … valid",
    );
    let set: String = small
        .split(' ')
        .map(|change| format!(" --set {change}"))
        .collect();
    let few = "--games 500 --population-games 1000 --populations 1 --players 3 --no-charts";
    let said = here.run(&format!("describe diamant{set} {few} --out d"));
    holds(&said, "Signs of a broken game: … (at 3 people");
    assert!(!said.contains("No sign"));
    let said = here.run(
        "tune diamant --rules broken.toml --others people --players 3 --vary rules.rounds=4..5 --target \
         bust_rate=..0.5 --who none --max-games 20k --no-charts --out t",
    );
    holds(&said, "Signs of a broken game: ended by a trap");
}
