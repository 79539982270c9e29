//! The decisions of games as rows, to fit models with other tools: the referee plays games again
//! and notes the features, the choice and the result of each decision.

use super::raw::Form;
use carat_core::formula::{Kind, Vocabulary};
use carat_core::game::moments::{Guide, Standing};
use carat_core::game::{Record, SCORE, Seating, TURN, Table, WIN, WIN_UNITS};
use carat_studies::report::LABEL;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// Games that a thread plays before its rows are written.
const GAMES_EACH: usize = 256;

/// The columns of a decision besides its features; the last only in games with scored options.
const HEAD: [(&str, &str); 7] = [
    ("seat", "seat of the deciding bot in the study, from 1"),
    ("label", LABEL),
    (
        "place",
        "place of the bot at the table in this game, from 1; bots rotate if turn order \
         matters",
    ),
    ("decision", "number of the decision in the game, from 0"),
    ("options", "number of options"),
    (
        "chosen",
        "number of the chosen option, from 0; for a yes-or-no decision, 1 is yes",
    ),
    (
        "option",
        "number of the option that the features describe, from 0",
    ),
];

/// A table that plays its games again to note decisions.
pub struct Decisions {
    pub table: Arc<dyn Table>,
    pub vocabulary: &'static Vocabulary,
    pub seating: Seating,
    pub seed: u64,
    /// The label of each seat.
    pub labels: Vec<Option<String>>,
    /// Number of threads; 0 for one per processor.
    pub threads: usize,
}

/// The rows of some games: their games, and their columns.
#[derive(Default)]
pub struct Noted {
    pub numbers: Vec<i64>,
    pub columns: Vec<Vec<i32>>,
}

/// The columns after the number of the game, with their meaning.
pub fn decision_columns(vocabulary: &Vocabulary) -> Vec<(&'static str, String, Form)> {
    let mut columns = Vec::new();
    for (name, meaning) in &HEAD[..head(vocabulary)] {
        let form = if *meaning == LABEL {
            Form::Label
        } else {
            Form::Whole
        };
        columns.push((*name, meaning.to_string(), form));
    }
    for feature in vocabulary.features {
        let meaning = format!("feature ({}): {}", feature.unit, feature.meaning);
        columns.push((feature.name, meaning, Form::Bits));
    }
    let share = "win share of the seat in this game";
    let units = Form::Units(f64::from(WIN_UNITS));
    columns.push(("win_share", share.to_string(), units));
    let score = "final score of the seat";
    columns.push(("final_score", score.to_string(), Form::Whole));
    columns
}

fn head(vocabulary: &Vocabulary) -> usize {
    match vocabulary.answer {
        Kind::Truth => HEAD.len() - 1,
        Kind::Number => HEAD.len(),
    }
}

impl Decisions {
    /// Most games played before their rows are written.
    pub fn at_once(&self) -> usize {
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        GAMES_EACH * threads
    }

    /// Plays games from `first` to before `end`, at most a batch, and notes their decisions in
    /// order.
    pub fn play(&self, first: u64, end: u64) -> Vec<Noted> {
        thread::scope(|scope| {
            let mut playing = Vec::new();
            let mut next = first;
            while next < end {
                // Games of one population.
                let (from, games) = (next, (end - next).min(TURN - next % TURN) as usize);
                next += games as u64;
                playing.push(scope.spawn(move || self.note(from, games)));
            }
            let ended = playing.into_iter().map(|played| played.join());
            let noted = ended.map(|noted| noted.unwrap_or_else(|panic| resume_unwind(panic)));
            noted.collect()
        })
    }

    fn note(&self, first: u64, games: usize) -> Noted {
        let layout = self.table.layout();
        let mut record = Record::new(layout, games);
        let mut noting = Noting {
            of: self,
            game: 0,
            decision: 0,
            places: Vec::new(),
            noted: Noted {
                numbers: Vec::new(),
                columns: vec![Vec::new(); decision_columns(self.vocabulary).len()],
            },
        };
        self.table
            .guided(self.seed, first, &mut noting, &mut record);
        let Noted { numbers, columns } = &mut noting.noted;
        let ends = columns.len() - 2;
        for (row, &number) in numbers.iter().enumerate() {
            let seat = columns[0][row] as usize - 1;
            let game = (number as u64 - first) as usize;
            for (at, outcome) in [WIN, SCORE].into_iter().enumerate() {
                let column = layout.seat_column(seat, outcome);
                columns[ends + at].push(record.column(column)[game]);
            }
        }
        noting.noted
    }
}

/// Notes each decision of the games that it is shown.
struct Noting<'a> {
    of: &'a Decisions,
    game: u64,
    decision: i32,
    /// The seat of each place at the table in this game.
    places: Vec<usize>,
    noted: Noted,
}

impl Guide for Noting<'_> {
    fn begin(&mut self, game: u64) {
        let seats = self.of.table.layout().seats;
        self.places = self.of.seating.places(seats, game).bots();
        (self.game, self.decision) = (game, 0);
    }

    fn decide(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let place = self.places.iter().position(|&bot| bot == seat);
        let place = place.expect("a place of each bot");
        let rows = match self.of.vocabulary.answer {
            Kind::Truth => 1,
            Kind::Number => options,
        };
        let decision = self.decision as usize;
        let numbers = [seat + 1, seat, place + 1, decision, options, chosen];
        for option in 0..rows {
            self.noted.numbers.push(self.game as i64);
            let (head, features) = self.noted.columns.split_at_mut(head(self.of.vocabulary));
            for (column, number) in head.iter_mut().zip(numbers.into_iter().chain([option])) {
                column.push(number as i32);
            }
            for (column, value) in features.iter_mut().zip((stands.features)(option)) {
                column.push(value.to_bits() as i32);
            }
        }
        self.decision += 1;
        chosen
    }
}
