//! The end of every study: writes the files that were asked for, and prints the report.

use super::args::OutputArgs;
use super::error::CliError;
use super::interrupt::abandon_with;
use super::junit::junit;
use super::terminal::{json_line, print, views};
use crate::files::{
    DECISIONS, Format, GAMES, Journal, KEPT, Output, WORKBOOK, encode, keep, workbook, write_whole,
};
use carat_charts::canvas::Canvas;
use carat_charts::theme::Paper;
use carat_charts::typefaces;
use carat_core::simulation::TargetVerdict;
use carat_studies::report::{FileRecord, MARKDOWN, Manifest, PAGE, Report, markdown, page, pdf};
use carat_studies::study::Expectation;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the report of a study goes, besides standard output.
pub struct Delivery<'a> {
    args: &'a OutputArgs,
    /// The folder; none where results are only printed.
    pub output: Option<Output>,
    /// The finished parts of a study that can continue later.
    pub journal: Option<Journal>,
    pub wanted: Wanted,
}

impl<'a> Delivery<'a> {
    /// A delivery to a folder, or to none. From now on nothing unfinished stays in the folder.
    pub fn open(folder: Option<PathBuf>, args: &'a OutputArgs) -> Result<Delivery<'a>, CliError> {
        let output = folder.map(|folder| Output::open(&folder)).transpose()?;
        if let Some(output) = &output {
            abandon_with(output.prepared.clone());
        }
        Ok(Delivery {
            args,
            output,
            journal: None,
            wanted: Wanted::asked(args),
        })
    }

    /// Prints a report and writes its files, those that are missing of a saved one; removes the
    /// journal of a complete study.
    pub fn deliver(self, report: Report) -> Result<(), CliError> {
        let text = words(&report, self.args)?;
        let (interrupted, missed) = (report.interrupted, report.missed());
        let expected = expected(&report.manifest, self.args);
        let xml = self.args.junit.is_some().then(|| junit(&report.manifest));
        let is_saved = !report.manifest.files.is_empty();
        let is_whole = is_saved && self.wanted.are_in(&report.manifest.files);
        if let Some(output) = self.output.as_ref().filter(|_| is_saved) {
            let rest = if is_whole {
                ", with all its files"
            } else {
                "; writing missing files"
            };
            let folder = output.named.display();
            (self.args).note(&format!("{folder}: this study is complete{rest}"));
        }
        let is_printed = self.args.page().is_some() || self.output.is_some() && !is_whole;
        let printed = if is_printed {
            print_page(&report, self.args)?
        } else {
            None
        };
        if let (Some(file), Some(printed)) = (self.args.page(), &printed) {
            write_whole(file, printed).map_err(CliError::keep(file))?;
        }
        let files = match self.output {
            Some(output) if !is_whole => write(report, printed, output, &self.wanted, self.args)?,
            Some(_) => Vec::new(),
            None => Vec::from_iter(self.args.page().map(Path::to_path_buf)),
        };
        let resume = self.journal.as_ref().is_some_and(Journal::holds_parts);
        if interrupted.is_none() {
            self.journal.into_iter().for_each(Journal::remove);
        }
        if let (Some(file), Some(xml), None) = (&self.args.junit, xml, interrupted) {
            write_whole(file, xml.as_bytes()).map_err(CliError::keep(file))?;
        }
        match show(text, &files, self.args) {
            Ok(()) | Err(CliError::Closed) => {}
            failed => return failed,
        }
        let manifest = files.last().cloned();
        match (interrupted, missed) {
            (None, None) => expected,
            (Some(after), _) => Err(CliError::Partial {
                after,
                manifest: manifest.unwrap_or_else(|| PathBuf::from("the manifest")),
                resume,
            }),
            (None, Some(missed)) => expected.and(Err(missed.into())),
        }
    }
}

/// Fails where something that is expected is missed or undecided.
fn expected(manifest: &Manifest, args: &OutputArgs) -> Result<(), CliError> {
    let all = &manifest.expectations;
    if !args.gate && manifest.study.run.expect.is_empty() {
        return Ok(());
    }
    for verdict in [TargetVerdict::Missed, TargetVerdict::Undecided] {
        if let Some(first) = all.iter().find(|it| it.verdict == verdict) {
            return Err(CliError::Expected {
                number: Expectation::count(all, verdict),
                of: all.len(),
                first: first.to_string(),
                is_missed: verdict == TargetVerdict::Missed,
            });
        }
    }
    Ok(())
}

/// A report as it is printed: in words, or all of it as JSON.
fn words(report: &Report, args: &OutputArgs) -> Result<String, CliError> {
    Ok(match args {
        _ if args.json => json_line(&report.to_json()?)?,
        _ if args.quiet => String::new(),
        _ => views(report, "in the files"),
    })
}

/// Prints the words of a report, and the names of its files.
fn show(mut text: String, files: &[PathBuf], args: &OutputArgs) -> Result<(), CliError> {
    let listed = files.iter().filter(|_| !args.json && !args.quiet);
    text.extend(listed.map(|file| format!("{}\n", file.display())));
    print(&text)
}

/// The extensions of tables and charts, in the order in which they are listed.
const ENDINGS: [&str; 8] = ["csv", "parquet", "json", "xlsx", "md", "png", "svg", "html"];

/// The extensions of the tables and charts to write.
pub struct Wanted(Vec<&'static str>);

impl Wanted {
    pub fn asked(args: &OutputArgs) -> Wanted {
        let is_asked = |ending: &&str| match *ending {
            "png" => !args.no_charts,
            "svg" => args.svg && !args.no_charts,
            "html" if !args.no_charts => true,
            format => args.format.iter().any(|name| name == format),
        };
        Wanted(ENDINGS.into_iter().filter(is_asked).collect())
    }

    /// A description of these files, as saved progress has it.
    pub fn described(&self) -> String {
        let endings = self.0.join(", .");
        format!("tables, charts and page (.{endings}), manifest.json")
    }

    /// Whether these are all files of the report.
    fn are_in(&self, files: &[FileRecord]) -> bool {
        self.0.iter().all(|ending| holds(files, ending))
    }

    pub fn add(&mut self, files: &[FileRecord]) {
        let wanted = |ending: &&str| self.0.contains(ending) || holds(files, ending);
        self.0 = ENDINGS.into_iter().filter(wanted).collect();
    }
}

fn holds(files: &[FileRecord], ending: &str) -> bool {
    let mut names = files.iter().map(|file| file.name.as_str());
    names.any(|name| {
        let has_ending = name.rsplit_once('.').is_some_and(|(_, end)| end == ending);
        has_ending && ![GAMES, DECISIONS].contains(&name)
    })
}

/// The page to print, in a study that has one.
fn print_page(report: &Report, args: &OutputArgs) -> Result<Option<Vec<u8>>, CliError> {
    if !report.manifest.study.is_to_print() {
        return Ok(None);
    }
    let (page, missing) = pdf(report)?;
    let words = "the PDF has question marks for these letters";
    warn_of(missing, words, args);
    Ok(Some(page))
}

fn warn_of(missing: BTreeSet<char>, words: &str, args: &OutputArgs) {
    if !missing.is_empty() {
        let missing = String::from_iter(missing);
        args.warn(&[format!("{words}: {missing}")]);
    }
}

/// Writes a report to its folder; returns all files.
fn write(
    report: Report,
    printed: Option<Vec<u8>>,
    mut output: Output,
    wanted: &Wanted,
    args: &OutputArgs,
) -> Result<Vec<PathBuf>, CliError> {
    for sheet in report.tables() {
        for format in Format::ALL {
            let ending = format.extension();
            if wanted.0.contains(&ending) {
                let bytes = encode(sheet, format, Some(&report.manifest.study))?;
                output.write(&format!("{}.{ending}", sheet.name), &bytes)?;
            }
        }
    }
    if wanted.0.contains(&"xlsx") {
        output.write(WORKBOOK, &workbook(&report)?)?;
    }
    if wanted.0.contains(&"md") {
        let text = markdown(&report);
        output.write(MARKDOWN, text.as_bytes())?;
    }
    for (name, text) in &report.files {
        output.write(name, text.as_bytes())?;
    }
    if let Some(printed) = printed {
        let name = format!("{}.pdf", report.manifest.study.kind());
        output.write(&name, &printed)?;
    }
    let [charts, svg] = ["png", "svg"].map(|ending| wanted.0.contains(&ending));
    if charts {
        let fonts = args.font.clone().unwrap_or_default();
        let missing = typefaces::add(&fonts, &serde_json::to_string(&report.charts)?);
        let words = "charts have boxes for these letters (see --font)";
        warn_of(missing, words, args);
    }
    for chart in report.charts.iter().filter(|_| charts) {
        let name = &chart.name;
        if let Some(png) = chart.draw(Paper::WIDE, Canvas::png)? {
            output.write(&format!("{name}.png"), &png)?;
        }
        if svg && let Some(svg) = chart.draw(Paper::WIDE, Canvas::svg)? {
            output.write(&format!("{name}.svg"), svg.as_bytes())?;
        }
    }
    if wanted.0.contains(&"html") {
        output.write(PAGE, page(&report, charts)?.as_bytes())?;
    }
    output.write(KEPT, &keep(&report)?)?;
    if output.is_overtaken() {
        let place = if report.manifest.partial {
            "these partial results are written beside them"
        } else {
            "these results replace them"
        };
        args.warn(&[format!(
            "{}: another run wrote results here in the meantime; {place}",
            output.named.display()
        )]);
    }
    Ok(output.publish(report.manifest)?)
}
