//! Targets of tunings: which candidates meet them, at which tables, and what stands against them.

use crate::process::{folder, holds};
use crate::tune::TUNE;

/// Five expeditions meet one of two targets and four none, though they are closer to both together. No
/// number of expeditions has so many comebacks. The order of the targets does not matter.
#[test]
fn candidates_that_meet_more_targets_come_first() {
    let here = folder();
    let (cards, comebacks) = (
        "--target cards_per_game=33..38",
        "--target comeback_rate=0.3..",
    );
    let [one, other] = [[cards, comebacks], [comebacks, cards]].map(|[first, second]| {
        let shown = here.run(&format!(
            "tune diamant --seat 5*people --set rounds=6 --vary rules.rounds=4..6 {first} {second} \
             --who none --max-games 200k --no-charts --out o"
        ));
        assert_eq!(here.table("o/best.csv").column("best"), ["5"]);
        assert_eq!(here.table("o/targets.csv").column("table"), ["5 people"; 2]);
        let shown = Vec::from_iter(shown.split_whitespace()).join(" ");
        let from = shown.find("Targets met: 1 of 2").expect("a summary");
        shown[from..]
            .split(" All estimates")
            .next()
            .map(str::to_string)
    });
    assert_eq!(one, other);
    holds(
        &one.expect("a summary"),
        "No candidate met the target for comeback_rate; the closest (rules.rounds=4) has 2 … % and \
         also misses cards_per_game by … .",
    );
}

/// Of two targets that exclude each other, the one of more weight is met; what would meet the other is
/// named, with what it costs.
#[test]
fn weights_decide_between_targets() {
    let here = folder();
    let tune = "tune diamant --seat 5*people --vary rules.rounds=3..6 --who none --max-games 60k \
                --no-charts --out o";
    for (weights, best, other) in [
        (
            [" weight 3", ""],
            "3",
            "would meet the target for decisions_per_game ( … ), but would then miss \
            cards_per_game by 1 … .",
        ),
        (
            ["", " weight 3"],
            "5",
            "rules.rounds=3 would meet the target for cards_per_game ( … ), but \
            would then miss decisions_per_game by … .",
        ),
    ] {
        let shown = here.run(&format!(
            "{tune} --target 'cards_per_game=..23{}' --target 'decisions_per_game=30..{}'",
            weights[0], weights[1]
        ));
        assert_eq!(here.table("o/best.csv").column("best"), [best], "{shown}");
        let ranges = [format!("..23{}", weights[0]), format!("30..{}", weights[1])];
        assert_eq!(here.table("o/targets.csv").column("range"), ranges);
        let shown = Vec::from_iter(shown.split_whitespace()).join(" ");
        holds(&shown, other);
    }
    here.refused(
        "tune diamant --vary rules.rounds=3..6 --target 'bust_rate=0.4..0.5 weight 0'",
        "target bust_rate = 0.4..0.5 weight 0: a weight is a number above 0",
    );
    here.refused(
        "tune diamant --vary rules.rounds=3..6 --wish 'bust_rate=0.4..0.5 weight 2'",
        "wishes have no weight",
    );
}

/// Candidates that meet all targets are no compromises.
#[test]
fn equal_candidates_are_no_compromises() {
    let here = folder();
    let shown = here.run(
        "tune diamant --seat 3*random --vary rules.rounds=3..6 --target cards_per_game=..99 \
         --target bust_rate=0..1 --max-games 20k --svg --out o",
    );
    assert_eq!(here.table("o/front.csv").rows.len(), 1);
    assert!(!here.has("o/front.svg"));
    assert!(!shown.contains("Trade-offs"), "{shown}");
}

/// Two wishes that no value grants both: the first decides, and both ends are compromises.
#[test]
fn the_first_wish_decides() {
    let here = folder();
    let (short, clear) = ("cards_per_game=..20", "winning_margin_mean=30..");
    for (first, second, best) in [(short, clear, "3"), (clear, short, "7")] {
        here.run(&format!(
            "tune diamant --players 3 --vary rules.rounds=3..7 --target bust_rate=0..1 --wish {first} \
             --wish {second} --max-games 300k --no-charts --quiet --out o"
        ));
        assert_eq!(
            here.table("o/best.csv").rows[0].last().expect("a value"),
            best
        );
        assert_eq!(
            here.table("o/targets.csv").column("rank"),
            ["must", "wish", "wish"]
        );
        let front = here.table("o/front.csv");
        for end in ["rules.rounds=3", "rules.rounds=7"] {
            assert!(front.column("values").contains(&end), "{end}");
        }
        // Each value has a column, and one row is the best.
        let marked = front.pairs("rules.rounds", "is_best").into_iter();
        let marked: Vec<_> = marked.filter(|(_, is_best)| *is_best == "true").collect();
        assert_eq!(marked, [(best, "true")]);
    }
}

