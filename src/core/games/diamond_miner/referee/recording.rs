//! The outcomes of a game, counted from the referee's events.

use super::{Ending, Event, Position, Stack, View, Watch};
use crate::game::moments::Standing;
use crate::game::{ByPlace, Layout, Places, Record, SCORE, WIN, WIN_UNITS};
use crate::games::diamond_miner::cards::{CLASSES, Card, DIAMOND, SHOVEL, SWORD};
use crate::games::diamond_miner::outcomes as o;
use std::collections::BTreeMap;

/// Counters of one game; events give places, and outcomes are recorded by bot.
pub struct Counter<'r> {
    layout: &'r Layout,
    places: Places,
    record: &'r mut Record,
    game: usize,
    now: (u32, usize),
    seats: Vec<[i32; o::SEAT_OUTCOMES]>,
    table: [i32; o::TABLE_OUTCOMES],
    /// By bot, worth of production at the end of its last turn.
    left: Vec<i32>,
    /// Round and place of each diamond, in their order.
    diamonds: Vec<(u32, usize)>,
    skipped: [usize; CLASSES],
    /// Uses by (table of counts, row, bot).
    uses: BTreeMap<(usize, usize, usize), usize>,
}

impl<'r> Counter<'r> {
    pub fn new(layout: &'r Layout, places: Places, record: &'r mut Record, game: usize) -> Self {
        Counter {
            layout,
            places,
            record,
            game,
            now: (0, 0),
            seats: vec![[0; o::SEAT_OUTCOMES]; layout.seats],
            table: [0; o::TABLE_OUTCOMES],
            left: vec![0; layout.seats],
            diamonds: Vec::new(),
            skipped: [0; CLASSES],
            uses: BTreeMap::new(),
        }
    }

    fn count(&mut self, table: usize, row: usize, column: usize, times: usize) {
        self.record.counts[self.layout.count(table, row, column)] += times as u64;
    }

    fn count_round(&mut self, bot: usize, column: usize, times: usize) {
        let column = bot * o::ROUND_COLUMNS.len() + column;
        self.count(o::BY_ROUND, self.now.0 as usize - 1, column, times);
    }

    fn count_card(&mut self, class: usize, bot: usize, column: usize, times: usize) {
        let column = bot * o::CARD_COLUMNS.len() + column;
        self.count(o::BY_CARD, class, column, times);
    }

    /// The player on turn received `cards`; `skipped` were due, but none were left.
    fn got(&mut self, cards: &[Card], skipped: &[usize; CLASSES]) {
        let diamonds = cards.iter().filter(|card| card.class() == DIAMOND);
        self.diamonds.extend(diamonds.map(|_| self.now));
        (0..CLASSES).for_each(|class| self.skipped[class] += skipped[class]);
    }

    fn used(&mut self, table: usize, row: usize, bot: usize) {
        *self.uses.entry((table, row, bot)).or_default() += 1;
    }

    /// Recipes that fill stacks of their owner at the start of a turn.
    fn produced(&mut self, table: &Position, producers: &[Stack], bot: usize) {
        for (row, rule) in table.rules.recipes.iter().enumerate() {
            for stack in producers {
                let mut rules = table.producing(stack);
                if rules.any(|other| std::ptr::eq(other, rule)) {
                    self.used(o::BY_RECIPE, row, bot);
                }
            }
        }
    }

