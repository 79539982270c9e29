use super::*;

/// A leap over several parts ends where one of them does.
#[test]
fn leaps_end_where_parts_do() {
    for (games, chunk) in [(10_000_000, 256), (3_000_001, 512), (50_000, 8192), (1, 1)] {
        let most = most_games(&[], chunk);
        let parts = Ends { games, most };
        let mut ends = vec![0];
        while ends[ends.len() - 1] < games {
            ends.push(parts.next(ends[ends.len() - 1]));
        }
        for &first in ends.iter().step_by(7) {
            for least in [
                0,
                1,
                first + 1,
                first + first / 5,
                2 * first,
                9 * first,
                u64::MAX,
            ] {
                let found = ends.iter().find(|&&end| end > first && end >= least);
                let found = found.unwrap_or(&games);
                assert_eq!(parts.next_from(first, least), *found, "{first} {least}");
            }
        }
    }
}
