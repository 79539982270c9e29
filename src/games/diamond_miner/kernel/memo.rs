//! What single cards do under stacks, once found out, kept for the decisions to come.
//!
//! A few dozen looks of stacks make up most games. Nothing that is kept depends on the table: what
//! does (a bank that is short, an owner's diamonds) is for `batch`. When too much is known, all is
//! forgotten and found out anew.

use super::features::{Effect, Placing, Shape};
use super::moves::Load;
use super::state::{PackedRules, Pile};
use super::words::Word;
use crate::formula::program::{BLOCK, LANES};
use crate::games::diamond_miner::cards::{CLASSES, Card};
use crate::games::diamond_miner::features::MOVE_FEATURES;

/// A bank that has whatever is asked for.
const PLENTY: Word = 0x7f7f_7f7f_7f7f_7f7f;
/// Most looks, and the slots of their index.
const LOOKS_MAX: usize = 1 << 11;
const SLOTS_BITS: u32 = 13;
const SLOTS: usize = 1 << SLOTS_BITS;
/// Most effects; a power of two.
const EFFECTS_MAX: usize = 1 << 13;
/// Values of an effect, filled up to whole lines of memory.
const WIDTH: usize = 32;
const _: () = assert!(MOVE_FEATURES <= WIDTH);

/// Where the effect of ending the turn is.
pub const END: u16 = 1 + LANES as u16;

/// What is known.
pub struct Memo {
    /// Where looks are, by their hash or in one of the slots after it; 0 for nowhere.
    index: Box<[u16; SLOTS]>,
    /// All looks; the first stands for none.
    looks: Vec<Look>,
    /// The effects, but for their values. The first is none, each of the [`LANES`] after it belongs
    /// to a row of a batch, and then comes [`END`].
    effects: Vec<Kept>,
    values: Box<[[f32; WIDTH]; EFFECTS_MAX]>,
    shapes: Box<[Shape]>,
    /// How often all was forgotten.
    pub forgotten: u32,
}

/// What a stack shows: its top card and what it holds, in one word, as no class counts in lane 7.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    word: Word,
    /// Where the effects of cards are, for others and for its owner, by class; empty when unknown.
    spans: [[Span; CLASSES]; 2],
}

/// Positions of effects: the first, and the one after the last.
pub type Span = [u16; 2];

/// What a move does with cards.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kept {
    /// Cards that it gives.
    pub gives: Word,
    /// The option chosen.
    pub option: u8,
}

impl Memo {
    /// An empty memo.
    pub fn new() -> Self {
        let values = vec![[0.0; WIDTH]; EFFECTS_MAX].into_boxed_slice();
        let mut memo = Memo {
            index: Box::new([0; SLOTS]),
            looks: Vec::with_capacity(LOOKS_MAX),
            effects: Vec::with_capacity(EFFECTS_MAX),
            shapes: vec![Shape::default(); EFFECTS_MAX].into_boxed_slice(),
            values: values.try_into().expect("as many as the array has"),
            forgotten: 0,
        };
        memo.values[usize::from(END)][..MOVE_FEATURES].copy_from_slice(&Effect::END.values);
        memo.forget();
        memo
    }

    fn forget(&mut self) {
        self.index.fill(0);
        self.looks.clear();
        self.looks.push(Look::default());
        self.effects.clear();
        self.effects.resize(usize::from(END) + 1, Kept::default());
    }

    /// Forgets all when little room is left; spans and looks of earlier decisions are void then.
    /// Returns whether it did.
    #[inline(always)]
    pub fn make_room(&mut self) -> bool {
        let full = |len: usize, most: usize| len > most - most / 4;
        if full(self.looks.len(), LOOKS_MAX) || full(self.effects.len(), EFFECTS_MAX) {
            self.forget();
            self.forgotten += 1;
            return true;
        }
        false
    }

    /// The look of a stack; 0 when there is no room for another.
    #[inline(always)]
    pub fn look(&mut self, top: Card, classes: Word) -> u16 {
        let word = classes | Word::from(top.0);
        let hash = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS_BITS);
        let mut slot = hash as usize;
        loop {
            let look = self.index[slot];
            if self.looks[usize::from(look)].word == word {
                return look;
            }
            if look == 0 {
                return self.add_look(slot, word);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    #[cold]
    fn add_look(&mut self, slot: usize, word: Word) -> u16 {
        if self.looks.len() == LOOKS_MAX {
            return 0;
        }
        let look = self.looks.len() as u16;
        self.index[slot] = look;
        self.looks.push(Look {
            word,
            spans: Default::default(),
        });
        look
    }

    /// Where the effects of a card of class `class` under a stack of this look are, which is the
    /// mover's own or not; empty when that is not known.
    #[inline(always)]
    pub fn span(&self, look: u16, class: usize, mine: bool) -> Span {
        self.looks[usize::from(look)].spans[usize::from(mine)][class]
    }

    /// Finds these effects out; the stack is `target`. They stay unknown when there is no room.
    #[cold]
    pub fn find_out(
        &mut self,
        rules: &PackedRules,
        look: u16,
        class: usize,
        mine: bool,
        target: &Pile,
    ) -> Span {
        let placing = Placing {
            rules,
            load: Load::card(class),
            target,
            mine,
            bank: PLENTY,
        };
        let start = self.effects.len();
        let mut end = start;
        placing.effects(|effect| {
            if end < EFFECTS_MAX {
                self.effects.push(Kept {
                    gives: effect.gives,
                    option: effect.option,
                });
                self.values[end][..MOVE_FEATURES].copy_from_slice(&effect.values);
                self.shapes[end] = effect.shape;
            }
            end += 1;
        });
        if look == 0 || end > EFFECTS_MAX {
            self.effects.truncate(start);
            return Span::default();
        }
        let span = [start as u16, end as u16];
        self.looks[usize::from(look)].spans[usize::from(mine)][class] = span;
        span
    }

    /// Writes down the effect of row `row`, and returns where.
    pub fn write_own(&mut self, row: usize, effect: &Effect) -> u16 {
        self.shapes[1 + row] = effect.shape;
        self.values[1 + row][..MOVE_FEATURES].copy_from_slice(&effect.values);
        1 + row as u16
    }

    /// What an effect does.
    #[inline(always)]
    pub fn kept(&self, effect: u16) -> &Kept {
        &self.effects[usize::from(effect)]
    }

    /// What becomes of the stack.
    #[inline(always)]
    pub fn shape(&self, effect: u16) -> &Shape {
        &self.shapes[usize::from(effect)]
    }

    /// The values of a feature for some effects.
    #[inline(always)]
    pub fn values(&self, effects: &[u16; BLOCK], feature: usize) -> [f32; BLOCK] {
        let mut values = [0.0; BLOCK];
        for place in 0..BLOCK {
            values[place] = self.values[usize::from(effects[place]) % EFFECTS_MAX][feature];
        }
        values
    }
}
