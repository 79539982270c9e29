//! Examples of charts of cells.

use super::{BOTS, Examples, TITLE, drawn, label, texts};
use crate::charts::heat_map::{BestOf, HeatCell, HeatLayer, HeatMap, Mark};
use crate::figure::Card;

fn map(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> HeatMap {
    let values: Vec<f64> = (0..rows * columns)
        .map(|i| value(i / columns, i % columns))
        .collect();
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let cell = |&value: &f64| {
        let mark = Mark::of(value == best, best - value < 0.01);
        Some(HeatCell {
            value,
            within: Some(0.01),
            mark,
        })
    };
    HeatMap {
        title: TITLE.into(),
        row_axis: "seats.1.target".into(),
        column_axis: "seats.1.patience".into(),
        rows: (0..rows).map(|row| row.to_string()).collect(),
        columns: (0..columns)
            .map(|i| format!("{:.2}", 0.25 * i as f64))
            .collect(),
        unit: "win share".into(),
        share: true,
        axis: String::new(),
        layers: HeatLayer::alone(values.iter().map(cell).collect()),
        middle: None,
        best_of: BestOf::All,
        note: String::new(),
    }
}

fn hill(row: usize, column: usize) -> f64 {
    let (x, y) = (row as f64 - 6.3, column as f64 - 9.2);
    0.3 - 0.001 * (x * x + 0.4 * y * y)
}

fn bots(many: usize) -> HeatMap {
    let names: Vec<String> = (0..many).map(label).collect();
    HeatMap {
        row_axis: "this bot".into(),
        column_axis: "against this bot".into(),
        rows: names.clone(),
        columns: names,
        middle: Some(0.2),
        ..map(many, many, |row, column| {
            0.2 + 0.015 * (row as f64 - column as f64)
        })
    }
}

pub fn card() -> Examples {
    let chart = |columns: usize, tables: usize| {
        let row = |row: usize| -> Vec<Option<f32>> {
            let bound = |column: usize| (30 - 4 * row).checked_sub(3 * column);
            (0..columns)
                .map(|column| bound(column).map(|bound| bound as f32))
                .collect()
        };
        Card {
            title: TITLE.into(),
            how: texts([
                "Count what you carry and what lies on the path.",
                "Leave when it is enough.",
            ]),
            sides: ["traps out".into(), "inside".into()],
            rows: texts(["none", "1", "2", "3", "4"]),
            columns: (1..=columns).map(|number| number.to_string()).collect(),
            tables: vec![
                (
                    "Before the last expedition, another chest being as full".into(),
                    (0..5).map(row).collect()
                );
                tables
            ],
            note: "It wins as much as it can.".into(),
        }
    };
    let mut broken = chart(3, 2);
    broken.columns.pop();
    Examples::of(
        "card",
        chart(4, 3),
        vec![chart(2, 1), chart(8, 4), chart(12, 2)],
    )
    .refusing(broken, "has 3 entries, 2 are needed")
    .saying(chart(4, 1), &["30", "inside", "none"])
}

pub fn heat_map() -> Examples {
    let mut golden = HeatMap {
        rows: texts(BOTS),
        columns: (0..9)
            .map(|i| format!("{} threshold:target={i}", i + 1))
            .collect(),
        middle: Some(0.5),
        layers: map(2, 9, |row, column| 0.4 + 0.01 * (9 * row + column) as f64).layers,
        ..bots(0)
    };
    for (at, mark) in [(15, Mark::Tied), (16, Mark::Tied), (17, Mark::Best)] {
        golden.layers[0].cells[at] =
            golden.layers[0].cells[at].map(|cell| HeatCell { mark, ..cell });
    }
    golden.layers[0].cells[9] = None;
    let level = map(4, 4, |_, _| 0.25);
    let around = |middle| HeatMap {
        middle: Some(middle),
        ..level.clone()
    };
    let mut unknown = level.clone();
    unknown.layers[0].cells.fill(None);
    let mut points = map(9, 9, |row, column| -1e5 * (row * column) as f64);
    points.share = false;
    let mut others = vec![around(0.25), around(0.9), unknown, points, level.clone()];
    let sizes = [
        (0, 0),
        (3, 0),
        (1, 1),
        (2, 2),
        (2, 40),
        (40, 2),
        (41, 27),
        (27, 41),
    ];
    others.extend(sizes.map(|(rows, columns)| map(rows, columns, hill)));
    others.extend([1, 2, 5, 12, 15, 70].map(bots));
    let (mut short, mut blank) = (map(3, 3, hill), map(3, 3, hill));
    short.layers[0].cells.pop();
    blank.layers[0].cells[4] = None;
    Examples::of("heat_map", golden, others)
        .refusing(short, "9 are needed")
        .refusing(map(2, 2, |_, _| f64::NAN), "`cells` holds NaN")
        .refusing(around(f64::INFINITY), "`middle` holds inf")
        .saying(map(3, 4, hill), &["26.61"])
        .saying(
            bots(5),
            &["14.0 %", "20.0 %", "26.0 %", "best: this bot greedy, "],
        )
        .saying(blank, &["not known"])
}

#[test]
fn texts_of_a_map_fit_its_cells() {
    let large = drawn(&map(27, 41, hill));
    assert!(large.texts().count() < 100, "no values in small cells");
    assert!(!large.texts().any(|text| text.upward), "numbers run across");
    let [two, five, twelve] = [2, 5, 12].map(|many| drawn(&bots(many)));
    assert!(!two.texts().any(|text| text.upward));
    assert!(twelve.texts().any(|text| text.upward), "long names run up");
    let told = |start, end| {
        let mut texts = five.texts().map(|text| text.text.as_str());
        texts.any(|text| text.starts_with(start) && text.contains(end))
    };
    assert!(told("best: ", "26.0 %") && !told("", "cannot be told"));
}

pub fn heat_maps() -> Examples {
    let chart = |maps: usize, rows: usize, columns: usize, best_of: BestOf| {
        let cell = |map: usize, at: usize| {
            let value = 0.3 + 0.01 * ((7 * at + 3 * map) % 11) as f64;
            let mark = match (at, map) {
                (2, _) if best_of != BestOf::All => Mark::Best,
                (2, 0) => Mark::Best,
                (1, _) => Mark::Tied,
                _ => Mark::None,
            };
            (at != 4).then_some(HeatCell {
                value,
                within: None,
                mark,
            })
        };
        let layer = |index| HeatLayer {
            name: label(index),
            cells: (0..rows * columns).map(|at| cell(index, at)).collect(),
        };
        HeatMap {
            row_axis: "rounds".into(),
            column_axis: "target of threshold (seat 1)".into(),
            rows: (3..3 + rows).map(|row| row.to_string()).collect(),
            columns: (6..6 + columns).map(|column| column.to_string()).collect(),
            unit: "share of the wins".into(),
            axis: "number of players".into(),
            layers: (0..maps).map(layer).collect(),
            best_of,
            ..map(rows, columns, hill)
        }
    };
    let mut others = vec![chart(2, 0, 0, BestOf::All), chart(12, 2, 40, BestOf::Map)];
    for (maps, rows, columns) in [(0, 2, 2), (1, 3, 3), (3, 2, 3), (4, 3, 5), (5, 6, 20)] {
        let all = [BestOf::All, BestOf::Map, BestOf::Rows, BestOf::Columns];
        others.extend(all.map(|best_of| chart(maps, rows, columns, best_of)));
    }
    let mut short = chart(2, 2, 2, BestOf::All);
    short.layers[1].cells.pop();
    Examples::of("heat_maps", chart(3, 2, 3, BestOf::Map), others).refusing(short, "cells")
}
