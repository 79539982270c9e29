//! Work of a thread: games in which learners decide, and their sums.

use super::state::Place;
use super::{CHUNK, OptionLearner, PARTS, Task, pairs};
use crate::game::practice::Offer;
use crate::game::{Record, SCORE, WIN, WIN_UNITS};
use crate::learning::Objective;
use crate::learning::additive::BINS;
use crate::streams;
use fearless_simd::Level;

/// Trust in the critic over the end of the game (λ of generalized advantage estimation).
const LAMBDA: f32 = 0.95;

struct Decision {
    game: usize,
    seat: usize,
    /// Its first option, and the number of options.
    first: usize,
    options: usize,
    chosen: usize,
    expected: f32,
}

/// The buffers and sums of a thread.
#[derive(Default)]
pub(super) struct Worker {
    record: Option<Record>,
    decisions: Vec<Decision>,
    /// By option: its kind, its base score, its probability, and the cells of all features.
    kinds: Vec<u8>,
    bases: Vec<f32>,
    chances: Vec<f32>,
    cells: Vec<u8>,
    numbers: Vec<f32>,
    /// Number of decisions in each game of the chunk.
    asked: Vec<u64>,
    pub(super) slopes: Vec<i64>,
    /// By cell of the critic: the sum of surprises, and their number.
    pub(super) surprises: Vec<[i64; 2]>,
    /// By candidate table and cell: the gradient, and the sum of its squares.
    pub(super) candidates: Vec<[i64; 2]>,
    pub(super) count: u64,
}

/// Offset of the first cell of a candidate table.
pub(super) fn candidate(kind: usize, (a, b): (usize, usize), looks: usize) -> usize {
    ((kind * looks + a) * looks + b) * BINS * BINS
}

impl Task<'_> {
    /// The features of an option, and the base score.
    pub(super) fn numbers(&self, offer: &Offer, option: usize, numbers: &mut Vec<f32>) {
        let width = self.shape.base;
        numbers.clear();
        numbers.extend(&offer.features[option * width..][..width]);
        numbers.push(self.base.seen(offer.scores[option]));
    }

    /// A step size or weight that decays with the number of games.
    pub(super) fn slowed(&self, at_first: f64, games: u64) -> f64 {
        at_first / (1.0 + (self.earlier + games) as f64 / self.slower).sqrt()
    }

    /// The worth of each game to each learner.
    fn worths(&self, record: &Record, scores: [f32; 2]) -> Vec<f32> {
        let layout = self.table.layout();
        let games = record.games();
        let column = |seat, outcome| record.column(layout.seat_column(seat, outcome));
        let mut worths = Vec::with_capacity(games * self.learners);
        for game in 0..games {
            let points = |seat| column(seat, SCORE)[game] as f32;
            let all: f32 = (0..layout.seats).map(points).sum();
            let mean = all / layout.seats as f32;
            worths.extend((0..self.learners).map(|seat| match self.objective {
                Objective::WinShare => {
                    let won = column(seat, WIN)[game] as f32 / WIN_UNITS as f32;
                    won - 1.0 / layout.seats as f32 + self.point * (points(seat) - mean)
                }
                Objective::ScoreMean => (points(seat) - scores[0]) / scores[1],
            }));
        }
        worths
    }
}

impl Worker {
    pub(super) fn clear(&mut self) {
        self.slopes.fill(0);
        self.surprises.fill([0; 2]);
        self.candidates.clear();
        self.count = 0;
    }

