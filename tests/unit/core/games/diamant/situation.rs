use super::*;
use crate::games::diamant::log::Log;
use crate::games::diamant::referee::Referee;
use crate::games::diamant::rules::EDITIONS;

/// The first card of an expedition: the referee turns each card of the deck up.
#[test]
fn the_next_card_adds_the_mean_of_its_shares() {
    for edition in EDITIONS {
        let rules = DiamantRules::from_toml(edition.name, edition.text).expect("an edition");
        for players in 1..=8 {
            let log = Log::default();
            let enter = || {
                let mut game = Referee::new(&rules, Hands::Log(players, &log));
                game.enter(&mut ());
                game
            };
            let position = enter().at;
            let cards: Vec<usize> = rules.indices_in(position.deck).collect();
            let mut held = 0;
            for &card in &cards {
                let mut game = enter();
                game.reveal(card, &mut ());
                held += game.at.held;
            }
            let mean = f64::from(held) / cards.len() as f64;
            let names = vec![String::new(); players];
            let [stay, _] = &facts(&rules, 0, &position, &names)[0];
            let said = format!("the next card adds {mean:.1} on average");
            assert!(stay.contains(&said), "{}, {players}: {stay}", edition.name);
        }
    }
}
