//! The rulebook in its plainest form: one game of Diamant, step by step.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::deck;
use super::features::VOCABULARY;
use super::log::{Log, OPTIONS, Turn};
use super::outcomes as o;
use super::rules::{Card, DiamantRules, Leavers, Leftovers, Tiebreak, Unclaimed};
use super::snapshot::{OPEN, Point, Snapshot};
use crate::formula::{Formula, Value};
use crate::game::moments::{Guide, Standing};
use crate::game::story::Why;
use crate::game::{SCORE, WIN, WIN_UNITS};
use crate::streams;
use rand_xoshiro::Xoshiro128PlusPlus;
use std::collections::BTreeSet;

mod events;
mod features;
mod home;
mod recording;

pub use events::{Event, Watch};
pub use recording::record;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    /// What is recorded of each seat; chests and relics once the game is over.
    seats: Vec<[i32; o::SEAT_OUTCOMES]>,
    /// Seats that share the win.
    pub winners: Vec<usize>,
    /// What is recorded of the table.
    table: Vec<i32>,
    expeditions: Vec<Expedition>,
    /// What was drawn and decided.
    pub log: Log,
}

impl GameResult {
    /// The win of each seat, in [`WIN_UNITS`].
    pub fn wins(&self) -> Vec<i32> {
        self.seats.iter().map(|outcomes| outcomes[WIN]).collect()
    }

