//! Diamond Cave: tunnels through a mountain of face-down cards.
//!
//! - Players: 2 to 4, one after the other; everybody sees the same, and what was once face up may
//!   be remembered.
//! - Chance: 63 cards and who starts, shuffled once before the game.
//! - A bot answers one question, `score`, for every legal choice of each of its decisions: where
//!   to start, what to lay or declare, which way to go, how to turn a lone card, whether to go on.
//!   The highest is played, equals are broken at random.
//! - Score: gained diamonds, and what lies in the tunnel at the end; the highest wins.

use crate::figure::Figure;
use crate::formula::Formula;
use crate::game::{Game, Layout, Record, Rules, SCORE, SeatingError, Sheet, Table, WIN, WIN_UNITS};
use crate::strategy::{Seat, seat_names};
use crate::streams;
use fearless_simd::Level;
use std::ops::RangeInclusive;

mod cave;
mod features;
mod ground;
#[cfg(test)]
mod invariants;
mod kernel;
mod ledger;
mod moves;
mod outcomes;
mod outlook;
mod picture;
mod position;
mod questions;
mod referee;
mod rows;
mod rules;
mod setup;
mod sight;
mod tables;
mod transcript;
#[cfg(test)]
mod worked;

use kernel::Kernel;
use outcomes as o;
use rules::{DiamondCaveRules, PLAYERS_MAX, PLAYERS_MIN};
use tables::Tables;

/// The game's entry in the catalog.
pub static GAME: Game = Game {
    name: "diamond_cave",
    title: "Diamond Cave",
    summary: "Dig a tunnel through the mountain, and gain the diamonds that it leaves behind.",
    score_unit: "points",
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    field: &["prospector", "gambler", "hoarder", "saboteur"],
    seats: PLAYERS_MIN..=PLAYERS_MAX,
    simultaneous: false,
    players: 4,
    games: 100_000,
    chunk: 512,
    read_rules: |file, text| Ok(Box::new(DiamondCaveRules::from_toml(file, text)?)),
};

impl Rules for DiamondCaveRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    fn table(&self, seats: &[Seat], rotate: bool) -> Result<Box<dyn Table>, SeatingError> {
        GAME.check_players(seats.len())?;
        let formulas: Vec<Formula> = seats.iter().map(Seat::formula).collect();
        let compile = |formula: &Formula| {
            questions::programs(formula, seats.len())
                .map_err(|error| SeatingError::TooLarge(error.to_string()))
        };
        let programs: Result<Vec<_>, SeatingError> = formulas.iter().map(compile).collect();
        Ok(Box::new(DiamondCaveTable {
            rules: self.clone(),
            formulas,
            names: seat_names(seats),
            rotate,
            kernel: Kernel::new(self, programs?, rotate),
        }))
    }
}

struct DiamondCaveTable {
    rules: DiamondCaveRules,
    formulas: Vec<Formula>,
    names: Vec<String>,
    rotate: bool,
    kernel: Kernel,
}

impl DiamondCaveTable {
    /// For each place in game `number`, the bot that sits there.
    fn seating(&self, number: u64) -> Vec<usize> {
        let players = self.formulas.len();
        let shift = match self.rotate {
            true => (number % players as u64) as usize,
            false => 0,
        };
        (0..players)
            .map(|place| (place + players - shift) % players)
            .collect()
    }

    fn tables<'a>(&'a self, games: u64, counts: &'a [u64]) -> Tables<'a> {
        Tables {
            layout: self.layout(),
            names: &self.names,
            size: self.rules.size,
            games,
            counts,
        }
    }

    /// The formulas by place.
    fn seated(&self, seating: &[usize]) -> Vec<Formula> {
        let formulas = seating.iter().map(|&bot| self.formulas[bot].clone());
        formulas.collect()
    }
}

impl Table for DiamondCaveTable {
    fn layout(&self) -> &Layout {
        self.kernel.layout()
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.kernel.play(level, seed, first, record);
    }

