//! What is counted of a game beside wins and scores: decisions, leaders, waits, and what is used.

use crate::fixtures::{diamant, edition, game, table};
use carat_core::game::{Record, Table};
use fearless_simd::Level;

const GAMES: usize = 400;

/// The games of a table, and how to look a column up by its name.
struct PlayedGames {
    table: Box<dyn Table>,
    record: Record,
}

impl PlayedGames {
    fn of(table: Box<dyn Table>) -> PlayedGames {
        let mut record = Record::new(table.layout(), GAMES);
        table.play(Level::new(), 5, 0, &mut record);
        PlayedGames { table, record }
    }

    fn has(&self, name: &str) -> bool {
        let columns = self.table.layout().column_infos();
        columns.iter().any(|column| column.name == name)
    }

    fn column(&self, name: &str) -> &[i32] {
        let columns = self.table.layout().column_infos();
        let at = columns.iter().position(|column| column.name == name);
        self.record.column(at.expect("a column"))
    }
}

#[test]
fn games_are_decided_in_front_or_by_a_comeback() {
    let bots = ["threshold", "depth:cards=5", "traps", "last-out"];
    for (rules, sets, rounds) in [
        ("iello-2016", &[][..], 5),
        ("schmidt-2005-alt", &[], 5),
        ("incan-gold-2006", &["rounds=3"], 3),
        (
            "iello-2016",
            &["first_card=after-decision", "rounds=20"],
            20,
        ),
        ("iello-2016", &["rounds=1"], 1),
    ] {
        let played = PlayedGames::of(diamant(rules, sets, &bots));
        let name = |after: usize| format!("leader_{after}_win_rate");
        assert!(!played.has(&name(rounds)), "{rules} {sets:?}");
        let comeback = played.column("comeback_rate");
        if rounds == 1 {
            assert!(comeback.iter().all(|back| *back == 0));
            continue;
        }
        let last = played.column(&name(rounds - 1)).iter().zip(comeback);
        assert!(last.clone().all(|(leads, back)| leads + back == 1));
        for after in 1..rounds {
            let [wins, sole, sole_wins] = [
                name(after),
                format!("sole_leader_{after}"),
                format!("sole_leader_{after}_wins"),
            ]
            .map(|name| played.column(&name));
            for game in 0..GAMES {
                assert_eq!(sole_wins[game], sole[game] * wins[game]);
            }
            assert!(
                (1..GAMES as i32).contains(&sole.iter().sum()),
                "{rules} {sets:?}"
            );
        }
        // Leads after more expeditions are held more often.
        let held = |after| played.column(&name(after)).iter().sum::<i32>();
        assert!(held(1) < held(rounds - 1), "{rules} {sets:?}");
    }
}

/// Copies of a bot without luck are always tied, so no leader is alone; a single expedition has no
/// leader before its end; and who banks the only rubies leads alone to the end.
#[test]
fn a_sole_leader_is_ahead_of_all_others() {
    let alike = PlayedGames::of(diamant("iello-2016", &[], &["depth"; 5]));
    let once = PlayedGames::of(diamant("iello-2016", &["rounds=1"], &["depth"; 5]));
    assert!(!once.has("sole_leader_1"));
    let ahead = PlayedGames::of(diamant(
        "iello-2016",
        &["rounds=3"],
        &["depth:cards=1", "depth:cards=99"],
    ));
    let scores = ["score_mean@1", "score_mean@2"].map(|name| ahead.column(name));
    for after in 1..3 {
        let column = |name: &str| format!("sole_leader_{after}{name}");
        assert!(alike.column(&column("")).iter().all(|sole| *sole == 0));
        assert!(
            alike
                .column(&format!("leader_{after}_win_rate"))
                .iter()
                .all(|wins| *wins == 1)
        );
        let [sole, wins] = ["", "_wins"].map(|name| ahead.column(&column(name)));
        let mut games = 0;
        for game in 0..GAMES {
            // The other never leaves in time: all of its games end with an empty chest.
            if scores[1][game] == 0 && sole[game] == 1 {
                assert_eq!(wins[game], 1);
                games += 1;
            }
        }
        assert!(games > 0);
    }
}

/// One explorer leaves after the first card, the other never: every later card is one to wait for.
#[test]
fn waits_and_decisions_follow_from_the_cards() {
    let bots = ["depth:cards=1", "depth:cards=99"];
    for (rules, sets, first_left, entrances) in [
        ("iello-2016", &["rounds=1"][..], 1, 0),
        (
            "iello-2016",
            &["rounds=1", "first_card=after-decision"],
            1,
            1,
        ),
        // There leavers collect after the next card.
        ("schmidt-2005-alt", &["rounds=1"], 2, 0),
    ] {
        let played = PlayedGames::of(diamant(rules, sets, &bots));
        let cards = played.column("cards_per_game");
        let busts = played.column("bust_rate");
        let waits = played.column("longest_wait_mean");
        let decisions = played.column("decisions_per_game");
        for at in 0..GAMES {
            assert_eq!(waits[at], cards[at] - first_left, "{rules} {sets:?}");
            assert_eq!(decisions[at], cards[at] - busts[at] + entrances);
        }
    }
    // Several expeditions: the longest counts.
    let played = PlayedGames::of(diamant("iello-2016", &[], &bots));
    let cards = played.column("cards_per_game").iter();
    let mut waits = cards.zip(played.column("longest_wait_mean"));
    assert!(waits.all(|(cards, wait)| *wait < cards - 5 && 5 * wait >= cards - 5));
    let alone = table(game("diamant"), &edition("iello-2016"), &["threshold"]);
    let alone = PlayedGames::of(alone.expect("a bot alone"));
    assert!(alone.column("longest_wait").iter().all(|wait| *wait == 0));
}

#[test]
fn laid_cards_are_digs_and_plans() {
    let played = PlayedGames::of(
        table(
            game("diamond_cave"),
            game("diamond_cave").editions[0].text,
            &["surveyor", "people"],
        )
        .expect("two bots"),
    );
    let layout = played.table.layout();
    let by_card = layout.counts.len() - 1;
    for (seat, outcomes) in [["digs@1", "plans@1"], ["digs@2", "plans@2"]]
        .into_iter()
        .enumerate()
    {
        for (planned, outcome) in outcomes.into_iter().enumerate() {
            let rows = [0, 2, 4].map(|kind| layout.count(by_card, kind + planned, 3 * seat));
            let laid: u64 = rows.iter().map(|&at| played.record.counts[at]).sum();
            let counted = played.column(outcome).iter().sum::<i32>();
            assert_eq!(laid, counted as u64, "{outcome}");
        }
    }
}
