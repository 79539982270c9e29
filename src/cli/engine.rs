//! `carat engine`: answers questions about positions, a line of JSON each, for pages, chats and
//! notebooks. `help/engine.txt` describes every field.

use super::advise::{against_json, worth_of};
use super::args::parse_threads;
use super::error::CliError;
use super::person::position::worths;
use super::terminal::next_line;
use crate::study::advise::{Adviser, find_notation, question_of};
use crate::study::kept_game::{KeptGame, Standing, Taken};
use crate::study::{SeatedTable, TableSpec};
use carat_core::game::WIN_UNITS;
use carat_core::game::moments::{Fork, Options};
use carat_core::game::story::StoryStyle;
use carat_core::library::Library;
use carat_core::thinking::Question;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Answer questions about positions, as lines of JSON
///
/// Each line of standard input is a question with an `id`, which its answer repeats. Answers come
/// in any order. At the end of the input, carat answers the remaining questions and exits. `carat
/// help engine` describes all fields.
#[derive(clap::Args)]
pub struct Args {
    /// Number of threads; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = parse_threads)]
    threads: u16,
}

const FIELDS: &str = "id, ask, table, me, seed, number, moves, choice, situation, playouts";
const ASKS: &str = "options, features, decide, advise, play";
/// Playouts of each option by default, and at most.
const PLAYOUTS: u64 = 1000;
const PLAYOUTS_MAX: u64 = 100_000_000;
/// Tables that a thread remembers.
const TABLES: usize = 16;
/// Questions in the queue before reading pauses.
const QUEUE: usize = 10_000;

/// A field of a question, and what is wrong with it.
type Fault = (String, String);

fn fault(field: &str, why: impl Display) -> Fault {
    (field.to_string(), why.to_string())
}

type Fields = Map<String, Value>;

pub fn run(args: &Args) -> Result<(), CliError> {
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => usize::from(threads),
    };
    let (lines, queue) = std::sync::mpsc::sync_channel(QUEUE);
    let queue = Mutex::new(queue);
    let (ends, ended) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (queue, ends) = (&queue, ends.clone());
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                if let Err(error) = answer_lines(queue) {
                    let _ = ends.send(error);
                }
            });
            worker.map_err(CliError::Stdout)?;
        }
        drop(ends);
        while let Some(line) = next_line()? {
            if let Ok(error) = ended.try_recv() {
                return Err(error);
            }
            if !line.trim().is_empty() && lines.send(line).is_err() {
                break;
            }
        }
        drop(lines);
        ended.recv().map_or(Ok(()), Err)
    })
}

fn answer_lines(queue: &Mutex<Receiver<String>>) -> Result<(), CliError> {
    let mut desk = Desk {
        library: Library::here(),
        tables: Vec::new(),
    };
    loop {
        let line = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(line) = line else {
            return Ok(());
        };
        let answer = desk.answer_line(&line);
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", Value::Object(answer))?;
        out.flush()?;
    }
}

/// Takes a field of a question; null is the same as a missing field.
fn take<T: DeserializeOwned>(question: &mut Fields, field: &str) -> Result<Option<T>, Fault> {
    let value = question.remove(field).unwrap_or_default();
    serde_json::from_value(value).map_err(|error| fault(field, error))
}

/// The game that a question is about.
fn kept_game(question: &mut Fields, table: TableSpec, me: usize) -> Result<KeptGame, Fault> {
    let mut moves = Vec::new();
    for text in take::<Vec<String>>(question, "moves")?.unwrap_or_default() {
        let why = || format!("{text:?} is not a move: write \"@SEAT CHOICE/CHOICES words\"");
        moves.push(Taken::read(&text).ok_or_else(|| fault("moves", why()))?);
    }
    // A large seed is text: many readers of JSON round it.
    if let Some(Value::String(text)) = question.get("seed") {
        let seed: u64 = text.parse().map_err(|error| fault("seed", error))?;
        question.insert("seed".to_string(), json!(seed));
    }
    Ok(KeptGame {
        table,
        seed: take(question, "seed")?.unwrap_or(1),
        number: take(question, "number")?.unwrap_or(0),
        me,
        moves,
    })
}

