//! Prior knowledge for learning Diamant: what to look at.

use super::rules::{Chests, DiamantRules};
use super::seated;
use crate::formula::Formula;
use crate::game::{Lesson, School, SeatingError};
use crate::strategy::{Axis, Grid, GridSection, Seat};

/// Average cost of the next card, as a fraction of what it brings to each explorer inside.
const COST: &str = "bust_risk * held * cards_left * explorers / treasure_left";

/// Edges of `bust_risk`.
const RISKS: [f32; 7] = [0.04, 0.08, 0.12, 0.16, 0.2, 0.26, 0.34];
/// Edges of the lead of a chest over the fullest other one inside, in the last expedition.
const AHEAD_INSIDE: [i32; 12] = [-18, -11, -6, -3, -1, 0, 1, 2, 4, 7, 12, 19];
/// Edges of the lead over all outside once the held rubies are home, in the last expedition.
const AHEAD_OUTSIDE: [i32; 10] = [-8, -4, -1, 0, 1, 3, 6, 10, 16, 24];
/// Edges of the held rubies of a learner beside bots.
const HELD: [i32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 17, 21, 27];

impl DiamantRules {
    /// The round axis: each of the two rounds before the last has cells of its own.
    fn rounds_apart(&self) -> Axis {
        let rounds = self.rounds as i32;
        whole("round", &Vec::from_iter((rounds - 2).max(2)..rounds))
    }

    /// What a learner looks at beside bots; `standing` is whether others' chests matter.
    fn beside_bots(&self, players: usize, standing: bool) -> Vec<GridSection> {
        let others = |of: &str, edges: &[i32]| whole(of, if standing { edges } else { &[] });
        let explorers = whole("explorers", &Vec::from_iter(2..=players as i32));
        // Axes that are equal for all explorers come first, so they are looked up once.
        let early = vec![
            self.rounds_apart(),
            explorers.clone(),
            Axis::new("bust_risk", &RISKS),
            whole("leftover", &[1, 2, 4, 7, 11, 17]),
            whole("relic_worth", &[1, 6]),
            whole("held", &HELD),
            others("chest - best_other_chest", &[-12, -3, 2, 10]),
            others("chest - best_inside", &[-8, -2, 1, 6]),
        ];
        let is_single = self.rounds == 1;
        // With more players there is no room for this axis beside the chests.
        let shows_cards = players <= 3 || is_single;
        // In a single round all chests are empty.
        let inside: &[i32] = if is_single { &[] } else { &AHEAD_INSIDE };
        let last = vec![
            whole(
                "cards_revealed",
                if shows_cards { &[4, 5, 6, 7, 8] } else { &[] },
            ),
            explorers,
            Axis::new("bust_risk", &[0.04, 0.08, 0.12, 0.15, 0.2, 0.25, 0.32]),
            whole("leftover + relic_worth", &[2, 5, 8, 12]),
            whole("held", &HELD),
            others("chest - best_inside", inside),
            others("chest + held - best_outside", &AHEAD_OUTSIDE),
        ];
        let mut sections = vec![
            section("early", Some("rounds_left > 0"), early),
            section("last", None, last),
        ];
        if is_single {
            sections.remove(0);
        }
        sections
    }

    /// What learners look at when all seats learn together. Learners inside see the same path and
    /// answer alike, so cells distinguish paths finely: if two paths shared a cell, all would leave
    /// too often on one and too seldom on the other.
    fn beside_learners(&self, players: usize, standing: bool) -> Vec<GridSection> {
        let others = |of: &str, edges: &[i32]| whole(of, if standing { edges } else { &[] });
        let round = self.rounds_apart();
        let players = players as i32;
        let explorers = whole("explorers", &Vec::from_iter(2..players));
        let leftover = whole("leftover", &[1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17]);
        let relic_worth = whole("relic_worth", &[1, 6, 11]);
        let relics = whole("relic_worth", &[1, 6]);
        // All chests are still empty.
        let first = vec![
            whole("held", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21]),
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
                &[-18, -10, -5, -1, 0, 1, 3, 7, 12],
            ),
            others("rank", &Vec::from_iter(2..=players.min(4))),
        ];
        let apart = vec![
            round,
            explorers.clone(),
            Axis::new(COST, &[0.2, 0.5, 0.8, 1.2, 2.0]),
            Axis::new("bust_risk", &[0.08, 0.14, 0.22]),
            whole("leftover", &[1, 2, 3, 4, 5, 6, 8, 11, 15]),
            relics.clone(),
            others("chest - best_inside", &[-7, -2, 0, 3, 8]),
            others(
                "chest + held - best_outside",
                &[-12, -8, -3, 0, 3, 6, 10, 16],
            ),
        ];
        let last_together = vec![
            Axis::new("bust_risk", &RISKS),
            whole("leftover", &[1, 2, 3, 4, 5, 6, 8, 11]),
            relic_worth,
            whole("held", &[1, 4, 7, 10, 13, 16, 20, 26]),
            others("chest - best_inside", &AHEAD_INSIDE),
        ];
        // With axes of the chests, there is no room for held rubies.
        let held: &[i32] = if standing { &[] } else { &[3, 7, 10, 14, 20] };
        let with_path = "chest + held + leftover - best_other_chest";
        let last = vec![
            explorers,
            Axis::new("bust_risk", &[0.06, 0.12, 0.18, 0.25]),
            whole("leftover", &[1, 3, 5, 7]),
            relics,
            others("chest - best_inside", &[-12, -6, -3, -1, 0, 1, 3, 6, 12]),
            others("chest + held - best_outside", &AHEAD_OUTSIDE),
            others(with_path, &[-14, -10, -6, -2, 0, 3, 6, 10, 15]),
            whole("held", held),
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

/// An axis whose edges are whole numbers.
fn whole(of: &str, edges: &[i32]) -> Axis {
    let edges: Vec<f32> = edges.iter().map(|edge| *edge as f32).collect();
    Axis::new(of, &edges)
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
        let mut axes = vec![whole("leftover", &[9, 15, 22]), whole("held", &[5, 10, 16])];
        if wins && players > 2 && self.chests == Chests::Open {
            axes.push(whole("best_outside - best_inside", &[0]));
        }
        axes.push(whole("treasure_left", &[75]));
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
