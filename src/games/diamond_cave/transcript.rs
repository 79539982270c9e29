//! Tells one game of Diamond Cave in words and pictures, from the referee's events.

use super::moves::{Choice, Direction, back_of, left_of, right_of};
use super::outcomes as o;
use super::picture::{cell_name, draw, legend};
use super::referee::{Event, GameResult, Position, Tail};
use super::rules::{Card, DiamondCaveRules, GAINED_POINTS, Kind, Memory};
use crate::diagnostic::counted;
use crate::game::SCORE;
use crate::game::story::{self, Telling};

pub fn end(result: &GameResult, names: &[String]) -> String {
    let mut story = "\n".to_string();
    let parts = ["gained", "hidden", "torches", "standard"];
    for (played, name) in result.players.iter().zip(names) {
        let parts = parts.iter().zip(played.parts);
        let made: Vec<String> = parts
            .map(|(part, points)| format!("{part} {points}"))
            .collect();
        let points = counted(played.outcomes[SCORE] as usize, "point");
        story += &format!("  {name}: {points} ({})\n", made.join(", "));
    }
    let winners = result.winners.iter();
    let winners: Vec<&str> = winners.map(|&place| names[place].as_str()).collect();
    let verb = story::win(winners.len());
    let by = tie_break(result);
    story + &format!("{} {verb}{by}.\n", winners.join(" and "))
}

/// What decided between players with equal points.
fn tie_break(result: &GameResult) -> &'static str {
    let best = |outcome: usize, among: &[usize]| -> Vec<usize> {
        let of = |place: &usize| result.players[*place].outcomes[outcome];
        let most = among.iter().map(of).max();
        let best = among.iter().filter(|place| Some(of(place)) == most);
        best.copied().collect()
    };
    let all: Vec<usize> = (0..result.players.len()).collect();
    let points = best(SCORE, &all);
    let gained = best(o::GAINED, &points);
    match (points.len(), gained.len(), result.winners.len()) {
        (1, ..) => "",
        (_, 1, _) => ": of those with most points, most diamonds gained",
        (_, _, 1) => ": of those with most points and diamonds gained, the longest tunnel",
        _ => ": points, diamonds gained and tunnels are equal",
    }
}

/// What counts in the end, and what a turn is.
pub fn reference(rules: &DiamondCaveRules) -> String {
    let [_, torch, _] = rules.worth(Kind::Torch, false);
    let [hidden, _, _] = rules.worth(Kind::Dark, true);
    let [.., standard] = rules.worth(Kind::Standard, false);
    format!(
        "  a turn: lay a planned card in front of the pawn and end the turn; or declare an edge of the \
         card in front and turn it up\n  the right way: the tunnel leads through the edge that was \
         declared; then the diamond under the tail that moves on is gained\n  after a torch or a standard \
         card you may go on; by torch light the tail stays\n  points: {GAINED_POINTS} a gained diamond; in \
         the tunnel {hidden} a hidden diamond, {torch} a torch, {standard} a standard card\n  the end: no \
         diamond shows any more\n"
    )
}

/// The cards that lie face down and were seen, where that is remembered.
fn remembered(position: &Position) -> Vec<String> {
    if position.rules.memory != Memory::Perfect {
        return Vec::new();
    }
    let cells = (0..position.tiles.len()).filter_map(|cell| {
        let tile = position.tiles[cell].as_ref()?;
        let seen = position.is_open(cell) && position.seen[usize::from(tile.card)];
        seen.then(|| {
            let card = words(position.card(tile.card));
            format!("{} {card}", cell_name(position, cell))
        })
    });
    cells.collect()
}

/// Bots are called `1 name`, `2 name`, …; pictures show the number.
fn number_of(name: &str) -> usize {
    let number = name.split(' ').next().and_then(|word| word.parse().ok());
    number.unwrap_or(0)
}

/// Tells a game while it is played.
pub struct Teller<'a> {
    names: &'a [String],
    numbers: Vec<usize>,
    telling: Telling,
    /// The number of the turn, from 1; 0 before the first.
    pub turn: u32,
    /// Whether the board was drawn after the last event.
    shown: bool,
    /// What is told of the event.
    story: String,
}

