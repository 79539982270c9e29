use super::*;

/// Four cells with two parent cells; in the first a yes was worth more by `better`.
fn after(better: u64) -> Averages {
    let mut averages = Averages::new(vec![127; 4], 1, vec![vec![0, 0, 1, 1]]);
    let sums = |action: usize| match action {
        0 => (1000 * 100, 1000),
        1 => (1000 * (100 + better), 1000),
        _ => (0, 0),
    };
    // A standard deviation of 100.
    let moments = [[2000.0, 200_000.0, 4.0e7]];
    averages.learn(sums, |_| 0, &moments, 0.0);
    averages
}

#[test]
fn a_cell_that_was_never_seen_follows_its_neighbour() {
    let rule = PolicyRule {
        temperature: 0.0,
        confidence: 1.0,
    };
    let averages = after(20);
    let chances: Vec<f32> = averages.chances(rule).collect();
    assert_eq!(chances[0], 1.0);
    assert!((0.6..1.0).contains(&chances[1]), "{chances:?}");
    assert!((0.45..0.55).contains(&chances[2]) && chances[2] == chances[3]);
}

#[test]
fn what_is_seen_outweighs_what_is_believed() {
    let found = after(20).found;
    assert!((0.15..0.2).contains(&found[0].mean), "{found:?}");
    assert!(found[0].weight > found[1].weight && found[1].weight > found[2].weight);
}
