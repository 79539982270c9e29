//! The file of `--remember`, and `carat progress`, which shows it.

use super::paper::Paper;
use super::quiz::score;
use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{print, prose, views};
use crate::files::{Row, read_csv, write_whole};
use carat_charts::{canvas::Canvas, theme};
use carat_core::catalog::GAMES;
use carat_core::figure::{Figure, Line, Lines, Panel, Ticks};
use carat_core::game::WIN_SHARE;
use carat_core::game::moments::Course;
use carat_core::library::LibraryError;
use carat_core::sheet::Columns;
use carat_core::statistics::Unit;
use carat_core::{columns, heads};
use carat_studies::report::{ACCURACY, Contents, NamedChart, View, csv};
use carat_studies::study::SeatedTable;
use carat_studies::study::kept_game::KeptGame;
use indexmap::IndexMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Show whether you play better, and what costs you most
///
/// carat reads a file that `carat play` or `carat quiz` wrote with --remember, and prints a line for
/// each game and each day of quizzes, and the results by kind of position.
#[derive(clap::Args)]
pub struct Args {
    /// The file of --remember
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the table (progress.csv) and a chart (progress.png) to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// The columns; versions before 0.5 had the first six, the first of them without a header.
const COLUMNS: &str = "game,where,kind,answer,best,cost,day,task,name,unit,position";
const OLD: &str = "game,where,kind,answer,best,cost\n";

pub fn cell<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).map_or("", String::as_str)
}

/// What an answer lost: a share of the wins, or score of a lone player.
pub fn cost(row: &Row) -> f64 {
    cell(row, "cost").parse().unwrap_or(f64::NAN)
}

/// Reads a file of --remember, as it is now.
pub fn read(file: &Path) -> Result<Vec<Row>, CliError> {
    let mut text = fs::read(file).map_err(|source| LibraryError::file(file, source))?;
    if text.starts_with(b"\"") {
        text.splice(..0, OLD.bytes());
    }
    let rows = if text.is_empty() {
        Ok(Vec::new())
    } else {
        read_csv(text)
    };
    match rows {
        Ok(rows) if rows.iter().all(|row| cost(row).is_finite()) => Ok(rows),
        _ => usage!(
            "{}: not a table of answers ({COLUMNS}); name another file",
            file.display()
        ),
    }
}

/// The same; nothing before the file is there.
pub fn read_if_there(file: &Path) -> Result<Vec<Row>, CliError> {
    if file.exists() {
        read(file)
    } else {
        Ok(Vec::new())
    }
}

/// A decision of a task: the option taken, the best one, and what that is clearly better by, or 0.
pub fn row(
    (table, task, game): (&SeatedTable, &str, &KeptGame),
    (course, moment): (&Course, usize),
    [answer, best]: [usize; 2],
    cost: f64,
) -> Option<Row> {
    let at = &course.moments[moment];
    let options = at.options()?;
    let kind = options
        .kind
        .iter()
        .map(|(what, is)| format!("{what}: {is}"));
    let best = if cost > 0.0 { best } else { answer };
    let unit = match table.seats.len() {
        1 => table.game.score_unit,
        _ => WIN_SHARE,
    };
    // To be asked again, on one line.
    let position = game.before(course, moment).to_toml().ok()?;
    let position = serde_json::to_string(&position).ok()?;
    let is_good = task == PLAY && cost <= 0.0;
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
        unit.to_string(),
        if is_good { String::new() } else { position },
    ];
    let columns = COLUMNS.split(',').map(str::to_string);
    Some(columns.zip(cells).collect())
}

/// Adds answers. A file of older columns gets the new ones.
pub fn add(file: &Path, new: Vec<Row>) -> Result<(), CliError> {
    let mut text = format!("{COLUMNS}\n");
    for row in read_if_there(file)?.iter().chain(&new) {
        let cells = COLUMNS
            .split(',')
            .map(|column| cell(row, column).replace('"', "\"\""));
        text += &format!("\"{}\"\n", Vec::from_iter(cells).join("\",\""));
    }
    write_whole(file, text.as_bytes()).map_err(CliError::keep(file))
}

/// The positions of a game that were missed when they were asked last, those that cost most first.
pub fn missed(rows: &[Row], game: &str) -> Vec<String> {
    let own = rows
        .iter()
        .filter(|row| cell(row, "name") == game && !cell(row, "position").is_empty());
    let last: IndexMap<&str, f64> = own.map(|row| (cell(row, "position"), cost(row))).collect();
    let mut missed = Vec::from_iter(last.into_iter().filter(|(_, cost)| *cost > 0.0));
    missed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    missed
        .into_iter()
        .filter_map(|(position, _)| serde_json::from_str(position).ok())
        .collect()
}

/// The day in UTC, such as 2026-11-29.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    // Years from March on, in eras of 400; 0000-03-01 is 719,468 days before 1970.
    let days = now.map_or(0, |time| time.as_secs() / 86_400) + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year + month / 10;
    format!("{year:04}-{:02}-{day:02}", (month + 2) % 12 + 1)
}

