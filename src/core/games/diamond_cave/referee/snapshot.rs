//! Saving a position of the referee.

use super::events::Decision;
use super::position::Player;
use crate::game::Places;
use crate::games::diamond_cave::snapshot::{Snapshot, Stand};

impl Decision<'_> {
    pub fn snapshot(&self, places: Places) -> Snapshot {
        let (position, asked) = (self.position, self.asked);
        let seen = (0..).zip(&position.seen).filter(|(_, seen)| **seen);
        let stand = |player: &Player| Stand {
            tunnel: player.tunnel.iter().map(|s| s.cell as u8).collect(),
            exit: player.tunnel.last().map_or(0, |head| head.exit),
            gained: player.gained.len() as i32,
            turns: player.turns,
        };
        Snapshot {
            places,
            tiles: (position.tiles.iter())
                .map(|tile| tile.map(|tile| (tile.card, tile.diamond)))
                .collect(),
            deck: position.deck.iter().rev().copied().collect(),
            planned: position.planned.clone(),
            seen: seen.fold(0, |all, (card, _)| all | 1u128 << card),
            players: position.players.iter().map(stand).collect(),
            upturned: position.upturned.map(|up| (up.cell as u8, up.right)),
            turns_left: position.turns_left,
            place: asked.place,
            turn_digs: asked.turn_digs,
            decision: asked.decision,
            choices: self.choices.to_vec(),
        }
    }
}
