//! `carat sweep`: one table over a grid of values.

use super::error::CliError;
use super::parts::Parts;
use super::play::{self, OutputArgs};
use super::simulate::{GamesArgs, TableArgs};
use super::summary::plain_table;
use crate::charts::numbers;
use crate::game::MetricRef;
use crate::game::Table;
use crate::results::{self, Frame, Manifest, Output, pictures};
use crate::simulation::Goal;
use crate::simulation::grid::{self, Grid, Played};
use crate::study::library::{Library, each_once};
use crate::study::{Axis, Cell, Study, Sweep};
use indexmap::IndexMap;

/// Play one table over a grid of values, and report what is best and how flat the optimum is
///
/// A path is rules, rules.traps.snake, players, seats.1, seats.1.target or all.threshold.target;
/// its values are 4..30, "0..1 step 0.05" or a list such as 3,5,8. Two or more paths make a grid.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// What varies over which values; repeat for more axes
    #[arg(long = "vary", value_name = "PATH=VALUES", required = true)]
    vary: Vec<String>,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = args.games.of(args.table.study()?);
    let name = format!("{}-sweep", table.game);
    let mut vary = IndexMap::new();
    for axis in &args.vary {
        let Some((path, values)) = axis.split_once('=') else {
            return Err(CliError::Input(format!(
                "--vary {axis}: write PATH=VALUES, such as seats.1.target=4..30"
            )));
        };
        let (path, values) = (path.trim().to_string(), values.trim().to_string());
        if vary.insert(path.clone(), Axis::Text(values)).is_some() {
            return Err(CliError::Input(format!(
                "--vary {path}: given twice; put all its values in one list"
            )));
        }
    }
    let study = Sweep {
        study: Default::default(),
        table,
        vary,
    };
    play(&study, &Library::here(), &name, &args.output)
}

/// Plays a sweep; `name` is its default folder below `reports/out`.
pub fn play(
    study: &Sweep,
    library: &Library,
    name: &str,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let axes = study
        .axes()
        .map_err(|error| CliError::Input(error.to_string()))?;
    let cells = study.resolve(library)?;
    let warnings = cells.iter().flat_map(|cell| cell.resolved.warnings.clone());
    args.warn(&warnings.collect::<Vec<_>>());
    let chosen = study.metric(&cells)?;
    let mut output = Output::open(&args.target(name))?;
    play::stop_on_ctrl_c(&output);

    let manifest = manifest(study, &cells, args.level()?.1);
    let first = &cells[0].resolved;
    // Several cells share a processor's cache.
    let chunk = (first.facts.chunk / 4).max(1);
    let tables: Vec<&dyn Table> = (cells.iter())
        .map(|cell| cell.resolved.table.as_ref())
        .collect();
    let grid = Grid {
        tables: &tables,
        families: &study.families(&cells),
        metric: chosen,
        goal: first.goal,
        part: 4 * chunk,
    };
    let parts = Parts::open(&output, &manifest, first.study.seed, chunk, args)?;
    let (played, journal) = parts.play(|part| grid::play(&grid, part))?;

    args.warn(&Vec::from_iter(first.goal.missed(played.going())));
    write_tables(&mut output, &axes, &cells, &played, args)?;
    let headline = headline(&axes, &cells, &played);
    let layout = cells[0].resolved.table.layout();
    let Some(metric) = layout.metric(chosen) else {
        return Ok(());
    };
    if !args.no_charts {
        let at: Vec<Vec<String>> = cells.iter().map(|cell| cell.values.clone()).collect();
        let (name, chart) = pictures::sweep(
            &headline,
            &axes,
            &at,
            &cells[0].resolved.table.layout().title(chosen),
            metric,
            &played,
        );
        play::draw(&mut output, name, chart.as_ref(), args.svg)?;
    }
    let files = output.publish(manifest)?;
    journal.remove();
    if args.quiet {
        return Ok(());
    }
    play::tell(&report(&headline, &axes, &cells, chosen, &played), &files)
}

/// What is played, with every default filled in.
fn manifest(study: &Sweep, cells: &[Cell], simd: &str) -> Manifest {
    let mut study = study.clone();
    let resolved = &cells[0].resolved.study;
    study.table.rules.clone_from(&resolved.rules);
    study.table.games = resolved.games;
    study.table.max_games = resolved.max_games;
    let rules = cells.iter().map(|cell| cell.resolved.rules.clone());
    let strategies = cells
        .iter()
        .flat_map(|cell| cell.resolved.strategies.clone());
    let (rules, strategies) = (each_once(rules), each_once(strategies));
    Manifest::new(Study::Sweep(study), rules, strategies, simd)
}

