//! How long something takes.

use std::time::Instant;

/// Seconds that `work` takes: the best of `runs` runs.
pub fn seconds(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
