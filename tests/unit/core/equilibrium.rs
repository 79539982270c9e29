use super::*;
use std::collections::BTreeMap;

/// The game of `others` + 1 players with payoffs by strategy and field: every multiset of
/// `others` of the strategies.
fn game(
    strategies: usize,
    others: u32,
    mut payoff: impl FnMut(usize, &[(usize, u32)]) -> f64,
) -> SymmetricGame {
    let mut fields = vec![(Vec::new(), others, 1.0)];
    for strategy in 0..strategies {
        for at in 0..fields.len() {
            let (field, seats, mut weight) = fields[at].clone();
            for copies in 1..=seats {
                let left = seats - copies;
                weight *= f64::from(left + 1) / f64::from(copies);
                let more = [&field[..], &[(strategy, copies)]].concat();
                fields.push((more, left, weight));
            }
        }
    }
    fields.retain(|(_, left, _)| *left == 0);
    let mut terms = |strategy| {
        let term = |(field, _, weight): (Vec<_>, _, _)| {
            let payoff = payoff(strategy, &field);
            Term {
                field,
                weight,
                payoff,
            }
        };
        fields.iter().cloned().map(term).collect()
    };
    SymmetricGame {
        payoffs: (0..strategies).map(&mut terms).collect(),
    }
}

/// The game of two players with payoffs `matrix[strategy][other]`.
fn matrix_game(matrix: &[&[f64]]) -> SymmetricGame {
    game(matrix.len(), 1, |strategy, field| {
        matrix[strategy][field[0].0]
    })
}

/// Players share a prize of 1, at random weights of 1 to 1 + `noise` in each field.
fn random_shares(strategies: usize, players: u32, seed: u64, noise: f64) -> SymmetricGame {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tables = BTreeMap::new();
    game(strategies, players - 1, |strategy, field| {
        let mut seats = vec![0; strategies];
        field.iter().for_each(|(s, copies)| seats[*s] += copies);
        seats[strategy] += 1;
        let table: &Vec<f64> = tables.entry(seats.clone()).or_insert_with(|| {
            let weight = |_| 1.0 + noise * draws.random::<f64>();
            (0..strategies).map(weight).collect()
        });
        let shares = seats.iter().zip(table);
        let sum: f64 = shares.map(|(n, weight)| f64::from(*n) * weight).sum();
        table[strategy] / sum
    })
}

fn assert_near(found: &[f64], known: &[f64]) {
    let distances = found.iter().zip(known).map(|(a, b)| (a - b).abs());
    assert!(distances.fold(0.0, f64::max) < 1e-9, "{found:?}");
}

#[test]
fn two_players_are_solved_exactly() {
    // Rock wins double: rock and scissors are balanced when p = 2s, paper when r = s.
    let heavy_rock = matrix_game(&[&[0.0, -1.0, 2.0], &[1.0, 0.0, -1.0], &[-2.0, 1.0, 0.0]]);
    let found = solve(&heavy_rock);
    assert_near(&found.mix, &[0.25, 0.5, 0.25]);
    assert!(found.exploitability < 1e-9);
    // Rock, paper, scissors, and what loses to all of them.
    let dominated = matrix_game(&[
        &[0.0, -1.0, 1.0, 2.0],
        &[1.0, 0.0, -1.0, 2.0],
        &[-1.0, 1.0, 0.0, 2.0],
        &[-2.0, -2.0, -2.0, 0.0],
    ]);
    let found = solve(&dominated);
    assert_near(&found.mix[..3], &[1.0 / 3.0; 3]);
    assert_eq!(found.mix[3], 0.0);
    for seed in 0..20 {
        let game = random_shares(40, 2, seed, 1e-3);
        assert!(solve(&game).exploitability < 1e-12, "seed {seed}");
    }
}

#[test]
fn sensitivity_is_how_the_mix_of_another_game_differs() {
    let heavy_rock = [[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]];
    let mix = |better: usize, by: f64| {
        let mut matrix = heavy_rock;
        matrix[better].iter_mut().for_each(|payoff| *payoff += by);
        let game = matrix_game(&[&matrix[0], &matrix[1], &matrix[2]]);
        let mix = solve(&game).mix;
        (game, mix)
    };
    let (game, plain) = mix(0, 0.0);
    let sensitivity = sensitivity(&game, &plain).expect("one equilibrium");
    for strategy in 0..3 {
        let (_, changed) = mix(strategy, 1e-4);
        for part in 0..3 {
            let change = (changed[part] - plain[part]) / 1e-4;
            assert!((change - sensitivity[part][strategy]).abs() < 1e-3);
        }
    }
}

