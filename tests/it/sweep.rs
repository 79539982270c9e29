//! Sweeps: what varies, which cell is best, and what is told of the others.

use crate::process::{folder, holds, run};

#[test]
fn rules_and_bots_of_every_game_can_be_swept() {
    let here = folder();
    let sweep = |vary: &str| here.run(&format!("sweep {vary} --games 200 --no-charts"));
    let shown = sweep("diamant --vary rules.traps.snake=2..4 --out a");
    holds(&shown, "3 cells");
    sweep("diamond_cave --vary rules.memory=perfect,none --out b");
    sweep("diamond_miner --vary players=2,3 --out c");
    let cells = here.table("a/cells.csv");
    assert_eq!(cells.head[..3], ["rules.traps.snake", "seat", "bot"]);
    assert_eq!(cells.rows.len(), 3 * 5);
    let head = here.table("b/cells_table.csv").head.join(",");
    assert!(
        head.starts_with("rules.memory,metric,value,value_se,value_low,value_high"),
        "{head}"
    );
    here.run("run a/manifest.json --no-charts --quiet --out again");
    here.same("a", "again");
}

/// A grid has seeds, whole tables and changes with names as axes; in shards it is the same bytes.
#[test]
fn grids_vary_seeds_tables_and_named_changes() {
    let here = folder();
    here.write(
        "grid.toml",
        r#"
        study = "sweep"
        game = "diamant"
        games = 200
        metric = ["cards_per_game", "win_share@1"]
        [vary]
        seed = [1, 2]
        seats = ["depth, people", "risk, people"]
        players = [2, 3]
        mix = { printed = [], wild = ["traps.snake=4", "rounds=6"] }
    "#,
    );
    here.run("run grid.toml --out a --no-charts --quiet");
    let cells = here.table("a/cells_table.csv");
    assert_eq!(
        cells.head[..5],
        ["seed", "seats", "players", "mix", "metric"]
    );
    let of = |row: &[&str]| {
        let found = cells
            .rows
            .iter()
            .find(|own| row.iter().all(|value| own.contains(&value.to_string())));
        found.expect("a cell")[5].clone()
    };
    // A cell is the table of its own, with its own seed.
    let table = "simulate diamant --seat risk --players 3 --others people --seed 2 --games 200";
    let changed = "--set traps.snake=4 --set rounds=6 --no-charts --quiet --out one";
    here.run(&format!("{table} {changed}"));
    let alone = here.table("one/table.csv");
    let row = alone
        .rows
        .iter()
        .find(|row| row[0] == "cards_per_game")
        .expect("cards");
    assert_eq!(
        of(&["2", "risk, people", "3", "wild", "cards_per_game"]),
        row[1]
    );
    for shard in 1..=3 {
        here.run(&format!(
            "run grid.toml --shard {shard}/3 --out shards --quiet"
        ));
    }
    here.run("merge shards --out b --no-charts --quiet");
    here.same("a", "b");
    here.run("run a/manifest.json --no-charts --quiet --out again");
    here.same("a", "again");
}

/// Cells that cannot be played are named before anything plays; values that are wrong are faults.
#[test]
fn cells_that_cannot_be_played_are_left_out() {
    let here = folder();
    let sweep = "sweep diamant --others people --games 100 --no-charts --vary";
    here.ends(
        0,
        &format!("{sweep} players=4..6 --vary seats.5=depth,risk --out a"),
    )
    .says("2 of 6 cells: players=4 seats.5=depth (`seats.5`: no seat 5");
    assert_eq!(
        here.table("a/cells_table.csv")
            .rows
            .iter()
            .filter(|row| row[2] == "comeback_rate")
            .count(),
        4
    );
    here.refused(
        &format!("{sweep} players=4..6 --vary seats.1=depht,risk"),
        "did you mean `depth`",
    );
    here.refused(&format!("{sweep} rules=[]"), "no edition called");
    here.refused(
        &format!("{sweep} 'mix={{ a = [\"traps.snak=4\"] }}'"),
        "traps.snak",
    );
    here.refused(
        &format!("{sweep} 'players={{ a = [] }}'"),
        "cannot name changes",
    );
    here.refused(&format!("{sweep} seed=1,x"), "seed=x: write a whole number");
    here.refused("compare diamant --b seed=2", "only a sweep varies it");
}

