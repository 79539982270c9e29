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

/// How long games take, by the seconds of the rules, in every game and where a study names it.
#[test]
fn minutes_follow_from_the_rules() {
    let here = folder();
    let quiet = "--games 400 --no-charts --out o";
    for (game, seconds) in [
        ("diamant", "180+14*cards+9*decisions+90*rounds"),
        ("diamond_cave", "240+8*actions+8*decisions+5*turns"),
        ("diamond_miner", "240+5*moves+8*decisions+10*turns"),
    ] {
        let own = format!("--define own=({seconds})/60 --define long='playing_minutes > 9'");
        let said = here
            .ends(0, &format!("simulate {game} {own} {quiet}"))
            .stderr;
        holds(
            &said,
            "playing_minutes is a guess from seconds in [minutes] of the rules: set-up … card",
        );
        let table = here.table("o/table.csv");
        let row =
            |name: &str| table.rows.iter().find(|row| row[0] == name).expect("a row")[1..].to_vec();
        assert_eq!(row("own"), row("playing_minutes"), "{game}");
        assert!(row("long")[0].parse::<f64>().is_ok(), "{game}");
        here.refused(
            &format!("simulate {game} --set minutes.card=601"),
            "minutes.card … 0 to 600",
        );
        here.refused(
            &format!("simulate {game} --set minutes.cards=6"),
            "minutes.card",
        );
        holds(
            &here.run(&format!("show metrics {game}")),
            "playing minutes (guess)",
        );
    }
    assert!(
        !here
            .run("simulate diamant --games 400 --no-charts --out p")
            .contains("guess")
    );
    let shown = here.run(&format!(
        "simulate diamant --define playing_minutes {quiet}"
    ));
    holds(&shown, "playing minutes (guess)");
    // They change no game, so no step of them is tried and no bot is made elsewhere.
    here.run(&format!(
        "compare diamant --b minutes.card=28 --metric playing_minutes {quiet}"
    ));
    let rows = here.table("o/differences.csv").rows;
    let changed = Vec::from_iter(rows.iter().filter(|row| row[7].parse::<f64>() != Ok(0.0)));
    assert!(
        changed.len() == 1 && changed[0][1] == "playing_minutes",
        "{changed:?}"
    );
    let each = here.run(&format!(
        "compare diamant --each=rules --metric playing_minutes {quiet}"
    ));
    assert!(!each.contains("minutes.card"), "{each}");
    here.run(&format!(
        "sweep diamant --vary rules.rounds=4,5 --metric playing_minutes {quiet}"
    ));
    assert!(here.read("o/cells_table.csv").contains("playing_minutes"));
    here.run(
        "tune diamant --vary rules.rounds=3..6 --target playing_minutes=12..18 --who none \
         --max-games 20k --no-charts --out t",
    );
    assert_eq!(
        here.table("t/targets.csv").column("metric"),
        ["playing_minutes"]
    );
}

/// A file without the table has the defaults, and a part of it the others.
#[test]
fn older_rules_have_the_seconds_of_the_game() {
    let here = folder();
    let rules = here.run("show rules diamant schmidt-2005");
    let (before, _) = rules.split_once("[minutes]").expect("a table");
    here.write("older.toml", before);
    here.write("part.toml", format!("{before}[minutes]\ncard = 15\n"));
    here.write("wrong.toml", format!("{before}[minutes]\ncards = 15\n"));
    let minutes = |rules: &str| {
        here.run(&format!(
            "simulate diamant --rules {rules} --define playing_minutes --games 300 --no-charts --out o"
        ));
        let table = here.table("o/table.csv");
        let row = |name: &str| {
            table.rows.iter().find(|row| row[0] == name).expect("a row")[1].parse::<f64>()
        };
        (
            row("playing_minutes").expect("a number"),
            row("cards_per_game").expect("a number"),
        )
    };
    let ((new, cards), (older, _), (part, _)) = (
        minutes("schmidt-2005"),
        minutes("older.toml"),
        minutes("part.toml"),
    );
    assert_eq!(new, older);
    assert!(
        (part - new - cards / 60.0).abs() < 1e-9,
        "{part} {new} {cards}"
    );
    here.refused(
        "simulate diamant --rules wrong.toml",
        "minutes.cards: unknown key; the keys are set_up, card",
    );
}

/// Percentiles and the histogram of a measure are those of its games, whatever the threads.
#[test]
fn histograms_are_those_of_the_games() {
    let here = folder();
    let study = "simulate diamant --define gap=most_score-least_score --define low=-gap*gap \
                 --define share=cards>30 --games 3000";
    here.run(&format!("{study} --raw games --svg --threads 1 --out one"));
    here.run(&format!(
        "{study} --raw games --svg --threads 3 --out three"
    ));
    here.same("one", "three");
    let games = read(&here, "one/games.parquet");
    let quantiles = here.table("one/quantiles.csv");
    assert_eq!(quantiles.column("measure"), ["gap", "low"]);
    let bins = here.table("one/histograms.csv");
    for (at, name) in ["gap", "low"].into_iter().enumerate() {
        let mut values = numbers(&games, name);
        values.sort_by(f64::total_cmp);
        let range = values[2999] - values[0];
        for (column, place) in [("p05", 149), ("median", 1499), ("p95", 2849)] {
            let found: f64 = quantiles.column(column)[at].parse().expect("a number");
            assert!(
                (found - values[place]).abs() <= range / 1000.0,
                "{name} {column}: {found}"
            );
        }
        let own = bins.rows.iter().filter(|row| row[0] == name);
        let counted = own.map(|row| row[2].parse::<usize>().expect("a number"));
        assert_eq!(counted.sum::<usize>(), 3000, "{name}");
        assert!(here.has(&format!("one/measure_{name}.svg")));
    }
    assert!(!here.has("one/measure_share.svg"));
    // More games are added to its counts.
    here.run(&format!(
        "{} --raw games --no-charts --out one --resume",
        study.replace("3000", "5000")
    ));
    let all = here.table("one/histograms.csv");
    let gap = all.rows.iter().filter(|row| row[0] == "gap");
    assert_eq!(
        gap.map(|row| row[2].parse::<usize>().expect("a number"))
            .sum::<usize>(),
        5000
    );
}

/// One name for the leader at half-time, however many expeditions there are.
#[test]
fn the_leader_at_half_is_that_after_half_of_the_expeditions() {
    let here = folder();
    for (rounds, half) in [(2, 1), (4, 2), (5, 3), (7, 4)] {
        here.run(&format!(
            "simulate diamant --set rounds={rounds} --games 300 --no-charts --out o"
        ));
        let table = here.table("o/table.csv");
        let row =
            |name: &str| table.rows.iter().find(|row| row[0] == name).expect("a row")[1..].to_vec();
        assert_eq!(
            row("leader_at_half_win_rate"),
            row(&format!("leader_{half}_win_rate"))
        );
    }
    here.run(
        "sweep diamant --vary rules.rounds=3..6 --metric leader_at_half_win_rate --games 300 \
         --no-charts --out s",
    );
}
