//! Example data of little, much and odd charts of each kind.

use super::TITLE;
use crate::Chart;
use carat_core::figure::board::*;
use carat_core::figure::*;
use carat_core::statistics::{Estimate, Z95};

/// Bot names from short to longer than any column.
const BOTS: [&str; 8] = [
    "1 threshold:target=8",
    "2 last-out",
    "odds",
    "a-very-long-bot-name:with=1.2345,many=6,parameters=7.891,yes=1",
    "greedy",
    "threshold:target=15,nerve=2",
    "wait_for_it",
    "Ärger & Söhne <no spaces, just trouble and more of that, sorry>",
];

/// Names and charts; names without a remark after a colon have a golden file.
pub fn examples() -> Vec<(&'static str, Box<dyn Chart>)> {
    let mut all = named(all_rows());
    all.extend(named(all_grids()));
    all.extend(named(all_lines()));
    all.extend(named(all_bars()));
    all.extend(named(all_densities()));
    all.extend(named(all_boards()));
    let small = |chart: Rows| Rows {
        title: "A small one".to_string(),
        ..chart
    };
    let three = [0.1, 12.0, 3.0].map(|size| small(steps(&[(size, -size), (0.0, size)], 0.2)));
    let multiples = |charts| Multiples {
        title: TITLE.to_string(),
        charts,
        ..Multiples::default()
    };
    let both = [("multiples", three.into()), ("multiples: none", vec![])];
    all.extend(named(
        both.map(|(name, charts)| (name, multiples(charts))).into(),
    ));
    all
}

fn named<T: Chart + 'static>(all: Vec<(&'static str, T)>) -> Vec<(&'static str, Box<dyn Chart>)> {
    let boxed = |(name, chart): (&'static str, T)| (name, Box::new(chart) as Box<dyn Chart>);
    all.into_iter().map(boxed).collect()
}

pub fn bot(seat: usize) -> String {
    BOTS[seat % BOTS.len()].to_string()
}

pub fn numbers(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|number| number.to_string()).collect()
}

/// An estimate with half the width of its interval.
pub fn estimate(value: f64, half: f64) -> Estimate {
    Estimate {
        low: value - half,
        high: value + half,
        ..Estimate::normal(value, half / Z95)
    }
}

pub fn rows(figures: Figures, values: &[f64], half: f64) -> Rows {
    let mut rows = Vec::new();
    for (seat, value) in values.iter().enumerate() {
        let mut estimate = estimate(*value, half);
        if figures == Figures::Shares {
            (estimate.low, estimate.high) = (estimate.low.max(0.0), estimate.high.min(1.0));
        }
        rows.push(Row::of(bot(seat), seat, estimate));
    }
    let level = (1.0 / values.len().max(1) as f64, "equal share".to_string());
    Rows {
        title: TITLE.to_string(),
        axis: "what the values are".to_string(),
        figures,
        level: Some(level).filter(|_| figures == Figures::Shares),
        rows,
        ..Rows::default()
    }
}

/// Rows of two steps each.
pub fn steps(values: &[(f64, f64)], half: f64) -> Rows {
    let step = |to: &str, value: f64, seat: usize| RowLine {
        seat,
        name: to.to_string(),
        estimate: estimate(value, half),
    };
    let mut chart = rows(Figures::Changes, &vec![0.0; values.len()], half);
    for (row, (down, up)) in chart.rows.iter_mut().zip(values) {
        row.lines = vec![step("down to 11", *down, 1), step("up to 13", *up, 0)];
    }
    chart.note = "No step of this changes anything: reach.".to_string();
    chart
}

