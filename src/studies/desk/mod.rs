//! Answers questions as lines of JSON: about a position here, about a table in `tables`. The terminal, the
//! server of the page and a browser hand the lines in.

pub mod advice;
pub mod games;
mod question;
mod tables;

use crate::study::advise::{Adviser, find_notation};
use crate::study::kept_game::{KeptGame, Standing, Taken};
use crate::study::{Adapt, SeatedTable, StudyError, TableSpec, run};
use advice::{AdviceReport, find_different, worths};
use carat_core::diagnostic::readable;
use carat_core::game::WIN_UNITS;
use carat_core::game::moments::{Fork, Options};
use carat_core::game::story::StoryStyle;
use carat_core::library::{Library, SourceText};
use carat_core::simulation::Threads;
use carat_core::statistics::best_set_z;
use carat_core::thinking::{Advice, Question};
use question::Question as Line;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tables::{Asked, draw_board, read_width};

const FIELDS: &str = "id, ask, table, me, seed, number, moves, choice, situation, playouts, games, \
                      pin, width, reach, files, vary, metric, steps";
/// Questions about a table.
const STUDIES: [&str; 4] = ["about", "simulate", "sweep", "files"];
const ASKS: &str = "options, features, decide, advise, play, keep, review, about, simulate, sweep, \
                    files";
/// Playouts of each option by default.
const PLAYOUTS: u64 = 1000;
/// Playouts of each option after which advice in steps says what they are worth so far; the first are
/// too few to end it.
const STEPS: [u64; 5] = [16, 64, 256, 1000, 4000];
/// Tables that a thread remembers.
const TABLES: usize = 16;

/// A field of a question, and what is wrong with it.
pub struct Fault {
    field: String,
    why: String,
}

impl From<StudyError> for Fault {
    fn from(why: StudyError) -> Fault {
        in_table(why)
    }
}

pub fn fault(field: &str, why: impl Display) -> Fault {
    Fault {
        field: field.to_string(),
        why: why.to_string(),
    }
}

/// What is wrong with the value of a field.
pub fn misread(field: &str, error: serde_json::Error) -> Fault {
    let (words, help) = readable(&error.to_string());
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    fault(field, words + &help)
}

pub fn in_table(why: impl Display) -> Fault {
    fault("table", why)
}

pub type Fields = Map<String, Value>;

/// A table without programs.
pub fn resolve(table: &TableSpec, library: &Library) -> Result<SeatedTable, Fault> {
    let seated = table.resolve(library).map_err(in_table)?;
    seated.without_programs().map_err(in_table)
}

