//! Examples of charts of upright bars and of small panels.

use super::{BOTS, Examples, TITLE, estimate, label, texts};
use crate::figure::{Histogram, Shares, SharesPanel};

pub fn histogram() -> Examples {
    let chart = |bars: usize| {
        let weight = |bar: usize| (-(bar as f64 - bars as f64 / 3.0).powi(2) / bars as f64).exp();
        let all: f64 = (0..bars).map(weight).sum();
        let range = |bar| format!("{}–{}", 5 * bar, 5 * bar + 4);
        Histogram {
            title: TITLE.into(),
            x_title: "rounds".into(),
            y_title: "share of games".into(),
            labels: (1..=bars).map(range).collect(),
            shares: (0..bars).map(|bar| weight(bar) / all).collect(),
            median: (bars > 0).then(|| (bars / 2, "median 37".into())),
            note: "Ended by the cap: 0.3 % of games.".into(),
        }
    };
    let golden = Histogram {
        labels: texts(["1", "2", "3"]),
        shares: vec![0.2, 0.5, 0.3],
        median: Some((1, "median 2".into())),
        note: String::new(),
        ..chart(0)
    };
    let mut others: Vec<_> = [0, 1, 2, 6, 17, 40, 100].map(chart).to_vec();
    let shares = vec![0.0; 5];
    others.push(Histogram { shares, ..chart(5) });
    let mut short = chart(3);
    short.labels.pop();
    Examples::of("histogram", golden, others).refusing(short, "shares")
}

pub fn shares() -> Examples {
    let chart = |panels: usize, places: usize, half: f64| {
        let share = |index: usize, place: usize| {
            let share = 0.9 * (place + 1) as f64 / places as f64;
            (place + index != 5).then(|| estimate(share, half))
        };
        let panel = |index: usize| SharesPanel {
            label: label(index),
            seat: index.checked_sub(1),
            shares: (0..places).map(|place| share(index, place)).collect(),
            level: 0.5,
        };
        Shares {
            title: TITLE.into(),
            x_title: "place in turn order".into(),
            y_title: "Share of the wins".into(),
            labels: (1..=places).map(|place| place.to_string()).collect(),
            panels: (0..panels).map(panel).collect(),
        }
    };
    let mut golden = chart(3, 3, 0.05);
    for (panel, bot) in golden.panels[1..].iter_mut().zip(BOTS) {
        panel.label = bot.into();
    }
    let sizes = [(0, 3), (1, 0), (1, 1), (3, 2), (5, 4), (7, 6), (9, 8)];
    let mut others: Vec<_> = sizes
        .map(|(panels, places)| chart(panels, places, 0.02))
        .to_vec();
    others.push(chart(5, 4, 0.0));
    let (mut short, mut broken) = (chart(2, 3, 0.02), chart(2, 3, 0.02));
    short.panels[1].shares.pop();
    broken.panels[0].shares[0] = Some(estimate(f64::NAN, 0.1));
    Examples::of("shares", golden, others)
        .refusing(short, "shares of")
        .refusing(broken, "finite numbers are needed")
}
