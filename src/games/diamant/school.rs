//! Prior knowledge for learning Diamant: what to look at.

use super::rules::{Chests, DiamantRules};
use super::seated;
use crate::formula::Formula;
use crate::game::{Lesson, School, SeatingError};
use crate::strategy::{Axis, Grid, GridSection, Seat};
use std::ops::Range;

/// Average cost of the next card, as a fraction of what it brings to each explorer inside.
const COST: &str = "bust_risk * held * cards_left * explorers / treasure_left";

/// Edges of `bust_risk`.
const RISKS: [f32; 7] = [0.04, 0.08, 0.12, 0.16, 0.2, 0.26, 0.34];
/// Edges of the lead of a chest over the fullest other one inside, in the last expedition.
const AHEAD_INSIDE: [f32; 12] = [
    -18.0, -11.0, -6.0, -3.0, -1.0, 0.0, 1.0, 2.0, 4.0, 7.0, 12.0, 19.0,
];
/// Edges of the lead over all outside once the held rubies are home, in the last expedition.
const AHEAD_OUTSIDE: [f32; 10] = [-8.0, -4.0, -1.0, 0.0, 1.0, 3.0, 6.0, 10.0, 16.0, 24.0];

impl DiamantRules {
    /// Edges of the round axis: each of the two rounds before the last has cells of its own.
    fn rounds_apart(&self) -> Vec<f32> {
        let rounds = self.rounds as usize;
        numbers(rounds.saturating_sub(2).max(2)..rounds)
    }

    /// What a learner looks at beside bots; `standing` is whether others' chests matter.
    fn beside_bots(&self, players: usize, standing: bool) -> Vec<GridSection> {
        let others = |of: &str, edges: &[f32]| Axis::new(of, if standing { edges } else { &[] });
        let explorers = Axis::new("explorers", &numbers(2..players + 1));
        let held = Axis::new(
            "held",
            &[
                1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 17.0, 21.0,
                27.0,
            ],
        );
        // Axes that are equal for all explorers come first, so they are looked up once.
        let early = vec![
            Axis::new("round", &self.rounds_apart()),
            explorers.clone(),
            Axis::new("bust_risk", &RISKS),
            Axis::new("leftover", &[1.0, 2.0, 4.0, 7.0, 11.0, 17.0]),
            Axis::new("relic_worth", &[1.0, 6.0]),
            held.clone(),
            others("chest - best_other_chest", &[-12.0, -3.0, 2.0, 10.0]),
            others("chest - best_inside", &[-8.0, -2.0, 1.0, 6.0]),
        ];
        // With more players there is no room for this axis beside the chests.
        let cards: &[f32] = if players <= 3 || self.rounds == 1 {
            &[4.0, 5.0, 6.0, 7.0, 8.0]
        } else {
            &[]
        };
        let last = vec![
            Axis::new("cards_revealed", cards),
            explorers,
            Axis::new("bust_risk", &[0.04, 0.08, 0.12, 0.15, 0.2, 0.25, 0.32]),
            Axis::new("leftover + relic_worth", &[2.0, 5.0, 8.0, 12.0]),
            held,
            // In a single round all chests are empty.
            others(
                "chest - best_inside",
                if self.rounds > 1 { &AHEAD_INSIDE } else { &[] },
            ),
            others("chest + held - best_outside", &AHEAD_OUTSIDE),
        ];
        let early = section("early", Some("rounds_left > 0"), early);
        let last = section("last", None, last);
        match self.rounds {
            1 => vec![last],
            _ => vec![early, last],
        }
    }