#[test]
fn the_dominator_with_the_largest_margin_is_found() {
    let table = |rows: &[&[f64]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let by_one = table(&[&[3.0, 3.0], &[1.0, 2.0], &[0.0, 2.0]]);
    assert_eq!(dominator(&by_one, 1), Some((vec![1.0, 0.0, 0.0], 1.0)));
    assert_eq!(dominator(&by_one, 0), None);
    // Of a share y of the third, the margins are 2 - 3y and 1 + y.
    let better_mixed = table(&[&[3.0, 3.0], &[1.0, 2.0], &[0.0, 4.0]]);
    let (mix, margin) = dominator(&better_mixed, 1).unwrap();
    assert_near(&[mix, vec![margin]].concat(), &[0.75, 0.0, 0.25, 1.25]);
    let only_mixed = table(&[&[4.0, 0.0], &[0.0, 4.0], &[1.0, 1.0]]);
    let (mix, margin) = dominator(&only_mixed, 2).unwrap();
    assert_near(&[mix, vec![margin]].concat(), &[0.5, 0.5, 0.0, 1.0]);
    // A strategy that is never worse, but not always better, does not dominate.
    assert_eq!(dominator(&table(&[&[1.0, 2.0], &[1.0, 1.0]]), 1), None);
    assert_eq!(dominator(&table(&[&[1.0, 2.0], &[1.0, 2.0]]), 1), None);
    assert_eq!(dominator(&table(&[&[1.0, 2.0]]), 0), None);
    assert_eq!(dominator(&table(&[&[], &[]]), 0), None);
}

#[test]
fn the_odd_one_of_three_wins() {
    // The first strategy wins `prize` (1 - x)^2, the second x^2.
    for (prize, share) in [(1.0, 0.5), (4.0, 2.0 / 3.0), (9.0, 0.75)] {
        let odd = game(2, 2, |strategy, field| match (strategy, field) {
            (0, [(1, 2)]) => prize,
            (1, [(0, 2)]) => 1.0,
            _ => 0.0,
        });
        let found = solve(&odd);
        assert_near(&found.mix, &[share, 1.0 - share]);
        assert!((odd.payoff(0, &found.mix) - share * share).abs() < 1e-9);
        assert!((odd.payoff(1, &found.mix) - share * share).abs() < 1e-9);
    }
}

#[test]
fn of_several_equilibria_one_is_given() {
    let meet = matrix_game(&[&[2.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 3.0]]);
    let found = solve(&meet);
    assert!(found.exploitability < 1e-9, "{found:?}");
    assert_eq!(solve(&meet), found);
    assert_eq!(meet.exploitability(&[0.0, 1.0, 0.0]), 0.0);
    assert_eq!(meet.exploitability(&[0.5, 0.5, 0.0]), 0.25);
}

#[test]
fn games_without_a_choice_are_solved() {
    let alone = solve(&game(1, 3, |_, _| 0.25));
    assert_eq!((alone.mix, alone.exploitability), (vec![1.0], 0.0));
    let alike = solve(&game(5, 2, |_, _| 1.0 / 3.0));
    assert_near(&alike.mix, &[0.2; 5]);
    assert!(alike.exploitability < 1e-12);
    assert!(solve(&game(0, 1, |_, _| 0.0)).mix.is_empty());
}

#[test]
fn random_games_of_many_players_are_solved() {
    for (strategies, players) in [(12, 3), (12, 4), (4, 8)] {
        for seed in 0..12 {
            let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
            let general = game(strategies, players - 1, |_, _| draws.random());
            let shared = random_shares(strategies, players, seed, 1.0);
            // Measured at a thousandth around an equal share.
            let close = random_shares(strategies, players, seed, 1e-3);
            for (game, limit) in [(general, 1e-6), (shared, 1e-6), (close, 1e-9)] {
                let found = solve(&game);
                let sum: f64 = found.mix.iter().sum();
                assert!((sum - 1.0).abs() < 1e-12 && found.mix.iter().all(|p| *p >= 0.0));
                assert!(found.exploitability < limit, "{players}, {seed}: {found:?}");
                assert_eq!(found.exploitability, game.exploitability(&found.mix));
            }
        }
    }
}
