//! How a person's play changes: the games and quizzes of a file of `--remember`.

use super::analyse::ACCURACY;
use super::contents::{Contents, NamedChart};
use super::text::View;
use crate::study::remembered::{PLAY, Remembered};
use carat_core::figure::{Figure, Line, Lines, Panel, Ticks};
use carat_core::game::WIN_SHARE;
use carat_core::sheet::Columns;
use carat_core::statistics::Unit;
use carat_core::{columns, heads};
use indexmap::IndexMap;

/// Kinds of position that are shown.
const KINDS_SHOWN: usize = 10;

/// Answers that belong together, at least one.
pub struct Group<'a>(Vec<&'a Remembered>, &'a str);

impl Group<'_> {
    fn first(&self) -> &Remembered {
        self.0[0]
    }

    fn lost(&self) -> f64 {
        self.0.iter().map(|row| row.cost).sum()
    }

    fn wins(&self) -> bool {
        // Older versions did not write the unit, and a lone player is rare.
        [WIN_SHARE, ""].contains(&self.first().unit.as_str())
    }

    fn cost(&self, sum: f64) -> (f64, Option<Unit>) {
        (sum, self.wins().then_some(Unit::Points))
    }

    fn right(&self) -> f64 {
        let right = self.0.iter().filter(|row| row.cost <= 0.0).count();
        right as f64 / self.0.len() as f64
    }

    fn is_game(&self) -> bool {
        self.first().task == PLAY
    }

    fn accuracy(&self) -> Option<f64> {
        (self.is_game() && self.wins()).then(|| f64::max(1.0 - self.lost(), 0.0))
    }
}

const RIGHT: &str = "share of the decisions in which no option was clearly better";
const COST: &str = "mean cost of a decision: win share, or score of a lone player";

columns! {
    pub Progress<'a>(of: (), row: Group<'a>) "progress", "one row per game, and per day of quizzes";
    DAY: maybe("day", "day (UTC); empty for answers of versions before 0.5")
        => Some(&row.first().day).filter(|day| !day.is_empty());
    GAME: text("game", "name of the game") => row.first().name;
    TASK: text("task", "play (a game), quiz, or missed (a quiz of missed positions)") => row.first().task;
    NUMBER: maybe("number", "number and seed of the game") => row.is_game().then(|| &row.first().game);
    DECISIONS: whole("decisions", "decisions of the game, or questions") => row.0.len() as u64;
    RIGHT: share("right", RIGHT) => row.right();
    ACCURACY: share("accuracy", "of a game among several players: 1 minus the costs of its \
        decisions, at least 0") => row.accuracy();
    COST: measure("cost_per_decision", COST) => row.cost(row.lost() / row.0.len() as f64);
}

columns! {
    pub Kinds<'a>(of: (), row: Group<'a>) "kinds", "one row per game and kind of position, those that cost most first";
    GAME: text("game", "name of the game") => row.first().name;
    KIND: text("kind", "kind of position") => row.1;
    DECISIONS: whole("decisions", "decisions and answers in such positions") => row.0.len() as u64;
    RIGHT: share("right", RIGHT) => row.right();
    COST: measure("cost_per_decision", COST) => row.cost(row.lost() / row.0.len() as f64);
    LOST: measure("cost", "cost of all of them") => row.cost(row.lost());
}

fn grouped<'a, K: std::hash::Hash + Eq>(
    keyed: impl IntoIterator<Item = (K, &'a str, &'a Remembered)>,
) -> Vec<Group<'a>> {
    let mut groups: IndexMap<K, Group> = IndexMap::new();
    for (key, kind, row) in keyed {
        let group = groups.entry(key).or_insert_with(|| Group(Vec::new(), kind));
        group.0.push(row);
    }
    groups.into_values().collect()
}

pub fn progress(rows: &[Remembered]) -> Contents {
    let lines = grouped(rows.iter().map(|row| {
        let game = if row.task == PLAY { &row.game } else { "" };
        ((&row.day, &row.name, &row.unit, &row.task, game), "", row)
    }));
    let kinds = rows.iter().flat_map(|row| {
        row.kinds()
            .map(move |kind| ((&row.name, &row.unit, kind), kind, row))
    });
    let mut kinds = grouped(kinds);
    kinds.sort_by(|a, b| b.lost().total_cmp(&a.lost()));
    let costly = kinds
        .iter()
        .take(KINDS_SHOWN)
        .take_while(|kind| kind.lost() > 0.0)
        .count();
    let dated = lines.iter().filter(|line| !line.first().day.is_empty());
    let chart = chart(&Vec::from_iter(dated));
    let mut views = vec![View::print(
        heads![Progress: DAY, GAME, TASK, DECISIONS, RIGHT, ACCURACY, COST "mean cost"],
    )];
    views.push(View::text(format!(
        "{ACCURACY} Questions of a quiz are harder than most decisions, so they cost more."
    )));
    views.extend(View::print_rows(heads![Kinds: KIND "what cost most", GAME, DECISIONS, RIGHT, COST "mean cost", LOST "in all"], (0..costly).collect()));
    Contents {
        sheets: vec![Progress::sheet(&(), lines), Kinds::sheet(&(), kinds)],
        charts: vec![NamedChart::new("progress", "", Figure::Lines(chart))],
        views,
        ..Contents::default()
    }
}

/// Accuracy and costs of games, and right answers in quizzes, in the order of the file.
fn chart(lines: &[&Group]) -> Lines {
    let mut days: Vec<(f64, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let day = &line.first().day;
        if days.last().is_none_or(|(_, last)| last != day) {
            days.push((at as f64, day.clone()));
        }
    }
    let panel = |heading: &str, value: fn(&Group) -> Option<f64>| {
        let mut games: IndexMap<&str, Vec<(f64, f64)>> = IndexMap::new();
        for (at, line) in lines.iter().enumerate() {
            let points = games.entry(&line.first().name).or_default();
            points.extend(value(line).map(|value| (at as f64, value)));
        }
        let games = games
            .into_iter()
            .enumerate()
            .filter(|(_, (_, points))| !points.is_empty());
        Panel {
            heading: heading.to_string(),
            share: true,
            include: vec![0.0],
            lines: games
                .map(|(at, (name, points))| Line::exact(name, at, points))
                .collect(),
            ..Panel::default()
        }
    };
    let mut panels = vec![
        panel("Accuracy of a game", |line| line.accuracy()),
        panel("Win share that a decision costs", |line| {
            line.accuracy().map(|_| line.lost() / line.0.len() as f64)
        }),
        panel("Right answers in quizzes", |line| {
            (!line.is_game()).then(|| line.right())
        }),
    ];
    panels.retain(|panel| !panel.lines.is_empty());
    Lines {
        title: "Your games and quizzes".to_string(),
        x_title: "Day".to_string(),
        x_ticks: Ticks::At(days),
        panels,
        note: "A point is a game, or a day of quizzes, in the order of the file.".to_string(),
        ..Lines::default()
    }
}
