//! Saving a position of the referee.

use super::position::{Player, Position};
use crate::game::Places;
use crate::games::diamond_cave::moves::{Asked, Choice};
use crate::games::diamond_cave::snapshot::{Snapshot, Stand};

impl Position<'_> {
    pub fn snapshot(&self, places: Places, asked: Asked, choices: &[Choice]) -> Snapshot {
        let seen = (0..).zip(&self.seen).filter(|(_, seen)| **seen);
        let stand = |player: &Player| Stand {
            tunnel: player.tunnel.iter().map(|s| s.cell as u8).collect(),
            exit: player.tunnel.last().map_or(0, |head| head.exit),
            gained: player.gained.len() as i32,
            turns: player.turns,
        };
        Snapshot {
            places,
            tiles: (self.tiles.iter())
                .map(|tile| tile.map(|tile| (tile.card, tile.diamond)))
                .collect(),
            deck: self.deck.iter().rev().copied().collect(),
            planned: self.planned.clone(),
            seen: seen.fold(0, |all, (card, _)| all | 1u128 << card),
            players: self.players.iter().map(stand).collect(),
            upturned: self.upturned.map(|up| (up.cell as u8, up.right)),
            turns_left: self.turns_left,
            place: asked.place,
            turn_digs: asked.turn_digs,
            decision: asked.decision,
            choices: choices.to_vec(),
        }
    }
}
