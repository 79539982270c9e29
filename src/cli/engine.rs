//! `carat engine`: answers questions about positions and tables, a line of JSON each, for pages,
//! chats and notebooks. `help/engine.txt` describes every field.

use super::args::parse_threads;
use super::error::CliError;
use super::terminal::{next_line, print};
use carat_core::library::Library;
use carat_core::simulation::{Threads, lock};
use carat_studies::desk::{Desk, Head, Limits, Shared, Work};
use serde_json::json;
use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Answer questions about positions and tables, as lines of JSON
///
/// Each line of standard input is a question with an `id`, which its answer repeats. Answers come
/// in any order. At the end of the input, carat answers the remaining questions and exits. `carat
/// help engine` describes all fields.
#[derive(clap::Args)]
pub struct Args {
    /// Number of threads, up to 256; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = parse_threads)]
    threads: u16,
    /// Let questions name files and programs of this machine
    #[arg(long)]
    allow_files: bool,
}

/// Questions that wait before reading pauses.
const QUEUE: usize = 10_000;
/// What a program of this machine may ask for.
const LIMITS: Limits = Limits {
    playouts: 100_000_000,
    games: 1_000_000_000_000,
    work: u64::MAX,
};
/// Quick questions, and studies, of a client that are answered at once. Studies take turns.
const QUICK: usize = 4;
const STUDIES: usize = 16;

/// A question that is not yet answered.
struct Open {
    line: String,
    head: Head,
    stop: Arc<AtomicBool>,
}

/// The questions of one client that take about as long: how many are being answered, and the others
/// in order.
#[derive(Default)]
struct Lane {
    busy: usize,
    waiting: VecDeque<Open>,
}

#[derive(Default)]
struct Office {
    lanes: Mutex<HashMap<(String, Work), Lane>>,
    /// The open questions by their `id` as it was written, until each is answered.
    open: Mutex<Vec<(String, Arc<AtomicBool>)>>,
    /// Free desks, with the tables that they know.
    desks: Mutex<Vec<Desk>>,
    answered: Condvar,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let threads = Threads::start(usize::from(args.threads))?;
    let shared = Arc::new(Shared::new(threads, LIMITS));
    let here = args.allow_files.then(Library::here);
    let library = here.unwrap_or_else(Library::included);
    let new_desk = || Desk::new(library.clone(), Arc::clone(&shared));
    let office = Office::default();
    let (ends, ended) = channel();
    thread::scope(|scope| {
        loop {
            let line = match next_line() {
                Err(error @ CliError::LongLine) => {
                    print(&format!("{}\n", json!({ "error": error.to_string() })))?;
                    continue;
                }
                line => line?,
            };
            let Some(line) = line else { break };
            if let Ok(error) = ended.try_recv() {
                return Err(error);
            }
            if line.trim().is_empty() {
                continue;
            }
            let head = Head::of(&line);
            if let Some(id) = &head.cancels {
                let of = |open: &&(String, _)| open.0 == *id;
                let found = lock(&office.open).iter().find(of).cloned();
                let is_open = found.is_some_and(|(_, stop)| !stop.swap(true, Ordering::Relaxed));
                say(&format!("{{\"id\":{},\"cancelled\":{is_open}}}", head.id))?;
                continue;
            }
            let at_once = match head.work {
                Work::Quick => QUICK,
                Work::Advice => shared.threads.number(),
                Work::Study => STUDIES,
            };
            let stop = Arc::<AtomicBool>::default();
            lock(&office.open).push((head.id.clone(), Arc::clone(&stop)));
            let key = (head.client.clone(), head.work);
            let mut lanes = lock(&office.lanes);
            while lanes.values().map(|lane| lane.waiting.len()).sum::<usize>() >= QUEUE {
                let woken = office.answered.wait(lanes);
                lanes = woken.unwrap_or_else(PoisonError::into_inner);
            }
            let lane = lanes.entry(key.clone()).or_default();
            lane.waiting.push_back(Open { line, head, stop });
            if lane.busy == at_once {
                continue;
            }
            lane.busy += 1;
            let (office, ends, new_desk) = (&office, ends.clone(), &new_desk);
            let worker = move || answer_lane(office, &key, new_desk, &ends);
            let started = thread::Builder::new().spawn_scoped(scope, worker);
            started.map_err(CliError::Stdout)?;
        }
        drop(ends);
        ended.recv().map_or(Ok(()), Err)
    })
}

/// Answers the questions of a lane until none waits there.
fn answer_lane(
    office: &Office,
    key: &(String, Work),
    new_desk: &dyn Fn() -> Desk,
    ends: &Sender<CliError>,
) {
    let mut desk = lock(&office.desks).pop().unwrap_or_else(new_desk);
    loop {
        let mut lanes = lock(&office.lanes);
        let lane = lanes.entry(key.clone()).or_default();
        let Some(open) = lane.waiting.pop_front() else {
            lane.busy -= 1;
            if lane.busy == 0 {
                lanes.remove(key);
            }
            break;
        };
        drop(lanes);
        office.answered.notify_one();
        if let Err(error) = answer(&mut desk, &open) {
            let _ = ends.send(error);
        }
        lock(&office.open).retain(|(_, stop)| !Arc::ptr_eq(stop, &open.stop));
    }
    lock(&office.desks).push(desk);
}

/// Answers a question, until its time is over.
fn answer(desk: &mut Desk, open: &Open) -> Result<(), CliError> {
    let mut written = Ok(());
    thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        if let Some(time) = open.head.time {
            scope.spawn(move || {
                if is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    open.stop.store(true, Ordering::Relaxed);
                }
            });
        }
        desk.answer_line(&open.line, &open.stop, &mut |answer| {
            if written.is_ok() {
                written = say(&answer);
            }
        });
        drop(done);
    });
    written
}

fn say(answer: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{answer}").and_then(|()| out.flush())?;
    Ok(())
}