/// Cards of one kind take the place of those of another.
#[test]
fn cards_are_varied_where_another_kind_is_the_rest() {
    let here = folder();
    let cave = "diamond_cave --set cards.standard=rest --others hoarder --no-charts";
    here.run(&format!(
        "sweep {cave} --vary rules.cards.torch=13..15 --games 50 --out a"
    ));
    assert_eq!(here.table("a/cells.csv").rows.len(), 3 * 4);
    here.run(&format!(
        "sweep {cave} --each=cards.torch,cards.dark --games 50 --out b"
    ));
    let tune = "--vary rules.cards.torch=13..15 --maximize win_share@1 --max-games 1000";
    here.run(&format!("tune {cave} {tune} --out c"));
    holds(&here.read("c/best-rules.toml"), "standard = \"rest\"");
    // Where nothing is the rest, what does not add up is left out.
    let linked = "--vary rules.cards.torch=13..17 --vary rules.cards.standard=31..35";
    let sweep = format!("sweep diamond_cave {linked} --games 50 --out d");
    here.ends(0, &sweep)
        .says("20 of 25 cells: rules.cards.torch=13 rules.cards.standard=31 (59 cards in all, 63");
    assert_eq!(here.table("d/cells.csv").rows.len(), 5 * 4);
    here.run("run d/manifest.json --quiet --out again");
    here.same("d", "again");
    let tune = format!("tune diamond_cave {linked} --maximize win_share@1 --max-games 5000");
    let output = here.run(&format!("{tune} --no-charts --out e"));
    holds(&output, "20 candidates: rules.cards.torch=13");
    let only = "diamond_cave --vary rules.cards.torch=13,14";
    here.refused(
        &format!("sweep {only} --games 50"),
        "61 cards in all, 63 are needed … standard = \"rest\" takes as many as are missing",
    );
    let only = "tune diamond_cave --vary rules.cards.torch=13..17 --maximize win_share@1";
    here.refused(only, "61 cards in all, 63 are needed");
    // Each by itself is one of a kind more, and one of another less.
    here.run("sweep diamond_cave --each=cards.torch --games 50 --quiet --no-charts --out f");
    let sides = here.table("f/differences.csv");
    let sides: Vec<&str> = sides.rows.iter().map(|row| row[0].as_str()).collect();
    for side in [
        "cards.torch = 14, cards.standard = 34",
        "cards.torch = 16, cards.dark = 14",
    ] {
        assert!(sides.contains(&side), "{sides:?}");
    }
    here.run("run f/manifest.json --quiet --no-charts --out g");
    here.same("f", "g");
}

/// Alone in the cave, one expedition under the classic rules: leaving after 6 cards is best.
#[test]
fn a_sweep_finds_the_known_optimum() {
    let shown = run(
        "sweep diamant --rules schmidt-2005 --set rounds=1 --seat depth \
         --vary seats.1.cards=3..9 --games 400k",
    );
    let best = shown.lines().find(|line| line.ends_with("best"));
    assert!(
        best.is_some_and(|line| line.trim_start().starts_with("6 ")),
        "{shown}"
    );
}

#[test]
fn the_best_is_sought_among_choices_under_each_condition() {
    let here = folder();
    let vary = "--vary players=3,5 --vary seats.1.target=4,14,40";
    let seats = "--seat threshold --seat 2*depth:cards=5 --seat 2*traps";
    let goal = "--precision 0.004 --max-games 200k";
    let shown = here.draw(&format!("sweep diamant {vary} {seats} {goal} --out o"));
    let best = shown.lines().filter(|line| line.ends_with("best"));
    assert_eq!(best.count(), 2, "{shown}");
    holds(&shown, "for each value of players");
    assert!(here.has("o/heat_map.png"));
}

