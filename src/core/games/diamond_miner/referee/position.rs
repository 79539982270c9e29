//! The table in its plainest form: where every card is, which moves there are, and what each does.
//!
//! Every card is an object in a list: nothing is packed, cached or shortened. The order of turns
//! and the end of the game are the referee's business.

use super::events::Event;
use super::stack::{Joined, Move, Stack, joined, staying, travelling};
use crate::games::diamond_miner::cards::{
    ANVIL, CLASSES, Card, Counts, DIAMOND, ORE, SHOVEL, SWORD,
};
use crate::games::diamond_miner::feasible::holds;
use crate::games::diamond_miner::recipes::Effect;
use crate::games::diamond_miner::rules::{MinerRules, Reshuffle, Rule};
use crate::streams::below;
use rand_xoshiro::Xoshiro128PlusPlus;

#[derive(Debug, Clone)]
pub struct Position<'a> {
    pub rules: &'a MinerRules,
    /// The stacks of each seat, sorted in the order of moves.
    pub tables: Vec<Vec<Stack>>,
    /// The bank's copies, by class.
    pub bank: [usize; CLASSES],
    /// The ore deck; draws are from random places, which is as good as shuffling.
    pub deck: Vec<Card>,
    pub discard: Vec<Card>,
    /// Number of times that pile became the deck.
    pub reshuffles: u32,
}

impl<'a> Position<'a> {
    pub fn new(rules: &'a MinerRules, seats: usize) -> Self {
        let mut deck = Vec::new();
        for (front, (_, cards)) in (0..).zip(&rules.fronts) {
            deck.extend((0..*cards).map(|_| Card(front)));
        }
        Position {
            rules,
            tables: vec![Vec::new(); seats],
            bank: rules.bank.map(usize::from),
            deck,
            discard: Vec::new(),
            reshuffles: 0,
        }
    }

    pub fn diamonds(&self, seat: usize) -> u32 {
        let tops = self.tables[seat].iter().map(|stack| stack.top.class());
        tops.filter(|class| *class == DIAMOND).count() as u32
    }

    pub fn has_won(&self, seat: usize) -> bool {
        self.diamonds(seat) >= self.rules.goal
    }

    pub fn holdings(&self, seat: usize) -> Counts {
        let mut counts = [0; CLASSES];
        for card in self.tables[seat].iter().flat_map(Stack::cards) {
            counts[card.class()] += 1;
        }
        counts
    }

    /// Worth of the production of `seat` each turn.
    pub fn production(&self, seat: usize) -> i32 {
        let stacks = self.tables[seat].iter();
        let rules = stacks.flat_map(|stack| self.producing(stack));
        rules.map(|rule| self.worth_of(&rule.gives)).sum()
    }

    /// The production of `seat` each turn, by class.
    fn output(&self, seat: usize) -> [usize; CLASSES] {
        let mut output = [0; CLASSES];
        let stacks = self.tables[seat].iter();
        for rule in stacks.flat_map(|stack| self.producing(stack)) {
            (0..CLASSES).for_each(|class| output[class] += usize::from(rule.gives[class]));
        }
        output
    }

    /// The cards that `seat` can move, by class.
    pub fn movable(&self, seat: usize) -> [usize; CLASSES] {
        let mut movable = [0; CLASSES];
        let tops = self.tables[seat].iter().map(|stack| stack.top.class());
        for class in tops.filter(|class| *class != DIAMOND) {
            movable[class] += 1;
        }
        movable
    }

    /// The most copies of each class that a player other than `seat` can move in its next turn, if
    /// it takes all that is due to it.
    pub fn reach_of_others(&self, seat: usize) -> [usize; CLASSES] {
        let mut most = [0; CLASSES];
        for other in (0..self.tables.len()).filter(|other| *other != seat) {
            let (movable, mut output) = (self.movable(other), self.output(other));
            output[ORE] += self.rules.take as usize;
            for class in 0..CLASSES {
                most[class] = most[class].max(movable[class] + output[class]);
            }
        }
        most
    }

    pub fn worth_of(&self, counts: &Counts) -> i32 {
        let worths = counts.iter().zip(self.rules.worth);
        worths
            .map(|(&copies, worth)| i32::from(copies) * worth)
            .sum()
    }

