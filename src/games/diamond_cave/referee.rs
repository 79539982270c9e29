//! The rulebook in its plainest form: one game of Diamond Cave, turn by turn.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::moves::{self, Asked, Choice, Direction};
use super::outlook;
use super::position::{Position, Tail, Upturned};
use super::rules::{DiamondCaveRules, Kind};
use super::setup::Arrangement;
use crate::formula::Formula;

/// Something that happened at the table. Places count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A player turned up the card on which to begin.
    Started {
        /// Where.
        cell: usize,
    },
    /// A player's turn began.
    Turn,
    /// A longer tunnel was blocked and turned down but for its head; the turn is over.
    Collapsed {
        /// Cards turned down.
        cards: usize,
        /// Diamonds that show again.
        diamonds: usize,
    },
    /// A lone card has no open neighbour; the turn is over.
    Stuck,
    /// A lone blocked card was turned.
    Turned {
        /// Where its pawn points.
        exit: Direction,
    },
    /// A planned card was laid and connected; the turn is over.
    Planned {
        /// Which one.
        slot: usize,
        /// The card that was replaced, and lies there now.
        replaced: u8,
        /// Where the pawn points.
        exit: Direction,
        /// What became of the tail.
        tail: Tail,
    },
    /// A card was turned up.
    Dug {
        /// The edge that was declared.
        colour: Direction,
        /// Whether the tunnel leads through it.
        right: bool,
        /// Where it lies.
        cell: usize,
    },
    /// The card that was turned up was connected.
    Connected {
        /// Where the pawn points.
        exit: Direction,
        /// What became of the tail.
        tail: Tail,
    },
    /// The player ended the turn.
    Stopped,
    /// The player begins another turn at once.
    GoesOn,
    /// No diamond shows: the game is over.
    Ended,
    /// All turns are used up: the game is stopped.
    Capped,
}

/// What happened to whom, and how things lie after it.
pub type Observer<'o> = &'o mut dyn FnMut(usize, Event, &Position);

/// Who chooses: gets at least two legal choices and tells the index of one.
pub type Chooser<'c> = &'c mut dyn FnMut(&Position, Asked, &[Choice]) -> usize;

/// What a player did in a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Deeds {
    /// Final score.
    pub score: i32,
    /// Points for gained diamonds, hidden diamonds, torches and standard cards.
    pub parts: [i32; 4],
    /// Cards in the tunnel at the end.
    pub length: i32,
    /// Turns, those started at once after a dig counted with the one before.
    pub turns: i32,
    /// Planned cards laid.
    pub plans: i32,
    /// Cards dug up.
    pub digs: i32,
    /// Of these, with the declared edge right.
    pub right: i32,
    /// Turns lost to a blocked tunnel, with or without cards turned down.
    pub blocked: i32,
    /// Lone cards turned.
    pub turned: i32,
    /// Cells on which diamonds were gained.
    pub gained_at: Vec<usize>,
    /// Cards in the tunnel after each turn.
    pub lengths: Vec<usize>,
    /// Cards dug up in each turn.
    pub turn_digs: Vec<usize>,
}

/// How a game ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    /// Everyone, by place.
    pub deeds: Vec<Deeds>,
    /// Place of the start player.
    pub starter: usize,
    /// Places that share the win.
    pub winners: Vec<usize>,
    /// Plans, digs, and what blocked players did.
    pub actions: i32,
    /// Whether the game was stopped.
    pub capped: bool,
}

/// Plays the game with this key; `formulas` are the bots' bound formulas, by place.
pub fn play(
    rules: &DiamondCaveRules,
    formulas: &[Formula],
    key: u64,
    observe: Observer,
) -> GameResult {
    let dealt = Arrangement::deal(rules, key, formulas.len());
    let mut choose = |position: &Position, asked: Asked, choices: &[Choice]| {
        let score = |(row, choice): (usize, &Choice)| {
            let feature = |feature| outlook::feature(position, &asked, row, *choice, feature);
            let value = formulas[asked.place].evaluate(feature);
            value
                .number()
                .expect("a bot of Diamond Cave answers with a number")
        };
        let scores: Vec<f32> = choices.iter().enumerate().map(score).collect();
        moves::pick(&scores, key, asked.decision)
    };
    play_dealt(rules, &dealt, formulas.len(), key, &mut choose, observe)
}