/// The fields of an object that is written as JSON.
pub fn fields(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// What a question may ask for.
pub struct Limits {
    pub playouts: u64,
    pub games: u64,
    /// Games or playouts, times what one costs.
    pub work: u64,
}

/// What a page may ask for: some seconds of a machine.
pub const OF_PAGE: Limits = Limits {
    playouts: 100_000,
    games: 2_000_000,
    work: 20_000_000,
};

/// What all answering threads share.
pub struct Shared {
    /// Those that play.
    pub threads: Threads,
    pub limits: Limits,
    pub populations: Arc<Mutex<Populations>>,
}

/// The populations adapted so far.
#[derive(Default)]
pub struct Populations {
    /// Those of tables that have all of theirs.
    whole: Vec<SourceText>,
    /// Each by the study that made it, so that who asks again goes on.
    each: Vec<(Adapt, SourceText)>,
}

impl Shared {
    pub fn new(threads: Threads, limits: Limits) -> Shared {
        Shared {
            threads,
            limits,
            populations: Arc::default(),
        }
    }

    /// Checks the number of games or playouts in a field of a question.
    pub fn check(&self, field: &str, number: u64, most: u64, cost: u64) -> Result<(), Fault> {
        if !(1..=most).contains(&number) {
            return Err(fault(field, format!("write a number from 1 to {most}")));
        }
        if number.saturating_mul(cost) > self.limits.work {
            let most = self.limits.work / cost.max(1);
            let why = format!("games at this table take long: write a number up to {most}");
            return Err(fault(field, why));
        }
        Ok(())
    }
}

/// Takes an answer.
pub type Say<'a> = &'a mut (dyn FnMut(Fields) + Send);

/// Takes a field of a question; null is the same as a missing field.
pub fn take<T: DeserializeOwned>(question: &mut Fields, field: &str) -> Result<Option<T>, Fault> {
    let value = question.remove(field).unwrap_or_default();
    serde_json::from_value(value).map_err(|error| misread(field, error))
}

/// Refuses a field that is left when a question has been read.
fn check_empty(question: &Fields, place: &str) -> Result<(), Fault> {
    let left = question.keys().next();
    left.map_or(Ok(()), |field| {
        Err(fault(field, format!("not allowed {place}")))
    })
}

/// The option that is chosen or compared, where the question takes one.
fn take_choice(ask: &str, question: &mut Fields) -> Result<Option<Value>, Fault> {
    let choice: Option<Value> = take(question, "choice")?;
    match (ask, &choice) {
        ("play", None) => Err(fault("choice", "`play` needs `choice`")),
        ("play" | "advise", _) | (_, None) => Ok(choice),
        _ => Err(fault("choice", "only `play` and `advise` take `choice`")),
    }
}

fn kept_game(question: &mut Fields, table: TableSpec, me: usize) -> Result<KeptGame, Fault> {
    let mut moves = Vec::new();
    for text in take::<Vec<String>>(question, "moves")?.unwrap_or_default() {
        let why = || format!("{text:?} is not a move: write \"@SEAT CHOICE/CHOICES words\"");
        moves.push(Taken::read(&text).ok_or_else(|| fault("moves", why()))?);
    }
    let seed = question.remove("seed").filter(|seed| !seed.is_null());
    let seed = seed.map_or(Ok(1), |seed| {
        run::seed(seed).map_err(|error| misread("seed", error))
    })?;
    Ok(KeptGame {
        table,
        seed,
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
pub struct Desk {
    pub library: Library,
    /// Texts of files that a question brought.
    pub texts: Vec<SourceText>,
    /// The populations adapted so far, by all threads; by this desk alone if it has texts of its own,
    /// whose names mean other files elsewhere.
    pub populations: Arc<Mutex<Populations>>,
    pub shared: Arc<Shared>,
    tables: Vec<(TableSpec, SeatedTable)>,
}

impl Desk {
    pub fn new(library: Library, shared: Arc<Shared>) -> Desk {
        Desk {
            library,
            texts: Vec::new(),
            populations: Arc::clone(&shared.populations),
            shared,
            tables: Vec::new(),
        }
    }

    /// Answers a question in lines of JSON. A study says its results step by step, until `stop` is
    /// set.
    pub fn answer_line(
        &mut self,
        line: &str,
        stop: &AtomicBool,
        say: &mut (dyn FnMut(String) + Send),
    ) {
        let (id, question) = match serde_json::from_str(line.trim_start_matches('\u{feff}')) {
            Ok(Line { id, fields }) => (id, fields),
            Err(error) => {
                let why = format!("write each question as a JSON object on one line: {error}");
                return say(json!({ "error": why }).to_string());
            }
        };
        let mut reply = |more: Fields| {
            let more = Value::Object(more).to_string();
            say(format!("{{\"id\":{id},{}", &more[1..]));
        };
        match self.answer(question, stop, &mut reply) {
            Ok(answer) => reply(answer),
            Err(Fault { field, why }) => reply(fields(json!({ "error": why, "field": field }))),
        }
    }

    /// The last answer to a question; `say` takes those before.
    fn answer(
        &mut self,
        mut question: Fields,
        stop: &AtomicBool,
        say: Say,
    ) -> Result<Fields, Fault> {
        let is_unknown = |field: &&String| FIELDS.split(", ").all(|known| known != *field);
        if let Some(field) = question.keys().find(is_unknown) {
            let why = format!("no such field; the fields are {FIELDS}");
            return Err(fault(field, why));
        }
        let ask: Option<String> = take(&mut question, "ask")?;
        let ask = ask.unwrap_or_default();
        if !ASKS.split(", ").any(|known| known == ask) {
            return Err(fault("ask", format!("write one of {ASKS}")));
        }
        let table: Option<TableSpec> = take(&mut question, "table")?;
        let table = table.ok_or_else(|| fault("table", "is missing"))?;
        let files: Option<BTreeMap<String, String>> = take(&mut question, "files")?;
        if let Some(files) = files {
            // These names mean these files in this question alone.
            let texts = files.into_iter();
            let texts = Vec::from_iter(texts.map(|(name, text)| SourceText::new(&name, text)));
            let mut desk = Desk {
                library: self.library.with_texts(&texts),
                texts,
                populations: Arc::default(),
                shared: Arc::clone(&self.shared),
                tables: Vec::new(),
            };
            return desk.answer_about(&ask, question, table, stop, say);
        }
        self.answer_about(&ask, question, table, stop, say)
    }

    fn answer_about(
        &mut self,
        ask: &str,
        mut question: Fields,
        table: TableSpec,
        stop: &AtomicBool,
        say: Say,
    ) -> Result<Fields, Fault> {
        if STUDIES.contains(&ask) {
            let mut asked = Asked::read(&mut question, table, (stop, say))?;
            return match ask {
                "about" => self.about(&asked.table),
                "simulate" => self.simulate(&mut asked),
                "sweep" => self.sweep(&mut asked),
                _ => self.files(&mut asked),
            };
        }
        self.answer_position(ask, question, table, (stop, say))
    }

    fn answer_position(
        &mut self,
        ask: &str,
        mut question: Fields,
        mut table: TableSpec,
        (stop, say): (&AtomicBool, Say),
    ) -> Result<Fields, Fault> {
        let me = take(&mut question, "me")?.unwrap_or(1);
        let is_open = table.seats.is_empty() && table.others.is_none();
        if ask == "advise" {
            table = table.with_best_at(me, &self.library)?;
        }
        let playouts = take(&mut question, "playouts")?.unwrap_or(PLAYOUTS);
        self.share_populations();
        let at = self.table(&table)?;
        let seated = &self.tables[at].1;
        let (most, cost) = (self.shared.limits.playouts, seated.table.cost());
        self.shared.check("playouts", playouts, most, cost)?;
        if !(1..=seated.seats.len()).contains(&me) {
            let why = format!("the table has seats 1 to {}", seated.seats.len());
            return Err(fault("me", why));
        }
        if let Some(situation) = take::<String>(&mut question, "situation")? {
            if ask != "advise" {
                return Err(fault("ask", "only `advise` takes a situation"));
            }
            check_empty(&question, "with a situation")?;
            let mut answer = fields(json!({ "seat": me }));
            let usual = is_open || seated.is_usual(me - 1);
            let adviser = self.adviser(at, usual.then_some(me - 1), playouts, stop);
            answer.extend(advise_situation(&adviser, me - 1, &situation)?);
            return unless_stopped(stop, answer);
        }
        let width = read_width(&mut question)?;
        let choice = take_choice(ask, &mut question)?;
        let steps = take(&mut question, "steps")?.unwrap_or(false);
        if steps && ask != "advise" {
            return Err(fault("steps", "only `advise` answers in steps"));
        }
        let mut kept = kept_game(&mut question, table, me)?;
        check_empty(&question, &format!("with `{ask}`"))?;
        let mut standing = stand(&mut kept, seated)?;
        let mut option = None;
        if let Some(choice) = choice {
            let options = standing.options();
            let options = options.ok_or_else(|| fault("moves", "the game is over"))?;
            let number = chosen(&choice, options)?;
            option = Some(number);
            if ask == "play" {
                kept.take(options, number);
                standing = stand(&mut kept, seated)?;
            }
        }
        let mut answer = described(&kept, &standing, width);
        match ask {
            "keep" => _ = answer.insert("file".to_string(), json!(file_of(&kept)?)),
            "review" if standing.at.is_some() => {
                return Err(fault("moves", "the game is not over"));
            }
            "review" => answer.extend(self.review(&kept, playouts, stop)?),
            _ => {}
        }
        let Some(fork) = standing.fork() else {
            return Ok(answer);
        };
        let options = fork.1;
        match ask {
            "decide" => _ = answer.insert("choice".to_string(), json!(options.chosen)),
            "features" => _ = answer.insert("features".to_string(), features(seated, options)),
            "advise" => {
                let cost = cost.saturating_mul(options.names.len() as u64);
                self.shared.check("playouts", playouts, most, cost)?;
                let usual = !steps && (is_open || seated.is_usual(me - 1));
                let mut adviser = self.adviser(at, usual.then_some(me - 1), playouts, stop);
                let advice = if steps {
                    answer.insert("done".to_string(), json!(true));
                    weigh_in_steps(&mut adviser, fork, option, say)
                } else {
                    adviser.weigh(&Question::at(fork))
                };
                let report = AdviceReport::of_weighed(&adviser, fork, advice);
                answer.extend(report.fields(option.unwrap_or(report.advice.best)));
            }
            _ => {}
        }
        unless_stopped(stop, answer)
    }

    /// The adviser of the table at this index of the cache; to a seat of `usual` opponents also
    /// against each kind of them.
    fn adviser<'a>(
        &'a self,
        at: usize,
        usual: Option<usize>,
        playouts: u64,
        stop: &'a AtomicBool,
    ) -> Adviser<'a> {
        let seated = &self.tables[at].1;
        let mut adviser = Adviser::new(seated, &self.library, playouts, usual);
        adviser.judge.stop = stop;
        adviser
    }

    /// The index of a table in the cache, which gains it if it is new.
    fn table(&mut self, spec: &TableSpec) -> Result<usize, Fault> {
        if let Some(at) = self.tables.iter().position(|(known, _)| known == spec) {
            return Ok(at);
        }
        let seated = resolve(spec, &self.library)?;
        if self.tables.len() == TABLES {
            self.tables.remove(0);
        }
        self.tables.push((spec.clone(), seated));
        Ok(self.tables.len() - 1)
    }
}

/// Why a question that was stopped has no answer.
pub fn stopped() -> Fault {
    fault("ask", "was stopped")
}

/// The answer, if it is whole.
fn unless_stopped<T>(stop: &AtomicBool, answer: T) -> Result<T, Fault> {
    if stop.load(Ordering::Relaxed) {
        return Err(stopped());
    }
    Ok(answer)
}

fn features(seated: &SeatedTable, options: &Options) -> Value {
    let of_option = |features: &Vec<f32>| -> Value {
        let all = seated.game.vocabulary.features.iter().zip(features);
        all.map(|(feature, value)| (feature.name.to_string(), json!(value)))
            .collect()
    };
    options.features.iter().map(of_option).collect()
}

/// Weighs a decision in more and more playouts until it is clear what the chosen option, or else the
/// best, is worth beside the others; says after each step what they are worth so far.
fn weigh_in_steps(adviser: &mut Adviser, fork: Fork, chosen: Option<usize>, say: Say) -> Advice {
    let most = adviser.judge.playouts;
    let ends = STEPS.into_iter().filter(|end| *end < most).chain([most]);
    let mut ends = Vec::from_iter(ends).into_iter();
    let different = find_different(fork.1);
    let clear = best_set_z(different.len(), ends.len());
    loop {
        let end = ends.next().unwrap_or(most);
        adviser.judge.playouts = end;
        let advice = adviser.weigh(&Question::at(fork));
        let is_worse = |option: usize| {
            let cost = advice.cost(option);
            cost.value > clear * cost.se
        };
        let is_settled = match chosen.filter(|chosen| *chosen != advice.best) {
            Some(chosen) => is_worse(chosen),
            None => (different.iter()).all(|option| *option == advice.best || is_worse(*option)),
        };
        say(fields(json!({
            "done": false, "best": advice.best, "worth": Vec::from_iter(worths(&advice)),
        })));
        let is_stopped = adviser.judge.stop.load(Ordering::Relaxed);
        if (is_settled && end > STEPS[0]) || is_stopped || end == most {
            return advice;
        }
    }
}

/// The game as the file that `carat play` saves.
pub fn file_of(kept: &KeptGame) -> Result<String, Fault> {
    kept.to_toml().map_err(in_table)
}

fn advise_situation(adviser: &Adviser, me: usize, text: &str) -> Result<Fields, Fault> {
    let (notation, words) =
        find_notation(adviser.table).map_err(|error| fault("situation", error))?;
    let situation = notation.situation(me, text);
    let situation = situation.map_err(|found| fault("situation", found.message))?;
    let mut answer = fields(json!({ "situation": situation.text }));
    if let Some(report) = AdviceReport::of_situation(adviser, me, &situation, words) {
        answer.extend(report.fields(report.advice.best));
        answer.insert("options".to_string(), json!(words.options));
    }
    Ok(answer)
}

fn stand(kept: &mut KeptGame, seated: &SeatedTable) -> Result<Standing, Fault> {
    let standing = kept.stand(seated.table.as_ref(), StoryStyle::for_seat(kept.me - 1));
    standing.map_err(|why| fault("moves", why))
}

/// The fields of every answer about a position: the moves so far, and the options or the result.
fn described(kept: &KeptGame, standing: &Standing, width: Option<f64>) -> Fields {
    let course = &standing.course;
    let moves: Vec<String> = kept.moves.iter().map(Taken::written).collect();
    let mut answer = fields(json!({ "moves": moves, "over": standing.at.is_none() }));
    if let (Some(options), Some(at)) = (standing.options(), standing.at) {
        answer.extend(fields(json!({
            "seat": options.seat + 1,
            "at": course.moments[at].at,
            "situation": options.standing,
            "options": options.names,
            "board": options.board,
        })));
        let svg = draw_board(options, &course.moments[at].at, width);
        answer.extend(svg.map(|svg| ("svg".to_string(), json!(svg))));
    } else {
        let share = |win: &i32| f64::from(*win) / f64::from(WIN_UNITS);
        let wins: Vec<f64> = course.wins.iter().map(share).collect();
        answer.extend(fields(json!({ "wins": wins, "scores": course.scores })));
    }
    let story = course.story_between(0, standing.at);
    answer.insert("story".to_string(), json!(story));
    answer
}
