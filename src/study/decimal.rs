//! Decimal numbers as people write them, exactly: what a range goes through is what is written.

/// A number with a finite decimal expansion: `digits` × 10^`exponent`, without zeros at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// Reads `12`, `-0.5`, `.5` or `25e-1`; `None` for what is no number, or has too many digits.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (plain, power) = match text.split_once(['e', 'E']) {
            Some((plain, power)) => (plain, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, plain) = match plain.strip_prefix(['+', '-']) {
            Some(rest) => (plain.starts_with('-'), rest),
            None => (false, plain),
        };
        let (whole, places) = plain.split_once('.').unwrap_or((plain, ""));
        let written = format!("{whole}{places}");
        if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = written.trim_end_matches('0');
        let zeros = written.len() - significant.len();
        let shift = i32::try_from(zeros).ok()? - i32::try_from(places.len()).ok()?;
        let (digits, exponent) = match significant.trim_start_matches('0') {
            "" => (0, 0),
            significant => (significant.parse::<i128>().ok()?, power.checked_add(shift)?),
        };
        let digits = if negative { -digits } else { digits };
        Some(Decimal { digits, exponent })
    }

    /// Whether it is above 0, be it by ever so little.
    pub fn is_above_0(self) -> bool {
        self.digits > 0
    }

    /// The digits as a multiple of 10^`exponent`, which must not be above its own.
    fn at(self, exponent: i32) -> Option<i128> {
        if self.digits == 0 {
            return Some(0);
        }
        let shift = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        self.digits.checked_mul(10i128.checked_pow(shift)?)
    }
}

/// The lowest exponent of these numbers; zeros have none.
fn unit(numbers: &[Decimal]) -> i32 {
    let known = numbers.iter().filter(|number| number.digits != 0);
    known.map(|number| number.exponent).min().unwrap_or(0)
}

/// Equal steps from one number up to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    first: i128,
    by: i128,
    /// First and step are multiples of 10 to this power.
    exponent: i32,
    pub count: u128,
}

impl Steps {
    /// The steps from `first` to `last`, which is not below it, by `by`, which is above 0; `None`
    /// when their digits are too far apart.
    pub fn new(first: Decimal, last: Decimal, by: Decimal) -> Option<Steps> {
        let finest = unit(&[first, last, by]);
        let way = last.at(finest)?.checked_sub(first.at(finest)?)?;
        let exponent = unit(&[first, by]);
        Some(Steps {
            count: u128::try_from(way / by.at(finest)?).ok()? + 1,
            first: first.at(exponent)?,
            by: by.at(exponent)?,
            exponent,
        })
    }

    /// All numbers, with as many decimal places as the first and the step need.
    pub fn written(self) -> impl Iterator<Item = String> {
        (0..self.count).filter_map(move |step| {
            let steps = self.by.checked_mul(i128::try_from(step).ok()?)?;
            Some(written(self.first.checked_add(steps)?, self.exponent))
        })
    }
}

/// `digits` × 10^`exponent` without an exponent.
fn written(digits: i128, exponent: i32) -> String {
    if exponent >= 0 {
        let zeros = if digits == 0 { 0 } else { exponent as usize };
        return format!("{digits}{}", "0".repeat(zeros));
    }
    let places = exponent.unsigned_abs() as usize;
    let sign = if digits < 0 { "-" } else { "" };
    let padded = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, rest) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_follow_from_the_numbers() {
        for (range, expected) in [
            ("0 10 25e-1", "0.0 2.5 5.0 7.5 10.0"),
            ("0 0.3 1e-1", "0.0 0.1 0.2 0.3"),
            ("0.000 1.0 0.50", "0.0 0.5 1.0"),
            ("-.5 .5 0.5", "-0.5 0.0 0.5"),
            ("1e3 +2000. 5e2", "1000 1500 2000"),
            ("0 2e5 1e5", "0 100000 200000"),
            ("0 0.35 0.1", "0.0 0.1 0.2 0.3"),
            ("0.05 0.1 0.025", "0.050 0.075 0.100"),
        ] {
            let numbers: Vec<Decimal> = range.split(' ').filter_map(Decimal::parse).collect();
            let steps = Steps::new(numbers[0], numbers[1], numbers[2]).unwrap();
            assert_eq!(steps.written().collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn what_is_no_decimal_number_is_refused() {
        for text in " . - e5 1e inf nan 0x10 1_000 1.2.3 --1".split(' ') {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        let [small, one] = ["1e-300", "1"].map(|text| Decimal::parse(text).expect(text));
        assert_eq!(Steps::new(small, one, small), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever way a number is spelt, it is read as the standard library reads it.
        #[test]
        fn numbers_are_read_exactly(digits in -100_000i64..100_000, exponent in -12i32..12) {
            let spelt = format!("{digits}e{exponent}");
            let number = Decimal::parse(&spelt).expect("a number");
            let plain = written(number.digits, number.exponent);
            prop_assert_eq!(plain.parse::<f64>(), spelt.parse::<f64>());
        }

        /// Each number of a range, as it is written, is the exact number that is meant.
        #[test]
        fn what_is_written_is_what_is_meant(
            first in -5000i64..5000,
            by in 1i64..700,
            places in 0u32..6,
            steps in 0i64..40,
        ) {
            let spelt = |number: i64| format!("{number}e-{places}");
            let numbers = [first, first + by * steps, by].map(|n| Decimal::parse(&spelt(n)).unwrap());
            let [from, to, step] = numbers;
            let all: Vec<String> = Steps::new(from, to, step).unwrap().written().collect();
            prop_assert_eq!(all.len() as i64, steps + 1);
            for (index, text) in (0..).zip(&all) {
                let meant = spelt(first + by * index);
                prop_assert_eq!(text.parse::<f64>(), meant.parse::<f64>());
                prop_assert!(text.len() <= 12, "{}", text);
            }
        }
    }
}
