//! What the coach and the quiz say of decisions: options in order, costs and reasons.

use crate::play::answered;
use crate::process::{folder, holds, short};

/// Twelve moves at most are listed at first, and the others are asked for.
#[test]
fn useful_moves_come_first() {
    let here = folder();
    let play = "play diamond_miner --seed 7 --playouts 64 --out a.toml";
    let shown = answered(&here, play, "2\n1\nm\nq\n").stdout;
    let (first, more) = shown
        .rsplit_once(" more moves\n")
        .expect("more than are listed");
    let (_, first) = first.rsplit_once("bank:").expect("a table");
    let is_move = |line: &&str| {
        line.starts_with("  ") && line.trim_start().starts_with(|c: char| c.is_ascii_digit())
    };
    assert_eq!(first.lines().skip(1).filter(is_move).count(), 12, "{first}");
    assert!(
        more.lines().any(|line| line.starts_with("   13  ")),
        "{more}"
    );
}

#[test]
fn reasons_speak_for_the_verdict() {
    reasons_agree(5, 500);
}

#[test]
#[ignore = "full set"]
fn reasons_of_many_questions_speak_for_the_verdict() {
    reasons_agree(50, 2000);
}

/// Reasons agree with the verdict and the rows.
fn reasons_agree(questions: usize, playouts: u64) {
    let here = folder();
    let (mut reasons, mut compared) = (0, 0);
    for (level, seed) in [("people", 5), ("easy", 6), ("experts", 7)] {
        let how = format!("--level {level} --seed {seed} --playouts {playouts}");
        let quiz = format!("quiz diamant --questions {questions} {how}");
        let told = answered(&here, &quiz, &"s\n".repeat(questions)).stdout;
        for answer in told.split("\nQuestion ").skip(1) {
            let Some((rows, why)) = answer.split_once("  why:    ") else {
                continue;
            };
            let why = why.lines().next().expect("a reason");
            let (why, _) = why.split_once(" (the simple rule").unwrap_or((why, ""));
            let (why, best) = why
                .trim_end_matches('.')
                .rsplit_once(". So ")
                .expect("a verdict");
            reasons += 1;
            let percent = |text: &str| -> f64 {
                let number = text.split(" %").next().expect("a number");
                number.trim_start_matches("< ").parse().expect("a number")
            };
            if why.contains("alone") {
                assert!(!rows.contains("if 0 others leave ("), "{answer}");
                continue;
            }
            // The likeliest number of others comes first, and the one that decides favours the best.
            let likely = rows
                .split("if ")
                .skip(1)
                .filter_map(|row| row.split_once(" (")?.1.split_once(')'));
            let most = likely
                .map(|(likely, _)| percent(likely))
                .fold(0.0, f64::max);
            let first = why.split_once(" (").expect("a likelihood").1;
            assert_eq!(percent(first), most, "{answer}");
            let (_, shares) = why.split_once("(win share ").expect("shares");
            let (more, less) = shares.split_once(" against ").expect("two shares");
            assert!(percent(more) >= percent(less), "{answer}");
            let doing = if best == "stay" {
                "staying is"
            } else {
                "leaving is"
            };
            assert!(
                why.contains(doing)
                    || why.contains("hardly matters")
                    || why.contains("either may be better"),
                "{answer}"
            );
            compared += 1;
        }
    }
    // Of three quizzes.
    assert!(
        6 * reasons > 15 * questions && compared > 2 * questions,
        "{reasons}, {compared}"
    );
}

#[test]
fn costly_moves_have_reasons() {
    let cave = short("diamond_cave").replace("deck=3", "deck=1");
    let cave = cave.replace("diamonds=3", "diamonds=1") + "--players 2";
    let miner = short("diamond_miner") + "--set rounds=6 --players 2";
    let [one, two] = [1, 2].map(|seed| format!("diamond_cave {cave} --seed {seed}"));
    costly_moves_are_explained(64, &[one, two, format!("diamond_miner {miner} --seed 1")]);
}

#[test]
#[ignore = "full set"]
fn costly_moves_of_whole_games_have_reasons() {
    for game in ["diamond_cave", "diamond_miner"] {
        costly_moves_are_explained(400, &[format!("{game} --seed 5")]);
    }
}

