//! Seats of external programs; their processes answer many decisions of many games at once.

use super::process::{self, Process};
use crate::diagnostic::counted;
use crate::formula::{Feature, Formula, Kind, Vocabulary};
use crate::game::moments::{Guide, Standing};
use crate::game::{Record, Rules, Seating, SeatingError, Table};
use crate::simulation::lock;
use crate::strategy::{Program, Seat};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// Most games in flight per thread.
const LANES: usize = 128;
/// Version of the messages.
const PROTOCOL: u32 = 1;

/// Decisions that became passes because a program failed.
static PASSES: AtomicU64 = AtomicU64::new(0);

/// The programs at a table; usually none.
pub struct Programs {
    /// Seats with the same program share a process.
    programs: Vec<Seated>,
    /// Index of the program of each seat.
    of_seat: Vec<Option<usize>>,
    /// Numbers of the features visible under these rules.
    visible: Vec<usize>,
    /// The first error.
    failure: OnceLock<String>,
}

struct Seated {
    program: Program,
    /// The key of its processes.
    key: String,
    /// Whether a process of it has given its first answer, and whether one has failed to.
    has_started: AtomicBool,
    is_lost: AtomicBool,
}

pub struct Question {
    lane: usize,
    game: u64,
    /// The number of the decision in its game, from 0.
    decision: u64,
    seat: usize,
    options: usize,
    /// All features: for each option, or once if the answer is yes or no.
    features: Vec<Vec<f32>>,
}

/// The processes of a thread, by program; started on demand.
pub struct Crew<'a> {
    table: &'a Programs,
    processes: Vec<Option<Process>>,
}

/// What unwinds a game that does not count.
struct Broken;

/// An answer to questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: u64,
    answers: Vec<Value>,
}

/// The answer to the first line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wishes {
    features: Option<Vec<String>>,
}

impl Programs {
    /// Fails if another seat thinks: playouts cannot continue a program.
    pub fn new(rules: &dyn Rules, seats: &[Seat], seating: Seating) -> Result<Self, SeatingError> {
        let mut programs: Vec<Seated> = Vec::new();
        let mut of_seat = Vec::new();
        let mut visible = Vec::new();
        for seat in seats {
            let Some(program) = &seat.strategy.program else {
                of_seat.push(None);
                continue;
            };
            if seats.iter().any(|other| other.mind().is_some()) {
                seat.formula_only()?;
            }
            if visible.is_empty() {
                visible = visible_features(rules, seats, seating, &program.vocabulary);
            }
            let at = programs.iter().position(|known| known.program == *program);
            of_seat.push(Some(at.unwrap_or(programs.len())));
            if at.is_none() {
                let key = format!("{:?} {visible:?}", (&program.words, program.vocabulary));
                programs.push(Seated {
                    program: program.clone(),
                    key,
                    has_started: AtomicBool::new(false),
                    is_lost: AtomicBool::new(false),
                });
            }
        }
        Ok(Programs {
            programs,
            of_seat,
            visible,
            failure: OnceLock::new(),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// The cost of a game in games of ordinary bots: chosen so that a chunk still has games for all
    /// lanes.
    pub fn cost(&self) -> u64 {
        match self.programs[0].program.vocabulary.answer {
            Kind::Truth => 32,
            Kind::Number => 2,
        }
    }

    pub fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    fn fail(&self, why: String) {
        // Later errors may follow from the first.
        let _ = self.failure.set(why);
    }

    /// Whether games in progress do not count: a program failed, or carat is ending.
    pub fn has_failed(&self) -> bool {
        if process::is_ending() {
            self.fail("was stopped".to_string());
        }
        self.failure.get().is_some()
    }

    pub fn crew(&self) -> Crew<'_> {
        Crew {
            table: self,
            processes: self.programs.iter().map(|_| None).collect(),
        }
    }

    /// Starts a program, and reads which features it wants.
    fn start(&self, program: &Program) -> Result<Process, String> {
        let mut process = Process::start(program)?;
        let all = &program.vocabulary.features;
        let names: Vec<&str> = self.visible.iter().map(|&of| all[of].name).collect();
        let hello = serde_json::json!({
            "protocol": PROTOCOL,
            "question": program.vocabulary.question,
            "answer": match program.vocabulary.answer {
                Kind::Truth => "truth",
                Kind::Number => "option",
            },
            "features": names,
        });
        process.send(format!("{hello}\n"));
        let line = process.receive()?;
        let wishes: Wishes = serde_json::from_str(&line)
            .map_err(|error| wrong(&line, &format!("is not a valid first answer ({error})")))?;
        process.features.clone_from(&self.visible);
        if let Some(wanted) = wishes.features {
            process.features.clear();
            for name in &wanted {
                let Some(at) = names.iter().position(|known| known == name) else {
                    return Err(format!("asks for a feature `{name}`, which it cannot see"));
                };
                process.features.push(self.visible[at]);
            }
        }
        Ok(process)
    }

    /// The question of a decision, unless a bot decides or the decision no longer matters; `place`
    /// is a lane, a game and a number.
    pub fn question(
        &self,
        place: (usize, u64, u64),
        seat: usize,
        options: usize,
        stands: &Standing,
    ) -> Option<Question> {
        let program = &self.programs[self.of_seat[seat]?].program;
        if self.has_failed() {
            return None;
        }
        let seen = match program.vocabulary.answer {
            Kind::Truth => 1,
            Kind::Number => options,
        };
        Some(Question {
            lane: place.0,
            game: place.1,
            decision: place.2,
            seat,
            options,
            features: (0..seen).map(stands.features).collect(),
        })
    }

    /// Plays games as [`Table::guided`] does, many at once.
    pub fn play(&self, bots: &dyn Table, seed: u64, first: u64, record: &mut Record) {
        let games = record.games();
        let lanes = LANES.min(games);
        let record = Mutex::new(record);
        let (asks, asked) = channel();
        thread::scope(|scope| {
            let mut replies = Vec::new();
            for lane in 0..lanes {
                let (reply, replied) = channel();
                let mut guide = Lane {
                    table: self,
                    lane,
                    game: 0,
                    decision: 0,
                    passes: Vec::new(),
                    asks: asks.clone(),
                    replied,
                };
                let record = &record;
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    let mut own = Record::new(bots.layout(), 1);
                    for at in (lane..games).step_by(lanes) {
                        own.clear(1);
                        let game = first.wrapping_add(at as u64);
                        let play = || bots.guided(seed, game, &mut guide, &mut own);
                        match catch_unwind(AssertUnwindSafe(play)) {
                            Err(broken) if broken.is::<Broken>() => break,
                            Err(panic) => resume_unwind(panic),
                            Ok(()) => {}
                        }
                        for (count, passes) in bots.layout().passes().zip(&guide.passes) {
                            own.counts[count] += passes;
                        }
                        lock(record).put(at, &own);
                    }
                });
                match started {
                    Ok(_) => replies.push(reply),
                    Err(error) => self.fail(format!("cannot start threads: {error}")),
                }
            }
            drop(asks);
            self.answer_lanes(seed, &asked, &replies);
        });
    }

