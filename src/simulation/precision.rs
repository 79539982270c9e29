//! When an estimate is sure enough to stop.

/// Fewest games before a run may stop: the width of an interval must itself be known well.
const PILOT: u64 = 4096;

/// Whether a run of `games` games whose widest interval has half-width `widest` may stop.
///
/// The decision looks at the width only, never at the value. The width settles long before the
/// run ends, so stopping by it does not favour lucky values (Chow and Robbins, 1965) and the
/// interval keeps its 95 % without spending any of it on the looks; a test measures that.
pub fn precise(games: u64, widest: f64, wanted: f64) -> bool {
    games >= PILOT && widest <= wanted
}
