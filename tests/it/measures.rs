//! Measures of one's own: they are what their formulas say of each game, and play in every study.

use crate::decisions::{numbers, read};
use crate::process::{Csv, folder, holds};

/// A linear measure, a condition over it, and a ratio that is rounded.
const MEASURES: &str = "--define long=minutes>7.5 --define ratio=cards/most_score";

#[test]
fn measures_are_computed_game_by_game() {
    let here = folder();
    let minutes = "--define minutes=(12.5*cards-5*busts)/60";
    let study = format!("simulate diamant --players 4 --games 5000 {minutes} {MEASURES}");
    here.run(&format!("{study} --raw games --threads 1 --out one"));
    here.run(&format!("{study} --raw games --threads 3 --out three"));
    here.same("one", "three");
    let games = read(&here, "one/games.parquet");
    let [cards, busts] = ["cards_per_game", "bust_rate"].map(|name| numbers(&games, name));
    let scores = (1..=4).map(|seat| numbers(&games, &format!("score_mean@{seat}")));
    let scores: Vec<Vec<f64>> = scores.collect();
    let (mut minutes, mut long, mut ratio) = (0.0, 0.0, 0.0);
    for game in 0..cards.len() {
        // In a game of five expeditions the share of those that a trap ended.
        let own = (12.5 * cards[game] - 5.0 * (5.0 * busts[game]).round()) / 60.0;
        let most = scores.iter().map(|of| of[game]).fold(0.0, f64::max);
        minutes += own / 5000.0;
        long += f64::from(own > 7.5) / 5000.0;
        ratio += if most > 0.0 {
            cards[game] / most / 5000.0
        } else {
            0.0
        };
    }
    let table = here.table("one/table.csv");
    let mean = |name: &str| {
        let row = table.rows.iter().find(|row| row[0] == name).expect("a row");
        row[1].parse::<f64>().expect("a number")
    };
    assert!((mean("minutes") - minutes).abs() < 1e-9);
    assert!((mean("long") - long).abs() < 1e-9 && (0.05..0.95).contains(&long));
    assert!((mean("ratio") - ratio).abs() < 1e-4);
    let raw = numbers(&games, "minutes");
    assert!((raw.iter().sum::<f64>() / 5000.0 - minutes).abs() < 1e-9);
}

/// In a study file, as what is compared, swept and sought.
#[test]
fn measures_play_in_every_study() {
    let here = folder();
    let games = "--games 2000 --no-charts --quiet";
    let define = "--define spread=most_score-least_score";
    here.run(&format!(
        "compare diamant --b rules.rounds=4 {define} --metric spread {games} --out compared"
    ));
    assert!(
        here.read("compared/differences.csv")
            .contains("\nb,spread,")
    );
    here.run(&format!(
        "sweep diamant --vary rounds=3..5 {define} --metric spread {games} --out swept"
    ));
    here.write(
        "tune.toml",
        "study = \"tune\"\ngame = \"diamant\"\nmax_games = 40000\n[measures]\nfirst = \"place_1 == 1\"\n\
         [tables]\nfew = \"3*people\"\nmany = \"5*people\"\n[vary]\n\"rules.rounds\" = \"3..6\"\n\
         [targets]\n\"cards_per_game at few\" = \"10..\"\nfirst = \"0.1..0.5\"\n",
    );
    let shown = here.run("run tune.toml --no-charts --out tuned");
    holds(&shown, "3 and 5 players · 2 tables");
    let targets = here.table("tuned/targets.csv");
    assert_eq!(targets.column("table"), ["few", "few", "many"]);
    assert_eq!(targets.column("verdict"), ["met"; 3]);
}

