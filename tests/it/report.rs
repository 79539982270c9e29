//! What a study leaves behind: tables, the page, and what names do to them.

use crate::process::{folder, holds, made, run};
use std::collections::BTreeSet;

#[test]
fn tables_have_the_documented_columns() {
    let here = folder();
    here.run("simulate diamant --games 2000 --no-charts --out o");
    let head = |name: &str| here.table(&format!("o/{name}")).head.join(",");
    let seats = "seat,bot,label,params,games,win_share,win_share_se,win_share_low,win_share_high,\
                 sole_win_rate,score_mean,score_mean_se,score_mean_low,score_mean_high,score_sd,\
                 score_p05,score_p25,score_median,score_p75,score_p95,bust_rate,relics_per_game,\
                 left_alone_rate,cards_at_leaving_mean";
    assert_eq!(head("seats.csv"), seats);
    assert_eq!(
        head("table.csv"),
        "metric,value,value_se,value_low,value_high"
    );
    assert_eq!(head("scores.csv"), "seat,bot,label,score,games");
    assert!(head("depth.csv").starts_with("cards,expeditions,ended_by_trap,left_seat_1,"));
    let table = here.table("o/table.csv");
    let metrics = table.column("metric");
    let expected = "games cards_per_game cards_per_expedition bust_rate \
                    rubies_left_behind_per_game relics_claimed_per_game winning_margin_mean \
                    lead_changes_per_game comeback_rate shared_win_rate";
    for metric in expected.split(' ') {
        assert!(metrics.contains(&metric), "{metric}: {metrics:?}");
    }
    let explained = run("show columns diamant") + &run("show metrics diamant");
    let unmeasured = |name: &&str| *name != "games";
    for name in seats
        .split(',')
        .chain(metrics.into_iter().filter(unmeasured))
    {
        let mut lines = explained.lines();
        let is_explained = lines.any(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(name) && words.next().is_some()
        });
        assert!(is_explained, "{name} is not explained");
    }
}

/// What is written can be looked up, of every study that has a best.
#[test]
fn columns_of_a_best_are_listed() {
    let here = folder();
    here.run("sweep diamant --seat 3*threshold --vary seats.1.target=6..7 --games 500 --no-charts --quiet --out o");
    let listed = here.json("show columns diamant --json");
    let listed: Vec<&str> = (listed["columns"].as_array().into_iter().flatten())
        .filter(|column| column["study"] == "sweep" && column["table"] == "cells")
        .filter_map(|column| column["column"].as_str())
        .collect();
    for column in here.table("o/cells.csv").head {
        let family = match column.as_str() {
            "seats.1.target" => "PATH",
            column => column,
        };
        assert!(listed.contains(&family), "{column}: {listed:?}");
    }
    for game in ["diamond_cave", "diamond_miner"] {
        holds(&run(&format!("show columns {game}")), "behind_best");
    }
}

/// Nothing is played to list them, so there is a list of every kind of study that writes tables.
#[test]
fn columns_of_every_kind_are_listed() {
    let here = folder();
    for game in ["diamant", "diamond_cave", "diamond_miner"] {
        let listed = here.json(&format!("show columns {game} --json"));
        let listed = listed["columns"].as_array().cloned().unwrap_or_default();
        let tables: BTreeSet<_> = (listed.iter())
            .map(|column| format!("{} {}", column["study"], column["table"]).replace('"', ""))
            .collect();
        for table in [
            "simulate seats",
            "simulate decisions",
            "compare differences",
            "sweep cells_table",
            "tournament shifts",
            "tune targets",
            "tune front",
            "solve standings",
            "analyse course",
            "adapt members",
            "describe described",
            "rule friends",
        ] {
            assert!(tables.contains(table), "{game}: {table} of {tables:?}");
        }
        assert!(
            listed.iter().all(|column| column["meaning"] != ""),
            "{listed:?}"
        );
    }
}

#[test]
fn tables_fit_the_terminal() {
    let here = folder();
    for width in ["80", "100", "120"] {
        let line = "simulate diamant --games 500 --no-charts --out o";
        let shown = here.end(here.command(line).env("COLUMNS", width)).stdout;
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= width.parse().ok(), "{width}: {shown}");
        holds(&shown, "simple");
    }
}

/// A study of each kind.
pub const EACH: [&str; 10] = [
    "simulate diamant --games 2000 --raw",
    "compare diamant --b traps.snake=4 --games 1000",
    "sweep diamant --vary rules.traps.snake=1..4 --vary rules.rounds=3..6 --games 500",
    "tournament diamant --bots threshold,traps,depth --games 500",
    "tune diamant --vary rules.rounds=3..5 --vary rules.traps.snake=2..4 --maximize comeback_rate \
     --target cards_per_game=28..32 --max-games 60k",
    "rule diamant --players 2 --set rounds=1 --games 1000",
    "solve diamant --against depth --set rounds=1 --games 100k",
    "adapt diamant --players 3 --set rounds=1 --populations 2 --games 1000",
    "analyse diamant --game 1 --playouts 64",
    "describe diamant --players 3 --set rounds=2 --games 1000 --populations 1 --population-games 1000",
];

