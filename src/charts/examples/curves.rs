//! Examples of charts of curves.

use super::{BOTS, Examples, TITLE, drawn, estimate, label, texts};
use crate::charts::convergence::{Convergence, SeatRun};
use crate::charts::course::{Hopes, MarkedMoment, SeatHopes};
use crate::charts::response::{Response, ResponsePoint};
use crate::charts::theme::GREY;
use crate::figure::{Leaving, Lines, Panel, SeatLeaving};

pub fn convergence() -> Examples {
    let chart = |shares: &[f64], checkpoints: usize| {
        let seat = |(i, &share): (usize, &f64)| {
            let checkpoint = |k: usize| {
                let games = 1000 << k;
                let half = 1.96 * (share * (1.0 - share) / games as f64).sqrt();
                let value = share + half * ((k * 7 + i * 3) as f64).sin() * 0.6;
                (games, estimate(value, half))
            };
            SeatRun {
                label: label(i),
                checkpoints: (0..checkpoints).map(checkpoint).collect(),
            }
        };
        Convergence {
            title: TITLE.into(),
            unit: "Win share so far".into(),
            axis: "games played".into(),
            note: String::new(),
            share: true,
            seats: shares.iter().enumerate().map(seat).collect(),
        }
    };
    let mut golden = chart(&[0.6, 0.4], 0);
    for ((seat, bot), share) in golden.seats.iter_mut().zip(BOTS).zip([0.6, 0.4]) {
        seat.label = bot.into();
        let (first, last) = (estimate(share + 0.05, 0.1), estimate(share, 0.03));
        seat.checkpoints = vec![(100, first), (1000, last)];
    }
    let mut amounts = chart(&[0.5, 0.5], 5);
    (amounts.share, amounts.unit) = (false, "rubies".into());
    let canvas = drawn(&amounts);
    let percents = canvas.texts().filter(|text| text.text.contains(" %"));
    assert_eq!(percents.count(), 1, "only the heading's 95 %");
    let others = vec![
        chart(&[], 5),
        chart(&[0.5], 0),
        chart(&[0.4], 1),
        chart(&[0.48, 0.52], 4),
        chart(&[0.21, 0.2, 0.2, 0.2, 0.19], 11),
        chart(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 11),
        chart(&[0.125; 8], 20),
        amounts,
    ];
    let mut broken = chart(&[0.5], 5);
    broken.seats[0].checkpoints[3].1.low = f64::NAN;
    Examples::of("convergence", golden, others).refusing(broken, "estimate of `cautious`")
}

pub fn response() -> Examples {
    let chart = |values: &[f64], half: f64, near: f64| {
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let point = |(index, &value): (usize, &f64)| ResponsePoint {
            label: (index + 4).to_string(),
            at: index as f64 + 4.0,
            estimate: estimate(value, half),
            tied: best - value < near,
        };
        Response {
            title: TITLE.into(),
            axis: "seats.1.target".into(),
            unit: "win share".into(),
            share: true,
            points: values.iter().enumerate().map(point).collect(),
            best: values.iter().rposition(|value| *value == best),
            level: Some((0.2, "equal share 20 %".into())),
        }
    };
    let mut golden = chart(&[0.2, 0.3, 0.31], 0.02, 0.02);
    golden.level = Some((0.25, "equal share 25 %".into()));
    let (mut flat, mut unranked) = (
        chart(&[0.5; 40], 0.01, 0.02),
        chart(&[12.0, 13.0], 0.01, 0.02),
    );
    (flat.share, unranked.share, unranked.best) = (false, false, None);
    let others = vec![
        chart(&[], 0.01, 0.02),
        chart(&[0.2], 0.01, 0.02),
        chart(&[0.2, 0.25, 0.3, 0.29, 0.2], 0.01, 0.02),
        flat,
        unranked,
    ];
    Examples::of("response", golden, others)
}

pub fn lines() -> Examples {
    let chart = |seats: usize, places: usize, level: f64| {
        let line = |seat: usize| {
            let grow = |at| level * (seat + 1) as f64 * (1.0 - (-(at as f64) / 9.0).exp());
            (0..places).map(grow).collect()
        };
        let panel = |heading: &str| Panel {
            heading: heading.to_string(),
            lines: (0..seats).map(line).collect(),
        };
        Lines {
            title: TITLE.into(),
            x_title: "round".into(),
            x: (1..=places).map(|round| round as f64).collect(),
            labels: (0..seats).map(label).collect(),
            panels: vec![panel("What is produced"), panel("Tools")],
            note: "A remark.".into(),
        }
    };
    let golden = Lines {
        labels: texts(BOTS),
        panels: vec![Panel {
            heading: "shovels".into(),
            lines: vec![vec![0.0, 1.0, 2.0], vec![0.5, 0.6, 0.4]],
        }],
        ..chart(2, 3, 1.0)
    };
    let others = vec![
        chart(4, 40, 2.0),
        chart(8, 3, 0.01),
        chart(6, 200, 4000.0),
        chart(2, 1, 1.0),
        chart(3, 5, 0.0),
        chart(2, 0, 1.0),
        chart(0, 5, 1.0),
        chart(1, 5, 1.0),
    ];
    let (mut short, mut few) = (chart(3, 5, 1.0), chart(3, 5, 1.0));
    short.panels[1].lines[2].pop();
    few.panels[0].lines.pop();
    Examples::of("lines", golden, others)
        .refusing(short, "Tools of `odds`")
        .refusing(few, "lines of")
}

