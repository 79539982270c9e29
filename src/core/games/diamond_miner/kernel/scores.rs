//! A cache of scores of moves that a bot has looked at.
//!
//! The features of a move, and so its score, follow from little: the formula's parts over the
//! features that the moves of a decision share, the stack that cards go under with the part of the
//! table that matters to it, and the cards with what their own stack gives up. Each of these gets a
//! number, and a move is found by its numbers. Most moves are worse than ending the turn: a stack
//! keeps one bit for each of these. Everything has a fixed size: when there is no room for another
//! number, the cache is cleared.

use super::bot::Bot;
use super::words::{Word, same};
use crate::games::diamond_miner::features::OF_MOVE;

/// Most numbers of a kind, as a power of 2: settings and loads,
const FEW_BITS: u32 = 12;
const STACKS_BITS: u32 = 14;
/// Earlier decisions of which is kept what all moves shared.
const EARLIER: usize = 256;
/// Moves that are kept of a stack, besides those that are worse than ending the turn: beside it,
const NEAR: usize = 12;
/// and elsewhere.
const CELLS: usize = 8;
/// Moves whose features are kept.
const FEATURES_BITS: u32 = 13;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The cache of a bot.
pub struct Scores {
    /// What all moves shared when the bot decided last, as its formula distinguishes it, and the
    /// number of what the formula makes of that,
    shared: Box<[u32]>,
    pub setting: u16,
    /// and the same of some earlier decisions, each in the place of its hash; 0 stands for no
    /// number,
    earlier: Box<[u32]>,
    /// and which of these places that is.
    place: usize,
    /// Noted of each: the score of ending the turn, where that lasts.
    settings: Numbers<1, 1>,
    /// Notes: the loads that are worse under it than ending the turn, one bit each; then moves, in
    /// the places of their loads.
    pub stacks: Numbers<3, { 1 + NEAR }>,
    /// Note: the place it first came up in, from 1.
    loads: Numbers<4, 1>,
    /// Further moves under each stack.
    known: Box<[[Word; CELLS]]>,
    /// The features of moves with scores that change, as the formula reads them.
    features: Box<[(Key, [f32; OF_MOVE])]>,
    #[cfg(test)]
    pub forgotten: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of the stack that cards go under.
    pub stack: u16,
    /// Number of the cards, not 0.
    pub load: u16,
    /// Index among the moves of these cards under this stack, from 0.
    pub nth: u8,
}

#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Its score, unless that changes.
    pub score: f32,
    /// The transformation it chooses.
    pub option: u8,
    /// Whether it is the last of the moves of these cards under this stack.
    pub last: bool,
    /// Whether its score may differ each time.
    pub changes: bool,
}

impl Scores {
    pub fn new(bot: &Bot) -> Self {
        let changing = if bot.changes { FEATURES_BITS } else { 0 };
        Scores {
            shared: vec![0; bot.shared.len()].into(),
            setting: 0,
            earlier: vec![0; EARLIER * (bot.shared.len() + 1)].into(),
            place: 0,
            settings: Numbers::new(FEW_BITS),
            stacks: Numbers::new(STACKS_BITS),
            loads: Numbers::new(FEW_BITS),
            known: vec![[0; CELLS]; 1 << STACKS_BITS].into(),
            features: vec![(Key::default(), [0.0; OF_MOVE]); 1 << changing].into(),
            #[cfg(test)]
            forgotten: 0,
        }
    }

    /// Clears the caches when little room is left, and returns whether it did: numbers of earlier
    /// decisions are then void.
    #[inline(always)]
    pub fn make_room(&mut self) -> bool {
        let full = self.settings.is_full() || self.stacks.is_full() || self.loads.is_full();
        if full {
            self.forget();
        }
        full
    }

    #[cold]
    fn forget(&mut self) {
        self.settings.forget();
        self.earlier.fill(0);
        self.stacks.forget();
        self.loads.forget();
        self.known.fill([0; CELLS]);
        for (key, _) in &mut self.features {
            *key = Key::default();
        }
        #[cfg(test)]
        {
            self.forgotten += 1;
        }
    }

