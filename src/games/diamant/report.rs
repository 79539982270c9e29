//! The game's own table and chart: what happened after how many cards.

use super::outcomes as o;
use crate::figure::{Leaving, SeatLeaving};
use crate::game::{Counted, Layout, Sheet, SheetColumn};

/// Counts of expeditions by number of cards revealed; all columns have one entry a row.
pub struct Depths {
    /// Numbers of cards, from 1 (from 0 where a deck could be empty before its first card).
    cards: Vec<u64>,
    /// Expeditions that revealed at least so many.
    reached: Vec<u64>,
    /// Expeditions that a trap ended there.
    trapped: Vec<u64>,
    /// For each seat, expeditions that it left there.
    left: Vec<Vec<u64>>,
}

impl Depths {
    /// Reads the counts of a tally.
    pub fn count(layout: &Layout, games: u64, counts: &[u64]) -> Self {
        let counted = Counted {
            layout,
            counts,
            games,
        };
        let ended = |cards| counted.at(o::ENDED, cards, 0);
        let mut reached: Vec<u64> = (0..o::DEPTHS).map(ended).collect();
        for cards in (1..o::DEPTHS).rev() {
            reached[cards - 1] += reached[cards];
        }
        let first = usize::from(ended(0) == 0);
        let rows = || (first..o::DEPTHS).take_while(|&cards| reached[cards] > 0);
        Depths {
            cards: rows().map(|cards| cards as u64).collect(),
            reached: rows().map(|cards| reached[cards]).collect(),
            trapped: rows().map(|cards| counted.at(o::ENDED, cards, 1)).collect(),
            left: (0..layout.seats)
                .map(|seat| {
                    rows()
                        .map(|cards| counted.at(o::LEAVING, cards, seat))
                        .collect()
                })
                .collect(),
        }
    }

    /// The table `depth`.
    pub fn sheet(self) -> Sheet {
        let mut columns = vec![
            ("cards".to_string(), SheetColumn::Whole(self.cards)),
            ("expeditions".to_string(), SheetColumn::Whole(self.reached)),
            (
                "ended_by_trap".to_string(),
                SheetColumn::Whole(self.trapped),
            ),
        ];
        for (seat, left) in (1..).zip(self.left) {
            columns.push((format!("left_seat_{seat}"), SheetColumn::Whole(left)));
        }
        Sheet {
            name: "depth",
            columns,
        }
    }

    /// The chart of when each bot leaves; `names` are the bots, by seat.
    pub fn leaving(&self, names: &[String]) -> Leaving {
        let all = self.reached.first().copied().unwrap_or(0).max(1) as f64;
        let shares = |counts: &[u64]| counts.iter().map(|&count| count as f64 / all).collect();
        let seats = names
            .iter()
            .zip(&self.left)
            .map(|(name, left)| SeatLeaving {
                label: name.clone(),
                left: shares(left),
                lost: 1.0 - left.iter().sum::<u64>() as f64 / all,
            });
        // Of the expeditions that reveal one card more, those that this card ends.
        let risk = |row: usize| {
            let next = self.reached.get(row + 1)?;
            Some(self.trapped[row + 1] as f64 / *next as f64)
        };
        Leaving {
            title: "When each bot leaves, and how the risk grows".to_string(),
            subtitle: String::new(),
            depths: self.cards.iter().map(|&cards| cards as u32).collect(),
            seats: seats.collect(),
            risk: (0..self.cards.len()).map(risk).collect(),
            reached: shares(&self.reached),
        }
    }
}
