//! `carat compare`: the same games under different rules or with different bots.

use super::error::CliError;
use super::play::{self, KEPT, OutputArgs, STOP, sure};
use super::progress::Progress;
use super::simulate::{GamesArgs, TableArgs};
use super::summary::plain_table;
use crate::charts::numbers;
use crate::game::MetricRef;
use crate::game::Table;
use crate::results::pictures::{SIDES_MAX, comparison};
use crate::results::{self, DifferenceRow, Manifest, Output};
use crate::simulation::paired::Pair;
use crate::simulation::{self, Ending, FIRST_BLOCK, Job, Product, Sums};
use crate::statistics::Estimate;
use crate::study::library::{Library, each_once};
use crate::study::{Compare, Resolved, Study, StudyError};
use indexmap::IndexMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

/// Play the same games on sides that differ in rules or bots, and report the paired differences
///
/// A change is PATH=VALUE: rules=EDITION, rules.traps.snake=4, players=6, seats.1=last-out,
/// seats.1.target=9 or all.threshold.target=9.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// A change of side a, what the others are compared with; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    a: Vec<String>,
    /// A change of side b; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    b: Vec<String>,
    /// A change of side c; repeat for more
    #[arg(long, value_name = "PATH=VALUE")]
    c: Vec<String>,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = args.games.of(args.table.study()?);
    let name = format!("{}-compare", table.game);
    let mut sides = IndexMap::from([
        ("a".to_string(), args.a.clone()),
        ("b".to_string(), args.b.clone()),
    ]);
    if args.b.is_empty() {
        sides.swap_remove("b");
    }
    if !args.c.is_empty() {
        sides.insert("c".to_string(), args.c.clone());
    }
    let study = Compare {
        study: Default::default(),
        table,
        sides,
    };
    play(&study, &Library::here(), &name, &args.output)
}

/// A side with what is compared of it.
struct Side {
    name: String,
    resolved: Resolved,
    /// The figures that it has in common with the first side; none for that one.
    figures: Vec<MetricRef>,
}

/// Plays a comparison; `name` is its default folder below `reports/out`.
pub fn play(
    study: &Compare,
    library: &Library,
    name: &str,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let mut sides: Vec<Side> = Vec::new();
    for (name, resolved) in study.resolve(library)? {
        let of_side = |warning: &String| format!("{name}: {warning}");
        args.warn(&resolved.warnings.iter().map(of_side).collect::<Vec<_>>());
        let layout = resolved.table.layout();
        let figures = match sides.first() {
            Some(first) => {
                let a = (0, first.resolved.table.layout());
                Pair {
                    a,
                    b: (sides.len(), layout),
                }
                .metrics()
                .collect()
            }
            None => Vec::new(),
        };
        sides.push(Side {
            name,
            resolved,
            figures,
        });
    }
    args.cannot_resume();
    args.level()?;
    let mut output = Output::open(&args.target(name))?;
    play::stop_on_ctrl_c(&output);

    let products = products(&sides);
    let (sums, ending) = play_sides(study, &sides, &products, args)?;
    if sums.games() == 0 {
        return Err(CliError::Interrupted(
            "interrupted; nothing was written".to_string(),
        ));
    }
    if ending == Ending::Stopped {
        output.set_aside()?;
    }
    let rows = difference_rows(&sides, &sums, &products);
    let first = &sides[0].resolved;
    if ending == Ending::Complete {
        let differences = chosen_differences(&sides, &sums, &products, first.metric()?);
        args.warn(&Vec::from_iter(first.goal.missed(differences.iter())));
    }
    let frames = vec![("differences", results::differences(&rows)?)];
    play::write_frames(&mut output, frames, args)?;
    if !args.no_charts {
        let facts = sides[0].resolved.facts;
        for (name, chart) in comparison(study, facts, &rows, sums.games()) {
            play::draw(&mut output, name, &chart, args.svg)?;
        }
    }
    let files = output.publish(manifest(
        study,
        &sides,
        sums.games(),
        ending,
        args.level()?.1,
    ))?;
    if !args.quiet {
        let text = match sides.len() > SIDES_MAX {
            true => overview(&sides, &rows, sums.games())?,
            false => report(study, &sides, &rows, sums.games()),
        };
        play::tell(&text, &files)?;
    }
    match ending {
        Ending::Complete => Ok(()),
        Ending::Stopped => Err(CliError::Interrupted(format!(
            "interrupted after {} games; the results are of these, and marked partial",
            sums.games()
        ))),
    }
}

