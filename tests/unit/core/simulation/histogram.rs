use super::*;

/// Some numbers, below and above 0, of which the last are far from all others.
const NUMBERS: [i32; 7] = [3, -7, 3, 900, 5_000, -40_000, 33_554_432];

#[test]
fn few_numbers_are_counted_one_by_one() {
    let mut of = Histogram::default();
    of.add(&NUMBERS[..3]);
    of.add(&[]);
    assert_eq!(of.scale(), (-7, 1));
    assert_eq!((of.games.len(), of.games[0], of.games[10]), (11, 1, 2));
}

#[test]
fn the_order_of_games_changes_nothing() {
    let mut whole = Histogram::default();
    whole.add(&NUMBERS);
    assert_eq!(whole.games.iter().sum::<u64>(), 7);
    assert!(whole.games.len() as i64 <= BINS);
    let (least, width) = whole.scale();
    assert!(least <= -40_000 && least + width * whole.games.len() as i64 > 33_554_432);
    for split in 0..NUMBERS.len() {
        let mut parts = [Histogram::default(), Histogram::default()];
        parts[0].add(&NUMBERS[split..]);
        for number in NUMBERS[..split].iter().rev() {
            parts[1].add(&[*number]);
        }
        let [one, other] = &parts;
        for (first, second) in [(one, other), (other, one)] {
            let mut merged = first.clone();
            merged.merge(second);
            assert_eq!(merged, whole, "{split}");
        }
    }
}