/// More of them, of every game where its games are quick.
const MORE: [&str; 11] = [
    "simulate diamant --seat threshold --games 1000",
    "simulate diamond_cave --games 100",
    "simulate diamond_miner --games 100",
    "compare diamant --b rounds=4 --c rounds=6 --d traps.snake=4 --e traps.lava=2 --games 1000",
    "compare diamant --each --games 500",
    "compare diamond_cave --b seats.1=hoarder --games 50",
    "compare diamond_miner --each --games 20",
    "sweep diamant --seat threshold --others people --players 5 --vary seats.1.target=4..24 --games 1000",
    "sweep diamond_miner --vary rules.ore.a.cards=13..15 --metric rounds_per_game --games 30",
    "tournament diamond_cave --bots surveyor,hoarder --games 50",
    "tune diamant --vary rules.rounds=3..5 --vary rules.traps.snake=2..4 --maximize comeback_rate \
     --target cards_per_game=28..32 --target win_share=start-0.03..start+0.03 --who none --max-games 60k",
];

/// Those that are never quick, and each kind at its default number of games.
const LONG: [&str; 12] = [
    "solve diamant --games 100k",
    "solve diamant --against 4*depth --games 100k",
    "analyse diamond_cave --playouts 64",
    "simulate diamant",
    "compare diamant --b traps.snake=4",
    "sweep diamant --vary rules.rounds=3..6",
    "tournament diamant --bots threshold,traps,depth",
    "tune diamant --vary rules.rounds=3..5 --maximize comeback_rate --target cards_per_game=28..32",
    "rule diamant --players 2 --set rounds=1",
    "solve diamant --against 2*depth --set rounds=1",
    "adapt diamant --players 3 --set rounds=3 --populations 2",
    "analyse diamant --game 1",
];

#[test]
fn every_kind_opens_with_question_answer_table_and_chart() {
    open_with_question_answer_table_and_chart(&EACH);
}

#[test]
fn more_studies_open_with_question_answer_table_and_chart() {
    open_with_question_answer_table_and_chart(&MORE);
}

#[test]
#[ignore = "full set"]
fn every_kind_of_study_at_its_default_number_of_games_opens_with_them() {
    open_with_question_answer_table_and_chart(&LONG);
}

/// The first screen has these once, and no chart is more than 2,600 pixels high.
fn open_with_question_answer_table_and_chart(studies: &[&str]) {
    let here = folder();
    for line in studies {
        let out = made(line);
        let page = here.read(&format!("{out}/report.html"));
        let (top, rest) = page.split_once("</section>").expect("a first screen");
        let (_, top) = top.split_once("<main>").expect("a page");
        for part in ["<h1>", "<p class=\"lead\">", "<table", "<figure"] {
            assert_eq!(top.matches(part).count(), 1, "{part} of {line}:\n{top}");
        }
        let is_each = line.contains("diamant --each");
        assert!(!is_each || rest.contains("the table `differences` has all values"));
        let (_, answer) = top.split_once("class=\"lead\">").expect("an answer");
        let (answer, _) = answer.split_once("</p>").expect("its end");
        assert!(answer.ends_with('.'), "{line}: {answer}");
        assert!(answer.matches(". ").count() < 2, "{line}: {answer}");
        assert!(rest.contains("Results in numbers"), "{line}");
        for (name, bytes) in here.files(&out) {
            // Where a PNG has its height.
            let height = bytes.get(20..24).and_then(|four| four.try_into().ok());
            let is_low = height.is_some_and(|height| u32::from_be_bytes(height) <= 2600);
            assert!(is_low || !name.ends_with(".png"), "{name} of {line}");
        }
    }
}

#[test]
fn page_has_the_study_and_its_command() {
    let here = folder();
    here.draw(
        "simulate diamant --seat threshold:target=9 --players 3 --games 500 --seed 7 \
         --set traps.snake=4 --out o --quiet",
    );
    let page = |folder: &str| here.read(&format!("{folder}/report.html"));
    let parts = "<h1>Who wins at this table, how, and with what confidence?</h1> … <p class=\"lead\"> … differ from iello-2016 … \
                 <li>traps.snake: 4 instead of 3</li> … <svg role=\"img\" … : 3 … <title> … \
                 <thead><tr> … <td class=\"num\"> … seed = 7 … [traps] … leave = &quot;";
    holds(&page("o"), "carat run manifest.json");
    holds(&page("o"), parts);
    // The manifest gives the same page again.
    here.draw("run o --out p --quiet");
    assert_eq!(page("o"), page("p"));
    // And so does the study file.
    let file = page("o");
    let (_, file) = file.split_once("<pre>study = ").expect("a study");
    let (file, _) = file.split_once("</pre>").expect("its end");
    here.write("s.toml", format!("study = {file}").replace("&quot;", "\""));
    here.draw("run s.toml --out q --quiet");
    assert_eq!(page("o"), page("q"));
}

