//! Advice at the table: situations, lines of a pipe, and records of games.

use crate::process::{folder, holds, run};
use serde_json::Value;
use std::io::Write;

fn json(how: &str) -> Value {
    folder().json(&format!("advise diamant --format json {how}"))["advice"].take()
}

#[test]
fn a_situation_is_answered() {
    // The situation of the README.
    let table = "--players 5 --me 2 --chests 12,0,30,5,8 --round 4";
    let output = run(&format!(
        "advise diamant {table} '5 7 snake 11 / 2 leave / relic 3'"
    ));
    let said = "you are @2 (bot in playouts: solved-5) … Expedition 4 of 5, 6 cards";
    holds(&output, said);
    assert!(
        output.contains(" better.") || output.contains("Either"),
        "{output}"
    );

    // Of what is not told each way is alike likely: the worth is their mean.
    let ask = |who: &str| {
        let situation = format!("'5 7 snake 11 / {who} leave / relic 3'");
        json(&format!("{table} --playouts 60000 {situation}"))
    };
    let answer = ask("2");
    let worth = |answer: &Value, option: &str| answer[option]["win_share"].as_f64();
    let mut sum = 0.0;
    for pair in ["1 @3", "1 @4", "1 @5", "3 @4", "3 @5", "4 @5"] {
        let answer = ask(&format!("@{pair}"));
        sum += worth(&answer, "stay").expect("a share");
    }
    let mixed = worth(&answer, "stay").expect("a share");
    assert!((mixed - sum / 6.0).abs() < 0.01, "{mixed} {}", sum / 6.0);
    let cases = answer["cases"].as_array().expect("a list");
    let likely: f64 = cases
        .iter()
        .filter_map(|case| case["likely"].as_f64())
        .sum();
    assert!(cases.len() == 3 && (likely - 1.0).abs() < 1e-9, "{answer}");
}

/// In the last decision before a certain end the worth is known exactly.
#[test]
fn certain_values_are_exact() {
    // One expedition, two explorers, and the other leaves: 7 and 17 give 3 and 8 each.
    let last = |bot: &str, situation: &str| {
        let rules = "--rules schmidt-2005 --set rounds=1 --players 2";
        let bots = format!("--others {bot} --as depth:cards=1");
        json(&format!("{rules} {bots} '{situation}'"))
    };
    let answer = last("depth:cards=1", "7 serpent 17");
    assert_eq!(answer["leave"]["score_mean"], 12.0);
    assert_eq!(answer["leave"]["win_share"], 0.5);
    assert_eq!(answer["leave"]["win_share_low"], 0.5);
    // Of 27 cards two are the serpent; those who stay see one more card alone.
    let treasures = [1, 2, 3, 4, 5, 5, 7, 9, 11, 11, 13, 14, 15];
    let left: i32 = treasures.iter().sum();
    let exact = (25.0 * 11.0 + f64::from(left)) / 27.0;
    let stay = &answer["stay"];
    let (low, high) = (
        stay["score_mean_low"].as_f64(),
        stay["score_mean_high"].as_f64(),
    );
    let half = (high.expect("high") - low.expect("low")) / 2.0;
    let value = stay["score_mean"].as_f64().expect("a mean");
    assert!(
        (value - exact).abs() < 2.5 * half && half < 0.1,
        "{value} {exact} {half}"
    );
    assert_eq!(answer["cases"][1]["likely"], 1.0);
    // The other never leaves by itself; that case is looked at all the same.
    let answer = last("threshold:target=99", "7 serpent 17");
    assert_eq!(answer["cases"][1]["likely"], 0.0);
    assert_eq!(answer["cases"][1]["leave"]["score_mean"], 12.0);
    assert_eq!(answer["cases"][0]["leave"]["score_mean"], 13.0);
}

