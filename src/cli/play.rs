//! Plays a study: shows progress, writes the results, prints the summary.

use super::error::CliError;
use super::progress::Progress;
use super::summary::summary;
use super::{note, print};
use crate::charts::Chart;
use crate::game::{Layout, MetricRef, SCORE_MEAN, WIN_SHARE};
use crate::results::pictures::{self, Checkpoint, Pictured};
use crate::results::{self, Format, MANIFEST, Manifest, Output};
use crate::simulation::{self, Ending, FIRST_BLOCK, Job, Tally, widest};
use crate::statistics::Estimate;
use crate::strategy::seat_names;
use crate::study::library::Library;
use crate::study::{Resolved, Simulate, Study, resolve};
use fearless_simd::Level;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How to play, and where results go; none of it changes a result.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Number of threads, 0 for one a processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub threads: u16,
    /// Folder for the results [default: reports/out/ and the name of the game or study]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// File formats of the tables
    #[arg(
        long,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "csv"
    )]
    format: Vec<TableFormat>,
    /// Draw no charts
    #[arg(long)]
    pub no_charts: bool,
    /// Write charts as SVG too
    #[arg(long)]
    pub svg: bool,
    /// Vector instructions to use; they change the speed and nothing else
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    simd: SimdLevel,
    /// Go on with a sweep or tournament that was interrupted: parts that are done are not played
    /// again
    #[arg(long)]
    pub resume: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl OutputArgs {
    /// The vector instructions to use, and what the manifest calls them.
    pub fn level(&self) -> Result<(Level, &'static str), CliError> {
        let best = Level::new();
        let wanted = match self.simd {
            SimdLevel::Auto => Some(best),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Sse42 => best.as_sse4_2().map(Level::Sse4_2),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        };
        match wanted {
            Some(level) => Ok((level, level_name(level))),
            None => Err(CliError::Input(format!(
                "--simd: this machine does not have these instructions; its best level is {}",
                level_name(best)
            ))),
        }
    }

    /// The folder for the results of what is called `name`.
    pub fn target(&self, name: &str) -> PathBuf {
        let default = || Path::new("reports/out").join(name);
        self.out.clone().unwrap_or_else(default)
    }

    /// Tells what the user should know, though it can be played; each thing once.
    pub fn warn(&self, warnings: &[String]) {
        for (index, warning) in warnings.iter().enumerate() {
            if !self.quiet && !warnings[..index].contains(warning) {
                note(&format!("warning: {warning}"));
            }
        }
    }

    /// Tells that this kind of study is played in one piece, if it was to be resumed.
    pub fn cannot_resume(&self) {
        if self.resume && !self.quiet {
            note("warning: --resume: only sweeps and tournaments go on; this is played anew");
        }
    }

    /// The formats asked for, each once.
    pub fn formats(&self) -> Vec<Format> {
        let mut formats: Vec<Format> = Vec::new();
        for &format in &self.format {
            if !formats.contains(&format.into()) {
                formats.push(format.into());
            }
        }
        formats
    }
}

/// What a level is called on the command line and in the manifest.
fn level_name(level: Level) -> &'static str {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => "avx512",
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => "avx2",
        #[cfg(target_arch = "x86_64")]
        Level::Sse4_2(_) => "sse4.2",
        #[cfg(target_arch = "x86_64")]
        Level::Sse2(_) => "sse2",
        _ => "native",
    }
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SimdLevel {
    Auto,
    Avx512,
    Avx2,
    #[value(name = "sse4.2")]
    Sse42,
    /// What every x86-64 processor has
    Sse2,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum TableFormat {
    Csv,
    Parquet,
}

impl From<TableFormat> for Format {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Csv => Format::Csv,
            TableFormat::Parquet => Format::Parquet,
        }
    }
}

/// What becomes of a simulation or comparison that Ctrl-C ends.
pub const KEPT: &str = "what is complete is kept";

/// Set by Ctrl-C.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Plays a simulation; `name` is its default folder below `reports/out`.
pub fn simulate(
    study: &Simulate,
    library: &Library,
    name: &str,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let resolved = resolve(study, library)?;
    args.warn(&resolved.warnings);
    args.cannot_resume();
    if study.metric.is_some() && study.precision.is_none() {
        args.warn(&["metric: it changes nothing here without a precision".to_string()]);
    }
    let target = args.target(name);
    args.level()?;
    let mut output = Output::open(&target)?;
    stop_on_ctrl_c(&output);

    let (tally, ending, checkpoints) = play(&resolved, args)?;
    if tally.games == 0 {
        return Err(CliError::Interrupted(
            "interrupted; nothing was written".to_string(),
        ));
    }
    let partial = ending == Ending::Stopped;
    if partial {
        output.set_aside()?;
    } else {
        let estimates = tally.estimates(resolved.table.layout(), resolved.metric()?);
        args.warn(&Vec::from_iter(resolved.goal.missed(estimates.iter())));
    }
    let target = output.target().to_path_buf();
    let files = write(output, &resolved, &tally, &checkpoints, partial, args)?;
    if !args.quiet {
        tell(&(summary(&resolved, &tally) + "\n"), &files)?;
    }
    match partial {
        false => Ok(()),
        true => Err(CliError::Interrupted(format!(
            "interrupted after {} of {} games; the results are of these, and {} is marked partial",
            tally.games,
            resolved.goal.most(),
            target.join(MANIFEST).display()
        ))),
    }
}

