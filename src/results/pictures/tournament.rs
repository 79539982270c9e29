//! The charts of a tournament: the ratings, who beats whom, and what lasts.

use crate::charts::Chart;
use crate::charts::differences::{DifferenceRow, Differences};
use crate::charts::matrix::{BestOf, Mark, Matrix, MatrixCell};
use crate::charts::numbers::percent;
use crate::statistics::Estimate;
use crate::tournament::{MetaGame, Payoffs, against};

/// The charts of a tournament of bots with these names, by file name without ending.
pub fn tournament(
    subtitle: &str,
    names: &[String],
    payoffs: &Payoffs,
    meta_game: &MetaGame,
) -> Vec<(&'static str, Box<dyn Chart>)> {
    let players = payoffs.line_ups.players;
    let fair = 1.0 / players as f64;
    let mut ranked: Vec<usize> = (0..names.len()).collect();
    let standing = |bot: &usize| &meta_game.standings[*bot];
    ranked.sort_by(|a, b| {
        standing(b)
            .rating
            .value
            .total_cmp(&standing(a).rating.value)
    });

    let rating = |&bot: &usize| row(&names[bot], standing(&bot).rating, fair, 1.0);
    let ratings = Differences {
        title: "Who earns most among all".to_string(),
        subtitle: subtitle.to_string(),
        axis: format!(
            "percentage points of the wins above (right) or below (left) the fair share of {}, \
             with 95 % interval",
            percent(fair, 1)
        ),
        rows: ranked.iter().filter_map(rating).collect(),
    };

    let mut lasting = ranked.clone();
    lasting.sort_by(|a, b| {
        let key = |bot: &usize| (-standing(bot).mix, standing(bot).regret.value);
        key(a)
            .partial_cmp(&key(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let gain = |&bot: &usize| {
        let label = match standing(&bot).mix {
            0.0 => names[bot].clone(),
            mix => format!("{} · {} of the mix", names[bot], percent(mix, 1)),
        };
        row(&label, standing(&bot).regret, 0.0, -1.0)
    };
    let equilibrium = Differences {
        title: "What lasts when everyone adapts".to_string(),
        subtitle: subtitle.to_string(),
        axis: "percentage points of the wins more (right) or less (left) than the mix, among it"
            .to_string(),
        rows: lasting.iter().filter_map(gain).collect(),
    };

    let cell = |bot: usize, other: usize| {
        let estimate = against(payoffs, bot, other)?;
        Some(MatrixCell {
            value: estimate.value,
            mark: Mark::None,
        })
    };
    let labels: Vec<String> = ranked.iter().map(|&bot| names[bot].clone()).collect();
    let pairs = ranked
        .iter()
        .flat_map(|&bot| ranked.iter().map(move |&other| (bot, other)));
    let matrix = Matrix {
        title: "Who beats whom".to_string(),
        subtitle: subtitle.to_string(),
        row_axis: "one of".to_string(),
        column_axis: match players {
            2 => "against".to_string(),
            _ => format!("against {} of", players - 1),
        },
        rows: labels.clone(),
        columns: labels,
        unit: "share of the wins".to_string(),
        share: true,
        cells: pairs.map(|(bot, other)| cell(bot, other)).collect(),
        middle: Some(fair),
        best_of: BestOf::All,
    };
    vec![
        ("ratings", Box::new(ratings)),
        ("matrix", Box::new(matrix)),
        ("equilibrium", Box::new(equilibrium)),
    ]
}

/// How far an estimate is from `zero`, in percentage points to the right of it; none where its
/// error is not known.
fn row(label: &str, estimate: Estimate, zero: f64, right: f64) -> Option<DifferenceRow> {
    let points = |share: f64| 100.0 * right * (share - zero);
    let (a, b) = (points(estimate.low), points(estimate.high));
    estimate.se.is_finite().then(|| DifferenceRow {
        label: label.to_string(),
        value: points(estimate.value),
        low: a.min(b),
        high: a.max(b),
    })
}
