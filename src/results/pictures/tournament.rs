//! The charts of a tournament: the ratings, who beats whom, and what lasts.

use crate::charts::differences::{Difference, Differences};
use crate::charts::heat_map::{BestOf, HeatCell, HeatMap, Mark};
use crate::figure::Histogram;
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::statistics::Estimate;
use crate::tournament::{MetaGame, Payoffs, beside};

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
        let estimate = beside(payoffs, bot, other)?;
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
        title: match payoffs.line_ups.complete {
            true => "Who earns what beside whom".to_string(),
            false => "Who earns what against copies of whom".to_string(),
        },
        subtitle: subtitle.to_string(),
        row_axis: "one of".to_string(),
        column_axis: match (players, payoffs.line_ups.complete) {
            (2, _) => "against".to_string(),
            (_, true) => "with one of, the other seats drawn from all".to_string(),
            (_, false) => format!("against {} of", players - 1),
        },
        rows: labels.clone(),
        columns: labels,
        unit: "share of the wins".to_string(),
        share: true,
        cells: pairs.map(|(bot, other)| cell(bot, other)).collect(),
        middle: Some(fair),
        best_of: BestOf::All,
    };
    let room = |&bot: &usize| names[bot].clone();
    let mix = Histogram {
        title: "The mix that would last".to_string(),
        subtitle: subtitle.to_string(),
        x_title: "bot".to_string(),
        y_title: "share of the mix: drawn from it, nobody earns more by another choice".to_string(),
        labels: lasting.iter().map(room).collect(),
        shares: lasting.iter().map(|bot| standing(bot).mix).collect(),
        median: None,
        note: String::new(),
    };
    vec![
        ("ratings", Box::new(ratings)),
        ("mix", Box::new(mix)),
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
