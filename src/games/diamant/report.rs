//! The game's own table and chart: events by number of cards.

use super::outcomes as o;
use crate::figure::{Line, LineShape, Lines, Panel};
use crate::game::Counted;
use crate::numbers::percent;
use crate::sheet::{Rows, Sheet};
use crate::statistics::{Estimate, quantile};

/// Charts leave out numbers of cards reached by a smaller share of expeditions.
const RARE: f64 = 0.000_5;
const HABITS: &str = "Below each name: card numbers of the middle half of its departures, and \
                      how often a trap caught it. Depths reached by fewer than 0.05 % of \
                      expeditions are not drawn.";

/// The data of tables and charts: counts of expeditions by number of cards revealed, one entry per
/// row.
pub struct Report<'a> {
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

    pub fn sheet(self) -> Sheet {
        let one = "one row per number n of cards revealed in an expedition";
        let mut sheet = Rows::new("depth", one, 0..self.cards.len());
        sheet.whole("cards", "cards revealed", |&row| self.cards[row]);
        let meaning = "expeditions that revealed at least n cards";
        sheet.whole("expeditions", meaning, |&row| self.reached[row]);
        let meaning = "expeditions ended by a trap as the n-th card";
        sheet.whole("ended_by_trap", meaning, |&row| self.trapped[row]);
        for (seat, left) in (1..).zip(&self.left) {
            let meaning = format!("departures of seat {seat} after n cards");
            sheet.whole(&format!("left_seat_{seat}"), &meaning, |&row| left[row]);
        }
        sheet.sheet()
    }

    /// The chart of when each bot leaves.
    pub fn leaving(&self) -> Lines {
        let all = self.reached.first().copied().unwrap_or(0).max(1) as f64;
        let common = |expeditions: &&u64| **expeditions as f64 >= RARE * all;
        let shown = self.reached.iter().take_while(common).count();
        let mut lines = Vec::new();
        for (seat, left) in self.left.iter().enumerate() {
            let (mut gone, mut points) = (0, Vec::new());
            for (cards, left) in self.cards.iter().zip(left).take(shown) {
                gone += left;
                points.push((*cards as f64, gone as f64 / all));
            }
            lines.push(Line {
                detail: self.habit(left, all),
                shape: LineShape::Steps,
                ..Line::exact(&self.names[seat], seat, points)
            });
        }
        // The share of expeditions that the next card ends, among those that reveal it.
        let mut risk = Vec::new();
        for row in 1..shown {
            let share = Estimate::share(self.reached[row], self.trapped[row], 1);
            risk.push((self.cards[row - 1] as f64, share));
        }
        let panel = |heading: &str, lines| Panel {
            heading: heading.to_string(),
            share: true,
            include: vec![0.0],
            lines,
            ..Panel::default()
        };
        Lines {
            title: "When each bot leaves, and the risk".to_string(),
            x_title: "cards revealed".to_string(),
            panels: vec![
                panel("Share of expeditions the bot has left", lines),
                panel(
                    "Risk that the next card ends the expedition, with 95 % band",
                    vec![Line {
                        label: "risk".to_string(),
                        seat: 6,
                        points: risk,
                        ..Line::default()
                    }],
                ),
            ],
            note: HABITS.to_string(),
            ..Lines::default()
        }
    }

    /// The range of cards with the middle half of a bot's departures, and the share of `all`
    /// expeditions in which a trap catches it.
    fn habit(&self, left: &[u64], all: f64) -> String {
        let leaves: u64 = left.iter().sum();
        let caught = percent(1.0 - leaves as f64 / all, 0);
        if leaves == 0 {
            return format!("never leaves · caught {caught}");
        }
        let [first, last] = [0.25, 0.75].map(|part| self.cards[quantile(left, part)]);
        if first == last {
            format!("after {first} · caught {caught}")
        } else {
            format!("after {first} to {last} · caught {caught}")
        }
    }
}
