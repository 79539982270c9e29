//! Ctrl-C: the first ends a run and keeps finished games, the second ends the process at once.

use super::terminal::note;
use crate::files::Prepared;
use carat_core::limit::limit;
use carat_core::thinking::{end_programs, kill_programs};
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// The signal that set [`STOP`]; Ctrl-C until one arrives.
static SIGNAL: AtomicU8 = AtomicU8::new(2);

/// Prepared results, to remove if the process ends at once.
static PREPARED: OnceLock<Prepared> = OnceLock::new();

/// Signals that arrive together, as `timeout` sends them, count as one.
const TOGETHER: Duration = Duration::from_secs(1);

/// From now on the first Ctrl-C sets [`STOP`]. The second ends the process, unless results are
/// being moved into place, which is quick and always completes.
pub fn catch_ctrl_c() {
    let first = OnceLock::new();
    let handler = move || {
        let pressed = first.get_or_init(Instant::now);
        let again = STOP.swap(true, Ordering::Relaxed);
        if pressed.elapsed() > limit(TOGETHER) && PREPARED.get().is_none_or(Prepared::abandon) {
            note("interrupted again; no results were written");
            end_programs();
            std::process::exit(i32::from(exit_code()));
        }
        if !again {
            note("interrupted: stopping after the games under way");
            // Programs have a moment to answer what they were asked.
            std::thread::sleep(Duration::from_millis(300));
            kill_programs();
        }
    };
    if let Err(error) = on_signal(handler) {
        note(&format!(
            "warning: Ctrl-C cannot be caught, and will lose finished games: {error}"
        ));
    }
}

/// From now on Ctrl-C or a closed terminal ends the process with this message; nothing is unsaved.
pub fn end_with(words: String) {
    let handler = move || {
        note(&format!("\n{words}"));
        std::process::exit(i32::from(exit_code()));
    };
    // Without a handler the process ends without the message.
    let _ = on_signal(handler);
}

/// Makes writes beyond the limit on the size of files fail, in place of the process, and ends it
/// with exit code 1 after the message that memory is exhausted.
pub fn outlive_limits() {
    #[cfg(unix)]
    {
        use signal_hook::{consts, flag};
        let [never, always] = [false, true].map(|of| std::sync::Arc::new(AtomicBool::new(of)));
        // Without the handlers, these limits end the process by a signal.
        let _ = flag::register(consts::SIGXFSZ, never);
        let _ = flag::register_conditional_shutdown(consts::SIGABRT, 1, always);
    }
}

/// The exit code of a run that a signal ended, by the convention of shells: 130 after Ctrl-C.
pub fn exit_code() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

/// Sets the prepared results that a second Ctrl-C removes.
pub fn abandon_with(prepared: Prepared) {
    let _ = PREPARED.set(prepared);
}

/// Calls `handler` in a separate thread for each signal that asks the process to end.
#[cfg(unix)]
fn on_signal(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    // Schedulers send SIGUSR1 before the end of a job.
    let mut caught = vec![SIGINT, SIGTERM, SIGUSR1];
    // A process under `nohup` continues when the terminal closes.
    if !is_ignored(SIGHUP) {
        caught.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    let thread = std::thread::Builder::new().name("signals".to_string());
    thread.spawn(move || {
        for signal in signals.forever() {
            SIGNAL.store(u8::try_from(signal).unwrap_or(2), Ordering::Relaxed);
            handler();
        }
    })?;
    Ok(())
}

/// Whether this process ignores a signal from its start; a guess by the terminal on other systems.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use std::io::IsTerminal;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        None => !io::stderr().is_terminal(),
    }
}

#[cfg(not(unix))]
fn on_signal(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}
