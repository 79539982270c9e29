//! `--dry-run`: what a study would play, how long it would take, and where its results would go.

use super::args::PlayArgs;
use super::deliver::Wanted;
use super::error::CliError;
use super::shard::of_shards;
use super::terminal::{answer, print};
use crate::results::{self, JOURNAL, Journal};
use crate::study::{Ready, Study};
use carat_core::diagnostic::counted;
use carat_core::numbers::games;
use carat_core::simulation::{FinishedParts, Going, Listener, Player, Sums, Threads};
use indicatif::HumanDuration;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time for the sample of games that the estimate is based on.
const TRIED: Duration = Duration::from_secs(2);

/// The most games that a study announced, and those of saved progress.
struct Most<'a> {
    played: &'a AtomicU64,
    games: u64,
    before: u64,
}

impl Listener for Most<'_> {
    fn remaining(&mut self, games: u64, _going: Option<Going>, _known: &str) {
        let done = self.played.load(Ordering::Relaxed) + self.before;
        self.games = self.games.max(done.saturating_add(games));
    }

    fn recalled(&mut self, games: u64) {
        self.before += games;
    }
}

/// Saved progress, opened to read only.
struct Before(Option<Journal>);

impl FinishedParts for Before {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.0.as_mut()?.recall(part)
    }

    fn recall_state(&mut self, of: &str) -> Option<Vec<u8>> {
        self.0.as_mut()?.recall_state(of)
    }
}

pub fn dry_run(resolved: Ready, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let (kind, game) = (resolved.study.kind(), resolved.game);
    let populations = resolved.plan.len();
    let minutes = match &resolved.study {
        Study::Solve(solve) => solve.minutes,
        _ => None,
    };
    let level = args.output.simd.level()?;
    let folder = match args.shard {
        Some(_) => of_shards(folder),
        None => folder,
    };
    let only_prints = args.output.only_prints() && args.shard.is_none();
    let target = args.output.target(folder)?;
    // Refused wherever the run itself would be.
    let unfinished = !only_prints && target.join(JOURNAL).is_file();
    let mut before = Before(None);
    if unfinished && args.shard.is_none() && !args.restart {
        let manifest = results::manifest(&resolved);
        let journal = Journal::open(&target, JOURNAL, &manifest, args.before())?;
        before.0 = Some(journal).filter(|_| args.raw.is_none());
    }
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut most = Most {
        played: &played,
        games: 0,
        before: 0,
    };
    let threads = Threads::start(usize::from(args.output.threads))?;
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
            finished: &mut before,
            sharing: None,
            each: None,
        });
        watch.thread().unpark();
        tried.map(drop)
    })?;
    let (spent, tried) = (start.elapsed(), played.load(Ordering::Relaxed));
    let mut all = most.games.max(most.before + tried);
    if let Some(minutes) = minutes {
        all = most.before + (tried as f64 / spent.as_secs_f64() * minutes * 60.0) as u64;
    }
    let left = (all - most.before).div_ceil(args.shard.map_or(1, |shard| shard.of));
    let seconds = spent.as_secs_f64() * left as f64 / tried.max(1) as f64;
    if args.output.json {
        let folder = target.display().to_string();
        return print(&answer(
            "dry_run",
            json!({
                "study": kind,
                "game": game.name,
                "games": all,
                "games_left": left,
                "populations": populations,
                "seconds": (tried > 0 || left == 0).then_some(seconds),
                "folder": (!only_prints).then_some(folder),
            }),
        )?);
    }
    if args.output.quiet {
        return Ok(());
    }
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let time = match tried {
        0 if left > 0 => "the time is not known yet".to_string(),
        _ if seconds < TRIED.as_secs_f64() => "estimated time: less than two seconds".to_string(),
        _ => format!("estimated time: about {}", HumanDuration(time)),
    };
    let adapting = match populations {
        0 => String::new(),
        _ => format!(", after adapting {}", counted(populations, "population")),
    };
    let part = match (args.shard, most.before) {
        (Some(shard), _) => format!(", about {} of them in shard {shard}", games(left)),
        (None, 0) => String::new(),
        (None, _) => format!(", {} of them unfinished", games(left)),
    };
    let target = target.display();
    let files = match args.shard {
        Some(_) => format!("a shard in {target}"),
        None => format!("{} in {target}", Wanted::asked(&args.output).described()),
    };
    print(&format!(
        "{kind} of {}: {} at all tables together{part}; {time}{adapting}\n\
         results: {files}\n",
        game.title,
        games(all),
    ))
}
