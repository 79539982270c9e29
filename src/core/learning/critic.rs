//! The value of a position after each phase: learnt from how the games ended.
//!
//! A decision is judged by the value after its phase rather than by the end of the game: that
//! averages out the luck of later phases.

use super::Objective;
use crate::game::{Layout, Lessons, Record, WIN, WIN_UNITS};
use serde::{Deserialize, Serialize};

const _: () = assert!(FINER * WIN_UNITS as u32 <= VALUE_MAX);

/// Units of worth per unit of a won game.
const FINER: u32 = 8;
/// The largest value, so that many fit a packed sum.
const VALUE_MAX: u32 = (1 << 13) - 1;

/// The bits of a count in a packed sum.
pub const COUNT_BITS: u32 = 25;

/// Edges of the lead over the best, second and third best other.
const AHEAD: [&[i32]; 3] = [
    &[
        -50, -40, -32, -26, -21, -17, -14, -12, -10, -8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5,
        6, 7, 9, 11, 13, 15, 18, 22, 27, 33, 41, 51,
    ],
    &[-30, -20, -13, -8, -5, -3, -1, 0, 1, 2, 4, 6, 9, 14, 21, 31],
    &[-20, -10, -5, -2, 0, 1, 3, 6, 11, 18, 28],
];
/// Leads beyond this are clamped.
const FAR: i32 = 63;

/// Values of positions after each phase but the last.
pub struct Critic {
    objective: Objective,
    phases: usize,
    seats: usize,
    /// Number of other seats that the cell depends on.
    depth: usize,
    /// Offset in the cell index, by lead.
    steps: [[u32; 2 * FAR as usize + 1]; 3],
    cells: usize,
    /// Right shift of scores before they are added to the worth.
    shift: u32,
    pub learnt: CriticState,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct CriticState {
    /// Weight and mean by phase and cell.
    known: Vec<[f64; 2]>,
    /// By phase and cell; `u32::MAX` if unknown.
    values: Vec<u32>,
}

/// The worth of a chunk, and its sums for the critic.
#[derive(Default)]
pub struct ChunkWorth {
    /// By game, phase and seat.
    pub values: Vec<u32>,
    /// By phase and cell: sum and count.
    pub sums: Vec<u64>,
    places: Vec<u32>,
}

impl Critic {
    pub fn new(objective: Objective, layout: &Layout, phases: usize) -> Critic {
        let seats = layout.seats;
        let depth = (seats - 1).min(AHEAD.len());
        let mut steps = [[0; 2 * FAR as usize + 1]; 3];
        let mut cells = 1;
        for (edges, steps) in AHEAD[..depth].iter().zip(&mut steps) {
            for (ahead, step) in (-FAR..=FAR).zip(steps.iter_mut()) {
                let index = edges.iter().filter(|edge| **edge <= ahead).count();
                *step = (index * cells) as u32;
            }
            cells *= edges.len() + 1;
        }
        let places = match objective {
            Objective::WinShare => (phases - 1) * cells,
            Objective::ScoreMean => 0,
        };
        let mut shift = 0;
        while layout.score_max >> shift > VALUE_MAX as usize {
            shift += 1;
        }
        Critic {
            objective,
            phases,
            seats,
            depth,
            steps,
            cells,
            shift,
            learnt: CriticState {
                known: vec![[0.0; 2]; places],
                values: vec![u32::MAX; places],
            },
        }
    }

    /// Computes the worth of a chunk to the first `learners` seats, and adds its sums.
    pub fn judge(
        &self,
        learners: usize,
        lessons: &Lessons,
        record: &Record,
        layout: &Layout,
        worth: &mut ChunkWorth,
    ) {
        let games = record.games();
        worth.values.resize(games * self.phases * self.seats, 0);
        worth.sums.resize(self.learnt.known.len(), 0);
        let Objective::WinShare = self.objective else {
            for (value, score) in worth.values.iter_mut().zip(&lessons.scores) {
                *value = *score as u32 >> self.shift;
            }
            return;
        };
        worth.places.resize(self.seats * self.phases, 0);
        let wins: Vec<&[i32]> = (0..self.seats)
            .map(|seat| record.column(layout.seat_column(seat, WIN)))
            .collect();
        let last = self.phases - 1;
        for game in 0..games {
            let first = game * self.phases * self.seats;
            for phase in 0..last {
                let row = &lessons.scores[first + phase * self.seats..][..self.seats];
                let mut best = [i32::MIN / 2; 4];
                for &score in row {
                    let mut score = score;
                    for place in &mut best {
                        let lower = score.min(*place);
                        *place = score.max(*place);
                        score = lower;
                    }
                }
                for seat in 0..learners {
                    let won = wins[seat][game] as u32 * FINER;
                    let place = phase * self.cells + self.place(row[seat], &best);
                    worth.sums[place] += u64::from(won) << COUNT_BITS | 1;
                    worth.values[first + phase * self.seats + seat] =
                        match self.learnt.values[place] {
                            u32::MAX => won,
                            value => value,
                        };
                }
            }
            for seat in 0..learners {
                let value = &mut worth.values[first + last * self.seats + seat];
                *value = wins[seat][game] as u32 * FINER;
            }
        }
    }

    /// The cell of a seat with score `own` among the best scores.
    #[inline(always)]
    fn place(&self, own: i32, best: &[i32; 4]) -> usize {
        let mut place = 0;
        let mut skip = 0;
        for other in 0..self.depth {
            // Skips the seat's own score.
            skip |= usize::from(best[other] == own);
            let ahead = (own - best[other + skip]).clamp(-FAR, FAR) + FAR;
            place += self.steps[other][ahead as usize];
        }
        place as usize
    }

    /// Restores a saved critic; returns false if it is of other games.
    pub fn recall(&mut self, state: CriticState) -> bool {
        let sizes = |of: &CriticState| [of.known.len(), of.values.len()];
        let fits = sizes(&state) == sizes(&self.learnt);
        if fits {
            self.learnt = state;
        }
        fits
    }

    /// Adds the sums of a batch; earlier weights are multiplied by `1 - rate`.
    pub fn learn(&mut self, sums: impl Fn(usize) -> (u64, u64), rate: f64) {
        let CriticState { known, values } = &mut self.learnt;
        for (place, [weight, mean]) in known.iter_mut().enumerate() {
            let (sum, count) = sums(place);
            let (sum, count) = (sum as f64, count as f64);
            let kept = *weight * (1.0 - rate * (count / 50.0).min(1.0));
            *mean = match kept + count {
                0.0 => 0.0,
                all => (*mean * kept + sum) / all,
            };
            *weight = kept + count;
            // Fewer games are too noisy.
            if *weight >= 20.0 {
                values[place] = mean.round() as u32;
            }
        }
    }
}