    /// The productions that `stack` satisfies.
    pub fn producing(&self, stack: &Stack) -> impl Iterator<Item = &'a Rule> {
        let have = stack.counts();
        let rules: &'a MinerRules = self.rules;
        let productions = rules.of(stack.top, Effect::Produce).iter();
        productions.filter(move |rule| holds(&have, &rule.need))
    }

    /// The transformations that `stack` satisfies; equal products once.
    pub fn transforming(&self, stack: &Stack) -> Vec<Rule> {
        let have = stack.counts();
        let mut options: Vec<Rule> = Vec::new();
        for rule in self.rules.of(stack.top, Effect::Transform) {
            let known = options.iter().any(|other| other.gives == rule.gives);
            if holds(&have, &rule.need) && !known {
                options.push(rule.clone());
            }
        }
        options
    }

    /// The first step of a turn: draws ore, and takes the production of the own stacks.
    pub fn take(&mut self, seat: usize, luck: &mut Xoshiro128PlusPlus) -> Event {
        let mut due = self.output(seat);
        due[ORE] += self.rules.take as usize;
        let produces = |stack: &&Stack| self.producing(stack).next().is_some();
        let producers = self.tables[seat].iter().filter(produces).cloned().collect();
        let (cards, skipped) = self.draw(seat, due, &mut |n| below(luck, n));
        Event::Took {
            cards,
            producers,
            skipped,
        }
    }

    /// Puts the cards due by class in front of `seat`, and returns them and the number of those
    /// that are missing; `pick` chooses one of that many.
    fn draw(
        &mut self,
        seat: usize,
        due: [usize; CLASSES],
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> (Vec<Card>, [usize; CLASSES]) {
        let (mut cards, mut skipped) = (Vec::new(), due);
        for _ in 0..due[ORE] {
            if self.deck.is_empty() {
                self.reshuffle();
            }
            if self.deck.is_empty() {
                break;
            }
            cards.push(self.deck.remove(pick(self.deck.len())));
            self.reshuffle_at_once();
        }
        for class in SHOVEL..CLASSES {
            let copies = due[class].min(self.bank[class]);
            self.bank[class] -= copies;
            cards.extend((0..copies).map(|_| Card::of(class)));
        }
        for card in &cards {
            skipped[card.class()] -= 1;
            self.put(seat, Stack::loose(*card));
        }
        (cards, skipped)
    }

    fn reshuffle(&mut self) {
        self.reshuffles += u32::from(!self.discard.is_empty());
        self.deck.append(&mut self.discard);
        self.deck.sort_unstable();
    }

    fn reshuffle_at_once(&mut self) {
        if self.deck.is_empty() && self.rules.reshuffle == Reshuffle::AtOnce {
            self.reshuffle();
        }
    }

    /// Every move that `seat` can make besides ending the turn, once for equal stacks.
    pub fn legal_moves(&self, seat: usize) -> Vec<Move> {
        let seats = self.tables.len();
        let mut moves: Vec<Move> = Vec::new();
        let own = &self.tables[seat];
        for (index, source) in own.iter().enumerate() {
            if index > 0 && own[index - 1] == *source {
                continue;
            }
            for owner in (0..seats).map(|place| (seat + place) % seats) {
                let table = &self.tables[owner];
                for (other, target) in table.iter().enumerate() {
                    // The last of equal stacks, so that a stack can meet its twin.
                    if table.get(other + 1) == Some(target) || (owner == seat && other == index) {
                        continue;
                    }
                    if self.may_move(seat, source, owner, target) {
                        moves.extend(self.options(source, owner, target));
                    }
                }
            }
        }
        moves
    }

    fn may_move(&self, seat: usize, source: &Stack, owner: usize, target: &Stack) -> bool {
        if source.top.class() == DIAMOND || target.top.class() == DIAMOND {
            return false;
        }
        if owner == seat {
            return true;
        }
        let cards = travelling(self.rules, source);
        let only_swords = cards.iter().all(|card| card.class() == SWORD);
        target.top.class() != ANVIL && (target.shields(self.rules) == 0 || only_swords)
    }

    /// The move of `source` under `target`, once for each transformation to choose from.
    fn options(&self, source: &Stack, owner: usize, target: &Stack) -> Vec<Move> {
        let base = |gives| Move {
            source: source.clone(),
            owner,
            target: target.clone(),
            gives,
        };
        let stack = joined(self.rules, source, target).stack;
        let options = stack.map_or(Vec::new(), |stack| self.transforming(&stack));
        if options.is_empty() {
            vec![base(None)]
        } else {
            options.into_iter().map(|rule| base(Some(rule))).collect()
        }
    }

    /// Makes a move; `pick` draws any ore that it gives.
    pub fn make(
        &mut self,
        seat: usize,
        chosen: &Move,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Event {
        let owner = chosen.owner;
        self.lift(seat, &chosen.source);
        self.lift(owner, &chosen.target);
        self.discard_all(&chosen.source.discarded());
        for card in staying(self.rules, &chosen.source) {
            self.put(seat, Stack::loose(card));
        }
        let Joined { stack, gone, pairs } = joined(self.rules, &chosen.source, &chosen.target);
        self.discard_all(&gone);
        let (mut taken, mut skipped) = (Vec::new(), [0; CLASSES]);
        let stays = match &chosen.gives {
            None => {
                if let Some(stack) = &stack {
                    self.put(owner, stack.clone());
                }
                stack
            }
            Some(rule) => {
                let cards: Vec<Card> = stack.iter().flat_map(Stack::cards).collect();
                self.discard_all(&cards);
                (taken, skipped) = self.draw(seat, rule.gives.map(usize::from), pick);
                None
            }
        };
        Event::Moved {
            chosen: chosen.clone(),
            pairs,
            stack: stays,
            taken,
            skipped,
        }
    }

    /// Puts ore on the ore discard pile and the rest back into the bank.
    fn discard_all(&mut self, cards: &[Card]) {
        for card in cards {
            match card.class() {
                ORE => self.discard.push(*card),
                class => self.bank[class] += 1,
            }
        }
        self.reshuffle_at_once();
    }

    pub fn put(&mut self, seat: usize, stack: Stack) {
        self.tables[seat].push(stack);
        self.tables[seat].sort_by_key(Stack::plain);
    }

    /// Takes a stack equal to `stack`.
    fn lift(&mut self, seat: usize, stack: &Stack) {
        let found = self.tables[seat].iter().position(|other| other == stack);
        self.tables[seat].remove(found.expect("legal moves move what is there"));
    }
}
