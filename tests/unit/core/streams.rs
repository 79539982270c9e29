use super::*;
use rand_xoshiro::SplitMix64;

#[test]
fn outputs_are_those_of_splitmix64() {
    let key = game_key(7, 123);
    let mut reference = SplitMix64::seed_from_u64(key);
    for index in 0..10 {
        assert_eq!(output(key, index), reference.next_u64());
    }
}

#[test]
fn uniform_numbers_stay_below_one_and_average_a_half() {
    let key = game_key(3, 9);
    let n = 100_000;
    let sum: f64 = (0..n).map(|i| f64::from(uniform(key, i))).sum();
    assert!((0..n).all(|i| (0.0..1.0).contains(&uniform(key, i))));
    assert!((sum / n as f64 - 0.5).abs() < 0.005);
}

/// Checks how often each of 16 by 16 cells was hit, all of them equally likely: χ² with 255
/// degrees of freedom, so 255 ± 22.6.
fn assert_uniform(cells: &[u32; 256], name: &str) {
    let expected = f64::from(cells.iter().sum::<u32>()) / 256.0;
    let distances = cells.iter().map(|&n| (f64::from(n) - expected).powi(2));
    let chi_squared = distances.sum::<f64>() / expected;
    assert!(
        (140.0..390.0).contains(&chi_squared),
        "{name}: {chi_squared}"
    );
}

/// The numbers of two seats in a game, and of one seat in neighbouring games.
#[test]
fn tempers_are_uniform_and_independent() {
    const GAMES: u64 = 50_000;
    let cell = |game, seat| (16.0 * temper(game_key(5, game), seat)) as usize;
    let mut cells = [[0u32; 256]; 8];
    for game in 0..GAMES {
        for seat in 0..7 {
            cells[seat][16 * cell(game, seat) + cell(game, seat + 1)] += 1;
        }
        cells[7][16 * cell(game, 0) + cell(game + 1, 0)] += 1;
    }
    for (pair, cells) in cells.iter().enumerate() {
        assert_uniform(cells, &pair.to_string());
    }
}

/// Early outputs of a generator, of two phases of a game, and of neighbouring games, taken
/// in pairs of four bits each.
#[test]
fn early_outputs_are_independent() {
    let early = |game, phase| -> [u32; 4] {
        let mut rng = phase_rng(game_key(5, game), phase);
        std::array::from_fn(|_| rng.next_u32())
    };
    const GAMES: u64 = 50_000;
    for shift in [0, 4, 11, 17, 22, 28] {
        let mut cells = vec![[0u32; 256]; 28];
        for game in 0..GAMES {
            let [a, b, c] = [early(game, 0), early(game, 1), early(game + 1, 0)];
            let bits = |word: u32| (word >> shift) as usize & 15;
            let pairs = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
            let between = pairs.map(|(i, j)| (a[i], b[j]));
            let within = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let within = within.map(|(i, j)| (a[i], a[j]));
            let games = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (3, 3)];
            let games = games.map(|(i, j)| (a[i], c[j]));
            for (cell, (x, y)) in cells.iter_mut().zip(between.chain(within).chain(games)) {
                cell[bits(x) * 16 + bits(y)] += 1;
            }
        }
        for (pair, cells) in cells.iter().enumerate() {
            assert_uniform(cells, &format!("{pair} at {shift}"));
        }
    }
}