/// What another bot does is no choice of the bot whose success is asked.
#[test]
fn only_the_own_values_of_a_seat_are_its_choices() {
    let here = folder();
    let vary = "--vary seats.1.target=6,12,20 --vary seats.2.nerve=1,3";
    let sweep = format!("sweep diamant --seat threshold --seat traps {vary} --games 2000");
    for (metric, condition, best) in [
        ("", "seats.2.nerve", 2),
        ("--metric win_share@1", "seats.2.nerve", 2),
        ("--metric score_mean@2", "seats.1.target", 3),
    ] {
        let shown = here.run(&format!("{sweep} {metric} --out o"));
        let marked = shown.lines().filter(|line| line.ends_with(" best"));
        assert_eq!(marked.count(), best, "{shown}");
        holds(&shown, &format!("for each value of {condition}"));
    }
    let others = "sweep diamant --seat 2*threshold --vary seats.2.target=6,12 --metric win_share@1";
    let shown = here.run(&format!("{others} --games 2000 --out p"));
    assert!(!shown.contains("best"), "{shown}");
}

/// The summary of several conditions begins with the best of all, and the chart of costs has the
/// cheapest of each.
#[test]
fn the_best_comes_first_and_every_condition_has_its_cheapest() {
    let here = folder();
    let shown = here.run(
        "sweep diamant --seat threshold --others 3*people --vary seats.1.target=4..30 \
         --vary rules.traps.snake=5,4,3,2 --games 2k --svg --out o",
    );
    let cells = here.table("o/cells.csv");
    let shares = cells.numbers("win_share").into_iter();
    let best = shares.zip(cells.column("best")).step_by(4);
    let best = best.filter(|(_, best)| *best == "true");
    let mut best = Vec::from_iter(best.map(|(share, _)| 100.0 * share));
    best.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(best.len(), 4);
    let summary = shown.split("Highest win share of seat 1: ").nth(1);
    let named = summary.expect("a summary").split("; ").take(3);
    let named = named.filter_map(|named| named.split_whitespace().next()?.parse::<f64>().ok());
    let rounded = best[..3].iter().map(|share| (10.0 * share).round() / 10.0);
    assert_eq!(Vec::from_iter(named), Vec::from_iter(rounded));

    let cost = here.read("o/cost.svg");
    let texts = Vec::from_iter(cost.lines().map(str::trim));
    let rows = texts.iter().filter(|text| text.starts_with("target "));
    assert_eq!(rows.count(), 16);
    holds(&cost, "the 4 cheapest");
    assert!(!cost.contains("Not drawn"), "{cost}");
}

#[test]
fn every_cell_has_the_cost_of_a_mistake() {
    let here = folder();
    here.run(
        "sweep diamant --seat threshold --players 3 --vary seats.1.target=2,12,14 \
         --precision 0.01 --no-charts --quiet --out o",
    );
    let cells = here.table("o/cells.csv");
    let [behind, se, games] = ["behind_best", "behind_best_se", "games"].map(|column| {
        // Of the first of three seats.
        let numbers = cells.numbers(column).into_iter();
        numbers.step_by(3).collect::<Vec<_>>()
    });
    let best = cells.column("best").into_iter().step_by(3);
    let best: Vec<usize> = (best.enumerate())
        .filter_map(|(cell, best)| (best == "true").then_some(cell))
        .collect();
    let [best] = best[..] else {
        panic!("one cell is the best: {best:?}");
    };
    assert!(
        behind[0] > 0.1 && se[0] > 0.0 && se[0] < 0.05,
        "{behind:?} {se:?}"
    );
    assert_eq!((behind[best], se[best]), (0.0, 0.0));
    assert!(
        games[0] <= games[best],
        "the worst target was dropped early"
    );
}

#[test]
fn two_parameters_of_a_bot_make_a_heat_map() {
    let here = folder();
    crate::paths::write_bots(&here);
    let table = "--seat two.toml --seat depth --players 4 --games 20 --quiet --svg --out o";
    for other in ["seats.1.nerve=2..3", "all.two.toml.nerve=2..3"] {
        here.run(&format!(
            "sweep diamant --vary seats.1.target=6..8 --vary {other} {table}"
        ));
        holds(&here.read("o/heat_map.svg"), "by target and nerve");
        let cells = here.table("o/cells.csv");
        let params = cells.column("params").into_iter().step_by(4);
        let params: Vec<&str> = params.collect();
        let pairs = [6, 7, 8].map(|target| [2, 3].map(|nerve| (target, nerve)));
        let pairs = pairs.concat().into_iter();
        let pairs = pairs.map(|(target, nerve)| format!("target={target},nerve={nerve}"));
        assert!(pairs.eq(params.iter().copied()), "{params:?}");
    }
    let study = "study = 'sweep'\n[table]\ngame = 'diamant'\nseats = ['two.toml']\ngames = 20\n\
                 [vary]\n'seats.1.target' = '6..8'\n' seats.1 . nerve' = [2, 3]\n";
    here.write("s.toml", study);
    here.draw("run s.toml --out o --quiet");
    assert!(here.has("o/heat_map.png"));
    let cells = here.table("o/cells.csv");
    assert_eq!(cells.column("seats.1.nerve").len(), 6);
}