fn write_tables(
    output: &mut Output,
    axes: &[(String, Vec<String>)],
    cells: &[Cell],
    played: &Played,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let mut seats = Vec::new();
    let mut tables = Vec::new();
    for (cell, tally) in cells.iter().zip(&played.tallies) {
        let resolved = &cell.resolved;
        let layout = resolved.table.layout();
        seats.push(results::seats(layout, &resolved.seats, tally)?);
        tables.push(results::table(layout, tally)?);
    }
    let column = |axis: usize| cells.iter().map(|cell| cell.values[axis].clone()).collect();
    let columns: Vec<(String, Vec<String>)> = axes
        .iter()
        .enumerate()
        .map(|(axis, (path, _))| (path.clone(), column(axis)))
        .collect();
    let frame = |name, frames| -> Result<(&'static str, Frame), CliError> {
        Ok((name, results::cells(name, &columns, frames)?))
    };
    let frames = vec![frame("cells", seats)?, frame("cells_table", tables)?];
    play::write_frames(output, frames, args)
}

/// What is played, but for what varies.
fn headline(axes: &[(String, Vec<String>)], cells: &[Cell], played: &Played) -> String {
    let first = &cells[0].resolved;
    let varies = |start: &str| {
        axes.iter()
            .any(|(path, _)| path.split('.').next() == Some(start))
    };
    let mut parts: Vec<String> = first.study.title.clone().into_iter().collect();
    parts.push(first.facts.title.to_string());
    if !axes.iter().any(|(path, _)| path == "rules") {
        parts.push(first.study.rules.clone().unwrap_or_default());
    }
    if !varies("players") {
        parts.push(match first.seats.len() {
            1 => "1 player".to_string(),
            players => format!("{players} players"),
        });
    }
    let games = played.tallies.iter().map(|tally| tally.games);
    let (least, most) = (games.clone().min().unwrap_or(0), games.max().unwrap_or(0));
    parts.push(match least == most {
        true => format!("{} each", numbers::games(most)),
        false => format!(
            "{} to {} games each",
            numbers::count(least),
            numbers::count(most)
        ),
    });
    parts.join(" · ")
}

/// Every cell with its figure, and what the best is.
fn report(
    headline: &str,
    axes: &[(String, Vec<String>)],
    cells: &[Cell],
    chosen: MetricRef,
    played: &Played,
) -> String {
    let layout = cells[0].resolved.table.layout();
    let title = layout.title(chosen);
    let proportion = layout.metric(chosen).is_some_and(|m| m.proportion);
    let mut header: Vec<&str> = axes.iter().map(|(path, _)| path.as_str()).collect();
    header.extend([title.as_str(), ""]);
    let rows = cells.iter().enumerate().map(|(index, cell)| {
        let mut row = cell.values.clone();
        row.push(match played.estimates[index] {
            None => "–".to_string(),
            Some(estimate) if proportion => {
                numbers::percent_within(estimate.value, estimate.half_width())
            }
            Some(estimate) => numbers::within(estimate.value, estimate.half_width()),
        });
        row.push(match (played.best[index], played.in_best_set[index]) {
            (true, _) => "best".to_string(),
            (_, true) => "as good, as far as can be told".to_string(),
            _ => String::new(),
        });
        row
    });
    let mut text = format!(
        "{headline} · {} {}\n\n{}\n",
        cells.len(),
        if cells.len() == 1 { "cell" } else { "cells" },
        plain_table(&header, rows.collect())
    );
    let conditions: Vec<&str> = (axes.iter().map(|(path, _)| path.as_str()))
        .filter(|path| !Sweep::is_choice(path))
        .collect();
    if played.ranks() {
        text += "\nWith 95 % probability the true best ";
        if !conditions.is_empty() {
            text += &format!("for each value of {} ", conditions.join(" and "));
        }
        text += "is among those marked.\n";
    }
    if let Goal::Precision { .. } = cells[0].resolved.goal {
        let games = played.tallies.iter().map(|tally| u128::from(tally.games));
        let most = played.tallies.iter().map(|tally| tally.games).max();
        let all = u128::from(most.unwrap_or(0)) * cells.len() as u128;
        let saved = 100.0 * (1.0 - games.sum::<u128>() as f64 / all.max(1) as f64);
        if saved >= 1.0 {
            text += &format!(
                "Cells that were clearly out got no more games: {saved:.0} % of them were saved.\n"
            );
        }
    }
    text + "\n"
}
