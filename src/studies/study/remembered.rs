//! What a person answered in quizzes and decided in games: the rows of the file of `--remember`.

use super::kept_game::KeptGame;
use super::table::SeatedTable;
use carat_core::game::WIN_SHARE;
use carat_core::game::moments::Course;
use indexmap::IndexMap;
use std::mem::take;

pub const COLUMNS: &str = "game,where,kind,answer,best,cost,day,task,name,unit,position";
/// The number of columns of versions before 0.5.
const OLD: usize = 6;

/// The tasks of a person: a game, questions, and questions that were missed before.
pub const PLAY: &str = "play";
pub const QUIZ: &str = "quiz";
pub const MISSED: &str = "missed";

/// An answer; what follows the cost is empty in rows of versions before 0.5.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Remembered {
    /// The number and the seed of the game.
    pub game: String,
    pub place: String,
    /// `traps seen: 2; explorers inside: 3`.
    pub kind: String,
    pub answer: String,
    /// The best option; the answer, if no option is clearly better.
    pub best: String,
    /// What the answer lost: a share of the wins, or score of a lone player; 0 if no option is clearly
    /// better.
    pub cost: f64,
    /// `2026-11-29`, in UTC.
    pub day: String,
    pub task: String,
    /// The name of the game.
    pub name: String,
    /// `win_share`, or the unit of the score of a lone player.
    pub unit: String,
    /// The game before the decision, to ask it again ([`KeptGame::line_before`]); empty for good
    /// decisions of games.
    pub position: String,
}

/// A decision of a game at a table.
pub struct Decided<'a> {
    pub table: &'a SeatedTable,
    pub game: &'a KeptGame,
    pub course: &'a Course,
    pub moment: usize,
    /// The option taken, and the best one.
    pub answer: usize,
    pub best: usize,
    /// What the best is clearly better by, or 0.
    pub cost: f64,
}

impl Remembered {
    pub fn of(decided: &Decided, task: &str, day: &str) -> Option<Remembered> {
        let Decided {
            table,
            course,
            cost,
            ..
        } = *decided;
        let at = &course.moments[decided.moment];
        let options = at.options()?;
        let kind = options
            .kind
            .iter()
            .map(|(what, is)| format!("{what}: {is}"));
        let best = if cost > 0.0 {
            decided.best
        } else {
            decided.answer
        };
        let is_asked_again = task != PLAY || cost > 0.0;
        let unit = match table.seats.len() {
            1 => table.game.score_unit,
            _ => WIN_SHARE,
        };
        let line = is_asked_again.then(|| decided.game.line_before(course, decided.moment));
        Some(Remembered {
            game: format!("{} of seed {}", decided.game.number, decided.game.seed),
            place: at.at.clone(),
            kind: Vec::from_iter(kind).join("; "),
            answer: options.names[decided.answer].clone(),
            best: options.names[best].clone(),
            cost,
            day: day.to_string(),
            task: task.to_string(),
            name: table.game.name.to_string(),
            unit: unit.to_string(),
            position: line.flatten().unwrap_or_default(),
        })
    }

    /// The row, with its line break.
    pub fn line(&self) -> String {
        let cost = format!("{:.6}", self.cost);
        let cells = [
            &self.game,
            &self.place,
            &self.kind,
            &self.answer,
            &self.best,
            &cost,
            &self.day,
            &self.task,
            &self.name,
            &self.unit,
            &self.position,
        ];
        let cells = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
        cells.join(",") + "\n"
    }

    fn read(mut cells: Vec<String>) -> Option<Remembered> {
        let is_old = cells.len() == OLD;
        cells.resize(if is_old { 11 } else { cells.len() }, String::new());
        let cells: [String; 11] = cells.try_into().ok()?;
        let [
            game,
            place,
            kind,
            answer,
            best,
            cost,
            day,
            task,
            name,
            unit,
            position,
        ] = cells;
        Some(Remembered {
            cost: cost.parse().ok().filter(|cost: &f64| cost.is_finite())?,
            game,
            place,
            kind,
            answer,
            best,
            day,
            task,
            name,
            unit,
            position,
        })
    }

    /// The kinds of the position: properties with their values.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kind.split("; ").filter(|kind| !kind.is_empty())
    }
}

/// Reads a table of answers; the oldest have no header. The error is the number of the first line that
/// is none, from 1.
pub fn read(text: &str) -> Result<Vec<Remembered>, usize> {
    let lines = cells(text.trim_start_matches('\u{feff}'))
        .into_iter()
        .enumerate();
    let is_head = |cells: &[String]| cells.len() >= OLD && COLUMNS.starts_with(&cells.join(","));
    let rows = lines.filter(|(at, cells)| *at > 0 || !is_head(cells));
    rows.map(|(at, cells)| Remembered::read(cells).ok_or(at + 1))
        .collect()
}

/// The cells of each line of a table of comma-separated values.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut letters, mut is_quoted) = (text.chars().peekable(), false);
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(take(&mut cell).trim_end_matches('\r').to_string());
                rows.push(take(&mut row));
            }
            _ => cell.push(letter),
        }
    }
    if !row.is_empty() || !cell.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}

/// The positions of a game whose last answer was wrong, those that cost most first.
pub fn missed<'a>(rows: &'a [Remembered], name: &str) -> Vec<&'a Remembered> {
    let own = rows
        .iter()
        .filter(|row| row.name == name && !row.position.is_empty());
    let last: IndexMap<&str, &Remembered> = own.map(|row| (row.position.as_str(), row)).collect();
    let mut missed = Vec::from_iter(last.into_values().filter(|row| row.cost > 0.0));
    missed.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    missed
}
