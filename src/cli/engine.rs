//! `carat engine`: answers questions about positions and tables, a line of JSON each, for pages,
//! chats and notebooks. `help/engine.txt` describes every field.

use super::args::parse_threads;
use super::error::CliError;
use super::terminal::{next_line, print};
use carat_core::library::Library;
use carat_core::simulation::Threads;
use carat_studies::desk::{Desk, Limits, Shared};
use serde_json::json;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
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

/// Questions in the queue before reading pauses.
const QUEUE: usize = 10_000;
/// What a program of this machine may ask for.
const LIMITS: Limits = Limits {
    playouts: 100_000_000,
    games: 1_000_000_000_000,
    work: u64::MAX,
};

pub fn run(args: &Args) -> Result<(), CliError> {
    let threads = Threads::start(usize::from(args.threads))?;
    let shared = Arc::new(Shared::new(threads, LIMITS));
    let (lines, queue) = std::sync::mpsc::sync_channel(QUEUE);
    let queue = Mutex::new(queue);
    let here = args.allow_files.then(Library::here);
    let library = here.unwrap_or_else(Library::included);
    let (ends, ended) = channel();
    thread::scope(|scope| {
        for _ in 0..shared.threads.number() {
            let (queue, ends) = (&queue, ends.clone());
            let desk = Desk::new(library.clone(), Arc::clone(&shared));
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                if let Err(error) = answer_lines(queue, desk) {
                    let _ = ends.send(error);
                }
            });
            worker.map_err(CliError::Stdout)?;
        }
        drop(ends);
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
            if !line.trim().is_empty() && lines.send(line).is_err() {
                break;
            }
        }
        drop(lines);
        ended.recv().map_or(Ok(()), Err)
    })
}

fn answer_lines(queue: &Mutex<Receiver<String>>, mut desk: Desk) -> Result<(), CliError> {
    loop {
        let line = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(line) = line else {
            return Ok(());
        };
        let mut written = Ok(());
        desk.answer_line(&line, &AtomicBool::new(false), &mut |answer| {
            let mut out = std::io::stdout().lock();
            let line = writeln!(out, "{answer}").and_then(|()| out.flush());
            if written.is_ok() {
                written = line;
            }
        });
        written?;
    }
}