/// A new kind of trap can be varied; a name like a known one is a typo, and other tables take none.
#[test]
fn new_traps_are_varied_from_the_command_line() {
    let here = folder();
    let sweep = "sweep diamant --games 200 --no-charts --out out --vary";
    here.ends(0, &format!("{sweep} rules.traps.bats=0..3"));
    for (path, said) in [
        ("rules.traps.snaek=0..3", "did you mean `traps.snake`?"),
        (
            "rules.bats=0..3",
            "bats: unknown key in the rules iello-2016",
        ),
        (
            "rules.players.bats=0..3",
            "players.bats: unknown key in the rules iello-2016",
        ),
    ] {
        holds(&here.ends(2, &format!("{sweep} {path}")).stderr, said);
    }
    let said = here.ends(0, "help rules").stdout;
    holds(
        &said,
        "traps_to_end = 3 … My rule is not here … leave = … --define … traps_end_from",
    );
}

/// All keys of the help with their examples, and its commands.
#[test]
fn the_keys_of_the_help_are_played() {
    let here = folder();
    let help = here.ends(0, "help rules").stdout;
    let (_, list) = help
        .split_once("an example for each key:\n\n")
        .expect("a list");
    let (list, more) = list.split_once("\n\n").expect("an end");
    let mut sets = String::new();
    for line in list.lines() {
        let (key, value) = line.trim().split_once(" = ").expect("a key");
        let (value, _) = value.split_once("  ").expect("what it means");
        sets += &format!(" --set '{key}={value}'");
    }
    assert_eq!(sets.matches("--set").count(), 23);
    here.run(&format!(
        "simulate diamant --games 40 --no-charts --out o{sets}"
    ));
    for (number, changed) in ["leave_bonus=if explorers", "at.6.rounds=4"]
        .iter()
        .enumerate()
    {
        let mut commands = more
            .lines()
            .filter_map(|line| line.strip_prefix("  carat "));
        let command = commands.nth(number).expect("a command");
        here.run(&format!("{command} --games 40 --no-charts --out o{number}"));
        holds(&here.read(&format!("o{number}/manifest.json")), changed);
    }
}

/// The example of a bonus in help, turned to each seat: the shares of the wins add up to 1.
#[test]
fn the_bonus_of_the_help_shares_wins() {
    let here = folder();
    let help = here.ends(0, "help rules").stdout;
    let (_, example) = help.split_once("--seat \"3*people\"").expect("an example");
    let (example, _) = example.split_once("\n\n").expect("an end");
    let example = example.replace("\\\n", " ").replace("wins_1", "wins");
    let mut shares = 0.0;
    for [first, second, third] in [["1", "2", "3"], ["2", "3", "1"], ["3", "1", "2"]] {
        let mut turned = String::new();
        for letter in example.chars() {
            let is_of_seat = turned.ends_with('_');
            match letter {
                '1' if is_of_seat => turned += first,
                '2' if is_of_seat => turned += second,
                '3' if is_of_seat => turned += third,
                other => turned.push(other),
            }
        }
        let line = format!("simulate diamant --seat 3*people --games 2000 --json {turned}");
        let table = here.json(&line)["tables"]["table"].take();
        let mut rows = table.as_array().expect("rows").iter();
        let wins = rows.find(|row| row["metric"] == "wins").expect("a measure");
        shares += wins["value"].as_f64().expect("a number");
    }
    // Formulas have seven digits.
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
}

