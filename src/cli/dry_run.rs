//! `--dry-run`: what a study would play, how long it would take, and where its results would go.

use super::args::{PlayArgs, Raw};
use super::deliver::Wanted;
use super::error::CliError;
use super::machine::only_table;
use super::shard::of_shards;
use super::terminal::{answer, print};
use crate::files::{GAMES, JOURNAL, Journal, RawGames, scratch};
use carat_core::diagnostic::counted;
use carat_core::library::Library;
use carat_core::limit::limit;
use carat_core::numbers::games;
use carat_core::simulation::{FinishedParts, Going, Listener, Player, Sums, Threads};
use carat_studies::report::{self};
use carat_studies::study::{Adapt, Ready, Study};
use indicatif::{HumanBytes, HumanDuration};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time for the sample of games that the estimate is based on.
const TRIED: Duration = Duration::from_secs(2);

/// What a sample of a study's games showed.
#[derive(Default)]
struct Sample {
    played: Arc<AtomicU64>,
    /// The most games that were planned, all that were announced last, and those of saved progress.
    planned: u64,
    games: u64,
    before: u64,
    /// Whether results may end the study before that.
    at_most: bool,
    /// Of a game; not known without one.
    seconds: Option<f64>,
    /// Of the rows of a game, where they are written.
    bytes: Option<f64>,
}

impl Sample {
    fn done(&self) -> u64 {
        self.played.load(Ordering::Relaxed) + self.before
    }
}

impl Listener for Sample {
    fn planned(&mut self, games: u64) {
        self.planned = self.planned.max(games);
    }

    fn remaining(&mut self, games: u64, _going: Option<Going>, _known: &str) {
        let games = self.done().saturating_add(games);
        self.at_most = self.planned > games;
        self.games = self.planned.max(games);
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

/// Plays a study for a short time.
fn sample(
    resolved: Ready,
    mut before: Before,
    raw: Option<Raw>,
    args: &PlayArgs,
) -> Result<Sample, CliError> {
    let minutes = match &resolved.study {
        Study::Solve(solve) => solve.minutes,
        _ => None,
    };
    let table = raw.map(|_| only_table(&resolved, args)).transpose()?;
    let scratch = table.as_ref().and_then(|_| scratch());
    let rows = match (table, &scratch) {
        (Some((layout, of)), Some(folder)) => Some(RawGames::create(
            &folder.path().join(GAMES),
            &layout,
            of,
            &resolved.study,
            true,
        )?),
        _ => None,
    };
    let stop = AtomicBool::new(false);
    let mut sample = Sample::default();
    let played = Arc::clone(&sample.played);
    let threads = Threads::start(usize::from(args.output.threads))?;
    let level = args.output.simd.level()?;
    let start = Instant::now();
    let is_whole = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            std::thread::park_timeout(limit(TRIED));
            stop.store(true, Ordering::Relaxed);
        });
        let tried = resolved.play(&mut Player {
            threads: &threads,
            level,
            stop: &stop,
            played: &played,
            listener: &mut sample,
            finished: &mut before,
            sharing: None,
            each: rows.as_ref().map(|rows| rows as _),
        });
        let is_whole = !stop.load(Ordering::Relaxed);
        watch.thread().unpark();
        tried.map(|_| is_whole)
    })?;
    let rows = rows.map(|rows| rows.finish(GAMES)).transpose()?;
    let (spent, tried) = (
        start.elapsed().as_secs_f64(),
        played.load(Ordering::Relaxed),
    );
    sample.at_most &= !is_whole;
    if is_whole || sample.games < sample.done() {
        sample.games = sample.done();
    }
    if let Some(minutes) = minutes {
        sample.games = sample.before + (tried as f64 / spent * minutes * 60.0) as u64;
    }
    let per_game = |all: f64| (tried > 0).then_some(all / tried as f64);
    sample.seconds = per_game(spent);
    sample.bytes = rows.and_then(|rows| per_game(rows.bytes as f64));
    Ok(sample)
}

/// The most games of these adaptations, and the time that they take by a sample of the first.
fn adapting(
    plan: &[Adapt],
    library: &Library,
    args: &PlayArgs,
) -> Result<(u64, Option<f64>), CliError> {
    let Some(first) = plan.first() else {
        return Ok((0, None));
    };
    let ready = Study::Adapt(first.clone()).resolve(library)?;
    let all = sample(ready, Before(None), None, args)?;
    let games = all.games * plan.len() as u64;
    Ok((games, all.seconds.map(|of_game| of_game * games as f64)))
}

/// A time in words.
fn about(seconds: f64, most: &str) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(few) if few < TRIED => "less than two seconds".to_string(),
        time => format!(
            "{most}about {}",
            HumanDuration(time.unwrap_or(Duration::MAX))
        ),
    }
}

/// The populations to adapt, with their most games and their time, if it is known.
fn after_adapting(populations: usize, most: u64, seconds: Option<f64>) -> String {
    let Some(seconds) = seconds else {
        return String::new();
    };
    let populations = counted(populations, "population");
    let (most, time) = (games(most), about(seconds, ""));
    format!(", after adapting {populations} (at most {most} more, {time})")
}

pub fn dry_run(
    resolved: Ready,
    library: &Library,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let (kind, game) = (resolved.study.kind(), resolved.game);
    let populations = resolved.plan.len();
    let adapting = adapting(&resolved.plan, library, args)?;
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
        let manifest = report::manifest(&resolved);
        let journal = Journal::open(&target, JOURNAL, &manifest, args.before())?;
        before.0 = Some(journal).filter(|_| args.raw.is_none());
    }
    let all = sample(resolved, before, args.raw, args)?;
    let left = (all.games - all.before).div_ceil(args.shard.map_or(1, |shard| shard.of));
    let seconds = all.seconds.or((left == 0).then_some(0.0));
    let seconds = seconds.map(|of_game| of_game * left as f64);
    let bytes = all.bytes.map(|of_game| (of_game * left as f64) as u64);
    if args.output.json {
        let folder = target.display().to_string();
        return print(&answer(
            "dry_run",
            json!({
                "study": kind,
                "game": game.name,
                "games": all.games,
                "at_most": all.at_most,
                "games_left": left,
                "populations": populations,
                "adapting_games": adapting.0,
                "adapting_seconds": adapting.1,
                "seconds": seconds,
                "bytes": bytes,
                "folder": (!only_prints).then_some(folder),
            }),
        )?);
    }
    if args.output.quiet {
        return Ok(());
    }
    let most = if all.at_most { "at most " } else { "" };
    let time = match seconds {
        None => "the time is not known yet".to_string(),
        Some(seconds) => format!("estimated time: {}", about(seconds, most)),
    };
    let part = match (args.shard, all.before) {
        (Some(shard), _) => format!(", about {} of them in shard {shard}", games(left)),
        (None, 0) => String::new(),
        (None, _) => format!(", {} of them unfinished", games(left)),
    };
    let rows = bytes.map_or(String::new(), |bytes| {
        format!(", about {} of rows", HumanBytes(bytes))
    });
    let target = target.display();
    let files = match args.shard {
        Some(_) => format!("a shard in {target}"),
        None if args.output.page().is_some() => target.to_string(),
        None => format!("{} in {target}", Wanted::asked(&args.output).described()),
    };
    print(&format!(
        "{kind} of {}: {most}{} at all tables together{part}; {time}{}\n\
         results: {files}{rows}\n",
        game.title,
        games(all.games),
        after_adapting(populations, adapting.0, adapting.1),
    ))
}