/// The option that a choice gives by number or by name.
fn chosen(choice: &Value, options: &Options) -> Result<usize, Fault> {
    let option = match choice {
        Value::String(name) => options.names.iter().position(|known| known == name),
        number => number.as_u64().map(|number| number as usize),
    };
    let count = options.names.len();
    let why = || format!("is not a number from 0 to {}", count - 1);
    let option = option.filter(|&option| option < count);
    option.ok_or_else(|| fault("choice", why()))
}

/// An answering thread with its cache of tables.
struct Desk {
    library: Library,
    tables: Vec<(TableSpec, SeatedTable)>,
}

impl Desk {
    fn answer_line(&mut self, line: &str) -> Fields {
        let mut question: Fields = match serde_json::from_str(line) {
            Ok(question) => question,
            Err(error) => {
                let why = format!("write each question as a JSON object on one line: {error}");
                return Map::from_iter([("error".to_string(), json!(why))]);
            }
        };
        let id = question.remove("id").unwrap_or_default();
        let mut answer = Map::from_iter([("id".to_string(), id)]);
        match self.answer(question) {
            Ok(more) => answer.extend(more),
            Err((field, why)) => {
                answer.insert("error".to_string(), json!(why));
                answer.insert("field".to_string(), json!(field));
            }
        }
        answer
    }

    fn answer(&mut self, mut question: Fields) -> Result<Fields, Fault> {
        let is_unknown = |field: &&String| FIELDS.split(", ").all(|known| known != *field);
        if let Some(field) = question.keys().find(is_unknown) {
            let why = format!("unknown field; the fields are {FIELDS}");
            return Err(fault(field, why));
        }
        let ask: Option<String> = take(&mut question, "ask")?;
        let ask = ask.unwrap_or_default();
        if !ASKS.split(", ").any(|known| known == ask) {
            return Err(fault("ask", format!("write one of {ASKS}")));
        }
        let table: Option<TableSpec> = take(&mut question, "table")?;
        let table = table.ok_or_else(|| fault("table", "is missing"))?;
        let me = take(&mut question, "me")?.unwrap_or(1);
        let playouts = take(&mut question, "playouts")?.unwrap_or(PLAYOUTS);
        if !(1..=PLAYOUTS_MAX).contains(&playouts) {
            let why = format!("write a number from 1 to {PLAYOUTS_MAX}");
            return Err(fault("playouts", why));
        }
        let at = self.table(&table)?;
        let seated = &self.tables[at].1;
        if !(1..=seated.seats.len()).contains(&me) {
            let why = format!("the table has seats 1 to {}", seated.seats.len());
            return Err(fault("me", why));
        }
        if let Some(situation) = take::<String>(&mut question, "situation")? {
            if ask != "advise" {
                return Err(fault("ask", "only `advise` takes a situation"));
            }
            if let Some(field) = question.keys().next() {
                return Err(fault(field, "not allowed with a situation"));
            }
            let mut answer = Map::from_iter([("seat".to_string(), json!(me))]);
            let adviser = self.adviser(at, playouts, me - 1);
            answer.extend(advise_situation(&adviser, me - 1, &situation)?);
            return Ok(answer);
        }
        let choice: Option<Value> = take(&mut question, "choice")?;
        if choice.is_some() != (ask == "play") {
            let why = "`choice` needs `play`, and `play` needs `choice`";
            return Err(fault("choice", why));
        }
        let mut kept = kept_game(&mut question, table, me)?;
        let mut standing = stand(&mut kept, seated)?;
        if let Some(choice) = choice {
            let options = standing.options();
            let options = options.ok_or_else(|| fault("moves", "the game is over"))?;
            kept.take(options, chosen(&choice, options)?);
            standing = stand(&mut kept, seated)?;
        }
        let mut answer = described(&kept, &standing);
        let Some(fork) = standing.fork() else {
            return Ok(answer);
        };
        let options = fork.1;
        match ask.as_str() {
            "decide" => _ = answer.insert("choice".to_string(), json!(options.chosen)),
            "features" => {
                let of_option = |features: &Vec<f32>| -> Fields {
                    let all = seated.game.vocabulary.features.iter().zip(features);
                    all.map(|(feature, value)| (feature.name.to_string(), json!(value)))
                        .collect()
                };
                let all: Vec<Fields> = options.features.iter().map(of_option).collect();
                answer.insert("features".to_string(), json!(all));
            }
            "advise" => answer.extend(advise_position(&self.adviser(at, playouts, me - 1), fork)),
            _ => {}
        }
        Ok(answer)
    }