    /// What learners look at when all seats learn together. Learners inside see the same path and
    /// answer alike, so cells distinguish paths finely: if two paths shared a cell, all would leave
    /// too often on one and too seldom on the other.
    fn beside_learners(&self, players: usize, standing: bool) -> Vec<GridSection> {
        let others = |of: &str, edges: &[f32]| Axis::new(of, if standing { edges } else { &[] });
        let round = Axis::new("round", &self.rounds_apart());
        let explorers = Axis::new("explorers", &numbers(2..players));
        let leftover = Axis::new(
            "leftover",
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 13.0, 17.0],
        );
        let relic_worth = Axis::new("relic_worth", &[1.0, 6.0, 11.0]);
        let relics = Axis::new("relic_worth", &[1.0, 6.0]);
        // All chests are still empty.
        let first = vec![
            Axis::new(
                "held",
                &[
                    1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 17.0, 21.0,
                ],
            ),
            Axis::new("bust_risk", &RISKS),
            leftover.clone(),
            relic_worth.clone(),
        ];
        let together = vec![
            round.clone(),
            Axis::new(COST, &[0.01, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.8, 2.7]),
            Axis::new("bust_risk", &[0.06, 0.11, 0.17, 0.24]),
            leftover,
            relic_worth.clone(),
            others(
                "chest - best_other_chest",
                &[-18.0, -10.0, -5.0, -1.0, 0.0, 1.0, 3.0, 7.0, 12.0],
            ),
            others("rank", &numbers(2..players.min(4) + 1)),
        ];
        let apart = vec![
            round,
            explorers.clone(),
            Axis::new(COST, &[0.2, 0.5, 0.8, 1.2, 2.0]),
            Axis::new("bust_risk", &[0.08, 0.14, 0.22]),
            Axis::new("leftover", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 11.0, 15.0]),
            relics.clone(),
            others("chest - best_inside", &[-7.0, -2.0, 0.0, 3.0, 8.0]),
            others(
                "chest + held - best_outside",
                &[-12.0, -8.0, -3.0, 0.0, 3.0, 6.0, 10.0, 16.0],
            ),
        ];
        let last_together = vec![
            Axis::new("bust_risk", &RISKS),
            Axis::new("leftover", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 11.0]),
            relic_worth,
            Axis::new("held", &[1.0, 4.0, 7.0, 10.0, 13.0, 16.0, 20.0, 26.0]),
            others("chest - best_inside", &AHEAD_INSIDE),
        ];
        // With axes of the chests, there is no room for held rubies.
        let held: &[f32] = if standing {
            &[]
        } else {
            &[3.0, 7.0, 10.0, 14.0, 20.0]
        };
        let last = vec![
            explorers,
            Axis::new("bust_risk", &[0.06, 0.12, 0.18, 0.25]),
            Axis::new("leftover", &[1.0, 3.0, 5.0, 7.0]),
            relics,
            others(
                "chest - best_inside",
                &[-12.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 12.0],
            ),
            others("chest + held - best_outside", &AHEAD_OUTSIDE),
            others(
                "chest + held + leftover - best_other_chest",
                &[-14.0, -10.0, -6.0, -2.0, 0.0, 3.0, 6.0, 10.0, 15.0],
            ),
            Axis::new("held", held),
        ];
        let all = |before: &str| format!("{before} and explorers == players");
        let early = "rounds_left > 0";
        let mut sections = vec![
            section("first", Some(&all("round == 1")), first),
            section("together", Some(&all(early)), together),
            section("apart", Some(early), apart),
            section("last_together", Some("explorers == players"), last_together),
            section("last", None, last),
        ];
        if self.rounds == 1 {
            sections.drain(..3);
        }
        sections
    }
}

fn numbers(numbers: Range<usize>) -> Vec<f32> {
    numbers.map(|number| number as f32).collect()
}

/// Cells along axes; axes without edges are dropped.
fn section(name: &str, when: Option<&str>, mut axes: Vec<Axis>) -> GridSection {
    axes.retain(|axis| !axis.edges.is_empty());
    GridSection {
        name: name.to_string(),
        when: when.map(str::to_string),
        axes,
    }
}

impl School for DiamantRules {
    fn grid(&self, players: usize, wins: bool, alone: bool) -> Grid {
        let standing = wins && players > 1 && self.chests == Chests::Open;
        Grid {
            sections: if alone {
                self.beside_bots(players, standing)
            } else {
                self.beside_learners(players, standing)
            },
        }
    }

    fn finer(&self, players: usize, wins: bool) -> Vec<Axis> {
        let mut axes = vec![
            Axis::new("leftover", &[9.0, 15.0, 22.0]),
            Axis::new("held", &[5.0, 10.0, 16.0]),
        ];
        if wins && players > 2 && self.chests == Chests::Open {
            axes.push(Axis::new("best_outside - best_inside", &[0.0]));
        }
        axes.push(Axis::new("treasure_left", &[75.0]));
        axes
    }

    fn lesson(
        &self,
        cell: &Formula,
        learners: usize,
        others: &[Seat],
    ) -> Result<Box<dyn Lesson>, SeatingError> {
        let mut formulas = vec![cell.clone(); learners];
        formulas.extend(others.iter().map(Seat::formula));
        let mut labels = vec!["a learner".to_string(); learners];
        labels.extend(others.iter().map(Seat::label));
        Ok(Box::new(seated(self, &formulas, &labels, learners)?))
    }
}
