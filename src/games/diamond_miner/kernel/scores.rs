//! Scores of moves, once computed, kept for the decisions to come.
//!
//! A score follows from what the move does, what its source gives up, and what all moves of the
//! decision share. Many decisions are alike in all that a formula looks at; then it need not be
//! evaluated again.

use super::features::Reach;
use crate::games::diamond_miner::features::OF_TABLE;

/// Features that all moves of a decision share.
pub const SHARED: usize = OF_TABLE.end - OF_TABLE.start;
const SETTINGS_BITS: u32 = 9;
const SLOTS_BITS: u32 = 13;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The scores of one bot. Where two share a slot, the later one is kept.
pub struct Scores {
    settings: Box<[Setting; 1 << SETTINGS_BITS]>,
    /// Number of the last new setting.
    last: u64,
    slots: Box<[(Key, f32); 1 << SLOTS_BITS]>,
}

/// What all moves of a decision share, and a number that nothing else has had.
#[derive(Debug, Clone, Copy, Default)]
struct Setting {
    values: [f32; SHARED],
    reach: Reach,
    number: u64,
}

/// All that a score follows from; 0 for no such thing.
pub type Key = u64;

/// The key of an effect of the memo, from a source of a look, in a setting.
#[inline(always)]
pub const fn key(setting: u64, effect: u16, look: u16) -> Key {
    setting << 32 | (effect as u64) << 16 | look as u64
}

impl Scores {
    /// Nothing known.
    pub fn new() -> Self {
        Scores {
            settings: Box::new([Setting::default(); 1 << SETTINGS_BITS]),
            last: 0,
            slots: Box::new([(0, 0.0); 1 << SLOTS_BITS]),
        }
    }

    /// Forgets all; needed when the memo does.
    pub fn forget(&mut self) {
        self.slots.fill((0, 0.0));
    }

    /// The number of a setting, not 0; only the first `used` values differ.
    #[inline(always)]
    pub fn setting(&mut self, values: &[f32; SHARED], used: usize, reach: Reach) -> u64 {
        let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(GOLDEN).rotate_left(29);
        let words = values[..used]
            .iter()
            .map(|value| u64::from(value.to_bits()));
        let hash = words.fold(mix(mix(0, reach.own), reach.others), mix);
        let hash = hash.wrapping_mul(GOLDEN);
        let setting = &mut self.settings[(hash >> (64 - SETTINGS_BITS)) as usize];
        if setting.number == 0 || setting.values[..used] != values[..used] || setting.reach != reach
        {
            self.last += 1;
            *setting = Setting {
                values: *values,
                reach,
                number: self.last,
            };
        }
        setting.number
    }

    /// The score of `key`, if it is known.
    #[inline(always)]
    pub fn find(&self, key: Key) -> Option<f32> {
        let (known, score) = self.slots[slot(key)];
        (known == key).then_some(score)
    }

    /// Keeps the score of `key`.
    #[inline(always)]
    pub fn keep(&mut self, key: Key, score: f32) {
        self.slots[slot(key)] = (key, score);
    }
}

/// The slot of a key: rows of a decision that differ by their effects alone lie side by side.
#[inline(always)]
const fn slot(key: Key) -> usize {
    let effect = 0xffff << 16;
    let hash = (key & !effect).wrapping_mul(GOLDEN) >> (64 - SLOTS_BITS);
    (hash as usize + (key as usize >> 16 & 0xffff)) % (1 << SLOTS_BITS)
}
