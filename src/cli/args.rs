//! Arguments shared by several subcommands that no study file has: how to play, and where results
//! go.

use super::error::{CliError, usage};
use super::simd::SimdLevel;
use super::terminal::{note, print};
use crate::files::{Before, DECISIONS, GAMES};
use carat_charts::typefaces;
use carat_core::simulation::Shard;
use carat_core::strategy::SeatSpec;
use carat_studies::study::advise::default_playouts;
use carat_studies::study::company::{Company, Level};
use carat_studies::study::options::{parse_change, parse_number};
use carat_studies::study::typed::Bots;
use carat_studies::study::{SeatedTable, TableSpec};
use clap::Arg;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A seat for a person, and the bots around it.
#[derive(clap::Args)]
pub struct CompanyArgs {
    /// Number of players [default: depends on the game; for `advise`, the number of chests]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    players: Option<usize>,
    /// Your seat, from 1 [default: 1; in a saved game, your seat there]
    #[arg(long, value_name = "SEAT", value_parser = parse_number, allow_negative_numbers = true)]
    pub me: Option<usize>,
    /// The opponents, as `[copies*]BOT`: one bot for all seats, or one for each in seat order.
    /// Separate them by commas or repeat the option: careful,bold,2*people is a careful, a bold and
    /// two ordinary people (see `carat list GAME`) [default: bots of --level]
    #[arg(long, alias = "seat", value_name = "BOT")]
    others: Vec<Bots>,
    /// The skill of the opponents, unless --others names them
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value = "people",
        conflicts_with = "others"
    )]
    level: Level,
    /// The bot that plays for you in playouts [default: the trained bot for this number of players,
    /// such as solved-5, else the best included bot]
    #[arg(long = "as", value_name = "BOT")]
    later: Option<SeatSpec>,
    /// An edition (see `carat list`) or a rules file [default: the game's first edition]
    #[arg(long, alias = "edition", value_name = "NAME or FILE")]
    rules: Option<String>,
    /// Change a value of the rules, such as traps.snake=4; repeat for more
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = parse_change)]
    set: Vec<String>,
}

impl CompanyArgs {
    /// Whether players or rules are given.
    pub fn names_table(&self) -> bool {
        self.players.is_some() || self.rules.is_some() || !self.set.is_empty()
    }

    /// The seat and its opponents, in a game.
    pub fn company(&self, game: &str) -> Company {
        Company {
            table: TableSpec {
                rules: self.rules.clone(),
                set: self.set.clone(),
                players: self.players,
                ..TableSpec::of(game)
            },
            me: self.me.unwrap_or(1),
            others: self.others.iter().flat_map(|bots| bots.0.clone()).collect(),
            level: self.level,
            later: self.later.clone(),
        }
    }
}

const THREADS_MAX: u16 = 256;

pub fn parse_threads(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(threads) if threads <= THREADS_MAX => Ok(threads),
        _ => Err(format!("write a whole number from 0 to {THREADS_MAX}")),
    }
}

