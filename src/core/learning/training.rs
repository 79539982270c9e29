//! The table at which a bot is trained, as plain data, and how long training lasts.

use super::Objective;
use crate::formula::Vocabulary;
use crate::game::{Rules, SCORE_MEAN, Seating, Table, WIN_SHARE};
use crate::numbers;
use crate::simulation::Games;
use crate::strategy::{Seat, Strategy};
use crate::thinking;

pub struct Training {
    pub rules: Box<dyn Rules>,
    pub vocabulary: &'static Vocabulary,
    /// The number of seats that learn. They sit before the others.
    pub learners: usize,
    pub others: Vec<Seat>,
    pub objective: Objective,
    /// The bot that training starts from; without one it starts from scratch.
    pub from: Option<Seat>,
    /// The bots to compare with the trained one.
    pub standing: Vec<Seat>,
    /// The luck of all games.
    pub deal: Games,
    /// Number of training games, or …
    pub games: Option<u64>,
    /// … minutes of training instead.
    pub minutes: Option<f64>,
    /// Training stops once an attack gains at most this win share.
    pub until: Option<f64>,
    /// The table in words, for the description of the trained bot.
    pub headline: String,
}

impl Training {
    pub fn wins(&self) -> bool {
        self.objective == Objective::WinShare
    }

    pub fn metric(&self) -> &'static str {
        if self.wins() { WIN_SHARE } else { SCORE_MEAN }
    }

    pub fn players(&self) -> usize {
        self.learners + self.others.len()
    }

    pub fn fair(&self) -> f64 {
        1.0 / self.players() as f64
    }

    /// The learners' seats, held by this bot, and the others.
    pub fn seats(&self, bot: &Seat) -> Vec<Seat> {
        let mut seats = vec![bot.clone(); self.learners];
        seats.extend(self.others.iter().cloned());
        seats
    }

    /// The table of [`Training::seats`].
    pub(super) fn own_table(&self, bot: &Seat) -> Box<dyn Table> {
        self.seated(&self.seats(bot))
    }

    pub(super) fn seated(&self, seats: &[Seat]) -> Box<dyn Table> {
        let table = thinking::table(self.rules.as_ref(), seats, Seating::default());
        table.unwrap_or_else(|error| unreachable!("bots that were seated before: {error}"))
    }

    /// The description of a bot trained in this number of games, up to its last words.
    pub(super) fn trained(&self, games: u64, last: &str) -> String {
        let against = match self.others.as_slice() {
            [] => "itself".to_string(),
            others => Vec::from_iter(others.iter().map(Seat::label)).join(", "),
        };
        let (games, headline) = (numbers::games(games), &self.headline);
        format!("Trained against {against} in {games}: {headline}{last}.")
    }

    /// The trained bot with this file.
    pub(super) fn read(&self, name: &str, text: &str) -> Seat {
        let strategy = Strategy::from_toml(name, name, text, self.vocabulary);
        let strategy = strategy.unwrap_or_else(|fault| unreachable!("a learnt bot: {fault}"));
        Seat::new(strategy, &[]).expect("parameters of its own")
    }
}