/// The counts that `show counts` lists add up, game by game; `use=1` of shares is 100 %.
#[test]
fn counts_of_games_are_listed_and_add_up() {
    let here = folder();
    for (game, sums) in [
        (
            "diamant",
            "all_last_inside>=rounds all_first_out>=all_left/players relic_expeditions<=claimed \
             sole_leaders==sole_leader_1+sole_leader_2+sole_leader_3+sole_leader_4 \
             treasures==15 treasures_17+traps_snake+treasures_200==4",
        ),
        (
            "diamond_miner",
            "moved_ore+moved_shovel+moved_cart+moved_anvil+moved_shield+moved_sword==moves \
             used_cart_3==all_score rounds<=rules_rounds cards_shovel==19 ore_a_cards==17",
        ),
        (
            "diamond_cave",
            "dug_torch+dug_standard+dug_dark==all_digs cards_torch+cards_standard+cards_dark==cards \
             planned_torch+planned_standard+planned_dark==all_plans",
        ),
    ] {
        let listed = here.run(&format!("show counts {game}"));
        let names = sums.split(|c: char| !c.is_alphanumeric() && c != '_');
        for name in names.filter(|name| name.contains(char::is_alphabetic)) {
            let name = name.trim_start_matches("all_");
            let is_it = |line: &str| line.trim_start().starts_with(name);
            assert!(
                listed.lines().any(is_it) || name == "treasures_200",
                "{game}: {name}"
            );
        }
        let sums: Vec<&str> = sums.split_whitespace().collect();
        let define = |(at, sum): (usize, &&str)| format!("--define 'x{at}={sum}'");
        let defined = Vec::from_iter(sums.iter().enumerate().map(define)).join(" ");
        here.run(&format!(
            "simulate {game} --games 600 {defined} --no-charts --out {game}"
        ));
        let table = here.table(&format!("{game}/table.csv"));
        for (at, sum) in sums.iter().enumerate() {
            let mut rows = table.rows.iter();
            let row = rows
                .find(|row| row[0] == format!("x{at}"))
                .expect("a measure");
            assert_eq!(row[1].parse(), Ok(1.0), "{game}: {sum}");
        }
    }
    // Each side has the numbers of its own rules; a measure may have the name of one.
    let measures =
        "--define each=cards/rounds --define traps=busts --games 500 --no-charts --out c";
    here.run(&format!("compare diamant --b rounds=4 {measures}"));
    let rows = here.table("c/differences.csv").rows;
    let value = |metric: &str| -> Vec<f64> {
        let mut rows = rows.iter().filter(|row| row[1] == metric);
        let row = rows.next().expect("a metric");
        row.iter()
            .skip(4)
            .filter_map(|cell| cell.parse().ok())
            .take(2)
            .collect()
    };
    let (each, of_game) = (value("each"), value("cards_per_expedition"));
    assert!(
        (each[0] - of_game[0]).abs() + (each[1] - of_game[1]).abs() < 1e-3,
        "{each:?}"
    );
}

#[test]
fn invalid_measures_are_refused() {
    let here = folder();
    let long = "--define huge=cards*9999999";
    here.refused(&format!("simulate diamant --games 100 {long}"), "huge");
    here.refuses_as("measures");
    // Rounded to 1/10,000 they would be nothing, or far from true.
    let games = "--games 200 --no-charts --out small";
    for (formula, end) in [
        ("cards/1000000", 2),
        ("cards/1000/1000", 2),
        ("1/(cards*1000)", 2),
        ("cards/100000", 0),
        ("busts/cards", 0),
    ] {
        here.ends(
            end,
            &format!("simulate diamant --define 'x={formula}' {games}"),
        );
    }
    for name in ["cards_per_game_se", "win_share_low"] {
        let line = format!("simulate diamant --define {name}=cards");
        here.refused(&line, "a column of tables has this name");
    }
    let beside = "--define x_high=cards --define x=busts";
    here.refused(
        &format!("simulate diamant {beside}"),
        "a column of tables has this name",
    );
    let twice = "--define a=cards --define a=busts";
    here.refused(&format!("simulate diamant {twice}"), "given twice");
    here.refused("solve diamant --define a=cards", "no such option");
}

#[test]
fn division_by_zero_gives_zero() {
    let here = folder();
    let zeros = ["cards/0", "cards/(3-3)", "cards/(busts-busts)"];
    let define = |(at, zero): (usize, &&str)| format!("--define 'x{at}={zero}'");
    let defined = Vec::from_iter(zeros.iter().enumerate().map(define)).join(" ");
    here.run(&format!(
        "simulate diamant --games 500 {defined} --no-charts --out o"
    ));
    let table = here.table("o/table.csv");
    for at in 0..zeros.len() {
        let name = format!("x{at}");
        let row = table.rows.iter().find(|row| row[0] == name);
        assert_eq!(row.expect("a measure")[1], "0.0", "{}", zeros[at]);
    }
}

#[test]
fn columns_beside_those_of_measures_are_no_names() {
    let here = folder();
    let listed = here.run("show columns diamant --json");
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let mut names = vec!["game", "games"];
    for column in listed["columns"].as_array().expect("columns") {
        let name = column["column"].as_str().expect("a name");
        let is_beside = ["candidates", "front"]
            .iter()
            .any(|table| column["table"] == *table);
        if is_beside && !name.contains(char::is_uppercase) {
            names.push(name);
        }
    }
    assert!(names.len() > 6, "{names:?}");
    for name in names {
        let line = format!("simulate diamant --games 10 --dry-run --define {name}=cards");
        here.refused(&line, "a column of tables has this name");
    }
}

