//! The message of a panic, with everything that a bug report needs.

use super::terminal::note;
use carat_core::thinking::end_programs;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first panic: panics that follow from it print nothing.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// What libraries say that panic if they cannot have threads or memory, and what that means.
const LACKS: [(&str, &str); 4] = [
    ("spawn", "cannot start threads"),
    ("WouldBlock", "cannot start threads"),
    ("OutOfMemory", "out of memory"),
    ("MemError", "out of memory"),
];

/// Makes a panic print a request for a bug report. The process then ends with exit code 101, or 1
/// if this machine has no more threads or memory.
pub fn ask_for_reports() {
    std::panic::set_hook(Box::new(|info| {
        if IS_REPORTED.swap(true, Ordering::Relaxed) {
            return;
        }
        let what = info.payload_as_str().unwrap_or_default();
        if let Some((_, lack)) = LACKS.iter().find(|(said, _)| what.contains(said)) {
            note(&format!("error: {lack}: {what}"));
            end_programs();
            std::process::exit(1);
        }
        note(&report(info));
    }));
}

fn report(info: &PanicHookInfo) -> String {
    let what = info.payload_as_str().unwrap_or("a panic without a message");
    let place = info.location().map(ToString::to_string);
    let args = std::env::args_os().map(|arg| format!("{arg:?}"));
    format!(
        "error: this is a bug in carat; please report it with these lines:\n\
         message: {what}\n\
         where: {}\n\
         version: carat {} on {} {}\n\
         command line: {}",
        place.unwrap_or_default(),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        args.collect::<Vec<_>>().join(" ")
    )
}
