//! Texts that must fit: shortening, wrapping, and pushing labels apart.
//!
//! Pure geometry on texts and positions; nothing is drawn here.

use super::canvas::Style;
use carat_core::numbers::{between, share_within};
use carat_core::statistics::Estimate;

/// `text`, or its beginning and end around a `…` when it is wider than `width` pixels.
pub fn shorten(text: &str, style: &Style, width: f64) -> String {
    if style.width(text) <= width {
        return text.to_string();
    }
    let characters: Vec<char> = text.chars().collect();
    let ends: Vec<f64> = style.ends(text).collect();
    let end = |count: usize| count.checked_sub(1).map_or(0.0, |last| ends[last]);
    // How wide both ends are together. Where they meet the `…` letters may stand a little closer.
    let about = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        end(head) + end(ends.len()) - end(ends.len() - tail)
    };
    let may_fit = |kept: &usize| about(*kept) <= width + style.size;
    for kept in (0..characters.len()).rev().filter(may_fit) {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let mut short: String = characters[..head].iter().collect();
        short.push('…');
        short.extend(&characters[characters.len() - tail..]);
        if style.width(&short) <= width {
            return short;
        }
    }
    String::new()
}

/// `text` broken into at most `lines` lines of at most `width` pixels.
///
/// Lines break after spaces and the signs of a bot's name (`:`, `,`, `=`, `-`, `_`, `/`), but not
/// before a digit of 990,000. What does not fit is shortened in the middle of the line where it
/// would run over. Always at least one line.
pub fn wrap(text: &str, style: &Style, width: f64, lines: usize) -> Vec<String> {
    let mut wrapped = Vec::new();
    let mut rest = text.trim();
    while wrapped.len() + 1 < lines && style.width(rest) > width {
        let Some(end) = last_break(rest, style, width) else {
            break;
        };
        wrapped.push(rest[..end].trim_end().to_string());
        rest = rest[end..].trim_start();
    }
    wrapped.push(shorten(rest, style, width));
    wrapped
}

pub fn widest(texts: impl IntoIterator<Item = impl AsRef<str>>, style: &Style) -> f64 {
    let widths = texts.into_iter().map(|text| style.width(text.as_ref()));
    widths.fold(0.0, f64::max)
}

/// Moves labels as little as possible so that neighbours are `gap` pixels apart.
///
/// `wanted` holds the middle of each label; the result has the same order and lies within
/// `low..=high` as long as there is room for all. Labels keep the order of their wanted places;
/// equal places keep the order given.
pub fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // The place of the first label of a cluster, kept within the limits.
    let limited = |first: f64, members: f64| first.min(high - (members - 1.0) * gap).max(low);
    // Labels that touch form a cluster, which sits at the mean of its members' wishes: the place of
    // its first label, and how many they are.
    let mut clusters: Vec<(f64, f64)> = Vec::new();
    for &label in &order {
        let (mut first, mut members) = (limited(wanted[label], 1.0), 1.0);
        while let Some((before, more)) = clusters.pop_if(|(at, all)| *at + *all * gap > first) {
            let sum = before * more + (first - more * gap) * members;
            members += more;
            first = limited(sum / members, members);
        }
        clusters.push((first, members));
    }
    let mut placed = vec![0.0; wanted.len()];
    let mut labels = order.into_iter();
    for (first, members) in clusters {
        for (at, label) in labels.by_ref().take(members as usize).enumerate() {
            placed[label] = first + at as f64 * gap;
        }
    }
    placed
}

/// The last byte position after which a line may end and is at most `width` pixels wide, without
/// the spaces at its end.
fn last_break(text: &str, style: &Style, width: f64) -> Option<usize> {
    let mut last = None;
    let mut solid = 0.0;
    for ((at, character), end) in text.char_indices().zip(style.ends(text)) {
        if !character.is_whitespace() {
            solid = end;
        }
        let next = at + character.len_utf8();
        let is_number = character == ',' && text[next..].starts_with(|c: char| c.is_ascii_digit());
        if " :,=-_/".contains(character) && solid <= width && !is_number {
            last = Some(next);
        }
    }
    last
}

pub fn value_within(estimate: &Estimate, share: bool) -> String {
    if share {
        share_within(estimate.value, estimate.low, estimate.high)
    } else {
        between(estimate.value, estimate.low, estimate.high, "")
    }
}

/// A difference with its interval, and with a plus sign if the digits shown are more than zero.
pub fn difference_within(estimate: &Estimate) -> String {
    let text = between(estimate.value, estimate.low, estimate.high, "");
    let mut digits = text.chars().take_while(|c| *c != ' ');
    if estimate.value > 0.0 && digits.any(|c| matches!(c, '1'..='9')) {
        format!("+{text}")
    } else {
        text
    }
}

/// A word and what separates it from the next; nothing if it is empty.
pub fn before(word: &str, separator: &str) -> String {
    let separator = if word.is_empty() { "" } else { separator };
    format!("{word}{separator}")
}

pub fn capitalized(text: &str) -> String {
    // Names such as relics_out or traps.snake stay as they are.
    let word = text.split(' ').next().unwrap_or_default();
    if word.trim_end_matches('.').contains(['_', '.']) {
        return text.to_string();
    }
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/charts/labels.rs"]
mod tests;
