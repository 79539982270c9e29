//! A lone explorer of Diamant, by a dynamic program.

/// The treasures of the deck of 2005.
pub const TREASURES: [u32; 15] = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17];

/// What a lone explorer expects of one expedition with the full deck of 2005 under a policy that
/// sees the treasures drawn (a set) and the number of kinds of trap on the path.
pub struct Expedition<'a> {
    pub leave: &'a dyn Fn(u32, u32, u32) -> Option<bool>,
    pub known: Vec<Option<f64>>,
}

impl Expedition<'_> {
    fn stand(&mut self, drawn: usize, traps: u32) -> f64 {
        let held = held(drawn);
        let cards = drawn.count_ones() + traps;
        match (self.leave)(cards, traps, held) {
            Some(true) => f64::from(held),
            Some(false) => self.go_on(drawn, traps),
            None => f64::from(held).max(self.go_on(drawn, traps)),
        }
    }

    pub fn go_on(&mut self, drawn: usize, traps: u32) -> f64 {
        let index = drawn * 6 + traps as usize;
        if let Some(value) = self.known[index] {
            return value;
        }
        let left = f64::from(30 - drawn.count_ones() - traps);
        let mut sum = 0.0;
        for card in (0..15).filter(|card| drawn >> card & 1 == 0) {
            sum += self.stand(drawn | 1 << card, traps);
        }
        if traps < 5 {
            sum += f64::from(3 * (5 - traps)) * self.stand(drawn, traps + 1);
        }
        self.known[index] = Some(sum / left);
        sum / left
    }
}

fn held(drawn: usize) -> u32 {
    (0..15)
        .filter(|card| drawn >> card & 1 == 1)
        .map(|card: usize| TREASURES[card])
        .sum()
}
