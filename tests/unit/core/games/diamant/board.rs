//! The board tells what the position holds, and only chests that a seat may see.

use super::*;
use crate::game::story::StoryStyle;
use crate::games::diamant::GAME;
use crate::games::diamant::snapshot::Point;
use crate::library::Library;

#[test]
fn boards_agree_with_positions() {
    let library = Library::default();
    let bots = library.seats(&GAME, &"5*random:leave=0.2".parse().expect("bots"));
    let bots = bots.expect("bots that ship");
    let (mut seen, mut with_relics) = (0, 0);
    for edition in GAME.editions {
        let file = DiamantRules::from_toml(edition.name, edition.text).expect("rules that ship");
        let rules = GAME.rules(edition.name, edition.text).expect("rules");
        let table = rules.table(&bots, Default::default()).expect("a table");
        for game in 0..4 {
            let course = table.course(3, game, StoryStyle::for_seat(1));
            for (position, options) in course.moments.iter().filter_map(|moment| moment.fork()) {
                let Some(board) = &options.board else {
                    assert_ne!(options.seat, 1);
                    continue;
                };
                let at = &position.of::<Point>().position;
                let [path, lying, players] = &board.areas[..] else {
                    panic!("{:?}", board.areas);
                };
                let path = &path.cells;
                assert_eq!(lying.cells[0].copies, at.deck.count_ones() as usize);
                let mut shown: Vec<&str> = path
                    .iter()
                    .filter_map(|cell| Some(cell.pieces.first()?.text.as_str()))
                    .collect();
                let out = file.cards_in(at.in_game & !at.deck);
                let mut out: Vec<String> = out
                    .map(|card| match card {
                        Card::Treasure(value) => value.to_string(),
                        Card::Trap(kind) => file.traps[usize::from(kind)].clone(),
                        Card::Relic(place) => file.relic_name(at.relic(place) as u8),
                    })
                    .collect();
                shown.sort_unstable();
                out.sort_unstable();
                assert_eq!(shown, out);
                assert_eq!(path.len(), at.revealed as usize);
                assert_eq!(lying.cells[1].pieces[0].text, at.leftover().to_string());
                with_relics += lying.cells.len() - 2;
                for (seat, (cell, explorer)) in players.cells.iter().zip(&at.explorers).enumerate()
                {
                    assert_eq!(cell.kind == CellKind::Open, explorer.inside);
                    let says = |text: String| cell.pieces.iter().any(|piece| piece.text == text);
                    assert_eq!(says(format!("holds {}", at.held)), explorer.inside);
                    let is_shown = file.shows_chest(Some(1), seat);
                    assert_eq!(says(format!("chest {}", explorer.chest)), is_shown);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 50 && with_relics > 0, "{seen} {with_relics}");
}
