use super::*;
use crate::streams;

/// A pseudorandom number between -0.5 and 0.5.
fn drawn(key: u64) -> f64 {
    streams::output(7, streams::UNIFORM_BASE + key) as f64 / u64::MAX as f64 - 0.5
}

/// Games of two seats: `skill` is the first seat's advantage, `play` the size of its own
/// decisions, `noise` the size of the playouts' noise in measured values.
fn games(count: u64, skill: f64, play: f64, noise: f64) -> Vec<Vec<Had>> {
    let game = |number: u64| {
        let drawn = |what| drawn(16 * number + what);
        let (decided, cards) = (play * drawn(0), drawn(1));
        let (of_start, own) = (noise * drawn(2), decided + noise * drawn(3));
        let set_up = 0.3 * drawn(4);
        let had = |sign: f64, given: [f64; 3]| Had {
            start: sign * (skill + set_up + of_start),
            given,
            result: sign * (skill + set_up + decided + cards),
        };
        vec![had(1.0, [own, 0.0, 0.0]), had(-1.0, [0.0, -own, 0.0])]
    };
    (0..count).map(game).collect()
}

/// The variance of a uniform number between -0.5 and 0.5.
const DRAWN: f64 = 1.0 / 12.0;

#[test]
fn play_explains_its_part_of_the_variance() {
    for (skill, play) in [(0.0, 0.0), (0.2, 0.0), (0.0, 0.8), (0.3, 0.5)] {
        let of_play = skill * skill + play * play * DRAWN;
        let expected = of_play / (of_play + DRAWN + 0.09 * DRAWN);
        let found = estimated(&games(4_000, skill, play, 0.0)).expect("results differ");
        let apart = (found.play.value - expected).abs();
        let near = 4.0 * found.play.se + 1e-9;
        assert!(apart <= near, "{skill} {play}: {found:?}");
        assert!(found.play.se < 0.03, "{found:?}");
        let sum: f64 = found.parts.iter().map(|part| part.value).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{found:?}");
        let whole = found.play.value + found.luck.value;
        assert!((whole - 1.0).abs() < 1e-9, "{found:?}");
    }
}

/// Noise is not taken for play or luck, though it doubles the plain variance of measured
/// values.
#[test]
fn noise_of_playouts_explains_nothing() {
    let found = estimated(&games(4_000, 0.0, 0.0, 1.5)).expect("results differ");
    assert!(found.play.low < 0.0 && found.play.high > 0.0, "{found:?}");
    assert!(found.play.value.abs() < 0.06, "{found:?}");
}

/// Of 200 intervals of 60 games each, at least nine in ten contain the true value.
#[test]
fn intervals_hold() {
    let all = games(12_000, 0.2, 0.5, 0.3);
    let of_play = 0.04 + 0.25 * DRAWN;
    let truth = of_play / (of_play + 1.09 * DRAWN);
    let found = all.chunks(60);
    let found = found.map(|games| estimated(games).expect("results differ"));
    let held = found.filter(|found| (found.play.low..=found.play.high).contains(&truth));
    let held = held.count();
    assert!((178..=198).contains(&held), "{held} of 200");
}

#[test]
fn results_that_are_all_alike_come_from_nothing() {
    assert_eq!(estimated(&[]), None);
    assert_eq!(estimated(&vec![vec![Had::default(); 3]; 20]), None);
}
