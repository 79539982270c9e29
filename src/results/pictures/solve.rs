//! The charts of a game that was learnt: what to do when, how learning went, and what simple rules
//! keep.

use super::named;
use super::words::more_or_less;
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::rows::{Figures, Row, Rows};
use crate::figure::{MapGroup, Maps, ShareMap};
use crate::formula::{Feature, Value};
use crate::game::PolicyChart;
use crate::learning::Objective;
use crate::numbers;
use crate::results::{NamedChart, card};
use crate::strategy::{Axis, GridSection, Seat};
use crate::study::solve::{PolicyPlayed, RuleOfThumb};

/// Cells that are seen more seldom than this part of all show nothing.
const SELDOM: f32 = 1e-6;

/// The charts of a game that was learnt; `subtitle` says what was played.
pub fn solve(subtitle: &str, played: &PolicyPlayed) -> Vec<NamedChart> {
    let mut charts: Vec<NamedChart> = Vec::new();
    let mut bots = played.thumbs.iter().map(|rule| &rule.bot);
    let rule = bots.find(|bot| bot.params().count() == 1);
    let mut first = 0;
    for section in &played.resolved.grid.sections {
        let cells = first..first + section.cells();
        first = cells.end;
        let of = Pictured {
            section,
            policy: &played.policy[cells.clone()],
            seen: &played.seen[cells],
            rule,
            features: played.resolved.game.vocabulary.features,
        };
        let last = section.when.is_none();
        let drawn = played.resolved.charts().iter();
        for drawn in drawn.filter(|drawn| drawn.last == last) {
            let chart = of.chart(drawn);
            charts.extend(chart.map(|chart| named(drawn.name, subtitle, chart)));
        }
    }
    if played.milestones.len() > 1 {
        charts.push(named("learning", subtitle, learning(played)));
    }
    let shape = played.resolved.card();
    let of_card = |rule: &&RuleOfThumb| rule.bot.strategy.name == "card";
    if let (Some(shape), Some(rule)) = (shape, played.thumbs.iter().find(of_card)) {
        let card = card(&shape, &rule.bot.strategy, played.resolved.players());
        charts.extend(card.map(|card| named("card", subtitle, card)));
    }
    if played.thumbs.len() > 1 {
        charts.push(named("rules", subtitle, rules(played)));
    }
    charts
}

/// What a chart of a policy is drawn from.
struct Pictured<'a> {
    section: &'a GridSection,
    policy: &'a [u8],
    seen: &'a [f32],
    /// The simplest rule.
    rule: Option<&'a Seat>,
    features: &'a [Feature],
}

impl Pictured<'_> {
    /// How often the policy says yes, map by map; nothing where the section lacks an axis.
    fn chart(&self, drawn: &PolicyChart) -> Option<Maps> {
        let axes = &self.section.axes;
        let find = |name: &str| axes.iter().position(|axis| axis.of == name);
        let [across, down, by] = [
            find(drawn.across[0])?,
            find(drawn.down[0])?,
            find(drawn.by)?,
        ];
        let [columns, rows] = [across, down].map(|axis| axes[axis].cells());
        let mut labels: Vec<String> = (0..axes[by].cells())
            .map(|part| (drawn.map)(lower(&axes[by], part)))
            .collect();
        let label_of = labels.clone();
        labels.dedup();
        let mut sums = vec![[0.0f32; 2]; labels.len() * rows * columns];
        for (cell, (chance, seen)) in self.policy.iter().zip(self.seen).enumerate() {
            let [x, y, part] = [across, down, by].map(|axis| index(axes, axis, cell));
            let map = labels.iter().position(|label| *label == label_of[part])?;
            let sum = &mut sums[(map * rows + y) * columns + x];
            sum[0] += seen * f32::from(*chance) / 255.0;
            sum[1] += seen;
        }
        let all: f32 = self.seen.iter().sum();
        let share = |sum: &[f32; 2]| (sum[1] > SELDOM * all).then(|| f64::from(sum[0] / sum[1]));
        let maps = labels.into_iter().zip(sums.chunks(rows * columns));
        let maps = maps.map(|(label, own)| ShareMap {
            label,
            line: self.line(drawn, &axes[across], &axes[down]),
            shares: own.iter().map(share).collect(),
            few: Vec::new(),
        });
        let percent = |row| range(&axes[down], row, 100.0, " %");
        let yes = drawn.yes;
        Some(Maps {
            title: drawn.title.to_string(),
            x_title: drawn.across[1].to_string(),
            y_title: drawn.down[1].to_string(),
            columns: axes[across].edges.iter().map(f32::to_string).collect(),
            rows: (0..rows).map(percent).collect(),
            unit: format!("how often the learnt bot {yes}; cells that it does not see are empty"),
            line: self.rule.map_or_else(String::new, |rule| {
                let (name, value) = rule.params().next().unwrap_or_default();
                let formula = &rule.strategy.description;
                format!(
                    "the simplest good rule {yes} right of this line: {formula}, {name} = {value}"
                )
            }),
            across: 3,
            groups: vec![MapGroup {
                label: String::new(),
                maps: maps
                    .filter(|map| map.shares.iter().any(Option::is_some))
                    .collect(),
            }],
        })
    }

    /// Left of which column the simplest rule says no, by row.
    fn line(&self, drawn: &PolicyChart, across: &Axis, down: &Axis) -> Vec<f64> {
        let Some(rule) = self.rule else {
            return Vec::new();
        };
        let formula = rule.formula();
        let says_yes = |x: f64, y: f64| {
            let value = |feature: usize| match self.features[feature].name {
                name if name == drawn.across[0] => x as f32,
                name if name == drawn.down[0] => y as f32,
                _ => 0.0,
            };
            formula.evaluate(value) == Value::Truth(true)
        };
        let row = |row: usize| {
            let y = middle(down, row);
            let no = |column: &usize| !says_yes(middle(across, *column), y);
            (0..across.cells()).filter(no).count() as f64
        };
        (0..down.cells()).map(row).collect()
    }
}