    /// The adviser of a table in the cache, also against each kind of opponents unless the question
    /// names them.
    fn adviser(&self, at: usize, playouts: u64, me: usize) -> Adviser<'_> {
        let (spec, seated) = &self.tables[at];
        let mut adviser = Adviser::new(seated, playouts);
        if spec.seats.is_empty() && spec.others.is_none() {
            adviser.kinds = seated.kinds(me, &self.library);
        }
        adviser
    }

    /// The index of a table in the cache, which gains it if it is new.
    fn table(&mut self, spec: &TableSpec) -> Result<usize, Fault> {
        if let Some(at) = self.tables.iter().position(|(known, _)| known == spec) {
            return Ok(at);
        }
        let seated = spec.resolve(&self.library);
        let seated = seated.and_then(SeatedTable::without_programs);
        let seated = seated.map_err(|error| fault("table", error))?;
        if self.tables.len() == TABLES {
            self.tables.remove(0);
        }
        self.tables.push((spec.clone(), seated));
        Ok(self.tables.len() - 1)
    }
}

fn advise_position(adviser: &Adviser, fork: Fork) -> Fields {
    let question = Question::at(fork);
    let advice = adviser.weigh(&question);
    let against = adviser.weigh_against(&question, advice.best);
    let why = adviser.why(fork, &adviser.cases(&question), &advice);
    Map::from_iter([
        ("best".to_string(), json!(advice.best)),
        ("against".to_string(), against_json(&against)),
        ("why".to_string(), json!(why)),
        ("worth".to_string(), worths(&advice).collect()),
    ])
}

fn advise_situation(adviser: &Adviser, me: usize, text: &str) -> Result<Fields, Fault> {
    let (notation, words) =
        find_notation(adviser.table).map_err(|error| fault("situation", error))?;
    let situation = notation.situation(me, text);
    let situation = situation.map_err(|found| fault("situation", found.message))?;
    let mut answer = Map::from_iter([("situation".to_string(), json!(situation.text))]);
    if let Some(question) = question_of(me, &situation) {
        let advice = adviser.weigh(&question);
        let against = adviser.weigh_against(&question, advice.best);
        answer.insert("against".to_string(), against_json(&against));
        let cases = adviser.cases(&question);
        let why = adviser.by_case(&cases, advice.best).map(|(_, why)| why);
        answer.insert("why".to_string(), json!(why));
        let worth: Vec<Fields> = advice.options.iter().map(worth_of).collect();
        answer.insert("options".to_string(), json!(words.options));
        let best = advice.is_clear().then_some(advice.best);
        answer.insert("best".to_string(), json!(best));
        answer.insert("worth".to_string(), json!(worth));
    }
    Ok(answer)
}

fn stand(kept: &mut KeptGame, seated: &SeatedTable) -> Result<Standing, Fault> {
    let standing = kept.stand(seated.table.as_ref(), StoryStyle::for_seat(kept.me - 1));
    standing.map_err(|why| fault("moves", why))
}

/// The fields of every answer about a position: the moves so far, and the options or the result.
fn described(kept: &KeptGame, standing: &Standing) -> Fields {
    let course = &standing.course;
    let mut answer = Map::new();
    let moves: Vec<String> = kept.moves.iter().map(Taken::written).collect();
    answer.insert("moves".to_string(), json!(moves));
    answer.insert("over".to_string(), json!(standing.at.is_none()));
    if let (Some(options), Some(at)) = (standing.options(), standing.at) {
        answer.insert("seat".to_string(), json!(options.seat + 1));
        answer.insert("at".to_string(), json!(course.moments[at].at));
        answer.insert("situation".to_string(), json!(options.standing));
        answer.insert("options".to_string(), json!(options.names));
    } else {
        let share = |win: &i32| f64::from(*win) / f64::from(WIN_UNITS);
        let wins: Vec<f64> = course.wins.iter().map(share).collect();
        answer.insert("wins".to_string(), json!(wins));
        answer.insert("scores".to_string(), json!(course.scores));
    }
    let story = course.story_between(0, standing.at);
    answer.insert("story".to_string(), json!(story));
    answer
}
