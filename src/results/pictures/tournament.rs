//! The charts of a tournament: the ratings, the matrix of win shares, and the equilibrium; under
//! several rules the ratings side by side, and how they shift.

use super::{all, alone, cell, rows};
use crate::figure::{BestOf, Figure, Figures, Grid, GridLayer, Row, RowLine, Rows};
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::results::words::{changes_told, equal_share, more_or_less};
use crate::sheet::Sheet;
use crate::study::tournament::Side;
use crate::tournament::LineUps;

const POINTS: &str = "percentage points of the wins";

/// The charts of a tournament with these sheets; `ranked` are the bots, the best first.
pub fn tournament(
    subtitle: &str,
    ratings: &Sheet,
    matrix: &Sheet,
    line_ups: &LineUps,
    mix_is_known: bool,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let fair = 1.0 / line_ups.players as f64;
    let order = || ranked.iter().copied();
    let rated = rows(ratings, order(), "bot", "rating", |row, rating| {
        alone(row, rating.minus(fair).scaled(100.0))
    });
    let mut lasting = Vec::new();
    for at in order() {
        let own = rows(ratings, [at], "bot", "regret", |row, regret| {
            alone(row, regret.scaled(-1.0))
        });
        let detail = format!("{} of the mix", ratings.shown("mix", at));
        lasting.extend(own.into_iter().map(|row| Row {
            detail: detail.clone(),
            ..row
        }));
    }
    let value = |row: &Row| row.lines[0].estimate.value;
    lasting.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let fair_share = format!("the equal share of {}", percent(fair, 1));
    let mix = "the mix, when all others draw from it";
    let rated = Rows::differences(
        "Who earns most among all",
        more_or_less(POINTS, &fair_share),
        rated,
    );
    let lasting = Rows::differences(
        "Each bot against the equilibrium mix",
        more_or_less(POINTS, mix),
        lasting,
    );
    let bots: Vec<String> = order().map(|bot| ratings.shown("bot", bot)).collect();
    let mut figures = vec![
        ("ratings", Figure::Rows(rated)),
        ("matrix", Figure::Grid(of_pairs(matrix, bots, line_ups))),
    ];
    if mix_is_known {
        figures.push(("equilibrium", Figure::Rows(lasting)));
    }
    all(subtitle, figures)
}

/// What one of each bot earns with each at the table.
fn of_pairs(matrix: &Sheet, bots: Vec<String>, line_ups: &LineUps) -> Grid {
    let places = |column: &str| -> Vec<Option<usize>> {
        let names = (0..matrix.height()).map(|row| matrix.shown(column, row));
        names
            .map(|name| bots.iter().position(|bot| *bot == name))
            .collect()
    };
    let mut cells = vec![None; bots.len() * bots.len()];
    let pairs = places("bot").into_iter().zip(places("against"));
    for (row, pair) in pairs.enumerate() {
        if let (Some(bot), Some(other)) = pair {
            cells[bot * bots.len() + other] = cell(matrix, "win_share", "", row);
        }
    }
    let players = line_ups.players;
    let (against, diagonal) = match (players, line_ups.complete) {
        (2, _) => ("against".to_string(), "meets a copy of itself"),
        (_, true) => (
            "beside one of these, all other seats drawn by lot".to_string(),
            "sits beside a copy of itself, which takes its share too",
        ),
        (_, false) => (
            format!("against {} of these", players - 1),
            "plays copies of itself, so each earns the equal share",
        ),
    };
    Grid {
        title: "Win rate by opponent".to_string(),
        row_axis: "share of".to_string(),
        column_axis: against,
        rows: bots.clone(),
        columns: bots,
        unit: "share of the wins".to_string(),
        share: true,
        axis: String::new(),
        layers: GridLayer::alone(cells),
        middle: Some(1.0 / players as f64),
        best_of: BestOf::All,
        note: format!("On the diagonal a bot {diagonal}."),
    }
}

pub fn tournament_sides(
    subtitle: &str,
    sheets: [&Sheet; 2],
    sides: &[Side],
    players: usize,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let mut labels = Vec::new();
    for side in sides {
        labels.push(match side.set.as_slice() {
            [] => format!("{}: {}", side.name, side.rules.name),
            set => format!("{}: {}", side.name, changes_told(set)),
        });
    }
    let bots = ranked.len();
    let by_side = |row: usize, estimate| RowLine::of(row / bots, estimate);
    let of_bots = |sides: usize, sheet: &Sheet, value: &str| {
        let order = super::by_side(ranked, sides);
        rows(sheet, order, "bot", value, by_side)
    };
    let ratings = Rows {
        title: "Who earns most under which rules".to_string(),
        axis: "share of the wins".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(players)),
        key: labels.clone(),
        rows: of_bots(sides.len(), sheets[0], "rating"),
        ..Rows::default()
    };
    // Colours stand for sides where several are compared with the first.
    let key = labels.split_off(if labels.len() == 2 { 2 } else { 1 });
    let axis = more_or_less(POINTS, &format!("under {}", sides[0].name));
    let rows = of_bots(sides.len() - 1, sheets[1], "shift");
    let title = "How the change of rules shifts who is good";
    let shifts = Rows {
        key,
        ..Rows::differences(title, axis, rows)
    };
    let below = format!("{subtitle} · {}", labels.join(" · "));
    vec![
        NamedChart::new("ratings", subtitle, Figure::Rows(ratings)),
        NamedChart::new("shifts", &below, Figure::Rows(shifts)),
    ]
}
