//! Comparisons: sides that share their luck, and what differs between them.

use crate::process::{folder, holds, printed, run};
use carat_core::library::Library;
use carat_core::simulation::{Threads, alone};
use carat_studies::study::Study;
use fearless_simd::Level;

#[test]
fn equal_sides_do_not_differ() {
    let here = folder();
    let same = "--a rules=iello-2016 --b rules=iello-2016";
    let shown = here.run(&format!("compare diamant {same} --games 5000 --out o"));
    holds(&shown, "not significant");
    holds(&shown, "iello-2016 (side b): 0 of");
    assert!(!shown.contains("  more"), "{shown}");
    let differences = here.table("o/differences.csv");
    let head = "side,metric,seat,bot,label,value_a,value,difference,difference_se,difference_low,\
                difference_high";
    assert_eq!(differences.head.join(","), head);
    for row in &differences.rows {
        assert_eq!(row[7..], ["0.0"; 4], "{row:?}");
    }
    here.run("run o/manifest.json --quiet --out again");
    here.same("o", "again");
}

#[test]
fn sides_differ_in_rules_bots_and_parameters() {
    let shown = run(
        "compare diamant --seat 2*threshold --seat 3*depth --a seats.1=threshold:target=9 \
         --b seats.1.target=20 --b rules.traps.snake=6 --c all.depth.cards=4 \
         --games 20000 --no-charts",
    );
    let said = "b: traps.snake: 6 instead of 3; seats.1.target=20 … Changes are against a … metric … side … in % … verdict … traps.snake 6 (side b)";
    holds(&shown, said);
    let chosen = "--metric cards_per_game --define long=cards>40 --games 2000 --no-charts";
    let shown = run(&format!("compare diamant --b rounds=4 {chosen}"));
    let is_figure = |line: &&str| line.starts_with(" cards ") || line.starts_with(" share of ");
    assert_eq!(shown.lines().filter(is_figure).count(), 1, "{shown}");
    holds(&shown, "cards per game … table … long … differences.csv");
}

#[test]
fn a_title_may_stand_at_the_top_and_sides_have_many_letters() {
    let here = folder();
    let study = "study = 'compare'\ntitle = 'On top'\n[table]\ngame = 'diamant'\ngames = 500\n\
                 [sides]\na = []\nb = ['rounds=3']\n";
    here.write("s.toml", study);
    let shown = here.run("run s.toml --no-charts --out o");
    holds(&shown, "On top · Diamant");
    let sides = "--d seats.1.enough=9 --z rounds=3";
    let shown = here.run(&format!(
        "compare diamant --games 500 --no-charts --out o {sides}"
    ));
    for side in ["d", "z"] {
        let is_side = |line: &str| line.split_whitespace().any(|word| word == side);
        let rows = shown
            .lines()
            .filter(|line| line.contains(" table ") && is_side(line));
        assert!(rows.count() > 5, "{side}: {shown}");
    }
    // All sides by all chosen metrics in one table; amounts also change in percent.
    let chosen = "--metric cards_per_game --define long=cards>40";
    let shown = here.run(&format!(
        "compare diamant --games 500 --no-charts --out p {sides} {chosen}"
    ));
    let rows: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains(" table "))
        .collect();
    assert_eq!(rows.len(), 4, "{shown}");
    assert!(
        rows[1].contains(" % ") && rows[1].contains("less"),
        "{shown}"
    );
    // A difference that may be chance says how large it may be.
    let few = "compare diamant --seat 4*people --b treasures.9=2 --games 400 --no-charts --out q";
    holds(
        &here.run(few),
        "mean score (rubies) … not significant; any change is at most",
    );
}

#[test]
fn the_spread_of_win_shares_is_a_metric_like_others() {
    let here = folder();
    let play = |kind: &str, more: &str| {
        let seats = "--seat threshold --seat 2*depth --games 3000 --no-charts";
        here.run(&format!("{kind} diamant {seats} --out {kind} {more}"));
    };
    play("simulate", "");
    let table = here.table("simulate/table.csv");
    let spread = table.rows.iter().find(|row| row[0] == "win_share_spread");
    let spread: f64 = spread.expect("a metric")[1].parse().expect("a number");
    let shares = here.table("simulate/seats.csv").numbers("win_share");
    let [low, high] = [f64::min, f64::max].map(|pick| shares.iter().copied().reduce(pick));
    assert!((high.expect("seats") - low.expect("seats") - spread).abs() < 1e-12);
    play("sweep", "--metric win_share_spread --vary rounds=3,5");
    play("compare", "--b rounds=3");
    holds(&here.read("compare/differences.csv"), "win_share_spread");
}

