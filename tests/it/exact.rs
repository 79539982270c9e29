//! Exact values: a dynamic program and full enumeration as oracles of the simulation.

use crate::fixtures::{diamant, estimate, play};
use carat::game::SCORE_MEAN;

const TREASURES: [u32; 15] = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17];

/// What a lone explorer expects of one expedition with the full deck of 2005 under a policy that
/// sees the treasures drawn (a set) and the number of kinds of trap on the path.
struct Expedition<'a> {
    leave: &'a dyn Fn(u32, u32, u32) -> Option<bool>,
    known: Vec<Option<f64>>,
}

impl Expedition<'_> {
    /// Expected rubies brought home after at least one card; `leave(cards, traps, held)` decides,
    /// and `None` takes what is better.
    fn value(leave: &dyn Fn(u32, u32, u32) -> Option<bool>) -> f64 {
        Expedition {
            leave,
            known: vec![None; 6 << 15],
        }
        .go_on(0, 0)
    }

    fn stand(&mut self, drawn: usize, traps: u32) -> f64 {
        let held = held(drawn);
        let cards = drawn.count_ones() + traps;
        match (self.leave)(cards, traps, held) {
            Some(true) => f64::from(held),
            Some(false) => self.go_on(drawn, traps),
            None => f64::from(held).max(self.go_on(drawn, traps)),
        }
    }

    fn go_on(&mut self, drawn: usize, traps: u32) -> f64 {
        let index = drawn * 6 + traps as usize;
        if let Some(value) = self.known[index] {
            return value;
        }
        let left = f64::from(30 - drawn.count_ones() - traps);
        let mut sum = 0.0;
        for card in (0..15).filter(|card| drawn >> card & 1 == 0) {
            sum += self.stand(drawn | 1 << card, traps);
        }
        if traps < 5 {
            sum += f64::from(3 * (5 - traps)) * self.stand(drawn, traps + 1);
        }
        self.known[index] = Some(sum / left);
        sum / left
    }
}

/// What a lone explorer who leaves after so many cards still expects, when its first card was a
/// treasure of this value, or a trap when that is 0.
pub fn after_first_card(cards: u32, treasure: u32) -> f64 {
    let mut expedition = Expedition {
        leave: &|seen, _, _| Some(seen >= cards),
        known: vec![None; 6 << 15],
    };
    match TREASURES.iter().position(|value| *value == treasure) {
        Some(card) => expedition.go_on(1 << card, 0),
        None => expedition.go_on(0, 1),
    }
}

fn held(drawn: usize) -> u32 {
    (0..15)
        .filter(|card| drawn >> card & 1 == 1)
        .map(|card: usize| TREASURES[card])
        .sum()
}

#[test]
fn one_expedition_alone_has_its_exact_values() {
    let optimal = Expedition::value(&|_, _, _| None);
    assert!((optimal - 17.339_875).abs() < 1e-6, "{optimal}");
    let depth = |k: u32| Expedition::value(&|cards, _, _| Some(cards >= k));
    let best = (1..15).max_by(|a, b| depth(*a).total_cmp(&depth(*b)));
    assert_eq!(best, Some(6));
    assert!((depth(6) - 16.760_962).abs() < 1e-6);
    let nerve = Expedition::value(&|_, traps, _| Some(traps >= 3));
    assert!((nerve - 13.796_703).abs() < 1e-6, "{nerve}");

    for (bot, exact) in [
        ("depth:cards=6".to_string(), depth(6)),
        ("depth:cards=4".to_string(), depth(4)),
        ("traps:nerve=3".to_string(), nerve),
        (
            "threshold:target=20".to_string(),
            Expedition::value(&|_, _, held| Some(held >= 20)),
        ),
    ] {
        let table = diamant("schmidt-2005", &["rounds=1"], &[&bot]);
        let score = play(table.as_ref(), 1, 1_000_000).seat(table.layout(), SCORE_MEAN, 0);
        assert!(
            (score.low..=score.high).contains(&exact),
            "{bot}: {score:?}, exact {exact}"
        );
    }
}

