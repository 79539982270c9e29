use super::*;

fn to_a_tenth(most: u64) -> Goal {
    let half_width = 0.1;
    Goal::Precision { half_width, most }
}

#[test]
fn looks_double_up_to_the_most() {
    assert_eq!(to_a_tenth(20_000).looks(), [4096, 8192, 16_384, 20_000]);
    assert_eq!(Goal::Games(100_000).looks(), [100_000]);
}

#[test]
fn the_widest_interval_decides() {
    let goal = to_a_tenth(u64::MAX);
    let known = [Estimate::normal(1.0, 0.01), Estimate::normal(1.0, 0.05)];
    assert!(goal.reached(5000, &known));
    assert!(!goal.reached(4000, &known));
    // Populations that agree by chance decide nothing before the games are many.
    let over = |se| Estimate::normal(1.0, se).over(&[Some(1.0); 5]);
    assert!(over(0.04).half_width() < 0.1);
    assert!(!goal.reached(5000, &[over(0.04)]) && goal.missed(&[over(0.04)]).is_none());
    assert!(!goal.reached(PATIENCE, &[over(0.04)]) && goal.reached(5000, &[over(0.02)]));
    let unknown = Estimate::normal(1.0, f64::INFINITY);
    assert!(!goal.reached(5000, &[known[0], unknown]));
    assert!(!Goal::Games(10).reached(10, &known));
    // What has no value is not waited for longer, but what is wide is.
    let wide = Estimate::normal(1.0, 1.0);
    assert!(goal.reached(PATIENCE, &[known[0], Estimate::UNKNOWN]));
    assert!(!goal.reached(2 * PATIENCE, &[wide, Estimate::UNKNOWN]));
}