/// Unless opponents are named, each kind is asked about, and the answer says on whom it depends.
#[test]
fn advice_holds_or_names_on_whom_it_depends() {
    let table = "--players 4 --rules schmidt-2005 --playouts 20000";
    let answer = json(&format!("{table} '5 7 serpent 11'"));
    let kinds = answer["against"].as_array().expect("kinds");
    let names: Vec<&str> = kinds
        .iter()
        .filter_map(|kind| kind["others"].as_str())
        .collect();
    let experts = "experts (solved-4 for iello-2016, 4 players)";
    assert_eq!(names, ["careful", "people", "bold", experts]);
    for kind in kinds {
        // The worth is that at a table with only such opponents.
        let name = kind["others"].as_str().expect("a name");
        let bot = name.strip_prefix("experts (").map_or(name, |_| "solved-4");
        let own = json(&format!("{table} --others {bot} '5 7 serpent 11'"));
        for (option, name) in [(0, "stay"), (1, "leave")] {
            let share = |value: &Value| value["win_share"].as_f64().expect("a share");
            let by = share(&kind["worth"][option]) - share(&own[name]);
            assert!(by.abs() < 0.04, "{bot}: {by}");
        }
        assert_eq!(own["against"].as_array().map(Vec::len), Some(0));
    }
    let said = run(&format!("advise diamant {table} '5 7 serpent 11'"));
    let best: Vec<&Value> = kinds.iter().map(|kind| &kind["best"]).collect();
    let is_same = best.iter().all(|own| *own == best[0]);
    assert_eq!(said.contains("kind of opponent"), is_same, "{said}");
    holds(
        &said,
        "against careful: stay … leave … against experts (solved-4 for iello-2016",
    );
    let calm = run(
        "advise diamant --players 5 --me 2 --chests 12,0,30,5,8 --round 4 \
         '5 7 snake 11 / 2 leave / relic 3'",
    );
    holds(
        &calm,
        "every kind of opponent. … At a mixed table, … Most likely",
    );
}

#[test]
fn lines_of_a_pipe_are_answered_by_lines() {
    let mut lines = tempfile::tempfile().expect("a file");
    let asked = b"5 7 snake\n\n5 sanke\n5 / all leave\n5 / @1 leaves / 7";
    lines.write_all(asked).expect("written");
    std::io::Seek::rewind(&mut lines).expect("the start");
    let here = folder();
    let mut advise = here.command("advise diamant --players 3 --playouts 2000");
    let ran = here.end(advise.stdin(lines));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    holds(lines[0], "leave … stay");
    assert_eq!(
        lines[1],
        "error: `sanke` is neither a card nor a player of this game"
    );
    assert!(
        lines[2].starts_with("Expedition 2 of 5 begins."),
        "{lines:?}"
    );
    holds(lines[3], "nothing to decide");
    assert_eq!(ran.code, Some(2));
    ran.says("^^^^^");
}

#[test]
fn wrong_questions_are_refused() {
    let here = folder();
    here.refused(
        "advise diamond_cave 5",
        "diamond_cave has no notation for situations",
    );
    here.refuses_as("advise");
    let mut long = vec![b'5'; (4 << 20) + 1];
    long.push(b'\n');
    here.write("long.txt", long);
    let ran = here.shell("\"$0\" advise diamant < long.txt");
    assert_eq!(ran.code, Some(2));
    ran.says("a line of standard input is longer than 4194304 bytes");
}

#[test]
fn others_and_situation_come_in_any_order() {
    for (others, situation) in [
        ("threshold", "'5 7'"),
        ("threshold,traps", "'2: chests 0 0 0 / 5'"),
    ] {
        let table = format!("--players {} --playouts 200", 1 + others.split(',').count());
        let before = json(&format!("{table} {situation} --others {others}"));
        let after = json(&format!("{table} --others {others} {situation}"));
        assert_eq!(before, after);
    }
    holds(
        &run("advise diamant --players 3 --others threshold --playouts 200 '5 7'"),
        "you are @1 (bot in playouts: solved-3), @2 threshold",
    );
}

#[test]
fn score_decides_when_wins_are_equal() {
    let output = run(
        "advise diamant --players 2 --others depth:cards=9 --as depth:cards=9 --playouts 9000 \
         '5: chests 0 300 / 17 13 snake lava ram'",
    );
    holds(&output, "rubies better. The win shares are equal.");
}

