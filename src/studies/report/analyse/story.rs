//! The story of a game, with the value of each option.

use super::{Analysed, NO_DIFFERENCE};
use crate::study::analyse::Judged;
use carat_core::thinking::Worth;

/// Most options listed for a decision.
const LISTED: usize = 6;

impl Analysed<'_> {
    pub fn story(&self, index: usize) -> String {
        let game = &self.played.games[index];
        let mut story = String::new();
        let mut judged = game.judged.iter().peekable();
        for (at, moment) in game.course.moments.iter().enumerate() {
            story += &moment.text;
            if let Some(judged) = judged.next_if(|judged| judged.moment == at) {
                story += &self.decision(index, judged);
            }
        }
        story + &game.course.end
    }

    /// The options of a decision, the best first.
    fn decision(&self, game: usize, judged: &Judged) -> String {
        let options = self.options(game, judged);
        let value = |worth: &Worth| worth.figure(!self.wins).value;
        let mut order: Vec<usize> = (0..options.names.len()).collect();
        order.sort_by(|&a, &b| {
            let by = value(&judged.options[b]).total_cmp(&value(&judged.options[a]));
            by.then((b == judged.best).cmp(&(a == judged.best)))
        });
        // In simultaneous decisions, the name of the player.
        let mut text = String::new();
        if options.secret {
            text = format!("    {}\n", self.names[options.seat]);
        }
        for (rank, &option) in order.iter().enumerate() {
            let chosen = option == options.chosen;
            if rank >= LISTED && !chosen {
                continue;
            }
            let worth = &judged.options[option];
            text += if chosen { "    > " } else { "      " };
            if self.wins {
                text += &format!("{} wins, ", worth.win_share);
            }
            text += &format!("score {}: {}", worth.score_mean, options.names[option]);
            if chosen && judged.is_mistake() {
                text += &format!("; costs {}", self.said(&judged.loss));
            } else if chosen && option != judged.best {
                text += &format!("; {NO_DIFFERENCE}");
            }
            if chosen && let Some(verdict) = self.verdict(game, judged) {
                text += &format!(", {}", verdict.to_string().to_uppercase());
            }
            text += "\n";
        }
        let rest = order.iter().skip(LISTED);
        let hidden = rest.filter(|&&option| option != options.chosen).count();
        if hidden > 0 {
            text += &format!("      and {hidden} more\n");
        }
        text
    }
}
