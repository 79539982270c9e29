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
    start: Instant,
    quiet: bool,
    announced: bool,
    /// What becomes of a run that Ctrl-C ends.
    ended: &'static str,
}

impl Progress {
    /// A bar for `games` games; `ended` says what becomes of a run that Ctrl-C ends.
    pub fn new(games: u64, quiet: bool, ended: &'static str) -> Self {
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
            start: Instant::now(),
            quiet,
            announced: false,
            ended,
        }
    }

    /// Shows how far a study of several cells is.
    pub fn cells(&self, (going, all): (usize, usize), games_left: u64) {
        let left = match going == all {
            true => format!(", {all} cells"),
            false => format!(", {going} of {all} cells go on"),
        };
        self.bar.set_message(left);
        self.bar.set_length(self.bar.position() + games_left);
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

    /// Shows how sure the estimate is, if there is a text that says so; announces a long run once.
    pub fn checkpoint(&mut self, played: u64, sure: Option<String>) {
        if let Some(sure) = sure {
            self.bar.set_message(sure);
        }
        let elapsed = self.start.elapsed();
        if self.quiet || self.announced || elapsed < WATCHED {
            return;
        }
        self.announced = true;
        let games = self.bar.length().unwrap_or(played).max(played);
        let left = elapsed.as_secs_f64() * (games - played) as f64 / played.max(1) as f64;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        if left > LONG {
            self.bar.suspend(|| {
                note(&format!(
                    "this will take about {}; Ctrl-C ends early, and {}",
                    HumanDuration(left),
                    self.ended
                ));
            });
        }
    }
}
