//! Diamond Miner: trade ore for tools, build productive stacks, and steal what others left open.
//!
//! - Players: 2 to 6, in turn order; perfect information except for the ore to be drawn.
//! - Chance: the ore card drawn. The start player rotates from game to game.
//! - A bot scores every possible move, including ending the turn; it makes the move with the
//!   highest score, ties by lot. A move puts one own card under any card or stack.
//! - Score: diamonds. The first to own two wins; a cap on rounds ends a game that stalls.

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
use std::sync::OnceLock;

mod board;
mod cards;
mod course;
mod feasible;
mod features;
mod kernel;
mod keys;
mod outcomes;
mod recipes;
mod referee;
mod report;
mod rules;
mod snapshot;
mod transcript;

use kernel::Kernel;
use referee::Counter;
use rules::{MinerRules, PLAYERS};

pub static GAME: Game = Game {
    name: "diamond_miner",
    title: "Diamond Miner",
    summary: "Trade ore for tools and tools for diamonds, and steal what others leave open.",
    score_unit: "diamonds",
    legend: |_| String::new(),
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    rules_keys: keys::KEYS,
    older_rules: include_str!("older_rules.toml"),
    minutes: "(minutes_set_up + minutes_card * moves + minutes_decision * decisions + \
              minutes_turn * turns) / 60",
    field: &[
        "builder",
        "solved-4",
        "guardian",
        "appraiser",
        "rusher",
        "thief",
        "engineer",
        "random",
    ],
    family: Some("appraiser"),
    rule: Some("simple"),
    strongest: "appraiser",
    easy: &[
        ("hasty", "rusher"),
        ("fickle", "random"),
        ("greedy", "thief:sure=0,raid=40"),
        ("careless", "builder:horizon=0"),
    ],
    signs: outcomes::SIGNS,
    comes: None,
    habit: None,
    seats: PLAYERS,
    players: 4,
    games: 20_000,
    chunk: 256,
    training: Some(&TRAINING),
    strategy: include_str!("strategy.txt"),
    advice: None,
    read_rules: |file, text| Ok(Box::new(MinerRules::from_toml(file, text)?)),
};

static TRAINING: ByOptions = ByOptions {
    first: "appraiser",
    range: [-30.0, 150.0],
    kinds: &["ends", "mine", "steals", "spoils"],
    unseen: "owner_diamonds owner_to_diamond ore shovels carts anvils shields swords to_diamond \
        best_production leader_to_diamond bank_shovels bank_carts bank_anvils moves_made round \
        production diamonds best_diamonds",
    like_first: 0.85,
    tables: 160,
    games: 2_000,
    point: 0.0,
    // With more, play fell apart late in one of three runs.
    entropy: 0.0,
    thinks: [16, 64],
};

impl Rules for MinerRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    fn terms(&self, _players: usize) -> String {
        transcript::terms(self)
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        GAME.check_players(seats.len())?;
        let seated = Seated::new(seats, seating);
        let layout = outcomes::layout(self, seats.len());
        Ok(Box::new(MinerTable {
            rules: self.clone(),
            kernel: Kernel::new(self, layout, &seated.formulas, seating, false)?,
            seated,
            practice: OnceLock::new(),
        }))
    }
}

struct MinerTable {
    rules: MinerRules,
    seated: Seated,
    kernel: Kernel,
    /// The same bots, showing what they see; built at the first practice.
    practice: OnceLock<Kernel>,
}

impl Play for MinerTable {
    fn layout(&self) -> &Layout {
        &self.kernel.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.kernel.play(level, (seed, first), None, record);
    }
}

impl Table for MinerTable {
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
            let mut counter = Counter::new(self.layout(), sitting.places, record, index);
            guide.begin(game);
            let ending = referee::play(&self.rules, &sitting, guide, &mut counter);
            counter.close(&ending);
        }
    }

    fn sheets(&self, counted: &Counted) -> Vec<Sheet> {
        report::sheets(counted, &self.seated.names, &self.rules)
    }

    fn figures(&self, counted: &Counted) -> Vec<(&'static str, Figure)> {
        report::figures(counted, &self.seated, &self.rules)
    }

    fn practise(&self, level: Level, luck: (u64, u64), pick: Pick, record: &mut Record) {
        let kernel = self.practice.get_or_init(|| {
            let (seated, layout) = (&self.seated, self.layout().clone());
            let kernel = Kernel::new(&self.rules, layout, &seated.formulas, seated.seating, true);
            kernel.expect("formulas that could be compiled before")
        });
        kernel.play(level, luck, Some(pick), record);
    }

    fn reference(&self) -> String {
        transcript::reference(&self.rules)
    }
}
