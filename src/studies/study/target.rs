//! Targets as they are written: `31..32`, `0.1..`, `start-0.03..start+0.03`, `18..22 weight 3`.

use carat_core::tuning::Edge;

/// Largest weight of a target.
const WEIGHT_MAX: f64 = 1000.0;

/// Parses a range with its weight, 1 if it has none; an error is the end of a message.
pub fn parse_weighted(text: &str) -> Result<(Edge, Edge, f64), String> {
    let (range, weight) = match text.split_once("weight") {
        Some((range, weight)) => (range, weight.trim().parse().unwrap_or(0.0)),
        None => (text, 1.0),
    };
    let (low, high) = parse_range(range)?;
    if weight > 0.0 && weight <= WEIGHT_MAX {
        return Ok((low, high, weight));
    }
    Err(format!(
        "a weight is a number above 0, at most {WEIGHT_MAX}; write {} weight 3",
        range.trim()
    ))
}

/// Parses the two ends of a range.
pub fn parse_range(text: &str) -> Result<(Edge, Edge), String> {
    let Some((low, high)) = text.split_once("..") else {
        return Err(match text.trim().parse::<f64>() {
            Ok(level) => format!("write a range, such as {level}..{}", level + 1.0),
            Err(_) => "write a range, such as 31..32".to_string(),
        });
    };
    let ends = [low, high];
    let (low, high) = (edge(low)?, edge(high)?);
    match (low, high) {
        (Edge::Open, Edge::Open) => Err("both ends are missing".to_string()),
        (Edge::At(from), Edge::At(to)) | (Edge::FromStart(from), Edge::FromStart(to))
            if from > to =>
        {
            let [first, second] = ends.map(str::trim);
            Err(format!("the ends are swapped; write {second}..{first}"))
        }
        _ => Ok((low, high)),
    }
}

/// Parses one end: empty, a number, or `start` with an optional offset.
fn edge(text: &str) -> Result<Edge, String> {
    let text = text.trim();
    let number = |text: &str| {
        let text = text.trim();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let wrong = || format!("`{text}` is neither a number nor start, start-0.03 or start+0.03");
        number.ok_or_else(wrong)
    };
    let Some(shift) = text.strip_prefix("start") else {
        return match text {
            "" => Ok(Edge::Open),
            level => number(level).map(Edge::At),
        };
    };
    let shift = shift.trim();
    match (shift, shift.strip_prefix('+'), shift.strip_prefix('-')) {
        ("", ..) => Ok(Edge::FromStart(0.0)),
        (_, Some(more), _) => number(more).map(Edge::FromStart),
        (_, _, Some(less)) => number(less).map(|less| Edge::FromStart(-less)),
        _ => number(text).map(Edge::At),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/target.rs"]
mod tests;
