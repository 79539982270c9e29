//! The rulebook in its plainest form: one game of Diamond Cave, turn by turn.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::moves::{self, Asked, Choice, Direction};
use super::outcomes as o;
use super::rules::{DiamondCaveRules, GAINED_POINTS, Kind};
use super::setup::Arrangement;
use crate::game::moments::{self, Guide, Standing};
use crate::game::{Places, SCORE, Sitting, WIN, WIN_UNITS};

mod events;
mod features;
#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_cave/referee/invariants.rs"]
mod invariants;
mod position;
mod recording;
mod snapshot;
#[cfg(test)]
#[path = "../../../../../tests/unit/core/games/diamond_cave/referee/worked.rs"]
mod worked;

pub use events::{Decision, Event, Watch};
pub use position::{Position, Tail};
pub use recording::record;

use position::Upturned;

/// Chooses among at least two legal choices; returns an index.
pub type Chooser<'c> = &'c mut dyn FnMut(&Decision, &Standing) -> usize;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Played {
    pub outcomes: [i32; o::SEAT_OUTCOMES],
    /// Points for gained diamonds, hidden diamonds, torches and standard cards.
    pub parts: [i32; 4],
    /// Cells on which diamonds were gained.
    pub gained_at: Vec<usize>,
    /// Cards in the tunnel after each turn.
    pub lengths: Vec<usize>,
    /// Cards dug up in each turn.
    pub turn_digs: Vec<usize>,
    /// Each card that was laid: its kind, and whether it was a planned one.
    pub laid: Vec<(Kind, bool)>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    pub players: Vec<Played>,
    /// Place of the start player.
    pub starter: usize,
    /// Places that share the win.
    pub winners: Vec<usize>,
    pub table: [i32; o::TABLE_OUTCOMES],
}

/// Plays a game; `guide` may change decisions.
pub fn play(
    rules: &DiamondCaveRules,
    sitting: &Sitting,
    guide: &mut dyn Guide,
    watch: &mut dyn Watch,
) -> GameResult {
    let key = sitting.key;
    let dealt = Arrangement::deal(rules, key, sitting.formulas.len());
    let mut choose = |decision: &Decision, stands: &Standing| {
        let (asked, choices) = (decision.asked, decision.choices.len());
        let score = |row| {
            let feature = |feature| features::feature(decision, row, feature);
            let value = sitting.formulas[asked.place].evaluate(feature).number();
            value.expect("a bot of Diamond Cave answers with a number")
        };
        let scores: Vec<f32> = (0..choices).map(score).collect();
        let own = moves::pick(&scores, key, asked.decision);
        guide.decide(asked.seat, choices, own, stands)
    };
    play_dealt(rules, &dealt, sitting.places, key, &mut choose, watch)
}

