//! Moves that a bot has looked at before, kept for the decisions to come.
//!
//! What a bot sees of a move, and so its score, follows from little: what its formula makes of all
//! that the moves of a decision share, the stack that cards go under with what of the table matters
//! to it, and the cards with what their own stack gives up. Each of these gets a number, and a move
//! is found by its numbers. Everything has a fixed size: when there is no room for another number,
//! all is forgotten and found out anew.

use super::words::Word;
use crate::games::diamond_miner::features::OF_REACH;

/// Features of a move that are kept where its score may be another each time.
pub const OF_MOVE: usize = OF_REACH.end;
/// Most numbers of a kind.
const NUMBERS: usize = 1 << 12;
/// Numbers that are left for each decision.
const SPARE: usize = 1 << 10;
/// Moves that are kept of a stack.
const CELLS: usize = 32;
/// Moves whose features are kept.
const FEATURES_BITS: u32 = 13;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What one bot knows.
pub struct Scores {
    settings: Numbers<1>,
    stacks: Numbers<4>,
    loads: Numbers<4>,
    /// Moves under each stack, in the place of their load.
    known: Box<[[Known; CELLS]; NUMBERS]>,
    /// What the formula looks at of moves whose scores change.
    features: Box<[(Key, [f32; OF_MOVE])]>,
    /// How often all was forgotten.
    pub forgotten: u32,
}

/// What a move is found by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Key {
    /// Number of the stack that cards go under.
    pub stack: u16,
    /// Number of the cards, not 0.
    pub load: u16,
    /// Which of the moves of these cards under this stack it is, from 0.
    pub nth: u8,
}

/// What is known of a move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    /// Its score, where that lasts.
    pub score: f32,
    load: u16,
    nth: u8,
    /// Which transformation it chooses.
    pub option: u8,
    /// Whether it is the last of the moves of these cards under this stack.
    pub last: bool,
    /// Whether its score may be another each time.
    pub changes: bool,
}

impl Known {
    /// What is told of a move.
    pub fn new(score: f32, option: u8, last: bool, changes: bool) -> Known {
        Known {
            score,
            option,
            last,
            changes,
            ..Known::default()
        }
    }
}

impl Scores {
    /// Nothing known.
    pub fn new() -> Self {
        let known = vec![[Known::default(); CELLS]; NUMBERS].into_boxed_slice();
        Scores {
            settings: Numbers::new(),
            stacks: Numbers::new(),
            loads: Numbers::new(),
            known: known.try_into().expect("as many as there are numbers"),
            features: vec![(Key::default(), [0.0; OF_MOVE]); 1 << FEATURES_BITS].into(),
            forgotten: 0,
        }
    }

    /// Forgets all when little room is left; numbers of earlier decisions are void then.
    #[inline(always)]
    pub fn make_room(&mut self) {
        let most = self
            .settings
            .len()
            .max(self.stacks.len())
            .max(self.loads.len());
        if most > NUMBERS - SPARE {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        self.known[..self.stacks.len()].fill([Known::default(); CELLS]);
        self.features
            .iter_mut()
            .for_each(|(key, _)| *key = Key::default());
        self.settings.forget();
        self.stacks.forget();
        self.loads.forget();
        self.forgotten += 1;
    }

    /// The number of what the formula makes of what all moves share.
    #[inline(always)]
    pub fn setting(&mut self, parts: impl Iterator<Item = u32>) -> u16 {
        parts.fold(0, |before, part| {
            self.settings
                .of([Word::from(before) << 32 | Word::from(part)])
        })
    }

    /// The number of a stack, in its setting.
    #[inline(always)]
    pub fn stack(&mut self, stack: [Word; 4]) -> u16 {
        self.stacks.of(stack)
    }

    /// The number of cards that move.
    #[inline(always)]
    pub fn load(&mut self, load: [Word; 4]) -> u16 {
        self.loads.of(load)
    }

    /// What is known of a move.
    #[inline(always)]
    pub fn find(&self, key: Key) -> Option<Known> {
        let known = self.known[usize::from(key.stack) % NUMBERS][cell(key)];
        (known.load == key.load && known.nth == key.nth).then_some(known)
    }

    /// The features of a move, where they are known.
    #[inline(always)]
    pub fn features(&self, key: Key) -> Option<&[f32; OF_MOVE]> {
        let (known, features) = &self.features[slot(key)];
        (*known == key).then_some(features)
    }

    /// Keeps what is known of a move.
    #[inline(always)]
    pub fn keep(&mut self, key: Key, known: Known) {
        let Key { stack, load, nth } = key;
        self.known[usize::from(stack) % NUMBERS][cell(key)] = Known { load, nth, ..known };
    }

    /// Keeps features of a move, which are filled in then.
    #[inline(always)]
    pub fn keep_features(&mut self, key: Key) -> &mut [f32; OF_MOVE] {
        let (kept, features) = &mut self.features[slot(key)];
        *kept = key;
        features
    }
}

/// The place of a move among those under its stack.
#[inline(always)]
const fn cell(key: Key) -> usize {
    (key.load as usize + 5 * key.nth as usize) % CELLS
}

/// The place of the features of a move.
#[inline(always)]
const fn slot(key: Key) -> usize {
    let word = (key.stack as u64) << 32 | (key.load as u64) << 16 | key.nth as u64;
    (word.wrapping_mul(GOLDEN) >> (64 - FEATURES_BITS)) as usize
}

/// Numbers of things that come up again, from 1 in the order in which they came up first.
struct Numbers<const WORDS: usize> {
    things: Vec<[Word; WORDS]>,
    /// Where they are, by their hash or in one of the places after it; 0 for nowhere.
    index: Box<[u16; 2 * NUMBERS]>,
}

impl<const WORDS: usize> Numbers<WORDS> {
    fn new() -> Self {
        let mut things = Vec::with_capacity(NUMBERS);
        things.push([0; WORDS]);
        Numbers {
            things,
            index: Box::new([0; 2 * NUMBERS]),
        }
    }

    fn len(&self) -> usize {
        self.things.len()
    }

    fn forget(&mut self) {
        self.things.truncate(1);
        self.index.fill(0);
    }

    #[inline(always)]
    fn of(&mut self, thing: [Word; WORDS]) -> u16 {
        let mixed = |hash: u64, word: u64| (hash.rotate_left(29) ^ word).wrapping_mul(GOLDEN);
        let hash = thing.into_iter().fold(0, mixed);
        let mut place = (hash >> 40) as usize % (2 * NUMBERS);
        loop {
            let number = self.index[place];
            if number == 0 {
                return self.add(place, thing);
            }
            if self.things[usize::from(number)] == thing {
                return number;
            }
            place = (place + 1) % (2 * NUMBERS);
        }
    }

    #[cold]
    fn add(&mut self, place: usize, thing: [Word; WORDS]) -> u16 {
        let number = self.things.len() as u16;
        assert!(
            usize::from(number) < NUMBERS,
            "room was made before the decision"
        );
        self.index[place] = number;
        self.things.push(thing);
        number
    }
}
