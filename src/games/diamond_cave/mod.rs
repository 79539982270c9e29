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
use crate::game::moments::{Course, Moments, Position};
use crate::game::story::Telling;
use crate::game::{Counted, Game, Layout, Record, Rules, Seating, SeatingError, Table};
use crate::sheet::Sheet;
use crate::strategy::{Seat, seat_names};
use crate::streams;
use fearless_simd::Level;
use std::ops::RangeInclusive;

mod course;
mod features;
mod kernel;
mod moves;
mod outcomes;
mod picture;
mod referee;
mod report;
mod rules;
mod setup;
mod snapshot;
mod transcript;

use kernel::Kernel;
use report::Report;
use rules::{DiamondCaveRules, PLAYERS_MAX, PLAYERS_MIN};

/// The game's entry in the catalog.
pub static GAME: Game = Game {
    name: "diamond_cave",
    title: "Diamond Cave",
    summary: "Dig a tunnel through the mountain, and gain the diamonds that it leaves behind.",
    score_unit: "points",
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    field: &["prospector", "gambler", "hoarder", "surveyor"],
    seats: PLAYERS_MIN..=PLAYERS_MAX,
    players: 4,
    games: 100_000,
    chunk: 512,
    read_rules: |file, text| Ok(Box::new(DiamondCaveRules::from_toml(file, text)?)),
};

impl Rules for DiamondCaveRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        GAME.check_players(seats.len())?;
        let formulas: Vec<Formula> = seats.iter().map(Seat::formula).collect();
        let compile = |formula: &Formula| {
            kernel::programs(formula, seats.len())
                .map_err(|error| SeatingError::TooLarge(error.to_string()))
        };
        let programs: Result<Vec<_>, SeatingError> = formulas.iter().map(compile).collect();
        Ok(Box::new(DiamondCaveTable {
            rules: self.clone(),
            formulas,
            names: seat_names(seats),
            seating,
            kernel: Kernel::new(self, programs?, seating),
        }))
    }
}

struct DiamondCaveTable {
    rules: DiamondCaveRules,
    formulas: Vec<Formula>,
    names: Vec<String>,
    seating: Seating,
    kernel: Kernel,
}

impl DiamondCaveTable {
    /// For each place in game `number`, the bot that sits there.
    fn places(&self, number: u64) -> Vec<usize> {
        self.seating.places(self.formulas.len(), number).bots()
    }

    fn report<'a>(&'a self, games: u64, counts: &'a [u64]) -> Report<'a> {
        Report {
            counted: Counted {
                layout: self.layout(),
                counts,
                games,
            },
            names: &self.names,
            size: self.rules.size,
        }
    }

    /// Formulas and names of the bots in game `number`, by place.
    fn sitting(&self, number: u64) -> (Vec<Formula>, Vec<String>) {
        let places = self.places(number);
        let names = places.iter().map(|&bot| self.names[bot].clone());
        (self.seated(&places), names.collect())
    }

    /// The formulas by place.
    fn seated(&self, places: &[usize]) -> Vec<Formula> {
        let formulas = places.iter().map(|&bot| self.formulas[bot].clone());
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
            let places = self.places(number);
            let key = streams::game_key(seed, number);
            let formulas = self.seated(&places);
            let result = referee::play(
                &self.rules,
                &formulas,
                key,
                &mut |_, _, _| (),
                &mut |_, _| (),
                &mut |_, _, _, _| (),
            );
            referee::record(self.layout(), &result, &places, game, record);
        }
    }

    fn sheets(&self, games: u64, counts: &[u64]) -> Vec<Sheet> {
        self.report(games, counts).sheets()
    }

    fn figures(&self, _seed: u64, games: u64, counts: &[u64]) -> Vec<(&'static str, Figure)> {
        self.report(games, counts).figures()
    }

    fn replay(&self, seed: u64, game: u64, telling: Telling) -> String {
        let (formulas, names) = self.sitting(game);
        transcript::tell(&self.rules, &formulas, &names, (seed, game, telling), None).0
    }

    fn moments(&self) -> Option<&dyn Moments> {
        Some(self)
    }
}

impl Moments for DiamondCaveTable {
    fn course(&self, seed: u64, game: u64, telling: Telling) -> Course {
        let (formulas, names) = self.sitting(game);
        let places = self.seating.places(self.formulas.len(), game);
        course::course(
            &self.rules,
            &formulas,
            &names,
            places,
            (seed, game, telling),
        )
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
