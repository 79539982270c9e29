//! The way of every study: look up its names, play it, make its report, deliver that.

use super::again::command;
use super::args::{OutputArgs, PlayArgs};
use super::error::CliError;
use super::interrupt::{STOP, abandon_with, catch_ctrl_c};
use super::progress::Progress;
use super::shard::play_shard;
use super::simd::level_name;
use super::terminal::{blocks, note, print};
use super::tournament::sampled;
use crate::game::Layout;
use crate::results::{
    self, Before, FileRecord, Format, GAMES, Journal, Manifest, Output, PAGE, RawGames, Report,
    encode, page,
};
use crate::simulation::{EachGame, FinishedParts, NotKept, Player, Sharing, Threads};
use crate::study::library::Library;
use crate::study::{Played, Resolved, Study};
use fearless_simd::Level;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

/// Plays a study, or one shard of it; its results go to `folder` unless the arguments name another.
pub fn play(
    study: &Study,
    library: &Library,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    let resolved = study.resolve(library)?;
    args.output.warn(&resolved.warnings());
    if let Resolved::Tournament(tournament) = &resolved {
        args.output
            .warn(&Vec::from_iter(sampled(&tournament.line_ups)));
    }
    match args.shard {
        Some(shard) => play_shard(resolved, shard, folder, args),
        None => play_all(resolved, folder, args),
    }
}

fn play_all(resolved: Resolved, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let (resume, in_parts) = (args.resume, resolved.in_parts());
    let before = args.before();
    let raw = args.raw.then(|| only_table(&resolved)).transpose()?;
    let args = &args.output;
    let machine = Machine::of(args)?;
    let mut output = Output::open(&args.target(folder)?)?;
    abandon_with(output.abandon());
    let manifest = results::manifest(&resolved, machine.simd);
    let mut wanted = Wanted::asked(args);
    let mut journal = match in_parts {
        true => journal(&output, &manifest, before, args)?,
        false => Journal::none(),
    };
    if resume && !in_parts {
        args.warn(&[
            "resume: simulations and comparisons do not go on; this is played anew".to_string(),
        ]);
    } else if resume && journal.is_empty() {
        match output.complete(&manifest) {
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

    let mut progress = Progress::new(args.quiet, in_parts);
    let raw = match (raw, output.prepared(GAMES)) {
        (Some(layout), Some(path)) => Some(RawGames::create(&path, &layout, false)?),
        _ => None,
    };
    let (played, _) = machine.play(resolved, &mut progress, &mut journal, None, raw.as_ref())?;
    if let Some(raw) = raw {
        output.add(raw.finish(GAMES)?);
    }
    match played {
        Some(played) => deliver(&played, machine.simd, output, &wanted, journal, args),
        None => Err(CliError::Interrupted {
            resume: journal.end_unfinished(),
        }),
    }
}

/// What is recorded at the table of a study, where it has only one.
pub fn only_table(resolved: &Resolved) -> Result<Layout, CliError> {
    let table = resolved.only_table().ok_or_else(|| {
        let kind = resolved.study().kind();
        let why = format!("--raw: a {kind} has several tables; simulate the one you mean");
        CliError::Usage(why)
    });
    Ok(table?.layout().clone())
}

/// What plays here: threads with their vector instructions.
pub struct Machine {
    threads: Threads,
    level: Level,
    /// Their name.
    pub simd: &'static str,
}

impl Machine {
    /// The one that the arguments ask for; from now on it ends when it is interrupted.
    pub fn of(args: &OutputArgs) -> Result<Machine, CliError> {
        let level = args.simd.level()?;
        let threads = Threads::start(usize::from(args.threads))?;
        catch_ctrl_c();
        Ok(Machine {
            threads,
            level,
            simd: level_name(level),
        })
    }

    /// Plays a study but for the parts that are finished, while the bar follows; tells how far it
    /// is where it is shared out.
    pub fn play(
        &self,
        resolved: Resolved,
        progress: &mut Progress,
        finished: &mut dyn FinishedParts,
        sharing: Option<Sharing>,
        raw: Option<&RawGames>,
    ) -> Result<(Option<Played>, Option<Sharing>), NotKept> {
        let games = AtomicU64::new(0);
        progress.follow(&games, |listener| {
            let mut player = Player {
                threads: &self.threads,
                level: self.level,
                stop: &STOP,
                played: &games,
                listener,
                finished,
                sharing,
                each: raw.map(|raw| raw as &dyn EachGame),
            };
            let played = resolved.play(&mut player)?;
            Ok((played, player.sharing))
        })
    }
}

/// Makes the report of a study that was played, writes it and tells of it.
pub fn deliver(
    played: &Played,
    simd: &str,
    output: Output,
    wanted: &Wanted,
    journal: Journal,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let stopped = played.interrupted();
    let missed = played.missed().filter(|_| stopped.is_none());
    let report = Report::of(played, simd);
    let json = match args.json {
        true => Some(report.to_json()?),
        false => None,
    };
    let text = blocks(&report.text);
    let files = write(report, output, wanted)?;
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
    manifest: &Manifest,
    before: Before,
    args: &OutputArgs,
) -> Result<Journal, CliError> {
    let journal = Journal::open(output.folder(), manifest, before)?;
    if !args.quiet && !journal.is_empty() {
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
pub struct Wanted {
    formats: Vec<Format>,
    charts: bool,
    svg: bool,
}

impl Wanted {
    /// What the arguments ask for.
    pub fn asked(args: &OutputArgs) -> Wanted {
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
fn write(report: Report, mut output: Output, wanted: &Wanted) -> Result<Vec<PathBuf>, CliError> {
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