/// A word, number or switch that no rules have is a mistake, and no impossible cell.
#[test]
fn values_of_a_wrong_kind_are_refused() {
    let here = folder();
    for (game, values, said) in [
        (
            "diamant",
            "tiebreak=shared,foo",
            "tiebreak=foo … one of these words: shared, relics",
        ),
        (
            "diamant",
            "rounds=3,many",
            "rounds=many … a whole number from 1 to",
        ),
        (
            "diamant",
            "treasures.17=-1,1",
            "treasures.17=-1 … a whole number from 0 to",
        ),
        (
            "diamond_cave",
            "finish_turn=true,1",
            "finish_turn=1 … expected true or false",
        ),
    ] {
        here.refused(
            &format!("sweep {game} --vary rules.{values} --games 200"),
            said,
        );
    }
}

/// A bot of the default table that looks at what some rules hide gives its seat to another, on all
/// sides that are compared.
#[test]
fn default_tables_play_under_every_edition() {
    let here = folder();
    let hidden = "schmidt-2005-alt";
    let quiet = "--games 100 --no-charts --out o";
    for how in [
        format!("simulate diamant --rules {hidden} --players 8"),
        format!("compare diamant --b rules={hidden}"),
        format!("sweep diamant --vary rules=iello-2016,{hidden}"),
        format!("simulate diamant --rules {hidden} --players 3 --seat 3*adapted"),
        format!("describe diamant --rules {hidden} --players 3"),
    ] {
        here.ends(0, &format!("{how} {quiet}"));
    }
    here.ends(
        0,
        &format!(
            "rule diamant --rules {hidden} --players 3 --games 1k --quiet --no-charts --out r"
        ),
    );
    // Some people know the score where chests are open, so sides differ; bots are the same on both.
    here.run(&format!("compare diamant --b chests=hidden {quiet}"));
    let differences = here.table("o/differences.csv");
    let seats = "--seat simple --seat 4*people";
    here.run(&format!(
        "compare diamant {seats} --b chests=hidden {quiet} --restart"
    ));
    assert_eq!(differences.rows, here.table("o/differences.csv").rows);
    assert!(!differences.column("bot").contains(&"solved-5"));
}

#[test]
fn three_axes_are_small_maps_and_bots_a_ranking() {
    let here = folder();
    let sweep = |out: &str, vary: &str| {
        let table = "--seat threshold --players 4 --games 200 --svg --quiet";
        here.run(&format!("sweep diamant {table} --out {out} {vary}"));
    };
    let axes = "--vary seats.1.target=8..10 --vary players=3,4 --vary rules.rounds=3..5";
    sweep("maps", axes);
    let labels = "3 players … 4 players … rounds … target";
    holds(&here.read("maps/heat_maps.svg"), labels);
    sweep("bots", "--vary seats.1=threshold,depth");
    holds(&here.read("bots/ranking.svg"), "best … fair share 25 %");
}

/// Several metrics stand side by side; the first ranks.
#[test]
fn metrics_are_shown_side_by_side() {
    let here = folder();
    let more = "--metric cards_per_game --metric bust_rate";
    let shown = here.draw(&format!(
        "sweep diamant --others people --vary players=3..5 {more} --games 2000 --out o"
    ));
    holds(
        &shown,
        "number of players … cards per game … ended by a trap … Cards per game: from … at 3 players \
         … Ended by a trap: from … These results are for people;",
    );
    let table = here.table("o/cells_table.csv");
    let values = table
        .column("metric")
        .into_iter()
        .zip(table.numbers("value"));
    let rates = values.filter(|(metric, _)| *metric == "bust_rate");
    let (_, rate) = rates.take(2).last().expect("the rate of four players");
    let second = shown
        .lines()
        .find(|line| line.trim_start().starts_with("4 "));
    let percent = format!("{:.1}", 100.0 * rate);
    holds(second.expect("four players"), &format!("± … {percent} ±"));
    here.run("run o/manifest.json --out again --no-charts -q");
    assert_eq!(here.read("o/cells.csv"), here.read("again/cells.csv"));
    let two = "sweep diamant --vary players=3..4 --vary rounds=3..4 --games 500 --out maps -q";
    here.draw(&format!("{two} {more}"));
    assert!(here.has("maps/heat_map_bust_rate.png"));
    here.refused(
        "sweep diamant --vary rounds=2..3 --metric bust_rate --metric bust_rate",
        "bust_rate is given twice",
    );
}
