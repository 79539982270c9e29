//! The rulebook in its plainest form: one game of Diamant, step by step.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::deck;
use super::outcomes as o;
use super::rules::{Card, DiamantRules, Leavers, Tiebreak, Unclaimed, Worth};
use crate::formula::{Formula, Value};
use crate::game::story::{Asked, Why};
use crate::game::{SCORE, WIN, WIN_UNITS};
use crate::streams;

mod events;
mod features;
mod recording;

pub use events::Event;
pub use recording::record;

/// An explorer, and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explorer {
    /// Inside the cave.
    inside: bool,
    /// Rubies held, not safe yet.
    held: i32,
    /// What is recorded of it.
    outcomes: [i32; o::SEAT_OUTCOMES],
}

impl Explorer {
    /// Rubies brought home, relics included.
    pub fn chest(&self) -> i32 {
        self.outcomes[SCORE]
    }
}

/// How a game went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    /// Everyone, by seat.
    pub explorers: Vec<Explorer>,
    /// Seats that share the win.
    pub winners: Vec<usize>,
    /// What is recorded of the table.
    table: [i32; o::TABLE_OUTCOMES],
    /// How each expedition went.
    expeditions: Vec<Expedition>,
}

/// How an expedition went.
#[derive(Debug, Clone, Default, PartialEq)]
struct Expedition {
    /// Cards revealed.
    cards: usize,
    /// Whether a trap ended it.
    busted: bool,
    /// The seats that left, each with the number of cards revealed at that moment.
    departures: Vec<(usize, usize)>,
}

/// Plays the game with this key: `formulas` are the bots' bound formulas, by seat. `asked` hears of
/// each decision.
pub fn play(
    rules: &DiamantRules,
    formulas: &[Formula],
    key: u64,
    observe: &mut dyn FnMut(Event),
    asked: Asked,
) -> GameResult {
    let mut game = Referee {
        rules,
        formulas,
        key,
        box_set: rules.first_deck(),
        round: 0,
        deck: 0,
        path: Vec::new(),
        leftover: 0,
        just_left: 0,
        departures: Vec::new(),
        result: GameResult {
            explorers: vec![Explorer::default(); formulas.len()],
            ..GameResult::default()
        },
    };
    for round in 0..rules.rounds {
        game.round = round;
        let leaders = game.leaders();
        let busted = game.expedition(observe, asked);
        game.close(busted, observe);
        let still_leading = game.leaders().iter().any(|seat| leaders.contains(seat));
        game.result.table[o::LEAD_CHANGES] += i32::from(!still_leading);
        if round + 1 == rules.rounds {
            game.finish(&leaders);
        }
    }
    game.result
}

struct Referee<'a> {
    rules: &'a DiamantRules,
    formulas: &'a [Formula],
    key: u64,
    /// Cards that are in the game: those of the deck between expeditions.
    box_set: u64,
    round: u32,
    deck: u64,
    path: Vec<usize>,
    leftover: i32,
    just_left: usize,
    departures: Vec<(usize, usize)>,
    result: GameResult,
}

