//! Diamond Miner: trade ore for tools, build stacks that produce, and steal what others left open.
//!
//! - Players: 2 to 6, in turn order; perfect information but for the ore that will be drawn.
//! - Chance: which ore card is drawn. Who begins goes round from game to game.
//! - A bot gives a `score` to every move it could make, ending the turn among them; the highest is
//!   made, and equal ones by lot. A move puts one own card under any card or stack.
//! - Score: diamonds. The first to own two wins; a cap on rounds ends a game that stalls.

use crate::figure::Figure;
use crate::formula::Formula;
use crate::game::moments::{Course, Moments, Position};
use crate::game::story::Telling;
use crate::game::{Counted, Game, Layout, Places, Record, Rules, Seating, SeatingError, Table};
use crate::sheet::Sheet;
use crate::strategy::{Seat, seat_names};
use crate::streams;
use fearless_simd::Level;
use std::ops::RangeInclusive;

mod cards;
mod course;
mod feasible;
mod features;
mod kernel;
mod outcomes;
mod recipes;
mod recording;
mod referee;
mod report;
mod rules;
mod snapshot;
mod transcript;

use kernel::Kernel;
use recording::Book;
use report::Report;
use rules::{MinerRules, PLAYERS};

/// The game's entry in the catalog.
pub static GAME: Game = Game {
    name: "diamond_miner",
    title: "Diamond Miner",
    summary: "Trade ore for tools and tools for diamonds, and steal what others leave open.",
    score_unit: "diamonds",
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    field: &[
        "builder",
        "rusher",
        "guardian",
        "appraiser",
        "thief",
        "engineer",
        "random",
    ],
    seats: PLAYERS,
    players: 4,
    games: 20_000,
    chunk: 256,
    read_rules: |file, text| Ok(Box::new(MinerRules::from_toml(file, text)?)),
};

impl Rules for MinerRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        GAME.check_players(seats.len())?;
        let formulas: Vec<Formula> = seats.iter().map(Seat::formula).collect();
        let layout = outcomes::layout(self, seats.len());
        let kernel = Kernel::new(self, layout, &formulas, seating)
            .map_err(|error| SeatingError::TooLarge(error.to_string()))?;
        Ok(Box::new(MinerTable {
            rules: self.clone(),
            formulas,
            names: seat_names(seats),
            kernel,
            seating,
        }))
    }
}

struct MinerTable {
    rules: MinerRules,
    formulas: Vec<Formula>,
    names: Vec<String>,
    kernel: Kernel,
    seating: Seating,
}

impl MinerTable {
    /// The places of the bots in game `game`.
    fn places(&self, game: u64) -> Places {
        self.seating.places(self.formulas.len(), game)
    }

    /// Formulas and names of the bots in game `game`, by place.
    fn sitting(&self, game: u64) -> (Vec<Formula>, Vec<String>) {
        let places = self.places(game);
        let names = places.bots().into_iter();
        let names = names.map(|bot| self.names[bot].clone());
        (self.seated(places), names.collect())
    }

    /// The formulas by place.
    fn seated(&self, places: Places) -> Vec<Formula> {
        let formulas = places.bots().into_iter();
        formulas.map(|bot| self.formulas[bot].clone()).collect()
    }

    fn report<'a>(&'a self, games: u64, counts: &'a [u64]) -> Report<'a> {
        Report {
            counted: Counted {
                layout: self.layout(),
                counts,
                games,
            },
            rules: &self.rules,
            names: &self.names,
        }
    }
}

impl Table for MinerTable {
    fn layout(&self) -> &Layout {
        self.kernel.layout()
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.kernel.play(level, seed, first, record);
    }

    fn referee(&self, seed: u64, first: u64, record: &mut Record) {
        for index in 0..record.games() {
            let game = first.wrapping_add(index as u64);
            let key = streams::game_key(seed, game);
            let places = self.places(game);
            let formulas = self.seated(places);
            let mut book = Book::open(self.layout(), places, record, index);
            referee::play(
                &self.rules,
                &formulas,
                key,
                &mut book,
                &mut |_, _| (),
                &mut |_, _| (),
                &mut |_, _, _, _| (),
            );
        }
    }

    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet> {
        self.report(games, counts).sheets()
    }

    fn figures(&self, _seed: u64, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)> {
        self.report(games, counts)
            .figures(self.seating != Seating::Fixed)
    }

    fn replay(&self, seed: u64, game: u64, telling: Telling) -> String {
        let (formulas, names) = self.sitting(game);
        let told = (seed, game, telling);
        transcript::tell(&self.rules, &formulas, &names, told, None).0
    }

    fn moments(&self) -> Option<&dyn Moments> {
        Some(self)
    }
}

impl Moments for MinerTable {
    fn course(&self, seed: u64, game: u64, telling: Telling) -> Course {
        let (formulas, names) = self.sitting(game);
        let told = (seed, game, telling);
        course::course(&self.rules, &formulas, &names, self.places(game), told)
    }

    fn play_on(
        &self,
        level: Level,
        position: &Position,
        option: Option<usize>,
        seed: u64,
        first: u64,
        record: &mut Record,
    ) {
        self.kernel
            .play_on(level, position.of(), option, (seed, first), record);
    }
}
