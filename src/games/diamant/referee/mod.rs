//! The rulebook in its plainest form: one game of Diamant, step by step.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::deck;
use super::features::VOCABULARY;
use super::log::{Log, Turn};
use super::outcomes as o;
use super::rules::{Card, DiamantRules, Leavers, Tiebreak, Unclaimed, Worth};
use crate::formula::{Formula, Value};
use crate::game::story::Why;
use crate::game::{SCORE, WIN, WIN_UNITS};
use crate::streams;
use rand_xoshiro::Xoshiro128PlusPlus;

mod events;
mod features;
mod recording;
mod snapshot;

pub use events::{Event, Watch};
pub use recording::record;
#[cfg(test)]
pub use snapshot::play_on;

/// An explorer, and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Explorer {
    inside: bool,
    /// Rubies held, not safe yet.
    held: i32,
    /// What is recorded of it.
    outcomes: [i32; o::SEAT_OUTCOMES],
}

impl Explorer {
    /// Rubies brought home, relics included.
    fn chest(&self) -> i32 {
        self.outcomes[SCORE]
    }
}

/// How a game went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    explorers: Vec<Explorer>,
    /// Seats that share the win.
    pub winners: Vec<usize>,
    /// What is recorded of the table.
    table: [i32; o::TABLE_OUTCOMES],
    /// How each expedition went.
    expeditions: Vec<Expedition>,
    /// What was drawn and decided.
    pub log: Log,
}

impl GameResult {
    /// What each seat won, in [`WIN_UNITS`].
    pub fn wins(&self) -> Vec<i32> {
        let explorers = self.explorers.iter();
        explorers.map(|explorer| explorer.outcomes[WIN]).collect()
    }

    /// The chests, by seat.
    pub fn chests(&self) -> Vec<i32> {
        self.explorers.iter().map(Explorer::chest).collect()
    }
}

/// How an expedition went.
#[derive(Debug, Clone, Default, PartialEq)]
struct Expedition {
    cards: usize,
    /// Whether a trap ended it.
    busted: bool,
    /// The seats that left, each with the number of cards revealed at that moment.
    departures: Vec<(usize, usize)>,
}

/// Who draws the cards and who decides.
#[derive(Clone, Copy)]
pub enum Hands<'a> {
    /// Bots with these bound formulas, by seat, with the luck of the game with this key.
    Bots(&'a [Formula], u64),
    /// So many explorers did what was written down.
    Log(usize, &'a Log),
}

/// Plays a game; `watch` hears of all that happens.
pub fn play(rules: &DiamantRules, hands: Hands, watch: &mut dyn Watch) -> GameResult {
    let mut game = Referee::new(rules, hands);
    game.play_out(watch);
    game.result
}

/// A game, step by step.
pub struct Referee<'a> {
    rules: &'a DiamantRules,
    hands: Hands<'a>,
    rng: Xoshiro128PlusPlus,
    /// Cards that are in the game: those of the deck between expeditions.
    box_set: u64,
    round: u32,
    deck: u64,
    path: Vec<usize>,
    leftover: i32,
    just_left: usize,
    /// Those who have decided to leave, but not yet collected.
    leaving: Vec<usize>,
    /// Once the expedition is over, whether a trap ended it.
    over: Option<bool>,
    /// The seats that were in front when the expedition began.
    leaders: Vec<usize>,
    departures: Vec<(usize, usize)>,
    result: GameResult,
}

impl<'a> Referee<'a> {
    /// A new game, in which nobody has entered the cave yet.
    pub fn new(rules: &'a DiamantRules, hands: Hands<'a>) -> Self {
        let seats = match hands {
            Hands::Bots(formulas, _) => formulas.len(),
            Hands::Log(seats, _) => seats,
        };
        Referee {
            rules,
            hands,
            rng: streams::phase_rng(0, 0),
            box_set: rules.first_deck(),
            round: 0,
            deck: 0,
            path: Vec::new(),
            leftover: 0,
            just_left: 0,
            leaving: Vec::new(),
            over: None,
            leaders: Vec::new(),
            departures: Vec::new(),
            result: GameResult {
                explorers: vec![Explorer::default(); seats],
                ..GameResult::default()
            },
        }
    }

    /// Whether this expedition is the last.
    pub fn is_last(&self) -> bool {
        self.round + 1 == self.rules.rounds
    }

    /// The expedition, from 0; once all are over, their number.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether this expedition is over, and waits to be closed.
    pub fn over(&self) -> bool {
        self.over.is_some()
    }

    /// The cards that nobody has seen in this expedition.
    pub fn deck(&self) -> u64 {
        self.deck
    }

    /// What was drawn and decided.
    pub fn log(&self) -> &Log {
        &self.result.log
    }