// How to play, and where results go; none of it changes a result.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Number of threads, up to 256; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = parse_threads)]
    pub threads: u16,
    /// Output folder [default: reports/out/NAME, named after the game or study; for a manifest, its
    /// folder's name plus -again]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// File formats of the tables, separated by commas. xlsx is one workbook, also for spreadsheets
    /// with a decimal comma; md holds the printed tables, for GitHub, forums and code blocks in
    /// Discord; html writes report.html even without charts
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv", value_parser = ["csv", "parquet", "json", "xlsx", "md", "html"])]
    pub format: Vec<String>,
    /// Skip the charts and report.html
    #[arg(long)]
    pub no_charts: bool,
    /// Also write charts as SVG
    #[arg(long)]
    pub svg: bool,
    /// A font file for characters that the built-in font lacks; `system` uses the fonts of this
    /// machine, so pictures differ from machine to machine
    #[arg(long, value_name = "FILE or system", value_parser = typefaces::open)]
    pub font: Option<typefaces::Fonts>,
    /// Vector instructions to use; they change only the speed
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub simd: SimdLevel,
    /// Print only one JSON object with the manifest and all tables (see `carat show json`), and
    /// write no file unless --out is given
    #[arg(long)]
    pub json: bool,
    /// Write the verdicts of --expect, --target or --decide to FILE as JUnit XML, for CI servers
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Exit with code 8 if a target of tune is missed or a side of compare --decide is lower, and
    /// with code 9 if one is undecided (--expect always does so)
    #[arg(long)]
    pub gate: bool,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl OutputArgs {
    pub fn target(&self, default: PathBuf) -> Result<PathBuf, CliError> {
        match &self.out {
            Some(out) if out.as_os_str() == "-" => {
                usage!("--out -: name a folder; --json prints results to standard output")
            }
            Some(out) => Ok(out.clone()),
            None => Ok(default),
        }
    }

    /// The file of a page to print, where one is asked for instead of a folder.
    pub fn page(&self) -> Option<&Path> {
        let out = self.out.as_deref();
        out.filter(|out| out.extension().is_some_and(|ending| ending == "pdf"))
    }

    /// The folder for the results, if they are not only printed.
    pub fn folder(&self, default: PathBuf) -> Result<Option<PathBuf>, CliError> {
        let is_wanted = !self.only_prints();
        is_wanted.then(|| self.target(default)).transpose()
    }

    /// Whether results are printed and no folder is written.
    pub fn only_prints(&self) -> bool {
        self.page().is_some() || self.json && self.out.is_none()
    }

    /// Prints a note, unless --quiet is set.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }

    /// Prints results, unless --quiet is set.
    pub fn print(&self, text: &str) -> Result<(), CliError> {
        if self.quiet { Ok(()) } else { print(text) }
    }

    /// Prints warnings, each once.
    pub fn warn<T: Display + PartialEq>(&self, warnings: &[T]) {
        for (index, warning) in warnings.iter().enumerate() {
            if !warnings[..index].contains(warning) {
                self.note(&format!("warning: {warning}"));
            }
        }
    }
}

/// The variables in which a cluster numbers the jobs of an array: that of the own number, the
/// number of the first by custom, and those of the lowest and highest number, the count of jobs,
/// and the step.
#[rustfmt::skip] // A table: Slurm, AWS Batch, Kubernetes, Grid Engine, PBS Pro, Torque, LSF.
const ARRAYS: [(&str, u64, [&str; 4]); 7] = [
    ("SLURM_ARRAY_TASK_ID", 1, ["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT", ""]),
    ("AWS_BATCH_JOB_ARRAY_INDEX", 0, ["", "", "AWS_BATCH_JOB_ARRAY_SIZE", ""]),
    ("JOB_COMPLETION_INDEX", 0, [""; 4]),
    ("SGE_TASK_ID", 1, ["SGE_TASK_FIRST", "SGE_TASK_LAST", "", "SGE_TASK_STEPSIZE"]),
    ("PBS_ARRAY_INDEX", 1, [""; 4]),
    ("PBS_ARRAYID", 1, [""; 4]),
    ("LSB_JOBINDEX", 1, [""; 4]),
];

/// A shard as typed, or that of this job of an array. A job has the same shard however many others
/// are submitted with it.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let Some(typed) = text.strip_prefix("auto") else {
        return text.parse();
    };
    let is_from_zero = typed.starts_with('0');
    let typed = typed.trim_start_matches('0');
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    // LSF gives a job that is in no array the number 0.
    let job = |name| number(name).filter(|job| (name, *job) != ("LSB_JOBINDEX", 0));
    let found = ARRAYS.iter().find_map(|array| Some((array, job(array.0)?)));
    let Some(((name, usual, ends), job)) = found else {
        let names = ARRAYS.map(|(name, ..)| name).join(", ");
        return Err(format!(
            "auto needs one of the environment variables {names}; write K/N"
        ));
    };
    let [least, most, count, step] = ends.map(number);
    let range = least.zip(most);
    let span = range.map(|(least, most)| most.saturating_sub(least) + 1);
    let count = count.or(span.filter(|_| step == Some(1)));
    let asked = typed.strip_prefix('/').map(|of| of.parse().unwrap_or(0));
    // The count of a whole array, and its first number.
    let whole = count.filter(|count| span.is_none_or(|span| span == *count));
    let starts = least.unwrap_or(*usual);
    let is_whole = whole.is_some() && asked.is_none_or(|of| Some(of) == whole);
    let zero = is_from_zero || is_whole && starts == 0;
    let first = if zero { 0 } else { *usual };
    if job.min(least.unwrap_or(job)) < first {
        return Err(format!(
            "{name}: the job array starts at 0, and shards at 1: submit jobs 1 to N, or write auto0/N"
        ));
    }
    let of = match (asked, whole) {
        (Some(of), _) => of,
        (None, Some(count)) if typed.is_empty() && starts == first => count,
        (None, _) if count.is_none() && span.is_none() => {
            return Err(format!(
                "{name} does not say how many jobs the array has; write auto/N"
            ));
        }
        _ => return Err("this job array is partial; write auto/N".to_string()),
    };
    let own = job.saturating_add(1 - first);
    if own > of && of > 0 {
        let last = of - 1 + first;
        return Err(format!(
            "{name} is {job}; for {of} shards it must be {first} to {last}"
        ));
    }
    format!("{own}/{of}").parse()
}

