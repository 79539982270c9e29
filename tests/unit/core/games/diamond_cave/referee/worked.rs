//! The rulebook's situations, laid out by hand and played by the referee's board.
//!
//! Cells count row after row from the north-west corner of a board of seven by seven.

use super::invariants::assert_sound;
use super::position::{Position, Section, Tail};
use super::{Decision, Event, GameResult, Watch, play_dealt};
use crate::game::moments::Standing;
use crate::game::{SCORE, Seating};
use crate::games::diamond_cave::moves::{Choice, Direction};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::{Card, DiamondCaveRules, EDITIONS, KIND_NAMES, Kind};
use crate::games::diamond_cave::setup::Arrangement;

const NORTH: Direction = 0;
const EAST: Direction = 1;
const SOUTH: Direction = 2;
const WEST: Direction = 3;

/// Choices such as `start 14, exit E, dig N, go on, plan 1 E, turn S, stop`.
fn choices(text: &str) -> Vec<Choice> {
    let read = |choice: &str| {
        let words: Vec<&str> = choice.split(' ').collect();
        let (number, way) = (
            || words[1].parse().unwrap(),
            || direction(words[words.len() - 1]),
        );
        match words[0] {
            "start" => Choice::Start { cell: number() },
            "plan" => Choice::Plan {
                slot: number(),
                exit: way(),
            },
            "dig" => Choice::Dig { colour: way() },
            "exit" => Choice::Exit { exit: way() },
            "turn" => Choice::Turn { exit: way() },
            "go" => Choice::GoOn,
            _ => Choice::Stop,
        }
    };
    text.split(", ").map(read).collect()
}

fn direction(letter: &str) -> Direction {
    "NESW".find(letter).expect("N, E, S or W") as Direction
}

fn rules() -> DiamondCaveRules {
    DiamondCaveRules::from_toml("rules", EDITIONS[0].text).unwrap()
}

/// A card such as `torch NE`.
fn card(text: &str) -> Card {
    let (kind, ends) = text.split_once(' ').expect("a kind and two ends");
    let kind = KIND_NAMES.iter().position(|known| *known == kind);
    let ends = [&ends[..1], &ends[1..]].map(direction);
    Card {
        kind: [Kind::Torch, Kind::Standard, Kind::Dark][kind.expect("a kind")],
        edges: ends.iter().fold(0, |edges, end| edges | 1 << end),
    }
}

/// An arrangement with such fronts as `14 torch NE, 15 dark EW` on these cells (49 and up: deck,
/// then planned tunnels), and diamonds on these cells; the remaining cards lie in order.
fn lay(rules: &DiamondCaveRules, fronts: &str, diamonds: &[usize]) -> Arrangement {
    let mut left: Vec<u8> = (0..rules.cards.len() as u8).collect();
    let mut cells: Vec<Option<u8>> = vec![None; rules.cards.len()];
    for front in fronts.split(", ") {
        let (cell, front) = front.split_once(' ').expect("a cell and a card");
        let matches = |number: &u8| rules.cards[usize::from(*number)] == card(front);
        let at = left.iter().position(matches).expect("enough such cards");
        cells[cell.parse::<usize>().unwrap()] = Some(left.remove(at));
    }
    let mut rest = left.into_iter();
    let mut dealt = Arrangement::deal(rules, 0, 2);
    for (slot, cell) in dealt.cards.iter_mut().zip(cells) {
        *slot = cell.unwrap_or_else(|| rest.next().expect("as many cards as cells"));
    }
    dealt.diamonds = diamonds.iter().fold(0, |set, cell| set | 1 << cell);
    dealt.starter = 0;
    dealt
}

fn with_diamonds(diamonds: usize) -> DiamondCaveRules {
    DiamondCaveRules {
        diamonds,
        ..rules()
    }
}