/// A ratio of two means is that of the game's own metrics, in every kind of study; a quotient of each
/// game that divides by 0 is noted.
#[test]
fn a_ratio_of_means_is_no_mean_of_ratios() {
    let here = folder();
    let define = "--define 'held = mean(sole_leader_3_wins) / mean(sole_leader_3)' \
                  --define 'alone = mean(100*win_1 - 200) / mean(-score_1)' \
                  --define 'quotient = sole_leader_3_wins / sole_leader_3'";
    let games = "--games 4000 --no-charts";
    let shown = here.run(&format!(
        "simulate diamant {define} {games} --raw games --out s"
    ));
    let table = here.table("s/table.csv");
    let row = |table: &Csv, name: &str| -> Vec<f64> {
        let mut rows = table.rows.iter();
        let row = rows.find(|row| row[0] == name).expect("a metric");
        row[1..]
            .iter()
            .map(|cell| cell.parse().expect("a number"))
            .collect()
    };
    let (own, of_game) = (row(&table, "held"), row(&table, "sole_leader_3_win_rate"));
    // The same value and error; only the interval of a share is not symmetric.
    assert_eq!(own[..2], of_game[..2]);
    let games_of = read(&here, "s/games.parquet");
    let sum = |name: &str| numbers(&games_of, name).iter().sum::<f64>();
    assert!((sum("held_dividend") / sum("held_divisor") - own[0]).abs() < 1e-9);
    let alone = (100.0 * sum("win_share@1") - 200.0 * 4000.0) / -sum("score_mean@1");
    assert!((row(&table, "alone")[0] - alone).abs() < 1e-9);
    assert!(row(&table, "alone")[1] > 0.0);
    let leaders = numbers(&games_of, "held_divisor");
    let without = leaders.iter().filter(|leader| **leader == 0.0).count();
    let share = format!("{:.1} %", without as f64 / 40.0);
    let note = format!("the measure quotient divides by 0 in {share} of the games");
    holds(&shown.replace('\n', " "), &note);
    assert!(!shown.contains("measure held"), "{shown}");

    for shard in 1..=2 {
        here.run(&format!(
            "simulate diamant {define} {games} --shard {shard}/2 --out shards"
        ));
    }
    let merged = here.run("merge shards --no-charts --out m");
    assert_eq!(here.read("m/table.csv"), here.read("s/table.csv"));
    holds(&merged.replace('\n', " "), &note);

    here.run(&format!(
        "compare diamant --b rounds=4 {define} {games} --metric held --out c"
    ));
    let compared = here.table("c/differences.csv").rows;
    let of = |name: &str| {
        let mut rows = compared.iter();
        rows.find(|row| row[1] == name).expect("a metric")[2..].to_vec()
    };
    assert_eq!(of("held")[2..6], of("sole_leader_3_win_rate")[2..6]);
    here.run(&format!(
        "sweep diamant --vary rounds=4..5 {define} {games} --metric held --out w"
    ));
    let cells = here.table("w/cells_table.csv");
    let of = |name: &str| {
        let rows = cells.rows.iter().filter(|row| row[1] == name);
        Vec::from_iter(rows.map(|row| row[2..4].to_vec()))
    };
    assert!(of("held").len() == 2 && of("held") == of("sole_leader_3_win_rate"));
    let shown = here.run(&format!(
        "tune diamant --vary rounds=4..6 {define} --target held=0.2..0.9 --max-games 40k --no-charts"
    ));
    holds(&shown, "held");
}

#[test]
fn a_mean_stands_only_in_a_ratio_of_two() {
    let here = folder();
    for formula in [
        "mean(cards)",
        "100 * mean(cards) / mean(busts)",
        "mean(cards) / mean(busts) + 1",
        "mean(cards / mean(busts)) / mean(cards)",
        "mean(cards) / busts",
    ] {
        let line = format!("simulate diamant --define 'x={formula}'");
        here.refused(
            &line,
            "`mean` stands only in `mean(FORMULA) / mean(FORMULA)`",
        );
    }
    let line = "simulate diamant --define 'x=mean(cards) / mean(busts)' --define 'y=2*x'";
    here.refused(line, "unknown name `x`");
}