/// The task of a game; others are `quiz` and `missed`.
pub const PLAY: &str = "play";

/// The mean cost of some answers.
pub fn mean(rows: &[&Row]) -> f64 {
    rows.iter().map(|row| cost(row)).sum::<f64>() / rows.len() as f64
}

pub fn right(rows: &[&Row]) -> usize {
    rows.iter().filter(|row| cost(row) <= 0.0).count()
}

fn accuracy(rows: &[&Row]) -> Option<f64> {
    let is_game = cell(rows[0], "task") == PLAY && cell(rows[0], "unit") == WIN_SHARE;
    is_game.then(|| f64::max(1.0 - mean(rows) * rows.len() as f64, 0.0))
}

columns! {
    Progress<'a>(of: (), row: &'a Vec<&'a Row>) "progress", "one row per game, and per day of quizzes";
    DAY: text("day", "day (UTC)") => cell(row[0], "day");
    GAME: text("game", "name of the game") => cell(row[0], "name");
    TASK: text("task", "play (a game), quiz, or missed (positions asked again)") => cell(row[0], "task");
    DECISIONS: whole("decisions", "decisions of the game, or questions") => row.len() as u64;
    RIGHT: share("right", "decisions in which no option was clearly better")
        => right(row) as f64 / row.len() as f64;
    ACCURACY: share("accuracy", "of a game: 1 minus the costs of its decisions, at least 0") => accuracy(row);
    COST: measure("cost_per_decision", "mean cost, in win share or score of a lone player")
        => (mean(row), (cell(row[0], "unit") == WIN_SHARE).then_some(Unit::Points));
}

/// The accuracy of games, and what decisions cost on average, in the order of the file.
fn chart(groups: &[Vec<&Row>]) -> Lines {
    let mut games: IndexMap<&str, [Vec<(f64, f64)>; 2]> = IndexMap::new();
    for (at, group) in groups.iter().enumerate() {
        let values = [accuracy(group), Some(mean(group))];
        let points = games.entry(cell(group[0], "name")).or_default();
        for (points, value) in points.iter_mut().zip(values) {
            points.extend(value.map(|value| (at as f64, value)));
        }
    }
    let headings = ["Accuracy of a game", "Mean cost of a decision"];
    let panels = headings.iter().enumerate().map(|(panel, heading)| {
        let lines = games.iter().enumerate();
        let lines = lines.map(|(at, (name, points))| Line::exact(*name, at, points[panel].clone()));
        Panel {
            heading: heading.to_string(),
            share: true,
            include: vec![0.0],
            lines: lines.filter(|line| !line.points.is_empty()).collect(),
            ..Panel::default()
        }
    });
    let days = groups.iter().map(|group| cell(group[0], "day").to_string());
    Lines {
        title: "Your games and quizzes".to_string(),
        x_ticks: Ticks::At((0..).map(f64::from).zip(days).collect()),
        panels: panels.filter(|panel| !panel.lines.is_empty()).collect(),
        ..Lines::default()
    }
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let rows = read(&args.file)?;
    let mut groups: IndexMap<[&str; 5], Vec<&Row>> = IndexMap::new();
    for row in rows.iter().filter(|row| !cell(row, "day").is_empty()) {
        let mut key = ["day", "name", "unit", "task", "game"].map(|column| cell(row, column));
        if key[3] != PLAY {
            key[4] = "";
        }
        groups.entry(key).or_default().push(row);
    }
    let groups = Vec::from_iter(groups.into_values());
    let chart = NamedChart::new("progress", "", Figure::Lines(chart(&groups)));
    let heads = heads![Progress: DAY, GAME, TASK, DECISIONS, RIGHT, ACCURACY, COST "mean cost"];
    let report = Contents {
        sheets: vec![Progress::sheet(&(), &groups)],
        views: vec![View::print(heads), View::text(ACCURACY)],
        ..Contents::default()
    };
    print(&views(&report, "in the table of --out"))?;
    for game in GAMES.map(|game| game.name) {
        let own = rows.iter().filter(|row| cell(row, "name") == game);
        score(&Vec::from_iter(own), &mut Paper::default())?;
        if !missed(&rows, game).is_empty() {
            let file = args.file.display();
            let again = format!("carat quiz {game} --missed --remember {file}");
            print(&prose(&format!(
                "To answer again what you missed: {again}\n"
            )))?;
        }
    }
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let [table, picture] = ["progress.csv", "progress.png"].map(|name| folder.join(name));
    let is_own = fs::read(&table).is_ok_and(|there| there.starts_with(b"day,game,task"));
    if !is_own && (table.exists() || picture.exists()) {
        let shown = folder.display();
        usage!("--out {shown}: other files have these names in it; name another folder");
    }
    let png = chart.draw(theme::Paper::WIDE, Canvas::png)?;
    for (file, bytes) in [
        (table, Some(csv(&report.sheets[0]).into_bytes())),
        (picture, png),
    ] {
        if let Some(bytes) = bytes {
            write_whole(&file, &bytes).map_err(CliError::keep(&file))?;
            print(&format!("{}\n", file.display()))?;
        }
    }
    Ok(())
}