    /// Everyone's chest, by seat.
    pub fn chests(&self) -> Vec<i32> {
        self.result.chests()
    }

    /// Kinds of trap on the path.
    pub fn traps_seen(&self) -> usize {
        let trap = |card: &&usize| matches!(self.rules.cards[**card], Card::Trap(_));
        self.path.iter().filter(trap).count()
    }

    /// Whether the last expedition is over.
    pub fn ended(&self) -> bool {
        self.round == self.rules.rounds
    }

    /// Everyone enters the cave.
    pub fn enter(&mut self, watch: &mut dyn Watch) {
        let joining = self.rules.joining(self.round);
        self.box_set |= joining;
        self.deck = self.box_set;
        self.rng = self.shuffle();
        self.over = None;
        self.leaders = self.leaders();
        watch.event(Event::Expedition {
            round: self.round + 1,
            cards: self.deck.count_ones(),
            joined: (joining != 0).then_some(self.round as u8),
        });
        self.result.log.expeditions.push(Vec::new());
        for explorer in &mut self.result.explorers {
            explorer.inside = true;
            explorer.held = 0;
        }
        self.go_on(watch);
    }

    /// Those who go on need a card: where there is none, everyone leaves together. Where nobody
    /// goes on, the last leave.
    fn go_on(&mut self, watch: &mut dyn Watch) {
        let going_on = self.going_on();
        if !going_on.is_empty() && self.deck != 0 {
            return;
        }
        if !going_on.is_empty() {
            watch.event(Event::DeckEmpty);
        }
        self.leaving.clear();
        self.leave(&self.inside(), watch);
        self.over = Some(false);
    }

    /// Reveals a card for those who go on; then those who leave collect.
    pub fn reveal(&mut self, card: usize, watch: &mut dyn Watch) {
        if let Some(turns) = self.result.log.expeditions.last_mut() {
            turns.push(Turn {
                card,
                leavers: Vec::new(),
            });
        }
        let going_on = self.going_on();
        let busted = self.turn_up(card, &going_on, watch);
        let leavers = std::mem::take(&mut self.leaving);
        self.leave(&leavers, watch);
        if busted {
            self.over = Some(true);
        }
    }

    /// Everyone inside has decided: these leave.
    pub fn decided(&mut self, leavers: Vec<usize>, watch: &mut dyn Watch) {
        self.just_left = leavers.len();
        let turns = self.result.log.expeditions.last_mut();
        if let Some(turn) = turns.and_then(|turns| turns.last_mut()) {
            turn.leavers.clone_from(&leavers);
        }
        match self.rules.leavers {
            Leavers::BeforeReveal => self.leave(&leavers, watch),
            Leavers::AfterReveal => self.leaving = leavers,
        }
        self.go_on(watch);
    }