    pub(super) fn play(&mut self, own: &OptionLearner, level: Level, (first, games): (u64, u64)) {
        let layout = own.task.table.layout();
        let record = self.record.take();
        let mut record = record.unwrap_or_else(|| Record::new(layout, CHUNK as usize));
        record.clear(games as usize);
        self.decisions.clear();
        self.kinds.clear();
        self.bases.clear();
        self.chances.clear();
        self.cells.clear();
        self.asked.clear();
        self.asked.resize(games as usize, 0);
        let heights = own.learnt.heights.iter();
        let heights: Vec<f32> = heights.map(|height| height.value as f32).collect();
        let kinds = own.task.shape.kinds.len() + 1;
        let of_kind = |kind| {
            let tables = own.learnt.tables.iter();
            tables.filter(|place| place.kind == kind).cloned().collect()
        };
        let tables: Vec<Vec<Place>> = (0..kinds).map(of_kind).collect();
        // Padded to the same length, so that all edges are compared at once.
        let padded = |edges: &Vec<f32>| {
            let mut padded = [f32::INFINITY; BINS];
            padded[..edges.len()].copy_from_slice(edges);
            padded
        };
        let edges: Vec<[f32; BINS]> = own.learnt.edges.iter().map(padded).collect();
        let mut pick = |offer: &Offer| self.pick(own, (&tables, &heights, &edges), first, offer);
        let luck = (own.task.seed, first);
        own.task.table.practise(level, luck, &mut pick, &mut record);
        self.record = Some(record);
    }

    /// Takes a decision if it is a learner's.
    fn pick(
        &mut self,
        own: &OptionLearner,
        (tables, heights, edges): (&[Vec<Place>], &[f32], &[[f32; BINS]]),
        first_game: u64,
        offer: &Offer,
    ) -> Option<usize> {
        let Task { shape, .. } = &own.task;
        let learnt = &own.learnt;
        let options = offer.scores.len();
        if offer.seat >= own.task.learners {
            return None;
        }
        let first = self.kinds.len();
        let weights = &heights[heights.len() - tables.len()..];
        let mut most = f32::NEG_INFINITY;
        for option in 0..options {
            own.task.numbers(offer, option, &mut self.numbers);
            let from = self.cells.len();
            let steps = self.numbers.iter().zip(edges);
            self.cells.extend(steps.map(|(number, edges)| {
                let reached = edges.map(|edge| u32::from(edge <= *number));
                reached.iter().sum::<u32>() as u8
            }));
            self.cells.push(0);
            let cells = &self.cells[from..];
            let kind = shape.kind(&self.numbers);
            let base = self.numbers[shape.base];
            let own = tables[kind].iter().map(|place| heights[place.cell(cells)]);
            let sum = own.sum::<f32>() + weights[kind] * base;
            self.kinds.push(kind as u8);
            self.bases.push(base);
            self.chances.push(sum);
            most = most.max(sum);
        }
        let chances = &mut self.chances[first..];
        let mut all = 0.0;
        for chance in chances.iter_mut() {
            *chance = (*chance - most).exp();
            all += *chance;
        }
        let key = streams::game_key(own.task.seed, first_game + offer.game as u64);
        let asked = &mut self.asked[offer.game];
        // Far from the random numbers of the game itself.
        let drawn = streams::output(key, 2 * streams::UNIFORM_BASE + *asked) >> 40;
        *asked += 1;
        let drawn = drawn as f32 / (1u32 << 24) as f32;
        let (mut before, mut chosen) = (0.0, options - 1);
        for (option, chance) in chances.iter_mut().enumerate().rev() {
            *chance /= all;
            before += *chance;
            if drawn < before {
                chosen = chosen.min(option);
                before = f32::NEG_INFINITY;
            }
        }
        let cells = &self.cells[first * learnt.edges.len()..];
        let expected = learnt.critic.iter();
        let expected = expected.map(|place| learnt.expected[place.cell(cells)]);
        self.decisions.push(Decision {
            game: offer.game,
            seat: offer.seat,
            first,
            options,
            chosen,
            expected: expected.sum(),
        });
        Some(chosen)
    }