    pub fn chests(&self) -> Vec<i32> {
        self.seats.iter().map(|outcomes| outcomes[SCORE]).collect()
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Expedition {
    cards: usize,
    /// Whether a trap ended it.
    busted: bool,
    /// The seats that left, each with the number of cards revealed at that moment.
    departures: Vec<(usize, usize)>,
}

/// The source of cards and decisions.
#[derive(Clone, Copy)]
pub enum Hands<'a> {
    /// Bots with these bound formulas, by seat, with the luck of the game with this key.
    Bots(&'a [Formula], u64),
    /// The given number of explorers, who act as recorded.
    Log(usize, &'a Log),
}

/// Plays a game; `guide` may change decisions, and `watch` receives the events.
pub fn play(
    rules: &DiamantRules,
    hands: Hands,
    guide: &mut dyn Guide,
    watch: &mut dyn Watch,
) -> GameResult {
    let mut game = Referee::new(rules, hands);
    game.play_out(guide, watch);
    game.result
}

/// Plays on from a position with its settled decisions. Skips the random number of the last card,
/// unless everyone decides at entrances.
#[cfg(test)]
pub fn play_on(
    rules: &DiamantRules,
    hands: Hands,
    from: (&Snapshot, &super::snapshot::Settled),
) -> GameResult {
    let (position, settled) = from;
    let mut game = Referee::new(rules, hands);
    game.resume(position);
    if !rules.decides_at_entrance() && position.revealed > 0 {
        rand::Rng::next_u32(&mut game.rng);
    }
    if rules.decides_at_entrance() || position.revealed > 0 {
        let wishes = game.decide();
        let mut leavers = game.inside();
        leavers.retain(|seat| settled[*seat].unwrap_or(wishes.contains(seat)));
        game.decided(leavers, &mut ());
    }
    game.expedition(&mut (), &mut ());
    game.play_out(&mut (), &mut ());
    game.result
}

/// A game, step by step.
pub struct Referee<'a> {
    rules: &'a DiamantRules,
    hands: Hands<'a>,
    rng: Xoshiro128PlusPlus,
    /// The game as everyone at the table knows it. Once all expeditions are over, the expedition is
    /// their number.
    pub at: Snapshot,
    /// By place of joining, the relic; `None` for unknown ones of a record.
    pub relics: Vec<Option<u8>>,
    /// Those who have decided to leave, but not yet collected.
    leaving: Vec<usize>,
    /// Once the expedition is over and waits to be closed, whether a trap ended it.
    pub over: Option<bool>,
    /// The seats that were in front when the expedition began.
    leaders: Vec<usize>,
    /// By expedition, the seats in front after it.
    leaders_after: Vec<Vec<usize>>,
    departures: Vec<(usize, usize)>,
    /// Relics taken out before this expedition.
    claimed_before: i32,
    /// What was drawn and decided so far, and what came of it.
    pub result: GameResult,
}

impl<'a> Referee<'a> {
    /// A new game, before any explorer enters the cave.
    pub fn new(rules: &'a DiamantRules, hands: Hands<'a>) -> Self {
        let seats = match hands {
            Hands::Bots(formulas, _) => formulas.len(),
            Hands::Log(seats, _) => seats,
        };
        let mut relics = Vec::new();
        if rules.shuffles_relics() {
            relics = vec![None; rules.relics.len()];
            match hands {
                Hands::Bots(_, key) => deck::deal_relics(key, &mut relics),
                Hands::Log(_, log) => relics[..log.relics.len()].copy_from_slice(&log.relics),
            }
        }
        Referee {
            rules,
            hands,
            rng: streams::phase_rng(0, 0),
            at: Snapshot {
                in_game: rules.first_deck(),
                relics: vec![None; relics.len()],
                explorers: vec![Default::default(); seats],
                ..Snapshot::default()
            },
            relics,
            leaving: Vec::new(),
            over: None,
            leaders: Vec::new(),
            leaders_after: Vec::new(),
            departures: Vec::new(),
            claimed_before: 0,
            result: GameResult {
                seats: vec![[0; o::SEAT_OUTCOMES]; seats],
                table: vec![0; o::table_outcomes(rules.rounds)],
                ..GameResult::default()
            },
        }
    }

    /// The cards revealed in this expedition, in their order.
    pub fn path(&self) -> Vec<usize> {
        let turns = self.result.log.expeditions.last().into_iter().flatten();
        turns.filter_map(|turn| turn.card).collect()
    }

    pub fn is_last(&self) -> bool {
        self.at.round + 1 == self.rules.rounds
    }

    /// The kinds of the traps on the path.
    fn traps(&self) -> Vec<u8> {
        self.at.on_path(self.rules).1
    }

    /// Kinds of trap on the path.
    pub fn traps_seen(&self) -> usize {
        self.traps().into_iter().collect::<BTreeSet<u8>>().len()
    }

    /// Whether everyone is at the entrance, and decides before any card.
    pub fn decides_at_entrance(&self) -> bool {
        self.rules.decides_at_entrance() && self.at.revealed == 0 && self.over.is_none()
    }

    pub fn ended(&self) -> bool {
        self.at.round == self.rules.rounds
    }

    pub fn enter(&mut self, watch: &mut dyn Watch) {
        let joining = self.rules.joining(self.at.round);
        self.at.in_game |= joining;
        self.at.deck = self.at.in_game;
        self.rng = self.shuffle();
        self.over = None;
        self.leaders = self.leaders();
        self.claimed_before = self.result.table[o::CLAIMED];
        watch.event(Event::Expedition {
            round: self.at.round + 1,
            cards: self.at.deck.count_ones(),
            joined: self.rules.cards_in(joining).collect(),
        });
        self.result.log.expeditions.push(Vec::new());
        self.at.held = 0;
        for explorer in &mut self.at.explorers {
            explorer.inside = true;
        }
        if !self.rules.decides_at_entrance() {
            self.go_on(watch);
        }
    }

    /// The remaining explorers need a card: if none can come, everyone leaves together. If no
    /// one goes on, the last explorers leave.
    fn go_on(&mut self, watch: &mut dyn Watch) {
        if !self.going_on().is_empty() {
            if self.at.next_cards(self.rules) != 0 {
                return;
            }
            watch.event(Event::DeckEmpty);
        }
        self.leaving.clear();
        self.leave(&self.inside(), self.at.held, watch);
        self.over = Some(false);
    }

    /// Reveals a card for those who go on; then those who leave collect.
    pub fn reveal(&mut self, card: usize, watch: &mut dyn Watch) {
        self.write_down(Some(card));
        let (going_on, held) = (self.going_on(), self.at.held);
        let busted = self.turn_up(card, &going_on, watch);
        let leavers = std::mem::take(&mut self.leaving);
        self.leave(&leavers, held, watch);
        if busted {
            for seat in going_on {
                self.at.explorers[seat].inside = false;
                self.result.seats[seat][o::BUSTS] += 1;
            }
            if self.rules.remove_trap {
                self.at.in_game &= !(1 << card);
            }
            self.over = Some(true);
        }
    }

    fn write_down(&mut self, card: Option<usize>) {
        if let Some(turns) = self.result.log.expeditions.last_mut() {
            let leavers = Vec::new();
            turns.push(Turn { card, leavers });
        }
    }

    /// Applies the decision of everyone inside: `leavers` leave.
    pub fn decided(&mut self, leavers: Vec<usize>, watch: &mut dyn Watch) {
        self.at.just_left = leavers.len() as u32;
        self.result.table[o::DECISIONS] += 1;
        if self.at.revealed == 0 {
            self.write_down(None);
        }
        let turns = self.result.log.expeditions.last_mut();
        if let Some(turn) = turns.and_then(|turns| turns.last_mut()) {
            turn.leavers.clone_from(&leavers);
        }
        match self.rules.leavers {
            Leavers::BeforeReveal => self.leave(&leavers, self.at.held, watch),
            Leavers::AfterReveal => self.leaving = leavers,
        }
        self.go_on(watch);
    }

    /// Applies a card to the explorers who go on; returns whether it ends the expedition.
    fn turn_up(&mut self, card: usize, going_on: &[usize], watch: &mut dyn Watch) -> bool {
        let is_deadly = self.at.deadly(self.rules) >> card & 1 == 1;
        self.at.deck &= !(1 << card);
        self.at.revealed += 1;
        self.result.table[o::CARDS] += 1;
        match self.rules.cards[card] {
            Card::Treasure(value) => {
                let share = i32::from(value) / going_on.len() as i32;
                let rest = i32::from(value) % going_on.len() as i32;
                match (self.rules.leftovers, self.at.piles.last_mut()) {
                    (Leftovers::Pooled, Some(pile)) => *pile += rest,
                    (Leftovers::Pooled, None) | (Leftovers::PerCard, _) => self.at.piles.push(rest),
                }
                self.at.held += share;
                watch.event(Event::Treasure {
                    value,
                    sharers: going_on.len(),
                    share,
                    leftover: self.at.leftover(),
                });
            }
            Card::Relic(place) => {
                if let Some(relic) = self.at.relics.get_mut(usize::from(place)) {
                    *relic = self.relics[usize::from(place)];
                }
                watch.event(Event::Relic {
                    relic: self.at.relic(place) as u8,
                });
            }
            Card::Trap(kind) => {
                let same = |other: &&u8| **other == kind;
                let number = self.traps().iter().filter(same).count();
                if !is_deadly {
                    watch.event(Event::Trap { kind, number });
                    return false;
                }
                watch.event(Event::Bust {
                    kind,
                    number,
                    lost: going_on.iter().map(|&seat| (seat, self.at.held)).collect(),
                    removed: self.rules.remove_trap,
                });
            }
        }
        is_deadly
    }

    fn expedition(&mut self, guide: &mut dyn Guide, watch: &mut dyn Watch) {
        while self.over.is_none() {
            let card = self.draw();
            self.reveal(card, watch);
            if self.over.is_none() {
                self.decision(guide, watch);
            }
        }
        self.close(watch);
    }

    fn decision(&mut self, guide: &mut dyn Guide, watch: &mut dyn Watch) {
        let chosen = self.decide();
        let leaves = |&seat: &usize| {
            let chosen = usize::from(chosen.contains(&seat));
            let stands = Standing {
                position: &|| Point::before(self.at.clone(), OPEN, Some(seat)),
                features: &|_| self.features(seat),
            };
            OPTIONS[guide.decide(seat, OPTIONS.len(), chosen, &stands)] == "leave"
        };
        let leavers: Vec<usize> = self.inside().into_iter().filter(leaves).collect();
        watch.decided(self, &leavers);
        self.decided(leavers, watch);
    }

    fn play_out(&mut self, guide: &mut dyn Guide, watch: &mut dyn Watch) {
        while !self.ended() {
            self.enter(watch);
            watch.entered(self);
            if self.decides_at_entrance() {
                self.decision(guide, watch);
            }
            self.expedition(guide, watch);
        }
    }

    /// Restores a position in the middle of an expedition, or before it.
    pub fn resume(&mut self, position: &Snapshot) {
        self.at = position.clone();
        self.rng = self.shuffle();
        self.relics.clone_from(&position.relics);
        if let Hands::Bots(_, key) = self.hands {
            deck::deal_relics(key, &mut self.relics);
        }
    }

    fn shuffle(&self) -> Xoshiro128PlusPlus {
        streams::phase_rng(self.key(), u64::from(self.at.round))
    }

    /// The key of the game; 0 of a recorded one.
    fn key(&self) -> u64 {
        match self.hands {
            Hands::Bots(_, key) => key,
            Hands::Log(..) => 0,
        }
    }

    fn draw(&mut self) -> usize {
        match self.hands {
            Hands::Bots(..) => {
                let cards = self.at.next_cards(self.rules);
                deck::draw(&mut self.rng, cards, self.rules.cards.len())
            }
            Hands::Log(..) => {
                let card = self.turn(self.at.revealed + 1).card;
                card.expect("only the turn at the entrance has no card")
            }
        }
    }

    /// The recorded turn of this expedition after `cards` cards.
    fn turn(&self, cards: u32) -> &Turn {
        let at = cards as usize + usize::from(self.rules.decides_at_entrance()) - 1;
        match self.hands {
            Hands::Log(_, log) => &log.expeditions[self.at.round as usize][at],
            Hands::Bots(..) => unreachable!("what bots do is not written down"),
        }
    }

    /// The seats that choose to leave, all seeing the same table.
    fn decide(&self) -> Vec<usize> {
        match self.hands {
            Hands::Log(..) => self.turn(self.at.revealed).leavers.clone(),
            Hands::Bots(formulas, _) => {
                let mut inside = self.inside();
                inside.retain(|&seat| {
                    let answer = formulas[seat].evaluate(|feature| self.feature(feature, seat));
                    answer == Value::Truth(true)
                });
                inside
            }
        }
    }

    pub fn features(&self, seat: usize) -> Vec<f32> {
        let all = 0..VOCABULARY.features.len();
        all.map(|feature| self.feature(feature, seat)).collect()
    }

    /// Why the bot of a seat decides as it does now; `None` without a formula.
    pub fn why(&self, seat: usize) -> Option<Why> {
        let Hands::Bots(formulas, _) = self.hands else {
            return None;
        };
        let feature = |feature| self.feature(feature, seat);
        Some(Why::of(&formulas[seat], feature))
    }

    /// Ends the expedition, and with the last the game: removes the cards on the path as the rules
    /// say.
    pub fn close(&mut self, watch: &mut dyn Watch) {
        let busted = self.over == Some(true);
        let relics = self.at.on_path(self.rules).0.len() as u32;
        if self.rules.counts_lost_relics() {
            self.at.claimed += relics;
        }
        if self.rules.unclaimed == Unclaimed::LeaveGame {
            self.remove_relics();
        }
        let left_behind = self.at.leftover();
        watch.event(Event::ExpeditionEnded {
            left_behind,
            relics,
            chests: self.at.chests(),
        });
        self.result.table[o::TABLE_BUSTS] += i32::from(busted);
        self.result.table[o::LEFT_BEHIND] += left_behind;
        let has_relic = self.result.table[o::CLAIMED] > self.claimed_before;
        self.result.table[o::RELIC_EXPEDITIONS] += i32::from(has_relic);
        let departures = std::mem::take(&mut self.departures);
        self.count_stays(&departures);
        if let Some(first) = departures.iter().map(|(_, cards)| *cards).min() {
            let wait = &mut self.result.table[o::LONGEST_WAIT];
            *wait = (*wait).max((self.at.revealed as usize - first) as i32);
        }
        self.result.expeditions.push(Expedition {
            cards: self.at.revealed as usize,
            busted,
            departures,
        });
        self.at.revealed = 0;
        self.at.piles.clear();
        self.at.just_left = 0;
        let leaders = self.leaders();
        let still_leading = leaders.iter().any(|seat| self.leaders.contains(seat));
        self.result.table[o::LEAD_CHANGES] += i32::from(!still_leading);
        self.leaders_after.push(leaders);
        self.at.round += 1;
        if self.ended() {
            self.finish();
        }
    }

    /// Counts who left first and who stayed longest, by the cards revealed when each left.
    fn count_stays(&mut self, departures: &[(usize, usize)]) {
        let first = departures.iter().map(|(_, cards)| *cards).min();
        let stays = |seat: usize| {
            let left = departures.iter().find(|(own, _)| *own == seat);
            left.map_or(usize::MAX, |(_, cards)| *cards)
        };
        let longest = (0..self.result.seats.len()).map(stays).max();
        for (seat, outcomes) in self.result.seats.iter_mut().enumerate() {
            outcomes[o::FIRST_OUT] += i32::from(Some(stays(seat)) == first);
            outcomes[o::LAST_INSIDE] += i32::from(Some(stays(seat)) == longest);
        }
    }

    fn finish(&mut self) {
        for (outcomes, explorer) in self.result.seats.iter_mut().zip(&self.at.explorers) {
            outcomes[SCORE] = explorer.chest;
            outcomes[o::RELICS] = explorer.relics as i32;
        }
        let mut winners = self.leaders();
        if self.rules.tiebreak == Tiebreak::Relics {
            let relics = |seat: usize| self.at.explorers[seat].relics;
            let most = winners.iter().map(|&seat| relics(seat)).max();
            winners.retain(|&seat| Some(relics(seat)) == most);
        }
        let mut chests = self.at.chests();
        chests.sort_unstable_by(|a, b| b.cmp(a));
        let came_back = !winners.iter().any(|seat| self.leaders.contains(seat));
        for &seat in &winners {
            self.result.seats[seat][WIN] = WIN_UNITS / winners.len() as i32;
        }
        let table = &mut self.result.table;
        table[o::MARGIN] = chests[0] - chests.get(1).unwrap_or(&chests[0]);
        table[o::COMEBACK] = i32::from(came_back);
        table[o::SHARED] = i32::from(winners.len() > 1);
        self.leaders_after.pop();
        for (after, leaders) in self.leaders_after.iter().enumerate() {
            let wins = winners.iter().any(|seat| leaders.contains(seat));
            let is_sole = leaders.len() == 1;
            table[o::SOLE_LEADERS] += i32::from(is_sole);
            for (outcome, holds) in [
                (o::LEADER_WINS, wins),
                (o::SOLE_LEADER, is_sole),
                (o::SOLE_LEADER_WINS, is_sole && wins),
            ] {
                let column = o::after_each(outcome, self.rules.rounds).nth(after);
                table[column.expect("not the last expedition")] = i32::from(holds);
            }
        }
        self.result.log.relics.clone_from(&self.relics);
        self.result.winners = winners;
    }

    pub fn inside(&self) -> Vec<usize> {
        self.at.inside().collect()
    }

    /// Those inside who have not decided to leave.
    fn going_on(&self) -> Vec<usize> {
        let mut inside = self.inside();
        inside.retain(|seat| !self.leaving.contains(seat));
        inside
    }

    /// The seats with the fullest chest.
    fn leaders(&self) -> Vec<usize> {
        let chests = self.at.chests();
        let best = chests.iter().max();
        let seats = 0..chests.len();
        seats.filter(|&seat| Some(&chests[seat]) == best).collect()
    }
}
