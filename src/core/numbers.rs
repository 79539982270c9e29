//! Numbers as people read them: thousands apart, percentages, estimates with their precision.
//!
//! Pure text; nothing here knows where a number is printed.

/// A whole number with commas between thousands: `1,000,000`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    Vec::from_iter(groups.map(String::from_utf8_lossy)).join(",")
}

/// A number of games: `1 game`, `1,000,000 games`.
pub fn games(number: u64) -> String {
    match number {
        1 => "1 game".to_string(),
        _ => format!("{} games", count(number)),
    }
}

/// A whole number in few characters: `500`, `10k`, `2.5M`, `1G`.
pub fn count_short(value: u64) -> String {
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")] {
        if value >= unit {
            let tenths = value * 10 / unit;
            return match tenths % 10 {
                0 => format!("{}{letter}", tenths / 10),
                tenth => format!("{}.{tenth}{letter}", tenths / 10),
            };
        }
    }
    value.to_string()
}

/// A number with `decimals` places, commas between thousands and a true minus sign.
pub fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let is_zero = plain.chars().all(|c| c == '0' || c == '.');
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    // Beyond 64 bits there are no commas.
    let whole = whole.parse().map_or(whole.to_string(), count);
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// A number above 0 with three digits that count: `0.00656`.
pub fn rounded(value: f64) -> String {
    let decimals = (2.0 - value.log10().floor()).clamp(0.0, 9.0);
    number(value, decimals as usize)
}

/// A share (0..=1) in percent: `23.4 %`.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{} %", number(100.0 * share, decimals))
}

/// An estimated share with its interval, which at the ends has only one side: `23.4 ± 0.1 %`,
/// `0 % (≤ 0.4 %)`, `100 % (≥ 99.6 %)`.
pub fn share_within(share: f64, low: f64, high: f64) -> String {
    let decimals = decimals_for(100.0 * (high - low)).max(1);
    match (is_exact(low, high), share <= 0.0, share >= 1.0) {
        (true, ..) if share >= 0.01 => percent(share, 1).replace(".0 %", " %"),
        (true, ..) => format!("{} %", exact(100.0 * share)),
        (_, true, _) => format!("0 % (≤ {})", percent(high, decimals)),
        (_, _, true) => format!("100 % (≥ {})", percent(low, decimals)),
        _ => between(100.0 * share, 100.0 * low, 100.0 * high, " %"),
    }
}

/// An estimate with its interval and the unit of both: `1.2 ± 0.4 points`. Where one end of the
/// interval is much nearer than the other, or cut off at 0 or 100 %, both are shown: `0.02 % (0.00
/// to 0.11)`.
pub fn between(value: f64, low: f64, high: f64, unit: &str) -> String {
    if is_exact(low, high) {
        return exact(value) + unit;
    }
    let (half, nearer) = ((high - low) / 2.0, (value - low).min(high - value));
    let is_cut = half > 0.0 && (low == 0.0 || high == 0.0 || (unit == " %" && high == 100.0));
    if !half.is_finite() || (nearer >= 0.8 * half && !is_cut) {
        return within(value, half) + unit;
    }
    let decimals = decimals_of(half);
    let [value, low, high] = [value, low, high].map(|of| number(of, decimals));
    format!("{value}{unit} ({low} to {high})")
}

/// An estimate with half the width of its interval: `12.30 ± 0.04`.
///
/// The interval shows one leading digit, with at least one and at most four decimals; an
/// interval of no width is left out, and one that is not known is a question mark.
pub fn within(value: f64, half: f64) -> String {
    if half <= 0.0 {
        return exact(value);
    }
    if !half.is_finite() {
        return format!("{} ± ?", number(value, 1));
    }
    let decimals = decimals_of(half);
    format!("{} ± {}", number(value, decimals), number(half, decimals))
}

/// Whether an interval has no width but for the rounding of its ends.
fn is_exact(low: f64, high: f64) -> bool {
    high.is_finite() && high - low <= 1e-9 * high.abs().max(1.0)
}

/// The decimals of an interval with this half-width, and of its value.
fn decimals_of(half: f64) -> usize {
    (-half.log10().floor()).clamp(1.0, 4.0) as usize
}

/// A value without error: all its decimals, at most four.
fn exact(value: f64) -> String {
    let text = number(value, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The decimals that distinguish ticks `step` apart: 0 for 1 or more, 1 for 0.1 or 0.5, ….
pub fn decimals_for(step: f64) -> usize {
    if step <= 0.0 {
        return 0;
    }
    // 0.05 must count as two decimals although its logarithm is inexact.
    (-(step * 1.000_001).log10().floor()).clamp(0.0, 6.0) as usize
}

#[cfg(test)]
#[path = "../../tests/unit/core/numbers.rs"]
mod tests;
