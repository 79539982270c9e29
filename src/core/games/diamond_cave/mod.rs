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
use crate::game::moments::{Branch, Course, Guide};
use crate::game::practice::Pick;
use crate::game::story::StoryStyle;
use crate::game::{
    ByOptions, Counted, Game, Layout, Play, Record, Rules, Seated, Seating, SeatingError, Table,
};
use crate::sheet::Sheet;
use crate::strategy::Seat;
use fearless_simd::Level;
use std::ops::RangeInclusive;

mod board;
mod course;
mod features;
mod kernel;
mod keys;
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
use rules::{DiamondCaveRules, PLAYERS_MAX, PLAYERS_MIN};

pub static GAME: Game = Game {
    name: "diamond_cave",
    title: "Diamond Cave",
    summary: "Dig a tunnel through the mountain, and gain the diamonds that it leaves behind.",
    score_unit: "points",
    legend: picture::legend,
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    rules_keys: keys::KEYS,
    older_rules: include_str!("older_rules.toml"),
    minutes: "(minutes_set_up + minutes_card * actions + minutes_decision * decisions + \
              minutes_turn * turns) / 60",
    field: &["prospector", "gambler", "solved-4", "surveyor", "hoarder"],
    family: Some("surveyor"),
    rule: Some("simple"),
    strongest: "surveyor",
    easy: &[
        ("idle", "wanderer"),
        ("stubborn", "planner"),
        ("slow", "prospector:eager=0"),
    ],
    signs: outcomes::SIGNS,
    comes: Some(features::comes),
    habit: None,
    seats: PLAYERS_MIN..=PLAYERS_MAX,
    players: 4,
    games: 100_000,
    chunk: 1024,
    training: Some(&TRAINING),
    strategy: include_str!("strategy.txt"),
    advice: None,
    read_rules: |file, text| Ok(Box::new(DiamondCaveRules::from_toml(file, text)?)),
};

static TRAINING: ByOptions = ByOptions {
    first: "surveyor",
    range: [-200.0, 200.0],
    kinds: &["start", "plan", "dig", "exit", "turn", "go_on", "stop"],
    unseen: "",
    like_first: 0.7,
    tables: 100,
    games: 20_000,
    point: 0.01,
    // With less, they seldom end a turn that could go on.
    entropy: 0.015,
    thinks: [64, 512],
};

impl Rules for DiamondCaveRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    fn terms(&self, _players: usize) -> String {
        include_str!("terms.txt").to_string()
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        GAME.check_players(seats.len())?;
        let seated = Seated::new(seats, seating);
        Ok(Box::new(DiamondCaveTable {
            rules: self.clone(),
            kernel: Kernel::new(self, &seated.formulas, seating)?,
            seated,
        }))
    }
}

struct DiamondCaveTable {
    rules: DiamondCaveRules,
    seated: Seated,
    kernel: Kernel,
}

impl Play for DiamondCaveTable {
    fn layout(&self) -> &Layout {
        &self.kernel.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.kernel.play(level, (seed, first), None, record);
    }
}

impl Table for DiamondCaveTable {
    fn layout_mut(&mut self) -> &mut Layout {
        &mut self.kernel.layout
    }

    fn guided_course(&self, game: (u64, u64, StoryStyle), guide: &mut dyn Guide) -> Course {
        let sitting = self.seated.in_game(game.0, game.1);
        course::course(&self.rules, &sitting, game, guide)
    }

    fn play_turns(&self, level: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record) {
        let ((position, option), turns) = from;
        let from = (position.of(), option, turns);
        self.kernel.play_on(level, from, luck, record);
    }

    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record) {
        for index in 0..record.games() {
            let game = first.wrapping_add(index as u64);
            let sitting = self.seated.in_game(seed, game);
            guide.begin(game);
            let result = referee::play(&self.rules, &sitting, guide, &mut ());
            referee::record(self.layout(), &result, sitting.places, index, record);
        }
    }

    fn sheets(&self, counted: &Counted) -> Vec<Sheet> {
        report::sheets(counted, &self.seated.names, self.rules.size)
    }

    fn figures(&self, counted: &Counted) -> Vec<(&'static str, Figure)> {
        report::figures(counted, &self.seated)
    }

    fn practise(&self, level: Level, luck: (u64, u64), pick: Pick, record: &mut Record) {
        self.kernel.play(level, luck, Some(pick), record);
    }

    fn reference(&self) -> String {
        transcript::reference(&self.rules)
    }
}