/// The first Ctrl-C ends the run with what is complete; one that follows after a moment ends it at
/// once, and the folder in which results were being prepared goes with it. Signals that arrive
/// together, as `timeout` sends them, count as one.
pub fn stop_on_ctrl_c(output: &Output) {
    let staging = output.staging().to_path_buf();
    let first = std::sync::OnceLock::new();
    let handler = move || {
        let pressed = first.get_or_init(std::time::Instant::now);
        let again = STOP.swap(true, Ordering::Relaxed);
        if pressed.elapsed() > std::time::Duration::from_secs(1) {
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

fn play(
    resolved: &Resolved,
    args: &OutputArgs,
) -> Result<(Tally, Ending, Vec<Checkpoint>), CliError> {
    let tables = [resolved.table.as_ref()];
    let chosen = resolved.metric()?;
    let job = Job {
        tables: &tables,
        first: &[0],
        products: &[],
        seed: resolved.study.seed,
        games: resolved.goal.most(),
        block: FIRST_BLOCK,
        chunk: resolved.facts.chunk,
        threads: usize::from(args.threads),
        level: args.level()?.0,
    };
    let layout = resolved.table.layout();
    let played = AtomicU64::new(0);
    let mut checkpoints = Vec::new();
    let (mut sums, ending) =
        Progress::new(job.games, args.quiet, KEPT).follow(&played, |progress| {
            simulation::run(&job, &played, &STOP, &mut |sums| {
                let tally = &sums.tables[0];
                let win_shares = tally.seats(layout, WIN_SHARE);
                let scores = tally.seats(layout, SCORE_MEAN);
                let estimates = tally.estimates(layout, chosen);
                progress.checkpoint(tally.games, Some(sure(layout, chosen, estimates.iter())));
                checkpoints.push(Checkpoint {
                    games: tally.games,
                    win_shares,
                    scores,
                });
                match resolved.goal.reached(tally.games, estimates.iter()) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        })?;
    Ok((sums.tables.swap_remove(0), ending, thinned(checkpoints)))
}

/// How sure the chosen figure is, for the progress bar.
pub fn sure<'a>(
    layout: &Layout,
    chosen: MetricRef,
    estimates: impl Iterator<Item = &'a Estimate>,
) -> String {
    let widest = widest(estimates);
    let name = chosen.name.replace('_', " ");
    match layout.metric(chosen).is_some_and(|m| m.proportion) {
        true => format!(", {name} within ±{:.2} %", widest * 100.0),
        false => format!(", {name} within ±{widest:.3}"),
    }
}

/// Checkpoints about a quarter of a doubling apart, which is as fine as a chart can show.
fn thinned(checkpoints: Vec<Checkpoint>) -> Vec<Checkpoint> {
    let mut kept: Vec<Checkpoint> = Vec::new();
    let last = checkpoints.last().cloned();
    for checkpoint in checkpoints {
        let far = kept
            .last()
            .is_none_or(|kept| checkpoint.games as f64 >= kept.games as f64 * 1.18);
        if far {
            kept.push(checkpoint);
        }
    }
    if let Some(last) = last
        && kept.last().is_some_and(|kept| kept.games < last.games)
    {
        kept.push(last);
    }
    kept
}

fn write(
    mut output: Output,
    resolved: &Resolved,
    tally: &Tally,
    checkpoints: &[Checkpoint],
    partial: bool,
    args: &OutputArgs,
) -> Result<Vec<PathBuf>, CliError> {
    let layout = resolved.table.layout();
    let sheets = resolved.table.sheets(tally.games, &tally.counts);
    let mut frames = vec![
        ("seats", results::seats(layout, &resolved.seats, tally)?),
        ("table", results::table(layout, tally)?),
        ("scores", results::scores(&resolved.seats, tally)?),
    ];
    for sheet in &sheets {
        frames.push((sheet.name, results::sheet(sheet)?));
    }
    write_frames(&mut output, frames, args)?;
    if !args.no_charts {
        let games = crate::charts::numbers::games(tally.games);
        let charts = pictures::simulation(Pictured {
            subtitle: format!("{} · {games}", resolved.headline()),
            score_unit: resolved.facts.score_unit,
            names: &seat_names(&resolved.seats),
            layout,
            tally,
            figures: resolved.table.figures(tally.games, &tally.counts),
            checkpoints,
        });
        for (name, chart) in &charts {
            draw(&mut output, name, chart.as_ref(), args.svg)?;
        }
    }
    let mut study = resolved.study.clone();
    // As many games as were played give the same bytes again, whatever ended the run.
    study.fix_games(tally.games);
    Ok(output.publish(Manifest {
        partial,
        ..Manifest::new(
            Study::Simulate(study),
            vec![resolved.rules.clone()],
            resolved.strategies.clone(),
            args.level()?.1,
        )
    })?)
}

/// Prints what was found, and below it the files where it stands.
pub fn tell(found: &str, files: &[PathBuf]) -> Result<(), CliError> {
    let files = files.iter().map(|file| format!("{}\n", file.display()));
    print(&(found.to_string() + &files.collect::<String>()))
}

/// Adds tables to the results, in every format that is asked for.
pub fn write_frames(
    output: &mut Output,
    frames: Vec<(&'static str, results::Frame)>,
    args: &OutputArgs,
) -> Result<(), CliError> {
    for (name, mut frame) in frames {
        for format in args.formats() {
            let bytes = results::encode(name, &mut frame, format)?;
            output.write(&format!("{name}.{}", format.extension()), &bytes)?;
        }
    }
    Ok(())
}

/// Draws a chart and adds it to the results.
pub fn draw(
    output: &mut Output,
    name: &'static str,
    chart: &dyn Chart,
    svg: bool,
) -> Result<(), CliError> {
    let failed = |source| CliError::Chart { name, source };
    output.write(&format!("{name}.png"), &chart.png().map_err(failed)?)?;
    if svg {
        output.write(
            &format!("{name}.svg"),
            chart.svg().map_err(failed)?.as_bytes(),
        )?;
    }
    Ok(())
}
