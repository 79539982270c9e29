//! The table of depths: what happened after how many cards.

use super::outcomes as o;
use crate::game::{Layout, Sheet, SheetColumn};

/// `depth`: one row for each number of cards revealed that occurred, with the expeditions that
/// revealed at least so many, those that a trap ended there, and for each seat those it left there.
pub fn sheet(layout: &Layout, counts: &[u64]) -> Sheet {
    let ended = &counts[layout.counts_offset(o::ENDED)..][..o::DEPTHS * 2];
    let leaving = &counts[layout.counts_offset(o::LEAVING)..][..o::DEPTHS * layout.seats];
    let mut reached = vec![0; o::DEPTHS];
    let mut total = 0;
    for cards in (0..o::DEPTHS).rev() {
        total += ended[cards * 2];
        reached[cards] = total;
    }
    // Only a deck that can be empty before its first card has a row without cards.
    let first = usize::from(ended[0] == 0);
    let rows = || (first..o::DEPTHS).take_while(|&cards| reached[cards] > 0);
    let column = |of: &dyn Fn(usize) -> u64| SheetColumn::Whole(rows().map(of).collect());
    let mut columns = vec![
        ("cards".to_string(), column(&|cards| cards as u64)),
        ("expeditions".to_string(), column(&|cards| reached[cards])),
        (
            "ended_by_trap".to_string(),
            column(&|cards| ended[cards * 2 + 1]),
        ),
    ];
    for seat in 0..layout.seats {
        let left = column(&|cards| leaving[cards * layout.seats + seat]);
        columns.push((format!("left_seat_{}", seat + 1), left));
    }
    Sheet {
        name: "depth",
        columns,
    }
}
