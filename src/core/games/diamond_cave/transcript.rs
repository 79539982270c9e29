//! Writes the story of one game of Diamond Cave in words and pictures, from the referee's events.

use super::board::{DECK, PLANNED, PLAYERS, board, cell_name};
use super::moves::{Choice, Direction, back_of, left_of, right_of};
use super::outcomes as o;
use super::picture::{draw, legend};
use super::referee::{Event, GameResult, Position, Tail};
use super::rules::{Card, DiamondCaveRules, GAINED_POINTS, KIND_NAMES, Kind};
use crate::diagnostic::counted;
use crate::figure::board::{Board, Cell};
use crate::game::story::{self, StoryStyle};
use crate::game::{Places, SCORE, Sitting};

pub fn end(result: &GameResult, names: &[String]) -> String {
    let mut story = "\n".to_string();
    for (played, name) in result.players.iter().zip(names) {
        let [gained, hidden, torches, standard] = played.parts;
        let points = counted(played.outcomes[SCORE] as usize, "point");
        story += &format!(
            "  {name}: {points} (gained {gained}, hidden {hidden}, torches {torches}, standard {standard})\n"
        );
    }
    let winners = result.winners.iter();
    let won: Vec<&str> = winners.map(|&place| names[place].as_str()).collect();
    let verb = story::win(won.len());
    let by = tie_break(result);
    story + &format!("{} {verb}{by}.\n", won.join(" and "))
}

/// The tie-break between players with equal points.
fn tie_break(result: &GameResult) -> &'static str {
    let best = &result.players[result.winners[0]].outcomes;
    let with_best = |of: &[usize]| {
        let players = result.players.iter();
        let is_best = |outcomes: &[i32]| of.iter().all(|&at| outcomes[at] == best[at]);
        players.filter(|played| is_best(&played.outcomes)).count()
    };
    let (points, gained) = (with_best(&[SCORE]), with_best(&[SCORE, o::GAINED]));
    match (points, gained, result.winners.len()) {
        (1, ..) => "",
        (_, 1, _) => ": among those with the most points, the most diamonds gained",
        (_, _, 1) => ": among those with the most points and diamonds gained, the longest tunnel",
        _ => ": points, diamonds gained and tunnels are equal",
    }
}

/// The rules in short, complete, with the numbers of all cards.
pub fn reference(rules: &DiamondCaveRules) -> String {
    let [_, torch, _] = rules.worth(Kind::Torch, false);
    let [hidden, _, _] = rules.worth(Kind::Dark, true);
    let [.., standard] = rules.worth(Kind::Standard, false);
    let kinds = KIND_NAMES
        .iter()
        .zip([Kind::Torch, Kind::Standard, Kind::Dark]);
    let kinds = kinds.map(|(name, kind)| {
        let copies = rules.cards.iter().filter(|card| card.kind == kind);
        format!("{} {name}", copies.count())
    });
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let straight = rules.cards.iter().filter(|card| card.is_straight()).count();
    format!(
        include_str!("reference.txt"),
        cards = counted(rules.cards.len(), "card"),
        kinds = kinds,
        straight = straight,
        curves = rules.cards.len() - straight,
        diamonds = counted(rules.diamonds, "diamond"),
        size = rules.size,
        deck = counted(rules.deck, "card"),
        planned = rules.planned,
        lone = if rules.lone_may_pass {
            "or leave it and end the turn"
        } else {
            "you must"
        },
        end = if rules.finish_turn {
            "at the end of a turn, when"
        } else {
            "at once when"
        },
        both = if rules.hidden_diamond_excludes_standard {
            "without one"
        } else {
            "with or without one"
        },
        gained = GAINED_POINTS,
        hidden = hidden,
        torch = torch,
        standard = standard,
    )
}

pub struct Narrator<'a> {
    names: &'a [String],
    places: Places,
    style: StoryStyle,
    /// The number of the turn, from 1; 0 before the first.
    pub turn: u32,
    /// Whether the board was drawn after the last event.
    shown: bool,
}

impl<'a> Narrator<'a> {
    pub fn new(sitting: &'a Sitting, style: StoryStyle) -> Self {
        Narrator {
            names: &sitting.names,
            places: sitting.places,
            style,
            turn: 0,
            shown: false,
        }
    }

    pub fn head(&self) -> String {
        let names = format!("clockwise: {}\n", self.names.join(", "));
        if self.style.short {
            names
        } else {
            format!("{names}\n{}", legend(self.style.plain))
        }
    }

    pub fn describe(&mut self, place: usize, event: Event, position: &Position) -> String {
        let shown = std::mem::take(&mut self.shown);
        let mut text = String::new();
        if event == Event::Turn {
            if self.turn == 0 {
                text += &self.show(position);
            }
            self.turn += 1;
        }
        text += &self.event(place, event, position);
        text += "\n";
        // The last board follows the end of the game.
        let shows = match event {
            Event::Ended | Event::Capped => !shown,
            Event::Collapsed { .. }
            | Event::Stuck
            | Event::Planned { .. }
            | Event::Stopped { .. } => !position.diamonds().is_empty(),
            _ => false,
        };
        if shows {
            text += &self.show(position);
        }
        text
    }