/// The lower end of a cell of an axis.
fn lower(axis: &Axis, index: usize) -> f32 {
    match index {
        0 => f32::NEG_INFINITY,
        _ => axis.edges[index - 1],
    }
}

/// Which cell of an axis a cell of the section is in.
fn index(axes: &[Axis], axis: usize, cell: usize) -> usize {
    let stride: usize = axes[axis + 1..].iter().map(Axis::cells).product();
    cell / stride % axes[axis].cells()
}

/// The middle of a cell of an axis; of the last, what is well above its edge.
fn middle(axis: &Axis, index: usize) -> f64 {
    let edge = |at: usize| f64::from(axis.edges[at]);
    let count = axis.edges.len();
    match index {
        0 => edge(0) / 2.0,
        index if index == count => edge(count - 1) * 1.15,
        index => (edge(index - 1) + edge(index)) / 2.0,
    }
}

/// What lies in a cell of an axis.
fn range(axis: &Axis, index: usize, scale: f32, unit: &str) -> String {
    let edge = |at: usize| numbers::number(f64::from((axis.edges[at] * scale).round()), 0);
    let count = axis.edges.len();
    match index {
        0 => format!("< {}{unit}", edge(0)),
        index if index == count => format!("≥ {}{unit}", edge(count - 1)),
        index => format!("{}–{}{unit}", edge(index - 1), edge(index)),
    }
}

fn learning(played: &PolicyPlayed) -> Convergence {
    let wins = played.resolved.objective() == Objective::WinShare;
    let among = played.resolved.learners > 1 && wins;
    let scale = if among { 100.0 } else { 1.0 };
    let milestones = played.milestones.iter();
    let known = milestones.map(|at| (at.games, at.estimate.scaled(scale)));
    Convergence {
        title: match among {
            true => "How far the learnt play could be beaten".to_string(),
            false => "How learning went".to_string(),
        },
        unit: match (among, wins) {
            (true, _) => "Gain of a quick attack, in percentage points".to_string(),
            (_, true) => "Share of the wins".to_string(),
            _ => "Mean score".to_string(),
        },
        axis: "games learnt from".to_string(),
        note: "Each attack learnt from a quarter of the games so far.".to_string(),
        share: wins && !among,
        seats: vec![SeatRun {
            label: if among { "attack found" } else { "learnt play" }.to_string(),
            checkpoints: known.filter(|(_, e)| e.low.is_finite()).collect(),
        }],
    }
}

fn rules(played: &PolicyPlayed) -> Rows {
    let wins = played.resolved.objective() == Objective::WinShare;
    let fair = 1.0 / played.resolved.players() as f64;
    let rows = played.thumbs.iter().map(|rule| Row {
        detail: rule.bot.strategy.description.clone(),
        ..Row::one(
            rule.bot.label(),
            match wins {
                true => rule.beside_learnt.minus(fair).scaled(100.0),
                false => rule.beside_learnt,
            },
        )
    });
    Rows {
        title: match wins {
            true => "How simple rules fare beside the learnt bot".to_string(),
            false => "What simple rules score beside the learnt bot".to_string(),
        },
        axis: match wins {
            true => more_or_less(
                "percentage points of the wins",
                "the equal share, beside copies of the learnt bot",
            ),
            false => "mean score beside copies of the learnt bot".to_string(),
        },
        figures: if wins {
            Figures::Changes
        } else {
            Figures::Values
        },
        rows: rows.collect(),
        ..Rows::default()
    }
}