/// Hides options that the command's kind of study refuses.
pub fn hidden(options: &'static [&str]) -> impl FnMut(Arg) -> Arg {
    |arg| {
        if options.contains(&arg.get_id().as_str()) {
            return arg.hide(true);
        }
        arg
    }
}

// How a study is played: all of it with its results, or a shard of it.
#[derive(clap::Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub output: OutputArgs,
    /// Continue an interrupted study from its saved progress (saving starts after three seconds).
    /// After a complete study, write only missing files, or add games to a simulation or comparison
    #[arg(long, conflicts_with = "restart")]
    pub resume: bool,
    /// Discard saved progress and start from the beginning
    #[arg(long, alias = "anew")]
    pub restart: bool,
    /// Play only shard K of N, such as 3/16: a range of the games of every table. `carat merge`
    /// joins the shards. auto/N takes K from a job array: the number of the job in Slurm
    /// (--array=1-N, or a part of it), Grid Engine, PBS, Torque or LSF, and the index plus 1 in AWS
    /// Batch or an indexed Kubernetes job. auto also takes N from the array if all its jobs
    /// belong to it (Slurm, Grid Engine, AWS Batch). Use auto0/N for an array numbered from 0 to N-1,
    /// unless it is a complete Slurm array
    #[arg(long, value_name = "K/N or auto", value_parser = parse_shard, conflicts_with_all = ["format", "svg", "json"])]
    pub shard: Option<Shard>,
    /// Print the number of games, the estimated time and the output folder, then exit
    #[arg(long)]
    pub dry_run: bool,
    /// Also write one row per game, to games.parquet or a file beside each shard. --raw decisions
    /// instead writes one row per decision, with its features and the result of the game, to
    /// decisions.parquet
    #[arg(
        long,
        value_enum,
        value_name = "ROWS",
        num_args = 0..=1,
        default_missing_value = "games",
        hide_possible_values = true
    )]
    pub raw: Option<Raw>,
}

/// What a row of the file of `--raw` stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Raw {
    Games,
    Decisions,
}

impl Raw {
    pub fn file(self) -> &'static str {
        match self {
            Raw::Games => GAMES,
            Raw::Decisions => DECISIONS,
        }
    }
}

impl PlayArgs {
    pub fn before(&self) -> Before {
        match (self.resume, self.restart) {
            (true, _) => Before::GoOn,
            (_, true) => Before::Remove,
            _ => Before::Ask,
        }
    }
}

pub fn reports_out(name: &str) -> PathBuf {
    Path::new("reports/out").join(name)
}

const PLAYOUTS_MIN: u64 = 64;
const PLAYOUTS_MAX: u64 = 100_000_000;

/// The most playouts of an option: those asked for, or the default of the game.
pub fn playouts(asked: Option<u64>, resolved: &SeatedTable) -> Result<u64, CliError> {
    let playouts = asked.unwrap_or(default_playouts(resolved.game));
    if !(PLAYOUTS_MIN..=PLAYOUTS_MAX).contains(&playouts) {
        usage!("--playouts {playouts}: write a number from {PLAYOUTS_MIN} to {PLAYOUTS_MAX}");
    }
    Ok(playouts)
}