#[test]
fn each_number_of_the_rules_goes_one_step_down_and_up() {
    let here = folder();
    let table = "diamant --players 3 --games 2000 --quiet --no-charts";
    let play = |kind: &str, what: &str, out: &str| {
        here.run(&format!("{kind} {table} {what} --out {out}"));
        here.table(&format!("{out}/differences.csv")).rows
    };
    let all = play("sweep", "--each", "all");
    let sides = [
        "rounds = 4",
        "traps.snake = 4",
        "treasures.5 = 3",
        "relics.values.10 = 1",
    ];
    for side in sides {
        assert!(all.iter().any(|row| row[0] == side), "{side}");
    }
    // What is printed on the box changes no game.
    assert!(!all.iter().any(|row| row[0].starts_with("players.")));
    let miner =
        "sweep diamond_miner --each=rules.goal,rules.moves --games 50 --no-charts --out idle";
    let ran = here.ends(0, miner);
    holds(&ran.stdout, "Numbers without any effect are only in");
    assert!(!ran.stdout.contains(" moves  "), "{}", ran.stdout);
    let ran = here.ends(
        0,
        "sweep diamant --each=rules --games 60 --quiet --no-charts --out box",
    );
    assert!(!ran.stderr.contains("players.min"), "{}", ran.stderr);
    let traps = play("compare", "--each=traps", "traps");
    let sides = (traps.iter()).filter(|row| row[1] == "bust_rate" && row[2].is_empty());
    assert_eq!(sides.count(), 10, "five traps, down and up");
    // A step is what a side with this change is.
    let by_hand = play("compare", "--b traps.snake=4", "hand");
    let stepped = traps.iter().filter(|row| row[0] == "traps.snake = 4");
    let (stepped, by_hand) = (stepped.map(|row| &row[1..11]), by_hand.iter());
    assert!(stepped.eq(by_hand.map(|row| &row[1..])));

    play("sweep", "--each=seats.1 --format csv,html", "seat");
    let shown = here.run("run seat/manifest.json --no-charts --format csv,html --out again");
    holds(&shown, "step to … seats.1.enough");
    // By its declared step, and no further than its declared range.
    let stepped = here.table("seat/differences.csv");
    let names = stepped.rows.iter().map(|row| row[0].as_str());
    let of_bot =
        Vec::from_iter(names.filter(|name| name.contains("per_trap") || name.contains("spread")));
    assert!(of_bot.contains(&"seats.1.per_trap = 1.5"), "{of_bot:?}");
    assert!(
        !of_bot.iter().any(|name| name.contains("= -")),
        "{of_bot:?}"
    );
    holds(&here.read("seat/manifest.json"), "win_share@1");
    holds(&shown, "rank … number … Numbers of equal rank");
    holds(&here.read("again/report.html"), "Numbers of equal rank");
    here.same("seat", "again");

    here.refuses_as("compare");
    here.refuses_as("compare-2");
}

/// At each of several tables the differences are those of a comparison at that table alone.
#[test]
fn sides_play_at_several_tables() {
    let here = folder();
    let side = "compare diamant --b traps.snake=5 --games 20k --no-charts --quiet";
    let tables = "--table family=4*people,random --table experts=3..4*solved-3 --out all";
    here.run(&format!("{side} {tables}"));
    let all = here.table("all/differences.csv");
    let names = all.column("table");
    for (name, seats) in [
        ("family", "--seat 4*people --seat random"),
        ("experts, 3 players", "--seat 3*solved-3"),
    ] {
        here.run(&format!("{side} {seats} --out one"));
        let own = here.table("one/differences.csv").numbers("difference");
        let rows = all.numbers("difference").into_iter().zip(&names);
        let found: Vec<f64> = rows.filter(|row| *row.1 == name).map(|row| row.0).collect();
        assert_eq!(found, own, "{name}");
    }
    assert!(names.contains(&"experts, 4 players"));
    here.refuses_as("compare-3");
}

