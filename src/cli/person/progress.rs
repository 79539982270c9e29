//! The file of `--remember`, and `carat progress`, which shows it.

use super::paper::Paper;
use super::quiz::score;
use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{print, prose, table};
use crate::files::{Row, read_csv, write_whole};
use carat_core::catalog::GAMES;
use carat_core::game::WIN_SHARE;
use carat_core::game::moments::Course;
use carat_core::library::LibraryError;
use carat_core::numbers::{number, percent};
use carat_studies::report::{ACCURACY, Cells};
use carat_studies::study::SeatedTable;
use carat_studies::study::kept_game::KeptGame;
use chrono::Utc;
use indexmap::IndexMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Show whether your play improves, and which mistakes cost you most
///
/// carat reads a file that `carat play` or `carat quiz` wrote with --remember, and prints a line
/// for each game and each day of quizzes, and the results by kind of position.
#[derive(clap::Args)]
pub struct Args {
    /// The file of --remember
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// The columns, of which versions before 0.5 had the first six. The cost is a share of the wins, or
/// score of a lone player, and 0 where no option is clearly better.
const COLUMNS: &str = "game,where,kind,answer,best,cost,day,task,name,unit,position";
const OLD: &str = "game,where,kind,answer,best,cost\n";
/// The task of a game; others are `quiz` and `missed`.
pub const PLAY: &str = "play";

pub fn cell<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).map_or("", String::as_str)
}

fn cost(row: &Row) -> f64 {
    cell(row, "cost").parse().unwrap_or(f64::NAN)
}

/// The mean cost of some answers.
pub fn mean(rows: &[&Row]) -> f64 {
    rows.iter().map(|row| cost(row)).sum::<f64>() / rows.len() as f64
}

pub fn right(rows: &[&Row]) -> usize {
    rows.iter().filter(|row| cost(row) <= 0.0).count()
}

/// Reads a file of --remember as it is now; nothing before it is there. The oldest have no header.
pub fn read(file: &Path) -> Result<Vec<Row>, CliError> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let mut text = fs::read(file).map_err(|source| LibraryError::file(file, source))?;
    if !text.starts_with(b"game") {
        text.splice(..0, OLD.bytes());
    }
    match read_csv(text) {
        Ok(rows) if rows.iter().all(|row| cost(row).is_finite()) => Ok(rows),
        _ => {
            let file = file.display();
            usage!("{file}: not a table of answers ({COLUMNS}); name another file")
        }
    }
}

/// A decision of a task at a table: the option taken, the best, and by what that is clearly better.
pub fn row(
    table: &SeatedTable,
    task: &str,
    game: &KeptGame,
    course: &Course,
    moment: usize,
    [answer, best]: [usize; 2],
    cost: f64,
) -> Option<Row> {
    let at = &course.moments[moment];
    let options = at.options()?;
    let kind = options.kind.iter();
    let kind = kind.map(|(what, is)| format!("{what}: {is}"));
    let is_good = cost <= 0.0;
    let best = if is_good { answer } else { best };
    let units = [table.game.score_unit, WIN_SHARE];
    // To be asked again, on one line.
    let before = game.before(course, moment).to_toml().ok()?;
    let before = serde_json::to_string(&before).ok()?;
    let cells = [
        format!("{} of seed {}", game.number, game.seed),
        at.at.clone(),
        Vec::from_iter(kind).join("; "),
        options.names[answer].clone(),
        options.names[best].clone(),
        format!("{cost:.6}"),
        today(),
        task.to_string(),
        table.game.name.to_string(),
        units[usize::from(table.seats.len() > 1)].to_string(),
        before.repeat(usize::from(task != PLAY || !is_good)),
    ];
    let columns = COLUMNS.split(',').map(str::to_string);
    Some(columns.zip(cells).collect())
}

/// Adds answers to a file; one of older columns gets the new ones.
pub fn add(file: &Path, new: &[Row]) -> Result<(), CliError> {
    let mut text = format!("{COLUMNS}\n");
    for row in read(file)?.iter().chain(new) {
        let cells = COLUMNS.split(',').map(|column| cell(row, column));
        let cells = Vec::from_iter(cells.map(|cell| cell.replace('"', "\"\"")));
        text += &format!("\"{}\"\n", cells.join("\",\""));
    }
    write_whole(file, text.as_bytes()).map_err(CliError::keep(file))
}

/// The saved games before decisions that were missed when last asked, those that cost most first.
pub fn missed(rows: &[Row], game: &str) -> Vec<String> {
    let own = rows.iter().filter(|row| cell(row, "name") == game);
    let last: IndexMap<&str, f64> = own.map(|row| (cell(row, "position"), cost(row))).collect();
    let mut missed = Vec::from_iter(last.into_iter().filter(|(_, cost)| *cost > 0.0));
    missed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let read = missed.iter().map(|(text, _)| serde_json::from_str(text));
    read.flatten().collect()
}

/// The day in UTC, such as 2026-11-29.
fn today() -> String {
    Utc::now().date_naive().to_string()
}

pub fn run(args: &Args) -> Result<(), CliError> {
    // A file that is missing is a fault here.
    fs::metadata(&args.file).map_err(|source| LibraryError::file(&args.file, source))?;
    let rows = read(&args.file)?;
    let mut groups: IndexMap<[&str; 5], Vec<&Row>> = IndexMap::new();
    for row in rows.iter().filter(|row| !cell(row, "day").is_empty()) {
        let mut key = ["day", "name", "task", "unit", "game"].map(|column| cell(row, column));
        if key[2] != PLAY {
            key[4] = "";
        }
        groups.entry(key).or_default().push(row);
    }
    let mut lines = Vec::new();
    for ([day, name, task, unit, _], own) in &groups {
        let (mean, all) = (mean(own), own.len() as f64);
        let (mut cost, mut accuracy) = (format!("{} {unit}", number(mean, 2)), "–".to_string());
        if *unit == WIN_SHARE {
            cost = format!("{} points", number(100.0 * mean, 2));
            if *task == PLAY {
                accuracy = percent(f64::max(1.0 - all * mean, 0.0), 1);
            }
        }
        let right = percent(right(own) as f64 / all, 1);
        let [day, name, task] = [day, name, task].map(|cell| cell.to_string());
        lines.push(vec![
            day,
            name,
            task,
            all.to_string(),
            right,
            accuracy,
            cost,
        ]);
    }
    let head = [
        "day",
        "game",
        "task",
        "decisions",
        "right",
        "accuracy",
        "mean clear cost",
    ];
    let shown = table(&Cells::new(&head, lines).right_from(3));
    print(&format!("{shown}\n\n{}\n", prose(ACCURACY)))?;
    for game in GAMES.map(|game| game.name) {
        let own = rows.iter().filter(|row| cell(row, "name") == game);
        score(&Vec::from_iter(own), &mut Paper::default())?;
        if !missed(&rows, game).is_empty() {
            let file = args.file.display();
            let again = format!("carat quiz {game} --missed --remember {file}\n");
            print(&format!("To answer again what you missed: {again}"))?;
        }
    }
    Ok(())
}
