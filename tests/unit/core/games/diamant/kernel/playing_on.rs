use crate::formula::Formula;
use crate::game::moments::{Course, What};
use crate::game::story::StoryStyle;
use crate::game::{Play, Record, SCORE, Table, WIN};
use crate::games::diamant::features::VOCABULARY;
use crate::games::diamant::referee::{self, Hands};
use crate::games::diamant::rules::{DiamantRules, EDITIONS};
use crate::games::diamant::snapshot::{Point, Settled};
use crate::games::diamant::{DiamantTable, seated};
use crate::strategy::SEATS_MAX;
use crate::streams;
use fearless_simd::Level;

/// Bots that use all features, some of them random numbers.
const BOTS: [&str; 8] = [
    "held + leftover >= 9 or random < 0.1",
    "bust_risk * (held + relic_worth) > 0.9 or cards_left < 4",
    "if chests_open > 0 and chest < best_other_chest then traps_seen > 2 else traps_seen > 1 or just_left > 1",
    "random < held / 20 + relics_on_path / 4",
    "cards_revealed >= 6 or treasure_left < 60 or explorers == 1 and held > 4",
    "rank == 1 and held > 3 or round == 2 and held > 12 or bust_risk > 0.2",
    "held > best_inside / 4 and random < 0.7",
    "chest + held > best_outside and rounds_left < 2 or held > 12",
];

/// Playouts from a moment.
const PLAYOUTS: usize = 8;

fn table(rules: &str, bots: &[&str]) -> DiamantTable {
    let rules = DiamantRules::from_toml("rules", rules).expect("rules");
    let formulas: Vec<Formula> = bots
        .iter()
        .map(|bot| Formula::parse(bot, &[], &VOCABULARY).expect("a formula"))
        .collect();
    let names: Vec<String> = (1..=bots.len()).map(|seat| format!("bot {seat}")).collect();
    let kernel = seated(&rules, &formulas, &names, 0).expect("bots that may look");
    DiamantTable {
        formulas,
        labels: names.clone(),
        names,
        people: vec![false; bots.len()],
        copies: Vec::new(),
        kernel,
    }
}

fn points(course: &Course) -> impl Iterator<Item = (&Point, &What)> + Clone {
    let moments = course.moments.iter();
    moments.map(|moment| (moment.position.of(), &moment.what))
}

#[test]
fn the_kernel_plays_the_referees_playouts() {
    let reshuffled = EDITIONS[0].text.replace("\"leave-game\"", "\"reshuffled\"");
    let treasures = "treasures = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]";
    let few = (EDITIONS[0].text).replace(treasures, "treasures = [1, 2, 200]");
    let wide = EDITIONS[0]
        .text
        .replace("17]", "255, 255, 255, 255, 255, 255, 255, 255, 255]")
        .replace("rounds = 5", "rounds = 20");
    let house = EDITIONS[4]
        .text
        .replace("\"before-decision\"", "\"after-decision\"")
        .replace("\"pooled\"", "\"per-card\"")
        .replace("traps_to_end = 2", "traps_to_end = 3")
        .replace("\"listed\"", "\"shuffled\"");
    let early = EDITIONS[2]
        .text
        .replace("traps_end_from = 1", "traps_end_from = 7")
        .replace("values = []", "values = [5, 5, 5]")
        .replace("\"lone-leaver\"", "\"last-inside\"")
        .replace(
            "leave_bonus = 0",
            "leave_bonus = \"if explorers == players then 9 - leavers else traps_seen\"",
        );
    let after = house.replace("\"before-reveal\"", "\"after-reveal\"");
    let texts = EDITIONS.iter().map(|edition| edition.text);
    let changed = [reshuffled.as_str(), &few, &wide, &house, &early, &after];
    let texts: Vec<&str> = texts.chain(changed).collect();
    for (number, text) in texts.into_iter().enumerate() {
        for seats in 1..=8 {
            let mut bots = BOTS;
            bots.rotate_left((number + seats) % BOTS.len());
            if text.contains("\"hidden\"") {
                bots = [0, 1, 3, 4, 0, 1, 3, 4].map(|bot| BOTS[bot]);
            }
            let table = table(text, &bots[..seats]);
            for game in 0..2 {
                let course = table.course(number as u64, game, StoryStyle::PLAIN);
                let some = points(&course).enumerate().skip(seats % 7).step_by(7);
                for (at, (point, what)) in some {
                    let option = match what {
                        What::Decision(_) => Some(at % 2),
                        What::Event(_) => None,
                    };
                    let mut settled: Settled = point.settled;
                    if let (Some(seat), Some(option)) = (point.seat, option) {
                        settled[seat] = Some(option == 1);
                    }
                    let mut record = Record::new(&table.layout().bare(), PLAYOUTS);
                    record.clear(PLAYOUTS);
                    table.play_point(Level::new(), (point, option), (9, 0), &mut record);
                    for playout in 0..PLAYOUTS {
                        let key = streams::game_key(9, playout as u64);
                        let hands = Hands::Bots(&table.formulas, key);
                        let start = (&point.position, &settled);
                        let result = referee::play_on(&table.kernel.rules, hands, start);
                        let columns = |outcome: usize| -> Vec<i32> {
                            let own = |seat| record.column(2 * seat + outcome)[playout];
                            (0..seats).map(own).collect()
                        };
                        let context =
                            format!("rules {number}, {seats} seats, {point:?}, {option:?}");
                        assert_eq!(columns(SCORE), result.chests(), "{context}");
                        assert_eq!(columns(WIN), result.wins(), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn moments_lead_through_the_whole_game() {
    let table = table(EDITIONS[3].text, &BOTS[..5]);
    for game in 0..20 {
        let course = table.course(3, game, StoryStyle::PLAIN);
        let rounds: Vec<u32> = points(&course)
            .map(|(point, _)| point.position.round)
            .collect();
        assert!(rounds.is_sorted() && rounds.contains(&0) && rounds.contains(&4));
        let mut open = points(&course).filter(|(_, what)| matches!(what, What::Decision(_)));
        assert!(open.all(|(point, _)| point.settled == [None; SEATS_MAX]));
    }
}
