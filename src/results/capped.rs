//! What is said when games do not come to their end: a cap of the rules stopped them.

use super::text::View;
use crate::numbers;
use crate::study::Capped;

/// A smaller share of a table's games is not worth a word.
const NOTICEABLE: f64 = 0.01;

/// How many games a cap ended, when at some table it was a noticeable share.
pub fn remark(tables: &[Capped]) -> Option<View> {
    let worst = tables.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
    if worst.share < NOTICEABLE {
        return None;
    }
    let games: u64 = tables.iter().map(|table| table.games).sum();
    let stopped = tables.iter().map(|table| table.share * table.games as f64);
    let all = numbers::percent(stopped.sum::<f64>() / games as f64, 1);
    let most = match tables.len() {
        1 => String::new(),
        _ => format!(
            " (most at {}: {})",
            worst.name,
            numbers::percent(worst.share, 1)
        ),
    };
    Some(View::text(format!(
        "Beware: a cap of the rules ended {all} of the games{most}. Their winners were only ahead by then."
    )))
}
