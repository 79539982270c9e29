//! What a browser runs in a worker: a line of JSON in, lines of JSON out, as from `carat engine`.
//! The script around it (`assets/page/worker.js`) writes a question into the buffer, and takes what
//! is said.

use carat_core::library::Library;
use carat_core::long_bots;
use carat_core::simulation::{Threads, lock};
use carat_studies::desk::{Desk, OF_PAGE, Shared};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static DESK: LazyLock<Mutex<Desk>> = LazyLock::new(|| {
    let shared = Shared::new(Threads::here(), OF_PAGE);
    Mutex::new(Desk::new(Library::included(), Arc::new(shared)))
});

#[link(wasm_import_module = "carat")]
unsafe extern "C" {
    /// Takes a line of an answer: a text of so many bytes in UTF-8.
    safe fn say(text: *const u8, bytes: usize);
}

fn say_line(line: &str) {
    say(line.as_ptr(), line.len());
}

/// Where the next question, of so many bytes, is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut buffer = lock(&BUFFER);
    buffer.clear();
    buffer.resize(bytes, 0);
    buffer.as_mut_ptr()
}

/// Takes the bot in the buffer: the name of its file, a line break and its text.
#[unsafe(no_mangle)]
pub extern "C" fn bring() {
    let bot = String::from_utf8_lossy(&lock(&BUFFER)).into_owned();
    if let Some((file, text)) = bot.split_once('\n') {
        long_bots::bring(file, text);
    }
}

/// Answers the question in the buffer; with the file of a bot, if it lacks one.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = String::from_utf8_lossy(&lock(&BUFFER)).into_owned();
    let never = AtomicBool::new(false);
    lock(&DESK).answer_line(&question, &never, &mut |line| {
        if long_bots::lacking().is_none() {
            say_line(&line);
        }
    });
    if let Some(file) = long_bots::lacking() {
        say_line(&format!(r#"{{"fetch":"{file}"}}"#));
    }
}
