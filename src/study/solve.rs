//! The study of a game itself: play that is learnt, and how far it can be beaten.

use super::error::{StudyError, refuse};
use super::kind::{Outcome, Ready};
use super::library::Library;
use crate::catalog::those;
use crate::diagnostic::{Diagnostic, Fault};
use crate::game::{CardShape, Game, Seating};
use crate::learning::{Objective, whole_batches};
use crate::strategy::{Grid, Seat, Strategy};
use std::ops::Deref;

mod attack;
mod card;
mod learners;
mod play;
mod scored;
mod session;
mod spec;

pub use attack::{Attack, Start};
pub use card::FittedCard;
pub use learners::LearnersTable;
pub use play::PolicyPlayed;
pub use scored::{LearntRound, Scored, ScoredPlayed, Thought, Without};
pub use session::{BesideLearnt, Milestone};
pub use spec::Solve;

/// Games that are learnt from when neither games nor minutes are given.
const GAMES: u64 = 100_000_000;
/// Fewest games to learn from.
pub const GAMES_MIN: u64 = 100_000;

pub enum Played {
    Policy(Box<PolicyPlayed>),
    Scored(Box<ScoredPlayed>),
}

/// A study of a policy over cells, with every name looked up, ready to be played.
pub struct Resolved {
    table: LearnersTable,
    /// What the policy looks at.
    pub grid: Grid,
    /// What the attack looks at.
    pub finer: Grid,
}

impl Deref for Resolved {
    type Target = LearnersTable;

    fn deref(&self) -> &LearnersTable {
        &self.table
    }
}

impl Solve {
    pub fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let game = self.table.game()?;
        if let Some(how) = game.training() {
            return self.scored(game, how, library)?.ready();
        }
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: resolved.study.clone().into(),
            game: resolved.game,
            sources: resolved.sources(&[]),
            warnings: resolved.warnings.clone(),
            goal: None,
            only_table: None,
            play: Box::new(|player| Ok(Played::Policy(Box::new(resolved.play(player)?)).into())),
        })
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let mut table = self.learners_table(game, (GAMES, GAMES_MIN), library)?;
        table.study.run.games = table.study.run.games.map(whole_batches);
        let Some(school) = table.checked.school() else {
            let known = those(Game::can_be_learnt, |game| game.title);
            refuse!(
                "{} cannot be solved: only {known} can\nto see how far a bot can be beaten, seat the same \
                 bot beside it and let it think: BOT:playouts=256",
                game.title
            );
        };
        let (players, learners) = (table.players(), table.learners);
        let wins = table.objective() == Objective::WinShare;
        let own = || school.grid(players, wins, learners == 1);
        let grid = self.axes.clone().unwrap_or_else(own);
        let extra = school.finer(players, wins);
        // One who learns alone may look at everything.
        let grid = match (learners, &self.axes) {
            (1, None) => grid.finer(&extra),
            _ => grid,
        };
        let finer = grid.finer(&extra);
        for grid in [&grid, &finer] {
            let faulty = |fault: Diagnostic| StudyError::Refused(fault.to_string());
            grid.check(game.vocabulary).map_err(faulty)?;
            // Each of the axes is right by itself, but all together may be too long.
            let whole = |fault: Fault| {
                let fault = Fault::new(0..0, fault.message, "all axes together");
                faulty(fault.in_file("axes", ""))
            };
            let cell = grid.formula(game.vocabulary).map_err(whole)?;
            school.lesson(&cell, learners, &table.others)?;
            let text = grid.bot(game.vocabulary.question, "", &vec![0; grid.cells()]);
            let bot = Strategy::from_toml("solved", "solved", &text, game.vocabulary);
            let bot = bot.map_err(|fault| whole(Fault::new(0..0, fault.fault.message, "")))?;
            let bot = Seat::new(bot, &[])
                .map_err(|error| whole(Fault::new(0..0, error.to_string(), "")))?;
            table
                .checked
                .table(&vec![bot; players], Seating::default())?;
        }
        table.study.axes = Some(grid.clone());
        Ok(Resolved { table, grid, finer })
    }
}

impl Resolved {
    pub fn card(&self) -> Option<CardShape> {
        let school = self.checked.school()?;
        school.card(self.players())
    }

    /// The bot that this policy over this grid is.
    fn bot(&self, name: &str, description: &str, grid: &Grid, policy: &[u8]) -> Seat {
        let question = self.game.vocabulary.question;
        self.read(name, &grid.bot(question, description, policy))
    }
}

impl Outcome for Played {}