/// The products that all differences need, each once.
fn products(sides: &[Side]) -> Vec<Product> {
    let mut products: Vec<Product> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        for product in side
            .figures
            .iter()
            .flat_map(|figure| pair(sides, index).products(*figure))
        {
            if !products.contains(&product) {
                products.push(product);
            }
        }
    }
    products
}

fn play_sides(
    study: &Compare,
    sides: &[Side],
    products: &[Product],
    args: &OutputArgs,
) -> Result<(Sums, Ending), CliError> {
    let tables: Vec<&dyn Table> = sides
        .iter()
        .map(|side| side.resolved.table.as_ref())
        .collect();
    let first = &sides[0].resolved;
    let chosen = first.metric()?;
    let job = Job {
        tables: &tables,
        first: &vec![0; tables.len()],
        products,
        seed: study.table.seed,
        games: first.goal.most(),
        block: FIRST_BLOCK,
        chunk: first.facts.chunk,
        threads: usize::from(args.threads),
        level: args.level()?.0,
    };
    let played = AtomicU64::new(0);
    let all = job.games.saturating_mul(tables.len() as u64);
    Ok(
        Progress::new(all, args.quiet, KEPT).follow(&played, |progress| {
            simulation::run(&job, &played, &STOP, &mut |sums| {
                let differences = chosen_differences(sides, sums, products, chosen);
                let played = sums.games() * tables.len() as u64;
                progress.checkpoint(
                    played,
                    Some(sure(first.table.layout(), chosen, differences.iter())),
                );
                match first.goal.reached(sums.games(), differences.iter()) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        })?,
    )
}

/// The differences of the figure that the study is about.
fn chosen_differences(
    sides: &[Side],
    sums: &Sums,
    products: &[Product],
    chosen: MetricRef,
) -> Vec<Estimate> {
    let differences = sides.iter().enumerate().flat_map(|(index, side)| {
        let figures = side.figures.iter().filter(|figure| chosen.covers(**figure));
        figures.filter_map(move |figure| pair(sides, index).difference(*figure, sums, products))
    });
    differences.map(|found| found.difference).collect()
}

fn pair<'a>(sides: &'a [Side], index: usize) -> Pair<'a> {
    let side = |at: usize| (at, sides[at].resolved.table.layout());
    Pair {
        a: side(0),
        b: side(index),
    }
}

fn difference_rows(sides: &[Side], sums: &Sums, products: &[Product]) -> Vec<DifferenceRow> {
    let mut rows = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        for figure in &side.figures {
            let Some(difference) = pair(sides, index).difference(*figure, sums, products) else {
                continue;
            };
            let Some(row_metric) = side.resolved.table.layout().metric(*figure) else {
                continue;
            };
            let bot = |seat: usize| side.resolved.seats[seat].label();
            rows.push(DifferenceRow {
                side: side.name.clone(),
                metric: figure.name,
                seat: figure.seat().map(|seat| seat as u64 + 1),
                strategy: figure.seat().map(bot),
                proportion: row_metric.proportion,
                meaning: row_metric.meaning,
                difference,
            });
        }
    }
    rows
}

fn manifest(study: &Compare, sides: &[Side], games: u64, ending: Ending, simd: &str) -> Manifest {
    let mut study = study.clone();
    study.table.fix_games(games);
    let rules = sides.iter().map(|side| side.resolved.rules.clone());
    let strategies = sides
        .iter()
        .flat_map(|side| side.resolved.strategies.clone());
    let (rules, strategies) = (each_once(rules), each_once(strategies));
    Manifest {
        partial: ending == Ending::Stopped,
        ..Manifest::new(Study::Compare(study), rules, strategies, simd)
    }
}