#[test]
fn capped_games_are_reported_with_their_share() {
    let here = folder();
    for study in [
        "simulate diamond_miner",
        "compare diamond_miner --b take=2",
        "sweep diamond_miner --vary take=1,2",
        "tournament diamond_miner --bots builder thief --players 2",
    ] {
        let capped = "--set rules.rounds=3 --games 200 --no-charts --format csv,html --out o";
        let shown = here.run(&format!("{study} {capped}"));
        holds(&shown, "a cap in the rules stopped 100.0 % of the games");
    }
    let page = here.read("o/report.html");
    holds(&page, "a cap in the rules stopped 100.0 %");
    let usual = here.run("simulate diamant --games 200 --no-charts --out p");
    assert!(!usual.contains("cap in the rules"));
}

#[test]
fn few_capped_games_are_reported_with_the_median() {
    let here = folder();
    let cave = "simulate diamond_cave --players 2 --set rules.turns_max=25 --games 4000 --no-charts --out o";
    let shown = here.run(cave);
    let turns = here.table("o/game_turns.csv");
    let games = turns.numbers("games");
    let mut seen = 0.0;
    let median = games.iter().position(|count| {
        seen += count;
        2.0 * seen >= 4000.0
    });
    let median = turns.numbers("turns")[median.expect("games were played")];
    holds(&shown, &format!("the median is {median}."));
}

#[test]
fn chance_spread_is_reported() {
    let here = folder();
    let spread = "--metric win_share_spread --games 1000 --no-charts --out o";
    let shown = here.run(&format!(
        "sweep diamant --vary rounds=3,5 --seat 5*depth {spread}"
    ));
    holds(
        &shown,
        "By chance alone, the win_share_spread of 5 equal players averages 3.29 points",
    );
}

#[test]
fn fixed_places_point_to_the_metric_of_the_start_player() {
    let here = folder();
    let fixed = "--seating fixed --games 50 --no-charts";
    let warned = |game: &str| {
        here.ends(0, &format!("simulate {game} {fixed} --out {game}"))
            .stderr
    };
    assert!(warned("diamond_cave").contains("starter_win_share"));
    assert!(!warned("diamond_miner").contains("starter_win_share"));
}

#[test]
fn hostile_names_are_escaped_everywhere() {
    let here = folder();
    for name in ["=1+1.toml", "-x.toml", "esc\u{1b}[31m.toml"] {
        here.write(name, "description = ''\nleave = 'held > 4'\n");
    }
    let study = "study = \"simulate\"\ntitle = \"\\u001b[31mred \\u0000\\u009b \\uFFFE<b>\"\n\
                 game = \"diamant\"\ngames = 3000\n\
                 seats = [\"=1+1.toml\", \"-x.toml\", \"esc\\u001b[31m.toml\", \"threshold\"]\n";
    here.write("s.toml", study);
    let ran = here.ends(0, "run s.toml --svg --out o");
    let controls = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    assert!(!controls(&ran.stdout) && !controls(&ran.stderr));
    holds(&ran.stdout, "\\u{1b}[31mred");
    let files = here.files("o").into_iter();
    let pictures: Vec<_> = files.filter(|(name, _)| name.ends_with(".svg")).collect();
    assert!(pictures.len() >= 4);
    for (name, bytes) in pictures {
        let picture = String::from_utf8(bytes).expect("text");
        let wrong = |c: char| (c.is_control() && c != '\n') || c == '\u{fffe}';
        assert!(!picture.contains(wrong), "{name}");
    }
    let seats = here.table("o/seats.csv");
    assert_eq!(seats.column("bot")[..2], ["'=1+1.toml", "'-x.toml"]);
    let missing = here.refused("simulate diamant --seat \u{1b}[31m", "");
    assert!(!controls(&missing), "{missing}");
}

#[cfg(unix)]
#[test]
fn long_titles_are_drawn_in_no_time() {
    let here = folder();
    for title in ["long title ".repeat(3_000), "x".repeat(32_000)] {
        let study =
            format!("study = 'simulate'\ngame = 'diamant'\ngames = 50\ntitle = '{title}'\n");
        here.write("s.toml", study);
        let ran = crate::paths::at_once(&here, "run s.toml --svg --quiet --out o");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let chart = here.read("o/win_shares.svg");
        assert!(
            chart.contains('…') && chart.len() < 30_000,
            "{}",
            chart.len()
        );
    }
}