    #[cfg(test)]
    pub fn narrow(&mut self, stacks: usize) {
        self.stacks.most = stacks;
    }

    /// Updates the features that all moves share, and returns whether their number is still
    /// unknown. A feature that is only compared is reduced to its position among the `edges`.
    #[inline(always)]
    pub fn share(
        &mut self,
        features: &[(usize, Option<Vec<f32>>)],
        of_table: impl Fn(usize) -> f32,
    ) -> bool {
        let mut new = self.settings.len == 0;
        let mut hash: Word = 0;
        for (last, (feature, edges)) in self.shared.iter_mut().zip(features) {
            let value = of_table(*feature);
            let mut now = value.to_bits();
            if let Some(edges) = edges {
                now = 0;
                for edge in edges {
                    now += u32::from(value > *edge) + u32::from(value >= *edge);
                }
            }
            new |= *last != now;
            *last = now;
            hash = (hash ^ Word::from(now))
                .wrapping_mul(GOLDEN)
                .rotate_left(32);
        }
        if new {
            self.place = (hash.wrapping_mul(GOLDEN) >> 40) as usize & (EARLIER - 1);
            let width = self.shared.len();
            let noted = &self.earlier[self.place * (width + 1)..][..=width];
            if noted[width] == 0 || noted[..width] != *self.shared {
                return true;
            }
            self.setting = (noted[width] - 1) as u16;
        }
        false
    }

    /// Numbers the setting with these values of the formula's parts.
    pub fn set(&mut self, parts: impl Iterator<Item = u32>) {
        let mut setting = u16::MAX;
        for part in std::iter::once(0).chain(parts) {
            let known = 1 << 63 | Word::from(setting) << 32 | Word::from(part);
            setting = self.settings.of([known]) as u16;
        }
        self.setting = setting;
        let width = self.shared.len();
        let noted = &mut self.earlier[self.place * (width + 1)..][..=width];
        noted[..width].copy_from_slice(&self.shared);
        noted[width] = u32::from(setting) + 1;
    }

    /// The cached score of ending the turn.
    #[inline(always)]
    pub fn end(&self) -> Option<f32> {
        let [end] = self.settings.things[usize::from(self.setting)].notes;
        (end != 0).then(|| f32::from_bits(end as u32))
    }

    pub fn keep_end(&mut self, score: f32) {
        let [end] = &mut self.settings.things[usize::from(self.setting)].notes;
        *end = 1 << 32 | Word::from(score.to_bits());
    }

    /// The loads that are worse under a stack than ending the turn, one bit each.
    #[inline(always)]
    pub fn worse(&self, stack: u16) -> Word {
        self.stacks.things[usize::from(stack)].notes[0]
    }

    /// Caches that a move, the only one of its load under its stack, is worse than ending the turn;
    /// returns whether there is a bit for it.
    #[inline(always)]
    pub fn keep_worse(&mut self, key: Key) -> bool {
        let has_bit = u32::from(key.load) < Word::BITS;
        if has_bit {
            self.stacks.things[usize::from(key.stack)].notes[0] |= 1 << key.load;
        }
        has_bit
    }

    /// The number of a load.
    #[inline(always)]
    pub fn load(&mut self, load: [Word; 4]) -> u16 {
        let place = self.loads.of(load);
        let first = self.loads.len as Word;
        let [number] = &mut self.loads.things[place].notes;
        if *number == 0 {
            *number = first;
        }
        *number as u16
    }

    #[inline(always)]
    pub fn find(&self, key: Key) -> Option<Known> {
        let is_it =
            |known: Word| known as u32 >> 12 == u32::from(key.load) << 8 | u32::from(key.nth);
        let mut known = self.stacks.things[usize::from(key.stack)].notes[1 + cell(key) % NEAR];
        if !is_it(known) {
            known = self.known[usize::from(key.stack)][cell(key) % CELLS];
        }
        is_it(known).then(|| Known {
            score: f32::from_bits((known >> 32) as u32),
            option: (known >> 4) as u8,
            last: known & 2 != 0,
            changes: known & 1 != 0,
        })
    }

