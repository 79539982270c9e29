//! The charts of a tournament: the ratings, the matrix of win shares, and the equilibrium; under
//! several rules the ratings side by side, and how they shift.

use super::{alone, named, rows, shown};
use crate::figure::{BestOf, Figures, Grid, GridCell, GridLayer, Mark, Row, RowLine, Rows};
use crate::numbers::percent;
use crate::results::NamedChart;
use crate::results::words::{changes_told, equal_share, more_or_less};
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::tournament::Played;
use crate::tournament::{Payoffs, beside};

const POINTS: &str = "percentage points of the wins";

/// The charts of a tournament with these sheets; `ranked` are the bots, the best first.
pub fn tournament(
    subtitle: &str,
    sheets: &[Sheet],
    payoffs: &Payoffs,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let fair = 1.0 / payoffs.line_ups.players as f64;
    let [ratings, ..] = sheets else {
        return Vec::new();
    };
    let rated = rows(
        ratings,
        ranked.iter().copied(),
        "bot",
        "rating",
        |row, rating| alone(row, rating.minus(fair).scaled(100.0)),
    );
    let mut lasting = rows(
        ratings,
        ranked.iter().copied(),
        "bot",
        "regret",
        |row, regret| alone(row, regret.scaled(-1.0)),
    );
    for row in &mut lasting {
        let at = (0..ratings.height()).find(|at| shown(ratings, "bot", *at) == row.label);
        let mix = at.map_or(String::new(), |at| shown(ratings, "mix", at));
        row.detail = format!("{mix} of the mix");
    }
    let value = |row: &Row| row.lines[0].estimate.value;
    lasting.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let fair_share = format!("the equal share of {}", percent(fair, 1));
    let mix = "the mix, when all others draw from it";
    vec![
        named(
            "ratings",
            subtitle,
            Rows::differences(
                "Who earns most among all",
                more_or_less(POINTS, &fair_share),
                rated,
            ),
        ),
        named("matrix", subtitle, matrix(payoffs, ratings, ranked)),
        named(
            "equilibrium",
            subtitle,
            Rows::differences(
                "Each bot against the equilibrium mix",
                more_or_less(POINTS, mix),
                lasting,
            ),
        ),
    ]
}

fn matrix(payoffs: &Payoffs, ratings: &Sheet, ranked: &[usize]) -> Grid {
    let players = payoffs.line_ups.players;
    let fair = 1.0 / players as f64;
    let labels: Vec<String> = ranked
        .iter()
        .map(|&bot| shown(ratings, "bot", bot))
        .collect();
    let mut cells = Vec::new();
    for &bot in ranked {
        for &other in ranked {
            let estimate = beside(payoffs, bot, other);
            cells.push(estimate.map(|estimate| GridCell {
                value: estimate.value,
                within: (estimate.se.is_finite()).then(|| estimate.half_width()),
                mark: Mark::None,
            }));
        }
    }
    Grid {
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
        layers: GridLayer::alone(cells),
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
    }
}

/// The charts of a tournament under several rules.
pub fn tournament_sides(
    subtitle: &str,
    sheets: &[Sheet],
    played: &Played,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let sides = &played.resolved.sides;
    let [ratings, shifts, ..] = sheets else {
        return Vec::new();
    };
    let labels: Vec<String> = (sides.iter())
        .map(|side| match side.set.as_slice() {
            [] => format!("{}: {}", side.name, side.rules.name),
            set => format!("{}: {}", side.name, changes_told(set)),
        })
        .collect();
    let bots = ranked.len();
    let order = |sides: usize| {
        let bots_of = move |bot: &usize| {
            let bot = *bot;
            (0..sides).map(move |side| side * bots + bot)
        };
        ranked.iter().flat_map(bots_of).collect::<Vec<_>>()
    };
    let rated = rows(
        ratings,
        order(sides.len()),
        "bot",
        "rating",
        |row, rating: Estimate| RowLine::of(row / bots, rating),
    );
    let shifted = rows(
        shifts,
        order(sides.len() - 1),
        "bot",
        "shift",
        |row, shift| RowLine::of(row / bots, shift),
    );
    let ratings = Rows {
        title: "Who earns most under which rules".to_string(),
        axis: "share of the wins".to_string(),
        figures: Figures::Shares,
        level: Some(equal_share(played.fields[0].payoffs.line_ups.players)),
        key: labels.clone(),
        rows: rated,
        ..Rows::default()
    };
    // Colours stand for sides where several are compared with the first.
    let (below, key) = match labels.len() {
        2 => (&labels[..], Vec::new()),
        _ => (&labels[..1], labels[1..].to_vec()),
    };
    let axis = more_or_less(POINTS, &format!("under {}", sides[0].name));
    let shifts = Rows {
        key,
        ..Rows::differences("How the change of rules shifts who is good", axis, shifted)
    };
    vec![
        named("ratings", subtitle, ratings),
        named(
            "shifts",
            format!("{subtitle} · {}", below.join(" · ")),
            shifts,
        ),
    ]
}