fn all_rows() -> Vec<(&'static str, Rows)> {
    use Figures::{Differences, Shares, Values};
    let mut values = rows(Values, &[12.0, -3.5, 40.0], 0.5);
    for row in &mut values.rows {
        row.detail = "what this bot does, in words that three lines do not have room for".repeat(3);
    }
    let mut sides = rows(Differences, &[1.5, -0.2, 12.0], 0.1);
    for row in &mut sides.rows {
        let half = row.lines[0].estimate.scaled(-0.5);
        row.lines.push(RowLine::of(2, half));
    }
    let long = "d: a long name, and longer still, with all that it changes in the rules of a game";
    sides.key = ["b: traps.snake=4", "c: players=3", long]
        .map(str::to_string)
        .into();
    let mut grouped = rows(Differences, &[0.5; 6], 0.1);
    for (index, row) in grouped.rows.iter_mut().enumerate() {
        row.group = format!("{} players", 4 + index / 3);
    }
    let mut alone = steps(&[(0.0, 0.0)], 0.0);
    alone.rows[0].lines.clear();
    let mut all = vec![
        ("rows: values", values),
        ("differences: sides", sides),
        ("differences: groups", grouped),
        ("changes: nothing", alone),
    ];
    let five = [0.231, 0.2, 0.199, 0.187, 0.183];
    let zeros = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for (name, figures, values, half) in [
        ("rows", Shares, &[0.6, 0.4][..], 0.03),
        ("rows: none", Shares, &[], 0.0),
        ("rows: all", Shares, &[1.0], 0.0),
        ("rows: unsure", Shares, &[0.5, 0.5], 0.2),
        ("rows: five", Shares, &five, 0.001),
        ("rows: zeros", Shares, &zeros, 0.0),
        ("rows: many", Shares, &[0.125; 30], 0.000_4),
        ("differences", Differences, &[1.3, -0.1], 0.2),
        ("differences: zero", Differences, &[0.0], 0.0),
        ("differences: large", Differences, &[12_345.0, -0.5], 3.0),
        ("differences: small", Differences, &[0.001; 12], 0.000_4),
    ] {
        all.push((name, rows(figures, values, half)));
    }
    for (name, values, half) in [
        ("changes", &[(-1.3, -0.4), (0.05, -2.1)][..], 0.2),
        ("changes: zero", &[(0.0, 0.0)], 0.0),
        ("changes: large", &[(-1.5, 0.4), (-0.2, -9000.0)], 0.1),
        ("changes: many", &[(-0.001, 0.002); 20], 0.000_4),
    ] {
        all.push((name, steps(values, half)));
    }
    all
}

