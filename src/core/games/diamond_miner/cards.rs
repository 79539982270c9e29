//! The cards of Diamond Miner: their classes and their kinds.
//!
//! Recipes refer to classes (ore, shovel, …); kinds also distinguish the fronts of ore. Nothing
//! here knows a recipe or a rule.

pub const CLASSES: usize = 7;
/// Class of iron ore.
pub const ORE: usize = 0;
pub const SHOVEL: usize = 1;
/// Class of mine carts.
pub const CART: usize = 2;
pub const ANVIL: usize = 3;
pub const SHIELD: usize = 4;
pub const SWORD: usize = 5;
pub const DIAMOND: usize = 6;

pub const NAMES: [&str; CLASSES] = [
    "ore", "shovel", "cart", "anvil", "shield", "sword", "diamond",
];

pub const FRONTS_MAX: usize = 8;
/// Number of kinds: ore front `f` is kind `f`, class `c` above ore is kind `FRONTS_MAX - 1 + c`.
pub const KINDS: usize = FRONTS_MAX + CLASSES - 1;
/// Most cards in a game: a count fits 7 bits.
pub const CARDS_MAX: usize = 127;

/// Units per 1 ore of worths.
pub const WORTH_UNITS: i32 = 8;

pub type Counts = [u8; CLASSES];

/// A card, as the number of its kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub u8);

impl Card {
    pub const fn of(class: usize) -> Card {
        assert!(class != ORE, "ore has a front");
        Card((FRONTS_MAX - 1 + class) as u8)
    }

    #[inline(always)]
    pub const fn class(self) -> usize {
        (self.0 as usize + 1).saturating_sub(FRONTS_MAX)
    }
}
