//! Diamant: push your luck in the Tacora cave.
//!
//! - Players: 1 to 8 (printed 3 to 8), all deciding at once; perfect information but for the
//!   order of the cards and, in some editions, the others' chests.
//! - Chance: the deck, up to 64 cards, shuffled before each expedition.
//! - A bot answers one question, `leave`, once per explorer inside and decision.
//! - Score: rubies and relics brought home; the highest wins.

use crate::diagnostic::Fault;
use crate::figure::Figure;
use crate::formula::Formula;
use crate::formula::program::{LANES, Program};
use crate::game::moments::{Branch, Course, Guide, Position};
use crate::game::notation::{Notation, Situation};
use crate::game::story::StoryStyle;
use crate::game::{
    Census, Copies, Counted, Game, Layout, Play, Record, Rules, School, Seating, SeatingError,
    Table, copies,
};
use crate::sheet::Sheet;
use crate::strategy::{SEATS_MAX, Seat, seat_names, table_labels};
use crate::streams;
use fearless_simd::Level;
use std::ops::RangeInclusive;

mod board;
mod bonus;
mod course;
mod deck;
mod features;
mod kernel;
mod keys;
mod limits;
mod log;
mod notation;
mod outcomes;
mod referee;
mod report;
mod rules;
mod school;
mod sights;
mod situation;
mod snapshot;
mod transcript;

use kernel::Kernel;
use referee::{GameResult, Hands, Watch};
use report::Report;
use rules::DiamantRules;
use sights::Sights;
use snapshot::Point;

pub static GAME: Game = Game {
    name: "diamant",
    title: "Diamant",
    summary: "Explore a cave card by card, and leave before the second trap of a kind.",
    score_unit: "rubies",
    legend: |_| String::new(),
    vocabulary: &features::VOCABULARY,
    editions: rules::EDITIONS,
    rules_keys: keys::KEYS,
    older_rules: include_str!("older_rules.toml"),
    minutes: "(minutes_set_up + minutes_card * cards + minutes_decision * decisions + \
              minutes_expedition * rounds) / 60",
    field: &[
        "threshold",
        "traps",
        "depth",
        "risk",
        "veteran",
        "random",
        "relic-hunter",
        "chaser",
        "last-out",
    ],
    family: Some("simple"),
    rule: Some("simple"),
    strongest: "risk",
    easy: &[
        ("timid", "human:bias=-2"),
        ("fickle", "random"),
        ("stubborn", "traps:nerve=5"),
        ("dreamy", "random:leave=0.1"),
        ("hasty", "depth:cards=2"),
        ("nervous", "traps:nerve=1"),
        ("greedy", "depth:cards=14"),
    ],
    signs: &[],
    comes: None,
    habit: Some(&course::HABIT),
    seats: 1..=SEATS_MAX,
    players: 5,
    games: 1_000_000,
    chunk: 8192,
    training: None,
    strategy: include_str!("strategy.txt"),
    advice: Some(&situation::WORDS),
    read_rules: |file, text| Ok(Box::new(DiamantRules::from_toml(file, text)?)),
};

impl Rules for DiamantRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        self.players.clone()
    }

    /// Everyone decides at once and places do not matter, so `seating` changes only which
    /// seats are shown together.
    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        let formulas: Vec<Formula> = seats.iter().map(Seat::formula).collect();
        let labels = table_labels(seats);
        let kernel = seated(self, &formulas, &labels, 0)?;
        let names = seat_names(seats);
        Ok(Box::new(DiamantTable {
            formulas,
            labels,
            names,
            copies: copies(seats, seating),
            people: seats.iter().map(|seat| seat.person.is_some()).collect(),
            kernel,
        }))
    }

    fn school(&self, _players: usize) -> Option<&dyn School> {
        Some(self)
    }

    fn without_effect(&self) -> Option<String> {
        self.never_joins()
    }
}

/// A table of bots with these formulas; the first `learners` are learners.
fn seated(
    rules: &DiamantRules,
    formulas: &[Formula],
    labels: &[String],
    learners: usize,
) -> Result<Kernel, SeatingError> {
    GAME.check_players(formulas.len())?;
    let formulas = formulas.iter();
    let formulas = formulas.map(|formula| features::under(rules, formula));
    let formulas: Vec<Formula> = formulas.collect();
    for (index, (formula, label)) in formulas.iter().zip(labels).enumerate() {
        if let Some(feature) = features::hidden(rules, formula) {
            return Err(SeatingError::Hidden {
                seat: index + 1,
                label: label.clone(),
                feature: features::VOCABULARY.features[feature].name,
                reason: "which is known only when chests are open (rules: chests = \"open\")",
            });
        }
    }
    let bounds = kernel::bounds(rules, formulas.len());
    let program = Program::compile(&features::VOCABULARY, &formulas, &bounds)?;
    let layout = outcomes::layout(rules, formulas.len());
    Ok(Kernel::new(rules, layout, program, learners))
}

struct DiamantTable {
    formulas: Vec<Formula>,
    /// The bots and people, and the same with their seats.
    labels: Vec<String>,
    names: Vec<String>,
    copies: Vec<Copies>,
    /// By seat, whether it is a person.
    people: Vec<bool>,
    kernel: Kernel,
}