pub fn grid(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Grid {
    let all = 0..rows * columns;
    let values: Vec<f64> = all.map(|at| value(at / columns, at % columns)).collect();
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let cell = |&value: &f64| GridCell {
        value,
        within: Some(0.01),
        mark: match best - value {
            0.0 => Mark::Best,
            less if less < 0.01 => Mark::Tied,
            _ => Mark::None,
        },
    };
    let cells = values.iter().map(|value| Some(cell(value)));
    Grid {
        title: TITLE.to_string(),
        row_axis: "seats.1.target".to_string(),
        column_axis: "seats.1.patience".to_string(),
        rows: numbers(0, rows),
        columns: numbers(10, 10 + columns),
        unit: "win share".to_string(),
        share: true,
        layers: vec![GridLayer {
            cells: cells.collect(),
            ..GridLayer::default()
        }],
        ..Grid::default()
    }
}

pub fn hill(row: usize, column: usize) -> f64 {
    let (x, y) = (row as f64 - 6.3, column as f64 - 9.2);
    0.3 - 0.001 * (x * x + 0.4 * y * y)
}

pub fn against(bots: usize) -> Grid {
    let names: Vec<String> = (0..bots).map(bot).collect();
    Grid {
        row_axis: "this bot".to_string(),
        column_axis: "against this bot".to_string(),
        rows: names.clone(),
        columns: names,
        middle: Some(0.2),
        ..grid(bots, bots, |row, column| {
            0.2 + 0.015 * (row as f64 - column as f64)
        })
    }
}

/// Several maps, with the best of each family of cells.
pub fn maps(count: usize, rows: usize, columns: usize, best_of: BestOf) -> Grid {
    let cell = |map: usize, at: usize| GridCell {
        value: 0.3 + 0.01 * ((7 * at + 3 * map) % 11) as f64,
        within: None,
        mark: match (at, map) {
            (2, 0) => Mark::Best,
            (2, _) if best_of != BestOf::All => Mark::Best,
            (1, _) => Mark::Tied,
            _ => Mark::None,
        },
    };
    let layer = |map: usize| GridLayer {
        name: bot(map),
        cells: (0..rows * columns)
            .map(|at| (at != 4).then_some(cell(map, at)))
            .collect(),
    };
    Grid {
        axis: "number of players".to_string(),
        layers: (0..count).map(layer).collect(),
        best_of,
        ..grid(rows, columns, hill)
    }
}

fn all_grids() -> Vec<(&'static str, Grid)> {
    let level = grid(4, 4, |_, _| 0.25);
    let mut unknown = level.clone();
    unknown.layers[0].cells.fill(None);
    let mut points = grid(9, 9, |row, column| -1e5 * (row * column) as f64);
    points.share = false;
    let mut middle = level.clone();
    middle.middle = Some(0.9);
    let rising = |row: usize, column: usize| 0.4 + 0.01 * (9 * row + column) as f64;
    let mut all = vec![
        ("grid", grid(2, 9, rising)),
        ("grid: level", level),
        ("grid: middle", middle),
        ("grid: unknown", unknown),
        ("grid: points", points),
        ("grids", maps(3, 2, 3, BestOf::Map)),
        ("grids: none", maps(2, 0, 0, BestOf::All)),
        ("grids: many", maps(12, 2, 40, BestOf::Map)),
    ];
    let rows = [0, 3, 1, 2, 2, 40, 41, 27];
    for (rows, columns) in rows.into_iter().zip([0, 0, 1, 2, 40, 2, 27, 41]) {
        all.push(("grid: sizes", grid(rows, columns, hill)));
    }
    for best_of in [BestOf::All, BestOf::Map, BestOf::Rows, BestOf::Columns] {
        for [count, rows, columns] in [[0, 2, 2], [1, 3, 3], [3, 2, 3], [4, 3, 5], [5, 6, 20]] {
            all.push(("grids: sizes", maps(count, rows, columns, best_of)));
        }
    }
    all.extend([1, 2, 5, 12, 15, 70].map(|bots| ("grid: bots", against(bots))));
    all
}

/// Lines of `seats` bots over `places` places, in several panels.
pub fn lines(panels: usize, seats: usize, places: usize, half: f64) -> Lines {
    let line = |seat: usize| {
        let mut points = Vec::new();
        for at in 0..places {
            let grown = 1.0 - (-(at as f64) / 9.0).exp();
            let value = (0.1 + 0.1 * seat as f64) * (grown + 0.1 * (at as f64).sin());
            points.push((at as f64 + 1.0, estimate(value, half / (at as f64 + 1.0))));
        }
        Line {
            label: bot(seat),
            seat,
            points,
            ..Line::default()
        }
    };
    let panel = |index: usize| Panel {
        heading: format!("Panel {index}, with a heading of some words"),
        include: vec![0.0],
        lines: (0..seats).map(line).collect(),
        ..Panel::default()
    };
    Lines {
        title: TITLE.to_string(),
        x_title: "round".to_string(),
        panels: (0..panels).map(panel).collect(),
        note: "A remark.".to_string(),
        ..Lines::default()
    }
}

/// Running estimates over games, on a logarithmic scale.
pub fn running(seats: usize, checkpoints: usize) -> Lines {
    let mut chart = lines(1, seats, checkpoints, 0.2);
    chart.x_ticks = Ticks::Logarithmic;
    let panel = &mut chart.panels[0];
    (panel.share, panel.include) = (true, Vec::new());
    for line in &mut panel.lines {
        line.detail = "23.4 ± 0.1 %".to_string();
        for (at, point) in line.points.iter_mut().enumerate() {
            point.0 = f64::from(1000 << at.min(20));
        }
    }
    chart
}

/// Steps with remarks, over named sections.
pub fn course(seats: usize, moments: usize, sections: usize, remarks: usize) -> Lines {
    let mut chart = lines(1, seats, moments, 0.1);
    for line in &mut chart.panels[0].lines {
        line.shape = LineShape::Steps;
        line.detail = "20 % at first, 40 % in the end".to_string();
    }
    let place = |section: usize| (section * moments / sections.max(1)) as f64;
    let name = |section: usize| match section {
        0 => "set-up".to_string(),
        number => number.to_string(),
    };
    chart.x_ticks = Ticks::At((0..sections).map(|at| (place(at), name(at))).collect());
    let remark = |at: usize| PointRemark {
        line: at % seats,
        point: moments / 2 + at,
        text: format!("{}, round 3, move {at}: stay; better: leave", bot(at)),
    };
    chart.remarks = (0..remarks).map(remark).collect();
    chart
}

/// A curve with its best points, and a level.
pub fn response(values: &[f64], half: f64) -> Lines {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let mut dots = Line::dots("best: 6", 1);
    dots.detail = "31.0 ± 2.0 %".to_string();
    let mut curve = Line::default();
    for (at, value) in values.iter().enumerate() {
        let point = (at as f64 + 4.0, estimate(*value, half));
        curve.points.push(point);
        if best - value < 0.015 {
            dots.points.push(point);
        }
    }
    let ticks = curve.points.iter().map(|(x, _)| (*x, x.to_string()));
    Lines {
        title: TITLE.to_string(),
        x_title: "seats.1.target".to_string(),
        x_ticks: Ticks::At(ticks.collect()),
        panels: vec![Panel {
            heading: "Win share, with 95 % band; dashed: equal share 20 %".to_string(),
            share: true,
            levels: vec![0.2],
            lines: vec![curve, dots],
            ..Panel::default()
        }],
        ..Lines::default()
    }
}

fn all_lines() -> Vec<(&'static str, Lines)> {
    let mut level = lines(2, 3, 5, 0.0);
    for line in level.panels.iter_mut().flat_map(|panel| &mut panel.lines) {
        let points = line.points.iter_mut();
        points.for_each(|point| point.1 = estimate(0.0, 0.0));
    }
    vec![
        ("lines", lines(2, 2, 8, 0.0)),
        ("lines: four", lines(4, 4, 40, 2.0)),
        ("lines: eight", lines(1, 8, 3, 0.01)),
        ("lines: long", lines(3, 6, 200, 0.0)),
        ("lines: a point", lines(2, 2, 1, 1.0)),
        ("lines: level", level),
        ("lines: no places", lines(2, 2, 0, 1.0)),
        ("lines: no lines", lines(1, 0, 5, 1.0)),
        ("lines: no panels", lines(0, 0, 5, 1.0)),
        ("running", running(2, 6)),
        ("running: one", running(1, 1)),
        ("running: eight", running(8, 20)),
        ("course", course(2, 6, 2, 2)),
        ("course: none", course(0, 5, 1, 0)),
        ("course: short", course(1, 2, 1, 1)),
        ("course: five", course(5, 140, 5, 5)),
        ("course: long", course(4, 600, 60, 12)),
        ("course: no sections", course(8, 20, 0, 0)),
        ("response", response(&[0.2, 0.3, 0.31, 0.28], 0.02)),
        ("response: one", response(&[0.2], 0.01)),
        ("response: flat", response(&[0.5; 40], 0.01)),
    ]
}

pub fn bars(rows: &[&[f64]], ordered: bool) -> Bars {
    let parts = rows.first().map_or(4, |row| row.len());
    let row = |(seat, parts): (usize, &&[f64])| Bar {
        label: bot(seat),
        parts: parts.to_vec(),
    };
    Bars {
        title: TITLE.to_string(),
        unit: "points".to_string(),
        parts: (0..parts)
            .map(|part| format!("part number {part}"))
            .collect(),
        rows: rows.iter().enumerate().map(row).collect(),
        ordered,
        decimals: 1,
    }
}

fn all_bars() -> Vec<(&'static str, Bars)> {
    let eight = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|length| [length; 8]);
    let eight = eight.each_ref().map(|row| &row[..]);
    let four: [&[f64]; 2] = [&[12.0, 3.5, 0.2, 0.0], &[8.0, 0.0, 4.1, 2.2]];
    vec![
        ("bars", bars(&[&[8.0, 3.5], &[8.0, 3.5]], false)),
        ("bars: four", bars(&four, true)),
        ("bars: eight", bars(&eight, false)),
        ("bars: none", bars(&[], false)),
        ("bars: zeros", bars(&[&[0.0, 0.0], &[0.0, 0.0]], false)),
        ("bars: small", bars(&[&[0.001], &[0.0]], false)),
    ]
}

