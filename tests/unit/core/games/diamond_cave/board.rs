//! The board tells what the position holds, and no front that was never seen.

use super::*;
use crate::game::story::StoryStyle;
use crate::games::diamond_cave::GAME;
use crate::games::diamond_cave::snapshot::Snapshot;
use crate::library::Library;

#[test]
fn boards_agree_with_positions() {
    let library = Library::default();
    let bots = library.seats(&GAME, &"3*planner".parse().expect("bots"));
    let text = GAME.editions[0].text;
    let small = text
        .replace("deck = 12", "deck = 0")
        .replace("standard = 33", "standard = 21");
    let (bots, mut seen, mut gaps) = (bots.expect("bots that ship"), 0, 0);
    for (game, text) in [(0, text), (1, text), (2, text), (3, &small), (4, &small)] {
        let rules = GAME.rules("rules", text).expect("rules");
        let table = rules.table(&bots, Default::default()).expect("a table");
        let course = table.course(3, game, StoryStyle::for_seat(1));
        for (position, options) in course.moments.iter().filter_map(|moment| moment.fork()) {
            let Some(board) = &options.board else {
                assert_ne!(options.seat, 1);
                continue;
            };
            let at: &Snapshot = position.of();
            let upturned = at.upturned.map(|(cell, _)| cell);
            let tunnels = at.players.iter().flat_map(|player| &player.tunnel);
            let tunnels: Vec<u8> = tunnels.copied().collect();
            for (number, cell) in (0..).zip(&board.areas[CAVE].cells) {
                let tile = at.tiles[usize::from(number)];
                let holds = |kind| cell.pieces.iter().any(|piece| piece.kind == kind);
                let is_dug = tunnels.contains(&number);
                let kind = match tile {
                    None => CellKind::Empty,
                    Some(_) if is_dug => CellKind::Open,
                    Some(_) if upturned == Some(number) => CellKind::Asked,
                    Some(_) => CellKind::FaceDown,
                };
                let (card, diamond) = tile.unwrap_or_default();
                let is_seen = kind == CellKind::Open
                    || (kind == CellKind::FaceDown && at.seen >> card & 1 == 1);
                assert_eq!(cell.kind, kind, "{}", cell.name);
                assert_eq!(
                    holds(PieceKind::Prize),
                    diamond && kind == CellKind::FaceDown
                );
                assert_eq!(holds(PieceKind::HiddenPrize), diamond && is_dug);
                assert_eq!(holds(PieceKind::Card), is_seen);
                assert_eq!(cell.ways.len(), if is_seen { 2 } else { 0 });
                gaps += usize::from(tile.is_none());
            }
            for (place, player) in at.players.iter().enumerate() {
                let seat = at.places.bot_at(place);
                let pawn = |cell: &Cell| {
                    let pawn = PieceKind::Pawn {
                        seat,
                        to: Some(player.exit),
                    };
                    cell.pieces.iter().any(|piece| piece.kind == pawn)
                };
                let stands = board.areas[CAVE].cells.iter().position(pawn);
                assert_eq!(stands, player.tunnel.last().map(|cell| usize::from(*cell)));
                let own = &board.areas[PLAYERS].cells[place];
                assert_eq!(own.pieces[1].text, player.gained.to_string());
            }
            let begun = at.players.iter().filter(|player| !player.tunnel.is_empty());
            assert_eq!(board.links.len(), tunnels.len() - begun.count());
            assert_eq!(board.areas[PLANNED].cells.len(), at.planned.len());
            assert!((board.areas[PLANNED].cells.iter()).all(|cell| cell.ways.len() == 2));
            assert_eq!(board.areas[DECK].cells[0].copies, at.deck.len());
            seen += 1;
        }
    }
    assert!(seen > 100 && gaps > 0, "{seen} {gaps}");
}