impl<'a> Teller<'a> {
    /// Tells of bots with these names, by place.
    pub fn new(names: &'a [String], telling: Telling) -> Self {
        Teller {
            names,
            numbers: names.iter().map(|name| number_of(name)).collect(),
            telling,
            turn: 0,
            shown: false,
            story: String::new(),
        }
    }

    pub fn head(&self) -> String {
        let names = format!("clockwise: {}\n", self.names.join(", "));
        if self.telling.short {
            names
        } else {
            format!("{names}\n{}", legend(self.telling.plain))
        }
    }

    /// What happened, and how things lie after it.
    pub fn tell(&mut self, place: usize, event: Event, position: &Position) -> String {
        let shown = std::mem::take(&mut self.shown);
        let name = &self.names[place];
        let ends_turn = match event {
            Event::Started { cell } => {
                let card = words(position.front_of(cell));
                let cell = cell_name(position, cell);
                self.say(&format!("\n{name} begins at {cell}: {card}"));
                false
            }
            Event::Turn => {
                if self.turn == 0 {
                    self.show(position);
                }
                self.turn += 1;
                let front = front(position, place);
                self.say(&format!("\nTurn {}: {name} {front}", self.turn));
                false
            }
            Event::Collapsed { cards, diamonds } => {
                let lost = match diamonds {
                    0 => String::new(),
                    1 => ", where a diamond shows again".to_string(),
                    _ => format!(", where {diamonds} diamonds show again"),
                };
                let cards = counted(cards, "card");
                self.say(&format!("  blocked: turns down {cards}{lost}, and passes"));
                true
            }
            Event::Stuck => {
                self.say("  blocked with nothing open beside the pawn: passes");
                true
            }
            Event::Turned { exit } => {
                let to = compass(exit);
                let front = front(position, place);
                self.say(&format!(
                    "  blocked on a lone card: turns it to the {to}, and {front}"
                ));
                false
            }
            Event::Planned {
                slot,
                replaced,
                exit,
                tail,
            } => {
                let head = position.head(place).map(|head| head.cell);
                let laid = head.map_or(String::new(), |cell| words(position.front_of(cell)));
                let replaced = words(position.card(replaced));
                let number = slot + 1;
                self.say(&format!(
                    "  lays planned card {number}, {laid}, for {replaced}"
                ));
                self.way(position, place, exit, tail);
                self.say("  a planned card ends the turn");
                true
            }
            Event::Dug {
                colour,
                right,
                cell,
            } => {
                let card = words(position.front_of(cell));
                let verdict = if right { "right way!" } else { "not that way" };
                let cell = cell_name(position, cell);
                let edge = compass(colour);
                self.say(&format!(
                    "  declares the {edge} edge of {cell} and digs: {card}; {verdict}"
                ));
                false
            }
            Event::Connected { exit, tail } => {
                self.way(position, place, exit, tail);
                false
            }
            Event::Stopped { forced } => {
                self.say(if forced {
                    "  can only end the turn"
                } else {
                    "  chooses to end the turn"
                });
                true
            }
            Event::GoesOn => {
                let front = front(position, place);
                self.say(&format!("  starts another turn at once: {front}"));
                false
            }
            Event::Ended => {
                self.say("  no diamond shows any more: the game is over");
                !shown
            }
            Event::Capped => {
                self.say("\nAll turns are used up: the game is stopped.");
                !shown
            }
        };
        // The last board comes after the end of the game is told.
        let told = matches!(event, Event::Ended | Event::Capped);
        if ends_turn && (told || !position.diamonds().is_empty()) {
            self.show(position);
        }
        std::mem::take(&mut self.story)
    }

