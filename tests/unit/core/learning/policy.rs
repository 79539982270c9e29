use super::*;

fn milestones(gains: &[f64]) -> Vec<Milestone> {
    let milestone = |gain: &f64| Milestone {
        games: FIRST_ATTACK,
        estimate: Estimate::normal(*gain, 0.001),
    };
    gains.iter().map(milestone).collect()
}

#[test]
fn a_training_with_limited_time_ends_once_two_attacks_gain_no_less() {
    for (gains, ends) in [
        (&[0.05, 0.06][..], false),
        (&[0.05, 0.04, 0.06], false),
        (&[0.05, 0.06, 0.04], false),
        (&[0.05, 0.06, 0.06], true),
        (&[0.09, 0.05, 0.06, 0.05], true),
    ] {
        assert_eq!(no_longer_falls(&milestones(gains)), ends, "{gains:?}");
    }
}

#[test]
fn figures_have_a_part_of_the_games_within_limits() {
    let games = [100_000, 10_000_000, 100_000_000, 10_000_000_000];
    assert_eq!(games.map(reported), [100_000, 400_000, 4_000_000, REPORTED]);
}
