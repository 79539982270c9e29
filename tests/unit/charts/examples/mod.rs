//! Charts of example data: one of each kind looks as its golden file, and all of them, of little,
//! much and odd data, keep the laws of all charts.

mod data;

use super::Chart;
use super::canvas::Canvas;
use super::theme::Paper;
use carat_core::figure::*;
use data::*;
use expect_test::expect_file;

const TITLE: &str = "A title";
const PLAYED: &str = "Diamant · iello-2016 · 2 players · 1,000 games";
const PAPERS: [Paper; 2] = [Paper::WIDE, Paper::NARROW];

fn on(chart: &dyn Chart, paper: Paper) -> Option<Canvas> {
    let drawn = chart.canvas(PLAYED, paper);
    drawn.expect("columns that fit together")
}

fn drawn(chart: &dyn Chart) -> Canvas {
    on(chart, Paper::WIDE).unwrap_or(Canvas::new(Paper::WIDE.width, 10.0))
}

/// `UPDATE_EXPECT=1 cargo test --release golden` writes the files anew; look at the difference.
#[test]
fn charts_look_as_their_golden() {
    for (name, chart) in examples() {
        if !name.contains(':') {
            let file = format!("../../../it/golden/chart-{name}.svg");
            expect_file![&file].assert_eq(&drawn(&*chart).svg().expect("an SVG"));
            let words = drawn(&*chart).in_words();
            let start = format!("{TITLE}. {PLAYED}. ");
            assert!(
                words.starts_with(&start) && words.len() > start.len(),
                "{words}"
            );
        }
    }
}

/// No text is cut off or overlaps another on either paper; both papers show something, or neither.
#[test]
fn charts_are_readable() {
    let mut faults = Vec::new();
    for (at, (name, chart)) in examples().into_iter().enumerate() {
        let canvases = PAPERS.map(|paper| on(&*chart, paper));
        assert_eq!(canvases[0].is_some(), canvases[1].is_some(), "{name}");
        for canvas in canvases.iter().flatten() {
            let width = canvas.width;
            for fault in canvas.faults() {
                faults.push(format!("{name} (number {at}), {width} wide: {fault}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// PNG and SVG have the right size, and the same data always give the same bytes.
#[test]
fn charts_are_files() {
    for (name, chart) in examples() {
        for paper in PAPERS {
            let Some(canvas) = on(&*chart, paper) else {
                continue;
            };
            let svg = canvas.svg().expect("an SVG");
            let start = format!("<svg width=\"{}\"", paper.width);
            assert!(svg.starts_with(&start) && svg.trim_end().ends_with("</svg>"));
            let again = on(&*chart, paper).expect("the same twice");
            assert_eq!(svg, again.svg().expect("an SVG"), "{name}");
        }
        if !name.contains("sizes")
            && let Some(canvas) = on(&*chart, Paper::WIDE)
        {
            let bytes = canvas.png().expect("a PNG");
            let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
            let info = decoder.read_info().expect("a readable PNG");
            assert_eq!(f64::from(info.info().width), 2.0 * canvas.width);
            assert_eq!(f64::from(info.info().height), 2.0 * canvas.height);
        }
    }
}

#[test]
fn broken_columns_are_refused() {
    let mut grid = maps(2, 2, 2, BestOf::All);
    grid.layers[1].cells.pop();
    let mut bars = bars(&[&[1.0, 2.0]], false);
    bars.rows[0].parts.pop();
    let mut course = course(3, 5, 2, 1);
    course.remarks[0].point = 5;
    let mut around = against(2);
    around.middle = Some(f64::INFINITY);
    let mut board = board();
    board.options[0].push(99);
    let charts: [(&dyn Chart, &str); 7] = [
        (&board, "`options` has cell 99 of 16"),
        (&rows(Figures::Shares, &[f64::NAN], 0.1), "holds NaN"),
        (&grid, "`cells` has 3 entries, 4 are needed"),
        (&around, "`middle` holds inf"),
        (&bars, "parts of"),
        (&lines(1, 2, 3, f64::NAN), "values of `1 threshold"),
        (&course, "`remarks` has 0 entries, 1 are needed"),
    ];
    for (chart, words) in charts {
        let error = chart.canvas(PLAYED, Paper::WIDE).expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn values_are_printed_and_marks_explained() {
    let differences = rows(Figures::Differences, &[1.3, -0.7, 0.01], 0.1);
    let of_bots = ["14 %", "20 %", "26 %", "best: this bot greedy, "];
    let charts: [(&dyn Chart, &[&str]); 3] = [
        (&differences, &["+1.3 ± 0.1", "−0.7 ± 0.1", "0.0 ± 0.1"]),
        // No more decimals than the intervals of ± 1 %.
        (&grid(3, 4, hill), &["27"]),
        (&against(5), &of_bots),
    ];
    for (chart, wanted) in charts {
        let canvas = drawn(chart);
        let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
        for start in wanted {
            let found = texts.iter().any(|text| text.starts_with(start));
            assert!(found, "{start} in {texts:?}");
        }
    }
}

#[test]
fn texts_of_a_grid_fit_its_cells() {
    let large = drawn(&grid(27, 41, hill));
    assert!(large.texts().count() < 100, "no values in small cells");
    assert!(!large.texts().any(|text| text.upward), "numbers run across");
    let [two, twelve] = [2, 12].map(|bots| drawn(&against(bots)));
    assert!(!two.texts().any(|text| text.upward));
    assert!(twelve.texts().any(|text| text.upward), "long names run up");
}

/// A page finds each cell with its name and the options that touch it.
#[test]
fn cells_of_a_board_are_told_apart() {
    let svg = drawn(&board()).svg().expect("an SVG");
    for (cell, options) in [
        ("B2", "0 3"),
        ("C1", "3"),
        ("A1", ""),
        ("2 Ann: ore a", "1"),
    ] {
        let found =
            format!(" data-cell=\"{cell}\" data-options=\"{options}\"><title>{cell}: words");
        assert!(svg.contains(&found), "{found}");
    }
    assert!(svg.contains("A1: words &amp; &lt;words>"));
    assert_eq!(svg.matches("data-cell=").count(), board().cells().count());
}
