//! What is said before a tournament of which only a sample is played.

use crate::study::tournament::LINE_UPS_MAX;
use crate::tournament::LineUps;

/// What changes by playing a sample of the line-ups, and what to type instead.
pub fn sampled(line_ups: &LineUps) -> Option<String> {
    let LineUps { bots, players, .. } = *line_ups;
    let all = LineUps::number(bots, players);
    if line_ups.complete {
        return None;
    }
    let played = line_ups.len();
    let fit = |bots: &usize| LineUps::number(*bots, players) <= played as u128;
    let fewer = (2..bots).rev().find(fit);
    let mut remedies = Vec::new();
    if all <= LINE_UPS_MAX as u128 {
        remedies.push(format!("--line-ups {all}"));
    }
    remedies.extend(fewer.map(|fewer| format!("at most {fewer} bots after --bots")));
    let remedies = match remedies.is_empty() {
        true => String::new(),
        false => format!("; to play all, give {}", remedies.join(", or ")),
    };
    Some(format!(
        "{bots} bots make {all} line-ups of {players}, of which a sample of {played} is played: \
         ratings are less exact, and the mix is of one bot against copies of another{remedies}"
    ))
}
