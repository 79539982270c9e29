//! What single cards do under stacks, once found out, kept for the decisions to come.
//!
//! A few dozen looks of stacks make up most games. Nothing that is kept depends on the table: what
//! does (a bank that is short, an owner's diamonds) is for `batch`. When too much is known, all is
//! forgotten and found out anew.

use super::cards::{CLASSES, Card, Word};
use super::moves::{Effect, Load, Placing};
use super::state::{PackedRules, Stack};

/// A bank that has whatever is asked for.
const PLENTY: Word = 0x7f7f_7f7f_7f7f_7f7f;
/// Slots of the index; a power of two, several times the looks that are kept.
const SLOTS: usize = 1 << SLOTS_BITS;
const SLOTS_BITS: u32 = 13;
/// Looks and effects that are kept, before those of one decision more.
const LOOKS_KEPT: usize = 2048;
const EFFECTS_KEPT: usize = 8192;

/// What is known.
pub struct Memo {
    /// Where looks are, by their hash or in one of the slots after it; 0 for nowhere.
    index: Box<[u16; SLOTS]>,
    /// All looks; the first stands for none.
    looks: Vec<Look>,
    effects: Vec<Effect>,
}

/// What a stack shows: its top card and what it holds, in one word, as no class counts in lane 7.
#[derive(Debug, Clone, Copy)]
struct Look {
    word: Word,
    /// Where the effects of cards are, of others and of its owner, by class; empty when unknown.
    spans: [[Span; CLASSES]; 2],
}

/// Positions of effects.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    /// The first.
    pub start: u32,
    /// The one after the last.
    pub end: u32,
}

impl Memo {
    /// An empty memo, for tables of at most `stacks` different stacks and faces of at most
    /// `options` transformations.
    pub fn new(stacks: usize, options: usize) -> Self {
        let mut memo = Memo {
            index: Box::new([0; SLOTS]),
            looks: Vec::with_capacity(LOOKS_KEPT + stacks),
            effects: Vec::with_capacity(EFFECTS_KEPT + stacks * options * CLASSES),
        };
        memo.forget();
        memo
    }

    fn forget(&mut self) {
        self.index.fill(0);
        self.looks.clear();
        self.looks.push(Look {
            word: 0,
            spans: Default::default(),
        });
        self.effects.clear();
    }

    /// Makes sure that all of a decision finds room.
    #[inline(always)]
    pub fn make_room(&mut self) {
        if self.looks.len() > LOOKS_KEPT || self.effects.len() > EFFECTS_KEPT {
            self.forget();
        }
    }

    /// The look of a stack, for this decision.
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
                return self.add(slot, word);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    #[cold]
    fn add(&mut self, slot: usize, word: Word) -> u16 {
        let look = self.looks.len() as u16;
        self.index[slot] = look;
        self.looks.push(Look {
            word,
            spans: Default::default(),
        });
        look
    }

    /// Where the effects of a card of class `class` under `target`, whose look is `look`, are.
    #[inline(always)]
    pub fn span(
        &mut self,
        rules: &PackedRules,
        look: u16,
        class: usize,
        target: &Stack,
        mine: bool,
    ) -> Span {
        let span = self.looks[usize::from(look)].spans[usize::from(mine)][class];
        if span.end > 0 {
            return span;
        }
        self.find_out(rules, look, class, target, mine)
    }

    #[cold]
    fn find_out(
        &mut self,
        rules: &PackedRules,
        look: u16,
        class: usize,
        target: &Stack,
        mine: bool,
    ) -> Span {
        let placing = Placing {
            rules,
            load: Load::card(class),
            target,
            mine,
            bank: PLENTY,
        };
        let start = self.effects.len() as u32;
        placing.effects(|effect| self.effects.push(effect));
        let end = self.effects.len() as u32;
        let span = Span { start, end };
        self.looks[usize::from(look)].spans[usize::from(mine)][class] = span;
        span
    }

    /// The effects.
    #[inline(always)]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }
}