/// Red begins at the cell and points along `exit`.
fn begin(position: &mut Position, place: usize, cell: usize, exit: Direction) {
    position.turn_up(cell, false);
    assert!(position.exits(place).contains(&Choice::Exit { exit }));
    assert_eq!(position.connect(place, exit), Tail::Stays);
}

fn cells(position: &Position, place: usize) -> Vec<usize> {
    let tunnel = position.players[place].tunnel.iter();
    tunnel.map(|section| section.cell).collect()
}

#[test]
fn the_right_border_gains_what_the_tail_hides() {
    let rules = with_diamonds(3);
    let fronts = "24 standard WE, 25 torch NS, 26 torch NE, 19 standard SW, 18 standard EW";
    let dealt = lay(&rules, fronts, &[25, 26, 0]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 0, 24, EAST);
    // No planned card may lie on a diamond.
    assert_eq!(position.plans(0), []);
    // A straight card leads on, however it was printed; a torch keeps the tail.
    position.dig(0, EAST);
    assert!(!position.upturned.unwrap().right, "printed north to south");
    assert_eq!(position.exits(0), choices("exit E"));
    assert_eq!(position.connect(0, EAST), Tail::Stays);
    position.dig(0, NORTH);
    assert_eq!(position.exits(0), choices("exit N, exit S"));
    assert_eq!(position.connect(0, NORTH), Tail::Stays);
    assert_eq!(cells(&position, 0), [24, 25, 26]);
    assert_eq!(position.tunnel_points(0), [6, 0, 1]);
    // The tail has no diamond: nothing is gained though the border is right.
    position.dig(0, WEST);
    assert_eq!(position.connect(0, WEST), Tail::TurnedDown(24));
    // The wrong border: nothing would be gained. The right one: the deck fills the gap.
    let mut wrong = position.clone();
    wrong.dig(0, NORTH);
    assert_eq!(wrong.connect(0, WEST), Tail::TurnedDown(25));
    assert!(wrong.shows_diamond(25) && wrong.players[0].gained.is_empty());
    let top = *position.deck.last().unwrap();
    position.dig(0, EAST);
    assert_eq!(position.connect(0, WEST), Tail::Gained(25));
    assert_eq!(position.tile(25).card, top);
    assert!(position.is_open(25) && !position.shows_diamond(25));
    assert_eq!(cells(&position, 0), [26, 19, 18]);
    assert_eq!(position.points(0), 4 + 3 + 2);
    for position in [position, wrong] {
        assert_sound(&position);
    }
}

#[test]
fn a_planned_card_is_swapped_and_has_the_bonus() {
    let rules = with_diamonds(2);
    let fronts = "24 standard WE, 25 torch WE, 26 dark SW, 61 standard ES, 62 torch EW";
    let dealt = lay(&rules, fronts, &[25, 48]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 0, 24, EAST);
    position.dig(0, NORTH);
    position.connect(0, EAST);
    assert_eq!(position.plans(0), choices("plan 0 N, plan 0 S, plan 1 E"));
    let replaced = position.tile(26).card;
    assert_eq!(position.plan(0, 0, SOUTH), Tail::TurnedDown(24));
    assert_eq!(position.planned[0], replaced);
    assert!(
        position.seen[usize::from(replaced)],
        "it lies face up beside the deck"
    );
    let head = Section {
        cell: 26,
        entry: WEST,
        exit: SOUTH,
    };
    assert_eq!(position.head(0), Some(head));
    // The dark card that was replaced, laid in front, gains the diamond now at the tail.
    assert_eq!(position.plan(0, 0, EAST), Tail::Gained(25));
    assert!(position.is_open(25), "the deck fills the gap");
    assert_sound(&position);
}