pub fn leaving() -> Examples {
    let chart = |seats: usize, depths: u32, apart: f64| {
        let seat = |seat: usize| {
            let left = |depth: u32| {
                let z = (f64::from(depth) - 5.0 - apart * seat as f64) / 1.8;
                0.15 * (-0.5 * z * z).exp()
            };
            SeatLeaving {
                label: label(seat),
                left: (1..=depths).map(left).collect(),
                lost: 0.3,
            }
        };
        Leaving {
            title: TITLE.into(),
            depths: (1..=depths).collect(),
            seats: (0..seats).map(seat).collect(),
            risk: (0..depths).map(|d| Some(0.02 * f64::from(d))).collect(),
            reached: (0..depths).map(|d| 0.75_f64.powi(d as i32)).collect(),
        }
    };
    let golden = Leaving {
        seats: Vec::from(BOTS.map(|label| SeatLeaving {
            label: label.into(),
            left: vec![0.1, 0.5, 0.2],
            lost: 0.2,
        })),
        risk: vec![Some(0.05), Some(0.1), None],
        reached: vec![1.0, 0.85, 0.3],
        ..chart(0, 3, 1.0)
    };
    let others = vec![
        chart(5, 0, 1.0),
        chart(0, 5, 1.0),
        chart(1, 1, 1.0),
        chart(2, 8, 1.0),
        chart(5, 30, 0.7),
        chart(8, 60, 0.0),
    ];
    // Of 60 depths those are cut that few reach.
    let rare = chart(2, 60, 1.0);
    let canvas = drawn(&rare);
    let depths = canvas.texts().filter(|text| text.style.ink == GREY);
    let deepest = depths.filter_map(|text| text.text.parse().ok()).max();
    assert_eq!(deepest, Some(27));
    let (mut idle, mut short) = (chart(2, 10, 1.0), chart(2, 10, 1.0));
    idle.seats[1].left = vec![0.0; 10];
    short.seats[1].left.pop();
    Examples::of("leaving", golden, others)
        .refusing(short, "has 9 entries")
        .saying(rare, &["Depths that fewer than 0.05 %"])
        .saying(idle, &["never leaves"])
}

pub fn course() -> Examples {
    let chart = |seats: usize, moments: usize, (sections, marks): (usize, usize)| {
        let value = |seat: usize, at: usize| {
            let part = at as f64 / moments as f64;
            let value = 20.0 + 30.0 * part * ((at + 5 * seat) as f64 / 3.0).sin();
            estimate(value, 6.0 * (1.0 - part))
        };
        let line = |seat: usize| SeatHopes {
            seat,
            label: label(seat),
            detail: "20 % at first, 40 % in the end".into(),
            values: (0..moments).map(|at| value(seat, at)).collect(),
        };
        let section = |section: usize| {
            let name = match section {
                0 => "set-up".to_string(),
                number => number.to_string(),
            };
            (section * moments / sections, name)
        };
        let mark = |mark: usize| MarkedMoment {
            line: mark % seats,
            at: moments / 2 + mark,
            text: format!("{}, round 3, move {mark}: stay; better: leave", label(mark)),
        };
        Hopes {
            title: TITLE.into(),
            unit: "Win share, percent".into(),
            x_title: "round".into(),
            sections: (0..sections).map(section).collect(),
            seats: (0..seats).map(line).collect(),
            marks: (0..marks).map(mark).collect(),
            note: "A remark.".into(),
        }
    };
    let mut golden = chart(2, 6, (2, 2));
    for (seat, bot) in golden.seats.iter_mut().zip(BOTS) {
        seat.label = bot.into();
    }
    let others = vec![
        chart(0, 5, (1, 0)),
        chart(1, 1, (1, 0)),
        chart(1, 2, (1, 1)),
        chart(5, 140, (5, 5)),
        chart(4, 600, (60, 12)),
        chart(8, 20, (0, 0)),
    ];
    let (mut short, mut lost) = (chart(3, 5, (2, 1)), chart(3, 5, (2, 1)));
    short.seats[2].values.pop();
    lost.marks[0].at = 5;
    Examples::of("course", golden, others)
        .refusing(short, "values of `odds`")
        .refusing(lost, "marks")
        .saying(chart(5, 140, (5, 5)), &["A", "E", "set-up"])
}