    /// Goes through the decisions from the last one, with the advantage of each.
    fn back(&self, own: &OptionLearner, mut each: impl FnMut(&Decision, f32)) {
        let Some(record) = &self.record else { return };
        let mut next = own.task.worths(record, own.learnt.scores);
        let mut surprises = vec![0.0; next.len()];
        for decision in self.decisions.iter().rev() {
            let who = decision.game * own.task.learners + decision.seat;
            let surprise = next[who] - decision.expected;
            surprises[who] = surprise + LAMBDA * surprises[who];
            next[who] = decision.expected;
            each(decision, surprises[who]);
        }
    }

    /// The gradient of the worth with respect to the sum of each option of a decision, given its
    /// advantage, and of the entropy.
    fn slopes(
        &self,
        own: &OptionLearner,
        decision: &Decision,
        better: f32,
    ) -> impl Iterator<Item = (usize, f32)> {
        let options = decision.first..decision.first + decision.options;
        let chosen = decision.first + decision.chosen;
        let log = |option: usize| self.chances[option].max(f32::MIN_POSITIVE).ln();
        let each = options.clone();
        let mean: f32 = each.map(|option| self.chances[option] * log(option)).sum();
        let entropy = own.task.slowed(own.task.entropy, own.learnt.games) as f32;
        let slope = move |option: usize| {
            let taken = f32::from(u8::from(option == chosen));
            let chance = self.chances[option];
            let undecided = entropy * chance * (mean - log(option));
            (option, better * (taken - chance) + undecided)
        };
        options.map(slope)
    }

    /// Adds up the gradients of the decisions.
    pub(super) fn learn(&mut self, own: &OptionLearner) {
        let learnt = &own.learnt;
        let mut slopes = std::mem::take(&mut self.slopes);
        let mut surprises = std::mem::take(&mut self.surprises);
        slopes.resize(learnt.heights.len(), 0);
        surprises.resize(learnt.expected.len(), [0; 2]);
        let kinds = own.task.shape.kinds.len() + 1;
        let weights = slopes.len() - kinds;
        let mut tables = vec![Vec::new(); kinds];
        for place in &learnt.tables {
            tables[place.kind].push(place);
        }
        let width = learnt.edges.len();
        self.back(own, |decision, better| {
            let cells = &self.cells[decision.first * width..];
            for place in &learnt.critic {
                let own = &mut surprises[place.cell(cells)];
                own[0] += (better * PARTS) as i64;
                own[1] += 1;
            }
            for (option, slope) in self.slopes(own, decision, better) {
                let sum = (slope * PARTS) as i64;
                if sum == 0 {
                    continue;
                }
                let kind = usize::from(self.kinds[option]);
                let cells = &self.cells[option * width..][..width];
                for place in &tables[kind] {
                    slopes[place.cell(cells)] += sum;
                }
                slopes[weights + kind] += (slope * self.bases[option] * PARTS) as i64;
            }
        });
        self.count += self.decisions.len() as u64;
        (self.slopes, self.surprises) = (slopes, surprises);
    }

    /// Adds up the gradients of candidate tables.
    pub(super) fn look(&mut self, own: &OptionLearner) {
        let looks = own.learnt.looks(own.task.shape);
        let kinds = &own.task.shape.kinds;
        let mut candidates = std::mem::take(&mut self.candidates);
        let all = candidate(kinds.len() + 1, (0, 0), looks.len());
        candidates.resize(all, [0; 2]);
        let width = own.learnt.edges.len();
        self.back(own, |decision, better| {
            for (option, slope) in self.slopes(own, decision, better) {
                let sums = [slope, slope * slope].map(|sum| (sum * PARTS) as i64);
                if sums[0] == 0 {
                    continue;
                }
                let kind = usize::from(self.kinds[option]);
                let cells = &self.cells[option * width..][..width];
                for (a, b) in pairs(looks.len()) {
                    let [row, column] = [a, b].map(|at| usize::from(cells[looks[at]]));
                    let first = candidate(kind, (a, b), looks.len());
                    let own = &mut candidates[first + row * BINS + column];
                    own[0] += sums[0];
                    own[1] += sums[1];
                }
            }
        });
        self.candidates = candidates;
    }
}
