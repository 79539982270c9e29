//! Macros that declare constants for positions in lists.

/// Declares a constant for each name of a list: its position, counted from the given number, so
/// that inserting a name renumbers those after it; `_` has a position without a name. `counts
/// NAMES;` also declares the list itself, of [`Count`](crate::game::Count)s: comments are meanings,
/// and the range is at least 0 if none is given.
macro_rules! positions {
    (from $position:expr; counts $names:ident, length $length:ident;
        $($(#[doc = $doc:literal])* $name:ident $($range:literal)?,)*) => {
        /// The counts in order.
        pub const $names: &[$crate::game::Count] = &[$($crate::game::Count {
            name: stringify!($name),
            meaning: concat!($($doc),*),
            range: concat!($($range)?),
        }),*];
        $crate::game::positions! { from $position; $($(#[doc = $doc])* $name,)* $length, }
    };
    (from $position:expr; _, $($rest:tt)*) => {
        $crate::game::positions! { from $position + 1; $($rest)* }
    };
    (from $position:expr; $(#[$doc:meta])* $name:ident, $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $position;
        $crate::game::positions! { from $name + 1; $($rest)* }
    };
    (from $position:expr;) => {};
}

/// Declares `VOCABULARY` with these features, and for each a constant with its position: `_` for
/// features that the code does not name.
macro_rules! vocabulary {
    (
        question $question:literal, answer $kind:ident;
        $($constant:tt = $who:ident($name:literal, $($field:literal),*);)*
    ) => {
        /// Everything that a formula of this game may use, in register order.
        pub const VOCABULARY: $crate::formula::Vocabulary = $crate::formula::Vocabulary {
            question: $question,
            answer: $crate::formula::Kind::$kind,
            features: &[$($crate::formula::Feature::$who($name, $($field),*)),*],
        };
        $crate::game::positions! { from 0; $($constant,)* }
    };
}

pub(crate) use {positions, vocabulary};
