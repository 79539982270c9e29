//! The game's own table and chart: what happened after how many cards.

use super::outcomes as o;
use crate::figure::{Leaving, SeatLeaving};
use crate::game::Counted;
use crate::sheet::{Rows, Sheet};

/// What tables and charts are made of: counts of expeditions by number of cards revealed, one entry
/// a row.
pub struct Report<'a> {
    /// The bots, by seat.
    names: &'a [String],
    /// Numbers `n` of cards, from 1 (from 0 where a deck could be empty before its first card).
    cards: Vec<u64>,
    /// Expeditions that revealed at least `n` cards.
    reached: Vec<u64>,
    /// Expeditions that a trap ended with card `n`.
    trapped: Vec<u64>,
    /// For each seat, expeditions that it left after `n`.
    left: Vec<Vec<u64>>,
}

impl<'a> Report<'a> {
    /// Reads the counts of a tally; `names` are the bots, by seat.
    pub fn new(counted: &Counted, names: &'a [String]) -> Self {
        let ended = |cards| counted.at(o::ENDED, cards, 0);
        let mut reached: Vec<u64> = (0..o::DEPTHS).map(ended).collect();
        for cards in (1..o::DEPTHS).rev() {
            reached[cards - 1] += reached[cards];
        }
        let first = usize::from(ended(0) == 0);
        let rows = || (first..o::DEPTHS).take_while(|&cards| reached[cards] > 0);
        Report {
            names,
            cards: rows().map(|cards| cards as u64).collect(),
            reached: rows().map(|cards| reached[cards]).collect(),
            trapped: rows().map(|cards| counted.at(o::ENDED, cards, 1)).collect(),
            left: (0..counted.seats())
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
        let one = "one row per number n of cards revealed in an expedition";
        let mut sheet = Rows::new("depth", one, 0..self.cards.len());
        sheet.whole("cards", "cards revealed", |&row| self.cards[row]);
        let meaning = "expeditions that revealed at least n cards";
        sheet.whole("expeditions", meaning, |&row| self.reached[row]);
        let meaning = "how many expeditions a trap ended with the n-th card";
        sheet.whole("ended_by_trap", meaning, |&row| self.trapped[row]);
        for (seat, left) in (1..).zip(&self.left) {
            let meaning = format!("how often seat {seat} left after n cards");
            sheet.whole(format!("left_seat_{seat}"), meaning, |&row| left[row]);
        }
        sheet.sheet()
    }

    /// The chart of when each bot leaves.
    pub fn leaving(&self) -> Leaving {
        let all = self.reached.first().copied().unwrap_or(0).max(1) as f64;
        let shares = |counts: &[u64]| counts.iter().map(|&count| count as f64 / all).collect();
        let seats = self
            .names
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
            depths: self.cards.iter().map(|&cards| cards as u32).collect(),
            seats: seats.collect(),
            risk: (0..self.cards.len()).map(risk).collect(),
            reached: shares(&self.reached),
        }
    }
}
