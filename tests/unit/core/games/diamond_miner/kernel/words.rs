use super::*;

#[test]
fn words_count_as_lists_do() {
    let samples: [Counts; 6] = [
        [0; 7],
        [2, 0, 0, 0, 0, 0, 0],
        [49, 19, 9, 6, 8, 8, 9],
        [0, 3, 1, 1, 0, 0, 0],
        [127, 0, 0, 0, 0, 0, 0],
        [1, 1, 1, 1, 1, 1, 1],
    ];
    for have in samples {
        for need in samples {
            let pairs = || have.iter().zip(&need);
            let (a, b) = (pack(&have), pack(&need));
            assert_eq!(covers(a, b), pairs().all(|(h, n)| h >= n));
            let lack: u32 = pairs().map(|(h, n)| u32::from(n.saturating_sub(*h))).sum();
            assert_eq!(lacking(a, b), lack, "{have:?} {need:?}");
            let least: Vec<u8> = pairs().map(|(h, n)| *h.min(n)).collect();
            let small = smaller(a, b);
            assert!((0..CLASSES).all(|c| count(small, c) == u32::from(least[c])));
            assert_eq!(a.cmp(&b), have.cmp(&need));
        }
        assert_eq!(
            total(pack(&have)),
            have.iter().map(|c| u32::from(*c)).sum::<u32>()
        );
    }
}