/// What stands against a target is another target and never a wish; what is missed has its tables.
#[test]
fn wishes_are_counted_apart_from_targets() {
    let here = folder();
    let play = |sought: &str| {
        let shown = here.run(&format!(
            "tune diamant --table three=3*people --table five=5*people --vary rules.rounds=4..7 \
             {sought} --max-games 200k --format csv,html --no-charts --out o"
        ));
        Vec::from_iter(shown.split_whitespace()).join(" ")
    };
    let shown = play("--target cards_per_game=36..37 --wish winning_margin_mean=..4");
    let wishes = "Wishes met: 0 of 2; missed or undecided: winning_margin_mean at three, \
                  winning_margin_mean at five.";
    holds(
        &shown,
        " of 2, counting each table separately; missed or undecided: cards_per_game at ",
    );
    holds(&shown, wishes);
    holds(
        &shown,
        "No candidate met the target for cards_per_game; the closest",
    );
    holds(&shown, "The best was chosen by fresh games");
    // The first table of the page is cut, and what is wanted of the best is not.
    let page = here.read("o/report.html");
    let head = page.split("<thead>").nth(1).expect("a table");
    let head = head.split("</thead>").next().expect("its head");
    holds(head, ">range< … >best<");
    assert!(!head.contains(">start<"), "{head}");

    let wish = "--target cards_per_game=..33 --wish 'winning_margin_mean at three=13..'";
    let both = "rules.rounds= … would meet the wish for winning_margin_mean at three ( … at three), but \
                would then miss cards_per_game by … .";
    holds(&play(wish), both);
}

/// No three expeditions have so few cards, and no bot wins by so much meanwhile.
#[test]
fn a_missed_target_is_named_with_what_it_costs() {
    let here = folder();
    let vary = "--vary rules.rounds=3..7 --vary rules.traps.snake=3,4 --vary rules.traps.lava=3,4 \
                --vary rules.traps.ram=3,4 --vary rules.traps.spider=3,4";
    let shown = here.run(&format!(
        "tune diamant --players 3 {vary} --target cards_per_game=..5 \
         --target winning_margin_mean=30.. --max-games 300k --no-charts --out o"
    ));
    let shown = shown.replace('\n', " ");
    holds(
        &shown,
        "No candidate met the target for cards_per_game; the closest (rules.rounds=3",
    );
    holds(&shown, "also misses winning_margin_mean");
    let front = here.table("o/front.csv");
    let marked = front.pairs("values", "is_best").into_iter();
    let marked: Vec<_> = marked.filter(|(_, is_best)| *is_best == "true").collect();
    assert_eq!(marked.len(), 1, "{:?}", front.rows);
    // Changes are written whole, however many there are.
    assert!(front.rows.iter().all(|row| !row[0].contains('…')));
}

/// A target must hold at every table: here the mean of both meets it, and one or both miss it.
#[test]
fn a_target_holds_at_every_table() {
    let here = folder();
    let seats = "--seat threshold --players 3 --field 2*depth --field 2*random";
    let shown = here.run(&format!(
        "tune diamant {seats} --vary seats.1.target=11,12 --maximize win_share@1 \
         --target cards_per_game=32.05..32.35 --max-games 300k --no-charts --format csv,html --out o"
    ));
    let targets = here.table("o/targets.csv");
    assert_eq!(targets.column("table"), ["2*depth", "2*random"]);
    assert!(targets.column("verdict").contains(&"missed"));
    let fields = here.table("o/tables.csv");
    let verdicts = fields.column("verdict");
    assert!(verdicts[3] == "missed" && verdicts[4..].contains(&"missed"));
    // The row of all tables names one that misses it, and the value there.
    let at = fields.column("decided_at")[3].to_string();
    let tables = &fields.column("table")[4..];
    let own = tables.iter().position(|table| *table == at);
    let own = own.expect("a table");
    assert_eq!(verdicts[4 + own], "missed", "{at}");
    for shown in [shown, here.read("o/report.html")] {
        holds(&shown, &format!("missed at {at}: 3"));
    }
}