/// Where who wins soon differs, that is the first reason; no more wins soon than at all.
#[test]
fn wins_in_the_next_rounds_come_first() {
    let here = folder();
    let miner = short("diamond_miner") + "--set rounds=12 --players 2";
    let quiz = format!("quiz diamond_miner {miner} --questions 2 --seed 2 --playouts 64");
    let told = answered(&here, &quiz, "1\n1\n").stdout;
    let (rows, why) = told
        .rsplit_once("  why:    By the end of your")
        .expect("a reason");
    let (_, soon) = why.split_once("you win in ").expect("a win");
    let (_, best) = rows.rsplit_once("Question 2").expect("a question");
    let (_, best) = best.split_once("win share ").expect("a worth");
    let first = |text: &str| -> f64 {
        let number = text.split(' ').next().expect("a number");
        number.parse().expect("a number")
    };
    assert!(
        first(soon) > 10.0 && first(soon) < first(best) + 20.0,
        "{told}"
    );
    assert!(!told.contains("{}"), "{told}");
}

/// Every move that costs more than 5 points has a reason from its playouts, which the review repeats.
fn costly_moves_are_explained(playouts: u64, games: &[String]) {
    let mut all = 0;
    for game in games {
        let here = folder();
        let play = format!("play {game} --coach --playouts {playouts} --out a.toml");
        let told = answered(&here, &play, &"1\n".repeat(400)).stdout;
        let (told, review) = told.split_once("Reviewing").expect("a review");
        let mut costly = 0;
        for verdict in told.split("  coach:  costs ").skip(1) {
            let cost = verdict.split(' ').next().expect("a number");
            if cost.parse::<f64>().expect("a number") > 5.0 {
                costly += 1;
                holds(verdict, "holds: … why:");
                let why = verdict.lines().nth(2).expect("a line");
                holds(why, "after the best move … after yours");
            }
        }
        all += costly;
        if costly == 0 {
            continue;
        }
        let (_, again) = review.split_once("Again, ").expect("a mistake");
        holds(
            again,
            "You chose … why:    … after the best move … after yours",
        );
        holds(review, "Doubtful, … bad: … clearly");
    }
    assert!(all > 1, "{games:?}: {all}");
}

#[test]
fn quiz_asks_repeatable_questions() {
    let here = folder();
    let quiz = "quiz diamant --questions 4 --seed 9 --playouts 2000 --remember a.csv";
    let ran = answered(&here, quiz, "stay\nleave\ns\nl\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    holds(
        &ran.stdout,
        "Question 4 of 4 … position … all … of 4 … traps seen: … explorers inside: ",
    );
    let all = here.read("a.csv");
    assert!(
        all.starts_with("game,where,kind,answer,best,cost,day,task,name,unit,position\n\""),
        "{all}"
    );
    assert_eq!(all.lines().count(), 5);
    here.write("b.csv", "game,score\n1,2\n");
    // Each answer is told apart, and the same seed asks the same.
    let right = ran.stdout.matches("Right.").count();
    let wrong = ran.stdout.matches("Not the best.").count();
    assert_eq!(right + wrong, 4, "{}", ran.stdout);
    let other = answered(
        &here,
        &quiz.replace(" --remember a.csv", ""),
        "leave\nstay\nl\ns\n",
    );
    assert_eq!(other.stdout.matches("Right.").count(), wrong);
    // Both answers are right now and then, so always the same one does not do.
    let (best, all) = ([" stay", " leave"], here.read("a.csv"));
    for best in best {
        let is = |line: &str| line.split("\",\"").nth(4) == Some(best.trim());
        assert!(all.lines().any(is), "{best}: {all}");
    }
    here.refuses_as("play");
}

/// A hard quiz asks where the simple rule is wrong or the opponents matter, and sums up what was
/// misjudged.
#[test]
fn hard_quizzes_ask_what_simple_rules_get_wrong() {
    hard_quiz_asks(2, 2000);
}

#[test]
#[ignore = "full set"]
fn long_hard_quizzes_ask_what_simple_rules_get_wrong() {
    hard_quiz_asks(8, 4000);
}

fn hard_quiz_asks(questions: usize, playouts: u64) {
    let here = folder();
    let quiz =
        format!("quiz diamant --hard --questions {questions} --seed 4 --playouts {playouts}");
    let told = answered(&here, &quiz, &"s\n".repeat(questions)).stdout;
    let (asked, end) = told.split_once("\n position").expect("a table");
    let mut reasons = 0;
    for answer in asked.split("\nQuestion ").skip(1) {
        let is_wrong = answer.contains("the simple rule would not");
        let depends = !answer.contains("all kinds of opponents");
        assert!(is_wrong || depends, "{answer}");
        reasons += 1;
    }
    assert_eq!(reasons, questions, "{told}");
    holds(end, "hard because: ");
    if questions > 2 {
        holds(end, "you misjudge … most: ");
    }
    let quiz = quiz.replace("--hard ", "");
    let easy = answered(&here, &quiz, &"s\n".repeat(questions)).stdout;
    assert!(!easy.contains("hard because"), "{easy}");
}
