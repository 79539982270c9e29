//! Words that the stories of single games share.

/// Names with commas and an `and`.
pub fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What so many winners do.
pub fn win(winners: usize) -> &'static str {
    if winners == 1 {
        "wins"
    } else {
        "share the win"
    }
}
