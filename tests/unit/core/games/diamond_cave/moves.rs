use super::*;

#[test]
fn the_highest_score_is_picked_and_equals_evenly() {
    let nan = f32::NAN;
    for (scores, highest) in [
        (&[1.0, 3.0, 2.0][..], &[1][..]),
        (&[nan, 2.0, 2.0, 1.0, 2.0], &[1, 2, 4]),
        (&[nan, f32::NEG_INFINITY, nan], &[0, 1, 2]),
        (&[nan, f32::INFINITY], &[1]),
        (&[nan, -1.0, nan], &[1]),
    ] {
        let mut picked = vec![0i32; scores.len()];
        for decision in 0..30_000 {
            picked[pick(scores, 7, decision)] += 1;
        }
        let each = 30_000 / highest.len() as i32;
        let (equals, others): (Vec<usize>, Vec<usize>) =
            (0..scores.len()).partition(|row| highest.contains(row));
        assert!(equals.iter().all(|&row| (picked[row] - each).abs() < 300));
        assert!(others.iter().all(|&row| picked[row] == 0), "{picked:?}");
    }
}
