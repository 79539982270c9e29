//! All charts on example data: each looks as its golden file, and keeps the laws of all charts.
//!
//! A kind of chart is an entry of [`ALL`].

use super::canvas::Canvas;
use super::theme::Paper;
use super::{Chart, check_column};
use crate::statistics::Estimate;
use expect_test::expect_file;

mod bars;
mod curves;
mod grids;
mod rows;

/// What the tests know of a kind of chart.
struct Examples {
    /// The name of its file.
    name: &'static str,
    /// What its golden file shows.
    golden: Box<dyn Chart>,
    /// Charts of little, much, long and odd data.
    others: Vec<Box<dyn Chart>>,
    /// Charts with broken columns, and with what words they are refused.
    refused: Vec<(Box<dyn Chart>, &'static str)>,
    /// How some texts on a chart begin.
    says: Vec<(Box<dyn Chart>, Vec<&'static str>)>,
}

impl Examples {
    fn of<C: Chart + 'static>(name: &'static str, golden: C, others: Vec<C>) -> Examples {
        let boxed = |chart| -> Box<dyn Chart> { Box::new(chart) };
        Examples {
            name,
            golden: Box::new(golden),
            others: others.into_iter().map(boxed).collect(),
            refused: Vec::new(),
            says: Vec::new(),
        }
    }

    /// Tells with what words a chart with a broken column is refused.
    fn refusing(mut self, broken: impl Chart + 'static, words: &'static str) -> Examples {
        self.refused.push((Box::new(broken), words));
        self
    }

    /// Tells how some texts on a chart begin.
    fn saying(mut self, chart: impl Chart + 'static, texts: &[&'static str]) -> Examples {
        self.says.push((Box::new(chart), texts.to_vec()));
        self
    }
}

const ALL: [fn() -> Examples; 16] = [
    grids::card,
    rows::rows,
    rows::differences,
    rows::changes,
    rows::scores,
    rows::stacked_bars,
    rows::strips,
    grids::heat_map,
    grids::heat_maps,
    curves::convergence,
    curves::response,
    curves::lines,
    curves::leaving,
    curves::course,
    bars::histogram,
    bars::shares,
];

const TITLE: &str = "A title";
const PLAYED: &str = "Diamant · iello-2016 · 2 players · 1,000 games";
/// Two bots at a table.
const BOTS: [&str; 2] = ["1 threshold:target=8", "2 last-out"];

/// Texts as a chart takes them.
fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_string).to_vec()
}

/// An estimate with half the width of its interval.
fn estimate(value: f64, half: f64) -> Estimate {
    Estimate {
        value,
        se: half / crate::statistics::Z95,
        low: value - half,
        high: value + half,
        unit: Default::default(),
    }
}

/// Bot names from short to longer than any column.
fn label(seat: usize) -> String {
    let names = [
        "cautious",
        "threshold:target=12,nerve=4",
        "odds",
        "a-very-long-bot-name:with=1.2345,many=6,parameters=7.891,yes=1",
        "greedy",
        "threshold:target=15,nerve=2",
        "wait_for_it",
        "Ärger & Söhne <no spaces, just trouble and more of that, sorry>",
    ];
    names[seat % names.len()].to_string()
}

/// The chart on wide paper; an empty page where there is nothing to show.
fn drawn(chart: &dyn Chart) -> Canvas {
    on(chart, Paper::WIDE).unwrap_or(Canvas::new(Paper::WIDE.width, 10.0))
}

fn on(chart: &dyn Chart, paper: Paper) -> Option<Canvas> {
    let canvas = chart.canvas(PLAYED, paper);
    canvas.expect("the columns fit together")
}

/// Each chart looks as it did, stroke by stroke: as `chart-NAME.svg` among the golden files.
/// `UPDATE_EXPECT=1 cargo test --release golden` writes them anew; look at the difference.
#[test]
fn charts_look_as_their_golden() {
    for Examples { name, golden, .. } in ALL.map(|examples| examples()) {
        let file = format!("../../../tests/it/golden/chart-{name}.svg");
        expect_file![&file].assert_eq(&drawn(golden.as_ref()).svg().expect("an SVG"));
    }
}