/// Skilled players adapt to the rules of each side, and people do not.
#[test]
fn skilled_players_adapt_to_each_side() {
    let here = folder();
    let line = "compare diamant --b rounds=3 --players 3 --adapt --populations 2 --population-games 2k \
                --games 20k --no-charts --json";
    let found = here.json(line);
    let rows = found["tables"]["differences"].as_array().expect("rows");
    let cards = |table: &str| {
        let row = rows
            .iter()
            .find(|row| row["table"] == table && row["metric"] == "cards_per_game");
        row.expect("a row")["difference"].as_f64().expect("a value")
    };
    let [people, skilled, experts] = ["people", "skilled", "experts"].map(cards);
    assert!(people < -8.0 && skilled < -8.0 && experts < -8.0);
    assert!(people != skilled && skilled != experts);
    // Each metric of the table stands once, with the tables at which it changes.
    let shown = here.run("compare diamant --b rounds=3 --table 'old=3*people' --table new=3*bold --games 20k --no-charts --out o");
    let (_, patterns) = shown
        .split_once("What b changes at each table, of ")
        .expect("a list");
    let less = patterns
        .lines()
        .find(|line| line.starts_with("less for all ("))
        .expect("a line");
    assert!(less.contains("cards per game"), "{shown}");
}

/// Equal seats have one row, and shares that are equal by symmetry none; what changed most comes first.
#[test]
fn comparisons_open_with_what_changed_most() {
    let here = folder();
    let study = "compare diamant --seat 5*people --b traps.snake=5 --games 20000 --svg --out o";
    let shown = here.draw(study);
    let said = "metric … rounds of decisions … winning margin (rubies) … comebacks: share of games in \
                which … These results are for people, 5 seats;";
    holds(&shown, said);
    let is_row = |start: &str| shown.lines().any(|line| line.trim().starts_with(start));
    assert!(
        !is_row("win share ") && is_row("mean score (rubies) "),
        "{shown}"
    );
    let chart = here.read("o/score_differences.svg");
    assert!(chart.contains("people, 5 seats") && !chart.contains("(seat "));
    let page = here.read("o/report.html");
    let first = page.split("<h2>").next().expect("a first screen");
    assert!(
        first.contains("These results are for people, 5 seats")
            && !first.contains("Change in win shares")
    );
    let swept = run(
        "sweep diamant --seat threshold --others people --players 4 --games 500 \
                     --vary seats.1.target=5..7 --no-charts",
    );
    holds(
        &swept,
        "seats: threshold (seat 1, varies); people, 3 seats … These results are for people, 3 seats;",
    );
}

/// Each paragraph of the page on a side names it.
#[test]
fn every_paragraph_names_its_side() {
    let here = folder();
    here.run(
        "compare diamant --players 3 --b rounds=2 --c rounds=3 --d rounds=4 --games 500 \
         --format html --no-charts --out o",
    );
    let page = here.read("o/report.html");
    let clearest = page.lines().filter(|line| line.contains("The clearest: "));
    let clearest = Vec::from_iter(clearest.filter(|line| line.starts_with("<p>")));
    assert!(clearest.len() >= 3);
    for (line, side) in clearest.iter().zip(["b", "c", "d"]) {
        assert!(line.contains(&format!("(side {side})")), "{line}");
    }
}

/// The ranks of steps are those of one metric in the terminal, the chart, the page and the table.
#[test]
fn steps_have_one_rank_everywhere() {
    let here = folder();
    let shown = here.run(
        "sweep diamant --players 3 --each=rounds,traps.snake,treasures --metric cards_per_game \
         --games 2000 --svg --out o",
    );
    let table = here.table("o/differences.csv");
    let own = |row: &&Vec<String>| row[1] == "cards_per_game";
    let places = ["path", "rank", "from", "to", "side"].map(|name| table.place(name));
    let [path, rank, from, to, side] = places;
    let mut ranks: Vec<(String, String)> = Vec::new();
    for row in table.rows.iter().filter(own) {
        assert_eq!(row[side], format!("{} = {}", row[path], row[to]));
        assert_ne!(row[from], row[to]);
        ranks.push((row[path].clone(), row[rank].clone()));
    }
    ranks.sort();
    ranks.dedup();
    let mut of_terminal = Vec::new();
    for line in shown.lines() {
        let (rank, rest) = line.trim().split_once(' ').unwrap_or_default();
        if rank.parse::<u64>().is_ok() && rest.trim().contains("  ") {
            let number = rest.trim().split("  ").next().expect("a number");
            of_terminal.push((number.to_string(), rank.to_string()));
        }
    }
    of_terminal.sort();
    of_terminal.dedup();
    assert_eq!(of_terminal, ranks);
    let in_order: Vec<u64> = ranks
        .iter()
        .map(|(_, rank)| rank.parse().expect("a rank"))
        .collect();
    assert!(
        in_order.contains(&1) && in_order.iter().any(|rank| *rank > 2),
        "{ranks:?}"
    );
    for file in ["o/steps.svg", "o/report.html"] {
        let chart = here.read(file);
        for (number, rank) in &ranks {
            let (_, after) = chart
                .split_once(&format!("\n{number}\n"))
                .expect("a row of the chart");
            let (_, detail) = after.split_once(" · rank ").expect("a rank");
            let drawn = detail.split(['\n', '<']).next();
            assert_eq!(drawn, Some(rank.as_str()), "{file}: {number}");
        }
    }
}

