//! The rulebook's situations, laid out by hand and played by the referee's board.
//!
//! Cells count row after row from the north-west corner of a board of seven by seven.

use super::invariants::assert_sound;
use super::position::{Position, Section, Tail};
use super::{Event, GameResult, Watch, play_dealt};
use crate::game::moments::Standing;
use crate::game::{SCORE, Seating};
use crate::games::diamond_cave::moves::{Asked, Choice, Direction};
use crate::games::diamond_cave::outcomes as o;
use crate::games::diamond_cave::rules::{Card, DiamondCaveRules, EDITIONS, Kind};
use crate::games::diamond_cave::setup::Arrangement;

const NORTH: Direction = 0;
const EAST: Direction = 1;
const SOUTH: Direction = 2;
const WEST: Direction = 3;

const fn start(cell: u8) -> Choice {
    Choice::Start { cell }
}

const fn plan(slot: u8, exit: Direction) -> Choice {
    Choice::Plan { slot, exit }
}

const fn dig(colour: Direction) -> Choice {
    Choice::Dig { colour }
}

const fn exit(exit: Direction) -> Choice {
    Choice::Exit { exit }
}

const fn turn(exit: Direction) -> Choice {
    Choice::Turn { exit }
}

/// The tail of this cell, turned down, with or without a diamond.
const fn down(cell: usize, diamond: bool) -> Tail {
    Tail::TurnedDown { cell, diamond }
}

const fn gained(cell: usize, filled: bool) -> Tail {
    Tail::Gained { cell, filled }
}

fn rules() -> DiamondCaveRules {
    DiamondCaveRules::from_toml("rules", EDITIONS[0].text).unwrap()
}

const fn card(kind: Kind, from: Direction, to: Direction) -> Card {
    Card {
        kind,
        edges: 1 << from | 1 << to,
    }
}