/// The differences in words and numbers, side by side.
fn report(study: &Compare, sides: &[Side], rows: &[DifferenceRow], games: u64) -> String {
    let mut text = format!(
        "{}\n{} on each side\n",
        sides[0].resolved.headline(),
        numbers::games(games)
    );
    for side in sides {
        let changes = match study.sides.get(&side.name).map(Vec::as_slice) {
            None | Some([]) => "as it is".to_string(),
            Some(changes) => changes.join(", "),
        };
        text += &format!("  {}: {changes}\n", side.name);
    }
    for side in &sides[1..] {
        text += &format!("\n{} against {}\n\n", side.name, sides[0].name);
        let mut lines = Vec::new();
        let mut saved = Vec::new();
        for row in rows.iter().filter(|row| row.side == side.name) {
            let shown = row.seat.is_none() || ["win_share", "score_mean"].contains(&row.metric);
            if shown {
                lines.push(line(row));
                saved.extend(row.difference.paired_over_unpaired);
            }
        }
        text += &plain_table(
            &["what", "of", &sides[0].name, &side.name, "difference", ""],
            lines,
        );
        text += "\n";
        if !saved.is_empty() {
            saved.sort_by(f64::total_cmp);
            let half = saved[saved.len() / 2];
            text += &format!(
                "\nPlaying the same games on both sides, a difference varies {} times as much as it\n\
                 would between separate games (the median of these figures). Each interval holds\n\
                 95 times in 100 by itself, not all of them at once.\n",
                numbers::number(half, 2)
            );
        }
    }
    text + "\n"
}

/// Of many sides: one figure, side by side.
fn overview(sides: &[Side], rows: &[DifferenceRow], games: u64) -> Result<String, CliError> {
    let first = &sides[0];
    let layout = first.resolved.table.layout();
    let asked = first.resolved.study.metric.as_deref();
    let chosen = MetricRef::find(layout, asked.unwrap_or(layout.table_metrics[0].name))
        .map_err(StudyError::from)?;
    let mut lines = Vec::new();
    for side in &sides[1..] {
        let own = rows.iter().filter(|row| row.side == side.name);
        let of_side = own.zip(&side.figures);
        for (row, _) in of_side.filter(|(_, figure)| chosen.covers(**figure)) {
            let mut line = line(row);
            line[0].clone_from(&side.name);
            lines.push(line);
        }
    }
    let header = ["side", "of", &first.name, "side's", "difference", ""];
    Ok(format!(
        "{} · {} sides · {} each\n\n{}: {}\n\n{}\n\n\
         The other figures are in the files. Each interval holds 95 times in 100 by itself, not all\n\
         of them at once.\n\n",
        first.resolved.headline(),
        sides.len(),
        numbers::games(games),
        chosen.name.replace('_', " "),
        layout.title(chosen),
        plain_table(&header, lines)
    ))
}

fn line(row: &DifferenceRow) -> Vec<String> {
    let paired = &row.difference;
    let half = paired.difference.half_width();
    let (value, difference) = match row.proportion {
        true => (
            [paired.a, paired.b].map(|share| numbers::percent(share, 2)),
            numbers::percent_within(paired.difference.value, half),
        ),
        false => (
            [paired.a, paired.b].map(|value| numbers::number(value, 2)),
            numbers::within(paired.difference.value, half),
        ),
    };
    let verdict = match (paired.difference.low > 0.0, paired.difference.high < 0.0) {
        (true, _) => "more",
        (_, true) => "less",
        _ => "no difference seen",
    };
    let of = row
        .strategy
        .as_ref()
        .map(|bot| format!("{} {bot}", row.seat.unwrap_or(0)));
    let [a, b] = value;
    vec![
        row.meaning.to_string(),
        of.unwrap_or_else(|| "table".to_string()),
        a,
        b,
        difference,
        verdict.to_string(),
    ]
}
