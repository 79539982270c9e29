//! The charts of a tournament: the ratings, who beats whom, and what lasts.

use crate::charts::differences::{Difference, Differences};
use crate::charts::heat_map::{BestOf, HeatCell, HeatMap, Mark};
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::statistics::Estimate;
use crate::tournament::{MetaGame, Payoffs, against};

/// The charts of a tournament of bots with these names, by file name without ending.
pub fn tournament(
    subtitle: &str,
    names: &[String],
    payoffs: &Payoffs,
    meta_game: &MetaGame,
) -> Vec<NamedChart> {
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

    let rating = |&bot: &usize| row(&names[bot], standing(&bot).rating.minus(fair));
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
        row(&label, standing(&bot).regret.scaled(-1.0))
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
        Some(HeatCell {
            value: estimate.value,
            mark: Mark::None,
        })
    };
    let labels: Vec<String> = ranked.iter().map(|&bot| names[bot].clone()).collect();
    let pairs = ranked
        .iter()
        .flat_map(|&bot| ranked.iter().map(move |&other| (bot, other)));
    let matrix = HeatMap {
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

/// A share in percentage points; none where its error is not known.
fn row(label: &str, share: Estimate) -> Option<Difference> {
    share.se.is_finite().then(|| Difference {
        label: label.to_string(),
        estimate: share.scaled(100.0),
    })
}
