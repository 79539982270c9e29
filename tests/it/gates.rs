//! What a study expects of its tables, and how it ends when that is missed.

use crate::process::{folder, holds};

#[test]
fn expectations_are_judged_with_codes_of_their_own() {
    let here = folder();
    let table = "simulate diamant --seat threshold --others people --no-charts";
    // Until all is judged: far ranges take few games.
    let output = here.run(&format!("{table} --expect cards_per_game=20..60 --out met"));
    holds(&output, "Expected: 1 of 1 expectation met.");
    let expected = here.table("met/expected.csv");
    assert_eq!(expected.head[..3], ["metric", "at", "range"]);
    here.ends(8, &format!("{table} --expect win_share@1=0.5.. --expect cards_per_game=20..60 --junit gate.xml --out missed"))
        .says("1 expectation of 2 missed");
    let xml = here.read("gate.xml");
    holds(
        &xml,
        "<testsuite name=\"carat simulate diamant\" tests=\"2\" failures=\"1\" errors=\"0\"",
    );
    holds(&xml, "<testcase name=\"win_share@1=0.5..\"><failure");
    let all = here.read("missed/manifest.json");
    holds(&all, "\"verdict\": \"missed\"");
    holds(&all, "\"verdict\": \"met\"");
    // Only a file of its own is replaced, beside the results.
    here.write("mine.xml", "<a/>");
    for (file, said) in [
        ("mine.xml", "carat did not write this file"),
        ("missed/gate.xml", "the folder of the results"),
        ("nowhere/gate.xml", "no such folder"),
    ] {
        let gate = format!("{table} --expect win_share@1=0.5.. --junit {file} --out missed");
        here.refused(&gate, said);
    }
    assert_eq!(here.read("mine.xml"), "<a/>");
    here.ends(
        8,
        "run met/manifest.json --expect cards_per_game=1..2 --no-charts --out o",
    )
    .says("1 expectation of 2 missed: cards_per_game=1..2 is ");
    // The same games again, and the same verdict.
    here.ends(
        8,
        "run missed/manifest.json --no-charts --quiet --out again",
    );
    here.same("missed", "again");
    // The value itself as an end of the range is never decided.
    let value = here.table("met/table.csv");
    let row = value.rows.iter().find(|row| row[0] == "cards_per_game");
    let value = &row.expect("cards per game")[1];
    let near = format!("--expect cards_per_game={value}.. --max-games 20000");
    here.ends(9, &format!("{table} {near} --out open"))
        .says("1 expectation of 1 undecided");
    // With given games, these are judged, and shards of them, too.
    let given = format!("{table} --expect win_share@1=0.5.. --games 20k");
    here.ends(8, &format!("{given} --out one"));
    for shard in [1, 2] {
        here.run(&format!("{given} --shard {shard}/2 --out shards"));
    }
    here.ends(8, "merge shards --no-charts --out merged");
    here.same("one", "merged");
}

#[test]
fn expectations_hold_for_cells_sides_and_targets() {
    let here = folder();
    let sweep = "sweep diamant --vary players=3,5 --no-charts --expect";
    here.ends(8, &format!("{sweep} cards_per_game=30..37 --out a"))
        .says("1 expectation of 2 missed");
    here.run(&format!(
        "{sweep} 'cards_per_game=30..37 at players=3' --out b"
    ));
    here.refused(
        &format!("{sweep} 'cards_per_game=30..37 at players=4'"),
        "no side, table or cell matches players=4; did you mean `players=3`?",
    );
    here.refused(
        &format!("{sweep} win_share=0.1.."),
        "name a single seat, such as win_share@1",
    );
    here.refused(
        &format!("{sweep} cards_per_game=37..30"),
        "the ends are swapped",
    );
    here.refused(
        &format!("{sweep} cards_per_game=30..37 --precision 0.1"),
        "give only one",
    );
    // A cell that cannot be played is not judged.
    let mix = "--vary 'mix={ a = [\"traps.snake=-1\"], b = [] }' --no-charts";
    here.ends(
        9,
        &format!("sweep diamant {mix} --expect cards_per_game=20..60 --out m"),
    );
    let seats = "--vary 'seats=depth, people; bold, people' --expect";
    here.run(&format!(
        "sweep diamant {seats} 'cards_per_game=1..90 at seats=depth, people' --out s"
    ));
    let compare = "compare diamant --b traps.snake=4 --no-charts";
    here.ends(
        8,
        &format!("{compare} --expect 'bust_rate=..0.7 at b' --out c"),
    );
    // A verdict decides the code only where that is asked for.
    let decide = format!("{compare} --decide cards_per_game");
    here.run(&format!("{decide} --out d"));
    here.ends(8, &format!("{decide} --gate --out e"));
    let tune = "tune diamant --vary rules.traps.snake=3,4 --who none --max-games 20k --no-charts";
    here.run(&format!("{tune} --target cards_per_game=10..11 --out f"));
    here.ends(
        8,
        &format!("{tune} --target cards_per_game=10..11 --gate --out g"),
    );
    here.run(&format!(
        "{tune} --target cards_per_game=20..60 --gate --out h"
    ));
    here.refused(
        "simulate diamant --gate",
        "nothing is expected; add --expect",
    );
}