/// A game that people wrote down is taken apart like one of bots, and again from its manifest.
#[test]
fn a_record_is_analysed() {
    let here = folder();
    let record = "# Friday\nplayers 3\n1: 5 7 lava / @2 leaves / 11 lava\n2: ram 9 / all leave\n3: 17 / \
                  @1 leaves / 5 snake snake\n4: 4 / all leave\n5: 15 7 / @3 leaves / relic / all leave\n";
    here.write("game.txt", record);
    here.run("analyse diamant game.txt --playouts 64 --no-charts --quiet --out a");
    here.run("run a/manifest.json --no-charts --quiet --out b");
    let decisions = here.table("a/decisions.csv");
    assert_eq!(here.bytes("a/decisions.csv"), here.bytes("b/decisions.csv"));
    let [at, seat, option, chosen] =
        ["at", "seat", "option", "chosen"].map(|name| decisions.place(name));
    // Seat 2 left after the third card, and after no card before.
    for (who, when, what) in [
        ("2", "expedition 1, card 3", "leave"),
        ("1", "expedition 1, card 3", "stay"),
        ("2", "expedition 1, card 2", "stay"),
        ("3", "expedition 5, card 2", "leave"),
    ] {
        let decided = decisions.rows.iter().any(|row| {
            [&row[seat], &row[at], &row[option], &row[chosen]] == [who, when, what, "true"]
        });
        assert!(decided, "{who} {when}");
    }
    for (record, said) in [
        (
            "players 3\n1: 5 / all leave\n",
            "the record ends before expedition 2",
        ),
        (
            "players 3\n1: 5 7\n",
            "the record ends in the middle of expedition 1",
        ),
        ("players 3\n1: 5 / 2 leave\n", "which players leave?"),
        ("players 9\n1: 5", "9 players"),
    ] {
        here.write("game.txt", record);
        here.refused("analyse diamant game.txt", said);
    }
}

/// The options by the decisions of the others are worth what they are in more playouts, even where
/// those decisions are rare.
#[test]
fn rare_cases_are_not_distorted() {
    let here = folder();
    let line = "advise diamant --players 3 --chests 12,16,16 --round 3 --others people --json";
    let of = |playouts: u64| {
        let answer = here.json(&format!("{line} --playouts {playouts} 'snake 5 15 2 ram'"));
        answer["advice"]["cases"].clone()
    };
    let [few, many] = [of(20_000), of(400_000)];
    for others in 0..3 {
        for option in ["stay", "leave"] {
            let [few, many] = [&few, &many].map(|cases| {
                let worth = &cases[others][option];
                let part = |key: &str| worth[key].as_f64().expect("a share");
                [part("win_share"), part("win_share_se")]
            });
            let far = (few[0] - many[0]).abs() / few[1].hypot(many[1]);
            assert!(far < 3.5, "{others} {option}: {few:?} {many:?}");
        }
    }
}

/// Numbers of others rarer than 1 in 100 are in JSON, but not among the rows.
#[test]
fn rare_cases_have_no_rows() {
    let line = "--players 4 --playouts 20000 '5 7 snake'";
    let cases = json(line)["cases"].take();
    let cases = cases.as_array().expect("cases").iter();
    let likely = Vec::from_iter(cases.filter_map(|case| case["likely"].as_f64()));
    let often = likely.iter().filter(|&&likely| likely >= 0.01).count();
    assert!(0 < often && often < likely.len(), "{likely:?}");
    let said = run(&format!("advise diamant {line}"));
    assert_eq!(said.matches("\n  if ").count(), often, "{said}");
}

