//! Plays chunks of games on a thread, and adds up their lessons.

use super::critic::{COUNT_BITS, ChunkWorth};
use super::{CHUNK, Learner};
use crate::game::{Layout, Lessons, Record};
use fearless_simd::Level;

/// The buffers and sums of a thread.
pub struct Worker {
    record: Record,
    lessons: Lessons,
    pub worth: ChunkWorth,
    /// By action of a cell: sum and count, packed.
    sums: Vec<u64>,
    /// Number of decisions in the packed sums.
    held: u64,
    /// Unpacked sums of earlier chunks, if the packed sums would have overflowed.
    before: Vec<(u64, u64)>,
    /// By cell, the latest phase of a decision in it.
    pub phases: Vec<u8>,
    /// By phase, the number of decisions, and the sums of their worth and of its square.
    pub moments: Vec<[u64; 3]>,
}

impl Worker {
    /// The buffers of a thread at such a table, for a policy of `cells` cells.
    pub fn new(layout: &Layout, cells: usize, phases: usize) -> Worker {
        Worker {
            record: Record::new(layout, CHUNK as usize),
            lessons: Lessons::default(),
            worth: ChunkWorth::default(),
            sums: vec![0; 2 * cells],
            held: 0,
            before: Vec::new(),
            phases: vec![0; cells],
            moments: vec![[0; 3]; phases],
        }
    }

    /// The sum of the worth of an action, and its count.
    pub fn sum(&self, action: usize) -> (u64, u64) {
        let before = self.before.get(action).copied();
        add(split(self.sums[action]), before.unwrap_or_default())
    }

    /// Empties the packed sums before they may overflow.
    fn unpack(&mut self) {
        self.before.resize(self.sums.len(), (0, 0));
        for (before, sum) in self.before.iter_mut().zip(&mut self.sums) {
            *before = add(*before, split(std::mem::take(sum)));
        }
        self.held = 0;
    }

    pub fn clear(&mut self) {
        self.sums.fill(0);
        self.held = 0;
        self.before.clear();
        self.worth.sums.fill(0);
        self.moments.fill([0; 3]);
    }

    /// Plays a chunk and adds up its lessons.
    pub fn chunk(&mut self, learner: &Learner, level: Level, first: u64) {
        self.record.clear(CHUNK as usize);
        let games = (learner.seed, first);
        let table = learner.table.as_ref();
        let (lessons, record) = (&mut self.lessons, &mut self.record);
        table.play(level, games, &learner.policy, lessons, record);
        let layout = table.layout();
        let (worth, lessons) = (&mut self.worth, &self.lessons);
        (learner.critic).judge(learner.learners, lessons, &self.record, layout, worth);
        let (phases, seats) = (table.phases(), layout.seats);
        let decisions = lessons.decisions.len() as u64;
        if (self.held + decisions) >> COUNT_BITS > 0 {
            self.unpack();
        }
        self.held += decisions;
        let (worth, lessons) = (&self.worth, &self.lessons);
        let teach_phases = (first / CHUNK).is_multiple_of(16);
        for decision in &lessons.decisions {
            let phase = decision.phase();
            let at = (decision.game() * phases + phase) * seats + decision.seat();
            let value = u64::from(worth.values[at]);
            let action = decision.action();
            self.sums[action] += value << COUNT_BITS | 1;
            if teach_phases {
                let known = &mut self.phases[action / 2];
                *known = (*known).max(phase as u8);
                let [count, sum, squares] = &mut self.moments[phase];
                *count += 1;
                *sum += value;
                *squares += value * value;
            }
        }
    }
}

/// Sum and count of a packed sum.
pub fn split(sum: u64) -> (u64, u64) {
    (sum >> COUNT_BITS, sum & ((1 << COUNT_BITS) - 1))
}

pub fn add(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0 + b.0, a.1 + b.1)
}
