//! Declares features once: their names in formulas, their meanings and their positions.

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
        $(pub const $constant: usize = VOCABULARY.position($name);)*
    };
}

pub(crate) use vocabulary;