/// Plays from an arrangement, with any chooser.
pub fn play_dealt(
    rules: &DiamondCaveRules,
    dealt: &Arrangement,
    places: Places,
    key: u64,
    choose: Chooser,
    watch: &mut dyn Watch,
) -> GameResult {
    let players = places.bots().len();
    let mut game = Referee {
        position: Position::new(rules, dealt, players),
        places,
        key,
        decision: 0,
        turn_digs: 0,
        choose,
        watch,
        result: GameResult {
            players: vec![Played::default(); players],
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
    places: Places,
    key: u64,
    decision: u64,
    turn_digs: usize,
    choose: Chooser<'a>,
    watch: &'a mut dyn Watch,
    result: GameResult,
}

impl Referee<'_> {
    fn begin(&mut self, place: usize) {
        let starts = self.position.starts();
        let Choice::Start { cell } = self.ask(place, &starts) else {
            unreachable!("only starts were offered");
        };
        let cell = usize::from(cell);
        self.position.turn_up(cell, false);
        self.emit(place, Event::Started { cell });
        self.connect(place);
    }

    /// A turn, and the turns that follow at once; returns whether the game is over.
    fn turn(&mut self, place: usize) -> bool {
        if self.position.turns_left == 0 {
            return self.stop_game(place);
        }
        self.position.players[place].turns += 1;
        self.turn_digs = 0;
        self.emit(place, Event::Turn);
        let over = loop {
            if self.position.turns_left == 0 {
                break self.stop_game(place);
            }
            self.position.turns_left -= 1;
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
            let finishes = self.position.rules.finish_turn && kind == Kind::Dark;
            if !finishes && self.is_over(place) {
                break true;
            }
            let mut choices = vec![Choice::Stop];
            match kind {
                Kind::Dark => choices.extend(self.position.plans(place)),
                // As many digs as cells in one turn: the tunnel is circling, so digging ends.
                _ if self.turn_digs == self.position.rules.cells() => {}
                Kind::Torch | Kind::Standard => choices.push(Choice::GoOn),
            }
            let forced = choices.len() == 1;
            match self.ask(place, &choices) {
                // No turn begins after the last one.
                Choice::GoOn if self.position.turns_left == 0 => {}
                Choice::GoOn => self.emit(place, Event::GoesOn),
                Choice::Stop => {
                    self.emit(place, Event::Stopped { forced });
                    break self.is_over(place);
                }
                plan => {
                    self.plan(place, plan);
                    break self.is_over(place);
                }
            }
        };
        let length = self.position.players[place].tunnel.len();
        let played = &mut self.result.players[place];
        played.lengths.push(length);
        played.turn_digs.push(self.turn_digs);
        over
    }

    /// Rulebook, "Blocked tunnels"; returns whether the turn goes on.
    fn unblock(&mut self, place: usize) -> bool {
        self.result.table[o::ACTIONS] += 1;
        let tunnel = &self.position.players[place].tunnel;
        let cards = tunnel.len() - 1;
        if cards > 0 {
            self.result.players[place].outcomes[o::BLOCKED] += 1;
            let bears = |cell: usize| self.position.tile(cell).diamond;
            let down = tunnel[..cards].iter();
            let diamonds = down.filter(|section| bears(section.cell)).count();
            self.position.collapse(place);
            self.emit(place, Event::Collapsed { cards, diamonds });
            return false;
        }
        let mut turns = self.position.turns(place);
        if turns.is_empty() {
            self.result.players[place].outcomes[o::BLOCKED] += 1;
            self.emit(place, Event::Stuck);
            return false;
        }
        if self.position.rules.lone_may_pass {
            turns.insert(0, Choice::Stop);
        }
        let Choice::Turn { exit } = self.ask(place, &turns) else {
            self.emit(place, Event::Stopped { forced: false });
            return false;
        };
        self.result.players[place].outcomes[o::TURNED] += 1;
        self.position.turn_lone(place, exit);
        self.emit(place, Event::Turned);
        true
    }

    fn plan(&mut self, place: usize, choice: Choice) {
        let Choice::Plan { slot, exit } = choice else {
            unreachable!("only plans are left");
        };
        self.result.table[o::ACTIONS] += 1;
        self.result.players[place].outcomes[o::PLANS] += 1;
        let slot = usize::from(slot);
        let planned = self.position.card(self.position.planned[slot]);
        self.result.players[place].laid.push((planned.kind, true));
        let tail = self.position.plan(place, slot, exit);
        self.note(place, tail);
        self.emit(place, Event::Planned { slot, tail });
    }

    /// Rulebook, action B; returns the kind of the card that was found.
    fn dig(&mut self, place: usize, colour: Direction) -> Kind {
        self.position.dig(place, colour);
        let Some(Upturned { cell, right }) = self.position.upturned else {
            unreachable!("a card was turned up");
        };
        self.result.table[o::ACTIONS] += 1;
        self.turn_digs += 1;
        let outcomes = &mut self.result.players[place].outcomes;
        outcomes[o::DIGS] += 1;
        outcomes[o::RIGHT] += i32::from(right);
        self.emit(place, Event::Dug { colour, cell });
        self.connect(place);
        let kind = self.position.front_of(cell).kind;
        self.result.players[place].laid.push((kind, false));
        kind
    }

    /// Rulebook, "Whichever action you performed".
    fn connect(&mut self, place: usize) {
        let exits = self.position.exits(place);
        let Choice::Exit { exit } = self.ask(place, &exits) else {
            unreachable!("only exits were offered");
        };
        let tail = self.position.connect(place, exit);
        self.note(place, tail);
        self.emit(place, Event::Connected { tail });
    }

    fn note(&mut self, place: usize, tail: Tail) {
        if let Tail::Gained(cell) = tail {
            self.result.players[place].gained_at.push(cell);
        }
    }

    /// Rulebook, "End of the game".
    fn is_over(&mut self, place: usize) -> bool {
        let over = self.position.diamonds().is_empty();
        if over {
            self.emit(place, Event::Ended);
        }
        over
    }

    fn stop_game(&mut self, place: usize) -> bool {
        self.result.table[o::CAPPED] = 1;
        self.emit(place, Event::Capped);
        true
    }

    /// Points and winners: most points, then most diamonds gained, then the longest tunnel.
    fn score(&mut self) {
        for (place, played) in self.result.players.iter_mut().enumerate() {
            let player = &self.position.players[place];
            let [hidden, torches, standard] = self.position.tunnel_points(place);
            let gained = player.gained.len() as i32;
            played.parts = [GAINED_POINTS * gained, hidden, torches, standard];
            played.outcomes[SCORE] = self.position.points(place);
            played.outcomes[o::GAINED] = gained;
            played.outcomes[o::LENGTH] = player.tunnel.len() as i32;
            played.outcomes[o::TURNS] = player.turns;
        }
        let players = &mut self.result.players;
        let rank = |played: &Played| [SCORE, o::GAINED, o::LENGTH].map(|of| played.outcomes[of]);
        let best = players.iter().map(rank).max();
        let wins = |place: &usize| Some(rank(&players[*place])) == best;
        let winners: Vec<usize> = (0..players.len()).filter(wins).collect();
        for &place in &winners {
            players[place].outcomes[WIN] = WIN_UNITS / winners.len() as i32;
        }

        let of = |outcome: usize| players.iter().map(move |played| played.outcomes[outcome]);
        let mut scores: Vec<i32> = of(SCORE).collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        let table = &mut self.result.table;
        table[o::TABLE_TURNS] = of(o::TURNS).sum();
        table[o::TABLE_GAINED] = of(o::GAINED).sum();
        table[o::MARGIN] = scores[0] - scores[1];
        table[o::STARTER_WIN] = players[self.result.starter].outcomes[WIN];
        table[o::SHARED] = i32::from(winners.len() > 1);
        self.result.winners = winners;
    }

    /// The player's pick; a single choice is taken without asking.
    fn ask(&mut self, place: usize, choices: &[Choice]) -> Choice {
        if let [only] = choices {
            return *only;
        }
        let asked = Asked {
            key: self.key,
            decision: self.decision,
            place,
            seat: self.places.bot_at(place),
            turn_digs: self.turn_digs as i32,
            turns: self.position.players[place].turns,
        };
        self.decision += 1;
        self.result.table[o::DECISIONS] += 1;
        let decision = Decision {
            position: &self.position,
            asked,
            choices,
        };
        let stands = Standing {
            position: &|| moments::Position::new(decision.snapshot(self.places)),
            features: &|option| features::all(&decision, option),
        };
        let chosen = (self.choose)(&decision, &stands);
        self.watch.decided(&decision, chosen, &stands);
        choices[chosen]
    }

    fn emit(&mut self, place: usize, event: Event) {
        self.watch.event(place, event, &self.position);
    }
}
