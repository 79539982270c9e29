use super::super::super::course;
use super::super::super::features::VOCABULARY;
use super::super::super::rules::{DiamondCaveRules, EDITIONS, Memory};
use super::*;
use crate::game::moments::{Course, What};
use crate::game::story::StoryStyle;
use crate::game::{SCORE, Seated, Seating, WIN};

const SEED: u64 = 4;
const BOTS: [&str; 3] = [
    "noise + gain - front_blocked + (if turns > 6 then room else random)",
    "if go_on > 0 then noise - 0.4 else 3 * known + right_way + lead / 9 + noise",
    "20 * gain - diamond_distance + dig + room * 0.3 - 2 * front_blocked",
];

fn played(memory: Memory, games: u64, look: &mut dyn FnMut(&Kernel, u64, &Course)) {
    let mut rules = DiamondCaveRules::from_toml("r", EDITIONS[0].text).unwrap();
    rules.memory = memory;
    let seated = Seated::of_texts(&BOTS, &VOCABULARY, Seating::EveryOrder);
    let kernel = Kernel::new(&rules, &seated.formulas, seated.seating).unwrap();
    for number in 0..games {
        let replayed = (SEED, number, StoryStyle::PLAIN);
        let sitting = seated.in_game(SEED, number);
        let course = course::course(&rules, &sitting, replayed, &mut ());
        look(&kernel, number, &course);
    }
}

/// The strongest test of a position: with the cards and the random numbers of the game itself,
/// it ends like the game.
#[test]
fn a_game_played_on_with_its_own_luck_is_the_same_game() {
    for memory in [Memory::Perfect, Memory::None] {
        let mut moments = 0;
        played(memory, 6, &mut |kernel, number, course| {
            let key = streams::game_key(SEED, number);
            let mut record = Record::new(&kernel.layout, 1);
            for moment in &course.moments {
                let from: &Snapshot = moment.position.of();
                let option = match &moment.what {
                    What::Event(_) => None,
                    What::Decision(options) => Some(options.chosen),
                };
                kernel.play_all(Level::new(), None, &mut record, |game, record| {
                    game.cave = Cave::standing(&kernel.ground, from);
                    game.go_on(from, option, key, record)
                });
                let of = |outcome| {
                    let of = |seat| record.column(kernel.layout.seat_column(seat, outcome))[0];
                    [0, 1, 2].map(of)
                };
                assert_eq!(of(SCORE)[..], course.scores, "{}", moment.at);
                assert_eq!(of(WIN)[..], course.wins, "{}", moment.at);
                moments += 1;
            }
        });
        assert!(moments > 400, "{moments}");
    }
}

/// So playouts of options reveal nothing that is hidden.
#[test]
fn what_is_hidden_changes_no_playout() {
    played(Memory::Perfect, 2, &mut |kernel, _, course| {
        for moment in course.moments.iter().step_by(5) {
            let from: &Snapshot = moment.position.of();
            let hidden = Hidden::of(kernel, &Cave::standing(&kernel.ground, from));
            let cards = &hidden.cards;
            let other = |card: u8| match cards.iter().position(|own| *own == card) {
                Some(at) => cards[(at + 1) % cards.len()],
                None => card,
            };
            let tile = |tile: &Option<(u8, bool)>| tile.map(|(card, it)| (other(card), it));
            let changed = Snapshot {
                tiles: from.tiles.iter().map(tile).collect(),
                deck: from.deck.iter().map(|&card| other(card)).collect(),
                ..from.clone()
            };
            let [as_it_is, changed] = [from, &changed].map(|from| {
                let mut record = Record::new(&kernel.layout.bare(), 8);
                record.clear(8);
                let branch = (from, Some(1), u32::MAX);
                kernel.play_on(Level::new(), branch, (3, 0), &mut record);
                record
            });
            assert_eq!(as_it_is, changed, "{}", moment.at);
        }
    });
}

#[test]
fn only_what_nobody_knows_is_dealt_anew() {
    for memory in [Memory::Perfect, Memory::None] {
        played(memory, 3, &mut |kernel, _, course| {
            for moment in &course.moments {
                let from: &Snapshot = moment.position.of();
                let cave = Cave::standing(&kernel.ground, from);
                let hidden = Hidden::of(kernel, &cave);
                let gained: i32 = from.players.iter().map(|player| player.gained).sum();
                let forgotten = match memory {
                    Memory::Perfect => 0,
                    Memory::None => gained as usize,
                };
                let places = hidden.spots.len() + from.deck.len() + forgotten;
                assert_eq!(hidden.cards.len(), places, "{}", moment.at);
                assert_eq!(usize::try_from(cave.pool[0]), Ok(places));
            }
        });
    }
}
