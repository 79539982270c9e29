//! The file of `--remember`, and `carat progress`, which shows it.

use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{print, views};
use crate::files::write_whole;
use carat_charts::canvas::Canvas;
use carat_charts::theme::Paper;
use carat_core::catalog::GAMES;
use carat_core::diagnostic::counted;
use carat_core::library::LibraryError;
use carat_studies::report::{csv, progress};
use carat_studies::study::remembered::{self, COLUMNS, Remembered, missed};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Show whether you play better, and what costs you most
///
/// carat reads a file that `carat play` or `carat quiz` wrote with --remember, and prints a line for
/// each game and each day of quizzes, and the kinds of position that cost most.
#[derive(clap::Args)]
pub struct Args {
    /// The file of --remember
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the tables (progress.csv, kinds.csv) and a chart (progress.png) to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let rows = read(&args.file)?;
    let report = progress(&rows);
    print(&views(&report, "in the files of --out"))?;
    let file = args.file.display();
    for game in GAMES.map(|game| game.name) {
        let number = missed(&rows, game).len();
        if number > 0 {
            let what = counted(number, "missed position");
            print(&format!(
                "To answer {what} again: carat quiz {game} --missed --remember {file}\n"
            ))?;
        }
    }
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let mut files = Vec::new();
    for sheet in &report.sheets {
        files.push((format!("{}.csv", sheet.name), csv(sheet).into_bytes()));
    }
    for chart in &report.charts {
        let png = chart.draw(Paper::WIDE, Canvas::png)?;
        files.extend(png.map(|png| (format!("{}.png", chart.name), png)));
    }
    let (table, header) = (
        folder.join(&files[0].0),
        files[0].1.split(|byte| *byte == b'\n').next(),
    );
    let is_own = fs::read(&table).is_ok_and(|there| there.starts_with(header.unwrap_or_default()));
    for (name, bytes) in files {
        let file = folder.join(name);
        if file.exists() && !is_own {
            usage!(
                "--out: {} was not written by `carat progress`; name another folder",
                file.display()
            );
        }
        write_whole(&file, &bytes).map_err(CliError::keep(&file))?;
        print(&format!("{}\n", file.display()))?;
    }
    Ok(())
}

/// Reads a file of --remember, as it is now.
pub fn read(file: &Path) -> Result<Vec<Remembered>, CliError> {
    let text = fs::read_to_string(file).map_err(|source| LibraryError::file(file, source))?;
    remembered::read(&text).or_else(|line| {
        usage!(
            "{}: line {line} is not an answer ({COLUMNS}); name another file",
            file.display()
        )
    })
}

/// The same; nothing before the file is there.
pub fn read_if_there(file: &Path) -> Result<Vec<Remembered>, CliError> {
    if file.exists() {
        read(file)
    } else {
        Ok(Vec::new())
    }
}

/// Appends whole rows or nothing; a file with older columns gets the new ones.
pub fn add(file: &Path, rows: &[Remembered]) -> Result<(), CliError> {
    let there = read_if_there(file)?;
    let lines = |rows: &[Remembered]| rows.iter().map(Remembered::line).collect::<String>();
    let write = || {
        if !fs::read(file).is_ok_and(|text| text.starts_with(COLUMNS.as_bytes())) {
            let text = format!("{COLUMNS}\n{}{}", lines(&there), lines(rows));
            return write_whole(file, text.as_bytes());
        }
        let mut open = OpenOptions::new().append(true).open(file)?;
        let before = open.metadata()?.len();
        let written = open.write_all(lines(rows).as_bytes());
        written.inspect_err(|_| _ = open.set_len(before))
    };
    write().map_err(CliError::keep(file))
}

/// The day in UTC, such as 2026-11-29.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = now.map_or(0, |time| time.as_secs() / 86_400);
    // Years begin in March, and eras of 400 years are alike: 0000-03-01 is 719,468 days before 1970.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + next)
}