/// A bonus for leaving changes no card among people, who miss the target with any bonus: what is sought
/// at the study's own table stays.
#[test]
fn what_is_sought_is_kept_where_others_miss_a_target_anyway() {
    let here = folder();
    let shown = here.run(
        "tune diamant --seat 5*threshold:target=2 --vary rules.leave_bonus=0..3 --who people \
         --maximize score_mean@1 --target cards_per_game=..25 --max-games 100k --no-charts --out o",
    );
    let shown = Vec::from_iter(shown.split_whitespace()).join(" ");
    holds(&shown, "cards per game missed with people");
    assert_eq!(here.table("o/best.csv").numbers("best"), [3.0]);
}

/// Every figure of a target at a table is that of its table, and says which.
#[test]
fn figures_of_a_target_are_those_of_its_table() {
    let here = folder();
    let shown = here.run(
        "tune diamant --table young=3*random:leave=0.3 --table old=3*depth --vary rules.rounds=3..6 \
         --target 'cards_per_game at old=30..31' --target 'cards_per_game at young=..15' \
         --target bust_rate=0..1 --max-games 200k --no-charts --out o",
    );
    let names = ["cards_per_game at old", "cards_per_game at young"];
    let steps = "change in cards per game at old";
    holds(&shown.to_lowercase(), &steps.to_lowercase());
    let shown = Vec::from_iter(shown.split_whitespace()).join(" ");
    holds(
        &shown,
        "Some targets are not met at the tables of adapted, old, people and young: cards per game \
         missed with old",
    );
    let targets = here.table("o/targets.csv");
    assert_eq!(targets.column("table")[..2], ["old", "young"]);
    let rounds = here.table("o/best.csv").numbers("best")[0];
    for file in ["candidates", "front"] {
        let table = here.table(&format!("o/{file}.csv"));
        assert!(
            table
                .numbers("bust_rate at all")
                .iter()
                .all(|rate| *rate < 1.0)
        );
        for (name, best) in names.iter().zip(targets.numbers("best")) {
            let found = table.numbers(name);
            let near = |value: &f64| (value - best).abs() < 0.5;
            assert!(
                found.iter().any(near),
                "{file} {name} {best}: {found:?} at {rounds}"
            );
        }
    }
    let around = here.table("o/neighbours.csv");
    let rows = around.pairs("metric", "table");
    let cards = "cards_per_game";
    assert_eq!(
        rows[..3],
        [(cards, "old"), (cards, "young"), ("bust_rate", "all")]
    );
    let steps = around.numbers("difference");
    assert!((steps[0] - steps[1]).abs() > 0.5, "{steps:?}");
}

/// Targets of rules are judged by other players, at whose tables the search goes on.
#[test]
fn targets_are_judged_by_other_players() {
    let here = folder();
    let study = "tune diamant --others people --players 3 --vary rules.rounds=3..6 --max-games 60k \
                 --no-charts --target cards_per_game=20..26 --target 'bust_rate at bold=..0.9'";
    let shown = here.run(&format!("{study} --out o"));
    let who = here.table("o/who.csv");
    let tables = who.column("table");
    assert_eq!(tables, ["people", "careful", "bold", "adapted", "bold"]);
    let must = ["true", "false", "false", "true", "true"];
    assert_eq!(who.column("must"), must);
    holds(
        &shown,
        "target … players … careful … not required … adapted … ended by a trap … bold … at most 90 %",
    );
    // Fresh games of people agree.
    let rounds = &here.table("o/best.csv").numbers("best")[0];
    here.run(&format!(
        "simulate diamant --others people --players 3 --set rounds={rounds} --seed 9 --games 20k \
         --no-charts --out fresh -q"
    ));
    let fresh = here.table("fresh/table.csv");
    let cards = fresh
        .column("metric")
        .iter()
        .position(|of| *of == "cards_per_game");
    let fresh = fresh.numbers("value")[cards.expect("cards")];
    let (best, se) = (who.numbers("best")[0], who.numbers("best_se")[0]);
    assert!((fresh - best).abs() < 5.0 * se + 0.3, "{fresh} {best} {se}");
    // The study and its manifest repeat it, and nobody judges unless somebody is asked.
    here.run("run o/manifest.json --no-charts --out again -q");
    assert_eq!(here.read("o/who.csv"), here.read("again/who.csv"));
    here.run(&format!("{study} --who people,bold --out two -q"));
    assert_eq!(
        here.table("two/who.csv").column("table"),
        ["people", "bold", "bold"]
    );
    let alone = study.split(" --target 'bust").next().expect("a study");
    here.run(&format!("{alone} --who none --out none -q"));
    assert!(!here.has("none/who.csv"));
    here.refused(
        &format!("{TUNE} --players 3 --who people"),
        "vary rules alone, and give a target",
    );
    here.refused(&format!("{study} --who people"), "no table called `bold`");
}
