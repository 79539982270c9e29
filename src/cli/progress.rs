//! Progress on standard error: games, speed, time left, and the current margin of error.

use super::terminal::note;
use carat_core::limit::limit;
use carat_core::numbers::count_short;
use carat_core::simulation::{Going, Listener, Precision};
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Runs longer than this print an estimate at their start.
const LONG: Duration = Duration::from_secs(60);
/// Without a terminal, progress is a line in the log: the first after this time, …
const FIRST_LINE: Duration = Duration::from_secs(10);
/// … and the others at this interval.
const NEXT_LINE: Duration = Duration::from_secs(60);
/// Time before the first estimate of the end of a run.
const WATCHED: Duration = Duration::from_secs(1);

/// A progress bar over the games of a study; hidden when quiet or not on a terminal.
pub struct Progress<'a> {
    bar: ProgressBar,
    quiet: bool,
    announced: bool,
    /// The games of the whole study, if known at its start.
    planned: u64,
    /// Games of this run.
    played: &'a AtomicU64,
    /// Games of saved progress.
    before: Arc<AtomicU64>,
    /// The time of the first progress, and the games finished by then.
    first: Option<(Instant, u64)>,
}

impl<'a> Progress<'a> {
    /// A bar that shows the counters of `played`.
    pub fn new(quiet: bool, played: &'a AtomicU64) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        // The words stay within 80 columns; the bar takes the rest.
        let before = Arc::new(AtomicU64::new(0));
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {words}{msg}") {
            let known = before.clone();
            let words = move |state: &ProgressState, text: &mut dyn Write| {
                let (done, all) = (state.pos(), state.len().unwrap_or(0));
                let here = done.saturating_sub(known.load(Ordering::Relaxed));
                let speed = here as f64 / state.elapsed().as_secs_f64().max(0.001);
                let [done_short, all_short, speed] = [done, all, speed as u64].map(count_short);
                let _ = write!(text, "{done_short} of {all_short} games, {speed}/s, ");
                let left = HumanDuration(time_left(done, all, here, state.elapsed()));
                let _ = match here {
                    0 => write!(text, "? left"),
                    _ => write!(text, "{left:#} left"),
                };
            };
            bar.set_style(style.with_key("words", words));
        }
        Progress {
            bar,
            quiet,
            announced: false,
            planned: 0,
            played,
            before,
            first: None,
        }
    }

    /// Runs `work`, and updates the bar from the games that it counts.
    pub fn follow<T>(&mut self, work: impl FnOnce(&mut Progress) -> T) -> T {
        let done = AtomicBool::new(false);
        let bar = self.bar.clone();
        let (played, before) = (self.played, self.before.clone());
        let lines = bar.is_hidden() && !self.quiet;
        std::thread::scope(|scope| {
            let follower = scope.spawn(|| {
                let (mut next_line, mut shown) = (FIRST_LINE, 0.0);
                while !done.load(Ordering::Relaxed) {
                    // The first line of the log has the number of games.
                    let here = played.load(Ordering::Relaxed);
                    if bar.length() != Some(0) {
                        bar.set_position(here + before.load(Ordering::Relaxed));
                    }
                    if lines && bar.elapsed() >= next_line {
                        note(&line(&bar, here, bar.elapsed(), &mut shown));
                        next_line += NEXT_LINE;
                    }
                    std::thread::park_timeout(Duration::from_millis(80));
                }
            });
            let _end = End {
                done: &done,
                follower: follower.thread(),
                bar: &bar,
            };
            work(self)
        })
    }

    /// Prints the estimated time of a long run, once.
    fn announce(&mut self) {
        let played = self.played.load(Ordering::Relaxed);
        if self.quiet || self.announced || played == 0 {
            return;
        }
        // The speed ignores the set-up before the first games.
        let (start, first) = *self.first.get_or_insert((Instant::now(), played));
        if start.elapsed() < limit(WATCHED) || played == first {
            return;
        }
        self.announced = true;
        let (done, all) = (self.done(), self.bar.length().unwrap_or(0));
        let left = time_left(done, all, played - first, start.elapsed());
        if left > LONG {
            self.bar.suspend(|| {
                note(&format!(
                    "this will take about {}; Ctrl-C stops early; with an output folder, the games so far are kept",
                    HumanDuration(left)
                ));
            });
        }
    }

    /// Finished games, of this run and of saved progress.
    fn done(&self) -> u64 {
        self.played.load(Ordering::Relaxed) + self.before.load(Ordering::Relaxed)
    }
}

/// The estimated time for the rest of `all` games, at the speed of those played `here`.
fn time_left(done: u64, all: u64, here: u64, elapsed: Duration) -> Duration {
    let left = elapsed.as_secs_f64() * all.saturating_sub(done) as f64 / here.max(1) as f64;
    Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX)
}

/// A line of the log. Its percentage never falls below `shown`, though the number of games may
/// rise.
fn line(bar: &ProgressBar, here: u64, elapsed: Duration, shown: &mut f64) -> String {
    let played = bar.position();
    let games = bar.length().unwrap_or(0).max(played);
    *shown = (100.0 * played as f64 / games.max(1) as f64).max(*shown);
    format!(
        "{shown:.0} %: {} of {} games, about {} left{}",
        HumanCount(played),
        HumanCount(games),
        HumanDuration(time_left(played, games, here, elapsed)),
        bar.message()
    )
}

/// Stops the thread of the bar when the work ends, also by a panic.
struct End<'a> {
    done: &'a AtomicBool,
    follower: &'a Thread,
    bar: &'a ProgressBar,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.follower.unpark();
        self.bar.finish_and_clear();
    }
}

impl Listener for Progress<'_> {
    fn planned(&mut self, games: u64) {
        self.planned = self.planned.max(games);
    }

    fn remaining(&mut self, games: u64, going: Option<Going>, known: &str) {
        let games = self.done().saturating_add(games);
        self.bar.set_length(games.max(self.planned));
        if !known.is_empty() {
            self.bar.set_message(format!(", {known}"));
        } else if let Some(Going { on, of, called }) = going.filter(|going| going.of > 1) {
            self.bar.set_message(if on == of {
                format!(", {of} {called}")
            } else {
                format!(", {on} of {of} {called} left")
            });
        }
    }

    fn recalled(&mut self, games: u64) {
        self.before.fetch_add(games, Ordering::Relaxed);
    }

    fn checkpoint(&mut self, precision: Option<Precision>) {
        if let Some(precision) = precision {
            self.bar.set_message(precision_text(&precision));
        }
        self.announce();
    }
}

/// The margin of error of the study's metric.
fn precision_text(precision: &Precision) -> String {
    let metric = precision.metric.replace('_', " ");
    if precision.proportion {
        format!(", {metric} within ±{:.2} %", precision.half_width * 100.0)
    } else {
        format!(", {metric} within ±{:.3}", precision.half_width)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/carat/cli/progress.rs"]
mod tests;