    fn event(&self, place: usize, event: Event, position: &Position) -> String {
        let name = &self.names[place];
        match event {
            Event::Started { cell } => {
                let card = words(position.front_of(cell));
                format!("\n{name} begins at {}: {card}", cell_name(position, cell))
            }
            Event::Turn => format!("\nTurn {}: {name} {}", self.turn, front(position, place)),
            Event::Collapsed { cards, diamonds } => {
                let (cards, lost) = (counted(cards, "card"), visible(diamonds));
                format!("  blocked: turns down {cards}{lost}, and passes")
            }
            Event::Stuck => "  blocked with nothing open beside the pawn: passes".to_string(),
            Event::Turned => {
                let to = position.head(place).map_or("", |head| compass(head.exit));
                let front = front(position, place);
                format!("  blocked on a lone card: turns it to the {to}, and {front}")
            }
            Event::Planned { slot, tail } => {
                let head = position.head(place).map(|head| head.cell);
                let laid = head.map_or(String::new(), |cell| words(position.front_of(cell)));
                format!(
                    "  lays planned card {}, {laid}, for {}\n{}\n  a planned card ends the turn",
                    slot + 1,
                    words(position.card(position.planned[slot])),
                    way(position, place, tail)
                )
            }
            Event::Dug { colour, cell } => {
                let right = position.upturned.is_some_and(|up| up.right);
                format!(
                    "  declares the {} edge of {} and digs: {}; {}",
                    compass(colour),
                    cell_name(position, cell),
                    words(position.front_of(cell)),
                    if right { "right way!" } else { "wrong way" }
                )
            }
            Event::Connected { tail } => way(position, place, tail),
            Event::Stopped { forced: true } => "  can only end the turn".to_string(),
            Event::Stopped { forced: false } => "  chooses to end the turn".to_string(),
            Event::GoesOn => format!("  starts another turn at once: {}", front(position, place)),
            Event::Ended => "  no diamond is visible any more: the game is over".to_string(),
            Event::Capped => "\nThe cap on turns is reached: the game is stopped.".to_string(),
        }
    }

    /// The board with what lies beside it; a story for a seat shows it before each of its decisions
    /// instead.
    fn show(&mut self, position: &Position) -> String {
        self.shown = true;
        match self.style.seat {
            Some(_) => String::new(),
            None => self.stands(&self.board(position)),
        }
    }

    /// The board without options.
    pub fn board(&self, position: &Position) -> Board {
        board(position, self.places, self.names)
    }

    pub fn stands(&self, board: &Board) -> String {
        let mut text = String::new();
        if !self.style.short {
            text += "\n";
            text += &draw(board, self.style.plain);
        }
        let listed = |area: usize, words: fn(&Cell) -> String| {
            let cells = board.areas[area].cells.iter().map(words);
            cells.collect::<Vec<_>>().join(", ")
        };
        let deck = listed(DECK, |cell| cell.copies.to_string());
        let planned = listed(PLANNED, |cell| cell.words.clone());
        let points = |cell: &Cell| {
            let (gained, points) = (&cell.pieces[1].text, &cell.pieces[2].text);
            format!("{} {points} ({gained})", cell.name)
        };
        let scores = listed(PLAYERS, points);
        text += &format!("   deck {deck}, planned: {planned}\n");
        text += &format!("   points (diamonds gained): {scores}\n");
        text
    }
}

/// The pawn's way after a card was connected, and the fate of the tail.
fn way(position: &Position, place: usize, tail: Tail) -> String {
    let Some(head) = position.head(place) else {
        return String::new();
    };
    let begins = position.players[place].tunnel.len() == 1 && tail == Tail::Stays;
    let (came, exit) = (back_of(head.entry), head.exit);
    let turned = if begins {
        "points "
    } else if exit == came {
        "goes straight on, "
    } else if exit == left_of(came) {
        "goes to the left, "
    } else {
        debug_assert_eq!(exit, right_of(came));
        "goes to the right, "
    };
    let end = match tail {
        Tail::Stays if !begins => "; by torch light the tail stays".to_string(),
        Tail::Stays => String::new(),
        Tail::TurnedDown(cell) => {
            let lost = visible(usize::from(position.tile(cell).diamond));
            let tail = cell_name(position, cell);
            format!("; the tail {tail} is turned down{lost}")
        }
        Tail::Gained(cell) => {
            let gap = match position.tiles[cell] {
                Some(_) => "the deck fills the gap",
                None => "the deck is empty and leaves a gap",
            };
            let tail = cell_name(position, cell);
            format!("; GAINS the diamond of {tail}, {gap}")
        }
    };
    format!("    {turned}{}{end}", compass(exit))
}

/// What shows again where cards are turned down.
fn visible(diamonds: usize) -> String {
    match diamonds {
        0 => String::new(),
        1 => ", where a diamond is visible again".to_string(),
        _ => format!(", where {diamonds} diamonds are visible again"),
    }
}

/// The card that the pawn points to.
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
            let card = kind_words(position.card(position.planned[usize::from(slot)]));
            format!("lay card {}, {card}, {}", slot + 1, to(exit))
        }
        Choice::Dig { colour } => format!("declare the {} edge and dig", compass(colour)),
        Choice::Exit { exit } => to(exit),
        Choice::Turn { exit } => format!("turn the card to the {}", compass(exit)),
        Choice::Stop => "end the turn".to_string(),
        Choice::GoOn => "start another turn at once".to_string(),
    }
}

fn words(card: Card) -> String {
    format!("a {}", short_words(card))
}

pub fn short_words(card: Card) -> String {
    let ends = (0..4).filter(|edge| card.has(*edge));
    let ends: Vec<&str> = ends.map(compass).collect();
    format!("{} ({})", kind_words(card), ends.join("-"))
}

fn kind_words(card: Card) -> String {
    let kind = KIND_NAMES[card.kind as usize];
    let shape = if card.is_straight() {
        "straight"
    } else {
        "curve"
    };
    format!("{kind} {shape}")
}

pub fn compass(direction: Direction) -> &'static str {
    ["north", "east", "south", "west"][usize::from(direction & 3)]
}