/// An arrangement with these fronts on these cells (49 and up: deck, then planned tunnels), and
/// diamonds on these cells; the remaining cards lie in order.
fn lay(rules: &DiamondCaveRules, fronts: &[(usize, Card)], diamonds: &[usize]) -> Arrangement {
    let mut left: Vec<u8> = (0..rules.cards.len() as u8).collect();
    let mut cells: Vec<Option<u8>> = vec![None; rules.cards.len()];
    for (cell, front) in fronts {
        let matches = |card: &u8| rules.cards[usize::from(*card)] == *front;
        let at = left.iter().position(matches).expect("enough such cards");
        cells[*cell] = Some(left.remove(at));
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
    position.start(cell);
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
    let fronts = [
        (24, card(Kind::Standard, WEST, EAST)),
        (25, card(Kind::Torch, NORTH, SOUTH)),
        (26, card(Kind::Torch, NORTH, EAST)),
        (19, card(Kind::Standard, SOUTH, WEST)),
        (18, card(Kind::Standard, EAST, WEST)),
    ];
    let dealt = lay(&rules, &fronts, &[25, 26, 0]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 0, 24, EAST);
    // No planned card may lie on a diamond.
    assert_eq!(position.plans(0), []);
    // A straight card leads on, however it was printed; a torch keeps the tail.
    position.dig(0, EAST);
    assert!(!position.upturned.unwrap().right, "printed north to south");
    assert_eq!(position.exits(0), [exit(EAST)]);
    assert_eq!(position.connect(0, EAST), Tail::Stays);
    position.dig(0, NORTH);
    let ways = [exit(NORTH), exit(SOUTH)];
    assert_eq!(position.exits(0), ways);
    assert_eq!(position.connect(0, NORTH), Tail::Stays);
    assert_eq!(cells(&position, 0), [24, 25, 26]);
    assert_eq!(position.tunnel_points(0), [6, 0, 1]);
    // The tail has no diamond: nothing is gained though the border is right.
    position.dig(0, WEST);
    assert_eq!(position.connect(0, WEST), down(24, false));
    // The wrong border: nothing would be gained. The right one: the deck fills the gap.
    let mut wrong = position.clone();
    wrong.dig(0, NORTH);
    assert_eq!(wrong.connect(0, WEST), down(25, true));
    assert!(wrong.shows_diamond(25) && wrong.players[0].gained.is_empty());
    let top = *position.deck.last().unwrap();
    position.dig(0, EAST);
    assert_eq!(position.connect(0, WEST), gained(25, true));
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
    let fronts = [
        (24, card(Kind::Standard, WEST, EAST)),
        (25, card(Kind::Torch, WEST, EAST)),
        (26, card(Kind::Dark, SOUTH, WEST)),
        (61, card(Kind::Standard, EAST, SOUTH)),
        (62, card(Kind::Torch, EAST, WEST)),
    ];
    let dealt = lay(&rules, &fronts, &[25, 48]);
    let mut position = Position::new(&rules, &dealt, 2);
    begin(&mut position, 0, 24, EAST);
    position.dig(0, NORTH);
    position.connect(0, EAST);
    let plans = [plan(0, NORTH), plan(0, SOUTH), plan(1, EAST)];
    assert_eq!(position.plans(0), plans);
    let replaced = position.tile(26).card;
    assert_eq!(position.plan(0, 0, SOUTH), down(24, false));
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
    assert_eq!(position.plan(0, 0, EAST), gained(25, true));
    assert_sound(&position);
}

#[test]
fn a_blocked_tunnel_is_turned_down_but_for_its_head_and_then_turned() {
    let rules = with_diamonds(2);
    let fronts = [
        (0, card(Kind::Standard, SOUTH, EAST)),
        (1, card(Kind::Torch, SOUTH, EAST)),
        (2, card(Kind::Standard, SOUTH, EAST)),
    ];
    let dealt = lay(&rules, &fronts, &[1, 48]);
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
    let turns = [turn(SOUTH), turn(WEST)];
    assert_eq!(position.turns(0), turns);
    position.turn_lone(0, SOUTH);
    assert_eq!(position.front(0), Some(8));
    assert_sound(&position);
}

#[test]
fn an_empty_deck_leaves_a_gap_that_blocks() {
    let mut rules = with_diamonds(2);
    rules.deck = 0;
    rules.cards.truncate(51);
    let fronts = [
        (23, card(Kind::Standard, WEST, EAST)),
        (24, card(Kind::Torch, WEST, EAST)),
        (25, card(Kind::Standard, WEST, EAST)),
        (26, card(Kind::Standard, WEST, EAST)),
    ];
    let dealt = lay(&rules, &fronts, &[24, 48]);
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
    script: &[Choice],
    last: bool,
) -> (GameResult, Vec<Event>) {
    let mut events = Events(Vec::new());
    let mut script = script.iter();
    let mut choose = |_: &Position, _: Asked, choices: &[Choice], _: &Standing| {
        let wanted = script.next().expect("the script covers every decision");
        let found = choices.iter().position(|choice| choice == wanted);
        found.unwrap_or_else(|| panic!("{wanted:?} is not among {choices:?}"))
    };
    let result = play_dealt(
        rules,
        dealt,
        Seating::Fixed.places(2, 0),
        0,
        &mut choose,
        &mut events,
    );
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
    let fronts = [
        (14, card(Kind::Standard, NORTH, EAST)),
        (15, card(Kind::Torch, EAST, WEST)),
        (16, card(Kind::Dark, EAST, WEST)),
        (17, card(Kind::Standard, EAST, WEST)),
        (18, card(Kind::Torch, EAST, WEST)),
        (42, card(Kind::Standard, EAST, WEST)),
        (43, card(Kind::Standard, EAST, WEST)),
        (61, card(Kind::Torch, NORTH, SOUTH)),
        (62, card(Kind::Torch, NORTH, SOUTH)),
    ];
    let dealt = lay(&rules, &fronts, &[18]);
    let script = [
        start(14),
        exit(EAST),
        start(42),
        exit(EAST),
        dig(NORTH),
        Choice::GoOn,
        dig(NORTH),
        // Dark: only a plan or the end of the turn.
        plan(1, EAST),
        dig(EAST),
        Choice::Stop,
        // The last diamond is dug up, and none shows any more.
        dig(WEST),
    ];
    let (result, events) = play(&rules, &dealt, &script, true);
    assert_eq!(
        events.iter().filter(|event| **event == Event::Turn).count(),
        3
    );
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

/// The first player uses up all turns; the script begins after both have begun.
fn tie(fronts: [Card; 3], second: Card, then: &[Choice]) -> GameResult {
    let mut rules = with_diamonds(1);
    rules.turns_max = 1;
    let [first, near, far] = fronts;
    let fronts = [(14, first), (15, near), (16, far), (42, second)];
    let dealt = lay(&rules, &fronts, &[0]);
    let mut script = vec![start(14), exit(EAST), start(42), exit(EAST)];
    script.extend(then);
    play(&rules, &dealt, &script, false).0
}

#[test]
fn ties_go_to_the_longer_tunnel_and_are_shared_at_last() {
    let dig = dig(EAST);
    let dark = card(Kind::Dark, NORTH, EAST);
    let torch = |from| card(Kind::Torch, from, EAST);
    // Torch and dark card against a torch alone: both have 2 points.
    let longer = tie(
        [dark, torch(WEST), card(Kind::Dark, EAST, WEST)],
        torch(NORTH),
        &[dig, Choice::GoOn, dig, Choice::Stop],
    );
    let of = |outcome| [0, 1].map(|place| longer.players[place].outcomes[outcome]);
    assert_eq!((of(o::LENGTH), of(SCORE)), ([2, 1], [2, 2]));
    assert_eq!((longer.winners, longer.table[o::CAPPED]), (vec![0], 1));
    // A standard card each.
    let standard = |from| card(Kind::Standard, from, EAST);
    let shared = tie(
        [dark, standard(WEST), standard(WEST)],
        standard(NORTH),
        &[dig, Choice::GoOn, dig, Choice::Stop],
    );
    assert_eq!((shared.winners, shared.table[o::CAPPED]), (vec![0, 1], 1));
}

#[test]
fn after_a_dark_dig_of_the_last_diamond_the_turn_may_be_finished() {
    let fronts = [
        (14, card(Kind::Torch, WEST, EAST)),
        (15, card(Kind::Dark, EAST, WEST)),
        (42, card(Kind::Standard, NORTH, EAST)),
        (61, card(Kind::Standard, NORTH, SOUTH)),
        (62, card(Kind::Standard, NORTH, SOUTH)),
    ];
    let plan = plan(1, EAST);
    let script = [
        start(14),
        exit(EAST),
        start(42),
        exit(EAST),
        dig(NORTH),
        plan,
    ];
    let ends = |finish_turn, script: &[Choice]| {
        let rules = DiamondCaveRules {
            finish_turn,
            ..with_diamonds(1)
        };
        let dealt = lay(&rules, &fronts, &[15]);
        play(&rules, &dealt, script, true).0.players[0].parts
    };
    assert_eq!(ends(false, &script[..5]), [0, 3, 0, 0]);
    assert_eq!(ends(true, &script), [4, 0, 0, 1]);
    // A player may stop before the way is finished.
    let stops = [&script[..5], &[Choice::Stop]].concat();
    assert_eq!(ends(true, &stops), [0, 3, 0, 0]);
}

#[test]
fn a_blocked_lone_card_may_be_left_as_it_is_where_the_rules_say_so() {
    let rules = DiamondCaveRules {
        lone_may_pass: true,
        turns_max: 1,
        ..with_diamonds(1)
    };
    let fronts = [
        (0, card(Kind::Standard, NORTH, EAST)),
        (42, card(Kind::Standard, NORTH, EAST)),
        (43, card(Kind::Dark, EAST, WEST)),
    ];
    let dealt = lay(&rules, &fronts, &[20]);
    let script = [
        start(0),
        exit(NORTH),
        start(42),
        exit(EAST),
        Choice::Stop,
        dig(EAST),
        Choice::Stop,
    ];
    let (result, events) = play(&rules, &dealt, &script, false);
    let stops = events
        .iter()
        .filter(|event| matches!(event, Event::Stopped { .. }));
    assert_eq!(stops.count(), 2);
    let outcomes = [o::TURNS, o::TURNED, o::BLOCKED].map(|of| result.players[0].outcomes[of]);
    assert_eq!(outcomes, [1, 0, 0]);
}

#[test]
fn a_turn_in_circles_ends() {
    let mut rules = with_diamonds(1);
    rules.turns_max = 25;
    let curve = |from, to| card(Kind::Standard, from, to);
    let fronts = [
        (24, curve(SOUTH, EAST)),
        (25, curve(WEST, SOUTH)),
        (32, curve(NORTH, WEST)),
        (31, curve(EAST, NORTH)),
        (42, card(Kind::Torch, NORTH, EAST)),
        (43, card(Kind::Dark, WEST, EAST)),
    ];
    let dealt = lay(&rules, &fronts, &[0]);
    let mut script = vec![start(24), exit(EAST), start(42), exit(EAST)];
    let round = [SOUTH, WEST, NORTH, EAST].into_iter().cycle();
    for to in round.take(rules.cells()) {
        script.extend([dig(EAST), exit(to), Choice::GoOn]);
    }
    // It cannot go on once more.
    script.pop();
    script.extend([dig(EAST), Choice::Stop]);
    let (result, _) = play(&rules, &dealt, &script, false);
    assert_eq!(result.players[0].turn_digs, [49]);
}
