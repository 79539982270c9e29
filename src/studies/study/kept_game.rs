//! A saved game of a person against bots: the table and all decisions so far. The referee replays
//! the rest.
//!
//! ```toml
//! game = "diamond_cave"
//! seats = ["surveyor", "surveyor"]
//! people = ["Anna"]
//! seed = 7
//! number = 3
//! moves = [
//!   "@1 31/37 begin at E5",
//! ]
//! ```
//!
//! A move is a seat, the number of its choice, the number of choices, and the choice in words for
//! people.

use super::error::StudyError;
use super::run;
use super::table::{SeatedTable, TableSpec};
use carat_core::diagnostic::{Diagnostic, Fault, counted};
use carat_core::format::{self, Format};
use carat_core::game::Table;
use carat_core::game::moments::{self, Course, Fork, Guide, Moment, Options};
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;
use serde::Deserialize;
use toml::de::DeTable;

#[derive(Debug, Clone, PartialEq)]
pub struct KeptGame {
    pub table: TableSpec,
    pub seed: u64,
    pub number: u64,
    /// The seat of the person, from 1.
    pub me: usize,
    /// Decisions, in order.
    pub moves: Vec<Taken>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// From 0.
    pub seat: usize,
    /// The chosen option, from 0.
    pub option: usize,
    pub options: usize,
    /// The option in words; empty until the game is replayed.
    pub name: String,
}

pub struct Standing {
    /// The whole game, with bots taking all further decisions. Only moments before `at` have
    /// happened.
    pub course: Course,
    /// The moment of the person's decision; `None` when the game is over.
    pub at: Option<usize>,
}

impl Standing {
    pub fn options(&self) -> Option<&Options> {
        self.course.moments[self.at?].options()
    }

    pub fn fork(&self) -> Option<Fork<'_>> {
        self.course.moments[self.at?].fork()
    }
}

#[derive(Deserialize)]
struct Own {
    #[serde(default = "run::first_seed", deserialize_with = "run::seed")]
    seed: u64,
    #[serde(default)]
    number: u64,
    me: Option<usize>,
    moves: Vec<String>,
}

impl KeptGame {
    /// Whether a text looks like a saved game, which has `moves`.
    pub fn is(text: &str) -> bool {
        text.lines().any(|line| {
            let rest = line.trim_start().strip_prefix("moves");
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        })
    }

