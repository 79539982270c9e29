//! Seeded luck, and the values and damage that it picks.

use serde_json::{Value, json};
use std::fmt::Display;

/// A generator of the attack's own: the same seed gives the same case.
pub struct Dice(u64);

/// Texts that have broken programs before, and those that are blank or hold a line's end.
const NASTY: &str = "0 -0 -1 1e99 1e-99 NaN inf -inf 9223372036854775808 18446744073709551616 \
    340282350000000000000000000000000000001 0x10 1_000 1,5 .. ../.. / = == a=b=c * 2* *depth : := @ \
    @1 ; , [] {} [[ \" ' \\ ` $(x) %s%n -- --out - \u{0}x \u{1b}[31mred \u{7} \u{85} \u{200b} \
    \u{202e}abc \u{feff} \u{fffe} \u{10ffff} é e\u{301} ß 日本語 👩‍👩‍👧 ]]> <b>&amp;</b> =1+1 +1 \
    @SUM(A1) true false null none CON a/b a\\b .hidden manifest.json";
const BLANK: [&str; 4] = ["", " ", "\t", "\r\n"];

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Whether something happens that happens so many times in 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// One of the words of a text.
    pub fn word<'a>(&mut self, of: &'a str) -> &'a str {
        self.pick(&of.split(' ').collect::<Vec<_>>())
    }

    pub fn one(&mut self, of: &[String]) -> String {
        of[self.below(of.len())].clone()
    }

    pub fn nasty(&mut self) -> String {
        match self.below(12) {
            0 => "x".repeat(1 << self.below(14)),
            1 => (0..self.below(20))
                .filter_map(|_| char::from_u32(self.below(0x3000) as u32))
                .collect(),
            2 => self.next().to_string(),
            3 => format!("-{}", self.below(1000)),
            4 => format!("{}.{}", self.below(100), self.below(1000)),
            _ if self.chance(6) => self.pick(&BLANK).to_string(),
            _ => self.word(NASTY).to_string(),
        }
    }

    /// A plausible number, small as a rule.
    pub fn number(&mut self) -> String {
        match self.below(10) {
            0 => self.nasty(),
            1 => format!("{}.5", self.below(30)),
            2 => format!("0.{}", self.below(1000)),
            _ => self.below(30).to_string(),
        }
    }

    fn wrong(&mut self) -> Value {
        match self.below(10) {
            0 => json!([]),
            1 => json!({}),
            2 => json!(self.below(2) == 0),
            3 => json!(self.below(400)),
            4 => json!(-(self.below(400) as i64)),
            5 => json!(i64::MAX - self.below(2) as i64),
            6 => json!(self.below(1000) as f64 / 8.0),
            7 => json!([1, "a", [2.5]]),
            _ => json!(self.nasty()),
        }
    }

    /// Damages one place of a tree of values: deletes, doubles, renames, swaps or replaces it.
    pub fn damage(&mut self, tree: &mut Value) {
        let deeper = self.chance(75);
        match tree {
            Value::Object(map) if !map.is_empty() => {
                let key = map
                    .keys()
                    .nth(self.below(map.len()))
                    .cloned()
                    .unwrap_or_default();
                match (deeper, self.below(6)) {
                    (true, _) => self.damage(&mut map[&key]),
                    (_, 0) => drop(map.insert(self.nasty(), json!(1))),
                    (_, 1) => {
                        let value = map.remove(&key).unwrap_or_default();
                        map.insert(key + "x", value);
                    }
                    (_, 2) => {
                        let other = map.keys().nth(self.below(map.len())).cloned();
                        let value = map[&other.unwrap_or_default()].clone();
                        map.insert(key, value);
                    }
                    (_, 3) => drop(map.insert(key, self.wrong())),
                    _ => drop(map.remove(&key)),
                }
            }
            Value::Array(list) if !list.is_empty() => {
                let at = self.below(list.len());
                match (deeper, self.below(4)) {
                    (true, _) => self.damage(&mut list[at]),
                    (_, 0) => drop(list.remove(at)),
                    (_, 1) => list.push(list[at].clone()),
                    (_, 2) => list[at] = self.wrong(),
                    _ => *tree = self.wrong(),
                }
            }
            Value::Number(number) if self.chance(85) => {
                let near = number
                    .as_i64()
                    .unwrap_or(3)
                    .saturating_add(self.below(5) as i64 - 2);
                *tree = json!(near);
            }
            _ => *tree = self.wrong(),
        }
    }

    /// Damages a file: bits, bytes, lines, or its end.
    pub fn damage_bytes(&mut self, bytes: &mut Vec<u8>, from: usize) {
        if bytes.len() <= from {
            return;
        }
        let at = from + self.below(bytes.len() - from);
        match self.below(7) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, self.next() as u8),
            4 => {
                let end = (at + self.below(200)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            5 => drop(bytes.splice(at..at, self.nasty().into_bytes())),
            _ => {
                let digits = bytes
                    .iter_mut()
                    .skip(at)
                    .filter(|byte| byte.is_ascii_digit());
                digits
                    .take(1)
                    .for_each(|byte| *byte = b'0' + (*byte - b'0' + 1) % 10);
            }
        }
    }

    /// Some of what a closure makes, joined.
    pub fn join<T: Display>(
        &mut self,
        most: usize,
        between: &str,
        mut make: impl FnMut(&mut Dice) -> T,
    ) -> String {
        let count = 1 + self.below(most);
        Vec::from_iter((0..count).map(|_| make(self).to_string())).join(between)
    }
}
