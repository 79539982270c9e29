use super::*;

#[test]
fn every_line_up_is_there_once() {
    let all = LineUps::all(3, 2);
    let seats = all.entries.iter().map(|entry| entry.seats.clone());
    let seats: Vec<_> = seats.collect();
    let expected = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]];
    assert_eq!(seats, expected.map(|line_up| line_up.to_vec()));
    for (bots, players) in [(1, 1), (2, 8), (5, 4), (9, 5)] {
        let all = LineUps::all(bots, players);
        assert_eq!(all.entries.len() as u128, LineUps::number(bots, players));
    }
    assert_eq!(LineUps::number(12, 5), 4368);
    assert_eq!([LineUps::least(20, 5), LineUps::least(3, 4)], [533, 15]);
    assert_eq!(LineUps::number(1000, 8), 25_504_066_636_461_931_375);
}

#[test]
fn a_sample_holds_all_pairs_and_bots_alike() {
    let sample = LineUps::sample(10, 5, 2000, 1);
    assert_eq!(sample.entries.len(), 2000);
    for bot in 0..10 {
        for other in 0..10 {
            let against = vec![other; 4];
            let met = |entry: &Entry| entry.copies(bot) > 0 && entry.field(bot) == against;
            assert!(sample.entries.iter().any(met));
        }
        let drawn = sample.entries.iter().filter(|entry| entry.drawn);
        let seats: usize = drawn.map(|entry| entry.copies(bot)).sum();
        // 1900 line-ups of 5 seats, a tenth of them each: 950, give or take 4 × 29.
        assert!((834..1066).contains(&seats), "{bot}: {seats}");
    }
    assert_eq!(sample, LineUps::sample(10, 5, 2000, 1));
    assert_ne!(sample, LineUps::sample(10, 5, 2000, 2));
}