    /// Answers questions whenever all running lanes have asked one.
    fn answer_lanes(
        &self,
        seed: u64,
        asked: &Receiver<Option<Question>>,
        replies: &[Sender<Option<usize>>],
    ) {
        let mut crew = self.crew();
        let mut playing = replies.len();
        let mut waiting = Vec::new();
        while let Ok(question) = asked.recv() {
            match question {
                Some(question) => waiting.push(question),
                None => playing -= 1,
            }
            if waiting.len() < playing {
                continue;
            }
            waiting.sort_by_key(|question| question.lane);
            let options = crew.decide(seed, &waiting);
            for (question, option) in waiting.drain(..).zip(options) {
                // The lane is gone only after a panic, which ends the run.
                let _ = replies[question.lane].send(option);
            }
        }
    }
}

/// The features visible to programs under these rules: those that a formula may use.
fn visible_features(
    rules: &dyn Rules,
    seats: &[Seat],
    seating: Seating,
    vocabulary: &Vocabulary,
) -> Vec<usize> {
    let mut bots = seats.to_vec();
    let mut visible = Vec::new();
    for (feature, Feature { name, .. }) in vocabulary.features.iter().enumerate() {
        let text = match vocabulary.answer {
            Kind::Truth => format!("{name} > 0"),
            Kind::Number => name.to_string(),
        };
        let formula = Formula::parse(&text, &[], vocabulary).expect("a feature is a formula");
        for bot in bots.iter_mut().filter(|bot| bot.strategy.program.is_some()) {
            Arc::make_mut(&mut bot.strategy).formula = formula.clone();
        }
        let seated = rules.table(&bots, seating);
        if !matches!(seated, Err(SeatingError::Hidden { .. })) {
            visible.push(feature);
        }
    }
    visible
}

/// A game in flight that waits for answers.
struct Lane<'a> {
    table: &'a Programs,
    lane: usize,
    game: u64,
    decision: u64,
    /// By seat, passes in this game.
    passes: Vec<u64>,
    asks: Sender<Option<Question>>,
    replied: Receiver<Option<usize>>,
}

impl Guide for Lane<'_> {
    fn begin(&mut self, game: u64) {
        (self.game, self.decision) = (game, 0);
        self.passes = vec![0; self.table.of_seat.len()];
    }

    fn decide(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        if self.table.has_failed() {
            resume_unwind(Box::new(Broken));
        }
        let place = (self.lane, self.game, self.decision);
        self.decision += 1;
        let Some(question) = self.table.question(place, seat, options, stands) else {
            return chosen;
        };
        // The receiver is gone only after a panic, which ends the run.
        let _ = self.asks.send(Some(question));
        let taken = self.replied.recv().unwrap_or(Some(0));
        self.passes[seat] += u64::from(taken.is_none());
        taken.unwrap_or(0)
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let _ = self.asks.send(None);
    }
}

