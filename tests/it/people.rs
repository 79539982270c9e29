//! Bots that play like people: what their descriptions say is what they do, in every game.

use crate::decisions::{numbers, read};
use crate::process::{Folder, folder, holds};

const QUICK: &str = "--no-charts --quiet --threads 1";

/// The numbers of rubies that a description of Diamant names, and the traps showing there.
fn limits(here: &Folder, bot: &str) -> [(f64, f64); 2] {
    let said = here.run(&format!("show strategy diamant {bot}"));
    let words = Vec::from_iter(said.split_whitespace());
    let number = |after: &[&str]| {
        let mut places = words.windows(after.len());
        let at = places.position(|found| found == after).expect(&said) + after.len();
        words[at].parse().expect("a number of rubies")
    };
    [
        (0.0, number(&["leaves", "at", "about"])),
        (2.0, number(&["showing,", "at", "about"])),
    ]
}

#[test]
fn temperaments_leave_where_they_say() {
    leave_where_they_say(15_000, 4.0);
}

#[test]
#[ignore = "full set"]
fn temperaments_of_many_games_leave_where_they_say() {
    leave_where_they_say(60_000, 0.0);
}

/// At the rubies of their descriptions, careful and bold leave half of the time; 3 more rubies and
/// they mostly leave, 3 fewer and they mostly stay. A table of people does so from the one end of
/// its range to the other, within so many standard errors.
fn leave_where_they_say(games: u64, errors: f64) {
    let here = folder();
    here.run(&format!(
        "simulate diamant --seat careful --seat bold --seat human:bias=-3,relic=1 \
         --seat human:bias=-8,relic=1 --set rounds=2 --games {games} --raw decisions {QUICK} --out o"
    ));
    let rows = read(&here, "o/decisions.parquet");
    let names = [
        "seat",
        "chosen",
        "held",
        "leftover",
        "explorers",
        "traps_seen",
        "relics_on_path",
        "rounds_left",
    ];
    let [
        seat,
        chosen,
        held,
        leftover,
        explorers,
        traps,
        relics,
        later,
    ] = names.map(|name| numbers(&rows, name));
    let [careful, bold] = ["careful", "bold"].map(|bot| limits(&here, bot));
    let ends = [[(0.0, 9.0), (2.0, 4.0)], [(0.0, 23.0), (2.0, 18.0)]];
    for (number, limits) in (1..).zip([careful, bold].into_iter().chain(ends)) {
        for (showing, limit) in limits {
            let share = |from: f64, to: f64| {
                let (mut left, mut all) = (0.0, 0.0);
                for row in 0..seat.len() {
                    let take = held[row] + (leftover[row] / explorers[row]).floor();
                    // In the last expedition some know the score.
                    let at = (seat[row], traps[row], relics[row], later[row]);
                    if at == (f64::from(number), showing, 0.0, 1.0) && (from..=to).contains(&take) {
                        left += chosen[row];
                        all += 1.0;
                    }
                }
                assert!(
                    all > games as f64 / 2000.0,
                    "seat {number}, {showing} traps: {all} decisions"
                );
                (left / all, errors * (0.25 / all).sqrt())
            };
            let (at, slack) = share(limit - 1.0, limit + 1.0);
            assert!(
                (at - 0.5).abs() < 0.14 + slack,
                "seat {number}, {showing} traps: {at}"
            );
            let (less, slack) = share(0.0, limit - 3.0);
            assert!(
                less < 0.3 + slack,
                "seat {number}, {showing} traps: {less} below"
            );
            let (more, slack) = share(limit + 3.0, 99.0);
            assert!(
                more > 0.65 - slack,
                "seat {number}, {showing} traps: {more} above"
            );
        }
    }
}

