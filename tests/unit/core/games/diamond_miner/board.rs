//! The board tells what the position holds.

use super::*;
use crate::game::story::StoryStyle;
use crate::games::diamond_miner::GAME;
use crate::games::diamond_miner::snapshot::Snapshot;
use crate::library::Library;

#[test]
fn boards_agree_with_positions() {
    let library = Library::default();
    let bots = library.seats(&GAME, &"3*builder".parse().expect("bots"));
    let text = GAME.editions[0].text;
    let rules = MinerRules::from_toml("rules", text).expect("rules that ship");
    let table = GAME.rules("rules", text).expect("rules that ship");
    let table = table.table(&bots.expect("bots that ship"), Default::default());
    let (table, mut seen) = (table.expect("a table"), 0);
    for game in 0..4 {
        let course = table.course(3, game, StoryStyle::for_seat(1));
        for (position, options) in course.moments.iter().filter_map(|moment| moment.fork()) {
            let Some(board) = &options.board else {
                assert_ne!(options.seat, 1);
                continue;
            };
            let at: &Snapshot = position.of();
            for (stacks, area) in at.tables.iter().zip(&board.areas) {
                let mut counts = [0; CLASSES];
                for cell in &area.cells {
                    for piece in &cell.pieces {
                        let of =
                            |class: &usize| piece.text.split(' ').next() == Some(NAMES[*class]);
                        counts[(ORE..CLASSES).find(of).expect("a class")] += cell.copies as u8;
                    }
                }
                for stack in stacks {
                    (0..CLASSES).for_each(|class| counts[class] -= stack.classes[class]);
                    let top = &rules.card_name(stack.top);
                    let on_top =
                        |cell: &Cell| cell.pieces.last().is_some_and(|piece| piece.text == *top);
                    assert!(area.cells.iter().any(on_top), "{top}");
                }
                assert_eq!(counts, [0; CLASSES]);
                let piles: usize = area.cells.iter().map(|cell| cell.copies).sum();
                assert_eq!(piles, stacks.len());
            }
            let [bank, ore, recipes, diamonds] = &board.areas[at.tables.len()..] else {
                panic!("{:?}", board.areas);
            };
            let banked: usize = bank.cells.iter().map(|cell| cell.copies).sum();
            assert_eq!(banked, at.bank.iter().sum::<usize>());
            let copies = |of: [u8; 8]| of.iter().map(|&of| usize::from(of)).sum::<usize>();
            assert_eq!(ore.cells[0].copies, copies(at.deck));
            assert_eq!(ore.cells[1].copies, copies(at.discard));
            let completed = board
                .options
                .iter()
                .filter(|cells| cells.len() == 3)
                .count();
            assert!(recipes.cells.len() <= completed && board.options[0].is_empty());
            for (cell, stacks) in diamonds.cells.iter().zip(&at.tables) {
                let tops = stacks.iter().map(|stack| stack.top.class());
                let own = tops.filter(|class| *class == DIAMOND).count();
                assert_eq!(cell.pieces[1].text, own.to_string());
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
