//! Limits of time that tests do not wait for.

use std::sync::LazyLock;
use std::time::Duration;

/// What divides all limits: 1, unless a test sets `CARAT_HASTE`.
static HASTE: LazyLock<u32> = LazyLock::new(|| {
    let haste = std::env::var("CARAT_HASTE").ok();
    haste
        .and_then(|haste| haste.parse().ok())
        .unwrap_or(1)
        .max(1)
});

/// A limit of time.
pub fn limit(time: Duration) -> Duration {
    time / *HASTE
}
