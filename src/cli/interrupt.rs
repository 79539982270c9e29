//! Ctrl-C: the first ends a run with what is complete, one that follows ends it at once.

use super::terminal::note;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Signals that arrive together, as `timeout` sends them, count as one.
const TOGETHER: Duration = Duration::from_secs(1);

/// From now on the first Ctrl-C sets [`STOP`]. One that follows after a moment ends the process, and
/// `staging`, in which results were being prepared, goes with it.
pub fn catch_ctrl_c(staging: PathBuf) {
    let first = OnceLock::new();
    let handler = move || {
        let pressed = first.get_or_init(Instant::now);
        let again = STOP.swap(true, Ordering::Relaxed);
        if pressed.elapsed() > TOGETHER {
            let _ = std::fs::remove_dir_all(&staging);
            note("interrupted again; nothing was written");
            std::process::exit(1);
        }
        if !again {
            note("interrupted: keeping what is complete");
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        note(&format!(
            "warning: Ctrl-C will lose what was played: {error}"
        ));
    }
}