    /// What a card does for those who go on; tells whether it ends the expedition.
    fn turn_up(&mut self, card: usize, going_on: &[usize], watch: &mut dyn Watch) -> bool {
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
                watch.event(Event::Treasure {
                    value,
                    sharers: going_on.len(),
                    share,
                    leftover: self.leftover,
                });
                false
            }
            Card::Relic(relic) => {
                watch.event(Event::Relic { relic });
                false
            }
            Card::Trap(kind) if !known => {
                watch.event(Event::Trap { kind });
                false
            }
            Card::Trap(kind) => {
                let lost = going_on
                    .iter()
                    .map(|&seat| (seat, self.result.explorers[seat].held));
                watch.event(Event::Bust {
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

    /// Plays this expedition to its end.
    fn expedition(&mut self, watch: &mut dyn Watch) {
        while self.over.is_none() {
            let card = self.draw();
            self.reveal(card, watch);
            if self.over.is_none() {
                let mut leavers = self.decide();
                watch.decided(self, &mut leavers);
                self.decided(leavers, watch);
            }
        }
        self.close(watch);
    }

    /// Plays the expeditions that are left.
    fn play_out(&mut self, watch: &mut dyn Watch) {
        while !self.ended() {
            self.enter(watch);
            watch.entered(self);
            self.expedition(watch);
        }
    }

    /// The generator of this expedition.
    fn shuffle(&self) -> Xoshiro128PlusPlus {
        let key = match self.hands {
            Hands::Bots(_, key) => key,
            Hands::Log(..) => 0,
        };
        streams::phase_rng(key, u64::from(self.round))
    }

    fn draw(&mut self) -> usize {
        match self.hands {
            Hands::Bots(..) => deck::draw(&mut self.rng, self.deck, self.rules.cards.len()),
            Hands::Log(..) => self.turn(self.path.len()).card,
        }
    }

    /// What was written down of a turn of this expedition.
    fn turn(&self, turn: usize) -> &Turn {
        match self.hands {
            Hands::Log(_, log) => &log.expeditions[self.round as usize][turn],
            Hands::Bots(..) => unreachable!("what bots do is not written down"),
        }
    }

    /// The seats that choose to leave, all seeing the same table.
    fn decide(&self) -> Vec<usize> {
        match self.hands {
            Hands::Log(..) => self.turn(self.path.len() - 1).leavers.clone(),
            Hands::Bots(formulas, key) => {
                let mut inside = self.inside();
                inside.retain(|&seat| {
                    let feature = |feature| self.feature(feature, seat, key);
                    match formulas[seat].evaluate(feature) {
                        Value::Truth(leave) => leave,
                        Value::Number(_) => {
                            unreachable!("a bot of Diamant answers with a truth value")
                        }
                    }
                });
                inside
            }
        }
    }

    /// Every feature that a seat sees now.
    pub fn features(&self, seat: usize) -> Vec<f32> {
        let key = match self.hands {
            Hands::Log(..) => 0,
            Hands::Bots(_, key) => key,
        };
        let all = 0..VOCABULARY.features.len();
        all.map(|feature| self.feature(feature, seat, key))
            .collect()
    }

    /// Why the bot of a seat decides as it does now; nothing where nobody knows.
    pub fn why(&self, seat: usize) -> Option<Why> {
        match self.hands {
            Hands::Log(..) => None,
            Hands::Bots(formulas, key) => {
                let feature = |feature| self.feature(feature, seat, key);
                Some(Why::of(&formulas[seat], feature))
            }
        }
    }

    /// Explorers leave together: each banks what they hold and a share of the path, and one who
    /// leaves alone takes the relics too.
    fn leave(&mut self, leavers: &[usize], watch: &mut dyn Watch) {
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
        watch.event(Event::Left {
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

    /// Ends the expedition, and with the last the game: what lies on the path goes where the rules
    /// say.
    pub fn close(&mut self, watch: &mut dyn Watch) {
        let busted = self.over == Some(true);
        let relics = self.relics_on_path();
        if self.rules.unclaimed == Unclaimed::LeaveGame {
            for &card in &self.path {
                if matches!(self.rules.cards[card], Card::Relic(_)) {
                    self.box_set &= !(1 << card);
                }
            }
        }
        watch.event(Event::ExpeditionEnded {
            cards: self.path.len() as u32,
            left_behind: self.leftover,
            relics,
            chests: self.result.chests(),
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
        let leaders = self.leaders();
        let still_leading = leaders.iter().any(|seat| self.leaders.contains(seat));
        self.result.table[o::LEAD_CHANGES] += i32::from(!still_leading);
        self.round += 1;
        if self.ended() {
            self.finish();
        }
    }

    fn finish(&mut self) {
        let mut winners = self.leaders();
        if self.rules.tiebreak == Tiebreak::Relics {
            let relics = |seat: usize| self.result.explorers[seat].outcomes[o::RELICS];
            let most = winners.iter().map(|&seat| relics(seat)).max();
            winners.retain(|&seat| Some(relics(seat)) == most);
        }
        let mut chests = self.result.chests();
        chests.sort_unstable_by(|a, b| b.cmp(a));
        let came_back = !winners.iter().any(|seat| self.leaders.contains(seat));
        for &seat in &winners {
            self.result.explorers[seat].outcomes[WIN] = WIN_UNITS / winners.len() as i32;
        }
        let table = &mut self.result.table;
        table[o::MARGIN] = chests[0] - chests.get(1).unwrap_or(&chests[0]);
        table[o::COMEBACK] = i32::from(came_back);
        table[o::SHARED] = i32::from(winners.len() > 1);
        self.result.winners = winners;
    }

    /// Who is inside, in the order of seats.
    pub fn inside(&self) -> Vec<usize> {
        let explorers = self.result.explorers.iter().enumerate();
        explorers
            .filter(|(_, explorer)| explorer.inside)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// What one of those inside would take home now, if all of them left; one who is alone takes relics,
    /// too.
    pub fn take_home(&self) -> i32 {
        let inside = self.inside();
        let held = inside
            .first()
            .map_or(0, |&seat| self.result.explorers[seat].held);
        match inside.len() {
            0 => 0,
            1 => held + self.leftover + self.relic_worth(),
            explorers => held + self.leftover / explorers as i32,
        }
    }

    /// Those inside who have not decided to leave.
    fn going_on(&self) -> Vec<usize> {
        let mut inside = self.inside();
        inside.retain(|seat| !self.leaving.contains(seat));
        inside
    }

    /// The seats with the fullest chest.
    fn leaders(&self) -> Vec<usize> {
        let chests = self.result.chests();
        let best = chests.iter().max();
        let chests = chests.iter().enumerate();
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
