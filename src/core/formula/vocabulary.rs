//! What a formula may speak of: the features of one game and the question it answers.
//!
//! A game owns one constant [`Vocabulary`]. Formulas are checked against it, the kernel fills the
//! registers it describes, and the listing a user sees is printed from it. This module knows no
//! particular game.

/// Most formulas of one program, one for each seat; a feature of a seat has this many registers.
pub const FORMULAS_MAX: usize = 8;

/// The two kinds of value a formula computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number, held as `f32`.
    Number,
    Truth,
}

impl Kind {
    /// The kind with its article, for messages: `a number` or `a truth value`.
    pub const fn described(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Truth => "a truth value",
        }
    }
}

/// One number a bot can look at when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// The name used in formulas.
    pub name: &'static str,
    /// What it counts, such as `rubies` or `probability`.
    pub unit: &'static str,
    /// The values it takes, such as `0..=5`.
    pub range: &'static str,
    /// One sentence for the user.
    pub meaning: &'static str,
    /// Whether every seat has a value of its own; otherwise all seats see the same one.
    pub per_seat: bool,
}

/// The features of one game and the question its bots answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vocabulary {
    /// The question, which is also the key of the formula in a bot's file, such as `leave`.
    pub question: &'static str,
    pub answer: Kind,
    /// All features, each of them a number, under distinct names.
    pub features: &'static [Feature],
}

type Text = &'static str;

impl Feature {
    /// A feature that all seats see alike.
    pub const fn shared(name: Text, unit: Text, range: Text, meaning: Text) -> Feature {
        Feature {
            name,
            unit,
            range,
            meaning,
            per_seat: false,
        }
    }

    /// A feature that each seat sees for itself.
    pub const fn own(name: Text, unit: Text, range: Text, meaning: Text) -> Feature {
        Feature {
            per_seat: true,
            ..Feature::shared(name, unit, range, meaning)
        }
    }
}

impl Vocabulary {
    /// The index in `features` of the feature called `name`.
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut names = self.features.iter().map(|feature| feature.name);
        names.position(|known| known == name)
    }

    /// The register, among those of numbers or of whole numbers, that holds feature `feature` of
    /// seat `seat`.
    ///
    /// Registers follow the order of `features`: a shared feature takes one register, the same for
    /// every seat, and a feature per seat takes [`FORMULAS_MAX`] consecutive ones. Panics when
    /// `feature` is not an index of `features`, or `seat` is not below [`FORMULAS_MAX`].
    pub const fn register(&self, feature: usize, seat: usize) -> usize {
        assert!(seat < FORMULAS_MAX, "no such seat");
        self.registers_before(feature) + seat * self.features[feature].per_seat as usize
    }

    /// How many registers all features take together.
    pub const fn registers(&self) -> usize {
        self.registers_before(self.features.len())
    }

    const fn registers_before(&self, feature: usize) -> usize {
        let mut count = 0;
        let mut index = 0;
        while index < feature {
            let per_seat = self.features[index].per_seat;
            count += if per_seat { FORMULAS_MAX } else { 1 };
            index += 1;
        }
        count
    }
}