impl Referee<'_> {
    /// Plays one expedition; tells whether a trap ended it.
    fn expedition(&mut self, observe: &mut dyn FnMut(Event), asked: Asked) -> bool {
        let joining = self.rules.joining(self.round);
        self.box_set |= joining;
        self.deck = self.box_set;
        observe(Event::Expedition {
            round: self.round + 1,
            cards: self.deck.count_ones(),
            joined: (joining != 0).then_some(self.round as u8),
        });
        for explorer in &mut self.result.explorers {
            explorer.inside = true;
            explorer.held = 0;
        }
        let mut rng = streams::phase_rng(self.key, u64::from(self.round));
        // Those who have decided to leave, but not yet collected.
        let mut leavers: Vec<usize> = Vec::new();
        loop {
            let inside = self.inside();
            let going_on: Vec<usize> = inside
                .iter()
                .copied()
                .filter(|seat| !leavers.contains(seat))
                .collect();
            let mut busted = false;
            if !going_on.is_empty() {
                if self.deck == 0 {
                    observe(Event::DeckEmpty);
                    self.leave(&inside, observe);
                    return false;
                }
                let card = deck::draw(&mut rng, self.deck, self.rules.cards.len());
                busted = self.reveal(card, &going_on, observe);
            }
            self.leave(&leavers, observe);
            if busted {
                return true;
            }
            if self.inside().is_empty() {
                return false;
            }
            leavers = self.decide(asked);
            self.just_left = leavers.len();
            if self.rules.leavers == Leavers::BeforeReveal {
                self.leave(&leavers, observe);
                leavers.clear();
                if self.inside().is_empty() {
                    return false;
                }
            }
        }
    }

    /// Reveals a card for those who go on; tells whether it ends the expedition.
    fn reveal(&mut self, card: usize, going_on: &[usize], observe: &mut dyn FnMut(Event)) -> bool {
        self.deck &= !(1 << card);
        self.result.table[o::CARDS] += 1;
        let known = self.path.iter().any(|&other| self.same_trap(other, card));
        self.path.push(card);
        match self.rules.cards[card] {
            Card::Treasure(value) => {
                let share = i32::from(value) / going_on.len() as i32;
                self.leftover += i32::from(value) % going_on.len() as i32;
                for &seat in going_on {
                    self.result.explorers[seat].held += share;
                }
                observe(Event::Treasure {
                    value,
                    sharers: going_on.len(),
                    share,
                    leftover: self.leftover,
                });
                false
            }
            Card::Relic(relic) => {
                observe(Event::Relic { relic });
                false
            }
            Card::Trap(kind) if !known => {
                observe(Event::Trap { kind });
                false
            }
            Card::Trap(kind) => {
                let lost = going_on
                    .iter()
                    .map(|&seat| (seat, self.result.explorers[seat].held));
                observe(Event::Bust {
                    kind,
                    lost: lost.collect(),
                    removed: self.rules.remove_trap,
                });
                for &seat in going_on {
                    let explorer = &mut self.result.explorers[seat];
                    explorer.inside = false;
                    explorer.outcomes[o::BUSTS] += 1;
                }
                if self.rules.remove_trap {
                    self.box_set &= !(1 << card);
                }
                true
            }
        }
    }

    /// The seats that choose to leave, all seeing the same table.
    fn decide(&self, asked: Asked) -> Vec<usize> {
        let mut inside = self.inside();
        inside.retain(|&seat| {
            let why = || Why::of(&self.formulas[seat], |feature| self.feature(feature, seat));
            asked(seat, &why);
            self.wants_to_leave(seat)
        });
        inside
    }

    fn wants_to_leave(&self, seat: usize) -> bool {
        match self.formulas[seat].evaluate(|feature| self.feature(feature, seat)) {
            Value::Truth(leave) => leave,
            Value::Number(_) => unreachable!("a bot of Diamant answers with a truth value"),
        }
    }

    /// Explorers leave together: each banks what they hold and a share of the path, and one who
    /// leaves alone takes the relics too.
    fn leave(&mut self, leavers: &[usize], observe: &mut dyn FnMut(Event)) {
        if leavers.is_empty() {
            return;
        }
        let share = self.leftover / leavers.len() as i32;
        self.leftover %= leavers.len() as i32;
        let cards = self.path.len();
        let alone = leavers.len() == 1;
        let (relics, worth) = if alone { self.take_relics() } else { (0, 0) };
        let mut held = Vec::new();
        for &seat in leavers {
            let explorer = &mut self.result.explorers[seat];
            explorer.inside = false;
            let outcomes = &mut explorer.outcomes;
            outcomes[SCORE] += explorer.held + share + worth;
            outcomes[o::RELICS] += relics as i32;
            outcomes[o::LEFT] += 1;
            outcomes[o::LEFT_ALONE] += i32::from(alone);
            outcomes[o::CARDS_AT_LEAVING] += cards as i32;
            held.push((seat, explorer.held));
            self.departures.push((seat, cards));
        }
        observe(Event::Left {
            leavers: held,
            share,
            leftover: self.leftover,
            relics,
            worth,
        });
    }

    /// Takes all relics off the path and out of the game: their number and worth.
    fn take_relics(&mut self) -> (u32, i32) {
        let worth = self.relic_worth();
        let relics = self.relics_on_path();
        for &card in &self.path {
            if matches!(self.rules.cards[card], Card::Relic(_)) {
                self.box_set &= !(1 << card);
            }
        }
        self.result.table[o::CLAIMED] += relics as i32;
        (relics, worth)
    }

    /// Ends the expedition: what lies on the path goes where the rules say.
    fn close(&mut self, busted: bool, observe: &mut dyn FnMut(Event)) {
        let relics = self.relics_on_path();
        if self.rules.unclaimed == Unclaimed::LeaveGame {
            for &card in &self.path {
                if matches!(self.rules.cards[card], Card::Relic(_)) {
                    self.box_set &= !(1 << card);
                }
            }
        }
        observe(Event::ExpeditionEnded {
            cards: self.path.len() as u32,
            left_behind: self.leftover,
            relics,
            chests: self.chests().collect(),
        });
        self.result.table[o::TABLE_BUSTS] += i32::from(busted);
        self.result.table[o::LEFT_BEHIND] += self.leftover;
        let departures = std::mem::take(&mut self.departures);
        self.result.expeditions.push(Expedition {
            cards: self.path.len(),
            busted,
            departures,
        });
        self.path.clear();
        self.leftover = 0;
        self.just_left = 0;
    }

    /// Ends the game; `leaders` were in front before the last expedition.
    fn finish(&mut self, leaders: &[usize]) {
        let mut winners = self.leaders();
        if self.rules.tiebreak == Tiebreak::Relics {
            let relics = |seat: usize| self.result.explorers[seat].outcomes[o::RELICS];
            let most = winners.iter().map(|&seat| relics(seat)).max();
            winners.retain(|&seat| Some(relics(seat)) == most);
        }
        let mut chests: Vec<i32> = self.chests().collect();
        chests.sort_unstable_by(|a, b| b.cmp(a));
        let came_back = !winners.iter().any(|seat| leaders.contains(seat));
        for &seat in &winners {
            self.result.explorers[seat].outcomes[WIN] = WIN_UNITS / winners.len() as i32;
        }
        let table = &mut self.result.table;
        table[o::MARGIN] = chests[0] - chests.get(1).unwrap_or(&chests[0]);
        table[o::COMEBACK] = i32::from(came_back);
        table[o::SHARED] = i32::from(winners.len() > 1);
        self.result.winners = winners;
    }

    fn inside(&self) -> Vec<usize> {
        let explorers = self.result.explorers.iter().enumerate();
        explorers
            .filter(|(_, explorer)| explorer.inside)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// The chests, by seat.
    fn chests(&self) -> impl Iterator<Item = i32> {
        self.result.explorers.iter().map(Explorer::chest)
    }

    /// The seats with the fullest chest.
    fn leaders(&self) -> Vec<usize> {
        let best = self.chests().max();
        let chests = self.chests().enumerate();
        chests
            .filter(|(_, chest)| Some(*chest) == best)
            .map(|(seat, _)| seat)
            .collect()
    }

    fn same_trap(&self, a: usize, b: usize) -> bool {
        matches!(self.rules.cards[a], Card::Trap(_)) && self.rules.cards[a] == self.rules.cards[b]
    }

    /// Relics on the path that nobody has taken.
    fn relics_lying(&self) -> impl Iterator<Item = u8> + '_ {
        self.path
            .iter()
            .filter_map(|&card| match self.rules.cards[card] {
                Card::Relic(relic) if self.box_set >> card & 1 == 1 => Some(relic),
                _ => None,
            })
    }

    fn relics_on_path(&self) -> u32 {
        self.relics_lying().count() as u32
    }

    /// What one who leaves alone would get for the relics on the path.
    fn relic_worth(&self) -> i32 {
        let value = |relic: usize| i32::from(self.rules.relics[relic]);
        match self.rules.worth {
            Worth::Printed => self
                .relics_lying()
                .map(|relic| value(usize::from(relic)))
                .sum(),
            Worth::ClaimOrder => (0..self.relics_on_path() as usize)
                .map(|next| value(self.result.table[o::CLAIMED] as usize + next))
                .sum(),
        }
    }
}