/// A reason says that an option is better only beyond the error of its playouts.
#[test]
fn few_playouts_leave_reasons_open() {
    let here = folder();
    let line = "advise diamant --players 4 --others people --json --playouts";
    let (mut open, mut decided) = (0, 0);
    for seen in [
        "5 9 3",
        "snake 5 7",
        "15 11 ram 7",
        "2 4 5 11 17",
        "snake 7 ram 9",
    ] {
        for playouts in ["64", "0.2k"] {
            let answer = here.json(&format!("{line} {playouts} '{seen}'"));
            let why = answer["advice"]["why"].as_str().unwrap_or_default();
            let Some((before, shares)) = why.split_once(" (win share ") else {
                continue;
            };
            if before.ends_with("may be better") {
                open += 1;
            }
            if !before.ends_with("is better") && !before.ends_with("is far better") {
                continue;
            }
            decided += 1;
            let cases = answer["advice"]["cases"].as_array().expect("cases").iter();
            let is_clear = |case: &Value| {
                let [stay, leave] = ["stay", "leave"].map(|option| {
                    ["win_share", "win_share_se"]
                        .map(|key| case[option][key].as_f64().expect("a number"))
                });
                let is_said = [stay[0], leave[0]]
                    .iter()
                    .all(|share| shares.contains(&format!("{:.1} %", 100.0 * share)));
                is_said && (stay[0] - leave[0]).abs() > 1.95 * stay[1].hypot(leave[1])
            };
            assert!(cases.filter(|case| is_clear(case)).count() > 0, "{answer}");
        }
    }
    assert!(open > 0 && decided > 0, "{open}, {decided}");
}

/// Chests are those before the expedition, which is printed beside what players took since.
#[test]
fn chests_before_and_now_are_printed() {
    let here = folder();
    let line = "advise diamant --players 5 --playouts 200 --chests 12,0,30,5,8";
    let shown = here.run(&format!("{line} --round 4 '5 7 snake 11 / @3 leaves / 9'"));
    holds(
        &shown,
        "Chests before … expedition 4: @1 12, … @3 30, … Now: @1 12, … @3 37,",
    );
    let twice = here.refused(&format!("{line} --round 4 '3: 5'"), "written twice");
    holds(&twice, "the second time");
    here.refused(
        &format!("{line} --round 4 'chests 1 2 3 4 5 / 5'"),
        "written twice",
    );
    // Their number is that of the players, in the situation as in the option.
    let four = here.run("advise diamant --playouts 200 'chests 20 25 18 30 / 5: 9 14 lava'");
    holds(&four, "4 players");
    // In the first expedition nobody has a chest before.
    let said = "at most 0 … chests are those before this expedition";
    here.refused(&format!("{line} '5 7 snake 11 / @3 leaves / 9'"), said);
    holds(&run("advise --help"), "chests before this expedition");
}

/// What follows at once from leaving and staying, by the number of others who leave, and when which
/// is better where neither is on the whole.
#[test]
fn advice_says_what_follows_at_once_and_when_which_is_better() {
    let table = "--players 4 --playouts 20000";
    let situation = "'5 7 / @3 leaves / 11'";
    let answer = json(&format!("{table} {situation}"));
    let cases = answer["cases"].as_array().expect("cases");
    // 1 + 1 + 3 in hand, and 2 on the path after 11: who left before took what was there.
    let brings: Vec<Option<f64>> =
        Vec::from_iter(cases.iter().map(|of| of["leaving_brings"].as_f64()));
    assert_eq!(brings, [7.0, 6.0, 5.0].map(Some), "{answer}");
    assert_eq!(cases[0]["next_card_ends_expedition"], 0.0);
    assert!(cases[2]["next_card_adds"].as_f64() > cases[0]["next_card_adds"].as_f64());
    let said = run(&format!("advise diamant {table} {situation}"));
    holds(
        &said,
        "if 0 others leave ( … %): stay … leave … ; leaving brings 7, next card adds",
    );
    // Alone inside, there is no number of others.
    let alone = run(&format!(
        "advise diamant {table} '5 7 / @2 @3 @4 leave / 11'"
    ));
    holds(&alone, "leaving brings 14, next card adds");
    assert!(!alone.contains("if 0 others"), "{alone}");
    let either = run(&format!("advise diamant {table} '5 7 snake 11'"));
    holds(
        &either,
        "At a mixed table, no clear difference … is better if … leave",
    );
}
