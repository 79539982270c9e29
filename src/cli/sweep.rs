//! `carat sweep`: one table over a grid of values.

use super::error::CliError;
use super::play::{self, OutputArgs, STOP};
use super::progress::Progress;
use super::simulate::{GamesArgs, TableArgs};
use super::summary::plain_table;
use super::{note, print};
use crate::charts::Chart;
use crate::charts::numbers;
use crate::charts::response::{Response, ResponsePoint};
use crate::game::{Layout, Table};
use crate::results::{self, Manifest, Output};
use crate::simulation::paired::common_figures;
use crate::simulation::{self, Cross, Ending, Job, Sums, Tally};
use crate::statistics::{Estimate, best_set_z};
use crate::study::library::Library;
use crate::study::{Cell, Study, Sweep};
use indexmap::IndexMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

/// Cells that are played together, so that any two of them can be compared game by game.
const GROUP: usize = 64;

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
    /// The figure that is drawn and ranked: win_share@1, score_mean@2, cards_per_game, …
    /// [default: what the first path suggests]
    #[arg(long, value_name = "FIGURE")]
    metric: Option<String>,
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
        vary.insert(path.trim().to_string(), values.trim().to_string());
    }
    let metric = args.metric.clone();
    let study = Sweep {
        study: Default::default(),
        table,
        vary,
        metric,
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
    if study.table.precision.is_some() {
        return Err(CliError::Input(
            "--precision: a sweep plays a number of games, --games".into(),
        ));
    }
    if !args.quiet {
        let mut warnings: Vec<&String> = cells
            .iter()
            .flat_map(|cell| &cell.resolved.warnings)
            .collect();
        warnings.dedup();
        warnings
            .iter()
            .for_each(|warning| note(&format!("warning: {warning}")));
    }
    let shown = Shown::find(study, &axes, &cells)?;
    args.level()?;
    let mut output = Output::open(&args.target(name))?;
    play::stop_on_ctrl_c(&output);

    let Some(groups) = play_groups(&cells, &shown, args)? else {
        return Err(CliError::Interrupted(
            "interrupted; nothing was written".to_string(),
        ));
    };
    let tallies: Vec<&Tally> = groups.iter().flat_map(|(sums, _)| &sums.tables).collect();
    write_tables(&mut output, &axes, &cells, &tallies, args)?;
    let ranking = rank(&cells, &groups, &shown);
    if !args.no_charts {
        let chart = response(&axes, &cells, &ranking, &shown);
        play::draw(&mut output, "response", &chart as &dyn Chart, args.svg)?;
    }
    let rules = cells.iter().map(|cell| &cell.resolved.rules);
    let strategies = cells.iter().flat_map(|cell| &cell.resolved.strategies);
    let files = output.publish(Manifest {
        carat: env!("CARGO_PKG_VERSION").to_string(),
        partial: false,
        simd: args.level()?.1.to_string(),
        study: Study::Sweep(study.clone()),
        rules: play::each_once(rules),
        strategies: play::each_once(strategies),
        files: Vec::new(),
    })?;
    if args.quiet {
        return Ok(());
    }
    let mut text = report(&axes, &cells, &ranking, &shown);
    files
        .iter()
        .for_each(|file| text += &format!("{}\n", file.display()));
    print(&text)
}

/// The figure that a sweep draws and ranks.
struct Shown {
    name: String,
    seat: Option<usize>,
    /// What it is called on the chart.
    title: String,
    /// Whether it lies between 0 and 1.
    share: bool,
    /// Whether more of it is better.
    ranked: bool,
}

impl Shown {
    /// The figure asked for, or the one that the first path suggests.
    fn find(
        study: &Sweep,
        axes: &[(String, Vec<String>)],
        cells: &[Cell],
    ) -> Result<Shown, CliError> {
        let layout = cells[0].resolved.table.layout();
        let asked = study.metric.clone().unwrap_or_else(|| {
            let own = if layout.seats > 1 {
                "win_share"
            } else {
                "score_mean"
            };
            match axes[0].0.split('.').collect::<Vec<_>>().as_slice() {
                ["seats", seat, ..] => format!("{own}@{seat}"),
                ["all", ..] => format!("{own}@1"),
                _ => layout.table_metrics[0].name.to_string(),
            }
        });
        let (name, seat) = match asked.split_once('@') {
            Some((name, seat)) => (name, seat.parse::<usize>().ok()),
            None => (asked.as_str(), None),
        };
        let figures = common_figures(layout, layout);
        let found = figures
            .iter()
            .find(|figure| figure.name == name && figure.seat.map(|seat| seat + 1) == seat);
        let Some(figure) = found else {
            let mut known: Vec<String> = figures
                .iter()
                .map(|figure| match figure.seat {
                    Some(_) => format!("{}@SEAT", figure.name),
                    None => figure.name.to_string(),
                })
                .collect();
            known.sort();
            known.dedup();
            return Err(CliError::Input(format!(
                "--metric {asked}: no such figure; there are {} (seats 1 to {})",
                known.join(", "),
                layout.seats
            )));
        };
        let of = match figure.seat {
            Some(seat) => format!(" of seat {}", seat + 1),
            None => String::new(),
        };
        Ok(Shown {
            name: name.to_string(),
            seat: figure.seat,
            title: format!("{}{of}", figure.meaning),
            share: figure.proportion,
            ranked: ["win_share", "score_mean"].contains(&name),
        })
    }