pub fn density(rows: Vec<Vec<u64>>) -> Density {
    let row = |(seat, games): (usize, Vec<u64>)| DensityRow {
        label: bot(seat),
        games,
    };
    Density {
        title: TITLE.to_string(),
        axis: "rubies at the end of a game".to_string(),
        unit: "rubies".to_string(),
        rows: rows.into_iter().enumerate().map(row).collect(),
        ..Density::default()
    }
}

pub fn bell(mean: f64, width: f64, zeros: u64) -> Vec<u64> {
    let mut games = vec![zeros];
    for score in 1..160 {
        let z = (f64::from(score) - mean) / width;
        games.push((40_000.0 * (-0.5 * z * z).exp()) as u64);
    }
    games
}

/// All games have one of these numbers.
pub fn only(numbers: &[usize]) -> Vec<u64> {
    let mut games = vec![0; 1000];
    numbers.iter().for_each(|number| games[*number] = 1);
    games
}

fn all_densities() -> Vec<(&'static str, Density)> {
    let far = vec![only(&[0, 900]), bell(40.0, 12.0, 0)];
    let cut = (0..5).map(|seat| bell(30.0 + 5.0 * f64::from(seat), 10.0, 9_000));
    let cut_far = (0..8).map(|seat| bell(20.0, 4.0 + f64::from(seat), 100_000));
    let all = [
        ("density", vec![(1..=40).rev().collect(); 2]),
        ("density: none", vec![]),
        ("density: no games", vec![vec![]]),
        ("density: one number", vec![only(&[7])]),
        ("density: far", far),
        ("density: no games of one", vec![only(&[5]), vec![]]),
        ("density: one row", vec![bell(40.0, 12.0, 0)]),
        ("density: cut", cut.collect()),
        ("density: cut far", cut_far.collect()),
    ];
    let mut all = Vec::from(all.map(|(name, rows)| (name, density(rows))));
    for (name, games) in [
        ("density: scaled", bell(40.0, 12.0, 0)),
        ("density: few scaled", only(&[1, 3])),
    ] {
        let scale = Some((-2.0, 0.05));
        all.push((
            name,
            Density {
                scale,
                ..density(vec![games])
            },
        ));
    }
    all
}

