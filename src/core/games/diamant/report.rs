//! The game's own table and chart: events by number of cards.

use super::outcomes as o;
use crate::figure::{Line, LineShape, Lines, Panel};
use crate::game::{Copies, Counted};
use crate::numbers::percent;
use crate::sheet::columns;
use crate::sheet::{Columns, Sheet};
use crate::statistics::{Estimate, quantile};
use std::ops::Range;

/// Charts leave out numbers of cards reached by a smaller share of expeditions.
const RARE: f64 = 0.000_5;
const HABITS: &str = "Below each name: card numbers of the middle half of its departures, and \
                      how often a trap caught it. Card numbers reached by fewer than 0.05 % \
                      of expeditions are not drawn.";

/// Counts of expeditions by number of cards revealed.
pub struct Report<'a> {
    counted: &'a Counted<'a>,
    /// The numbers of cards, from 1 (from 0 where a deck could be empty before its first card).
    cards: Range<usize>,
    /// By number of cards from 0, the expeditions that revealed at least as many.
    reached: Vec<u64>,
}

columns! {
    Depth<'a>(of: Report<'a>, cards: usize)
    "depth", "one row per number n of cards revealed in an expedition";
    CARDS: whole("cards", "cards revealed") => *cards as u64;
    EXPEDITIONS: whole("expeditions", "expeditions that revealed at least n cards") => of.reached[*cards];
    TRAPPED: whole("ended_by_trap", "expeditions ended by a trap as the n-th card") => of.trapped(*cards);
    LEFT: whole("left_SEAT", "departures of a seat after n cards"),
        for seat in of.counted.seat_columns("left", "departures of {} after n cards") => of.left(*cards, seat);
}

impl<'a> Report<'a> {
    /// Reads the counts of a tally.
    pub fn new(counted: &'a Counted<'a>) -> Self {
        let ended = |cards| counted.at(o::ENDED, cards, 0);
        let mut reached: Vec<u64> = (0..o::DEPTHS).map(ended).collect();
        let first = usize::from(reached[0] == 0);
        for cards in (1..o::DEPTHS).rev() {
            reached[cards - 1] += reached[cards];
        }
        Report {
            cards: first..reached.iter().take_while(|all| **all > 0).count(),
            counted,
            reached,
        }
    }

    fn trapped(&self, cards: usize) -> u64 {
        self.counted.at(o::ENDED, cards, 1)
    }

    /// Expeditions that a seat left after this many cards.
    fn left(&self, cards: usize, seat: usize) -> u64 {
        self.counted.at(o::LEAVING, cards, seat)
    }

    pub fn sheet(self) -> Sheet {
        Depth::sheet(&self, self.cards.clone())
    }

    /// The chart of when each bot leaves.
    pub fn leaving(&self, copies: &[Copies]) -> Lines {
        let all = self.reached[self.cards.start].max(1) as f64;
        let common = |cards: &usize| self.reached[*cards] as f64 >= RARE * all;
        let shown = || self.cards.clone().take_while(common);
        let mut lines = Vec::new();
        for of in copies {
            let (mut gone, mut points) = (0, Vec::new());
            let all = all * of.seats.len() as f64;
            for cards in shown() {
                gone += of.sum(|seat| self.left(cards, seat));
                points.push((cards as f64, gone as f64 / all));
            }
            lines.push(Line {
                detail: self.habit(of, all),
                shape: LineShape::Steps,
                ..Line::exact(&of.name, of.seats[0], points)
            });
        }
        // The share of expeditions that the next card ends, among those that reveal it.
        let mut risk = Vec::new();
        for cards in shown().skip(1) {
            let share = Estimate::share(self.reached[cards], self.trapped(cards), 1);
            risk.push(((cards - 1) as f64, share));
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
    fn habit(&self, of: &Copies, all: f64) -> String {
        let left = self
            .cards
            .clone()
            .map(|cards| of.sum(|seat| self.left(cards, seat)));
        let left: Vec<u64> = left.collect();
        let leaves: u64 = left.iter().sum();
        let caught = percent(1.0 - leaves as f64 / all, 0);
        if leaves == 0 {
            return format!("never leaves · caught {caught}");
        }
        let [first, last] = [0.25, 0.75].map(|part| self.cards.start + quantile(&left, part));
        if first == last {
            format!("after {first} · caught {caught}")
        } else {
            format!("after {first} to {last} · caught {caught}")
        }
    }
}