/// Changes in percent have a sign of percent, and charts of one metric print its change as the terminal.
#[test]
fn charts_print_changes_with_their_unit() {
    let here = folder();
    let five = "--b rounds=4 --c rounds=6 --d rounds=7 --e rounds=3 --metric cards_per_game";
    let shown = here.run(&format!(
        "compare diamant --games 2000 --svg --out o {five}"
    ));
    let chart = here.read("o/cards_per_game.svg");
    for side in ["b", "c", "d", "e"] {
        let mut rows = shown.lines().map(|line| {
            let fields = line.split("  ").map(str::trim);
            Vec::from_iter(fields.filter(|field| !field.is_empty()))
        });
        // Metric, table, side, both values and the change.
        let row = rows.find(|row| row.get(2) == Some(&side));
        let change = row.expect("the side's row")[5];
        assert!(chart.contains(change), "{change}");
    }
    here.run("compare diamant --games 2000 --svg --quiet --out p --b rounds=4");
    let chart = here.read("p/table_differences.svg");
    assert!(chart.lines().any(|line| line.contains(" ± ")));
    for line in chart.lines().filter(|line| line.contains(" ± ")) {
        assert!(line.contains(" %"), "{line}");
    }
}

/// Lists that differ are shown whole, before and after.
#[test]
fn changed_lists_are_shown_whole() {
    let sides = "--b relics.values=[3,4,6,8,12] --games 100 --no-charts";
    let shown = run(&format!("compare diamant {sides}"));
    holds(
        &shown,
        "relics.values: [3, 4, 6, 8, 12] instead of [5, 5, 5, 10, 10]",
    );
}

/// Bots made for other rules are named on the terminal, the page, every chart and the page to print,
/// in each kind of study.
#[test]
fn bots_made_for_other_rules_are_named() {
    let here = folder();
    let rules = "--set traps.snake=2 --set rounds=2";
    let three = "--seat solved-3 --others people --players 3";
    let lines = [
        format!("simulate diamant {three} {rules} --games 500"),
        format!("compare diamant {three} --b rounds=2 --games 500"),
        "compare diamant --players 3 --b rounds=2 --table people=people --table best=solved-3 \
         --games 500"
            .to_string(),
        format!("sweep diamant {three} --vary rounds=2,3 --games 500"),
        format!("sweep diamant {three} --each=rounds --games 500"),
        format!("tournament diamant --bots people,solved-3 --players 3 {rules} --games 500"),
        format!(
            "tune diamant {three} {rules} --vary rules.rounds=2,3 --target cards_per_game=1..90 --max-games 20k"
        ),
        format!("rule diamant --players 3 {rules} --games 1k"),
    ];
    for (at, line) in lines.iter().enumerate() {
        let ran = here.ends(0, &format!("{line} --svg --out {at}"));
        let shown = format!("{} {}", ran.stderr, ran.stdout);
        let shown = Vec::from_iter(shown.split_whitespace()).join(" ");
        holds(&shown, "made for other rules … solved-3 for iello-2016");
        assert_eq!(shown.matches("made for other rules").count(), 1, "{shown}");
        let page = here.read(&format!("{at}/report.html"));
        // With the side for which it holds, if not for all.
        let of = match at {
            1 | 2 => ", 3 players (side b)",
            4 => ", 3 players (some steps)",
            _ => "",
        };
        holds(&page, &format!("Note: … solved-3 for iello-2016{of}"));
        let names = here.names(&at.to_string());
        let charts: Vec<&String> = names.iter().filter(|name| name.ends_with(".svg")).collect();
        assert!(!charts.is_empty(), "{line}");
        for chart in charts {
            let chart = here.read(&format!("{at}/{chart}"));
            let texts = chart.lines().filter(|line| !line.starts_with('<'));
            // A line may end at a hyphen.
            holds(
                &Vec::from_iter(texts).join(" ").replace("- ", "-"),
                "for other rules … solved-3 for iello-2016",
            );
        }
        if line.starts_with("rule") {
            let page = here.bytes(&format!("{at}/rule.pdf"));
            holds(&printed(&page), "made for other rules … solved-3");
        }
    }
}