impl Crew<'_> {
    /// The options that programs take. If a program fails, its decisions become passes (`None`, for
    /// option 0), and the games are invalid unless passes are allowed and it could be started.
    pub fn decide(&mut self, seed: u64, questions: &[Question]) -> Vec<Option<usize>> {
        let table = self.table;
        let mut taken = vec![Some(0); questions.len()];
        for (at, seated) in table.programs.iter().enumerate() {
            let program = &seated.program;
            let own = |question: &&Question| table.of_seat[question.seat] == Some(at);
            let own: Vec<&Question> = questions.iter().filter(own).collect();
            if own.is_empty() || table.has_failed() {
                continue;
            }
            let process = self.processes[at].take();
            let process = match process.or_else(|| Process::idle(&seated.key)) {
                Some(process) => Ok(process),
                // It would fail at every decision.
                None if seated.is_lost.load(Ordering::Relaxed) => Err("did not start".to_string()),
                None => table.start(program),
            };
            (seated.has_started).fetch_or(process.is_ok(), Ordering::Relaxed);
            (seated.is_lost).fetch_or(process.is_err(), Ordering::Relaxed);
            let mut asked = String::new();
            let answered = process.and_then(|mut process| {
                process.id += 1;
                write_questions(&mut asked, seed, &process, &program.vocabulary, &own);
                process.send(asked);
                let line = process.receive()?;
                let answers = read_answers(&line, process.id, &own)?;
                self.processes[at] = Some(process);
                Ok(answers)
            });
            let mut answers = match answered {
                Ok(answers) => answers.into_iter(),
                Err(_)
                    if program.passes
                        && seated.has_started.load(Ordering::Relaxed)
                        && !process::is_ending() =>
                {
                    PASSES.fetch_add(own.len() as u64, Ordering::Relaxed);
                    Vec::new().into_iter()
                }
                Err(why) => {
                    let more = match own.len() {
                        1 => String::new(),
                        all => format!(" and {}", counted(all - 1, "more decision")),
                    };
                    let (words, first) = (program.words.join(" "), own[0].named());
                    table.fail(format!(
                        "the program `{words}` {why} (needed for {first}{more})"
                    ));
                    continue;
                }
            };
            for (taken, question) in taken.iter_mut().zip(questions) {
                if table.of_seat[question.seat] == Some(at) {
                    *taken = answers.next();
                }
            }
        }
        taken
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        for (process, seated) in self.processes.drain(..).zip(&self.table.programs) {
            if let Some(process) = process {
                process.rest(&seated.key);
            }
        }
    }
}

impl Question {
    fn named(&self) -> String {
        let (seat, decision) = (self.seat + 1, self.decision);
        format!("decision {decision} of game {} at seat {seat}", self.game)
    }
}

fn wrong(line: &str, what: &str) -> String {
    let shown: String = line.trim_end().chars().take(80).collect();
    format!("answers {shown:?}, which {what}")
}

fn write_questions(
    line: &mut String,
    seed: u64,
    process: &Process,
    vocabulary: &Vocabulary,
    questions: &[&Question],
) {
    let id = process.id;
    let _ = write!(line, r#"{{"id":{id},"seed":"{seed}","decisions":["#);
    for (at, question) in questions.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let (game, decision, seat) = (question.game, question.decision, question.seat + 1);
        let _ = write!(
            line,
            r#"{comma}{{"game":{game},"decision":{decision},"seat":{seat},"#
        );
        let is_one = vocabulary.answer == Kind::Truth;
        line.push_str(if is_one {
            r#""features":"#
        } else {
            r#""options":["#
        });
        for (option, features) in question.features.iter().enumerate() {
            line.push_str(if option == 0 { "{" } else { ",{" });
            for (place, &feature) in process.features.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                let name = vocabulary.features[feature].name;
                let _ = write!(line, r#"{comma}"{name}":{}"#, features[feature]);
            }
            line.push('}');
        }
        line.push_str(if is_one { "}" } else { "]}" });
    }
    line.push_str("]}\n");
}

/// Parses the options of an answer.
fn read_answers(line: &str, id: u64, questions: &[&Question]) -> Result<Vec<usize>, String> {
    let answer: Answer = serde_json::from_str(line)
        .map_err(|error| wrong(line, &format!("is not a valid line of answers ({error})")))?;
    if answer.id != id {
        return Err(wrong(line, &format!("does not answer line {id}")));
    }
    let (given, wanted) = (answer.answers.len(), questions.len());
    if given != wanted {
        return Err(format!("gives {given} answers to {wanted} questions"));
    }
    let mut taken = Vec::with_capacity(wanted);
    for (value, question) in answer.answers.iter().zip(questions) {
        let option = match value {
            Value::Bool(yes) if question.features.len() == 1 => Some(u64::from(*yes)),
            other => other.as_u64(),
        };
        let option = option.filter(|&option| option < question.options as u64);
        taken.push(option.ok_or_else(|| {
            let (decision, last) = (question.named(), question.options - 1);
            format!("answers {value} to {decision}, which takes 0 to {last}")
        })? as usize);
    }
    Ok(taken)
}

/// Ends all programs. Returns the number of decisions they failed to take.
pub fn end_programs() -> u64 {
    process::end_all();
    PASSES.load(Ordering::Relaxed)
}
