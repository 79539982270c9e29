//! The charts of a tournament: the ratings, who beats whom, and what lasts.

use super::named;
use crate::results::words::more_or_less;

use crate::charts::heat_map::{BestOf, HeatCell, HeatLayer, HeatMap, Mark};
use crate::charts::rows::{Figures, Row, Rows};
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::results::tournament_sides::ranked;
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
    let ranked = ranked(meta_game);
    let standing = |bot: &usize| &meta_game.standings[*bot];

    let rating = |&bot: &usize| row(&names[bot], standing(&bot).rating.minus(fair));
    let ratings = Rows::differences(
        "Who earns most among all",
        more_or_less(
            "percentage points of the wins",
            &format!("the equal share of {}", percent(fair, 1)),
        ),
        ranked.iter().filter_map(rating).collect(),
    );

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
    let equilibrium = Rows::differences(
        "Each bot against the equilibrium mix",
        more_or_less(
            "percentage points of the wins",
            "the mix, when all others draw from it",
        ),
        lasting.iter().filter_map(gain).collect(),
    );

    let cell = |bot: usize, other: usize| {
        let estimate = beside(payoffs, bot, other)?;
        Some(HeatCell {
            value: estimate.value,
            within: (estimate.se.is_finite()).then(|| estimate.half_width()),
            mark: Mark::None,
        })
    };
    let labels: Vec<String> = ranked.iter().map(|&bot| names[bot].clone()).collect();
    let pairs = ranked
        .iter()
        .flat_map(|&bot| ranked.iter().map(move |&other| (bot, other)));
    let matrix = HeatMap {
        title: if payoffs.line_ups.complete {
            "Who earns what beside whom".to_string()
        } else {
            "Who earns what against copies of whom".to_string()
        },
        row_axis: "share of".to_string(),
        column_axis: match (players, payoffs.line_ups.complete) {
            (2, _) => "against".to_string(),
            (_, true) => "beside one of these, all other seats drawn by lot".to_string(),
            (_, false) => format!("against {} of these", players - 1),
        },
        rows: labels.clone(),
        columns: labels,
        unit: "share of the wins".to_string(),
        share: true,
        axis: String::new(),
        layers: HeatLayer::alone(pairs.map(|(bot, other)| cell(bot, other)).collect()),
        middle: Some(fair),
        best_of: BestOf::All,
        note: match (players, payoffs.line_ups.complete) {
            (2, _) => {
                "On the diagonal a bot meets a copy of itself, so both earn half.".to_string()
            }
            (_, true) => {
                "On the diagonal a bot sits beside a copy of itself, which takes its share too."
                    .to_string()
            }
            (_, false) => {
                "On the diagonal all are copies of one bot, so each earns the equal share."
                    .to_string()
            }
        },
    };
    let mixed = lasting.iter().filter(|bot| standing(bot).mix > 0.0);
    let mixed: Vec<&usize> = mixed.collect();
    let part = |&bot: &usize| {
        let mix = standing(&bot).mix;
        Row::one(names[bot].as_str(), Estimate::normal(mix, 0.0))
    };
    let told = match lasting.len() - mixed.len() {
        0 => subtitle.to_string(),
        1 => format!("{subtitle} · 1 bot is not in it"),
        out => format!("{subtitle} · {out} bots are not in it"),
    };
    let mix = Rows {
        title: "The equilibrium mix".to_string(),
        axis: "share of the mix; when all draw their bot from it, no bot gains by deviating"
            .to_string(),
        figures: Figures::Shares,
        rows: mixed.into_iter().map(part).collect(),
        ..Rows::default()
    };
    let mut charts = vec![named("ratings", subtitle, ratings)];
    // That it is all of one bot stands beside its name in the last chart.
    if mix.rows.len() > 1 {
        charts.push(named("mix", told, mix));
    }
    charts.push(named("matrix", subtitle, matrix));
    charts.push(named("equilibrium", subtitle, equilibrium));
    charts
}

/// A share in percentage points; none where its error is not known.
fn row(label: &str, share: Estimate) -> Option<Row> {
    let known = share.se.is_finite();
    known.then(|| Row::one(label, share.scaled(100.0)))
}