/// Plays on from an arrangement with any way to choose.
pub fn play_dealt(
    rules: &DiamondCaveRules,
    dealt: &Arrangement,
    players: usize,
    key: u64,
    choose: Chooser,
    observe: Observer,
) -> GameResult {
    let mut game = Referee {
        position: Position::new(rules, dealt, players),
        key,
        decision: 0,
        turns_left: rules.turns_max * players as u32,
        turn_digs: 0,
        choose,
        observe,
        result: GameResult {
            deeds: vec![Deeds::default(); players],
            starter: usize::from(dealt.starter),
            ..GameResult::default()
        },
    };
    let first = usize::from(dealt.starter);
    for seat in 0..players {
        game.begin((first + seat) % players);
    }
    let mut place = first;
    while !game.turn(place) {
        place = (place + 1) % players;
    }
    game.score();
    game.result
}

struct Referee<'a> {
    position: Position<'a>,
    key: u64,
    decision: u64,
    turns_left: u32,
    turn_digs: usize,
    choose: Chooser<'a>,
    observe: Observer<'a>,
    result: GameResult,
}

impl Referee<'_> {
    /// Rulebook, "Game start".
    fn begin(&mut self, place: usize) {
        let starts = self.position.starts();
        let Choice::Start { cell } = self.ask(place, &starts) else {
            unreachable!("only starts were offered");
        };
        let cell = usize::from(cell);
        self.position.start(cell);
        self.tell(place, Event::Started { cell });
        self.connect(place);
    }

    /// A turn, with those that follow at once; tells whether the game is over.
    fn turn(&mut self, place: usize) -> bool {
        if self.turns_left == 0 {
            return self.stop_game(place);
        }
        self.result.deeds[place].turns += 1;
        self.turn_digs = 0;
        self.tell(place, Event::Turn);
        let over = loop {
            if self.turns_left == 0 {
                break self.stop_game(place);
            }
            self.turns_left -= 1;
            if self.position.is_blocked(place) && !self.unblock(place) {
                break self.is_over(place);
            }
            let mut choices = self.position.plans(place);
            choices.extend(moves::DIRECTIONS.map(|colour| Choice::Dig { colour }));
            let colour = match self.ask(place, &choices) {
                Choice::Dig { colour } => colour,
                plan => {
                    self.plan(place, plan);
                    break self.is_over(place);
                }
            };
            let kind = self.dig(place, colour);
            if self.is_over(place) {
                break true;
            }
            let mut choices = vec![Choice::Stop];
            match kind {
                Kind::Dark => choices.extend(self.position.plans(place)),
                Kind::Torch | Kind::Standard => choices.push(Choice::GoOn),
            }
            match self.ask(place, &choices) {
                Choice::GoOn => self.tell(place, Event::GoesOn),
                Choice::Stop => {
                    self.tell(place, Event::Stopped);
                    break false;
                }
                plan => {
                    self.plan(place, plan);
                    break self.is_over(place);
                }
            }
        };
        let deeds = &mut self.result.deeds[place];
        deeds
            .lengths
            .push(self.position.diggers[place].tunnel.len());
        deeds.turn_digs.push(self.turn_digs);
        over
    }

    /// Rulebook, "Blocked tunnels"; tells whether the turn goes on.
    fn unblock(&mut self, place: usize) -> bool {
        self.result.actions += 1;
        let tunnel = &self.position.diggers[place].tunnel;
        let cards = tunnel.len() - 1;
        if cards > 0 {
            self.result.deeds[place].blocked += 1;
            let bears = |cell: usize| self.position.tile(cell).diamond;
            let down = tunnel[..cards].iter();
            let diamonds = down.filter(|section| bears(section.cell)).count();
            self.position.collapse(place);
            self.tell(place, Event::Collapsed { cards, diamonds });
            return false;
        }
        let turns = self.position.turns(place);
        if turns.is_empty() {
            self.result.deeds[place].blocked += 1;
            self.tell(place, Event::Stuck);
            return false;
        }
        let Choice::Turn { exit } = self.ask(place, &turns) else {
            unreachable!("only turns were offered");
        };
        self.result.deeds[place].turned += 1;
        self.position.turn_lone(place, exit);
        self.tell(place, Event::Turned { exit });
        true
    }

    /// Rulebook, action A.
    fn plan(&mut self, place: usize, choice: Choice) {
        let Choice::Plan { slot, exit } = choice else {
            unreachable!("only plans are left");
        };
        self.result.actions += 1;
        self.result.deeds[place].plans += 1;
        let slot = usize::from(slot);
        let tail = self.position.plan(place, slot, exit);
        self.note(place, tail);
        let replaced = self.position.planned[slot];
        self.tell(
            place,
            Event::Planned {
                slot,
                replaced,
                exit,
                tail,
            },
        );
    }

    /// Rulebook, action B; tells the kind of the card that was found.
    fn dig(&mut self, place: usize, colour: Direction) -> Kind {
        self.position.dig(place, colour);
        let Some(Upturned { cell, right }) = self.position.upturned else {
            unreachable!("a card was turned up");
        };
        self.result.actions += 1;
        self.turn_digs += 1;
        let deeds = &mut self.result.deeds[place];
        deeds.digs += 1;
        deeds.right += i32::from(right);
        self.tell(
            place,
            Event::Dug {
                colour,
                right,
                cell,
            },
        );
        self.connect(place);
        self.position.front_of(cell).kind
    }

    /// Rulebook, "Whichever action you performed".
    fn connect(&mut self, place: usize) {
        let exits = self.position.exits(place);
        let Choice::Exit { exit } = self.ask(place, &exits) else {
            unreachable!("only exits were offered");
        };
        let tail = self.position.connect(place, exit);
        self.note(place, tail);
        self.tell(place, Event::Connected { exit, tail });
    }

    fn note(&mut self, place: usize, tail: Tail) {
        if let Tail::Gained { cell, .. } = tail {
            self.result.deeds[place].gained_at.push(cell);
        }
    }

    /// Rulebook, "End of the game".
    fn is_over(&mut self, place: usize) -> bool {
        let over = self.position.diamonds().is_empty();
        if over {
            self.tell(place, Event::Ended);
        }
        over
    }

    fn stop_game(&mut self, place: usize) -> bool {
        self.result.capped = true;
        self.tell(place, Event::Capped);
        true
    }

    /// Points and winners: most points, then most diamonds gained, then the longest tunnel.
    fn score(&mut self) {
        for (place, deeds) in self.result.deeds.iter_mut().enumerate() {
            let digger = &self.position.diggers[place];
            let [hidden, torches, standard] = self.position.tunnel_points(place);
            deeds.score = self.position.points(place);
            let gained = deeds.score - hidden - torches - standard;
            deeds.parts = [gained, hidden, torches, standard];
            deeds.length = digger.tunnel.len() as i32;
        }
        let rank = |deeds: &Deeds| (deeds.score, deeds.parts[0], deeds.length);
        let best = self.result.deeds.iter().map(rank).max();
        let everyone = self.result.deeds.iter().enumerate();
        self.result.winners = everyone
            .filter(|(_, deeds)| Some(rank(deeds)) == best)
            .map(|(place, _)| place)
            .collect();
    }

    /// What the player picks; a single choice is no question.
    fn ask(&mut self, place: usize, choices: &[Choice]) -> Choice {
        if let [only] = choices {
            return *only;
        }
        let asked = Asked {
            key: self.key,
            decision: self.decision,
            place,
            turn_digs: self.turn_digs as i32,
            turns: self.result.deeds[place].turns,
        };
        self.decision += 1;
        choices[(self.choose)(&self.position, asked, choices)]
    }

    fn tell(&mut self, place: usize, event: Event) {
        (self.observe)(place, event, &self.position);
    }
}