/// A board with cells and pieces of every kind.
pub fn board() -> Board {
    use {CellKind::*, PieceKind::*};
    let pawn = |seat, to| Pawn { seat, to };
    let spot = |name: &str, kind, ways: &[u8]| {
        let ways = ways.to_vec();
        Cell {
            ways,
            ..Cell::new(name, "words & <words>")
        }
        .of_kind(kind)
    };
    let grid = [
        spot("A1", Open, &[0, 1])
            .with(Card, "t")
            .with(HiddenPrize, ""),
        spot("B1", Open, &[2, 3])
            .with(Card, "t")
            .with(pawn(0, Some(2)), 1),
        spot("C1", FaceDown, &[]).with(Prize, ""),
        spot("A2", Open, &[1, 3])
            .with(Card, "t")
            .with(pawn(7, Some(3)), 8),
        spot("B2", Asked, &[]),
        spot("C2", FaceDown, &[0, 2])
            .with(Prize, "")
            .with(Card, "t"),
        spot("A3", Empty, &[]),
        spot("B3", FaceDown, &[]),
        spot("C3", FaceDown, &[1, 2]).with(Card, "t"),
    ];
    let loose = Cell::new("2 Ann: ore a", "words").with(Card, "ore a");
    let pile = Cell::new("2 Ann: [shovel]", "words")
        .with(Card, "ore a")
        .with(Card, "ore b");
    let prizes = Cell::new("2 Ann: diamond", "words")
        .with(Prize, "diamond")
        .times(2);
    let inside = Cell::new("1 Ann", "words")
        .with(pawn(0, None), 1)
        .with(Treasure, "holds 5");
    let mut board = Board {
        title: TITLE.to_string(),
        links: vec![[0, 1]],
        options: vec![vec![4], vec![9, 10], vec![], vec![4, 2]],
        ..Board::default()
    };
    board.add("cave", 3, grid);
    let pile = pile.with(Danger, "snake").with(Treasure, "shovel");
    board.add("2 Ann", 0, [loose.times(3), pile, prizes]);
    board.add("none", 0, []);
    board.add(
        "planned",
        0,
        [Cell::new(
            "first",
            "a card that is long enough to be wrapped",
        )],
    );
    board.add(
        "deck",
        0,
        [Cell::new("deck", "12 cards").of_kind(FaceDown).times(12)],
    );
    board.add(
        "players",
        0,
        [inside, Cell::new("2 Ben", "words").of_kind(Empty)],
    );
    board
}

fn all_boards() -> Vec<(&'static str, Board)> {
    let mut long = board();
    let many = long.areas[1].cells.clone();
    long.areas[1].cells = std::iter::repeat_n(many, 9).flatten().collect();
    long.links.clear();
    for area in &mut long.areas {
        for cell in &mut area.cells {
            (cell.name, cell.words) = (bot(3), format!("{} {}", bot(7), bot(7)));
            if area.columns == 0 {
                cell.pieces.iter_mut().for_each(|piece| piece.text = bot(7));
            }
        }
    }
    let mut wide = board();
    let spots = wide.areas[0].cells[..3].to_vec();
    wide.areas[0].columns = 9;
    wide.areas[0].cells = std::iter::repeat_n(spots, 27).flatten().collect();
    vec![
        ("board", board()),
        ("board: long", long),
        ("board: wide", wide),
        ("board: none", Board::default()),
    ]
}