#[test]
fn a_blocked_tunnel_is_turned_down_but_for_its_head_and_then_turned() {
    let rules = with_diamonds(2);
    let dealt = lay(&rules, "0 standard SE, 1 torch SE, 2 standard SE", &[1, 48]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 1, 2, SOUTH);
    begin(&mut position, 0, 0, EAST);
    position.dig(0, EAST);
    position.connect(0, NORTH);
    assert!(position.is_blocked(0), "it points off the board");
    assert_eq!(position.plans(0), []);
    let mut other = position.clone();
    other.players[0].tunnel[1].exit = EAST;
    assert!(other.is_blocked(0), "it points to another's card");
    position.collapse(0);
    assert_eq!(cells(&position, 0), [1]);
    assert_eq!(position.head(0).unwrap().exit, NORTH, "the direction stays");
    assert!(position.is_blocked(0) && position.is_open(0));
    assert!(position.players[0].gained.is_empty());
    // West lies open again, south too; north is off the board and east is another's.
    assert_eq!(position.turns(0), choices("turn S, turn W"));
    position.turn_lone(0, SOUTH);
    assert_eq!(position.front(0), Some(8));
    assert_sound(&position);
}

#[test]
fn an_empty_deck_leaves_a_gap_that_blocks() {
    let mut rules = with_diamonds(2);
    rules.deck = 0;
    rules.cards.truncate(51);
    let fronts = "23 standard WE, 24 torch WE, 25 standard WE, 26 standard WE";
    let dealt = lay(&rules, fronts, &[24, 48]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 0, 23, EAST);
    for _ in 0..3 {
        position.dig(0, EAST);
        position.connect(0, EAST);
    }
    assert_eq!(position.tiles[24], None);
    assert!(!position.is_open(24) && !position.shows_diamond(24));
    begin(&mut position, 1, 23, EAST);
    assert!(position.is_blocked(1), "a gap lies ahead");
}

/// Plays the script; checks that each of its choices is offered.
fn play(
    rules: &DiamondCaveRules,
    dealt: &Arrangement,
    script: &str,
    last: bool,
) -> (GameResult, Vec<Event>) {
    let mut events = Events(Vec::new());
    let mut script = choices(script).into_iter();
    let mut choose = |decision: &Decision, _: &Standing| {
        let wanted = script.next().expect("the script covers every decision");
        let mut choices = decision.choices.iter();
        let found = choices.position(|choice| *choice == wanted);
        found.unwrap_or_else(|| panic!("{wanted:?} is not offered"))
    };
    let places = Seating::Fixed.places(2, 0);
    let result = play_dealt(rules, dealt, places, 0, &mut choose, &mut events);
    assert_eq!(script.next(), None);
    assert_eq!(events.0.last() == Some(&Event::Ended), last);
    (result, events.0)
}

struct Events(Vec<Event>);

impl Watch for Events {
    fn event(&mut self, _place: usize, event: Event, _position: &Position) {
        self.0.push(event);
    }
}

#[test]
fn a_turn_goes_on_after_standard_and_torch_and_plans_after_dark() {
    let rules = with_diamonds(1);
    let fronts = "14 standard NE, 15 torch EW, 16 dark EW, 17 standard EW, 18 torch EW, \
                  42 standard EW, 43 standard EW, 61 torch NS, 62 torch NS";
    let dealt = lay(&rules, fronts, &[18]);
    // After a dark card only a plan or the end of the turn; in the last dig the last diamond is dug
    // up, and none shows any more.
    let script = "start 14, exit E, start 42, exit E, dig N, go on, dig N, plan 1 E, dig E, stop, \
                  dig W";
    let (result, events) = play(&rules, &dealt, script, true);
    let turns = events.iter().filter(|event| **event == Event::Turn);
    assert_eq!(turns.count(), 3);
    let red = &result.players[0];
    // Tunnel: torch 15, dark 16, torch 17, torch 18 over a diamond; the first tail was 14.
    assert_eq!(red.parts, [0, 3, 4, 0]);
    let outcomes = [o::TURNS, o::DIGS, o::RIGHT, o::PLANS].map(|of| red.outcomes[of]);
    assert_eq!(outcomes, [2, 3, 1, 1]);
    assert_eq!(red.turn_digs, [2, 1]);
    assert_eq!(result.players[1].parts, [0, 0, 0, 1]);
    assert_eq!(result.players[1].outcomes[o::LENGTH], 1);
    assert_eq!(result.winners, [0]);
    assert_eq!(result.table[o::CAPPED], 0);
}