    #[inline(always)]
    pub fn features(&self, key: Key) -> Option<&[f32; OF_MOVE]> {
        let (known, features) = &self.features[self.slot(key)];
        (*known == key).then_some(features)
    }

    #[inline(always)]
    pub fn keep(&mut self, key: Key, known: Known) {
        let near = &mut self.stacks.things[usize::from(key.stack)].notes[1 + cell(key) % NEAR];
        let kept = match *near {
            0 => near,
            _ => &mut self.known[usize::from(key.stack)][cell(key) % CELLS],
        };
        *kept = Word::from(known.score.to_bits()) << 32
            | Word::from(key.load) << 20
            | Word::from(key.nth) << 12
            | Word::from(known.option) << 4
            | Word::from(known.last) << 1
            | Word::from(known.changes);
    }

    /// Reserves the cached features of a move, which the caller fills in.
    #[inline(always)]
    pub fn keep_features(&mut self, key: Key) -> &mut [f32; OF_MOVE] {
        let slot = self.slot(key);
        let (kept, features) = &mut self.features[slot];
        *kept = key;
        features
    }

    #[inline(always)]
    fn slot(&self, key: Key) -> usize {
        let word = Word::from(key.stack) << 32 | Word::from(key.load) << 16 | Word::from(key.nth);
        (word.wrapping_mul(GOLDEN) >> 40) as usize & (self.features.len() - 1)
    }
}

/// What the place of a move among those under its stack follows from.
#[inline(always)]
const fn cell(key: Key) -> usize {
    key.load as usize + 5 * key.nth as usize
}

/// Numbers of recurring things: their places in a hash table.
pub struct Numbers<const WORDS: usize, const NOTES: usize> {
    /// Open addressing: each thing is at its hash or in one of the places after it.
    things: Box<[Thing<WORDS, NOTES>]>,
    len: usize,
    /// The table is cleared above this, since another decision could overflow it.
    most: usize,
}

/// A thing, in one line of the cache, or two that are fetched together.
#[derive(Clone, Copy)]
#[repr(align(128))]
struct Thing<const WORDS: usize, const NOTES: usize> {
    /// The first is not 0.
    words: [Word; WORDS],
    /// Notes on it, initially 0.
    notes: [Word; NOTES],
}

impl<const WORDS: usize, const NOTES: usize> Numbers<WORDS, NOTES> {
    const NOTHING: Thing<WORDS, NOTES> = Thing {
        words: [0; WORDS],
        notes: [0; NOTES],
    };

    fn new(bits: u32) -> Self {
        Numbers {
            things: vec![Self::NOTHING; 1 << bits].into(),
            len: 0,
            most: (1 << bits) / 4 * 3,
        }
    }

    /// Whether there may be too little room for another decision.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len > self.most
    }

    fn forget(&mut self) {
        self.things.fill(Self::NOTHING);
        self.len = 0;
    }

    #[inline(always)]
    fn of(&mut self, thing: [Word; WORDS]) -> usize {
        self.number(self.place(thing), thing)
    }

    /// The first place to look.
    #[inline(always)]
    pub fn place(&self, thing: [Word; WORDS]) -> usize {
        let (mut hash, mut factor): (Word, Word) = (0, GOLDEN);
        for word in thing {
            hash = hash.wrapping_add(word.wrapping_mul(factor).rotate_left(32));
            factor = factor.wrapping_mul(GOLDEN);
        }
        ((hash ^ hash >> 29).wrapping_mul(GOLDEN) >> 40) as usize & (self.things.len() - 1)
    }

    /// The number of a thing, searched from `place` on.
    #[inline(always)]
    pub fn number(&mut self, mut place: usize, thing: [Word; WORDS]) -> usize {
        loop {
            let known = &self.things[place].words;
            if same(known, &thing) {
                return place;
            }
            if known[0] == 0 {
                self.add(place, thing);
                return place;
            }
            place = (place + 1) & (self.things.len() - 1);
        }
    }

    #[cold]
    fn add(&mut self, place: usize, words: [Word; WORDS]) {
        self.len += 1;
        assert!(
            self.len < self.things.len(),
            "room was made before the decision"
        );
        self.things[place].words = words;
    }
}