/// The published exact values of full games lie in the simulation's own intervals.
#[test]
fn full_games_have_their_exact_values() {
    for (edition, seats, mean, sd) in [
        (
            "schmidt-2005",
            "threshold:target=20",
            80.795_013_73,
            Some(26.090_111_70),
        ),
        (
            "iello-2016",
            "threshold:target=20",
            89.898_750_23,
            Some(29.883_113_19),
        ),
        ("iello-2016", "depth:cards=6", 98.390_057_76, None),
        ("schmidt-2005", "2*threshold:target=10", 40.421_335_32, None),
    ] {
        let table = diamant(edition, &[], &[seats]);
        // So many that an error of a thousandth would lie many standard errors off.
        let tally = play(table.as_ref(), 3, 20_000_000);
        let score = tally.seat(table.layout(), SCORE_MEAN, 0);
        assert!(
            (score.low..=score.high).contains(&mean),
            "{edition} {seats}: {score:?}"
        );
        if let Some(sd) = sd {
            let found = score.se * (tally.games as f64).sqrt();
            assert!(
                (found / sd - 1.0).abs() < 0.003,
                "{edition} {seats}: sd {found}"
            );
        }
        if seats == "depth:cards=6" {
            let busts = estimate(&tally, table.layout(), "bust_rate");
            assert!(
                (busts.low..=busts.high).contains(&0.333_024_98),
                "{busts:?}"
            );
        }
    }
}

/// Every order of a tiny deck, played by hand: two explorers who leave after fixed numbers of
/// cards, with relics, for both moments of collecting.
#[test]
fn tiny_decks_are_enumerated() {
    #[derive(Clone, Copy, PartialEq)]
    enum Card {
        Treasure(i32),
        Trap(char),
        Relic,
    }
    use Card::{Relic, Trap, Treasure};
    let deck = [
        Treasure(5),
        Treasure(2),
        Treasure(9),
        Trap('a'),
        Trap('a'),
        Trap('b'),
        Relic,
    ];

    fn orders(deck: &[Card], path: &mut Vec<Card>, visit: &mut dyn FnMut(&[Card])) {
        if deck.is_empty() {
            visit(path);
        }
        for index in 0..deck.len() {
            let mut rest = deck.to_vec();
            path.push(rest.remove(index));
            orders(&rest, path, visit);
            path.pop();
        }
    }

    /// What the explorer who leaves after `first` and the one who leaves after `second` cards get.
    fn story(order: &[Card], first: usize, second: usize, after: bool) -> [i32; 2] {
        let (mut held, mut home, mut path) = ([0, 0], [0, 0], 0);
        let (mut relic, mut seen) = (false, Vec::new());
        for (cards, card) in (1..).zip(order) {
            // Collecting after the reveal, who decided at `first` is no longer among the sharers.
            let alone = cards > first;
            match card {
                Treasure(value) if alone => held[1] += value,
                Treasure(value) => {
                    held = held.map(|held| held + value / 2);
                    path += value % 2;
                }
                Trap(kind) if seen.contains(kind) => {
                    if after && cards == first + 1 {
                        home[0] = held[0] + path + if relic { 10 } else { 0 };
                    }
                    return home;
                }
                Trap(kind) => seen.push(*kind),
                Relic => relic = true,
            }
            let leaves = if after { first + 1 } else { first };
            if cards == leaves {
                home[0] = held[0] + path + if relic { 10 } else { 0 };
                (path, relic) = (0, false);
            }
            if cards == second {
                home[1] = held[1] + path + if relic { 10 } else { 0 };
                return home;
            }
        }
        unreachable!("somebody leaves before the deck ends")
    }

    for after in [false, true] {
        for (first, second) in [(1, 3), (2, 3), (2, 5), (3, 6)] {
            let (mut sums, mut count) = ([0i64; 2], 0i64);
            orders(&deck, &mut Vec::new(), &mut |order| {
                let home = story(order, first, second, after);
                sums = [0, 1].map(|seat| sums[seat] + i64::from(home[seat]));
                count += 1;
            });
            assert_eq!(count, 5040);
            let leavers = if after {
                "leavers=after-reveal"
            } else {
                "leavers=before-reveal"
            };
            let sets = [
                "rounds=1",
                "treasures=[5, 2, 9]",
                "traps={a = 2, b = 1}",
                "relics.values=[10]",
                leavers,
            ];
            let bots = [
                format!("depth:cards={first}"),
                format!("depth:cards={second}"),
            ];
            let table = diamant("iello-2016", &sets, &[&bots[0], &bots[1]]);
            let tally = play(table.as_ref(), 6, 400_000);
            for (seat, sum) in sums.iter().enumerate() {
                let exact = *sum as f64 / count as f64;
                let score = tally.seat(table.layout(), SCORE_MEAN, seat);
                let off = (score.value - exact).abs();
                assert!(
                    off <= 4.0 * score.se,
                    "{after} {first} {second}: {score:?}, {exact}"
                );
            }
        }
    }
}