    pub fn close(mut self, ending: &Ending) {
        for (place, (&own, &won)) in ending.diamonds.iter().zip(&ending.wins).enumerate() {
            let bot = self.places.bot_at(place);
            let first = self.diamonds.iter().find(|(_, owner)| *owner == place);
            let outcomes = &mut self.seats[bot];
            outcomes[WIN] = won;
            outcomes[SCORE] = own as i32;
            outcomes[o::FIRST] = i32::from(first.is_some());
            outcomes[o::FIRST_ROUND] = first.map_or(0, |(round, _)| *round as i32);
            let counts = [1, won as usize, own as usize];
            for (column, times) in counts.into_iter().enumerate() {
                self.count(o::PLACES, place, ByPlace::COLUMNS * bot + column, times);
            }
        }
        let round_of = |nth: usize| self.diamonds.get(nth).map(|(round, _)| *round);
        let [first, second] = [0, 1].map(round_of);
        let owner = self.diamonds.first().map(|(_, owner)| *owner);
        let all = |outcome: usize| self.seats.iter().map(|seat| seat[outcome]).sum();
        let table = &mut self.table;
        table[o::ROUNDS] = ending.rounds as i32;
        table[o::TABLE_MOVES] = all(o::MOVES);
        table[o::TABLE_TURNS] = all(o::TURNS);
        table[o::TABLE_FIRST_ROUND] = first.unwrap_or(0) as i32;
        table[o::TABLE_FIRST] = i32::from(first.is_some());
        table[o::SECOND_ROUND] = second.unwrap_or(0) as i32;
        table[o::SECOND] = i32::from(second.is_some());
        table[o::CAPPED] = i32::from(ending.capped);
        table[o::SKIPPED] = self.skipped.iter().sum::<usize>() as i32;
        table[o::COMEBACK] = i32::from(owner.is_some_and(|owner| ending.wins[owner] == 0));
        table[o::SHARED] = i32::from(!ending.wins.contains(&WIN_UNITS));
        let mut used = vec![0; self.layout.table_counts.len() - o::TABLE_OUTCOMES];
        for ((table, row, bot), times) in std::mem::take(&mut self.uses) {
            used[o::uses(table, row) - o::TABLE_OUTCOMES] += times as i32;
            let won = self.seats[bot][WIN] as usize;
            for (what, times) in [times, 1, won].into_iter().enumerate() {
                self.count(table, row, 3 * bot + what, times);
            }
        }
        let won = (!ending.capped).then_some(ending.rounds);
        let capped = ending.capped.then_some(ending.rounds);
        for (column, round) in [won, capped, first, second].into_iter().enumerate() {
            if let Some(round) = round {
                self.count(o::LENGTHS, round as usize - 1, column, 1);
            }
        }
        for (class, skipped) in self.skipped.into_iter().enumerate() {
            self.count(o::SHORTAGES, class, 0, skipped);
            self.count(o::SHORTAGES, class, 1, usize::from(skipped > 0));
        }
        for (seat, outcomes) in self.seats.iter().enumerate() {
            let first = self.layout.seat_column(seat, 0);
            self.record.set_all(first, self.game, outcomes);
        }
        let first = self.layout.table_column(0);
        self.record.set_all(first, self.game, &self.table);
        let last = self.layout.table_column(o::TABLE_OUTCOMES);
        self.record.set_all(last, self.game, &used);
    }
}

impl Watch for Counter<'_> {
    fn decided(&mut self, _view: &View, _chosen: usize, _stands: &Standing) {
        self.table[o::DECISIONS] += 1;
    }

    fn event(&mut self, event: &Event, table: &Position) {
        if let Event::Turn { round, seat } = event {
            self.now = (*round, *seat);
        }
        let place = self.now.1;
        let bot = self.places.bot_at(place);
        let production = table.production(place);
        match event {
            Event::Turn { .. } => {
                self.seats[bot][o::TURNS] += 1;
                self.seats[bot][o::LEFT] += self.left[bot];
                // What others added does not belong to the kept production.
                self.seats[bot][o::KEPT] += production.min(self.left[bot]);
                self.count_round(bot, 0, 1);
                self.count_round(bot, 1, production as usize);
            }
            Event::Took {
                cards,
                producers,
                skipped,
            } => {
                self.produced(table, producers, bot);
                for card in cards {
                    self.count_card(card.class(), bot, 0, 1);
                }
                self.got(cards, skipped);
            }
            Event::Moved {
                chosen,
                pairs,
                taken,
                skipped,
                ..
            } => {
                let owner = self.places.bot_at(chosen.owner);
                self.seats[bot][o::MOVES] += 1;
                self.used(o::MOVED, chosen.source.top.class(), bot);
                self.table[o::PAIRS] += *pairs as i32;
                if owner != bot && chosen.target.shields(table.rules) > 0 {
                    self.seats[bot][o::BROKEN] += *pairs as i32;
                }
                if let Some(rule) = &chosen.gives {
                    let row = table.rules.recipes.iter().position(|other| other == rule);
                    self.used(o::BY_RECIPE, row.expect("a rule of the game"), bot);
                    if owner != bot {
                        self.seats[bot][o::STEALS] += 1;
                        self.seats[owner][o::ROBBED] += 1;
                    }
                    for class in 0..CLASSES {
                        let copies = taken.iter().filter(|card| card.class() == class).count();
                        // Cards that the recipe used up of an own stack are not new.
                        let used = if owner == bot { rule.need[class] } else { 0 };
                        let new = copies.saturating_sub(usize::from(used));
                        if (SHOVEL..=SWORD).contains(&class) {
                            self.seats[bot][o::SHOVELS + class - SHOVEL] += new as i32;
                        }
                        if owner == bot {
                            self.count_card(class, bot, 1, new);
                        } else {
                            self.count_card(class, bot, 2, new);
                            self.count_card(class, owner, 3, new);
                        }
                    }
                }
                self.got(taken, skipped);
            }
            Event::Ended { cut } => {
                self.left[bot] = production;
                self.table[o::CUT] += i32::from(*cut);
                self.count_round(bot, 2, production as usize);
                for (column, cards) in (3..).zip(&table.holdings(place)[SHOVEL..]) {
                    self.count_round(bot, column, usize::from(*cards));
                }
            }
        }
    }
}
