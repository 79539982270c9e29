//! Games in flight, and the order in which they are played on.
//!
//! A lane is a game in flight, waiting at a decision. Lanes that wait for the same question to bots
//! with the same formula form a queue. The longest queue is answered at once, and its lanes are
//! played on to their next decisions. When the game of a lane is over, the lane begins the next.

use super::Kernel;
use super::game::Game;
use super::questions::QUESTIONS;
use super::rows::{Bot, Picker, Rows, answer};
use crate::dispatch;
use crate::game::Record;
use crate::game::practice::Pick;
use fearless_simd::Level;

/// Most games in flight.
const LANES: usize = 256;

/// The lanes that wait for the same question.
#[derive(Clone, Copy)]
struct Queue {
    lanes: [u8; LANES],
    len: usize,
}

impl Queue {
    const EMPTY: Queue = Queue {
        lanes: [0; LANES],
        len: 0,
    };

    #[inline(always)]
    fn push(&mut self, lane: usize) {
        self.lanes[self.len] = lane as u8;
        self.len += 1;
    }

    #[inline(always)]
    fn drop_first(&mut self, count: usize) {
        self.lanes.copy_within(count..self.len, 0);
        self.len -= count;
    }
}

impl Kernel {
    /// Plays games until `record` is full. `begin` begins the next one, and returns whether there
    /// is a choice to make.
    pub(super) fn play_all(
        &self,
        level: Level,
        pick: Option<Pick>,
        record: &mut Record,
        mut begin: impl FnMut(&mut Game, &mut Record) -> bool,
    ) {
        let mut picker = pick.map(Picker::new);
        let shown_to = picker.as_ref().map(|_| self.programs.len());
        let rows = |(program, question)| Rows::new(program, question, shown_to);
        let bots = self.programs.iter();
        let bots = bots.map(|programs| programs.iter().zip(QUESTIONS).map(rows).collect());
        let mut bots: Vec<Bot> = bots.collect();
        let lanes = LANES.min(record.games());
        let mut games: Vec<Game> = (0..lanes).map(|_| Game::new(self)).collect();
        let mut queues = vec![Queue::EMPTY; bots.len() * QUESTIONS.len()];
        let mut next = 0;
        // Lanes that have been answered, and before that all; they go on, or begin the next game.
        let mut ready = Queue::EMPTY;
        (0..lanes).for_each(|lane| ready.push(lane));
        let mut begun = false;
        loop {
            for &lane in &ready.lanes[..ready.len] {
                let lane = usize::from(lane);
                let game = &mut games[lane];
                let mut chooses = begun && game.take(game.chosen, record);
                while !chooses && next < record.games() {
                    game.index = next;
                    next += 1;
                    chooses = begin(game, record);
                }
                if chooses {
                    let bot = self.alike[game.bot()];
                    queues[bot * QUESTIONS.len() + game.question() as usize].push(lane);
                }
            }
            begun = true;
            let longest = (0..queues.len()).max_by_key(|&queue| queues[queue].len);
            let number = longest.expect("bots sit at the table");
            ready = queues[number];
            if ready.len == 0 {
                return;
            }
            let bot = &mut bots[number / QUESTIONS.len()];
            let question = QUESTIONS[number % QUESTIONS.len()];
            let waiting = &ready.lanes[..ready.len];
            ready.len = dispatch!(level, simd => {
                answer(simd, bot, question, &mut games, waiting, &mut picker)
            });
            queues[number].drop_first(ready.len);
        }
    }
}
