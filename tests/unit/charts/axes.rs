use super::*;
use crate::canvas::PageShape;

#[test]
fn scales_map_their_ends() {
    let scale = Scale::linear((0.0, 0.5), (100.0, 200.0));
    let places = [0.0, 0.25, 0.5].map(|value| scale.place(value));
    assert_eq!(places, [100.0, 150.0, 200.0]);
    let mut scale = Scale::linear((10.0, 1000.0), (0.0, 200.0));
    scale.logarithmic = true;
    assert!((scale.place(100.0) - 100.0).abs() < 1e-9);
    assert_eq!(Scale::linear((3.0, 3.0), (0.0, 10.0)).place(3.0), 5.0);
}

#[test]
fn steps_are_round_and_inside() {
    let (steps, step) = round_steps(0.0, 0.47, 5);
    assert_eq!(step, 0.1);
    assert_eq!(steps.len(), 5);
    assert_eq!(round_steps(-3.0, 7.0, 5).0, [-2.0, 0.0, 2.0, 4.0, 6.0]);
    assert_eq!(round_steps(2.0, 2.0, 5).0, [2.0]);
    // Rather a few more than too few.
    assert_eq!(round_steps(-1.6, 0.3, 2).0, [-1.0, 0.0]);
    assert_eq!(round_steps(-1.6, 0.3, 4).0, [-1.5, -1.0, -0.5, 0.0]);
}

#[test]
fn ticks_keep_apart() {
    let wide = Scale::linear((-1.2, 0.3), (100.0, 300.0)).ticks(false);
    assert!(wide.len() >= 3, "{wide:?}");
    let tight = Scale::linear((0.0, 100_000.0), (0.0, 90.0)).ticks(false);
    assert!(tight.len() <= 2, "{tight:?}");
}

#[test]
fn logarithmic_steps_are_powers_of_ten_or_finer() {
    assert_eq!(log_steps(100.0, 1e6), [1e2, 1e3, 1e4, 1e5, 1e6]);
    assert_eq!(log_steps(1000.0, 5000.0), [1000.0, 2000.0, 5000.0]);
    assert_eq!(log_steps(4.2e6, 8.4e6), [5e6, 6e6, 8e6]);
}

#[test]
fn leaders_of_one_height_share_their_level_part() {
    let level_parts = |second: f64| {
        let mut canvas = Canvas::new(200.0, 100.0);
        let ends = [((10.0, 20.0), (90.0, 20.0)), ((10.0, second), (90.0, 60.0))];
        draw_leaders(&mut canvas, &ends, 20.0);
        let mut heights: Vec<f64> = (canvas.shapes.iter())
            .filter_map(|shape| match shape {
                PageShape::Stroke { points, .. } if points[1].0 <= 70.0 => Some(points[0].1),
                _ => None,
            })
            .collect();
        heights.dedup();
        heights
    };
    assert_eq!(level_parts(60.0), [20.0, 60.0]);
    assert_eq!(level_parts(21.0), [20.0]);
}
