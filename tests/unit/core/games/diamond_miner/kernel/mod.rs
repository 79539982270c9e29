use super::super::features::VOCABULARY;
use super::super::outcomes;
use super::super::referee::{self, Counter};
use super::super::rules::EDITIONS;
use super::*;
use crate::game::Seated;

#[test]
fn forgetting_changes_no_game() {
    const GAMES: usize = 10;
    let rules = MinerRules::from_toml("standard", EDITIONS[0].text).unwrap();
    let texts = [
        "if ends > 0 then -1 else card_worth * nearer - gain / 4 + moves_made * mine",
        "noise",
        "missing - 3 * steals + plays_sword * round - ends / 2",
        "production_gain + owner_to_diamond / 8 - exposes + unshields",
        "if steals > 0 or moves_made > 2 and noise < 0.2 then noise else gain",
    ];
    let seated = Seated::of_texts(&texts, &VOCABULARY, Seating::EveryOrder);
    let layout = outcomes::layout(&rules, 5);
    let mut played = Record::new(&layout, GAMES);
    let mut expected = played.clone();
    let kernel = Kernel::new(&rules, layout, &seated.formulas, seated.seating, false).unwrap();
    let mut buffers = kernel.buffers();
    for scores in &mut buffers.scores {
        scores.narrow(2000);
    }
    // Enough games to clear the caches; the test looks at the last of them.
    let mut first = 3;
    loop {
        played.clear(GAMES);
        kernel.play_with(&mut buffers, Level::new(), (8, first), None, &mut played);
        if buffers.scores.iter().all(|scores| scores.forgotten > 0) {
            break;
        }
        first += GAMES as u64;
        assert!(first < 50_000, "nothing is ever forgotten");
    }
    for index in 0..GAMES {
        let number = first + index as u64;
        let sitting = seated.in_game(8, number);
        let mut counter = Counter::new(&kernel.layout, sitting.places, &mut expected, index);
        let ending = referee::play(&rules, &sitting, &mut (), &mut counter);
        counter.close(&ending);
    }
    assert_eq!(played.counts, expected.counts);
}