/// Also the first side at each further table.
#[test]
fn the_cap_is_watched_at_every_arm() {
    let text = "study = \"compare\"\ngame = \"diamond_miner\"\ngames = 20\n\
                sides = { a = [], b = [\"rules.goal=2\"] }\n\
                tables = { small = \"2*builder\", large = \"3*builder\" }\n";
    let study = Study::from_toml("a.toml", text).expect("a study");
    let ready = study.resolve(&Library::default()).expect("bots exist");
    let threads = Threads::start(1).expect("a thread");
    let played = alone(&threads, Level::new(), |player| ready.play(player));
    let played = played.expect("nothing fails").expect("nothing stops it");
    let capped = played.outcome().capped;
    let names: Vec<&str> = capped.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "a", "b"]);
    assert!(capped.iter().all(|arm| arm.games == 20));
}

const DECIDE: &str = "compare diamant --seat '5*people' --b traps.snake=4 --no-charts --decide";

#[test]
fn a_comparison_ends_with_its_verdict() {
    let here = folder();
    for (decide, verdict) in [("cards_per_game", "less"), ("cards_per_game=±2", "within")] {
        let shown = here.run(&format!("{DECIDE} {decide} --out o"));
        holds(&shown, &format!("decided: {verdict}"));
        let table = here.table("o/differences.csv");
        let row = table
            .column("metric")
            .iter()
            .position(|name| *name == "cards_per_game");
        let row = row.expect("the metric");
        assert_eq!(table.column("decided")[row], verdict);
        assert_eq!(
            table
                .column("decided")
                .iter()
                .filter(|it| !it.is_empty())
                .count(),
            1
        );
        let number = |name: &str| table.column(name)[row].parse::<f64>().expect(name);
        let wider = number("anytime_low") < number("difference_low");
        assert!(wider && number("anytime_high") > number("difference_high"));
        here.run("run o/manifest.json --quiet --out p");
        here.same("o", "p");
        let again = here.ends(0, &format!("{DECIDE} {decide} --out o --resume"));
        again.says("this study is complete");
        // A rehearsal plays its own number of games.
        here.run("run o/manifest.json --games 500 --quiet --out q");
        assert!(
            !here
                .table("q/differences.csv")
                .head
                .contains(&"decided".to_string())
        );
    }
}

#[test]
fn an_undecided_comparison_says_so() {
    let here = folder();
    let same = "--b rules=iello-2016 --max-games 20k --out o";
    let ran = here.ends(
        3,
        &format!("compare diamant {same} --decide win_share@1=0.0001"),
    );
    ran.says("the difference is not decided: after 20,000 games … max_games allows no more");
    holds(&ran.stdout, "not decided");
    here.ends(3, "run o/manifest.json --quiet --out p");
    here.same("o", "p");
    here.ends(
        0,
        &format!("compare diamant {same} --decide win_share@1=0.01"),
    );
}

#[test]
fn a_verdict_excludes_other_goals() {
    let here = folder();
    let study = "study = 'compare'\ngame = 'diamant'\nsides = { a = [], b = ['rounds=4'] }\n";
    let goals = "decide: remove games, precision, expect and metric";
    for (key, said) in [
        ("games = 500", goals),
        ("precision = 0.1", goals),
        ("metric = 'win_share'", goals),
        ("each = 'traps'", "each and sides"),
    ] {
        here.write(
            "s.toml",
            format!("{study}decide = 'cards_per_game'\n{key}\n"),
        );
        here.refused("run s.toml", said);
    }
    let each = "study = 'compare'\ngame = 'diamant'\neach = 'traps'\ndecide = 'win_share@1'\n";
    here.write("s.toml", each);
    here.refused("run s.toml", "each and decide");
    here.refused(&format!("{DECIDE} cards_per_game --shard 1/2"), "decide");
    for margin in ["0", "±-1", "-0.5"] {
        here.refused(
            &format!("{DECIDE} cards_per_game={margin}"),
            "METRIC=±MARGIN: write a number above 0",
        );
    }
    here.refused(&format!("{DECIDE} cards"), "cards");
    here.refused(&format!("{DECIDE} cards_per_game --games 500"), goals);
}