    fn referee(&self, seed: u64, first: u64, record: &mut Record) {
        for game in 0..record.games() {
            let number = first.wrapping_add(game as u64);
            let seating = self.seating(number);
            let key = streams::game_key(seed, number);
            let formulas = self.seated(&seating);
            let result = referee::play(&self.rules, &formulas, key, &mut |_, _, _| ());
            record_result(self.layout(), &result, &seating, game, record);
        }
    }

    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet> {
        self.tables(games, counts).sheets()
    }

    fn figures(&self, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)> {
        self.tables(games, counts).figures()
    }

    fn replay(&self, seed: u64, game: u64, plain: bool) -> String {
        let seating = self.seating(game);
        let names: Vec<String> = seating.iter().map(|&bot| self.names[bot].clone()).collect();
        let formulas = self.seated(&seating);
        transcript::tell(&self.rules, &formulas, &names, (seed, game), plain)
    }
}

/// Writes down what the referee found; `seating` is the bot at each place.
fn record_result(
    layout: &Layout,
    result: &referee::GameResult,
    seating: &[usize],
    game: usize,
    record: &mut Record,
) {
    let players = layout.seats;
    let winners = result.winners.len() as i32;
    for (place, (deeds, &bot)) in result.deeds.iter().zip(seating).enumerate() {
        let won = match result.winners.contains(&place) {
            true => WIN_UNITS / winners,
            false => 0,
        };
        for (outcome, value) in [
            (WIN, won),
            (SCORE, deeds.score),
            (o::GAINED, deeds.gained_at.len() as i32),
            (o::LENGTH, deeds.length),
            (o::TURNS, deeds.turns),
            (o::PLANS, deeds.plans),
            (o::DIGS, deeds.digs),
            (o::RIGHT, deeds.right),
            (o::BLOCKED, deeds.blocked),
            (o::TURNED, deeds.turned),
        ] {
            record.set(layout.seat_column(bot, outcome), game, value);
        }
        let mut count = |table: usize, row: usize, column: usize, times: u64| {
            let columns = layout.counts[table].columns;
            record.counts[layout.counts_offset(table) + row * columns + column] += times;
        };
        for (part, points) in deeds.parts.iter().enumerate() {
            count(o::PARTS, bot, part, *points as u64);
        }
        for &cell in &deeds.gained_at {
            count(o::GAINED_AT, cell, bot, 1);
        }
        for (turn, &length) in deeds.lengths.iter().take(o::TURNS_TOLD).enumerate() {
            count(o::LENGTHS, turn, 2 * bot, 1);
            count(o::LENGTHS, turn, 2 * bot + 1, length as u64);
        }
        for &digs in &deeds.turn_digs {
            count(o::TURN_DIGS, digs.min(o::DIGS_TOLD - 1), bot, 1);
        }
        let order = (place + players - result.starter) % players;
        count(o::ORDER, order, 3 * bot, 1);
        count(o::ORDER, order, 3 * bot + 1, won as u64);
        count(o::ORDER, order, 3 * bot + 2, deeds.score as u64);
        if place == result.starter {
            record.set(layout.table_column(o::STARTER_WIN), game, won);
        }
    }
    let turns: i32 = result.deeds.iter().map(|deeds| deeds.turns).sum();
    let gained: usize = result.deeds.iter().map(|deeds| deeds.gained_at.len()).sum();
    let mut scores: Vec<i32> = result.deeds.iter().map(|deeds| deeds.score).collect();
    scores.sort_unstable();
    let margin = scores[players - 1] - scores[players - 2];
    for (outcome, value) in [
        (o::TABLE_TURNS, turns),
        (o::ACTIONS, result.actions),
        (o::TABLE_GAINED, gained as i32),
        (o::MARGIN, margin),
        (o::SHARED, i32::from(winners > 1)),
        (o::CAPPED, i32::from(result.capped)),
    ] {
        record.set(layout.table_column(outcome), game, value);
    }
    let row = (turns as usize).min(o::GAME_TURNS_TOLD - 1);
    let at = layout.counts_offset(o::GAME_TURNS) + 2 * row;
    record.counts[at] += 1;
    record.counts[at + 1] += u64::from(result.capped);
}
