//! `--dry-run`: what a study would play, how long it would take, and where its results would go.

use super::args::PlayArgs;
use super::deliver::Wanted;
use super::error::CliError;
use super::terminal::print;
use crate::numbers::{count, games};
use crate::simulation::{Going, Listener, Nobody, Player, Threads};
use crate::study::Ready;
use indicatif::HumanDuration;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games are played for so long to tell how long all will take; they are not kept.
const TRIED: Duration = Duration::from_secs(2);

/// The most games that a study said it will play.
struct Most<'a> {
    played: &'a AtomicU64,
    games: u64,
}

impl Listener for Most<'_> {
    fn remaining(&mut self, games: u64, _going: Option<Going>, _known: &str) {
        self.games = (self.games).max(self.played.load(Ordering::Relaxed).saturating_add(games));
    }
}

/// Tells of a study whose results would go to `folder`.
pub fn dry_run(resolved: Ready, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let (kind, title) = (resolved.study.kind(), resolved.game.title);
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut most = Most {
        played: &played,
        games: 0,
    };
    let threads = Threads::start(usize::from(args.output.threads))?;
    let level = args.output.simd.level()?;
    let start = Instant::now();
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            std::thread::park_timeout(TRIED);
            stop.store(true, Ordering::Relaxed);
        });
        let tried = resolved.play(&mut Player {
            threads: &threads,
            level,
            stop: &stop,
            played: &played,
            listener: &mut most,
            finished: &mut Nobody,
            sharing: None,
            each: None,
        });
        watch.thread().unpark();
        tried.map(drop)
    })?;
    let (spent, done) = (start.elapsed(), played.load(Ordering::Relaxed));
    let all = most.games.max(done);
    let time = spent.as_secs_f64() * all as f64 / done.max(1) as f64;
    let time = Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX);
    let time = match done {
        0 => "how long that takes cannot be told yet".to_string(),
        _ if done == all => "that takes less than two seconds".to_string(),
        _ => format!("that takes about {}", HumanDuration(time)),
    };
    let files = Wanted::asked(&args.output).described();
    let target = match args.output.only_prints() {
        true => "printed as JSON".to_string(),
        false => format!("{files} in {}", args.output.target(folder)?.display()),
    };
    print(&format!(
        "{kind} of {title}: {} with all tables together, of which {} were tried; {time}\n\
         the results would be {target}\n",
        games(all),
        count(done)
    ))
}
