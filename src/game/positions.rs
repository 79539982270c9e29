//! Named positions in a list: inserting a name renumbers the constants after it.

/// Declares a constant for each name of a list: its position, counted from the given number. The
/// last name is the length. `names NAME;` also declares the list itself.
macro_rules! positions {
    (from $position:expr; names $names:ident; $($(#[$doc:meta])* $name:ident,)*) => {
        /// The names in order.
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
