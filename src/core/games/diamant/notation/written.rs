//! Writes games in the notation.

use super::cards::Named;
use crate::games::diamant::log::Log;
use crate::games::diamant::referee::{self, Event, Hands, Watch};
use crate::games::diamant::rules::DiamantRules;

/// A whole game as a record: a line for each expedition, and the chests after it as a check.
pub fn write(rules: &DiamantRules, players: usize, log: &Log) -> String {
    let mut chests = Chests(Vec::new());
    referee::play(rules, Hands::Log(players, log), &mut (), &mut chests);
    let mut named = Named::new(rules);
    named.relics.clone_from(&log.relics);
    let mut text = format!("players {players}\n");
    for (round, (turns, chests)) in log.expeditions.iter().zip(&chests.0).enumerate() {
        let mut words = vec![format!("{}:", round + 1)];
        let mut after = "";
        for turn in turns {
            words.push(after.to_string());
            words.extend(turn.card.map(|card| named.name(card)));
            after = "";
            if !turn.leavers.is_empty() {
                words.push("/".to_string());
                words.extend(turn.leavers.iter().map(|seat| format!("@{}", seat + 1)));
                let is_one = turn.leavers.len() == 1;
                words.push(if is_one { "leaves" } else { "leave" }.to_string());
                after = "/";
            }
        }
        words.retain(|word| !word.is_empty());
        let chests: Vec<String> = chests.iter().map(i32::to_string).collect();
        text += &format!("{}\nchests {}\n", words.join(" "), chests.join(" "));
    }
    text
}

struct Chests(Vec<Vec<i32>>);

impl Watch for Chests {
    fn event(&mut self, event: Event) {
        if let Event::ExpeditionEnded { chests, .. } = event {
            self.0.push(chests);
        }
    }
}