/// On neither paper a text is cut off or printed over another.
#[test]
fn charts_are_readable() {
    let mut faults = Vec::new();
    for Examples {
        name,
        golden,
        others,
        ..
    } in ALL.map(|examples| examples())
    {
        for (at, chart) in [golden].iter().chain(&others).enumerate() {
            for paper in [Paper::WIDE, Paper::NARROW] {
                let canvas = on(chart.as_ref(), paper).into_iter();
                let found = canvas.flat_map(|canvas| canvas.faults());
                let width = paper.width;
                faults.extend(found.map(|fault| format!("{name} {at}, {width} wide: {fault}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Both formats come out on both papers, the same twice, in the right size.
#[test]
fn charts_are_sound() {
    let sound_on = |chart: &dyn Chart, paper: Paper| {
        let Some(canvas) = on(chart, paper) else {
            return;
        };
        let again = on(chart, paper).expect("the same twice");
        if paper.width == Paper::WIDE.width {
            let bytes = canvas.png().expect("a PNG");
            let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
            let info = decoder.read_info().expect("a readable PNG");
            assert_eq!(f64::from(info.info().width), 2.0 * paper.width);
            assert_eq!(f64::from(info.info().height), 2.0 * canvas.height());
        }
        let svg = canvas.svg().expect("an SVG");
        let start = format!("<svg width=\"{}\"", paper.width);
        assert!(svg.starts_with(&start) && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg, again.svg().expect("an SVG"));
    };
    let sound = |chart: &dyn Chart| {
        sound_on(chart, Paper::WIDE);
        sound_on(chart, Paper::NARROW);
    };
    let all_sound = |examples: fn() -> Examples| {
        let examples = examples();
        for chart in examples.others.iter().chain([&examples.golden]) {
            sound(chart.as_ref());
        }
    };
    let kinds = ALL;
    // Few threads, as other tests that look at the clock run beside this one.
    std::thread::scope(|scope| {
        for some in kinds.chunks(9) {
            scope.spawn(move || some.iter().for_each(|examples| all_sound(*examples)));
        }
    });
}

#[test]
fn broken_columns_are_refused() {
    for (chart, words) in ALL.iter().flat_map(|examples| examples().refused) {
        let error = chart
            .canvas(PLAYED, Paper::WIDE)
            .expect_err(words)
            .to_string();
        assert!(error.contains(words), "{error}");
    }
    let short = check_column("share of `odds`", &[0.5], 2).unwrap_err();
    assert!(short.to_string().contains("share of `odds`"));
    let broken = check_column("risk", &[0.5, f64::NAN], 2).unwrap_err();
    assert!(broken.to_string().contains("NaN"));
    assert!(check_column("risk", &[0.5, 1.0], 2).is_ok());
}

#[test]
fn values_are_printed_and_marks_explained() {
    for (chart, wanted) in ALL.iter().flat_map(|examples| examples().says) {
        let canvas = drawn(chart.as_ref());
        let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
        for start in wanted {
            let found = texts.iter().any(|text| text.starts_with(start));
            assert!(found, "{start} in {texts:?}");
        }
    }
}

/// Where there is nothing to show there is no chart, and what there is can be read aloud.
#[test]
fn charts_say_what_they_show() {
    for Examples {
        name,
        golden,
        others,
        ..
    } in ALL.map(|examples| examples())
    {
        let words = drawn(golden.as_ref()).in_words();
        let start = format!("{TITLE}. {PLAYED}. ");
        assert!(
            words.starts_with(&start) && words.len() > start.len(),
            "{name}: {words}"
        );
        for paper in [Paper::WIDE, Paper::NARROW] {
            assert!(on(golden.as_ref(), paper).is_some(), "{name}");
        }
        let shown = |chart: &dyn Chart, paper| on(chart, paper).is_some();
        for chart in &others {
            assert_eq!(
                shown(chart.as_ref(), Paper::WIDE),
                shown(chart.as_ref(), Paper::NARROW),
                "{name}"
            );
        }
    }
}
