//! Numbers of games as people write them.

/// Reads `250000`, `250_000`, `250k`, `4M`, `2.5e6` or `10^12`: a whole number of at least 1.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("`{text}` is not a number of games; write 250000, 250k, 4M, 1e9 or 10^12");
    let plain = text.trim().replace(['_', ','], "");
    let (digits, scale) = match plain.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&plain[..at], 1e3),
        Some((at, 'm' | 'M')) => (&plain[..at], 1e6),
        Some((at, 'G' | 'B')) => (&plain[..at], 1e9),
        Some((at, 'T')) => (&plain[..at], 1e12),
        _ => (plain.as_str(), 1.0),
    };
    let count = if scale == 1.0 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().map_err(|_| wrong())?
    } else {
        let number: f64 = match digits.split_once('^') {
            Some((base, power)) => {
                let base: u64 = base.parse().map_err(|_| wrong())?;
                let power = power.parse().map_err(|_| wrong())?;
                base.checked_pow(power).ok_or_else(wrong)? as f64
            }
            None => digits.parse().map_err(|_| wrong())?,
        };
        let number = number * scale;
        if !(0.0..=1e18).contains(&number) || number.fract() != 0.0 {
            return Err(wrong());
        }
        number as u64
    };
    match count {
        0 => Err("at least 1 game is needed".to_string()),
        _ => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, count) in [
            ("1", 1),
            ("250000", 250_000),
            ("250_000", 250_000),
            ("1,000,000", 1_000_000),
            ("250k", 250_000),
            ("2.5M", 2_500_000),
            ("1e9", 1_000_000_000),
            ("10^12", 1_000_000_000_000),
        ] {
            assert_eq!(parse_count(text), Ok(count), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_count_is_refused() {
        for text in [
            "", "0", "-5", "1.5", "many", "k", "1e30", "10^40", "^", "NaN", "inf",
        ] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }
}