    /// Reads a saved game; errors show the name `file`.
    pub fn from_toml(file: &str, text: &str) -> Result<KeptGame, Box<Diagnostic>> {
        let faulty = |error| Box::new(Diagnostic::from_toml(file, text, &error));
        let in_file = |fault: Fault| Box::new(fault.in_file(file, text));
        let (mut own, mut table) = (DeTable::new(), DeTable::new());
        let keys = DeTable::parse(text).map_err(faulty)?;
        Format::of(keys.get_ref()).map_err(in_file)?;
        let span = keys.span();
        for (key, value) in keys.into_inner() {
            match key.get_ref().as_ref() {
                format::KEY => {}
                "seed" | "number" | "me" | "moves" => _ = own.insert(key, value),
                _ => _ = table.insert(key, value),
            }
        }
        let read = |keys| toml::de::Deserializer::from(toml::Spanned::new(span.clone(), keys));
        let table = TableSpec::deserialize(read(table)).map_err(faulty)?;
        let own = Own::deserialize(read(own)).map_err(faulty)?;
        let mut moves = Vec::new();
        for written in &own.moves {
            moves.push(Taken::read(written).ok_or_else(|| {
                let at = text.find(written.as_str()).unwrap_or(0);
                let message = "this is not a move: write \"@SEAT CHOICE/CHOICES words\"";
                in_file(Fault::new(at..at + written.len(), message, "not a move"))
            })?);
        }
        Ok(KeptGame {
            table,
            seed: own.seed,
            number: own.number,
            me: own.me.unwrap_or(1),
            moves,
        })
    }

    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let (head, table) = (Format::line(), toml::to_string(&self.table)?);
        let moves = self.moves.iter();
        let moves = moves.map(|taken| format!("  {},\n", toml::Value::from(taken.written())));
        let moves = moves.collect::<String>();
        let seed = i64::try_from(self.seed)
            .map_or_else(|_| self.seed.to_string().into(), toml::Value::from);
        let KeptGame { number, me, .. } = self;
        Ok(format!(
            "{head}{table}seed = {seed}\nnumber = {number}\nme = {me}\nmoves = [\n{moves}]\n"
        ))
    }

    /// The game before the decision at this moment of its course; its moves have no words.
    pub fn before(&self, course: &Course, moment: usize) -> KeptGame {
        let before = course.moments[..moment].iter().filter_map(Moment::options);
        let moves = before.map(|options| Taken {
            seat: options.seat,
            option: options.chosen,
            options: options.names.len(),
            name: String::new(),
        });
        KeptGame {
            moves: moves.collect(),
            ..self.clone()
        }
    }

    pub fn resolve(&self, library: &Library) -> Result<SeatedTable, StudyError> {
        self.table.resolve(library)?.without_programs()
    }

    /// Lets bots decide until the person's next decision. The error is why the moves are impossible
    /// at this table.
    pub fn stand(&mut self, table: &dyn Table, style: StoryStyle) -> Result<Standing, String> {
        let mut hand = self.hand(self.me.checked_sub(1));
        let game = (self.seed, self.number, style);
        let course = table.guided_course(game, &mut hand);
        if let Some((number, seat, options)) = hand.wrong {
            return Err(format!(
                "move {}: seat {} has {} here, so the game was played under other rules",
                number + 1,
                seat + 1,
                counted(options, "option")
            ));
        }
        if hand.at < self.moves.len() {
            return Err(format!("the game is over after move {}", hand.at));
        }
        let (more, asks) = (hand.more, hand.asks);
        self.moves.extend(more);
        let mut at = None;
        let mut moves = self.moves.iter_mut();
        for (moment, of) in course.moments.iter().enumerate() {
            if let Some(options) = of.options() {
                let Some(taken) = moves.next() else {
                    at = asks.then_some(moment);
                    break;
                };
                taken.name.clone_from(&options.names[taken.option]);
            }
        }
        Ok(Standing { course, at })
    }

    pub fn take(&mut self, options: &Options, option: usize) {
        self.moves.push(Taken {
            seat: options.seat,
            option,
            options: options.names.len(),
            name: options.names[option].clone(),
        });
    }

    /// Takes back the person's last decision and returns true, unless the person has seen a card or
    /// a decision of others since.
    pub fn take_back(&mut self, standing: &Standing) -> bool {
        let moments = &standing.course.moments;
        let before = standing.at.and_then(|at| moments[..at].last());
        let own = before.and_then(Moment::options);
        own.is_some_and(|own| own.seat + 1 == self.me) && self.moves.pop().is_some()
    }

    /// The moments so far. An unfinished game ends before the person's decision, without a result,
    /// and shows only what that person knows. The error is why the moves are impossible at this
    /// table, or that there are none.
    pub fn course(&self, table: &dyn Table, style: StoryStyle) -> Result<Course, String> {
        let Standing { mut course, at, .. } = self.clone().stand(table, style)?;
        let Some(at) = at else {
            return Ok(course);
        };
        let seat = self.me.checked_sub(1);
        if style.seat != seat {
            let why = false;
            return self.course(table, StoryStyle { seat, why, ..style });
        }
        let open = course.moments.drain(at..).next();
        let story = open.map_or(String::new(), |moment| moment.text);
        course.end = format!("{story}\nThe game is not over: seat {} decides.\n", self.me);
        course.wins.clear();
        course.scores.clear();
        match at {
            0 => Err("nothing has been played yet".to_string()),
            _ => Ok(course),
        }
    }

    /// The game as a record in the game's notation, if it has one.
    pub fn written(&self, table: &dyn Table) -> Option<String> {
        let notation = table.notation()?;
        Some(notation.write(self.seed, self.number, &mut self.hand(None)))
    }

    fn hand(&self, me: Option<usize>) -> Hand<'_> {
        Hand {
            taken: &self.moves,
            me,
            ..Hand::default()
        }
    }
}

impl Taken {
    /// `@1 31/37 begin at E5`.
    pub fn written(&self) -> String {
        let (seat, option) = (self.seat + 1, self.option + 1);
        format!("@{seat} {option}/{} {}", self.options, self.name)
    }

    /// Reads this form of a move.
    pub fn read(text: &str) -> Option<Taken> {
        let (seat, rest) = text.strip_prefix('@')?.split_once(' ')?;
        let (choice, name) = rest.split_once(' ').unwrap_or((rest, ""));
        let (option, options) = choice.split_once('/')?;
        let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let (option, options) = (number(option)?, options.parse().ok()?);
        (option < options).then_some(Taken {
            seat: number(seat)?,
            option,
            options,
            name: name.to_string(),
        })
    }
}

/// Replays the decisions, then lets bots decide until it is the person's turn.
#[derive(Default)]
struct Hand<'t> {
    taken: &'t [Taken],
    /// The seat of the person, from 0; without one, bots play on to the end.
    me: Option<usize>,
    /// The number of the decision.
    at: usize,
    /// Decisions of bots since then.
    more: Vec<Taken>,
    /// Whether it is the person's turn, after which the replay is ignored.
    asks: bool,
    /// The first impossible decision: its number, seat and number of options at this table.
    wrong: Option<(usize, usize, usize)>,
}

impl Guide for Hand<'_> {
    fn knows(&self, seat: usize) -> bool {
        self.at < self.taken.len() || self.asks || self.me == Some(seat)
    }

    fn decide(
        &mut self,
        seat: usize,
        options: usize,
        chosen: usize,
        _stands: &moments::Standing,
    ) -> usize {
        if let Some(taken) = self.taken.get(self.at) {
            if self.wrong.is_none() && (taken.seat, taken.options) != (seat, options) {
                self.wrong = Some((self.at, seat, options));
            }
            self.at += 1;
            return self.wrong.map_or(taken.option, |_| chosen);
        }
        self.asks |= self.me == Some(seat);
        if !self.asks {
            self.more.push(Taken {
                seat,
                option: chosen,
                options,
                name: String::new(),
            });
        }
        chosen
    }
}
