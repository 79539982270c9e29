//! Invariants after every action, and the symmetry of the game: a mirrored or turned board gives
//! the mirrored or turned game.

use super::position::Position;
use super::{Decision, Event, GameResult, Played, Watch, features, play_dealt};
use crate::game::moments::Standing;
use crate::game::{SCORE, Seating};
use crate::games::diamond_cave::features as f;
use crate::games::diamond_cave::moves::{self, Choice, Direction, back_of};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::{DiamondCaveRules, EDITIONS};
use crate::games::diamond_cave::setup::Arrangement;
use crate::streams;

/// Asserts that no card and no diamond is lost, and that every tunnel is connected.
pub fn assert_sound(position: &Position) {
    let rules = position.rules;
    let piles = position.players.iter().flat_map(|player| &player.gained);
    let tiles = position.tiles.iter().flatten();
    let mut cards: Vec<u8> = tiles.clone().chain(piles.clone()).map(|t| t.card).collect();
    cards.extend(position.deck.iter().chain(&position.planned));
    cards.sort_unstable();
    assert!(
        (0..rules.cards.len() as u8).eq(cards),
        "every card is somewhere, once"
    );
    let bearing = tiles.chain(piles.clone()).filter(|tile| tile.diamond);
    assert_eq!(bearing.count(), rules.diamonds, "no diamond is lost");
    assert!(
        piles.clone().all(|tile| tile.diamond),
        "only diamonds are gained"
    );

    let mut face_up = Vec::new();
    for player in &position.players {
        for section in &player.tunnel {
            let straight = section.entry == back_of(section.exit);
            assert_eq!(straight, position.front_of(section.cell).is_straight());
            assert_ne!(section.entry, section.exit);
            face_up.push(section.cell);
        }
        for pair in player.tunnel.windows(2) {
            assert_eq!(
                position.next(pair[0].cell, pair[0].exit),
                Some(pair[1].cell)
            );
            assert_eq!(pair[1].entry, back_of(pair[0].exit), "ends meet");
        }
    }
    face_up.extend(position.upturned.map(|up| up.cell));
    for &cell in &face_up {
        assert!(position.tiles[cell].is_some() && position.is_face_up(cell));
        assert!(position.seen[usize::from(position.tile(cell).card)]);
    }
    let all = face_up.len();
    face_up.sort_unstable();
    face_up.dedup();
    assert_eq!(face_up.len(), all, "no card is in two tunnels");
}

/// The shipped rules, and some that differ.
fn variants() -> [DiamondCaveRules; 4] {
    let changes: [&[(&str, &str)]; 4] = [
        &[],
        &[
            ("deck = 12", "deck = 0"),
            ("standard = 33", "standard = 21"),
        ],
        &[
            ("size = 7", "size = 5"),
            ("standard = 33", "standard = 9"),
            ("memory = \"perfect\"", "memory = \"none\""),
        ],
        &[
            ("planned = 2", "planned = 0"),
            ("dark = 15", "dark = 0"),
            ("standard = 33", "standard = 46"),
            ("turns_max = 500", "turns_max = 20"),
        ],
    ];
    changes.map(|changes| {
        let text = EDITIONS[0].text.to_string();
        let change = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        let text = changes.iter().fold(text, change);
        DiamondCaveRules::from_toml("rules", &text).unwrap()
    })
}

struct Sound {
    gained: usize,
}

impl Watch for Sound {
    fn event(&mut self, _place: usize, _event: Event, position: &Position) {
        assert_sound(position);
        let piles = position.players.iter().map(|player| &player.gained);
        let gained = piles.map(Vec::len).sum();
        assert!(gained >= self.gained, "a gained diamond stays gained");
        self.gained = gained;
    }
}

#[test]
fn nothing_is_lost_and_tunnels_hang_together_after_every_action() {
    let mut actions = 0;
    for rules in variants() {
        for game in 0..40 {
            let key = streams::game_key(3, game);
            let players = 2 + game as usize % 3;
            let dealt = Arrangement::deal(&rules, key, players);
            let mut choose = |decision: &Decision, _: &Standing| any(decision);
            let mut sound = Sound { gained: 0 };
            let places = Seating::Fixed.places(players, 0);
            let result = play_dealt(&rules, &dealt, places, key, &mut choose, &mut sound);
            for Played {
                outcomes, parts, ..
            } in &result.players
            {
                assert_eq!(outcomes[SCORE], parts.iter().sum::<i32>());
                assert!(outcomes[SCORE] <= rules.score_max() as i32);
            }
            actions += result.table[o::ACTIONS];
        }
    }
    assert!(actions > 5_000, "only {actions} actions were played");
}

