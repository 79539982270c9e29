//! Positions that follow from the order of a list: what is inserted there renumbers nothing.

/// Declares a constant for each name of a list: its position, counted from the number given. The
/// last name is how many there are. `names NAME;` declares the list itself, too.
macro_rules! positions {
    (from $position:expr; names $names:ident; $($(#[$doc:meta])* $name:ident,)*) => {
        /// The names of the list.
        pub const $names: &[&str] = &[$(stringify!($name)),*];
        $crate::game::positions! { from $position; $($(#[$doc])* $name,)* }
    };
    (from $position:expr; $(#[$doc:meta])* $name:ident, $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $position;
        $crate::game::positions! { from $name + 1; $($rest)* }
    };
    (from $position:expr;) => {};
}

pub(crate) use positions;
