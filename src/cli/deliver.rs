//! The end of every study: its report is written as the files that are wanted, and told.

use super::again::command;
use super::args::OutputArgs;
use super::error::CliError;
use super::terminal::{json_line, note, print, views};
use crate::charts::LaidOut;
use crate::results::{
    FileRecord, Format, GAMES, Journal, KEPT, Manifest, Output, PAGE, Report, encode, keep, page,
};
use crate::simulation::{Goal, Missed};
use crate::study::Played;
use std::path::PathBuf;

/// Makes the report of a study that was played, writes it and tells of it. The journal of a study
/// that is complete is removed.
pub fn deliver(
    played: &Played,
    manifest: Manifest,
    output: Output,
    wanted: &Wanted,
    journal: Option<Journal>,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let report = Report::of(played, manifest);
    let text = told(&report, args)?;
    let files = write(report, output, wanted, args)?;
    let resume = journal.as_ref().is_some_and(Journal::holds_parts);
    if played.outcome().interrupted().is_none() {
        journal.into_iter().for_each(Journal::remove);
    }
    match tell(text, &files, args) {
        Ok(()) | Err(CliError::Closed) => {}
        failed => return failed,
    }
    ended(played, files.last().cloned().unwrap_or_default(), resume)
}

/// Whether a study was played to its end, and is as precise as was asked.
fn ended(played: &Played, manifest: PathBuf, resume: bool) -> Result<(), CliError> {
    let outcome = played.outcome();
    match (outcome.interrupted(), outcome.missed()) {
        (None, None) => Ok(()),
        (Some(after), _) => Err(CliError::Partial {
            after,
            manifest,
            resume,
        }),
        (None, Some(missed)) => Err(missed.into()),
    }
}

/// Prints a study that was played as JSON; nothing is written.
pub fn print_only(played: &Played, manifest: Manifest) -> Result<(), CliError> {
    print(&json_line(&Report::of(played, manifest).to_json()?)?)?;
    ended(played, PathBuf::from("the manifest"), false)
}

/// Tells of a study whose report was kept, and writes the files that are wanted and missing.
pub fn deliver_known(
    report: Report,
    goal: Option<Goal>,
    output: Output,
    wanted: &Wanted,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let text = told(&report, args)?;
    let missed = report.manifest.precision_missed.map(|missed| Missed {
        half_width: missed.asked,
        most: goal.map_or(0, Goal::most),
        widest: missed.reached,
    });
    let all = wanted.are_in(&report.manifest.files);
    if !args.quiet {
        let folder = output.named().display();
        note(&if all {
            format!("{folder}: all of this study is there already")
        } else {
            format!("{folder}: this was played already; what is missing is written")
        });
    }
    let files = if all {
        Vec::new()
    } else {
        write(report, output, wanted, args)?
    };
    tell(text, &files, args)?;
    missed.map_or(Ok(()), |missed| Err(missed.into()))
}

/// What is told of a report: in words, or all of it as JSON.
fn told(report: &Report, args: &OutputArgs) -> Result<String, CliError> {
    Ok(match args {
        _ if args.json => json_line(&report.to_json()?)?,
        _ if args.quiet => String::new(),
        _ => views(&report.views, &report.sheets, "in the files"),
    })
}

/// Tells of a report and of its files.
fn tell(mut text: String, files: &[PathBuf], args: &OutputArgs) -> Result<(), CliError> {
    let listed = files.iter().filter(|_| !args.json && !args.quiet);
    text.extend(listed.map(|file| format!("{}\n", file.display())));
    print(&text)
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

    /// Which files these are, in words.
    pub fn described(&self) -> String {
        let mut endings: Vec<&str> = self.formats.iter().map(|f| f.extension()).collect();
        endings.extend(self.charts.then_some("png"));
        endings.extend(self.svg.then_some("svg"));
        format!(
            "tables and charts (.{}), {PAGE}, manifest.json",
            endings.join(", .")
        )
    }

    /// Whether these files are all of it.
    fn are_in(&self, files: &[FileRecord]) -> bool {
        let mut formats = self.formats.iter();
        formats.all(|format| holds(files, format.extension()))
            && (!self.charts || holds(files, "png"))
            && (!self.svg || holds(files, "svg"))
    }

    /// Asks for what these files are, too.
    pub fn add(&mut self, files: &[FileRecord]) {
        let wanted =
            |format: &Format| self.formats.contains(format) || holds(files, format.extension());
        self.formats = Format::ALL.into_iter().filter(wanted).collect();
        self.charts |= holds(files, "png");
        self.svg |= holds(files, "svg");
    }
}

/// Whether there are files of a report with this ending.
fn holds(files: &[FileRecord], ending: &str) -> bool {
    let mut own = files.iter().filter(|file| file.name != GAMES);
    own.any(|file| {
        file.name
            .rsplit_once('.')
            .is_some_and(|(_, end)| end == ending)
    })
}

/// Writes a report to its folder; tells all files.
fn write(
    report: Report,
    mut output: Output,
    wanted: &Wanted,
    args: &OutputArgs,
) -> Result<Vec<PathBuf>, CliError> {
    for sheet in &report.sheets {
        for &format in &wanted.formats {
            let bytes = encode(sheet, format)?;
            output.write(&format!("{}.{}", sheet.name, format.extension()), &bytes)?;
        }
    }
    for (name, text) in &report.files {
        output.write(name, text.as_bytes())?;
    }
    let mut laid_out = Vec::new();
    for (name, played, chart) in &report.charts {
        let failed = |source| CliError::Chart { name, source };
        // What has nothing to show is not written.
        let Some(chart) = LaidOut::of(chart.as_ref(), played).map_err(failed)? else {
            continue;
        };
        if wanted.charts {
            output.write(&format!("{name}.png"), &chart.wide.png().map_err(failed)?)?;
        }
        if wanted.charts && wanted.svg {
            let svg = chart.wide.svg().map_err(failed)?;
            output.write(&format!("{name}.svg"), svg.as_bytes())?;
        }
        laid_out.push((*name, chart));
    }
    let drawn = if wanted.charts { &laid_out[..] } else { &[] };
    let page = page(&report, drawn, &command(&report.manifest));
    let page = page.map_err(|(name, source)| CliError::Chart { name, source })?;
    output.write(PAGE, page.as_bytes())?;
    output.write(KEPT, &keep(&report, &laid_out)?)?;
    if output.is_overtaken() {
        let place = if report.manifest.partial {
            "they stay, and these partial ones go beside them"
        } else {
            "these take their place"
        };
        args.warn(&[format!(
            "{}: another run put its results there meanwhile; {place}",
            output.named().display()
        )]);
    }
    Ok(output.publish(report.manifest)?)
}