    /// Where the pawn goes after a card was connected, and what becomes of the tail.
    fn way(&mut self, position: &Position, place: usize, exit: Direction, tail: Tail) {
        let player = &position.players[place];
        let begins = player.tunnel.len() == 1 && tail == Tail::Stays;
        let turned = match player.tunnel.last() {
            Some(head) if !begins => {
                let came = back_of(head.entry);
                if exit == came {
                    "goes straight on, "
                } else if exit == left_of(came) {
                    "goes to the left, "
                } else {
                    debug_assert_eq!(exit, right_of(came));
                    "goes to the right, "
                }
            }
            _ => "points ",
        };
        let to = compass(exit);
        let end = match tail {
            Tail::Stays if !begins => "; by torch light the tail stays".to_string(),
            Tail::Stays => String::new(),
            Tail::TurnedDown { cell, diamond } => {
                let cell = cell_name(position, cell);
                let shows = if diamond {
                    ", where a diamond shows again"
                } else {
                    ""
                };
                format!("; the tail {cell} is turned down{shows}")
            }
            Tail::Gained { cell, filled } => {
                let cell = cell_name(position, cell);
                let filled = if filled {
                    "the deck fills the gap"
                } else {
                    "the deck is empty and leaves a gap"
                };
                format!("; GAINS the diamond of {cell}, {filled}")
            }
        };
        self.say(&format!("    {turned}{to}{end}"));
    }

    /// The board with what lies beside it; one who sits at the table is shown it before each own
    /// decision instead.
    fn show(&mut self, position: &Position) {
        self.shown = true;
        if self.telling.seat.is_none() {
            self.story += &self.stands(position);
        }
    }

    pub fn stands(&self, position: &Position) -> String {
        let mut text = String::new();
        if !self.telling.short {
            let picture = draw(position, &self.numbers, self.telling.plain);
            text += "\n";
            text += &picture;
        }
        let planned: Vec<String> = position
            .planned
            .iter()
            .map(|&card| words(position.card(card)))
            .collect();
        let scores: Vec<String> = (0..position.players.len())
            .map(|place| {
                let gained = position.players[place].gained.len();
                let points = position.points(place);
                format!("{} {points} ({gained} gained)", self.names[place])
            })
            .collect();
        let planned = planned.join(" and ");
        let deck = position.deck.len();
        text += &format!("   planned: {planned}; deck: {deck}\n");
        text += &format!("   points: {}\n", scores.join(", "));
        let remembered = remembered(position);
        if !remembered.is_empty() {
            text += &format!("   remembered: {}\n", remembered.join(", "));
        }
        text
    }

    fn say(&mut self, text: &str) {
        self.story += text;
        self.story += "\n";
    }
}

/// What lies where the pawn points.
fn front(position: &Position, place: usize) -> String {
    let Some(head) = position.head(place) else {
        return String::new();
    };
    let at = cell_name(position, head.cell);
    let to = compass(head.exit);
    let what = match position.front(place) {
        None => "off the board".to_string(),
        Some(cell) => {
            let name = cell_name(position, cell);
            if position.shows_diamond(cell) {
                format!("to the diamond of {name}")
            } else if position.is_open(cell) {
                format!("to {name}")
            } else if position.tiles[cell].is_none() {
                format!("to the gap at {name}")
            } else {
                format!("to {name}, which is face up")
            }
        }
    };
    format!("at {at} points {to} {what}")
}

pub fn choice(position: &Position, choice: Choice) -> String {
    let to = |exit| format!("on to the {}", compass(exit));
    match choice {
        Choice::Start { cell } => {
            format!("begin at {}", cell_name(position, usize::from(cell)))
        }
        Choice::Plan { slot, exit } => {
            let card = words(position.card(position.planned[usize::from(slot)]));
            let number = slot + 1;
            format!("lay planned card {number}, {card}, {}", to(exit))
        }
        Choice::Dig { colour } => format!("declare the {} edge and dig", compass(colour)),
        Choice::Exit { exit } => to(exit),
        Choice::Turn { exit } => format!("turn the card to the {}", compass(exit)),
        Choice::Stop => "end the turn".to_string(),
        Choice::GoOn => "start another turn at once".to_string(),
    }
}

fn words(card: Card) -> String {
    let kind = match card.kind {
        Kind::Torch => "torch",
        Kind::Standard => "standard",
        Kind::Dark => "dark",
    };
    let shape = if card.is_straight() {
        "straight"
    } else {
        "curve"
    };
    let ends: Vec<&str> = (0..4)
        .filter(|edge| card.edges >> edge & 1 == 1)
        .map(compass)
        .collect();
    format!("a {kind} {shape} ({})", ends.join("-"))
}

fn compass(direction: Direction) -> &'static str {
    ["north", "east", "south", "west"][usize::from(direction & 3)]
}