/// In the other games the descriptions name what such a player does in a game.
#[test]
fn temperaments_dig_and_build_as_they_say() {
    let here = folder();
    let play = |game: &str, games: u64| {
        here.run(&format!(
            "simulate {game} --seat careful --seat people --seat bold --seat people \
             --games {games} {QUICK} --out {game}"
        ));
        here.table(&format!("{game}/seats.csv"))
    };
    let cave = play("diamond_cave", 3000);
    let [digs, blocked] = ["digs_per_turn", "blocked_turn_rate"].map(|name| cave.numbers(name));
    for (at, said) in [1.0, 2.0, 3.0].into_iter().enumerate() {
        assert!((digs[at] - said).abs() < 0.3, "{digs:?}");
    }
    let of = |rate: f64| (1.0 / rate).round();
    assert_eq!([of(blocked[0]), of(blocked[2])], [9.0, 4.0], "{blocked:?}");
    let mine = play("diamond_miner", 2000);
    let [shields, swords] = ["shields_per_game", "swords_per_game"].map(|name| mine.numbers(name));
    assert!(
        (4.0..5.0).contains(&shields[0]) && swords[0] == 0.0,
        "{shields:?} {swords:?}"
    );
    assert!(
        (2.5..3.5).contains(&shields[1]) && shields[2] < 0.2,
        "{shields:?}"
    );
}

/// One command seats a family beside the best bot, and the same names play everywhere.
#[test]
fn a_family_is_seated_by_name() {
    let here = folder();
    for (game, best, people) in [
        ("diamant", "solved-5", 2),
        ("diamond_cave", "solved-4", 1),
        ("diamond_miner", "solved-4", 2),
    ] {
        here.run(&format!(
            "simulate {game} --seat best --others careful,bold,{people}*people --games 20 {QUICK} \
             --out o --restart"
        ));
        let seats = [&[best, "careful", "bold"][..], &vec!["people"; people]].concat();
        assert_eq!(here.table("o/seats.csv").column("bot"), seats, "{game}");
        here.run(&format!(
            "run o/manifest.json {QUICK} --out again --restart"
        ));
        here.same("o", "again");
        let listed = here.run(&format!("list {game}"));
        holds(
            &listed,
            " bold … Dares more: … careful … Plays safe: … people … A guess at a mix",
        );
    }
}

/// Who has a name of their own goes by it in situations, also beside two of one name.
#[test]
fn temperaments_are_named_in_situations() {
    let here = folder();
    let advise = |line: &str| here.json(&format!("advise diamant {line} --playouts 200 --json"));
    let by_name = advise("'5 7 / careful people2 leave / 3'");
    assert_eq!(by_name["advice"]["decision"], true, "{by_name}");
    assert_eq!(by_name, advise("'5 7 / @4 @2 leave / 3'"));
}

/// A person who heeds no relics plays as before there was a weight for them, to the bit.
#[test]
fn people_heed_relics_by_their_weight() {
    let here = folder();
    let human = here.run("show strategy diamant human");
    let line = human
        .lines()
        .find(|line| line.starts_with("let relics"))
        .expect("a line");
    let older = human
        .replace(
            line,
            "let relics = if explorers == 1 then relic_worth else 0;",
        )
        .replace("relic = 0\n", "");
    here.write("older.toml", older);
    let play = |bot: &str, out: &str| {
        here.run(&format!(
            "simulate diamant --seat {bot}:bias=-6,spread=2 --seat 3*{bot} --games 20000 {QUICK} \
             --out {out}"
        ));
        let seats = here.table(&format!("{out}/seats.csv"));
        [
            seats.numbers("score_mean"),
            seats.numbers("relics_per_game"),
        ]
    };
    let now = play("human", "now");
    assert_eq!(now, play("older.toml", "older"));
    // Those who count the relics leave with them earlier, so the first gets fewer.
    here.run(&format!(
        "simulate diamant --seat human:bias=-6,spread=2 --seat 3*human:relic=1 --games 20000 \
         {QUICK} --out heed"
    ));
    let heed = here.table("heed/seats.csv").numbers("relics_per_game");
    assert!(heed[0] < now[1][0] - 0.05, "{heed:?} {now:?}");
}