impl Play for DiamantTable {
    fn layout(&self) -> &Layout {
        &self.kernel.layout
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.kernel.play(level, seed, first, record);
    }
}

impl Table for DiamantTable {
    fn layout_mut(&mut self) -> &mut Layout {
        &mut self.kernel.layout
    }

    fn guided_course(
        &self,
        (seed, game, style): (u64, u64, StoryStyle),
        guide: &mut dyn Guide,
    ) -> Course {
        guide.begin(game);
        let hands = Hands::Bots(&self.formulas, streams::game_key(seed, game));
        let title = format!("{}, game {game} of seed {seed}", self.kernel.rules.title);
        course::course(&self.kernel.rules, hands, &self.names, &title, style, guide)
    }

    fn batch(&self) -> u64 {
        LANES as u64
    }

    fn play_turns(&self, level: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record) {
        let ((position, option), _) = from;
        self.play_point(level, (position.of(), option), luck, record);
    }

    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record) {
        for index in 0..record.games() {
            let game = first.wrapping_add(index as u64);
            let result = self.game(seed, game, guide, &mut ());
            referee::record(self.layout(), &result, index, record);
        }
    }

    fn census(&self, seed: u64, games: u64) -> Census {
        let mut sights = Sights::new(&self.kernel.rules);
        for game in 0..games {
            self.game(seed, game, &mut (), &mut sights);
            sights.end();
        }
        sights.census()
    }

    fn sheets(&self, counted: &Counted) -> Vec<Sheet> {
        vec![Report::new(counted).sheet()]
    }

    fn figures(&self, counted: &Counted) -> Vec<(&'static str, Figure)> {
        let leaving = Report::new(counted).leaving(&self.copies);
        vec![("leaving", Figure::Lines(leaving))]
    }

    fn reference(&self) -> String {
        transcript::reference(&self.kernel.rules)
    }

    fn notation(&self) -> Option<&dyn Notation> {
        Some(self)
    }
}

impl DiamantTable {
    /// A game, as the referee plays it and tells it to `watch`.
    fn game(
        &self,
        seed: u64,
        game: u64,
        guide: &mut dyn Guide,
        watch: &mut impl Watch,
    ) -> GameResult {
        guide.begin(game);
        let hands = Hands::Bots(&self.formulas, streams::game_key(seed, game));
        referee::play(&self.kernel.rules, hands, guide, watch)
    }

    /// Plays on from a point; returns for each playout who left at the first decision, one bit per
    /// seat.
    fn play_point(
        &self,
        level: Level,
        (point, option): (&Point, Option<usize>),
        luck: (u64, u64),
        record: &mut Record,
    ) -> Vec<u8> {
        let mut settled = point.settled;
        if let (Some(seat), Some(option)) = (point.seat, option) {
            settled[seat] = Some(log::OPTIONS[option] == "leave");
        }
        let mut whole = Record::new(self.layout(), record.games());
        let start = (&point.position, &settled);
        let leavers = self.kernel.play_on(level, start, luck, &mut whole);
        record.ends_of(self.layout(), &whole);
        leavers
    }
}

impl Notation for DiamantTable {
    fn write(&self, seed: u64, game: u64, guide: &mut dyn Guide) -> String {
        let log = self.game(seed, game, guide, &mut ()).log;
        let head = format!("# {}, game {game} of seed {seed}", self.kernel.rules.title);
        let labels = (1..).zip(&self.labels);
        let names = Vec::from_iter(labels.map(|(seat, label)| format!("# @{seat} {label}")));
        let record = notation::write(&self.kernel.rules, self.names.len(), &log);
        format!("{head}\n{}\n{record}", names.join("\n"))
    }

    fn recorded(&self, title: &str, text: &str) -> Result<Course, Fault> {
        let names: Vec<String> = (self.names.iter().zip(&self.people).enumerate())
            .map(|(seat, (name, is_person))| match is_person {
                true => name.clone(),
                false => format!("@{}", seat + 1),
            })
            .collect();
        situation::whole(&self.kernel.rules, &names, title, text)
    }

    fn situation(&self, me: usize, text: &str) -> Result<Situation, Fault> {
        situation::read(&self.kernel.rules, self.names.len(), me, text)
    }

    fn others(&self, me: usize, position: &Position, leaving: usize) -> Vec<Position> {
        situation::others(me, position.of(), leaving)
    }

    fn stakes(&self, position: &Position) -> Vec<[f64; 3]> {
        let point: &Point = position.of();
        situation::stakes(&self.kernel.rules, &point.position)
    }

    fn ask(
        &self,
        level: Level,
        position: &Position,
        option: usize,
        luck: (u64, u64),
        record: &mut Record,
    ) -> Vec<u8> {
        let point: &Point = position.of();
        let mut leavers = self.play_point(level, (point, Some(option)), luck, record);
        let others = point.seat.map_or(u8::MAX, |me| !(1 << me));
        for leavers in &mut leavers {
            *leavers = (*leavers & others).count_ones() as u8;
        }
        leavers
    }
}