#[derive(Clone, Copy)]
struct Symmetry {
    /// Whether east and west are exchanged first.
    mirrored: bool,
    /// Quarter turns to the right.
    turns: u8,
}

impl Symmetry {
    fn direction(self, direction: Direction) -> Direction {
        let direction = if self.mirrored {
            [0, 3, 2, 1][usize::from(direction)]
        } else {
            direction
        };
        (direction + self.turns) % 4
    }

    fn cell(self, cell: usize, size: usize) -> usize {
        let (mut row, mut column) = (cell / size, cell % size);
        if self.mirrored {
            column = size - 1 - column;
        }
        for _ in 0..self.turns {
            (row, column) = (column, size - 1 - row);
        }
        row * size + column
    }

    fn choice(self, mut choice: Choice, size: usize) -> Choice {
        match &mut choice {
            Choice::Start { cell } => *cell = self.cell(usize::from(*cell), size) as u8,
            Choice::Plan { exit: way, .. }
            | Choice::Dig { colour: way }
            | Choice::Exit { exit: way }
            | Choice::Turn { exit: way } => *way = self.direction(*way),
            Choice::Stop | Choice::GoOn => {}
        }
        choice
    }

    fn rules(self, rules: &DiamondCaveRules) -> DiamondCaveRules {
        let mut rules = rules.clone();
        for card in &mut rules.cards {
            let edges = (0..4).filter(|edge| card.edges >> edge & 1 == 1);
            card.edges = edges.fold(0, |edges, edge| edges | 1 << self.direction(edge));
        }
        rules
    }

    fn arrangement(self, dealt: &Arrangement, size: usize) -> Arrangement {
        let mut turned = dealt.clone();
        turned.diamonds = 0;
        for cell in 0..size * size {
            let to = self.cell(cell, size);
            turned.cards[to] = dealt.cards[cell];
            turned.diamonds |= (dealt.diamonds >> cell & 1) << to;
        }
        turned
    }
}

/// The choices offered at a decision with their features, and the one taken.
type Taken = (Vec<(Choice, Vec<f32>)>, Choice);

fn looks(decision: &Decision) -> Vec<(Choice, Vec<f32>)> {
    let look = |(row, &choice): (usize, &Choice)| {
        let mut features = features::all(decision, row);
        features.truncate(f::RANDOM);
        (choice, features)
    };
    decision.choices.iter().enumerate().map(look).collect()
}

/// Any of the choices.
fn any(decision: &Decision) -> usize {
    let scores = vec![0.0; decision.choices.len()];
    moves::pick(&scores, decision.asked.key, decision.asked.decision)
}

#[test]
fn a_mirrored_or_turned_board_gives_the_mirrored_or_turned_game() {
    for (number, rules) in variants().into_iter().enumerate() {
        let size = rules.size;
        let key = streams::game_key(8, number as u64);
        let dealt = Arrangement::deal(&rules, key, 3);
        let mut decisions: Vec<Taken> = Vec::new();
        let mut choose = |decision: &Decision, _: &Standing| {
            let picked = any(decision);
            decisions.push((looks(decision), decision.choices[picked]));
            picked
        };
        let places = Seating::Fixed.places(3, 0);
        let played = play_dealt(&rules, &dealt, places, key, &mut choose, &mut ());
        assert!(decisions.len() > 30);

        for (mirrored, turns) in [(false, 1), (false, 2), (false, 3), (true, 0), (true, 1)] {
            let symmetry = Symmetry { mirrored, turns };
            let mut script = decisions.iter();
            let mut choose = |decision: &Decision, _: &Standing| {
                let (offered, taken) = script.next().expect("as many decisions");
                let found = looks(decision);
                assert_eq!(found.len(), offered.len());
                for (choice, features) in offered {
                    let turned = (symmetry.choice(*choice, size), features.clone());
                    assert!(found.contains(&turned), "{turned:?} in {found:?}");
                }
                let taken = symmetry.choice(*taken, size);
                let at = found.iter().position(|(choice, _)| *choice == taken);
                at.expect("offered, too")
            };
            let turned_rules = symmetry.rules(&rules);
            let turned = symmetry.arrangement(&dealt, size);
            let found = play_dealt(&turned_rules, &turned, places, key, &mut choose, &mut ());
            let mut expected: GameResult = played.clone();
            for played in &mut expected.players {
                for cell in &mut played.gained_at {
                    *cell = symmetry.cell(*cell, size);
                }
            }
            assert_eq!(found, expected);
            assert!(script.next().is_none());
        }
    }
}
