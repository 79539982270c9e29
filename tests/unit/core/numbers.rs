use super::*;

#[test]
fn shares_at_the_ends_have_one_side() {
    assert_eq!(share_within(0.0, 0.0, 0.003_84), "0 % (≤ 0.4 %)");
    assert_eq!(share_within(1.0, 0.8, 1.0), "100 % (≥ 80.0 %)");
    assert_eq!(share_within(0.234, 0.232, 0.236), "23.4 ± 0.2 %");
    assert_eq!(share_within(0.125, 0.125, 0.125), "12.5 %");
    // Without error, whatever the rounding of its ends.
    let [third, near] = [1.0 / 3.0, 1.0 / 3.0 + 1e-16];
    assert_eq!(share_within(third, third - 1e-16, near), "33.3 %");
    assert_eq!(share_within(0.25, 0.25, 0.25), "25 %");
}

#[test]
fn thousands_are_set_apart() {
    let counts = [0, 999, 1_000, 1_234_567].map(count);
    assert_eq!(counts, ["0", "999", "1,000", "1,234,567"]);
    assert_eq!(number(-1234.56, 1), "−1,234.6");
    assert_eq!(number(-0.01, 1), "0.0");
}

#[test]
fn large_counts_are_shortened() {
    let texts = [500, 1_000, 2_500, 10_000, 1_000_000, 2_000_000_000].map(count_short);
    assert_eq!(texts, ["500", "1k", "2.5k", "10k", "1M", "2G"]);
}

#[test]
fn the_interval_sets_the_decimals() {
    assert_eq!(within(23.4, 0.1), "23.4 ± 0.1");
    assert_eq!(within(23.4, 0.04), "23.40 ± 0.04");
    assert_eq!(within(23.4, 3.1), "23.4 ± 3.1");
    assert_eq!(
        [100.0, 0.04, 1.0 / 3.0].map(|of| within(of, 0.0)),
        ["100", "0.04", "0.3333"]
    );
}

#[test]
fn an_interval_with_one_far_end_shows_both() {
    assert_eq!(share_within(2e-4, 3.5e-5, 1.13e-3), "0.02 % (0.00 to 0.11)");
    assert_eq!(between(0.6, 0.0, 2.1, " points"), "0.6 points (0.0 to 2.1)");
    assert_eq!(between(0.9, -0.1, 2.0, " points"), "0.9 ± 1.1 points");
}

/// Half a width says nothing of an interval that is cut off.
#[test]
fn an_interval_that_is_cut_off_shows_both_ends() {
    assert_eq!(between(-0.6, -1.1, -0.0, ""), "−0.6 (−1.1 to 0.0)");
    assert_eq!(between(0.5, 0.0, 1.0, " points"), "0.5 points (0.0 to 1.0)");
    assert_eq!(share_within(0.985, 0.97, 1.0), "98.5 % (97.0 to 100.0)");
    assert_eq!(between(0.0, 0.0, 0.0, ""), "0");
}

#[test]
fn tick_steps_set_their_decimals() {
    let steps = [20.0, 1.0, 0.5, 0.1, 0.05, 0.002];
    assert_eq!(steps.map(decimals_for), [0, 0, 1, 1, 2, 3]);
}
