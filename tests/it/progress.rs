//! What is remembered of quizzes and games, shown over time and asked again.

use crate::play::answered;
use crate::process::{folder, holds, short};

const COLUMNS: &str = "game,where,kind,answer,best,cost,day,task,name,unit,position";

/// Files of older columns go on, with a header or without.
#[test]
fn what_was_missed_is_asked_again() {
    let here = folder();
    let old =
        "\"3 of seed 9\",\"expedition 1, card 4\",\"traps seen: 1\",\"stay\",\"leave\",\"0.05\"\n";
    here.write("a.csv", old);
    let quiz = "quiz diamant --questions 6 --seed 9 --playouts 500 --remember a.csv";
    let told = answered(&here, quiz, &"s\n".repeat(6)).stdout;
    let wrong = told.matches("Not the best.").count();
    assert!((1..6).contains(&wrong), "{told}");
    let rows = here.table("a.csv");
    assert_eq!(rows.head.join(","), COLUMNS);
    assert_eq!(rows.column("answer")[0], "stay");
    assert_eq!(rows.rows.len(), 7);
    let cost = rows.numbers("cost");
    assert_eq!(cost.iter().filter(|cost| **cost > 0.0).count(), wrong + 1);

    // Those of the new rows are asked, at the same places, until they are answered right.
    let missed = "quiz diamant --missed --playouts 500 --remember a.csv";
    let again = answered(&here, missed, &"s\n".repeat(6)).stdout;
    holds(&again, &format!("Question {wrong} of {wrong}"));
    assert_eq!(again.matches("Not the best.").count(), wrong, "{again}");
    let asked = here.table("a.csv");
    let new = asked.rows[7..]
        .iter()
        .map(|row| &row[asked.place("position")]);
    for position in new {
        let all = asked.column("position");
        assert_eq!(all.iter().filter(|own| *own == position).count(), 2);
    }
    let right = answered(&here, missed, &"l\n".repeat(6)).stdout;
    assert_eq!(right.matches("Right.").count(), wrong, "{right}");
    here.refused(missed, "no missed position of diamant is left");

    let shown = here.run("progress a.csv");
    let mean = 100.0 * cost[1..].iter().sum::<f64>() / 6.0;
    let (quiz, again) = (format!("quiz … 6 … {mean:.2} points"), 2 * wrong);
    holds(
        &shown,
        &format!("day … {quiz} … missed … {again} … traps seen: "),
    );
    here.write("b.csv", "game,score\n1,2\n");
    here.refused("progress b.csv", "b.csv: not a table of answers");
    here.refused("progress c.csv", "c.csv: ");
}

/// The accuracy is that of the review and of `analyse`.
#[test]
fn games_are_remembered_with_their_accuracy() {
    let here = folder();
    let cave = short("diamond_cave").replace("diamonds=3", "diamonds=1");
    let play = format!("play diamond_cave --players 2 {cave} --seed 1 --playouts 64");
    let told = answered(
        &here,
        &format!("{play} --out a.toml --remember a.csv"),
        &"1\n".repeat(200),
    );
    holds(&told.stdout, "accuracy … Accuracy: 100 % minus");
    let rows = here.table("a.csv");
    let lost: f64 = rows.numbers("cost").iter().sum();
    let accuracy = f64::max(1.0 - lost, 0.0);
    let shown = format!("play … {} … {:.1} %", rows.rows.len(), 100.0 * accuracy);
    holds(&here.run("progress a.csv"), &shown);
    here.run("analyse diamond_cave a.toml --me 1 --playouts 64 --quiet --no-charts --out b");
    let own = here.table("b/bots.csv").numbers("accuracy")[0];
    assert!((own - accuracy).abs() < 1e-5, "{own}, {accuracy}");
    // A game is remembered once, and only what was missed can be asked again.
    let again = answered(
        &here,
        "play --resume a.toml --playouts 64 --remember a.csv",
        "",
    );
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(here.table("a.csv").rows.len(), rows.rows.len());
    for (cost, position) in rows.pairs("cost", "position") {
        assert_eq!(cost == "0.000000", position.is_empty());
    }
}