#[test]
fn ties_go_to_the_longer_tunnel_and_are_shared_at_last() {
    // The first player uses up all turns.
    let tie = |fronts: &str| {
        let mut rules = with_diamonds(1);
        rules.turns_max = 1;
        let script = "start 14, exit E, start 42, exit E, dig E, go on, dig E, stop";
        play(&rules, &lay(&rules, fronts, &[0]), script, false).0
    };
    // Torch and dark card against a torch alone: both have 2 points.
    let longer = tie("14 dark NE, 15 torch WE, 16 dark EW, 42 torch NE");
    let of = |outcome| [0, 1].map(|place| longer.players[place].outcomes[outcome]);
    assert_eq!((of(o::LENGTH), of(SCORE)), ([2, 1], [2, 2]));
    assert_eq!((longer.winners, longer.table[o::CAPPED]), (vec![0], 1));
    // A standard card each.
    let shared = tie("14 dark NE, 15 standard WE, 16 standard WE, 42 standard NE");
    assert_eq!((shared.winners, shared.table[o::CAPPED]), (vec![0, 1], 1));
}

#[test]
fn after_a_dark_dig_of_the_last_diamond_the_turn_may_be_finished() {
    let ends = |finish_turn, then: &str| {
        let rules = DiamondCaveRules {
            finish_turn,
            ..with_diamonds(1)
        };
        let fronts = "14 torch WE, 15 dark EW, 42 standard NE, 61 standard NS, 62 standard NS";
        let script = format!("start 14, exit E, start 42, exit E, dig N{then}");
        let dealt = lay(&rules, fronts, &[15]);
        play(&rules, &dealt, &script, true).0.players[0].parts
    };
    assert_eq!(ends(false, ""), [0, 3, 0, 0]);
    assert_eq!(ends(true, ", plan 1 E"), [4, 0, 0, 1]);
    // A player may stop before the way is finished.
    assert_eq!(ends(true, ", stop"), [0, 3, 0, 0]);
}

#[test]
fn a_blocked_lone_card_may_be_left_as_it_is_where_the_rules_say_so() {
    let rules = DiamondCaveRules {
        lone_may_pass: true,
        turns_max: 1,
        ..with_diamonds(1)
    };
    let dealt = lay(&rules, "0 standard NE, 42 standard NE, 43 dark EW", &[20]);
    let script = "start 0, exit N, start 42, exit E, stop, dig E, stop";
    let (result, events) = play(&rules, &dealt, script, false);
    let stops = |event: &&Event| matches!(event, Event::Stopped { .. });
    assert_eq!(events.iter().filter(stops).count(), 2);
    let outcomes = [o::TURNS, o::TURNED, o::BLOCKED].map(|of| result.players[0].outcomes[of]);
    assert_eq!(outcomes, [1, 0, 0]);
}

#[test]
fn a_turn_in_circles_ends() {
    let mut rules = with_diamonds(1);
    rules.turns_max = 25;
    let fronts = "24 standard SE, 25 standard WS, 32 standard NW, 31 standard EN, 42 torch NE, \
                  43 dark WE";
    let dealt = lay(&rules, fronts, &[0]);
    let round = ["S", "W", "N", "E"].into_iter().cycle();
    let round = round.map(|to| format!("dig E, exit {to}"));
    let digs: Vec<String> = round.take(rules.cells()).collect();
    // After the last of them it cannot go on once more.
    let digs = digs.join(", go on, ");
    let script = format!("start 24, exit E, start 42, exit E, {digs}, dig E, stop");
    let (result, _) = play(&rules, &dealt, &script, false);
    assert_eq!(result.players[0].turn_digs, [49]);
}