/// Who knows the score stays longer in the last expedition while behind, so leads change hands; where
/// chests are hidden nobody knows it. Half of all included people do.
#[test]
fn people_who_know_the_score_come_back() {
    let here = folder();
    let metrics = |seat: &str, more: &str| {
        here.run(&format!(
            "simulate diamant --seat {seat} --games 20000 {more} {QUICK} --out o --restart"
        ));
        let table = here.table("o/table.csv");
        let comebacks = table
            .column("metric")
            .iter()
            .position(|of| *of == "comeback_rate");
        (
            table.numbers("value")[comebacks.expect("a row")],
            table.rows,
        )
    };
    let hidden = "--set chests=hidden";
    for (bias, bot) in [
        ("-5.5,spread=2.5", "people"),
        ("-3.5", "careful"),
        ("-6.5", "bold"),
    ] {
        let own = format!("3*human:bias={bias},relic=1");
        let all = format!("{own},behind=6,ahead=1");
        let half = format!("3*{bot}");
        let [none, some, most] = [&own, &half, &all].map(|seat| metrics(seat, "").0);
        assert!(
            none + 0.02 < some && some + 0.02 < most,
            "{bot}: {none:?} {some:?} {most:?}"
        );
        assert_eq!(metrics(&own, hidden), metrics(&all, hidden), "{bot}");
    }
}

/// Several games of simulated people are fitted; the win share of a rule against them has a margin
/// for what is not known of them, and holds the true one.
#[test]
fn what_a_fit_does_not_know_is_in_the_margin() {
    let here = folder();
    let seats = [
        "human:bias=-7,relic=1",
        "human:bias=-3.5,relic=1",
        "human:bias=-5,relic=1",
    ];
    let evening = here.inner("evening");
    for game in 0..3 {
        let seated = seats.map(|seat| format!("--seat {seat} ")).concat();
        let record = here.run(&format!("replay diamant --record {seated} --game {game}"));
        let cards = record.lines().filter(|line| !line.starts_with(['#', 'p']));
        let cards = Vec::from_iter(cards).join("\n");
        evening.write(
            &format!("{game}.txt"),
            format!("players Anna Ben Cleo\n{cards}\n"),
        );
    }
    evening.write("notes.md", "nothing");
    let files = "evening/0.txt evening/1.txt evening/2.txt";
    let found = here.json("fit diamant evening --json --out evening");
    // Fitted bots are no records, and the folder is its files.
    assert_eq!(found, here.json(&format!("fit diamant {files} --json")));
    assert_eq!(found, here.json("fit diamant evening --json"));
    let first = &found["people"][0];
    assert_eq!(first["draws"].as_array().map(Vec::len), Some(16), "{first}");
    assert!(first["more_games"].as_u64() > Some(3), "{first}");
    holds(
        &here.run("fit diamant evening"),
        "3 games … more halve them",
    );
    here.inner("empty");
    here.refused("fit diamant empty", "no record in it");
    here.write(
        "one.toml",
        "leave = \"held + leftover + relic_worth >= enough\"\n[params]\n\
         enough = { value = 12, range = [4, 20], step = 4 }\n",
    );
    let people = "evening/Ben.toml,evening/Cleo.toml";
    let rule = format!("rule diamant --family one.toml --games 20k {QUICK}");
    here.run(&format!("{rule} --others {people} --out rule"));
    let friends = here.table("rule/friends.csv");
    let of = |column: &str| friends.numbers(column)[0];
    assert!((0.01..0.1).contains(&of("same_se")), "{}", of("same_se"));
    // Beside two with the rule they take turns, and the same is not known of them in each.
    let two = friends.numbers("same_se")[1];
    assert!((0.03..0.1).contains(&two), "{two}");
    here.run(&format!(
        "simulate diamant --seat rule/rule.toml --seat {} --seat {} --games 40000 {QUICK} --out true",
        seats[1], seats[2]
    ));
    let truth = here.table("true/seats.csv").numbers("win_share")[0];
    assert!(
        (of("same_low")..=of("same_high")).contains(&truth),
        "{truth}"
    );
    holds(
        &here.run(&format!(
            "{} --others {people} --out again",
            rule.replace("--quiet", "")
        )),
        "Margins of error against … Cleo include",
    );
    let shown = here.ends(
        0,
        &format!("simulate diamant --seat best --others {people} --games 20"),
    );
    holds(&shown.stderr, "what is not known of Ben, Cleo");
    // So it is in the margin of advice.
    let error = |others: &str| {
        let advice = here.json(&format!(
            "advise diamant '5 7 snake' --others {others} --json"
        ));
        let lead = &advice["advice"]["leave_minus_stay"];
        lead["win_share_se"].as_f64().expect("an error")
    };
    let [known, fitted] =
        [format!("{},{}", seats[1], seats[2]), people.to_string()].map(|o| error(&o));
    assert!(fitted > 1.5 * known, "{fitted} {known}");
}