    fn estimate(&self, layout: &Layout, tally: &Tally) -> Option<Estimate> {
        match (self.name.as_str(), self.seat) {
            (_, Some(seat)) if seat >= layout.seats => None,
            ("win_share", Some(seat)) => Some(tally.win_share(layout, seat)),
            ("score_mean", Some(seat)) => Some(tally.score(layout, seat)),
            (name, Some(seat)) => {
                let metric = layout
                    .seat_metrics
                    .iter()
                    .find(|metric| metric.name == name)?;
                tally.seat_metric(layout, seat, metric)
            }
            (name, None) => {
                let metric = layout
                    .table_metrics
                    .iter()
                    .find(|metric| metric.name == name)?;
                tally.table_metric(layout, metric)
            }
        }
    }
}

type Group = (Sums, Vec<Cross>);

/// Plays all cells, group by group; `None` when interrupted.
fn play_groups(
    cells: &[Cell],
    shown: &Shown,
    args: &OutputArgs,
) -> Result<Option<Vec<Group>>, CliError> {
    let games = cells[0].resolved.games();
    let played = AtomicU64::new(0);
    let all = games.saturating_mul(cells.len() as u64);
    Progress::new(all, args.quiet).follow(&played, |progress| {
        let mut groups = Vec::new();
        for (index, group) in cells.chunks(GROUP).enumerate() {
            let tables: Vec<&dyn Table> = group
                .iter()
                .map(|cell| cell.resolved.table.as_ref())
                .collect();
            let crosses = crosses(group, shown);
            let resolved = &group[0].resolved;
            let job = Job {
                tables: &tables,
                crosses: &crosses,
                seed: resolved.study.seed,
                games,
                // Several cells share a processor's cache.
                chunk: (resolved.facts.chunk / 4).max(1),
                threads: usize::from(args.threads),
                level: args.level()?.0,
            };
            let before = (index * GROUP) as u64 * games;
            let (sums, ending) = simulation::run(&job, &played, &STOP, &mut |sums| {
                progress.checkpoint(before + sums.games() * tables.len() as u64, None);
                ControlFlow::Continue(())
            })?;
            if ending == Ending::Stopped {
                return Ok(None);
            }
            groups.push((sums, crosses));
        }
        Ok(Some(groups))
    })
}

/// The products that comparing any two cells of a group by the shown figure needs.
fn crosses(group: &[Cell], shown: &Shown) -> Vec<Cross> {
    let mut crosses: Vec<Cross> = Vec::new();
    for b in 0..group.len() {
        for a in 0..b {
            let of = |cell: &Cell| cell.resolved.table.layout().clone();
            for figure in common_figures(&of(&group[a]), &of(&group[b])) {
                if figure.name == shown.name && figure.seat == shown.seat {
                    crosses.extend(figure.crosses(a, b));
                }
            }
        }
    }
    crosses.sort_by_key(|cross| (cross.a, cross.b));
    crosses.dedup();
    crosses
}

/// The shown figure of every cell, the best of them, and what cannot be told from it.
struct Ranking {
    estimates: Vec<Option<Estimate>>,
    best: Option<usize>,
    tied: Vec<bool>,
}

fn rank(cells: &[Cell], groups: &[Group], shown: &Shown) -> Ranking {
    let tallies = groups.iter().flat_map(|(sums, _)| &sums.tables);
    let estimates: Vec<Option<Estimate>> = cells
        .iter()
        .zip(tallies)
        .map(|(cell, tally)| shown.estimate(cell.resolved.table.layout(), tally))
        .collect();
    let value = |cell: usize| estimates[cell].map(|estimate| estimate.value);
    let known = (0..cells.len()).filter(|&cell| value(cell).is_some());
    let best = known.max_by(|&a, &b| value(a).unwrap_or(0.0).total_cmp(&value(b).unwrap_or(0.0)));
    let best = best.filter(|_| shown.ranked);
    let z = best_set_z(cells.len());
    let tied = (0..cells.len()).map(|cell| match (best, estimates[cell]) {
        (Some(best), Some(estimate)) => {
            let apart = behind(cells, groups, shown, cell, best).unwrap_or_else(|| {
                // Cells of different groups: as if their games were separate, which is wider.
                let se = estimates[best]
                    .map_or(0.0, |best| best.se)
                    .hypot(estimate.se);
                (value(best).unwrap_or(0.0) - estimate.value, se)
            });
            cell == best || apart.0 <= z * apart.1
        }
        _ => false,
    });
    let tied = tied.collect();
    Ranking {
        estimates,
        best,
        tied,
    }
}

