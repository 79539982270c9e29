use super::*;

fn row(games: &[u64]) -> DensityRow {
    let (label, games) = (String::new(), games.to_vec());
    DensityRow { label, games }
}

#[test]
fn bins_cover_all_but_the_thin_tail() {
    let mut games = vec![0; 501];
    (games[0], games[139], games[500]) = (5_000, 4_960, 40);
    let bins = Bins::for_all(&[row(&games)]).unwrap();
    assert_eq!((bins.width, bins.count(), bins.last()), (2, 71, 140));
    let shares = bins.shares(&games);
    assert!((shares.iter().sum::<f64>() - 0.996).abs() < 1e-9);
    // Nothing stands alone, and is not seen as little.
    assert_eq!((bins.edges[1], shares[0]), (1, 0.5));
}

#[test]
fn axis_ends_before_a_far_tail() {
    let mut games = vec![0; 201];
    (games[8], games[12], games[200]) = (500, 460, 40);
    assert_eq!(Bins::for_all(&[row(&games)]).unwrap().last(), 12);
}

#[test]
fn no_bin_is_made_beyond_the_scores() {
    let bins = Bins::for_all(&[row(&[0, 0, 10])]).unwrap();
    assert_eq!((bins.edges, bins.width), (vec![2, 3], 1));
    assert!(Bins::for_all(&[row(&[0, 0])]).is_none());
}

#[test]
fn a_lone_peak_does_not_flatten_the_rest() {
    let row = |shares: [f64; 3]| [&shares[..], &[0.0; 9]].concat();
    let cut = ceiling(&[row([0.9, 0.05, 0.05]), row([0.0, 0.5, 0.5])]);
    assert!((cut - 0.6).abs() < 1e-9);
    assert_eq!(ceiling(&[vec![1.0]]), 1.0);
}
