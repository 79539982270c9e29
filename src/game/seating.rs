//! Who sits where: bots change places from game to game, so that none profits from its place.

/// The places of one game. Places and bots count from 0.
#[derive(Debug, Clone, Copy)]
pub struct Seating {
    seats: usize,
    /// How far bots have moved on from their first places.
    shift: usize,
}

impl Seating {
    /// The places in game `game`: bot `b` sits at place `(b + game) mod seats`, or at place `b`
    /// where nobody rotates.
    pub fn of(seats: usize, rotate: bool, game: u64) -> Seating {
        let shift = match rotate {
            true => (game % seats as u64) as usize,
            false => 0,
        };
        Seating { seats, shift }
    }

    /// The bot at a place.
    #[inline(always)]
    pub fn bot_at(self, place: usize) -> usize {
        let bot = place + self.seats - self.shift;
        if bot >= self.seats {
            bot - self.seats
        } else {
            bot
        }
    }

    /// The bots, place by place.
    pub fn bots(self) -> Vec<usize> {
        (0..self.seats).map(|place| self.bot_at(place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_takes_every_place_in_its_turn() {
        let first: Vec<usize> = (0..5)
            .map(|game| Seating::of(4, true, game).bot_at(0))
            .collect();
        assert_eq!(first, [0, 3, 2, 1, 0]);
        assert_eq!(Seating::of(4, true, 1).bots(), [3, 0, 1, 2]);
        assert_eq!(Seating::of(4, false, 3).bots(), [0, 1, 2, 3]);
    }
}