/// How far `cell` is behind `best` in the games that both played, and its standard error.
fn behind(
    cells: &[Cell],
    groups: &[Group],
    shown: &Shown,
    cell: usize,
    best: usize,
) -> Option<(f64, f64)> {
    if cell / GROUP != best / GROUP || cell == best {
        return None;
    }
    let (a, b) = (cell.min(best), cell.max(best));
    let layout = |cell: usize| cells[cell].resolved.table.layout();
    let figure = common_figures(layout(a), layout(b))
        .into_iter()
        .find(|figure| figure.name == shown.name && figure.seat == shown.seat)?;
    let (sums, crosses) = &groups[cell / GROUP];
    let difference = figure
        .difference(sums, crosses, a % GROUP, b % GROUP)?
        .difference;
    let sign = if best == b { 1.0 } else { -1.0 };
    Some((sign * difference.value, difference.se))
}

fn write_tables(
    output: &mut Output,
    axes: &[(String, Vec<String>)],
    cells: &[Cell],
    tallies: &[&Tally],
    args: &OutputArgs,
) -> Result<(), CliError> {
    let mut seats = Vec::new();
    let mut tables = Vec::new();
    for (cell, tally) in cells.iter().zip(tallies) {
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
    for (name, frames) in [("cells", seats), ("cells_table", tables)] {
        let mut frame = results::cells(name, &columns, frames)?;
        for format in args.formats() {
            let bytes = results::encode(name, &mut frame, format)?;
            output.write(&format!("{name}.{}", format.extension()), &bytes)?;
        }
    }
    Ok(())
}

fn response(
    axes: &[(String, Vec<String>)],
    cells: &[Cell],
    ranking: &Ranking,
    shown: &Shown,
) -> Response {
    let labels: Vec<String> = cells.iter().map(|cell| cell.values.join(" · ")).collect();
    let numeric: Option<Vec<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let mut points = Vec::new();
    let mut best = None;
    for (index, estimate) in ranking.estimates.iter().enumerate() {
        let Some(estimate) = estimate.filter(|estimate| estimate.se.is_finite()) else {
            continue;
        };
        if ranking.best == Some(index) {
            best = Some(points.len());
        }
        points.push(ResponsePoint {
            label: labels[index].clone(),
            at: numeric.as_ref().map_or(index as f64, |at| at[index]),
            value: estimate.value,
            low: estimate.low,
            high: estimate.high,
            tied: ranking.tied[index],
        });
    }
    let paths: Vec<&str> = axes.iter().map(|(path, _)| path.as_str()).collect();
    let games = numbers::count(cells[0].resolved.games());
    let mut title = shown.title.clone();
    title[..1].make_ascii_uppercase();
    Response {
        title,
        subtitle: format!("{} · {games} games each", cells[0].resolved.headline()),
        axis: paths.join(" · "),
        unit: shown.title.clone(),
        share: shown.share,
        points,
        best,
    }
}

fn report(
    axes: &[(String, Vec<String>)],
    cells: &[Cell],
    ranking: &Ranking,
    shown: &Shown,
) -> String {
    let mut header: Vec<&str> = axes.iter().map(|(path, _)| path.as_str()).collect();
    header.extend([shown.title.as_str(), ""]);
    let rows = cells.iter().enumerate().map(|(index, cell)| {
        let mut row = cell.values.clone();
        row.push(match ranking.estimates[index] {
            None => "–".to_string(),
            Some(estimate) => {
                let half = (estimate.high - estimate.low) / 2.0;
                match shown.share {
                    true => numbers::percent_within(estimate.value, half),
                    false => numbers::within(estimate.value, half),
                }
            }
        });
        row.push(match (ranking.best == Some(index), ranking.tied[index]) {
            (true, _) => "best".to_string(),
            (_, true) => "as good, as far as can be told".to_string(),
            _ => String::new(),
        });
        row
    });
    let mut text = format!(
        "{} · {} games in each of {} cells\n\n{}\n",
        cells[0].resolved.headline(),
        numbers::count(cells[0].resolved.games()),
        cells.len(),
        plain_table(&header, rows.collect())
    );
    if ranking.best.is_some() {
        text += "\nWith 95 % probability the true best is among those marked.\n";
    }
    text + "\n"
}
