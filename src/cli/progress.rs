//! Progress on standard error: games, speed, time left, and how sure the estimate is by now.

use super::note;
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Runs longer than this are announced.
const LONG: Duration = Duration::from_secs(60);
/// How long a run is watched before its end is guessed.
const WATCHED: Duration = Duration::from_secs(1);

/// A progress bar over a number of games; hidden when quiet or not on a terminal.
pub struct Progress {
    bar: ProgressBar,
    games: u64,
    start: Instant,
    quiet: bool,
    announced: bool,
}

impl Progress {
    /// A bar for `games` games.
    pub fn new(games: u64, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(games), target);
        let style = "{bar:30} {human_pos} of {human_len} games, {speed}, {eta} left{msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.with_key(
                "speed",
                |state: &ProgressState, text: &mut dyn Write| {
                    let _ = write!(text, "{} games/s", HumanCount(state.per_sec() as u64));
                },
            ));
        }
        Progress {
            bar,
            games,
            start: Instant::now(),
            quiet,
            announced: false,
        }
    }

    /// Runs `work`, which counts games in `played`, while the bar follows.
    pub fn follow<T>(&mut self, played: &AtomicU64, work: impl FnOnce(&mut Progress) -> T) -> T {
        let done = AtomicBool::new(false);
        let bar = self.bar.clone();
        std::thread::scope(|scope| {
            let follower = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    bar.set_position(played.load(Ordering::Relaxed));
                    std::thread::park_timeout(Duration::from_millis(80));
                }
            });
            let result = work(self);
            done.store(true, Ordering::Relaxed);
            follower.thread().unpark();
            self.bar.finish_and_clear();
            result
        })
    }

    /// Shows how sure `widest`, the half-width of an interval, is, if there is one; announces a long run once.
    pub fn checkpoint(&mut self, played: u64, widest: Option<f64>) {
        if let Some(widest) = widest {
            self.bar
                .set_message(format!(", win shares within ±{:.2} %", widest * 100.0));
        }
        let elapsed = self.start.elapsed();
        if self.quiet || self.announced || elapsed < WATCHED {
            return;
        }
        self.announced = true;
        let left = elapsed.as_secs_f64() * (self.games - played) as f64 / played as f64;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        if left > LONG {
            self.bar.suspend(|| {
                note(&format!(
                    "this will take about {}; Ctrl-C ends early and keeps what is complete",
                    HumanDuration(left)
                ));
            });
        }
    }
}
