//! The way of every study: look up its names, play it, make its report, deliver that.

use super::again::command;
use super::args::OutputArgs;
use super::error::CliError;
use super::interrupt::{STOP, abandon_with, catch_ctrl_c};
use super::progress::Progress;
use super::simd::level_name;
use super::terminal::{blocks, note, print};
use super::tournament::sampled;
use crate::results::{self, FileRecord, Format, Journal, Output, PAGE, Report, encode, page};
use crate::simulation::{Player, Threads};
use crate::study::library::Library;
use crate::study::{Resolved, Study};
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

/// Plays a study; its results go to `folder` unless the arguments name another.
pub fn play(
    study: &Study,
    library: &Library,
    folder: PathBuf,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let resolved = study.resolve(library)?;
    args.warn(&resolved.warnings());
    if let Resolved::Tournament(tournament) = &resolved {
        args.warn(&Vec::from_iter(sampled(&tournament.line_ups)));
    }
    let level = args.simd.level()?;
    let threads = Threads::start(usize::from(args.threads))?;
    let simd = level_name(level);
    catch_ctrl_c();
    let output = Output::open(&args.target(folder)?)?;
    abandon_with(output.abandon());
    let mut wanted = Wanted::asked(args);
    let mut journal = match resolved.in_parts() {
        true => journal(&output, &results::manifest(&resolved, simd), args)?,
        false => Journal::none(),
    };
    if args.resume && !resolved.in_parts() {
        args.warn(&["resume: only sweeps and tournaments go on; this is played anew".to_string()]);
    } else if args.resume && journal.is_empty() {
        match output.complete(&results::manifest(&resolved, simd)) {
            None if args.quiet => {}
            None => note("nothing to go on with: playing from the start"),
            Some(files) if wanted.are_in(&files) => {
                let folder = output.folder().display();
                return match args.quiet {
                    true => Ok(()),
                    false => print(&format!("{folder}: all of this study is there already\n")),
                };
            }
            Some(files) => {
                wanted.add(&files);
                args.warn(&[
                    "this study was played already; it is played again for the files that \
                             are missing, and none is taken away"
                        .to_string(),
                ]);
            }
        }
    }

    let games = AtomicU64::new(0);
    let mut progress = Progress::new(args.quiet, resolved.in_parts());
    let played = progress.follow(&games, |listener| {
        resolved.play(&mut Player {
            threads: &threads,
            level,
            stop: &STOP,
            played: &games,
            listener,
            finished: &mut journal,
        })
    })?;
    let Some(played) = played else {
        return Err(CliError::Interrupted {
            resume: journal.end_unfinished(),
        });
    };

    let stopped = played.interrupted();
    let missed = played.missed().filter(|_| stopped.is_none());
    let report = Report::of(&played, simd);
    let json = match args.json {
        true => Some(report.to_json()?),
        false => None,
    };
    let text = blocks(&report.text);
    let files = deliver(report, output, &wanted)?;
    journal.remove();
    let manifest = files.last().cloned().unwrap_or_default();
    if let Some(json) = json {
        print(&format!("{json}\n"))?;
    } else if !args.quiet {
        let files = files.iter().map(|file| format!("{}\n", file.display()));
        print(&(text + &files.collect::<String>()))?;
    }
    match (stopped, missed) {
        (None, None) => Ok(()),
        (Some(after), _) => Err(CliError::Partial { after, manifest }),
        (None, Some(missed)) => Err(missed.into()),
    }
}

/// Goes on with a study, or begins it.
fn journal(
    output: &Output,
    manifest: &results::Manifest,
    args: &OutputArgs,
) -> Result<Journal, CliError> {
    let journal = Journal::open(output.folder(), manifest, args.before())?;
    if args.resume && !args.quiet && !journal.is_empty() {
        note(&match journal.len() {
            1 => "going on: 1 part is done".to_string(),
            parts => format!("going on: {parts} parts are done"),
        });
    }
    args.warn(&match journal.damaged() {
        0 => vec![],
        1 => vec!["1 damaged part is played again".to_string()],
        parts => vec![format!("{parts} damaged parts are played again")],
    });
    Ok(journal)
}

/// Which files are written of a report.
struct Wanted {
    formats: Vec<Format>,
    charts: bool,
    svg: bool,
}

impl Wanted {
    /// What the arguments ask for.
    fn asked(args: &OutputArgs) -> Wanted {
        Wanted {
            formats: args.formats(),
            charts: !args.no_charts,
            svg: args.svg && !args.no_charts,
        }
    }

    /// Whether a result with these files has all of it.
    fn are_in(&self, files: &[FileRecord]) -> bool {
        let mut formats = self.formats.iter();
        formats.all(|format| holds(files, format.extension()))
            && (!self.charts || holds(files, "png"))
            && (!self.svg || holds(files, "svg"))
    }

    /// Asks for what a result with these files has, too.
    fn add(&mut self, files: &[FileRecord]) {
        let missing = |format: &Format| !self.formats.contains(format);
        let more: Vec<Format> = Format::ALL.into_iter().filter(missing).collect();
        let there = more
            .into_iter()
            .filter(|format| holds(files, format.extension()));
        self.formats.extend(there);
        self.charts |= holds(files, "png");
        self.svg |= holds(files, "svg");
    }
}

/// Whether there are files with this ending.
fn holds(files: &[FileRecord], ending: &str) -> bool {
    let mut endings = files.iter().filter_map(|file| file.name.rsplit_once('.'));
    endings.any(|(_, own)| own == ending)
}

/// Writes a report to its folder; tells all files.
fn deliver(report: Report, mut output: Output, wanted: &Wanted) -> Result<Vec<PathBuf>, CliError> {
    for sheet in &report.sheets {
        for &format in &wanted.formats {
            let bytes = encode(sheet, format)?;
            output.write(&format!("{}.{}", sheet.name, format.extension()), &bytes)?;
        }
    }
    for (name, text) in &report.files {
        output.write(name, text.as_bytes())?;
    }
    let mut drawn = Vec::new();
    for (name, chart) in report.charts.iter().filter(|_| wanted.charts) {
        let failed = |source| CliError::Chart { name, source };
        output.write(&format!("{name}.png"), &chart.png().map_err(failed)?)?;
        let svg = chart.svg().map_err(failed)?;
        if wanted.svg {
            output.write(&format!("{name}.svg"), svg.as_bytes())?;
        }
        drawn.push((*name, svg));
    }
    let page = page(&report, &drawn, &command(&report.manifest.study));
    output.write(PAGE, page.as_bytes())?;
    Ok(output.publish(report.manifest)?)
}
