//! Seats that think.

use crate::process::{folder, holds, run};
use carat_core::game::story::StoryStyle;
use carat_core::game::{Record, SCORE, WIN};
use carat_core::library::Library;
use carat_core::strategy::SeatSpec;
use carat_studies::study::TableSpec;
use fearless_simd::Level;

#[test]
fn thinking_beats_the_same_bot() {
    let here = folder();
    let seats = "--seat threshold:playouts=64 --seat 4*threshold";
    here.run(&format!("simulate diamant {seats} --games 100 --out o"));
    let share = here.table("o/seats.csv").numbers("win_share_low")[0];
    assert!(share > 0.5, "{share}");
}

#[test]
fn replay_repeats_games_of_thinkers() {
    for (game, bot) in [
        ("diamant", "traps:playouts=32,sigmas=0"),
        ("diamond_cave", "gambler:playouts=16"),
        ("diamond_miner", "thinker:playouts=4"),
    ] {
        let study = TableSpec {
            seats: vec![bot.parse::<SeatSpec>().expect("a seat")],
            players: Some(3),
            ..TableSpec::of(game)
        };
        let table = study.resolve(&Library::default()).expect("sound").table;
        assert!(table.cost() > 1);
        let (layout, level) = (table.layout(), Level::new());
        let mut record = Record::new(layout, 2);
        record.clear(2);
        table.play(level, 5, 7, &mut record);
        for at in 0..2 {
            let course = table.course(5, 7 + at as u64, StoryStyle::PLAIN);
            for seat in 0..3 {
                let of = |outcome| record.column(layout.seat_column(seat, outcome))[at];
                assert_eq!(of(WIN), course.wins[seat], "{game}");
                assert_eq!(of(SCORE), course.scores[seat], "{game}");
            }
        }
    }
}

#[test]
fn replay_prints_playout_values() {
    let output = run("replay diamant --seat depth:playouts=64 --players 3 --why");
    holds(&output, "? thinks: … % in … playouts; ");
    let alone = run("replay diamant --seat depth:playouts=64 --why");
    holds(&alone, "? thinks: stay: … in 64 playouts");
    let record = run("replay diamant --seat depth:playouts=64 --players 3 --record");
    holds(&record, "players 3");
}

#[test]
fn any_bot_of_a_file_can_be_what_a_thinker_goes_on_as() {
    let here = folder();
    let think = "think = { as = \"mine.toml:target=7\", playouts = 16, sigmas = 1 }\n";
    here.write(
        "mine.toml",
        "leave = \"held > target\"\n[params]\ntarget = 5\n",
    );
    here.write("wise.toml", think);
    here.run("simulate diamant --seat wise.toml --players 3 --games 20 --out a");
    holds(
        &here.read("a/seats.csv"),
        "\"target=7,playouts=16,sigmas=1\"",
    );
    holds(&here.run("check wise.toml"), "a bot of diamant");
    // The manifest has both texts.
    here.remove("mine.toml");
    here.remove("wise.toml");
    here.run("run a/manifest.json --out b");
    assert_eq!(here.read("a/seats.csv"), here.read("b/seats.csv"));
}

#[test]
fn thinkers_sit_where_ordinary_bots_do() {
    let here = folder();
    let bot = "threshold:playouts=16";
    here.run(&format!(
        "tournament diamant --players 3 --games 2 --bots {bot} depth --out t"
    ));
    here.run(&format!(
        "compare diamant --seat {bot} --players 3 --b rules.rounds=3 --games 20 --out c"
    ));
    let vary = "--vary seats.1.target=6..14 --maximize win_share@1 --max-games 2k --set rounds=1";
    here.run(&format!(
        "tune diamant --seat {bot} --players 3 {vary} --out b"
    ));
    let best = here.read("b/best.toml");
    holds(&best, "think = { as = \"threshold:target= … playouts = 16");
    here.run(&format!(
        "analyse diamant --seat {bot} --players 3 --set rounds=1 --playouts 64 --out a"
    ));
    here.run("sweep diamant --seat threshold --players 3 --vary seats.1.playouts=0,64 --games 100 --out s");
    let shares = here.table("s/cells.csv").numbers("win_share");
    // A row for each of three seats.
    assert!(shares[3] > shares[0]);
}

#[test]
fn faults_of_thinking_name_their_place() {
    let here = folder();
    let simulate = "simulate diamant --out o --seat";
    for (think, said) in [
        ("as = 'own.toml'", "`own.toml` thinks already"),
        ("as = 'thinker'", "`thinker` thinks already"),
        (
            "as = 'threshold', playouts = 0.5",
            "own.toml … playouts = 0.5 … 0 (no thinking) to 1000000",
        ),
        (
            "as = 'threshold', games = 5",
            "unknown key `games` … `as`, `playouts`, `sigmas`",
        ),
        ("playouts = 5", "`as` is missing"),
    ] {
        here.write("own.toml", format!("think = {{ {think} }}"));
        here.refused(&format!("{simulate} own.toml"), said);
    }
    here.refuses_as("thinking");
    let solve = "solve diamant --against 2*threshold:playouts=2";
    here.refused(solve, "name a bot that does not think");
}
